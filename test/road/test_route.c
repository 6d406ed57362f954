// Routes against Dijkstra over the same lanes, on random networks and grids, with traffic, blocks,
// classes and neighbours; and what vehicles know of blocks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/route.h"
#include "test/allocation.h"
#include "test/seed.h"

#include <stdlib.h>
#include <string.h>

enum { LANES_MAX = 4000, LINKS_MAX = 20000 };

static kerb_route_lane lanes[LANES_MAX];
static kerb_route_link links[LINKS_MAX];
static kerb_route_graph graph;
static uint32_t times[LANES_MAX];

// --------------------------------------------------------------------------- networks

// Times are below `time_count` and a quarter of it: few times make many ways equally fast, and
// circles that take no time.
static void random_graph(kerb_random* random, int32_t lane_count, int32_t link_count,
                         int32_t time_count) {
    graph = (kerb_route_graph){lanes, lane_count, links, link_count, 1500};
    for (int32_t i = 0; i < lane_count; i++) {
        lanes[i] = kerb_route_lane_at((uint32_t)kerb_random_below(random, time_count));
        if (kerb_random_below(random, 10) == 0)
            lanes[i].classes = 1u << kerb_random_below(random, 2);
        if (kerb_random_below(random, 30) == 0)
            lanes[i].classes = 0;
        // Sides need not be mutual: a line that may be crossed from one side only.
        if (kerb_random_below(random, 5) == 0)
            lanes[i].left = kerb_random_below(random, lane_count);
        if (kerb_random_below(random, 5) == 0)
            lanes[i].right = kerb_random_below(random, lane_count);
    }
    for (int32_t i = 0; i < link_count; i++)
        links[i] = (kerb_route_link){kerb_random_below(random, lane_count),
                                     kerb_random_below(random, lane_count),
                                     (uint32_t)kerb_random_below(random, 1 + time_count / 4)};
}

// Two-way streets of a lane each way: four lanes leave each crossing (east, north, west, south).
// Turns cost time, and some are forbidden.
static void grid_graph(kerb_random* random, int32_t side) {
    static const int32_t dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    graph = (kerb_route_graph){lanes, 4 * side * side, links, 0, 1500};
    for (int32_t i = 0; i < graph.lane_count; i++) {
        int32_t x = i / 4 % side, y = i / 4 / side, d = i % 4;
        lanes[i] = kerb_route_lane_at(10000u + (uint32_t)kerb_random_below(random, 3000));
        int32_t to_x = x + dx[d], to_y = y + dy[d];
        if (to_x < 0 || to_y < 0 || to_x >= side || to_y >= side)
            continue;
        for (int32_t turn = -1; turn <= 1; turn++)
            if (kerb_random_below(random, 12) > 0)
                links[graph.link_count++] = (kerb_route_link){
                    i, 4 * (to_y * side + to_x) + (d + turn + 4) % 4, turn == 0 ? 1000u : 3000u};
    }
}

// --------------------------------------------------------------------------- Dijkstra

static bool oracle_enters(const kerb_route_question* q, int32_t lane) {
    if (!(lanes[lane].classes & q->classes) || (q->times && q->times[lane] == KERB_ROUTE_CLOSED))
        return false;
    for (int32_t i = 0; i < q->blocked_count; i++)
        if (q->blocked[i] == lane)
            return false;
    return true;
}

static uint32_t oracle_time(const kerb_route_question* q, int32_t lane) {
    bool slow = q->times && q->times[lane] > lanes[lane].time &&
                q->times[lane] != KERB_ROUTE_CLOSED; // which may be left
    return slow ? q->times[lane] : lanes[lane].time;
}

static void oracle_relax(const kerb_route_question* q, uint64_t* best, const bool* done,
                         int32_t lane, uint64_t time) {
    if (!done[lane] && oracle_enters(q, lane) && time < best[lane])
        best[lane] = time;
}

