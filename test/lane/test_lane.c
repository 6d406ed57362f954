// The lane keeper by itself: its formulas, its rays, and single frames with answers made up here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/control/steering_near.h"
#include "test/lane/lane_rig.h"
#include "test/seed.h"

#include <math.h>

static kerb_lane_keeper make(void) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    return kerb_lane_keeper_make(&vehicle);
}

static kerb_motion moving(float speed) {
    kerb_motion motion = kerb_motion_default();
    motion.velocity.x = speed;
    return motion;
}

// A straight road along x: edges at y = -right and y = left; somebody ahead where gap > 0.
typedef struct world {
    float right, left;
    float gap, aside, speed;    // of a vehicle 2 m wide ahead
    float behind, behind_speed; // one in the lane to the left
    float toward;               // one that comes at 15 m/s, 3.5 m to the left
    float beside, beside_speed; // y of the near side of one 8 to 20 m ahead, and its speed in y
} world;

static kerb_lane_hit answer(const world* w, const kerb_lane_ray* ray) {
    kerb_lane_hit hit = {.distance = ray->length};
    float y = ray->direction.y > 0.0f ? w->left : -w->right;
    float distance = (y - ray->origin.y) / ray->direction.y;
    if (fabsf(ray->direction.y) > 1e-6f && distance >= 0.0f && distance < hit.distance) {
        hit.kind = KERB_LANE_HIT_EDGE;
        hit.distance = distance;
        hit.normal.y = ray->direction.y > 0.0f ? -1.0f : 1.0f;
    }
    if (w->toward > 0.0f && ray->direction.x > 0.1f) {
        float there = (w->toward - ray->origin.x) / ray->direction.x;
        float at = ray->origin.y + ray->direction.y * there;
        if (there >= 0.0f && there < hit.distance && fabsf(at - 3.5f) < 1.0f) {
            hit.kind = KERB_LANE_HIT_VEHICLE;
            hit.distance = there;
            hit.velocity.x = -15.0f;
        }
    }
    if (w->gap > 0.0f && ray->direction.x > 0.1f) {
        float there = (w->gap - ray->origin.x) / ray->direction.x;
        float at = ray->origin.y + ray->direction.y * there;
        if (there >= 0.0f && there < hit.distance && fabsf(at - w->aside) < 1.0f) {
            hit.kind = KERB_LANE_HIT_VEHICLE;
            hit.distance = there;
            hit.velocity.x = w->speed;
        }
    }
    if (w->beside > 0.0f && ray->direction.y > 0.9f && ray->origin.x > 8.0f &&
        ray->origin.x < 20.0f) {
        hit.kind = KERB_LANE_HIT_VEHICLE;
        hit.distance = w->beside - ray->origin.y;
        hit.velocity = kerb_vec3_make(15.0f, w->beside_speed, 0.0f);
    }
    if (w->behind > 0.0f && ray->direction.x < -0.9f && w->behind < hit.distance) {
        hit.kind = KERB_LANE_HIT_VEHICLE;
        hit.distance = w->behind;
        hit.velocity.x = w->behind_speed;
    }
    return hit;
}

static kerb_controls step_for(kerb_lane_keeper* keeper, const world* w, const kerb_motion* motion,
                              float time_step) {
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
    kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
    int32_t count = kerb_lane_keeper_rays(keeper, motion, rays);
    for (int32_t i = 0; i < count; i++)
        hits[i] = answer(w, &rays[i]);
    return kerb_lane_keeper_drive(keeper, rays, hits, count, motion, NULL, time_step);
}

static kerb_controls step(kerb_lane_keeper* keeper, const world* w, const kerb_motion* motion) {
    return step_for(keeper, w, motion, 1.0f / 60.0f);
}

static bool are_same(const kerb_controls* a, const kerb_controls* b) {
    return a->throttle == b->throttle && a->brake == b->brake && a->steering == b->steering &&
           a->gear == b->gear && a->reason == b->reason;
}

static void it_drives_alike_whether_or_not_and_with_whatever_motion_it_asked_before(void** state) {
    (void)state;
    kerb_random random = test_random("lane_asked");
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_lane_keeper asks = kerb_lane_keeper_make(&vehicle), does_not = asks, asks_amiss = asks;
    for (int i = 0; i < 300; i++) {
        world w = {.right = kerb_random_between(&random, 1.0f, 3.0f), .left = 5.0f};
        w.gap = i % 3 == 0 ? kerb_random_between(&random, 10.0f, 60.0f) : 0.0f;
        kerb_motion motion = moving(kerb_random_between(&random, 0.0f, 30.0f));
        motion.position.x = 0.3f * (float)i;
        motion.angular_velocity.z = kerb_random_between(&random, -0.3f, 0.3f);
        motion.rotation = kerb_quat_from_heading(kerb_random_between(&random, -0.2f, 0.2f));
        kerb_motion other = motion;
        other.position.y += 0.4f;
        other.velocity.x += 1.0f;
        kerb_lane_ray rays[KERB_LANE_RAYS_MAX], unused[KERB_LANE_RAYS_MAX];
        kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
        int32_t count = kerb_lane_keeper_rays(&asks, &motion, rays);
        for (int32_t k = 0; k < count; k++)
            hits[k] = answer(&w, &rays[k]);
        kerb_lane_keeper_rays(&asks_amiss, &other, unused);
        const float step = 1.0f / 60.0f;
        kerb_controls a = kerb_lane_keeper_drive(&asks, rays, hits, count, &motion, NULL, step);
        kerb_controls b = kerb_lane_keeper_drive(&does_not, rays, hits, count, &motion, NULL, step);
        kerb_controls c =
            kerb_lane_keeper_drive(&asks_amiss, rays, hits, count, &motion, NULL, step);
        assert_true(are_same(&a, &b));
        assert_true(are_same(&a, &c));
        // What was asked with the last motion does not count for this one, should it be the same.
        a = kerb_lane_keeper_drive(&asks, rays, hits, count, &motion, NULL, step);
        b = kerb_lane_keeper_drive(&does_not, rays, hits, count, &motion, NULL, step);
        c = kerb_lane_keeper_drive(&asks_amiss, rays, hits, count, &motion, NULL, step);
        assert_true(are_same(&a, &b));
        assert_true(are_same(&a, &c));
    }
}

