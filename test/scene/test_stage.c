// The stage: every scene runs and its vehicles get on, replays to the same hash, survives any bad
// call, and gives the wheel to a player and back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/stage/stage.h"
#include "test/allocation.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 60

static uint64_t hash_of(const kerb_stage* stage) {
    uint32_t halves[2];
    kerb_stage_hash(stage, halves);
    return (uint64_t)halves[1] << 32 | halves[0];
}

// A scene with few vehicles where their number can be chosen, so that the tests are quick.
static kerb_stage* make(int32_t scene, const kerb_host* host) {
    int32_t choices[KERB_STAGE_CHOICES_MAX];
    int32_t count = kerb_stage_choice_count(scene);
    for (int32_t i = 0; i < count; i++) {
        bool many = strcmp(kerb_stage_choice_name(scene, i), "count") == 0;
        bool steps = strcmp(kerb_stage_choice_name(scene, i), "steps") == 0;
        int32_t least = kerb_stage_choice_min(scene, i), most = kerb_stage_choice_max(scene, i);
        choices[i] = kerb_stage_choice_default(scene, i);
        if (many)
            choices[i] = least > 16 ? least : most < 16 ? most : 16;
        if (steps)
            choices[i] = 40;
    }
    kerb_error error = {0};
    kerb_stage* stage = kerb_stage_make(scene, 7, choices, count, host, &error);
    if (stage == NULL)
        fail_msg("%s: %s %s", kerb_stage_scene_id(scene), error.field, error.message);
    return stage;
}

static kerb_stage* make_named(const char* id) {
    int32_t scene = kerb_stage_find(id);
    assert_true(scene >= 0);
    return make(scene, NULL);
}

static void run(kerb_stage* stage, int32_t steps) {
    for (int32_t i = 0; i < steps; i++)
        kerb_stage_step(stage);
}

// --------------------------------------------------------------------------- the tree

static void every_scene_says_what_it_is(void** state) {
    (void)state;
    int32_t count = kerb_stage_scene_count();
    assert_in_range(count, 11, 64);
    assert_string_equal(kerb_stage_scene_id(0), "town/traffic"); // the landing page
    for (int32_t i = 0; i < count; i++) {
        assert_true(strlen(kerb_stage_scene_id(i)) > 3);
        assert_true(strlen(kerb_stage_scene_title(i)) > 3);
        assert_true(strlen(kerb_stage_scene_look(i)) > 30);
        assert_true(strlen(kerb_stage_scene_try(i)) > 30);
        assert_int_equal(kerb_stage_find(kerb_stage_scene_id(i)), i); // so each is there once
        // A group is one branch of the tree.
        for (int32_t k = 0; k < i - 1; k++) {
            bool same = strcmp(kerb_stage_scene_group(k), kerb_stage_scene_group(i)) == 0;
            assert_false(same &&
                         strcmp(kerb_stage_scene_group(i - 1), kerb_stage_scene_group(i)) != 0);
        }
        for (int32_t k = 0; k < kerb_stage_choice_count(i); k++) {
            assert_true(strlen(kerb_stage_choice_name(i, k)) > 0);
            assert_true(strlen(kerb_stage_choice_meaning(i, k)) > 0);
            assert_in_range(kerb_stage_choice_default(i, k), kerb_stage_choice_min(i, k),
                            kerb_stage_choice_max(i, k));
            for (int32_t o = 0; o < kerb_stage_choice_options(i, k); o++)
                assert_true(strlen(kerb_stage_choice_option(i, k, o)) > 0);
        }
    }
}

static void every_setting_of_a_scene_is_within_its_range(void** state) {
    (void)state;
    int32_t tables = 0;
    for (int32_t i = 0; i < kerb_stage_scene_count(); i++) {
        if (strncmp(kerb_stage_scene_id(i), "race/", 5) == 0 && i > 0 && tables > 6)
            continue; // one track is enough
        kerb_stage* stage = make(i, NULL);
        for (int32_t t = 0; t < kerb_stage_table_count(i); t++) {
            tables++;
            assert_true(strlen(kerb_stage_table_name(i, t)) > 0);
            for (int32_t r = 0; r < kerb_stage_row_count(i, t); r++) {
                float value = kerb_stage_get(stage, t, r);
                assert_true(value >= kerb_stage_row_min(i, t, r));
                assert_true(value <= kerb_stage_row_max(i, t, r));
                assert_int_equal(kerb_stage_row_find(i, t, kerb_stage_row_name(i, t, r)), r);
                assert_int_equal(kerb_stage_set(stage, t, r, value, NULL), KERB_OK);
            }
        }
        kerb_stage_free(stage);
    }
    assert_in_range(tables, 10, 100);
}

// --------------------------------------------------------------------------- running

static bool is_finite(const kerb_stage_vehicle* v) {
    const float numbers[] = {v->x,        v->y,          v->z,         v->heading,
                             v->pitch,    v->roll,       v->vx,        v->vy,
                             v->vz,       v->speed,      v->length,    v->width,
                             v->height,   v->throttle,   v->brake,     v->delay,
                             v->steering, v->front_roll, v->rear_roll, v->target_speed,
                             v->gain,     v->trim,       v->progress,  v->cross_track_error};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!isfinite(numbers[i]))
            return false;
    }
    return v->length > 0.0f && v->width > 0.0f && v->height > 0.0f;
}

