// The lane keeper: from what rays met to controls.
//
// Each frame the edge's hit beside P_Ahead, with its normal, gives a point of the lane and the
// lane's direction there: P_DriveTo. The arc through it, tangent to the way of the rear axle, is
// the steering, turned towards the curve that arrives along the lane as far as tyres and wheels are
// quick enough for that. The last such point, direction and bend are the lane that it drives by
// while edges are missing. An edge that springs outward is a side road's mouth and is not followed
// for `hold_distance`; one that springs inward counts at once, and is approached gently. The speed
// is the least of what bends, sight, others and the lane's loss allow. O(rays).
//
// Source: N. Augustin, "The simple maths behind bot cars" (2019). Its picture of the steering
// formula is lost; the law of cosines gives R = L/sqrt(2 - 2 cos 2δ).
#include "frame.h"

#include "../base/assertion.h"

#include <string.h>

#define TIME_STEP_MOST 1000.0f
// What drives farther in a frame was put elsewhere. [m]
#define FRAME_METRES_MOST 1000.0f
// What an edge's pieces turn from one to the next counts over so much of the way, and no turn of
// more is one of pieces. [m], [rad]
#define PIECE 0.7f
#define PIECES_TURN 0.3f
// An edge farther from where it was expected has sprung. [m]
#define SPRING 0.6f
// No edge springs inward by more than this share of the road at once. [1]
#define INWARD_MOST 0.5f
// Cosine of the angle by which two edges of a road may differ, and the share of its width by which
// that may be another one than before. [1]
#define FACING 0.9f
#define SAME_WIDTH 0.15f
// An edge met so near to where the other one was is that. [m]
#define BACK_WITHIN 30.0f
// Sine of the angle by which an edge points back from where the lane leads. [1]
#define TURNS_BACK 0.7f
// Cosine of the angle from which an edge ahead leads back beside the vehicle, and sine of the turn
// that its corner has at least. [1]
#define BEHIND 0.0f
#define TURNS_LEAST 0.3f
// Unseen for longer than this, nothing is known of how an edge goes on. [m]
#define GOES_ON 4.0f
// After that the vehicle comes to the new lane at this speed to the side. [m/s]
#define SETTLE_SPEED 1.0f
// Road that is blocked within its own width and a half ahead turns there. [1]
#define CORNER_FREE 1.5f
// The bend of an edge is measured over so much of it. [m]
#define BEND_OVER 8.0f
#define BEND_SLIGHT 0.02f // no vehicle is too long for less [1/m]
// Sharpest lane that is believed. [1/m]
#define BEND_MOST 0.3f
// Braking for what is out of sight may be harder than for what is seen coming. [1]
#define SIGHT_BRAKING 1.4f
// What P_Ahead is nearer for somebody who hides the edge comes back by so much a frame. [1]
#define NEARER_FADES 0.02f
// At the start, nearer to its lane than this, it is in it. [m]
#define IN_LANE 0.3f
// Cosine of the angle that a road turns by between the vehicle and P_Ahead at most: who is farther
// off the edge's direction is askew. [1]
#define COSINE_LEAST 0.95f
// No tyres answer later. [s]
#define TURN_DELAY_MOST 0.2f
#define NOT_MET 1.0e6f   // [m]
#define STANDS 0.15f     // [m/s]
#define TURNS_ROUND 2.0f // on the spot [m/s]
// Up to the one delay of the tyres it minds the lane's direction at P_DriveTo, from the other on it
// steers by the arc alone. Measured on sim/'s cars, which swing otherwise. [s]
#define ALONG_TO 0.075f
#define ARC_FROM 0.13f
// Nor where the lane turns with this share of what the vehicle can. [1]
#define TIGHT 0.7f
// As much as any bend of 30 m radius makes of it; past a corner of the edge it may be anything.
// [rad]
#define ASKEW_MOST 0.3f
// Slip of rear tyres per lateral acceleration: of a car until it is learnt, over so much time,
// while there is such a lateral acceleration; and the greatest. [rad s²/m], [s], [m/s²], [rad s²/m]
#define SLIP_TYRES 0.007f
#define SLIP_TIME 0.5f
#define SLIP_FROM 1.0f
#define SLIP_TYRES_MOST 0.02f
// No bend is driven with more than this share of what the vehicle holds. [1]
#define GRIP_WANTED 0.5f
// Share of its brakes from which stopping is an emergency, metres then left to who is ahead, and
// how much slower that has to be. [1], [m], [m/s]
#define EMERGENCY 0.6f
#define SPARE 1.0f
#define CLOSES 0.5f
// Where it turns with this share of its grip it does not brake in earnest at all: measured on
// sim/'s race car, which turns round when braked harder. [1]
#define BRAKES_NONE 0.45f
// In an emergency it keeps, of its grip, so many times what the bend takes, and so much besides.
// Less, and the rear wheels begin to slip, which takes more braking than it gives. [1]
#define SWINGS 1.5f
#define SWINGS_LEAST 0.1f
// Braking takes grip from the rear wheels. Where they slip more than in any bend that it means to
// drive, the pedal is eased, to this share where they slip most: else the car turns round. [rad]
#define SLIP_LEAST 0.05f
#define SLIP_MOST 0.12f
#define EASED_LEAST 0.1f

kerb_lane_keeper kerb_lane_keeper_make(const kerb_vehicle* vehicle) {
    kerb_lane_keeper keeper;
    memset(&keeper, 0, sizeof keeper);
    keeper.settings = kerb_lane_settings_default();
    keeper.vehicle = *vehicle;
    return keeper;
}

void kerb_lane_keeper_set_way(kerb_lane_keeper* keeper, kerb_vec3 direction) {
    memset(&keeper->memory, 0, sizeof keeper->memory);
    float size = kerb_sqrt(direction.x * direction.x + direction.y * direction.y);
    if (!(size > 1.0e-6f && kerb_is_finite(size)))
        return;
    keeper->memory.way_meant = kerb_vec2_make(direction.x / size, direction.y / size);
}

