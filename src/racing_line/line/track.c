// Purpose: the track as the solver sees it: stations along the centre line, with their legal
//          offsets.
// Idea:    A spline through the points of the centre line is cut into even pieces, with the banked
//          surface across it. Legal offsets come from the widths less the margin, and from the side
//          of the track that the settings choose. A line that touches the edge at two nodes bulges
//          beyond it in between, by up to 10 cm in a hairpin. So the bounds of these nodes move
//          inwards by that much, and back when the line has moved away.
// Cost:    O(points + stations).
// Source:  our own.
#include "line.h"

#include "../../base/shared.h"

// Least range of legal offsets where margin and widths leave less; the interior-point method needs
// one. [m]
#define TRACK_ROOM_LEAST 0.02
// Reserve beyond a measured bulge, which is measured at a few places only. [m]
#define BULGE_SPARE 0.002
// A line that is further inside the legal offsets at the middle of a segment does not reach them in
// the segment. [m]
#define BULGE_NEAR 0.5
// Parts of a segment; a bulge is measured at the places between them. [1]
#define BULGE_FINE 8

// Mean width of the tracks on which the constants in metres were chosen. [m]
#define TRACK_WIDTH_USUAL 10.0f
// Widths of tracks for cars. On these a margin and the numbers of Vamos's paper are as they are;
// narrower and wider tracks are for vehicles of another size. [m]
#define TRACK_WIDTH_LEAST 6.0f
#define TRACK_WIDTH_MOST 24.0f
// Distance between nodes of CURVATURE and TIME, on a track of usual width. A corner that a line can
// take through a track is longer than the track is wide, and a few nodes on it give its curvature.
// With twice the distance lap times of circuits become longer by 0.1 %. With half of it they stay
// the same, and become longer by up to 5 % on tracks far wider than their bends, where
// cross-sections meet. [m]
#define TRACK_NODES 4.0
// Distance between nodes of SPRING, as in the paper. [m]
#define TRACK_HINGES 8.0
// Wheelbase of a car. [m]
#define TRACK_WHEELBASE 2.7

static float track_width_mean(const kerb_path* track) {
    double area = 0.0, length = 0.0;
    for (int32_t i = 0; i < track->segment_count; i++) {
        const kerb_path_point* a = &track->points[i];
        const kerb_path_point* b = &track->points[i + 1 < track->count ? i + 1 : 0];
        double widths = (double)(a->left + a->right) + (double)(b->left + b->right);
        area += 0.5 * widths * (double)a->length;
        length += (double)a->length;
    }
    return length > 0.0 ? (float)(area / length) : 0.0f;
}

static float track_widths_usual(float width) {
    return kerb_max(width, KERB_TRACK_WIDTH_MIN) / TRACK_WIDTH_USUAL;
}

double kerb_in_line_track_scale(const kerb_path* track) {
    return (double)track_widths_usual(track_width_mean(track));
}

float kerb_in_line_width_scale(float width) {
    bool usual = width >= TRACK_WIDTH_LEAST && width <= TRACK_WIDTH_MOST;
    return usual ? 1.0f : track_widths_usual(width);
}

float kerb_track_scale(const kerb_path* track) {
    KERB_ASSERT(track);
    return kerb_in_line_width_scale(track_width_mean(track));
}

kerb_line_settings kerb_in_line_track_settings(const kerb_path* track,
                                               const kerb_line_settings* settings) {
    kerb_line_settings result = *settings;
    double size = (double)kerb_track_scale(track);
    double spacing = settings->method == KERB_LINE_SPRING
                         ? TRACK_HINGES * size
                         : TRACK_NODES * kerb_in_line_track_scale(track);
    double least = track->length / (double)(KERB_LINE_NODES_MAX - 1);
    if (!(settings->node_spacing > 0.0f))
        result.node_spacing = (float)line_most(spacing, least);
    if (!(settings->wheelbase > 0.0f))
        result.wheelbase = (float)(TRACK_WHEELBASE * size);
    return result;
}

int32_t kerb_in_line_track_nodes(const kerb_path* track, const kerb_line_settings* settings) {
    double nodes = floor(track->length / (double)settings->node_spacing + 0.5);
    nodes = line_most(nodes, (double)LINE_NODES_MIN);
    return nodes > (double)KERB_LINE_NODES_MAX ? 0 : (int32_t)nodes;
}

// ------------------------------------------------------------------- stations

typedef struct track_layout {
    line_spline spline;
    const kerb_path* track;
    line_vector* points;
} track_layout;

static double width_at(double a, double b, double share) {
    return a + (b - a) * share;
}

