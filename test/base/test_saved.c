// Saved drivers: the block of each one loads to a driver that drives on with the same bits, and the
// blocks of others are refused by name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "sim/airplane.h"
#include "test/seed.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 200, BOTS = 12, BYTES_MOST = 28000, DRIVERS = 10 };
#define TIME_STEP (1.0f / 60.0f)

// What is round a driver: all that changes from frame to frame, so that a copy of it goes on alike.
typedef struct saved_world {
    kerb_motion motion;
    float speed;
    int32_t frame;
    kerb_controls controls;
    kerb_sim_airplane airplane;
    kerb_lane_bot bots[BOTS];
    kerb_lane_order orders[BOTS];
} saved_world;

// What stays: a course, a line on it, a plan.
static struct {
    kerb_path course;
    kerb_line_solver solver;
    kerb_racing_line line;
    kerb_planner planner;
    kerb_plan plan;
} ground;

static void fill_course(kerb_waypoint waypoints[POINTS]) {
    for (int i = 0; i < POINTS; i++) {
        float turn = 2.0f * KERB_PI * (float)i / (float)POINTS;
        float radius = 60.0f + 25.0f * kerb_sin(3.0f * turn);
        waypoints[i] = kerb_waypoint_at(radius * kerb_cos(turn), radius * kerb_sin(2.0f * turn), 0);
        waypoints[i].left = waypoints[i].right = 5.0f;
    }
}

static void plan_a_parking(const kerb_host* host, const kerb_vehicle* vehicle) {
    kerb_plan_limits limits = kerb_plan_limits_to_drive(vehicle, 0.4f);
    kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_plan_end from = kerb_plan_end_make(0, 0, 0, 0), to = kerb_plan_end_make(6, 9, 2, 0);
    kerb_plan_query query = {&from, &to, 1, 1};
    assert_int_equal(kerb_planner_create(&ground.planner, &limits, &settings, host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&ground.planner, &query, NULL), KERB_OK);
    while (kerb_planner_advance(&ground.planner, 1000) == KERB_PLAN_RUNNING)
        continue;
    ground.plan = kerb_planner_get_plan(&ground.planner);
    assert_true(ground.plan.count > 0);
}

static int make_ground(void** state) {
    (void)state;
    kerb_waypoint waypoints[POINTS];
    kerb_host host = kerb_host_default();
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_performance car = kerb_performance_default();
    kerb_line_settings settings = kerb_line_settings_default();
    fill_course(waypoints);
    assert_int_equal(kerb_path_create(&ground.course, waypoints, POINTS, true, &host, NULL),
                     KERB_OK);
    assert_int_equal(
        kerb_line_solver_create(&ground.solver, &ground.course, &car, &settings, &host, NULL),
        KERB_OK);
    kerb_line_solver_advance(&ground.solver, 20);
    assert_int_equal(kerb_racing_line_create(&ground.line, &ground.solver, 2.0f, &host, NULL),
                     KERB_OK);
    plan_a_parking(&host, &vehicle);
    return 0;
}

static int remove_ground(void** state) {
    (void)state;
    kerb_planner_destroy(&ground.planner);
    kerb_racing_line_destroy(&ground.line);
    kerb_line_solver_destroy(&ground.solver);
    kerb_path_destroy(&ground.course);
    return 0;
}

// --------------------------------------------------------------------------- frames

// No physics, only enough motion that a driver has work to do.
static void move(saved_world* world, const kerb_vehicle* vehicle) {
    const kerb_controls* c = &world->controls;
    float direction = c->gear < 0 ? -1.0f : 1.0f, slowing = c->brake * 8.0f * TIME_STEP;
    world->speed += (c->throttle * 3.0f - 0.1f) * direction * TIME_STEP;
    world->speed = world->speed > 0.0f ? kerb_max(world->speed - slowing, 0.0f)
                                       : kerb_min(world->speed + slowing, 0.0f);
    float angle = c->steering * vehicle->steering_angle_max;
    float yaw_rate = world->speed * kerb_tan(angle) / vehicle->wheelbase;
    kerb_motion* m = &world->motion;
    m->rotation = kerb_quat_from_heading(kerb_quat_heading(m->rotation) + yaw_rate * TIME_STEP);
    m->velocity = kerb_vec3_scale(kerb_quat_forward(m->rotation), world->speed);
    m->angular_velocity.z = yaw_rate;
    m->position = kerb_vec3_along(m->position, m->velocity, TIME_STEP);
    m->steering = c->steering;
    m->gear = c->gear;
}