kerb_vec3 kerb_lane_drive_to(kerb_vec3 hit, kerb_vec3 normal, float distance) {
    float size = kerb_sqrt(normal.x * normal.x + normal.y * normal.y);
    float scale = size > 1.0e-6f ? distance / size : 0.0f;
    return kerb_vec3_make(hit.x + normal.x * scale, hit.y + normal.y * scale, hit.z);
}

float kerb_lane_angle_by_cosines(float wheelbase, float curvature) {
    float ratio = kerb_min(kerb_abs(wheelbase * curvature), 2.0f);
    float angle = 0.5f * kerb_acos(1.0f - 0.5f * ratio * ratio);
    return curvature < 0.0f ? -angle : angle;
}

// --------------------------------------------------------------------------- the lane

// A point of the lane and its direction there, as one edge says.
typedef struct lane_point {
    bool good;
    int32_t edge;  // 0 the lane's own, 1 the other
    kerb_vec2 hit; // on the edge
    kerb_vec2 place, direction;
    float along;  // the remembered lane from its point [m]
    bool nearer;  // than it was seen before
    bool behind;  // a corner of its edge, that it has to go round first
    float spring; // inward of where it was expected [m]
} lane_point;

// `distance` off an edge; `offset`: of the lane from its own edge there.
static void see_point(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                      const lane_edge_seen* edge, float distance, float offset, lane_point* point) {
    point->good = false;
    if (!edge->met)
        return;
    const kerb_vec2 normal = edge->normal;
    point->hit = edge->hit;
    point->place = lane_along(edge->hit, normal, distance); // kerb_lane_drive_to: it is level
    point->direction = kerb_vec2_make(normal.y, -normal.x);
    if (kerb_vec2_dot(point->direction, pose->ahead.direction) < 0.0f)
        point->direction = kerb_vec2_make(-normal.y, normal.x);
    // An edge met so askew that the lane beside it is far from P_Ahead says nothing of the lane
    // there.
    kerb_vec2 off = kerb_vec2_sub(point->place, pose->ahead.place);
    point->good = kerb_abs(kerb_vec2_dot(off, pose->ahead.direction)) < pose->lookahead;
    const kerb_vec2 lane = keeper->memory.line_direction;
    kerb_vec2 step = kerb_vec2_sub(point->place, keeper->memory.line);
    point->along = kerb_vec2_dot(step, lane);
    float aside = kerb_vec2_cross(lane, step) -
                  0.5f * keeper->memory.line_curvature * point->along * point->along;
    point->spring = 0.0f;
    if (keeper->memory.started)
        point->spring = lane_inward(keeper) * aside - (offset - keeper->memory.line_offset);
}

static void note_width(kerb_lane_keeper* keeper, const lane_seen* seen) {
    const lane_edge_seen *own = &seen->edges[0], *other = &seen->edges[1];
    if (!own->met || !other->met || kerb_vec2_dot(own->normal, other->normal) > -0.8f)
        return;
    float width = kerb_vec2_dot(kerb_vec2_sub(other->hit, own->hit), own->normal);
    float* held = &keeper->memory.width;
    *held = *held > 0.0f ? *held + 0.2f * (width - *held) : width;
}

static float distance_from(const lane_edge_seen* edge, kerb_vec2 place) {
    return edge->met ? kerb_vec2_dot(kerb_vec2_sub(place, edge->hit), edge->normal) : NOT_MET;
}

// It was told which way is meant, and faces another: as if it had been turned round in its lane.
static void start_turned_round(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                               const lane_seen* seen) {
    keeper->memory.line_direction = keeper->memory.way_meant;
    keeper->memory.started = true;
    keeper->memory.turned_round = lane_is_askew(keeper, pose);
    keeper->memory.started = keeper->memory.turned_round;
    if (!keeper->memory.turned_round)
        return;
    float offset = keeper->settings.edge_distance;
    bool back = kerb_vec2_dot(keeper->memory.way_meant, pose->forward) < 0.0f;
    if (back && seen->edges[1].met) // its own, by the way that is meant
        offset = distance_from(&seen->edges[1], pose->position);
    keeper->memory.line = pose->position;
    keeper->memory.line_offset = offset;
    keeper->memory.offset_from = keeper->memory.offset_to = offset;
    // To the edge that is farther off there is more room, to one that was not met most.
    float own = distance_from(&seen->edges[0], pose->position);
    float other = distance_from(&seen->edges[1], pose->position);
    keeper->memory.roomy_side = lane_inward(keeper) * (other < own ? -1.0f : 1.0f);
}

static void start(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, const lane_seen* seen) {
    float wanted = keeper->settings.edge_distance, offset = wanted;
    if (seen->edges[0].met) {
        offset = distance_from(&seen->edges[0], pose->position);
        // In a bend that has turned the edge by θ at the hit, its tangent there passes the vehicle
        // at offset·cos θ ± reach·tan(θ/2), for the arcs of a road have one centre.
        float sine = lane_inward(keeper) * kerb_vec2_dot(seen->edges[0].normal, pose->forward);
        float cosine = kerb_sqrt(1.0f - sine * sine);
        offset += lane_inward(keeper) * 0.5f * sine * pose->reach;
        if (cosine > COSINE_LEAST)
            offset /= cosine;
    }
    if (kerb_abs(offset - wanted) < IN_LANE)
        offset = wanted;
    keeper->memory.offset_from = keeper->memory.offset_to = offset;
    keeper->memory.line = pose->ahead.place;
    keeper->memory.line_direction = pose->forward;
    keeper->memory.line_offset = offset;
    keeper->memory.look_step = 0.015f;
    keeper->memory.slip = SLIP_TYRES;
    if (kerb_vec2_dot(keeper->memory.way_meant, keeper->memory.way_meant) > 0.0f)
        start_turned_round(keeper, pose, seen);
}

