// Writes the replay page: the embedded page with its title, style, scripts and data filled in.
//
// The data is JSON whose long columns are base64: positions as little-endian float32, other numbers
// as int16 times a decimal step chosen from the column's greatest value, words as bytes. That is a
// third of the size of decimal text and faster to unpack. Numbers are written from integers
// (page_writer.h), because printf's decimal point depends on the locale.
//
// Cost:    one pass over the frames for each column, two for the int16 ones (their step comes
//          first).
#include "tool/page/replay_page.h"

#include "tool/page/page_writer.h"

#include <math.h>
#include <string.h>

// What a page shows.
typedef enum tool_replay_kind {
    TOOL_REPLAY_TRIALS, // on a course, each for itself
    TOOL_REPLAY_TOWN,   // in a town, at the same time
    TOOL_REPLAY_LAPS,   // along lines of a track, as fast as their speed profiles say
    TOOL_REPLAY_AGENTS  // among one another, without a course
} tool_replay_kind;

// --------------------------------------------------------------------------- courses

typedef enum waypoint_column {
    WAYPOINT_X,
    WAYPOINT_Y,
    WAYPOINT_LEFT,
    WAYPOINT_RIGHT,
    WAYPOINT_LIMIT,
    WAYPOINT_STOP,
    WAYPOINT_DIRECTION,
    WAYPOINT_COLUMNS
} waypoint_column;

static float replay_page_waypoint_value(const kerb_waypoint* waypoint, waypoint_column column) {
    switch (column) {
    case WAYPOINT_X:
        return waypoint->position.x;
    case WAYPOINT_Y:
        return waypoint->position.y;
    case WAYPOINT_LEFT:
        return waypoint->left;
    case WAYPOINT_RIGHT:
        return waypoint->right;
    case WAYPOINT_LIMIT:
        return waypoint->speed_limit;
    case WAYPOINT_STOP:
        return waypoint->stop;
    default:
        return (float)waypoint->direction;
    }
}

/// Huge courses are thinned, but never by a place where the vehicle does something.
static bool waypoint_is_kept(const kerb_scene_course* course, int32_t i) {
    int32_t every = 1 + (course->count - 1) / TOOL_REPLAY_WAYPOINTS_MOST;
    const kerb_waypoint* waypoint = &course->waypoints[i];
    return i % every == 0 || i == course->count - 1 || waypoint->stop > 0.0f ||
           waypoint->direction != course->waypoints[i - 1].direction;
}

static void put_floats(FILE* out, const char* name, const float* values, int32_t count) {
    fprintf(out, ",\"%s\":\"", name);
    tool_base64 stream = {out, 0, 0};
    for (int32_t i = 0; i < count; i++)
        tool_base64_float(&stream, values[i]);
    tool_base64_end(&stream);
    fputc('"', out);
}

/// One after the other: from x, y, to x, y, thickness, its kerb_sim_obstacle_kind.
static void put_solids(FILE* out, const kerb_sim_world* world) {
    fputs(",\"solids\":\"", out);
    tool_base64 stream = {out, 0, 0};
    for (int32_t i = 0; i < world->obstacle_count; i++) {
        const kerb_sim_obstacle* o = &world->obstacles[i];
        const float row[] = {o->from.x, o->from.y, o->to.x, o->to.y, o->thickness, (float)o->kind};
        for (int32_t k = 0; k < 6; k++)
            tool_base64_float(&stream, row[k]);
    }
    tool_base64_end(&stream);
    fputc('"', out);
}

/// One after the other: centre x, y, radius, half length, half width, heading, grip.
static void put_zones(FILE* out, const kerb_sim_world* world) {
    fputs(",\"zones\":\"", out);
    tool_base64 stream = {out, 0, 0};
    for (int32_t i = 0; i < world->zone_count; i++) {
        const kerb_sim_zone* z = &world->zones[i];
        const float row[] = {z->centre.x,   z->centre.y, z->radius, z->half_length,
                             z->half_width, z->heading,  z->grip};
        for (int32_t k = 0; k < 7; k++)
            tool_base64_float(&stream, row[k]);
    }
    tool_base64_end(&stream);
    fputc('"', out);
}

