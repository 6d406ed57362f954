// KERB in hovercraft: craft of many kinds on many roads, found back to the road, reverse, hills,
// and steady bends. Judged by the trial's own judge, or by the road's geometry.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "scene/course/course.h"
#include "sim/vehicle.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

// --------------------------------------------------------------------------- craft and roads

static float about(kerb_random* random, float value) {
    return value * kerb_random_between(random, 0.6f, 1.4f);
}

// The reference craft with its size, thrust, brakes, drag and rudder up to 40 % off.
static kerb_vehicle random_craft(kerb_random* random) {
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    model.length = about(random, model.length);
    model.width = 0.43f * model.length;
    model.mass_to_bumper = model.length * kerb_random_between(random, 0.45f, 0.55f);
    model.thrust = about(random, model.thrust);
    model.reverse_thrust = kerb_min(about(random, model.reverse_thrust), 0.9f * model.thrust);
    model.skirt_brake = about(random, model.skirt_brake);
    model.throttle_delay = about(random, model.throttle_delay);
    model.yaw_rate_max = about(random, model.yaw_rate_max);
    model.yaw_acceleration_max = about(random, model.yaw_acceleration_max);
    model.drag_along = about(random, model.drag_along);
    model.friction_along = about(random, model.friction_along);
    return kerb_sim_hover_vehicle(&model);
}

#define ROAD_POINTS 600

// A road of straights and bends that begins along x, with so much room to each side.
static int32_t random_road(kerb_random* random, kerb_waypoint* waypoints, float room) {
    float x = 0.0f, y = 0.0f, heading = 0.0f;
    int32_t count = 0;
    for (int32_t piece = 0; piece < 7; piece++) {
        bool bend = piece % 2 == 1;
        float length = kerb_random_between(random, 15.0f, 50.0f), turn = 0.0f;
        if (bend) {
            turn = kerb_random_between(random, 0.3f, 2.0f);
            length = turn * kerb_random_between(random, 10.0f, 40.0f);
            turn = kerb_random_unit(random) < 0.5f ? -turn : turn;
        }
        int32_t steps = (int32_t)(length / 2.0f) + 1;
        for (int32_t i = 0; i < steps && count < ROAD_POINTS; i++) {
            waypoints[count] = kerb_waypoint_at(x, y, 0.0f);
            waypoints[count].left = waypoints[count].right = room;
            count++;
            heading += turn / (float)steps;
            x += length / (float)steps * kerb_cos(heading);
            y += length / (float)steps * kerb_sin(heading);
        }
    }
    return count;
}

static kerb_scene_result drive_road(kerb_waypoint* waypoints, int32_t count,
                                    const kerb_vehicle* vehicle, float hz) {
    kerb_scene_course course = {.waypoints = waypoints, .count = count, .speed = 10.0f};
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    kerb_scene_trial trial = kerb_scene_trial_default(&course, vehicle, &settings);
    trial.drive_hz = hz;
    kerb_host host = kerb_host_default();
    kerb_scene_result result;
    assert_int_equal(kerb_scene_trial_run(&trial, &host, &result, NULL), KERB_OK);
    return result;
}

// A craft that answers late can be thrown off a narrow road so far that it weaves back: seen in one
// of 12,000 drives. Each gets there without being stuck.
static void any_hovercraft_keeps_to_any_road_at_any_rate(void** state) {
    (void)state;
    kerb_random random = test_random("craft and roads");
    double inside = 0.0, error = 0.0, speed = 0.0;
    const int32_t trials = 200;
    int32_t weaving = 0;
    for (int32_t i = 0; i < trials; i++) {
        kerb_vehicle vehicle = random_craft(&random);
        assert_int_equal(kerb_vehicle_validate(&vehicle, NULL), KERB_OK);
        kerb_waypoint waypoints[ROAD_POINTS];
        float room = vehicle.width * kerb_random_between(&random, 0.9f, 2.0f);
        int32_t count = random_road(&random, waypoints, room);
        float hz = kerb_random_between(&random, 20.0f, 120.0f);
        kerb_scene_result result = drive_road(waypoints, count, &vehicle, hz);
        weaving += result.cte_mean > 0.8 ? 1 : 0;
        if (!result.finished || result.stuck_events > 0 || weaving > 1 || result.cte_mean > 1.2)
            fail_msg("craft %d at %g Hz: %s, %d stuck events, mean error %.2f m", (int)i,
                     (double)hz, result.finished ? "finished" : "did not finish",
                     (int)result.stuck_events, result.cte_mean);
        inside += result.inside_percent / (double)trials;
        error += result.cte_mean / (double)trials;
        speed += result.speed_mean / (double)trials;
    }
    print_message("inside %.1f %%, mean error %.2f m, %.2f m/s\n", inside, error, speed);
    assert_true(inside > 90.0);
    assert_true(error < 0.3);
    assert_true(speed > 2.5);
}