// Told which way is meant, and round: where its lane is it sees only now.
static void end_turning_round(kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    kerb_vec2* way = &keeper->memory.way_meant;
    if (!keeper->memory.started || kerb_vec2_dot(*way, *way) == 0.0f ||
        (keeper->memory.turned_round && lane_is_askew(keeper, pose)))
        return;
    if (keeper->memory.turned_round)
        keeper->memory.started = keeper->memory.turned_round = keeper->memory.across = false;
    keeper->memory.roomy_side = 0.0f;
    *way = kerb_vec2_make(0.0f, 0.0f);
}

// An edge goes on where it was met last when the way from there is that of an arc: its chord points
// halfway between the two directions.
static bool goes_on(const kerb_lane_keeper* keeper, const lane_point* point) {
    const int32_t edge = point->edge;
    if (!keeper->memory.edges[edge].known || keeper->memory.edges[edge].since > GOES_ON)
        return false;
    kerb_vec2 before = keeper->memory.edges[edge].direction;
    kerb_vec2 step = kerb_vec2_sub(point->hit, keeper->memory.edges[edge].place);
    float along = kerb_vec2_dot(before, step);
    float turn = kerb_vec2_cross(before, point->direction);
    float off = kerb_vec2_cross(before, step) - 0.5f * turn * along;
    return kerb_abs(off) < SPRING && kerb_abs(along) < 2.0f * GOES_ON &&
           kerb_vec2_dot(before, point->direction) > 0.0f;
}

// Whether an edge is not where the lane expects it. One that goes on from where it was has not
// sprung, whatever the lane expects.
static bool has_sprung(const kerb_lane_keeper* keeper, lane_point* point) {
    if (kerb_abs(point->spring) < SPRING)
        return false;
    if (point->good && goes_on(keeper, point))
        point->spring = 0.0f;
    return point->spring != 0.0f;
}

static void note_edge(kerb_lane_keeper* keeper, const lane_point* point) {
    const int32_t edge = point->edge;
    if (!point->good)
        return;
    if (keeper->memory.edges[edge].known) {
        kerb_vec2 before = keeper->memory.edges[edge].direction;
        float along =
            kerb_vec2_dot(before, kerb_vec2_sub(point->hit, keeper->memory.edges[edge].place));
        float turn = kerb_vec2_cross(before, point->direction);
        float* bend = &keeper->memory.edges[edge].bend;
        *bend += (turn - *bend * along) / kerb_max(kerb_abs(along), BEND_OVER);
    }
    keeper->memory.edges[edge].known = true;
    keeper->memory.edges[edge].place = point->hit;
    keeper->memory.edges[edge].direction = point->direction;
    keeper->memory.edges[edge].since = 0.0f;
}

// Two edges that face each other, as far apart as the road's always were, are the road, wherever
// the lane was thought to be.
static bool is_the_road(const kerb_lane_keeper* keeper, const lane_point* own,
                        const lane_point* other) {
    float width = keeper->memory.width;
    if (!own->good || !other->good || !(width > 0.0f) ||
        kerb_vec2_dot(own->direction, other->direction) < FACING)
        return false;
    kerb_vec2 across = kerb_vec2_sub(other->hit, own->hit);
    float apart = kerb_abs(kerb_vec2_cross(own->direction, across));
    return kerb_abs(apart - width) < SAME_WIDTH * width;
}

// What would be its own edge lies where the other one was, and leads back: the vehicle has turned
// round, and following it would be driving back.
static bool is_way_back(const kerb_lane_keeper* keeper, const lane_point* own) {
    kerb_vec2 before = keeper->memory.edges[1].direction;
    if (!own->good || !(kerb_vec2_dot(before, own->direction) < -FACING) ||
        keeper->memory.edges[1].since > BACK_WITHIN)
        return false;
    kerb_vec2 off = kerb_vec2_sub(own->hit, keeper->memory.edges[1].place);
    return kerb_abs(kerb_vec2_cross(before, off)) < SPRING &&
           kerb_abs(kerb_vec2_dot(before, off)) < BACK_WITHIN;
}

// Sprung so far outward, or so far inward, that it is another road's.
static bool is_elsewhere(const kerb_lane_keeper* keeper, const lane_point* own) {
    float width = keeper->memory.width;
    return own->spring < -SPRING || (width > 0.0f && own->spring > INWARD_MOST * width);
}

// Whether the lane turns about as tight as the vehicle can. No tangent is less than its angle:
// mostly that tells.
static bool is_tight(const kerb_lane_keeper* keeper) {
    const kerb_vehicle* vehicle = &keeper->vehicle;
    float bend = kerb_abs(keeper->memory.line_curvature);
    if (vehicle->kind == KERB_VEHICLE_WHEELED &&
        bend * vehicle->wheelbase <= TIGHT * vehicle->steering_angle_max)
        return false;
    return bend * kerb_vehicle_turning_radius(vehicle) > TIGHT;
}

// Its own edge has shown where the lane leads behind a hairpin's corner; the other one, beside the
// vehicle still, tells of the road before that, and following it would turn the wheels back.
static bool leads_back(const kerb_lane_keeper* keeper, const lane_point* other) {
    float turn = kerb_vec2_cross(keeper->memory.led_to, other->direction);
    return keeper->memory.led > -keeper->memory.width && keeper->memory.started &&
           keeper->memory.lost < CORNER_FREE * keeper->memory.width &&
           (keeper->memory.line_curvature > 0.0f ? -turn : turn) > TURNS_BACK;
}