// Least time from the start of `from` to the start of `to`, or UINT64_MAX. O(lanes²).
static uint64_t oracle(const kerb_route_question* q) {
    static uint64_t best[LANES_MAX];
    static bool done[LANES_MAX];
    for (int32_t i = 0; i < graph.lane_count; i++)
        best[i] = UINT64_MAX, done[i] = false;
    int32_t lane = q->from;
    uint64_t time = 0;
    for (bool first = true;; first = false) {
        if (!(first && q->round))
            done[lane] = true;
        for (int32_t i = 0; i < graph.link_count; i++)
            if (links[i].from == lane)
                oracle_relax(q, best, done, links[i].to,
                             time + oracle_time(q, lane) + links[i].time);
        if (lanes[lane].left >= 0)
            oracle_relax(q, best, done, lanes[lane].left, time + graph.change_time);
        if (lanes[lane].right >= 0)
            oracle_relax(q, best, done, lanes[lane].right, time + graph.change_time);
        lane = -1;
        for (int32_t i = 0; i < graph.lane_count; i++)
            if (!done[i] && best[i] < UINT64_MAX && (lane < 0 || best[i] < best[lane]))
                lane = i;
        if (lane < 0)
            return UINT64_MAX;
        if (lane == q->to)
            return best[lane];
        time = best[lane];
    }
}

// --------------------------------------------------------------------------- comparison

// Least time of a step between two lanes of the way, or UINT64_MAX where none leads.
static uint64_t step_time(const kerb_route_question* q, int32_t from, int32_t to) {
    uint64_t best = UINT64_MAX;
    for (int32_t i = 0; i < graph.link_count; i++)
        if (links[i].from == from && links[i].to == to &&
            (uint64_t)oracle_time(q, from) + links[i].time < best)
            best = (uint64_t)oracle_time(q, from) + links[i].time;
    if ((lanes[from].left == to || lanes[from].right == to) && graph.change_time < best)
        best = graph.change_time;
    return best;
}

static void check_way(const kerb_route_question* q, const kerb_route_answer* answer,
                      const int32_t* way) {
    uint64_t time = 0;
    assert_int_equal(way[0], q->from);
    assert_int_equal(way[answer->count - 1], q->to);
    for (int32_t i = 1; i < answer->count; i++) {
        uint64_t step = step_time(q, way[i - 1], way[i]);
        assert_true(step < UINT64_MAX && oracle_enters(q, way[i]));
        time += step;
    }
    assert_int_equal(time, answer->time);
}

static void compare(const kerb_routes* routes, kerb_route_work* work,
                    const kerb_route_question* q) {
    static int32_t way[LANES_MAX];
    kerb_route_answer answer = kerb_route_find(routes, work, q, way, LANES_MAX);
    if (q->from == q->to && !q->round) {
        assert_int_equal(answer.outcome, KERB_ROUTE_FOUND);
        assert_int_equal(answer.count, 1);
        return;
    }
    uint64_t best = oracle(q);
    if (best == UINT64_MAX) {
        assert_int_equal(answer.outcome, KERB_ROUTE_NO_WAY);
        return;
    }
    assert_int_equal(answer.outcome, KERB_ROUTE_FOUND);
    assert_int_equal(answer.time, best);
    check_way(q, &answer, way);
}

static void ask_at_random(kerb_random* random, const kerb_routes* routes, kerb_route_work* work,
                          int32_t count) {
    int32_t blocked[8];
    for (int32_t i = 0; i < count; i++) {
        kerb_route_question q =
            kerb_route_question_between(kerb_random_below(random, graph.lane_count),
                                        kerb_random_below(random, graph.lane_count));
        if (kerb_random_below(random, 10) == 0)
            q.to = q.from;
        q.round = kerb_random_below(random, 2) != 0;
        q.classes = kerb_random_below(random, 2) ? 1u : UINT32_MAX;
        q.times = kerb_random_below(random, 2) ? times : NULL;
        q.blocked = blocked;
        q.blocked_count = kerb_random_below(random, 9);
        for (int32_t k = 0; k < q.blocked_count; k++)
            blocked[k] = kerb_random_below(random, graph.lane_count);
        compare(routes, work, &q);
    }
}

static void random_times(kerb_random* random) {
    for (int32_t i = 0; i < graph.lane_count; i++) {
        uint32_t more =
            kerb_random_below(random, 4) ? 0u : (uint32_t)kerb_random_below(random, 60000);
        times[i] = kerb_random_below(random, 30) ? lanes[i].time + more : KERB_ROUTE_CLOSED;
    }
}

