// Time to create routes and to find ways on networks of some 100,000 lanes: grids of streets with
// one and two lanes each way, and streets of random lengths as in an old town. By hand:
// bench_routes [ways] [seed].
#include "kerb/route.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct network {
    const char* name;
    int32_t side, lanes_each_way;
    int32_t spread; // of the lanes' times [%]
    int32_t holes;  // streets that are missing [%]
} network;

static kerb_route_lane* lanes;
static kerb_route_link* links;
static kerb_route_graph graph;
static int32_t* first_lane; // of each crossing and direction, or -1

static double now(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static const int32_t dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};

static int32_t crossing_at(const network* n, int32_t x, int32_t y) {
    return x < 0 || y < 0 || x >= n->side || y >= n->side ? -1 : y * n->side + x;
}

static int32_t crossing_ahead(const network* n, int32_t crossing, int32_t d) {
    return crossing_at(n, crossing % n->side + dx[d], crossing / n->side + dy[d]);
}

// Lanes beside each other take the same time, which is that of their street.
static void make_lanes(const network* n, kerb_random* random) {
    graph = (kerb_route_graph){lanes, 0, links, 0, 1500};
    for (int32_t i = 0; i < 4 * n->side * n->side; i++)
        first_lane[i] = -1;
    for (int32_t i = 0; i < 4 * n->side * n->side; i++) {
        int32_t ahead = crossing_ahead(n, i / 4, i % 4);
        // Both ways of a street at once, from its western or northern end.
        if (ahead < 0 || i % 4 > 1 || kerb_random_below(random, 100) < n->holes)
            continue;
        uint32_t time = (uint32_t)(10000 + kerb_random_below(random, 100 * n->spread + 1));
        for (int32_t way = 0; way < 2; way++) {
            first_lane[way ? 4 * ahead + i % 4 + 2 : i] = graph.lane_count;
            for (int32_t k = 0; k < n->lanes_each_way; k++) {
                kerb_route_lane* lane = &lanes[graph.lane_count];
                *lane = kerb_route_lane_at(time + (uint32_t)kerb_random_below(random, 500));
                lane->right = k > 0 ? graph.lane_count - 1 : -1;
                lane->left = k + 1 < n->lanes_each_way ? graph.lane_count + 1 : -1;
                graph.lane_count++;
            }
        }
    }
}

// The right lane turns right, the left one left, and all lead straight on; one turn in twelve is
// forbidden.
static void make_links(const network* n, kerb_random* random) {
    for (int32_t i = 0; i < 4 * n->side * n->side; i++)
        for (int32_t turn = -1; turn <= 1 && first_lane[i] >= 0; turn++) {
            int32_t ahead = crossing_ahead(n, i / 4, i % 4);
            int32_t to = first_lane[4 * ahead + (i % 4 + turn + 4) % 4];
            if (to < 0 || kerb_random_below(random, 12) == 0)
                continue;
            for (int32_t k = 0; k < n->lanes_each_way; k++)
                if (turn == 0 || k == (turn > 0 ? 0 : n->lanes_each_way - 1))
                    links[graph.link_count++] =
                        (kerb_route_link){first_lane[i] + k, to + k, turn == 0 ? 1000u : 3000u};
        }
}

enum { ROUNDS = 5, WAYS_MAX = 10000, BLOCKS_MAX = 8 };

typedef struct trip {
    int32_t from, to;
    int32_t blocked[BLOCKS_MAX];
    int32_t blocked_count;
    double time; // the best of all rounds
} trip;

static trip trips[WAYS_MAX];
static int32_t way[200000];

static kerb_route_answer ask(const kerb_routes* routes, kerb_route_work* work, const trip* t) {
    kerb_route_question q = kerb_route_question_between(t->from, t->to);
    q.blocked = t->blocked;
    q.blocked_count = t->blocked_count;
    return kerb_route_find(routes, work, &q, way, 200000);
}