// Where P_Ahead came nearer its own edge may be met before a corner that it was met behind before.
// True where it was.
static bool was_farther(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                        const lane_point* own) {
    if (!own->good || pose->reach < keeper->memory.led)
        return own->good;
    keeper->memory.led = pose->reach;
    keeper->memory.led_to = own->direction;
    return false;
}

// P_Ahead sees past a corner of its own edge, to a piece that leads back beside the vehicle.
// Followed, that would turn the vehicle to either side. It says where the corner is, and that is
// gone round first.
static bool is_behind_corner(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                             const lane_point* own) {
    if (!own->good || !keeper->memory.started || !keeper->memory.edges[0].known ||
        keeper->memory.turned_round || kerb_vec2_dot(own->direction, pose->forward) > BEHIND)
        return false;
    if (keeper->memory.at_corner)
        return true;
    kerb_vec2* corner = &keeper->memory.edges[0].place;
    kerb_vec2 before = keeper->memory.edges[0].direction;
    float turn = kerb_vec2_cross(before, own->direction);
    // Not to its own side, nor to there.
    if (turn * lane_inward(keeper) > -TURNS_LEAST)
        return false;
    float along = kerb_vec2_cross(kerb_vec2_sub(own->hit, *corner), own->direction) / turn;
    *corner = lane_along(*corner, before, kerb_clamp(along, 0.0f, pose->lookahead));
    return true;
}

// Which of what the two edges say counts; not good: neither. An edge is believed where the lane
// expects it, and where it goes on from where it was: round a hairpin's corner, where its own edge
// ends for the ray, the outer one leads on. While its own is where it is expected, the other one is
// looked at now and then only.
static const lane_point* choose(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                const lane_seen* seen, float offset, lane_point points[2]) {
    lane_point *own = &points[0], *other = &points[1];
    const float width = keeper->memory.width;
    const bool notes = lane_takes_notes(keeper), both = keeper->settings.edge == KERB_LANE_BOTH;
    own->edge = 0, other->edge = 1;
    see_point(keeper, pose, &seen->edges[0], offset, offset, own);
    const bool sprung = own->good && has_sprung(keeper, own);
    keeper->memory.turned_round =
        is_way_back(keeper, own) || (keeper->memory.turned_round && lane_is_askew(keeper, pose));
    other->good = false;
    if (width > 0.0f && (!own->good || sprung || both || notes))
        see_point(keeper, pose, &seen->edges[1], width - offset, offset, other);
    keeper->memory.apart = sprung && is_elsewhere(keeper, own) &&
                           keeper->memory.apart_for <= keeper->settings.hold_distance &&
                           !is_the_road(keeper, own, other);
    own->good = own->good && !keeper->memory.apart && !keeper->memory.turned_round;
    own->behind = is_behind_corner(keeper, pose, own);
    own->good = own->good && !own->behind;
    own->nearer = was_farther(keeper, pose, own);
    other->nearer = false;
    other->good = other->good && !own->behind && !keeper->memory.turned_round &&
                  !keeper->memory.at_corner && !leads_back(keeper, other) &&
                  !has_sprung(keeper, other);
    note_edge(keeper, own);
    note_edge(keeper, other);
    if (both && own->good && other->good) {
        own->place = kerb_vec2_scale(kerb_vec2_add(own->place, other->place), 0.5f);
        own->spring = 0.5f * (own->spring + other->spring);
    }
    return own->good ? own : other;
}

// Where somebody hides the edge, or P_Ahead has left the road round a corner, it goes nearer and
// farther by turns until the edge is seen again.
static void look_elsewhere(kerb_lane_keeper* keeper, const lane_seen* seen, bool knows,
                           bool knows_own) {
    float* nearer = &keeper->memory.nearer;
    bool hidden = seen->edges[0].hidden || seen->edges[1].hidden;
    if (!knows || (hidden && !knows_own))
        *nearer += *nearer < 0.5f ? 0.2f : -0.5f;
    else if (knows_own)
        *nearer = kerb_max(*nearer - NEARER_FADES, 0.0f);
}

// Where the lane turns tighter than the vehicle can, beside an edge that is hardly more than a
// corner or far inside an outer one, the vehicle goes wide: so much farther from the lane's edge.
static float wide_by(const kerb_lane_keeper* keeper, int32_t edge, float offset) {
    float bend = keeper->memory.edges[edge].bend * lane_inward(keeper);
    if (bend > -BEND_SLIGHT) // the lane's edge is not the inner one
        return 0.0f;
    float least = kerb_vehicle_turning_radius(&keeper->vehicle);
    float radius = -1.0f / bend;
    float width = keeper->memory.width;
    radius = edge == 0 ? radius + offset : radius - (width - offset);
    float most =
        width > 0.0f ? width - 0.5f * keeper->vehicle.width - keeper->settings.margin : 0.0f;
    return kerb_clamp(least - radius, 0.0f, kerb_max(most - offset, 0.0f));
}

static void go_wide(kerb_lane_keeper* keeper, const lane_point* point, float offset, float moved) {
    float wide = wide_by(keeper, point->edge, offset - keeper->memory.settle);
    if (wide > keeper->memory.settle)
        keeper->memory.settle = kerb_min(keeper->memory.settle + moved, wide);
}

// An edge is made of straight pieces, and a ray says the direction of one: what it differs from the
// direction that the bend leads to counts little by little. One that turns by more is a corner.
static kerb_vec2 led_to(const kerb_lane_keeper* keeper, const lane_point* point, float way,
                        float turn) {
    float more = turn - keeper->memory.line_curvature * way;
    if (kerb_abs(more) > PIECES_TURN)
        return point->direction;
    float share = kerb_clamp(way / PIECE, 0.0f, 1.0f);
    return lane_turned(point->direction, (share - 1.0f) * more);
}

