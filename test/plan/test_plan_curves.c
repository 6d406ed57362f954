// Curves of many vehicles: inside the corridor, faster than the line, and the same bits for any
// number of workers, with a cache and without.
#include "kerb/plan_curves.h"
#include "kerb/plan_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/seed.h"

#include <math.h>
#include <string.h>

enum { LINE_MOST = 20000, GRID_SIDE = 80 };

static void make(kerb_plan_curves* curves, const kerb_plan_limits* kinds, int32_t count,
                 int32_t cache, int32_t delay, const kerb_tasks* tasks) {
    kerb_host host = kerb_host_default();
    if (tasks)
        host.tasks = *tasks;
    kerb_plan_curves_settings settings = kerb_plan_curves_settings_default();
    settings.cache = cache;
    settings.delay = delay;
    settings.capacity = 64;
    kerb_error error;
    if (kerb_plan_curves_create(curves, kinds, count, &settings, &host, &error) != KERB_OK)
        fail_msg("%s %s", error.field, error.message);
}

static int32_t ask(kerb_plan_curves* curves, const kerb_plan_curve* curve) {
    int32_t ticket;
    kerb_error error;
    if (kerb_plan_curves_ask(curves, curve, &ticket, &error) != KERB_OK)
        fail_msg("%s %s", error.field, error.message);
    return ticket;
}

static kerb_plan_curve_answer answer_of(kerb_plan_curves* curves, const kerb_plan_curve* curve) {
    kerb_plan_curve_answer answer;
    int32_t ticket = ask(curves, curve);
    kerb_plan_curves_step(curves);
    assert_false(kerb_plan_curves_answer(curves, ticket, &answer));
    kerb_plan_curves_step(curves);
    assert_true(kerb_plan_curves_answer(curves, ticket, &answer));
    return answer;
}

// --------------------------------------------------------------------------- an own corridor

// The reference line as points every centimetre or two, and how far a place may be from them.
typedef struct own_line {
    int32_t count;
    double x[LINE_MOST], y[LINE_MOST], heading[LINE_MOST], left[LINE_MOST], right[LINE_MOST];
} own_line;

static void lay_line(own_line* line, const kerb_plan_curve* c) {
    double x = (double)c->start.position.x, y = (double)c->start.position.y;
    double heading = atan2((double)c->start.forward.y, (double)c->start.forward.x);
    line->count = 0;
    for (int32_t i = 0; i < c->part_count; i++) {
        const kerb_plan_curve_part* p = &c->parts[i];
        int32_t steps = (int32_t)(p->length / 0.02f) + 1;
        double step = (double)p->length / steps;
        for (int32_t k = 0; k <= steps; k++) {
            int32_t n = line->count++;
            assert_true(n < LINE_MOST);
            line->x[n] = x;
            line->y[n] = y;
            line->heading[n] = heading;
            line->left[n] = (double)p->left;
            line->right[n] = (double)p->right;
            if (k == steps)
                break;
            double turn = step * (double)p->curvature;
            x += step * cos(heading + 0.5 * turn);
            y += step * sin(heading + 0.5 * turn);
            heading += turn;
        }
    }
}

// Whether a place is on the side of some point of the line where it may be.
static bool is_on_line(void* context, kerb_pose pose) {
    const own_line* line = context;
    for (int32_t i = 0; i < line->count; i++) {
        double dx = (double)pose.position.x - line->x[i], dy = (double)pose.position.y - line->y[i];
        double along = dx * cos(line->heading[i]) + dy * sin(line->heading[i]);
        double aside = dy * cos(line->heading[i]) - dx * sin(line->heading[i]);
        bool is_end = i == 0 || i + 1 == line->count;
        if (fabs(along) <= (is_end ? 0.45 : 0.03) && aside <= line->left[i] + 2e-3 &&
            aside >= -line->right[i] - 2e-3)
            return true;
    }
    return false;
}

static kerb_pose beside(const own_line* line, int32_t at, float offset) {
    double sine = sin(line->heading[at]), cosine = cos(line->heading[at]);
    return kerb_pose_make((float)(line->x[at] - (double)offset * sine),
                          (float)(line->y[at] + (double)offset * cosine), (float)line->heading[at]);
}

static float longer(float length, float offset) {
    return sqrtf(length * length + offset * offset) - length;
}

