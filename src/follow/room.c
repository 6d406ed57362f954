// Purpose: how the line uses the corridor: swept bands, and bends driven wide.
//
// A long vehicle sweeps more than its width: its front corner runs outside the circle of its
// reference point, its rear axle inside. Where that does not fit, the line moves to the side, as
// far as needed and at most until both sides have the same clearance.
//
// A bend that is tighter than the vehicle turns is driven wide. Seen from its apex, the path has
// moved sideways by H(s) = ∫ sin(θ/2), where its headings s before and s after differ by θ; an arc
// of radius R moves by R·(1 - cos(θ/2)). The arc needs more than the path has, by at most
//     D = max over s of R·(1 - cos(θ/2)) - H(s),
// which must come from the corridor. Moved outwards by g = D / (1 - cos(θ/2)), the bend has the
// radius R. It keeps that radius when it is then moved as a whole inwards, along the axis of the
// bend, by any v. So the line passes the apex by a = v - g inside of the path and the legs by d = g
// - v·cos(θ/2) outside; v divides the clearance. On the legs both fade out, as gently as a lane
// change.
//
// All of it is local, as the rounding of corners is: a knot depends on the headings around it
// alone.
//
// Cost:    O(1) for each knot, and a few dozen knots' weights for each apex.
#include "frame.h"

#define FOLLOW_ROOM_KNOTS KERB_FOLLOWER_LINE_KNOTS
#define FOLLOW_ROOM_STEPS KERB_FOLLOWER_ROUNDING_STEPS
// Wide bends are planned with this many turning radii: errors must be corrected. [1]
#define WIDE_MARGIN 1.04f
// Desired clearance on both sides of what the vehicle sweeps. [m]
#define ROOM_WANTED 0.25f
// Half of the greatest turn that is driven wide: a little more than half round. [rad]
#define HALF_TURN_MOST (0.55f * KERB_PI)
// A smaller deficit is not worth a wide bend. [m]
#define DEFICIT_LEAST 0.15f

// A turn over more knots than this, and over more of the turning radius, is an arc; else a corner.
// [knots], [turning radii]
#define ARC_KNOTS 4.0f
#define ARC_RADIUS 0.4f

// --------------------------------------------------------------------------- swept bands

follow_swept kerb_in_follow_swept_band(const kerb_vehicle* vehicle, float curvature) {
    bool wheeled = vehicle->kind == KERB_VEHICLE_WHEELED;
    float back = wheeled ? vehicle->reference_to_rear_axle : 0.0f;
    float half = 0.5f * vehicle->width;
    float front = back + vehicle->reference_to_front;
    float rear = vehicle->length - front;
    float least = kerb_vehicle_turning_radius(vehicle);
    float most = 1.0f / kerb_sqrt(least * least + back * back + 1.0e-6f);
    float bend = kerb_clamp(kerb_abs(curvature), 1.0e-5f, most);
    float radius = 1.0f / bend;
    float axle = kerb_sqrt(kerb_max(radius * radius - back * back, 0.0f));
    float reach = kerb_max(front, rear), side = axle + half;
    return (follow_swept){.outer = kerb_sqrt(side * side + reach * reach) - radius,
                          .inner = radius - kerb_max(axle - half, 0.0f)};
}

float kerb_in_follow_shift_inwards(const follow_swept* band, float outside, float inside,
                                   float spare) {
    float least = spare + band->outer - outside;
    float most = inside - band->inner - spare;
    if (least > most) // not enough room: the same on both sides
        return 0.5f * (least + most);
    return kerb_clamp(0.0f, least, most);
}

// --------------------------------------------------------------------------- wide bends

void kerb_in_follow_room_reset(kerb_follower* follower) {
    for (int32_t i = 0; i < FOLLOW_ROOM_KNOTS; i++)
        kerb_in_follow_room_clear(follower, i);
}

void kerb_in_follow_room_clear(kerb_follower* follower, int32_t knot) {
    follower->memory.fill.swing[kerb_in_line_slot(knot)] =
        follower->memory.fill.wide[kerb_in_line_slot(knot)] = 0.0f;
    follower->memory.fill.aside[kerb_in_line_slot(knot)] = 0.0f;
    follower->memory.fill.slide[kerb_in_line_slot(knot)] = (kerb_vec2){0.0f, 0.0f};
}

static float turn_around(const kerb_follower* follower, int32_t knot, int32_t k) {
    return follower->memory.fill.heading[kerb_in_line_slot(knot + k)] -
           follower->memory.fill.heading[kerb_in_line_slot(knot - k)];
}

static float wide_radius(const kerb_follower* follower) {
    float radius = follower->memory.fill.turning_radius;
    float back = follower->vehicle.reference_to_rear_axle;
    return WIDE_MARGIN * kerb_sqrt(radius * radius + back * back);
}

// A bend as seen from a knot: what is missing, and half of its turn and length.
typedef struct follow_room_bend {
    float deficit; // [m]
    float cosine;  // of half its turn
    float length;  // from apex to end [m]
    float side;    // 1 to the left, -1 to the right
} follow_room_bend;

