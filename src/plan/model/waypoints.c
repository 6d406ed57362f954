// Purpose: turns a plan into the waypoints of a path, for drivers that follow paths.
// Idea:    Each piece is cut into parts of equal change of speed, and each part into chords that
//          stay within the given error of the arc. At constant acceleration, equal changes of speed
//          take equal times, so the cuts need no square roots.
// Cost:    O(pieces + waypoints), a sine and a cosine per waypoint.
#include "piece.h"

#include "../../base/shared.h"

#include <math.h>

// Smallest spacing of waypoints; nearer ones are left out. kerb_path merges waypoints within 1 mm,
// and the lower of both speed limits would then hold until the next waypoint. [m]
#define WAYPOINTS_SPACING_LEAST 0.002f
// Lowest speed limit that a kerb_waypoint accepts. [m/s]
#define WAYPOINTS_SPEED_LEAST 0.01f
// Greatest angle of a piece that a chord spans, whatever the allowed error. Beyond about 1 rad the
// formula for small angles no longer holds. [rad]
#define CHORD_ANGLE_MOST 1.0f
// Greatest number of waypoints of one piece, and of a plan before its last piece. More are refused,
// so that the counts stay within an int32_t. [1]
#define WAYPOINTS_PARTS_MOST 1.0e6f
#define WAYPOINTS_MOST 100000000

#define WAYPOINTS_ROW(field, ...) KERB_IN_SETTING(kerb_plan_path_settings, field, __VA_ARGS__)
static const kerb_setting path_rows[] = {
    WAYPOINTS_ROW(rear_axle_to_point, "m", -100.0f, 100.0f, 0.0f,
                  "from the rear axle forward to the point on the path"),
    WAYPOINTS_ROW(chord_error, "m", 0.001f, 10.0f, 0.01f,
                  "greatest distance of the segments from the arcs"),
    WAYPOINTS_ROW(speed_step, "m/s", 0.05f, 100.0f, 4.0f,
                  "greatest change of speed between waypoints"),
    WAYPOINTS_ROW(corridor_half_width, "m", 0.0f, 1000.0f, 0.3f, "corridor to each side"),
};
const kerb_settings_table kerb_plan_path_settings_table = {
    "kerb_plan_path_settings", sizeof(kerb_plan_path_settings), path_rows,
    (int32_t)(sizeof path_rows / sizeof path_rows[0])};

kerb_plan_path_settings kerb_plan_path_settings_default(void) {
    kerb_plan_path_settings settings;
    kerb_settings_set_defaults(&kerb_plan_path_settings_table, &settings);
    return settings;
}

// --------------------------------------------------------------------------- checks

static bool waypoints_is_finite(float value) {
    return kerb_abs(value) <= 1.0e30f; // false for NaN
}

static bool is_finite_piece(const kerb_plan_piece* piece) {
    const float numbers[] = {piece->start.position.x,
                             piece->start.position.y,
                             piece->start.forward.x,
                             piece->start.forward.y,
                             piece->duration,
                             piece->length,
                             piece->speed,
                             piece->acceleration,
                             piece->curvature,
                             piece->curvature_change};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!waypoints_is_finite(numbers[i]))
            return false;
    }
    return true;
}

static kerb_result waypoints_check_pieces(const kerb_plan* plan, kerb_error* error) {
    float length = 0.0f;
    for (int32_t i = 0; i < plan->count; i++) {
        const kerb_plan_piece* piece = &plan->pieces[i];
        if (!is_finite_piece(piece))
            return kerb_error_set(error, KERB_ERROR_NOT_FINITE, "pieces", 0, i,
                                  "must be finite numbers");
        if (piece->direction != 1 && piece->direction != -1)
            return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "direction", 0, i,
                                  "must be 1 (forwards) or -1 (in reverse)");
        if (piece->length < 0.0f)
            return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "length", 0, i,
                                  "must not be negative");
        if (piece->duration < 0.0f || piece->duration > KERB_STOP_FOREVER)
            return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "duration", 0, i,
                                  "must lie between 0 and 1e6 s");
        length += piece->length;
    }
    if (!(length > WAYPOINTS_SPACING_LEAST))
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "length", 0, -1, "the plan goes nowhere");
    return KERB_OK;
}

// --------------------------------------------------------------------------- waypoints

// The array for the waypoints, and the last waypoint.
typedef struct output {
    const kerb_plan_path_settings* settings;
    kerb_waypoint* waypoints;
    int32_t capacity, count;
    kerb_waypoint last; // kept here, so that counting and writing run the same code
    float since;        // distance of the rear axle since then [m]
    float standing;     // standstill at the next waypoint [s]
} output;

static void write_last(const output* out) {
    if (out->count > 0 && out->count <= out->capacity)
        out->waypoints[out->count - 1] = out->last;
}