// The independent checker drives the answer from its entry to its exit on the line's own road.
static void expect_legal(const kerb_plan_limits* given, const kerb_plan_curve* c,
                         const kerb_plan_curve_answer* a) {
    static own_line line;
    lay_line(&line, c);
    kerb_plan_limits limits = *given;
    limits.front = limits.rear = limits.width = 0.01f;
    limits.margin = 0.0f;
    kerb_plan_end from = {.pose = beside(&line, 0, a->entry)};
    kerb_plan_end to = {.pose = beside(&line, line.count - 1, a->exit)};
    from.speed = fminf(0.25f * floorf(4.0f * c->entry_speed + 0.5f), limits.speed_max);
    to.speed = fminf(0.25f * floorf(4.0f * c->exit_speed + 0.5f), limits.speed_max);
    from.penalty = longer(c->before, a->entry) / limits.speed_max;
    to.penalty = longer(c->after, a->exit) / limits.speed_max;
    to.position_tolerance = 0.005f;
    to.heading_tolerance = 0.001f;
    const kerb_plan_query query = {&from, &to, 1, 1};
    const kerb_plan_world world = {.is_free = is_on_line, .context = &line};
    kerb_error error;
    if (kerb_plan_check(&limits, &query, &world, &a->plan, &error) != KERB_OK)
        fail_msg("%s %s, piece %d of %d", error.field, error.message, (int)error.index,
                 (int)a->plan.count);
    assert_true(c->before > 0.0f || a->entry == 0.0f);
    assert_true(c->after > 0.0f || a->exit == 0.0f);
}

// --------------------------------------------------------------------------- table 5.1

// A right angle of 8 m radius, 20 m/s² sideways, 30 m of straight road before it and after it.
static void wider_roads_make_the_thesis_curve_faster(void** state) {
    (void)state;
    kerb_plan_limits limits = kerb_plan_limits_default();
    limits.lateral_acceleration = 20.0f;
    kerb_plan_curves curves;
    make(&curves, &limits, 1, 64, 1, NULL);
    float before = 1e9f, gain = 0.0f;
    for (int32_t i = 0; i <= 10; i++) {
        float half = 0.3f * (float)i;
        const kerb_plan_curve_part bend = {1.0f / 8, 4.0f * KERB_PI, half, half};
        const kerb_plan_curve curve = {.start = kerb_pose_make(5, 3, 1),
                                       .entry_speed = 10,
                                       .exit_speed = 10,
                                       .before = 30,
                                       .after = 30,
                                       .parts = &bend,
                                       .part_count = 1};
        kerb_plan_curve_answer a = answer_of(&curves, &curve);
        expect_legal(&limits, &curve, &a);
        assert_true(a.plan.cost <= before);
        before = a.plan.cost;
        gain = 1.0f - a.plan.cost / a.reference_time;
        // The line itself: from 10 m/s to 10 m/s over a quarter of a circle.
        assert_float_equal(a.reference_time, kerb_plan_traversal_time(&limits, 4 * KERB_PI, 10, 10),
                           1e-3f);
    }
    print_message("at 6 m %.2f %% less\n", 100.0 * (double)gain);
    assert_true(gain >= 0.30f);
    kerb_plan_curves_destroy(&curves);
}

// --------------------------------------------------------------------------- any curve

typedef struct shaped {
    kerb_plan_curve curve;
    kerb_plan_curve_part parts[KERB_PLAN_CURVE_PARTS_MAX];
} shaped;

static void shape(shaped* s, kerb_random* random, int32_t kinds) {
    s->curve = (kerb_plan_curve){.kind = kerb_random_below(random, kinds),
                                 .start = kerb_pose_make(kerb_random_between(random, -300, 300),
                                                         kerb_random_between(random, -300, 300),
                                                         kerb_random_between(random, -3, 3)),
                                 .entry_speed = kerb_random_between(random, 0, 9),
                                 .exit_speed = kerb_random_between(random, 0, 9),
                                 .before = 20.0f * (float)kerb_random_below(random, 3),
                                 .after = 20.0f * (float)kerb_random_below(random, 3),
                                 .parts = s->parts};
    s->curve.part_count = 1 + kerb_random_below(random, 4);
    for (int32_t i = 0; i < s->curve.part_count; i++) {
        float radius = kerb_random_between(random, 8, 20);
        float side = (float)(kerb_random_below(random, 3) - 1);
        s->parts[i] = (kerb_plan_curve_part){
            side / radius, kerb_random_between(random, 2, side != 0 ? 15 : 10),
            kerb_random_between(random, 0, 2.5f), kerb_random_between(random, 0, 2.5f)};
    }
}

