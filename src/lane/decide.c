// Purpose: where in the road to drive: the distance from the edge, and how it changes.
// Idea:    A lane change moves that distance along the quintic 10t³ - 15t⁴ + 6t⁵, whose greatest
//          acceleration is 5.774 times the distance over time²: smooth at both ends, no overshoot.
//          A change that breaks off another one starts from its lateral speed. It begins once rays
//          into the other lane have found space. Going round something is a change in less time:
//          the source moves the distance at once, but a car that steers as hard as it can
//          overshoots.
// Cost:    O(1).
// Source:  N. Augustin, "The simple maths behind bot cars" (2019), for going round.
#include "yield.h"

// Greatest second derivative of the quintic. [1]
#define QUINTIC_ACCELERATION 5.774f
// Greatest second derivative of run_out, 36t - 96t² + 60t³ at t = (8 - sqrt(19))/15. [1]
#define RUN_OUT_ACCELERATION 3.938f
// Its greatest first derivative, in the middle. [1]
#define QUINTIC_SPEED 1.875f
// Going round something takes this share of the time until it is reached. [1]
#define IN_TIME 0.8f
// It is too late where it would take more of that time than this. [1]
#define LATE 1.5f
// It goes round a vehicle that is reached within this time. [s]
#define ROUND_TIME 5.0f
// It follows a vehicle that is faster than this share of its own free speed. [1]
#define DECIDE_SLOW_SHARE 0.5f
// A vehicle that moves towards it faster than this is oncoming. [m/s]
#define DECIDE_COMES 1.0f
// Share of a change after which it is not reconsidered. [1]
#define BEGUN 0.5f
// An edge nearer ahead than this leaves no space in another lane. [m]
#define EDGE_LEAST 12.0f
// Length of clear road that it must see beyond what it goes round. [m]
#define BEYOND 12.0f
// A lane that it changes to must be clear for the change and this time more. [s]
#define DECIDE_FREE_TIME 1.5f
// Where another lane had no space it asks again in every other frame, because rays cost time; at a
// crawl or standstill later, because the answer hardly changes. [s]
#define ASK_PAUSE 0.01f
#define ASK_PAUSE_CRAWLING 0.15f
// It begins to come back when it is this far ahead of the vehicle that it passed. [m]
#define DECIDE_CLEAR 2.0f
// Coming back, it is out of the other lane after this share of the change, and after this time when
// it hurries. [1], [s]
#define BACK 0.6f
#define HURRIED 1.0f
// Below this speed it goes round a stopped vehicle even where it does not see as far as it should.
// [m/s]
#define CRAWLS 3.0f
// Share of its brakes with which it could still stop. [1]
#define HARD 0.75f
// Gap to the stopped vehicle where it comes back and stops. [m]
#define DECIDE_SPARE 2.0f
// Smallest gap to the stopped vehicle where it cannot pull out. [m]
#define SPARE_LEAST 0.2f
// Where it cannot back off farther, this share of the room to pull out must be enough: at a crawl a
// car needs 3.5 to 4.5 m of 5.3 m. [1]
#define DECIDE_ROOM_LEAST 0.85f
// The lateral speed of a change is measured over this time. [s]
#define SLOPE_TIME 0.02f

static float quintic(float t) {
    t = kerb_clamp(t, 0.0f, 1.0f);
    return t * t * t * (10.0f + t * (6.0f * t - 15.0f));
}

// Position on a quintic that begins at speed 1 and ends at rest where it began, in time 1.
static float run_out(float t) {
    t = kerb_clamp(t, 0.0f, 1.0f);
    return t + t * t * t * (-6.0f + t * (8.0f - 3.0f * t));
}

float kerb_in_lane_offset_changing(const kerb_lane_keeper* keeper, float ahead) {
    float whole = keeper->memory.change_for;
    float t = (keeper->memory.changed + ahead) / whole;
    float from = keeper->memory.offset_from;
    return from + (keeper->memory.offset_to - from) * quintic(t) +
           keeper->memory.change_speed * whole * run_out(t) + keeper->memory.settle;
}