// --------------------------------------------------------------------------- one craft, by hand

typedef struct craft_rig {
    kerb_sim_hover craft;
    kerb_follower follower;
    kerb_path path;
    kerb_controls controls;
    float slope; // rise per metre along x
    bool handbrake_stops_fan;
    double time;
} craft_rig;

static craft_rig rig_on(const kerb_waypoint* waypoints, int32_t count, bool closed) {
    craft_rig rig = {.time = 0.0};
    kerb_host host = kerb_host_default();
    assert_int_equal(kerb_path_create(&rig.path, waypoints, count, closed, &host, NULL), KERB_OK);
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_vehicle vehicle = kerb_sim_hover_vehicle(&model);
    const kerb_path_point* first = &rig.path.points[0];
    float heading = first->heading + (first->travel > 0 ? 0.0f : KERB_PI);
    rig.craft = kerb_sim_hover_make(&model, first->position, kerb_wrap_angle(heading));
    rig.follower = kerb_follower_make(&vehicle);
    return rig;
}

static void step(craft_rig* rig) {
    kerb_motion motion = kerb_sim_hover_motion(&rig->craft);
    rig->controls = kerb_follower_drive(&rig->follower, &rig->path, &motion, NULL, 1.0f / 60.0f);
    if (rig->handbrake_stops_fan && rig->controls.handbrake)
        rig->controls.brake = 1.0f;
    for (int32_t i = 0; i < 4; i++) {
        kerb_vec3 up = {-rig->slope, 0.0f, 1.0f};
        kerb_sim_ground ground = {.normal = kerb_vec3_unit(up, up), .grip = 1.0f};
        ground.height = rig->slope * rig->craft.position.x;
        kerb_sim_hover_step(&rig->craft, &rig->controls, &ground, 1.0f / 240.0f);
    }
    rig->time += 1.0 / 60.0;
}

static void straight(kerb_waypoint* waypoints, int32_t count, float slope) {
    for (int32_t i = 0; i < count; i++) {
        float x = 5.0f * (float)i;
        waypoints[i] = kerb_waypoint_at(x, 0.0f, slope * x);
        waypoints[i].left = waypoints[i].right = 4.0f;
    }
}

static void circle(kerb_waypoint* waypoints, int32_t count, float radius, float side) {
    for (int32_t i = 0; i < count; i++) {
        float angle = side * (float)i * (2.0f * KERB_PI / (float)count);
        waypoints[i] = kerb_waypoint_at(radius * kerb_cos(angle), radius * kerb_sin(angle), 0.0f);
        waypoints[i].left = waypoints[i].right = 4.0f;
    }
}

static void set_beside_the_road_or_turned_away_it_finds_its_way(void** state) {
    (void)state;
    for (int32_t eighth = -4; eighth <= 4; eighth++) {
        for (int32_t aside = -1; aside <= 1; aside++) {
            kerb_waypoint waypoints[61];
            straight(waypoints, 61, 0.0f);
            craft_rig rig = rig_on(waypoints, 61, false);
            rig.craft.heading = 0.25f * KERB_PI * (float)eighth;
            rig.craft.rotation = kerb_quat_from_heading(rig.craft.heading);
            rig.craft.position = kerb_vec3_make(20.0f, 8.0f * (float)aside, 0.0f);
            float farthest = 0.0f;
            while (rig.controls.reason != KERB_REASON_ARRIVED && rig.time < 90.0) {
                step(&rig);
                float off = kerb_abs(rig.craft.position.y);
                if (rig.craft.position.x > 150.0f)
                    farthest = kerb_max(farthest, off);
                assert_true(off < 10.0f);
            }
            if (rig.controls.reason != KERB_REASON_ARRIVED || farthest > 0.5f)
                fail_msg("turned by %d/8, %d m aside: %.2f m off at the end, %.0f s", (int)eighth,
                         8 * (int)aside, (double)farthest, rig.time);
            kerb_path_destroy(&rig.path);
        }
    }
}

