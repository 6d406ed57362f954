// Directed seek: agents arrive, by ways as long as they should be.
//
// The agents are moved by kerb_agent_step and judged by scene/crowd/seeking.h, which looks at the
// arc that is swept, in doubles; lengths are compared with Dubins and with Reeds and Shepp.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/crowd/seeking.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

#define DEGREE 0.017453293

// What many trials come to.
typedef struct totals {
    int arrived, count, ratios;
    double driven, planned, most; // ratios to the shortest way
    double scatter;               // standard error of the mean driven
    double beyond;                // metres driven beyond 1.05 of the shortest way and a step
    double position, heading;     // greatest errors
} totals;

static totals run_named(const char* name, kerb_scene_seek_variant variant, float hz, int count,
                        bool disc) {
    kerb_random random = test_random(name);
    kerb_scene_seek_plan plan = {variant, 5.0f, 5.0f, hz, disc, kerb_random_bits(&random)};
    totals t = {.count = count, .beyond = -1e9};
    for (int i = 0; i < count; i++) {
        kerb_scene_seek_trial trial = kerb_scene_seek_trial_make(&plan, i);
        kerb_scene_seek_result r = kerb_scene_seek_run(&trial, NULL, NULL);
        double shortest = (double)trial.shortest;
        t.arrived += r.arrived ? 1 : 0;
        t.position = fmax(t.position, r.position_error - kerb_scene_seek_tolerance(&trial));
        t.heading = fmax(t.heading, r.heading_error);
        t.beyond = fmax(t.beyond, r.driven - 1.05 * shortest - 5.0 / (double)hz);
        if (!r.arrived || shortest < kerb_scene_seek_shortest_least(&plan))
            continue;
        t.ratios++;
        t.driven += r.driven / shortest;
        t.scatter += r.driven / shortest * (r.driven / shortest);
        t.planned += r.planned / shortest;
        t.most = fmax(t.most, r.driven / shortest);
    }
    t.driven /= t.ratios;
    t.planned /= t.ratios;
    t.scatter = sqrt((t.scatter / t.ratios - t.driven * t.driven) / t.ratios);
    return t;
}

static totals run_many(kerb_scene_seek_variant variant, float hz, int count, bool disc) {
    return run_named(kerb_scene_seek_word(variant), variant, hz, count, disc);
}

static void between(double value, double least, double most) {
    if (!(value >= least && value <= most))
        fail_msg("%.6f is not between %.6f and %.6f", value, least, most);
}

static void all_arrive(kerb_scene_seek_variant variant, int count) {
    const float hz[] = {10.0f, 30.0f, 60.0f, 120.0f};
    for (int i = 0; i < 4; i++) {
        totals t = run_many(variant, hz[i], count, i % 2 == 1);
        if (t.arrived != t.count)
            fail_msg("%s at %g Hz: %d of %d arrive", kerb_scene_seek_word(variant), (double)hz[i],
                     t.arrived, t.count);
        assert_true(t.position <= 0.0);
        assert_true(t.heading <= 2.0 * DEGREE);
    }
}

static void agents_arrive_by_every_way_on_the_level(void** state) {
    (void)state;
    for (int variant = KERB_SCENE_SEEK_PAPER; variant <= KERB_SCENE_SEEK_TWO_RADII; variant++)
        all_arrive((kerb_scene_seek_variant)variant, test_share(300, 60));
}

// From six radii on, whatever the headings.
static void agents_arrive_in_space(void** state) {
    (void)state;
    all_arrive(KERB_SCENE_SEEK_ONE_PLANE, 200);
    all_arrive(KERB_SCENE_SEEK_TWO_PLANES, 200);
}

// The first turn goes straight into the last plane; turning into it by and by takes longer.
static void in_two_planes_less_is_driven_than_in_one(void** state) {
    (void)state;
    // The same trials: by chance two means of a thousand differ by as much as the planes make.
    totals two = run_named("planes", KERB_SCENE_SEEK_TWO_PLANES, 30.0f, 1000, false);
    totals one = run_named("planes", KERB_SCENE_SEEK_ONE_PLANE, 30.0f, 1000, false);
    assert_true(two.driven < one.driven - 0.003);
    // What is thought out first is driven, to the tolerance that the goal is passed with.
    assert_float_equal(two.driven, two.planned, 0.002);
}