static void follow(void* driver, saved_world* w) {
    kerb_follower* follower = driver;
    w->controls = kerb_follower_drive(follower, &ground.course, &w->motion, NULL, TIME_STEP);
    move(w, &follower->vehicle);
}

static void keep_lane(void* driver, saved_world* w) {
    kerb_lane_keeper* keeper = driver;
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
    kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
    int32_t count = kerb_lane_keeper_rays(keeper, &w->motion, rays);
    for (int32_t i = 0; i < count; i++) {
        float side = rays[i].direction.y > 0.0f ? -1.0f : 1.0f;
        hits[i] = (kerb_lane_hit){.kind = KERB_LANE_HIT_EDGE,
                                  .distance = 2.0f + 0.01f * (float)(w->frame % 50),
                                  .normal = {0.0f, side, 0.0f}};
    }
    keeper->settings.edge_distance = w->frame % 200 < 100 ? 2.0f : 5.0f;
    w->controls = kerb_lane_keeper_drive(keeper, rays, hits, count, &w->motion, NULL, TIME_STEP);
    move(w, &keeper->vehicle);
}

static void lead(void* driver, saved_world* w) {
    kerb_lane_company* company = driver;
    const kerb_lane_player player = {15.0f + 10.0f * kerb_sin(0.01f * (float)w->frame), 1.75f};
    if (w->frame == 0)
        kerb_lane_company_begin(company, &player, BOTS, w->orders);
    else
        kerb_lane_company_drive(company, &player, w->bots, BOTS, TIME_STEP, w->orders);
    for (int32_t i = 0; i < BOTS; i++) {
        const kerb_lane_order* order = &w->orders[i];
        kerb_lane_bot* bot = &w->bots[i];
        float closing = (bot->oncoming ? -order->speed : order->speed) - player.speed;
        bot->speed = order->speed;
        bot->edge_distance = order->edge_distance;
        bot->distance_ahead += closing * TIME_STEP;
        if (order->respawn) {
            bot->distance_ahead = order->respawn_distance_ahead;
            bot->oncoming = order->respawn_oncoming;
        }
    }
    w->controls.throttle = w->bots[w->frame % BOTS].speed;
    w->controls.steering = w->bots[w->frame % BOTS].distance_ahead;
}

static void race(void* driver, saved_world* w) {
    kerb_racer* racer = driver;
    racer->settings.skill = 0.6f;
    racer->settings.learning = 1;
    kerb_line_point p = kerb_racing_line_at(&ground.line, racer->decision.distance + 15.0);
    kerb_neighbour other = {.id = 1,
                            .position = {(float)p.x, (float)p.y, (float)p.z},
                            .velocity = {kerb_cos(p.heading) * 9.0f, kerb_sin(p.heading) * 9.0f, 0},
                            .forward = {kerb_cos(p.heading), kerb_sin(p.heading)},
                            .length = 4.5f,
                            .width = 1.9f};
    kerb_surroundings surroundings = kerb_surroundings_default();
    surroundings.neighbours = &other;
    surroundings.neighbour_count = w->frame % 300 < 100;
    w->controls = kerb_racer_drive(racer, &ground.line, &w->motion, &surroundings, TIME_STEP);
    move(w, &racer->vehicle);
}

static void drive_plan(void* driver, saved_world* w) {
    kerb_plan_driver* plan_driver = driver;
    if (w->frame == 0) { // where the plan begins
        w->motion = kerb_motion_default();
        w->motion.position.x = plan_driver->vehicle.reference_to_rear_axle;
    }
    w->controls = kerb_plan_driver_drive(plan_driver, &ground.plan, &w->motion, NULL, TIME_STEP);
    move(w, &plan_driver->vehicle);
}

static void fly(void* driver, saved_world* w) {
    const kerb_directed_goal goal = {{900.0f, 400.0f, 1100.0f}, {0.0f, 1.0f, 0.0f}, 60.0f, 1.0f};
    w->motion = kerb_sim_airplane_motion(&w->airplane);
    w->controls = w->frame % 400 < 200
                      ? kerb_flyer_arrive(driver, &goal, &w->motion, TIME_STEP)
                      : kerb_flyer_follow(driver, &ground.course, &w->motion, TIME_STEP);
    kerb_sim_airplane_step(&w->airplane, &w->controls, TIME_STEP);
}

