// The lane keeper in Bullet's world: Bullet answers the rays and moves the car. Edges are walls
// there, what stands in the lane is a box.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef KERB_HAVE_BULLET

#include "scene/course/calibration.h"
#include "sim/bullet/bullet.h"
#include "test/lane/lane_rig.h"

#include <math.h>

#define STEP (1.0f / 60.0f)
#define WALL 0.2f       // thick [m]
#define RAY_HEIGHT 0.5f // over the road: a kerb's wall stands on it [m]
#define OBSTACLES (2 * LANE_POINTS + 8)
#define SETTLED 3.0f // [s]

// A road in sim/ and the same one in Bullet.
typedef struct bullet_road {
    lane_rig rig;
    kerb_sim_obstacle obstacles[OBSTACLES];
    kerb_sim_world world;
    int32_t edges; // obstacles before this are edges, the others stand in the road
    kerb_scene_lane_box standing[8];
    int32_t standing_count;
} bullet_road;

static bullet_road road;
static kerb_sim_model car;

// What a drive was like.
typedef struct drive_result {
    double error_mean, error_max, overshoot, change_time, driven;
    double speed; // mean, while it keeps its lane [m/s]
    bool touched;
} drive_result;

// A wall whose inner face is the edge.
static void add_wall(const kerb_scene_lane_segment* edge, float outward) {
    kerb_vec2 along = kerb_vec2_sub(edge->to, edge->from);
    kerb_vec2 unit = kerb_vec2_scale(along, 1.0f / kerb_vec2_length(along));
    kerb_vec2 out = kerb_vec2_scale(kerb_vec2_make(-unit.y, unit.x), 0.5f * WALL * outward);
    kerb_sim_obstacle wall = {.kind = KERB_SIM_WALL,
                              .from = kerb_vec2_add(edge->from, out),
                              .to = kerb_vec2_add(edge->to, out),
                              .thickness = WALL};
    road.obstacles[road.world.obstacle_count++] = wall;
}

// A car as a game would know it: measured in Bullet, whose tyres do not slip. Once for all tests.
static int measure_car(void** state) {
    (void)state;
    kerb_calibration_settings settings = kerb_calibration_settings_default();
    kerb_calibrator calibrator;
    if (!kerb_sim_model_named("road", &car) ||
        kerb_scene_calibrate(&car, &kerb_sim_bullet_physics, 60.0f, &settings, &calibrator, NULL) !=
            KERB_OK)
        return -1;
    car.vehicle = calibrator.measured;
    return calibrator.outcome == KERB_CALIBRATION_DONE ? 0 : -1;
}

static void build(void) {
    road.rig.model = car;
    assert_int_equal(lane_build(&road.rig, false), KERB_OK);
    memset(&road.world, 0, sizeof road.world);
    road.world.obstacles = road.obstacles;
    for (int32_t i = 0; i < road.rig.road.path.segment_count; i++) {
        add_wall(&road.rig.road.left[i], 1.0f);
        add_wall(&road.rig.road.right[i], -1.0f);
    }
    road.edges = road.world.obstacle_count;
    road.standing_count = 0;
}

// A car's box in the lane by the right edge.
static void put_obstacle(double distance, float edge_distance) {
    const kerb_path* path = &road.rig.road.path;
    kerb_path_sample s = kerb_path_sample_at(path, kerb_path_locate(path, distance));
    float aside = edge_distance - s.right;
    kerb_vec2 at =
        kerb_vec2_make(s.position.x - s.direction.y * aside, s.position.y + s.direction.x * aside);
    kerb_vec2 half = kerb_vec2_make(2.2f * s.direction.x, 2.2f * s.direction.y);
    kerb_sim_obstacle box = {.kind = KERB_SIM_BOX,
                             .from = kerb_vec2_sub(at, half),
                             .to = kerb_vec2_add(at, half),
                             .thickness = 1.8f};
    road.obstacles[road.world.obstacle_count++] = box;
}