static void begin_change(kerb_lane_keeper* keeper, float to, float least_time, float acceleration) {
    float from = lane_offset_at(keeper, 0.0f) - keeper->memory.settle;
    float speed = 0.0f; // of a change that this one breaks off
    if (keeper->memory.change_for > 0.0f)
        speed = (lane_offset_at(keeper, SLOPE_TIME) - lane_offset_at(keeper, 0.0f)) / SLOPE_TIME;
    // The time T with way·QUINTIC/T² + speed·RUN_OUT/T = acceleration.
    float half = 0.5f * RUN_OUT_ACCELERATION * kerb_abs(speed) / acceleration;
    float needed =
        half + kerb_sqrt(half * half + QUINTIC_ACCELERATION * kerb_abs(to - from) / acceleration);
    keeper->memory.change_speed = speed;
    keeper->memory.offset_from = from;
    keeper->memory.offset_to = to;
    keeper->memory.change_for = kerb_max(least_time, needed);
    keeper->memory.changed = 0.0f;
    keeper->memory.blocked_side = 0.0f;
}

// What it asks about a lane: distance in sight, distance to edges at least, distance without a
// vehicle, and time that it drives there.
typedef struct lane_question {
    float distance;          // of the lane from the edge [m]
    float ahead, clear, way; // [m]
    float time;              // [s]
} lane_question;

static void decide_ask(kerb_lane_keeper* keeper, const lane_question* question) {
    float aside = lane_inward(keeper) * (question->distance - lane_offset_at(keeper, 0.0f));
    float most = kerb_max(keeper->settings.sight, 5.0f);
    keeper->memory.blocked_side = aside >= 0.0f ? 1.0f : -1.0f;
    keeper->memory.ask_distance = question->distance;
    keeper->memory.ask_ahead = kerb_clamp(question->ahead, 5.0f, most);
    keeper->memory.ask_clear = kerb_min(question->clear, keeper->memory.ask_ahead);
    keeper->memory.ask_way = question->way;
    keeper->memory.ask_time = question->time;
}

// Distance that it drives until it is past the vehicle ahead, and some metres on. [m]
static float way_past(const kerb_lane_keeper* keeper, const lane_seen* seen) {
    float theirs = kerb_max(seen->vehicle_speed, 0.0f);
    float mine = kerb_max(keeper->memory.free_speed, 2.0f * theirs + 0.1f);
    return (seen->gap + keeper->vehicle.length + BEYOND) * mine / (mine - theirs);
}

static bool decide_is_obstacle(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                               const lane_seen* seen) {
    // It brakes for an oncoming vehicle: beside it is that vehicle's path, or where it may swerve.
    if (keeper->settings.obstacles != KERB_LANE_AVOID || !seen->vehicle ||
        seen->vehicle_speed < -DECIDE_COMES)
        return false;
    float closing = pose->speed - seen->vehicle_speed;
    return seen->vehicle_speed < DECIDE_SLOW_SHARE * keeper->memory.free_speed &&
           seen->gap < kerb_max(closing, 2.0f) * ROUND_TIME &&
           way_past(keeper, seen) < keeper->settings.sight;
}

// Passing a vehicle and coming back to the lane: time, and distance driven. [s], [m]
typedef struct lane_passing {
    float time, way;
} lane_passing;

// Who drives at `theirs` is as long as itself, and `gap` ahead of its front. It gains speed up to
// what it would drive freely, and is out of the other lane some way into the change back.
static lane_passing decide_passing(const kerb_lane_keeper* keeper, float speed, float gap,
                                   float theirs, float back) {
    const float more = keeper->settings.acceleration;
    float way = kerb_max(gap + 2.0f * keeper->vehicle.length + DECIDE_CLEAR, 0.0f);
    float begin = kerb_max(speed - theirs, 0.0f);
    float top = kerb_max(keeper->memory.free_speed - theirs, kerb_max(begin, 1.0f));
    float gaining = 0.5f * (top * top - begin * begin) / more;
    float end = top, time = (top - begin) / more;
    if (gaining < way)
        time += (way - gaining) / top;
    else {
        end = kerb_sqrt(begin * begin + 2.0f * more * way);
        time = (end - begin) / more;
    }
    lane_passing past = {time + back, way + theirs * time + (end + theirs) * back};
    return past;
}

// Where it would go round: towards the road's middle first, then the other side.
static float way_round(const kerb_lane_keeper* keeper, bool other) {
    float to = keeper->memory.offset_to;
    float step = keeper->settings.avoid_offset;
    float inner = lane_within_road(keeper, to + step), outer = lane_within_road(keeper, to - step);
    return other ? outer : inner;
}