static void park(void* driver, saved_world* w) {
    kerb_parker* parker = driver;
    w->controls =
        kerb_parker_drive(parker, kerb_pose_make(3.0f, 6.0f, 1.0f), &w->motion, NULL, TIME_STEP);
    move(w, &parker->vehicle);
}

static void steer(void* driver, saved_world* w) {
    kerb_steering_driver* steered = driver;
    float angle = 0.02f * (float)w->frame;
    const kerb_steering desired = {{kerb_cos(angle), kerb_sin(angle), 0.0f}, 8.0f};
    w->controls = kerb_steering_driver_drive(steered, &desired, &w->motion, NULL, TIME_STEP);
    move(w, &steered->vehicle);
}

static void calibrate(void* driver, saved_world* w) {
    kerb_calibrator* calibrator = driver;
    w->controls = kerb_calibrator_drive(calibrator, &w->motion, TIME_STEP);
    move(w, &calibrator->measured);
}

// No driver: what it concludes stands for the controls.
static void check(void* driver, saved_world* w) {
    kerb_host_check* checked = driver;
    kerb_controls controls = {.throttle = 0.5f, .gear = 1};
    float known = (float)checked->judgements;
    for (int32_t i = 0; i < KERB_HOST_MISTAKE_COUNT; i++)
        known += checked->evidence[i];
    controls.steering = 0.2f * kerb_sin(0.1f * (float)w->frame + known);
    w->controls = controls;
    const kerb_vehicle vehicle = kerb_vehicle_default();
    move(w, &vehicle);
    kerb_host_check_feed(checked, &w->motion, &w->controls, TIME_STEP);
}

// --------------------------------------------------------------------------- drivers

// _made: by value; _again: begins anew in place, with its own vehicle.
#define SAVED_ACCESS(type)                                                                         \
    static size_t type##_saved(const void* driver, void* block, size_t capacity) {                 \
        return type##_save(driver, block, capacity);                                               \
    }                                                                                              \
    static kerb_result type##_loaded(void* driver, const void* block, size_t size,                 \
                                     kerb_error* error) {                                          \
        return type##_load(driver, block, size, error);                                            \
    }
#define SAVED_DRIVER(type, given, own)                                                             \
    SAVED_ACCESS(type)                                                                             \
    static void type##_begun(void* driver) {                                                       \
        type##_init(driver, given);                                                                \
    }                                                                                              \
    static void type##_made(void* driver) {                                                        \
        *(type*)driver = type##_make(given);                                                       \
    }                                                                                              \
    static void type##_again(void* driver) {                                                       \
        type##_init(driver, &((type*)driver)->own);                                                \
    }

static kerb_vehicle car;
static kerb_aircraft plane;
SAVED_DRIVER(kerb_follower, &car, vehicle)
SAVED_DRIVER(kerb_lane_keeper, &car, vehicle)
SAVED_DRIVER(kerb_racer, &car, vehicle)
SAVED_DRIVER(kerb_plan_driver, &car, vehicle)
SAVED_DRIVER(kerb_flyer, &plane, aircraft)
SAVED_DRIVER(kerb_parker, &car, vehicle)
SAVED_DRIVER(kerb_steering_driver, &car, vehicle)
SAVED_DRIVER(kerb_calibrator, &car, measured)
SAVED_ACCESS(kerb_host_check)
static void kerb_host_check_begun(void* driver) {
    kerb_host_check_init(driver, &car);
}
static void kerb_host_check_made(void* driver) {
    *(kerb_host_check*)driver = kerb_host_check_make(&car);
}
SAVED_ACCESS(kerb_lane_company)
static void kerb_lane_company_begun(void* driver) {
    kerb_lane_company_init(driver);
}
static void kerb_lane_company_made(void* driver) {
    *(kerb_lane_company*)driver = kerb_lane_company_make();
}

typedef struct saved_driver {
    const char* name;
    size_t size;
    size_t (*bytes)(void);
    size_t (*save)(const void* driver, void* block, size_t capacity);
    kerb_result (*load)(void* driver, const void* block, size_t size, kerb_error* error);
    void (*begin)(void* driver);
    void (*make)(void* driver);
    void (*again)(void* driver);
    void (*drive)(void* driver, saved_world* world);
} saved_driver;

