// The block of memory in which traffic lies. Private to the files traffic*.c.
//
// Invariants of a step:
// - A vehicle without a claim for the turn ahead can stop at the line by braking comfortably.
// - A claim is granted only with room for the whole vehicle behind the junction. Claims of a
//   junction are kept in the order in which they were granted. A vehicle waits inside a junction
//   only for vehicles that claimed a conflict point before it. That order has no cycle, so every
//   vehicle with a claim gets through.
// - The list of a segment is sorted by position. A vehicle that changes lanes stands in both lists.
#ifndef KERB_ROAD_TRAFFIC_PARTS_H
#define KERB_ROAD_TRAFFIC_PARTS_H

#include "../base/shared.h"
#include "kerb/traffic_host.h"
#include "network_parts.h"

#include <string.h>

/// Room that a vehicle which stands on a lane keeps to both ends of it together. Chosen by trial.
/// [m]
#define KERB_IN_STAND_ROOM 0.6f
/// Length that a change of lanes at walking speed takes: 1.5 cars, by trial. [m]
#define KERB_IN_CHANGE_LENGTH 7.0f
/// A fast change of lanes takes this time: sideways at 2 m/s on a lane of 3.2 m. [s]
#define KERB_IN_CHANGE_TIME 1.6f
/// Room ahead that a change needs. [m]
#define KERB_IN_CHANGE_ROOM (KERB_IN_CHANGE_LENGTH + KERB_IN_STAND_ROOM)
/// Room that a vehicle keeps before what stands, to pass it on a lane beside. It is more than a
/// change needs, so that a vehicle that stops a little late still has that. [m]
#define KERB_IN_PASS_ROOM (KERB_IN_CHANGE_ROOM + 1.0f)
/// A vehicle that has just entered its lane does not change until its rear is this far in. [m]
#define KERB_IN_ENTERED_MARGIN 1.0f
/// Rest of a change at which the vehicle is wholly inside its new lane: 0.16 of the lane's width.
#define KERB_IN_SHIFT_INSIDE 0.25f
/// Slower is standstill, as SUMO counts it. [m/s]
#define KERB_IN_STANDSTILL 0.1f
/// Needs are sums of floats: less than this is none. [m]
#define KERB_IN_NO_NEED 0.01f
/// Greater than any speed or distance. [m/s, m]
#define KERB_IN_NO_LIMIT 1.0e9f
/// More than any changes of lanes cost that can be made.
#define KERB_IN_NO_WAY 1000.0f

enum { CAR_CLAIMS = 9, CHUNK_EDGES = 15 };
enum { OVERTAKES_NOBODY = -1, OVERTAKES_NO_MORE = -2 };

typedef enum car_flag {
    CAR_WANTS_CLAIM = 1,
    CAR_GIVES_BACK = 2,     ///< its claim: the signal turned and it can stop
    CAR_WANTS_LANE = 4,     ///< considers a lane change
    CAR_CROSSED = 8,        ///< passed the end of its segment or of a claim
    CAR_STUCK = 16,         ///< waits for longer than its patience
    CAR_WANTS_CROSSING = 32 ///< of its lane
} car_flag;

/// A claim of a turn. Claim k of car c is number c * CAR_CLAIMS + k. Ten bytes, so that a vehicle
/// has room for nine: lorries on a roundabout of short lanes need that many.
typedef struct car_claim {
    uint16_t entry[2];            ///< a float: car.way at which its front enters the turn [m]
    uint16_t turn_low, next_low;  ///< turn: CLAIM_NONE: free
    uint8_t turn_high, next_high; ///< next: in the junction's list; CLAIM_NONE: end
} car_claim;

/// Numbers of turns and claims are less than this.
enum { CLAIM_NONE = 0xffffff };

static inline int32_t claim_number(int32_t low, int32_t high) {
    int32_t number = low | high << 16;
    return number == CLAIM_NONE ? -1 : number;
}

static inline int32_t claim_turn(const car_claim* held) {
    return claim_number(held->turn_low, held->turn_high);
}

static inline int32_t claim_next(const car_claim* held) {
    return claim_number(held->next_low, held->next_high);
}

static inline float claim_entry(const car_claim* held) {
    float entry;
    memcpy(&entry, held->entry, sizeof entry);
    return entry;
}

