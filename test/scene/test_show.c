// Scenes of many agents: what they show, and that they repeat themselves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/crowd/show.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

static kerb_scene_seek_plan plan_of(uint64_t seed) {
    kerb_scene_seek_plan plan = {.radius = 5.0f, .speed = 5.0f, .hz = 60.0f, .seed = seed};
    return plan;
}

static kerb_scene_show* show_of(const char* name, uint64_t seed) {
    kerb_host host = kerb_host_default();
    kerb_scene_seek_plan plan = plan_of(seed);
    kerb_scene_show* show;
    assert_int_equal(kerb_scene_show_make(&show, name, &plan, &host), KERB_OK);
    return show;
}

static void give_back(kerb_scene_show* show) {
    kerb_host host = kerb_host_default();
    kerb_scene_show_free(show, &host);
}

static double figure(const kerb_scene_show* show, const char* key) {
    for (int32_t i = 0; i < show->figure_count; i++) {
        if (strcmp(show->figures[i].key, key) == 0)
            return show->figures[i].value;
    }
    fail_msg("%s has no figure %s", show->name, key);
    return 0.0;
}

static kerb_scene_show* run(const char* name, uint64_t seed) {
    kerb_scene_show* show = show_of(name, seed);
    while (kerb_scene_show_step(show)) {
    }
    return show;
}

static void every_scene_starts_with_everybody_in_it(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_scene_show_count(); i++) {
        kerb_scene_show* show = show_of(kerb_scene_show_name(i), 3);
        assert_true(show->count > 1 && show->count <= KERB_SCENE_SHOW_MOST);
        assert_true(strlen(kerb_scene_show_about(i)) > 10);
        for (int32_t k = 0; k < show->count; k++) {
            assert_false(show->frames[k].absent);
            assert_true(kerb_motion_is_finite(&show->frames[k].motion));
        }
        give_back(show);
    }
}

// What a replay joins with a line is a way that was driven.
static void nobody_jumps_without_being_absent(void** state) {
    (void)state;
    kerb_scene_show* show = show_of("crossing", 1);
    int32_t absences = 0;
    kerb_vec3 before[KERB_SCENE_SHOW_MOST];
    for (int32_t k = 0; k < show->count; k++)
        before[k] = show->frames[k].motion.position;
    bool was_absent[KERB_SCENE_SHOW_MOST] = {false};
    for (int32_t left = test_share(INT32_MAX, 2000); left > 0 && kerb_scene_show_step(show);
         left--) {
        for (int32_t k = 0; k < show->count; k++) {
            const kerb_scene_frame* frame = &show->frames[k];
            kerb_vec3 way = kerb_vec3_sub(frame->motion.position, before[k]);
            if (!was_absent[k])
                assert_true(kerb_vec3_length(way) < 2.0f);
            before[k] = frame->motion.position;
            was_absent[k] = frame->absent;
            absences += frame->absent ? 1 : 0;
        }
    }
    assert_true(absences > 0);
    give_back(show);
}

static void a_scene_repeats_itself_and_another_seed_is_another(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_scene_show_count(); i++) {
        kerb_scene_show* one = show_of(kerb_scene_show_name(i), 5);
        kerb_scene_show* same = show_of(kerb_scene_show_name(i), 5);
        kerb_scene_show* other = show_of(kerb_scene_show_name(i), 6);
        for (int32_t k = 0; k < 100; k++) {
            kerb_scene_show_step(one);
            kerb_scene_show_step(same);
            kerb_scene_show_step(other);
        }
        size_t size = (size_t)one->count * sizeof one->frames[0];
        assert_memory_equal(one->frames, same->frames, size);
        bool is_ring = strcmp(one->name, "ring") == 0; // which is the same for all
        assert_true(is_ring || memcmp(one->frames, other->frames, size) != 0);
        give_back(one);
        give_back(same);
        give_back(other);
    }
}

static void all_of_the_ring_arrive_by_every_variant(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    for (int32_t variant = 0; variant < (int32_t)KERB_SCENE_SEEK_VARIANTS; variant++) {
        kerb_scene_seek_plan plan = plan_of(0);
        plan.variant = (kerb_scene_seek_variant)variant;
        kerb_scene_show* show;
        assert_int_equal(kerb_scene_show_make(&show, "ring", &plan, &host), KERB_OK);
        while (kerb_scene_show_step(show)) {
        }
        if (figure(show, "arrived") != KERB_SCENE_SEEK_RING || !show->succeeded)
            fail_msg("%s: %g arrived", kerb_scene_seek_word(plan.variant), figure(show, "arrived"));
        give_back(show);
    }
}