// Makes a seen point the lane's, and learns the bend from how the direction changes on the way.
static void follow_line(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                        const lane_point* point, float offset, float moved) {
    kerb_vec2 direction = point->direction;
    // Round a corner of the edge a point of the lane inside the bend moves back: it still turns the
    // same way, as the vehicle goes on. From one edge to the other the direction may step, and
    // where P_Ahead came nearer it turns back.
    if (keeper->memory.started && point->edge == keeper->memory.line_edge && !point->nearer) {
        float turn = kerb_vec2_cross(keeper->memory.line_direction, point->direction);
        float* bend = &keeper->memory.line_curvature;
        float way = point->along > 0.0f ? point->along : moved;
        float over = kerb_max(pose->lookahead, way);
        direction = led_to(keeper, point, way, turn);
        turn = kerb_vec2_cross(keeper->memory.line_direction, direction);
        *bend = kerb_clamp(*bend + (turn - *bend * way) / over, -BEND_MOST, BEND_MOST);
    }
    float inward =
        kerb_vec2_dot(kerb_vec2_sub(point->place, point->hit), lane_left_of(point->direction));
    keeper->memory.line = lane_along(point->hit, lane_left_of(direction), inward);
    keeper->memory.line_direction = direction;
    keeper->memory.line_offset = offset;
    if (kerb_abs(point->spring) > SPRING) {
        // The edge is elsewhere now; the vehicle is not.
        keeper->memory.line = lane_along(keeper->memory.line, lane_left_of(direction),
                                         -point->spring * lane_inward(keeper));
        keeper->memory.line_offset -= point->spring;
        keeper->memory.settle -= point->spring;
    }
    keeper->memory.line_edge = point->edge;
    keeper->memory.lost = 0.0f;
    keeper->memory.started = true;
    go_wide(keeper, point, keeper->memory.line_offset, moved);
}

// The point `lookahead` on by the remembered line.
static kerb_vec2 on_line(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    kerb_vec2 ahead =
        lane_along(pose->ahead.place, pose->ahead.direction, pose->lookahead - pose->reach);
    kerb_vec2 off = kerb_vec2_sub(ahead, keeper->memory.line);
    float along = kerb_vec2_dot(off, keeper->memory.line_direction);
    float offset = lane_offset_at(keeper, pose->lookahead / kerb_max(pose->speed, 1.0f));
    float shift = lane_inward(keeper) * (offset - keeper->memory.line_offset) +
                  0.5f * keeper->memory.line_curvature * along * along;
    kerb_vec2 held = lane_along(keeper->memory.line, keeper->memory.line_direction, along);
    return lane_along(held, lane_left_of(keeper->memory.line_direction), shift);
}

// --------------------------------------------------------------------------- round a corner

// No edge is believed, and straight on the road is blocked within little more than its width: the
// lane's own edge has ended in a corner, and the road goes on behind that. At a side road's mouth
// or in a gap the road ahead is free.
static bool is_at_corner(const kerb_lane_keeper* keeper, const lane_seen* seen) {
    float near_by = CORNER_FREE * keeper->memory.width, blocked = keeper->memory.blocked;
    return keeper->memory.edges[0].known && !seen->edges[0].hidden && blocked > 0.0f &&
           blocked < near_by;
}

// Whoever is ahead may hide the edge there: it is where it was.
static void note_blocked(kerb_lane_keeper* keeper, const lane_seen* seen, float moved) {
    if (seen->edges_ahead == 2)
        keeper->memory.blocked = seen->free_ahead;
    else
        keeper->memory.blocked = seen->vehicle ? keeper->memory.blocked - moved : 0.0f;
}

// Turns the lane about the corner as tight as the vehicle can; the point `lookahead` on: straight
// until the corner is abeam, then round it.
static kerb_vec2 round_corner(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, float offset) {
    const float side = lane_inward(keeper);
    const kerb_vec2 corner = keeper->memory.edges[0].place;
    float radius = kerb_max(offset, kerb_vehicle_turning_radius(&keeper->vehicle));
    kerb_vec2 off = kerb_vec2_sub(pose->position, corner);
    float before = -kerb_vec2_dot(off, keeper->memory.line_direction);
    kerb_vec2 out = kerb_vec2_scale(lane_left_of(keeper->memory.line_direction), side);
    if (before <= 0.0f) {
        out = kerb_vec2_scale(off, 1.0f / kerb_max(kerb_vec2_length(off), 0.1f));
        keeper->memory.line_direction = kerb_vec2_make(side * out.y, -side * out.x);
        keeper->memory.line_curvature = -side / radius;
        keeper->memory.line = lane_along(corner, out, radius);
        keeper->memory.line_offset = offset;
    }
    float angle = (pose->lookahead - kerb_max(before, 0.0f)) / radius;
    if (angle <= 0.0f)
        return on_line(keeper, pose);
    return lane_along(corner, lane_turned(out, -side * angle), radius);
}

// The point to drive to.
static kerb_vec2 see_lane(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                          const lane_seen* seen, float time_step) {
    float moved = kerb_max(pose->speed, 0.0f) * time_step;
    float fade = SETTLE_SPEED * time_step;
    keeper->memory.settle -= kerb_clamp(keeper->memory.settle, -fade, fade);
    float offset = lane_offset_at(keeper, pose->reach / kerb_max(pose->speed, 1.0f));
    keeper->memory.edges[0].since += moved;
    keeper->memory.edges[1].since += moved;
    keeper->memory.led -= moved;
    lane_point points[2];
    const lane_point* point = choose(keeper, pose, seen, offset, points);
    keeper->memory.apart_for = keeper->memory.apart ? keeper->memory.apart_for + moved : 0.0f;
    if (lane_takes_notes(keeper) && !keeper->memory.apart)
        note_width(keeper, seen);
    keeper->thoughts.edge_seen = points[0].good;
    look_elsewhere(keeper, seen, point->good, points[0].good);
    if (!point->good)
        keeper->memory.lost += moved;
    else
        follow_line(keeper, pose, point, offset, moved);
    note_blocked(keeper, seen, moved);
    keeper->memory.at_corner =
        !point->good && keeper->memory.started &&
        (points[0].behind || (keeper->memory.at_corner && keeper->memory.blocked > 0.0f) ||
         is_at_corner(keeper, seen));
    if (keeper->memory.at_corner)
        return round_corner(keeper, pose, offset);
    if (point->good && pose->reach >= pose->lookahead)
        return keeper->memory.line;
    return on_line(keeper, pose);
}