static inline void claim_set_turn(car_claim* held, int32_t turn) {
    held->turn_low = (uint16_t)((uint32_t)turn & 0xffffu);
    held->turn_high = (uint8_t)((uint32_t)turn >> 16 & 0xffu);
}

static inline void claim_set_next(car_claim* held, int32_t next) {
    held->next_low = (uint16_t)((uint32_t)next & 0xffffu);
    held->next_high = (uint8_t)((uint32_t)next >> 16 & 0xffu);
}

static inline void claim_set_entry(car_claim* held, float entry) {
    memcpy(held->entry, &entry, sizeof entry);
}

typedef struct city_car {
    float s;      ///< front on its segment [m]
    float v, a;   ///< [m/s] [m/s^2]
    float v_next; ///< decided; while it backs off: its speed backwards
    /// need: length and least gap. While it backs off, `length` is greater by its way back. [m]
    float length, need;
    float way; ///< driven since it had no claim [m]
    float time_gap, acceleration, speed_factor;
    int32_t segment; ///< -1: outside
    int32_t next_turn;
    /// Nodes in the lists of its lane and of the lane it leaves. Outside: ahead[0] is the next that
    /// waits to depart on the same edge, or the next free car.
    int32_t ahead[2], behind[2];
    int32_t shadow; ///< lane that it leaves, or -1
    float shift;    ///< rest of the changes of lanes [2 … 0], signed: left positive
    uint8_t stage, wait, claim_count, type;
    uint8_t chunk_at;
    uint8_t claim_first; ///< place of its oldest claim; the others follow, round the array
    uint8_t passed;      ///< claims of turns that its front has passed, but not its rear
    uint8_t broken : 1, has_stopped : 1;
    uint8_t goal_needed : 1; ///< 0: its goal is only emptier than its lane, which leads on as well
    uint8_t has_news : 1;    ///< of a blocked road, and has not looked for a way round
    uint8_t unused : 4;      ///< so that no bits of a snapshot are left to chance
    int16_t reroutes;        ///< since it last moved
    uint16_t crossings;      ///< that it has taken: the first ones of its segment
    int32_t chunk;           ///< of its route: begins with its own edge
    /// Lane of its edge that it wants to reach, or -1. Until it departs: the place in its first
    /// edge.
    int32_t goal;
    int32_t makes_way_for; ///< car that wants to change in front of it, or -1
    int32_t falls_behind;  ///< car on the lane beside behind which it wants to change, or -1
    /// Car that it overtakes on the lane of oncoming traffic, OVERTAKES_NOBODY, or, while it goes
    /// back to its lane, OVERTAKES_NO_MORE.
    int32_t overtaken;
    float waited;     ///< at standstill [s]
    float changed_at; ///< time of its last lane change [s]
    car_claim claims[CAR_CLAIMS];
    int16_t known; ///< its knowledge, counted from 1; 0: it knows of nothing
    int16_t body;  ///< that the host tells of it, counted from 1; 0: it moves by itself
    int16_t unused_too;
    // What events report.
    float depart, started, distance, time_loss, waiting;
    float arrival; ///< Until it departs, `s` and `v` are those with which it wants to.
    kerb_traffic_stop stop;
    uint64_t user;
} city_car;

_Static_assert(sizeof(city_car) <= 256, "a vehicle of a snapshot has at most 256 bytes");

typedef struct route_chunk {
    int32_t edges[CHUNK_EDGES];
    int32_t next; ///< chunk, or -1
} route_chunk;

/// Lists and sums of a segment.
typedef struct lane_state {
    int32_t first, last; ///< nodes: first is the one farthest ahead; -1: empty
    float used;          ///< needs of the vehicles on it and of those that claimed it [m]
    int32_t requester;   ///< car on a lane beside that waits at standstill to enter, or -1
    int32_t starved;   ///< first car of another lane that lost its patience waiting for room, or -1
    float incoming;    ///< of it: needs of those that claimed it and are not on it yet [m]
    int32_t mark;      ///< first mark of a body on it; -1: none
    float body_used;   ///< needs of bodies on it [m]
    int32_t incident;  ///< 1: blocked by the host
    int32_t overtaker; ///< car of the oncoming lane that overtakes on it or wants to, or -1
    int32_t rescuer;   ///< car with priority that reserved it, or -1
    int32_t rescue_turn; ///< that the rescuer takes at its end, or -1
    float rescue_until;  ///< the reservation expires [s]
} lane_state;

