// Purpose: the line ahead of a racing driver, and how fast the car may be at each place of it.
// Idea:    A ring of bins of equal length, from the car to beyond its braking distance. New bins
//          are filled a few at a time, then the braking pass goes over them (braking.c). When a
//          value changes that all bins depend on, such as grip or lane shift, all are filled again.
// Cost:    O(1) a frame, and no filling in the frames of decisions about other cars, so that no
//          call takes much longer than others. O(bins) when all are filled again.
// Source:  Vamos 4.1 and 4.2; 6 for the lane.
#include "../../racing_line/shared.h"
#include "../learn/learning.h"
#include "../skill/skill.h"

#define AHEAD_SLOTS KERB_RACER_LOOKAHEAD_BINS
// Number of bins that are filled at once.
#define CHUNK 8
// While other cars need much time, the bins are filled this many bins later.
#define AHEAD_WAITS 3
// Greatest number of bins per frame, and per second, whose speeds new bins may lower when other
// cars are near. BRAKES_ALL: no limit.
#define AHEAD_BRAKES_LEAST 32
#define BRAKES_RATE 2000.0f
#define BRAKES_ALL (4 * AHEAD_SLOTS)
// Number of bins kept behind the car.
#define AHEAD_BEHIND 8
// Length of the window over the braking distance from top speed. [1]
#define AHEAD_REACH 1.15f
// Shortest bin. [m]
#define AHEAD_SPACING_LEAST 1.0f
// The curvature of a lane is measured over this distance to either side. [m]
#define LANE_SPAN 6.0f

// --------------------------------------------------------------------------- filling

// From top speed to standstill; drag and downforce count by their mean over the braking.
static float braking_distance(const kerb_performance* limits) {
    float square = limits->speed_max * limits->speed_max;
    float wings = 1.0f + 0.5f * limits->downforce * square / KERB_GRAVITY;
    float mean = limits->braking * wings + 0.5f * limits->drag * square;
    return 0.5f * square / kerb_max(mean, 0.1f);
}

// Lateral offset of the lane shift there. [m]
float kerb_in_racer_lane_offset(const kerb_racer* racer, float left, float right) {
    float keep = racer->settings.margin + 0.5f * racer->vehicle.width;
    float lane = racer->memory.lane;
    float room = kerb_max((lane > 0.0f ? left : right) - keep, 0.0f);
    return lane * room;
}

static void ahead_fill_bin(kerb_racer* racer, const kerb_racing_line* line, int32_t bin,
                           racer_skill_cell* cell) {
    int32_t slot = racer_slot_of(bin);
    double at = (double)bin * (double)racer->memory.ahead.spacing;
    kerb_line_point p = kerb_in_racing_line_surface_at(line, at);
    bool beyond = !line->closed && (at > line->length || at < 0.0);
    float offset = kerb_in_racer_lane_offset(racer, p.left, p.right);
    racer->memory.ahead.line_curvature[slot] = beyond ? 0.0f : p.curvature;
    racer->memory.ahead.curvature[slot] =
        racer_bend_beside(racer->memory.ahead.line_curvature[slot], offset, 0.0f);
    racer->memory.ahead.left[slot] = p.left;
    racer->memory.ahead.right[slot] = p.right;
    racer->memory.ahead.normal_curvature[slot] = beyond ? 0.0f : p.normal_curvature;
    racer->memory.ahead.up_forward[slot] = p.up_forward;
    racer->memory.ahead.up_left[slot] = p.up_left;
    racer->memory.ahead.up_normal[slot] = p.up_normal;
    float learnt = kerb_in_racer_learnt_grip(racer, line, at), grip;
    kerb_in_racer_skill_at(racer, line, &p, at, cell, &grip, &racer->memory.ahead.wander[slot]);
    racer->memory.ahead.grip[slot] = p.grip * grip * learnt;
    racer->memory.ahead.brakes[slot] = kerb_in_racer_learnt_brakes(learnt);
    racer->memory.ahead.offset[slot] = offset;
}

// A lane that is a share of the track's width bends where the width changes: second differences
// over some metres, because edges are rough.
static void bend_lanes(kerb_racer* racer, int32_t fresh) {
    int32_t reach = (int32_t)(racer_metres(racer, LANE_SPAN) / racer->memory.ahead.spacing) + 1;
    float span = (float)reach * racer->memory.ahead.spacing;
    int32_t begin = racer->memory.ahead.first + reach, end = racer->memory.ahead.end - reach;
    for (int32_t bin = fresh - reach > begin ? fresh - reach : begin; bin < end; bin++) {
        int32_t slot = racer_slot_of(bin);
        float offset = racer->memory.ahead.offset[slot];
        float around = racer->memory.ahead.offset[racer_slot_of(bin - reach)] +
                       racer->memory.ahead.offset[racer_slot_of(bin + reach)];
        float bend = (around - 2.0f * offset) / (span * span);
        racer->memory.ahead.curvature[slot] =
            racer_bend_beside(racer->memory.ahead.line_curvature[slot], offset, bend);
    }
}

