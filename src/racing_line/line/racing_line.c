// Purpose: makes a racing line from a solver's nodes: evenly spaced points with their speeds and
//          the widths beside them; and reads it.
// Idea:    A cubic spline through the nodes is walked in even steps of its length. The foot of each
//          place on the centre line gives the surface there. Then one speed profile follows.
//          Lengths, times and violations of the margin are measured on a grid of at most one metre,
//          of which every n-th place is a point.
// Cost:    O(length); up to four times as much where the method of least time must choose among
//          lines that the nodes cannot distinguish.
// Source:  profile: kerb_speed_profile.
#include "load.h"

#include "../shared.h"

#include "../../base/shared.h"

// Greatest spacing of the grid; it bounds the error of lengths and times. On tracks narrower than
// usual it is smaller by their scale. [m]
#define GRID_MOST 1.0
// Least length of a segment, so that shares of it stay finite. [m]
#define RACING_LINE_LENGTH_LEAST 1.0e-9
// Least derivative of a spline's position by its chord length, which is about 1. [1]
#define RATE_LEAST 1.0e-3
// Greatest number of rounds until the speed and the load at a place fit, and share of the last
// speed from which on they do. [1]
#define LOAD_ROUNDS 12
#define LOAD_FOUND 0.998f
// Range of the spacing of points, as documented. [m]
#define RACING_LINE_SPACING_LEAST 0.05f
#define SPACING_MOST 100.0f

// Memory and data that are needed only while a line is made.
typedef struct workshop {
    line_view view;
    line_spline spline;
    line_vector* points; // of the spline
    double* lengths;     // of its segments
    kerb_profile_point* profile;
    double* load_sums; // of the curvatures out of the surface
    float* speeds;
    bool level;          // without any curvature out of the surface
    double length, step; // length of the line, spacing of the grid [m]
    int32_t grid;        // number of places on the grid
    int32_t stride;      // the spline goes through every stride-th node
    void* memory;
    size_t bytes;
} workshop;

// ------------------------------------------------------------------- the line as a spline

static int32_t racing_line_segment_count(const workshop* w) {
    return w->spline.closed ? w->spline.count : w->spline.count - 1;
}