#define SAVED_ROW(type, again, drive)                                                              \
    {                                                                                              \
#type, sizeof(type), type##_bytes, type##_saved, type##_loaded, type##_begun, type##_made, \
            again, drive                                                                           \
    }

static const saved_driver drivers[DRIVERS] = {
    SAVED_ROW(kerb_follower, kerb_follower_again, follow),
    SAVED_ROW(kerb_lane_keeper, kerb_lane_keeper_again, keep_lane),
    SAVED_ROW(kerb_lane_company, kerb_lane_company_begun, lead),
    SAVED_ROW(kerb_racer, kerb_racer_again, race),
    SAVED_ROW(kerb_plan_driver, kerb_plan_driver_again, drive_plan),
    SAVED_ROW(kerb_flyer, kerb_flyer_again, fly),
    SAVED_ROW(kerb_parker, kerb_parker_again, park),
    SAVED_ROW(kerb_steering_driver, kerb_steering_driver_again, steer),
    SAVED_ROW(kerb_calibrator, kerb_calibrator_again, calibrate),
    SAVED_ROW(kerb_host_check, kerb_host_check_begun, check),
};

static saved_world world_at_start(void) {
    saved_world world;
    memset(&world, 0, sizeof world);
    const kerb_sim_airplane_model model = kerb_sim_trainer_model();
    world.airplane = kerb_sim_airplane_make(&model, kerb_vec3_make(0, 0, 1000), 0.0f, 62.0f);
    world.motion = kerb_motion_default();
    world.motion.position = ground.course.points[0].position;
    world.motion.rotation = kerb_quat_from_heading(ground.course.points[0].heading);
    return world;
}

static void drive_on(const saved_driver* d, void* driver, saved_world* world, int32_t frames) {
    for (int32_t i = 0; i < frames; i++) {
        d->drive(driver, world);
        world->frame++;
    }
}

static bool same_controls(const kerb_controls* a, const kerb_controls* b) {
    const float as[] = {a->throttle, a->brake, a->steering, a->clutch, a->pitch, a->roll, a->yaw};
    const float bs[] = {b->throttle, b->brake, b->steering, b->clutch, b->pitch, b->roll, b->yaw};
    return memcmp(as, bs, sizeof as) == 0 && a->gear == b->gear && a->handbrake == b->handbrake &&
           a->reason == b->reason;
}

// Drives both, each in a world of its own, and compares every frame. Returns how often the controls
// changed: a driver that has nothing to do would be the same as any other.
static int32_t expect_same_drive(const saved_driver* d, void* a, saved_world* in_a, void* b,
                                 saved_world* in_b, int32_t frames) {
    int32_t changes = 0;
    for (int32_t i = 0; i < frames; i++) {
        const kerb_controls before = in_a->controls;
        drive_on(d, a, in_a, 1);
        drive_on(d, b, in_b, 1);
        changes += !same_controls(&before, &in_a->controls);
        if (!same_controls(&in_a->controls, &in_b->controls))
            fail_msg("%s drives differently in frame %d", d->name, (int)i);
    }
    return changes;
}

// --------------------------------------------------------------------------- what is saved

static void a_loaded_driver_drives_on_with_the_same_bits(void** state) {
    (void)state;
    kerb_random random = test_random("saved");
    int32_t changes[DRIVERS] = {0};
    for (int32_t n = 0; n < 5 * DRIVERS; n++) {
        const saved_driver* d = &drivers[n % DRIVERS];
        void *driver = malloc(d->size), *loaded = malloc(d->size);
        saved_world world = world_at_start();
        d->begin(driver);
        drive_on(d, driver, &world, kerb_random_below(&random, 900));
        saved_world same = world;
        size_t bytes = d->save(driver, NULL, 0), shift = (size_t)kerb_random_below(&random, 8);
        unsigned char* block = malloc(bytes + shift); // a block may lie at any address
        assert_int_equal(d->save(driver, block + shift, bytes), bytes);
        memset(loaded, 0xA5, d->size);
        kerb_error error;
        if (d->load(loaded, block + shift, bytes, &error) != KERB_OK)
            fail_msg("%s: %s %s", d->name, error.field, error.message);
        free(block);
        changes[n % DRIVERS] += expect_same_drive(d, driver, &world, loaded, &same, 400);
        free(driver);
        free(loaded);
    }
    for (int32_t n = 0; n < DRIVERS; n++)
        if (changes[n] < 150)
            fail_msg("%s drove only %d frames", drivers[n].name, (int)changes[n]);
}