// Whether it begins to go round somebody ahead who drives, with so much road in sight.
static bool goes_round(float gap, float speed, float sight) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_lane_keeper keeper = kerb_lane_keeper_make(&vehicle);
    keeper.settings.sight = sight;
    kerb_motion motion = moving(20.0f);
    world w = {.right = 1.75f, .left = 8.75f};
    for (int i = 0; i < 60; i++) {
        w.gap = i < 30 ? 0.0f : gap + vehicle.reference_to_front;
        w.speed = speed;
        step(&keeper, &w, &motion);
    }
    return keeper.decision.avoiding;
}

static void who_drives_is_passed_only_where_the_way_that_it_takes_is_in_sight(void** state) {
    (void)state;
    // From 40 m behind, at 20 m/s, somebody of 5 m/s has been left 12 m behind after 75 m.
    assert_true(goes_round(40.0f, 5.0f, 100.0f));
    assert_false(goes_round(40.0f, 5.0f, 65.0f));
    assert_true(goes_round(40.0f, 0.0f, 65.0f));
}

static void the_point_to_drive_to_lies_off_the_edge_along_its_normal(void** state) {
    (void)state;
    kerb_vec3 point = kerb_lane_target_point(kerb_vec3_make(10.0f, -3.0f, 1.0f),
                                             kerb_vec3_make(0.6f, 0.8f, 0.0f), 2.0f);
    assert_float_equal(point.x, 11.2f, 1e-5f);
    assert_float_equal(point.y, -1.4f, 1e-5f);
    assert_float_equal(point.z, 1.0f, 0.0f);
}

static void the_law_of_cosines_gives_back_its_radius(void** state) {
    (void)state;
    kerb_random random = test_random("lane_cosines");
    for (int i = 0; i < 1000; i++) {
        float wheelbase = kerb_random_between(&random, 2.0f, 6.0f);
        float radius = kerb_random_between(&random, wheelbase, 100.0f);
        double angle = (double)kerb_lane_angle_by_cosines(wheelbase, 1.0f / radius);
        double back = (double)wheelbase / sqrt(2.0 - 2.0 * cos(2.0 * angle));
        assert_true(fabs(back / (double)radius - 1.0) < 0.002);
        assert_true(kerb_lane_angle_by_cosines(wheelbase, -1.0f / radius) == -(float)angle);
    }
    assert_float_equal(kerb_lane_angle_by_cosines(3.0f, 0.0f), 0.0f, 0.0f);
    assert_true(isfinite(kerb_lane_angle_by_cosines(3.0f, 1e9f)));
}

static void beside_its_lane_it_steers_as_errors_fade_critically_damped(void** state) {
    (void)state;
    // On a straight 0.2 m off: -4·e/reach², where errors fade over the look-ahead distance.
    world w = {.right = 1.95f, .left = 5.0f};
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(0.0f);
    kerb_controls controls = step(&keeper, &w, &motion);
    for (int i = 0; i < 60; i++)
        controls = step(&keeper, &w, &motion);
    float reach = keeper.settings.lookahead_min;
    float curvature = -4.0f * 0.2f / (reach * reach);
    assert_float_equal(keeper.decision.commanded_curvature, curvature, 1e-3f);
    float angle = atanf(keeper.vehicle.wheelbase * curvature);
    assert_float_equal(controls.steering, angle / keeper.vehicle.steering_angle_max, 2e-3f);

    keeper.settings.steering = KERB_LANE_COSINES;
    controls = step(&keeper, &w, &motion);
    angle = kerb_lane_angle_by_cosines(keeper.vehicle.wheelbase, curvature);
    assert_float_equal(controls.steering, angle / keeper.vehicle.steering_angle_max, 2e-3f);
}

static void behind_somebody_it_wants_the_speed_of_the_time_gap(void** state) {
    (void)state;
    world w = {.right = 1.75f, .left = 1.75f, .gap = 30.0f, .speed = 12.0f};
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(15.0f);
    for (int i = 0; i < 5; i++)
        step(&keeper, &w, &motion);
    const kerb_lane_settings* s = &keeper.settings;
    float gap = 30.0f - keeper.vehicle.reference_to_front;
    assert_float_equal(keeper.decision.gap, gap, 1e-3f);
    float speed = kerb_gap_speed(gap, 12.0f, s->gap_time, s->gap_min, s->deceleration);
    assert_float_equal(keeper.decision.target_speed, speed, 1e-3f);
    assert_int_equal(keeper.controls.reason, KERB_REASON_FOLLOWING);
}

