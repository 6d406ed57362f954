// What the racing driver learns of its line: that it helps, that it does no harm, that nonsense
// teaches nothing.
#include "test/racer/racer_course.h"

#include "test/seed.h"

#include <math.h>

static kerb_scene_race_lap lap_of(const racer_course* c, int32_t learning, int32_t laps) {
    kerb_scene_race_lap lap = kerb_scene_race_lap_default(&c->line, &c->ground, &c->model);
    lap.racer.settings.learning = learning;
    lap.laps = laps;
    return lap;
}

static void tell_grip(kerb_racer* racer, float grip) {
    racer->performance.lateral *= grip;
    racer->performance.braking *= grip;
    racer->performance.accelerating *= grip;
}

// The sixth lap, after five to learn in; how long it was off the track in all of them.
static double sixth_lap(kerb_scene_race_lap* lap, double* off) {
    kerb_scene_race_lap_result result;
    lap->laps = 6;
    kerb_scene_race_lap_run(lap, &result);
    assert_int_equal(result.laps, 6);
    *off = result.off_track_time;
    return result.lap_time[5];
}

// ------------------------------------------------------------------- it helps

// The last state of the driver.
static void keep_racer(void* context, const kerb_scene_race_frame* frame) {
    *(kerb_racer*)context = *frame->racer;
}

// What it knows of the grip everywhere: of the car, and of all sections of the line.
static float known_in_common(const kerb_racer* racer) {
    return racer->memory.learnt.common * racer->memory.car.lateral / racer->performance.lateral;
}

static void with_ten_percent_more_or_less_grip_it_comes_near_to_one_who_knows(void** state) {
    (void)state;
    static const char* const cars[] = {"gt", "road", "formula"};
    for (size_t i = 0; i < 2 * sizeof cars / sizeof cars[0]; i++) {
        racer_course c;
        racer_course_open(&c, "vamos", cars[i / 2]);
        float grip = i % 2 == 0 ? 0.9f : 1.1f;
        double off;
        kerb_scene_race_lap knows = lap_of(&c, 0, 6), learns = lap_of(&c, 1, 6);
        knows.grip = learns.grip = grip;
        tell_grip(&knows.racer, grip);
        double told = sixth_lap(&knows, &off), learnt = sixth_lap(&learns, &off);
        // Three per cent are what learning is to come to.
        if (!(learnt < 1.03 * told))
            fail_msg("%s, grip %.1f: %.2f s learnt, %.2f s told", cars[i / 2], (double)grip, learnt,
                     told);
        racer_course_close(&c);
    }
}

static void where_there_is_more_grip_it_gains_by_learning(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    double off;
    kerb_scene_race_lap with = lap_of(&c, 1, 6), without = lap_of(&c, 0, 6);
    with.grip = without.grip = 1.1f;
    kerb_racer racer;
    with.watch = keep_racer;
    with.context = &racer;
    assert_true(sixth_lap(&with, &off) < 0.99 * sixth_lap(&without, &off));
    // What goes for straights, where it only brakes.
    if (!(known_in_common(&racer) > 1.06f && known_in_common(&racer) < 1.16f))
        fail_msg("%.3f in common where there is 1.1", (double)known_in_common(&racer));
    racer_course_close(&c);
}

// In short bends its tyres show how stiff they are for a fraction of a second a lap.
static void few_laps_show_that_there_is_more_grip_where_bends_are_short(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "formula");
    kerb_scene_race_lap lap = lap_of(&c, 1, 4);
    lap.grip = 1.1f;
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(&lap, &result);
    assert_int_equal(result.laps, 4);
    assert_true(result.lap_time[3] < 0.995 * result.lap_time[1]);
    racer_course_close(&c);
}

// On loose ground this car never takes a bend there so gently that its tyres show how stiff they
// are.
static void who_cannot_tell_by_slip_tries_whether_there_is_more_grip(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "rally");
    double off, off_without;
    kerb_scene_race_lap with = lap_of(&c, 1, 6), without = lap_of(&c, 0, 6);
    with.grip = without.grip = 1.1f;
    double learnt = sixth_lap(&with, &off), plain = sixth_lap(&without, &off_without);
    if (!(learnt < 0.985 * plain && off == 0.0))
        fail_msg("%.2f s learnt, %.2f s without, %.2f s off the track", learnt, plain, off);
    racer_course_close(&c);
}

