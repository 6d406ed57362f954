// Purpose: makes tracks of centre lines that other formats hold.
// Idea:    Places are doubles until an offset is subtracted or they are projected, as in the
//          tables.
// Cost:    O(points).
#include "io/csv_table.h"
#include "io/track_parts.h"

#include <math.h>
#include <string.h>

kerb_io_line_point kerb_io_line_point_at(double x, double y, double z) {
    const kerb_waypoint usual = kerb_waypoint_at(0.0f, 0.0f, 0.0f);
    kerb_io_line_point point = {x, y, z, usual.left, usual.right, 0.0f};
    return point;
}

kerb_result kerb_io_line_add(kerb_io_line* line, kerb_io_line_point point) {
    if (line->count == KERB_IO_TRACK_POINTS_MAX)
        return KERB_ERROR_TOO_MANY;
    if (line->count == line->capacity) {
        kerb_io_line more = {.count = line->count,
                             .capacity = line->capacity > 0 ? 2 * line->capacity : 256,
                             .allocator = line->allocator};
        more.points = more.allocator->allocate(more.allocator->context,
                                               (size_t)more.capacity * sizeof *more.points,
                                               _Alignof(kerb_io_line_point));
        if (!more.points)
            return KERB_ERROR_OUT_OF_MEMORY;
        if (line->count > 0)
            memcpy(more.points, line->points, (size_t)line->count * sizeof *more.points);
        kerb_io_line_destroy(line);
        *line = more;
    }
    line->points[line->count++] = point;
    return KERB_OK;
}

void kerb_io_line_destroy(kerb_io_line* line) {
    if (line->points)
        line->allocator->release(line->allocator->context, line->points,
                                 (size_t)line->capacity * sizeof *line->points);
    *line = (kerb_io_line){.allocator = line->allocator};
}

// --------------------------------------------------------------------------- places

static kerb_result line_refuse(kerb_error* error, kerb_result result, const char* field,
                               int32_t index, const char* message) {
    return kerb_error_set(error, result, field, 0, index, message);
}

static kerb_result project_points(const kerb_io_line* line, kerb_io_track* track,
                                  kerb_error* error) {
    kerb_io_projection about = kerb_io_projection_make(line->points[0].x, line->points[0].y);
    track->anchored = true;
    track->anchor[0] = line->points[0].x;
    track->anchor[1] = line->points[0].y;
    for (int32_t i = 0; i < line->count; i++) {
        double x, y;
        if (!kerb_io_project(&about, line->points[i].x, line->points[i].y, &x, &y))
            return line_refuse(error, KERB_ERROR_OUT_OF_RANGE, "longitude", i,
                               "is over 500 km from the first point");
        track->waypoints[i].position.x = (float)x;
        track->waypoints[i].position.y = (float)y;
    }
    return KERB_OK;
}

static kerb_result shift_points(const kerb_io_line* line, kerb_io_track* track,
                                kerb_io_notes* notes, kerb_error* error) {
    const kerb_io_line_point* first = &line->points[0];
    if (fabs(first->x) > KERB_IO_CSV_PLACE_MAX || fabs(first->y) > KERB_IO_CSV_PLACE_MAX)
        return line_refuse(error, KERB_ERROR_OUT_OF_RANGE, "x", 0, "must be from -1e9 to 1e9 m");
    kerb_io_csv_take_offset(first->x, first->y, "point", track->offset, notes);
    for (int32_t i = 0; i < line->count; i++) {
        double x = line->points[i].x - track->offset[0], y = line->points[i].y - track->offset[1];
        if (!(fabs(x) <= (double)KERB_POSITION_MAX && fabs(y) <= (double)KERB_POSITION_MAX))
            return line_refuse(error, KERB_ERROR_OUT_OF_RANGE, "x", i,
                               "is over 1000000 m from the first point");
        track->waypoints[i].position.x = (float)x;
        track->waypoints[i].position.y = (float)y;
    }
    return KERB_OK;
}

// --------------------------------------------------------------------------- the whole

