// Kerb others: what a driver does about the other vehicles near the line that it is about to drive.
//
// Drivers of this library call it themselves (kerb_follower_drive does); a driver of your own calls
// it once a frame. It answers with the greatest speed now and a lateral offset:
//
//     kerb_avoid memory = {0};                                  // once, per vehicle
//     kerb_avoid_settings settings;
//     kerb_settings_set_defaults(&kerb_avoid_settings_table, &settings);
//
//     kerb_reference_line line = …;                             // every frame: the next stations
//     if (memory.retreat > 0.0f) {
//         … go back slowly by kerb_avoid_retreat(&memory, speed, stopping_distance, time_step);
//     } else {
//         kerb_avoid_answer answer =
//             kerb_avoid_others(&memory, &settings, &line, neighbours, count, time_step);
//         … drive no faster than answer.speed, and steer to answer.lateral_offset
//     }
//     kerb_avoid_tell(&memory, &intent);                        // with the strip: for the others
//
// No gridlock, by argument. Vehicles that publish their intents (kerb_intent) keep these rules:
//
// 1. A vehicle claims the ground that it needs, whole or not at all, and only as far as it can
//    reach: a claim ends before whatever stands in the way, and in no crossing that it can still
//    stop before.
// 2. Of two claims for one crossing, both vehicles compute which one stays, from what both have
//    published in the last frame.
// 3. A vehicle publishes how long it has stood for others, and how far it would claim if nobody had
//    claimed any of it (kerb_intent.asked): only as far as there is room to leave every crossing. A
//    vehicle that has stood for less time makes no claim for what is asked so, and gives up the one
//    that it has, unless it is in a crossing already or can no longer stop. So nobody enters the
//    crossings of the one that has stood longest, those that are in them leave them (rule 1), and
//    that one gets its claim. Of n vehicles that wait at the crossings of one another, each is
//    passed over by at most n - 1, and by what could not stop. Where such a vehicle and one that
//    lets it go first wait for each other in a cycle, the latter goes on.
// 4. A vehicle at standstill publishes exactly one other for which it waits (kerb_wait), and keeps
//    to it while that vehicle stands in the way. So waits form chains. A chain ends at a vehicle
//    that does not wait, or leads into one cycle. Where a vehicle waits for several, a cycle
//    through another one is found after the first is dissolved.
// 5. Each vehicle that waits offers a time in which it can clear the way by going back. The least
//    offer of a cycle travels once round the cycle in as many frames as the cycle has vehicles. The
//    vehicle that receives its own offer goes back: by the distance that the vehicles which wait
//    for it need, or, where that is unknown, by up to 4 m. It names the vehicle behind it that it
//    would hit first, and that one goes back as well. Afterwards it claims nothing for 3 s, so that
//    the others can drive on.
// 6. A vehicle that goes back again, before it has got past the place where it waited, waits twice
//    as long before it does so, and goes back 4 m farther. So another vehicle gets its turn. A
//    vehicle that has gone back twice so, and stands and waits again for 10 s, asks for help from
//    the host (kerb_avoid_answer.helpless): in a junction that is full, others take the room at
//    once. So does one of a cycle in which none can go back: there is no room behind, or the slope
//    behind is too steep for it (kerb_reference_line.cannot_retreat).
//
// The argument holds where all vehicles publish their intents, where these begin within 1 m of the
// vehicles (one that has slid off its line is no longer in a crossing of that line), where the host
// passes on those of the last frame and moves whoever asks for it, and where two vehicles are
// neighbours of each other when one waits for the other. It does not cover vehicles that the host
// moves by force, cycles in which no vehicle has room to go back, and cycles of more than 64
// vehicles. That a vehicle can go back is no proof that the others then go on: vehicles that slide,
// such as hovercraft on a slope, may meet again.
//
// Where some or all vehicles say nothing, it is no argument but a good guess: one that stands is
// taken to wait for what is straight in front of it. All see the same, so all in a cycle find it,
// and its first vehicle by id that has room goes back, then the next. A vehicle that comes nearer
// to one which stands behind it asks that one for room.
//
// Costs and threads: allocates nothing; may be called from any thread, one at a time for one
// memory.
//
// Does not: know lanes, signals or routes; steer.
#ifndef KERB_OTHERS_H
#define KERB_OTHERS_H

#include "vehicle.h"

/// The side of the road on which vehicles drive.
typedef enum kerb_driving_side {
    KERB_DRIVE_RIGHT, ///< on the right; oncoming vehicles pass on the left
    KERB_DRIVE_LEFT   ///< on the left; oncoming vehicles pass on the right
} kerb_driving_side;

/// "right" or "left"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_driving_side_text(kerb_driving_side value);

