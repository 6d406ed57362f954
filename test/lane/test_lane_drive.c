// The lane keeper in sim/, on roads of straights and bends, with gaps, walls, others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/race/tracks.h"
#include "test/lane/lane_rig.h"
#include "test/seed.h"

static lane_rig rig;

static kerb_scene_lane_result run(const kerb_scene_lane_plan* plan) {
    kerb_host host = kerb_host_default();
    kerb_scene_lane_result result;
    assert_int_equal(kerb_scene_lane_run(plan, &host, &result, NULL), KERB_OK);
    return result;
}

static void expect_kept(const kerb_scene_lane_result* result) {
    assert_true(result->finished);
    assert_true(result->error_mean <= 0.10);
    assert_true(result->error_max <= 0.5);
    assert_int_equal(result->collisions, 0);
    assert_int_equal(result->edge_touches, 0);
}

static kerb_scene_lane_plan plan_at(float speed) {
    kerb_scene_lane_plan plan = kerb_scene_lane_plan_default(&rig.road, &rig.model);
    plan.settings.speed = speed;
    return plan;
}

static void build_s_bends(float radius) {
    lane_begin(&rig, 3.5f, 3.5f);
    lane_add(&rig, 200.0f, 0.0f);
    lane_bend(&rig, radius, 1.4f);
    lane_bend(&rig, radius, -2.2f);
    lane_add(&rig, 60.0f, 0.0f);
    lane_bend(&rig, radius, 1.2f);
    lane_add(&rig, 100.0f, 0.0f);
    assert_int_equal(lane_build(&rig, false), KERB_OK);
}

// A built-in track instead of the rig's own road; the default car.
static void build_track(const char* name) {
    kerb_host host = kerb_host_default();
    kerb_scene_track track;
    lane_begin(&rig, 3.5f, 3.5f);
    assert_int_equal(kerb_scene_track_make(name, &host, &track, NULL), KERB_OK);
    assert_int_equal(kerb_scene_lane_road_create(&rig.road, track.waypoints, track.count,
                                                 track.closed, &host, NULL),
                     KERB_OK);
    kerb_scene_track_free(&track, &host);
}