static kerb_vec3 turned_about(kerb_vec3 a, kerb_vec3 axis, float angle) {
    kerb_vec3 kept = kerb_vec3_scale(axis, kerb_vec3_dot(a, axis));
    kerb_vec3 across = kerb_vec3_sub(a, kept);
    kerb_vec3 side = kerb_vec3_cross(axis, a);
    kerb_vec3 turned = kerb_vec3_add(kerb_vec3_scale(across, kerb_cos(angle)),
                                     kerb_vec3_scale(side, kerb_sin(angle)));
    return kerb_vec3_add(kept, turned);
}

// Poses made by driving turn, straight, turn in two planes: the way back found is that way.
static void the_way_in_two_planes_is_found_again(void** state) {
    (void)state;
    kerb_random random = test_random("the_way_in_two_planes_is_found_again");
    int found = 0;
    for (int i = 0; i < 5000; i++) {
        kerb_scene_seek_plan plan = {KERB_SCENE_SEEK_TWO_PLANES, 5.0f, 5.0f, 60.0f, false, 1};
        kerb_scene_seek_trial trial = kerb_scene_seek_trial_make(&plan, i);
        float first = kerb_random_between(&random, 0.3f, 2.4f);
        float last = kerb_random_between(&random, 0.3f, 2.4f);
        float straight = kerb_random_between(&random, 25.0f, 60.0f);
        kerb_agent at = trial.agent;
        kerb_vec3 axis = kerb_vec3_unit(kerb_vec3_cross(at.forward, trial.goal.forward),
                                        kerb_vec3_make(0.0f, 0.0f, 1.0f));
        at = kerb_agent_predict(&at, axis, first); // 5 m/s and 1 rad/s: the tightest circle
        kerb_vec3 end = at.position;
        at = kerb_agent_predict(&at, kerb_vec3_make(0.0f, 0.0f, 0.0f), straight / 5.0f);
        kerb_vec3 begin = at.position;
        axis = turned_about(axis, at.forward, kerb_random_between(&random, -3.0f, 3.0f));
        at = kerb_agent_predict(&at, axis, last);
        trial.goal.position = at.position;
        trial.goal.forward = at.forward;
        kerb_directed_decision thoughts;
        kerb_directed_seek(&trial.settings, &trial.agent, &trial.goal, trial.time_step, &thoughts);
        float distance = 5.0f * (first + last) + straight;
        // All in one plane by chance, or there is a shorter one of the same kind.
        if (thoughts.word[0] != 'C' || thoughts.distance < distance - 0.1f)
            continue;
        found++;
        assert_float_equal(thoughts.distance, distance, 0.02);
        assert_float_equal(kerb_vec3_length(kerb_vec3_sub(thoughts.straight_from, end)), 0.0, 0.02);
        assert_float_equal(kerb_vec3_length(kerb_vec3_sub(thoughts.straight_to, begin)), 0.0, 0.02);
    }
    assert_true(found > 4900);
}

static double planned_over_shortest(kerb_scene_seek_variant variant, int count) {
    kerb_random random = test_random(kerb_scene_seek_word(variant));
    kerb_scene_seek_plan plan = {variant, 5.0f, 5.0f, 30.0f, false, kerb_random_bits(&random)};
    double sum = 0.0;
    int ratios = 0;
    for (int i = 0; i < count; i++) {
        kerb_scene_seek_trial trial = kerb_scene_seek_trial_make(&plan, i);
        kerb_scene_seek_drive drive = kerb_scene_seek_start(&trial);
        kerb_scene_seek_step(&drive);
        if ((double)trial.shortest < kerb_scene_seek_shortest_least(&plan))
            continue;
        sum += drive.result.planned / (double)trial.shortest;
        ratios++;
    }
    return sum / ratios;
}

// 1.163 and 1.086 are the known ratios for goals as often near as far, within 8 radii.
static void the_first_plan_is_as_long_as_the_paper_makes_it(void** state) {
    (void)state;
    between(planned_over_shortest(KERB_SCENE_SEEK_PAPER, 200000), 1.153, 1.173);
    between(planned_over_shortest(KERB_SCENE_SEEK_BOTH_CIRCLES, 200000), 1.076, 1.096);
}

