// Purpose: the way ahead of a racing driver, and how fast it may be at each place of it.
// Idea:    A ring of even bins from the car to beyond its braking distance. New bins are filled a
//          few at a time; then the car brakes in thought from each corner backwards, with what
//          cornering leaves of the tyres, until that no longer changes what was known: the paper's
//          braking simulation, run once for each stretch of road instead of once a frame. What a
//          driver weighs differently, grip or lane, makes it look anew.
// Cost:    O(1) a frame: 40 ns a bin filled, 15 ns a bin braked through.
// Source:  Vamos 4.1 and 4.2; 6 for the lane.
#include "racer_learning.h"
#include "racer_skill.h"

#include "../control/profile_limits.h"

#define SLOTS KERB_RACER_BINS
// Bins that are filled at once.
#define CHUNK 8
// Bins kept behind the car.
#define BEHIND 8
// The bins reach this much farther than the braking distance from top speed.
#define REACH 1.15f
#define SPACING_LEAST 1.0f
// Bends of lanes are told over so much on either side. [m]
#define LANE_SPAN 6.0f
// Holding the speed counts by this, since through a short bend a car may slow; it takes so much of
// the tyres' square, or it does not matter, and no more than that. [1]
#define HELD_LEAST 0.02f
#define HELD_WEIGHT 0.6f
#define HELD_MOST 0.25f
// From so long before a change of sides until as long after it the body swings round. [s]
#define SWING_TIME 0.25f

static float between(float a, float b, float share) {
    return a + (b - a) * share;
}

// --------------------------------------------------------------------------- filling

// Distance from top speed to a stand; drag and downforce by their mean over the braking.
static float braking_distance(const kerb_performance* limits) {
    float square = limits->speed_max * limits->speed_max;
    float wings = 1.0f + 0.5f * limits->downforce * square / KERB_GRAVITY;
    float mean = limits->braking * wings + 0.5f * limits->drag * square;
    return 0.5f * square / kerb_max(mean, 0.1f);
}

// What the lane shift is there, from the line. [m]
float racer_lane_offset(const kerb_racer* racer, float left, float right) {
    float keep = racer->settings.margin + 0.5f * racer->vehicle.width;
    float lane = racer->memory.lane;
    float room = kerb_max((lane > 0.0f ? left : right) - keep, 0.0f);
    return lane * room;
}

// Bend of a way beside the line, whose offset bends by `bend` per metre of the line: inside of a
// bend both are tighter.
static float bend_beside(float line_curvature, float offset, float bend) {
    float pace = kerb_clamp(1.0f - line_curvature * offset, 0.3f, 3.0f);
    return (line_curvature + bend / pace) / pace;
}

static void fill_bin(kerb_racer* racer, const kerb_racing_line* line, int32_t bin) {
    int32_t slot = racer_slot_of(bin);
    double at = (double)bin * (double)racer->ahead.spacing;
    kerb_line_point p = kerb_racing_line_at(line, at);
    bool beyond = !line->closed && (at > line->length || at < 0.0);
    float offset = racer_lane_offset(racer, p.left, p.right);
    racer->ahead.line_curvature[slot] = beyond ? 0.0f : p.curvature;
    racer->ahead.curvature[slot] = bend_beside(racer->ahead.line_curvature[slot], offset, 0.0f);
    racer->ahead.left[slot] = p.left;
    racer->ahead.right[slot] = p.right;
    racer->ahead.normal_curvature[slot] = beyond ? 0.0f : p.normal_curvature;
    racer->ahead.up_forward[slot] = p.up_forward;
    racer->ahead.up_left[slot] = p.up_left;
    racer->ahead.up_normal[slot] = p.up_normal;
    float learnt = racer_learnt_grip(racer, line, at);
    racer->ahead.grip[slot] = p.grip * racer_skill_grip(racer, line, at) * learnt;
    racer->ahead.brakes[slot] = racer_learnt_brakes(learnt);
    racer->ahead.offset[slot] = offset;
    racer->ahead.wander[slot] = racer_skill_wander(racer, &p, line, at);
}

