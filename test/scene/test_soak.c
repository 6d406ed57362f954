// The soak test's own bookkeeping: who starts where, contacts, routes without ends, the same result
// each time. What it says of the followers is for docs/command.md.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/town/soak.h"
#include "scene/town/soak_run.h"

#include <math.h>
#include <string.h>

#define MODELS 6

static kerb_scene_town* town;
static kerb_sim_model models[MODELS];

static int make_town(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    for (int32_t i = 0; i < MODELS; i++) {
        if (!kerb_sim_model_named(kerb_sim_model_name(i), &models[i]))
            return -1;
    }
    return kerb_scene_town_make(&town, &host, NULL) == KERB_OK ? 0 : -1;
}

static int free_town(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_scene_town_free(town, &host);
    return 0;
}

static kerb_scene_soak soak_of(int32_t vehicles, double seconds, kerb_follower_method method) {
    kerb_follower_settings settings = kerb_follower_settings_default(method);
    settings.speed = SOAK_SPEED;
    kerb_scene_soak soak = kerb_scene_soak_default(town, models, MODELS, &settings);
    soak.vehicle_count = vehicles;
    soak.seconds = seconds;
    return soak;
}

static soak_result run(const kerb_scene_soak* soak) {
    kerb_host host = kerb_host_default();
    soak_result result;
    assert_int_equal(kerb_scene_soak_run(soak, &host, &result, NULL), KERB_OK);
    return result;
}

// --------------------------------------------------------------------------- brute force

// How far two footprints are apart along the axis on which they are farthest; negative: how deep
// they overlap.
static double gap_between(const kerb_motion* a, const kerb_vehicle* va, const kerb_motion* b,
                          const kerb_vehicle* vb) {
    const kerb_motion* motions[2] = {a, b};
    const kerb_vehicle* shapes[2] = {va, vb};
    double x[2], y[2], c[2], s[2];
    for (int32_t i = 0; i < 2; i++) {
        double heading = (double)kerb_quat_heading(motions[i]->rotation);
        double to_middle = (double)shapes[i]->reference_to_front - 0.5 * (double)shapes[i]->length;
        c[i] = cos(heading);
        s[i] = sin(heading);
        x[i] = (double)motions[i]->position.x + to_middle * c[i];
        y[i] = (double)motions[i]->position.y + to_middle * s[i];
    }
    double most = -1e9;
    for (int32_t axis = 0; axis < 4; axis++) {
        int32_t of = axis / 2;
        double ax = axis % 2 ? -s[of] : c[of], ay = axis % 2 ? c[of] : s[of];
        double reach = 0.0;
        for (int32_t i = 0; i < 2; i++)
            reach += 0.5 * (double)shapes[i]->length * fabs(ax * c[i] + ay * s[i]) +
                     0.5 * (double)shapes[i]->width * fabs(ax * -s[i] + ay * c[i]);
        double off = fabs((x[1] - x[0]) * ax + (y[1] - y[0]) * ay);
        most = fmax(most, off - reach);
    }
    return most;
}

typedef struct seen {
    int32_t frames;
    double first_gap; // least between two vehicles at the start
    double deepest;   // overlap in any frame
    int32_t marks, far_marks;
    bool touched[64]; // pair a·8 + b: nearer than a hand's breadth in this frame
    int32_t pending[256], pending_count;
    int32_t path_changes;
    double furthest_jump;
    uint64_t path_ids[64];
    kerb_motion before[64];
} seen;

static const kerb_vehicle* shape_of(int32_t i) {
    return &models[i % MODELS].vehicle;
}

static void watch_gaps(void* context, const kerb_scene_frame* frames, const kerb_path* const* paths,
                       int32_t count) {
    seen* s = context;
    (void)paths;
    for (int32_t a = 0; a < count; a++) {
        for (int32_t b = a + 1; b < count; b++) {
            double gap =
                gap_between(&frames[a].motion, shape_of(a), &frames[b].motion, shape_of(b));
            if (s->frames == 0)
                s->first_gap = fmin(s->first_gap, gap);
            s->deepest = fmin(s->deepest, gap);
        }
    }
    for (int32_t i = 0; i < s->pending_count; i++) {
        int32_t a = s->pending[i] / 64, b = s->pending[i] % 64;
        double gap = gap_between(&frames[a].motion, shape_of(a), &frames[b].motion, shape_of(b));
        s->far_marks += gap > 0.3 ? 1 : 0;
    }
    s->pending_count = 0;
    s->frames++;
}