static void it_stops_at_the_end_pointing_along_the_road(void** state) {
    (void)state;
    static const float speeds[] = {3.0f, 10.0f, 18.0f};
    for (int32_t i = 0; i < 3; i++) {
        kerb_waypoint waypoints[61];
        straight(waypoints, 61, 0.0f);
        craft_rig rig = rig_on(waypoints, 61, false);
        rig.follower.settings.speed = speeds[i];
        while (rig.controls.reason != KERB_REASON_ARRIVED && rig.time < 150.0)
            step(&rig);
        for (int32_t frame = 0; frame < 120; frame++)
            step(&rig);
        assert_true(kerb_abs(rig.craft.position.x - 300.0f) < 0.15f);
        assert_true(kerb_abs(rig.craft.position.y) < 0.1f);
        assert_true(kerb_abs(rig.craft.heading) < 0.1f);
        assert_true(rig.craft.forward == 0.0f && rig.craft.side == 0.0f);
        kerb_path_destroy(&rig.path);
    }
}

// Where the handbrake stops the fan, it slides back while that comes, and climbs all the same.
static void it_sets_off_on_a_hill_that_its_thrust_just_climbs(void** state) {
    (void)state;
    for (int32_t stops_fan = 0; stops_fan < 2; stops_fan++) {
        kerb_waypoint waypoints[31];
        straight(waypoints, 31, 0.2f);
        waypoints[10].stop = 2.0f;
        craft_rig rig = rig_on(waypoints, 31, false);
        rig.slope = 0.2f;
        rig.handbrake_stops_fan = stops_fan == 1;
        float lowest = 0.0f;
        while (rig.controls.reason != KERB_REASON_ARRIVED && rig.time < 120.0) {
            step(&rig);
            lowest = kerb_min(lowest, rig.craft.forward);
            assert_int_not_equal(rig.controls.reason, KERB_REASON_TOO_STEEP);
        }
        assert_int_equal(rig.controls.reason, KERB_REASON_ARRIVED);
        assert_true(lowest > (rig.handbrake_stops_fan ? -0.6f : -0.1f));
        kerb_path_destroy(&rig.path);
    }
}

static void sliding_down_a_hill_it_brakes_turns_round_and_climbs(void** state) {
    (void)state;
    for (int32_t quarter = -2; quarter <= 2; quarter++) {
        kerb_waypoint waypoints[31];
        straight(waypoints, 31, 0.15f);
        craft_rig rig = rig_on(waypoints, 31, false);
        rig.slope = 0.15f;
        float heading = 0.5f * KERB_PI * (float)quarter;
        rig.craft.heading = heading;
        rig.craft.rotation = kerb_quat_from_heading(heading);
        rig.craft.position = kerb_vec3_make(60.0f, 0.0f, 9.0f);
        rig.craft.forward = -5.0f * kerb_cos(heading);
        rig.craft.side = 5.0f * kerb_sin(heading);
        float lowest = 60.0f;
        while (rig.controls.reason != KERB_REASON_ARRIVED && rig.time < 120.0) {
            step(&rig);
            lowest = kerb_min(lowest, rig.craft.position.x);
        }
        print_message("facing %.0f degrees: slides to %.1f m, %.0f s\n",
                      (double)(heading * (180.0f / KERB_PI)), (double)lowest, rig.time);
        assert_int_equal(rig.controls.reason, KERB_REASON_ARRIVED);
        assert_true(lowest > 35.0f);
        kerb_path_destroy(&rig.path);
    }
}

