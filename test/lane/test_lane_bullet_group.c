// Several cars in Bullet's world that keep their lanes by rays: Bullet answers the rays, walls and
// bodies both, and moves the cars. One that comes towards another, and bots round a player.
#include "kerb/lane_company.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef KERB_HAVE_BULLET

#include "scene/course/calibration.h"
#include "sim/bullet/bullet.h"
#include "sim/bullet/group.h"
#include "test/lane/lane_rig.h"

#define STEP (1.0f / 60.0f)
#define STEPS 4         // of Bullet's in one of these
#define WALL 0.2f       // thick [m]
#define RAY_HEIGHT 0.5f // over the road: a kerb's wall stands on it [m]
#define LANE 3.5f       // wide [m]
#define BOTS 12
#define CARS (BOTS + 1)
#define SETTLED 3.0f // [s]
#define NEAR 100.0f  // [m]

// A driver in Bullet's world.
typedef struct driver {
    kerb_lane_keeper keeper;
    kerb_controls controls;
    kerb_motion motion;
    kerb_path_location place; // on the road's middle
    bool oncoming;
    float edge_distance;          // from its own edge [m]
    double error_sum, error_time; // while it keeps its lane
    float error_max;              // [m]
} driver;

static struct {
    lane_rig rig;
    kerb_sim_obstacle obstacles[2 * LANE_POINTS];
    kerb_sim_world world;
    void* group;
    driver drivers[CARS];
    int32_t count;
    int32_t touches; // of cars with each other, in steps
    int32_t edges;   // frames in which a car touched a wall
} w;

static kerb_sim_model car;
static const kerb_sim_ground flat = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};

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

// --------------------------------------------------------------------------- the world

// A wall whose inner face is the edge.
static void add_wall(const kerb_scene_lane_segment* edge, float outward) {
    kerb_vec2 along = kerb_vec2_sub(edge->to, edge->from);
    kerb_vec2 unit = kerb_vec2_scale(along, 1.0f / kerb_vec2_length(along));
    kerb_vec2 out = kerb_vec2_scale(kerb_vec2_make(-unit.y, unit.x), 0.5f * WALL * outward);
    kerb_sim_obstacle wall = {.kind = KERB_SIM_WALL,
                              .from = kerb_vec2_add(edge->from, out),
                              .to = kerb_vec2_add(edge->to, out),
                              .thickness = WALL};
    w.obstacles[w.world.obstacle_count++] = wall;
}

static void build(void) {
    w.rig.model = car;
    assert_int_equal(lane_build(&w.rig, false), KERB_OK);
    memset(&w.world, 0, sizeof w.world);
    w.world.obstacles = w.obstacles;
    for (int32_t i = 0; i < w.rig.road.path.segment_count; i++) {
        add_wall(&w.rig.road.left[i], 1.0f);
        add_wall(&w.rig.road.right[i], -1.0f);
    }
    w.group = kerb_sim_bullet_group_make(CARS, &w.world);
    assert_non_null(w.group);
    memset(w.drivers, 0, sizeof w.drivers);
    w.count = w.touches = w.edges = 0;
}

static void take_down(void) {
    kerb_sim_bullet_group.destroy(w.group);
    kerb_scene_lane_road_destroy(&w.rig.road);
}

static const kerb_path* path(void) {
    return &w.rig.road.path;
}

static void look(driver* d, int32_t index) {
    d->motion = kerb_sim_bullet_group.motion(w.group, index);
    kerb_vec3 facing = kerb_quat_forward(d->motion.rotation);
    if (d->oncoming)
        facing = kerb_vec3_scale(facing, -1.0f);
    d->place = kerb_path_track(path(), d->place, d->motion.position, facing);
    kerb_vec2 at = kerb_vec2_make(d->motion.position.x, d->motion.position.y);
    d->edge_distance =
        kerb_scene_lane_road_distance(&w.rig.road, d->place.segment, d->oncoming, at);
}

