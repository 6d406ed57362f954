// Purpose: a track's surface with continuous slopes and bends.
// Idea:    Splines by the chords in space, as in the solver of the racing line, so that both have
//          the same centre line. With C the centre line from above, q its length per parameter, κ
//          its curvature and w = 1 - κd, the gradient of the height z + d·t is
//              g1 = (z' + d t')/(q w)   along the track,   g2 = t   to the left,
//          and its second derivatives in the same axes are
//              h11 = (g1' - κ q g2)/(q w),   h12 = (t' + κ q g1)/(q w),   h22 = 0.
// Cost:    O(count) to fit, O(1) for a place.
// Source:  de Boor, "A Practical Guide to Splines", 1978; do Carmo, "Differential Geometry of
//          Curves and Surfaces", for ruled surfaces.
#include "scene/race/race_surface.h"

#include <math.h>

// Inside of the centre of curvature the cross-sections meet: from here on they count as parallel.
#define SPREAD_LEAST 0.25
#define FOOT_STEPS 6
// A step this small leaves less than a micrometre, for Newton squares it. [m]
#define FOOT_EXACT 1e-4

// --------------------------------------------------------------------------- fitting

static int32_t next_of(const race_surface* s, int32_t i) {
    return i + 1 < s->count ? i + 1 : 0;
}

static int32_t last_of(const race_surface* s, int32_t i) {
    return i > 0 ? i - 1 : s->count - 1;
}

static void measure_chords(const race_surface* s) {
    for (int32_t i = 0; i < s->count; i++) {
        const double* a = s->knots[i].value;
        const double* b = s->knots[next_of(s, i)].value;
        double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
        s->knots[i].chord = sqrt(x * x + y * y + z * z);
    }
}

static double slope_change(const race_surface* s, int32_t i, int channel) {
    const race_knot* last = &s->knots[last_of(s, i)];
    const race_knot* here = &s->knots[i];
    const race_knot* next = &s->knots[next_of(s, i)];
    double before = (here->value[channel] - last->value[channel]) / last->chord;
    double after = (next->value[channel] - here->value[channel]) / here->chord;
    return 6.0 * (after - before);
}

// The second derivatives M solve a tridiagonal system. Closed, its corners are filled: the last
// unknown is kept apart, M[i] = p[i] + q[i]·M[last], and found at the end. `scratch` holds the
// diagonal and what hangs on the last unknown.
static void eliminate(const race_surface* s, int32_t first, int channel) {
    for (int32_t i = first; i <= s->count - 2; i++) {
        race_knot* here = &s->knots[i];
        const race_knot* last = &s->knots[last_of(s, i)];
        here->scratch[0] = 2.0 * (last->chord + here->chord);
        here->scratch[1] = (i == 0 ? last->chord : 0.0) + (i == s->count - 2 ? here->chord : 0.0);
        here->bend[channel] = slope_change(s, i, channel);
        if (i == first)
            continue;
        double share = last->chord / last->scratch[0];
        here->scratch[0] -= share * last->chord;
        here->scratch[1] -= share * last->scratch[1];
        here->bend[channel] -= share * last->bend[channel];
    }
}

static void substitute(const race_surface* s, int32_t first, int channel) {
    for (int32_t i = s->count - 2; i >= first; i--) {
        race_knot* here = &s->knots[i];
        double rest = here->bend[channel], hang = here->scratch[1];
        if (i < s->count - 2) {
            const race_knot* next = &s->knots[i + 1];
            rest -= here->chord * next->bend[channel];
            hang += here->chord * next->scratch[1];
        }
        here->bend[channel] = rest / here->scratch[0];
        here->scratch[1] = -hang / here->scratch[0];
    }
}

static double last_bend(const race_surface* s, int channel) {
    int32_t end = s->count - 1;
    const race_knot* last = &s->knots[end - 1];
    const race_knot* first = &s->knots[0];
    double before = last->chord, after = s->knots[end].chord;
    double diagonal =
        2.0 * (before + after) + before * last->scratch[1] + after * first->scratch[1];
    double right =
        slope_change(s, end, channel) - before * last->bend[channel] - after * first->bend[channel];
    return right / diagonal;
}

