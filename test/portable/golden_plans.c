// Hashes of the planner: lower bounds, and movements with all their pieces.
#include "golden.h"

#include "sim/car.h"

#include <string.h>

// Vehicles of all sorts; every other may reverse.
static kerb_plan_limits some_limits(kerb_random* random, int i) {
    kerb_plan_limits limits = kerb_plan_limits_default();
    limits.turning_radius = kerb_random_between(random, 0.5f, 10.0f);
    limits.speed_max = kerb_random_between(random, 2.0f, 40.0f);
    limits.reverse_speed_max = i % 2 == 0 ? kerb_random_between(random, 1.0f, 8.0f) : 0.0f;
    limits.acceleration = kerb_random_between(random, 0.5f, 9.0f);
    limits.braking = kerb_random_between(random, 0.5f, 9.0f);
    limits.lateral_acceleration = kerb_random_between(random, 1.0f, 20.0f);
    limits.yaw_rate_max = kerb_random_between(random, 0.3f, 5.0f);
    return limits;
}

static kerb_plan_end some_end(kerb_random* random, const kerb_plan_limits* limits) {
    float most = 6.0f * limits->turning_radius;
    float x = kerb_random_between(random, -most, most),
          y = kerb_random_between(random, -most, most);
    float heading = kerb_random_between(random, -KERB_PI, KERB_PI);
    float speed = kerb_random_between(random, -limits->reverse_speed_max, limits->speed_max);
    return kerb_plan_end_make(x, y, heading, speed);
}

uint64_t plan_bounds(void) {
    golden_hash hash = golden_start();
    kerb_random random = kerb_random_make(21, 1);
    for (int i = 0; i < 4000; i++) {
        kerb_plan_limits limits = some_limits(&random, i);
        kerb_plan_end from = some_end(&random, &limits), to = some_end(&random, &limits);
        kerb_plan_bound_settings settings = {.heuristic = i % KERB_PLAN_HEURISTIC_COUNT,
                                             .overshoot = i % KERB_PLAN_OVERSHOOT_COUNT};
        golden_add_float(&hash, kerb_plan_bound(&limits, &settings, &from, &to));
        settings.position_tolerance = 1.0f;
        settings.speed_tolerance = 0.5f;
        golden_add_float(&hash, kerb_plan_bound(&limits, &settings, &from, &to));
    }
    return hash.value;
}

static void add_plan(golden_hash* hash, const kerb_plan* plan) {
    golden_add_int(hash, plan->count);
    golden_add_float(hash, plan->cost);
    golden_add_float(hash, plan->length);
    for (int32_t i = 0; i < plan->count; i++) {
        const kerb_plan_piece* p = &plan->pieces[i];
        golden_add_float(hash, p->start.position.x);
        golden_add_float(hash, p->start.position.y);
        golden_add_float(hash, p->start.forward.x);
        golden_add_float(hash, p->start.forward.y);
        golden_add_float(hash, p->time);
        golden_add_float(hash, p->duration);
        golden_add_float(hash, p->speed);
        golden_add_float(hash, p->acceleration);
        golden_add_float(hash, p->curvature);
        golden_add_int(hash, p->direction);
    }
    for (float t = 0.0f; t < plan->time; t += 0.25f)
        golden_add_float(hash, kerb_plan_at(plan, t).pose.position.x);
}

uint64_t plan_movements(void) {
    golden_hash hash = golden_start();
    kerb_random random = kerb_random_make(21, 2);
    const kerb_host host = kerb_host_default();
    for (int i = 0; i < 60; i++) {
        kerb_plan_limits limits = some_limits(&random, i);
        const kerb_plan_end starts[2] = {some_end(&random, &limits), some_end(&random, &limits)};
        const kerb_plan_end goals[2] = {some_end(&random, &limits), some_end(&random, &limits)};
        const kerb_planner_settings settings = {.improvement = i % 3 == 0 ? 0 : 600, .seed = i};
        const kerb_plan_query query = {starts, goals, 1 + i % 2, 1 + i / 2 % 2};
        kerb_planner planner;
        golden_require(kerb_planner_create(&planner, &limits, &settings, &host, NULL) == KERB_OK &&
                           kerb_planner_begin(&planner, &query, NULL) == KERB_OK,
                       "beginning a plan");
        golden_add_int(&hash, (int32_t)kerb_planner_advance(&planner, 10000));
        kerb_plan plan = kerb_planner_get_plan(&planner);
        golden_require(plan.count > 0, "planning");
        add_plan(&hash, &plan);
        kerb_planner_destroy(&planner);
    }
    return hash.value;
}

