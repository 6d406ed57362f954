// Skill and temper of the racing driver: what it costs, what it looks like, and what it never does.
#include "src/racer/skill/skill.h"
#include "test/racer/racer_course.h"
#include "test/seed.h"

#include <math.h>

#define SKILLS 11

static kerb_scene_race_lap lap_of(const racer_course* c, float skill, int32_t seed, int32_t laps) {
    kerb_scene_race_lap lap = kerb_scene_race_lap_default(&c->line, &c->ground, &c->model);
    lap.racer.settings.skill = skill;
    lap.racer.settings.seed = seed;
    lap.laps = laps;
    return lap;
}

// ------------------------------------------------------------------- skill 1

static void at_skill_1_neither_seed_nor_habits_change_a_bit(void** state) {
    (void)state;
    kerb_random random = test_random("at_skill_1_neither_seed_nor_habits_change_a_bit");
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    kerb_scene_race_lap plain = kerb_scene_race_lap_default(&c.line, &c.ground, &c.model);
    plain.laps = 2;
    kerb_scene_race_lap_result want, got;
    kerb_scene_race_lap_run(&plain, &want);
    for (int32_t i = 0; i < 3; i++) {
        kerb_scene_race_lap lap = lap_of(&c, 1.0f, kerb_random_below(&random, 1 << 24), 2);
        lap.racer.settings.consistency = kerb_random_unit(&random);
        lap.racer.settings.late_braking = kerb_random_unit(&random);
        lap.racer.settings.smoothness = kerb_random_unit(&random);
        lap.racer.settings.aggression = kerb_random_unit(&random);
        lap.racer.settings.pace_help = kerb_random_unit(&random); // it is as fast as it can be
        kerb_scene_race_lap_run(&lap, &got);
        assert_memory_equal(&got, &want, sizeof got);
    }
    racer_course_close(&c);
}

// ------------------------------------------------------------------- lap times

// Means of the flying laps by skill from 0 to 1, over seeds.
static void mean_times(const racer_course* c, int32_t seeds, double mean[SKILLS]) {
    for (int32_t i = 0; i < SKILLS; i++) {
        mean[i] = 0.0;
        for (int32_t seed = 1; seed <= seeds; seed++) {
            kerb_scene_race_lap lap = lap_of(c, 0.1f * (float)i, seed, 4);
            kerb_scene_race_lap_result result;
            kerb_scene_race_lap_run(&lap, &result);
            assert_int_equal(result.laps, 4);
            mean[i] += racer_course_mean(&result) / (double)seeds;
        }
    }
}

static void lap_time_rises_steadily_as_skill_falls(void** state) {
    (void)state;
    static const char* const cases[][2] = {
        {"vamos", "gt"}, {"vamos", "truck"}, {"vamos", "rally"}, {"overpass", "road"}};
    for (int32_t i = 0; i < test_share(4, 1); i++) {
        racer_course c;
        racer_course_open(&c, cases[i][0], cases[i][1]);
        double mean[SKILLS];
        mean_times(&c, 2, mean);
        for (int32_t k = 1; k < SKILLS; k++)
            if (!(mean[k] < mean[k - 1]))
                fail_msg("%s, %s: %.2f s at skill %.1f, %.2f s at %.1f", cases[i][0], cases[i][1],
                         mean[k], 0.1 * k, mean[k - 1], 0.1 * (k - 1));
        double half = mean[5] / mean[10];
        if (!(half > 1.05 && half < 1.12))
            fail_msg("%s, %s: skill 0.5 takes %.3f times as long", cases[i][0], cases[i][1], half);
        racer_course_close(&c);
    }
}

// How often a car left the track.
typedef struct leaving {
    int32_t times;
    bool outside;
} leaving;

static void count_leaving(void* context, const kerb_scene_race_frame* frame) {
    leaving* l = context;
    l->times += frame->outside > 0.0f && !l->outside;
    l->outside = frame->outside > 0.0f;
}

