// Purpose: turns the main track of a TORCS track into waypoints.
// Idea:    The track is built exactly as TORCS builds it, because only then do its tracks close:
//
//          - A segment is cut into steps ("profil steps", or the length over "profil steps
//            length").
//            An arc with an end radius has one radius on each step, evenly spaced from the first to
//            the last, and steps of equal length, chosen so that the angles add up. So its length
//            is not the mean radius times the angle. Published lengths agree with this (alpine-1:
//            6355.6 m, not 6804.9 m).
//          - Heights are those of both edges. Each edge is a cubic with given slopes at the ends of
//            the segment; a slope that is not given is that of the segment before. The same holds
//            for the grade.
//          - TORCS measures the width horizontally; Kerb measures it along the banked surface.
//
//          Further points lie on the arcs between the steps of TORCS, because chords are shorter
//          than arcs: a whole track must lose at most a few centimetres.
// Cost:    O(points): one or two passes that count, then one that writes.
// Source:  The format as TORCS 1.3.7 reads it.
#include "io/torcs_xml.h"
#include "kerb/io/track.h"
#include "kerb/math.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SPACING_MAX 2.0     // of points [m]
#define PIECE_TURN_MAX 0.25 // within which the series below are exact [rad]
// On an arc of radius r the spacing is at most sqrt(factor × r): then chords are shorter than arcs
// by factor/24 a radian. The factor is this, or less where a track turns so much that it would
// lose more than that in all. [m]
#define FACTOR_MAX 0.048
#define LOSS_MAX 0.05

enum { STEPS_MAX = 10000 };

// What one segment passes on to the next.
typedef struct pen {
    double x, y, cosine, sine; // end so far, and its heading
    double left, right;        // heights of the edges
    double left_tangent, right_tangent;
    bool graded; // a grade has been given
    double grade;
    double distance; // in the plan
    double turned;   // to either side [rad]
} pen;

// Waypoints go to `waypoints`, or are only counted while that is NULL.
typedef struct builder {
    const torcs_document* document;
    kerb_waypoint* waypoints;
    int32_t count;
    double shift_x, shift_y, shift_z; // spread over the track, so that it closes
    double length;                    // in the plan, from the first pass
    double least[3];                  // coordinates of what TORCS draws, in its own frame
    double factor;                    // of the spacing on arcs [m]
    pen pen;
    kerb_error* error;
} builder;

// A segment as it is drawn.
typedef struct profile {
    double length, radius, radius_step; // of a step; radius 0: straight
    double sign;                        // of the turn: left 1, right -1
    int32_t steps;
    double step_length;
    // Heights of the edges at the ends, and slopes there times the length.
    double left[2], right[2], left_slope[2], right_slope[2];
} profile;

// --------------------------------------------------------------------------- numbers

static bool track_torcs_has(const torcs_segment* s, torcs_number number) {
    return (s->given >> number & 1u) != 0;
}

static double number(const torcs_segment* s, torcs_number number, double standard) {
    return track_torcs_has(s, number) ? s->numbers[number] : standard;
}

static kerb_result track_torcs_refuse(const builder* b, const torcs_segment* s, torcs_number which,
                                      kerb_result result, const char* message) {
    return kerb_error_set(b->error, result, kerb_io_torcs_number_name(which), s->line,
                          (int32_t)(s - b->document->segments), message);
}

static kerb_result need(const builder* b, const torcs_segment* s, torcs_number which, double least,
                        double most) {
    char message[96];
    if (!track_torcs_has(s, which))
        return track_torcs_refuse(b, s, which, KERB_ERROR_MISSING_FIELD, "the segment needs it");
    if (s->numbers[which] >= least && s->numbers[which] <= most)
        return KERB_OK;
    snprintf(message, sizeof message, "must be from %s to %d%s", least < 0.01 ? "0.001" : "0.1",
             (int)most, which == TORCS_ARC ? " rad" : " m");
    return track_torcs_refuse(b, s, which, KERB_ERROR_OUT_OF_RANGE, message);
}