// At 60, 120 and 240 Hz, from every phase: alone, it may keep its pedals for 0.02 s and the frame
// in which that ends.
static void pedals_follow_a_new_wish_within_a_fiftieth_of_a_second(void** state) {
    (void)state;
    static const float rates[] = {60.0f, 120.0f, 240.0f};
    for (int r = 0; r < 3; r++)
        for (int phase = 0; phase < 6; phase++) {
            world w = {.right = 1.75f, .left = 5.25f};
            kerb_lane_keeper keeper = make();
            kerb_motion motion = moving(15.0f);
            for (int i = 0; i < 30 + phase; i++)
                step_for(&keeper, &w, &motion, 1.0f / rates[r]);
            assert_true(keeper.controls.throttle > 0.0f);
            keeper.settings.speed = 8.0f;
            float waited = 0.0f;
            while (step_for(&keeper, &w, &motion, 1.0f / rates[r]).brake == 0.0f)
                waited += 1.0f / rates[r];
            assert_true(waited < 0.0201f);
        }
}

static void who_comes_into_view_is_braked_for_in_the_same_frame(void** state) {
    (void)state;
    for (int phase = 0; phase < 6; phase++) {
        world w = {.right = 1.75f, .left = 1.75f};
        kerb_lane_keeper keeper = make();
        kerb_motion motion = moving(20.0f);
        for (int i = 0; i < 30 + phase; i++)
            step_for(&keeper, &w, &motion, 1.0f / 240.0f);
        w.gap = 30.0f;
        assert_true(step_for(&keeper, &w, &motion, 1.0f / 240.0f).brake > 0.5f);
        // And who has gone is no longer braked for in the frame after.
        w.gap = 0.0f;
        kerb_controls controls = step_for(&keeper, &w, &motion, 1.0f / 240.0f);
        assert_true(keeper.decision.gap < 0.0f && controls.brake < 0.5f);
    }
}

static void the_wheels_follow_the_lane_in_every_frame(void** state) {
    (void)state;
    world w = {.right = 1.75f, .left = 5.25f};
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(15.0f);
    float before = 0.0f;
    for (int i = 0; i < 30; i++) {
        motion.position.y += 0.01f; // ever farther to the left of its lane
        float steering = step_for(&keeper, &w, &motion, 1.0f / 240.0f).steering;
        assert_true(steering < before);
        before = steering;
    }
}

static void who_comes_towards_it_in_its_lane_is_braked_for(void** state) {
    (void)state;
    world w = {.right = 1.75f, .left = 1.75f, .gap = 60.0f, .speed = -15.0f};
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(15.0f);
    kerb_controls controls = {0};
    for (int i = 0; i < 5; i++)
        controls = step(&keeper, &w, &motion);
    assert_true(controls.brake > 0.5f);
}

static void who_comes_towards_it_in_the_other_lane_is_let_be(void** state) {
    (void)state;
    world w = {.right = 1.75f, .left = 5.25f, .gap = 40.0f, .aside = 3.5f, .speed = -15.0f};
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(15.0f);
    for (int i = 0; i < 5; i++)
        step(&keeper, &w, &motion);
    assert_true(keeper.decision.gap < 0.0f);
    assert_true(keeper.decision.target_speed > 15.0f);
}

static void who_comes_into_its_lane_is_followed_before_rays_along_the_lane_meet_it(void** state) {
    (void)state;
    static const float speeds[] = {-2.0f, 0.0f, 2.0f, -0.3f};
    for (int i = 0; i < 4; i++) {
        world w = {.right = 1.75f, .left = 5.25f, .beside = 2.0f, .beside_speed = speeds[i]};
        kerb_lane_keeper keeper = make();
        kerb_motion motion = moving(20.0f);
        for (int n = 0; n < 5; n++)
            step(&keeper, &w, &motion);
        float gap = 12.0f - keeper.vehicle.reference_to_front; // P_Ahead is 0.6 s ahead
        assert_float_equal(keeper.decision.gap, i == 0 ? gap : -1.0f, 0.01f);
    }
}

static void in_an_emergency_it_brakes_before_it_changes_lanes(void** state) {
    (void)state;
    world w = {.right = 1.75f, .left = 5.25f, .gap = 25.0f, .speed = 2.0f};
    kerb_lane_keeper keeper = make();
    keeper.settings.obstacles = KERB_LANE_STAY;
    keeper.settings.edge_distance = 1.75f;
    kerb_motion motion = moving(20.0f);
    step(&keeper, &w, &motion);
    keeper.settings.edge_distance = 5.25f;
    for (int i = 0; i < 30; i++) {
        assert_true(step(&keeper, &w, &motion).brake > 0.6f);
        assert_false(keeper.decision.changing);
    }
    w.speed = 18.0f;
    for (int i = 0; i < 10; i++)
        step(&keeper, &w, &motion);
    assert_true(keeper.decision.changing);
}

static void nobody_is_cut_off_by_a_change_of_lane(void** state) {
    (void)state;
    world w = {.right = 1.75f, .left = 5.25f, .behind = 20.0f, .behind_speed = 25.0f};
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(15.0f);
    for (int i = 0; i < 10; i++)
        step(&keeper, &w, &motion);
    keeper.settings.edge_distance = 5.25f;
    for (int i = 0; i < 10; i++)
        step(&keeper, &w, &motion);
    assert_false(keeper.decision.changing);
    w.behind_speed = 14.0f; // falls back
    for (int i = 0; i < 5; i++)
        step(&keeper, &w, &motion);
    assert_true(keeper.decision.changing);
}