// In its lane there, rolling at a speed, with a keeper that knows nothing yet.
static void put(int32_t index, double distance, bool oncoming, float edge_distance, float speed) {
    driver* d = &w.drivers[index];
    kerb_lane_settings settings = d->keeper.settings;
    d->place = kerb_path_locate(path(), distance);
    d->oncoming = oncoming;
    kerb_path_sample s = kerb_path_sample_at(path(), d->place);
    float way = oncoming ? -1.0f : 1.0f;
    float aside = oncoming ? s.left - edge_distance : edge_distance - s.right;
    kerb_vec3 at = kerb_vec3_make(s.position.x - s.direction.y * aside,
                                  s.position.y + s.direction.x * aside, 0.0f);
    float heading = kerb_atan2(way * s.direction.y, way * s.direction.x);
    assert_true(kerb_sim_bullet_group.put(w.group, index, &w.rig.model, &flat, at, heading));
    kerb_sim_body body = kerb_sim_bullet_group.body(w.group, index);
    body.forward = speed;
    kerb_sim_bullet_group.set_body(w.group, index, &body);
    d->keeper = kerb_lane_keeper_make(&w.rig.model.vehicle);
    d->keeper.settings = settings;
    d->keeper.settings.edge_distance = edge_distance;
    d->keeper.settings.speed = kerb_max(speed, 0.5f);
    w.count = index >= w.count ? index + 1 : w.count;
    look(d, index);
}

static kerb_lane_hit answer(int32_t self, const kerb_lane_ray* ray) {
    kerb_vec3 origin = ray->origin;
    origin.z = RAY_HEIGHT;
    kerb_sim_bullet_group_hit met =
        kerb_sim_bullet_group_cast(w.group, self, origin, ray->direction, ray->length);
    kerb_lane_hit hit = {.distance = met.distance, .normal = met.normal};
    if (met.obstacle >= 0)
        hit.kind = KERB_LANE_HIT_EDGE;
    if (met.vehicle < 0)
        return hit;
    hit.kind = KERB_LANE_HIT_VEHICLE;
    hit.velocity = w.drivers[met.vehicle].motion.velocity;
    return hit;
}

static void judge(driver* d) {
    const kerb_lane_decision* t = &d->keeper.decision;
    float wanted = d->keeper.settings.edge_distance;
    if (t->changing || t->avoiding || kerb_abs(t->edge_distance - wanted) > 0.01f ||
        kerb_abs(d->motion.velocity.x) + kerb_abs(d->motion.velocity.y) < 0.1f)
        return;
    float error = kerb_abs(d->edge_distance - wanted);
    d->error_sum += (double)(error * STEP);
    d->error_time += (double)STEP;
    d->error_max = kerb_max(d->error_max, error);
}

// All drive by what they see at one moment; then Bullet moves all.
static void frame(float time) {
    for (int32_t i = 0; i < w.count; i++) {
        driver* d = &w.drivers[i];
        kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
        kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
        int32_t count = kerb_lane_keeper_rays(&d->keeper, &d->motion, rays);
        for (int32_t k = 0; k < count; k++)
            hits[k] = answer(i, &rays[k]);
        d->controls = kerb_lane_keeper_drive(&d->keeper, rays, hits, count, &d->motion, NULL, STEP);
    }
    for (int32_t step = 0; step < STEPS; step++) {
        kerb_sim_group_input inputs[CARS];
        kerb_sim_group_touch touches[1];
        for (int32_t i = 0; i < w.count; i++)
            inputs[i] = (kerb_sim_group_input){.controls = &w.drivers[i].controls, .ground = flat};
        w.touches += kerb_sim_bullet_group.step(w.group, inputs, STEP / (float)STEPS, touches, 1);
    }
    for (int32_t i = 0; i < w.count; i++) {
        look(&w.drivers[i], i);
        w.edges += kerb_sim_bullet_group_touching(w.group, i);
        if (time > SETTLED)
            judge(&w.drivers[i]);
    }
}