static kerb_lane_hit answer(const kerb_sim_bullet* bullet, const kerb_lane_ray* ray) {
    kerb_vec3 origin = ray->origin;
    origin.z = RAY_HEIGHT;
    kerb_sim_bullet_hit met = kerb_sim_bullet_cast(bullet, origin, ray->direction, ray->length);
    kerb_lane_hit hit = {.distance = met.distance, .normal = met.normal};
    if (met.obstacle >= 0)
        hit.kind = met.obstacle < road.edges ? KERB_LANE_HIT_EDGE : KERB_LANE_HIT_VEHICLE;
    return hit;
}

// Drives from 10 m on until `distance`, changing lanes at `change` where that is > 0.
static drive_result drive(const kerb_lane_settings* settings, float speed, double distance,
                          float change, float other) {
    const kerb_path* path = &road.rig.road.path;
    drive_result result = {0};
    kerb_error error = {.message = "nothing"};
    kerb_path_sample s = kerb_path_sample_at(path, kerb_path_locate(path, 10.0));
    kerb_vec3 start = kerb_vec3_make(s.position.x, settings->edge_distance - s.right, 0.0f);
    kerb_sim_bullet* bullet =
        kerb_sim_bullet_make(&road.rig.model, &road.world, NULL, start, 0.0f, &error);
    if (!bullet)
        fail_msg("not made: %s", error.message);
    kerb_lane_keeper keeper = kerb_lane_keeper_make(&road.rig.model.vehicle);
    keeper.settings = *settings;
    keeper.settings.speed = speed;
    kerb_path_location place = kerb_path_locate(path, 10.0);
    double sum = 0.0, time = 0.0;
    float wished = -1.0f;
    for (float t = 0.0f; kerb_path_distance(path, place) < distance && t < 200.0f; t += STEP) {
        kerb_motion motion = kerb_sim_bullet_motion(bullet);
        kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
        kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
        int32_t count = kerb_lane_keeper_rays(&keeper, &motion, rays);
        for (int32_t i = 0; i < count; i++)
            hits[i] = answer(bullet, &rays[i]);
        kerb_controls controls =
            kerb_lane_keeper_drive(&keeper, rays, hits, count, &motion, NULL, STEP);
        kerb_sim_bullet_step(bullet, &controls, STEP);
        motion = kerb_sim_bullet_motion(bullet);
        result.touched = result.touched || kerb_sim_bullet_touching(bullet);
        place = kerb_path_track(path, place, motion.position, kerb_quat_forward(motion.rotation));
        float off =
            kerb_scene_lane_road_distance(&road.rig.road, place.segment, false,
                                          kerb_vec2_make(motion.position.x, motion.position.y));
        float lane_error = off - keeper.settings.edge_distance;
        if (change > 0.0f && wished < 0.0f && t > change) {
            keeper.settings.edge_distance = other;
            wished = t;
            continue;
        }
        if (wished >= 0.0f && result.change_time == 0.0 && kerb_abs(lane_error) < 0.2f)
            result.change_time = (double)(t - wished);
        if (result.change_time > 0.0)
            result.overshoot =
                (double)lane_error > result.overshoot ? (double)lane_error : result.overshoot;
        bool keeps = !keeper.decision.changing && !keeper.decision.avoiding && t > SETTLED &&
                     (wished < 0.0f || t - wished > 5.0f);
        if (!keeps)
            continue;
        double size = (double)kerb_abs(lane_error);
        sum += size * (double)STEP;
        result.speed += (double)(kerb_motion_forward_speed(&motion) * STEP);
        time += (double)STEP;
        result.error_max = size > result.error_max ? size : result.error_max;
    }
    result.error_mean = time > 0.0 ? sum / time : 0.0;
    result.speed = time > 0.0 ? result.speed / time : 0.0;
    result.driven = kerb_path_distance(path, place);
    kerb_sim_bullet_destroy(bullet);
    kerb_scene_lane_road_destroy(&road.rig.road);
    print_message("mean %.3f m, most %.3f m, %.1f m/s, change %.2f s, overshoot %.3f m\n",
                  result.error_mean, result.error_max, result.speed, result.change_time,
                  result.overshoot);
    return result;
}