static void it_does_not_go_round_into_who_comes_towards_it(void** state) {
    (void)state;
    static const float toward[] = {55.0f, 0.0f};
    static const float left[] = {5.25f, 5.25f, 2.2f}; // the last: too narrow
    for (int i = 0; i < 3; i++) {
        world w = {.right = 1.75f, .left = left[i], .gap = 40.0f};
        w.toward = i < 2 ? toward[i] : 0.0f;
        kerb_lane_keeper keeper = make();
        keeper.settings.sight = 200.0f; // who comes unseen is farther off than it has to see
        kerb_motion motion = moving(15.0f);
        for (int n = 0; n < 10; n++)
            step(&keeper, &w, &motion);
        assert_int_equal(keeper.decision.avoiding, i == 1);
    }
}

// Both lanes of a road, one each way; somebody stands 40 m ahead.
static world narrow_road(void) {
    world w = {.right = 1.75f, .left = 5.25f, .gap = 40.0f};
    return w;
}

static void before_it_goes_round_it_sees_as_far_as_both_would_drive(void** state) {
    (void)state;
    // Past who stands and back takes 4.6 s, in which it drives 78 m and who comes 69 m.
    static const struct {
        float toward, sight; // [m]
        bool goes;
    } cases[] = {{80.0f, 300.0f, false},
                 {140.0f, 300.0f, false},
                 {165.0f, 300.0f, true},
                 {0.0f, 300.0f, true},
                 {0.0f, 120.0f, false}}; // who comes as fast as itself might be unseen
    for (int i = 0; i < 5; i++) {
        world w = narrow_road();
        w.toward = cases[i].toward;
        kerb_lane_keeper keeper = make();
        keeper.settings.speed = 15.0f;
        keeper.settings.sight = cases[i].sight;
        kerb_motion motion = moving(15.0f);
        for (int n = 0; n < 10; n++)
            step(&keeper, &w, &motion);
        assert_int_equal(keeper.decision.avoiding, cases[i].goes);
    }
}

// On its way round somebody, `gap` before him or past him, when somebody comes `toward` it.
static kerb_lane_keeper round_when_somebody_comes(float gap, float toward) {
    kerb_lane_keeper keeper = make();
    keeper.settings.sight = 300.0f;
    keeper.settings.speed = 15.0f;
    kerb_motion motion = moving(15.0f);
    world w = narrow_road();
    for (int n = 0; n < 10; n++)
        step(&keeper, &w, &motion);
    assert_true(keeper.decision.avoiding);
    motion.position.y = 3.0f; // there, on the other half
    keeper.memory.changed = keeper.memory.change_for;
    keeper.memory.round_gap = gap;
    w.gap = gap > 0.0f ? gap + keeper.vehicle.reference_to_front : 0.0f;
    w.toward = toward;
    for (int n = 0; n < 6; n++)
        step(&keeper, &w, &motion);
    return keeper;
}

static void on_its_way_round_it_hurries_before_who_comes_or_goes_back(void** state) {
    (void)state;
    // Beside who stands, 1.5 s from being out of the way, in which both drive 44 m.
    kerb_lane_keeper keeper = round_when_somebody_comes(-4.0f, 50.0f);
    assert_true(keeper.decision.gap > 40.0f && keeper.decision.target_speed > 14.9f);
    // Too late for that, but not yet beside: back, behind who stands.
    keeper = round_when_somebody_comes(35.0f, 60.0f);
    assert_false(keeper.decision.avoiding);
    assert_float_equal(keeper.memory.offset_to, 1.75f, 1e-3f);
    // Too late for both: it brakes.
    keeper = round_when_somebody_comes(5.0f, 40.0f);
    assert_true(keeper.controls.brake > 0.5f);
}

// --------------------------------------------------------------------------- who gives way

static void where_there_is_no_room_to_go_round_it_asks_at_a_pause(void** state) {
    (void)state;
    world w = narrow_road();
    w.gap = 8.0f;
    w.toward = 30.0f;
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(0.0f);
    int32_t count = 0, asked = 0;
    for (int n = 0; n < 600; n++) {
        kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
        int32_t rays_now = kerb_lane_keeper_rays(&keeper, &motion, rays);
        count += rays_now;
        asked += rays_now > 7;
        step(&keeper, &w, &motion);
    }
    assert_true(asked >= 50); // a sixth of a second apart at most
    assert_true((float)count <= 6.0f * 600.0f);
    // The way is free: it takes it at once.
    w.toward = 0.0f;
    w.gap = 12.0f;
    for (int n = 0; n < 12; n++)
        step(&keeper, &w, &motion);
    assert_true(keeper.decision.avoiding);
}

// Somebody ahead slows down to a stand, from so fast.
static void slow_down(kerb_lane_keeper* keeper, world* w, const kerb_motion* motion, float speed) {
    for (float left = speed; kerb_abs(left) > 0.1f; left *= 0.9f) {
        w->speed = left;
        step(keeper, w, motion);
    }
    w->speed = 0.0f;
}

static void who_was_seen_to_drive_waits_and_is_not_passed_where_others_may_come(void** state) {
    (void)state;
    world w = narrow_road();
    w.gap = 11.0f;
    kerb_motion motion = moving(2.0f);
    kerb_lane_keeper keeper = make();
    for (int n = 0; n < 60; n++)
        step(&keeper, &w, &motion);
    assert_true(keeper.decision.avoiding); // stood when it came
    keeper = make();
    motion = moving(0.0f);
    w.toward = 30.0f; // for whom he stops
    slow_down(&keeper, &w, &motion, 6.0f);
    w.toward = 0.0f;
    for (int n = 0; n < 30 * 60; n++)
        step(&keeper, &w, &motion);
    assert_false(keeper.decision.avoiding);
    for (int n = 0; n < 15 * 60; n++)
        step(&keeper, &w, &motion);
    assert_true(keeper.decision.avoiding); // he has broken down
}