/// A body in the way of vehicles on a segment.
typedef struct body_mark {
    int32_t body, segment;
    int32_t next;         ///< mark of the segment; -1: end
    float begin, end;     ///< stations that it covers [m]
    float side;           ///< least distance from the middle line to it [m]
    float speed;          ///< along the segment [m/s]
    float enters, leaves; ///< when it is in the way of vehicles; leaves: BODY_STAYS and more [s]
} body_mark;

typedef struct junction_state {
    int32_t first, last; ///< claims; -1: none
    int32_t want;        ///< first car that wants to claim; -1: none
} junction_state;

typedef struct signal_state {
    int32_t phase;
    float since; ///< start of the phase [s]
} signal_state;

typedef struct traffic_block {
    kerb_traffic_settings settings;
    kerb_traffic_type types[KERB_TRAFFIC_TYPES_MAX];
    int32_t type_count;
    int32_t rescue_types;       ///< types with priority
    int32_t swinging;           ///< vehicles that cut corners, also those that wait outside
    int32_t car_max, car_count; ///< car_count: one more than the greatest number in use
    int32_t free_car, free_chunk;
    int32_t chunk_count;
    int32_t segment_count, lane_count, edge_count, junction_count, signal_count;
    int32_t event_max, event_count, event_first;
    int32_t body_max, body_count, mark_max, mark_count;
    int32_t incidents, broken, knowers; ///< lanes, vehicles that broke down, and that know of any
    int32_t known_max;
    int32_t timed; ///< lane whose time is found next
    int32_t step, reroutes_left;
    double time;
    kerb_traffic_counts counts;
    kerb_random random;
    float need_max, width_max;
    size_t cars;      ///< car[car_max]
    size_t flags;     ///< uint8_t[car_max]
    size_t wants;     ///< int32_t[car_max]: next car that wants to claim at the same junction
    size_t chunks;    ///< route_chunk[chunk_count]
    size_t lanes;     ///< lane_state[segment_count]
    size_t junctions; ///< junction_state[junction_count]
    size_t signals;   ///< signal_state[signal_count]
    size_t outside;   ///< int32_t[2 * edge_count]: first and last car that waits to depart there
    size_t events;    ///< kerb_traffic_event[event_max]
    size_t bodies;    ///< kerb_traffic_body[body_max]
    size_t marks;     ///< body_mark[mark_max]
    size_t times;     ///< uint32_t[lane_count]: time of each lane now [ms]
    size_t knowledge; ///< kerb_route_knowledge[known_max]
    size_t owners;    ///< int32_t[known_max]: vehicle that knows it; -1: free
} traffic_block;

/// Pointers into the block and the network, found anew for each call.
typedef struct city_view {
    traffic_block* head;
    net_view net;
    city_car* cars;
    uint8_t* flags;
    int32_t* wants;
    route_chunk* chunks;
    lane_state* lanes;
    junction_state* junctions;
    signal_state* signals;
    int32_t* outside;
    kerb_traffic_event* events;
    kerb_traffic_body* bodies;
    body_mark* marks;
    uint32_t* times;
    kerb_route_knowledge* knowledge;
    int32_t* owners;
    const kerb_routes* routes; ///< NULL outside of steps
    kerb_route_work* work;
    float dt;
} city_view;

/// Traffic without vehicles, with the settings, types, counts and time of another block. Allocates.
kerb_result kerb_in_traffic_allocate(kerb_traffic* traffic, const kerb_network* network,
                                     const traffic_block* like, const kerb_host* host,
                                     kerb_error* error);

city_view kerb_in_traffic_view(void* memory, void* network);

// --------------------------------------------------------------------------- lists

static inline city_car* node_car(const city_view* t, int32_t node) {
    return &t->cars[node >> 1];
}

/// Station of a vehicle's front on a lane beside its own, which may have another length.
static inline float car_station_beside(const city_view* t, const city_car* c, int32_t lane) {
    return kerb_in_network_beside(&t->net, c->segment, c->s, lane);
}

/// Station of a node on the segment in whose list it stands.
static inline float node_station(const city_view* t, int32_t node) {
    const city_car* c = node_car(t, node);
    return node & 1 ? car_station_beside(t, c, c->shadow) : c->s;
}