// With too little grip this car slides into every bend, and slows down so much by that that it
// never runs wide.
static void where_it_slides_it_learns_what_the_tyres_hold(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "downs", "road");
    double off;
    kerb_scene_race_lap knows = lap_of(&c, 0, 6), learns = lap_of(&c, 1, 6);
    knows.grip = learns.grip = 0.9f;
    tell_grip(&knows.racer, 0.9f);
    kerb_racer racer;
    learns.watch = keep_racer;
    learns.context = &racer;
    double told = sixth_lap(&knows, &off), learnt = sixth_lap(&learns, &off);
    if (!(learnt < 1.008 * told && known_in_common(&racer) < 0.96f))
        fail_msg("%.2f s learnt, %.2f s told, %.3f in common", learnt, told,
                 (double)known_in_common(&racer));
    racer_course_close(&c);
}

static void slides_of_who_was_told_right_show_no_lack(void** state) {
    (void)state;
    static const char* const cars[] = {"road", "rally", "gt"};
    for (size_t i = 0; i < sizeof cars / sizeof cars[0]; i++) {
        racer_course c;
        racer_course_open(&c, "downs", cars[i]);
        kerb_scene_race_lap lap = lap_of(&c, 1, 6);
        kerb_racer racer;
        lap.watch = keep_racer;
        lap.context = &racer;
        kerb_scene_race_lap_result result;
        kerb_scene_race_lap_run(&lap, &result);
        assert_true(known_in_common(&racer) > 0.96f);
        racer_course_close(&c);
    }
}

// ------------------------------------------------------------------- one bad place

// Little grip under the car on one stretch of every lap.
typedef struct bad_place {
    kerb_scene_race_lap* lap;
    double from, to; // along the line [m]
    float grip;
    kerb_racer racer; // as it was in the last frame
} bad_place;

static void spoil(void* context, const kerb_scene_race_frame* frame) {
    bad_place* p = context;
    double at = frame->racer->decision.distance;
    p->lap->grip = at > p->from && at < p->to ? p->grip : 1.0f;
    p->racer = *frame->racer;
}

// As where a crest makes a car light, or sand lies in a bend.
static void a_place_that_throws_it_off_each_lap_leaves_the_grip_elsewhere_alone(void** state) {
    (void)state;
    static const char* const cars[] = {"gt", "road"};
    for (size_t k = 0; k < sizeof cars / sizeof cars[0]; k++) {
        racer_course c;
        racer_course_open(&c, "vamos", cars[k]);
        kerb_racer racer[2];
        for (int32_t i = 0; i < 2; i++) {
            kerb_scene_race_lap lap = lap_of(&c, 1, 8);
            bad_place place = {&lap, 250.0, 275.0, i == 0 ? 1.0f : 0.6f, lap.racer};
            lap.watch = spoil;
            lap.context = &place;
            kerb_scene_race_lap_result result;
            kerb_scene_race_lap_run(&lap, &result);
            assert_int_equal(result.laps, 8);
            racer[i] = place.racer;
        }
        float without = known_in_common(&racer[0]), with = known_in_common(&racer[1]);
        if (!(with > 0.95f * without))
            fail_msg("%s: %.3f in common, %.3f without that place", cars[k], (double)with,
                     (double)without);
        racer_course_close(&c);
    }
}

// ------------------------------------------------------------------- it does no harm

static void told_right_it_is_never_half_a_percent_slower_nor_long_off_the_track(void** state) {
    (void)state;
    static const char* const runs[][2] = {
        {"vamos", "gt"}, {"vamos", "road"}, {"vamos", "truck"},   {"vamos", "formula"},
        {"downs", "gt"}, {"downs", "road"}, {"overpass", "road"}, {"overpass", "formula"}};
    for (int32_t i = 0; i < test_share(sizeof runs / sizeof runs[0], 3); i++) {
        racer_course c;
        racer_course_open(&c, runs[i][0], runs[i][1]);
        kerb_scene_race_lap with = lap_of(&c, 1, 10), without = lap_of(&c, 0, 10);
        kerb_scene_race_lap_result learnt, plain;
        kerb_scene_race_lap_run(&with, &learnt);
        kerb_scene_race_lap_run(&without, &plain);
        assert_int_equal(learnt.laps, 10);
        double now = racer_course_mean(&learnt), then = racer_course_mean(&plain);
        if (!(now < 1.005 * then && learnt.off_track_time <= plain.off_track_time + 0.5))
            fail_msg("%s, %s: %.2f s and %.2f s off the track, not learning %.2f s and %.2f s",
                     runs[i][0], runs[i][1], now, learnt.off_track_time, then,
                     plain.off_track_time);
        racer_course_close(&c);
    }
}

