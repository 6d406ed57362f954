// Plans in corridors of navigation meshes: levels above one another are told apart.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/plan_mesh.h"
#include "test/mesh/mesh_rig.h"

enum { WINDOW_CELLS = 600 * 600 };

static uint8_t window_cells[WINDOW_CELLS];

static bool is_blocked(const kerb_plan_world* world, float x, float y) {
    int32_t column = (int32_t)((x - world->origin.x) / world->cell_size),
            row = (int32_t)((y - world->origin.y) / world->cell_size);
    return world->cells[row * world->columns + column] == 255;
}

static kerb_plan_mesh_part window_of(const mesh_made* m, kerb_vec3 a, kerb_vec3 b,
                                     kerb_plan_world* world) {
    kerb_mesh_agent agent = kerb_mesh_agent_default();
    kerb_mesh_step steps[16];
    kerb_mesh_corridor corridor = {.steps = steps, .capacity = 16};
    kerb_mesh_place from = kerb_mesh_nearest(&m->mesh, a, 1, 1),
                    to = kerb_mesh_nearest(&m->mesh, b, 1, 1);
    kerb_mesh_search search = m->search;
    assert_int_equal(kerb_mesh_find_corridor(&m->mesh, &search, &agent, from, to, &corridor),
                     KERB_MESH_FOUND);
    kerb_plan_mesh_settings settings = kerb_plan_mesh_settings_default();
    kerb_plan_mesh_part part;
    kerb_error error;
    assert_int_equal(kerb_plan_mesh_window_size(&m->mesh, &corridor, 0, &settings, &part, &error),
                     KERB_OK);
    assert_true(part.columns * part.rows <= WINDOW_CELLS);
    kerb_plan_mesh_window(&m->mesh, &corridor, &part, &settings, window_cells, world);
    return part;
}

static void a_bridge_neither_blocks_the_road_below_nor_opens_ground_beside_it(void** state) {
    (void)state;
    mesh_made m = rig_make(&bridge_data);
    kerb_plan_world world;
    window_of(&m, (kerb_vec3){5, 5, 0}, (kerb_vec3){95, 5, 0}, &world);
    for (int32_t x = 1; x < 99; x++)
        assert_false(is_blocked(&world, (float)x, 5.0f));
    assert_true(is_blocked(&world, 50.0f, 10.3f)); // the bridge goes on there
    window_of(&m, (kerb_vec3){50, -15, 6}, (kerb_vec3){50, 45, 6}, &world);
    assert_false(is_blocked(&world, 50.0f, 5.0f));
    assert_true(is_blocked(&world, 44.5f, 5.0f)); // the road goes on there
    rig_drop(&m);
}

static void a_corridor_that_passes_over_itself_has_two_parts(void** state) {
    (void)state;
    mesh_made m = rig_make(&bridge_data);
    kerb_plan_world world;
    kerb_plan_mesh_part part = window_of(&m, (kerb_vec3){5, 5, 0}, (kerb_vec3){50, -15, 6}, &world);
    assert_int_equal(part.first, 0);
    assert_int_equal(part.last, 9); // before the bridge, step 10
    rig_drop(&m);
}

int plan_mesh_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bridge_neither_blocks_the_road_below_nor_opens_ground_beside_it),
        cmocka_unit_test(a_corridor_that_passes_over_itself_has_two_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