void kerb_in_list_add(city_view* t, int32_t segment, int32_t node);
void kerb_in_list_remove(city_view* t, int32_t segment, int32_t node);
/// The rearmost node of the segment that is ahead of a station, or -1.
int32_t kerb_in_list_ahead(const city_view* t, int32_t segment, float station);

/// Distance from a station to the rear of a vehicle, and its speed.
typedef struct tail_leader {
    float gap, v;
} tail_leader;

/// The rear of a vehicle that has left a lane may still be on it, or close behind its end, and
/// swings out where the turn leads back sharply. The nearest one of others than `c` that hold their
/// claims; gap KERB_IN_NO_LIMIT: none.
tail_leader kerb_in_tail_ahead(const city_view* t, const city_car* c, int32_t lane, float s);

// --------------------------------------------------------------------------- models

/// Greatest speed after a step from which a vehicle that brakes with `b` stays behind one that is
/// `gap` ahead, drives `v_ahead` and brakes with `b_ahead` (Gipps 1981).
float kerb_in_safe_speed(float v, float gap, float v_ahead, float b, float b_ahead, float dt);

/// Acceleration of the intelligent driver model with the constant-acceleration heuristic.
float kerb_in_follow(const city_car* c, const kerb_traffic_type* type, float v_wanted, float gap,
                     float v_ahead, float a_ahead);

/// Acceleration on a free road.
float kerb_in_free_road(const city_car* c, const kerb_traffic_type* type, float v_wanted);

/// Time for a distance, with an acceleration up to a greatest speed. [s]
float kerb_in_time_to_drive(float way, float v, float a, float v_max);

/// Speed that a vehicle wants on a segment.
float kerb_in_wanted_speed(const city_view* t, const city_car* c, int32_t segment);

// --------------------------------------------------------------------------- bodies

/// The way of a body is predicted for this long. [s]
#define KERB_IN_BODY_STAYS 4.0f
/// Distance beside a body that passing it needs. [m]
#define KERB_IN_BODY_ASIDE 0.25f

/// The first mark from `mark` on that is in the way of a vehicle, and not the vehicle itself; -1:
/// none.
int32_t kerb_in_mark_for(const city_view* t, const city_car* c, int32_t mark);

static inline bool mark_crosses(const body_mark* m) {
    return m->enters > 0 || m->leaves < KERB_IN_BODY_STAYS;
}

/// A body is in the way on a turn that the vehicle would enter after `way` and leave at `clear`
/// [s].
bool kerb_in_turn_is_blocked(const city_view* t, const city_car* c, int32_t turn, float comes,
                             float clear);
/// On a lane, a vehicle at a station with a speed would be too near to a body, if all brake with
/// `b`. `room`: further distance to the one ahead.
bool kerb_in_body_is_near(const city_view* t, const city_car* c, int32_t lane, float s, float v,
                          float b, float room);
/// Distance from a station to the first body on a lane that stands in the way; KERB_IN_NO_LIMIT:
/// none.
float kerb_in_body_ahead(const city_view* t, const city_car* c, int32_t lane, float s);
/// Marks the segments that bodies are in the way of.
void kerb_in_bodies_mark(city_view* t);
/// A vehicle that the host drives is in the lists where its body is.
void kerb_in_car_follow_body(city_view* t, int32_t index, const kerb_traffic_body* body);

// --------------------------------------------------------------------------- parts of a step

void kerb_in_traffic_signals(city_view* t);
char kerb_in_traffic_letter(const city_view* t, int32_t turn);
/// The letter after a time, if the signal keeps its phases as short as it can. [s]
char kerb_in_traffic_letter_after(const city_view* t, int32_t turn, float time);
/// The signal of a turn behind a lane too short to stand on will be red, or soon after, when the
/// vehicle comes there; false for one that has waited long. `way`: to that turn. [m]
bool kerb_in_comes_at_red(const city_view* t, const city_car* c, int32_t turn, float way);
/// The same of any turn, however long it has waited.
bool kerb_in_turns_red(const city_view* t, const city_car* c, int32_t turn, float way);
void kerb_in_traffic_decide(city_view* t, int32_t begin, int32_t end);
void kerb_in_traffic_claims(city_view* t);
void kerb_in_traffic_move(city_view* t, int32_t begin, int32_t end);
void kerb_in_traffic_cross(city_view* t);
void kerb_in_traffic_depart(city_view* t);
/// Puts a vehicle behind those that wait to depart on its edge.
void kerb_in_traffic_queue(city_view* t, int32_t index);