static void note_mark(void* context, const soak_mark* mark) {
    seen* s = context;
    if (mark->kind != SOAK_MARK_VEHICLES)
        return;
    s->marks++;
    s->pending[s->pending_count++] = mark->vehicle * 64 + mark->other;
}

// Without a broad phase that misses pairs, nobody drives into anybody, and whoever was said to
// touch is near.
static void contacts_are_those_that_brute_force_finds(void** state) {
    (void)state;
    seen s = {.first_gap = 1e9};
    kerb_scene_soak soak = soak_of(64, 40.0, KERB_FOLLOWER_BASELINE);
    soak.alone = true;
    soak.watch = watch_gaps;
    soak.mark = note_mark;
    soak.context = &s;
    soak_result result = run(&soak);
    assert_in_range(s.marks, 5, 1000);
    assert_int_equal(s.marks, result.all.vehicle_contacts);
    assert_int_equal(s.far_marks, 0);
    assert_true(s.first_gap > 8.0);
    assert_true(s.deepest > -0.05);
}

// --------------------------------------------------------------------------- routes

static void watch_paths(void* context, const kerb_scene_frame* frames,
                        const kerb_path* const* paths, int32_t count) {
    seen* s = context;
    for (int32_t i = 0; i < count; i++) {
        if (s->frames > 0)
            s->furthest_jump =
                fmax(s->furthest_jump, (double)kerb_vec3_length(kerb_vec3_sub(
                                           frames[i].motion.position, s->before[i].position)));
        if (s->frames > 0 && paths[i]->id != s->path_ids[i]) {
            s->path_changes++;
            // It finds itself on the new path as near as on the old, well before its end.
            assert_true(fabs((double)frames[i].cross_track_error) < 3.0);
            assert_true(paths[i]->length > frames[i].progress + 100.0);
        }
        s->path_ids[i] = paths[i]->id;
        s->before[i] = frames[i].motion;
    }
    s->frames++;
}

static void a_new_route_takes_over_without_a_stop_or_a_jump(void** state) {
    (void)state;
    seen s = {.first_gap = 1e9};
    kerb_scene_soak soak = soak_of(3, 240.0, KERB_FOLLOWER_KERB);
    soak.watch = watch_paths;
    soak.context = &s;
    soak_result result = run(&soak);
    assert_in_range(s.path_changes, 3, 100);
    assert_int_equal(s.path_changes, result.all.trips);
    assert_true(s.furthest_jump < 0.5);
}

static void a_single_vehicle_of_each_model_is_never_stuck_and_stays_off_solids(void** state) {
    (void)state;
    for (int32_t i = 0; i < MODELS; i++) {
        kerb_scene_soak soak = soak_of(1, 240.0, KERB_FOLLOWER_KERB);
        soak.models = &models[i];
        soak.model_count = 1;
        soak.seed = 7;
        soak_result result = run(&soak);
        assert_int_equal(result.all.stuck_events, 0);
        assert_int_equal(result.all.solid_contacts_inside, 0);
        assert_true(result.all.distance > 3.0 * 240.0);
    }
}

// --------------------------------------------------------------------------- sums

static void the_same_words_give_the_same_result_and_another_seed_another(void** state) {
    (void)state;
    kerb_scene_soak soak = soak_of(24, 8.0, KERB_FOLLOWER_KERB);
    soak_result first = run(&soak), again = run(&soak);
    assert_memory_equal(&first, &again, sizeof first);
    soak.seed = 1;
    soak_result other = run(&soak);
    assert_true(other.all.distance != first.all.distance);
}

static void models_sum_up_to_the_whole(void** state) {
    (void)state;
    kerb_scene_soak soak = soak_of(64, 20.0, KERB_FOLLOWER_BASELINE);
    soak_result result = run(&soak);
    soak_count sum;
    memset(&sum, 0, sizeof sum);
    for (int32_t i = 0; i < MODELS; i++)
        kerb_scene_soak_add(&sum, &result.by_model[i]);
    assert_true(fabs(sum.driving_s - 64.0 * 20.0) < 1.1);
    assert_true(fabs(sum.driving_s - result.all.driving_s) < 1e-6);
    assert_int_equal(sum.stuck_events, result.all.stuck_events);
    assert_int_equal(sum.solid_contacts, result.all.solid_contacts);
    // Both parties of a contact count it.
    assert_int_equal(sum.vehicle_contacts, 2 * result.all.vehicle_contacts);
    int32_t by_minute = 0;
    for (int32_t i = 0; i < SOAK_MINUTES_MOST; i++)
        by_minute += result.stuck_by_minute[i];
    assert_int_equal(by_minute, result.all.stuck_events);
    int32_t by_reason = 0;
    for (int32_t i = 0; i < KERB_REASON_COUNT; i++)
        by_reason += result.stuck_by_reason[i];
    assert_int_equal(by_reason, result.all.stuck_events);
}