// Adds a waypoint at `pose`, from which the vehicle drives on at up to `speed`.
static void waypoints_put(output* out, kerb_pose pose, float speed, int32_t travel, bool is_end) {
    float limit = kerb_max(speed, WAYPOINTS_SPEED_LEAST);
    bool goes_on = out->count > 0 && out->standing == 0.0f && out->last.direction == travel;
    if (goes_on && !is_end && out->since < WAYPOINTS_SPACING_LEAST) {
        out->last.speed_limit = kerb_max(out->last.speed_limit, limit);
        return;
    }
    write_last(out);
    kerb_vec2 at = kerb_vec2_add(pose.position,
                                 kerb_vec2_scale(pose.forward, out->settings->rear_axle_to_point));
    out->last = kerb_waypoint_at(at.x, at.y, 0.0f);
    out->last.left = out->last.right = out->settings->corridor_half_width;
    out->last.speed_limit = limit;
    out->last.stop = kerb_min(out->standing, KERB_STOP_FOREVER);
    out->last.direction = travel;
    out->count++;
    out->since = out->standing = 0.0f;
}

// Longest distance of the rear axle that a chord may span. [m] The point ahead of the axle runs f
// times as far, on a circle of radius f/k. The chord of an arc of length c and curvature k stays
// within k c²/8 of the arc.
static float chord_of(const kerb_plan_path_settings* settings, float curvature) {
    float bend = kerb_abs(curvature), swing = bend * settings->rear_axle_to_point;
    if (bend < 1.0e-9f)
        return 1.0e9f;
    float stretch = kerb_sqrt(1.0f + swing * swing);
    float chord = kerb_sqrt(8.0f * settings->chord_error / (bend * stretch));
    return kerb_min(chord, CHORD_ANGLE_MOST / bend);
}

static float parts_for(float whole, float most) {
    return kerb_max(floorf(whole / most * 0.99999f) + 1.0f, 1.0f);
}

// Adds the waypoints from `from` to `to` metres along the piece, with speed limit `speed`.
static void put_part(output* out, const kerb_plan_piece* piece, float from, float to, float speed) {
    int32_t chords = (int32_t)parts_for(to - from, chord_of(out->settings, plan_piece_bend(piece)));
    float step = (to - from) / (float)chords;
    for (int32_t i = 0; i < chords; i++) {
        waypoints_put(out, plan_piece_pose(piece, from + (float)i * step), speed, piece->direction,
                      false);
        out->since += step;
    }
}

static void put_piece(output* out, const kerb_plan_piece* piece) {
    if (!(piece->length > 0.0f)) {
        out->standing += piece->duration;
        return;
    }
    float change = piece->acceleration * piece->duration;
    int32_t parts = (int32_t)parts_for(kerb_abs(change), out->settings->speed_step);
    float from = 0.0f;
    for (int32_t i = 0; i < parts; i++) {
        float time = piece->duration * (float)(i + 1) / (float)parts;
        float to = (piece->speed + 0.5f * piece->acceleration * time) * time;
        to = i + 1 == parts ? piece->length : kerb_clamp(to, from, piece->length);
        float before = piece->speed + change * (float)i / (float)parts;
        float after = piece->speed + change * (float)(i + 1) / (float)parts;
        put_part(out, piece, from, to, kerb_max(before, after));
        from = to;
    }
}

static bool is_endless(const kerb_plan_path_settings* settings, const kerb_plan_piece* piece) {
    float parts = kerb_abs(piece->acceleration) * piece->duration / settings->speed_step;
    return parts + piece->length / chord_of(settings, plan_piece_bend(piece)) >
           WAYPOINTS_PARTS_MOST;
}

static void put_end(output* out, const kerb_plan* plan) {
    const kerb_plan_piece* piece = &plan->pieces[plan->count - 1];
    float speed = kerb_max(piece->speed + piece->acceleration * piece->duration, 0.0f);
    kerb_pose end = plan_piece_pose(piece, piece->length);
    // A last piece at standstill keeps the direction of the piece before it.
    int32_t travel = piece->length > 0.0f ? piece->direction : out->last.direction;
    waypoints_put(out, end, speed, travel, true);
    write_last(out);
}

kerb_result kerb_plan_waypoints(const kerb_plan* plan, const kerb_plan_path_settings* settings,
                                kerb_waypoint* waypoints, int32_t capacity, int32_t* count,
                                kerb_error* error) {
    KERB_ASSERT(plan && settings && count && (waypoints || capacity <= 0));
    *count = 0;
    kerb_result result = kerb_settings_validate(&kerb_plan_path_settings_table, settings, error);
    if (result != KERB_OK)
        return result;
    if (plan->count < 1 || plan->pieces == NULL)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "count", 0, -1, "there is no plan");
    result = waypoints_check_pieces(plan, error);
    if (result != KERB_OK)
        return result;
    output out = {.settings = settings, .waypoints = waypoints, .capacity = capacity};
    for (int32_t i = 0; i < plan->count; i++) {
        if (is_endless(settings, &plan->pieces[i]) || out.count > WAYPOINTS_MOST)
            return kerb_error_set(error, KERB_ERROR_TOO_MANY, "pieces", 0, i,
                                  "takes more waypoints than a path has");
        put_piece(&out, &plan->pieces[i]);
    }
    put_end(&out, plan);
    *count = out.count;
    if (out.count > capacity)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "waypoints", 0, -1,
                              "more waypoints than the array holds");
    return KERB_OK;
}