static void put_terrain(FILE* out, const kerb_sim_terrain* terrain) {
    fputs(",\"terrain\":{", out);
    tool_page_field_number(out, "x", (double)terrain->x, 3);
    tool_page_field_number(out, "y", (double)terrain->y, 3);
    tool_page_field_number(out, "spacing", (double)terrain->spacing, 3);
    fprintf(out, "\"nx\":%d,\"ny\":%d", (int)terrain->nx, (int)terrain->ny);
    put_floats(out, "heights", terrain->heights, terrain->nx * terrain->ny);
    fputc('}', out);
}

static void put_street(tool_base64* stream, const kerb_waypoint* points, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        tool_base64_float(stream, points[i].position.x);
        tool_base64_float(stream, points[i].position.y);
        tool_base64_float(stream, points[i].right);
        tool_base64_float(stream, i == 0 ? 1.0f : 0.0f);
    }
}

/// One after the other: x, y, half width, 1 where another lane or link begins.
static void put_streets(FILE* out, const kerb_scene_town* town) {
    fputs(",\"streets\":\"", out);
    tool_base64 stream = {out, 0, 0};
    for (int32_t i = 0; i < town->lane_count; i++)
        put_street(&stream, &town->points[town->lanes[i].first], town->lanes[i].count);
    for (int32_t i = 0; i < town->link_count; i++)
        put_street(&stream, &town->points[town->links[i].first], town->links[i].count);
    tool_base64_end(&stream);
    fputc('"', out);
}

static void replay_page_put_course(FILE* out, const kerb_scene_course* course,
                                   tool_replay_kind kind, const kerb_scene_town* town) {
    static const char* const names[WAYPOINT_COLUMNS] = {"x",     "y",    "left",     "right",
                                                        "limit", "stop", "direction"};
    fputc('{', out);
    tool_page_field_text(out, "name", course->name);
    tool_page_field_text(out, "about", course->about);
    fprintf(out, "\"closed\":%s", course->closed ? "true" : "false");
    if (kind == TOOL_REPLAY_AGENTS)
        fputs(",\"agents\":true", out);
    if (kind == TOOL_REPLAY_LAPS)
        fputs(",\"laps\":true", out);
    for (int32_t column = 0; column < WAYPOINT_COLUMNS; column++) {
        fprintf(out, ",\"%s\":\"", names[column]);
        tool_base64 stream = {out, 0, 0};
        for (int32_t i = 0; i < course->count; i++)
            if (waypoint_is_kept(course, i))
                tool_base64_float(&stream, replay_page_waypoint_value(&course->waypoints[i],
                                                                      (waypoint_column)column));
        tool_base64_end(&stream);
        fputc('"', out);
    }
    put_solids(out, &course->world);
    put_zones(out, &course->world);
    if (town != NULL)
        put_streets(out, town);
    if (course->world.terrain.nx > 0)
        put_terrain(out, &course->world.terrain);
    fputc('}', out);
}

// --------------------------------------------------------------------------- samples of a trial

/// When a trial's samples lie: every `stride` ticks of 1 / TOOL_REPLAY_RATE s from its first frame.
typedef struct sample_grid {
    const kerb_scene_frame* frames;
    int32_t frame_count;
    int32_t stride;
    int32_t count;
} sample_grid;

/// Thinned by `page_stride`, and further where the trial is long.
static sample_grid sample_grid_for(const tool_recording* recording, int32_t page_stride) {
    sample_grid grid = {recording->frames, recording->count, page_stride, 0};
    if (grid.frame_count == 0)
        return grid;
    double duration = grid.frames[grid.frame_count - 1].time - grid.frames[0].time;
    // The tiny step back keeps 2.0000001 ticks from becoming three.
    double ticks = ceil(duration * TOOL_REPLAY_RATE - 1.0e-3);
    ticks = ticks < 1.0 ? 1.0 : ticks < 1.0e9 ? ticks : 1.0e9;
    int32_t own_stride = 1 + (int32_t)(ticks / TOOL_REPLAY_SAMPLES_MOST);
    grid.stride = own_stride > page_stride ? own_stride : page_stride;
    grid.count = 1 + (int32_t)ceil(ticks / grid.stride);
    return grid;
}

static double sample_time(const sample_grid* grid, int32_t index) {
    return grid->frames[0].time + (double)index * grid->stride / TOOL_REPLAY_RATE;
}