static void fit_channel(const race_surface* s, int channel) {
    int32_t first = s->closed ? 0 : 1, end = s->count - 1;
    eliminate(s, first, channel);
    substitute(s, first, channel);
    double last = s->closed ? last_bend(s, channel) : 0.0;
    if (!s->closed)
        s->knots[0].bend[channel] = 0.0;
    for (int32_t i = first; i < end; i++)
        s->knots[i].bend[channel] += s->knots[i].scratch[1] * last;
    s->knots[end].bend[channel] = last;
}

// --------------------------------------------------------------------------- sampling

// A channel and its derivatives by chord length.
typedef struct race_surface_sample {
    double value, slope, bend, twist;
} race_surface_sample;

static race_surface_sample sample_of(const race_surface* s, int32_t i, double share, int channel) {
    const race_knot* here = &s->knots[i];
    const race_knot* next = &s->knots[next_of(s, i)];
    double a = 1.0 - share, b = share, h = here->chord;
    double va = here->value[channel], vb = next->value[channel];
    double ma = here->bend[channel], mb = next->bend[channel];
    race_surface_sample result;
    result.value = va * a + vb * b + h * h / 6.0 * (ma * (a * a * a - a) + mb * (b * b * b - b));
    result.slope = (vb - va) / h + h / 6.0 * (mb * (3.0 * b * b - 1.0) - ma * (3.0 * a * a - 1.0));
    result.bend = ma * a + mb * b;
    result.twist = (mb - ma) / h;
    return result;
}

// The centre line from above.
typedef struct race_surface_centre {
    race_surface_sample x, y;
    double rate;      // level length per chord length
    double curvature; // left positive [1/m]
    double forward_x, forward_y;
} race_surface_centre;

static race_surface_centre centre_at(const race_surface* s, int32_t i, double share) {
    race_surface_centre c;
    c.x = sample_of(s, i, share, 0);
    c.y = sample_of(s, i, share, 1);
    double rate = sqrt(c.x.slope * c.x.slope + c.y.slope * c.y.slope);
    c.rate = rate > 1e-3 ? rate : 1e-3;
    c.forward_x = c.x.slope / c.rate;
    c.forward_y = c.y.slope / c.rate;
    c.curvature = (c.x.slope * c.y.bend - c.y.slope * c.x.bend) / (c.rate * c.rate * c.rate);
    return c;
}

void kerb_scene_race_surface_fit(race_surface* surface, const float* bank) {
    measure_chords(surface);
    for (int channel = 0; channel < 3; channel++)
        fit_channel(surface, channel);
    for (int32_t i = 0; i < surface->count; i++) {
        // Of an open track the last knot is the end of the last segment.
        bool end = !surface->closed && i == surface->count - 1;
        int32_t segment = end ? i - 1 : i;
        race_surface_centre c = centre_at(surface, segment, end ? 1.0 : 0.0);
        double climb = sample_of(surface, segment, end ? 1.0 : 0.0, 2).slope / c.rate;
        // The surface is banked about the centre line's own direction, which may climb.
        double rise = (double)kerb_sin(bank[i]) / (double)kerb_cos(bank[i]);
        surface->knots[i].value[3] = rise * sqrt(1.0 + climb * climb);
    }
    fit_channel(surface, 3);
}

// --------------------------------------------------------------------------- places

// Moves a foot along the track, from segment to segment.
static void race_surface_walk(const race_surface* s, race_foot* foot, double metres) {
    double along = foot->share * s->knots[foot->segment].chord + metres;
    int32_t end = s->closed ? s->count : s->count - 1;
    for (int32_t i = 0; i < s->count; i++) {
        double chord = s->knots[foot->segment].chord;
        if (along > chord && (s->closed || foot->segment + 1 < end)) {
            along -= chord;
            foot->segment = next_of(s, foot->segment);
        } else if (along < 0.0 && (s->closed || foot->segment > 0)) {
            foot->segment = last_of(s, foot->segment);
            along += s->knots[foot->segment].chord;
        } else {
            break;
        }
    }
    double share = along / s->knots[foot->segment].chord;
    foot->share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
}

