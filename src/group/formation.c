// Formations: the slots, their assignment, and the places of slots in a bend. How an agent keeps
// its place is in formation_keep.c.
//
// Slots are counted from the leader, number 0. So a smaller formation is the beginning of a larger
// one, except for boxes and rings.
//
// Assignment: two agents exchange their slots as long as that shortens the sum of their distances.
// At the end no two straight paths cross, because exchanging them would be shorter. Each exchange
// lowers the sum by more than gain_min, so the process ends. The result is not always the smallest
// sum, but it is stable: agents that are well placed keep their slots.
//
// Bends: a slot lies on a circle round the leader's centre. Slots that were turned rigidly would
// sweep sideways, and a column would fold up. In space the circle is a helix with a vertical axis.
// The slot's frame is that of an agent that flies the helix without bank: T along the line, L
// horizontal to the left, U at a right angle to both. With heading h, climb c and their changes h'
// and c' per metre,
//
//     T' = h' cos c L + c' U    L' = h' (sin c U - cos c T)    U' = -c' T - h' sin c L
//
// So a point y to the left and z up moves, for each metre of the line,
//
//     (1 - h' cos c y - c' z) T - h' sin c z L + h' sin c y U
//
// Cost: O(1) a slot; exchanges O(count²) a pass.
#include "../base/shared.h"
#include "kerb/group.h"
#include "kerb/steer.h"

// On the inside of a bend no place is slower than this share of the leader's speed, so that it does
// not stop or reverse. [1]
#define SHARE_LEAST 0.05f

// ------------------------------------------------------------------- slots

static kerb_vec3 level_slot(float ahead, float left) {
    return kerb_vec3_make(ahead, left, 0.0f);
}

// 0, 1, -1, 2, -2 …: alternately left and right.
static float by_turns(int32_t index) {
    int32_t rank = (index + 1) / 2;
    return index % 2 == 1 ? (float)rank : -(float)rank;
}

static int32_t columns_of(int32_t count) {
    int32_t columns = 1;
    while ((int64_t)columns * columns < count)
        columns++;
    return columns;
}

// Row by row, each from its middle outwards.
static kerb_vec3 formation_in_box(int32_t index, int32_t count, float spacing) {
    int32_t columns = columns_of(count);
    int32_t row = index / columns;
    return level_slot(-spacing * (float)row, spacing * by_turns(index % columns));
}

// The others at equal angles, on a circle that is large enough for them and for the leader in its
// centre.
static kerb_vec3 in_ring(int32_t index, int32_t count, float spacing) {
    if (index == 0)
        return level_slot(0.0f, 0.0f);
    float turn = 2.0f * KERB_PI / (float)(count - 1);
    float chord = 2.0f * kerb_sin(0.5f * kerb_min(turn, KERB_PI / 3.0f));
    float radius = spacing * 1.0001f / chord; // rounding must not bring two slots nearer
    float angle = turn * (float)(index - 1);
    return level_slot(radius * kerb_cos(angle), radius * kerb_sin(angle));
}

kerb_vec3 kerb_formation_slot(kerb_formation_shape shape, int32_t index, int32_t count,
                              float spacing) {
    KERB_ASSERT(index >= 0 && index < count && spacing > 0.0f);
    switch (shape) {
    case KERB_FORMATION_COLUMN:
        return level_slot(-spacing * (float)index, 0.0f);
    case KERB_FORMATION_WEDGE:
        return level_slot(-spacing * kerb_abs(by_turns(index)), spacing * by_turns(index));
    case KERB_FORMATION_BOX:
        return formation_in_box(index, count, spacing);
    case KERB_FORMATION_RING:
        return in_ring(index, count, spacing);
    case KERB_FORMATION_LINE:
    default:
        return level_slot(0.0f, spacing * by_turns(index));
    }
}

// ------------------------------------------------------------------- assignment

static float distance_between(kerb_vec3 a, kerb_vec3 b) {
    return kerb_vec3_length(kerb_vec3_sub(b, a));
}