static void switched_off_it_learns_nothing(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    kerb_racer racer = kerb_racer_make(&c.model.vehicle), fresh = racer;
    racer.settings.learning = 0;
    for (int32_t i = 0; i < 500; i++) {
        kerb_motion motion = racer_course_motion(&c, 0.5 * (double)i, 25.0f);
        kerb_racer_drive(&racer, &c.line, &motion, NULL, 0.02f);
    }
    assert_memory_equal(&racer.memory.learnt, &fresh.memory.learnt, sizeof racer.memory.learnt);
    racer_course_close(&c);
}

// ------------------------------------------------------------------- nonsense

// Changes the grip under the car for a while.
typedef struct patch {
    kerb_scene_race_lap* lap;
    double from, to; // of the total distance [m]
    float grip;
    kerb_racer racer; // as it was in the last frame
} patch;

static void change_grip(void* context, const kerb_scene_race_frame* frame) {
    patch* p = context;
    double total = frame->racer->decision.total_distance;
    p->lap->grip = total > p->from && total < p->to ? p->grip : 1.0f;
    p->racer = *frame->racer;
}

static float greatest_difference(const kerb_racer* a, const kerb_racer* b) {
    float most = 0.0f;
    for (int32_t i = 0; i < KERB_RACER_LEARNED_BINS; i++)
        if (a->memory.learnt.seen[i] > 0 && b->memory.learnt.seen[i] > 0)
            most = kerb_max(most, kerb_abs(a->memory.learnt.grip[i] - b->memory.learnt.grip[i]));
    return most;
}

static void a_single_slide_teaches_little_and_is_forgotten(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    kerb_scene_race_lap_result result[2];
    patch p[2];
    for (int32_t i = 0; i < 2; i++) {
        // Half the grip in the middle of a corner, for 20 m of the third lap.
        kerb_scene_race_lap lap = lap_of(&c, 1, 3);
        p[i] = (patch){&lap, 2.0 * c.line.length + 250.0, 2.0 * c.line.length + 270.0,
                       i == 0 ? 1.0f : 0.5f, lap.racer};
        lap.watch = change_grip;
        lap.context = &p[i];
        kerb_scene_race_lap_run(&lap, &result[i]);
        assert_int_equal(result[i].laps, 3);
    }
    assert_true(result[1].lap_time[2] != result[0].lap_time[2]);
    assert_true(greatest_difference(&p[0].racer, &p[1].racer) < 0.08f);
    for (int32_t i = 0; i < 2; i++) {
        kerb_scene_race_lap lap = lap_of(&c, 1, 8);
        p[i].lap = &lap;
        lap.watch = change_grip;
        lap.context = &p[i];
        kerb_scene_race_lap_run(&lap, &result[i]);
    }
    double last[2] = {result[0].lap_time[7], result[1].lap_time[7]};
    assert_true(last[1] < 1.005 * last[0]);
    racer_course_close(&c);
}

static void it_learns_where_the_grip_is(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    kerb_racer racer[2];
    for (int32_t i = 0; i < 2; i++) {
        // More on the second half of each lap, and on none of it.
        kerb_scene_race_lap lap = lap_of(&c, 1, 1);
        patch p = {&lap, 0.0, 0.0, 1.15f, lap.racer};
        lap.watch = change_grip;
        lap.context = &p;
        lap.laps = 1;
        kerb_scene_race_lap_result result;
        for (int32_t k = 0; k < 6; k++) {
            p.from = i == 0 ? 0.5 * c.line.length : 1e9;
            p.to = 1e9;
            kerb_scene_race_lap_run(&lap, &result);
            kerb_racer kept = p.racer;
            lap.racer = kerb_racer_make(&c.model.vehicle);
            lap.racer.settings.learning = 1;
            lap.racer.memory.learnt = kept.memory.learnt;
            lap.racer.memory.learner = kept.memory.learner;
            lap.racer.memory.car = kept.memory.car;
            // It knows its tyres already.
            memcpy(lap.racer.memory.half_slip, kept.memory.half_slip, sizeof kept.memory.half_slip);
            memcpy(lap.racer.memory.seen_slip, kept.memory.seen_slip, sizeof kept.memory.seen_slip);
            lap.racer.memory.half_slip_time = kept.memory.half_slip_time;
        }
        racer[i] = p.racer;
    }
    int32_t bins = (int32_t)(c.line.length / 40.0);
    float gain[2] = {0.0f, 0.0f};
    for (int32_t i = 0; i < bins; i++)
        if (racer[0].memory.learnt.seen[i] > 0 && racer[1].memory.learnt.seen[i] > 0)
            gain[2 * i / bins] += racer[0].memory.learnt.grip[i] * racer[0].memory.car.lateral /
                                      racer[1].memory.car.lateral -
                                  racer[1].memory.learnt.grip[i];
    if (!(gain[1] > 0.05f && gain[0] < gain[1] - 0.05f))
        fail_msg("%.3f and %.3f", (double)gain[0], (double)gain[1]);
    racer_course_close(&c);
}