// A lane that is a share of the room bends where the room does: second differences over some
// metres, because edges are rough.
static void bend_lanes(kerb_racer* racer, int32_t fresh) {
    int32_t reach = (int32_t)(LANE_SPAN / racer->ahead.spacing) + 1;
    float span = (float)reach * racer->ahead.spacing;
    int32_t begin = racer->ahead.first + reach, end = racer->ahead.end - reach;
    for (int32_t bin = fresh - reach > begin ? fresh - reach : begin; bin < end; bin++) {
        int32_t slot = racer_slot_of(bin);
        float offset = racer->ahead.offset[slot];
        float around = racer->ahead.offset[racer_slot_of(bin - reach)] +
                       racer->ahead.offset[racer_slot_of(bin + reach)];
        float bend = (around - 2.0f * offset) / (span * span);
        racer->ahead.curvature[slot] = bend_beside(racer->ahead.line_curvature[slot], offset, bend);
    }
}

kerb_profile_point racer_profile_point(const kerb_racer* racer, int32_t bin, float curvature) {
    int32_t slot = racer_slot_of(bin);
    kerb_profile_point point = {racer->ahead.spacing,
                                curvature,
                                racer->ahead.normal_curvature[slot],
                                racer->ahead.up_forward[slot],
                                racer->ahead.up_left[slot],
                                racer->ahead.up_normal[slot],
                                racer->ahead.grip[slot],
                                KERB_SPEED_UNLIMITED};
    return point;
}

// Of the way that is driven, or of the lane as if nobody were there. [1/m]
static float curvature_in(const kerb_racer* racer, int32_t bin, bool way) {
    int32_t slot = racer_slot_of(bin);
    if (way || bin >= racer->ahead.aside)
        return racer->ahead.curvature[slot];
    float lane = racer_lane_offset(racer, racer->ahead.left[slot], racer->ahead.right[slot]);
    return bend_beside(racer->ahead.line_curvature[slot], lane, 0.0f);
}

// Between two bends to different sides the tyres are busy swinging the body round: as in a bend as
// sharp as the milder of both. [1/m]
static float swing_in(const kerb_racer* racer, int32_t bin, float speed, bool way) {
    int32_t reach = (int32_t)(SWING_TIME * speed / racer->ahead.spacing + 0.5f);
    int32_t last = racer->ahead.end - 1;
    int32_t before = bin - reach < racer->ahead.first ? racer->ahead.first : bin - reach;
    int32_t after = bin + reach < last ? bin + reach : last;
    float from = curvature_in(racer, before, way), to = curvature_in(racer, after, way);
    return from * to < 0.0f ? kerb_min(kerb_abs(from), kerb_abs(to)) : 0.0f;
}

float racer_swing_at(const kerb_racer* racer, int32_t bin, float speed) {
    return swing_in(racer, bin, speed, true);
}

// How far the driven tyres are needed at the limit to hold the speed against what resists it: at
// high speed, with wings, far. Squared, weighed. [0 … HELD_MOST]
static float held_speed(const kerb_performance* p, const profile_limits* l) {
    float b = l->most, load = l->load + l->load_gain * b;
    float aside = kerb_abs(l->aside + l->aside_gain * b);
    float resists = p->rolling + p->drag * b + profile_turning(p->turning_drag, aside, load);
    float share = resists * p->lateral / kerb_max(p->accelerating * load, 0.1f);
    return kerb_min(HELD_WEIGHT * share * share, HELD_MOST);
}