// Numbers that may be missing, but not be huge.
static kerb_result check_rest(const builder* b, const torcs_segment* s) {
    for (int32_t i = TORCS_Z_START; i < TORCS_NUMBER_COUNT; i++) {
        bool angle = i == TORCS_BANKING_START || i == TORCS_BANKING_END;
        if (fabs(number(s, (torcs_number)i, 0.0)) > (angle ? 1.5 : 1e5))
            return track_torcs_refuse(b, s, (torcs_number)i, KERB_ERROR_OUT_OF_RANGE,
                                      angle ? "must be from -1.5 to 1.5 rad" : "is too great");
    }
    return KERB_OK;
}

static kerb_result check_segment(const builder* b, const torcs_segment* s) {
    kerb_result result;
    if (s->type == TORCS_STRAIGHT) {
        result = need(b, s, TORCS_LENGTH, 0.001, 100000.0);
    } else {
        result = need(b, s, TORCS_RADIUS, 0.1, 100000.0);
        if (result == KERB_OK && track_torcs_has(s, TORCS_END_RADIUS))
            result = need(b, s, TORCS_END_RADIUS, 0.1, 100000.0);
        if (result == KERB_OK)
            result = need(b, s, TORCS_ARC, 1e-6, 20.0);
    }
    return result == KERB_OK ? check_rest(b, s) : result;
}

// --------------------------------------------------------------------------- heights

// Banking by its angle, or what the heights of the edges give; in the end heights either way.
static void bank(double middle, double angle, double width, double* left, double* right) {
    double half = 0.5 * width * (double)kerb_tan((float)angle);
    *left = middle + half;
    *right = middle - half;
}

static double bank_of(double left, double right, double width) {
    return (double)kerb_atan2((float)(left - right), (float)width);
}

static void find_heights(const builder* b, const torcs_segment* s, profile* p) {
    const pen* at = &b->pen;
    double width = b->document->width;
    double left[2] = {number(s, TORCS_Z_START_LEFT, at->left),
                      number(s, TORCS_Z_END_LEFT, at->left)};
    double right[2] = {number(s, TORCS_Z_START_RIGHT, at->right),
                       number(s, TORCS_Z_END_RIGHT, at->right)};
    if (track_torcs_has(s, TORCS_Z_START))
        left[0] = right[0] = s->numbers[TORCS_Z_START];
    if (track_torcs_has(s, TORCS_Z_END))
        left[1] = right[1] = s->numbers[TORCS_Z_END];
    double start = 0.5 * (left[0] + right[0]), end = 0.5 * (left[1] + right[1]);
    if (!track_torcs_has(s, TORCS_Z_END) && at->graded)
        end = start + p->length * at->grade;
    double start_bank = number(s, TORCS_BANKING_START, bank_of(left[0], right[0], width));
    double end_bank = number(s, TORCS_BANKING_END, bank_of(left[1], right[1], width));
    bank(start, start_bank, width, &p->left[0], &p->right[0]);
    bank(end, end_bank, width, &p->left[1], &p->right[1]);
}

static void find_slopes(builder* b, const torcs_segment* s, profile* p) {
    pen* at = &b->pen;
    double left[2] = {at->left_tangent, at->left_tangent};
    double right[2] = {at->right_tangent, at->right_tangent};
    if (s->linear) {
        left[0] = left[1] = (p->left[1] - p->left[0]) / p->length;
        right[0] = right[1] = (p->right[1] - p->right[0]) / p->length;
    } else {
        left[0] = number(s, TORCS_START_TANGENT, number(s, TORCS_START_TANGENT_LEFT, left[0]));
        right[0] = number(s, TORCS_START_TANGENT, number(s, TORCS_START_TANGENT_RIGHT, right[0]));
        left[1] = number(s, TORCS_END_TANGENT, number(s, TORCS_END_TANGENT_LEFT, left[1]));
        right[1] = number(s, TORCS_END_TANGENT, number(s, TORCS_END_TANGENT_RIGHT, right[1]));
    }
    at->left_tangent = left[1];
    at->right_tangent = right[1];
    for (int32_t i = 0; i < 2; i++) {
        p->left_slope[i] = left[i] * p->length;
        p->right_slope[i] = right[i] * p->length;
    }
}

