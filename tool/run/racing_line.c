// The solver runs in slices, so that a terminal shows its progress. The centre line goes through
// the same solver as a chain without springs, which stays where it begins: so both times are
// measured by the same method.
#include "tool/run/racing_line.h"

#include "tool/command/machine.h"
#include "tool/command/progress.h"

#define POINT_SPACING 1.0f        // of the points of a line and the nodes of a centre line [m]
#define POINT_SPACING_LEAST 0.05f // that kerb_racing_line_create takes [m]
#define SLICES 64

static const char* const methods[] = {"spring", "curvature", "time"};
static const char* const racing_line_sides[] = {"normal", "left", "right", "defensive"};

const char* tool_racing_line_method(int32_t method) {
    return methods[method];
}

const char* tool_racing_line_what(int32_t method) {
    static const char* const words[] = {"spring chain", "minimum curvature", "minimum time"};
    return words[method];
}

const char* tool_racing_line_side(int32_t side) {
    return racing_line_sides[side];
}

bool tool_racing_line_is_inside(const tool_racing_line* found) {
    double scale = (double)kerb_track_scale(&found->path);
    return found->line.violation <= TOOL_RACING_LINE_SLACK * scale;
}

kerb_profile_point tool_racing_line_profile(const kerb_racing_line* line, int32_t index) {
    const kerb_line_point* p = &line->points[index];
    double step = line->length / (double)(line->closed ? line->count : line->count - 1);
    kerb_profile_point point = kerb_profile_point_level((float)step, p->curvature);
    point.normal_curvature = p->normal_curvature;
    point.up_forward = p->up_forward;
    point.up_left = p->up_left;
    point.up_normal = p->up_normal;
    point.grip = p->grip;
    return point;
}

// --------------------------------------------------------------------------- the track

// Checked before it is turned round: the message counts the file's own rows.
static tool_status prepare_track(const tool_racing_line_wish* wish, const char* word,
                                 const kerb_host* host, tool_track* track) {
    kerb_error error = {.index = -1};
    if (wish->smooth > 0.0 && kerb_track_smooth(track->waypoints, track->count, track->closed,
                                                (float)wish->smooth, host, &error) != KERB_OK)
        return tool_complain_error(word, &error);
    if (tool_track_check(word, track) != TOOL_DONE)
        return TOOL_WRONG;
    if (!wish->quiet)
        tool_track_warn(word, track, wish->vehicle_name ? &wish->vehicle : NULL,
                        &wish->performance);
    if (wish->level)
        kerb_waypoints_level(track->waypoints, track->count);
    if (wish->reverse)
        kerb_waypoints_reverse(track->waypoints, track->count, track->closed);
    return TOOL_DONE;
}

static kerb_line_settings racing_line_settings_for(const tool_racing_line_wish* wish,
                                                   const kerb_path* track) {
    bool spring = wish->method == KERB_LINE_SPRING;
    bool program = spring && wish->program;
    kerb_line_settings usual =
        kerb_line_settings_of(track, wish->vehicle_name ? &wish->vehicle : NULL);
    kerb_line_settings settings = program  ? kerb_line_settings_vamos_program(track)
                                  : spring ? kerb_line_settings_vamos()
                                           : usual;
    settings.method = wish->method;
    settings.side = wish->side;
    settings.halve_nodes = wish->thin;
    if (!program || wish->vehicle_name)
        settings.margin = usual.margin;
    if (wish->margin >= 0.0)
        settings.margin = (float)wish->margin;
    if (wish->node_spacing > 0.0)
        settings.node_spacing = (float)wish->node_spacing;
    return settings;
}

// --------------------------------------------------------------------------- the line

// A metre, or less on a track of a smaller scale. [m]
static float point_spacing_on(const kerb_path* path) {
    return kerb_max(POINT_SPACING * kerb_min(kerb_track_scale(path), 1.0f), POINT_SPACING_LEAST);
}

// About so many steps make one of SLICES.
static int32_t racing_line_slice_of(const kerb_line_settings* settings) {
    int32_t steps =
        settings->method == KERB_LINE_SPRING ? settings->spring_steps : settings->curvature_steps;
    if (settings->method == KERB_LINE_TIME)
        steps += settings->time_steps;
    return 1 + steps / SLICES;
}

static kerb_result racing_line_solve(const tool_racing_line* found, const kerb_path* path,
                                     const kerb_line_settings* settings, const kerb_host* host,
                                     kerb_racing_line* line, kerb_error* error) {
    const tool_racing_line_wish* wish = found->wish;
    kerb_line_solver solver;
    kerb_result result =
        kerb_line_solver_create(&solver, path, &wish->performance, settings, host, error);
    if (result != KERB_OK)
        return result;
    tool_progress progress = tool_progress_make(found->track.name, 1.0, !wish->quiet);
    int32_t slice = racing_line_slice_of(settings);
    double done = 0.0;
    while (kerb_line_solver_advance(&solver, slice) == KERB_LINE_RUNNING) {
        double now = (double)kerb_line_solver_progress(&solver);
        tool_progress_add(&progress, now - done);
        done = now;
    }
    tool_progress_end(&progress);
    float spacing = wish->spacing > 0.0 ? (float)wish->spacing : point_spacing_on(path);
    result = kerb_racing_line_create(line, &solver, spacing, host, error);
    kerb_line_solver_destroy(&solver);
    return result;
}

static kerb_result find_centre(tool_racing_line* found, const kerb_host* host, kerb_error* error) {
    kerb_line_settings settings = kerb_line_settings_vamos();
    settings.node_spacing = point_spacing_on(&found->path);
    settings.spring_steps = 1;
    settings.stiffness = 0.0f; // nothing pulls
    settings.margin = 0.0f;
    return racing_line_solve(found, &found->path, &settings, host, &found->centre, error);
}

static tool_status racing_line_find_lines(tool_racing_line* found, const char* word,
                                          const kerb_host* host) {
    kerb_error error = {.index = -1};
    const tool_track* track = &found->track;
    if (kerb_path_create(&found->path, track->waypoints, track->count, track->closed, host,
                         &error) != KERB_OK)
        return tool_complain_error(word, &error);
    found->settings = racing_line_settings_for(found->wish, &found->path);
    uint64_t begun = tool_clock_ns();
    kerb_result result =
        racing_line_solve(found, &found->path, &found->settings, host, &found->line, &error);
    found->compute_ms = (double)(tool_clock_ns() - begun) * 1e-6;
    if (result == KERB_OK)
        result = find_centre(found, host, &error);
    return result == KERB_OK ? TOOL_DONE : tool_complain_error(word, &error);
}

tool_status tool_racing_line_find(tool_racing_line* found, const char* word,
                                  const tool_racing_line_wish* wish, const kerb_host* host) {
    *found = (tool_racing_line){.wish = wish};
    if (tool_track_load(word, host, &found->track) != TOOL_DONE ||
        prepare_track(wish, word, host, &found->track) != TOOL_DONE)
        return TOOL_WRONG;
    return racing_line_find_lines(found, word, host);
}

void tool_racing_line_free(tool_racing_line* found, const kerb_host* host) {
    kerb_racing_line_destroy(&found->line);
    kerb_racing_line_destroy(&found->centre);
    kerb_path_destroy(&found->path);
    tool_track_free(&found->track, host);
}