static void bends_are_kept_within_20_cm(void** state) {
    (void)state;
    static const float radii[] = {30.0f, 60.0f, 150.0f};
    for (int i = 0; i < 3; i++) {
        lane_begin(&road.rig, 3.5f, 3.5f);
        lane_add(&road.rig, 150.0f, 0.0f);
        lane_bend(&road.rig, radii[i], 1.4f);
        lane_bend(&road.rig, radii[i], -2.0f);
        lane_add(&road.rig, 80.0f, 0.0f);
        build();
        kerb_lane_settings settings = kerb_lane_settings_default();
        drive_result r = drive(&settings, 30.0f, road.rig.road.path.length - 30.0, 0.0f, 0.0f);
        assert_true(r.error_mean <= 0.05);
        assert_true(r.error_max <= 0.2);
        assert_false(r.touched);
        // As fast as 4 m/s² aside let it, and not as what rays that graze a wall make it believe.
        assert_true(r.speed > 0.8 * fmin(30.0, sqrt(4.0 * (double)radii[i])));
    }
}

static void a_change_of_lane_overshoots_by_less_than_20_cm(void** state) {
    (void)state;
    lane_begin(&road.rig, 3.5f, 3.5f);
    lane_add(&road.rig, 700.0f, 0.0f);
    build();
    kerb_lane_settings settings = kerb_lane_settings_default();
    drive_result r = drive(&settings, 25.0f, 600.0, 15.0f, 5.25f);
    assert_true(r.change_time > 1.5 && r.change_time <= 3.4);
    assert_true(r.overshoot <= 0.2);
    assert_true(r.error_mean <= 0.2);
    assert_false(r.touched);
}

static void what_stands_in_the_lane_is_gone_round(void** state) {
    (void)state;
    lane_begin(&road.rig, 3.5f, 3.5f);
    lane_add(&road.rig, 500.0f, 0.0f);
    build();
    put_obstacle(200.0, 1.75f);
    put_obstacle(350.0, 1.75f);
    kerb_lane_settings settings = kerb_lane_settings_default();
    drive_result r = drive(&settings, 20.0f, 450.0, 0.0f, 0.0f);
    assert_true(r.driven >= 450.0);
    assert_false(r.touched);
    assert_true(r.error_mean <= 0.2);
}

static void before_a_box_across_the_road_it_stops(void** state) {
    (void)state;
    lane_begin(&road.rig, 3.5f, 3.5f);
    lane_add(&road.rig, 300.0f, 0.0f);
    build();
    kerb_sim_obstacle across = {.kind = KERB_SIM_WALL,
                                .from = kerb_vec2_make(200.0f, -4.0f),
                                .to = kerb_vec2_make(200.0f, 4.0f),
                                .thickness = WALL};
    road.obstacles[road.world.obstacle_count++] = across;
    road.edges = road.world.obstacle_count;
    kerb_lane_settings settings = kerb_lane_settings_default();
    drive_result r = drive(&settings, 20.0f, 250.0, 0.0f, 0.0f);
    assert_true(r.driven > 180.0 && r.driven < 200.0);
    assert_false(r.touched);
}

int lane_bullet_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bends_are_kept_within_20_cm),
        cmocka_unit_test(a_change_of_lane_overshoots_by_less_than_20_cm),
        cmocka_unit_test(what_stands_in_the_lane_is_gone_round),
        cmocka_unit_test(before_a_box_across_the_road_it_stops),
    };
    return cmocka_run_group_tests(tests, measure_car, NULL);
}

#else

static void lanes_in_bullet_are_tested(void** state) {
    (void)state;
    print_message("built without Bullet (libbullet-dev, g++): lanes in it are not tested\n");
    skip();
}

int lane_bullet_tests(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_in_bullet_are_tested)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