// --------------------------------------------------------------------------- steering

// From the angle of the wheels to the yaw rate: tyres build up their force while they roll, and the
// body follows. A bicycle with equal axles lags by speed times slip per lateral acceleration. [s]
static float turn_delay(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    return kerb_clamp(pose->speed * keeper->memory.slip, 0.0f, TURN_DELAY_MOST);
}

static void learn_slip(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, float time_step) {
    if (pose->lateral < SLIP_FROM || pose->speed < 2.0f * SLIP_FROM)
        return;
    float share = kerb_min(time_step / SLIP_TIME, 1.0f);
    float seen = kerb_min(pose->slip / pose->lateral, SLIP_TYRES_MOST);
    keeper->memory.slip += share * (seen - keeper->memory.slip);
}

// Share of what makes it arrive along the lane. Wheels that are slow, or tyres that answer late,
// bear no more than the arc; a lane that turns about as tight as the vehicle can is not arrived
// along.
static float share_along(const kerb_lane_keeper* keeper, float delay) {
    const kerb_vehicle* vehicle = &keeper->vehicle;
    if (keeper->memory.at_corner || is_tight(keeper))
        return 0.0f;
    float time = keeper->settings.lookahead_time;
    if (vehicle->steering_angle_max > time * vehicle->steering_rate_max)
        return 0.0f;
    return kerb_clamp((ARC_FROM - delay) / (ARC_FROM - ALONG_TO), 0.0f, 1.0f);
}

// Curvature to add so that it does not only come to the target, but along the lane. The arc to it
// arrives turned by twice the angle to it, which in a bend that goes on is the lane's direction; a
// bend that begins, or turns over, it cuts: by 0.05 of the change of curvature times the square of
// the way to the target, which is 0.35 m from one bend of 30 m radius to the opposite one. The
// curve whose curvature changes evenly and which arrives along the lane begins with
// 2·askew/distance less. Halfway between the two, errors fade as well damped, with 1.4 times the
// arc's frequency.
static float along_lane(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose, kerb_vec2 local,
                        kerb_vec2 travel, kerb_vec2 target) {
    float share = share_along(keeper, turn_delay(keeper, pose));
    float squared = kerb_vec2_dot(local, local);
    if (!(share > 0.0f && squared > 1.0f))
        return 0.0f;
    // The arc to `local` arrives in direction (x² - y², 2xy)/(x² + y²).
    float sine = 2.0f * local.x * local.y, cosine = local.x * local.x - local.y * local.y;
    kerb_vec2 lane = keeper->memory.line_direction;
    float across = cosine * kerb_vec2_cross(travel, lane) - sine * kerb_vec2_dot(travel, lane);
    float along = kerb_vec2_dot(kerb_vec2_sub(target, keeper->memory.line), lane);
    float askew = across / squared + keeper->memory.line_curvature * along;
    return -share * kerb_clamp(askew, -ASKEW_MOST, ASKEW_MOST) / kerb_sqrt(squared);
}

// `round`: as lane_turns_round says.
static float steer(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, kerb_vec2 target,
                   float round, float yaw_rate, float grip) {
    // What is steered now turns the vehicle a little later: from where it will be then.
    float delay = keeper->vehicle.steering_delay + turn_delay(keeper, pose);
    float turn = kerb_clamp(yaw_rate * delay, -0.5f, 0.5f);
    float way = kerb_min(kerb_max(pose->speed, 0.0f) * delay, 0.5f * pose->lookahead);
    const kerb_lane_arc then = lane_arc_on(pose->rear, pose->travel, way, turn);
    const kerb_vec2 travel = then.direction;
    kerb_vec2 off = kerb_vec2_sub(target, then.place);
    kerb_vec2 local = kerb_vec2_make(kerb_vec2_dot(travel, off), kerb_vec2_cross(travel, off));
    float curvature = kerb_pure_pursuit(local) + along_lane(keeper, pose, local, travel, target);
    float lateral = keeper->settings.avoid_acceleration * grip;
    float most = lateral / kerb_max(pose->speed * pose->speed, 1.0f);
    curvature = kerb_clamp(curvature, -most, most);
    keeper->thoughts.curvature = curvature;
    const kerb_vehicle* vehicle = &keeper->vehicle;
    if (round != 0.0f)
        return round;
    if (keeper->settings.steering == KERB_LANE_BICYCLE || vehicle->kind != KERB_VEHICLE_WHEELED)
        return kerb_steering_for(vehicle, curvature, pose->speed);
    float angle = kerb_lane_angle_by_cosines(vehicle->wheelbase, curvature);
    return kerb_clamp(angle / vehicle->steering_angle_max, -1.0f, 1.0f);
}

// --------------------------------------------------------------------------- speed

typedef struct lane_wish {
    float speed;
    kerb_reason reason;
} lane_wish;

static void limit(lane_wish* wish, float speed, kerb_reason reason) {
    if (speed >= wish->speed)
        return;
    wish->speed = kerb_max(speed, 0.0f);
    wish->reason = reason;
}