// 1.151 is known for a closed loop without steps: an agent that runs along the goal's line changes
// sides there, the longer the shorter its steps, which can only cost it way.
static void by_the_papers_way_as_much_is_driven_as_it_should(void** state) {
    (void)state;
    totals t = run_many(KERB_SCENE_SEEK_PAPER, 60.0f, 5000, false);
    between(t.driven, 1.151 - 0.02 - 3.0 * t.scatter, 1.151 + 0.02 + 3.0 * t.scatter);
}

static void by_both_circles_little_more_than_the_shortest_way_is_driven(void** state) {
    (void)state;
    between(run_many(KERB_SCENE_SEEK_BOTH_CIRCLES, 60.0f, 2000, false).driven, 1.0, 1.03);
}

// An agent that is there within the tolerance has not driven the last of its way.
static void by_dubins_the_shortest_way_is_driven(void** state) {
    (void)state;
    totals t = run_many(KERB_SCENE_SEEK_DUBINS, 10.0f, 4000, false);
    between(t.driven, 0.99, 1.005);
    between(t.beyond, -1e9, 0.0);
    t = run_many(KERB_SCENE_SEEK_DUBINS, 120.0f, 1000, false);
    between(t.driven, 0.99, 1.005);
    between(t.beyond, -1e9, 0.0);
}

// What a step leaves beside the way is let pass in long steps, and must not become a circle once
// the agent has braked and its steps are short.
static void by_dubins_braking_does_not_cost_a_circle(void** state) {
    (void)state;
    const float hz[] = {10.0f, 30.0f, 60.0f, 120.0f};
    kerb_random random = test_random("by_dubins_braking_does_not_cost_a_circle");
    for (int i = 0; i < 1600; i++) {
        float scale = i % 2 ? 50.0f : 5.0f; // steps of up to a tenth of the radius at 10 Hz
        kerb_scene_seek_plan plan = {KERB_SCENE_SEEK_DUBINS, scale,      scale,
                                     hz[i / 2 % 4],          i % 3 == 0, kerb_random_bits(&random)};
        kerb_scene_seek_trial trial = kerb_scene_seek_trial_make(&plan, i);
        trial.agent.speed = scale * kerb_random_unit(&random);
        trial.goal.speed = scale * kerb_random_unit(&random);
        trial.agent.braking = scale * kerb_random_between(&random, 0.1f, 3.0f);
        kerb_scene_seek_result r = kerb_scene_seek_run(&trial, NULL, NULL);
        assert_true(r.arrived);
        between(r.driven, 0.0, 1.05 * (double)trial.shortest + (double)(scale / plan.hz));
    }
}

static void in_reverse_little_more_than_the_shortest_way_is_driven(void** state) {
    (void)state;
    between(run_many(KERB_SCENE_SEEK_REVERSE, 30.0f, 2000, false).driven, 0.99, 1.02);
}

// Where `metres` of an arc, then of another end.
static kerb_pose after_arcs(kerb_pose from, float first, float metres, float second, float more) {
    kerb_curve arcs = {from, 2, {first, second}, {metres, more}};
    return kerb_curve_end(&arcs);
}

static kerb_pose pose_at(kerb_vec3 position, kerb_vec3 forward) {
    kerb_pose pose = {{position.x, position.y}, {forward.x, forward.y}};
    return pose;
}

// The shortest way for who rolls on for its stopping distance before it can drive backwards, among
// those that begin with two arcs as long as that; or without reversing.
static float shortest_with_brakes(const kerb_scene_seek_trial* trial) {
    const kerb_agent* agent = &trial->agent;
    kerb_pose from = pose_at(agent->position, agent->forward);
    kerb_pose to = pose_at(trial->goal.position, trial->goal.forward);
    float rolls = 0.5f * agent->speed * agent->speed / agent->braking;
    float radius = agent->turning_radius, best = kerb_dubins_length(from, to, radius);
    for (int i = 0; i < 9 * 9 * 4; i++) {
        int quarters = i / 81, kind = i / 9 % 9 - 4;
        float first = 0.25f * (float)(i % 9 - 4) / radius, second = 0.25f * (float)kind / radius;
        float share = 0.25f * (float)quarters;
        kerb_pose there = after_arcs(from, first, share * rolls, second, (1.0f - share) * rolls);
        best = kerb_min(best, rolls + kerb_reeds_shepp_length(there, to, radius));
    }
    return best;
}