static int32_t make_kinds(kerb_plan_limits kinds[3]) {
    for (int32_t i = 0; i < 3; i++) {
        kinds[i] = kerb_plan_limits_default();
        kinds[i].turning_radius = 5.0f + (float)i;
        kinds[i].lateral_acceleration = 4.0f + 4.0f * (float)i;
        kinds[i].steering_time = 0.3f * (float)i;
        kinds[i].reverse_speed_max = 3.0f; // which curves do not use
    }
    return 3;
}

static void an_answer_stays_in_its_corridor_and_is_no_slower_than_the_line(void** state) {
    (void)state;
    kerb_random random = test_random("plan_curves");
    kerb_plan_limits kinds[3];
    kerb_plan_curves curves;
    make(&curves, kinds, make_kinds(kinds), 64, 1, NULL);
    int32_t found = 0, faster = 0, count = test_share(120, 20);
    for (int32_t i = 0; i < count; i++) {
        shaped s;
        shape(&s, &random, 3);
        kerb_plan_curve_answer a = answer_of(&curves, &s.curve);
        assert_true(a.plan.count > 0 || a.reference_time >= 1e9f);
        if (a.plan.count == 0)
            continue;
        found++;
        expect_legal(&kinds[s.curve.kind], &s.curve, &a);
        assert_true(a.plan.cost <= a.reference_time * 1.0001f);
        faster += a.plan.cost < 0.999f * a.reference_time;
    }
    print_message("%d of %d found, %d faster than the line\n", (int)found, (int)count, (int)faster);
    assert_true(found > count / 2 && faster > found / 3);
    kerb_plan_curves_destroy(&curves);
}

// --------------------------------------------------------------------------- the same bits

// Tasks that are done when they are waited for, in ranges of some size, the last first.
typedef struct late_tasks {
    int32_t size;
    kerb_task* task;
    void* argument;
    int32_t count;
} late_tasks;

static void* start_late(void* context, kerb_task* task, void* argument, int32_t count,
                        int32_t range_size_min) {
    (void)range_size_min;
    late_tasks* t = context;
    *t = (late_tasks){t->size, task, argument, count};
    return t;
}

static void finish_late(void* context, void* handle) {
    late_tasks* t = context;
    assert_ptr_equal(handle, t);
    for (int32_t end = t->count; end > 0; end -= t->size)
        t->task(end > t->size ? end - t->size : 0, end, t->argument);
    t->count = 0;
}

enum { STREAM = 90, SHAPES = 25 };

// Answers of a stream of curves, ten a frame; some shapes come again and again.
static void run_stream(int32_t cache, int32_t delay, int32_t range, uint64_t* bits) {
    kerb_random random = test_random("plan_curves_stream");
    kerb_plan_limits kinds[3];
    kerb_plan_curves curves;
    late_tasks late = {.size = range};
    const kerb_tasks tasks = {start_late, finish_late, &late};
    static shaped shapes[SHAPES];
    make(&curves, kinds, make_kinds(kinds), cache, delay, range > 0 ? &tasks : NULL);
    for (int32_t i = 0; i < SHAPES; i++)
        shape(&shapes[i], &random, 3);
    for (int32_t i = 0; i < STREAM; i += 10) {
        int32_t tickets[10];
        for (int32_t k = 0; k < 10; k++) {
            kerb_plan_curve curve = shapes[kerb_random_below(&random, SHAPES)].curve;
            curve.start = kerb_pose_make(kerb_random_between(&random, -300, 300), 7, 0.1f);
            tickets[k] = ask(&curves, &curve);
        }
        for (int32_t k = 0; k <= delay; k++)
            kerb_plan_curves_step(&curves);
        for (int32_t k = 0; k < 10; k++) {
            kerb_plan_curve_answer a;
            assert_true(kerb_plan_curves_answer(&curves, tickets[k], &a));
            uint64_t hash = 1469598103934665603u;
            for (int32_t p = 0; p < a.plan.count; p++) {
                uint32_t words[sizeof(kerb_plan_piece) / 4];
                memcpy(words, &a.plan.pieces[p], sizeof words);
                for (size_t n = 0; n < sizeof words / sizeof words[0]; n++)
                    hash = (hash ^ words[n]) * 1099511628211u;
            }
            bits[i + k] = hash;
        }
    }
    kerb_plan_curves_counts counts = kerb_plan_curves_get_counts(&curves);
    assert_int_equal(counts.asked, STREAM);
    assert_true(cache == 0 ? counts.computed > STREAM / 2 : counts.computed < STREAM);
    assert_true(cache < 64 || counts.computed <= SHAPES);
    kerb_plan_curves_destroy(&curves);
}