static void nobody_leaves_the_track_more_than_once_in_ten_laps(void** state) {
    (void)state;
    kerb_random random = test_random("nobody_leaves_the_track_more_than_once_in_ten_laps");
    static const char* const cars[] = {"road", "gt", "truck"};
    for (size_t i = 0; i < sizeof cars / sizeof cars[0]; i++) {
        racer_course c;
        racer_course_open(&c, "vamos", cars[i]);
        for (int32_t k = 0; k < 3; k++) {
            uint32_t seed = kerb_random_bits(&random);
            leaving l = {0, false};
            kerb_scene_race_lap lap = lap_of(&c, 1.0f, 1, 10);
            lap.racer.settings = kerb_racer_settings_of_seed(seed, 0.4f * (float)k);
            lap.watch = count_leaving;
            lap.context = &l;
            kerb_scene_race_lap_result result;
            kerb_scene_race_lap_run(&lap, &result);
            if (result.laps != 10 || l.times > 1 || result.spins > 1)
                fail_msg("%s, person %u, skill %.1f: %d laps, %d times outside, %d spins", cars[i],
                         seed, 0.4 * k, result.laps, l.times, result.spins);
        }
        racer_course_close(&c);
    }
}

static double spread(const kerb_scene_race_lap_result* result) {
    double mean = racer_course_mean(result), sum = 0.0;
    for (int32_t i = 1; i < result->laps; i++)
        sum += (result->lap_time[i] - mean) * (result->lap_time[i] - mean);
    return sqrt(sum / (double)(result->laps - 1)) / mean;
}

static void the_less_consistent_the_more_its_laps_differ(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    double sum[2] = {0.0, 0.0};
    for (int32_t i = 0; i < 4; i++) {
        kerb_scene_race_lap lap = lap_of(&c, 0.5f, 1 + i / 2, 10);
        lap.racer.settings.consistency = (float)(i % 2);
        kerb_scene_race_lap_result result;
        kerb_scene_race_lap_run(&lap, &result);
        sum[i % 2] += spread(&result);
    }
    // No two laps are quite alike, even then.
    assert_true(sum[0] > 2.0 * sum[1]);
    assert_true(sum[1] > 0.0);
    racer_course_close(&c);
}

// ------------------------------------------------------------------- mistakes

// Over so many seeds and so far, each: mistakes for each kilometre.
#define SEEDS 200
#define FAR 50.0e3 // [m]

static double mistakes_of(const racer_course* c, float skill, float consistency) {
    kerb_racer racer = kerb_racer_make(&c->model.vehicle);
    racer.settings.skill = skill;
    racer.settings.consistency = consistency;
    int32_t mistakes = 0;
    for (int32_t seed = 0; seed < SEEDS; seed++) {
        bool erred = false;
        racer.settings.seed = seed;
        for (double at = 0.0; at < FAR; at += 50.0) {
            bool errs = kerb_in_racer_skill_errs(&racer, &c->line, at);
            mistakes += errs && !erred;
            erred = errs;
        }
    }
    return (double)mistakes / (SEEDS * FAR / 1000.0);
}

static void without_skill_it_makes_a_mistake_in_about_ten_kilometres(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    float usual = kerb_racer_settings_default().consistency;
    double none = mistakes_of(&c, 0.0f, usual), half = mistakes_of(&c, 0.5f, usual);
    assert_true(fabs(none - 0.1) < 0.02);
    assert_true(fabs(half - 0.05) < 0.01);
    assert_true(mistakes_of(&c, 1.0f, 0.0f) == 0.0);
    assert_true(mistakes_of(&c, 0.0f, 0.0f) > 1.3 * none);
    assert_true(mistakes_of(&c, 0.0f, 1.0f) < 0.7 * none);
    racer_course_close(&c);
}

// Means over the places of one kind: of the grip that it counts on, and of how far it is beside its
// way towards the outside of a bend.
typedef struct plan_means {
    double grip, wide, most; // [1], [m], [1]
    int32_t count;
} plan_means;

static void add_plan(const racer_course* c, const kerb_racer* racer, double at, plan_means* means) {
    kerb_line_point p = kerb_racing_line_at(&c->line, at);
    racer_skill_cell cell = {.known = false};
    float grip, wander;
    kerb_in_racer_skill_at(racer, &c->line, &p, at, &cell, &grip, &wander);
    means->grip += (double)grip;
    means->most = fmax(means->most, (double)grip);
    means->wide += (double)(p.curvature > 0.0f ? -wander : wander);
    means->count++;
}