// Length of the spline from point i over `share` of its segment, by Gaussian quadrature with three
// points. [m]
static double racing_line_length_of(const line_spline* s, int32_t i, double share) {
    static const double at[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
    static const double weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    double sum = 0.0;
    for (int32_t k = 0; k < 3; k++)
        sum += weight[k] * line_norm(line_spline_direction(s, i, share * at[k]));
    return sum * s->chords[i] * share;
}

static void fit(workshop* w, const double* offsets) {
    const line_view* v = &w->view;
    for (int32_t i = 0; i < w->spline.count; i++) {
        int32_t k = i * w->stride < v->nodes ? i * w->stride : v->nodes - 1;
        w->points[i] = line_vector_make(v->centre_x[k] + offsets[k] * v->left_x[k],
                                        v->centre_y[k] + offsets[k] * v->left_y[k],
                                        v->centre_z[k] + offsets[k] * v->left_z[k]);
    }
    kerb_in_line_spline_fit(&w->spline);
    w->length = 0.0;
    for (int32_t i = 0; i < racing_line_segment_count(w); i++) {
        w->lengths[i] =
            line_most(racing_line_length_of(&w->spline, i, 1.0), RACING_LINE_LENGTH_LEAST);
        w->length += w->lengths[i];
    }
}

// A place on the spline.
typedef struct racing_line_mark {
    int32_t segment;
    double share;
} racing_line_mark;

// The place at a distance from the start of a segment: one Newton step from the proportional share.
static racing_line_mark mark_at(const workshop* w, int32_t segment, double past) {
    racing_line_mark m = {segment, past / w->lengths[segment]};
    double rate = line_norm(line_spline_direction(&w->spline, segment, m.share));
    double missing = past - racing_line_length_of(&w->spline, segment, m.share);
    m.share += missing / (line_most(rate, RATE_LEAST) * w->spline.chords[segment]);
    m.share = line_least(line_most(m.share, 0.0), 1.0);
    return m;
}

// ------------------------------------------------------------------- points

static void describe_shape(kerb_line_point* p, const line_foot* f, line_vector direction,
                           line_vector bend) {
    double rate = line_most(line_norm(direction), RATE_LEAST);
    line_vector tangent = line_scale(direction, 1.0 / rate);
    // Curvature vector: the part of the second derivative across the tangent, over the rate
    // squared.
    line_vector turn = line_sub(bend, line_scale(tangent, line_dot(bend, tangent)));
    turn = line_scale(turn, 1.0 / (rate * rate));
    line_vector left = line_unit(line_cross(f->normal, tangent));
    line_vector normal = line_cross(tangent, left);
    double level = sqrt(tangent.x * tangent.x + tangent.y * tangent.y);
    p->heading = kerb_atan2((float)tangent.y, (float)tangent.x);
    p->slope = level > 0.0 ? (float)(tangent.z / level) : 0.0f;
    p->curvature = (float)line_dot(turn, left);
    p->normal_curvature = (float)line_dot(turn, normal);
    p->up_forward = (float)tangent.z;
    p->up_left = (float)left.z;
    p->up_normal = (float)normal.z;
}

static void describe_room(kerb_line_point* p, const line_foot* f) {
    p->bank = (float)f->bank;
    p->grip = (float)f->grip;
    p->lateral_offset = (float)f->offset;
    p->left = (float)(f->room_left - f->offset);
    p->right = (float)(f->room_right + f->offset);
    double edge = f->offset > 0.0 ? f->room_left : f->room_right;
    p->lane_shift = edge > 0.0 ? (float)(f->offset / edge) : 0.0f;
}

static kerb_line_point racing_line_point_at(const workshop* w, racing_line_mark m) {
    kerb_line_point p = {0};
    line_vector place = line_spline_place(&w->spline, m.segment, m.share);
    int32_t guess = (int32_t)(((double)m.segment + m.share) * (double)(w->stride * LINE_FINE));
    line_foot f = kerb_in_line_foot_at(&w->view, guess, place);
    p.x = place.x;
    p.y = place.y;
    p.z = place.z;
    describe_shape(&p, &f, line_spline_direction(&w->spline, m.segment, m.share),
                   line_spline_bend(&w->spline, m.segment, m.share));
    describe_room(&p, &f);
    return p;
}

static kerb_profile_point profile_of(const kerb_line_point* p, double length) {
    kerb_profile_point q = {(float)length, p->curvature,        p->normal_curvature,
                            p->up_forward, p->up_left,          p->up_normal,
                            p->grip,       KERB_SPEED_UNLIMITED};
    return q;
}

static double violation_of(const kerb_line_point* p, double margin) {
    double left = margin - (double)p->left, right = margin - (double)p->right;
    return line_most(line_most(left, right), 0.0);
}

// Walks the grid. Every n-th place becomes a point.
static void racing_line_walk(workshop* w, kerb_racing_line* line, int32_t every) {
    double margin = (double)w->view.head->settings.margin, begin = 0.0;
    int32_t segment = 0;
    line->violation = 0.0;
    w->load_sums[0] = 0.0;
    w->level = true;
    for (int32_t k = 0; k < w->grid; k++) {
        double at = w->step * (double)k;
        while (segment + 1 < racing_line_segment_count(w) && begin + w->lengths[segment] <= at)
            begin += w->lengths[segment++];
        kerb_line_point p = racing_line_point_at(w, mark_at(w, segment, at - begin));
        p.distance = at;
        w->profile[k] = profile_of(&p, w->step);
        w->load_sums[k + 1] = w->load_sums[k] + (double)p.normal_curvature;
        w->level = w->level && p.normal_curvature == 0.0f;
        line->violation = line_most(line->violation, violation_of(&p, margin));
        if (k % every == 0)
            line->points[k / every] = p;
    }
}

// Sets the curvature out of the surface of a place for a speed there.
static void load_place(workshop* w, int32_t k, float speed) {
    const line_head* h = w->view.head;
    const line_load l = {w->load_sums, w->grid, w->spline.closed, w->step};
    kerb_profile_point* p = &w->profile[k];
    double length = kerb_in_line_load_length(h, (double)speed);
    double bent = kerb_in_line_load_mean(&l, k, length);
    p->normal_curvature = (float)bent;
    if (h->settings.crest_load > 0.0f)
        p->speed_limit = (float)sqrt(kerb_in_line_load_limit(h, bent, (double)p->up_normal));
}

// The greatest speed at which the tyres hold a place, for the curvature that counts at that speed.
// A kink limits the speed to the root of v² = g·(L + v·time) / angle: each round halves the error.
static float fastest_at(workshop* w, int32_t k) {
    const kerb_performance* p = &w->view.head->performance;
    float speed = p->speed_max;
    for (int32_t round = 0; round < LOAD_ROUNDS; round++) {
        load_place(w, k, speed);
        float next = kerb_min(kerb_cornering_speed(p, &w->profile[k]), speed);
        if (next > LOAD_FOUND * speed)
            return next;
        speed = next;
    }
    return speed;
}

static void profile_speeds(workshop* w, kerb_racing_line* line) {
    line->time = kerb_speed_profile(&w->view.head->performance, w->profile, w->grid, line->closed,
                                    KERB_SPEED_UNLIMITED, KERB_SPEED_UNLIMITED, w->speeds);
}

// The load depends on the speed and the speed on the load. First each place gets the greatest speed
// that is possible there, then the speed that the line gives it.
static void racing_line_find_speeds(workshop* w, kerb_racing_line* line) {
    for (int32_t k = 0; k < w->grid && !w->level; k++)
        load_place(w, k, fastest_at(w, k));
    profile_speeds(w, line);
    if (w->level)
        return;
    for (int32_t k = 0; k < w->grid; k++)
        load_place(w, k, w->speeds[k]);
    profile_speeds(w, line);
}

static void add_speeds(const workshop* w, kerb_racing_line* line, int32_t every) {
    for (int32_t i = 0; i < line->count; i++) {
        size_t k = (size_t)i * (size_t)every;
        line->points[i].speed = w->speeds[k];
        line->points[i].normal_curvature = w->profile[k].normal_curvature;
    }
}

// ------------------------------------------------------------------- memory

static kerb_result no_memory(kerb_error* error) {
    return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "line", 0, -1,
                          "no memory for the racing line's points");
}