// Out of the track by a metre a second, then on along it there.
static void where_it_leaves_the_track_is_blamed_and_not_where_it_drives_beside_it(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    kerb_racer racer = kerb_racer_make(&c.model.vehicle);
    racer.settings.learning = 1;
    double at = 0.0, left = -1.0;
    for (int32_t i = 0; i < 3000; i++) {
        at += 0.2;
        float aside = kerb_clamp(0.02f * (float)(i - 500), 0.0f, 15.0f), sine, cosine;
        kerb_motion motion = racer_course_motion(&c, at, 10.0f);
        kerb_sin_cos(kerb_racing_line_at(&c.line, at).heading, &sine, &cosine);
        motion.position.x -= aside * sine;
        motion.position.y += aside * cosine;
        kerb_racer_drive(&racer, &c.line, &motion, NULL, 0.02f);
        if (left < 0.0 && racer.decision.off_track)
            left = racer.decision.distance;
    }
    int32_t bins = (int32_t)(c.line.length / 40.0);
    int32_t last = (int32_t)(left / c.line.length * (double)bins);
    assert_true(racer.decision.off_track && left > 0.0 && last + 5 < bins);
    assert_true(racer.memory.learnt.seen[last] > 0 && racer.memory.learnt.grip[last] < 0.99f);
    for (int32_t i = last + 2; i < bins; i++)
        assert_true(racer.memory.learnt.seen[i] == 0 || racer.memory.learnt.grip[i] >= 1.0f);
    racer_course_close(&c);
}

static double sharpest(const racer_course* c) {
    double found = 0.0;
    float most = 0.0f;
    for (double at = 150.0; at < c->line.length - 50.0; at += 2.0) {
        float bend = kerb_abs(kerb_racing_line_at(&c->line, at).curvature);
        if (bend > most) {
            most = bend;
            found = at;
        }
    }
    return found;
}

// Drives to the sharpest bend, slowly enough, and comes 0.3 m near to an edge there. How often does
// it lower what it knows of the grip? Its front tyres are known to hold half of their grip at this
// slip, if it is more than 0.
static int32_t falls_near_the_edge(const racer_course* c, bool inside, float half_slip) {
    kerb_racer racer = kerb_racer_make(&c->model.vehicle);
    racer.settings.learning = 1;
    // A body moved aside slips as no car does: it is not to teach what the car can do.
    kerb_surroundings around = kerb_surroundings_default();
    around.wheels_on_ground = 0.5f;
    double apex = sharpest(c);
    float bend = kerb_racing_line_at(&c->line, apex).curvature;
    float speed = kerb_sqrt(0.6f * racer.performance.lateral / kerb_abs(bend));
    bool left = (bend > 0.0f) == inside;
    for (double at = apex - 140.0; at < apex + 8.0; at += (double)(0.02f * speed)) {
        kerb_line_point p = kerb_racing_line_at(&c->line, at);
        kerb_motion motion = racer_course_motion(c, at, speed);
        kerb_vec3 aside = kerb_quat_left(motion.rotation);
        float edge = left ? p.left - 0.3f : 0.3f - p.right;
        float share = kerb_smooth_step((float)(at - apex), -50.0f, -5.0f);
        motion.position = kerb_vec3_add(motion.position, kerb_vec3_scale(aside, edge * share));
        if (half_slip > 0.0f) {
            racer.memory.half_slip[0] = half_slip;
            racer.memory.half_slip_time = 1.0f;
        }
        kerb_racer_drive(&racer, &c->line, &motion, &around, 0.02f);
        assert_false(racer.decision.off_track);
    }
    int32_t falls = 0;
    for (int32_t i = 0; i < KERB_RACER_LEARNED_BINS; i++)
        falls += racer.memory.learnt.falls[i];
    return falls;
}