// By how much an exchange of the slots of i and j shortens the sum.
static float gain_of(const kerb_vec3* positions, const kerb_vec3* places, const int32_t* slots,
                     int32_t i, int32_t j) {
    kerb_vec3 of_i = places[slots[i]], of_j = places[slots[j]];
    return distance_between(positions[i], of_i) + distance_between(positions[j], of_j) -
           distance_between(positions[i], of_j) - distance_between(positions[j], of_i);
}

int32_t kerb_formation_assign(const kerb_vec3* positions, const kerb_vec3* places, int32_t* slots,
                              int32_t count, float gain_min) {
    KERB_ASSERT(count >= 0 && ((positions && places && slots) || count == 0));
    // The number of exchanges is bounded, because rounding could exchange equal sums for ever.
    int64_t most = (int64_t)count * count;
    int32_t exchanges = 0;
    bool changed = true;
    while (changed) {
        changed = false;
        for (int32_t i = 0; i < count; i++) {
            for (int32_t j = i + 1; j < count && exchanges < most; j++) {
                if (!(gain_of(positions, places, slots, i, j) > gain_min))
                    continue;
                int32_t slot = slots[i];
                slots[i] = slots[j];
                slots[j] = slot;
                exchanges++;
                changed = true;
            }
        }
    }
    return exchanges;
}

// ------------------------------------------------------------------- in a bend

// Rotation about the vertical axis.
static kerb_vec3 rotated(kerb_vec3 v, float angle) {
    float sine, cosine;
    kerb_sin_cos(angle, &sine, &cosine);
    return kerb_vec3_make(v.x * cosine - v.y * sine, v.y * cosine + v.x * sine, v.z);
}

// Change of the line's direction at a slot.
typedef struct formation_bend {
    float turn;  // change of the heading, left positive [1/m]
    float climb; // change of the angle of climb [1/m]
} formation_bend;

// The place `slot.y` to the left of and `slot.z` above a point of the line, where the line is
// driven at `speed`.
static kerb_formation_place place_beside(kerb_vec3 position, kerb_vec3 ahead, formation_bend way,
                                         float speed, kerb_vec3 slot) {
    // On a vertical line any horizontal direction will do.
    float sine = ahead.z, cosine = kerb_sqrt(kerb_max(1.0f - sine * sine, 0.0f));
    kerb_vec3 left = kerb_vec3_make(0.0f, 1.0f, 0.0f);
    if (cosine > 1e-3f)
        left = kerb_vec3_make(-ahead.y / cosine, ahead.x / cosine, 0.0f);
    kerb_vec3 up = kerb_vec3_cross(ahead, left);
    float share = 1.0f - way.turn * cosine * slot.y - way.climb * slot.z;
    float drift = -way.turn * sine * slot.z, rise = way.turn * sine * slot.y;
    kerb_formation_place place = {position, ahead, speed * share, 0.0f};
    place.position = kerb_vec3_along(place.position, left, slot.y);
    if (slot.z != 0.0f)
        place.position = kerb_vec3_along(place.position, up, slot.z);
    place.curvature = way.turn / kerb_max(share, SHARE_LEAST);
    if (share > SHARE_LEAST && (drift != 0.0f || rise != 0.0f)) {
        kerb_vec3 moves = kerb_vec3_scale(ahead, share);
        moves = kerb_vec3_along(kerb_vec3_along(moves, left, drift), up, rise);
        float pace = kerb_vec3_length(moves);
        place.forward = kerb_vec3_unit(moves, ahead);
        place.speed = speed * pace;
        place.curvature = way.turn / pace;
    }
    return place;
}

kerb_formation_place kerb_formation_place_of(const kerb_agent* leader, float curvature,
                                             kerb_vec3 slot) {
    KERB_ASSERT(leader);
    float half = 0.5f * curvature * slot.x;
    float chord = kerb_abs(half) < 0.01f ? 1.0f : kerb_sin(half) / half;
    kerb_vec3 way = rotated(leader->forward, half);
    kerb_vec3 ahead = rotated(leader->forward, 2.0f * half);
    kerb_vec3 position = kerb_vec3_along(leader->position, way, chord * slot.x);
    position.z = leader->position.z + leader->forward.z * slot.x;
    formation_bend helix = {curvature, 0.0f};
    return place_beside(position, ahead, helix, leader->speed, slot);
}

// ------------------------------------------------------------------- along a path