static void bits_do_not_depend_on_workers_cache_or_delay(void** state) {
    (void)state;
    uint64_t first[STREAM], other[STREAM];
    run_stream(0, 1, 0, first);
    const int32_t ways[][3] = {{64, 1, 0}, {4, 1, 1}, {64, 3, 3}, {0, 2, 100}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        run_stream(ways[i][0], ways[i][1], ways[i][2], other);
        assert_memory_equal(first, other, sizeof first);
    }
}

static void an_answer_appears_in_a_fixed_later_step(void** state) {
    (void)state;
    kerb_plan_limits limits = kerb_plan_limits_default();
    kerb_plan_curves curves;
    make(&curves, &limits, 1, 0, 3, NULL);
    const kerb_plan_curve_part bend = {0.1f, 10, 1, 1};
    const kerb_plan_curve curve = {.start = kerb_pose_make(0, 0, 0),
                                   .entry_speed = 5,
                                   .exit_speed = 5,
                                   .parts = &bend,
                                   .part_count = 1};
    kerb_plan_curve_answer a;
    int32_t first = ask(&curves, &curve), second = -1;
    for (int32_t step = 0; step < 8; step++) {
        kerb_plan_curves_step(&curves);
        assert_int_equal(kerb_plan_curves_answer(&curves, first, &a), step >= 3 && step < 6);
        if (step == 1)
            second = ask(&curves, &curve); // while the first one is running
        assert_int_equal(kerb_plan_curves_answer(&curves, second, &a), step >= 6);
    }
    assert_false(kerb_plan_curves_answer(&curves, second + 1, &a));
    kerb_plan_curves_destroy(&curves);
}

// --------------------------------------------------------------------------- a grid

static void blocked_cells_are_passed(void** state) {
    (void)state;
    kerb_plan_limits limits = kerb_plan_limits_default();
    kerb_plan_curves curves;
    make(&curves, &limits, 1, 64, 1, NULL);
    static uint8_t cells[GRID_SIDE * GRID_SIDE];
    memset(cells, 0, sizeof cells);
    const kerb_plan_curve_part bend = {0.1f, 15.7f, 2, 2};
    const kerb_plan_curve_grid grid = {cells, GRID_SIDE, GRID_SIDE, 0.25f, {95, -55}};
    kerb_plan_curve curve = {.start = kerb_pose_make(100, -50, 0.0f),
                             .entry_speed = 6,
                             .exit_speed = 6,
                             .before = 30,
                             .after = 30,
                             .parts = &bend,
                             .part_count = 1,
                             .grid = &grid};
    kerb_plan_curve_answer free_way = answer_of(&curves, &curve);
    float time = free_way.plan.time;
    assert_true(free_way.plan.count > 0);
    // Blocked where the free plan is half way.
    kerb_vec2 p = kerb_plan_at(&free_way.plan, 0.5f * time).pose.position;
    int32_t x = (int32_t)((p.x - 95) / 0.25f), y = (int32_t)((p.y + 55) / 0.25f);
    cells[y * GRID_SIDE + x] = 255;
    kerb_plan_curve_answer a = answer_of(&curves, &curve);
    assert_true(a.plan.count > 0);
    expect_legal(&limits, &curve, &a);
    for (float t = 0; t < a.plan.time; t += 0.01f) {
        kerb_vec2 q = kerb_plan_at(&a.plan, t).pose.position;
        assert_false((int32_t)((q.x - 95) / 0.25f) == x && (int32_t)((q.y + 55) / 0.25f) == y);
    }
    // A wall across the corridor: no plan.
    for (int32_t i = 0; i < GRID_SIDE; i++)
        cells[y * GRID_SIDE + i] = 255;
    assert_int_equal(answer_of(&curves, &curve).plan.count, 0);
    kerb_plan_curves_destroy(&curves);
}