// Two vehicles on one lane; the first brakes for `holds` seconds, and then drives on or, if it
// `vanishes`, is put on another one. What the second counts after `seconds`.
static soak_count behind_one_that_brakes(double holds, bool vanishes, double seconds) {
    kerb_host host = kerb_host_default();
    kerb_scene_soak soak = soak_of(2, seconds, KERB_FOLLOWER_KERB);
    kerb_scene_soak_state state;
    soak_result result;
    assert_int_equal(kerb_scene_soak_begin(&state, &soak, &result, &host, &host, NULL), KERB_OK);
    int32_t longest = 0, other;
    for (int32_t i = 0; i < town->lane_count; i++)
        longest = town->lanes[i].length > town->lanes[longest].length ? i : longest;
    other = longest == 0 ? 1 : 0;
    for (int32_t i = 0; i < town->lane_count; i++)
        other = i != longest && town->lanes[i].length > town->lanes[other].length ? i : other;
    const kerb_waypoint* points = town->points + town->lanes[longest].first;
    for (int32_t i = 0; i < 2; i++) {
        const kerb_waypoint* at = points + (i == 0 ? 12 : 4);
        kerb_vec3 ahead = kerb_vec3_sub(at[1].position, at[0].position);
        assert_int_equal(
            kerb_scene_soak_put(&state, i, at->position, kerb_atan2(ahead.y, ahead.x), NULL),
            KERB_OK);
    }
    const kerb_controls brakes = {.brake = 1.0f, .gear = 1};
    while (state.time < seconds) {
        state.vehicles[0].player = state.time < holds ? &brakes : NULL;
        if (vanishes && state.time >= holds) {
            const kerb_waypoint* at = town->points + town->lanes[other].first + 4;
            assert_int_equal(kerb_scene_soak_put(&state, 0, at->position, 0.0f, NULL), KERB_OK);
            vanishes = false;
        }
        assert_int_equal(kerb_scene_soak_frame(&state, NULL), KERB_OK);
        state.time += 1.0 / (double)soak.drive_hz;
    }
    kerb_scene_soak_end(&state);
    return result.by_model[1];
}

static void a_wait_for_others_is_a_stuck_event_only_when_it_lasts(void** state) {
    (void)state;
    soak_count brief = behind_one_that_brakes(40.0, false, 60.0);
    assert_int_equal(brief.stuck_events, 0);
    assert_int_equal(brief.short_waits, 1);
    assert_true(brief.standing_longest > 25.0 && brief.standing_longest < 45.0);
    assert_true(fabs(brief.long_waits_s - brief.standing_longest) < 1.0);
    // The judge counts again every 30 s; when it is no wait any more, all of these count.
    soak_count lasting = behind_one_that_brakes(200.0, false, 140.0);
    assert_int_equal(lasting.short_waits, 0);
    assert_true(lasting.stuck_events >= 4 && lasting.stuck_events <= 5);
}

// Whatever it does in the moment in which the judge misses progress: setting off after a wait is
// none.
static void a_wait_that_has_just_ended_is_no_stuck_event(void** state) {
    (void)state;
    int32_t waits = 0;
    for (double holds = 6.0; holds < 14.0; holds += 0.25) {
        soak_count count = behind_one_that_brakes(holds, true, holds + 12.0);
        assert_int_equal(count.stuck_events, 0);
        waits += count.short_waits;
    }
    assert_true(waits > 4);
}

// Who yields to nobody says nothing of what it means to do; all others do.
static void drivers_without_intents_are_those_that_were_asked_for(void** unused) {
    (void)unused;
    kerb_host host = kerb_host_default();
    for (int32_t k = 0; k < 3; k++) {
        kerb_scene_soak soak = soak_of(100, 1.0, KERB_FOLLOWER_KERB);
        soak.no_intents = k == 1;
        soak.disobedient_percent = k == 2 ? 25.0f : 0.0f;
        kerb_scene_soak_state state;
        soak_result result;
        assert_int_equal(kerb_scene_soak_begin(&state, &soak, &result, &host, &host, NULL),
                         KERB_OK);
        for (int32_t frame = 0; frame < 10; frame++)
            assert_int_equal(kerb_scene_soak_frame(&state, NULL), KERB_OK);
        int32_t telling = 0;
        for (int32_t i = 0; i < state.count; i++)
            telling += state.neighbours[i].intent != NULL ? 1 : 0;
        assert_in_range(telling, k == 0 ? 100 : k == 1 ? 0 : 62, k == 0 ? 100 : k == 1 ? 0 : 88);
        kerb_scene_soak_end(&state);
    }
}