// A location farther along the path. Beyond the ends of an open path the path goes straight on.
static kerb_path_location further(const kerb_path* path, kerb_path_location from, float metres) {
    kerb_path_location there = kerb_path_advance(path, from, metres);
    if (!path->closed) {
        double beyond = kerb_path_distance(path, from) + (double)metres;
        if (beyond < 0.0)
            there.segment_distance = (float)beyond;
        else if (beyond > path->length)
            there.segment_distance += (float)(beyond - path->length);
    }
    return there;
}

// Straight segments approximate a bend. In the middle of a segment the heading is that of the
// segment; before and after, it changes as in the bend. So places beside the path do not jump where
// two segments meet.
static kerb_vec3 formation_heading_at(const kerb_path_sample* sample, float off) {
    kerb_vec3 ahead = kerb_vec3_make(sample->direction.x, sample->direction.y, 0.0f);
    ahead = kerb_vec3_unit(ahead, kerb_vec3_make(1.0f, 0.0f, 0.0f));
    return rotated(ahead, off * sample->curvature);
}

// Sine of the angle of climb of a segment. Beyond the ends, that of the last segment.
static float climb_of(const kerb_path* path, int32_t segment) {
    int32_t last = path->segment_count - 1;
    if (path->closed)
        segment = segment < 0 ? last : (segment > last ? 0 : segment);
    segment = segment < 0 ? 0 : (segment > last ? last : segment);
    return path->points[segment].direction.z;
}

// The sine of the climb `off` metres from the middle of a segment: where two segments meet it is
// their mean. `change`: per metre.
static float climb_at(const kerb_path* path, int32_t segment, float off, float* change) {
    float middle = climb_of(path, segment), length = path->points[segment].length;
    float to = climb_of(path, off < 0.0f ? segment - 1 : segment + 1);
    float rise = off < 0.0f ? middle - to : to - middle;
    *change = rise / length;
    return middle + *change * off;
}

kerb_formation_place kerb_formation_place_along(const kerb_path* path, kerb_path_location here,
                                                float speed, kerb_vec3 slot) {
    KERB_ASSERT(path);
    kerb_path_location there = further(path, here, slot.x);
    kerb_path_sample sample = kerb_path_sample_at(path, there);
    float length = path->points[there.segment].length, change;
    float off = kerb_clamp(there.segment_distance, 0.0f, length) - 0.5f * length;
    float sine = climb_at(path, there.segment, off, &change);
    float cosine = kerb_sqrt(kerb_max(1.0f - sine * sine, 0.0f));
    kerb_vec3 ahead = kerb_vec3_scale(formation_heading_at(&sample, off), cosine);
    ahead.z = sine;
    formation_bend way = {sample.curvature, change / kerb_max(cosine, SHARE_LEAST)};
    kerb_formation_place place = place_beside(sample.position, ahead, way, speed, slot);
    float slowest = SHARE_LEAST * speed;
    place.speed = speed < 0.0f ? kerb_min(place.speed, slowest) : kerb_max(place.speed, slowest);
    return place;
}

kerb_directed_goal kerb_formation_goal(const kerb_directed_goal* leader, const kerb_agent* agent,
                                       kerb_vec3 slot) {
    KERB_ASSERT(leader && agent);
    kerb_directed_goal goal = *leader;
    kerb_vec3 ahead = kerb_vec3_unit(leader->forward, kerb_vec3_make(0.0f, 0.0f, 0.0f));
    kerb_vec3 left =
        kerb_vec3_unit(kerb_vec3_make(-ahead.y, ahead.x, 0.0f), kerb_vec3_make(0.0f, 1.0f, 0.0f));
    goal.position = kerb_vec3_along(leader->position, ahead, slot.x);
    goal.position = kerb_vec3_along(goal.position, left, slot.y);
    goal.position = kerb_vec3_along(goal.position, kerb_vec3_cross(ahead, left), slot.z);
    goal.forward = ahead;
    goal.turning_radius = agent->turning_radius;
    return goal;
}

float kerb_formation_speed(float speed, float distance, float distance_max) {
    if (!(distance > 0.0f) || !(distance_max > distance))
        return speed;
    return speed * (distance / distance_max);
}