/// Considers a lane change and makes it.
void kerb_in_traffic_change(city_view* t, int32_t index);

/// To stand on a lane, `c` would take the last place in a ring of full lanes.
bool kerb_in_closes_ring(const city_view* t, const city_car* c, int32_t lane);
/// Lets all vehicles of a ring of full lanes move on by a lane at once. False: there is no such
/// ring.
bool kerb_in_rotate_ring(city_view* t, int32_t index);
/// A vehicle stands behind one that broke down, or a body, or behind others that do.
bool kerb_in_stands_behind_block(const city_view* t, const city_car* c);
/// Backs off where it has waited because it lacks the room to change lanes.
void kerb_in_back_off(city_view* t, int32_t index);
/// Speed backwards in the next step, and the step. [m/s]
float kerb_in_back_speed(const city_view* t, const city_car* c);
void kerb_in_move_back(const city_view* t, city_car* c);
/// Overtakes what stands ahead on the lane of oncoming traffic, if that is free.
void kerb_in_overtake(city_view* t, int32_t index);
/// Sideways while it overtakes, after a `way`. False: it is in its own lane and not overtaking.
bool kerb_in_overtake_shift(const city_view* t, city_car* c, float way);
/// It is beyond what it overtook, or back in its lane, or arrives.
void kerb_in_overtake_end(city_view* t, int32_t index);
void kerb_in_overtake_go_on(city_view* t, int32_t index);
/// The lane of oncoming traffic is used or wanted by one that overtakes.
bool kerb_in_lane_is_overtaken_on(const city_view* t, int32_t lane);
/// A vehicle on a lane, or on that beside it for oncoming traffic, is overtaking.
bool kerb_in_overtaking_beside(const city_view* t, int32_t lane);
/// Another vehicle is passing it: it must stay behind the station `stay` of its front.
bool kerb_in_is_overtaken(const city_view* t, const city_car* c, int32_t index, float* stay);
/// The vehicle ahead may be overtaken on the lane of oncoming traffic, if that is free: it stands
/// for long, or crawls with room ahead of it. `room`: to keep before it. [m]
bool kerb_in_may_overtake(const city_view* t, const city_car* c, const city_car* other,
                          float* room);
/// Speed wanted by a vehicle that overtakes.
float kerb_in_overtake_speed(const city_view* t, const city_car* c, float v_wanted);
/// A vehicle that overtakes has broken down beside a lane or on it.
bool kerb_in_overtaker_blocks(const city_view* t, int32_t lane);
/// The node that a vehicle follows: not the one that it overtakes, or that overtakes it.
int32_t kerb_in_follows(const city_view* t, const city_car* c);
/// A lane that shares its ground with this one is in use or claimed, by any or by wide vehicles.
bool kerb_in_lane_is_shared(const city_view* t, const city_car* c, int32_t lane);
/// Gives back the claims of turns that a vehicle has not entered.
void kerb_in_claims_give_back(city_view* t, int32_t index);
/// Releases the oldest claim of a vehicle.
void kerb_in_claim_release(city_view* t, int32_t index);

// --------------------------------------------------------------------------- rescue services

/// Vehicles with priority reserve the lanes ahead of them.
void kerb_in_traffic_rescue(city_view* t);
/// The turn at the end of a lane that is reserved for the vehicle that will take it; -1: none.
int32_t kerb_in_rescue_turn(const city_view* t, int32_t lane);
/// A vehicle must not claim its way to a lane, because another one has reserved it.
bool kerb_in_rescue_forbids_entry(const city_view* t, const city_car* c, int32_t lane);
/// At a station of a lane it would be ahead of another one that has reserved the lane.
bool kerb_in_rescue_comes(const city_view* t, const city_car* c, int32_t lane, float s);

// --------------------------------------------------------------------------- crossings

