// Purpose: where the vehicle is: the local origin from which all places count, and what is left of
//          the memory when the host puts the vehicle elsewhere.
// Idea:    Far from the world's origin a float cannot say exactly where the vehicle is. So places
//          count from a local origin near the vehicle, and across its direction of motion the
//          vehicle is where its velocity leads from the last frame, as long as that agrees with the
//          position that the host gives, to a float's place. The host gives velocities exactly.
// Cost:    O(1).
#include "frame.h"

#include "../base/shared.h"

#include <string.h>

// The local origin is moved when the vehicle is farther from it than FAR in x or y, to a multiple
// of STEP. Floats up to 800 m are 0.06 mm apart, and multiples of STEP are floats throughout the
// world. [m]
#define ORIGIN_FAR 512.0f
#define ORIGIN_STEP 256.0f

// The host's position of a vehicle is off by up to one float place: half of one where it is
// rounded, and as much again where it is computed from the position of another point.
static float float_place(float x) {
    return 0x1p-23f * kerb_abs(x);
}

static float place_excess(float x, float tolerance) {
    return x - kerb_clamp(x, -tolerance, tolerance);
}

// Where the vehicle is, from the local origin. Along its motion that is what the host says. Across
// it, a place that is off by the rounding of floats would make the wheels jitter.
kerb_vec2 kerb_in_lane_place_now(const kerb_lane_keeper* keeper, const kerb_motion* motion) {
    kerb_vec2 told = kerb_vec2_sub(lane_level(motion->position), keeper->memory.origin);
    if (!keeper->memory.placed)
        return told;
    const float off_x = float_place(motion->position.x), off_y = float_place(motion->position.y);
    kerb_vec2 step = kerb_vec2_sub(told, keeper->memory.place);
    // Of an arc from the last place, the chord points halfway between the two velocities.
    kerb_vec2 way = kerb_vec2_add(keeper->memory.place_moves, lane_level(motion->velocity));
    float square = kerb_vec2_dot(way, way);
    if (!(square > 1.0e-12f))
        return kerb_vec2_make(keeper->memory.place.x + place_excess(step.x, off_x),
                              keeper->memory.place.y + place_excess(step.y, off_y));
    way = kerb_vec2_scale(way, 1.0f / kerb_sqrt(square));
    float off = off_x * kerb_abs(way.y) + off_y * kerb_abs(way.x);
    kerb_vec2 along = lane_along(keeper->memory.place, way, kerb_vec2_dot(way, step));
    return lane_along(along, lane_left_of(way), place_excess(kerb_vec2_cross(way, step), off));
}

static void move_place(kerb_vec2* place, kerb_vec2 shift) {
    *place = kerb_vec2_sub(*place, shift);
}

void kerb_in_lane_keep_origin_near(kerb_lane_keeper* keeper, kerb_vec3 position) {
    kerb_lane_keeper_memory* memory = &keeper->memory;
    if (kerb_abs(position.x - memory->origin.x) <= ORIGIN_FAR &&
        kerb_abs(position.y - memory->origin.y) <= ORIGIN_FAR)
        return;
    kerb_vec2 origin =
        kerb_vec2_make(ORIGIN_STEP * floorf(position.x * (1.0f / ORIGIN_STEP) + 0.5f),
                       ORIGIN_STEP * floorf(position.y * (1.0f / ORIGIN_STEP) + 0.5f));
    kerb_vec2 shift = kerb_vec2_sub(origin, memory->origin);
    memory->origin = origin;
    move_place(&memory->place, shift);
    move_place(&memory->line, shift);
    move_place(&memory->stands.place, shift);
    move_place(&memory->other.place, shift);
    for (int32_t i = 0; i < 2; i++) {
        move_place(&memory->edges[i].place, shift);
        move_place(&memory->scanned[i].place, shift);
    }
    for (int32_t i = 0; i < KERB_LANE_AHEAD; i++)
        move_place(&memory->ahead[i].place, shift);
    kerb_in_line_shift_origin(&memory->window, kerb_vec3_make(shift.x, shift.y, 0.0f));
}

void kerb_lane_keeper_shift_origin(kerb_lane_keeper* keeper, kerb_vec3 new_origin) {
    KERB_ASSERT(keeper != NULL && kerb_vec3_is_finite(new_origin));
    const float scale = keeper->memory.scale;
    const kerb_vec3 shift = scale > 0.0f ? kerb_vec3_scale(new_origin, 1.0f / scale) : new_origin;
    kerb_in_motion_shift_origin(&keeper->memory.last, new_origin);
    kerb_in_motion_shift_origin(&keeper->memory.left, new_origin);
    kerb_host_check_shift_origin(&keeper->memory.host_check, new_origin);
    keeper->memory.origin = kerb_vec2_sub(keeper->memory.origin, lane_level(shift));
    keeper->memory.asked = false; // its rays are in the old coordinates
    kerb_lane_decision* thoughts = &keeper->decision;
    thoughts->lookahead_point = kerb_vec3_sub(thoughts->lookahead_point, new_origin);
    thoughts->target = kerb_vec3_sub(thoughts->target, new_origin);
}

void kerb_in_lane_forget(kerb_lane_keeper* keeper) {
    const kerb_motion_memory last = keeper->memory.last;
    const kerb_vec2 origin = keeper->memory.origin;
    const float scale = keeper->memory.scale;
    const kerb_host_check host_check = keeper->memory.host_check; // it knows jumps itself
    const kerb_hand_over_memory hand_over = keeper->memory.hand_over;
    const float late = keeper->memory.pedals.late;
    memset(&keeper->memory, 0, offsetof(kerb_lane_keeper_memory, track));
    keeper->memory.pedals.late = late;
    keeper->memory.scale = scale;
    keeper->memory.last = last;
    keeper->memory.origin = origin;
    keeper->memory.host_check = host_check;
    keeper->memory.hand_over = hand_over;
}