// What each vehicle has driven, as seen from outside.
typedef struct way {
    float x[KERB_STAGE_VEHICLES_MAX], y[KERB_STAGE_VEHICLES_MAX];
    float driven[KERB_STAGE_VEHICLES_MAX];
    bool seen[KERB_STAGE_VEHICLES_MAX];
} way;

static void watch(const kerb_stage* stage, way* w) {
    const kerb_stage_vehicle* all = kerb_stage_vehicles(stage);
    for (int32_t i = 0; i < kerb_stage_vehicle_count(stage); i++) {
        const kerb_stage_vehicle* v = &all[i];
        if (!is_finite(v))
            fail_msg("%s: vehicle %d in step %d", kerb_stage_scene_id(kerb_stage_scene(stage)), i,
                     kerb_stage_frame(stage));
        float step = hypotf(v->x - w->x[i], v->y - w->y[i]);
        // A round that begins again puts them elsewhere.
        if (w->seen[i] && step < 5.0f)
            w->driven[i] += step;
        w->seen[i] = v->visible != 0;
        w->x[i] = v->x;
        w->y[i] = v->y;
    }
}

static void expect_got_on(const kerb_stage* stage, const way* w) {
    int32_t count = kerb_stage_vehicle_count(stage), moved = 0;
    const kerb_stage_vehicle* all = kerb_stage_vehicles(stage);
    for (int32_t i = 0; i < count; i++)
        moved += w->driven[i] > 2.0f * all[i].length;
    if (10 * moved < 8 * count) // some may wait for others all the time
        fail_msg("%s: %d of %d vehicles got on", kerb_stage_scene_id(kerb_stage_scene(stage)),
                 moved, count);
}

// Twenty seconds, a snapshot in the middle, then the second half once more.
static void run_and_replay(int32_t scene) {
    int32_t half = test_share(10, 2) * SECOND;
    kerb_stage* stage = make(scene, NULL);
    assert_true(kerb_stage_vehicle_count(stage) > 0);
    way w = {0};
    for (int32_t i = 0; i < half; i++) {
        kerb_stage_step(stage);
        watch(stage, &w);
    }
    int32_t bytes = kerb_stage_snapshot_bytes(stage);
    unsigned char* block = malloc((size_t)bytes + 1);
    assert_non_null(block);
    assert_int_equal(kerb_stage_save(stage, block, bytes - 1), 0); // it does not fit
    assert_int_equal(kerb_stage_save(stage, block, bytes), bytes);
    uint64_t middle = hash_of(stage);
    for (int32_t i = 0; i < half; i++) {
        kerb_stage_step(stage);
        watch(stage, &w);
    }
    uint64_t end = hash_of(stage);
    if (half >= 10 * SECOND)
        expect_got_on(stage, &w);
    assert_true(middle != end);
    assert_int_equal(kerb_stage_restore(stage, block, bytes, NULL), KERB_OK);
    assert_true(hash_of(stage) == middle);
    assert_int_equal(kerb_stage_frame(stage), half);
    run(stage, half);
    if (hash_of(stage) != end)
        fail_msg("%s: the replay differs", kerb_stage_scene_id(scene));
    free(block);
    kerb_stage_free(stage);
}

static void run_group(const char* group) {
    for (int32_t i = 0; i < kerb_stage_scene_count(); i++) {
        if (strcmp(kerb_stage_scene_group(i), group) == 0)
            run_and_replay(i);
    }
}

#define REPLAY(name, group)                                                                        \
    static void name(void** state) {                                                               \
        (void)state;                                                                               \
        run_group(group);                                                                          \
    }

REPLAY(the_town_gets_on_and_replays, "Town")
REPLAY(followers_get_on_and_replay, "Follower")
REPLAY(seekers_get_on_and_replay, "Directed seek")
REPLAY(cars_among_cars_get_on_and_replay, "Cars among cars")
REPLAY(racers_get_on_and_replay, "Race")
REPLAY(the_planner_gets_on_and_replays, "Planner")
REPLAY(lane_keepers_get_on_and_replay, "Lane keeping")
REPLAY(groups_get_on_and_replay, "Groups")
REPLAY(airplanes_get_on_and_replay, "Fly")

static void no_group_is_left_out(void** state) {
    (void)state;
    static const char* const groups[] = {
        "Town", "City",    "Follower",     "Directed seek", "Cars among cars",
        "Race", "Planner", "Lane keeping", "Groups",        "Fly"};
    for (int32_t i = 0; i < kerb_stage_scene_count(); i++) {
        bool found = false;
        for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
            found = found || strcmp(groups[k], kerb_stage_scene_group(i)) == 0;
        assert_true(found);
    }
}