/// Crossings at the start of a lane, before the first place on which the vehicle can stand, which
/// begins at `end`. Returns how many.
int32_t kerb_in_crossings_at_start(const city_view* t, const city_car* c, int32_t lane, float* end);
/// Station of the line at the end of a lane: before what long vehicles sweep, and before the
/// crossings beyond which it cannot stand.
float kerb_in_crossings_line(const city_view* t, const city_car* c, int32_t lane);
/// There is a place between the crossings at the start and those at the end.
bool kerb_in_crossings_let_stand(const city_view* t, const city_car* c, int32_t lane);
/// Nobody on the other sides holds one of some crossings, or has waited much longer for it.
bool kerb_in_crossings_are_free(const city_view* t, const city_car* c, int32_t segment,
                                int32_t first, int32_t end);
/// There is room behind the crossings at the start, before the next one.
bool kerb_in_crossings_have_room(const city_view* t, const city_car* c, int32_t lane);
/// Station of the first crossing of its segment that a vehicle has not taken; KERB_IN_NO_LIMIT:
/// none.
float kerb_in_crossing_ahead(const city_view* t, const city_car* c);
/// Takes the next crossings of its lane, if they are free and there is room behind them.
void kerb_in_crossings_take(city_view* t, int32_t index);
/// A vehicle that changes to a lane at a station would be on a crossing or close before it.
bool kerb_in_crossings_forbid_change(const city_view* t, const city_car* c, int32_t lane, float s);
/// How many crossings begin before a station.
int32_t kerb_in_crossings_before(const city_view* t, int32_t lane, float s);
/// A vehicle may appear with its front at a station.
bool kerb_in_crossings_let_begin(const city_view* t, const city_car* c, int32_t lane, float s);

static inline bool has_crossings(const city_view* t, int32_t segment) {
    return t->net.segments[segment].crossing_count > 0;
}

// --------------------------------------------------------------------------- routes

/// The edge `k` places on along the route; -1 behind its end. 0 is the edge where the vehicle is.
int32_t kerb_in_route_peek(const city_view* t, const city_car* c, int32_t k);
void kerb_in_route_advance(city_view* t, city_car* c);
void kerb_in_route_drop(city_view* t, city_car* c);
bool kerb_in_route_store(city_view* t, city_car* c, const int32_t* way, int32_t count);
/// The turn is open, and the vehicle may use the lane behind it.
bool kerb_in_turn_is_open(const city_view* t, const city_car* c, int32_t turn);
/// The open turn of a lane, on the route's edge `k`, that leads best along the route; -1: none.
int32_t kerb_in_choose_turn(const city_view* t, const city_car* c, int32_t lane, int32_t k);
/// What the changes of lanes cost that a way from a lane of the vehicle's edge, or of the edge on
/// which it will depart, needs on this and the next edges; 1 is a change with much room.
/// KERB_IN_NO_WAY and more: the lane does not lead on.
float kerb_in_lane_cost(const city_view* t, const city_car* c, int32_t lane);
/// Sets what a vehicle wants on the lane on which it is now: its goal and its next turn.
void kerb_in_route_plan(city_view* t, city_car* c);
/// Looks for another way that begins with one of its lane's turns, without the roads of which it
/// knows that they are blocked. `avoid`: nor the edge that it wants now. False: there is none.
bool kerb_in_reroute(city_view* t, int32_t index, bool avoid);
/// The fastest way from a lane to an edge, as edges. Returns how many; 0: none.
int32_t kerb_in_find_edges(const city_view* t, const city_car* c, int32_t from, int32_t target,
                           int32_t* way, int32_t capacity);
/// Finds the times of some lanes anew, or of all.
void kerb_in_route_times(city_view* t);
void kerb_in_route_all_times(city_view* t);
/// Makes the routes of a network and a workspace. Allocates.
kerb_result kerb_in_route_graph(kerb_routes* routes, kerb_route_work* work, const net_view* net,
                                const kerb_host* host, kerb_error* error);

// --------------------------------------------------------------------------- incidents

/// All see what is blocked near them, tell others, forget, and look for ways round.
void kerb_in_traffic_see(city_view* t);
/// It knows that a lane is blocked.
bool kerb_in_knows_blocked(const city_view* t, const city_car* c, int32_t lane);
/// It knows that one of the next edges of its route is blocked.
bool kerb_in_way_is_blocked(const city_view* t, const city_car* c);
void kerb_in_forget_all(city_view* t, int32_t index);

void kerb_in_traffic_record(city_view* t, int32_t index, kerb_traffic_happening what);

/// Place of a vehicle's k-th claim, oldest first.
static inline int32_t claim_place(const city_car* c, int32_t k) {
    return (c->claim_first + k) % CAR_CLAIMS;
}