static void in_reverse_it_holds_a_bend_too(void** state) {
    (void)state;
    for (int32_t side = -1; side <= 1; side += 2) {
        kerb_waypoint waypoints[60];
        circle(waypoints, 60, 25.0f, (float)side);
        for (int32_t i = 0; i < 60; i++)
            waypoints[i].direction = -1;
        craft_rig rig = rig_on(waypoints, 60, true);
        float farthest = 0.0f;
        for (int32_t frame = 0; frame < 60 * 60; frame++) {
            step(&rig);
            float off = hypotf(rig.craft.position.x, rig.craft.position.y) - 25.0f;
            farthest = kerb_max(farthest, kerb_abs(off));
        }
        print_message("in reverse: %.2f m off at most\n", (double)farthest);
        assert_true(farthest < 1.5f);
        assert_true(rig.follower.memory.distance > 100.0);
        kerb_path_destroy(&rig.path);
    }
}

static void in_a_steady_bend_it_keeps_its_foot_on_the_throttle(void** state) {
    (void)state;
    kerb_waypoint waypoints[80];
    circle(waypoints, 80, 20.0f, 1.0f);
    craft_rig rig = rig_on(waypoints, 80, true);
    while (rig.time < 30.0)
        step(&rig);
    float least = 1.0f, most = 0.0f, error = 0.0f;
    while (rig.time < 60.0) {
        step(&rig);
        assert_true(rig.controls.brake == 0.0f);
        least = kerb_min(least, rig.controls.throttle);
        most = kerb_max(most, rig.controls.throttle);
        float off = hypotf(rig.craft.position.x, rig.craft.position.y) - 20.0f;
        error = kerb_max(error, kerb_abs(off));
    }
    print_message("throttle %.2f to %.2f, %.2f m off\n", (double)least, (double)most,
                  (double)error);
    assert_true(most - least < 0.15f);
    assert_true(error < 0.5f);
    // Its fan carries it round: m v²/r across, with thrust at most.
    double speed = hypot((double)rig.craft.forward, (double)rig.craft.side);
    assert_true(speed * speed / 20.0 < 2.5 && speed > 3.5);
    kerb_path_destroy(&rig.path);
}

static void a_mirrored_road_is_driven_as_its_mirror_image(void** state) {
    (void)state;
    kerb_waypoint left[80], right[80];
    circle(left, 80, 15.0f, 1.0f);
    circle(right, 80, 15.0f, -1.0f);
    craft_rig a = rig_on(left, 80, true), b = rig_on(right, 80, true);
    for (int32_t frame = 0; frame < 3600; frame++) {
        step(&a);
        step(&b);
        assert_true(kerb_abs(a.craft.position.x - b.craft.position.x) < 0.02f);
        assert_true(kerb_abs(a.craft.position.y + b.craft.position.y) < 0.02f);
    }
    kerb_path_destroy(&a.path);
    kerb_path_destroy(&b.path);
}

// Across a slope of a tenth its fan, which pushes only ahead, cannot hold it; its skirt does.
static void it_waits_on_its_skirt_across_a_slope(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    kerb_waypoint waypoints[2] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(200, 0, 0)};
    kerb_path path;
    assert_int_equal(kerb_path_create(&path, waypoints, 2, false, &host, NULL), KERB_OK);
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_vehicle vehicle = kerb_sim_hover_vehicle(&model);
    kerb_follower follower = kerb_follower_make(&vehicle);
    kerb_sim_hover craft = kerb_sim_hover_make(&model, (kerb_vec3){20.0f, 0.0f, 0.0f}, 0.0f);
    kerb_surroundings around = kerb_surroundings_default();
    around.speed_cap = 0.0f;
    kerb_sim_ground ground = {.normal = {0.0f, -0.0995f, 0.9950f}, .grip = 1.0f};
    for (int32_t i = 0; i < 20 * 60; i++) {
        ground.height = 0.1f * craft.position.y;
        kerb_motion motion = kerb_sim_hover_motion(&craft);
        kerb_controls controls =
            kerb_follower_drive(&follower, &path, &motion, &around, 1.0f / 60.0f);
        for (int32_t k = 0; k < 4; k++)
            kerb_sim_hover_step(&craft, &controls, &ground, 1.0f / 240.0f);
    }
    print_message("%.2f m along, %.2f m aside\n", (double)craft.position.x - 20.0,
                  (double)craft.position.y);
    assert_true(kerb_abs(craft.position.x - 20.0f) < 0.1f && kerb_abs(craft.position.y) < 0.1f);
    kerb_path_destroy(&path);
}