// Usually, in mistakes, and in the care after them. A mistake lasts for as far as the car comes in
// two seconds at its greatest speed, and the care for as long.
static void means_by_mistakes(const racer_course* c, plan_means means[3]) {
    kerb_racer racer = kerb_racer_make(&c->model.vehicle);
    double lasts = 2.0 * (double)racer.performance.speed_max;
    racer.settings.skill = 0.0f;
    for (int32_t seed = 0; seed < SEEDS; seed++) {
        double began = -1.0e6;
        bool erred = false;
        racer.settings.seed = seed;
        for (double at = 0.0; at < FAR; at += 20.0) {
            bool errs = kerb_in_racer_skill_errs(&racer, &c->line, at);
            began = errs && !erred ? at : began;
            erred = errs;
            if (!errs || fabs(at - began - lasts) > 30.0) // not where it may be either
                add_plan(c, &racer, at, &means[!errs ? 0 : at - began < lasts ? 1 : 2]);
        }
    }
    for (int32_t i = 0; i < 3; i++) {
        means[i].grip /= (double)means[i].count;
        means[i].wide /= (double)means[i].count;
    }
}

static void in_a_mistake_it_counts_on_more_grip_and_goes_wide_and_then_takes_care(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    plan_means means[3] = {{0}};
    means_by_mistakes(&c, means);
    const plan_means *usual = &means[0], *errs = &means[1], *cares = &means[2];
    if (!(errs->grip > usual->grip + 0.015 && cares->grip < usual->grip - 0.015))
        fail_msg("it counts on %.3f, in mistakes %.3f, then %.3f of the grip", usual->grip,
                 errs->grip, cares->grip);
    assert_true(usual->most <= 1.0 && errs->most > 1.0);
    if (!(fabs(usual->wide) < 0.03 && errs->wide > 0.08))
        fail_msg("%.3f m wide, in mistakes %.3f m", usual->wide, errs->wide);
    racer_course_close(&c);
}

// ------------------------------------------------------------------- temper

// What the pedals did in flying laps.
typedef struct pedal_log {
    double time, shift; // of the last one [s]
    kerb_controls last;
    float throttle_rate, brake_rate, lift_rate; // fastest down, and up [1/s]
    double onset;                               // where it began to brake last [m]
    double braked;                              // way from there to where it lets go, in all [m]
    int32_t brakings;
    float slowest; // [m/s]
} pedal_log;

static void watch_pedals(void* context, const kerb_scene_race_frame* frame) {
    pedal_log* log = context;
    float step = (float)(frame->time - log->time);
    const kerb_controls *now = &frame->controls, *last = &log->last;
    double total = frame->racer->decision.total_distance;
    if (now->gear != last->gear)
        log->shift = frame->time;
    if (frame->lap > 0 && step > 0.0f) {
        // A shift is no matter of the feet's.
        if (frame->time - log->shift > 1.0)
            log->throttle_rate =
                kerb_max(log->throttle_rate, (now->throttle - last->throttle) / step);
        log->brake_rate = kerb_max(log->brake_rate, (now->brake - last->brake) / step);
        log->lift_rate = kerb_max(log->lift_rate, (last->throttle - now->throttle) / step);
        log->slowest = kerb_min(log->slowest, kerb_motion_forward_speed(&frame->motion));
        if (now->brake > 0.1f && last->brake <= 0.1f)
            log->onset = total;
        if (now->brake <= 0.1f && last->brake > 0.1f && log->onset > 0.0 &&
            total - log->onset > 20.0) {
            log->braked += total - log->onset;
            log->brakings++;
        }
    }
    log->time = frame->time;
    log->last = *now;
}

static pedal_log pedals_of(const racer_course* c, float late_braking, float smoothness) {
    pedal_log log = {.slowest = 1.0e6f};
    kerb_scene_race_lap lap = lap_of(c, 0.3f, 3, 4);
    lap.racer.settings.consistency = 1.0f;
    lap.racer.settings.late_braking = late_braking;
    lap.racer.settings.smoothness = smoothness;
    lap.watch = watch_pedals;
    lap.context = &log;
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(&lap, &result);
    assert_int_equal(result.laps, 4);
    return log;
}

static void a_late_braker_brakes_later_and_is_slower_in_the_bend(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    pedal_log early = pedals_of(&c, 0.0f, 0.5f), late = pedals_of(&c, 1.0f, 0.5f);
    assert_true(early.brakings >= 6);
    if (!(late.braked / late.brakings < early.braked / early.brakings &&
          late.slowest < early.slowest))
        fail_msg("braking %.1f m, at least %.2f m/s; early %.1f m, %.2f m/s",
                 late.braked / late.brakings, (double)late.slowest, early.braked / early.brakings,
                 (double)early.slowest);
    racer_course_close(&c);
}