static void in_reverse_brakes_cost_little_more_than_rolling_on(void** state) {
    (void)state;
    kerb_random random = test_random("brakes");
    kerb_scene_seek_plan plan = {KERB_SCENE_SEEK_REVERSE,  5.0f, 5.0f, 30.0f, false,
                                 kerb_random_bits(&random)};
    const float braking[] = {3.0f, 10.0f};
    const double most[] = {1.04, 1.01};
    for (int32_t k = 0; k < 2; k++) {
        double ratio = 0.0;
        enum { COUNT = 400 };
        for (int i = 0; i < COUNT; i++) {
            kerb_scene_seek_trial trial = kerb_scene_seek_trial_make(&plan, i);
            trial.agent.braking = trial.agent.acceleration = braking[k];
            kerb_scene_seek_result r = kerb_scene_seek_run(&trial, NULL, NULL);
            assert_true(r.arrived);
            ratio += r.driven / (double)shortest_with_brakes(&trial);
        }
        between(ratio / COUNT, 0.99, most[k]);
    }
}

// --------------------------------------------------------------------------- single cases

static kerb_scene_seek_trial trial_to(float x, float y, float heading, float speed) {
    kerb_scene_seek_trial trial = {.settings = kerb_directed_seek_settings_default(),
                                   .time_step = 1.0f / 60.0f,
                                   .radius_standing = 1.0f,
                                   .shortest = 20.0f};
    trial.agent = (kerb_agent){.forward = {1.0f, 0.0f, 0.0f},
                               .speed = 5.0f,
                               .radius = 1.0f,
                               .turning_radius = 5.0f,
                               .speed_max = 5.0f,
                               .acceleration = 2.0f,
                               .braking = 3.0f};
    trial.goal = (kerb_directed_goal){
        {x, y, 0.0f}, {kerb_cos(heading), kerb_sin(heading), 0.0f}, speed, 5.0f};
    return trial;
}

static kerb_steering ask(const kerb_scene_seek_trial* trial, kerb_directed_decision* thoughts) {
    return kerb_directed_seek(&trial->settings, &trial->agent, &trial->goal, trial->time_step,
                              thoughts);
}

static void straight_ahead_it_goes_straight_on(void** state) {
    (void)state;
    for (int way = KERB_DIRECTED_PAPER; way <= KERB_DIRECTED_REVERSE; way++) {
        kerb_scene_seek_trial trial = trial_to(30.0f, 0.0f, 0.0f, 5.0f);
        trial.settings.method = way;
        kerb_directed_decision thoughts;
        kerb_steering wish = ask(&trial, &thoughts);
        assert_float_equal(wish.direction.x, 1.0, 1e-6);
        assert_float_equal(wish.speed, 5.0, 1e-6);
        assert_float_equal(thoughts.distance, 30.0, 1e-3);
    }
}

// Beside the goal's line by less than a circle, straight to its left: a turn of a whole circle.
static void a_goal_just_behind_costs_a_circle(void** state) {
    (void)state;
    kerb_scene_seek_trial trial = trial_to(-2.0f, 0.0f, 0.0f, 5.0f);
    kerb_directed_decision thoughts;
    ask(&trial, &thoughts);
    assert_float_equal(thoughts.turning, 6.2831853, 1e-3);
    assert_true(thoughts.distance > 27.0f && thoughts.distance < 33.5f);
}

static void a_quarter_turn_is_one_stage(void** state) {
    (void)state;
    kerb_scene_seek_trial trial = trial_to(5.0f, 5.0f, 0.5f * KERB_PI, 5.0f);
    kerb_directed_decision thoughts;
    kerb_steering wish = ask(&trial, &thoughts);
    assert_float_equal(wish.direction.y, 1.0, 1e-3); // across: turning all the time
    assert_float_equal(thoughts.distance, 2.5f * KERB_PI, 1e-3);
    assert_int_equal(thoughts.stage, KERB_DIRECTED_LAST_TURN);
    assert_float_equal(thoughts.last_centre.y, 5.0, 1e-3);
    assert_float_equal(thoughts.last_centre.x, 0.0, 1e-3);
}