// What it does on ground that falls to its right by `fall`, after 10 s in which it stands where the
// host holds it, with its nose off the line.
static void held_on(float fall, float nose, const kerb_neighbour* ahead, kerb_intent* intent,
                    bool* backs_out) {
    const kerb_host host = kerb_host_default();
    kerb_waypoint waypoints[2] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(200, 0, 0)};
    kerb_path path;
    assert_int_equal(kerb_path_create(&path, waypoints, 2, false, &host, NULL), KERB_OK);
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_vehicle vehicle = kerb_sim_hover_vehicle(&model);
    kerb_follower follower = kerb_follower_make(&vehicle);
    kerb_sim_hover craft = kerb_sim_hover_make(&model, (kerb_vec3){40.0f, 0.0f, 0.0f}, nose);
    const kerb_vec3 up = {0.0f, -fall, 1.0f};
    const kerb_sim_ground ground = {.normal = kerb_vec3_unit(up, up), .grip = 1.0f};
    kerb_sim_hover_step(&craft, &(kerb_controls){.brake = 1.0f}, &ground, 1.0f / 240.0f);
    kerb_motion motion = kerb_sim_hover_motion(&craft);
    motion.velocity = motion.angular_velocity = (kerb_vec3){0};
    kerb_surroundings around = kerb_surroundings_default();
    around.id = 1;
    around.neighbours = ahead;
    around.neighbour_count = ahead != NULL ? 1 : 0;
    *backs_out = false;
    for (int32_t i = 0; i < 10 * 60; i++) {
        const kerb_controls controls =
            kerb_follower_drive(&follower, &path, &motion, &around, 1.0f / 60.0f);
        *backs_out = *backs_out || controls.reason == KERB_REASON_BACKING_OUT;
    }
    kerb_follower_intent(&follower, &path, intent);
    kerb_path_destroy(&path);
}

// It leans on a wall with its side: its fan would push it along the wall, and its rudder turns
// nothing.
static void with_its_nose_held_across_it_is_stuck(void** state) {
    (void)state;
    for (int32_t i = 0; i < 4; i++) {
        const float nose = (i % 2 == 0 ? 1.0f : -1.0f) * (i < 2 ? 1.4f : 1.55f);
        kerb_intent intent;
        bool backs_out;
        held_on(i < 2 ? 0.0f : 0.1f, nose, NULL, &intent, &backs_out);
        assert_true(backs_out);
    }
}

// One stands ahead of it. On ground that falls by more than its fan pushes backwards it would slide
// out of its lane.
static void on_ground_that_falls_it_offers_no_room_behind(void** state) {
    (void)state;
    const kerb_neighbour ahead = {.id = 2,
                                  .position = {48.0f, 0.0f, 0.0f},
                                  .forward = {1.0f, 0.0f},
                                  .length = 4.0f,
                                  .width = 1.8f};
    for (int32_t i = 0; i < 2; i++) {
        kerb_intent intent;
        bool backs_out;
        held_on(i == 0 ? 0.03f : 0.15f, 0.0f, &ahead, &intent, &backs_out);
        assert_int_equal(intent.wait.hops, 1);
        assert_true(i == 0 ? intent.room_behind > 5.0f : intent.room_behind <= 0.0f);
    }
}

// Limits of the test below. [m], [rad]
#define HELD_MEAN 0.2f
#define HELD_WORST 0.5f
#define HELD_NOSE 0.35f