static profile_limits limits_at(const kerb_racer* racer, const racer_frame* frame, int32_t bin,
                                float b, bool way) {
    float speed = kerb_sqrt(b);
    float curvature = curvature_in(racer, bin, way);
    float swing = swing_in(racer, bin, speed, way);
    if (swing > 0.0f) {
        float both = kerb_sqrt(curvature * curvature + swing * swing);
        curvature = curvature < 0.0f ? -both : both;
    }
    kerb_profile_point p = racer_profile_point(racer, bin, curvature);
    profile_limits l = profile_limits_of(&frame->limits, &p);
    float top = frame->limits.speed_max;
    float held = l.most < top * top ? held_speed(&frame->limits, &l) : 0.0f;
    if (held > HELD_LEAST) {
        p.grip *= kerb_sqrt(1.0f - held);
        l.most = profile_limits_of(&frame->limits, &p).most;
    }
    return l;
}

// --------------------------------------------------------------------------- braking in thought

// Where no speed holds, drag alone slows.
static float whole_braking_at(const racer_frame* frame, const profile_limits* l, float b) {
    float aside = l->aside + l->aside_gain * b, load = l->load + l->load_gain * b;
    if (kerb_abs(aside) >= load)
        return -l->climb - frame->limits.drag * b;
    return profile_braking(&frame->limits, l, b);
}

static float braking_at(const kerb_racer* racer, const racer_frame* frame, int32_t bin,
                        const profile_limits* l, float b) {
    return racer->ahead.brakes[racer_slot_of(bin)] * whole_braking_at(frame, l, b);
}

// Greatest speed² at the one place from which the next can be met: Heun's step backwards.
static float speed_before(const kerb_racer* racer, const racer_frame* frame, int32_t bin,
                          const profile_limits* here, const profile_limits* next, float b) {
    float h = racer->ahead.spacing;
    float at_next = braking_at(racer, frame, bin + 1, next, kerb_min(b, next->most));
    float guess = kerb_clamp(b - 2.0f * h * at_next, 0.0f, here->most);
    float at_here = braking_at(racer, frame, bin, here, guess);
    return kerb_clamp(b - h * (at_next + at_here), 0.0f, here->most);
}

static void note_speed(kerb_racer* racer, int32_t bin, float corner, float square, bool way) {
    int32_t slot = racer_slot_of(bin);
    if (way) {
        racer->ahead.corner[slot] = corner;
        racer->ahead.squared[slot] = square;
    }
    if (!way || racer->ahead.aside <= racer->ahead.first) {
        racer->ahead.free_corner[slot] = corner;
        racer->ahead.free_squared[slot] = square;
    }
}

// From the last bin back, until what is new no longer matters: the way, or the lane without others.
// As long as they are the same the way's speeds are the lane's, too.
static void brake_back(kerb_racer* racer, const racer_frame* frame, int32_t fresh, bool way) {
    const float* known = way ? racer->ahead.squared : racer->ahead.free_squared;
    int32_t bin = racer->ahead.end - 1;
    profile_limits next = limits_at(racer, frame, bin, 0.0f, way);
    float b = next.most;
    note_speed(racer, bin, b, b, way);
    for (bin--; bin >= racer->ahead.first; bin--) {
        profile_limits here = limits_at(racer, frame, bin, b, way);
        b = speed_before(racer, frame, bin, &here, &next, b);
        if (bin < fresh && b >= known[racer_slot_of(bin)])
            return;
        note_speed(racer, bin, here.most, b, way);
        next = here;
    }
}

// Speeds of the way taken in the last frame: all bins from its end back to the first anew; those
// beyond it stand. Up to ten times a second among others: so not in the frame that laid the way,
// and each place's braking is told once, where the step to it is guessed to end.
static void brake_way(kerb_racer* racer, const racer_frame* frame) {
    int32_t last = racer->ahead.taken - 1;
    racer->ahead.taken = racer->ahead.first;
    last = last < racer->ahead.end - 2 ? last : racer->ahead.end - 2;
    float b = racer->ahead.squared[racer_slot_of(last + 1)], h = racer->ahead.spacing;
    profile_limits next = limits_at(racer, frame, last + 1, b, true);
    float at_next = braking_at(racer, frame, last + 1, &next, kerb_min(b, next.most));
    for (int32_t bin = last; bin >= racer->ahead.first; bin--) {
        profile_limits here = limits_at(racer, frame, bin, b, true);
        float guess = kerb_clamp(b - 2.0f * h * at_next, 0.0f, here.most);
        float at_here = braking_at(racer, frame, bin, &here, guess);
        b = kerb_clamp(b - h * (at_next + at_here), 0.0f, here.most);
        racer->ahead.corner[racer_slot_of(bin)] = here.most;
        racer->ahead.squared[racer_slot_of(bin)] = b;
        at_next = at_here;
    }
}