// How far it drives while it brakes as hard as the bend lets it, not quite with all it has. [m]
static float stopping(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose, float speed) {
    float used = kerb_min(pose->lateral / keeper->vehicle.lateral_acceleration_max, 0.95f);
    float hard = HARD * keeper->vehicle.braking_max * kerb_sqrt(1.0f - used * used);
    return 0.5f * speed * kerb_abs(speed) / hard;
}

// What it may do to the side, besides what the bend takes. [m/s²]
static float sideways_left(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    const kerb_lane_settings* settings = &keeper->settings;
    float bend = kerb_abs(keeper->memory.line_curvature) * pose->speed * pose->speed;
    return kerb_max(settings->avoid_acceleration - bend,
                    kerb_min(settings->lane_change_acceleration, settings->avoid_acceleration));
}

// From a stand, to come aside by what it takes to pass: two arcs as tight as it can.
static float room_to_pull_out(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    float aside = kerb_abs(lane_offset_of(keeper, pose) - keeper->settings.edge_distance);
    float pass = kerb_max(keeper->vehicle.width + keeper->settings.margin - aside, 0.0f);
    float radius = kerb_vehicle_turning_radius(&keeper->vehicle);
    return kerb_sqrt(pass * kerb_max(4.0f * radius - pass, pass));
}

// Goes aside as gently as there is time for. Not where it would be too late, or there is not the
// room to come aside at all, and it can stop instead.
static bool swerve(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, float to, float gap,
                   float closing) {
    float stop = stopping(keeper, pose, closing);
    float room = room_to_pull_out(keeper, pose);
    if (keeper->memory.stuck.tries >= LANE_BACK_OFFS_MOST)
        room *= DECIDE_ROOM_LEAST;
    keeper->memory.too_near = gap < room && (gap > stop + SPARE_LEAST || closing < LANE_STANDS);
    if (keeper->memory.too_near)
        return false;
    float way = kerb_abs(to - lane_offset_at(keeper, 0.0f));
    float time = gap / kerb_max(closing, 1.0f);
    float needed = QUINTIC_ACCELERATION * way / kerb_max(time * time, 0.01f);
    float most = sideways_left(keeper, pose);
    if (needed > LATE * LATE * most && gap > stop + DECIDE_SPARE)
        return false;
    float least = kerb_min(keeper->settings.lane_change_acceleration, most);
    begin_change(keeper, to, 0.0f, kerb_clamp(needed / (IN_TIME * IN_TIME), least, most));
    return true;
}

// Beyond the road's middle an oncoming vehicle may be faster than it seems: the keeper needs to see
// as far as both would drive until it is back in its lane. Where it could only just stop, or drives
// at a crawl, what it sees must be enough, because it will not see more.
static void ask_round(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, const lane_seen* seen,
                      float to) {
    const kerb_lane_settings* settings = &keeper->settings;
    // Who still drives may only slow for a bend that comes: it is passed on a road that is free as
    // far as that takes. Who stands is passed in bends too.
    float way = way_past(keeper, seen);
    lane_question question = {.distance = to,
                              .ahead = way,
                              .clear = seen->vehicle_speed < DECIDE_COMES ? EDGE_LEAST : way,
                              .way = way,
                              .time = way / kerb_max(pose->speed, 5.0f)};
    const bool other_half = keeper->memory.width > 0.0f && to > 0.5f * keeper->memory.width;
    if (other_half)
        keeper->memory.wait_gap = room_to_pull_out(keeper, pose);
    if (keeper->memory.ask_pause > 0.0f ||
        (other_half && keeper->memory.other.waits > 0.0f && seen->vehicle_speed < DECIDE_COMES))
        return;
    if (other_half) {
        lane_passing past =
            decide_passing(keeper, pose->speed, seen->gap, kerb_max(seen->vehicle_speed, 0.0f),
                           BACK * settings->lane_change_time);
        float view = past.way + settings->speed * past.time;
        question.ahead = settings->sight; // faster oncoming vehicles are seen farther away
        question.way = past.way;
        question.time = past.time;
        bool stops =
            stopping(keeper, pose, pose->speed - seen->vehicle_speed) + DECIDE_SPARE < seen->gap;
        if (stops && pose->speed > CRAWLS) {
            if (view > settings->sight)
                return;
            question.clear = view;
        }
    }
    decide_ask(keeper, &question);
}