static double distance_of(int32_t index) {
    return kerb_path_distance(path(), w.drivers[index].place);
}

// --------------------------------------------------------------------------- somebody comes

static void set_out(int32_t index, double distance, bool oncoming, float speed) {
    w.drivers[index].keeper.settings = kerb_lane_settings_default();
    put(index, distance, oncoming, 0.5f * LANE, speed);
}

static void cars_that_come_towards_each_other_keep_their_lanes_within_20_cm(void** state) {
    (void)state;
    static const float bends[] = {0.0f, 60.0f, -40.0f}; // where they meet [m]
    for (int i = 0; i < 3; i++) {
        lane_begin(&w.rig, LANE, LANE);
        lane_add(&w.rig, 150.0f, 0.0f);
        if (bends[i] != 0.0f)
            lane_bend(&w.rig, kerb_abs(bends[i]), bends[i] > 0.0f ? 1.5f : -1.5f);
        lane_add(&w.rig, 150.0f, 0.0f);
        build();
        double length = path()->length;
        set_out(0, 10.0, false, 15.0f);
        set_out(1, length - 10.0, true, 15.0f);
        float time = 0.0f;
        for (; time < 60.0f && (distance_of(0) < length - 60.0 || distance_of(1) > 60.0);
             time += STEP)
            frame(time);
        assert_true(distance_of(0) >= length - 60.0 && distance_of(1) <= 60.0);
        assert_int_equal(w.touches, 0);
        assert_int_equal(w.edges, 0);
        for (int32_t k = 0; k < 2; k++) {
            const driver* d = &w.drivers[k];
            print_message("mean %.3f m, most %.3f m in %.0f s\n", d->error_sum / d->error_time,
                          (double)d->error_max, (double)time);
            assert_true(d->error_time > 5.0 && d->error_max <= 0.2f);
        }
        take_down();
    }
}

// Past who stands 200 m ahead while somebody comes from `from`: both get by, and nobody touches.
static void pass_who_stands(float speed, double from) {
    lane_begin(&w.rig, LANE, LANE);
    lane_add(&w.rig, 600.0f, 0.0f);
    build();
    set_out(0, 10.0, false, speed);
    set_out(1, from, true, speed);
    set_out(2, 200.0, false, 0.0f);
    w.drivers[2].keeper.settings.speed = 0.1f;
    float time = 0.0f;
    for (; time < 60.0f && distance_of(0) < 300.0; time += STEP) {
        frame(time);
        if (distance_of(1) < 20.0) // out of the way, standing
            put(1, 560.0, true, 0.5f * LANE, 0.0f);
    }
    print_message("past in %.1f s\n", (double)time);
    assert_true(distance_of(0) >= 300.0);
    assert_int_equal(w.touches, 0);
    assert_int_equal(w.edges, 0);
    take_down();
}

// Who comes is near enough to be met by the rays into the other lane when it asks.
static void behind_who_stands_in_the_lane_it_waits_until_who_is_seen_to_come_is_past(void** state) {
    (void)state;
    for (int i = 0; i < 4; i++)
        pass_who_stands(15.0f, 270.0 + 20.0 * (double)i);
}

// Out of reach of rays that end where it is past who stands; who comes as fast as it may itself.
static void it_goes_round_who_stands_only_where_who_comes_would_be_seen_in_time(void** state) {
    (void)state;
    for (int i = 0; i < 6; i++)
        pass_who_stands(i % 2 == 0 ? 15.0f : 22.0f, 350.0 + 30.0 * (double)(i / 2));
}

// --------------------------------------------------------------------------- round a player

// What the player is up to, one after another: how fast, in which lane, swaying, on the brakes.
typedef struct mood {
    float until, speed; // [s], [m/s]
    int32_t lane;
    bool weaves, brakes;
} mood;