static void smooth_feet_press_slowly_and_lift_at_once(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    pedal_log quick = pedals_of(&c, 0.5f, 0.0f), smooth = pedals_of(&c, 0.5f, 1.0f);
    assert_true(smooth.throttle_rate < 0.5f * quick.throttle_rate);
    assert_true(smooth.brake_rate < 0.9f * quick.brake_rate);
    assert_true(smooth.lift_rate > 10.0f);
    racer_course_close(&c);
}

// ------------------------------------------------------------------- its way and its plans

// Without skill it wanders no farther than this; and misses an apex by about a metre. [m], [m]
#define WANDER_MOST 2.0f
#define MISSES_BY 1.3f

static void its_way_wanders_by_two_metres_at_most_and_keeps_the_margin_to_the_edge(void** state) {
    (void)state;
    kerb_random random = test_random("wander");
    racer_course c;
    float farthest = 0.0f; // by what lacks to skill 1
    racer_course_open(&c, "overpass", "gt");
    for (int32_t k = 0; k < 200; k++) {
        kerb_racer racer = kerb_racer_make(&c.model.vehicle);
        racer.settings =
            kerb_racer_settings_of_seed(kerb_random_bits(&random), kerb_random_unit(&random));
        double at = (double)kerb_random_unit(&random) * c.line.length;
        kerb_motion motion = racer_course_motion(&c, at, 20.0f);
        kerb_racer_drive(&racer, &c.line, &motion, NULL, 0.02f);
        float keep = racer.settings.margin + 0.5f * racer.vehicle.width;
        for (int32_t bin = racer.memory.ahead.first; bin < racer.memory.ahead.end; bin++) {
            if (bin < 0)
                continue;
            float wander = racer.memory.ahead.wander[bin % KERB_RACER_LOOKAHEAD_BINS];
            double place = (double)bin * (double)racer.memory.ahead.spacing;
            kerb_line_point p = kerb_racing_line_at(&c.line, place);
            float room = kerb_max((wander > 0.0f ? p.left : p.right) - keep, 0.0f);
            assert_true(kerb_abs(wander) <= room);
            bool errs = kerb_in_racer_skill_errs(&racer, &c.line, place);
            float lacks = 1.0f - racer.settings.skill;
            assert_true(kerb_abs(wander) <= WANDER_MOST * lacks + (errs ? MISSES_BY : 0.0f));
            if (!errs && lacks > 0.5f)
                farthest = kerb_max(farthest, kerb_abs(wander) / lacks);
        }
    }
    assert_true(farthest > 0.4f * WANDER_MOST); // where there is room for it
    racer_course_close(&c);
}

// How fast it plans to be where it is. [m/s]
static float planned_speed(const kerb_racer* racer) {
    double at = racer->decision.total_distance / (double)racer->memory.ahead.spacing;
    int32_t bin =
        (int32_t)floor(at) + 1000 * KERB_RACER_LOOKAHEAD_BINS; // it may have been put backwards
    float share = (float)(at - floor(at));
    const float* squared = racer->memory.ahead.squared;
    float now = squared[bin % KERB_RACER_LOOKAHEAD_BINS],
          then = squared[(bin + 1) % KERB_RACER_LOOKAHEAD_BINS];
    return kerb_sqrt(now + (then - now) * share);
}

// The same, at the fastest of the bins about there. [m/s]
static float planned_about(const kerb_racer* racer) {
    int32_t bin =
        (int32_t)floor(racer->decision.total_distance / (double)racer->memory.ahead.spacing);
    float most = 0.0f;
    for (int32_t i = -1; i <= 2; i++)
        most = kerb_max(most,
                        racer->memory.ahead.squared[(bin + i + 1000 * KERB_RACER_LOOKAHEAD_BINS) %
                                                    KERB_RACER_LOOKAHEAD_BINS]);
    return kerb_sqrt(most);
}

// Of two drivers that see the same, at many places: by how much the first is ever faster than the
// second within a bin or two of it, since their bins lie elsewhere. [m/s]
static float faster_than(const racer_course* c, kerb_racer slow, kerb_racer fast,
                         kerb_random* random) {
    float most = -100.0f;
    for (int32_t k = 0; k < 300; k++) {
        double at = (double)kerb_random_unit(random) * c->line.length;
        kerb_motion motion = racer_course_motion(c, at, 30.0f);
        kerb_racer_drive(&slow, &c->line, &motion, NULL, 0.02f);
        kerb_racer_drive(&fast, &c->line, &motion, NULL, 0.02f);
        most = kerb_max(most, planned_speed(&slow) - planned_about(&fast));
    }
    return most;
}

