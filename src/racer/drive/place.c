// Purpose: where a car is on a racing line.
// Idea:    From where it was, moved on by its speed, and corrected to the foot on the line there.
//          So a track that crosses itself or runs beside itself does not matter. A car that is far
//          from there was moved by the host, or is new on this line: then all points are searched,
//          and those whose direction is that of the car are preferred.
// Cost:    O(1); a search is O(points).
#include "../../vehicle/shared.h"
#include "../shared.h"
#include "../skill/skill.h"

#include <math.h>

// Greatest correction of the foot in a frame; beyond it all points are searched. [m]
#define CORRECTION_MOST 12.0
// A line point counts as this much farther away when the line goes the other way there. [m]
#define FACING_WORTH 15.0
// Weight of a metre of height, to tell bridges apart. [1]
#define HEIGHT_WORTH 3.0

bool kerb_in_racer_is_on(const kerb_racer* racer, const kerb_racing_line* line) {
    const double* key = racer->memory.line_key;
    return key[0] == (double)line->count && key[1] == line->length && key[2] == line->points[0].x &&
           key[3] == line->points[0].y;
}

static void remember_line(kerb_racer* racer, const kerb_racing_line* line) {
    double* key = racer->memory.line_key;
    key[0] = (double)line->count;
    key[1] = line->length;
    key[2] = line->points[0].x;
    key[3] = line->points[0].y;
    racer->memory.rounds = 0.0;
    racer->memory.ahead.end = racer->memory.ahead.first = 0;
}

static double place_distance_to(const kerb_line_point* p, kerb_vec3 at, kerb_vec3 forward) {
    double x = (double)at.x - p->x, y = (double)at.y - p->y, z = (double)at.z - p->z;
    float sine, cosine;
    kerb_sin_cos(p->heading, &sine, &cosine);
    double facing = (double)(forward.x * cosine + forward.y * sine);
    double away = (1.0 - facing) * FACING_WORTH;
    return x * x + y * y + HEIGHT_WORTH * HEIGHT_WORTH * z * z + away * away;
}