static void it_brakes_in_time_to_stop_at_the_goal(void** state) {
    (void)state;
    const float wanted[] = {0.0f, 1.0f, 3.0f};
    for (int way = KERB_DIRECTED_PAPER; way <= KERB_DIRECTED_REVERSE; way++) {
        for (int i = 0; i < 3; i++) {
            kerb_scene_seek_trial trial = trial_to(12.0f, 9.0f, 1.0f, wanted[i]);
            trial.settings.method = way;
            kerb_agent agent = trial.agent;
            float nearest = 1e9f, speed = 1e9f;
            for (int k = 0; k < 600; k++) {
                trial.agent = agent;
                kerb_steering wish = ask(&trial, NULL);
                agent = kerb_agent_step(&agent, &wish, trial.time_step);
                float d = kerb_vec3_length(kerb_vec3_sub(agent.position, trial.goal.position));
                if (d > nearest)
                    break; // past it, or standing before it
                nearest = d;
                speed = agent.speed;
            }
            assert_true(nearest < 0.05f);
            assert_float_equal(speed, wanted[i], 0.15);
        }
    }
}

// Pushed about at random, agents still arrive when they are let go.
static void being_pushed_aside_does_no_harm(void** state) {
    (void)state;
    kerb_random random = test_random("being_pushed_aside_does_no_harm");
    kerb_scene_seek_plan plan = {KERB_SCENE_SEEK_PAPER,    5.0f, 5.0f, 60.0f, false,
                                 kerb_random_bits(&random)};
    for (int i = 0; i < 300; i++) {
        plan.variant = (kerb_scene_seek_variant)(i % 4);
        kerb_scene_seek_trial trial = kerb_scene_seek_trial_make(&plan, i);
        for (int k = 0; k < 60; k++) {
            kerb_steering wish = ask(&trial, NULL);
            trial.agent = kerb_agent_step(&trial.agent, &wish, trial.time_step);
            trial.agent.position.x += kerb_random_between(&random, -0.05f, 0.05f);
            trial.agent.position.y += kerb_random_between(&random, -0.05f, 0.05f);
        }
        assert_true(kerb_scene_seek_run(&trial, NULL, NULL).arrived);
    }
}

// Once on its way it turns one way, goes straight, turns one way: no change of mind, no twitching.
static void the_wheel_is_turned_no_more_often_than_the_way_asks(void** state) {
    (void)state;
    kerb_random random = test_random("the_wheel_is_turned_no_more_often_than_the_way_asks");
    kerb_scene_seek_plan plan = {KERB_SCENE_SEEK_DUBINS,   5.0f, 5.0f, 60.0f, false,
                                 kerb_random_bits(&random)};
    for (int i = 0; i < 500; i++) {
        kerb_scene_seek_trial trial = kerb_scene_seek_trial_make(&plan, i);
        int changes = 0;
        float side = 0.0f;
        for (int k = 0; k < 5000; k++) {
            kerb_directed_decision thoughts;
            kerb_steering wish = ask(&trial, &thoughts);
            if (thoughts.stage == KERB_DIRECTED_AT_GOAL)
                break;
            kerb_vec3 f = trial.agent.forward;
            float turn = f.x * wish.direction.y - f.y * wish.direction.x;
            if (fabsf(turn) > 0.004f && turn * side <= 0.0f) {
                changes++;
                side = turn;
            }
            trial.agent = kerb_agent_step(&trial.agent, &wish, trial.time_step);
        }
        assert_true(changes <= 3);
    }
}

static void it_is_the_same_wherever_it_happens(void** state) {
    (void)state;
    kerb_random random = test_random("it_is_the_same_wherever_it_happens");
    for (int i = 0; i < 2000; i++) {
        float h = kerb_random_between(&random, -3.0f, 3.0f);
        kerb_scene_seek_trial trial =
            trial_to(kerb_random_between(&random, -30.0f, 30.0f),
                     kerb_random_between(&random, -30.0f, 30.0f), h, 5.0f);
        kerb_directed_decision one, other;
        ask(&trial, &one);
        trial.agent.position.y = -trial.agent.position.y; // in the mirror
        trial.goal.position.y = -trial.goal.position.y;
        trial.goal.forward.y = -trial.goal.forward.y;
        ask(&trial, &other);
        assert_float_equal(one.distance, other.distance, 1e-3);
        assert_float_equal(one.turning, other.turning, 1e-4);
    }
}

