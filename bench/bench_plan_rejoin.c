// What a deviation costs on a large map: a whole plan anew, or a short one back to the plan. On
// streets of 1,024 x 1,024 cells of 1 m.
// By hand: bench_plan_rejoin [map of MovingAI] [times that it is made larger] [ways] [clothoids]
// Without a map: streets between random blocks.
#include "bench/town_map.h"
#include "kerb/io/grid_map.h"
#include "kerb/plan_rejoin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Expansions of the planner that leads back: its ways are short.
enum { SIDE = 1024, ASKED = 10, IMPROVEMENT = 300, NEAR = 3000, PIECES = 8192 };

// --------------------------------------------------------------------------- maps

// Blocks of 20 to 60 m with streets of 6 to 14 m between them.
static town make_town(void) {
    town t = {calloc((size_t)SIDE * SIDE, 1), SIDE, SIDE};
    kerb_random random = kerb_random_make(1, 0);
    for (int32_t y = 0; y < SIDE;) {
        int32_t height = 20 + kerb_random_below(&random, 41);
        for (int32_t x = 0; x < SIDE;) {
            int32_t width = 20 + kerb_random_below(&random, 41);
            for (int32_t j = y; j < y + height && j < SIDE; j++)
                for (int32_t i = x; i < x + width && i < SIDE; i++)
                    t.cells[j * SIDE + i] = 255;
            x += width + 6 + kerb_random_below(&random, 9);
        }
        y += height + 6 + kerb_random_below(&random, 9);
    }
    return t;
}

// --------------------------------------------------------------------------- figures

typedef struct timed {
    double all[4096];
    int32_t count;
} timed;

static void note(timed* t, double value) {
    if (t->count < 4096)
        t->all[t->count++] = value;
}