// --------------------------------------------------------------------------- errors

static void* no_memory(void* context, size_t size, size_t alignment) {
    (void)context, (void)size, (void)alignment;
    return NULL;
}

static void bad_curves_are_refused_by_name(void** state) {
    (void)state;
    kerb_plan_limits limits = kerb_plan_limits_default();
    kerb_plan_curves curves;
    kerb_host host = kerb_host_default();
    kerb_error error;
    kerb_plan_curves_settings settings = kerb_plan_curves_settings_default();
    host.allocator.allocate = no_memory;
    assert_int_equal(kerb_plan_curves_create(&curves, &limits, 1, &settings, &host, &error),
                     KERB_ERROR_OUT_OF_MEMORY);
    assert_null(curves.memory);
    kerb_plan_curves_destroy(&curves);
    assert_int_equal(kerb_plan_curves_create(&curves, &limits, 0, &settings, &host, &error),
                     KERB_ERROR_OUT_OF_RANGE);
    settings.delay = 0;
    assert_int_equal(kerb_plan_curves_create(&curves, &limits, 1, &settings, &host, &error),
                     KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "delay");
    make(&curves, &limits, 1, 16, 1, NULL);
    const kerb_plan_curve_part good = {0.1f, 10, 1, 1};
    const struct {
        kerb_plan_curve_part part;
        int32_t kind;
        float entry_speed, before;
        kerb_result result;
        const char* field;
    } bad[] = {
        {good, 1, 5, 0, KERB_ERROR_OUT_OF_RANGE, "kind"},
        {good, 0, 99, 0, KERB_ERROR_OUT_OF_RANGE, "entry_speed"},
        {good, 0, NAN, 0, KERB_ERROR_NOT_FINITE, "entry_speed"},
        {good, 0, 5, -1, KERB_ERROR_OUT_OF_RANGE, "before"},
        {{NAN, 10, 1, 1}, 0, 5, 0, KERB_ERROR_NOT_FINITE, "curvature"},
        {{0.1f, 50, 1, 1}, 0, 5, 0, KERB_ERROR_OUT_OF_RANGE, "length"},
        {{0.1f, 10, -1, 1}, 0, 5, 0, KERB_ERROR_OUT_OF_RANGE, "left"},
        {{0.1f, 10, 1, INFINITY}, 0, 5, 0, KERB_ERROR_NOT_FINITE, "right"},
    };
    int32_t ticket;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const kerb_plan_curve curve = {.kind = bad[i].kind,
                                       .start = kerb_pose_make(0, 0, 0),
                                       .entry_speed = bad[i].entry_speed,
                                       .before = bad[i].before,
                                       .parts = &bad[i].part,
                                       .part_count = 1};
        assert_int_equal(kerb_plan_curves_ask(&curves, &curve, &ticket, &error), bad[i].result);
        assert_string_equal(error.field, bad[i].field);
    }
    const kerb_plan_curve curve = {
        .start = kerb_pose_make(0, 0, 0), .parts = &good, .part_count = 1};
    for (int32_t i = 0; i < 64; i++)
        ask(&curves, &curve);
    assert_int_equal(kerb_plan_curves_ask(&curves, &curve, &ticket, &error), KERB_ERROR_TOO_MANY);
    assert_string_equal(error.field, "capacity");
    kerb_plan_curves_step(&curves);
    kerb_plan_curves_destroy(&curves); // while a batch is running
}

int plan_curves_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wider_roads_make_the_thesis_curve_faster),
        cmocka_unit_test(an_answer_stays_in_its_corridor_and_is_no_slower_than_the_line),
        cmocka_unit_test(bits_do_not_depend_on_workers_cache_or_delay),
        cmocka_unit_test(an_answer_appears_in_a_fixed_later_step),
        cmocka_unit_test(blocked_cells_are_passed),
        cmocka_unit_test(bad_curves_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