// Frames until it backs out before somebody who came and stands; `past`: how far it is beside
// another, for whose sake it is on the other half; negative: in its own lane.
static int backs_out_after(float past) {
    world w = narrow_road();
    w.gap = 6.0f;
    kerb_motion motion = moving(0.0f);
    kerb_lane_keeper keeper = make();
    slow_down(&keeper, &w, &motion, -6.0f);
    for (int n = 0; n < 1200; n++) {
        if (past >= 0.0f) {
            keeper.memory.aside = 3.0f;
            keeper.memory.round_gap = 2.0f - past;
        }
        kerb_controls controls = step(&keeper, &w, &motion);
        if (controls.reason == KERB_REASON_BACKING_OUT)
            return controls.gear < 0 && kerb_abs(controls.steering) < 0.1f ? n : -1;
    }
    return 1200;
}

static void face_to_face_they_back_off_one_after_the_other(void** state) {
    (void)state;
    int before = backs_out_after(0.0f), own_lane = backs_out_after(-1.0f);
    int beside = backs_out_after(4.0f), far_beside = backs_out_after(9.0f);
    assert_true(before >= 0);
    assert_true(own_lane >= before + 60);
    assert_true(beside >= own_lane + 60);
    assert_true(far_beside >= beside + 60);
    assert_true(far_beside < 1200);
}

// Who came and went is not taken for whoever is met a minute later.
static void who_came_is_forgotten(void** state) {
    (void)state;
    world w = narrow_road();
    w.gap = 6.0f;
    kerb_motion motion = moving(0.0f);
    kerb_lane_keeper keeper = make();
    slow_down(&keeper, &w, &motion, -6.0f);
    assert_true(keeper.memory.other.came && keeper.memory.other.waits > 30.0f);
    w.gap = 0.0f;
    for (int n = 0; n < 45 * 60; n++)
        step(&keeper, &w, &motion);
    assert_false(keeper.memory.other.came);
    assert_true(keeper.memory.other.waits == 0.0f);
}

// It asks to be put elsewhere where it is stuck, and not where others are in the way.
static void face_to_face_few_tries_do_not_make_it_give_up(void** state) {
    (void)state;
    for (int32_t tries = 1; tries < 4; tries++) {
        world w = narrow_road();
        w.gap = 6.0f;
        kerb_motion motion = moving(0.0f);
        kerb_lane_keeper keeper = make();
        keeper.settings.stuck.tries = tries;
        slow_down(&keeper, &w, &motion, -6.0f);
        for (int n = 0; n < 20 * 60; n++)
            assert_true(step(&keeper, &w, &motion).reason != KERB_REASON_TELEPORT);
    }
}

static void rolling_back_behind_somebody_it_brakes(void** state) {
    (void)state;
    world w = narrow_road();
    w.gap = 3.5f;
    kerb_motion motion = moving(-1.5f);
    kerb_lane_keeper keeper = make();
    keeper.settings.obstacles = KERB_LANE_STAY;
    kerb_controls controls = kerb_controls_safe(KERB_REASON_CRUISE);
    for (int n = 0; n < 5; n++)
        controls = step(&keeper, &w, &motion);
    assert_true(controls.brake > 0.5f);
    assert_true(controls.throttle == 0.0f);
}

static void nearer_than_comfort_it_brakes_as_hard_as_it_takes(void** state) {
    (void)state;
    kerb_random random = test_random("lane_emergency");
    for (int i = 0; i < 200; i++) {
        kerb_lane_keeper keeper = make();
        keeper.settings.obstacles = KERB_LANE_STAY;
        // Nothing else presses the pedal.
        keeper.settings.speed_control.proportional = keeper.settings.speed_control.integral = 0.0f;
        const float hard = keeper.vehicle.braking_max;
        float speed = kerb_random_between(&random, 8.0f, 28.0f);
        float theirs = kerb_random_between(&random, 0.0f, 0.5f * speed);
        float share = kerb_random_between(&random, 0.62f, 0.98f);
        // A metre is spare; who is ahead may brake as hard.
        float room = speed * speed / (2.0f * share * hard) - theirs * theirs / (2.0f * hard) + 1.0f;
        world w = {.right = 1.75f, .left = 1.75f, .speed = theirs};
        w.gap = room + keeper.vehicle.reference_to_front;
        kerb_motion motion = moving(speed);
        float brake = 0.0f;
        for (int n = 0; n < 2; n++)
            brake = step(&keeper, &w, &motion).brake;
        float coasting = kerb_coasting_deceleration(&keeper.vehicle, speed);
        assert_float_equal(brake * hard + coasting, share * hard, 0.07f * hard);
    }
}

static void told_which_way_is_meant_it_turns_to_the_side_with_more_room(void** state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        bool right = i % 2 == 0; // of the car, which faces the way back
        world w = {.right = right ? 2.0f : 6.0f, .left = right ? 6.0f : 2.0f};
        kerb_lane_keeper keeper = make();
        keeper.settings.edge = i / 2 % 2 == 0 ? KERB_LANE_RIGHT : KERB_LANE_LEFT;
        kerb_lane_keeper_set_direction(&keeper, kerb_vec3_make(-2.0f, i < 4 ? 0.2f : -0.2f, 0.0f));
        kerb_motion motion = moving(0.0f);
        kerb_controls controls = step(&keeper, &w, &motion);
        float expected = right ? 1.0f : -1.0f; // all there is
        assert_float_equal(controls.steering, expected, 1e-6f);
        assert_int_equal(keeper.decision.reason, KERB_REASON_WRONG_WAY);
        // No way at all: the one that it faces.
        static const float odd[] = {0.0f, NAN, INFINITY};
        kerb_lane_keeper_set_direction(&keeper, kerb_vec3_make(odd[i % 3], 0.0f, 1.0f));
        step(&keeper, &w, &motion);
        assert_int_not_equal(keeper.decision.reason, KERB_REASON_WRONG_WAY);
    }
}