// A cubic from `ends`, with the slopes there per unit of t. TORCS draws a single step straight.
static double height(const profile* p, const double ends[2], const double slopes[2], double t) {
    if (p->steps == 1)
        return ends[0] + t * (ends[1] - ends[0]);
    double rest = 1.0 - t;
    return rest * rest * ((1.0 + 2.0 * t) * ends[0] + t * slopes[0]) +
           t * t * ((1.0 + 2.0 * rest) * ends[1] - rest * slopes[1]);
}

// --------------------------------------------------------------------------- steps

static kerb_result find_steps(const builder* b, const torcs_segment* s, profile* p) {
    p->steps = 1;
    if (s->linear)
        return KERB_OK;
    double steps = number(s, TORCS_STEPS, 1.0);
    double each = number(s, TORCS_STEPS_LENGTH, b->document->steps_length);
    bool by_length = steps >= 1.0 && steps < 2.0;
    if (by_length && each != 0.0)
        steps = p->length / each + 1.0;
    if (!(steps >= 1.0 && steps < STEPS_MAX + 1.0))
        return track_torcs_refuse(b, s, by_length ? TORCS_STEPS_LENGTH : TORCS_STEPS,
                                  KERB_ERROR_OUT_OF_RANGE, "a segment may have 1 to 10000 steps");
    p->steps = (int32_t)steps;
    return KERB_OK;
}

// Radii of the steps, and their length.
static void find_radii(const torcs_segment* s, profile* p, double arc) {
    p->step_length = p->length / p->steps;
    double change = number(s, TORCS_END_RADIUS, p->radius) - p->radius;
    if (change == 0.0 || p->steps == 1)
        return;
    double angle = 0.0;
    p->radius_step = change / (p->steps - 1);
    for (int32_t i = 0; i < p->steps; i++)
        angle += p->step_length / (p->radius + i * p->radius_step);
    p->step_length *= arc / angle;
}

static kerb_result make_profile(builder* b, const torcs_segment* s, profile* p) {
    double arc = number(s, TORCS_ARC, 0.0);
    *p = (profile){.length = number(s, TORCS_LENGTH, 0.0)};
    if (s->type != TORCS_STRAIGHT) {
        p->radius = s->numbers[TORCS_RADIUS];
        p->length = 0.5 * (p->radius + number(s, TORCS_END_RADIUS, p->radius)) * arc;
        p->sign = s->type == TORCS_LEFT ? 1.0 : -1.0;
    }
    if (track_torcs_has(s, TORCS_GRADE)) {
        b->pen.graded = true;
        b->pen.grade = s->numbers[TORCS_GRADE];
    }
    find_heights(b, s, p);
    kerb_result result = find_steps(b, s, p);
    if (result != KERB_OK)
        return result;
    find_slopes(b, s, p);
    find_radii(s, p, arc);
    return KERB_OK;
}

// --------------------------------------------------------------------------- drawing

// TORCS shifts its world so that road, kerbs and sides begin at 0. Its own frame begins at the
// right edge of the road.
static void take_least(builder* b, const torcs_segment* s, double t, double left, double right) {
    double half = 0.5 * b->document->width;
    for (int32_t i = 0; i < 2; i++) {
        const torcs_side* side = &s->side[i];
        double out = half + side->border + side->start + t * (side->end - side->start);
        double turn = i == 0 ? 1.0 : -1.0;
        b->least[0] = fmin(b->least[0], b->pen.x + turn * out * b->pen.sine);
        b->least[1] = fmin(b->least[1], b->pen.y - turn * out * b->pen.cosine + half);
    }
    b->least[2] = fmin(b->least[2], fmin(left, right));
}

