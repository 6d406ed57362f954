// libFuzzer target: any bytes as calls of a lane keeper on ring roads. The rays meet the edges of
// the road and the neighbours; on a hostile road some answers are any numbers. What is demanded:
// fuzz/calls.h.
//
//     fuzz_lane_keeper_calls -max_total_time=600 -max_len=2000 -timeout=60 out/corpus
#include "fuzz/calls.h"
#include "kerb/lane.h"

#include <stddef.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define LANE_CALLS_OFFSET 1.75f // of the lane from the edge on the right [m]

// A ring of two circles about a centre.
typedef struct lane_ring {
    float radius, half_width; // [m]
    bool clockwise;           // the vehicle drives so
    bool edges[2];            // the inner and the outer one are there
} lane_ring;

typedef struct lane_calls {
    kerb_lane_keeper keeper;
    fuzz_vehicle car;
    lane_ring ring;
    kerb_vec3 centre;
    uint32_t hostile; // 0: the answers are true
    bool is_directed; // a direction was set, by which it may have to turn round
    float place_angle;
} lane_calls;

// Where a ray meets a circle from inside or outside first. -1: not at all. [m]
static float lane_to_circle(kerb_vec2 from, kerb_vec2 direction, float radius) {
    float along = kerb_vec2_dot(from, direction);
    float inside = along * along - kerb_vec2_dot(from, from) + radius * radius;
    if (!(inside > 0.0f))
        return -1.0f;
    float root = kerb_sqrt(inside);
    return -along - root >= 0.0f ? -along - root : -along + root;
}

static void lane_meet(kerb_lane_hit* hit, float distance, float length, int32_t kind) {
    if (distance < 0.0f || distance > length ||
        (hit->kind != KERB_LANE_HIT_NOTHING && distance >= hit->distance))
        return;
    hit->kind = kind;
    hit->distance = distance;
}

static void lane_meet_vehicles(const kerb_lane_ray* ray, const kerb_surroundings* around,
                               kerb_lane_hit* hit) {
    for (int32_t i = 0; around != NULL && i < around->neighbour_count; i++) {
        const kerb_neighbour* other = &around->neighbours[i];
        kerb_vec2 from = {ray->origin.x - other->position.x, ray->origin.y - other->position.y};
        kerb_vec2 direction = {ray->direction.x, ray->direction.y};
        float before = hit->distance;
        lane_meet(hit, lane_to_circle(from, direction, 0.5f * other->width), ray->length,
                  KERB_LANE_HIT_VEHICLE);
        if (hit->distance != before)
            hit->velocity = other->velocity;
    }
}

// The same numbers for the same ray, so that a copy of the keeper is told the same.
static void lane_spoil(uint32_t seed, const kerb_lane_ray* ray, kerb_lane_hit* hit) {
    uint32_t bits = 0;
    memcpy(&bits, &ray->origin.x, sizeof bits);
    kerb_random random = kerb_random_make(seed, bits + (uint32_t)ray->purpose);
    if (kerb_random_below(&random, 3) != 0)
        return;
    uint8_t bytes[80];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)kerb_random_bits(&random);
    fuzz_bytes any = fuzz_bytes_of(bytes, sizeof bytes);
    hit->kind = fuzz_below(&any, 6) - 1;
    if (fuzz_below(&any, 2))
        hit->distance = fuzz_any_float(&any);
    hit->normal = fuzz_any_vec3(&any);
    hit->velocity = fuzz_any_vec3(&any);
}

