// The memory of a search: the best node of each cell, and the order in which nodes wait.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/plan/search/nodes.h"
#include "test/seed.h"

#include <stdlib.h>

// More than the table holds at first, so that it grows, twice.
#define NODES 12000
#define GROUPS 1500

// Four cells beside each other in each of some groups.
static uint64_t key_of(int32_t cell) {
    return kerb_in_plan_nodes_key(1 + (uint64_t)(cell / 4) * 512, (uint32_t)cell % 4);
}

static void each_cell_keeps_its_best_node_however_many_there_are(void** state) {
    (void)state;
    static int32_t best[4 * GROUPS];
    kerb_random random = test_random("plan_nodes");
    plan_nodes* nodes = malloc(kerb_in_plan_nodes_bytes(NODES));
    kerb_in_plan_nodes_create(nodes, NODES);
    for (int32_t search = 0; search < 3; search++) {
        kerb_in_plan_nodes_clear(nodes);
        for (int32_t i = 0; i < 4 * GROUPS; i++)
            best[i] = -1;
        for (int32_t i = 0; i < NODES; i++) {
            int32_t cell = kerb_random_below(&random, 4 * GROUPS);
            uint64_t key = key_of(cell);
            plan_node node = {.cost = kerb_random_unit(&random), .round = (float)cell};
            uint32_t place = kerb_in_plan_nodes_cell(nodes, key);
            assert_int_equal(kerb_in_plan_nodes_best(nodes, place), best[cell]);
            if (kerb_in_plan_nodes_sure_cost(nodes, place) <= node.cost)
                continue;
            best[cell] = kerb_in_plan_nodes_add(nodes, &node, place, key, true, node.cost);
            assert_true(best[cell] >= 0);
        }
        for (int32_t i = 0; i < 4 * GROUPS; i++) {
            uint32_t place = kerb_in_plan_nodes_cell(nodes, key_of(i));
            assert_int_equal(kerb_in_plan_nodes_best(nodes, place), best[i]);
            if (best[i] >= 0)
                assert_true(kerb_in_plan_nodes_cost(nodes, place) ==
                            kerb_in_plan_nodes_at(nodes, best[i])->cost);
        }
    }
    free(nodes);
}

static void nodes_come_by_their_estimates_and_those_replaced_never(void** state) {
    (void)state;
    static bool is_best[NODES];
    static int32_t best[4 * GROUPS];
    kerb_random random = test_random("plan_nodes_wait");
    plan_nodes* nodes = malloc(kerb_in_plan_nodes_bytes(NODES));
    kerb_in_plan_nodes_create(nodes, NODES);
    int32_t count = 0, come = 0;
    for (int32_t i = 0; i < NODES; i++) {
        int32_t cell = kerb_random_below(&random, 4 * GROUPS);
        uint32_t place = kerb_in_plan_nodes_cell(nodes, key_of(cell));
        plan_node node = {.cost = kerb_random_unit(&random)};
        if (kerb_in_plan_nodes_sure_cost(nodes, place) <= node.cost)
            continue;
        if (kerb_in_plan_nodes_best(nodes, place) >= 0)
            is_best[best[cell]] = false;
        else
            count++;
        best[cell] =
            kerb_in_plan_nodes_add(nodes, &node, place, key_of(cell), true, 2.0f * node.cost);
        is_best[best[cell]] = true;
    }
    float last = 0.0f;
    bool is_rough;
    for (int32_t index; (index = kerb_in_plan_nodes_first(nodes, &is_rough)) >= 0;) {
        float estimate = (is_rough ? 2.0f : 3.0f) * kerb_in_plan_nodes_at(nodes, index)->cost;
        assert_true(is_best[index] && estimate >= last);
        assert_true(kerb_in_plan_nodes_least(nodes) == estimate);
        last = estimate;
        if (is_rough) {
            kerb_in_plan_nodes_wait(nodes, 3.0f * kerb_in_plan_nodes_at(nodes, index)->cost);
            continue;
        }
        kerb_in_plan_nodes_drop(nodes);
        come++;
    }
    assert_int_equal(come, count);
    free(nodes);
}

// Many numbers of nodes, as the last four children of the heap are not always there.
static void of_equal_estimates_the_later_node_comes_first(void** state) {
    (void)state;
    kerb_random random = test_random("plan_nodes_equal");
    plan_nodes* nodes = malloc(kerb_in_plan_nodes_bytes(NODES));
    kerb_in_plan_nodes_create(nodes, NODES);
    for (int32_t count = 1; count <= 300; count++) {
        kerb_in_plan_nodes_clear(nodes);
        for (int32_t i = 0; i < count; i++) {
            plan_node node = {.cost = (float)kerb_random_below(&random, 7) - 3.0f};
            uint32_t place = kerb_in_plan_nodes_cell(nodes, key_of(i));
            assert_int_equal(
                kerb_in_plan_nodes_add(nodes, &node, place, key_of(i), true, node.cost), i);
        }
        int32_t last = count;
        float least = -4.0f;
        for (int32_t i = 0; i < count; i++) {
            bool is_rough;
            int32_t index = kerb_in_plan_nodes_first(nodes, &is_rough);
            assert_true(index >= 0 && is_rough);
            float cost = kerb_in_plan_nodes_at(nodes, index)->cost;
            assert_true(cost == kerb_in_plan_nodes_least(nodes));
            assert_true(cost > least || (cost == least && index < last));
            least = cost;
            last = index;
            kerb_in_plan_nodes_drop(nodes);
        }
        bool is_rough;
        assert_int_equal(kerb_in_plan_nodes_first(nodes, &is_rough), -1);
    }
    free(nodes);
}

int plan_nodes_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cell_keeps_its_best_node_however_many_there_are),
        cmocka_unit_test(nodes_come_by_their_estimates_and_those_replaced_never),
        cmocka_unit_test(of_equal_estimates_the_later_node_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