kerb_profile_point kerb_in_racer_profile_point(const kerb_racer* racer, int32_t bin,
                                               float curvature) {
    int32_t slot = racer_slot_of(bin);
    kerb_profile_point point = {racer->memory.ahead.spacing,
                                curvature,
                                racer->memory.ahead.normal_curvature[slot],
                                racer->memory.ahead.up_forward[slot],
                                racer->memory.ahead.up_left[slot],
                                racer->memory.ahead.up_normal[slot],
                                racer->memory.ahead.grip[slot],
                                KERB_SPEED_UNLIMITED};
    return point;
}

// --------------------------------------------------------------------------- the window

static bool ahead_is_for(const kerb_racer* racer, const float key[7]) {
    for (int32_t i = 0; i < 7; i++)
        if (!(racer->memory.ahead.key[i] == key[i]))
            return false;
    return true;
}

static void begin_anew(kerb_racer* racer, const racer_frame* frame, const float key[7]) {
    for (int32_t i = 0; i < 7; i++)
        racer->memory.ahead.key[i] = key[i];
    float reach = AHEAD_REACH * braking_distance(&frame->limits) /
                  (float)(AHEAD_SLOTS - CHUNK - AHEAD_BEHIND);
    racer->memory.ahead.spacing = kerb_max(reach, racer_metres(racer, AHEAD_SPACING_LEAST));
    racer->memory.ahead.first = racer->memory.ahead.end = racer->memory.ahead.taken =
        racer->memory.ahead.aside = 0;
    racer->memory.ahead.back = racer->memory.ahead.back_lane = -1;
    racer->memory.ahead.anew = true;
}

// Bins are not filled in the frame of a decision about other cars, or in the one after it: no call
// should take much longer than others.
static bool fills(const kerb_racer* racer, bool busy) {
    int32_t most = AHEAD_SLOTS - CHUNK - (busy ? AHEAD_WAITS : 0);
    return racer->memory.ahead.end <= racer->memory.ahead.first + most;
}

// When other cars are near, some bins a frame, and none in the frames of decisions: far ahead there
// is time.
static void brake_back(kerb_racer* racer, const racer_frame* frame) {
    bool some = racer->memory.traffic.known_count > 0 && !racer->memory.ahead.anew;
    if (!kerb_in_racer_brakes_back(racer) || (some && kerb_in_racer_traffic_is_due(racer, frame)))
        return;
    int32_t most = (int32_t)kerb_min(BRAKES_RATE * frame->time_step, (float)BRAKES_ALL);
    most = most > AHEAD_BRAKES_LEAST ? most : AHEAD_BRAKES_LEAST;
    kerb_in_racer_brake_back(racer, frame, some ? most : BRAKES_ALL);
}

static void ahead_look_ahead(kerb_racer* racer, const racer_frame* frame) {
    const kerb_performance* p = &frame->limits;
    const float key[7] = {p->lateral, p->braking,         p->downforce,   p->speed_max,
                          p->drag,    racer->memory.lane, p->braking_loss};
    if (!ahead_is_for(racer, key))
        begin_anew(racer, frame, key);
    int32_t first = racer_bin_at(racer, frame->total) - AHEAD_BEHIND;
    if (first < racer->memory.ahead.first || first >= racer->memory.ahead.end) {
        racer->memory.ahead.first = racer->memory.ahead.end = first;
        racer->memory.ahead.taken = racer->memory.ahead.aside = first;
        racer->memory.ahead.back = racer->memory.ahead.back_lane = first - 1;
        racer->memory.ahead.anew = true;
    }
    racer->memory.ahead.first = first;
    bool busy = racer->memory.ahead.taken > first;
    if (busy)
        kerb_in_racer_brake_way(racer, frame);
    if (!fills(racer, busy || kerb_in_racer_traffic_is_due(racer, frame))) {
        brake_back(racer, frame);
        return;
    }
    kerb_in_racer_brake_back(racer, frame, BRAKES_ALL);
    int32_t fresh = racer->memory.ahead.end;
    racer_skill_cell cell = {.known = false};
    for (; racer->memory.ahead.end < first + AHEAD_SLOTS; racer->memory.ahead.end++)
        ahead_fill_bin(racer, frame->line, racer->memory.ahead.end, &cell);
    if (racer->memory.lane != 0.0f)
        bend_lanes(racer, fresh);
    racer->memory.ahead.fresh = fresh;
    racer->memory.ahead.back = racer->memory.ahead.back_lane = racer->memory.ahead.end - 1;
    brake_back(racer, frame);
}

void kerb_in_racer_look_ahead(kerb_racer* racer, racer_frame* frame) {
    ahead_look_ahead(racer, frame);
    frame->bin = racer_bin_at(racer, frame->total);
    frame->spot = racer_spot_at(racer, frame->total);
}

float kerb_in_racer_lowest_ahead(const kerb_racer* racer, double total) {
    int32_t bin = racer_bin_at(racer, total);
    float least = racer->memory.ahead.squared[racer_slot_of(bin)];
    for (bin++; bin < racer->memory.ahead.end; bin++) {
        float next = racer->memory.ahead.squared[racer_slot_of(bin)];
        if (next > least)
            break;
        least = next;
    }
    return kerb_sqrt(least);
}