// `t` is how far along the segment the pen is, from 0 to 1.
static kerb_result add(builder* b, const torcs_segment* s, const profile* p, double t) {
    double width = b->document->width;
    double left = height(p, p->left, p->left_slope, t);
    double right = height(p, p->right, p->right_slope, t);
    double part = b->length > 0.0 ? b->pen.distance / b->length : 0.0;
    double rise = left - right;
    if (b->count == KERB_IO_TRACK_POINTS_MAX)
        return track_torcs_refuse(b, s, TORCS_LENGTH, KERB_ERROR_TOO_MANY, "the track is too long");
    take_least(b, s, t, left, right);
    if (b->waypoints) {
        kerb_waypoint w = kerb_waypoint_at((float)(b->pen.x + part * b->shift_x),
                                           (float)(b->pen.y + part * b->shift_y),
                                           (float)(0.5 * (left + right) + part * b->shift_z));
        w.bank = kerb_atan2((float)rise, (float)width);
        w.grip = (float)s->grip;
        w.left = w.right = (float)(0.5 * sqrt(width * width + rise * rise));
        kerb_result result = kerb_waypoint_validate(&w, b->error);
        if (result != KERB_OK)
            return track_torcs_refuse(b, s, TORCS_LENGTH, result,
                                      "the track leaves the plane of a million m");
        b->waypoints[b->count] = w;
    }
    b->count++;
    return KERB_OK;
}

// Turns the pen's heading. [angle: up to PIECE_TURN_MAX]
static void turn(pen* at, double angle) {
    double q = angle * angle;
    double sine = angle * (1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0 * (1.0 - q / 72.0))));
    double cosine = 1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0 * (1.0 - q / 56.0)));
    double x = at->cosine * cosine - at->sine * sine;
    at->sine = at->cosine * sine + at->sine * cosine;
    at->cosine = x;
}

// The factor from an arc's length to its chord's.
static double chord_factor(double angle) {
    double q = 0.25 * angle * angle;
    return 1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0));
}

static double piece_length(const builder* b, double radius) {
    double most = SPACING_MAX;
    if (radius > 0.0) {
        most = fmin(most, sqrt(b->factor * radius));
        most = fmin(most, PIECE_TURN_MAX * radius);
    }
    return most;
}

static kerb_result draw_step(builder* b, const torcs_segment* s, const profile* p, int32_t step) {
    double radius = p->radius + step * p->radius_step;
    int32_t pieces = (int32_t)(p->step_length / piece_length(b, radius)) + 1;
    double length = p->step_length / pieces;
    double angle = radius > 0.0 ? p->sign * length / radius : 0.0;
    double chord = length * chord_factor(angle);
    for (int32_t i = 0; i < pieces; i++) {
        kerb_result result = add(b, s, p, (step + (double)i / pieces) / p->steps);
        if (result != KERB_OK)
            return result;
        turn(&b->pen, 0.5 * angle);
        b->pen.x += chord * b->pen.cosine;
        b->pen.y += chord * b->pen.sine;
        turn(&b->pen, 0.5 * angle);
        b->pen.distance += length;
        b->pen.turned += fabs(angle);
    }
    return KERB_OK;
}

static kerb_result draw_segment(builder* b, const torcs_segment* s, profile* p) {
    kerb_result result = check_segment(b, s);
    if (result == KERB_OK)
        result = make_profile(b, s, p);
    for (int32_t i = 0; i < p->steps && result == KERB_OK; i++)
        result = draw_step(b, s, p, i);
    b->pen.left = p->left[1];
    b->pen.right = p->right[1];
    return result;
}