static void the_same_seed_gives_the_same_and_a_restart_too(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_stage_scene_count(); i++) {
        kerb_stage *a = make(i, NULL), *b = make(i, NULL);
        run(a, 30);
        run(b, 30);
        assert_true(hash_of(a) == hash_of(b));
        run(a, 30);
        assert_int_equal(kerb_stage_restart(a, NULL), KERB_OK);
        assert_int_equal(kerb_stage_frame(a), 0);
        run(a, 30);
        if (hash_of(a) != hash_of(b))
            fail_msg("%s: a restart differs", kerb_stage_scene_id(i));
        kerb_stage_free(a);
        kerb_stage_free(b);
    }
}

// --------------------------------------------------------------------------- shapes and thoughts

static void shapes_and_thoughts_are_finite_and_reading_changes_nothing(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_stage_scene_count(); i++) {
        kerb_stage *read = make(i, NULL), *left = make(i, NULL);
        for (int32_t frame = 0; frame < 20; frame++) {
            kerb_stage_step(read);
            kerb_stage_step(left);
            for (int32_t v = 0; v < kerb_stage_vehicle_count(read); v++) {
                (void)kerb_stage_draw(read, v);
                for (int32_t k = 0; k < kerb_stage_draw_line_count(read); k++) {
                    const kerb_draw_line* line = &kerb_stage_draw_lines(read)[k];
                    assert_true(isfinite(line->from.x + line->to.y + line->to.z));
                }
                assert_true(strlen(kerb_stage_reason(read, v)) > 0);
                assert_true(strlen(kerb_stage_vehicle_name(read, v)) > 0);
            }
        }
        assert_true(hash_of(read) == hash_of(left));
        const float* extent = kerb_stage_extent(read);
        assert_true(extent[2] > extent[0] && extent[3] > extent[1]);
        for (int32_t k = 0; k < kerb_stage_triangle_count(read); k++) {
            const kerb_stage_triangle* t = &kerb_stage_triangles(read)[k];
            assert_true(isfinite(t->ax + t->by + t->cz));
            // Anticlockwise from above, as far as it has a face.
            float area = (t->bx - t->ax) * (t->cy - t->ay) - (t->cx - t->ax) * (t->by - t->ay);
            assert_true(area > -0.5f);
        }
        for (int32_t k = 0; k < kerb_stage_solid_count(read); k++)
            assert_true(kerb_stage_solids(read)[k].height > 0.0f);
        for (int32_t k = 0; k < kerb_stage_figure_count(read); k++) {
            assert_true(strlen(kerb_stage_figure_name(read, k)) > 0);
            assert_true(isfinite(kerb_stage_figure(read, k)));
        }
        kerb_stage_free(read);
        kerb_stage_free(left);
    }
}

// --------------------------------------------------------------------------- meddling

static void a_player_drives_reverses_and_hands_back(void** state) {
    (void)state;
    static const char* const ids[] = {"town/traffic", "follower/courses", "seek/park",
                                      "cars/chase",   "race/race",        "lane/player",
                                      "plan/map",     "follower/hosts"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        kerb_stage* stage = make_named(ids[i]);
        const kerb_stage_vehicle* v = kerb_stage_vehicles(stage);
        assert_int_equal(kerb_stage_can_take(stage, 0), 1);
        // Stops, then drives, then stops and drives back.
        assert_int_equal(kerb_stage_take(stage, 0, 0.0f, 0.0f, 0.0f, NULL), KERB_OK);
        assert_int_equal(v->player, 1);
        for (int32_t k = 0; k < 10 * SECOND && fabsf(v->speed) > 0.3f; k++) {
            assert_int_equal(kerb_stage_take(stage, 0, 0.0f, 0.6f, 0.0f, NULL), KERB_OK);
            kerb_stage_step(stage);
        }
        assert_true(fabsf(v->speed) <= 0.3f);
        assert_int_equal(kerb_stage_take(stage, 0, 0.5f, 0.0f, 0.0f, NULL), KERB_OK);
        run(stage, SECOND);
        if (v->speed < 0.5f)
            fail_msg("%s: %f m/s after a second of throttle", ids[i], (double)v->speed);
        assert_true(v->throttle == 0.5f);
        assert_int_equal(kerb_stage_take(stage, 0, 0.0f, 1.0f, 0.0f, NULL), KERB_OK);
        run(stage, 5 * SECOND);
        if (v->speed > -0.3f)
            fail_msg("%s: %f m/s after five seconds of brake", ids[i], (double)v->speed);
        assert_string_equal(kerb_stage_reason(stage, 0), "a player drives");
        assert_int_equal(kerb_stage_hand_back(stage, 0, NULL), KERB_OK);
        float x = v->x, y = v->y, most = 0.0f;
        for (int32_t k = 0; k < 8 * SECOND; k++) {
            kerb_stage_step(stage);
            most = fmaxf(most, hypotf(v->x - x, v->y - y));
        }
        if (most < 1.0f)
            fail_msg("%s: its driver does not get on, %s", ids[i], kerb_stage_reason(stage, 0));
        kerb_stage_free(stage);
    }
}