static void who_runs_wide_was_too_fast_and_who_turns_in_too_far_was_not(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    assert_true(falls_near_the_edge(&c, false, 0.0f) > 0);
    assert_int_equal(falls_near_the_edge(&c, true, 0.0f), 0);
    racer_course_close(&c);
}

// As where the driven rear pushes a car out of a hairpin.
static void who_runs_wide_with_front_tyres_to_spare_was_not_too_fast(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    assert_true(falls_near_the_edge(&c, false, 0.008f) > 0);
    assert_int_equal(falls_near_the_edge(&c, false, 1.0f), 0);
    racer_course_close(&c);
}

static bool is_learnt(float grip) {
    return grip >= KERB_RACER_LEARNED_GRIP_MIN && grip <= KERB_RACER_LEARNED_GRIP_MAX;
}

static void check_bounds(const kerb_racer* racer) {
    assert_true(racer->memory.learnt.length == 0.0 || is_learnt(racer->memory.learnt.common));
    for (int32_t i = 0; i < KERB_RACER_LEARNED_BINS; i++)
        assert_true(racer->memory.learnt.seen[i] == 0 || is_learnt(racer->memory.learnt.grip[i]));
}

static void whatever_happens_what_it_learns_keeps_its_bounds(void** state) {
    (void)state;
    kerb_random random = test_random("whatever_happens_what_it_learns_keeps_its_bounds");
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    for (int32_t i = 100; i < c.line.count; i += 40)
        c.line.points[i].grip = i % 80 == 20 ? NAN : kerb_random_between(&random, 0.0f, 3.0f);
    kerb_racer racer = kerb_racer_make(&c.model.vehicle);
    racer.settings.learning = 1;
    double at = 0.0;
    for (int32_t i = 0; i < 20000; i++) {
        float speed = kerb_random_between(&random, 5.0f, 60.0f);
        at += (double)(speed * 0.02f);
        kerb_motion motion = racer_course_motion(&c, at, speed);
        if (i % 1000 < 300) { // now and then it behaves oddly
            motion.position.x += kerb_random_between(&random, -8.0f, 8.0f);
            motion.velocity.y += kerb_random_between(&random, -5.0f, 5.0f);
            motion.angular_velocity.z = kerb_random_between(&random, -2.0f, 2.0f);
        }
        if (i % 1500 == 0)
            motion.velocity.x = 3.0e38f;
        kerb_racer_drive(&racer, &c.line, &motion, NULL, 0.02f);
        check_bounds(&racer);
    }
    racer_course_close(&c);
}

// The least and the most that was learnt of any piece, and what is known of the grip everywhere.
typedef struct learnt_range {
    float least, most, known;
} learnt_range;

static void watch_range(void* context, const kerb_scene_race_frame* frame) {
    learnt_range* range = context;
    check_bounds(frame->racer);
    range->known = known_in_common(frame->racer);
    for (int32_t i = 0; i < KERB_RACER_LEARNED_BINS; i++) {
        if (frame->racer->memory.learnt.seen[i] == 0)
            continue;
        range->least = kerb_min(range->least, frame->racer->memory.learnt.grip[i]);
        range->most = kerb_max(range->most, frame->racer->memory.learnt.grip[i]);
    }
}

// A quarter of the grip, and half as much again, are more than single places may differ: the car
// then has other tyres than it was said to have.
static void on_ground_beyond_what_places_can_learn_it_knows_that_it_is_the_car(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    for (int32_t i = 0; i < 2; i++) {
        learnt_range range = {1.0f, 1.0f, 1.0f};
        kerb_scene_race_lap lap = lap_of(&c, 1, 12);
        lap.grip = i == 0 ? 0.25f : 1.5f;
        lap.watch = watch_range;
        lap.context = &range;
        lap.time_most = 1000.0;
        kerb_scene_race_lap_result result;
        kerb_scene_race_lap_run(&lap, &result);
        if (!(i == 0 ? range.known < 0.45f : range.known > 1.35f && range.known < 1.6f))
            fail_msg("%.3f known, %.3f to %.3f at places", (double)range.known, (double)range.least,
                     (double)range.most);
    }
    racer_course_close(&c);
}