// Derivative of the bank by the distance at a point: that of the parabola through it and its
// neighbours. [rad/m]
static double bank_slope(const track_layout* l, int32_t i) {
    const kerb_path* t = l->track;
    int32_t last = i > 0 ? i - 1 : t->closed ? t->count - 1 : i;
    int32_t next = i + 1 < t->count ? i + 1 : t->closed ? 0 : i;
    if (last == i || next == i)
        return 0.0;
    double here = (double)t->points[i].bank, to = l->spline.chords[last],
           from = l->spline.chords[i];
    double before = (here - (double)t->points[last].bank) / to;
    double after = ((double)t->points[next].bank - here) / from;
    return (before * from + after * to) / (to + from);
}

// Bank between two points, by Hermite's cubic. With linear interpolation a line off the centre
// would have a kink in its height at each point, and there an infinite vertical curvature. [rad]
static double bank_at(const track_layout* l, int32_t i, double share) {
    int32_t next = line_spline_next(&l->spline, i);
    double a = (double)l->track->points[i].bank, b = (double)l->track->points[next].bank;
    double chord = l->spline.chords[i], p = chord * bank_slope(l, i),
           q = chord * bank_slope(l, next);
    double two = 3.0 * (b - a) - 2.0 * p - q, three = 2.0 * (a - b) + p + q;
    return a + share * (p + share * (two + share * three));
}

static void lay_station(const track_layout* l, int32_t i, double share, line_station* s) {
    const kerb_path_point* a = &l->track->points[i];
    const kerb_path_point* b = &l->track->points[line_spline_next(&l->spline, i)];
    const line_vector up = {0.0, 0.0, 1.0};
    line_vector ahead = line_unit(line_spline_direction(&l->spline, i, share));
    line_vector level = line_unit(line_cross(up, ahead));
    s->bank = bank_at(l, i, share);
    float sine, cosine;
    kerb_sin_cos((float)s->bank, &sine, &cosine);
    line_vector above = line_cross(ahead, level);
    s->left =
        line_unit(line_add(line_scale(level, (double)cosine), line_scale(above, (double)sine)));
    s->centre = line_spline_place(&l->spline, i, share);
    s->room_left = width_at((double)a->left, (double)b->left, share);
    s->room_right = width_at((double)a->right, (double)b->right, share);
    s->grip = width_at((double)a->grip, (double)b->grip, share);
}

static int32_t track_station_count(const line_view* v) {
    return v->nodes * LINE_FINE;
}

// Lays all stations. On an open track the last node lies at the end, and the stations after it lie
// there too.
static void lay_stations(const line_view* v, const track_layout* l) {
    int32_t segments = l->track->segment_count, i = 0;
    double length = 0.0, begin = 0.0;
    for (int32_t k = 0; k < segments; k++)
        length += l->spline.chords[k];
    v->head->length = length;
    v->head->spacing = length / (double)(v->closed ? v->nodes : v->nodes - 1);
    for (int32_t k = 0; k < track_station_count(v); k++) {
        double at = line_least(v->head->spacing * (double)k / (double)LINE_FINE, length);
        while (i + 1 < segments && begin + l->spline.chords[i] <= at)
            begin += l->spline.chords[i++];
        double share = (at - begin) / l->spline.chords[i];
        lay_station(l, i, line_least(share, 1.0), &v->stations[k]);
    }
}

// Lowers the values of two stations so that the straight line between them does not pass above
// `room`.
static void hold_back(double* a, double* b, double share, double room) {
    double over = width_at(*a, *b, share) - room, rest = 1.0 - share;
    if (over <= 0.0)
        return;
    over /= share * share + rest * rest;
    *a -= over * rest;
    *b -= over * share;
}

// The widths have kinks at the points of the track, which mostly lie between stations. Where the
// track narrows there, the widths of the stations on both sides are reduced, so that no line leaves
// the track.
static void narrow_stations(const line_view* v, const track_layout* l) {
    double step = v->head->spacing / (double)LINE_FINE, at = 0.0;
    int32_t n = track_station_count(v);
    for (int32_t i = 0; i < l->track->count; i++) {
        int32_t k = (int32_t)(at / step), next = k + 1 < n ? k + 1 : 0;
        const kerb_path_point* p = &l->track->points[i];
        if (k < n && (v->closed || k + 1 < n)) {
            line_station *a = &v->stations[k], *b = &v->stations[next];
            double share = line_least(at / step - (double)k, 1.0);
            hold_back(&a->room_left, &b->room_left, share, (double)p->left);
            hold_back(&a->room_right, &b->room_right, share, (double)p->right);
        }
        at += l->spline.chords[i];
    }
}

// ------------------------------------------------------------------- legal offsets