static void a_ghost_changes_nothing_for_the_hero(void** state) {
    (void)state;
    static const char* const ids[] = {"follower/courses", "seek/park", "follower/hosts"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        int32_t scene = kerb_stage_find(ids[i]);
        int32_t choices[KERB_STAGE_CHOICES_MAX] = {0}, count = kerb_stage_choice_count(scene);
        for (int32_t k = 0; k < count; k++)
            choices[k] = kerb_stage_choice_default(scene, k);
        choices[count - 1] = kerb_stage_choice_max(scene, count - 1); // the last says it
        kerb_stage* both = kerb_stage_make(scene, 3, choices, count, NULL, NULL);
        choices[count - 1] = 0;
        kerb_stage* alone = kerb_stage_make(scene, 3, choices, count, NULL, NULL);
        assert_int_equal(kerb_stage_vehicle_count(both), 2);
        assert_int_equal(kerb_stage_vehicle_count(alone), 1);
        assert_int_equal(kerb_stage_vehicles(both)[1].role, KERB_STAGE_GHOST);
        for (int32_t k = 0; k < 6 * SECOND; k++) {
            kerb_stage_step(both);
            kerb_stage_step(alone);
            const kerb_stage_vehicle *a = kerb_stage_vehicles(both),
                                     *b = kerb_stage_vehicles(alone);
            assert_true(a->x == b->x && a->y == b->y && a->heading == b->heading);
        }
        kerb_stage_free(both);
        kerb_stage_free(alone);
    }
}