// As far from the goal as on the level, over and under it; the level ring is level to the bit.
static void a_ring_in_space_has_starts_and_a_goal_out_of_the_level(void** state) {
    (void)state;
    for (int32_t variant = 0; variant < (int32_t)KERB_SCENE_SEEK_VARIANTS; variant++) {
        kerb_scene_seek_plan plan = plan_of(0);
        plan.variant = (kerb_scene_seek_variant)variant;
        bool is_in_space = kerb_scene_seek_in_space(plan.variant);
        float highest = 0.0f, lowest = 0.0f;
        for (int32_t i = 0; i < KERB_SCENE_SEEK_RING; i++) {
            kerb_scene_seek_trial trial = kerb_scene_seek_ring_trial(&plan, i);
            float distance = kerb_vec3_length(trial.agent.position);
            assert_true(fabsf(distance - KERB_SCENE_SEEK_RING_RADII * plan.radius) < 1e-3f);
            assert_true(fabsf(kerb_vec3_length(trial.agent.forward) - 1.0f) < 1e-5f);
            assert_true((trial.goal.forward.z != 0.0f) == is_in_space);
            highest = fmaxf(highest, trial.agent.position.z);
            lowest = fminf(lowest, trial.agent.position.z);
        }
        assert_true(is_in_space ? highest > 10.0f && lowest < -10.0f
                                : highest == 0.0f && lowest == 0.0f);
    }
}

static void a_flock_heads_one_way_among_neighbours(void** state) {
    (void)state;
    const uint64_t seeds = (uint64_t)test_share(3, 1);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        kerb_scene_show* show = run("flock", seed);
        assert_true(figure(show, "heading_agreement_mean") > 0.9);
        assert_true(figure(show, "neighbours_mean") > 8.0);
        // Of 200 in 100 s: one brushes another less than once in three minutes.
        assert_true(figure(show, "collisions") < 50.0);
        give_back(show);
    }
}

static void airplanes_keep_to_their_path_in_space_and_arrive(void** state) {
    (void)state;
    const uint64_t seeds = (uint64_t)test_share(8, 2);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        kerb_scene_show* show = run("airplanes", seed);
        assert_true(show->succeeded && figure(show, "arrived") == show->count);
        assert_true(figure(show, "path_error_mean_m") < 1.0);
        assert_true(figure(show, "path_error_max_m") < 6.0);
        assert_true(figure(show, "arrival_error_max_m") < 2.0);
        assert_true(figure(show, "arrival_error_max_deg") < 0.75);
        give_back(show);
    }
}

// A path of one height would show nothing of the climbs, one without banks nothing of the turns.
static void airplanes_climb_and_bank(void** state) {
    (void)state;
    kerb_scene_show* show = show_of("airplanes", 0);
    float highest = -1e9f, lowest = 1e9f, banked = 0.0f;
    while (kerb_scene_show_step(show)) {
        const kerb_motion* motion = &show->frames[0].motion;
        highest = fmaxf(highest, motion->position.z);
        lowest = fminf(lowest, motion->position.z);
        banked = fmaxf(banked, 1.0f - kerb_quat_up(motion->rotation).z);
    }
    assert_true(highest - lowest > 80.0f);
    assert_true(banked > 0.2f); // 37 degrees
    give_back(show);
}

static void hunters_of_a_dogfight_get_behind_their_prey(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++) {
        kerb_scene_show* show = run("dogfight", seed);
        assert_true(figure(show, "all_behind_s") < 60.0);
        assert_true(figure(show, "behind_percent") > 50.0);
        give_back(show);
    }
}

static void a_column_keeps_apart(void** state) {
    (void)state;
    kerb_scene_show* show = run("convoy", 2);
    assert_true(figure(show, "apart_min_m") > 8.0 && figure(show, "hard_contacts") == 0.0);
    give_back(show);
}

// So that one sees who is chased, hunted or followed.
static void who_the_others_are_after_is_marked(void** state) {
    (void)state;
    static const struct {
        const char *scene, *role;
        int32_t marked;
    } expected[] = {{"chase", "target", 1},    {"field-chase", "target", 1}, {"convoy", "first", 1},
                    {"formation", "first", 1}, {"dogfight", "prey", 3},      {"arrivals", NULL, 0},
                    {"flock", NULL, 0}};
    for (size_t n = 0; n < sizeof expected / sizeof expected[0]; n++) {
        kerb_scene_show* show = show_of(expected[n].scene, 1);
        int32_t marked = 0;
        for (int32_t i = 0; i < show->count; i++) {
            marked += show->marked[i] ? 1 : 0;
            if (show->marked[i])
                assert_string_equal(show->roles[i], expected[n].role);
        }
        assert_int_equal(marked, expected[n].marked);
        give_back(show);
    }
}

static void an_unknown_scene_is_an_error(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_scene_seek_plan plan = plan_of(0);
    kerb_scene_show* show;
    assert_int_equal(kerb_scene_show_make(&show, "flok", &plan, &host), KERB_ERROR_UNKNOWN_FIELD);
    assert_null(show);
    kerb_scene_show_free(show, &host);
}

int show_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_starts_with_everybody_in_it),
        cmocka_unit_test(nobody_jumps_without_being_absent),
        cmocka_unit_test(a_scene_repeats_itself_and_another_seed_is_another),
        cmocka_unit_test(all_of_the_ring_arrive_by_every_variant),
        cmocka_unit_test(a_ring_in_space_has_starts_and_a_goal_out_of_the_level),
        cmocka_unit_test(a_flock_heads_one_way_among_neighbours),
        cmocka_unit_test(airplanes_keep_to_their_path_in_space_and_arrive),
        cmocka_unit_test(airplanes_climb_and_bank),
        cmocka_unit_test(hunters_of_a_dogfight_get_behind_their_prey),
        cmocka_unit_test(a_column_keeps_apart),
        cmocka_unit_test(who_the_others_are_after_is_marked),
        cmocka_unit_test(an_unknown_scene_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