// Curvature of the centre line at a node. [1/m]
static double track_turn_at(const line_view* v, int32_t i) {
    int32_t n = v->nodes, last = i > 0 ? i - 1 : v->closed ? n - 1 : 0;
    int32_t next = i + 1 < n ? i + 1 : v->closed ? 0 : n - 1;
    const line_station* a = line_station_of(v, last);
    const line_station* b = line_station_of(v, next);
    line_vector way = line_unit(line_sub(b->centre, a->centre));
    double steps = next == i || last == i ? 1.0 : 2.0;
    return line_dot(line_sub(a->left, b->left), way) / (steps * v->head->spacing);
}

// Least curvature of a corner that the defensive line defends. [1/m] From the place where braking
// for the corner begins up to its middle, the line lies so near to the inside that no vehicle fits
// between. After that it is free, because another vehicle beside it is then on the outside.
#define DEFENSIVE_CORNER (1.0 / 150.0)
// Bounds of the distance before the corner. Chosen by trial. [m]
#define APPROACH_LEAST 50.0
#define TRACK_APPROACH_MOST 160.0
// Width of the strip for the defensive line. With the margin it is narrower than a vehicle that
// would pass inside. [m]
#define COVER 1.5
// Distance over which the side changes, in each direction, so that no bound jumps. Chosen by trial.
// [m]
#define SIDE_RAMP 20.0

// Distance over which the vehicle brakes for a corner, from its top speed.
static double approach_to(const line_head* h, double turn) {
    double top = (double)h->performance.speed_max, braking = (double)h->performance.braking;
    double lost = top * top - (double)h->performance.lateral / turn;
    double least = APPROACH_LEAST * h->scale, most = TRACK_APPROACH_MOST * h->scale;
    return braking > 0.0 ? line_least(line_most(0.5 * lost / braking, least), most) : most;
}

// Sets `side` at the nodes: 1 keep to the left, -1 to the right, 0 free.
static void find_defence(const line_view* v, double* side) {
    int32_t n = v->nodes;
    for (int32_t i = 0; i < n; i++)
        side[i] = 0.0;
    for (int32_t i = 0; i < n; i++) {
        int32_t last = i > 0 ? i - 1 : n - 1, next = i + 1 < n ? i + 1 : 0;
        double turn = track_turn_at(v, i), size = fabs(turn);
        bool middle = size >= fabs(track_turn_at(v, last)) && size > fabs(track_turn_at(v, next));
        if (size * v->head->scale < DEFENSIVE_CORNER || !middle)
            continue;
        // Smoothing shortens the part by a ramp at each end, so it is made longer by two.
        double ramp = SIDE_RAMP * v->head->scale / v->head->spacing;
        int32_t reach = (int32_t)(approach_to(v->head, size) / v->head->spacing + 2.0 * ramp) + 1;
        int32_t j = i + (int32_t)ramp;
        j = j < n ? j : v->closed ? j % n : n - 1;
        for (int32_t k = 0; k < reach && (side[j] == 0.0 || k <= (int32_t)ramp); k++) {
            side[j] = side[j] == 0.0 ? turn > 0.0 ? 1.0 : -1.0 : side[j];
            j = j > 0 ? j - 1 : v->closed ? n - 1 : 0;
        }
    }
}

// Mean over `reach` nodes in each direction, so that no bound jumps.
static void smooth_sides(const line_view* v, const double* side, double* smooth) {
    double ramp = SIDE_RAMP * v->head->scale / v->head->spacing;
    int32_t reach = (int32_t)ramp + 1, n = v->nodes;
    reach = reach < n / 3 ? reach : n / 3;
    for (int32_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (int32_t k = -reach; k <= reach; k++) {
            int32_t j = i + k;
            j = j >= 0 ? j : v->closed ? j + n : 0;
            j = j < n ? j : v->closed ? j - n : n - 1;
            sum += side[j];
        }
        smooth[i] = sum / (double)(2 * reach + 1);
    }
}

static void find_sides(const line_view* v, double* side) {
    int32_t wanted = v->head->settings.side;
    if (wanted == KERB_LINE_DEFENSIVE) {
        find_defence(v, v->kept);
        smooth_sides(v, v->kept, side);
        return;
    }
    double all = wanted == KERB_LINE_LEFT ? 1.0 : wanted == KERB_LINE_RIGHT ? -1.0 : 0.0;
    for (int32_t i = 0; i < v->nodes; i++)
        side[i] = all;
}