// Continuous curvature, from starts at rest and with speed, from wheels that are turned.
uint64_t plan_clothoids(void) {
    golden_hash hash = golden_start();
    kerb_random random = kerb_random_make(27, 3);
    const kerb_host host = kerb_host_default();
    for (int i = 0; i < 40; i++) {
        kerb_plan_limits limits = some_limits(&random, i);
        limits.curvature_rate = kerb_random_between(&random, 0.1f, 1.0f);
        kerb_plan_end start = some_end(&random, &limits);
        kerb_plan_end goal = some_end(&random, &limits);
        if (i % 2 == 0)
            start.speed = goal.speed = 0.0f;
        start.curvature = kerb_random_between(&random, -0.1f, 0.1f);
        const kerb_planner_settings settings = {.improvement = 300, .seed = i};
        const kerb_plan_query query = {&start, &goal, 1, 1};
        kerb_planner planner;
        golden_require(kerb_planner_create(&planner, &limits, &settings, &host, NULL) == KERB_OK &&
                           kerb_planner_begin(&planner, &query, NULL) == KERB_OK,
                       "beginning a plan of clothoids");
        golden_add_int(&hash, (int32_t)kerb_planner_advance(&planner, 10000));
        kerb_plan plan = kerb_planner_get_plan(&planner);
        golden_require(plan.count > 0 || i % 2 == 1, "planning with clothoids");
        add_plan(&hash, &plan);
        for (int32_t k = 0; k < plan.count; k++)
            golden_add_float(&hash, plan.pieces[k].curvature_change);
        kerb_planner_destroy(&planner);
    }
    return hash.value;
}

// A lawn in the middle of 40 m by 40 m, and a wall on it.
typedef struct garden {
    uint8_t cells[40 * 40], prices[40 * 40];
    kerb_plan_world world;
} garden;

static void make_garden(garden* g) {
    memset(g, 0, sizeof *g);
    for (int y = 12; y < 28; y++)
        memset(&g->prices[40 * y + 10], 200, 20);
    for (int y = 16; y < 24; y++)
        g->cells[40 * y + 20] = 255;
    g->world = (kerb_plan_world){.cells = g->cells,
                                 .cost_map = g->prices,
                                 .cost_per_metre = 0.5f,
                                 .columns = 40,
                                 .rows = 40,
                                 .cell_size = 1.0f,
                                 .origin = {-20.0f, -20.0f}};
}

