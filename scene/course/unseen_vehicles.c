// Random vehicles: a kind gives ranges for size, steering and power, and physics gives the rest, so
// that each vehicle is possible. A forklift has its reference point before the middle of its front
// axle and large steering angles; a bus has long overhangs; a robot weighs a few kilograms.
#include "scene/course/unseen.h"

typedef struct range {
    float least, most;
} range;

typedef struct vehicle_kind {
    const char* name;
    kerb_vehicle_kind kind;
    range length;         // [m]
    float width_share;    // of the length
    float wheelbase_part; // of the length
    range ahead;          // reference point: share of the wheelbase in front of the rear axle
    range mass;           // [kg]
    range turning;        // radius of the rear axle, or 1/yaw rate [m], [s]
    range steering_rate;  // [rad/s]
    range power;          // per mass [W/kg]
    range speed;          // greatest [m/s]
    range grip;           // sideways [m/s²]
    range delay;          // of steering; throttle may be twice as late [s]
} vehicle_kind;

#define WHEELED KERB_VEHICLE_WHEELED
#define TRACKED KERB_VEHICLE_TRACKED
#define HOVER KERB_VEHICLE_HOVER

static const vehicle_kind unseen_vehicles_kinds[] = {
    {"go-kart",
     WHEELED,
     {1.6f, 2.0f},
     0.68f,
     0.58f,
     {0.4f, 0.5f},
     {120, 220},
     {1.8f, 3.0f},
     {1.5f, 4.0f},
     {20, 80},
     {15, 35},
     {8, 14},
     {0, 0.05f}},
    {"city-car",
     WHEELED,
     {3.0f, 4.0f},
     0.43f,
     0.62f,
     {0.4f, 0.6f},
     {800, 1200},
     {3.6f, 4.8f},
     {0.6f, 1.2f},
     {30, 60},
     {35, 50},
     {6.5f, 8.5f},
     {0.02f, 0.15f}},
    {"sports-car",
     WHEELED,
     {4.0f, 4.7f},
     0.42f,
     0.58f,
     {0.45f, 0.6f},
     {1100, 1700},
     {4.5f, 5.6f},
     {0.8f, 1.6f},
     {120, 350},
     {60, 90},
     {9, 14},
     {0, 0.1f}},
    {"van",
     WHEELED,
     {5.0f, 7.0f},
     0.33f,
     0.6f,
     {0.4f, 0.6f},
     {2200, 4500},
     {5.0f, 7.0f},
     {0.5f, 1.0f},
     {25, 45},
     {33, 42},
     {5.5f, 7.5f},
     {0.05f, 0.2f}},
    {"bus",
     WHEELED,
     {9.5f, 13.0f},
     0.21f,
     0.5f,
     {0.3f, 0.5f},
     {10000, 19000},
     {6.0f, 9.0f},
     {0.35f, 0.7f},
     {9, 18},
     {22, 30},
     {4.5f, 6.0f},
     {0.1f, 0.3f}},
    {"lorry",
     WHEELED,
     {7.0f, 11.0f},
     0.26f,
     0.58f,
     {0.3f, 0.6f},
     {8000, 26000},
     {6.5f, 10.0f},
     {0.35f, 0.6f},
     {7, 14},
     {22, 28},
     {4.5f, 6.0f},
     {0.1f, 0.3f}},
    {"eight-wheeler",
     WHEELED,
     {6.5f, 8.5f},
     0.37f,
     0.45f,
     {0.4f, 0.6f},
     {13000, 30000},
     {7.0f, 11.0f},
     {0.3f, 0.6f},
     {9, 16},
     {20, 28},
     {4.5f, 6.5f},
     {0.1f, 0.3f}},
    {"forklift",
     WHEELED,
     {2.3f, 3.5f},
     0.42f,
     0.55f,
     {-0.1f, 0.4f},
     {2500, 6000},
     {1.2f, 2.2f},
     {0.6f, 1.2f},
     {6, 12},
     {4, 7},
     {4, 6},
     {0.02f, 0.15f}},
    {"old-jeep",
     WHEELED,
     {3.4f, 4.4f},
     0.45f,
     0.6f,
     {0.4f, 0.6f},
     {1000, 2000},
     {5.0f, 7.0f},
     {0.5f, 0.9f},
     {15, 35},
     {22, 33},
     {2, 6.5f},
     {0.05f, 0.3f}},
    {"robot",
     TRACKED,
     {0.4f, 1.2f},
     0.7f,
     0.7f,
     {0.4f, 0.6f},
     {10, 150},
     {0.4f, 0.8f},
     {1, 1},
     {5, 20},
     {1.5f, 4},
     {5, 8},
     {0, 0.2f}},
    {"bulldozer",
     TRACKED,
     {4.0f, 6.5f},
     0.5f,
     0.6f,
     {0.4f, 0.6f},
     {8000, 30000},
     {1.5f, 2.5f},
     {1, 1},
     {5, 10},
     {2.5f, 5},
     {5, 8},
     {0.05f, 0.25f}},
    {"tank",
     TRACKED,
     {5.5f, 8.0f},
     0.48f,
     0.65f,
     {0.4f, 0.6f},
     {15000, 60000},
     {1.0f, 2.0f},
     {1, 1},
     {12, 22},
     {10, 20},
     {5, 7},
     {0.05f, 0.25f}},
    {"small-hovercraft",
     HOVER,
     {2.5f, 5.0f},
     0.5f,
     0.6f,
     {0.4f, 0.6f},
     {200, 1000},
     {0.6f, 1.0f},
     {1, 1},
     {40, 100},
     {15, 28},
     {0.4f, 1.2f},
     {0.05f, 0.2f}},
    {"large-hovercraft",
     HOVER,
     {7.0f, 14.0f},
     0.5f,
     0.6f,
     {0.4f, 0.6f},
     {4000, 30000},
     {1.2f, 2.2f},
     {1, 1},
     {25, 60},
     {15, 28},
     {0.3f, 0.8f},
     {0.1f, 0.3f}},
};