/// How a driver avoids other vehicles. A settings struct.
typedef struct kerb_avoid_settings {
    float gap_time; ///< time gap to a moving vehicle ahead [s] [0 … 10] Cars: 0.8 to 2.
    float gap_min;  ///< gap to a vehicle or obstacle at standstill ahead [m] [0 … 50]
    float patience; ///< wait before passing a stopped vehicle facing the same way [s] [0 … 600]
    int32_t driving_side; ///< kerb_driving_side
} kerb_avoid_settings;

/// Range, default and meaning of every setting.
KERB_API const kerb_settings_table kerb_avoid_settings_table;

/// Greatest number of stations of a reference line.
#define KERB_REFERENCE_STATIONS_MAX 16

/// One station of a reference line.
typedef struct kerb_reference_station {
    kerb_vec3 position;  ///< in the world [m]
    kerb_vec2 direction; ///< of travel, seen from above, unit length
    float left, right;   ///< distances to the edges of the corridor [m]
    float distance;      ///< along the line from the reference point, increasing [m]
    float time;          ///< until the vehicle is here, without other vehicles [s]
} kerb_reference_station;

/// The reference line that a vehicle is about to drive, and the vehicle itself, seen in its
/// direction of travel.
typedef struct kerb_reference_line {
    kerb_reference_station stations[KERB_REFERENCE_STATIONS_MAX]; ///< in the order of travel
    int32_t count;          ///< of stations [2 … KERB_REFERENCE_STATIONS_MAX]
    uint32_t id;            ///< of the vehicle, as in kerb_surroundings
    float speed;            ///< now, along the line [m/s]
    float lateral_offset;   ///< from the line now, left positive [m]
    float heading_error;    ///< heading of the body against the line, left positive [rad]
    float lateral_drift;    ///< change of the lateral offset per metre driven, now [1]
    float offset_set_point; ///< current set point of the lateral offset; it moves to its target [m]
    float response_distance;     ///< distance over which lateral errors fade [m] [> 0]
    float response_distance_min; ///< smallest response_distance: at standstill [m] [> 0]
    float offset_slope;          ///< greatest change of the set point per metre driven [1] [> 0]
    float front, rear;           ///< from the reference point to the leading and trailing end [m]
    float width;                 ///< of the vehicle [m]
    float braking;               ///< deceleration that it plans with [m/s²] [> 0]
    float braking_max;           ///< deceleration in an emergency [m/s²] [>= braking]
    float braking_delay;         ///< time that passes until it brakes so hard [s] [>= 0]
    float desired_speed;         ///< without other vehicles [m/s]
    /// It cannot go back from here, as where the slope behind is too steep for its reverse: in a
    /// cycle of waits another vehicle goes back.
    bool cannot_retreat;
    /// How much longer it takes to go back than for one that changes into reverse: to turn round,
    /// and back again. In a cycle of waits, who is sooner out of the way goes back. [s] [>= 0]
    float retreat_delay;
    /// The intent that this vehicle shows to the others. NULL: it shows none.
    const kerb_intent* intent;
} kerb_reference_line;

/// Memory of the avoidance. Zero it to start.
typedef struct kerb_avoid {
    uint32_t obstacle;    ///< id of the stopped neighbour that is in the way
    float obstacle_time;  ///< how long it has been in the way; 0: there is none [s]
    float waiting_time;   ///< how long the vehicle has been at standstill because of others [s]
    float blocked_time;   ///< part of `waiting_time` behind a stopped neighbour [s]
    float hold_time;      ///< how long it still waits, so that others use the free space [s]
    float lateral_offset; ///< desired lateral offset from the line, left positive [m]
    float claimed;        ///< claimed distance: kerb_intent.claimed [m]
    float asked;          ///< distance asked for: kerb_intent.asked [m]
    float stopping;       ///< distance in which it can stop: kerb_intent.stopping [m]
    float yield_time;     ///< how long it has stood for others: kerb_intent.yield_time [s]
    float yield_driven;   ///< distance driven since `yield_time` began [m]
    bool courteous;       ///< it stands only because one that has waited longer asks for a crossing
    bool insists;    ///< it does not let such a vehicle go first, until it has driven its length
    kerb_wait wait;  ///< for whom it waits: kerb_intent.wait
    float wait_kept; ///< how long another vehicle has set the limit since then [s]
    float standing_time; ///< how long it has been at standstill [s]
    float cycle_time;    ///< how long it has known that it is part of a cycle of waits [s]
    float retreat;       ///< how far the driver has still to go back to clear the way [m]
    float retreat_time;  ///< how long it has gone back already [s]
    int32_t retreats;    ///< number of retreats since it last got past where it had waited
    float regain;        ///< how far it has to drive until it is there again [m]
    float silent_time; ///< how long it has seemed to be in a cycle of vehicles that say nothing [s]
    float room_behind; ///< kerb_intent.room_behind [m]
    uint32_t behind;   ///< kerb_intent.behind
    float behind_gap;  ///< kerb_intent.behind_gap [m]
    float stood_gap;   ///< gap to the vehicle that it waits for, when it came to stand there [m]
    uint32_t stood_for; ///< id of that vehicle
} kerb_avoid;