static void no_rubber_band_makes_it_plan_faster_than_skill_1(void** state) {
    (void)state;
    kerb_random random = test_random("no_rubber_band_makes_it_plan_faster_than_skill_1");
    racer_course c;
    racer_course_open(&c, "overpass", "gt");
    for (int32_t k = 0; k < 20; k++) {
        kerb_racer best = kerb_racer_make(&c.model.vehicle), other = best;
        other.settings.skill = k == 0 ? 1.0f : kerb_random_unit(&random);
        other.settings.consistency = 1.0f;
        other.settings.seed = k;
        other.settings.pace_help = kerb_random_between(&random, -1.0f, 1.0f);
        other.memory.skill.help = other.settings.pace_help;
        // In a mistake it is 2 percent of grip, 1 of speed.
        float excess = faster_than(&c, other, best, &random);
        if (excess > 0.6f)
            fail_msg("skill %.3f, help %.3f, seed %d: %.2f m/s faster",
                     (double)other.settings.skill, (double)other.settings.pace_help, k,
                     (double)excess);
    }
    racer_course_close(&c);
}

// --------------------------------------------------------------- rubber-banding

static double time_with_help(const racer_course* c, float skill, float help) {
    kerb_scene_race_lap lap = lap_of(c, skill, 1, 4);
    lap.racer.settings.pace_help = help;
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(&lap, &result);
    assert_int_equal(result.laps, 4);
    return result.lap_time[3];
}

static void rubber_banding_works_both_ways_and_not_beyond_skill_1(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    double best = time_with_help(&c, 1.0f, 0.0f), plain = time_with_help(&c, 0.5f, 0.0f);
    double helped = time_with_help(&c, 0.5f, 1.0f), held = time_with_help(&c, 0.5f, -1.0f);
    assert_true(best < helped && helped < plain && plain < held);
    assert_true(time_with_help(&c, 1.0f, -0.5f) > 1.03 * best);
    racer_course_close(&c);
}

static void rubber_banding_comes_and_goes_smoothly_in_ten_seconds(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    kerb_racer racer = kerb_racer_make(&c.model.vehicle);
    kerb_motion motion = racer_course_motion(&c, 100.0, 20.0f);
    kerb_racer_drive(&racer, &c.line, &motion, NULL, 0.02f);
    float before = planned_speed(&racer);
    for (int32_t i = 0; i < 1200; i++) {
        racer.settings.pace_help = i < 600 ? -1.0f : 0.0f;
        kerb_racer_drive(&racer, &c.line, &motion, NULL, 0.02f);
        assert_true(kerb_abs(planned_speed(&racer) - before) < 0.01f * before);
        before = planned_speed(&racer);
        if (i % 600 < 490)
            assert_true(racer.memory.skill.help != racer.settings.pace_help);
        if (i % 600 > 510)
            assert_true(racer.memory.skill.help == racer.settings.pace_help);
    }
    racer_course_close(&c);
}

static void pace_help_follows_the_gap(void** state) {
    (void)state;
    // 20 m ahead of a range of 50 m, at most half: holds back by a fifth.
    assert_float_equal(kerb_racer_pace_help(20.0f, 50.0f, 0.5f), -0.2, 1e-6);
    assert_float_equal(kerb_racer_pace_help(-80.0f, 50.0f, 0.5f), 0.5, 1e-6);
    assert_float_equal(kerb_racer_pace_help(0.0f, 50.0f, 1.0f), 0.0, 0.0);
    assert_float_equal(kerb_racer_pace_help(10.0f, 0.0f, 1.0f), 0.0, 0.0);
    assert_true(kerb_is_finite(kerb_racer_pace_help(NAN, 50.0f, 1.0f)));
}

// ------------------------------------------------------------------- reaction

// Time from the moment that it may go until it goes. [s]
static float start_delay(const racer_course* c, float skill) {
    kerb_racer racer = kerb_racer_make(&c->model.vehicle);
    racer.settings.skill = skill;
    kerb_motion motion = racer_course_motion(c, 20.0, 0.0f);
    kerb_surroundings around = kerb_surroundings_default();
    around.speed_cap = 0.0f;
    for (int32_t i = 0; i < 300; i++)
        assert_int_equal(kerb_racer_drive(&racer, &c->line, &motion, &around, 0.01f).reason,
                         KERB_REASON_SPEED_CAP);
    around.speed_cap = 1000.0f;
    for (int32_t i = 0; i < 300; i++)
        if (kerb_racer_drive(&racer, &c->line, &motion, &around, 0.01f).reason !=
            KERB_REASON_SPEED_CAP)
            return 0.01f * (float)i;
    return 3.0f;
}