static void bends_down_to_30_m_are_kept_within_half_a_metre(void** state) {
    (void)state;
    static const float radii[] = {30.0f, 45.0f, 80.0f, 150.0f, 300.0f};
    for (int i = 0; i < 5; i++) {
        build_s_bends(radii[i]);
        kerb_scene_lane_plan plan = plan_at(30.0f);
        kerb_scene_lane_result result = run(&plan);
        expect_kept(&result);
        assert_true(result.rays <= 6.0);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

// How far the wheels turn in all, to and fro, from 60 m on.
typedef struct wheels {
    double travel;
    float last;
} wheels;

static void watch_wheels(void* context, double time, const kerb_scene_lane_car* cars,
                         int32_t count) {
    (void)time;
    (void)count;
    wheels* seen = context;
    float now = cars[0].keeper.controls.steering;
    if (cars[0].driven > 60.0)
        seen->travel += (double)kerb_abs(now - seen->last);
    seen->last = now;
}

// An edge is made of straight pieces, here a metre and a half long. A car that turns its wheels for
// each of them turns them by 1.7 in all.
static void wheels_are_still_in_a_bend_whose_edge_is_made_of_pieces(void** state) {
    (void)state;
    for (float radius = 20.0f; radius < 100.0f; radius += 20.0f) {
        lane_begin(&rig, 3.5f, 3.5f);
        lane_add(&rig, 30.0f, 0.0f);
        lane_bend(&rig, radius, 120.0f / radius);
        assert_int_equal(lane_build(&rig, false), KERB_OK);
        wheels seen = {0.0, 0.0f};
        kerb_scene_lane_plan plan = plan_at(10.0f);
        plan.watch = watch_wheels;
        plan.context = &seen;
        kerb_scene_lane_result result = run(&plan);
        expect_kept(&result);
        if (!(seen.travel < 0.4))
            fail_msg("radius %.0f m: they turn by %.2f", (double)radius, seen.travel);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

static void roads_of_random_bends_are_kept_by_random_cars(void** state) {
    (void)state;
    kerb_random random = test_random("lane_roads");
    for (int n = 0; n < 6; n++) {
        lane_begin(&rig, 3.5f, 3.5f);
        lane_add(&rig, 60.0f, 0.0f);
        for (int i = 0; i < 6; i++) {
            float sign = i % 2 == 0 ? 1.0f : -1.0f;
            lane_bend(&rig, kerb_random_between(&random, 30.0f, 200.0f),
                      sign * kerb_random_between(&random, 0.2f, 1.2f));
            lane_add(&rig, kerb_random_between(&random, 0.0f, 120.0f), 0.0f);
        }
        lane_add(&rig, 60.0f, 0.0f);
        assert_int_equal(lane_build(&rig, false), KERB_OK);
        kerb_vehicle vehicle = kerb_vehicle_default();
        vehicle.mass *= kerb_random_between(&random, 0.8f, 1.3f);
        vehicle.wheelbase *= kerb_random_between(&random, 0.9f, 1.2f);
        vehicle.understeer_gradient *= kerb_random_between(&random, 0.5f, 1.5f);
        rig.model = kerb_sim_model_for(&vehicle);
        kerb_scene_lane_plan plan = plan_at(kerb_random_between(&random, 10.0f, 30.0f));
        kerb_scene_lane_result result = run(&plan);
        expect_kept(&result);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

static void the_built_in_track_is_kept_on_either_side_and_by_both_edges(void** state) {
    (void)state;
    build_track("vamos");
    for (int32_t edge = KERB_LANE_RIGHT; edge <= KERB_LANE_BOTH; edge++) {
        kerb_scene_lane_plan plan = plan_at(30.0f);
        plan.settings.edge = edge;
        kerb_scene_lane_result result = run(&plan);
        expect_kept(&result);
    }
    kerb_scene_lane_road_destroy(&rig.road);
}

// How far a run's car is from its lane at the end.
typedef struct hairpin_watch {
    float last;
} hairpin_watch;

static void watch_last(void* context, double time, const kerb_scene_lane_car* cars, int32_t count) {
    (void)time;
    (void)count;
    ((hairpin_watch*)context)->last = cars[0].lane_error;
}

static void hairpins_of_which_the_inner_edge_is_a_corner_are_got_round_by_either_edge(
    void** state) {
    (void)state;
    static const float radii[] = {8.0f, 9.0f, 12.0f};
    for (int i = 0; i < 12; i++) {
        float side = i % 2 == 0 ? 1.0f : -1.0f; // of the turn
        lane_begin(&rig, 7.0f, 7.0f);
        lane_add(&rig, 120.0f, 0.0f);
        lane_bend(&rig, radii[i / 4], 2.9f * side);
        lane_add(&rig, 150.0f, 0.0f);
        assert_int_equal(lane_build(&rig, false), KERB_OK);
        kerb_scene_lane_plan plan = plan_at(20.0f);
        plan.settings.edge = i / 2 % 2 == 0 ? KERB_LANE_RIGHT : KERB_LANE_LEFT;
        hairpin_watch watch = {1.0e9f};
        plan.watch = watch_last;
        plan.context = &watch;
        kerb_scene_lane_result result = run(&plan);
        // Beside a corner no car can keep its lane: it may be wide by so much, cut it once, and
        // touch the edge where it comes back.
        assert_true(result.finished);
        assert_true(result.error_max < 3.5);
        assert_true(result.edge_touches <= 3);
        assert_float_equal(watch.last, 0.0f, 0.05f);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

typedef struct wheel_watch {
    float last, jump, turned;
} wheel_watch;

static void watch_wheel(void* context, double time, const kerb_scene_lane_car* cars,
                        int32_t count) {
    (void)time;
    (void)count;
    wheel_watch* watch = context;
    float steering = cars[0].keeper.controls.steering;
    float change = kerb_abs(steering - watch->last);
    watch->jump = kerb_max(watch->jump, change);
    watch->turned += change;
    watch->last = steering;
}

// Surveyed tracks have a point every five metres: hairpins whose edges turn by 20 degrees from one
// piece to the next. Each taken for the road's direction at once, the wheels jump by a third of
// their way to the other side and back.
static void round_a_bend_of_long_pieces_the_wheels_turn_without_jerks(void** state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        float turn = i / 4 == 0 ? 0.25f : 0.35f; // of pieces of 5 m: 20 m and 14 m of radius
        lane_begin(&rig, 7.0f, 7.0f);
        lane_add(&rig, 100.0f, 0.0f);
        for (int k = 0; k < 8; k++)
            lane_add_piece(&rig, 5.0f, i % 2 == 0 ? turn : -turn);
        lane_add(&rig, 100.0f, 0.0f);
        assert_int_equal(lane_build(&rig, false), KERB_OK);
        kerb_scene_lane_plan plan = plan_at(20.0f);
        plan.settings.edge = i / 2 % 2 == 0 ? KERB_LANE_LEFT : KERB_LANE_RIGHT;
        wheel_watch watch = {0.0f, 0.0f, 0.0f};
        plan.watch = watch_wheel;
        plan.context = &watch;
        kerb_scene_lane_result result = run(&plan);
        assert_true(result.finished && result.edge_touches == 0 && result.error_max < 0.4);
        assert_true(watch.jump < 0.05f && watch.turned < 5.5f);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

// Both edges of a wide road round a hairpin of a few straight pieces: the outer one is too far off
// and too askew to lead round.
static void build_corner(float side) {
    lane_begin(&rig, 9.5f, 9.5f);
    lane_add(&rig, 150.0f, 0.0f);
    for (int i = 0; i < 4; i++) {
        rig.heading += 0.65f * side;
        lane_add(&rig, i < 3 ? 7.0f : 180.0f, 0.0f);
    }
    assert_int_equal(lane_build(&rig, false), KERB_OK);
}

static void round_a_corner_where_no_edge_leads_on_it_turns_since_the_road_ahead_is_blocked(
    void** state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        build_corner(i < 2 ? 1.0f : -1.0f);
        kerb_scene_lane_plan plan = plan_at(20.0f);
        plan.settings.edge = i < 2 ? KERB_LANE_LEFT : KERB_LANE_RIGHT;
        plan.cars = 1 + 2 * (i % 2);
        hairpin_watch watch = {1.0e9f};
        plan.watch = watch_last;
        plan.context = &watch;
        kerb_scene_lane_result result = run(&plan);
        assert_true(result.finished);
        assert_int_equal(result.collisions, 0);
        assert_true(plan.cars > 1 || result.error_max < 8.0);
        assert_float_equal(watch.last, 0.0f, 0.05f);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

static void an_edge_does_not_cross_the_road_inside_a_bend_tighter_than_the_road_is_wide(
    void** state) {
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        lane_begin(&rig, 7.0f, 7.0f);
        lane_add(&rig, 100.0f, 0.0f);
        lane_bend(&rig, 5.0f, 2.7f * (float)side);
        lane_add(&rig, 100.0f, 0.0f);
        assert_int_equal(lane_build(&rig, false), KERB_OK);
        // No edge nearer to any point of the middle than the road's half width.
        for (int32_t i = 0; i < rig.road.path.count; i++) {
            kerb_vec3 at = rig.road.path.points[i].position;
            for (int32_t k = 0; k < 64; k++) {
                float angle = (float)k * 0.0981748f;
                kerb_lane_ray ray = {.origin = at,
                                     .direction = {kerb_cos(angle), kerb_sin(angle), 0.0f},
                                     .length = 6.8f};
                kerb_lane_hit hit = kerb_scene_lane_road_cast(&rig.road, i, NULL, 0, -1, &ray);
                assert_int_equal(hit.kind, KERB_LANE_HIT_NOTHING);
            }
        }
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

// A car alone on a straight road along x, and where it is on it.
typedef struct lone_car {
    kerb_lane_keeper keeper;
    kerb_sim_vehicle vehicle;
    kerb_path_location place;
    float speed;     // forward [m/s]
    float along;     // cosine of the angle to the road [1]
    float right;     // from the right edge …
    float rear;      // … the middle of its rear bumper [m]
    double distance; // along the road [m]
} lone_car;

static lone_car make_lone_car(double at) {
    lone_car car = {.keeper = kerb_lane_keeper_make(&rig.model.vehicle)};
    car.place = kerb_path_locate(&rig.road.path, at);
    kerb_path_sample s = kerb_path_sample_at(&rig.road.path, car.place);
    float aside = car.keeper.settings.edge_distance - s.right;
    kerb_vec3 place = kerb_vec3_make(s.position.x - s.direction.y * aside,
                                     s.position.y + s.direction.x * aside, 0.0f);
    car.vehicle =
        kerb_sim_vehicle_make(&rig.model, place, kerb_atan2(s.direction.y, s.direction.x));
    return car;
}

static void put_down_in_a_bend_it_knows_how_far_from_the_edge_it_is(void** state) {
    (void)state;
    kerb_random random = test_random("lane_start");
    for (int i = 0; i < 40; i++) {
        lane_begin(&rig, 5.0f, 5.0f);
        lane_add(&rig, 40.0f, 0.0f);
        float radius = kerb_random_between(&random, 25.0f, 80.0f);
        lane_bend(&rig, radius, i % 2 == 0 ? 1.5f : -1.5f);
        lane_add(&rig, 60.0f, 0.0f);
        assert_int_equal(lane_build(&rig, false), KERB_OK);
        lone_car car = make_lone_car(40.0 + 0.6 * (double)radius);
        car.keeper.settings.edge = i / 2 % 3;
        bool left = car.keeper.settings.edge == KERB_LANE_LEFT;
        kerb_motion motion = kerb_sim_vehicle_motion(&car.vehicle);
        kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
        kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
        int32_t count = kerb_lane_keeper_rays(&car.keeper, &motion, rays);
        for (int32_t k = 0; k < count; k++)
            hits[k] =
                kerb_scene_lane_road_cast(&rig.road, car.place.segment, NULL, 0, -1, &rays[k]);
        kerb_lane_keeper_drive(&car.keeper, rays, hits, count, &motion, NULL, 1.0f / 60.0f);
        kerb_vec2 at = kerb_vec2_make(motion.position.x, motion.position.y);
        float off = kerb_scene_lane_road_distance(&rig.road, car.place.segment, left, at);
        assert_float_equal(car.keeper.memory.offset_from, off, 0.2f);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

static void step_lone_car(lone_car* car, float seconds) {
    const float step = 1.0f / 60.0f;
    for (int n = 0; n < (int)(seconds / step); n++) {
        kerb_motion motion = kerb_sim_vehicle_motion(&car->vehicle);
        kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
        kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
        int32_t count = kerb_lane_keeper_rays(&car->keeper, &motion, rays);
        for (int32_t i = 0; i < count; i++)
            hits[i] =
                kerb_scene_lane_road_cast(&rig.road, car->place.segment, NULL, 0, -1, &rays[i]);
        kerb_controls controls =
            kerb_lane_keeper_drive(&car->keeper, rays, hits, count, &motion, NULL, step);
        const kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
        for (int i = 0; i < 4; i++)
            kerb_sim_vehicle_step(&car->vehicle, &controls, &ground, 0.25f * step);
        motion = kerb_sim_vehicle_motion(&car->vehicle);
        car->place = kerb_path_locate(&rig.road.path, (double)motion.position.x); // straight
        kerb_path_sample s = kerb_path_sample_at(&rig.road.path, car->place);
        car->speed = kerb_motion_forward_speed(&motion);
        car->along = kerb_vec3_dot(kerb_quat_forward(motion.rotation), s.direction);
        car->right = s.right + kerb_path_cross_track(&rig.road.path, car->place, motion.position);
        float back = rig.model.vehicle.length - rig.model.vehicle.reference_to_front;
        car->rear = car->right - back * kerb_quat_forward(motion.rotation).y;
        car->distance = kerb_path_distance(&rig.road.path, car->place);
    }
}

static void who_was_spun_round_backs_out_and_drives_on_in_its_lane(void** state) {
    (void)state;
    static const float turns[] = {0.8f, -0.8f, 1.6f, -1.6f, 2.3f, -2.3f, 3.1f, -3.1f};
    for (int i = 0; i < 8; i++) {
        lane_begin(&rig, 3.5f, 3.5f);
        lane_add(&rig, 600.0f, 0.0f);
        assert_int_equal(lane_build(&rig, false), KERB_OK);
        lone_car car = make_lone_car(200.0);
        step_lone_car(&car, 4.0f);
        kerb_sim_body body = kerb_sim_vehicle_body(&car.vehicle);
        body.position.y = 0.0f; // the road's middle
        body.heading += turns[i];
        body.forward = body.side = body.yaw_rate = 0.0f;
        kerb_sim_vehicle_set_body(&car.vehicle, &body);
        for (int n = 0; n < 250; n++) { // and never over an edge or far back
            step_lone_car(&car, 0.1f);
            assert_true(car.right > 0.0f && car.right < 7.0f);
            assert_true(car.rear > -0.2f && car.rear < 7.2f);
            assert_true(car.distance > 210.0);
        }
        assert_true(car.distance > 300.0 && car.along > 0.99f);
        assert_float_equal(car.right, car.keeper.settings.edge_distance, 0.1f);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

static void put_down_facing_another_way_than_is_meant_it_turns_round_and_drives_on(void** state) {
    (void)state;
    kerb_random random = test_random("lane_way");
    for (int i = 0; i < 24; i++) {
        float half = i % 2 == 0 ? 3.5f : 5.0f;
        lane_begin(&rig, half, half);
        lane_add(&rig, 600.0f, 0.0f);
        assert_int_equal(lane_build(&rig, false), KERB_OK);
        lone_car car = make_lone_car(250.0);
        car.keeper.settings.edge = i / 2 % 2 == 0 ? KERB_LANE_RIGHT : KERB_LANE_LEFT;
        kerb_sim_body body = kerb_sim_vehicle_body(&car.vehicle);
        body.position.y = kerb_random_between(&random, -half + 2.0f, half - 2.0f);
        bool told = i < 20;
        float askew = told ? 1.0f : 0.2f;
        body.heading = 3.1415927f + kerb_random_between(&random, -askew, askew);
        kerb_sim_vehicle_set_body(&car.vehicle, &body);
        if (told)
            kerb_lane_keeper_set_direction(&car.keeper, kerb_vec3_make(3.0f, 0.5f, 1.0f));
        for (int n = 0; n < 400; n++) {
            step_lone_car(&car, 0.1f);
            assert_true(car.right > 0.0f && car.right < 2.0f * half);
            assert_true(!told || car.distance > 220.0);
        }
        if (told) {
            assert_true(car.distance > 300.0 && car.along > 0.99f);
            float off = i / 2 % 2 == 0 ? car.right : 2.0f * half - car.right;
            assert_float_equal(off, car.keeper.settings.edge_distance, 0.1f);
        } else
            assert_true(car.distance < 200.0 && car.along < -0.99f);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

// Somebody stands in the lane, seen late.
typedef struct late_stop {
    kerb_scene_lane_box box;
    double at;   // of its rear bumper [m]
    float meets; // its speed then; 0: stopped before [m/s]
    float off;   // from its lane, at most [m]
} late_stop;

static void step_late_stop(lone_car* car, late_stop* stop) {
    const kerb_path* path = &rig.road.path;
    kerb_motion motion = kerb_sim_vehicle_motion(&car->vehicle);
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
    kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
    int32_t count = kerb_lane_keeper_rays(&car->keeper, &motion, rays);
    for (int32_t i = 0; i < count; i++)
        hits[i] = kerb_scene_lane_road_cast(&rig.road, car->place.segment, &stop->box,
                                            stop->at > 0.0, -1, &rays[i]);
    kerb_controls controls =
        kerb_lane_keeper_drive(&car->keeper, rays, hits, count, &motion, NULL, 1.0f / 60.0f);
    const kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    for (int i = 0; i < 4; i++)
        kerb_sim_vehicle_step(&car->vehicle, &controls, &ground, 1.0f / 240.0f);
    motion = kerb_sim_vehicle_motion(&car->vehicle);
    car->place =
        kerb_path_track(path, car->place, motion.position, kerb_quat_forward(motion.rotation));
    car->speed = kerb_motion_forward_speed(&motion);
    car->distance = kerb_path_distance(path, car->place);
    float right = kerb_path_sample_at(path, car->place).right;
    right += kerb_path_cross_track(path, car->place, motion.position);
    stop->off = kerb_max(stop->off, kerb_abs(right - car->keeper.settings.edge_distance));
}

// A box as long as a car in the lane, its rear at a distance along the road.
static void put_in_lane(late_stop* stop, double at, float edge_distance) {
    kerb_path_location place = kerb_path_locate(&rig.road.path, at + 2.25);
    kerb_path_sample s = kerb_path_sample_at(&rig.road.path, place);
    float aside = edge_distance - s.right;
    stop->box.centre =
        kerb_vec2_make(s.position.x - s.direction.y * aside, s.position.y + s.direction.x * aside);
    stop->box.forward = kerb_vec2_make(s.direction.x, s.direction.y);
    stop->box.length = 4.5f;
    stop->box.width = 1.8f;
    stop->at = at;
}

// On a bend driven with a share of the vehicle's grip somebody stands, seen so late that braking as
// hard as it can on a straight leaves it an eighth of the way and 2 m.
static late_stop stop_late(float radius, float turn, float share) {
    lane_begin(&rig, 3.5f, 3.5f);
    const kerb_sim_model model = rig.model;
    lane_add(&rig, 60.0f, 0.0f);
    lane_bend(&rig, radius, turn);
    lane_add(&rig, 60.0f, 0.0f);
    assert_int_equal(lane_build(&rig, false), KERB_OK);
    const kerb_vehicle* vehicle = &model.vehicle;
    lone_car car = make_lone_car(20.0);
    car.keeper.settings.obstacles = KERB_LANE_STAY;
    car.keeper.settings.speed = kerb_sqrt(share * vehicle->lateral_acceleration_max * radius);
    car.keeper.settings.lateral_acceleration = 50.0f;
    kerb_sim_body body = kerb_sim_vehicle_body(&car.vehicle);
    body.forward = car.keeper.settings.speed;
    kerb_sim_vehicle_set_body(&car.vehicle, &body);
    late_stop stop;
    memset(&stop, 0, sizeof stop);
    const double front = (double)vehicle->reference_to_front;
    for (int n = 0; n < 1200 && !(stop.at > 0.0 && car.speed < 0.1f); n++) {
        step_late_stop(&car, &stop);
        double way = (double)(0.5f * car.speed * car.speed / vehicle->braking_max);
        if (stop.at == 0.0 && car.distance > 60.0 + 0.3 * (double)radius)
            put_in_lane(&stop, car.distance + front + 1.125 * way + 2.0,
                        car.keeper.settings.edge_distance);
        if (stop.at > 0.0 && car.distance + front > stop.at)
            stop.meets = kerb_max(stop.meets, car.speed);
    }
    assert_true(stop.at > 0.0 && car.speed < 0.1f);
    kerb_scene_lane_road_destroy(&rig.road);
    return stop;
}

static void in_an_emergency_in_a_bend_it_brakes_with_what_the_bend_leaves(void** state) {
    (void)state;
    for (int i = 0; i < 12; i++) {
        static const float shares[] = {0.15f, 0.25f, 0.4f};
        float radius = i / 2 % 2 == 0 ? 60.0f : 150.0f;
        late_stop stop = stop_late(radius, i % 2 == 0 ? 2.5f : -2.5f, shares[i / 4]);
        assert_true(stop.meets < 0.1f);
        assert_true(stop.off < 0.5f);
    }
}

static void a_vehicle_with_slow_steering_keeps_its_lane(void** state) {
    (void)state;
    build_track("vamos");
    assert_true(kerb_sim_model_named("carrier", &rig.model));
    kerb_scene_lane_plan plan = plan_at(20.0f);
    plan.settings.edge_distance = 2.2f; // it is 2.7 m wide
    kerb_scene_lane_result result = run(&plan);
    expect_kept(&result);
    kerb_scene_lane_road_destroy(&rig.road);
}

static void wheels_that_take_long_to_lock_keep_the_lane_as_others_do(void** state) {
    (void)state;
    build_track("vamos");
    for (float lock = 0.65f; lock < 1.4f; lock += 0.3f) {
        kerb_vehicle vehicle = kerb_vehicle_default();
        vehicle.steering_rate_max = vehicle.steering_angle_max / lock;
        rig.model = kerb_sim_model_for(&vehicle);
        kerb_scene_lane_plan plan = plan_at(20.0f);
        kerb_scene_lane_result result = run(&plan);
        expect_kept(&result);
        assert_true(result.error_mean < 0.05 && result.error_max < 0.35);
    }
    kerb_scene_lane_road_destroy(&rig.road);
}

// In a bend of 16 m its nose sweeps 0.6 m more than half its width, which leaves 0.5 m in its lane.
static void nose_and_rear_of_a_long_vehicle_stay_off_the_edge_in_bends(void** state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        build_s_bends(16.0f + 2.0f * (float)(i / 2));
        assert_true(kerb_sim_model_named("truck", &rig.model));
        kerb_scene_lane_plan plan = plan_at(20.0f);
        plan.settings.edge = i % 2 == 0 ? KERB_LANE_RIGHT : KERB_LANE_LEFT;
        kerb_scene_lane_result result = run(&plan);
        assert_true(result.finished);
        assert_true(result.edge_touches <= 1); // where the road turns from left to right
        assert_true(result.error_max < 0.5);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

static void a_short_bend_after_a_fast_straight_is_slowed_for_in_time(void** state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        lane_begin(&rig, 7.0f, 7.0f);
        lane_add(&rig, 300.0f, 0.0f);
        lane_bend(&rig, i < 2 ? 90.0f : i < 4 ? 130.0f : 170.0f, i % 2 == 0 ? 0.27f : -0.27f);
        lane_add(&rig, 200.0f, 0.0f);
        assert_int_equal(lane_build(&rig, false), KERB_OK);
        kerb_scene_lane_plan plan = plan_at(36.0f);
        plan.start_speed = 36.0f;
        plan.settings.edge_distance = 5.25f;
        kerb_scene_lane_result result = run(&plan);
        assert_true(result.finished);
        assert_int_equal(result.edge_touches, 0);
        // To the right the outer edge is two lanes farther off, and seen past the bend's end.
        assert_true(result.error_max <= (i % 2 == 0 ? 0.5 : 1.0));
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

static void a_change_of_lane_at_25_mps_takes_3_s_and_overshoots_by_less_than_22_cm(void** state) {
    (void)state;
    lane_begin(&rig, 3.5f, 3.5f);
    lane_add(&rig, 1500.0f, 0.0f);
    assert_int_equal(lane_build(&rig, false), KERB_OK);
    kerb_scene_lane_plan plan = plan_at(25.0f);
    plan.scenario = KERB_SCENE_LANE_CHANGE;
    plan.start_speed = 25.0f;
    kerb_scene_lane_result result = run(&plan);
    expect_kept(&result);
    assert_true(result.changes >= 4);
    assert_true(result.change_time > 1.5 && result.change_time <= 3.2);
    assert_true(result.overshoot <= 0.22);
    kerb_scene_lane_road_destroy(&rig.road);
}

static void what_is_seen_30_m_ahead_at_20_mps_is_gone_round(void** state) {
    (void)state;
    lane_begin(&rig, 3.5f, 3.5f);
    lane_add(&rig, 300.0f, 0.0f);
    assert_int_equal(lane_build(&rig, false), KERB_OK);
    static const float sights[] = {30.0f, 150.0f};
    for (int i = 0; i < 2; i++) {
        kerb_scene_lane_plan plan = plan_at(20.0f);
        plan.scenario = KERB_SCENE_LANE_AVOID;
        plan.settings.sight = sights[i];
        // It would slow for seeing so little; the figure is asked for at 20 m/s.
        plan.settings.deceleration = 8.0f;
        plan.start_speed = 20.0f;
        plan.obstacle_spacing = 130.0f;
        kerb_scene_lane_result result = run(&plan);
        expect_kept(&result);
        assert_true(result.obstacles > 0);
        assert_true(result.rays <= 6.0);
        assert_true(result.speed_mean > (i == 0 ? 10.0 : 16.5));
        kerb_scene_lane_road_destroy(&rig.road);
        lane_begin(&rig, 3.5f, 3.5f);
        lane_add(&rig, 300.0f, 0.0f);
        assert_int_equal(lane_build(&rig, false), KERB_OK);
    }
    kerb_scene_lane_road_destroy(&rig.road);
}

static void cars_in_a_row_go_round_what_stands_on_a_track_without_contact(void** state) {
    (void)state;
    build_track("vamos");
    for (int32_t cars = 1; cars <= 3; cars++) {
        kerb_scene_lane_plan plan = plan_at(20.0f);
        plan.scenario = KERB_SCENE_LANE_AVOID;
        plan.cars = cars;
        kerb_scene_lane_result result = run(&plan);
        assert_true(result.finished);
        assert_int_equal(result.collisions, 0);
        assert_int_equal(result.edge_touches, 0);
    }
    kerb_scene_lane_road_destroy(&rig.road);
}

static void two_directions_share_a_closed_road_without_contact(void** state) {
    (void)state;
    build_track("vamos");
    for (int32_t edge = KERB_LANE_RIGHT; edge <= KERB_LANE_LEFT; edge++) {
        kerb_scene_lane_plan plan = plan_at(18.0f);
        plan.settings.edge = edge;
        plan.cars = 16;
        plan.oncoming = 8;
        plan.spacing = 60.0f;
        kerb_scene_lane_result result = run(&plan);
        expect_kept(&result);
    }
    kerb_scene_lane_road_destroy(&rig.road);
}

static void cars_in_a_row_keep_their_gaps(void** state) {
    (void)state;
    build_s_bends(60.0f);
    kerb_scene_lane_plan plan = plan_at(25.0f);
    plan.cars = 5;
    plan.spacing = 15.0f;
    kerb_scene_lane_result result = run(&plan);
    expect_kept(&result);
    kerb_scene_lane_road_destroy(&rig.road);
}

static void a_side_road_does_not_lead_away(void** state) {
    (void)state;
    for (int both = 0; both < 2; both++) {
        lane_begin(&rig, 3.5f, 3.5f);
        lane_add(&rig, 400.0f, 0.0f);
        assert_int_equal(lane_build(&rig, false), KERB_OK);
        lane_mark(&rig, false, 150.0, 170.0, KERB_LANE_HIT_NOTHING);
        if (both)
            lane_mark(&rig, true, 150.0, 170.0, KERB_LANE_HIT_NOTHING);
        kerb_scene_lane_plan plan = plan_at(15.0f);
        kerb_scene_lane_result result = run(&plan);
        expect_kept(&result);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

static void a_lay_by_does_not_draw_it_in(void** state) {
    (void)state;
    lane_begin(&rig, 3.5f, 3.5f);
    lane_add(&rig, 400.0f, 0.0f);
    assert_int_equal(lane_build(&rig, false), KERB_OK);
    int32_t end = kerb_path_locate(&rig.road.path, 175.0).segment;
    for (int32_t i = kerb_path_locate(&rig.road.path, 150.0).segment; i <= end; i++) {
        rig.road.right[i].from.y -= 5.0f;
        rig.road.right[i].to.y -= 5.0f;
    }
    kerb_scene_lane_plan plan = plan_at(15.0f);
    plan.distance = 130.0; // judged by the edge before the lay-by: to 140 m
    kerb_scene_lane_result result = run(&plan);
    expect_kept(&result);
    plan.distance = 250.0;
    plan.settings.edge = KERB_LANE_RIGHT;
    result = run(&plan);
    assert_true(result.finished);
    // Beside the lay-by its edge is 5 m farther; who drove to that would not be off by so much.
    assert_true(result.error_max > 4.5 && result.error_max < 5.3);
    assert_int_equal(result.edge_touches, 0);
    kerb_scene_lane_road_destroy(&rig.road);
}

static void where_the_edges_end_for_good_it_stops(void** state) {
    (void)state;
    lane_begin(&rig, 3.5f, 3.5f);
    lane_add(&rig, 500.0f, 0.0f);
    assert_int_equal(lane_build(&rig, false), KERB_OK);
    lane_mark(&rig, false, 200.0, 500.0, KERB_LANE_HIT_NOTHING);
    lane_mark(&rig, true, 200.0, 500.0, KERB_LANE_HIT_NOTHING);
    kerb_scene_lane_plan plan = plan_at(20.0f);
    kerb_scene_lane_result result = run(&plan);
    assert_false(result.finished);
    assert_true(result.driven > 150.0 && result.driven < 260.0);
    assert_int_equal(result.collisions, 0);
    kerb_scene_lane_road_destroy(&rig.road);
}

static void before_a_wall_across_the_road_it_stops(void** state) {
    (void)state;
    lane_begin(&rig, 3.5f, 3.5f);
    lane_add(&rig, 500.0f, 0.0f);
    assert_int_equal(lane_build(&rig, false), KERB_OK);
    int32_t at = kerb_path_locate(&rig.road.path, 300.0).segment;
    rig.road.left[at].from = kerb_vec2_make(300.0f, -4.0f);
    rig.road.left[at].to = kerb_vec2_make(300.0f, 4.0f);
    rig.road.left[at].what = KERB_LANE_HIT_WALL;
    kerb_scene_lane_plan plan = plan_at(25.0f);
    kerb_scene_lane_result result = run(&plan);
    assert_false(result.finished);
    // From 10 m on to its front bumper before the wall.
    assert_true(result.driven > 250.0 && result.driven < 290.0 - 2.0);
    kerb_scene_lane_road_destroy(&rig.road);
}

static void corners_in_the_edge_are_kept_clear_of(void** state) {
    (void)state;
    lane_begin(&rig, 3.5f, 3.5f);
    for (int i = 0; i < 6; i++) {
        lane_add(&rig, 60.0f, 0.0f);
        rig.heading += i % 2 == 0 ? 0.35f : -0.35f;
    }
    lane_add(&rig, 100.0f, 0.0f);
    assert_int_equal(lane_build(&rig, false), KERB_OK);
    kerb_scene_lane_plan plan = plan_at(20.0f);
    kerb_scene_lane_result result = run(&plan);
    assert_true(result.finished);
    assert_true(result.error_mean <= 0.15);
    assert_int_equal(result.edge_touches, 0);
    kerb_scene_lane_road_destroy(&rig.road);
}

static void a_road_that_narrows_leaves_it_room(void** state) {
    (void)state;
    lane_begin(&rig, 3.5f, 3.5f);
    lane_add(&rig, 150.0f, 0.0f);
    for (int i = 0; i < 40; i++) { // to 3 m in all, over 60 m
        rig.left -= 0.05f;
        rig.right -= 0.05f;
        lane_add(&rig, 1.4f, 0.0f);
    }
    lane_add(&rig, 150.0f, 0.0f);
    assert_int_equal(lane_build(&rig, false), KERB_OK);
    kerb_scene_lane_plan plan = plan_at(20.0f);
    kerb_scene_lane_result result = run(&plan);
    assert_true(result.finished);
    assert_int_equal(result.edge_touches, 0);
    kerb_scene_lane_road_destroy(&rig.road);
}

// Two straights that cross at right angles with a loop between them; the second one `height` above
// the first.
static void build_crossing(float height) {
    lane_begin(&rig, 3.5f, 3.5f);
    lane_add(&rig, 200.0f, 0.0f);
    lane_bend(&rig, 60.0f, 1.5f * KERB_PI);
    lane_add(&rig, 200.0f, 0.0f);
    for (int32_t i = 0; i < rig.count; i++) {
        float share = kerb_clamp(((float)i / (float)rig.count - 0.3f) / 0.3f, 0.0f, 1.0f);
        rig.waypoints[i].position.z = height * share;
    }
    assert_int_equal(lane_build(&rig, false), KERB_OK);
}

// Casts a ray along the first straight before the place where the second one crosses it.
static kerb_lane_hit cast_at_crossing(const kerb_scene_lane_box* box) {
    int32_t near_segment = kerb_path_locate(&rig.road.path, 110.0).segment;
    kerb_lane_ray ray = {.origin = {110.0f, 0.0f, 0.0f}, .direction = {1, 0, 0}, .length = 60.0f};
    return kerb_scene_lane_road_cast(&rig.road, near_segment, box, 1, -1, &ray);
}

static void roads_that_cross_on_a_bridge_do_not_see_each_other(void** state) {
    (void)state;
    for (int above = 0; above < 2; above++) {
        build_crossing(above ? 15.0f : 0.0f);
        kerb_path_location over = kerb_path_locate(&rig.road.path, rig.road.path.length - 140.0);
        kerb_vec3 at = kerb_path_position(&rig.road.path, over);
        assert_float_equal(at.x, 140.0f, 2.0f); // the second road crosses here
        assert_float_equal(at.y, 0.0f, 2.0f);
        kerb_scene_lane_box box = {.centre = {at.x, at.y},
                                   .forward = {0.0f, 1.0f},
                                   .length = 4.5f,
                                   .width = 1.8f,
                                   .height = kerb_scene_lane_road_height(&rig.road, over.segment)};
        kerb_lane_hit hit = cast_at_crossing(&box);
        assert_int_equal(hit.kind, above ? KERB_LANE_HIT_NOTHING : KERB_LANE_HIT_VEHICLE);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

static void a_road_that_crosses_itself_on_a_bridge_is_kept(void** state) {
    (void)state;
    build_crossing(15.0f);
    kerb_scene_lane_plan plan = plan_at(20.0f);
    kerb_scene_lane_result result = run(&plan);
    expect_kept(&result);
    kerb_scene_lane_road_destroy(&rig.road);
}

static void where_walls_stand_instead_of_kerbs_the_lane_is_kept(void** state) {
    (void)state;
    build_s_bends(60.0f);
    lane_mark(&rig, false, 0.0, rig.road.path.length - 1.0, KERB_LANE_HIT_WALL);
    lane_mark(&rig, true, 0.0, rig.road.path.length - 1.0, KERB_LANE_HIT_WALL);
    kerb_scene_lane_plan plan = plan_at(20.0f);
    kerb_scene_lane_result result = run(&plan);
    expect_kept(&result);
    kerb_scene_lane_road_destroy(&rig.road);
}

int lane_drive_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bends_down_to_30_m_are_kept_within_half_a_metre),
        cmocka_unit_test(wheels_are_still_in_a_bend_whose_edge_is_made_of_pieces),
        cmocka_unit_test(roads_of_random_bends_are_kept_by_random_cars),
        cmocka_unit_test(the_built_in_track_is_kept_on_either_side_and_by_both_edges),
        cmocka_unit_test(hairpins_of_which_the_inner_edge_is_a_corner_are_got_round_by_either_edge),
        cmocka_unit_test(round_a_bend_of_long_pieces_the_wheels_turn_without_jerks),
        cmocka_unit_test(
            round_a_corner_where_no_edge_leads_on_it_turns_since_the_road_ahead_is_blocked),
        cmocka_unit_test(
            an_edge_does_not_cross_the_road_inside_a_bend_tighter_than_the_road_is_wide),
        cmocka_unit_test(put_down_in_a_bend_it_knows_how_far_from_the_edge_it_is),
        cmocka_unit_test(who_was_spun_round_backs_out_and_drives_on_in_its_lane),
        cmocka_unit_test(put_down_facing_another_way_than_is_meant_it_turns_round_and_drives_on),
        cmocka_unit_test(in_an_emergency_in_a_bend_it_brakes_with_what_the_bend_leaves),
        cmocka_unit_test(a_vehicle_with_slow_steering_keeps_its_lane),
        cmocka_unit_test(wheels_that_take_long_to_lock_keep_the_lane_as_others_do),
        cmocka_unit_test(nose_and_rear_of_a_long_vehicle_stay_off_the_edge_in_bends),
        cmocka_unit_test(a_short_bend_after_a_fast_straight_is_slowed_for_in_time),
        cmocka_unit_test(a_change_of_lane_at_25_mps_takes_3_s_and_overshoots_by_less_than_22_cm),
        cmocka_unit_test(what_is_seen_30_m_ahead_at_20_mps_is_gone_round),
        cmocka_unit_test(cars_in_a_row_go_round_what_stands_on_a_track_without_contact),
        cmocka_unit_test(two_directions_share_a_closed_road_without_contact),
        cmocka_unit_test(cars_in_a_row_keep_their_gaps),
        cmocka_unit_test(a_side_road_does_not_lead_away),
        cmocka_unit_test(a_lay_by_does_not_draw_it_in),
        cmocka_unit_test(where_the_edges_end_for_good_it_stops),
        cmocka_unit_test(before_a_wall_across_the_road_it_stops),
        cmocka_unit_test(corners_in_the_edge_are_kept_clear_of),
        cmocka_unit_test(a_road_that_narrows_leaves_it_room),
        cmocka_unit_test(roads_that_cross_on_a_bridge_do_not_see_each_other),
        cmocka_unit_test(a_road_that_crosses_itself_on_a_bridge_is_kept),
        cmocka_unit_test(where_walls_stand_instead_of_kerbs_the_lane_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