float kerb_in_follow_room_arc(const kerb_follower* follower, int32_t knot) {
    const float* heading = follower->memory.fill.heading;
    float whole = 0.0f, sharpest = 1.0e-6f;
    for (int32_t k = 1; k <= FOLLOW_ROOM_STEPS; k++) {
        float ahead =
            heading[kerb_in_line_slot(knot + k)] - heading[kerb_in_line_slot(knot + k - 1)];
        float behind =
            heading[kerb_in_line_slot(knot - k)] - heading[kerb_in_line_slot(knot - k + 1)];
        whole = kerb_max(whole, kerb_abs(turn_around(follower, knot, k)));
        sharpest = kerb_max(sharpest, kerb_max(kerb_abs(ahead), kerb_abs(behind)));
    }
    float radius =
        follower->memory.line.spacing / (sharpest * follower->memory.fill.turning_radius);
    return kerb_smooth_step(whole / sharpest, ARC_KNOTS, 1.5f * ARC_KNOTS) *
           kerb_smooth_step(radius, ARC_RADIUS, 1.4f * ARC_RADIUS);
}

static follow_room_bend follow_room_bend_at(const kerb_follower* follower, int32_t knot) {
    float spacing = follower->memory.line.spacing, radius = wide_radius(follower);
    follow_room_bend found = {.cosine = 1.0f};
    float near = turn_around(follower, knot, 2);
    if (kerb_abs(near) * radius < 4.0f * spacing)
        return found;
    found.side = near > 0.0f ? 1.0f : -1.0f;
    float moved = 0.0f, sine_before = 0.0f;
    for (int32_t k = 1; k <= FOLLOW_ROOM_STEPS; k++) {
        float half = 0.5f * found.side * turn_around(follower, knot, k);
        if (half < 0.0f || half > HALF_TURN_MOST)
            break;
        float sine = kerb_sin(half), cosine = kerb_cos(half);
        moved += 0.5f * spacing * (sine + sine_before);
        sine_before = sine;
        float deficit = radius * (1.0f - cosine) - moved;
        if (deficit > found.deficit) {
            found.deficit = deficit;
            found.cosine = kerb_max(cosine, 0.0f);
            found.length = (float)k * spacing;
        }
    }
    return found;
}

// Of a bend: how far it is moved outwards, and then as a whole towards the inside. [m]
typedef struct follow_room_swing {
    float outwards, along_axis;
} follow_room_swing;

static follow_room_swing share_room(const kerb_follower* follower, const follow_room_bend* b,
                                    int32_t apex) {
    follow_swept band =
        kerb_in_follow_swept_band(&follower->vehicle, 1.0f / follower->memory.fill.turning_radius);
    float left = follower->memory.fill.room_left[kerb_in_line_slot(apex)];
    float right = follower->memory.fill.room_right[kerb_in_line_slot(apex)];
    float inside = kerb_max(
        (b->side > 0.0f ? left : right) - band.inner - follow_metres(follower, ROOM_WANTED), 0.0f);
    float outside = b->side > 0.0f ? right : left;
    float at_legs = kerb_max(outside - band.outer - follow_metres(follower, ROOM_WANTED), 0.0f);
    float straight = kerb_max(
        outside - 0.5f * follower->vehicle.width - follow_metres(follower, ROOM_WANTED), 0.0f);
    // As far inside at the apex as outside on the legs; and from there what room there is.
    float apex_shift = kerb_min(b->deficit / (1.0f + b->cosine), inside);
    float legs = b->deficit - apex_shift * b->cosine;
    if (legs > at_legs && b->cosine > 0.1f) {
        apex_shift = kerb_min(inside, (b->deficit - at_legs) / b->cosine);
        legs = b->deficit - apex_shift * b->cosine;
    }
    // No farther than a straight vehicle can be; the rest it must run wide after the bend.
    float share = legs > straight ? straight / legs : 1.0f;
    float outwards = share * b->deficit / (1.0f - b->cosine);
    return (follow_room_swing){outwards, outwards + apex_shift};
}

// Where between two knots the apex is: of the parabola through three. [knots] [-0.5 … 0.5]
static float past_knot(const kerb_follower* follower, int32_t apex) {
    float before = follower->memory.fill.deficit[kerb_in_line_slot(apex - 1)];
    float here = follower->memory.fill.deficit[kerb_in_line_slot(apex)];
    float after = follower->memory.fill.deficit[kerb_in_line_slot(apex + 1)];
    float bent = kerb_max(2.0f * here - before - after, 1.0e-6f);
    return kerb_clamp(0.5f * (after - before) / bent, -0.5f, 0.5f);
}