uint64_t plan_searches(void) {
    golden_hash hash = golden_start();
    const kerb_host host = kerb_host_default();
    kerb_random random = kerb_random_make(21, 3);
    static garden g;
    make_garden(&g);
    for (int i = 0; i < 6; i++) {
        kerb_plan_limits limits = kerb_plan_limits_default();
        limits.reverse_speed_max = i % 2 == 0 ? 3.0f : 0.0f;
        kerb_plan_end from = kerb_plan_end_make(-17.0f, 0.0f, 0.3f, 2.0f);
        kerb_plan_end to =
            kerb_plan_end_make(16.0f, kerb_random_between(&random, -10.0f, 10.0f), 0.5f, 3.0f);
        to.position_tolerance = i % 3 == 1 ? 1.0f : 0.0f;
        to.heading_tolerance = i % 3 == 1 ? 0.4f : 0.0f;
        to.speed_tolerance = i % 3 == 1 ? 1.0f : 0.0f;
        kerb_plan_search_settings settings = kerb_plan_search_settings_default();
        settings.weight = 3.0f; // falls answer by answer
        settings.probing = i % 2;
        settings.expansions = 400;
        settings.nodes = 20000;
        const kerb_plan_query query = {&from, &to, 1, 1};
        kerb_plan_search search;
        golden_require(
            kerb_plan_search_create(&search, &limits, &settings, &host, NULL) == KERB_OK &&
                kerb_plan_search_set_world(&search, i < 4 ? &g.world : NULL, NULL) == KERB_OK &&
                kerb_plan_search_begin(&search, &query, NULL) == KERB_OK,
            "beginning a search");
        golden_add_int(&hash, (int32_t)kerb_plan_search_advance(&search, 400));
        kerb_plan plan = kerb_plan_search_get_plan(&search);
        add_plan(&hash, &plan);
        golden_add_int(&hash, kerb_plan_search_get_report(&search).nodes);
        kerb_plan_search_destroy(&search);
    }
    return hash.value;
}

// Walls with gaps across a square of 60 m by 60 m, cells of half a metre.
typedef struct yard {
    uint8_t cells[120 * 120];
    kerb_plan_world world;
} yard;

static void make_yard(kerb_random* random, yard* y) {
    memset(y, 0, sizeof *y);
    for (int column = 24; column < 108; column += 24) {
        int gap = kerb_random_below(random, 100);
        for (int row = 0; row < 120; row++)
            if (row < gap || row >= gap + 14)
                y->cells[120 * row + column] = y->cells[120 * row + column + 1] = 255;
    }
    y->world = (kerb_plan_world){.cells = y->cells,
                                 .columns = 120,
                                 .rows = 120,
                                 .cell_size = 0.5f,
                                 .box_min = {0.0f, 0.0f},
                                 .box_max = {60.0f, 60.0f}};
}

static void add_crossing(golden_hash* hash, kerb_planner* planner, const kerb_plan_mover* movers,
                         int32_t count) {
    const kerb_plan_end from = kerb_plan_end_make(5.0f, 30.0f, 0.3f, 0.0f);
    const kerb_plan_end to = kerb_plan_end_make(54.0f, 30.0f, -0.4f, 0.0f);
    const kerb_plan_query query = {&from, &to, 1, 1};
    golden_require(kerb_planner_set_movers(planner, movers, count, NULL) == KERB_OK &&
                       kerb_planner_begin(planner, &query, NULL) == KERB_OK,
                   "beginning a plan");
    golden_add_int(hash, (int32_t)kerb_planner_advance(planner, 20000));
    kerb_plan plan = kerb_planner_get_plan(planner);
    golden_add_int(hash, plan.expansions);
    golden_add_int(hash, (int32_t)plan.method);
    add_plan(hash, &plan);
}

// With one mover, then two, then three, and so on; none of them where movers_most is 0.
static uint64_t crossings(uint64_t stream, int32_t count, int32_t movers_most) {
    golden_hash hash = golden_start();
    const kerb_host host = kerb_host_default();
    const kerb_planner_settings settings = {
        .improvement = 400, .expansions = 4000, .nodes = 20000, .field_cells = 1 << 16};
    kerb_random random = kerb_random_make(21, stream);
    static yard y;
    for (int32_t i = 0; i < count; i++) {
        kerb_plan_limits limits = kerb_plan_limits_default();
        limits.reverse_speed_max = i % 2 == 0 ? 3.0f : 0.0f;
        make_yard(&random, &y);
        kerb_plan_mover movers[3];
        for (int k = 0; k < 3; k++) {
            float up = k % 2 == 0 ? 1.0f : -1.0f;
            float x = kerb_random_between(&random, 14.0f, 50.0f);
            movers[k] = (kerb_plan_mover){
                .pose = kerb_pose_make(x, 30.0f - 20.0f * up, 0.5f * KERB_PI * up),
                .velocity = {0.0f, up * kerb_random_between(&random, 0.0f, 6.0f)},
                .length = 4.5f,
                .width = 1.8f};
        }
        kerb_planner planner;
        golden_require(kerb_planner_create(&planner, &limits, &settings, &host, NULL) == KERB_OK &&
                           kerb_planner_set_world(&planner, &y.world, NULL) == KERB_OK,
                       "a planner");
        add_crossing(&hash, &planner, movers, i % 3 < movers_most ? 1 + i % 3 : movers_most);
        kerb_planner_destroy(&planner);
    }
    return hash.value;
}