static void go_round(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, const lane_seen* seen) {
    float asked = keeper->memory.ask_distance;
    if (seen->asked && seen->free &&
        swerve(keeper, pose, asked, seen->gap, pose->speed - seen->vehicle_speed)) {
        keeper->memory.aside = asked - keeper->settings.edge_distance;
        keeper->memory.round_gap = seen->gap;
        keeper->memory.round_speed = seen->vehicle_speed;
        keeper->memory.no_room = false;
        return;
    }
    float inner = way_round(keeper, false), outer = way_round(keeper, true);
    bool was_inner = keeper->memory.blocked_side * lane_inward(keeper) > 0.0f;
    // Already on the other half because of a vehicle, it goes no farther over for the next one.
    bool back = keeper->memory.aside > 0.0f && keeper->memory.width > 0.0f &&
                keeper->memory.offset_to > 0.5f * keeper->memory.width;
    float to = back || (seen->asked && was_inner) ? outer : inner;
    // Less than the vehicle's width is room only past one that stands half beside the lane: then
    // the side that has more is asked, and rays tell.
    const float offset = keeper->memory.offset_to, width = keeper->vehicle.width;
    const float margin = keeper->settings.margin, other = to == inner ? outer : inner;
    if (!back && kerb_abs(to - offset) < width + margin &&
        kerb_abs(other - offset) >= kerb_abs(to - offset))
        to = other;
    keeper->memory.blocked_side = 0.0f;
    if (kerb_abs(to - offset) < (back ? width + margin : margin)) {
        keeper->memory.no_room = true;
        return;
    }
    if (seen->asked && (!was_inner || to == inner)) { // wherever there might be room
        keeper->memory.ask_pause = pose->speed < CRAWLS ? ASK_PAUSE_CRAWLING : ASK_PAUSE;
        keeper->memory.no_room = !seen->free;
    }
    ask_round(keeper, pose, seen, to);
}

// Beside a vehicle or before it, with oncoming traffic: it goes on if it is past before the
// oncoming vehicle is there, and back into its lane if it can still stop behind.
static bool minds_who_comes(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                            const lane_seen* seen, float wanted) {
    const float middle = 0.5f * keeper->memory.width;
    bool comes_back = keeper->memory.change_for > 0.0f && keeper->memory.offset_from > middle &&
                      keeper->memory.offset_to < middle;
    keeper->memory.hurries = false;
    if ((keeper->memory.aside == 0.0f && !comes_back) || !seen->vehicle ||
        seen->vehicle_speed > -DECIDE_COMES)
        return false;
    const float theirs = kerb_max(keeper->memory.round_speed, 0.0f);
    lane_passing past =
        decide_passing(keeper, pose->speed, keeper->memory.round_gap, theirs, HURRIED);
    keeper->memory.hurries = past.way - seen->vehicle_speed * past.time < seen->gap;
    float stop = stopping(keeper, pose, pose->speed);
    if (keeper->memory.hurries || comes_back || stop + DECIDE_SPARE > keeper->memory.round_gap)
        return false;
    if (!(seen->asked && seen->free &&
          kerb_abs(keeper->memory.ask_distance - wanted) < LANE_SAME)) {
        lane_question question = {
            .distance = wanted, .ahead = stop, .clear = EDGE_LEAST, .way = stop};
        decide_ask(keeper, &question);
        return true;
    }
    keeper->memory.aside = 0.0f;
    begin_change(keeper, wanted, 0.0f, sideways_left(keeper, pose));
    return true;
}

static void decide_change_lane(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                               const lane_seen* seen, float to) {
    const kerb_lane_settings* settings = &keeper->settings;
    bool same_lane = kerb_abs(to - keeper->memory.offset_to) < 0.5f;
    bool free = seen->asked && seen->free && kerb_abs(keeper->memory.ask_distance - to) < LANE_SAME;
    if (!same_lane && !free) {
        keeper->memory.blocked_side = 0.0f;
        // Not free: a moment later is soon enough to ask again.
        if (seen->asked || keeper->memory.ask_pause > 0.0f)
            return;
        float time = settings->lane_change_time + DECIDE_FREE_TIME;
        float way = 5.0f + time * kerb_max(pose->speed, 0.0f);
        lane_question question = {to, way, EDGE_LEAST, way, way / kerb_max(pose->speed, 5.0f)};
        decide_ask(keeper, &question);
        return;
    }
    keeper->memory.aside = 0.0f;
    if (keeper->memory.hurries)
        begin_change(keeper, to, 0.0f, sideways_left(keeper, pose));
    else
        begin_change(keeper, to, same_lane ? 1.0f : settings->lane_change_time,
                     settings->lane_change_acceleration);
}