// The greatest distance from its path on a straight way down, after `from` metres, and the greatest
// angle of its nose from it. [m], [rad]
static float farthest_on_way_down(float fall, float bank, float speed, double from, float* nose) {
    const kerb_host host = kerb_host_default();
    kerb_waypoint waypoints[2] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(300, 0, -300 * fall)};
    for (int32_t i = 0; i < 2; i++)
        waypoints[i].left = waypoints[i].right = 8.0f;
    kerb_path path;
    assert_int_equal(kerb_path_create(&path, waypoints, 2, false, &host, NULL), KERB_OK);
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_vehicle vehicle = kerb_sim_hover_vehicle(&model);
    kerb_follower follower = kerb_follower_make(&vehicle);
    follower.settings.speed = speed;
    kerb_sim_hover craft = kerb_sim_hover_make(&model, (kerb_vec3){0.0f, 0.0f, 0.0f}, 0.0f);
    const kerb_vec3 up = kerb_vec3_unit((kerb_vec3){fall, bank, 1.0f}, (kerb_vec3){0, 0, 1.0f});
    float farthest = 0.0f;
    *nose = 0.0f;
    for (int32_t i = 0; i < 300 * 60 && craft.position.x < 250.0f; i++) {
        kerb_sim_ground ground = {.normal = up, .grip = 1.0f};
        ground.height = -fall * craft.position.x - bank * craft.position.y;
        kerb_motion motion = kerb_sim_hover_motion(&craft);
        kerb_controls controls = kerb_follower_drive(&follower, &path, &motion, NULL, 1.0f / 60.0f);
        for (int32_t k = 0; k < 4; k++)
            kerb_sim_hover_step(&craft, &controls, &ground, 1.0f / 240.0f);
        if ((double)craft.position.x <= from)
            continue;
        farthest = kerb_max(farthest, kerb_abs(craft.position.y));
        *nose = kerb_max(*nose, kerb_abs(craft.heading));
    }
    assert_true(craft.position.x >= 250.0f);
    kerb_path_destroy(&path);
    return farthest;
}

// On a way down that also falls to one side it slows by its skirt alone, so that the fan can push
// across all the time. With the brake, which turns the fan's push round, it was 0.6 m off on
// average, with its nose turned by more than a right angle at times.
static void on_a_way_down_that_falls_to_one_side_it_keeps_to_its_line(void** state) {
    (void)state;
    kerb_random random = test_random("hovercraft on a way down");
    float sum = 0.0f, worst = 0.0f, noses = 0.0f;
    for (int32_t i = 0; i < 100; i++) {
        const float fall = kerb_random_between(&random, 0.12f, 0.18f);
        const float bank = kerb_random_between(&random, -0.05f, 0.05f);
        const float speed = kerb_random_between(&random, 2.0f, 4.0f);
        float nose;
        const float off = farthest_on_way_down(fall, bank, speed, 50.0, &nose);
        sum += off;
        noses += nose;
        worst = kerb_max(worst, off);
    }
    print_message("%.2f m off on average, %.2f m at most; nose turned by up to %.2f\n",
                  (double)sum / 100.0, (double)worst, (double)noses / 100.0);
    assert_true(sum / 100.0f < HELD_MEAN && worst < HELD_WORST);
    assert_true(noses / 100.0f < HELD_NOSE);
}

int follower_hover_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_hovercraft_keeps_to_any_road_at_any_rate),
        cmocka_unit_test(set_beside_the_road_or_turned_away_it_finds_its_way),
        cmocka_unit_test(it_stops_at_the_end_pointing_along_the_road),
        cmocka_unit_test(it_sets_off_on_a_hill_that_its_thrust_just_climbs),
        cmocka_unit_test(sliding_down_a_hill_it_brakes_turns_round_and_climbs),
        cmocka_unit_test(in_reverse_it_holds_a_bend_too),
        cmocka_unit_test(in_a_steady_bend_it_keeps_its_foot_on_the_throttle),
        cmocka_unit_test(it_waits_on_its_skirt_across_a_slope),
        cmocka_unit_test(with_its_nose_held_across_it_is_stuck),
        cmocka_unit_test(on_ground_that_falls_it_offers_no_room_behind),
        cmocka_unit_test(on_a_way_down_that_falls_to_one_side_it_keeps_to_its_line),
        cmocka_unit_test(a_mirrored_road_is_driven_as_its_mirror_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