/// What to do about the other vehicles.
typedef struct kerb_avoid_answer {
    float speed;          ///< greatest speed now; 1e6: the others set no limit [m/s]
    float lateral_offset; ///< desired lateral offset from the line, left positive [m]
    /// FOLLOWING, YIELDING, AVOIDING, NO_ROOM or MAKING_ROOM; NONE: no neighbour matters.
    kerb_reason reason;
    int32_t index; ///< of the neighbour that decides; -1: none
    bool blocked;  ///< has waited long for an oncoming neighbour: should back out
    /// The vehicle is part of a cycle of waits that none of its vehicles can dissolve, or has gone
    /// back twice in vain: ask the host to move it.
    bool helpless;
} kerb_avoid_answer;

/// Decides for one frame what a vehicle does about the neighbours near its reference line.
///
/// - A vehicle ahead that drives in the same direction is followed (kerb_gap_speed).
/// - A stopped neighbour ahead is passed where the corridor has space and no vehicle is oncoming. A
///   neighbour that faces the same direction may itself be waiting, so it is passed only after
///   `patience` seconds. Where it cannot be passed, the vehicle stops behind it.
/// - Oncoming vehicles are passed on the driving side.
/// - Where two lines cross or merge, the vehicle that would clearly be there first goes first. If
///   this is not clear, the lower id goes first. A vehicle that can no longer stop goes on. The
///   longer both wait, the more the ids decide instead of the times. So a ring of vehicles that
///   wait for each other starts to move.
/// - After a long wait for an oncoming neighbour, `blocked` is true. Of two vehicles, the one with
///   the higher id waits less.
/// - Where a stopped neighbour leaves too little room on either side, the vehicle waits until there
///   is room. If the neighbour has not said for 10 s that it waits itself, the reason is
///   KERB_REASON_NO_ROOM.
/// - A stretch of the corridor that is too narrow for both is claimed by one of two that come from
///   its ends. Where only one of them can wait out of the other's way, it waits there, on its side.
/// - Vehicles that wait for each other in a cycle find that out by their intents. Then
///   `avoid->retreat` of one of them, and of those behind it, becomes greater than 0: the distance
///   to go back. Call kerb_avoid_retreat in the next frames.
/// - Neighbours with a known intent are not predicted, if the vehicle also shows its own intent. A
///   zone is an area where the two strips overlap. The vehicle claims its strip zone by zone before
///   it enters (`claimed`). It never claims a zone that another vehicle has claimed or is in. When
///   two vehicles claim a zone in the same frame, one claim stays: that of the vehicle that can no
///   longer stop, that has stood longer for others, that clearly leaves the zone first, or that has
///   the lower id. A vehicle that has stood longer and asks for a zone goes first there, as long as
///   the other can stop. The vehicle enters no crossing that it could not leave. Where lines merge,
///   it follows the vehicle that is there first.
///
/// Other neighbours are predicted over 6 s by velocity and yaw rate, as rectangles with a margin. A
/// neighbour is ignored when it has the vehicle's own id, a number that is not finite, or no size,
/// when it is 1 km or longer, faster than 1 km/s, or more than 3.5 m above or below. The order of
/// the neighbours does not change the answer. O(neighbours · KERB_REFERENCE_STATIONS_MAX); with
/// intents O(neighbours · KERB_INTENT_POINTS_MAX) for those near, and at most 16 zones.
KERB_API kerb_avoid_answer kerb_avoid_others(kerb_avoid* avoid, const kerb_avoid_settings* settings,
                                             const kerb_reference_line* line,
                                             const kerb_neighbour* neighbours, int32_t count,
                                             float time_step);

/// Goes on with a retreat, while `avoid->retreat` is above 0, in place of kerb_avoid_others. The
/// vehicle goes back along its line, slowly, as far as the gap behind it allows. `speed`: along the
/// line, negative while it goes back [m/s]. `stopping_distance`: from this speed [m] [>= 0].
/// Returns the distance that is left; 0: the retreat has ended, the vehicle stops, and
/// kerb_avoid_others holds it there for some seconds, so that the others go on. [m] O(1)
KERB_API float kerb_avoid_retreat(kerb_avoid* avoid, float speed, float stopping_distance,
                                  float time_step);

/// Writes the claim, the wait and the retreat of a vehicle into its intent. The strip is the
/// driver's; call kerb_intent_bound after it is complete. O(1)
KERB_API void kerb_avoid_tell(const kerb_avoid* avoid, kerb_intent* intent);

/// Gap behind the vehicle: distance to the nearest neighbour that it would hit if it drove straight
/// back. 1e6 where there is none. [m] O(neighbours)
KERB_API float kerb_gap_behind(const kerb_reference_line* line, const kerb_neighbour* neighbours,
                               int32_t count);

#endif