static void* racing_line_take(const kerb_allocator* allocator, size_t bytes) {
    return allocator->allocate(allocator->context, bytes, 64);
}

static kerb_result open_workshop(workshop* w, const kerb_allocator* allocator, kerb_error* error) {
    const line_head* h = w->view.head;
    bool thin = h->settings.method == KERB_LINE_SPRING && h->settings.halve_nodes != 0;
    w->stride = thin && w->view.nodes >= 2 * LINE_NODES_MIN ? 2 : 1;
    int32_t points = (w->view.nodes + w->stride - 1) / w->stride;
    // An open line keeps its end.
    points += !w->view.closed && w->stride == 2 && w->view.nodes % 2 == 0;
    size_t n = (size_t)points;
    w->bytes = n * (2 * sizeof(line_vector) + 4 * sizeof(double));
    w->memory = racing_line_take(allocator, w->bytes);
    if (!w->memory)
        return no_memory(error);
    line_vector* vectors = w->memory;
    double* numbers = (double*)(void*)(vectors + 2 * n);
    line_spline spline = {vectors, vectors + n, numbers, numbers + n, points, w->view.closed};
    w->spline = spline;
    w->points = vectors;
    w->lengths = numbers + 3 * n;
    return KERB_OK;
}

static void lay_grid(workshop* w, kerb_racing_line* line, double spacing, int32_t* every) {
    int32_t pieces = (int32_t)line_most(floor(w->length / spacing + 0.5), 3.0);
    double most = GRID_MOST * line_least(w->view.head->size, 1.0);
    *every = (int32_t)line_most(floor(w->length / (double)pieces / most + 0.999), 1.0);
    int32_t steps = pieces * *every;
    w->step = w->length / (double)steps;
    w->grid = line->closed ? steps : steps + 1;
    line->count = line->closed ? pieces : pieces + 1;
    line->length = w->length;
}

static size_t grid_bytes(int32_t grid) {
    size_t n = (size_t)grid;
    return n * (sizeof(kerb_profile_point) + sizeof(float)) + (n + 1) * sizeof(double);
}

static int32_t find_candidates(const line_view* v, line_candidate* candidates) {
    const line_head* h = v->head;
    bool by_time = h->phase == LINE_TIME;
    if (by_time || (h->phase == LINE_DONE && h->settings.method == KERB_LINE_TIME))
        return kerb_in_line_time_candidates(v, candidates);
    candidates[0].offsets = v->offset;
    return 1;
}

static double fill(workshop* w, kerb_racing_line* line, double spacing, const double* offsets) {
    int32_t every;
    fit(w, offsets);
    lay_grid(w, line, spacing, &every);
    racing_line_walk(w, line, every);
    racing_line_find_speeds(w, line);
    add_speeds(w, line, every);
    return line->time;
}

// Lap time by the nodes over that of the best candidate, below which another line may be faster:
// the nodes are too coarse to distinguish such lines. Chosen by trial. [1]
#define NODES_TELL 1.01
// If the final lap time of the best candidate differs from its time by the nodes by more than this
// share, the times by the nodes tell nothing and all candidates are tried. Chosen by trial. [1]
#define NODES_TRUSTED 0.03