// Draws all segments; with `ended` also the point at the end of the last.
static kerb_result draw(builder* b, bool ended) {
    const torcs_document* d = b->document;
    profile p = {.steps = 0};
    const torcs_segment* last = NULL;
    kerb_result result = KERB_OK;
    b->pen = (pen){.cosine = 1.0};
    b->count = 0;
    for (int32_t i = 0; i < d->count && result == KERB_OK; i++) {
        if (d->segments[i].type == TORCS_NO_TYPE)
            continue;
        last = &d->segments[i];
        result = draw_segment(b, last, &p);
    }
    if (result == KERB_OK && !last)
        return kerb_error_set(b->error, KERB_ERROR_TOO_FEW, "type", d->segments[0].line, 0,
                              "no segment has a type");
    return result == KERB_OK && ended ? add(b, last, &p, 1.0) : result;
}

// --------------------------------------------------------------------------- the whole

// Where the first segment begins, which may be above 0.
static double start_height(const builder* b) {
    const torcs_document* d = b->document;
    for (int32_t i = 0; i < d->count; i++) {
        const torcs_segment* s = &d->segments[i];
        double both = number(s, TORCS_Z_START_LEFT, 0.0) + number(s, TORCS_Z_START_RIGHT, 0.0);
        if (s->type != TORCS_NO_TYPE)
            return number(s, TORCS_Z_START, 0.5 * both);
    }
    return 0.0;
}

// Whether it closes; if so, what is missing is spread over it.
static bool close_gap(builder* b) {
    double x = -b->pen.x, y = -b->pen.y;
    double z = start_height(b) - 0.5 * (b->pen.left + b->pen.right);
    double miss = sqrt(x * x + y * y + z * z);
    b->length = b->pen.distance;
    if (miss > 1.0 && miss > 0.002 * b->length)
        return false;
    b->shift_x = x;
    b->shift_y = y;
    b->shift_z = z;
    return true;
}

static kerb_result build(builder* b, kerb_io_track* track, const kerb_allocator* allocator) {
    b->factor = FACTOR_MAX;
    kerb_result result = draw(b, false);
    if (result != KERB_OK)
        return result;
    if (b->pen.turned * FACTOR_MAX / 24.0 > LOSS_MAX) {
        b->factor = 24.0 * LOSS_MAX / b->pen.turned;
        result = draw(b, false);
    }
    if (result != KERB_OK)
        return result;
    bool closed = close_gap(b);
    int32_t count = b->count + (closed ? 0 : 1);
    size_t size = (size_t)count * sizeof(kerb_waypoint);
    b->waypoints = allocator->allocate(allocator->context, size, _Alignof(kerb_waypoint));
    if (!b->waypoints)
        return kerb_error_set(b->error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1,
                              "no memory for the waypoints");
    result = draw(b, !closed);
    if (result != KERB_OK) {
        allocator->release(allocator->context, b->waypoints, size);
        return result;
    }
    *track = (kerb_io_track){
        .waypoints = b->waypoints,
        .count = count,
        .closed = closed,
        .length = b->length,
        .game_origin = {b->least[0], b->least[1] - 0.5 * b->document->width, b->least[2]}};
    memcpy(track->name, b->document->name, sizeof track->name);
    return KERB_OK;
}

kerb_result kerb_io_track_torcs_read(kerb_io_track* track, const char* text, size_t length,
                                     const kerb_host* host, kerb_io_notes* notes,
                                     kerb_error* error) {
    torcs_document document;
    *track = (kerb_io_track){.waypoints = NULL};
    kerb_result result =
        kerb_io_torcs_xml_read(&document, text, length, &host->allocator, notes, error);
    if (result != KERB_OK)
        return result;
    builder b = {.document = &document, .error = error};
    result = build(&b, track, &host->allocator);
    kerb_io_torcs_xml_destroy(&document, &host->allocator);
    return result;
}