static void brakes_are_eased_where_the_rear_wheels_slip(void** state) {
    (void)state;
    world w = {.right = 1.75f, .left = 5.25f, .gap = 15.0f, .speed = 5.0f};
    float brake[2];
    for (int slips = 0; slips < 2; slips++) {
        kerb_lane_keeper keeper = make();
        kerb_motion motion = moving(25.0f);
        motion.velocity.y = slips ? -4.0f : 0.0f; // at 9 degrees
        for (int i = 0; i < 5; i++)
            brake[slips] = step(&keeper, &w, &motion).brake;
    }
    assert_true(brake[0] > 0.7f);
    assert_true(brake[1] < 0.2f);
}

static void the_point_ahead_stays_before_who_is_right_ahead(void** state) {
    (void)state;
    static const float gaps[] = {4.0f, 8.0f, 12.0f, 40.0f};
    for (int i = 0; i < 4; i++) {
        world w = {.right = 1.75f, .left = 5.25f, .gap = gaps[i], .speed = 20.0f};
        kerb_lane_keeper keeper = make();
        kerb_motion motion = moving(20.0f);
        for (int n = 0; n < 5; n++)
            step(&keeper, &w, &motion);
        assert_true(keeper.decision.lookahead_point.x < gaps[i]);
        assert_true(keeper.decision.target.x > 10.0f); // what it drives to does not come nearer
    }
}

static void a_change_of_lane_is_taken_back_before_the_lane_is_left(void** state) {
    (void)state;
    world w = {.right = 1.75f, .left = 5.25f};
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(20.0f);
    for (int i = 0; i < 10; i++)
        step(&keeper, &w, &motion);
    keeper.settings.edge_distance = 5.25f;
    for (int i = 0; i < 50; i++)
        step(&keeper, &w, &motion);
    assert_true(keeper.decision.changing && keeper.decision.edge_distance < 3.5f);
    keeper.settings.edge_distance = 1.75f;
    float most = 0.0f;
    for (int i = 0; i < 300; i++) {
        step(&keeper, &w, &motion);
        most = fmaxf(most, keeper.decision.edge_distance);
    }
    assert_true(most < 3.5f);
    assert_float_equal(keeper.decision.edge_distance, 1.75f, 1e-3f);
}

static void it_is_kept_off_both_edges_and_in_the_middle_of_a_road_too_narrow_for_that(
    void** state) {
    (void)state;
    kerb_lane_keeper some = make();
    float least = 0.5f * some.vehicle.width + some.settings.margin;
    const float cases[][3] = {// half of the road's width, wanted, got
                              {3.5f, 0.2f, least},
                              {3.5f, 6.9f, 7.0f - least},
                              {1.5f, 2.6f, 3.0f - least},
                              {1.1f, 1.75f, 1.1f}};
    for (int i = 0; i < 4; i++) {
        world w = {.right = cases[i][0], .left = cases[i][0]};
        kerb_lane_keeper keeper = make();
        keeper.settings.edge_distance = cases[i][1];
        kerb_motion motion = moving(10.0f);
        for (int n = 0; n < 900; n++)
            step(&keeper, &w, &motion);
        assert_float_equal(keeper.decision.edge_distance, cases[i][2], 0.02f);
    }
}

static void an_edge_that_springs_in_by_more_than_half_the_road_is_not_followed(void** state) {
    (void)state;
    for (int far = 0; far < 2; far++) {
        world w = {.right = 5.25f, .left = 1.75f};
        kerb_lane_keeper keeper = make();
        keeper.settings.edge_distance = 5.25f;
        kerb_motion motion = moving(10.0f);
        for (int n = 0; n < 30; n++)
            step(&keeper, &w, &motion);
        w.right -= far ? 4.0f : 1.0f; // a post's base, or a kerb that comes nearer
        for (int n = 0; n < 10; n++)
            step(&keeper, &w, &motion);
        assert_int_equal(keeper.decision.edge_seen, !far);
        if (far)
            assert_float_equal(keeper.decision.target.y, 0.0f, 0.1f);
    }
}

static void where_somebody_hides_its_edge_it_looks_from_nearer(void** state) {
    (void)state;
    world w = {.right = 1.75f, .left = 5.25f};
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(20.0f);
    int32_t seen = 0;
    for (int n = 0; n < 60; n++) {
        kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
        kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
        int32_t count = kerb_lane_keeper_rays(&keeper, &motion, rays);
        for (int32_t i = 0; i < count; i++) {
            hits[i] = answer(&w, &rays[i]);
            bool hidden =
                n >= 20 && rays[i].purpose == KERB_LANE_RAY_EDGE && rays[i].origin.x > 8.0f;
            if (!hidden)
                continue;
            hits[i].kind = KERB_LANE_HIT_VEHICLE;
            hits[i].distance = 0.5f;
        }
        kerb_lane_keeper_drive(&keeper, rays, hits, count, &motion, NULL, 1.0f / 60.0f);
        seen += n >= 20 && keeper.decision.edge_seen;
    }
    assert_true(seen >= 10);
}