static bool may_be_faster(const line_candidate* other, const line_candidate* best, double time) {
    bool trusted = fabs(time / best->lap - 1.0) < NODES_TRUSTED;
    return !trusted || other->lap < NODES_TELL * best->lap;
}

// Fills the line with the first candidate, or with another one that is faster on the final grid.
static void fill_fastest(workshop* w, kerb_racing_line* line, double spacing,
                         const line_candidate* candidates, int32_t count) {
    const double* fastest = candidates[0].offsets;
    const double* filled = fastest;
    double least = fill(w, line, spacing, fastest), first = least;
    for (int32_t i = 1; i < count; i++) {
        if (!may_be_faster(&candidates[i], &candidates[0], first))
            continue;
        filled = candidates[i].offsets;
        double time = fill(w, line, spacing, filled);
        if (time < least) {
            least = time;
            fastest = filled;
        }
    }
    if (filled != fastest)
        fill(w, line, spacing, fastest);
}

// Allocates memory for the grid and points of the longest candidate, and makes the line.
static kerb_result racing_line_make(workshop* w, kerb_racing_line* line, double spacing,
                                    const kerb_allocator* allocator, kerb_error* error) {
    line_candidate candidates[LINE_CANDIDATES_MAX];
    int32_t count = find_candidates(&w->view, candidates), grid = 0, points = 0, every;
    line->closed = w->view.closed;
    for (int32_t i = 0; i < count; i++) {
        fit(w, candidates[i].offsets);
        lay_grid(w, line, spacing, &every);
        grid = w->grid > grid ? w->grid : grid;
        points = line->count > points ? line->count : points;
    }
    line->bytes = (size_t)points * sizeof(kerb_line_point);
    line->memory = racing_line_take(allocator, line->bytes);
    void* room = racing_line_take(allocator, grid_bytes(grid));
    if (line->memory && room) {
        line->points = line->memory;
        w->load_sums = room;
        w->profile = (kerb_profile_point*)(void*)(w->load_sums + grid + 1);
        w->speeds = (float*)(void*)(w->profile + grid);
        fill_fastest(w, line, spacing, candidates, count);
    }
    if (room)
        allocator->release(allocator->context, room, grid_bytes(grid));
    return line->memory && room ? KERB_OK : no_memory(error);
}

kerb_result kerb_racing_line_create(kerb_racing_line* line, const kerb_line_solver* solver,
                                    float spacing, const kerb_host* host, kerb_error* error) {
    KERB_ASSERT(line && solver && solver->memory && host);
    const kerb_racing_line nothing = {0};
    *line = nothing;
    if (!(spacing >= RACING_LINE_SPACING_LEAST && spacing <= SPACING_MOST))
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "spacing", 0, -1,
                              "must be from 0.05 to 100 m");
    workshop w = {0};
    w.view = kerb_in_line_view_of(solver->memory);
    kerb_result result = open_workshop(&w, &host->allocator, error);
    if (result != KERB_OK)
        return result;
    line->allocator = host->allocator;
    result = racing_line_make(&w, line, (double)spacing, &host->allocator, error);
    host->allocator.release(host->allocator.context, w.memory, w.bytes);
    if (result != KERB_OK)
        kerb_racing_line_destroy(line);
    return result;
}

void kerb_racing_line_destroy(kerb_racing_line* line) {
    KERB_ASSERT(line);
    if (line->memory)
        line->allocator.release(line->allocator.context, line->memory, line->bytes);
    const kerb_racing_line nothing = {0};
    *line = nothing;
}

// ------------------------------------------------------------------- reading

static int32_t point_beside(const kerb_racing_line* line, int32_t i, int32_t step) {
    int32_t j = i + step;
    if (line->closed)
        return j < 0 ? j + line->count : j >= line->count ? j - line->count : j;
    return j < 0 ? 0 : j >= line->count ? line->count - 1 : j;
}

static double racing_line_held(const kerb_racing_line* line, double distance) {
    if (!(distance - distance == 0.0))
        return 0.0;
    if (!line->closed)
        return line_least(line_most(distance, 0.0), line->length);
    if (distance > 0.0 && distance < line->length) // the usual case, without a division
        return distance;
    double rest = distance - line->length * floor(distance / line->length);
    return rest >= 0.0 && rest < line->length ? rest : 0.0;
}

static float racing_line_between(float a, float b, float share) {
    return a + (b - a) * share;
}

