// Draws the decisions of a racer in world coordinates: footprint, nearest point of the racing line
// and the error to it, the line ahead coloured by braking and accelerating, target, steering arc,
// and text.
//
// Everything is read from the racer's own struct, so a picture can be made from any copy of it. The
// racing line gives positions. The racer's speeds ahead are limits; the speed that is drawn follows
// from the present speed and from the engine. O(bins ahead).
#include "items.h"

#include "kerb/control.h"
#include "kerb/racer.h"
#include "kerb/racing_line.h"

#include "../base/shared.h"

// A smaller acceleration counts as constant speed. [m/s²]
#define RACER_KEEPS 0.5f
#define RACER_ARC_TIME 1.0f // travel time that the steering arc shows [s]
#define LANE_SHOWN 0.1f     // a smaller shift of the lane is not mentioned in the text [m]

static bool is_on(const kerb_racer* racer, const kerb_racing_line* line) {
    const double* key = racer->memory.line_key;
    return key[0] == (double)line->count && key[1] == line->length && key[2] == line->points[0].x &&
           key[3] == line->points[0].y;
}

static int32_t draw_racer_slot_of(int32_t bin) {
    int32_t slot = bin % KERB_RACER_LOOKAHEAD_BINS;
    return slot < 0 ? slot + KERB_RACER_LOOKAHEAD_BINS : slot;
}

// --------------------------------------------------------------------------- the line ahead

static kerb_vec3 draw_racer_place_of(const kerb_racer* racer, const kerb_racing_line* line,
                                     int32_t bin) {
    double at = (double)bin * (double)racer->memory.ahead.spacing;
    kerb_line_point p = kerb_racing_line_at(line, at);
    float sine, cosine, offset = racer->memory.ahead.offset[draw_racer_slot_of(bin)];
    kerb_sin_cos(p.heading, &sine, &cosine);
    double x = p.x, y = p.y;
    if (!line->closed && at > line->length) { // beyond the end the line goes straight on
        x += (at - line->length) * (double)cosine;
        y += (at - line->length) * (double)sine;
    }
    float level = offset * kerb_cos(p.bank);
    kerb_vec3 place = {(float)x - level * sine, (float)y + level * cosine,
                       (float)p.z + offset * kerb_sin(p.bank)};
    return place;
}

static float gain_at(const kerb_racer* racer, int32_t bin, float speed) {
    int32_t slot = draw_racer_slot_of(bin);
    const kerb_profile_point point = {racer->memory.ahead.spacing,
                                      racer->memory.ahead.curvature[slot],
                                      racer->memory.ahead.normal_curvature[slot],
                                      racer->memory.ahead.up_forward[slot],
                                      racer->memory.ahead.up_left[slot],
                                      racer->memory.ahead.up_normal[slot],
                                      racer->memory.ahead.grip[slot],
                                      KERB_SPEED_UNLIMITED};
    return kerb_driving_acceleration(&racer->performance, &point, speed);
}

// The last bin that the car has passed, clamped to the bins that are filled.
static int32_t bin_here(const kerb_racer* racer) {
    double at = racer->decision.total_distance / (double)racer->memory.ahead.spacing;
    if (!(at > (double)racer->memory.ahead.first))
        return racer->memory.ahead.first;
    if (at >= (double)racer->memory.ahead.end - 1.0)
        return racer->memory.ahead.end - 1;
    int32_t bin = (int32_t)at;
    return (double)bin > at ? bin - 1 : bin;
}

static void racer_draw_way(kerb_draw_buffer* buffer, const kerb_racer* racer,
                           const kerb_racing_line* line, const kerb_motion* motion) {
    if (!(racer->memory.ahead.spacing > 0.0f))
        return;
    float step = 2.0f * racer->memory.ahead.spacing;
    float square = kerb_vec3_dot(motion->velocity, motion->velocity);
    kerb_vec3 from = draw_racer_place_of(racer, line, bin_here(racer));
    for (int32_t bin = bin_here(racer); bin + 1 < racer->memory.ahead.end; bin++) {
        float free = square + step * gain_at(racer, bin, kerb_sqrt(square));
        float next =
            kerb_clamp(free, 0.0f, racer->memory.ahead.squared[draw_racer_slot_of(bin + 1)]);
        float gained = (next - square) / step;
        kerb_vec3 to = draw_racer_place_of(racer, line, bin + 1);
        kerb_in_draw_line(buffer,
                          gained < -RACER_KEEPS  ? KERB_DRAW_BRAKING
                          : gained > RACER_KEEPS ? KERB_DRAW_ACCELERATING
                                                 : KERB_DRAW_PLANNED_PATH,
                          from, to);
        square = next;
        from = to;
    }
}

// --------------------------------------------------------------------------- decision

static void racer_draw_aims(kerb_draw_buffer* buffer, const kerb_racer* racer,
                            const kerb_racing_line* line, const kerb_motion* motion) {
    kerb_line_point p = kerb_racing_line_at(line, racer->decision.distance);
    kerb_vec3 nearest = {(float)p.x, (float)p.y, (float)p.z};
    kerb_in_draw_point(buffer, KERB_DRAW_NEAREST, nearest);
    kerb_in_draw_line(buffer, KERB_DRAW_NEAREST, nearest, motion->position);
    kerb_in_draw_point(buffer, KERB_DRAW_TARGET, racer->decision.target);
    kerb_in_draw_line(buffer, KERB_DRAW_TARGET, motion->position, racer->decision.target);
}

static void draw_steering(kerb_draw_buffer* buffer, const kerb_racer* racer,
                          const kerb_motion* motion, const body_axes* axes) {
    float speed = kerb_abs(kerb_vec3_dot(axes->forward, motion->velocity));
    float length = kerb_max(RACER_ARC_TIME * speed, racer->vehicle.length);
    kerb_in_draw_arc(buffer, &racer->vehicle, motion, axes, racer->decision.commanded_curvature,
                     length, racer->controls.gear < 0);
}

static void racer_draw_text(kerb_draw_buffer* buffer, const kerb_racer* racer,
                            const kerb_motion* motion, const body_axes* axes) {
    const kerb_racer_decision* decision = &racer->decision;
    kerb_text text = kerb_in_words_of(motion, axes, decision->target_speed, decision->reason);
    if (kerb_abs(decision->lane_shift) >= LANE_SHOWN) {
        kerb_in_text_add(&text, ", lane ");
        kerb_in_add_tenths(&text, decision->lane_shift);
    }
    kerb_in_draw_words(buffer, motion, &text);
}

void kerb_draw_racer(kerb_draw_buffer* buffer, const kerb_racer* racer,
                     const kerb_racing_line* line, const kerb_motion* motion) {
    KERB_ASSERT(buffer != NULL && racer != NULL && motion != NULL);
    KERB_ASSERT(line != NULL && line->count >= 2);
    if (!kerb_motion_is_finite(motion))
        return; // there is no position to draw at
    body_axes axes = kerb_in_axes_of(motion->rotation);
    kerb_in_draw_footprint(buffer, &racer->vehicle, motion, &axes);
    if (is_on(racer, line)) {
        racer_draw_aims(buffer, racer, line, motion);
        draw_steering(buffer, racer, motion, &axes);
        racer_draw_way(buffer, racer, line, motion);
        kerb_in_draw_neighbour(buffer, &racer->decision.neighbour, motion);
    }
    racer_draw_text(buffer, racer, motion, &axes);
}