static void impossible_words_are_refused(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    soak_result result;
    kerb_scene_soak soak = soak_of(0, 1.0, KERB_FOLLOWER_KERB);
    assert_int_equal(kerb_scene_soak_run(&soak, &host, &result, NULL), KERB_ERROR_OUT_OF_RANGE);
    soak.vehicle_count = SOAK_VEHICLES_MOST + 1;
    assert_int_equal(kerb_scene_soak_run(&soak, &host, &result, NULL), KERB_ERROR_OUT_OF_RANGE);
    soak.vehicle_count = 4;
    soak.seconds = (double)NAN;
    assert_int_equal(kerb_scene_soak_run(&soak, &host, &result, NULL), KERB_ERROR_OUT_OF_RANGE);
    soak.seconds = 1.0;
    soak.disobedient_percent = 101.0f;
    assert_int_equal(kerb_scene_soak_run(&soak, &host, &result, NULL), KERB_ERROR_OUT_OF_RANGE);
    soak.disobedient_percent = 0.0f;
    soak.settings.speed = NAN;
    assert_true(kerb_scene_soak_run(&soak, &host, &result, NULL) != KERB_OK);
}

// Whoever waits for one that is stuck may stand where that one is to be put back.
static void who_asks_for_it_is_put_to_a_free_place_of_its_path(void** unused) {
    (void)unused;
    const kerb_host host = kerb_host_default();
    for (uint64_t seed = 0; seed < 20; seed++) {
        kerb_scene_soak soak = soak_of(40, 1.0, KERB_FOLLOWER_KERB);
        soak.seed = seed;
        kerb_scene_soak_state state;
        soak_result result;
        assert_int_equal(kerb_scene_soak_begin(&state, &soak, &result, &host, &host, NULL),
                         KERB_OK);
        soak_vehicle* stuck = &state.vehicles[0];
        assert_int_equal(kerb_scene_soak_frame(&state, NULL), KERB_OK); // they join their paths
        const kerb_vec3 was = stuck->motion.position;
        assert_int_equal(kerb_scene_soak_put(&state, 1, was, 0.0f, NULL), KERB_OK);
        kerb_stuck_request_teleport(&stuck->follower.memory.stuck);
        assert_int_equal(kerb_scene_soak_frame(&state, NULL), KERB_OK);
        assert_int_equal(result.by_model[stuck->model].teleports, 1);
        const kerb_vec3 now = stuck->motion.position;
        for (int32_t i = 1; i < state.count; i++)
            assert_true(kerb_vec3_length(kerb_vec3_sub(now, state.vehicles[i].motion.position)) >
                        5.0f);
        assert_true(kerb_vec3_length(kerb_vec3_sub(now, was)) < 101.0f);
        assert_true(kerb_abs(stuck->judge.error) < 0.5f);
        kerb_scene_soak_end(&state);
    }
}

static void the_greatest_number_of_vehicles_finds_room(void** state) {
    (void)state;
    kerb_scene_soak soak = soak_of(SOAK_VEHICLES_MOST, 0.2, KERB_FOLLOWER_KERB);
    soak_result result = run(&soak);
    assert_true(result.all.driving_s > 0.2 * SOAK_VEHICLES_MOST - 0.01);
}

int soak_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_those_that_brute_force_finds),
        cmocka_unit_test(a_new_route_takes_over_without_a_stop_or_a_jump),
        cmocka_unit_test(a_single_vehicle_of_each_model_is_never_stuck_and_stays_off_solids),
        cmocka_unit_test(the_same_words_give_the_same_result_and_another_seed_another),
        cmocka_unit_test(models_sum_up_to_the_whole),
        cmocka_unit_test(a_wait_for_others_is_a_stuck_event_only_when_it_lasts),
        cmocka_unit_test(a_wait_that_has_just_ended_is_no_stuck_event),
        cmocka_unit_test(drivers_without_intents_are_those_that_were_asked_for),
        cmocka_unit_test(who_asks_for_it_is_put_to_a_free_place_of_its_path),
        cmocka_unit_test(impossible_words_are_refused),
        cmocka_unit_test(the_greatest_number_of_vehicles_finds_room),
    };
    return cmocka_run_group_tests(tests, make_town, free_town);
}