// Adds what a bend asks of the knots around its apex: all of it in the bend, fading on the legs.
static void follow_room_add_bend(kerb_follower* follower, int32_t apex, const follow_room_bend* b) {
    float spacing = follower->memory.line.spacing;
    follow_room_swing s = share_room(follower, b, apex);
    float legs = kerb_abs(s.outwards - s.along_axis * b->cosine);
    // As sharp as half the turning circle; the slide shortens it.
    float fade = kerb_sqrt(12.0f * kerb_max(legs, 0.5f) * wide_radius(follower));
    fade += 1.5f * s.along_axis;
    float whole = b->length + 0.5f * spacing;
    float past = past_knot(follower, apex);
    const float* headings = follower->memory.fill.heading;
    float heading = headings[kerb_in_line_slot(apex)] + 0.5f * past *
                                                            (headings[kerb_in_line_slot(apex + 1)] -
                                                             headings[kerb_in_line_slot(apex - 1)]);
    kerb_vec2 inwards = {-b->side * kerb_sin(heading), b->side * kerb_cos(heading)};
    for (int32_t i = -FOLLOW_ROOM_REACH; i <= FOLLOW_ROOM_REACH; i++) {
        float away = spacing * kerb_abs((float)i - past);
        float end = kerb_min(whole + fade, spacing * (float)FOLLOW_ROOM_REACH);
        float begin = kerb_min(whole, 0.5f * end);
        float weight = 1.0f - kerb_smooth_step(away, begin, end);
        int32_t at = kerb_in_line_slot(apex + i);
        follower->memory.fill.swing[at] -= weight * b->side * s.outwards;
        follower->memory.fill.slide[at].x += weight * s.along_axis * inwards.x;
        follower->memory.fill.slide[at].y += weight * s.along_axis * inwards.y;
        follower->memory.fill.wide[at] = kerb_max(follower->memory.fill.wide[at], weight);
    }
}

// An apex is where more is missing than at the knots around; the first of equals.
static bool is_apex(const kerb_follower* follower, int32_t knot) {
    float here = follower->memory.fill.deficit[kerb_in_line_slot(knot)];
    if (here < follow_metres(follower, DEFICIT_LEAST))
        return false;
    for (int32_t i = 1; i <= FOLLOW_APEX_KNOTS; i++)
        if (follower->memory.fill.deficit[kerb_in_line_slot(knot - i)] >= here ||
            follower->memory.fill.deficit[kerb_in_line_slot(knot + i)] > here)
            return false;
    return true;
}

static void centre(kerb_follower* follower, int32_t knot) {
    float curvature = turn_around(follower, knot, 2) / (4.0f * follower->memory.line.spacing);
    float left = follower->memory.fill.room_left[kerb_in_line_slot(knot)];
    float right = follower->memory.fill.room_right[kerb_in_line_slot(knot)];
    bool to_left = curvature > 0.0f;
    follow_swept band = kerb_in_follow_swept_band(&follower->vehicle, curvature);
    float inwards =
        kerb_in_follow_shift_inwards(&band, to_left ? right : left, to_left ? left : right,
                                     follow_metres(follower, ROOM_WANTED));
    follower->memory.fill.aside[kerb_in_line_slot(knot)] = to_left ? inwards : -inwards;
    follower->memory.fill.spare_left[kerb_in_line_slot(knot)] =
        left - (to_left ? band.inner : band.outer);
    follower->memory.fill.spare_right[kerb_in_line_slot(knot)] =
        right - (to_left ? band.outer : band.inner);
}

void kerb_in_follow_room_look(kerb_follower* follower, int32_t knot, int32_t first) {
    if (follower->vehicle.kind == KERB_VEHICLE_HOVER)
        return;
    centre(follower, knot);
    if (follower->vehicle.kind != KERB_VEHICLE_WHEELED)
        return;
    float deficit = follow_room_bend_at(follower, knot).deficit;
    follower->memory.fill.deficit[kerb_in_line_slot(knot)] =
        deficit > follow_metres(follower, DEFICIT_LEAST)
            ? deficit * kerb_in_follow_room_arc(follower, knot)
            : 0.0f;
    int32_t apex = knot - FOLLOW_APEX_KNOTS;
    if (apex - FOLLOW_APEX_KNOTS < first || !is_apex(follower, apex))
        return;
    follow_room_bend b = follow_room_bend_at(follower, apex);
    b.deficit = follower->memory.fill.deficit[kerb_in_line_slot(apex)];
    follow_room_add_bend(follower, apex, &b);
}

// --------------------------------------------------------------------------- reading it

static float calm_aside(const kerb_follower* follower, int32_t knot) {
    float before = follower->memory.fill.aside[kerb_in_line_slot(knot - 1)];
    float after = follower->memory.fill.aside[kerb_in_line_slot(knot + 1)];
    return 0.25f * (before + after) + 0.5f * follower->memory.fill.aside[kerb_in_line_slot(knot)];
}

bool kerb_in_follow_room_shift(const kerb_follower* follower, int32_t knot, kerb_vec2 direction,
                               kerb_vec2* shift) {
    int32_t at = kerb_in_line_slot(knot);
    float left = follower->memory.fill.swing[at] +
                 (1.0f - follower->memory.fill.wide[at]) * calm_aside(follower, knot);
    *shift = follower->memory.fill.slide[at];
    shift->x -= left * direction.y;
    shift->y += left * direction.x;
    return left != 0.0f || follower->memory.fill.wide[at] > 0.0f;
}