static kerb_lane_hit lane_cast(const lane_calls* calls, const kerb_lane_ray* ray,
                               const kerb_surroundings* around) {
    kerb_lane_hit hit = {.kind = KERB_LANE_HIT_NOTHING, .distance = ray->length};
    kerb_vec2 from = {ray->origin.x - calls->centre.x, ray->origin.y - calls->centre.y};
    kerb_vec2 direction = {ray->direction.x, ray->direction.y};
    for (int32_t i = 0; i < 2; i++) {
        float side = i == 0 ? -1.0f : 1.0f;
        float radius = calls->ring.radius + side * calls->ring.half_width;
        if (calls->ring.edges[i])
            lane_meet(&hit, lane_to_circle(from, direction, radius), ray->length,
                      KERB_LANE_HIT_EDGE);
    }
    if (hit.kind == KERB_LANE_HIT_EDGE) {
        kerb_vec2 at = {from.x + direction.x * hit.distance, from.y + direction.y * hit.distance};
        float size = kerb_max(kerb_vec2_length(at), 1.0e-3f);
        float towards = kerb_vec2_dot(at, direction) > 0.0f ? -1.0f : 1.0f;
        hit.normal = (kerb_vec3){towards * at.x / size, towards * at.y / size, 0.0f};
    }
    lane_meet_vehicles(ray, around, &hit);
    if (calls->hostile != 0)
        lane_spoil(calls->hostile, ray, &hit);
    return hit;
}

// --------------------------------------------------------------------------- the subject

// Greatest length of a ray by its purpose, as kerb_lane_settings says. It follows the settings,
// which allow up to 10 km. How far to look along another lane was decided in the frame before, so
// for that ray the greatest setting counts. The vehicle has the scale 1. [m]
static float lane_ray_most(const kerb_lane_keeper* keeper, int32_t purpose) {
    const kerb_lane_settings* settings = &keeper->settings;
    const float along = 20.0f;  // a ray along the lane has at least so much
    const float behind = 60.0f; // along another lane; straight back less
    switch (purpose) {
    case KERB_LANE_RAY_EDGE:
    case KERB_LANE_RAY_ACROSS:
        return settings->side_reach;
    case KERB_LANE_RAY_LOOKOUT:
    case KERB_LANE_RAY_SCAN:
        return settings->sight;
    case KERB_LANE_RAY_LANE:
        return settings->sight + along;
    case KERB_LANE_RAY_BESIDE: // to the other lane, with half of its own width and margin
        return settings->sight + 0.5f * (keeper->vehicle.width + settings->margin);
    case KERB_LANE_RAY_BEHIND:
        return behind;
    default:
        return 10000.0f;
    }
}

static kerb_controls lane_drive(void* self, void* driver, const kerb_motion* motion,
                                const kerb_surroundings* surroundings, float time_step) {
    lane_calls* calls = self;
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
    kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
    int32_t count = kerb_lane_keeper_rays(driver, motion, rays);
    FUZZ_DEMAND(count >= 0 && count <= KERB_LANE_RAYS_MAX);
    for (int32_t i = 0; i < count; i++) {
        float length = kerb_vec3_length(rays[i].direction);
        FUZZ_DEMAND(length > 0.999f && length < 1.001f && rays[i].direction.z == 0.0f);
        FUZZ_DEMAND(kerb_vec3_is_finite(rays[i].origin) && rays[i].length > 0.0f);
        FUZZ_DEMAND(rays[i].length <= lane_ray_most(driver, rays[i].purpose));
        hits[i] = lane_cast(calls, &rays[i], surroundings);
    }
    return kerb_lane_keeper_drive(driver, rays, hits, count, motion, surroundings, time_step);
}

// In its lane at an angle of the ring.
static void lane_place_at(lane_calls* calls, float angle) {
    float way = calls->ring.clockwise ? -1.0f : 1.0f, sine, cosine;
    float radius = calls->ring.radius + way * (calls->ring.half_width - LANE_CALLS_OFFSET);
    kerb_sin_cos(angle, &sine, &cosine);
    calls->place_angle = angle;
    calls->car = (fuzz_vehicle){.vehicle = calls->keeper.vehicle, .gear = 1};
    calls->car.position = (kerb_vec3){calls->centre.x + radius * cosine,
                                      calls->centre.y + radius * sine, calls->centre.z};
    calls->car.heading = kerb_wrap_angle(angle + way * 0.5f * KERB_PI);
}

static bool lane_is_near(const fuzz_vehicle* car, const kerb_motion_memory* was) {
    kerb_vec3 step = kerb_vec3_sub(car->position, was->position);
    return was->known && kerb_vec3_length(step) < 2.0f * car->vehicle.length;
}