static void nobody_changes_lanes_towards_who_stands_there(void** state) {
    (void)state;
    for (int stands = 0; stands < 2; stands++) {
        world w = {.right = 1.75f, .left = 5.25f, .gap = 45.0f, .aside = 3.5f};
        w.speed = stands ? 0.0f : 20.0f;
        kerb_lane_keeper keeper = make();
        kerb_motion motion = moving(12.0f);
        for (int n = 0; n < 10; n++)
            step(&keeper, &w, &motion);
        keeper.settings.edge_distance = 5.25f;
        for (int n = 0; n < 10; n++)
            step(&keeper, &w, &motion);
        assert_int_equal(keeper.decision.changing, !stands);
    }
}

static void who_stands_does_not_change_lanes(void** state) {
    (void)state;
    world w = {.right = 1.75f, .left = 5.25f};
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(0.0f);
    for (int i = 0; i < 10; i++)
        step(&keeper, &w, &motion);
    keeper.settings.edge_distance = 5.25f;
    for (int i = 0; i < 300; i++)
        step(&keeper, &w, &motion);
    assert_float_equal(keeper.decision.edge_distance, 1.75f, 1e-3f);
}

static void places_too_large_for_floats_never_lead_to_nan(void** state) {
    (void)state;
    world w = {.right = 1.75f, .left = 5.25f};
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(10.0f);
    step(&keeper, &w, &motion);
    static const float huge[] = {1e10f, 1e30f, -3e38f};
    for (int i = 0; i < 3; i++) {
        kerb_motion far = motion;
        far.position.x = far.position.y = huge[i];
        far.velocity.x = huge[i];
        kerb_controls controls = step(&keeper, &w, &far);
        assert_true(isfinite(controls.steering) && isfinite(controls.brake) &&
                    isfinite(controls.throttle));
    }
    kerb_controls controls = step(&keeper, &w, &motion);
    assert_true(isfinite(controls.steering));
}

static void answers_that_make_no_sense_count_as_nothing_hit(void** state) {
    (void)state;
    kerb_random random = test_random("lane_nonsense");
    static const float odd[] = {NAN, INFINITY, -INFINITY, -1.0f, 0.0f, 1e30f, 3.0f};
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(10.0f);
    for (int n = 0; n < 2000; n++) {
        kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
        kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
        int32_t count = kerb_lane_keeper_rays(&keeper, &motion, rays);
        for (int32_t i = 0; i < count; i++) {
            float numbers[7];
            for (int k = 0; k < 7; k++)
                numbers[k] = odd[(int)kerb_random_between(&random, 0.0f, 6.99f)];
            hits[i].kind = (int32_t)kerb_random_between(&random, -3.0f, 7.0f);
            hits[i].distance = numbers[0];
            hits[i].normal = kerb_vec3_make(numbers[1], numbers[2], numbers[3]);
            hits[i].velocity = kerb_vec3_make(numbers[4], numbers[5], numbers[6]);
        }
        kerb_controls controls =
            kerb_lane_keeper_drive(&keeper, rays, hits, count, &motion, NULL, 1.0f / 60.0f);
        assert_true(controls.steering >= -1.0f && controls.steering <= 1.0f);
        assert_true(controls.throttle >= 0.0f && controls.throttle <= 1.0f);
        assert_true(controls.brake >= 0.0f && controls.brake <= 1.0f);
        motion.position.x += 10.0f / 60.0f;
    }
}

static void without_any_answer_it_comes_to_a_stop(void** state) {
    (void)state;
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(10.0f);
    kerb_controls controls = {0};
    for (int n = 0; n < 400; n++) {
        controls = kerb_lane_keeper_drive(&keeper, NULL, NULL, 0, &motion, NULL, 1.0f / 60.0f);
        motion.position.x += motion.velocity.x / 60.0f;
    }
    assert_true(controls.brake > 0.3f);
    assert_int_equal(controls.reason, KERB_REASON_END);
}

static void who_loses_the_edges_behind_vehicles_slows_for_them_and_not_for_an_end(void** state) {
    (void)state;
    world w = {.right = 1.75f, .left = 5.25f};
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(25.0f);
    for (int n = 0; n < 60; n++) {
        step(&keeper, &w, &motion);
        motion.position.x += motion.velocity.x / 60.0f;
    }
    // A fast column closes in: it is before all that could be seen of the road, and gets away.
    int told = 0;
    for (int n = 0; n < 60; n++) {
        kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
        kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
        int32_t count = kerb_lane_keeper_rays(&keeper, &motion, rays);
        for (int32_t i = 0; i < count; i++)
            hits[i] =
                (kerb_lane_hit){.kind = KERB_LANE_HIT_VEHICLE,
                                .distance = kerb_min(rays[i].length, 0.5f + 0.4f * rays[i].length),
                                .velocity = {60.0f, 0.0f, 0.0f}};
        kerb_controls controls =
            kerb_lane_keeper_drive(&keeper, rays, hits, count, &motion, NULL, 1.0f / 60.0f);
        assert_int_not_equal(controls.reason, KERB_REASON_END);
        told += controls.reason == KERB_REASON_FOLLOWING;
        motion.position.x += motion.velocity.x / 60.0f;
    }
    assert_true(told > 0);
}