// The cubic of Catmull and Rom.
static double cubic(const double p[4], double t) {
    double a = p[2] - p[0], b = 2.0 * p[0] - 5.0 * p[1] + 4.0 * p[2] - p[3];
    double c = 3.0 * (p[1] - p[2]) + p[3] - p[0];
    return p[1] + 0.5 * t * (a + t * (b + t * c));
}

static void place_between(const kerb_racing_line* line, int32_t i, double share,
                          kerb_line_point* p) {
    double x[4], y[4], z[4];
    bool inside = i > 0 && i + 2 < line->count;
    for (int32_t k = 0; k < 4; k++) {
        const kerb_line_point* q = &line->points[inside ? i + k - 1 : point_beside(line, i, k - 1)];
        x[k] = q->x;
        y[k] = q->y;
        z[k] = q->z;
    }
    p->x = cubic(x, share);
    p->y = cubic(y, share);
    p->z = cubic(z, share);
}

// Interpolates all fields but the position in the world and the heading. Returns the index of the
// point before `distance`, and sets the share of the step from there. [0 … 1]
static int32_t blend_at(const kerb_racing_line* line, double distance, double* share_of_step,
                        kerb_line_point* restrict p) {
    double at = racing_line_held(line, distance);
    double step = line->length / (double)(line->closed ? line->count : line->count - 1);
    int32_t i = (int32_t)(at / step);
    i = i < line->count - (line->closed ? 1 : 2) ? i : line->count - (line->closed ? 1 : 2);
    const kerb_line_point *a = &line->points[i], *b = &line->points[point_beside(line, i, 1)];
    double place = at / step - (double)i;
    float share = (float)place;
    p->heading = a->heading;
    p->x = a->x;
    p->y = a->y;
    p->z = a->z;
    p->distance = at;
    p->slope = racing_line_between(a->slope, b->slope, share);
    p->curvature = racing_line_between(a->curvature, b->curvature, share);
    p->normal_curvature = racing_line_between(a->normal_curvature, b->normal_curvature, share);
    p->up_forward = racing_line_between(a->up_forward, b->up_forward, share);
    p->up_left = racing_line_between(a->up_left, b->up_left, share);
    p->up_normal = racing_line_between(a->up_normal, b->up_normal, share);
    p->bank = racing_line_between(a->bank, b->bank, share);
    p->grip = racing_line_between(a->grip, b->grip, share);
    p->lateral_offset = racing_line_between(a->lateral_offset, b->lateral_offset, share);
    p->left = racing_line_between(a->left, b->left, share);
    p->right = racing_line_between(a->right, b->right, share);
    p->lane_shift = racing_line_between(a->lane_shift, b->lane_shift, share);
    p->speed = racing_line_between(a->speed, b->speed, share);
    *share_of_step = place;
    return i;
}

kerb_line_point kerb_in_racing_line_surface_at(const kerb_racing_line* line, double distance) {
    kerb_line_point p;
    double share;
    blend_at(line, distance, &share, &p);
    return p;
}

kerb_line_point kerb_racing_line_at(const kerb_racing_line* line, double distance) {
    KERB_ASSERT(line && line->count > 1);
    kerb_line_point p;
    double share;
    int32_t i = blend_at(line, distance, &share, &p);
    const kerb_line_point *a = &line->points[i], *b = &line->points[point_beside(line, i, 1)];
    place_between(line, i, share, &p);
    p.heading =
        kerb_wrap_angle(a->heading + kerb_wrap_angle(b->heading - a->heading) * (float)share);
    return p;
}

void kerb_racing_line_waypoints(const kerb_racing_line* line, kerb_waypoint* waypoints) {
    KERB_ASSERT(line && waypoints);
    for (int32_t i = 0; i < line->count; i++) {
        const kerb_line_point* p = &line->points[i];
        kerb_waypoint w = kerb_waypoint_at((float)p->x, (float)p->y, (float)p->z);
        w.left = kerb_max(p->left, 0.0f);
        w.right = kerb_max(p->right, 0.0f);
        w.speed_limit = kerb_max(p->speed, 0.1f);
        w.bank = p->bank;
        w.grip = p->grip;
        waypoints[i] = w;
    }
}

void kerb_racing_line_shift_origin(kerb_racing_line* line, kerb_vec3 new_origin) {
    KERB_ASSERT(line && kerb_vec3_is_finite(new_origin));
    for (int32_t i = 0; i < line->count; i++) {
        line->points[i].x -= (double)new_origin.x;
        line->points[i].y -= (double)new_origin.y;
        line->points[i].z -= (double)new_origin.z;
    }
}