int32_t kerb_scene_unseen_vehicle_kinds(void) {
    return (int32_t)(sizeof unseen_vehicles_kinds / sizeof unseen_vehicles_kinds[0]);
}

const char* kerb_scene_unseen_vehicle_kind(int32_t kind) {
    return unseen_vehicles_kinds[kind].name;
}

static float pick(kerb_random* random, range r) {
    return kerb_random_between(random, r.least, r.most);
}

static void choose_size(kerb_vehicle* vehicle, const vehicle_kind* kind, kerb_random* random) {
    vehicle->length = pick(random, kind->length);
    vehicle->width = vehicle->length * kind->width_share * kerb_random_between(random, 0.95f, 1.1f);
    vehicle->wheelbase =
        vehicle->length * kind->wheelbase_part * kerb_random_between(random, 0.92f, 1.05f);
    vehicle->reference_to_rear_axle = vehicle->wheelbase * pick(random, kind->ahead);
    float overhang =
        (vehicle->length - vehicle->wheelbase) * kerb_random_between(random, 0.4f, 0.6f);
    vehicle->reference_to_front = vehicle->wheelbase - vehicle->reference_to_rear_axle + overhang;
    vehicle->mass = pick(random, kind->mass);
}

static void choose_turning(kerb_vehicle* vehicle, const vehicle_kind* kind, kerb_random* random) {
    float turning = pick(random, kind->turning);
    if (kind->kind == WHEELED) {
        vehicle->steering_angle_max =
            kerb_clamp(kerb_atan2(vehicle->wheelbase, turning), 0.3f, 1.2f);
        vehicle->steering_rate_max = pick(random, kind->steering_rate);
        vehicle->understeer_gradient = kerb_random_between(random, 0.0f, 0.005f);
    } else {
        vehicle->yaw_rate_max = 1.0f / turning;
        vehicle->yaw_acceleration_max = vehicle->yaw_rate_max * kerb_random_between(random, 1, 4);
    }
    vehicle->lateral_acceleration_max = pick(random, kind->grip);
    vehicle->steering_delay = pick(random, kind->delay);
    vehicle->throttle_delay = pick(random, kind->delay);
    vehicle->throttle_delay *= kerb_random_between(random, 1.0f, 2.0f);
}