// Legal offsets of a station. Left and right are halves of the track; the defensive line has a
// strip.
static void bound_station(const line_head* h, line_station* s, double side) {
    double margin = (double)h->settings.margin;
    double least = TRACK_ROOM_LEAST * h->scale, cover = COVER * h->scale;
    bool defends = h->settings.side == KERB_LINE_DEFENSIVE;
    double low = margin - s->room_right, high = s->room_left - margin;
    double strip = defends ? line_least(cover, high - low) : 0.5 * (high - low);
    double rest = line_most(high - low - strip, 0.0);
    low += rest * line_most(side, 0.0);
    high -= rest * line_most(-side, 0.0);
    double middle = 0.5 * (low + high);
    s->low = line_least(low, middle - 0.5 * least);
    s->high = line_most(high, middle + 0.5 * least);
}

static void bound_stations(const line_view* v) {
    double* side = v->weight;
    find_sides(v, side);
    for (int32_t k = 0; k < track_station_count(v); k++) {
        int32_t i = k / LINE_FINE, next = i + 1 < v->nodes ? i + 1 : v->closed ? 0 : i;
        double share = (double)(k % LINE_FINE) / (double)LINE_FINE;
        bound_station(v->head, &v->stations[k], width_at(side[i], side[next], share));
    }
}

void kerb_in_line_track_bound(const line_view* v) {
    const double least = TRACK_ROOM_LEAST * v->head->scale;
    for (int32_t i = 0; i < v->nodes; i++) {
        double low = v->reach_low[i] + v->bulge_low[i];
        double high = v->reach_high[i] - v->bulge_high[i];
        double middle = 0.5 * (low + high);
        low = line_least(low, middle - 0.5 * least);
        high = line_most(high, middle + 0.5 * least);
        // The legal offsets have priority over the folds.
        v->low[i] = line_least(line_most(low, v->fold_low[i]), high - least);
        v->high[i] = line_most(line_least(high, v->fold_high[i]), low + least);
    }
}

// ------------------------------------------------------------------- nodes

static void set_node(const line_view* v, int32_t i) {
    const line_station* s = line_station_of(v, i);
    int32_t last = i * LINE_FINE - 1, next = i * LINE_FINE + 1, n = track_station_count(v);
    last = last >= 0 ? last : v->closed ? n - 1 : 0;
    next = next < n && (v->closed || i + 1 < v->nodes) ? next : i * LINE_FINE;
    line_vector ahead = line_sub(v->stations[next].centre, v->stations[last].centre);
    line_vector normal = line_unit(line_cross(ahead, s->left));
    v->centre_x[i] = s->centre.x;
    v->centre_y[i] = s->centre.y;
    v->centre_z[i] = s->centre.z;
    v->left_x[i] = s->left.x;
    v->left_y[i] = s->left.y;
    v->left_z[i] = s->left.z;
    v->normal_x[i] = normal.x;
    v->normal_y[i] = normal.y;
    v->normal_z[i] = normal.z;
    v->grip[i] = s->grip;
    v->bulge_low[i] = v->bulge_high[i] = 0.0;
}

static void set_nodes(const line_view* v) {
    for (int32_t i = 0; i < v->nodes; i++)
        set_node(v, i);
    kerb_in_line_wrap(v, v->left_x);
    kerb_in_line_wrap(v, v->left_y);
    kerb_in_line_wrap(v, v->left_z);
}

kerb_result kerb_in_line_track_lay(const line_view* v, const kerb_path* track,
                                   const kerb_allocator* allocator, kerb_error* error) {
    size_t n = (size_t)track->count;
    size_t bytes = n * (2 * sizeof(line_vector) + 3 * sizeof(double));
    line_vector* points = allocator->allocate(allocator->context, bytes, 64);
    if (!points)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "track", 0, -1,
                              "no memory for the track's spline");
    for (int32_t i = 0; i < track->count; i++) {
        kerb_vec3 p = track->points[i].position;
        points[i] = line_vector_make((double)p.x, (double)p.y, (double)p.z);
    }
    double* numbers = (double*)(void*)(points + 2 * n);
    track_layout l = {
        {points, points + n, numbers, numbers + n, track->count, track->closed}, track, points};
    kerb_in_line_spline_fit(&l.spline);
    lay_stations(v, &l);
    narrow_stations(v, &l);
    bound_stations(v);
    set_nodes(v);
    kerb_in_line_across_find(v);
    kerb_in_line_track_bound(v);
    allocator->release(allocator->context, points, bytes);
    return KERB_OK;
}

// ------------------------------------------------------------------- bulges

// The line between nodes: the spline through all nodes, or, without one, Lagrange's cubic through
// four, which differs from it by up to 10 cm in the tightest bends.
typedef struct track_between {
    const line_view* v;
    const line_spline* spline;
} track_between;