static void a_setting_acts_at_once_and_a_restart_keeps_it(void** state) {
    (void)state;
    kerb_stage* stage = make_named("follower/courses");
    int32_t scene = kerb_stage_scene(stage);
    int32_t row = kerb_stage_row_find(scene, 0, "speed");
    assert_true(row >= 0);
    const kerb_stage_vehicle* v = kerb_stage_vehicles(stage);
    run(stage, 5 * SECOND);
    assert_true(v->speed > 6.0f);
    assert_int_equal(kerb_stage_set(stage, 0, row, 3.0f, NULL), KERB_OK);
    run(stage, 5 * SECOND);
    assert_true(v->speed < 3.5f);
    kerb_error error;
    assert_int_equal(kerb_stage_set(stage, 0, row, -1.0f, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "speed");
    assert_true(kerb_stage_get(stage, 0, row) == 3.0f);
    assert_int_equal(kerb_stage_restart(stage, NULL), KERB_OK);
    assert_true(kerb_stage_get(stage, 0, row) == 3.0f);
    run(stage, 5 * SECOND);
    assert_true(v->speed < 3.5f);
    kerb_stage_free(stage);
}

static void what_is_dragged_stands_there_and_drivers_go_on_from_it(void** state) {
    (void)state;
    // A bay: the vehicle arrives where it was put.
    kerb_stage* park = make_named("seek/park");
    assert_int_equal(kerb_stage_mark_count(park), 1);
    int32_t version = kerb_stage_shapes_version(park);
    assert_int_equal(kerb_stage_drag(park, KERB_STAGE_ITEM_MARK, 0, 12.0f, -9.0f, 1.0f, NULL),
                     KERB_OK);
    assert_true(kerb_stage_shapes_version(park) != version);
    assert_true(fabsf(kerb_stage_marks(park)[0].x - 12.0f) < 0.001f);
    for (int32_t i = 0; i < 60 * SECOND && kerb_stage_figure(park, 0) < 1.0f; i++)
        kerb_stage_step(park);
    const kerb_stage_vehicle* v = kerb_stage_vehicles(park);
    assert_true(hypotf(v->x - 12.0f, v->y + 9.0f) < 0.5f);
    assert_true(fabsf(v->heading - 1.0f) < 0.1f);
    kerb_stage_free(park);
    // A vehicle: its middle is there at once, also with hundreds of others.
    static const char* const ids[] = {"town/traffic", "cars/chase", "race/race", "lane/player"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        kerb_stage* stage = make_named(ids[i]);
        v = kerb_stage_vehicles(stage);
        float x = v[1].x + 3.0f, y = v[1].y + 1.0f;
        assert_int_equal(
            kerb_stage_drag(stage, KERB_STAGE_ITEM_VEHICLE, 1, x, y, v[1].heading, NULL), KERB_OK);
        assert_true(hypotf(v[1].x - x, v[1].y - y) < 0.01f);
        run(stage, SECOND);
        kerb_stage_free(stage);
    }
    // A goal in an obstacle is refused.
    kerb_stage* plan = make_named("plan/map");
    kerb_error error;
    const uint8_t* cells = kerb_stage_cells(plan);
    const kerb_stage_grid* grid = kerb_stage_cell_grid(plan);
    int32_t blocked = 0;
    while (cells[blocked] == 0)
        blocked++;
    float x = grid->x + ((float)(blocked % grid->columns) + 1.5f) * grid->spacing;
    float y = grid->y + ((float)(blocked / grid->columns) + 1.5f) * grid->spacing;
    assert_int_equal(kerb_stage_drag(plan, KERB_STAGE_ITEM_MARK, 0, x, y, 0.0f, &error),
                     KERB_ERROR_CONTRADICTION);
    kerb_stage_free(plan);
}

// --------------------------------------------------------------------------- kinds

static kerb_stage* make_kind(const char* id, int32_t kind, uint32_t seed) {
    kerb_error error = {0};
    kerb_stage* stage = kerb_stage_make(kerb_stage_find(id), seed, &kind, 1, NULL, &error);
    if (stage == NULL)
        fail_msg("%s, kind %d: %s %s", id, kind, error.field, error.message);
    return stage;
}

static float figure_named(const kerb_stage* stage, const char* name) {
    for (int32_t i = 0; i < kerb_stage_figure_count(stage); i++) {
        if (strcmp(kerb_stage_figure_name(stage, i), name) == 0)
            return kerb_stage_figure(stage, i);
    }
    fail_msg("no figure %s", name);
    return 0.0f;
}

// A goal is reached where the mark stands; in space it has a height.
static void every_kind_reaches_goals_among_obstacles(void** state) {
    (void)state;
    static const char* const ids[] = {"plan/kinds", "plan/kinds-in-space"};
    for (int32_t s = 0; s < 2; s++) {
        int32_t kinds = kerb_stage_choice_options(kerb_stage_find(ids[s]), 0);
        assert_int_equal(kinds, 6);
        for (int32_t kind = 0; kind < kinds; kind++) {
            kerb_stage* stage = make_kind(ids[s], kind, 5);
            const char* name = kerb_stage_choice_option(kerb_stage_find(ids[s]), 0, kind);
            float planned = figure_named(stage, "time of the plan");
            assert_true(planned > 0.0f);
            assert_true(figure_named(stage, "no plan is faster than") <= 1.001f * planned);
            assert_true(kerb_stage_solid_count(stage) >= 10);
            float height = kerb_stage_marks(stage)[0].z;
            assert_true(s == 0 ? height == 0.0f : height > 0.0f);
            int32_t most = (int32_t)(1.3f * planned + 20.0f) * SECOND;
            for (int32_t i = 0; i < most && figure_named(stage, "goals reached") < 1.0f; i++)
                kerb_stage_step(stage);
            const kerb_stage_vehicle* v = kerb_stage_vehicles(stage);
            float off = figure_named(stage, "last goal: off the place");
            if (off < 0.0f || off > fmaxf(0.3f, 0.1f * v->length))
                fail_msg("%s: %.2f m off its goal", name, (double)off);
            if (s == 1 && v->z <= 0.0f)
                fail_msg("%s is below the ground", name);
            kerb_stage_free(stage);
        }
    }
}

// Drones come to their slots within some seconds, and go on to the next ones; a hunter catches one.
static void kinds_meet_their_places_and_keep_them(void** state) {
    (void)state;
    int32_t scene = kerb_stage_find("plan/kinds-together");
    int32_t drone = kerb_stage_choice_default(scene, 0);
    assert_string_equal(kerb_stage_choice_option(scene, 0, drone), "drone");
    for (int32_t task = 0; task < 2; task++) {
        const int32_t choices[] = {drone, task};
        kerb_stage* stage = kerb_stage_make(scene, 6, choices, 2, NULL, NULL);
        assert_non_null(stage);
        assert_int_equal(kerb_stage_vehicle_count(stage), task == 0 ? 4 : 2);
        float places = task == 0 ? 6.0f : 2.0f;
        for (int32_t i = 0; i < 60 * SECOND && figure_named(stage, "places reached") < places; i++)
            kerb_stage_step(stage);
        assert_true(figure_named(stage, "places reached") >= places);
        run(stage, SECOND);
        assert_true(figure_named(stage, "in their places") >= 1.0f);
        assert_true(figure_named(stage, "farthest off its place") < 0.3f);
        assert_true(figure_named(stage, "chases without a plan") == 0.0f);
        kerb_stage_free(stage);
    }
}

static void a_goal_of_a_kind_can_be_dragged_but_not_into_an_obstacle(void** state) {
    (void)state;
    static const char* const ids[] = {"plan/kinds", "plan/kinds-in-space"};
    for (int32_t s = 0; s < 2; s++) {
        kerb_stage* stage = make_named(ids[s]);
        run(stage, SECOND);
        kerb_error error;
        int32_t refused = 0;
        for (int32_t i = 0; i < kerb_stage_solid_count(stage); i++) {
            const kerb_stage_solid* solid = &kerb_stage_solids(stage)[i];
            float height = kerb_stage_marks(stage)[0].z;
            if (height < solid->z || height > solid->z + solid->height)
                continue; // the goal would be over or under it
            assert_int_equal(
                kerb_stage_drag(stage, KERB_STAGE_ITEM_MARK, 0, solid->x, solid->y, 0.0f, &error),
                KERB_ERROR_CONTRADICTION);
            refused++;
        }
        assert_true(refused > 0);
        // To where the vehicle is: it turns round, and a plan leads there.
        const kerb_stage_vehicle* v = kerb_stage_vehicles(stage);
        float x = v->x, y = v->y;
        run(stage, SECOND);
        if (kerb_stage_drag(stage, KERB_STAGE_ITEM_MARK, 0, x, y, 0.0f, NULL) == KERB_OK) {
            float before = figure_named(stage, "goals reached");
            for (int32_t i = 0; i < 90 * SECOND; i++) {
                kerb_stage_step(stage);
                if (figure_named(stage, "goals reached") > before)
                    break;
            }
            assert_true(hypotf(v->x - x, v->y - y) < 1.0f);
        }
        kerb_stage_free(stage);
    }
}

static void the_estimate_learns_what_is_true_of_a_host(void** state) {
    (void)state;
    int32_t scene = kerb_stage_find("follower/hosts");
    kerb_stage* stage = kerb_stage_make(scene, 1, NULL, 0, NULL, NULL);
    assert_non_null(stage);
    run(stage, 60 * SECOND); // wheels that hardly move tell little of their delay
    const kerb_stage_vehicle* v = kerb_stage_vehicles(stage);
    float delay = kerb_stage_figure(stage, 0), gain = kerb_stage_figure(stage, 1);
    float trim = kerb_stage_figure(stage, 2);
    assert_int_equal(v->estimated, 1);
    assert_int_equal(v->delay_known, 1);
    assert_int_equal(v->gain_known, 1);
    assert_true(fabsf(v->delay - delay) < 0.05f);
    // Told are a gain of 1 and no trim, which are far from what is true of this host.
    assert_true(fabsf(gain - 1.0f) > 0.2f && fabsf(v->gain - gain) < 0.05f);
    assert_true(fabsf(trim) > 0.05f && fabsf(v->trim - trim) < 0.02f);
    kerb_stage_free(stage);
}

// What somebody does who plays with everything that there is: sliders to anywhere, things dragged
// about, wheels taken and handed back, steps back in time.
static void meddle(kerb_stage* stage, kerb_random* random) {
    int32_t scene = kerb_stage_scene(stage), vehicles = kerb_stage_vehicle_count(stage);
    int32_t tables = kerb_stage_table_count(scene), any = kerb_random_below(random, vehicles);
    const float* extent = kerb_stage_extent(stage);
    float x = kerb_random_between(random, extent[0], extent[2]);
    float y = kerb_random_between(random, extent[1], extent[3]);
    float heading = kerb_random_between(random, -3.1f, 3.1f);
    switch (kerb_random_below(random, 6)) {
    case 0:
    case 1: {
        if (tables == 0)
            return;
        int32_t table = kerb_random_below(random, tables);
        int32_t row = kerb_random_below(random, kerb_stage_row_count(scene, table));
        float min = kerb_stage_row_min(scene, table, row);
        float max = kerb_stage_row_max(scene, table, row);
        float share = kerb_random_unit(random);
        float value = min + share * share * (max - min);
        bool whole = kerb_stage_row_type(scene, table, row) != KERB_SETTING_FLOAT;
        value = fminf(fmaxf(whole ? floorf(value) : value, min), max);
        assert_int_equal(kerb_stage_set(stage, table, row, value, NULL), KERB_OK);
        return;
    }
    case 2:
        (void)kerb_stage_drag(stage, KERB_STAGE_ITEM_VEHICLE, any, x, y, heading, NULL);
        return;
    case 3:
        if (kerb_stage_mark_count(stage) > 0)
            (void)kerb_stage_drag(stage, KERB_STAGE_ITEM_MARK,
                                  kerb_random_below(random, kerb_stage_mark_count(stage)), x, y,
                                  heading, NULL);
        if (kerb_stage_solid_count(stage) > 0)
            (void)kerb_stage_drag(stage, KERB_STAGE_ITEM_SOLID,
                                  kerb_random_below(random, kerb_stage_solid_count(stage)), x, y,
                                  heading, NULL);
        return;
    case 4:
        (void)kerb_stage_take(stage, any, kerb_random_unit(random), kerb_random_unit(random),
                              kerb_random_between(random, -1.0f, 1.0f), NULL);
        return;
    default:
        assert_int_equal(kerb_stage_hand_back(stage, any, NULL), KERB_OK);
    }
}

static void whatever_somebody_does_numbers_stay_finite(void** state) {
    (void)state;
    kerb_random random = test_random("meddling with the stage");
    for (int32_t i = 0; i < kerb_stage_scene_count(); i++) {
        kerb_stage* stage = make(i, NULL);
        for (int32_t k = 0; k < 60; k++) {
            meddle(stage, &random);
            run(stage, 5);
            (void)kerb_stage_draw(stage, kerb_random_below(&random, 3));
            const kerb_stage_vehicle* v = kerb_stage_vehicles(stage);
            for (int32_t n = 0; n < kerb_stage_vehicle_count(stage); n++) {
                if (!is_finite(&v[n]))
                    fail_msg("%s: vehicle %d, round %d", kerb_stage_scene_id(i), n, k);
            }
        }
        kerb_stage_free(stage);
    }
}

// --------------------------------------------------------------------------- bad calls

static int32_t bad_index(kerb_random* random, int32_t count) {
    static const int32_t far[] = {INT32_MIN, -1000, -1, 1 << 20, INT32_MAX};
    int32_t which = kerb_random_below(random, 6);
    return which < 5 ? far[which] : count;
}

static float bad_number(kerb_random* random) {
    static const float numbers[] = {NAN, INFINITY, -INFINITY, -2.0f, 1.0e30f};
    return numbers[kerb_random_below(random, 5)];
}

// One call that must fail.
static kerb_result call_badly(kerb_stage* s, kerb_random* random, kerb_error* error) {
    int32_t scene = kerb_stage_scene(s), vehicles = kerb_stage_vehicle_count(s);
    int32_t tables = kerb_stage_table_count(scene);
    unsigned char block[64];
    memset(block, kerb_random_below(random, 256), sizeof block);
    switch (kerb_random_below(random, 12)) {
    case 0:
        return kerb_stage_take(s, bad_index(random, vehicles), 0.0f, 0.0f, 0.0f, error);
    case 1:
        return kerb_stage_take(s, 0, bad_number(random), 0.0f, 0.0f, error);
    case 2:
        return kerb_stage_take(s, 0, 0.0f, bad_number(random), 0.0f, error);
    case 3:
        return kerb_stage_take(s, 0, 0.0f, 0.0f, bad_number(random), error);
    case 4:
        return kerb_stage_hand_back(s, bad_index(random, vehicles), error);
    case 5:
        return kerb_stage_set(s, bad_index(random, tables), 0, 1.0f, error);
    case 6:
        return kerb_stage_set(s, 0, bad_index(random, kerb_stage_row_count(scene, 0)), 1.0f, error);
    case 7: {
        float value = bad_number(random);
        value = value == -2.0f ? 1.0e30f : value; // some rows may be that
        return kerb_stage_set(s, 0, 0, value, error);
    }
    case 8:
        return kerb_stage_drag(s, bad_index(random, KERB_STAGE_ITEMS), 0, 0.0f, 0.0f, 0.0f, error);
    case 9:
        return kerb_stage_drag(s, KERB_STAGE_ITEM_VEHICLE, bad_index(random, vehicles), 0.0f, 0.0f,
                               0.0f, error);
    case 10:
        return kerb_stage_drag(s, KERB_STAGE_ITEM_VEHICLE, 0, bad_number(random) * 1.0e5f, 0.0f,
                               0.0f, error);
    default:
        return kerb_stage_restore(s, block, kerb_random_below(random, (int32_t)sizeof block),
                                  error);
    }
}

static void read_badly(kerb_stage* s, kerb_random* random) {
    int32_t scene = bad_index(random, kerb_stage_scene_count());
    int32_t index = bad_index(random, 1 << 21);
    assert_string_equal(kerb_stage_scene_id(scene), "");
    assert_string_equal(kerb_stage_choice_name(scene, index), "");
    assert_string_equal(kerb_stage_choice_option(0, index, index), "");
    assert_string_equal(kerb_stage_row_name(0, index, index), "");
    assert_string_equal(kerb_stage_reason(s, index), "");
    assert_string_equal(kerb_stage_vehicle_name(s, index), "");
    assert_string_equal(kerb_stage_figure_name(s, index), "");
    assert_int_equal(kerb_stage_can_take(s, index), 0);
    assert_int_equal(kerb_stage_choice(s, index), 0);
    assert_true(kerb_stage_get(s, index, index) == 0.0f);
    (void)kerb_stage_draw(s, index);
    assert_int_equal(kerb_stage_save(s, NULL, index), 0);
}

static void bad_calls_get_errors_and_lose_nothing(void** state) {
    (void)state;
    kerb_random random = test_random("bad calls of the stage");
    static const char* const ids[] = {"town/traffic", "follower/courses", "seek/park",
                                      "race/race",    "plan/map",         "lane/player"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        kerb_stage *bothered = make_named(ids[i]), *left = make_named(ids[i]);
        for (int32_t k = 0; k < 1000; k++) {
            kerb_error error = {0};
            if (call_badly(bothered, &random, &error) == KERB_OK || error.message[0] == '\0' ||
                error.field[0] == '\0')
                fail_msg("%s: call %d was taken: %s %s", ids[i], k, error.field, error.message);
            read_badly(bothered, &random);
            if (k % 50 == 0) {
                kerb_stage_step(bothered);
                kerb_stage_step(left);
            }
        }
        assert_true(hash_of(bothered) == hash_of(left));
        kerb_stage_free(bothered);
        kerb_stage_free(left);
    }
}

static void no_stage_is_a_bad_argument_like_others(void** state) {
    (void)state;
    kerb_error error;
    assert_null(kerb_stage_make(-1, 0, NULL, 0, NULL, &error));
    assert_string_equal(error.field, "scene");
    int32_t choices[] = {1 << 20};
    assert_null(kerb_stage_make(0, 0, choices, 1, NULL, &error));
    assert_string_equal(error.field, "choices");
    assert_int_equal(error.index, 0);
    assert_null(kerb_stage_make(0, 0, NULL, 1, NULL, &error));
    kerb_stage_step(NULL);
    kerb_stage_free(NULL);
    assert_true(hash_of(NULL) == 0);
    assert_null(kerb_stage_vehicles(NULL));
    assert_null(kerb_stage_triangles(NULL));
    assert_null(kerb_stage_extent(NULL));
    assert_int_equal(kerb_stage_draw(NULL, 0), 0);
    assert_int_equal(kerb_stage_restart(NULL, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_int_equal(kerb_stage_take(NULL, 0, 0, 0, 0, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_int_equal(kerb_stage_drag(NULL, 0, 0, 0, 0, 0, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_int_equal(kerb_stage_restore(NULL, NULL, 0, &error), KERB_ERROR_OUT_OF_RANGE);
}

static void a_snapshot_of_another_stage_is_refused(void** state) {
    (void)state;
    kerb_stage *a = make_named("seek/park"), *b = make_named("seek/park");
    int32_t bytes = kerb_stage_snapshot_bytes(a);
    unsigned char* block = malloc((size_t)bytes);
    assert_non_null(block);
    assert_int_equal(kerb_stage_save(a, block, bytes), bytes);
    kerb_error error;
    assert_int_equal(kerb_stage_restore(b, block, bytes, &error), KERB_ERROR_CONTRADICTION);
    assert_int_equal(kerb_stage_restore(a, block, bytes - 1, &error), KERB_ERROR_TOO_FEW);
    assert_int_equal(kerb_stage_restore(a, block, bytes, &error), KERB_OK);
    free(block);
    kerb_stage_free(a);
    kerb_stage_free(b);
}

// --------------------------------------------------------------------------- memory

static void a_step_allocates_nothing(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_stage_scene_count(); i++) {
        test_allocation allocation = test_allocation_make();
        kerb_host host = test_allocation_host(&allocation);
        kerb_stage* stage = make(i, &host);
        int32_t made = allocation.calls;
        run(stage, 120);
        if (allocation.calls != made)
            fail_msg("%s: a step allocates", kerb_stage_scene_id(i));
        kerb_stage_free(stage);
        test_allocation_check(&allocation);
    }
}

static void no_failed_allocation_leaks(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_stage_scene_count(); i++) {
        bool slow = strncmp(kerb_stage_scene_id(i), "race/", 5) == 0 ||
                    strncmp(kerb_stage_scene_id(i), "town/", 5) == 0;
        if (slow && test_share(1, 0) == 0)
            continue;
        test_allocation allocation = test_allocation_make();
        kerb_host host = test_allocation_host(&allocation);
        for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
            if (slow && n > 8)
                break;
            kerb_error error = {0};
            kerb_stage* stage = kerb_stage_make(i, 1, NULL, 0, &host, &error);
            if (stage == NULL)
                assert_int_equal(error.result, KERB_ERROR_OUT_OF_MEMORY);
            kerb_stage_free(stage);
            test_allocation_check(&allocation);
        }
    }
}

int stage_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_says_what_it_is),
        cmocka_unit_test(every_setting_of_a_scene_is_within_its_range),
        cmocka_unit_test(the_town_gets_on_and_replays),
        cmocka_unit_test(followers_get_on_and_replay),
        cmocka_unit_test(seekers_get_on_and_replay),
        cmocka_unit_test(cars_among_cars_get_on_and_replay),
        cmocka_unit_test(racers_get_on_and_replay),
        cmocka_unit_test(the_planner_gets_on_and_replays),
        cmocka_unit_test(lane_keepers_get_on_and_replay),
        cmocka_unit_test(groups_get_on_and_replay),
        cmocka_unit_test(airplanes_get_on_and_replay),
        cmocka_unit_test(no_group_is_left_out),
        cmocka_unit_test(the_same_seed_gives_the_same_and_a_restart_too),
        cmocka_unit_test(shapes_and_thoughts_are_finite_and_reading_changes_nothing),
        cmocka_unit_test(a_player_drives_reverses_and_hands_back),
        cmocka_unit_test(a_ghost_changes_nothing_for_the_hero),
        cmocka_unit_test(a_setting_acts_at_once_and_a_restart_keeps_it),
        cmocka_unit_test(what_is_dragged_stands_there_and_drivers_go_on_from_it),
        cmocka_unit_test(every_kind_reaches_goals_among_obstacles),
        cmocka_unit_test(kinds_meet_their_places_and_keep_them),
        cmocka_unit_test(a_goal_of_a_kind_can_be_dragged_but_not_into_an_obstacle),
        cmocka_unit_test(the_estimate_learns_what_is_true_of_a_host),
        cmocka_unit_test(whatever_somebody_does_numbers_stay_finite),
        cmocka_unit_test(bad_calls_get_errors_and_lose_nothing),
        cmocka_unit_test(no_stage_is_a_bad_argument_like_others),
        cmocka_unit_test(a_snapshot_of_another_stage_is_refused),
        cmocka_unit_test(a_step_allocates_nothing),
        cmocka_unit_test(no_failed_allocation_leaks),
    };
    return cmocka_run_group_tests_name("stage", tests, NULL, NULL);
}