uint64_t plan_routes(void) {
    return crossings(4, 6, 0);
}

uint64_t plan_movers(void) {
    return crossings(5, 3, 3);
}

uint64_t plan_driver(void) {
    golden_hash hash = golden_start();
    const kerb_host host = kerb_host_default();
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_sim_car_model model = kerb_sim_car_model_for(&vehicle);
    const kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    kerb_plan_limits limits = kerb_plan_limits_to_drive(&vehicle, 0.3f);
    const kerb_planner_settings settings = {.improvement = 300};
    kerb_planner planner;
    golden_require(kerb_planner_create(&planner, &limits, &settings, &host, NULL) == KERB_OK,
                   "a planner");
    for (int i = 0; i < 3; i++) {
        kerb_plan_end from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
        kerb_plan_end to = kerb_plan_end_make(6.0f - 8.0f * (float)i, 7.0f, 1.2f, 0.0f);
        const kerb_plan_query query = {&from, &to, 1, 1};
        golden_require(kerb_planner_begin(&planner, &query, NULL) == KERB_OK, "beginning a plan");
        kerb_planner_advance(&planner, 1000);
        kerb_plan plan = kerb_planner_get_plan(&planner);
        kerb_vec3 start = {vehicle.reference_to_rear_axle, 0.1f, 0.0f};
        kerb_sim_car car = kerb_sim_car_make(&model, start, 0.05f);
        kerb_plan_driver driver = kerb_plan_driver_make(&vehicle);
        for (int frame = 0; frame < 600; frame++) {
            kerb_motion motion = kerb_sim_car_motion(&car);
            kerb_controls controls =
                kerb_plan_driver_drive(&driver, &plan, &motion, NULL, 1.0f / 60.0f);
            golden_add_float(&hash, controls.steering);
            golden_add_float(&hash, controls.throttle);
            golden_add_float(&hash, controls.brake);
            golden_add_int(&hash, controls.gear);
            for (int k = 0; k < 4; k++)
                kerb_sim_car_step(&car, &controls, &ground, 1.0f / 240.0f);
        }
        golden_add_float(&hash, car.position.x);
    }
    kerb_planner_destroy(&planner);
    return hash.value;
}