// Between any two lanes; the blocks lie on the fastest way without them.
static void make_trips(const kerb_routes* routes, kerb_route_work* work, int32_t count,
                       uint64_t seed, int32_t blocks) {
    kerb_random random = kerb_random_make(seed, 2);
    for (int32_t i = 0; i < count; i++) {
        trip* t = &trips[i];
        *t = (trip){.from = kerb_random_below(&random, graph.lane_count),
                    .to = kerb_random_below(&random, graph.lane_count)};
        kerb_route_answer answer = ask(routes, work, t);
        for (int32_t k = 0; k < blocks && answer.count > 2; k++)
            t->blocked[t->blocked_count++] = way[1 + kerb_random_below(&random, answer.count - 2)];
    }
}

static void measure(const kerb_routes* routes, kerb_route_work* work, int32_t count) {
    double best = 0, greatest = 0, looked_at = 0, length = 0;
    for (int32_t round = 0; round < ROUNDS; round++) {
        double whole = 0;
        for (int32_t i = 0; i < count; i++) {
            double start = now();
            kerb_route_answer answer = ask(routes, work, &trips[i]);
            double time = now() - start;
            whole += time;
            if (round == 0 || time < trips[i].time)
                trips[i].time = time;
            looked_at += answer.looked_at;
            length += answer.count;
        }
        best = round == 0 || whole < best ? whole : best;
    }
    for (int32_t i = 0; i < count; i++)
        greatest = trips[i].time > greatest ? trips[i].time : greatest;
    printf("mean %.0f us, greatest %.0f us, looked at %.0f, %.0f lanes a way\n", 1e6 * best / count,
           1e6 * greatest, looked_at / count / ROUNDS, length / count / ROUNDS);
}

static void run(const network* n, int32_t count, uint64_t seed) {
    kerb_random random = kerb_random_make(seed, 1);
    size_t places = (size_t)(4 * n->side * n->side);
    first_lane = malloc(places * sizeof *first_lane);
    lanes = malloc(places * (size_t)n->lanes_each_way * sizeof *lanes);
    links = malloc(3 * places * (size_t)n->lanes_each_way * sizeof *links);
    if (!first_lane || !lanes || !links)
        exit(1);
    make_lanes(n, &random);
    make_links(n, &random);
    kerb_host host = kerb_host_default();
    kerb_routes routes;
    kerb_route_work work;
    double start = now();
    if (kerb_routes_create(&routes, &graph, &host, NULL) != KERB_OK ||
        kerb_route_work_create(&work, &routes, &host) != KERB_OK)
        exit(1);
    printf("%s: %d lanes, %d links; created in %.2f s, %.1f MB, workspace %.1f MB\n", n->name,
           graph.lane_count, graph.link_count, now() - start, 1e-6 * (double)routes.bytes,
           1e-6 * (double)work.bytes);
    for (int32_t blocks = 0; blocks <= BLOCKS_MAX; blocks += blocks ? 7 : 1) {
        make_trips(&routes, &work, count, seed, blocks);
        printf("  %d blocks: ", blocks);
        measure(&routes, &work, count);
    }
    kerb_route_work_destroy(&work);
    kerb_routes_destroy(&routes);
    free(first_lane);
    free(lanes);
    free(links);
}

int main(int count, char** arguments) {
    static const network networks[] = {
        {"grid, one lane each way", 159, 1, 30, 0},
        {"grid, two lanes each way", 113, 2, 30, 0},
        {"grid of equal streets", 159, 1, 0, 0},
        {"old town", 189, 1, 200, 30},
    };
    int32_t ways = count > 1 ? atoi(arguments[1]) : 1000;
    const uint64_t seed = count > 2 ? (uint64_t)atoll(arguments[2]) : 1;
    ways = ways < WAYS_MAX ? ways : WAYS_MAX;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        run(&networks[i], ways, seed);
    return 0;
}