static void at_the_start_it_answers_later_the_less_skill_it_has(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    assert_float_equal(start_delay(&c, 1.0f), 0.0, 0.0);
    float half = start_delay(&c, 0.5f), none = start_delay(&c, 0.0f);
    assert_true(half >= 0.1f && half <= 0.5f);
    assert_true(none > half && none <= 1.0f);
    racer_course_close(&c);
}

// ------------------------------------------------------------------- people

static void people_are_plausible_and_differ(void** state) {
    (void)state;
    double sum = 0.0, squares = 0.0;
    for (uint32_t seed = 0; seed < 1000; seed++) {
        kerb_racer_settings a = kerb_racer_settings_of_seed(seed, 0.8f);
        kerb_racer_settings b = kerb_racer_settings_of_seed(seed, 0.8f);
        assert_memory_equal(&a, &b, sizeof a);
        assert_int_equal(kerb_settings_validate(&kerb_racer_settings_table, &a, NULL), KERB_OK);
        sum += (double)a.consistency;
        squares += (double)(a.consistency * a.consistency);
    }
    // The mean of three even numbers: 1/2, with a variance of 1/36.
    double mean = sum / 1000.0;
    assert_float_equal((float)mean, 0.5f, 0.03f);
    assert_float_equal((float)(squares / 1000.0 - mean * mean), 1.0f / 36.0f, 0.004f);
    kerb_racer_settings odd = kerb_racer_settings_of_seed(UINT32_MAX, NAN);
    assert_int_equal(kerb_settings_validate(&kerb_racer_settings_table, &odd, NULL), KERB_OK);
}

// Counts frames; a copy taken at one of them must say the same from there on.
typedef struct copied {
    const racer_course* course;
    kerb_racer racer;
    int32_t frames;
} copied;

static void compare(void* context, const kerb_scene_race_frame* frame) {
    copied* copy = context;
    if (copy->frames++ > 500) {
        kerb_racer_drive(&copy->racer, &copy->course->line, &frame->motion, NULL, 1.0f / 60.0f);
        assert_memory_equal(&copy->racer.controls, &frame->racer->controls, sizeof(kerb_controls));
        assert_memory_equal(&copy->racer.memory.skill, &frame->racer->memory.skill,
                            sizeof copy->racer.memory.skill);
    } else {
        copy->racer = *frame->racer;
    }
}

static void a_copy_errs_alike(void** state) {
    (void)state;
    racer_course c;
    racer_course_open(&c, "vamos", "gt");
    copied copy = {.course = &c};
    kerb_scene_race_lap lap = lap_of(&c, 0.2f, 7, 2);
    lap.watch = compare;
    lap.context = &copy;
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(&lap, &result);
    assert_true(copy.frames > 1000);
    racer_course_close(&c);
}

int racer_skill_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_skill_1_neither_seed_nor_habits_change_a_bit),
        cmocka_unit_test(lap_time_rises_steadily_as_skill_falls),
        cmocka_unit_test(nobody_leaves_the_track_more_than_once_in_ten_laps),
        cmocka_unit_test(the_less_consistent_the_more_its_laps_differ),
        cmocka_unit_test(without_skill_it_makes_a_mistake_in_about_ten_kilometres),
        cmocka_unit_test(in_a_mistake_it_counts_on_more_grip_and_goes_wide_and_then_takes_care),
        cmocka_unit_test(a_late_braker_brakes_later_and_is_slower_in_the_bend),
        cmocka_unit_test(smooth_feet_press_slowly_and_lift_at_once),
        cmocka_unit_test(its_way_wanders_by_two_metres_at_most_and_keeps_the_margin_to_the_edge),
        cmocka_unit_test(no_rubber_band_makes_it_plan_faster_than_skill_1),
        cmocka_unit_test(rubber_banding_works_both_ways_and_not_beyond_skill_1),
        cmocka_unit_test(rubber_banding_comes_and_goes_smoothly_in_ten_seconds),
        cmocka_unit_test(pace_help_follows_the_gap),
        cmocka_unit_test(at_the_start_it_answers_later_the_less_skill_it_has),
        cmocka_unit_test(people_are_plausible_and_differ),
        cmocka_unit_test(a_copy_errs_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