static void a_driver_made_in_place_drives_like_one_made_by_value(void** state) {
    (void)state;
    for (int32_t n = 0; n < DRIVERS; n++) {
        const saved_driver* d = &drivers[n];
        void *driver = malloc(d->size), *made = malloc(d->size);
        memset(driver, 0xA5, d->size);
        d->begin(driver);
        d->make(made);
        saved_world world = world_at_start(), same = world;
        expect_same_drive(d, driver, &world, made, &same, 400);
        // It has driven, and begins anew with the vehicle that lies in it.
        d->again(driver);
        d->make(made);
        world = same = world_at_start();
        expect_same_drive(d, driver, &world, made, &same, 200);
        free(driver);
        free(made);
    }
}

static void bytes_is_the_size_of_the_struct(void** state) {
    (void)state;
    for (int32_t n = 0; n < DRIVERS; n++) {
        assert_int_equal(drivers[n].bytes(), drivers[n].size);
        assert_true(drivers[n].size + 64 <= BYTES_MOST);
    }
}

static void a_block_is_written_only_where_it_fits(void** state) {
    (void)state;
    static unsigned char block[BYTES_MOST], before[BYTES_MOST];
    memset(before, 0x5A, sizeof before);
    for (int32_t n = 0; n < DRIVERS; n++) {
        const saved_driver* d = &drivers[n];
        void* aligned = malloc(d->size);
        d->begin(aligned);
        size_t bytes = d->save(aligned, NULL, BYTES_MOST);
        assert_int_equal(bytes, d->size + 64);
        memcpy(block, before, sizeof block);
        assert_int_equal(d->save(aligned, block, bytes - 1), bytes);
        assert_memory_equal(block, before, sizeof block);
        assert_int_equal(d->save(aligned, block, 0), bytes);
        assert_memory_equal(block, before, sizeof block);
        assert_int_equal(d->save(aligned, block, sizeof block), bytes);
        assert_memory_equal(block + bytes, before + bytes, sizeof block - bytes);
        assert_memory_equal(block, "kerbsave", 8);
        // What follows a block does not matter.
        assert_int_equal(d->load(aligned, block, sizeof block, NULL), KERB_OK);
        free(aligned);
    }
}

// --------------------------------------------------------------------------- what is refused

// The block is refused for this reason, and the object stays as it is.
static void expect_refused(const saved_driver* d, const void* block, size_t size,
                           kerb_result result, const char* field) {
    static unsigned char before[BYTES_MOST];
    unsigned char* object = malloc(d->size);
    memset(before, 0xC3, d->size);
    memcpy(object, before, d->size);
    kerb_error error;
    memset(&error, 0, sizeof error);
    if (d->load(object, block, size, &error) != result || strcmp(error.field, field) != 0)
        fail_msg("%s: %s of \"%s\" instead of \"%s\"", d->name, kerb_result_text(error.result),
                 error.field, field);
    assert_true(error.message[0] != '\0' && error.result == result);
    assert_int_equal(d->load(object, block, size, NULL), result);
    assert_memory_equal(object, before, d->size);
    free(object);
}

static size_t block_of(const saved_driver* d, unsigned char* block) {
    void* driver = malloc(d->size);
    d->begin(driver);
    size_t bytes = d->save(driver, block, BYTES_MOST);
    free(driver);
    return bytes;
}

static const char* field_at(size_t place) {
    return place < 8    ? "magic"
           : place < 12 ? "byte_order"
           : place < 16 ? "layout"
           : place < 24 ? "version"
           : place < 32 ? "size"
                        : "kind";
}

static void every_byte_of_the_header_counts(void** state) {
    (void)state;
    static unsigned char block[BYTES_MOST];
    for (int32_t n = 0; n < DRIVERS; n++) {
        size_t bytes = block_of(&drivers[n], block);
        for (size_t place = 0; place < 64; place++) {
            block[place] ^= 0x10u;
            expect_refused(&drivers[n], block, bytes,
                           place < 8 ? KERB_ERROR_SYNTAX : KERB_ERROR_CONTRADICTION,
                           field_at(place));
            block[place] ^= 0x10u;
        }
    }
}