static double place_search(const kerb_racing_line* line, kerb_vec3 at, kerb_vec3 forward) {
    int32_t best = 0;
    double least = place_distance_to(&line->points[0], at, forward);
    for (int32_t i = 1; i < line->count; i++) {
        double distance = place_distance_to(&line->points[i], at, forward);
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return line->points[best].distance;
}

// Unit vectors along the line and to its left, both within the surface.
static void axes_at(const kerb_line_point* p, kerb_vec3* along, kerb_vec3* left) {
    float sine, cosine;
    kerb_sin_cos(p->heading, &sine, &cosine);
    float level = 1.0f / kerb_sqrt(1.0f + p->slope * p->slope);
    *along = kerb_vec3_make(cosine * level, sine * level, p->slope * level);
    kerb_vec3 aside = {-sine, cosine, 0.0f}; // level, and tilted about the way by the bank
    kerb_vec3 up = kerb_vec3_cross(*along, aside);
    float tilt = kerb_clamp(p->up_left / up.z, -0.99f, 0.99f);
    *left = kerb_vec3_along(kerb_vec3_scale(aside, kerb_sqrt(1.0f - tilt * tilt)), up, tilt);
}

// Offsets of the car from the line point found, along and across within the surface.
static kerb_vec2 offset_from_here(racer_frame* frame) {
    const kerb_line_point* p = &frame->here;
    kerb_vec3 at = frame->motion->position;
    kerb_vec3 off = {(float)((double)at.x - p->x), (float)((double)at.y - p->y),
                     (float)((double)at.z - p->z)};
    axes_at(p, &frame->line_along, &frame->line_left);
    return kerb_vec2_make(kerb_vec3_dot(off, frame->line_along),
                          kerb_vec3_dot(off, frame->line_left));
}

// Moves along the line; rounds of a closed one are counted.
static void place_move(kerb_racer* racer, const kerb_racing_line* line, double step) {
    double now = racer->memory.distance + step;
    if (line->closed && !(now >= 0.0 && now < line->length)) {
        double rounds = line->length * floor(now / line->length);
        now -= rounds;
        racer->memory.rounds += rounds;
    }
    racer->memory.distance = now;
}

// Puts it to a station that was searched. Of all rounds the one counts in which it is nearest to
// `near_to`, a total distance: a car that is put back by some metres across the start line has not
// driven a round, and one that is put on by some metres has not lost one.
static void place_put(kerb_racer* racer, const kerb_racing_line* line, double at, double near_to) {
    racer->memory.distance = at;
    double away = near_to - (racer->memory.rounds + at);
    if (line->closed)
        racer->memory.rounds += line->length * floor(away / line->length + 0.5);
}

// Finds the foot on the line; false when it is not near.
static bool place_settle(kerb_racer* racer, racer_frame* frame) {
    double moved = 0.0;
    for (int32_t round = 0; round < 4; round++) {
        frame->here = kerb_racing_line_at(frame->line, racer->memory.distance);
        kerb_vec2 off = offset_from_here(frame);
        // Inside a bend the foot moves faster than the car.
        float pace = kerb_clamp(1.0f - off.y * frame->here.curvature, 0.3f, 3.0f);
        double step = (double)(off.x / pace);
        moved += step;
        if (moved > CORRECTION_MOST || moved < -CORRECTION_MOST)
            return false;
        place_move(racer, frame->line, step);
        frame->offset = off.y;
        if (step < 0.3 && step > -0.3)
            return true;
    }
    return true;
}

// The total distance near which a car that was put elsewhere must be: rounds are counted from where
// it was before the first jump.
static double place_before_jump(kerb_racer* racer, double total) {
    if (!kerb_in_jump_belongs(racer->memory.since_jump)) {
        racer->memory.before_jump = total;
        racer->memory.since_jump = 0.0f;
    }
    return racer->memory.before_jump;
}

void kerb_in_racer_find(kerb_racer* racer, racer_frame* frame) {
    const kerb_racing_line* line = frame->line;
    bool is_new = racer->memory.line_key[0] == 0.0, same = kerb_in_racer_is_on(racer, line);
    double before = racer->memory.rounds + racer->memory.distance;
    kerb_vec3 at = frame->motion->position;
    kerb_in_jump_pass(&racer->memory.since_jump, frame->time_step);
    if (!same) {
        remember_line(racer, line);
        racer->memory.distance = place_search(line, at, frame->forward);
    } else if (frame->elsewhere) {
        double near_to = place_before_jump(racer, before);
        place_put(racer, line, place_search(line, at, frame->forward), near_to);
    } else {
        place_move(racer, line, (double)(frame->along * frame->time_step));
    }
    if (!place_settle(racer, frame)) {
        double total = racer->memory.rounds + racer->memory.distance;
        place_put(racer, line, place_search(line, at, frame->forward), total);
        frame->here = kerb_racing_line_at(line, racer->memory.distance);
        frame->offset = offset_from_here(frame).y;
    }
    frame->total = racer->memory.rounds + racer->memory.distance;
    frame->past_end = !line->closed && racer->memory.distance >= line->length;
    if (!is_new && !same)
        kerb_in_racer_shift_total(racer, frame->total - before);
    else if (!is_new && frame->elsewhere)
        kerb_in_racer_shift_others(racer, (float)(before - frame->total));
    if (is_new || !same)
        racer->memory.before_jump = frame->total;
}

// Here the line goes straight from point to point, bent by its curvature: exact enough for a
// look-ahead point.
kerb_vec3 kerb_in_racer_look_at(const kerb_racer* racer, const racer_frame* frame, float ahead) {
    const kerb_racing_line* line = frame->line;
    double step = line->length / (double)(line->closed ? line->count : line->count - 1);
    double at = racer->memory.distance + (double)ahead;
    if (line->closed) // at an impossible speed it looks several rounds ahead
        at -= line->length * floor(at / line->length);
    double place = at / step;
    int32_t last = line->closed ? line->count - 1 : line->count - 2;
    int32_t i = place < (double)last ? (int32_t)place : last;
    float share = kerb_clamp((float)(place - (double)i), 0.0f, 1.0f);
    const kerb_line_point* p = &line->points[i];
    const kerb_line_point* q = &line->points[i + 1 < line->count ? i + 1 : 0];
    float x = (float)(q->x - p->x), y = (float)(q->y - p->y), z = (float)(q->z - p->z);
    float square = x * x + y * y, length = kerb_max(kerb_sqrt(square), 0.01f);
    float sagitta = 0.5f * p->curvature * square * share * (1.0f - share);
    racer_spot spot = racer_spot_at(racer, frame->total + (double)ahead);
    float offset = racer_row_at(racer->memory.ahead.offset, spot) +
                   racer_skill_alone(racer) * racer_row_at(racer->memory.ahead.wander, spot);
    float aside = (offset - sagitta) / length;
    return kerb_vec3_make((float)(p->x + (double)(share * x - aside * y)),
                          (float)(p->y + (double)(share * y + aside * x)),
                          (float)(p->z + (double)(share * z)));
}