static void test_graph(kerb_random* random, int32_t questions) {
    kerb_host host = kerb_host_default();
    kerb_routes routes;
    kerb_route_work work;
    kerb_error error = {0};
    random_times(random);
    assert_int_equal(kerb_routes_create(&routes, &graph, &host, &error), KERB_OK);
    assert_int_equal(kerb_route_work_create(&work, &routes, &host), KERB_OK);
    ask_at_random(random, &routes, &work, questions);
    kerb_route_work_destroy(&work);
    kerb_routes_destroy(&routes);
}

static void ways_are_as_fast_as_those_of_dijkstra(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    int32_t rounds = test_share(300, 40);
    for (int32_t i = 0; i < rounds; i++) {
        int32_t count = 1 + kerb_random_below(&random, 60);
        random_graph(&random, count, kerb_random_below(&random, 4 * count), 20000);
        test_graph(&random, 30);
    }
}

static void equal_times_and_circles_without_time_change_nothing(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    int32_t rounds = test_share(300, 40);
    for (int32_t i = 0; i < rounds; i++) {
        int32_t count = 1 + kerb_random_below(&random, 60);
        random_graph(&random, count, kerb_random_below(&random, 3 * count), 1 + i % 3);
        graph.change_time = (uint32_t)kerb_random_below(&random, 2);
        test_graph(&random, 30);
    }
}

// One-way streets, and parts that do not hang together.
static void thin_out(kerb_random* random) {
    int32_t count = 0;
    for (int32_t i = 0; i < graph.link_count; i++)
        if (kerb_random_below(random, 3) > 0)
            links[count++] = links[i];
    graph.link_count = count;
}

static void ways_through_one_way_streets_and_islands_are_as_fast(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < test_share(20, 3); i++) {
        grid_graph(&random, 3 + i % 12);
        thin_out(&random);
        test_graph(&random, test_share(60, 10));
    }
}

static void ways_through_a_city_are_as_fast_as_those_of_dijkstra(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < test_share(6, 2); i++) {
        grid_graph(&random, 3 + 2 * i);
        test_graph(&random, test_share(60, 20));
    }
}

// --------------------------------------------------------------------------- the rest

static void a_round_comes_back_to_its_own_lane(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    grid_graph(&random, 4);
    int32_t way[64];
    kerb_host host = kerb_host_default();
    kerb_routes routes;
    kerb_route_work work;
    assert_int_equal(kerb_routes_create(&routes, &graph, &host, NULL), KERB_OK);
    assert_int_equal(kerb_route_work_create(&work, &routes, &host), KERB_OK);
    kerb_route_question q = kerb_route_question_between(20, 20);
    assert_int_equal(kerb_route_find(&routes, &work, &q, way, 64).count, 1);
    q.round = true;
    compare(&routes, &work, &q);
    kerb_route_answer answer = kerb_route_find(&routes, &work, &q, way, 2);
    assert_int_equal(answer.outcome, KERB_ROUTE_TOO_LONG);
    assert_true(answer.count > 2);
    kerb_route_work_destroy(&work);
    kerb_routes_destroy(&routes);
}

// Blocks up to eight lanes of the fastest way, and compares with Dijkstra.
static void ways_round_blocks_are_as_fast(void** state) {
    (void)state;
    static int32_t way[LANES_MAX];
    kerb_random random = test_random(__func__);
    kerb_host host = kerb_host_default();
    kerb_routes routes;
    kerb_route_work work;
    grid_graph(&random, test_share(16, 8));
    assert_int_equal(kerb_routes_create(&routes, &graph, &host, NULL), KERB_OK);
    assert_int_equal(kerb_route_work_create(&work, &routes, &host), KERB_OK);
    for (int32_t i = 0; i < test_share(150, 20); i++) {
        int32_t blocked[8];
        kerb_route_question q =
            kerb_route_question_between(kerb_random_below(&random, graph.lane_count),
                                        kerb_random_below(&random, graph.lane_count));
        kerb_route_answer answer = kerb_route_find(&routes, &work, &q, way, LANES_MAX);
        q.blocked = blocked;
        q.blocked_count = answer.count > 1 ? 1 + kerb_random_below(&random, 8) : 0;
        for (int32_t k = 0; k < q.blocked_count; k++)
            blocked[k] = way[1 + kerb_random_below(&random, answer.count - 1)];
        compare(&routes, &work, &q);
    }
    kerb_route_work_destroy(&work);
    kerb_routes_destroy(&routes);
}