/// Between which frames a sample lies. Kept from one sample to the next, so a pass is O(frames).
typedef struct sample_place {
    const kerb_scene_frame* before;
    const kerb_scene_frame* after; ///< same as `before` at the last frame
    float part;                    ///< of the way from one to the other [0 … 1]
} sample_place;

static sample_place sample_place_next(const sample_grid* grid, int32_t* frame, int32_t index) {
    double time = sample_time(grid, index);
    // A frame that is due at this very tick counts, whatever rounding its time has gathered.
    while (*frame + 1 < grid->frame_count && grid->frames[*frame + 1].time <= time + 1.0e-4)
        ++*frame;
    const kerb_scene_frame* before = &grid->frames[*frame];
    sample_place place = {before, before, 0.0f};
    if (*frame + 1 < grid->frame_count) {
        place.after = before + 1;
        double gap = place.after->time - before->time;
        place.part =
            gap > 0.0 ? kerb_clamp((float)((time - before->time) / gap), 0.0f, 1.0f) : 0.0f;
    }
    return place;
}

typedef enum column_kind { COLUMN_FLOAT, COLUMN_INT16, COLUMN_ANGLE } column_kind;

typedef enum frame_column {
    FRAME_X,
    FRAME_Y,
    FRAME_PROGRESS,
    FRAME_HEADING,
    FRAME_SPEED,
    FRAME_STEERING,
    FRAME_THROTTLE,
    FRAME_BRAKE,
    FRAME_NEAREST_X,
    FRAME_NEAREST_Y,
    FRAME_TARGET_X,
    FRAME_TARGET_Y,
    FRAME_LOOKAHEAD,
    FRAME_TARGET_SPEED,
    FRAME_CURVATURE,
    FRAME_STEER_CURVATURE,
    FRAME_ERROR,
    FRAME_HEADING_ERROR,
    FRAME_ACCELERATION,
    FRAME_COLUMNS
} frame_column;

/// How a column is written. Values are held to ±most: a cusp's curvature of 100/m would otherwise
/// leave no digits for a bend of 100 m.
typedef struct column_format {
    const char* name;
    column_kind kind;
    float most;
} column_format;

static const column_format frame_formats[FRAME_COLUMNS] = {
    {"x", COLUMN_FLOAT, 0.0f},
    {"y", COLUMN_FLOAT, 0.0f},
    {"progress", COLUMN_FLOAT, 0.0f},
    {"heading", COLUMN_ANGLE, 4.0f},
    {"speed", COLUMN_INT16, 1000.0f},
    {"steering", COLUMN_INT16, 1.0f},
    {"throttle", COLUMN_INT16, 1.0f},
    {"brake", COLUMN_INT16, 1.0f},
    {"nearest_x", COLUMN_INT16, 1000.0f},
    {"nearest_y", COLUMN_INT16, 1000.0f},
    {"target_x", COLUMN_INT16, 1000.0f},
    {"target_y", COLUMN_INT16, 1000.0f},
    {"lookahead", COLUMN_INT16, 1000.0f},
    {"target_speed", COLUMN_INT16, 1000.0f},
    {"curvature", COLUMN_INT16, 1.0f},
    {"steer_curvature", COLUMN_INT16, 1.0f},
    {"error", COLUMN_INT16, 1000.0f},
    {"heading_error", COLUMN_ANGLE, 4.0f},
    {"acceleration", COLUMN_INT16, 1000.0f},
};

/// Nearest and target point count from the vehicle: small numbers keep millimetres in 16 bits.
static float frame_value(const kerb_scene_frame* frame, frame_column column) {
    const kerb_motion* motion = &frame->motion;
    const kerb_follower_decision* thoughts = &frame->thoughts;
    switch (column) {
    case FRAME_X:
        return motion->position.x;
    case FRAME_Y:
        return motion->position.y;
    case FRAME_PROGRESS:
        return (float)frame->progress;
    case FRAME_HEADING:
        return kerb_quat_heading(motion->rotation);
    case FRAME_SPEED:
        return kerb_motion_forward_speed(motion);
    case FRAME_STEERING:
        return motion->steering;
    case FRAME_THROTTLE:
        return frame->controls.throttle;
    case FRAME_BRAKE:
        return frame->controls.brake;
    case FRAME_NEAREST_X:
        return thoughts->nearest.x - motion->position.x;
    case FRAME_NEAREST_Y:
        return thoughts->nearest.y - motion->position.y;
    case FRAME_TARGET_X:
        return thoughts->target.x - motion->position.x;
    case FRAME_TARGET_Y:
        return thoughts->target.y - motion->position.y;
    case FRAME_LOOKAHEAD:
        return thoughts->lookahead;
    case FRAME_TARGET_SPEED:
        return thoughts->target_speed;
    case FRAME_CURVATURE:
        return thoughts->limiting_curvature;
    case FRAME_STEER_CURVATURE:
        return thoughts->commanded_curvature;
    case FRAME_ERROR:
        return frame->cross_track_error;
    case FRAME_HEADING_ERROR:
        return thoughts->heading_error;
    default:
        return thoughts->acceleration;
    }
}