static const mood moods[] = {{12.0f, 18.0f, 1, false, false}, {22.0f, 27.0f, 1, false, false},
                             {23.5f, 27.0f, 1, false, true},  {36.0f, 22.0f, 1, true, false},
                             {44.0f, 7.0f, 0, false, false},  {54.0f, 25.0f, 0, true, false},
                             {60.0f, 0.5f, 0, false, true},   {75.0f, 20.0f, 1, false, false}};

// Nobody of its direction beside it or about to be: the player drives badly, not into others.
static bool is_free(const kerb_lane_bot* bots, float speed, float edge_distance) {
    for (int32_t i = 0; i < BOTS; i++) {
        float closing =
            bots[i].distance_ahead > 0.0f ? speed - bots[i].speed : bots[i].speed - speed;
        if (!bots[i].oncoming && kerb_abs(bots[i].edge_distance - edge_distance) < LANE - 0.5f &&
            kerb_abs(bots[i].distance_ahead) < 9.0f + 2.0f * kerb_max(closing, 0.0f))
            return false;
    }
    return true;
}

static void lead_player(const mood* m, const kerb_lane_bot* bots, float time, float* lane) {
    driver* player = &w.drivers[0];
    float speed = kerb_motion_forward_speed(&player->motion);
    int32_t wish = m->weaves && (int32_t)(time / 5.0f) % 2 ? 1 - m->lane : m->lane;
    float edge = ((float)wish + 0.5f) * LANE;
    if (edge != *lane && is_free(bots, speed, edge))
        *lane = edge;
    float sway = m->weaves ? ((int32_t)(time / 2.0f) % 2 ? 0.4f : -0.4f) : 0.0f;
    player->keeper.settings.edge_distance = *lane + sway;
    player->keeper.settings.speed = m->brakes ? 0.5f : m->speed;
    player->keeper.settings.deceleration = m->brakes ? 8.0f : 6.0f;
}

static void lead_bots(kerb_lane_company* company, kerb_lane_bot* bots, kerb_lane_order* orders) {
    const driver* player = &w.drivers[0];
    double here = distance_of(0);
    for (int32_t i = 0; i < BOTS; i++) {
        const driver* d = &w.drivers[i + 1];
        float along = (float)(distance_of(i + 1) - here);
        bots[i] = (kerb_lane_bot){.distance_ahead = along,
                                  .speed = kerb_motion_forward_speed(&d->motion),
                                  .edge_distance = d->edge_distance,
                                  .oncoming = d->oncoming,
                                  .seen = along < 250.0f && along > -120.0f};
    }
    kerb_lane_player who = {kerb_motion_forward_speed(&player->motion), player->edge_distance};
    kerb_lane_company_drive(company, &who, bots, BOTS, STEP, orders);
}

static bool has_room(int32_t index, double distance) {
    for (int32_t i = 0; i < CARS; i++) {
        double off = distance_of(i) - distance;
        if (i != index && off < 60.0 && off > -60.0)
            return false;
    }
    return distance > 5.0 && distance < path()->length - 5.0;
}

static void obey(const kerb_lane_order* order, int32_t index) {
    double there = distance_of(0) + (double)order->respawn_distance_ahead;
    if (order->respawn && has_room(index, there)) {
        put(index, there, order->respawn_oncoming, order->edge_distance, order->speed);
        return;
    }
    w.drivers[index].keeper.settings.speed = kerb_max(order->speed, 0.5f);
    if (!order->respawn)
        w.drivers[index].keeper.settings.edge_distance = order->edge_distance;
}

// Four lanes, bends of 200 to 500 m.
static void build_country(void) {
    lane_begin(&w.rig, 2.0f * LANE, 2.0f * LANE);
    lane_add(&w.rig, 500.0f, 0.0f);
    for (int i = 0; i < 4; i++) {
        lane_bend(&w.rig, 200.0f + 100.0f * (float)i, i % 2 ? -0.9f : 0.9f);
        lane_add(&w.rig, 150.0f, 0.0f);
    }
    lane_add(&w.rig, 300.0f, 0.0f);
    build();
}