// Beyond a new path the lane counts again, with its speeds. What is left there of an earlier path,
// which reached farther because the car was faster, has bends that make no sense.
static void clear_beyond(kerb_racer* racer, int32_t bin) {
    int32_t end = racer->memory.ahead.aside; // from there on it is as it was filled
    for (; bin < end; bin++) {
        int32_t slot = racer_slot_of(bin);
        racer->memory.ahead.squared[slot] = racer->memory.ahead.free_squared[slot];
        racer->memory.ahead.corner[slot] = racer->memory.ahead.free_corner[slot];
        float lane = 0.0f;
        if (racer->memory.lane != 0.0f)
            lane = kerb_in_racer_lane_offset(racer, racer->memory.ahead.left[slot],
                                             racer->memory.ahead.right[slot]);
        if (racer->memory.ahead.offset[slot] == lane)
            continue;
        racer->memory.ahead.offset[slot] = lane;
        racer->memory.ahead.curvature[slot] =
            racer_bend_beside(racer->memory.ahead.line_curvature[slot], lane, 0.0f);
    }
}

// Curvatures relative to the line are the second differences of the offsets. At the end of the path
// they are set to 0: it will be laid again before the car is there.
static void lay_bends(const float* offsets, int32_t count, float per_square, float* bends) {
    bends[0] = bends[count - 1] = 0.0f;
    for (int32_t i = 1; i + 1 < count; i++)
        bends[i] = (offsets[i - 1] - 2.0f * offsets[i] + offsets[i + 1]) * per_square;
}

// Weights for a bin between two places: of their offsets and curvatures, and of how the curvatures
// bend the path between them.
typedef struct bin_shares {
    float here, next;
    float pull_here, pull_next;
} bin_shares;

static bin_shares shares_of(int32_t bin) {
    float t = 1.0f / (float)RACER_STRIDE * (float)bin, u = 1.0f - t;
    return (bin_shares){u, t, u * (u * u - 1.0f), t * (t * t - 1.0f)};
}

// Curvature of the path from its curvature relative to the line, in a row of slots.
static void add_line(kerb_racer* racer, int32_t from, int32_t end) {
    const float *line = racer->memory.ahead.line_curvature, *offset = racer->memory.ahead.offset;
    float* curvature = racer->memory.ahead.curvature;
    for (int32_t i = from; i < end; i++)
        curvature[i] = racer_bend_beside(line[i], offset[i], curvature[i]);
}

// The bins at the distance `on` after each place. Written as rows, so that the loops become vector
// code.
static void lay_between(kerb_racer* racer, int32_t first, int32_t count, const float* offsets,
                        const float* bends, float sixth, int32_t on) {
    float offset[AHEAD_SLOTS], bend[AHEAD_SLOTS];
    bin_shares s = shares_of(on);
    for (int32_t i = 0; i + 1 < count; i++) {
        float pull = s.pull_here * bends[i] + s.pull_next * bends[i + 1];
        offset[i] = s.here * offsets[i] + s.next * offsets[i + 1] + sixth * pull;
        bend[i] = s.here * bends[i] + s.next * bends[i + 1];
    }
    int32_t slot = racer_slot_of(first + on);
    for (int32_t i = 0; i + 1 < count; i++) {
        racer->memory.ahead.offset[slot] = offset[i];
        racer->memory.ahead.curvature[slot] = bend[i];
        slot = (slot + RACER_STRIDE) % AHEAD_SLOTS;
    }
}

// Between two places the curvature relative to the line changes linearly.
void kerb_in_racer_take_way(kerb_racer* racer, int32_t first, int32_t count, const float* offsets) {
    float span = (float)RACER_STRIDE * racer->memory.ahead.spacing, bends[AHEAD_SLOTS];
    float sixth = span * span * (1.0f / 6.0f);
    int32_t end = first + RACER_STRIDE * (count - 1) + 1;
    lay_bends(offsets, count, 1.0f / (span * span), bends);
    for (int32_t on = 0; on < RACER_STRIDE; on++)
        lay_between(racer, first, count, offsets, bends, sixth, on);
    int32_t from = racer_slot_of(first), to = racer_slot_of(end - 1);
    racer->memory.ahead.offset[to] = offsets[count - 1];
    racer->memory.ahead.curvature[to] = 0.0f;
    add_line(racer, from, from <= to ? to + 1 : AHEAD_SLOTS);
    if (to < from)
        add_line(racer, 0, to + 1);
    clear_beyond(racer, end);
    racer->memory.ahead.taken = racer->memory.ahead.aside = end;
    // Beyond it path and lane are one again; before it the path's speeds follow from its end.
    bool beyond = racer->memory.ahead.back_lane >= end;
    racer->memory.ahead.back =
        beyond ? racer->memory.ahead.back_lane : racer->memory.ahead.first - 1;
}
