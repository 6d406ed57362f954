// What a follower thinks, in world coordinates: footprint, nearest point and the error to it, the
// line ahead, target, the arc that it steers, and its speed in words. O(items drawn).
//
// Everything is read from the follower's own struct, so that a picture can be made of any copy of
// it, at any time; the path is asked only for what lies ahead of the methods without a line.
#include "items.h"

#include "../base/assertion.h"
#include "../base/number_text.h"

#define ARC_PIECES 16
// The text floats this high above the reference point. [m]
#define TEXT_HEIGHT 2.0f

// The vehicle's own axes in the world. Unit length even when the host's quaternion has drifted.
typedef struct body_axes {
    kerb_vec3 forward, left;
} body_axes;

static body_axes axes_of(kerb_quat q) {
    float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    float scale = 1.0f / kerb_sqrt(square);
    kerb_quat unit = {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
    body_axes axes = {kerb_quat_forward(unit), kerb_quat_left(unit)};
    return axes;
}

// The point `along` in front of `from` and `across` to its left.
static kerb_vec3 point_at(kerb_vec3 from, const body_axes* axes, float along, float across) {
    return kerb_vec3_along(kerb_vec3_along(from, axes->forward, along), axes->left, across);
}

static void draw_footprint(kerb_draw_buffer* buffer, const kerb_vehicle* vehicle,
                           const kerb_motion* motion, const body_axes* axes) {
    float front = vehicle->reference_to_front, rear = front - vehicle->length;
    float half = 0.5f * vehicle->width;
    const kerb_vec3 corners[4] = {
        point_at(motion->position, axes, front, half),
        point_at(motion->position, axes, rear, half),
        point_at(motion->position, axes, rear, -half),
        point_at(motion->position, axes, front, -half),
    };
    for (int32_t i = 0; i < 4; i++)
        draw_line(buffer, KERB_DRAW_FOOTPRINT, corners[i], corners[(i + 1) % 4]);
}

// --------------------------------------------------------------------------- steering

static bool backs_out(const kerb_follower* follower) {
    return follower->thoughts.reason == KERB_REASON_BACKING_OUT;
}

static bool goes_backwards(const kerb_follower* follower, const kerb_path* path) {
    int32_t segment = follower->memory.location.segment;
    if (follower->memory.path_id == path->id && segment < path->segment_count)
        return (path->points[segment].travel < 0) != backs_out(follower);
    return follower->controls.gear < 0;
}

// sin(x)/x for small x; the next term is below the last bit.
static float chord_per_arc(float x) {
    float square = x * x;
    return 1.0f - square / 6.0f + square * square / 120.0f;
}

// The rear axle's way at the steered curvature: chords of its circle, so that a bend of any
// radius, straight on among them, is drawn by the same arithmetic without loss.
static void draw_arc(kerb_draw_buffer* buffer, const kerb_follower* follower,
                     const kerb_motion* motion, const body_axes* axes, bool backwards) {
    float curvature = follower->thoughts.steer_curvature;
    float length = kerb_max(follower->thoughts.lookahead, follower->vehicle.length);
    if (length * kerb_abs(curvature) > KERB_PI) // half a circle says enough
        length = KERB_PI / kerb_abs(curvature);
    // Left of the travel is right of a vehicle that reverses.
    float way = backwards ? -1.0f : 1.0f;
    body_axes travel = {kerb_vec3_scale(axes->forward, way), kerb_vec3_scale(axes->left, way)};
    float turn = curvature * length / (float)ARC_PIECES;
    float chord = length / (float)ARC_PIECES * chord_per_arc(0.5f * turn);
    kerb_vec3 from =
        point_at(motion->position, axes, -follower->vehicle.reference_to_rear_axle, 0.0f);
    for (int32_t i = 0; i < ARC_PIECES; i++) {
        float sine, cosine;
        kerb_sin_cos(((float)i + 0.5f) * turn, &sine, &cosine);
        kerb_vec3 to = point_at(from, &travel, chord * cosine, chord * sine);
        draw_line(buffer, KERB_DRAW_ARC, from, to);
        from = to;
    }
}

static void draw_aims(kerb_draw_buffer* buffer, const kerb_follower* follower,
                      const kerb_motion* motion) {
    const kerb_follower_thoughts* thoughts = &follower->thoughts;
    draw_point(buffer, KERB_DRAW_NEAREST, thoughts->nearest);
    draw_line(buffer, KERB_DRAW_NEAREST, thoughts->nearest, motion->position);
    draw_point(buffer, KERB_DRAW_TARGET, thoughts->target);
    draw_line(buffer, KERB_DRAW_TARGET, motion->position, thoughts->target);
}

// --------------------------------------------------------------------------- the line ahead

static kerb_vec3 knot_position(const kerb_follower* follower, int32_t knot) {
    return follower->line.position[knot & (KERB_FOLLOWER_LINE_KNOTS - 1)];
}

// A knot moved aside by the lateral offset, square to the chord between its neighbours.
static kerb_vec3 knot_aside(const kerb_follower* follower, int32_t knot) {
    int32_t before = knot > follower->line.first ? knot - 1 : knot;
    int32_t after = knot + 1 < follower->line.knots ? knot + 1 : knot;
    kerb_vec3 chord =
        kerb_vec3_sub(knot_position(follower, after), knot_position(follower, before));
    kerb_vec3 left =
        kerb_vec3_unit(kerb_vec3_make(-chord.y, chord.x, 0.0f), kerb_vec3_make(0.0f, 0.0f, 0.0f));
    return kerb_vec3_along(knot_position(follower, knot), left,
                           follower->memory.lateral_offset + follower->memory.aside);
}

// The last knot that the vehicle has passed, held to those that are filled.
static int32_t knot_here(const kerb_follower* follower) {
    double knots = follower->memory.line_distance / (double)follower->line.spacing;
    int32_t first = follower->line.first, last = follower->line.knots - 1;
    if (!(knots > (double)first))
        return first;
    if (knots >= (double)last)
        return last;
    int32_t knot = (int32_t)knots; // towards 0
    return (double)knot > knots ? knot - 1 : knot;
}

static void draw_line_ahead(kerb_draw_buffer* buffer, const kerb_follower* follower,
                            const kerb_path* path) {
    if (follower->settings.method != KERB_FOLLOWER_KERB) {
        // These drive at the path itself.
        kerb_path_location from = kerb_path_locate(path, follower->thoughts.distance);
        draw_path_ahead(buffer, KERB_DRAW_LINE, path, from, (double)follower->thoughts.lookahead);
        return;
    }
    if (follower->line.knots <= follower->line.first || !(follower->line.spacing > 0.0f))
        return;
    for (int32_t knot = knot_here(follower); knot + 1 < follower->line.knots; knot++)
        draw_line(buffer, KERB_DRAW_LINE, knot_aside(follower, knot),
                  knot_aside(follower, knot + 1));
}

// --------------------------------------------------------------------------- others

static void draw_neighbour(kerb_draw_buffer* buffer, const kerb_neighbour* n,
                           const kerb_motion* motion) {
    if (!(n->length > 0.0f))
        return;
    kerb_vec3 ahead = {0.5f * n->length * n->forward.x, 0.5f * n->length * n->forward.y, 0.0f};
    kerb_vec3 left = {-0.5f * n->width * n->forward.y, 0.5f * n->width * n->forward.x, 0.0f};
    const kerb_vec3 corners[4] = {
        kerb_vec3_add(kerb_vec3_add(n->position, ahead), left),
        kerb_vec3_add(kerb_vec3_sub(n->position, ahead), left),
        kerb_vec3_sub(kerb_vec3_sub(n->position, ahead), left),
        kerb_vec3_sub(kerb_vec3_add(n->position, ahead), left),
    };
    for (int32_t i = 0; i < 4; i++)
        draw_line(buffer, KERB_DRAW_NEIGHBOUR, corners[i], corners[(i + 1) % 4]);
    draw_line(buffer, KERB_DRAW_NEIGHBOUR, motion->position, n->position);
}

// --------------------------------------------------------------------------- in words

// A number with one decimal. Not printf: it writes 0,5 under some locales.
static void add_tenths(kerb_text* text, float value) {
    char digits[12];
    char* at = digits + sizeof digits;
    int32_t tenths = (int32_t)(kerb_clamp(kerb_abs(value), 0.0f, 9999.9f) * 10.0f + 0.5f);
    if (value < 0.0f && tenths > 0)
        kerb_text_add(text, "-");
    *--at = '\0';
    *--at = (char)('0' + tenths % 10);
    *--at = '.';
    do {
        tenths /= 10;
        *--at = (char)('0' + tenths % 10);
    } while (tenths >= 10);
    kerb_text_add(text, at);
}

// "12.3/13.9 m/s: bend ahead": the speed, the target speed, and why.
static void draw_words(kerb_draw_buffer* buffer, const kerb_follower* follower,
                       const kerb_motion* motion, const body_axes* axes) {
    kerb_text text = kerb_text_make("");
    add_tenths(&text, kerb_vec3_dot(axes->forward, motion->velocity));
    kerb_text_add(&text, "/");
    add_tenths(&text, follower->thoughts.target_speed);
    kerb_text_add(&text, " m/s: ");
    kerb_text_add(&text, kerb_reason_text(follower->thoughts.reason));
    float side = follower->memory.stuck.side;
    if (backs_out(follower) && follower->controls.steering != 0.0f)
        kerb_text_add(&text, side > 0.0f ? " nose left" : " nose right");
    kerb_vec3 above = {0.0f, 0.0f, TEXT_HEIGHT};
    draw_text(buffer, KERB_DRAW_SPEED, kerb_vec3_add(motion->position, above), text.text);
}

void kerb_draw_follower(kerb_draw_buffer* buffer, const kerb_follower* follower,
                        const kerb_path* path, const kerb_motion* motion) {
    KERB_ASSERT(buffer != NULL && follower != NULL && motion != NULL);
    KERB_ASSERT(path != NULL && path->count >= 2);
    if (!kerb_motion_is_finite(motion))
        return; // there is no place to draw anything at
    body_axes axes = axes_of(motion->rotation);
    draw_footprint(buffer, &follower->vehicle, motion, &axes);
    if (follower->memory.path_id != 0) { // else it has not thought anything yet
        draw_aims(buffer, follower, motion);
        draw_arc(buffer, follower, motion, &axes, goes_backwards(follower, path));
        draw_line_ahead(buffer, follower, path);
        draw_neighbour(buffer, &follower->thoughts.neighbour, motion);
    }
    draw_words(buffer, follower, motion, &axes);
}