// --------------------------------------------------------------------------- the window

static bool is_for(const kerb_racer* racer, const float key[7]) {
    for (int32_t i = 0; i < 7; i++)
        if (!(racer->ahead.key[i] == key[i]))
            return false;
    return true;
}

static void begin_anew(kerb_racer* racer, const racer_frame* frame, const float key[7]) {
    for (int32_t i = 0; i < 7; i++)
        racer->ahead.key[i] = key[i];
    float reach = REACH * braking_distance(&frame->limits) / (float)(SLOTS - CHUNK - BEHIND);
    racer->ahead.spacing = kerb_max(reach, SPACING_LEAST);
    racer->ahead.first = racer->ahead.end = racer->ahead.taken = racer->ahead.aside = 0;
    racer->ahead.anew = true;
}

static void look_ahead(kerb_racer* racer, const racer_frame* frame) {
    const kerb_performance* p = &frame->limits;
    const float key[7] = {p->lateral, p->braking,         p->downforce,   p->speed_max,
                          p->drag,    racer->memory.lane, p->braking_loss};
    if (!is_for(racer, key))
        begin_anew(racer, frame, key);
    int32_t first = racer_bin_at(racer, frame->total) - BEHIND;
    if (first < racer->ahead.first || first >= racer->ahead.end) {
        racer->ahead.first = racer->ahead.end = first;
        racer->ahead.taken = racer->ahead.aside = first;
        racer->ahead.anew = true;
    }
    racer->ahead.first = first;
    if (racer->ahead.taken > first)
        brake_way(racer, frame);
    if (racer->ahead.end > first + SLOTS - CHUNK)
        return;
    int32_t fresh = racer->ahead.end;
    for (; racer->ahead.end < first + SLOTS; racer->ahead.end++)
        fill_bin(racer, frame->line, racer->ahead.end);
    if (racer->memory.lane != 0.0f)
        bend_lanes(racer, fresh);
    brake_back(racer, frame, fresh, true);
    if (racer->ahead.aside > racer->ahead.first)
        brake_back(racer, frame, fresh, false);
}

void racer_look_ahead(kerb_racer* racer, racer_frame* frame) {
    look_ahead(racer, frame);
    frame->bin = racer_bin_at(racer, frame->total);
    frame->spot = racer_spot_at(racer, frame->total);
}

float racer_lowest_ahead(const kerb_racer* racer, double total) {
    int32_t bin = racer_bin_at(racer, total);
    float least = racer->ahead.squared[racer_slot_of(bin)];
    for (bin++; bin < racer->ahead.end; bin++) {
        float next = racer->ahead.squared[racer_slot_of(bin)];
        if (next > least)
            break;
        least = next;
    }
    return kerb_sqrt(least);
}

float racer_into(const kerb_racer* racer, double total) {
    return (float)(total - (double)racer->ahead.first * (double)racer->ahead.spacing);
}

static float speed_of(const kerb_racer* racer, const float* squared, float into) {
    float most = (float)(racer->ahead.end - racer->ahead.first - 1) - 0.001f;
    float at = kerb_clamp(into / racer->ahead.spacing, 0.0f, most);
    int32_t i = (int32_t)at;
    float a = squared[racer_slot_of(racer->ahead.first + i)];
    float b = squared[racer_slot_of(racer->ahead.first + i + 1)];
    return kerb_sqrt(between(a, b, at - (float)i));
}