static int compare(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void print_row(const char* name, timed* t, const char* unit) {
    double sum = 0;
    for (int32_t i = 0; i < t->count; i++)
        sum += t->all[i];
    qsort(t->all, (size_t)t->count, sizeof t->all[0], compare);
    if (t->count > 0)
        printf("%-44s mean %7.2f, 99 %% %7.2f %s (%d)\n", name, sum / t->count,
               t->all[(t->count - 1) * 99 / 100], unit, (int)t->count);
}

typedef struct figures {
    timed whole, anew, first, rejoin; // [ms]
    timed longer, slower;             // joined over a whole plan anew [%]
    timed left;                       // time of joined over what was left of the plan [%]
    int32_t asked, found, anew_found, refused;
} figures;

// --------------------------------------------------------------------------- queries

static bool run(kerb_planner* planner) {
    while (kerb_planner_advance(planner, 10000) == KERB_PLAN_RUNNING)
        continue;
    return kerb_planner_get_plan(planner).count > 0;
}

static bool plan_to(kerb_planner* planner, const kerb_plan_end* from, const kerb_plan_end* to,
                    timed* took) {
    const kerb_plan_query query = {from, to, 1, 1};
    double began = milliseconds();
    bool found = kerb_planner_begin(planner, &query, NULL) == KERB_OK && run(planner);
    if (found)
        note(took, milliseconds() - began);
    return found;
}

static kerb_plan_end random_end(const town* t, kerb_random* random) {
    float x = 0, y = 0;
    do {
        x = kerb_random_between(random, 5, (float)t->columns - 5);
        y = kerb_random_between(random, 5, (float)t->rows - 5);
    } while (t->cells[(int32_t)y * t->columns + (int32_t)x]);
    return kerb_plan_end_make(x, y, kerb_random_between(random, -KERB_PI, KERB_PI), 0);
}

// A state up to 0.6 m and 0.1 rad beside a plan.
static kerb_plan_end beside(const kerb_plan* plan, float time, kerb_random* random) {
    kerb_plan_state at = kerb_plan_at(plan, time);
    float aside = kerb_random_between(random, -0.6f, 0.6f);
    float turn = kerb_random_between(random, -0.1f, 0.1f);
    kerb_vec2 p = at.pose.position, f = at.pose.forward;
    kerb_plan_end here =
        kerb_plan_end_make(p.x - aside * f.y, p.y + aside * f.x, kerb_pose_heading(at.pose) + turn,
                           at.speed * kerb_random_between(random, 0.8f, 1.0f));
    here.curvature = at.curvature;
    return here;
}

typedef struct planners {
    kerb_plan_limits limits;
    kerb_plan_world world;
    kerb_planner coarse, first, anew, fine;
} planners;

static void deviate(planners* p, const kerb_plan* whole, kerb_random* random, figures* f) {
    float now = kerb_random_between(random, 2.0f, whole->time - 10.0f);
    kerb_plan_end here = beside(whole, now, random);
    kerb_plan_state end = kerb_plan_at(whole, whole->time);
    kerb_plan_end to = {.pose = end.pose, .speed = end.speed, .position_tolerance = 0.02f};
    timed unused = {.count = 0};
    if (!plan_to(&p->first, &here, &to, &unused))
        return; // it stands too close to a wall
    note(&f->first, unused.all[0]);
    f->asked++;
    bool is_anew = plan_to(&p->anew, &here, &to, &f->anew);
    kerb_plan anew = kerb_planner_get_plan(&p->anew);
    kerb_plan_rejoin rejoin;
    double began = milliseconds();
    if (kerb_planner_begin_rejoin(&p->fine, &here, whole, now + 2, now + 8, &rejoin, NULL) !=
            KERB_OK ||
        !run(&p->fine) || kerb_planner_rejoin(&p->fine, whole, &rejoin, NULL) != KERB_OK)
        return;
    note(&f->rejoin, milliseconds() - began);
    f->found++;
    kerb_plan joined = kerb_planner_get_plan(&p->fine);
    const kerb_plan_query query = {&here, &to, 1, 1};
    f->refused += kerb_plan_check(&p->limits, &query, &p->world, &joined, NULL) != KERB_OK;
    note(&f->left, 100.0 * ((double)joined.time / (double)(whole->time - now) - 1));
    if (is_anew) {
        note(&f->longer, 100.0 * ((double)joined.length / (double)anew.length - 1));
        note(&f->slower, 100.0 * ((double)joined.time / (double)anew.time - 1));
    }
}

static bool create(kerb_planner* planner, const kerb_plan_limits* limits, int32_t improvement,
                   int32_t expansions, const kerb_plan_world* world) {
    kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = improvement;
    settings.expansions = expansions;
    return kerb_planner_create(planner, limits, &settings, &host, NULL) == KERB_OK &&
           kerb_planner_set_world(planner, world, NULL) == KERB_OK;
}

int main(int count, char** arguments) {
    town t;
    if (count <= 1 || arguments[1][0] == 0)
        t = make_town();
    else if (!load_town(arguments[1], count > 2 ? atoi(arguments[2]) : 1, &t))
        return 1;
    int32_t ways = count > 3 ? atoi(arguments[3]) : 20;
    kerb_vehicle car = kerb_vehicle_default();
    static planners p;
    static figures f;
    static kerb_plan_piece pieces[PIECES];
    p.limits = kerb_plan_limits_to_drive(&car, 0.4f);
    if (count > 4 && strcmp(arguments[4], "clothoids") == 0)
        p.limits.curvature_rate = 1.0f / (p.limits.steering_time * p.limits.turning_radius);
    p.world = (kerb_plan_world){
        .cells = t.cells, .columns = t.columns, .rows = t.rows, .cell_size = 1.0f};
    kerb_plan_limits strict = kerb_plan_limits_stricter(&p.limits, 0.1f);
    int32_t most = kerb_planner_settings_default().expansions;
    if (!create(&p.coarse, &strict, IMPROVEMENT, most, &p.world) ||
        !create(&p.first, &p.limits, 0, most, &p.world) ||
        !create(&p.anew, &p.limits, IMPROVEMENT, most, &p.world) ||
        !create(&p.fine, &p.limits, IMPROVEMENT, NEAR, &p.world))
        return 1;
    kerb_random random = kerb_random_make(5, 0);
    for (int32_t i = 0; i < ways;) {
        kerb_plan_end from = random_end(&t, &random), to = random_end(&t, &random);
        to.position_tolerance = 2.0f;
        to.heading_tolerance = KERB_PI;
        if (!plan_to(&p.coarse, &from, &to, &f.whole))
            continue;
        kerb_plan whole = kerb_planner_get_plan(&p.coarse);
        if (whole.time < 60.0f || whole.count > PIECES)
            continue;
        memcpy(pieces, whole.pieces, (size_t)whole.count * sizeof pieces[0]);
        whole.pieces = pieces;
        for (int32_t k = 0; k < ASKED; k++)
            deviate(&p, &whole, &random, &f);
        i++;
    }
    printf("%d by %d m, %d deviations: %d rejoined, %d refused by the check\n", (int)t.columns,
           (int)t.rows, (int)f.asked, (int)f.found, (int)f.refused);
    print_row("whole plan, stricter, 300 steps more", &f.whole, "ms");
    print_row("after a deviation: whole, first answer", &f.first, "ms");
    print_row("after a deviation: whole, 300 steps more", &f.anew, "ms");
    print_row("after a deviation: rejoined, 300 steps more", &f.rejoin, "ms");
    print_row("length of that over the whole anew", &f.longer, "%");
    print_row("time of that over the whole anew", &f.slower, "%");
    print_row("time of that over what was left of the plan", &f.left, "%");
    kerb_planner_destroy(&p.coarse);
    kerb_planner_destroy(&p.first);
    kerb_planner_destroy(&p.anew);
    kerb_planner_destroy(&p.fine);
    free(t.cells);
    return 0;
}