static kerb_scene_seek_trial any_trial(kerb_random* random, int space) {
    kerb_scene_seek_trial trial =
        trial_to(0.0f, 0.0f, kerb_random_between(random, -3.0f, 3.0f), 5.0f);
    trial.settings.method = kerb_random_below(random, 4);
    trial.settings.radius = kerb_random_below(random, 3);
    trial.settings.space = space;
    trial.goal.position.x = kerb_random_between(random, -60.0f, 60.0f);
    trial.goal.position.y = kerb_random_between(random, -60.0f, 60.0f);
    if (space == KERB_DIRECTED_LEVEL)
        return trial;
    trial.goal.position.z = kerb_random_between(random, -60.0f, 60.0f);
    trial.goal.forward.z = kerb_random_between(random, -1.0f, 1.0f);
    trial.goal.forward = kerb_vec3_unit(trial.goal.forward, trial.agent.forward);
    return trial;
}

static void a_direction_of_any_length_is_the_same_goal(void** state) {
    (void)state;
    kerb_random random = test_random("a_direction_of_any_length_is_the_same_goal");
    for (int i = 0; i < 6000; i++) {
        kerb_scene_seek_trial trial = any_trial(&random, i % 3);
        kerb_directed_decision one, other;
        kerb_steering unit = ask(&trial, &one);
        float length = powf(10.0f, kerb_random_between(&random, -15.0f, 15.0f));
        trial.goal.forward = kerb_vec3_scale(trial.goal.forward, length);
        // On the level heights count for nothing.
        if (trial.settings.space == KERB_DIRECTED_LEVEL)
            trial.goal.forward.z = length * kerb_random_between(&random, -3.0f, 3.0f);
        kerb_steering wish = ask(&trial, &other);
        // Of two ways as long, a rounding may choose.
        if (strcmp(one.word, other.word) != 0)
            continue;
        assert_float_equal(kerb_vec3_length(kerb_vec3_sub(wish.direction, unit.direction)), 0.0,
                           2e-3);
        assert_float_equal(one.distance, other.distance, 2e-3);
        assert_float_equal(one.turning, other.turning, 2e-3);
    }
}

static void a_goal_without_a_direction_is_refused(void** state) {
    (void)state;
    const kerb_vec3 nowhere = {0.0f, 0.0f, 0.0f}, up = {0.0f, 0.0f, 1.0f};
    kerb_random random = test_random("a_goal_without_a_direction_is_refused");
    for (int i = 0; i < 300; i++) {
        kerb_scene_seek_trial trial = any_trial(&random, i % 3);
        kerb_directed_decision thoughts;
        trial.goal.forward = nowhere;
        assert_true(kerb_vec3_length(ask(&trial, &thoughts).direction) == 0.0f);
        assert_int_equal(thoughts.stage, KERB_DIRECTED_NO_PATH);
        trial.goal.forward = up;
        bool level = trial.settings.space == KERB_DIRECTED_LEVEL;
        assert_true((kerb_vec3_length(ask(&trial, &thoughts).direction) == 0.0f) == level);
    }
}

static void numbers_that_are_none_wish_nothing(void** state) {
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int way = KERB_DIRECTED_PAPER; way <= KERB_DIRECTED_REVERSE; way++) {
        for (int i = 0; i < 3; i++) {
            for (int field = 0; field < 6; field++) {
                kerb_scene_seek_trial trial = trial_to(20.0f, 3.0f, 1.0f, 5.0f);
                trial.settings.method = way;
                float* fields[] = {&trial.agent.position.x, &trial.agent.forward.y,
                                   &trial.agent.speed,      &trial.goal.position.y,
                                   &trial.goal.forward.x,   &trial.time_step};
                *fields[field] = bad[i];
                kerb_directed_decision thoughts;
                kerb_steering wish = ask(&trial, &thoughts);
                assert_true(wish.direction.x == 0.0f && wish.direction.y == 0.0f);
                assert_int_equal(thoughts.stage, KERB_DIRECTED_NO_PATH);
            }
        }
    }
}