// Power says how it pulls at half its greatest speed; below that, the gears multiply it up to what
// tyres hold. At the greatest speed drag takes all of it.
static void choose_drive(kerb_vehicle* vehicle, const vehicle_kind* kind, kerb_random* random) {
    float power = pick(random, kind->power);
    float tyres = 0.6f * kerb_max(vehicle->lateral_acceleration_max, 5.0f);
    vehicle->speed_max = pick(random, kind->speed);
    vehicle->acceleration_max = kerb_min(power / (0.2f * vehicle->speed_max), tyres);
    vehicle->coasting_deceleration = kerb_random_between(random, 0.1f, 0.25f);
    float surplus = 0.8f * power / vehicle->speed_max - vehicle->coasting_deceleration;
    vehicle->drag = kerb_clamp(surplus, 0.01f, 1.5f) / (vehicle->speed_max * vehicle->speed_max);
    float reverse = kind->kind == WHEELED ? 0.25f : 0.6f;
    vehicle->reverse_speed_max =
        vehicle->speed_max * reverse * kerb_random_between(random, 0.6f, 1.4f);
    vehicle->reverse_acceleration_max =
        vehicle->acceleration_max * kerb_random_between(random, 0.5f, 0.9f);
    vehicle->braking_max =
        vehicle->lateral_acceleration_max * kerb_random_between(random, 0.9f, 1.1f);
}

// What hovers has no tyres: its propeller, turned to the side, is most of its grip, and brakes.
static void choose_propeller(kerb_vehicle* vehicle, const vehicle_kind* kind, kerb_random* random) {
    vehicle->speed_max = pick(random, kind->speed);
    vehicle->coasting_deceleration = kerb_random_between(random, 0.05f, 0.15f);
    vehicle->acceleration_max = 0.05f * pick(random, kind->power);
    float thrust = vehicle->acceleration_max + vehicle->coasting_deceleration;
    vehicle->drag = 0.9f * vehicle->acceleration_max / (vehicle->speed_max * vehicle->speed_max);
    vehicle->reverse_speed_max = vehicle->speed_max * kerb_random_between(random, 0.25f, 0.5f);
    vehicle->reverse_acceleration_max =
        vehicle->acceleration_max * kerb_random_between(random, 0.3f, 0.6f);
    vehicle->braking_max = vehicle->reverse_acceleration_max +
                           2.0f * vehicle->coasting_deceleration +
                           kerb_random_between(random, 0.5f, 3.0f);
    vehicle->lateral_acceleration_max =
        0.70710678f * thrust + kerb_random_between(random, 0.05f, 0.3f);
    vehicle->reference_to_rear_axle = 0.0f; // it turns about its middle
    vehicle->reference_to_front = 0.5f * vehicle->length;
    vehicle->wheelbase = 0.5f * vehicle->reference_to_front;
}

kerb_vehicle kerb_scene_unseen_vehicle(uint64_t seed) {
    const vehicle_kind* kind =
        &unseen_vehicles_kinds[seed % (uint64_t)kerb_scene_unseen_vehicle_kinds()];
    kerb_random random = kerb_random_make(seed, 2);
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.kind = (int32_t)kind->kind;
    choose_size(&vehicle, kind, &random);
    choose_turning(&vehicle, kind, &random);
    if (kind->kind == HOVER)
        choose_propeller(&vehicle, kind, &random);
    else
        choose_drive(&vehicle, kind, &random);
    return vehicle;
}