// The spline through the nodes. It uses nine adjacent arrays of the lap as its memory.
static line_spline spline_of(const line_view* v) {
    size_t n = (size_t)v->nodes;
    line_vector* points = (line_vector*)(void*)(v->limit - LINE_GHOSTS);
    for (int32_t i = 0; i < v->nodes; i++)
        points[i] = line_vector_make(v->x[i], v->y[i], v->z[i]);
    double* numbers = (double*)(void*)(points + 2 * n);
    line_spline s = {points, points + n, numbers, numbers + n, v->nodes, v->closed};
    kerb_in_line_spline_fit(&s);
    return s;
}

// The position at `share` of the segment from node i.
static line_vector between_nodes(const track_between* line, int32_t i, double share) {
    const line_view* v = line->v;
    if (line->spline)
        return line_spline_place(line->spline, i, share);
    double a = share + 1.0, b = share, c = share - 1.0, d = share - 2.0;
    const double shares[4] = {b * c * d / -6.0, a * c * d / 2.0, a * b * d / -2.0, a * b * c / 6.0};
    line_vector sum = {0.0, 0.0, 0.0};
    for (int32_t k = 0; k < 4; k++) {
        int32_t j = i - 1 + k;
        sum = line_add(sum, line_scale(line_vector_make(v->x[j], v->y[j], v->z[j]), shares[k]));
    }
    return sum;
}

// By how much the legal offsets change within half a segment. [m]
static double spread_of(const line_view* v, int32_t i) {
    const line_station* a = line_station_of(v, i);
    const line_station* b = line_station_of(v, i + 1 < v->nodes ? i + 1 : 0);
    double low = line_most(a->low, b->low) - a[LINE_FINE / 2].low;
    double high = a[LINE_FINE / 2].high - line_least(a->high, b->high);
    return line_most(line_most(low, high), 0.0);
}

// How far the line lies beyond the legal offsets between node i and the next, on each side; may be
// negative. It is exact only near them. [m]
static void beyond_between(const track_between* line, int32_t i, double* low, double* high) {
    const line_view* v = line->v;
    const line_station* s = line_station_of(v, i) + LINE_FINE / 2;
    double offset = line_dot(line_sub(between_nodes(line, i, 0.5), s->centre), s->left);
    *low = s->low - offset;
    *high = offset - s->high;
    bool turned = v->turned[i] + v->turned[i + 1 < v->nodes ? i + 1 : 0] > 0.0;
    if (!turned && line_most(*low, *high) < -BULGE_NEAR * v->head->scale - spread_of(v, i))
        return;
    for (int32_t at = 1; at < BULGE_FINE; at++) {
        int32_t station = i * LINE_FINE + at * LINE_FINE / BULGE_FINE;
        double share = (double)at / (double)BULGE_FINE;
        line_foot f = kerb_in_line_foot_at(v, station, between_nodes(line, i, share));
        *low = line_most(*low, f.low - f.offset);
        *high = line_most(*high, f.offset - f.high);
    }
}

// Updates a bulge. `outside`: how far the node still lies beyond its own bound, because the bound
// has moved and the line has not followed yet; the bulge contains that part already.
static void take_off(const line_view* v, double* bulge, double beyond, double outside) {
    double spare = BULGE_SPARE * v->head->scale;
    *bulge = line_most(*bulge + beyond - line_most(outside, 0.0) + spare, 0.0);
}

static double tighten(const track_between* line) {
    const line_view* v = line->v;
    int32_t first = v->closed ? 0 : 1, end = v->closed ? v->nodes : v->nodes - 2;
    double *low = v->kept, *high = v->kept_slack_low; // per segment
    double most = -BULGE_NEAR * v->head->scale;
    for (int32_t i = first; i < end; i++) {
        beyond_between(line, i, &low[i], &high[i]);
        most = line_most(most, line_most(low[i], high[i]));
    }
    for (int32_t i = first; i < end; i++) {
        int32_t last = i > first ? i - 1 : v->closed ? v->nodes - 1 : i;
        take_off(v, &v->bulge_low[i], line_most(low[last], low[i]), v->low[i] - v->offset[i]);
        take_off(v, &v->bulge_high[i], line_most(high[last], high[i]), v->offset[i] - v->high[i]);
    }
    kerb_in_line_track_bound(v);
    return most;
}

double kerb_in_line_track_tighten(const line_view* v) {
    const track_between line = {v, NULL};
    return tighten(&line);
}

double kerb_in_line_track_tighten_closely(const line_view* v) {
    const line_spline spline = spline_of(v);
    const track_between line = {v, &spline};
    return tighten(&line);
}