// With seven tenths of the grip that it was told the least that it learns is what there is: held
// at what trouble alone may teach it would be off the track in every lap.
static void far_less_grip_than_told_is_learnt_by_what_the_tyres_hold(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    kerb_racer racer;
    kerb_scene_race_lap knows = lap_of(&c, 0, 6), learns = lap_of(&c, 1, 6);
    knows.grip = learns.grip = 0.7f;
    tell_grip(&knows.racer, 0.7f);
    learns.watch = keep_racer;
    learns.context = &racer;
    double off, told = sixth_lap(&knows, &off), learnt = sixth_lap(&learns, &off);
    if (!(learnt < 1.05 * told && off < 20.0 && known_in_common(&racer) < 0.8f))
        fail_msg("%.2f s learnt, %.2f s told, %.1f s off, %.3f in common", learnt, told, off,
                 (double)known_in_common(&racer));
    racer_course_close(&c);
}

// ------------------------------------------------------------------- memory

static void on_another_line_it_begins_anew(void** state) {
    (void)state;
    racer_course c, d;
    racer_course_open(&c, "vamos", "gt");
    racer_course_open(&d, "overpass", "gt");
    kerb_scene_race_lap lap = lap_of(&c, 1, 2);
    patch p = {&lap, 0.0, 0.0, 1.0f, lap.racer};
    lap.watch = change_grip;
    lap.context = &p;
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(&lap, &result);
    int32_t seen = 0, left = 0;
    for (int32_t i = 0; i < KERB_RACER_LEARNED_BINS; i++)
        seen += p.racer.memory.learnt.seen[i] > 0;
    assert_true(seen > 5);
    kerb_motion motion = racer_course_motion(&d, 100.0, 20.0f);
    kerb_racer_drive(&p.racer, &d.line, &motion, NULL, 0.02f);
    for (int32_t i = 0; i < KERB_RACER_LEARNED_BINS; i++)
        left += p.racer.memory.learnt.seen[i] > 0;
    assert_int_equal(left, 0);
    racer_course_close(&c);
    racer_course_close(&d);
}

// A copy taken in the second lap must say and learn the same from there on.
typedef struct copied {
    const racer_course* course;
    kerb_racer racer;
    int32_t frames;
} copied;

static void compare(void* context, const kerb_scene_race_frame* frame) {
    copied* copy = context;
    if (frame->lap >= 1 && copy->frames++ > 0) {
        kerb_racer_drive(&copy->racer, &copy->course->line, &frame->motion, NULL, 1.0f / 60.0f);
        assert_memory_equal(&copy->racer.controls, &frame->racer->controls, sizeof(kerb_controls));
        assert_memory_equal(&copy->racer.memory.learnt, &frame->racer->memory.learnt,
                            sizeof copy->racer.memory.learnt);
    } else {
        copy->racer = *frame->racer;
    }
}

static void a_copy_learns_on_with_the_same_bits(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    copied copy = {.course = &c};
    kerb_scene_race_lap lap = lap_of(&c, 1, 3);
    lap.watch = compare;
    lap.context = &copy;
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(&lap, &result);
    assert_true(copy.frames > 1000);
    racer_course_close(&c);
}

int racer_learning_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_ten_percent_more_or_less_grip_it_comes_near_to_one_who_knows),
        cmocka_unit_test(where_there_is_more_grip_it_gains_by_learning),
        cmocka_unit_test(few_laps_show_that_there_is_more_grip_where_bends_are_short),
        cmocka_unit_test(who_cannot_tell_by_slip_tries_whether_there_is_more_grip),
        cmocka_unit_test(where_it_slides_it_learns_what_the_tyres_hold),
        cmocka_unit_test(slides_of_who_was_told_right_show_no_lack),
        cmocka_unit_test(a_place_that_throws_it_off_each_lap_leaves_the_grip_elsewhere_alone),
        cmocka_unit_test(told_right_it_is_never_half_a_percent_slower_nor_long_off_the_track),
        cmocka_unit_test(switched_off_it_learns_nothing),
        cmocka_unit_test(a_single_slide_teaches_little_and_is_forgotten),
        cmocka_unit_test(it_learns_where_the_grip_is),
        cmocka_unit_test(where_it_leaves_the_track_is_blamed_and_not_where_it_drives_beside_it),
        cmocka_unit_test(who_runs_wide_was_too_fast_and_who_turns_in_too_far_was_not),
        cmocka_unit_test(who_runs_wide_with_front_tyres_to_spare_was_not_too_fast),
        cmocka_unit_test(whatever_happens_what_it_learns_keeps_its_bounds),
        cmocka_unit_test(on_ground_beyond_what_places_can_learn_it_knows_that_it_is_the_car),
        cmocka_unit_test(far_less_grip_than_told_is_learnt_by_what_the_tyres_hold),
        cmocka_unit_test(on_another_line_it_begins_anew),
        cmocka_unit_test(a_copy_learns_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