static void put_all_down(kerb_lane_company* company, float speed) {
    kerb_lane_settings* s = &w.drivers[0].keeper.settings;
    *s = kerb_lane_settings_default();
    s->obstacles = KERB_LANE_STAY;
    s->gap_time = 0.5f;
    s->deceleration = 6.0f;
    s->acceleration = 4.0f;
    s->lane_change_time = 2.0f;
    put(0, 400.0, false, 1.5f * LANE, speed);
    *company = kerb_lane_company_make();
    company->settings.oncoming_share = 0.25f;
    kerb_lane_order orders[BOTS];
    const kerb_lane_player who = {speed, 1.5f * LANE};
    kerb_lane_company_begin(company, &who, BOTS, orders);
    for (int32_t i = 0; i < BOTS; i++) {
        s = &w.drivers[i + 1].keeper.settings;
        *s = kerb_lane_settings_default();
        s->obstacles = KERB_LANE_STAY;
        s->gap_time = 1.0f;
        put(i + 1, 400.0 + (double)orders[i].respawn_distance_ahead, orders[i].respawn_oncoming,
            orders[i].edge_distance, orders[i].speed);
    }
}

static void bots_stay_round_a_player_who_speeds_brakes_and_weaves(void** state) {
    (void)state;
    build_country();
    kerb_lane_company company;
    put_all_down(&company, 18.0f);
    kerb_lane_bot bots[BOTS];
    kerb_lane_order orders[BOTS];
    float lane = 1.5f * LANE, time = 0.0f, near_time = 0.0f, near_sum = 0.0f;
    for (const mood* m = moods; m < moods + sizeof moods / sizeof *moods; time += STEP) {
        lead_bots(&company, bots, orders);
        for (int32_t i = 0; i < BOTS; i++)
            obey(&orders[i], i + 1);
        lead_player(m, bots, time, &lane);
        frame(time);
        int32_t near_count = 0;
        for (int32_t i = 1; i < CARS; i++)
            near_count += kerb_abs((float)(distance_of(i) - distance_of(0))) <= NEAR;
        near_sum += (float)near_count * STEP;
        near_time += near_count >= 5 ? STEP : 0.0f;
        m += time >= m->until;
    }
    double sum = 0.0, judged = 0.0;
    float most = 0.0f;
    for (int32_t i = 1; i < CARS; i++) {
        sum += w.drivers[i].error_sum;
        judged += w.drivers[i].error_time;
        most = kerb_max(most, w.drivers[i].error_max);
    }
    print_message("%.0f m, near %.1f, five or more %.1f %%, error mean %.3f m, most %.3f m, "
                  "touches %d, walls %d\n",
                  distance_of(0) - 400.0, (double)(near_sum / time),
                  (double)(100.0f * near_time / time), sum / judged, (double)most, w.touches,
                  w.edges);
    assert_true(distance_of(0) > 1200.0);
    assert_int_equal(w.touches, 0);
    assert_int_equal(w.edges, 0);
    assert_true(near_time >= 0.95f * time);
    assert_true(judged > 300.0 && sum / judged <= 0.1 && most <= 0.2f);
    take_down();
}

int lane_bullet_group_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cars_that_come_towards_each_other_keep_their_lanes_within_20_cm),
        cmocka_unit_test(behind_who_stands_in_the_lane_it_waits_until_who_is_seen_to_come_is_past),
        cmocka_unit_test(it_goes_round_who_stands_only_where_who_comes_would_be_seen_in_time),
        cmocka_unit_test(bots_stay_round_a_player_who_speeds_brakes_and_weaves),
    };
    return cmocka_run_group_tests(tests, measure_car, NULL);
}

#else

static void lanes_of_several_cars_in_bullet_are_tested(void** state) {
    (void)state;
    print_message("built without Bullet (libbullet-dev, g++): lanes in it are not tested\n");
    skip();
}

int lane_bullet_group_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_of_several_cars_in_bullet_are_tested)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
