// Formations: where the slots are, who takes which, and where they are in a bend. How one keeps its
// own is in formation_keep.c.
//
// Slots are counted from the leader, number 0, so that a smaller formation is the beginning of a
// larger one, boxes and rings apart.
//
// Slots are exchanged between two at a time while that shortens the sum of their ways:
// then no two ways cross (for if they did, exchanging them would be shorter), and as each exchange
// lowers the sum by more than the reluctance, it ends. Not always the least sum of all, but stable:
// who stands well is left alone.
//
// In a bend a slot lies on a circle round the leader's centre; rigidly turned slots would sweep
// aside, and a column fold like scissors. O(1) a slot; exchanges O(count²) a pass.
#include "../base/assertion.h"
#include "kerb/steer.h"

// ------------------------------------------------------------------- slots

// 0, 1, -1, 2, -2 …: by turns left and right.
static float by_turns(int32_t index) {
    int32_t rank = (index + 1) / 2;
    return index % 2 == 1 ? (float)rank : -(float)rank;
}

static int32_t columns_of(int32_t count) {
    int32_t columns = 1;
    while (columns * columns < count)
        columns++;
    return columns;
}

// Row by row, each from its middle outwards.
static kerb_vec2 in_box(int32_t index, int32_t count, float spacing) {
    int32_t columns = columns_of(count);
    int32_t row = index / columns;
    return kerb_vec2_make(-spacing * (float)row, spacing * by_turns(index % columns));
}

// The others at even angles, on a circle wide enough for them and for the leader in its middle.
static kerb_vec2 in_ring(int32_t index, int32_t count, float spacing) {
    if (index == 0)
        return kerb_vec2_make(0.0f, 0.0f);
    float turn = 2.0f * KERB_PI / (float)(count - 1);
    float chord = 2.0f * kerb_sin(0.5f * kerb_min(turn, KERB_PI / 3.0f));
    float radius = spacing * 1.0001f / chord; // rounding shall not bring two nearer
    float angle = turn * (float)(index - 1);
    return kerb_vec2_make(radius * kerb_cos(angle), radius * kerb_sin(angle));
}

kerb_vec2 kerb_formation_slot(kerb_formation_shape shape, int32_t index, int32_t count,
                              float spacing) {
    KERB_ASSERT(index >= 0 && index < count && spacing > 0.0f);
    switch (shape) {
    case KERB_FORMATION_COLUMN:
        return kerb_vec2_make(-spacing * (float)index, 0.0f);
    case KERB_FORMATION_WEDGE:
        return kerb_vec2_make(-spacing * kerb_abs(by_turns(index)), spacing * by_turns(index));
    case KERB_FORMATION_BOX:
        return in_box(index, count, spacing);
    case KERB_FORMATION_RING:
        return in_ring(index, count, spacing);
    case KERB_FORMATION_LINE:
    default:
        return kerb_vec2_make(0.0f, spacing * by_turns(index));
    }
}

// ------------------------------------------------------------------- who takes which

static float distance_between(kerb_vec2 a, kerb_vec2 b) {
    return kerb_vec2_length(kerb_vec2_sub(b, a));
}

// By how much exchanging the slots of i and j shortens the sum.
static float gain_of(const kerb_vec2* positions, const kerb_vec2* places, const int32_t* slots,
                     int32_t i, int32_t j) {
    kerb_vec2 of_i = places[slots[i]], of_j = places[slots[j]];
    return distance_between(positions[i], of_i) + distance_between(positions[j], of_j) -
           distance_between(positions[i], of_j) - distance_between(positions[j], of_i);
}

int32_t kerb_formation_assign(const kerb_vec2* positions, const kerb_vec2* places, int32_t* slots,
                              int32_t count, float reluctance) {
    KERB_ASSERT(count >= 0 && ((positions && places && slots) || count == 0));
    // Roundings of equal sums must not be exchanged for ever: hence the bound, too.
    int64_t most = (int64_t)count * count;
    int32_t exchanges = 0;
    bool changed = true;
    while (changed) {
        changed = false;
        for (int32_t i = 0; i < count; i++) {
            for (int32_t j = i + 1; j < count && exchanges < most; j++) {
                if (!(gain_of(positions, places, slots, i, j) > reluctance))
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

kerb_formation_place kerb_formation_place_of(const kerb_agent* leader, float curvature,
                                             kerb_vec2 slot) {
    KERB_ASSERT(leader);
    float half = 0.5f * curvature * slot.x, sine, cosine;
    float chord = kerb_abs(half) < 0.01f ? 1.0f : kerb_sin(half) / half;
    kerb_vec3 ahead = leader->forward, left = {-ahead.y, ahead.x, 0.0f};
    kerb_sin_cos(half, &sine, &cosine);
    kerb_vec3 way = kerb_vec3_along(kerb_vec3_scale(ahead, cosine), left, sine);
    kerb_sin_cos(2.0f * half, &sine, &cosine);
    kerb_formation_place place;
    place.forward = kerb_vec3_along(kerb_vec3_scale(ahead, cosine), left, sine);
    kerb_vec3 side = {-place.forward.y, place.forward.x, 0.0f};
    place.position = kerb_vec3_along(leader->position, way, chord * slot.x);
    place.position = kerb_vec3_along(place.position, side, slot.y);
    float share = 1.0f - curvature * slot.y;
    place.speed = leader->speed * share;
    place.curvature = curvature / kerb_max(share, 0.05f);
    return place;
}

// ------------------------------------------------------------------- along a path

// Further along the path, and straight on beyond its ends.
static kerb_path_location further(const kerb_path* path, kerb_path_location from, float metres) {
    kerb_path_location there = kerb_path_advance(path, from, metres);
    if (!path->closed) {
        double beyond = kerb_path_distance(path, from) + (double)metres;
        if (beyond < 0.0)
            there.along = (float)beyond;
        else if (beyond > path->length)
            there.along += (float)(beyond - path->length);
    }
    return there;
}

// Straight segments stand for a bend: in their middle the way heads as they do, before and after as
// the bend does, so that places beside it do not jump where two meet.
static kerb_vec3 heading_at(const kerb_path* path, kerb_path_location at,
                            const kerb_path_sample* sample) {
    float length = path->points[at.segment].length, sine, cosine;
    float off = kerb_clamp(at.along, 0.0f, length) - 0.5f * length;
    kerb_vec3 ahead = kerb_vec3_make(sample->direction.x, sample->direction.y, 0.0f);
    ahead = kerb_vec3_unit(ahead, kerb_vec3_make(1.0f, 0.0f, 0.0f));
    kerb_vec3 left = {-ahead.y, ahead.x, 0.0f};
    kerb_sin_cos(off * sample->curvature, &sine, &cosine);
    return kerb_vec3_along(kerb_vec3_scale(ahead, cosine), left, sine);
}

kerb_formation_place kerb_formation_place_along(const kerb_path* path, kerb_path_location here,
                                                float speed, kerb_vec2 slot) {
    KERB_ASSERT(path);
    kerb_path_location there = further(path, here, slot.x);
    kerb_path_sample sample = kerb_path_sample_at(path, there);
    kerb_formation_place place;
    place.forward = heading_at(path, there, &sample);
    kerb_vec3 side = {-place.forward.y, place.forward.x, 0.0f};
    place.position = kerb_vec3_along(sample.position, side, slot.y);
    float share = kerb_max(1.0f - sample.curvature * slot.y, 0.05f);
    place.speed = speed * share;
    place.curvature = sample.curvature / share;
    return place;
}