// A search from the start alone would look at all lanes.
static void a_destination_behind_blocks_costs_no_search_of_the_whole_network(void** state) {
    (void)state;
    static int32_t way[LANES_MAX];
    kerb_random random = test_random(__func__);
    kerb_host host = kerb_host_default();
    kerb_routes routes;
    kerb_route_work work;
    grid_graph(&random, 20);
    assert_int_equal(kerb_routes_create(&routes, &graph, &host, NULL), KERB_OK);
    assert_int_equal(kerb_route_work_create(&work, &routes, &host), KERB_OK);
    for (int32_t i = 0; i < 20; i++) {
        int32_t blocked[8], count = 0;
        kerb_route_question q =
            kerb_route_question_between(kerb_random_below(&random, graph.lane_count),
                                        kerb_random_below(&random, graph.lane_count));
        for (int32_t k = 0; k < graph.link_count; k++)
            if (links[k].to == q.to)
                blocked[count++] = links[k].from;
        q.blocked = blocked;
        q.blocked_count = count;
        kerb_route_answer answer = kerb_route_find(&routes, &work, &q, way, LANES_MAX);
        if (answer.outcome == KERB_ROUTE_NO_WAY)
            assert_true(answer.looked_at < graph.lane_count / 2);
        compare(&routes, &work, &q);
    }
    kerb_route_work_destroy(&work);
    kerb_routes_destroy(&routes);
}

// All lanes lead anywhere: no order keeps the hierarchy small, so there is none.
static void a_network_that_is_no_road_network_stays_small_and_exact(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    kerb_host host = kerb_host_default();
    kerb_routes routes;
    random_graph(&random, 3000, 12000, 20000);
    assert_int_equal(kerb_routes_create(&routes, &graph, &host, NULL), KERB_OK);
    assert_true(routes.bytes < 1000000);
    kerb_routes_destroy(&routes);
    test_graph(&random, test_share(10, 2));
}

static void a_copied_block_gives_the_same_ways(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    grid_graph(&random, 8);
    static int32_t a[LANES_MAX], b[LANES_MAX];
    kerb_host host = kerb_host_default();
    kerb_routes routes, copy;
    kerb_route_work work;
    assert_int_equal(kerb_routes_create(&routes, &graph, &host, NULL), KERB_OK);
    copy = routes;
    copy.memory = malloc(copy.bytes);
    assert_non_null(copy.memory);
    memcpy(copy.memory, routes.memory, copy.bytes);
    assert_int_equal(kerb_route_work_create(&work, &routes, &host), KERB_OK);
    for (int32_t i = 0; i < 50; i++) {
        kerb_route_question q =
            kerb_route_question_between(kerb_random_below(&random, graph.lane_count),
                                        kerb_random_below(&random, graph.lane_count));
        kerb_route_answer first = kerb_route_find(&routes, &work, &q, a, LANES_MAX);
        kerb_route_answer second = kerb_route_find(&copy, &work, &q, b, LANES_MAX);
        assert_memory_equal(&first, &second, sizeof first);
        if (first.count > 0)
            assert_memory_equal(a, b, (size_t)first.count * sizeof *a);
    }
    free(copy.memory);
    kerb_route_work_destroy(&work);
    kerb_routes_destroy(&routes);
}