static void motion_that_is_not_finite_gives_safe_controls_and_is_counted(void** state) {
    (void)state;
    world w = {.right = 1.75f, .left = 5.25f};
    kerb_lane_keeper keeper = make();
    kerb_motion motion = moving(10.0f);
    step(&keeper, &w, &motion);
    kerb_motion bad = motion;
    bad.velocity.y = NAN;
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
    assert_int_equal(kerb_lane_keeper_rays(&keeper, &bad, rays), 0);
    kerb_controls controls =
        kerb_lane_keeper_drive(&keeper, NULL, NULL, 0, &bad, NULL, 1.0f / 60.0f);
    assert_int_equal(controls.reason, KERB_REASON_BAD_MOTION);
    assert_float_equal(controls.brake, 1.0f, 0.0f);
    controls = kerb_lane_keeper_drive(&keeper, NULL, NULL, 0, &motion, NULL, 0.0f);
    assert_int_equal(controls.reason, KERB_REASON_BAD_STEP);
    assert_int_equal(keeper.bad_frames, 2);
}

static void a_road_of_bad_waypoints_is_an_error(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_error error;
    kerb_scene_lane_road road;
    kerb_waypoint waypoints[2] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(0, 0, 0)};
    assert_int_equal(kerb_scene_lane_road_create(&road, waypoints, 1, false, &host, &error),
                     KERB_ERROR_TOO_FEW);
    assert_int_equal(kerb_scene_lane_road_create(&road, waypoints, 2, false, &host, &error),
                     KERB_ERROR_TOO_FEW);
    waypoints[1].position.x = NAN;
    assert_int_equal(kerb_scene_lane_road_create(&road, waypoints, 2, false, &host, &error),
                     KERB_ERROR_NOT_FINITE);
    kerb_scene_lane_road_destroy(&road);
}

static void settings_out_of_range_are_named(void** state) {
    (void)state;
    kerb_lane_settings settings = kerb_lane_settings_default();
    assert_int_equal(kerb_settings_validate(&kerb_lane_settings_table, &settings, NULL), KERB_OK);
    settings.deceleration = 0.0f;
    kerb_error error;
    assert_int_equal(kerb_settings_validate(&kerb_lane_settings_table, &settings, &error),
                     KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "deceleration");
}

int lane_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_drives_alike_whether_or_not_and_with_whatever_motion_it_asked_before),
        cmocka_unit_test(who_drives_is_passed_only_where_the_way_that_it_takes_is_in_sight),
        cmocka_unit_test(the_point_to_drive_to_lies_off_the_edge_along_its_normal),
        cmocka_unit_test(the_law_of_cosines_gives_back_its_radius),
        cmocka_unit_test(beside_its_lane_it_steers_as_errors_fade_critically_damped),
        cmocka_unit_test(behind_somebody_it_wants_the_speed_of_the_time_gap),
        cmocka_unit_test(pedals_follow_a_new_wish_within_a_fiftieth_of_a_second),
        cmocka_unit_test(who_comes_into_view_is_braked_for_in_the_same_frame),
        cmocka_unit_test(the_wheels_follow_the_lane_in_every_frame),
        cmocka_unit_test(who_comes_towards_it_in_its_lane_is_braked_for),
        cmocka_unit_test(who_comes_towards_it_in_the_other_lane_is_let_be),
        cmocka_unit_test(who_comes_into_its_lane_is_followed_before_rays_along_the_lane_meet_it),
        cmocka_unit_test(in_an_emergency_it_brakes_before_it_changes_lanes),
        cmocka_unit_test(nobody_is_cut_off_by_a_change_of_lane),
        cmocka_unit_test(it_does_not_go_round_into_who_comes_towards_it),
        cmocka_unit_test(before_it_goes_round_it_sees_as_far_as_both_would_drive),
        cmocka_unit_test(on_its_way_round_it_hurries_before_who_comes_or_goes_back),
        cmocka_unit_test(where_there_is_no_room_to_go_round_it_asks_at_a_pause),
        cmocka_unit_test(who_was_seen_to_drive_waits_and_is_not_passed_where_others_may_come),
        cmocka_unit_test(face_to_face_they_back_off_one_after_the_other),
        cmocka_unit_test(who_came_is_forgotten),
        cmocka_unit_test(face_to_face_few_tries_do_not_make_it_give_up),
        cmocka_unit_test(rolling_back_behind_somebody_it_brakes),
        cmocka_unit_test(nearer_than_comfort_it_brakes_as_hard_as_it_takes),
        cmocka_unit_test(told_which_way_is_meant_it_turns_to_the_side_with_more_room),
        cmocka_unit_test(brakes_are_eased_where_the_rear_wheels_slip),
        cmocka_unit_test(the_point_ahead_stays_before_who_is_right_ahead),
        cmocka_unit_test(a_change_of_lane_is_taken_back_before_the_lane_is_left),
        cmocka_unit_test(it_is_kept_off_both_edges_and_in_the_middle_of_a_road_too_narrow_for_that),
        cmocka_unit_test(an_edge_that_springs_in_by_more_than_half_the_road_is_not_followed),
        cmocka_unit_test(where_somebody_hides_its_edge_it_looks_from_nearer),
        cmocka_unit_test(nobody_changes_lanes_towards_who_stands_there),
        cmocka_unit_test(who_stands_does_not_change_lanes),
        cmocka_unit_test(places_too_large_for_floats_never_lead_to_nan),
        cmocka_unit_test(answers_that_make_no_sense_count_as_nothing_hit),
        cmocka_unit_test(without_any_answer_it_comes_to_a_stop),
        cmocka_unit_test(who_loses_the_edges_behind_vehicles_slows_for_them_and_not_for_an_end),
        cmocka_unit_test(motion_that_is_not_finite_gives_safe_controls_and_is_counted),
        cmocka_unit_test(a_road_of_bad_waypoints_is_an_error),
        cmocka_unit_test(settings_out_of_range_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