static lane_wish wish_speed(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                            const lane_seen* seen, const kerb_surroundings* surroundings,
                            bool round, float moved) {
    const kerb_lane_settings* settings = &keeper->settings;
    lane_wish wish = {kerb_min(settings->speed, keeper->vehicle.speed_max), KERB_REASON_CRUISE};
    float grip = kerb_max(surroundings->grip, 0.01f);
    float braking = settings->deceleration * kerb_min(grip, 1.0f);
    limit(&wish, surroundings->speed_cap, KERB_REASON_SPEED_CAP);
    float lateral = kerb_min(settings->lateral_acceleration,
                             GRIP_WANTED * keeper->vehicle.lateral_acceleration_max);
    lateral *= kerb_min(grip, 1.0f);
    float bend;
    limit(&wish, lane_bend_speed(keeper, lateral, wish.speed, moved, &bend), KERB_REASON_CURVE);
    float here = kerb_speed_in_curve(keeper->memory.line_curvature, lateral, wish.speed);
    limit(&wish, here, KERB_REASON_CURVE);
    keeper->thoughts.bend = bend;
    keeper->memory.free_speed = wish.speed;

    float* seen_free = &keeper->memory.seen_free;
    // Up to somebody the road is free; what the others say may be seen past it.
    *seen_free = kerb_max(*seen_free, seen->vehicle ? keeper->vehicle.reference_to_front + seen->gap
                                                    : seen->sight);
    // What looked past a wall, through a gap beside it, was no way.
    if (seen->head_on == 2)
        *seen_free = kerb_min(*seen_free, seen->across);
    float sight = kerb_min(*seen_free, settings->sight);
    keeper->thoughts.sight = sight;
    float room = sight - keeper->vehicle.reference_to_front - settings->gap_least;
    if (!seen->vehicle && !round) // that takes less room, and goes to where sight ends
        limit(&wish, kerb_speed_before(0.0f, room, SIGHT_BRAKING * braking), KERB_REASON_END);
    if (seen->vehicle)
        limit(&wish,
              kerb_gap_speed(seen->gap, seen->vehicle_speed, settings->gap_time,
                             settings->gap_least, braking),
              KERB_REASON_FOLLOWING);
    keeper->thoughts.gap = seen->vehicle ? seen->gap : -1.0f;
    // Who only comes in hides no edge from P_Ahead: that stays where it meets him.
    keeper->memory.gap = seen->comes_in ? -1.0f : keeper->thoughts.gap;
    const float front = keeper->vehicle.reference_to_front;
    if (round) {
        float edge = seen->edge_ahead - front - settings->margin;
        limit(&wish, TURNS_ROUND, KERB_REASON_WRONG_WAY);
        limit(&wish, kerb_speed_before(0.0f, edge, braking), KERB_REASON_END);
    } else if (seen->edges_ahead == 2 && lane_is_askew(keeper, pose))
        // It would drive along that edge, were it not askew.
        limit(&wish, kerb_speed_before(0.0f, seen->free_ahead - front - SPARE, braking),
              KERB_REASON_END);
    if (keeper->memory.lost > 0.0f || !keeper->memory.started) {
        float left = settings->hold_distance - keeper->memory.lost;
        if (!round)
            limit(&wish, kerb_speed_before(0.0f, left, braking), KERB_REASON_END);
    }
    return wish;
}

// Braking that it takes not to meet who is ahead, should that brake as hard as this vehicle can; 0
// while it is less than an emergency.
static float emergency(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                       const lane_seen* seen) {
    float hard = keeper->vehicle.braking_max;
    if (!seen->vehicle || pose->speed - seen->vehicle_speed < CLOSES)
        return 0.0f;
    float theirs = kerb_max(seen->vehicle_speed, 0.0f);
    float room = seen->gap - SPARE + theirs * theirs / (2.0f * hard);
    float need = pose->speed * pose->speed / (2.0f * kerb_max(room, 0.1f));
    return need > EMERGENCY * hard ? kerb_min(need, hard) : 0.0f;
}

// Tyres that hold a bend have less left for braking, the rear ones first. In an emergency that is
// what the circle of grip leaves, with some for swings.
static float hardest_braking(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                             bool sudden) {
    const kerb_vehicle* vehicle = &keeper->vehicle;
    float all = vehicle->braking_max;
    float used = pose->lateral / vehicle->lateral_acceleration_max;
    used = kerb_min(sudden ? SWINGS * used + SWINGS_LEAST : used, 0.95f);
    float hard = all * kerb_sqrt(1.0f - used * used);
    if (!sudden) {
        float comfortable = kerb_min(1.3f * keeper->settings.deceleration, all);
        hard = kerb_min(hard, kerb_max(all * (1.0f - used / BRAKES_NONE), comfortable));
    }
    float eased =
        kerb_clamp((SLIP_MOST - pose->slip) / (SLIP_MOST - SLIP_LEAST), EASED_LEAST, 1.0f);
    return eased * hard;
}

static void press_pedals(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                         const lane_wish* wish, float sudden, float grip, float time_step,
                         kerb_controls* controls) {
    const kerb_vehicle* vehicle = &keeper->vehicle;
    const kerb_lane_settings* settings = &keeper->settings;
    float capacity = kerb_throttle_capacity(vehicle, pose->speed, false);
    float coasting = kerb_coasting(vehicle, pose->speed);
    float most = kerb_min(capacity, settings->acceleration + coasting);
    float least = -grip * hardest_braking(keeper, pose, sudden > 0.0f);
    float wanted = kerb_speed_control(&keeper->memory.speed_control, &settings->speed_control,
                                      wish->speed - pose->speed, coasting, least, most, time_step);
    if (sudden > 0.0f)
        wanted = kerb_max(kerb_min(wanted, -sudden), least);
    kerb_pedals(vehicle, wanted, capacity, controls);
    if (wish->speed > STANDS)
        return;
    controls->throttle = 0.0f;
    keeper->memory.speed_control.sum = 0.0f;
    if (kerb_abs(pose->speed) < STANDS)
        controls->brake = 1.0f;
}

