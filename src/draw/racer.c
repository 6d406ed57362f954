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
#include "../racer/shared.h"

// A smaller acceleration counts as constant speed. [m/s²]
#define RACER_KEEPS 0.5f
#define RACER_ARC_TIME 1.0f // travel time that the steering arc shows [s]
#define LANE_SHOWN 0.1f     // a smaller shift of the lane is not mentioned in the text [m]

// --------------------------------------------------------------------------- the line ahead

static void racer_draw_way(kerb_draw_buffer* buffer, const kerb_racer* racer,
                           const kerb_racing_line* line, const kerb_motion* motion) {
    racer_piece pieces[KERB_RACER_LOOKAHEAD_BINS];
    float square = kerb_vec3_dot(motion->velocity, motion->velocity);
    int32_t count = kerb_in_racer_path_ahead(racer, line, square, pieces);
    for (int32_t i = 0; i < count; i++)
        kerb_in_draw_line(buffer,
                          pieces[i].acceleration < -RACER_KEEPS  ? KERB_DRAW_BRAKING
                          : pieces[i].acceleration > RACER_KEEPS ? KERB_DRAW_ACCELERATING
                                                                 : KERB_DRAW_PLANNED_PATH,
                          pieces[i].from, pieces[i].to);
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
    if (kerb_in_racer_is_on(racer, line)) {
        racer_draw_aims(buffer, racer, line, motion);
        draw_steering(buffer, racer, motion, &axes);
        racer_draw_way(buffer, racer, line, motion);
        kerb_in_draw_neighbour(buffer, &racer->decision.neighbour, motion);
    }
    racer_draw_text(buffer, racer, motion, &axes);
}