static void huge_and_tiny_numbers_wish_something_finite(void** state) {
    (void)state;
    kerb_random random = test_random("huge_and_tiny_numbers_wish_something_finite");
    for (int i = 0; i < 20000; i++) {
        kerb_scene_seek_trial trial =
            trial_to(0.0f, 0.0f, kerb_random_between(&random, -4.0f, 4.0f),
                     kerb_random_between(&random, 0.0f, 50.0f));
        float scale = powf(10.0f, kerb_random_between(&random, -9.0f, 9.0f));
        trial.settings.method = kerb_random_below(&random, 4);
        trial.settings.radius = kerb_random_below(&random, 3);
        trial.settings.space = kerb_random_below(&random, 3);
        trial.goal.position.x = scale * kerb_random_between(&random, -1.0f, 1.0f);
        trial.goal.position.y = scale * kerb_random_between(&random, -1.0f, 1.0f);
        trial.agent.turning_radius = powf(10.0f, kerb_random_between(&random, -9.0f, 9.0f));
        trial.goal.turning_radius = powf(10.0f, kerb_random_between(&random, -9.0f, 9.0f));
        trial.time_step = powf(10.0f, kerb_random_between(&random, -6.0f, 3.0f));
        kerb_directed_decision thoughts;
        kerb_steering wish = ask(&trial, &thoughts);
        assert_true(kerb_vec3_is_finite(wish.direction) && kerb_is_finite(wish.speed));
        assert_float_equal(kerb_vec3_length(wish.direction), 1.0, 1e-4);
        assert_true(kerb_is_finite(thoughts.distance) && kerb_is_finite(thoughts.turning));
    }
}

static void the_settings_have_the_defaults_of_their_table(void** state) {
    (void)state;
    kerb_directed_seek_settings settings = kerb_directed_seek_settings_default();
    kerb_error error;
    assert_int_equal(kerb_settings_validate(&kerb_directed_seek_settings_table, &settings, &error),
                     KERB_OK);
    settings.arrival_share = -0.1f;
    assert_int_equal(kerb_settings_validate(&kerb_directed_seek_settings_table, &settings, &error),
                     KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "arrival_share");
}

int directed_seek_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agents_arrive_by_every_way_on_the_level),
        cmocka_unit_test(agents_arrive_in_space),
        cmocka_unit_test(in_two_planes_less_is_driven_than_in_one),
        cmocka_unit_test(the_way_in_two_planes_is_found_again),
        cmocka_unit_test(the_first_plan_is_as_long_as_the_paper_makes_it),
        cmocka_unit_test(by_the_papers_way_as_much_is_driven_as_it_should),
        cmocka_unit_test(by_both_circles_little_more_than_the_shortest_way_is_driven),
        cmocka_unit_test(by_dubins_the_shortest_way_is_driven),
        cmocka_unit_test(by_dubins_braking_does_not_cost_a_circle),
        cmocka_unit_test(in_reverse_little_more_than_the_shortest_way_is_driven),
        cmocka_unit_test(in_reverse_brakes_cost_little_more_than_rolling_on),
        cmocka_unit_test(straight_ahead_it_goes_straight_on),
        cmocka_unit_test(a_goal_just_behind_costs_a_circle),
        cmocka_unit_test(a_quarter_turn_is_one_stage),
        cmocka_unit_test(it_brakes_in_time_to_stop_at_the_goal),
        cmocka_unit_test(being_pushed_aside_does_no_harm),
        cmocka_unit_test(the_wheel_is_turned_no_more_often_than_the_way_asks),
        cmocka_unit_test(it_is_the_same_wherever_it_happens),
        cmocka_unit_test(a_direction_of_any_length_is_the_same_goal),
        cmocka_unit_test(a_goal_without_a_direction_is_refused),
        cmocka_unit_test(numbers_that_are_none_wish_nothing),
        cmocka_unit_test(huge_and_tiny_numbers_wish_something_finite),
        cmocka_unit_test(the_settings_have_the_defaults_of_their_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