float racer_speed_at(const kerb_racer* racer, float into) {
    return speed_of(racer, racer->ahead.squared, into);
}

float racer_free_speed_at(const kerb_racer* racer, float into) {
    return speed_of(racer, racer->ahead.free_squared, into);
}

// Beyond a new way the lane as it was filled: what is left there of an earlier way, that reached
// farther because the car was faster, bends as nobody would drive. Returns where that ends.
static int32_t clear_beyond(kerb_racer* racer, int32_t bin) {
    int32_t end = bin;
    for (; bin < racer->ahead.end; bin++) {
        int32_t slot = racer_slot_of(bin);
        float lane = racer_lane_offset(racer, racer->ahead.left[slot], racer->ahead.right[slot]);
        if (racer->ahead.offset[slot] == lane)
            continue;
        racer->ahead.offset[slot] = lane;
        racer->ahead.curvature[slot] = bend_beside(racer->ahead.line_curvature[slot], lane, 0.0f);
        end = bin + 1;
    }
    return end;
}

// Bends relative to the line are the offsets' second differences. Where the new way ends they mean
// nothing: it will have been laid anew before the car is there.
static float bend_of(const float* offsets, int32_t count, int32_t i, float per_square) {
    if (i <= 0 || i + 1 >= count)
        return 0.0f;
    return (offsets[i - 1] - 2.0f * offsets[i] + offsets[i + 1]) * per_square;
}

// Between two places the way bends evenly from the one's to the other's.
void racer_take_way(kerb_racer* racer, int32_t first, int32_t stride, int32_t count,
                    const float* offsets) {
    float span = (float)stride * racer->ahead.spacing, per_square = 1.0f / (span * span);
    float bend = bend_of(offsets, count, 0, per_square), per_stride = 1.0f / (float)stride;
    int32_t bin = first;
    for (int32_t i = 0; i < count; i++) {
        bool last = i + 1 == count;
        float next = last ? offsets[i] : offsets[i + 1];
        float next_bend = bend_of(offsets, count, i + 1, per_square);
        for (int32_t k = 0; k < (last ? 1 : stride); k++, bin++) {
            float t = per_stride * (float)k, u = 1.0f - t;
            float pull = u * (u * u - 1.0f) * bend + t * (t * t - 1.0f) * next_bend;
            float offset = u * offsets[i] + t * next + span * span * (1.0f / 6.0f) * pull;
            int32_t slot = racer_slot_of(bin);
            racer->ahead.offset[slot] = offset;
            racer->ahead.curvature[slot] =
                bend_beside(racer->ahead.line_curvature[slot], offset, u * bend + t * next_bend);
        }
        bend = next_bend;
    }
    racer->ahead.taken = clear_beyond(racer, bin);
    racer->ahead.aside = bin > racer->ahead.aside ? bin : racer->ahead.aside;
}

// Between bins linear; beyond the window its last bin.
racer_place racer_place_of(const kerb_racer* racer, racer_spot spot) {
    racer_place place;
    int32_t a = spot.a, b = spot.b;
    place.curvature = racer_row_at(racer->ahead.curvature, spot);
    place.slope = (racer->ahead.offset[b] - racer->ahead.offset[a]) / racer->ahead.spacing;
    place.way = racer_row_at(racer->ahead.offset, spot);
    place.offset = place.way + racer_skill_alone(racer) * racer_row_at(racer->ahead.wander, spot);
    place.squared = racer_row_at(racer->ahead.squared, spot);
    place.corner = racer_row_at(racer->ahead.corner, spot);
    place.free_squared = racer_row_at(racer->ahead.free_squared, spot);
    place.free_corner = racer_row_at(racer->ahead.free_corner, spot);
    place.acceleration =
        0.5f * (racer->ahead.squared[b] - racer->ahead.squared[a]) / racer->ahead.spacing;
    return place;
}

racer_place racer_place_at(const kerb_racer* racer, double total) {
    return racer_place_of(racer, racer_spot_at(racer, total));
}