// Chases, each asked anew once, and a way back to the plan that was found.
uint64_t plan_chases(void) {
    golden_hash hash = golden_start();
    const kerb_host host = kerb_host_default();
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_plan_limits limits = kerb_plan_limits_to_drive(&vehicle, 0.4f);
    const kerb_planner_settings settings = {.improvement = 100};
    kerb_planner planner;
    golden_require(kerb_planner_create(&planner, &limits, &settings, &host, NULL) == KERB_OK,
                   "a planner");
    kerb_random random = kerb_random_make(31, 0);
    static kerb_plan_piece pieces[8192];
    for (int i = 0; i < 6; i++) {
        float x = kerb_random_between(&random, -60, 60);
        float y = kerb_random_between(&random, -60, 60);
        float heading = kerb_random_between(&random, -KERB_PI, KERB_PI);
        kerb_plan_target target =
            kerb_plan_target_make(x, y, heading, kerb_random_between(&random, 0, 9));
        target.curvature = kerb_random_between(&random, -0.02f, 0.02f);
        kerb_plan_end here = kerb_plan_end_make(0, 0, 0, 5);
        kerb_plan_chase chase;
        kerb_plan_chase_begin(&chase, &planner, &here, &target, NULL);
        while (kerb_plan_chase_advance(&chase, &planner, 1000) == KERB_PLAN_RUNNING)
            continue;
        target.pose = kerb_plan_target_at(&target, 0.5f).pose;
        target.curvature += i % 2 == 0 ? 0.02f : 0.0f;
        kerb_plan_chase_begin_onward(&chase, &planner, 0.5f, 0.5f, &target, &here, NULL);
        while (kerb_plan_chase_advance(&chase, &planner, 1000) == KERB_PLAN_RUNNING)
            continue;
        kerb_plan plan = kerb_planner_get_plan(&planner);
        golden_require(plan.count > 0 && plan.count < 8192, "a plan");
        add_plan(&hash, &plan);
        golden_add_float(&hash, kerb_plan_chase_meeting(&chase).time);
        memcpy(pieces, plan.pieces, (size_t)plan.count * sizeof *pieces);
        plan.pieces = pieces;
        here.pose.position.y += 0.4f;
        kerb_plan_rejoin places;
        kerb_planner_begin_rejoin(&planner, &here, &plan, 1.0f, 4.0f, &places, NULL);
        kerb_planner_advance(&planner, 1000);
        golden_add_int(&hash, (int32_t)kerb_planner_rejoin(&planner, &plan, &places, NULL));
        plan = kerb_planner_get_plan(&planner);
        add_plan(&hash, &plan);
    }
    kerb_planner_destroy(&planner);
    return hash.value;
}

// Curves of two kinds of vehicles, the second with a friction ellipse.
uint64_t plan_curves(void) {
    golden_hash hash = golden_start();
    const kerb_host host = kerb_host_default();
    kerb_random random = kerb_random_make(26, 1);
    kerb_plan_limits kinds[2] = {kerb_plan_limits_default(), kerb_plan_limits_default()};
    kerb_plan_curves_settings settings = kerb_plan_curves_settings_default();
    kerb_plan_curves curves;
    int32_t tickets[40];
    kinds[1].longitudinal_grip = 5.0f;
    kinds[1].steering_time = 0.4f;
    golden_require(kerb_plan_curves_create(&curves, kinds, 2, &settings, &host, NULL) == KERB_OK,
                   "curves");
    for (int i = 0; i < 40; i++) {
        kerb_plan_curve_part parts[2];
        for (int k = 0; k < 2; k++) {
            parts[k].curvature = kerb_random_between(&random, -0.12f, 0.12f);
            parts[k].length = kerb_random_between(&random, 3.0f, 15.0f);
            parts[k].left = kerb_random_between(&random, 0.0f, 2.5f);
            parts[k].right = kerb_random_between(&random, 0.0f, 2.5f);
        }
        const kerb_plan_curve curve = {.kind = i % 2,
                                       .start = kerb_pose_make(100.0f, -20.0f, 0.1f * (float)i),
                                       .entry_speed = 0.2f * (float)i,
                                       .exit_speed = 5.0f,
                                       .before = 30.0f,
                                       .after = 20.0f,
                                       .parts = parts,
                                       .part_count = 2};
        golden_require(kerb_plan_curves_ask(&curves, &curve, &tickets[i], NULL) == KERB_OK,
                       "asking for a curve");
    }
    kerb_plan_curves_step(&curves);
    kerb_plan_curves_step(&curves);
    for (int i = 0; i < 40; i++) {
        kerb_plan_curve_answer answer;
        golden_require(kerb_plan_curves_answer(&curves, tickets[i], &answer), "an answer");
        golden_add_int(&hash, answer.plan.count);
        golden_add_float(&hash, answer.plan.cost);
        for (int32_t k = 0; k < answer.plan.count; k++) {
            golden_add_float(&hash, answer.plan.pieces[k].start.position.x);
            golden_add_float(&hash, answer.plan.pieces[k].acceleration);
            golden_add_float(&hash, answer.plan.pieces[k].curvature);
        }
    }
    kerb_plan_curves_destroy(&curves);
    return hash.value;
}
