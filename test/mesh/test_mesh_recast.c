// Meshes that the real library builds: what Recast makes of a town is a mesh, and corridors are
// found where Detour finds them, with lines that are shorter on the whole.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef KERB_HAVE_RECAST

#include "scene/recast/recast_mesh.h"
#include "scene/recast/recast_town.h"
#include "test/mesh/mesh_rig.h"
#include "test/seed.h"

#include <stdio.h>

enum { STEPS = 2000 };

static const kerb_scene_recast_walker car = {
    .cell = 0.25f, .height = 2.0f, .climb = 0.25f, .slope = 0.7f};

static void make_town(kerb_random* random, kerb_scene_recast* recast, mesh_made* made) {
    const recast_town town = kerb_scene_recast_town(random);
    const kerb_scene_recast_ground ground = {town.vertices, 4 * town.quads, town.triangles,
                                             2 * town.quads};
    assert_true(kerb_scene_recast_build(recast, &ground, &car));
    *made = rig_make(&recast->data);
}

static void ramps_bridge_and_the_street_below_are_ground_of_their_own(void** state) {
    (void)state;
    kerb_random random = test_random("ramps and bridge of Recast");
    kerb_scene_recast recast;
    mesh_made made;
    make_town(&random, &recast, &made);
    const kerb_vec3 places[3] = {{140, 150, 0}, {140, 150, RECAST_TOWN_BRIDGE}, {140, 80, 3}};
    for (int32_t i = 0; i < 3; i++) {
        kerb_mesh_place at = kerb_mesh_nearest(&made.mesh, places[i], 0.5f, 1.0f);
        assert_true(at.polygon >= 0);
        float height = kerb_mesh_height(&made.mesh, at.polygon, places[i].x, places[i].y);
        assert_true(kerb_abs(height - places[i].z) < 0.5f);
    }
    // From the bridge to the street below it is a way down a ramp, not a jump.
    kerb_mesh_step steps[STEPS];
    kerb_mesh_corridor corridor = {.steps = steps, .capacity = STEPS};
    kerb_mesh_agent agent = kerb_mesh_agent_default();
    kerb_mesh_place down = kerb_mesh_nearest(&made.mesh, places[0], 0.5f, 1.0f),
                    up = kerb_mesh_nearest(&made.mesh, places[1], 0.5f, 1.0f);
    assert_int_equal(kerb_mesh_find_corridor(&made.mesh, &made.search, &agent, up, down, &corridor),
                     KERB_MESH_FOUND);
    assert_true(corridor.cost > 180.0f);
    rig_drop(&made);
    kerb_scene_recast_free(&recast);
}

static float line_length(const mesh_made* made, const kerb_mesh_corridor* corridor) {
    static kerb_mesh_place corners[STEPS];
    int32_t count = kerb_mesh_pull(&made->mesh, corridor, 0.0f, corners, STEPS);
    float length = 0.0f;
    assert_true(count >= 2 && count <= STEPS);
    for (int32_t i = 1; i < count; i++) {
        kerb_vec3 off = kerb_vec3_sub(corners[i].position, corners[i - 1].position);
        length += kerb_sqrt(off.x * off.x + off.y * off.y);
    }
    return length;
}

static void corridors_are_found_where_detour_finds_them_and_are_shorter_on_the_whole(void** state) {
    (void)state;
    kerb_random random = test_random("corridors beside Detour");
    kerb_scene_recast recast;
    mesh_made made;
    make_town(&random, &recast, &made);
    int32_t found = 0, longer = 0;
    double ours = 0.0, theirs = 0.0;
    for (int32_t i = 0; i < test_share(1000, 200); i++) {
        kerb_vec3 ends[2];
        for (int32_t k = 0; k < 2; k++)
            ends[k] = kerb_vec3_make(kerb_random_between(&random, 1.0f, 299.0f),
                                     kerb_random_between(&random, 1.0f, 299.0f), 0.0f);
        kerb_mesh_place from = kerb_mesh_nearest(&made.mesh, ends[0], 1.0f, 2.0f),
                        to = kerb_mesh_nearest(&made.mesh, ends[1], 1.0f, 2.0f);
        float detour = kerb_scene_recast_way(&recast, ends[0], ends[1]);
        if (from.polygon < 0 || to.polygon < 0)
            continue;
        kerb_mesh_step steps[STEPS];
        kerb_mesh_corridor corridor = {.steps = steps, .capacity = STEPS};
        kerb_mesh_agent agent = kerb_mesh_agent_default();
        kerb_mesh_outcome outcome =
            kerb_mesh_find_corridor(&made.mesh, &made.search, &agent, from, to, &corridor);
        if (detour >= 0.0f)
            assert_int_equal(outcome, KERB_MESH_FOUND);
        if (outcome != KERB_MESH_FOUND || detour < 1.0f)
            continue;
        float length = line_length(&made, &corridor);
        found++;
        longer += length > 1.01f * detour + 1.0f ? 1 : 0; // ends may differ by the reach
        ours += (double)length;
        theirs += (double)detour;
    }
    printf("%d corridors, %.2f %% shorter than Detour's, %d longer\n", (int)found,
           100.0 * (1.0 - ours / theirs), (int)longer);
    assert_true(found > test_share(400, 80));
    assert_true(longer < found / 20);
    assert_true(ours < theirs);
    rig_drop(&made);
    kerb_scene_recast_free(&recast);
}

static void without_ground_there_is_no_mesh(void** state) {
    (void)state;
    static const kerb_vec3 wall[3] = {{0, 0, 0}, {5, 0, 0}, {5, 0, 5}};
    static const int32_t triangle[3] = {0, 1, 2};
    const kerb_scene_recast_ground ground = {wall, 3, triangle, 1};
    kerb_scene_recast recast;
    assert_false(kerb_scene_recast_build(&recast, &ground, &car));
    assert_null(recast.vertices);
    kerb_scene_recast_free(&recast);
}

int mesh_recast_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ramps_bridge_and_the_street_below_are_ground_of_their_own),
        cmocka_unit_test(corridors_are_found_where_detour_finds_them_and_are_shorter_on_the_whole),
        cmocka_unit_test(without_ground_there_is_no_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void corridors_are_compared_with_detour(void** state) {
    (void)state;
    print_message("built without Recast (librecast-dev, g++): nothing to compare with\n");
    skip();
}

int mesh_recast_tests(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(corridors_are_compared_with_detour)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