static float sample_value(const sample_place* place, frame_column column) {
    float before = frame_value(place->before, column);
    float change = frame_value(place->after, column) - before;
    if (frame_formats[column].kind == COLUMN_ANGLE)
        change = kerb_wrap_angle(change);
    float value = before + change * place->part;
    if (frame_formats[column].kind == COLUMN_ANGLE)
        value = kerb_wrap_angle(value);
    return kerb_is_finite(value) ? value : 0.0f;
}

// --------------------------------------------------------------------------- columns of a trial

static double column_greatest(const sample_grid* grid, frame_column column) {
    float greatest = 0.0f;
    int32_t frame = 0;
    for (int32_t i = 0; i < grid->count; i++) {
        sample_place place = sample_place_next(grid, &frame, i);
        greatest = kerb_max(kerb_abs(sample_value(&place, column)), greatest);
    }
    return (double)kerb_min(greatest, frame_formats[column].most);
}

static void put_float_column(FILE* out, const sample_grid* grid, frame_column column) {
    fprintf(out, ",\"%s\":\"", frame_formats[column].name);
    tool_base64 stream = {out, 0, 0};
    int32_t frame = 0;
    for (int32_t i = 0; i < grid->count; i++) {
        sample_place place = sample_place_next(grid, &frame, i);
        tool_base64_float(&stream, sample_value(&place, column));
    }
    tool_base64_end(&stream);
    fputc('"', out);
}

static void put_int16_column(FILE* out, const sample_grid* grid, frame_column column) {
    float most = frame_formats[column].most;
    tool_decimal_step step = tool_decimal_step_for(column_greatest(grid, column));
    double size = tool_decimal_step_value(step);
    fprintf(out, ",\"%s\":{\"step\":%de%d,\"data\":\"", frame_formats[column].name, (int)step.digit,
            (int)step.exponent);
    tool_base64 stream = {out, 0, 0};
    int32_t frame = 0;
    for (int32_t i = 0; i < grid->count; i++) {
        sample_place place = sample_place_next(grid, &frame, i);
        float value = kerb_clamp(sample_value(&place, column), -most, most);
        tool_base64_int16(&stream, (int32_t)floor((double)value / size + 0.5));
    }
    tool_base64_end(&stream);
    fputs("\"}", out);
}

/// What cannot lie between two frames, packed into two bytes: the reason, then the gear + 2 in the
/// low four bits, "left the corridor", "stuck", "touches a solid" and "absent" in the next. Those
/// four count when they held in any frame since the last sample, so that thinning hides no fault.
static void replay_page_put_states(FILE* out, const sample_grid* grid) {
    fputs(",\"states\":\"", out);
    tool_base64 stream = {out, 0, 0};
    int32_t frame = 0;
    for (int32_t i = 0; i < grid->count; i++) {
        int32_t from = i > 0 ? frame + 1 : 0;
        sample_place place = sample_place_next(grid, &frame, i);
        bool outside = !place.before->inside_corridor;
        bool stuck = place.before->stuck;
        bool touching = place.before->touching;
        bool absent = place.before->absent;
        for (int32_t k = from; k < frame; k++) {
            outside = outside || !grid->frames[k].inside_corridor;
            stuck = stuck || grid->frames[k].stuck;
            touching = touching || grid->frames[k].touching;
            absent = absent || grid->frames[k].absent;
        }
        uint32_t gear = (uint32_t)(place.before->motion.gear + 2) & 15u;
        tool_base64_byte(&stream, (uint32_t)place.before->controls.reason);
        tool_base64_byte(&stream, gear | (outside ? 16u : 0u) | (stuck ? 32u : 0u) |
                                      (touching ? 64u : 0u) | (absent ? 128u : 0u));
    }
    tool_base64_end(&stream);
    fputc('"', out);
}