// --------------------------------------------------------------------------- one frame

static kerb_controls bad_frame(kerb_lane_keeper* keeper) {
    keeper->bad_frames++;
    keeper->thoughts.reason = keeper->controls.reason;
    return keeper->controls;
}

static void think(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, kerb_vec2 target,
                  const lane_wish* wish) {
    kerb_lane_thoughts* thoughts = &keeper->thoughts;
    thoughts->ahead = kerb_vec3_make(pose->ahead.place.x, pose->ahead.place.y, pose->height);
    thoughts->drive_to = kerb_vec3_make(target.x, target.y, pose->height);
    thoughts->lane_curvature = keeper->memory.line_curvature;
    thoughts->target_speed = wish->speed;
    thoughts->edge_distance = lane_offset_at(keeper, 0.0f);
    thoughts->width = keeper->memory.width;
    thoughts->changing = keeper->memory.change_for > 0.0f;
    thoughts->avoiding = keeper->memory.aside != 0.0f;
    thoughts->reason = wish->reason;
}

static inline kerb_controls controls_of(float throttle, float brake, float steering, int32_t gear,
                                        float clutch, kerb_reason reason) {
    kerb_controls controls = {.throttle = throttle,
                              .brake = brake,
                              .steering = steering,
                              .clutch = clutch,
                              .gear = gear,
                              .reason = reason};
    return controls;
}

kerb_controls kerb_lane_keeper_drive(kerb_lane_keeper* keeper, const kerb_lane_ray* rays,
                                     const kerb_lane_hit* hits, int32_t count,
                                     const kerb_motion* motion,
                                     const kerb_surroundings* surroundings, float time_step) {
    KERB_ASSERT(keeper != NULL && motion != NULL);
    KERB_ASSERT(count >= 0 && count <= KERB_LANE_RAYS);
    KERB_ASSERT(count == 0 || (rays != NULL && hits != NULL));
    KERB_ASSERT(kerb_settings_validate(&kerb_lane_settings_table, &keeper->settings, NULL) ==
                KERB_OK);
    KERB_ASSERT(kerb_vehicle_validate(&keeper->vehicle, NULL) == KERB_OK);
    const bool good = lane_take_motion(keeper, motion);
    keeper->memory.asked = false; // what it was found from is about to change
    if (!good) {
        keeper->controls = kerb_controls_safe(KERB_REASON_BAD_MOTION);
        return bad_frame(keeper);
    }
    if (!(time_step > 0.0f && time_step < TIME_STEP_MOST)) {
        keeper->controls.reason = KERB_REASON_BAD_STEP;
        return bad_frame(keeper);
    }
    const kerb_surroundings nothing = kerb_surroundings_default();
    if (surroundings == NULL)
        surroundings = &nothing;
    const kerb_lane_pose pose = keeper->memory.pose;
    float moved = kerb_clamp(pose.speed * time_step, 0.0f, FRAME_METRES_MOST);
    keeper->memory.unnoted += moved;
    const lane_seen seen = lane_look(keeper, &pose, rays, hits, count);
    end_turning_round(keeper, &pose);
    if (!keeper->memory.started)
        start(keeper, &pose, &seen);
    keeper->memory.seen_free -= moved;
    lane_bends_move(keeper, moved);
    kerb_vec2 target = see_lane(keeper, &pose, &seen, time_step);
    if (lane_takes_notes(keeper))
        keeper->memory.unnoted = 0.0f;
    const float sudden = emergency(keeper, &pose, &seen);
    lane_decide(keeper, &pose, &seen, sudden > 0.0f, time_step);
    const float round = lane_turns_round(keeper, &pose);
    const lane_wish wish = wish_speed(keeper, &pose, &seen, surroundings, round != 0.0f, moved);
    think(keeper, &pose, target, &wish);

    kerb_reason reason = wish.reason;
    if (keeper->memory.aside != 0.0f && reason == KERB_REASON_CRUISE)
        reason = KERB_REASON_AVOIDING;
    kerb_stuck_phase stuck = lane_watch_stuck(keeper, &pose, &seen, wish.speed, time_step);
    kerb_controls pedals;
    if (stuck == KERB_STUCK_FREE)
        press_pedals(keeper, &pose, &wish, sudden, kerb_clamp(surroundings->grip, 0.01f, 1.0f),
                     time_step, &pedals);
    else {
        pedals = lane_recover(keeper, &pose, &seen, stuck);
        reason = pedals.reason;
    }
    float clutch;
    int32_t gear = kerb_gearbox_drive(&keeper->memory.gearbox, &keeper->vehicle, motion,
                                      stuck == KERB_STUCK_BACK_OUT ? -1 : 1, pedals.throttle,
                                      time_step, &clutch);
    // Last, because nothing here waits for it: the longest chain of quotients and roots.
    learn_slip(keeper, &pose, time_step);
    float steering = steer(keeper, &pose, target, round, motion->angular_velocity.z,
                           kerb_max(surroundings->grip, 0.01f));
    if (!kerb_is_finite(steering)) { // places too large for a float's squares
        memset(&keeper->memory, 0, sizeof keeper->memory);
        keeper->controls = kerb_controls_safe(KERB_REASON_BAD_MOTION);
        return bad_frame(keeper);
    }
    if (stuck != KERB_STUCK_FREE)
        steering = pedals.steering;
    keeper->thoughts.reason = reason;
    // Twice, because to read back what was written last takes as long as to finish all of it.
    keeper->controls = controls_of(pedals.throttle, pedals.brake, steering, gear, clutch, reason);
    return controls_of(pedals.throttle, pedals.brake, steering, gear, clutch, reason);
}
