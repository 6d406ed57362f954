// Purpose: right of way through a conflict. Both vehicles compute it from what they see of each
// other (positions, velocities, ids), by the same formulas, so that both get the same answer:
//
//     the lower id goes unless it is later by more than 0.5 s,
//     the higher id goes only if it is earlier by more than 1.2 s.
//
// Between the two limits both give way, so no error of the estimates below 0.7 s lets both go. When
// both are at standstill, the times differ by less than that and the ids decide. Ids are a total
// order, so one of any set of vehicles that wait for one another may always go, once its waiting
// time outweighs its being late. O(1).
#include "right_of_way.h"
#include "way.h"

#define LOWER_LATE 0.5f   // the lower id may be later by this [s]
#define HIGHER_EARLY 1.2f // the higher id must be earlier by this [s]
// Waiting time above this is added to the lateness that a vehicle may have. [s]
#define WAIT_FREE 2.0f
// A vehicle with less than this in a conflict can still keep out of it. [m]
#define RIGHT_OF_WAY_NOSE 1.5f
// Slower vehicles are predicted at this speed: they may set off. [m/s]
#define RIGHT_OF_WAY_SLOW 0.5f

bool kerb_in_right_of_way(uint32_t own_id, uint32_t their_id, float earlier, float waited) {
    if (own_id < their_id)
        return earlier > -LOWER_LATE - kerb_max(waited - WAIT_FREE, 0.0f);
    return earlier > HIGHER_EARLY;
}

// Time at constant speed. [s]
static float time_going_on(float distance, float speed) {
    return distance / kerb_max(speed, RIGHT_OF_WAY_SLOW);
}

static bool can_stop_before(float distance, float speed, float braking) {
    return stopping_distance(speed, braking) < distance;
}

// A vehicle that is already in the conflict goes on. It keeps back only when just its nose is in
// the conflict, the other cannot stop, and it cannot leave in time.
static bool keeps_back(const kerb_reference_line* way, const conflict* c, float their_speed) {
    bool they_can = can_stop_before(c->their_enter, their_speed, THEIR_BRAKING);
    return !they_can && c->own_enter > -RIGHT_OF_WAY_NOSE &&
           kerb_in_way_time_at(way, c->own_leave) > time_going_on(c->their_enter, their_speed);
}

// One vehicle has left before the other enters.
static bool miss_each_other(const kerb_reference_line* way, const conflict* c, float their_speed) {
    float own_in = kerb_in_way_time_at(way, c->own_enter);
    if (own_in > time_going_on(c->their_leave, their_speed) + PASS_AFTER)
        return true;
    float own_out =
        kerb_max(kerb_in_way_time_at(way, c->own_leave), time_for(c->own_leave, way->speed));
    return own_out + PASS_AFTER < time_for(c->their_enter, their_speed);
}

bool kerb_in_right_of_way_is_theirs(const kerb_reference_line* way, float waited, const conflict* c,
                                    uint32_t their_id, float their_speed) {
    if (c->own_enter <= 0.0f)
        return keeps_back(way, c, their_speed);
    if (miss_each_other(way, c, their_speed))
        return false;
    bool can_stop = can_stop_before(c->own_enter, way->speed, way->braking_max);
    bool they_are_in = c->their_enter <= 0.0f;
    bool they_can = !they_are_in && can_stop_before(c->their_enter, their_speed, THEIR_BRAKING);
    if (!can_stop && they_can)
        return false;
    if (!they_can && (can_stop || they_are_in))
        return true;
    if (!can_stop) // neither can
        return way->id > their_id;
    float earlier = time_for(c->their_enter, their_speed) - time_for(c->own_enter, way->speed);
    return !kerb_in_right_of_way(way->id, their_id, earlier, waited);
}