static void a_block_of_another_byte_order_is_refused(void** state) {
    (void)state;
    static unsigned char block[BYTES_MOST];
    size_t bytes = block_of(&drivers[0], block);
    unsigned char order[4];
    memcpy(order, block + 8, 4);
    for (int32_t i = 0; i < 4; i++)
        block[8 + i] = order[3 - i];
    expect_refused(&drivers[0], block, bytes, KERB_ERROR_CONTRADICTION, "byte_order");
}

static void every_later_and_earlier_version_is_refused(void** state) {
    (void)state;
    static unsigned char block[BYTES_MOST];
    size_t bytes = block_of(&drivers[3], block);
    for (size_t part = 0; part < 3; part++) {
        uint16_t own, other;
        memcpy(&own, block + 16 + 2 * part, sizeof own);
        other = (uint16_t)(own + 1);
        memcpy(block + 16 + 2 * part, &other, sizeof other);
        expect_refused(&drivers[3], block, bytes, KERB_ERROR_CONTRADICTION, "version");
        other = (uint16_t)(own - 1);
        memcpy(block + 16 + 2 * part, &other, sizeof other);
        expect_refused(&drivers[3], block, bytes, KERB_ERROR_CONTRADICTION, "version");
        memcpy(block + 16 + 2 * part, &own, sizeof own);
    }
    const uint16_t version[3] = {KERB_VERSION_MAJOR, KERB_VERSION_MINOR, KERB_VERSION_PATCH};
    assert_memory_equal(block + 16, version, sizeof version);
}

static void a_struct_of_another_size_is_refused(void** state) {
    (void)state;
    static unsigned char block[BYTES_MOST];
    size_t bytes = block_of(&drivers[1], block);
    uint64_t size;
    memcpy(&size, block + 24, sizeof size);
    assert_int_equal(size, drivers[1].size);
    size += 8;
    memcpy(block + 24, &size, sizeof size);
    expect_refused(&drivers[1], block, bytes + 8, KERB_ERROR_CONTRADICTION, "size");
}

static void the_block_of_another_kind_of_driver_is_refused(void** state) {
    (void)state;
    static unsigned char block[BYTES_MOST];
    for (int32_t n = 0; n < DRIVERS; n++) {
        (void)block_of(&drivers[n], block);
        for (int32_t k = 0; k < DRIVERS; k++)
            if (k != n)
                expect_refused(&drivers[k], block, sizeof block, KERB_ERROR_CONTRADICTION, "kind");
    }
}

static void a_block_that_is_cut_short_is_refused(void** state) {
    (void)state;
    static unsigned char block[BYTES_MOST];
    for (int32_t n = 0; n < DRIVERS; n++) {
        size_t bytes = block_of(&drivers[n], block);
        for (size_t size = 0; size < bytes; size += size < 70 ? 1 : 97)
            expect_refused(&drivers[n], block, size, KERB_ERROR_TOO_FEW, "size");
        expect_refused(&drivers[n], block, bytes - 1, KERB_ERROR_TOO_FEW, "size");
    }
    expect_refused(&drivers[0], NULL, 0, KERB_ERROR_TOO_FEW, "size");
}

static int begin_saved(void** state) {
    car = kerb_vehicle_default();
    car.drive_train.gear_count = 5;
    plane = kerb_aircraft_default();
    return make_ground(state);
}

int saved_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_driver_drives_on_with_the_same_bits),
        cmocka_unit_test(a_driver_made_in_place_drives_like_one_made_by_value),
        cmocka_unit_test(bytes_is_the_size_of_the_struct),
        cmocka_unit_test(a_block_is_written_only_where_it_fits),
        cmocka_unit_test(every_byte_of_the_header_counts),
        cmocka_unit_test(a_block_of_another_byte_order_is_refused),
        cmocka_unit_test(every_later_and_earlier_version_is_refused),
        cmocka_unit_test(a_struct_of_another_size_is_refused),
        cmocka_unit_test(the_block_of_another_kind_of_driver_is_refused),
        cmocka_unit_test(a_block_that_is_cut_short_is_refused),
    };
    return cmocka_run_group_tests(tests, begin_saved, remove_ground);
}