// Not where the keeper knows the vehicle to have been: one that is less than its length away was
// not put elsewhere but spun, and turns round to the direction of its old lane, which takes longer
// than the harness waits. Nor near the place before the last one, which would make that a glitch.
static void lane_place(void* self, fuzz_bytes* bytes) {
    lane_calls* calls = self;
    const kerb_lane_keeper_memory* memory = &calls->keeper.memory;
    lane_place_at(calls, calls->place_angle + fuzz_between(bytes, 1.0f, 2.0f * KERB_PI - 1.0f));
    // Each of two places rules out at most two of these angles, on the smallest ring too.
    for (int32_t i = 0; i < 5 && (lane_is_near(&calls->car, &memory->last) ||
                                  lane_is_near(&calls->car, &memory->left));
         i++)
        lane_place_at(calls, calls->place_angle + 1.25f);
}

static void lane_change_settings(void* self, fuzz_bytes* bytes) {
    lane_calls* calls = self;
    if (fuzz_below(bytes, 4) == 0) {
        kerb_lane_keeper_set_direction(&calls->keeper, fuzz_any_vec3(bytes));
        calls->is_directed = true;
    } else
        fuzz_change_setting(bytes, &kerb_lane_settings_table, &calls->keeper.settings);
}

static const lane_ring healthy_ring = {80.0f, 3.5f, false, {true, true}};

static void lane_settle(void* self) {
    lane_calls* calls = self;
    calls->keeper.settings = kerb_lane_settings_default();
    calls->ring = healthy_ring;
    calls->hostile = 0;
    if (calls->is_directed)
        kerb_lane_keeper_set_direction(&calls->keeper, (kerb_vec3){0.0f, 0.0f, 0.0f});
}

static void lane_change_route(void* self, fuzz_bytes* bytes) {
    lane_calls* calls = self;
    calls->ring.radius = fuzz_between(bytes, 12.0f, 400.0f);
    calls->ring.half_width = fuzz_between(bytes, 1.0f, 10.0f);
    calls->ring.clockwise = fuzz_below(bytes, 2);
    calls->ring.edges[0] = fuzz_below(bytes, 4) > 0;
    calls->ring.edges[1] = fuzz_below(bytes, 4) > 0;
    calls->hostile = fuzz_below(bytes, 3) == 0 ? 1u + fuzz_byte(bytes) : 0u;
}

static void lane_shift_origin(void* self, kerb_vec3 new_origin) {
    lane_calls* calls = self;
    kerb_lane_keeper_shift_origin(&calls->keeper, new_origin);
    calls->centre = kerb_vec3_sub(calls->centre, new_origin);
    calls->car.position = kerb_vec3_sub(calls->car.position, new_origin);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static lane_calls calls;
    fuzz_bytes bytes = fuzz_bytes_of(data, size);
    memset(&calls, 0, sizeof calls);
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_lane_keeper_init(&calls.keeper, &vehicle);
    calls.ring = healthy_ring;
    // And truth values that are followed by padding, which may hold anything.
    static const size_t doubles[] = {offsetof(kerb_lane_keeper, controls.handbrake),
                                     offsetof(kerb_lane_keeper, memory.last.known),
                                     offsetof(kerb_lane_keeper, memory.left.known),
                                     offsetof(kerb_lane_keeper, memory.stuck.progress_mark),
                                     offsetof(kerb_lane_keeper, memory.stuck.stuck_progress),
                                     offsetof(kerb_lane_keeper, memory.way)};
    fuzz_subject subject = {.self = &calls,
                            .driver = &calls.keeper,
                            .bytes = sizeof calls.keeper,
                            .vehicle = &calls.car,
                            .doubles = doubles,
                            .double_count = 6,
                            .speed_least = 5.0f,
                            .seconds_most = 20.0f,
                            .drive = lane_drive,
                            .place = lane_place,
                            .change_settings = lane_change_settings,
                            .settle = lane_settle,
                            .change_route = lane_change_route,
                            .shift_origin = lane_shift_origin};
    fuzz_calls(&subject, bytes);
    return 0;
}