static kerb_result take_rest(const kerb_io_line* line, kerb_io_track* track, kerb_error* error) {
    for (int32_t i = 0; i < line->count; i++) {
        const kerb_io_line_point* p = &line->points[i];
        kerb_waypoint* w = &track->waypoints[i];
        bool known = !isnan(p->z);
        if (known && fabs(p->z) > (double)KERB_POSITION_MAX)
            return line_refuse(error, KERB_ERROR_OUT_OF_RANGE, "z", i,
                               "must be from -1000000 to 1000000 m");
        w->position.z = known ? (float)p->z : 0.0f;
        w->left = p->left;
        w->right = p->right;
        w->bank = p->bank;
        kerb_result result = kerb_waypoint_validate(w, error);
        if (result != KERB_OK) {
            if (error)
                error->index = i;
            return result;
        }
        w->position.z = (float)p->z; // heights that are not known are filled later
    }
    return KERB_OK;
}

// The last point of a closed line is not its first again. [returns how many points are left]
static int32_t drop_repeated(const kerb_waypoint* waypoints, int32_t count) {
    const kerb_vec3 first = waypoints[0].position;
    while (count > 3 && fabsf(waypoints[count - 1].position.x - first.x) < 0.001f &&
           fabsf(waypoints[count - 1].position.y - first.y) < 0.001f)
        count--;
    return count;
}

static kerb_result close_line(const kerb_allocator* allocator, int32_t closed, double slack,
                              kerb_io_track* track, kerb_io_notes* notes, kerb_error* error) {
    track->closed = closed != 0;
    if (closed < 0)
        track->closed = kerb_io_csv_ends_meet(track->waypoints, track->count, slack);
    if (closed < 0 && track->closed)
        kerb_io_notes_add(notes, "", 0, "assumed that it is closed, because its ends meet");
    kerb_io_csv_table table = {.waypoints = track->waypoints, .count = track->count};
    kerb_io_csv_table_fill(&table, track->closed);
    kerb_io_csv_pass_notes(notes, &table.notes);
    int32_t count = track->closed ? drop_repeated(track->waypoints, track->count) : track->count;
    if (count == track->count)
        return KERB_OK;
    size_t size = (size_t)count * sizeof(kerb_waypoint);
    kerb_waypoint* fewer = allocator->allocate(allocator->context, size, _Alignof(kerb_waypoint));
    if (!fewer)
        return line_refuse(error, KERB_ERROR_OUT_OF_MEMORY, "", -1, "no memory for the waypoints");
    memcpy(fewer, track->waypoints, size);
    allocator->release(allocator->context, track->waypoints,
                       (size_t)track->count * sizeof(kerb_waypoint));
    track->waypoints = fewer;
    track->count = count;
    return KERB_OK;
}

kerb_result kerb_io_line_finish(const kerb_io_line* line, kerb_io_line_kind kind, int32_t closed,
                                double slack, kerb_io_track* track, kerb_io_notes* notes,
                                kerb_error* error) {
    const kerb_allocator* allocator = line->allocator;
    size_t size = (size_t)line->count * sizeof(kerb_waypoint);
    if (line->count < 2)
        return line_refuse(error, KERB_ERROR_TOO_FEW, "", -1,
                           "there is no line of two points or more");
    track->waypoints = allocator->allocate(allocator->context, size, _Alignof(kerb_waypoint));
    if (!track->waypoints)
        return line_refuse(error, KERB_ERROR_OUT_OF_MEMORY, "", -1, "no memory for the waypoints");
    track->count = line->count;
    for (int32_t i = 0; i < line->count; i++)
        track->waypoints[i] = kerb_waypoint_at(0.0f, 0.0f, 0.0f);
    kerb_result result = kind == KERB_IO_LINE_DEGREES ? project_points(line, track, error)
                                                      : shift_points(line, track, notes, error);
    if (result == KERB_OK)
        result = take_rest(line, track, error);
    if (result == KERB_OK)
        result = close_line(allocator, closed, slack, track, notes, error);
    if (result == KERB_OK)
        return KERB_OK;
    allocator->release(allocator->context, track->waypoints,
                       (size_t)track->count * sizeof(kerb_waypoint));
    *track = (kerb_io_track){.waypoints = NULL};
    return result;
}
