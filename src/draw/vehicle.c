// What pictures of all vehicles share: footprint, steering arc, the neighbour that it reacts to,
// and text.
#include "items.h"

#define ARC_PIECES 16 // chords of the arc: 11 degrees each for half a circle
// Height of the text above the reference point. [m]
#define TEXT_HEIGHT 2.0f

body_axes kerb_in_axes_of(kerb_quat q) {
    float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    float scale = 1.0f / kerb_sqrt(square);
    kerb_quat unit = {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
    body_axes axes = {kerb_quat_forward(unit), kerb_quat_left(unit)};
    return axes;
}

// The point `along` in front of `from` and `across` to its left.
static kerb_vec3 vehicle_point_at(kerb_vec3 from, const body_axes* axes, float along,
                                  float across) {
    return kerb_vec3_along(kerb_vec3_along(from, axes->forward, along), axes->left, across);
}

void kerb_in_draw_footprint(kerb_draw_buffer* buffer, const kerb_vehicle* vehicle,
                            const kerb_motion* motion, const body_axes* axes) {
    float front = vehicle->reference_to_front, rear = front - vehicle->length;
    float half = 0.5f * vehicle->width;
    const kerb_vec3 corners[4] = {
        vehicle_point_at(motion->position, axes, front, half),
        vehicle_point_at(motion->position, axes, rear, half),
        vehicle_point_at(motion->position, axes, rear, -half),
        vehicle_point_at(motion->position, axes, front, -half),
    };
    for (int32_t i = 0; i < 4; i++)
        kerb_in_draw_line(buffer, KERB_DRAW_FOOTPRINT, corners[i], corners[(i + 1) % 4]);
}

// sin(x)/x for small x. The next term is below the last bit of a float.
static float chord_per_arc(float x) {
    float square = x * x;
    return 1.0f - square / 6.0f + square * square / 120.0f;
}

// Chords of the arc. So a bend of any radius, also a straight line, is drawn by one formula without
// loss of precision.
void kerb_in_draw_arc(kerb_draw_buffer* buffer, const kerb_vehicle* vehicle,
                      const kerb_motion* motion, const body_axes* axes, float curvature,
                      float length, bool backwards) {
    if (length * kerb_abs(curvature) > KERB_PI) // half a circle is enough
        length = KERB_PI / kerb_abs(curvature);
    // The left side of the travel is the right side of a vehicle in reverse.
    float way = backwards ? -1.0f : 1.0f;
    body_axes travel = {kerb_vec3_scale(axes->forward, way), kerb_vec3_scale(axes->left, way)};
    float turn = curvature * length / (float)ARC_PIECES;
    float chord = length / (float)ARC_PIECES * chord_per_arc(0.5f * turn);
    kerb_vec3 from =
        vehicle_point_at(motion->position, axes, -vehicle->reference_to_rear_axle, 0.0f);
    for (int32_t i = 0; i < ARC_PIECES; i++) {
        float sine, cosine;
        kerb_sin_cos(((float)i + 0.5f) * turn, &sine, &cosine);
        kerb_vec3 to = vehicle_point_at(from, &travel, chord * cosine, chord * sine);
        kerb_in_draw_line(buffer, KERB_DRAW_ARC, from, to);
        from = to;
    }
}

void kerb_in_draw_neighbour(kerb_draw_buffer* buffer, const kerb_neighbour* n,
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
        kerb_in_draw_line(buffer, KERB_DRAW_NEIGHBOUR, corners[i], corners[(i + 1) % 4]);
    kerb_in_draw_line(buffer, KERB_DRAW_NEIGHBOUR, motion->position, n->position);
}

// --------------------------------------------------------------------------- text

void kerb_in_add_tenths(kerb_text* text, float value) {
    char digits[12];
    char* at = digits + sizeof digits;
    int32_t tenths = (int32_t)(kerb_clamp(kerb_abs(value), 0.0f, 9999.9f) * 10.0f + 0.5f);
    if (value < 0.0f && tenths > 0)
        kerb_in_text_add(text, "-");
    *--at = '\0';
    *--at = (char)('0' + tenths % 10);
    *--at = '.';
    do {
        tenths /= 10;
        *--at = (char)('0' + tenths % 10);
    } while (tenths >= 10);
    kerb_in_text_add(text, at);
}

kerb_text kerb_in_words_of(const kerb_motion* motion, const body_axes* axes, float target_speed,
                           kerb_reason reason) {
    kerb_text text = kerb_in_text_make("");
    kerb_in_add_tenths(&text, kerb_vec3_dot(axes->forward, motion->velocity));
    kerb_in_text_add(&text, "/");
    kerb_in_add_tenths(&text, target_speed);
    kerb_in_text_add(&text, " m/s: ");
    kerb_in_text_add(&text, kerb_reason_text(reason));
    return text;
}

void kerb_in_draw_words(kerb_draw_buffer* buffer, const kerb_motion* motion,
                        const kerb_text* text) {
    kerb_vec3 above = {0.0f, 0.0f, TEXT_HEIGHT};
    kerb_in_draw_text(buffer, KERB_DRAW_SPEED, kerb_vec3_add(motion->position, above), text->text);
}