// --------------------------------------------------------------------------- trials

static void replay_page_put_vehicle(FILE* out, const tool_recording* recording) {
    const kerb_vehicle* vehicle = &recording->vehicle;
    fputs("\"vehicle\":{", out);
    tool_page_field_text(out, "name", recording->vehicle_name);
    if (recording->role)
        tool_page_field_text(out, "role", recording->role);
    if (recording->is_marked)
        fputs("\"marked\":true,", out);
    tool_page_field_number(out, "kind", (double)vehicle->kind, 0);
    tool_page_field_number(out, "length", (double)vehicle->length, 3);
    tool_page_field_number(out, "width", (double)vehicle->width, 3);
    tool_page_field_number(out, "reference_to_front", (double)vehicle->reference_to_front, 3);
    tool_page_field_number(out, "reference_to_rear_axle", (double)vehicle->reference_to_rear_axle,
                           3);
    tool_page_field_number(out, "wheelbase", (double)vehicle->wheelbase, 3);
    fputs("\"steering_angle_max\":", out);
    tool_page_number(out, (double)vehicle->steering_angle_max, 5);
    fputs("},", out);
}

static void replay_page_put_result(FILE* out, const kerb_scene_result* result) {
    fputs("\"result\":{", out);
    tool_page_field_number(out, "time_s", result->time, 3);
    tool_page_field_number(out, "distance_m", result->distance, 3);
    tool_page_field_number(out, "cte_mean_m", result->cte_mean, 4);
    tool_page_field_number(out, "cte_max_m", result->cte_max, 4);
    tool_page_field_number(out, "inside_corridor_percent", result->inside_percent, 3);
    tool_page_field_number(out, "speed_mean_mps", result->speed_mean, 3);
    fprintf(out, "\"stuck_events\":%d,\"contacts\":%d,\"finished\":%s},", (int)result->stuck_events,
            (int)result->contacts, result->finished ? "true" : "false");
}

/// The least stride that keeps the page from becoming too large to send to somebody.
static int32_t page_stride_for(const tool_recording* const* recordings, int32_t count,
                               int32_t samples_most) {
    int64_t samples = 0;
    for (int32_t i = 0; i < count; i++) {
        sample_grid grid = sample_grid_for(recordings[i], 1);
        samples += (int64_t)grid.count * grid.stride; // as many as there would be without thinning
    }
    return 1 + (int32_t)(samples / samples_most);
}

static void replay_page_put_trial(FILE* out, const tool_recording* recording, int32_t course,
                                  int32_t page_stride) {
    sample_grid grid = sample_grid_for(recording, page_stride);
    fprintf(out, "{\"course\":%d,", (int)course);
    tool_page_field_text(out, "follower", recording->follower_name);
    tool_page_field_number(out, "lateral_acceleration",
                           (double)(recording->settings.lateral_acceleration * KERB_GRAVITY), 4);
    replay_page_put_vehicle(out, recording);
    replay_page_put_result(out, &recording->result);
    bool any = grid.frame_count > 0;
    tool_page_field_number(out, "start", any ? grid.frames[0].time : 0.0, 6);
    tool_page_field_number(out, "end", any ? grid.frames[grid.frame_count - 1].time : 0.0, 6);
    fprintf(out, "\"rate\":%d,\"stride\":%d,\"count\":%d", TOOL_REPLAY_RATE, (int)grid.stride,
            (int)grid.count);
    for (int32_t column = 0; column < FRAME_COLUMNS; column++)
        if (frame_formats[column].kind == COLUMN_FLOAT)
            put_float_column(out, &grid, (frame_column)column);
        else
            put_int16_column(out, &grid, (frame_column)column);
    replay_page_put_states(out, &grid);
    fputc('}', out);
}