// A change goes on only as fast as the vehicle can move aside by moving forward.
float kerb_in_lane_change_per_metre(const kerb_lane_keeper* keeper, float speed) {
    float way = kerb_abs(keeper->memory.offset_to - keeper->memory.offset_from);
    float fastest = QUINTIC_SPEED * way; // times its duration [m]
    float able = LANE_SIDEWAYS * keeper->memory.change_for;
    return speed * able < fastest ? able / fastest : 1.0f / speed;
}

static float progress_of(const kerb_lane_keeper* keeper, float speed, float time_step) {
    speed = kerb_max(speed, 0.0f);
    return speed > 0.0f ? time_step * speed * kerb_in_lane_change_per_metre(keeper, speed) : 0.0f;
}

// Back to the lane that it was told to leave, before it has left that: no need to ask for room.
static bool decide_turns_back(const kerb_lane_keeper* keeper, float wanted) {
    if (!(keeper->memory.change_for > 0.0f) || keeper->memory.aside != 0.0f ||
        kerb_abs(wanted - keeper->memory.offset_to) <= LANE_SAME)
        return false;
    float here = lane_offset_at(keeper, 0.0f) - keeper->memory.settle;
    return kerb_abs(wanted - here) < kerb_abs(keeper->memory.offset_to - here);
}

// Called when it is not at its desired distance, a vehicle is ahead, or a change is going on.
static void think_over(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, const lane_seen* seen,
                       bool sudden, float wanted) {
    // What was begun is not thought over at once: it would only swing.
    bool begun =
        keeper->memory.aside != 0.0f && keeper->memory.changed < BEGUN * keeper->memory.change_for;
    if (minds_who_comes(keeper, pose, seen, wanted))
        return;
    if (!begun && decide_is_obstacle(keeper, pose, seen))
        go_round(keeper, pose, seen);
    else if (decide_turns_back(keeper, wanted))
        begin_change(keeper, wanted, 1.0f, keeper->settings.lane_change_acceleration);
    else if (!sudden && !(keeper->memory.change_for > 0.0f) &&
             kerb_abs(wanted - keeper->memory.offset_to) > LANE_SAME)
        decide_change_lane(keeper, pose, seen, wanted);
    else
        keeper->memory.blocked_side = 0.0f;
}

void kerb_in_lane_decide(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                         const lane_seen* seen, bool sudden, float time_step) {
    keeper->memory.ask_pause = kerb_max(keeper->memory.ask_pause - time_step, 0.0f);
    if (keeper->memory.change_for > 0.0f)
        keeper->memory.changed += progress_of(keeper, pose->speed, time_step);
    if (keeper->memory.changed >= keeper->memory.change_for)
        keeper->memory.change_for = 0.0f;
    keeper->memory.round_gap -= (pose->speed - keeper->memory.round_speed) * time_step;
    keeper->memory.wait_gap = 0.0f;
    keeper->memory.too_near =
        keeper->memory.too_near && seen->vehicle && !(seen->asked && !seen->free);
    keeper->memory.no_room = keeper->memory.no_room && decide_is_obstacle(keeper, pose, seen);
    kerb_in_lane_mind_who_waits(keeper, seen, time_step);
    if (seen->vehicle && !seen->comes_in && keeper->memory.other.came &&
        keeper->memory.aside == 0.0f)
        keeper->memory.wait_gap =
            kerb_in_lane_room_to_let_in(keeper, room_to_pull_out(keeper, pose));
    float wanted = lane_within_road(keeper, keeper->settings.edge_distance);
    if (seen->vehicle || keeper->memory.change_for > 0.0f ||
        kerb_abs(wanted - keeper->memory.offset_to) > LANE_SAME)
        think_over(keeper, pose, seen, sudden, wanted);
    else // in its lane, alone: as nearly always
        keeper->memory.blocked_side = 0.0f;
}