static inline bool car_overtakes(const city_car* c) {
    return c->overtaken != OVERTAKES_NOBODY;
}

/// It has claimed the next turn.
static inline bool car_goes_on(const city_car* c) {
    return c->claim_count > c->passed;
}

static inline bool car_may_use(const city_view* t, const city_car* c, int32_t segment) {
    return (t->net.segments[segment].classes & (uint32_t)t->head->types[c->type].classes) != 0;
}

/// Others let it pass.
static inline bool car_has_priority(const city_view* t, const city_car* c) {
    return t->head->types[c->type].priority > 0;
}

/// From here on vehicles may stand on a lane: behind what long vehicles sweep at its start. [m]
static inline float lane_start(const city_view* t, int32_t lane) {
    return t->head->swinging > 0 ? t->net.lanes[lane].swept_start : 0;
}

/// Up to here vehicles may stand on a lane: before what long vehicles sweep at its end. [m]
static inline float lane_line(const city_view* t, int32_t lane) {
    float length = t->net.segments[lane].length;
    return t->head->swinging > 0 ? length - t->net.lanes[lane].swept_end : length;
}

/// The lane beside to which a vehicle must change, because its lane does not lead on; -1: none.
/// Lanes of an edge are in a row.
static inline int32_t car_lane_to_reach(const city_car* c) {
    if (c->next_turn >= 0 || c->goal < 0 || c->goal == c->segment)
        return -1;
    return c->segment + (c->goal > c->segment ? 1 : -1);
}

/// Length of a lane on which vehicles may stand. [m]
static inline float lane_room(const city_view* t, int32_t lane) {
    return lane_line(t, lane) - lane_start(t, lane);
}

/// Way behind a turn on which the rear of a vehicle still holds its claim. [m]
static inline float turn_tail(const city_view* t, int32_t turn) {
    return t->head->swinging > 0 ? t->net.turns[turn].tail : 0;
}

/// A vehicle can stand on the lane between two junctions without reaching into either.
static inline bool car_can_stand(const city_view* t, const city_car* c, int32_t lane) {
    return lane_room(t, lane) >= c->length + KERB_IN_STAND_ROOM &&
           (!has_crossings(t, lane) || kerb_in_crossings_let_stand(t, c, lane));
}

/// Vehicles of the type are so long that they cut corners.
static inline bool type_swings(const kerb_traffic_type* type) {
    return kerb_max(type->length - type->trailer, type->trailer) > KERB_IN_SWINGS;
}

static inline bool car_swings(const city_view* t, const city_car* c) {
    return type_swings(&t->head->types[c->type]);
}

static inline bool car_is_wide(const city_view* t, const city_car* c) {
    return t->head->types[c->type].width > KERB_IN_NARROW;
}

/// Where two vehicles on two turns could touch.
static inline const net_span* foe_span(const city_view* t, const net_foe* foe, const city_car* c,
                                       const city_car* other) {
    bool narrow = !car_is_wide(t, c) && !car_is_wide(t, other);
    if (car_swings(t, c) || car_swings(t, other))
        return &foe->swings;
    return narrow ? &foe->narrow : &foe->wide;
}

/// Share of the way across to the next lane that is left. [shift: rest of a change, 1 … 0]
static inline float change_rest_share(float shift) {
    return shift * shift * (3 - 2 * shift);
}

/// Way that a change of lanes takes at a speed.
static inline float change_length(float v) {
    return kerb_max(KERB_IN_CHANGE_LENGTH, v * KERB_IN_CHANGE_TIME);
}

/// Distance from the front to the end of its segment.
static inline float car_rest(const city_view* t, const city_car* c) {
    return t->net.segments[c->segment].length - c->s;
}

// What is left of its way back; 0: it does not back off. [m]
static inline float car_way_back(const city_view* t, const city_car* c) {
    return kerb_max(c->length - t->head->types[c->type].length, 0);
}

// Stands where it is, if it backs off. Only between steps: others see its length.
static inline void car_stop_back(const city_view* t, city_car* c) {
    if (car_way_back(t, c) <= 0)
        return;
    c->length = t->head->types[c->type].length;
    c->v_next = 0;
}

static inline bool car_on_lane(const city_view* t, const city_car* c) {
    return c->segment < t->head->lane_count;
}

#endif