/// Index of a recording's course among the different courses, in the order of their appearance.
/// O(recordings²) over all calls, which for the hundreds that a page can hold is nothing.
static int32_t replay_page_course_index(const tool_recording* const* recordings, int32_t recording,
                                        bool* is_first) {
    int32_t index = 0;
    for (int32_t i = 0; i <= recording; i++) {
        bool first = true;
        for (int32_t k = 0; k < i && first; k++)
            first = recordings[k]->course != recordings[i]->course;
        if (recordings[i]->course == recordings[recording]->course) {
            *is_first = i == recording;
            return index;
        }
        index += first;
    }
    return index;
}

static void put_courses(FILE* out, const tool_recording* const* recordings, int32_t count,
                        tool_replay_kind kind, const kerb_scene_town* town) {
    fputs("\"courses\":[", out);
    for (int32_t i = 0; i < count; i++) {
        bool is_first = false;
        (void)replay_page_course_index(recordings, i, &is_first);
        if (!is_first)
            continue;
        fputs(i > 0 ? ",\n" : "\n", out);
        replay_page_put_course(out, recordings[i]->course, kind, town);
    }
    fputs("\n],\n", out);
}

static void put_trials(FILE* out, const tool_recording* const* recordings, int32_t count,
                       int32_t samples_most) {
    int32_t page_stride = page_stride_for(recordings, count, samples_most);
    fputs("\"trials\":[", out);
    for (int32_t i = 0; i < count; i++) {
        bool is_first = false;
        fputs(i > 0 ? ",\n" : "\n", out);
        replay_page_put_trial(out, recordings[i],
                              replay_page_course_index(recordings, i, &is_first), page_stride);
    }
    fputs("\n]", out);
}

static void put_reasons(FILE* out) {
    fputs("\"reasons\":[", out);
    for (int32_t reason = 0; reason < KERB_REASON_COUNT; reason++) {
        if (reason > 0)
            fputc(',', out);
        tool_page_text(out, kerb_reason_text((kerb_reason)reason));
    }
    fputs("],\n", out);
}

static void replay_page_put_data(FILE* out, const char* title,
                                 const tool_recording* const* recordings, int32_t count,
                                 tool_replay_kind kind, const kerb_scene_town* town) {
    fputs("{", out);
    tool_page_field_text(out, "kerb", KERB_VERSION);
    tool_page_field_text(out, "title", title);
    fputc('\n', out);
    put_reasons(out);
    put_courses(out, recordings, count, kind, town);
    put_trials(out, recordings, count,
               kind == TOOL_REPLAY_TRIALS || kind == TOOL_REPLAY_LAPS
                   ? TOOL_REPLAY_PAGE_SAMPLES_MOST
                   : TOOL_REPLAY_TOWN_SAMPLES_MOST);
    fputs("}", out);
}

// --------------------------------------------------------------------------- the page

// What a page's data is written from.
typedef struct page_data {
    const char* title;
    const tool_recording* const* recordings;
    int32_t count;
    tool_replay_kind kind;
    const kerb_scene_town* town;
} page_data;

static void put_page_data(FILE* out, const void* context) {
    const page_data* data = context;
    replay_page_put_data(out, data->title, data->recordings, data->count, data->kind, data->town);
}

static bool replay_page_write_page(FILE* out, const char* title,
                                   const tool_recording* const* recordings, int32_t count,
                                   tool_replay_kind kind, const kerb_scene_town* town) {
    const page_data data = {title, recordings, count, kind, town};
    return tool_page_write(out, title, put_page_data, &data);
}

bool tool_replay_page_write(FILE* out, const char* title, const tool_recording* const* recordings,
                            int32_t count) {
    return replay_page_write_page(out, title, recordings, count, TOOL_REPLAY_TRIALS, NULL);
}

bool tool_replay_page_write_town(FILE* out, const char* title,
                                 const tool_recording* const* recordings, int32_t count,
                                 const kerb_scene_town* town) {
    return replay_page_write_page(out, title, recordings, count, TOOL_REPLAY_TOWN, town);
}

bool tool_replay_page_write_agents(FILE* out, const char* title,
                                   const tool_recording* const* recordings, int32_t count) {
    return replay_page_write_page(out, title, recordings, count, TOOL_REPLAY_AGENTS, NULL);
}

bool tool_replay_page_write_laps(FILE* out, const char* title,
                                 const tool_recording* const* recordings, int32_t count) {
    return replay_page_write_page(out, title, recordings, count, TOOL_REPLAY_LAPS, NULL);
}