static double spread_of(double curvature, double offset) {
    double spread = 1.0 - curvature * offset;
    return spread > SPREAD_LEAST ? spread : SPREAD_LEAST;
}

race_foot kerb_scene_race_surface_foot(const race_surface* surface, race_foot near_it, double x,
                                       double y) {
    race_foot foot = near_it;
    for (int step = 0; step < FOOT_STEPS; step++) {
        race_surface_centre c = centre_at(surface, foot.segment, foot.share);
        double off_x = x - c.x.value, off_y = y - c.y.value;
        double ahead = off_x * c.forward_x + off_y * c.forward_y;
        foot.offset = c.forward_x * off_y - c.forward_y * off_x;
        foot.beyond = ahead;
        double metres = ahead / (c.rate * spread_of(c.curvature, foot.offset));
        race_foot before = foot;
        race_surface_walk(surface, &foot, metres);
        bool stays = foot.segment == before.segment && foot.share == before.share;
        if (stays || fabs(metres) < FOOT_EXACT)
            break;
    }
    bool at_end = !surface->closed && ((foot.segment == 0 && foot.share == 0.0) ||
                                       (foot.segment == surface->count - 2 && foot.share == 1.0));
    foot.beyond = at_end ? foot.beyond : 0.0;
    return foot;
}

void kerb_scene_race_surface_place(const race_surface* surface, const race_foot* foot, double* x,
                                   double* y) {
    race_surface_centre c = centre_at(surface, foot->segment, foot->share);
    *x = c.x.value - foot->offset * c.forward_y + foot->beyond * c.forward_x;
    *y = c.y.value + foot->offset * c.forward_x + foot->beyond * c.forward_y;
}

double kerb_scene_race_surface_spread(const race_surface* surface, const race_foot* foot) {
    return 1.0 - centre_at(surface, foot->segment, foot->share).curvature * foot->offset;
}

// --------------------------------------------------------------------------- the surface

// From second derivatives along and across the track to those along x and y.
static kerb_sim_bend bend_in_world(const race_surface_centre* c, double along, double mixed) {
    double fx = c->forward_x, fy = c->forward_y;
    kerb_sim_bend result;
    result.xx = (float)(along * fx * fx - 2.0 * mixed * fx * fy);
    result.xy = (float)(along * fx * fy + mixed * (fx * fx - fy * fy));
    result.yy = (float)(along * fy * fy + 2.0 * mixed * fx * fy);
    return result;
}

kerb_sim_ground kerb_scene_race_surface_at(const race_surface* surface, const race_foot* foot) {
    race_surface_centre c = centre_at(surface, foot->segment, foot->share);
    race_surface_sample z = sample_of(surface, foot->segment, foot->share, 2);
    race_surface_sample t = sample_of(surface, foot->segment, foot->share, 3);
    double d = foot->offset, q = c.rate, w = spread_of(c.curvature, d);
    double along = (z.slope + d * t.slope) / (q * w);
    double stretch = (c.x.slope * c.x.bend + c.y.slope * c.y.bend) / (q * q); // q'/q
    double twist = (c.x.slope * c.y.twist - c.y.slope * c.x.twist) / (q * q * q) -
                   3.0 * c.curvature * stretch; // κ'
    double change = (z.bend + d * t.bend) / (q * w) - along * (stretch - twist * d / w);
    double bend_along = (change - c.curvature * q * t.value) / (q * w);
    double bend_mixed = (t.slope + c.curvature * q * along) / (q * w);

    double rise_x = along * c.forward_x - t.value * c.forward_y;
    double rise_y = along * c.forward_y + t.value * c.forward_x;
    double length = sqrt(1.0 + rise_x * rise_x + rise_y * rise_y);
    kerb_sim_ground ground = {.grip = 1.0f};
    ground.height = (float)(z.value + d * t.value + foot->beyond * along);
    ground.normal =
        kerb_vec3_make((float)(-rise_x / length), (float)(-rise_y / length), (float)(1.0 / length));
    ground.bend = bend_in_world(&c, bend_along, bend_mixed);
    return ground;
}