static void a_wrong_graph_is_refused_with_its_field(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_routes routes;
    kerb_error error;
    kerb_random random = test_random(__func__);
    grid_graph(&random, 2);
    graph.lane_count = 0;
    assert_int_equal(kerb_routes_create(&routes, &graph, &host, &error), KERB_ERROR_TOO_FEW);
    grid_graph(&random, 2);
    links[1].to = graph.lane_count;
    assert_int_equal(kerb_routes_create(&routes, &graph, &host, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "to");
    assert_int_equal(error.index, 1);
    grid_graph(&random, 2);
    lanes[3].left = -2;
    assert_int_equal(kerb_routes_create(&routes, &graph, &host, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "left");
    lanes[3].left = -1;
    lanes[2].time = KERB_ROUTE_TIME_MAX + 1;
    assert_int_equal(kerb_routes_create(&routes, &graph, &host, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "time");
    assert_null(routes.memory);
}

static void times_too_long_for_a_sum_are_no_way(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_routes routes;
    kerb_route_work work;
    static int32_t way[LANES_MAX];
    graph = (kerb_route_graph){lanes, 400, links, 399, 0};
    for (int32_t i = 0; i < 400; i++) {
        lanes[i] = kerb_route_lane_at(KERB_ROUTE_TIME_MAX);
        links[i] = (kerb_route_link){i, i + 1, 0};
    }
    assert_int_equal(kerb_routes_create(&routes, &graph, &host, NULL), KERB_OK);
    assert_int_equal(kerb_route_work_create(&work, &routes, &host), KERB_OK);
    kerb_route_question q = kerb_route_question_between(0, 399);
    assert_int_equal(kerb_route_find(&routes, &work, &q, way, 400).outcome, KERB_ROUTE_NO_WAY);
    q.to = 250;
    assert_int_equal(kerb_route_find(&routes, &work, &q, way, 400).time,
                     250u * KERB_ROUTE_TIME_MAX);
    kerb_route_work_destroy(&work);
    kerb_routes_destroy(&routes);
}

static void every_failed_allocation_of_routes_is_reported(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    grid_graph(&random, 12);
    for (int n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_routes routes;
        kerb_route_work work = {0};
        kerb_result result = kerb_routes_create(&routes, &graph, &host, NULL);
        if (result == KERB_OK)
            result = kerb_route_work_create(&work, &routes, &host);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        kerb_route_work_destroy(&work);
        kerb_routes_destroy(&routes);
        test_allocation_check(&allocation);
    }
}

static void a_vehicle_remembers_tells_and_forgets(void** state) {
    (void)state;
    kerb_route_knowledge a = {0}, b = {0};
    assert_true(kerb_route_learn(&a, 5, 10.0f));
    assert_false(kerb_route_learn(&a, 5, 20.0f));
    assert_true(kerb_route_learn(&a, 7, 15.0f));
    assert_true(kerb_route_tell(&a, &b));
    assert_false(kerb_route_tell(&a, &b));
    assert_int_equal(b.count, 2);
    assert_true(kerb_route_forget(&b, 15.0f));
    assert_int_equal(b.count, 1);
    assert_int_equal(b.lanes[0], 5);
    assert_true(kerb_route_unlearn(&b, 5));
    assert_false(kerb_route_unlearn(&b, 5));
    for (int32_t i = 0; i < 8; i++)
        kerb_route_learn(&b, 100 + i, (float)(50 + i));
    assert_false(kerb_route_learn(&b, 1, 40.0f));
    assert_true(kerb_route_learn(&b, 2, 90.0f));
    assert_int_equal(b.count, KERB_ROUTE_KNOWN_MAX);
    assert_false(kerb_route_unlearn(&b, 100));
    assert_true(kerb_route_unlearn(&b, 2));
}

static void outcomes_have_texts(void** state) {
    (void)state;
    assert_string_equal(kerb_route_outcome_text(KERB_ROUTE_NO_WAY), "no way");
    assert_string_equal(kerb_route_outcome_text((kerb_route_outcome)9), "unknown");
}

int route_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_are_as_fast_as_those_of_dijkstra),
        cmocka_unit_test(ways_through_a_city_are_as_fast_as_those_of_dijkstra),
        cmocka_unit_test(equal_times_and_circles_without_time_change_nothing),
        cmocka_unit_test(ways_through_one_way_streets_and_islands_are_as_fast),
        cmocka_unit_test(ways_round_blocks_are_as_fast),
        cmocka_unit_test(a_destination_behind_blocks_costs_no_search_of_the_whole_network),
        cmocka_unit_test(a_network_that_is_no_road_network_stays_small_and_exact),
        cmocka_unit_test(a_round_comes_back_to_its_own_lane),
        cmocka_unit_test(a_copied_block_gives_the_same_ways),
        cmocka_unit_test(a_wrong_graph_is_refused_with_its_field),
        cmocka_unit_test(times_too_long_for_a_sum_are_no_way),
        cmocka_unit_test(every_failed_allocation_of_routes_is_reported),
        cmocka_unit_test(a_vehicle_remembers_tells_and_forgets),
        cmocka_unit_test(outcomes_have_texts),
    };
    return cmocka_run_group_tests_name("route", tests, NULL, NULL);
}
