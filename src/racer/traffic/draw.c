// Purpose: a path beside the line as a car can drive it.
// Idea:    From its present state on towards the target, with a limited lateral speed and
//          curvature, so that only part of the grip is used, and never so steep towards an edge
//          that the car could not turn away in time. If that misses what it must keep clear of, the
//          path is drawn again with more grip.
// Cost:    O(places).
// Source:  Vamos 6, lane shift.
#include "way.h"

// Lateral speed on the way back to the line. [m/s]
#define RACER_DRAW_BACK_SPEED 1.4f
// In an urgent path it uses this many times the grip. [1]
#define URGENT 2.2f
// Greatest curvature against the line, for comfort. [1/m]
#define RACER_DRAW_BEND_MOST 0.03f
// Near an edge it turns as sharply as its tyres allow, and up to this curvature if it can be slow
// enough for that by then. [1/m]
#define EDGE_BEND 0.03f
// Share of the brakes for how slow it can be at a place … [1]
#define RACER_DRAW_BRAKES_USED 0.8f
// … and the smallest speed² there. [m²/s²]
#define SLOWEST 9.0f
// A path that misses what it must keep to by more is drawn as an urgent one. [m]
#define MISS_MOST 0.3f
// A slower car does not reach the next place before the next decision: the path under it turns by
// less, at standstill by LEAST. [m/s], [1]
#define ROLLS_SPEED 10.0f
#define ROLLS_LEAST 0.2f

void kerb_in_traffic_lay_ground(const racer_frame* frame, const way_plan* plan,
                                way_ground* ground) {
    const kerb_performance* p = &frame->limits;
    float h = plan->spacing;
    for (int32_t i = 0; i < plan->count; i++) {
        ground->gain[i] = (ground->gain[i] + p->downforce) * (1.0f / KERB_GRAVITY);
        ground->brakes[i] = 2.0f * RACER_DRAW_BRAKES_USED * h * p->braking * ground->grip[i];
        ground->grip[i] = kerb_max(ground->grip[i] * p->lateral, 0.01f);
        ground->per_lateral[i] = 1.0f / ground->grip[i];
        ground->bank[i] *= KERB_GRAVITY;
        // By the previous path: with this one, every place would wait for the one before it, and no
        // car is far from its previous path.
        float offset = kerb_clamp(plan->offset[i], plan->low[i], plan->high[i]);
        ground->beside[i] = racer_bend_beside(ground->line[i], offset, 0.0f);
    }
    ground->drag = 2.0f * RACER_DRAW_BRAKES_USED * h * p->drag;
}

// The tyres at one place, at the lowest speed that braking from here allows.
typedef struct way_tyres {
    float square;     // of that speed [m²/s²]
    float grip, bank; // lateral grip, and the part of it that a bank takes [m/s²]
    float per_grip;   // 1 / grip
} way_tyres;

// The tyres at one place; then braking goes on to the next one.
static void racer_draw_hold(const way_ground* ground, int32_t i, float bend, way_tyres* tyres) {
    float u = tyres->square, load = kerb_max(ground->load[i] + ground->gain[i] * u, 0.1f);
    tyres->grip = ground->grip[i] * load;
    tyres->bank = ground->bank[i];
    tyres->per_grip = 1.0f / tyres->grip;
    // The ellipse times the load: no step of the braking waits for a quotient.
    float aside = (bend * u + tyres->bank) * ground->per_lateral[i];
    float slows = ground->brakes[i] * kerb_sqrt(load * load - aside * aside);
    tyres->square = kerb_max(u - ground->drag * u - slows, SLOWEST);
}

// Greatest curvature against the line, to the right and to the left. [1/m]
typedef struct way_bends {
    float right, left;
} way_bends;

// All the grip beside what the line takes.
static way_bends hardest(const way_tyres* tyres, float per_square, float beside) {
    return (way_bends){kerb_max((tyres->grip + tyres->bank) * per_square + beside, 0.0f),
                       kerb_max((tyres->grip - tyres->bank) * per_square - beside, 0.0f)};
}

// From a place the edges are looked at in some places ahead, near and far.
#define EDGE_LOOKS 6
#define EDGE_FARTHEST 13
static const int32_t PLACES_ON[EDGE_LOOKS] = {1, 2, 3, 5, 8, EDGE_FARTHEST};

static void lay_near_edges(way_plan* plan) {
    for (int32_t i = 0; i < plan->count; i++) {
        plan->near_right[i] = -1.0e6f;
        plan->near_left[i] = 1.0e6f;
    }
    for (int32_t j = 0; j < EDGE_LOOKS; j++) {
        int32_t on = PLACES_ON[j];
        for (int32_t i = 0; i + on < plan->count; i++) {
            plan->near_right[i] = kerb_max(plan->near_right[i], plan->edge_right[i + on]);
            plan->near_left[i] = kerb_min(plan->near_left[i], plan->edge_left[i + on]);
        }
    }
}

// True: it meets no edge at those places even if it cannot turn back. Then its slope needs no
// limit; so it is at most places.
static bool is_clear(const way_plan* plan, int32_t i, float per_farthest, float slope) {
    float right = plan->near_right[i] - plan->offset[i];
    float left = plan->near_left[i] - plan->offset[i];
    return (right <= 0.0f) & (left >= 0.0f) & (right * per_farthest <= slope) &
           (left * per_farthest >= slope);
}

// Limits the slope towards an edge to what half of the tyres' remaining grip can undo before it,
// and before where the edge comes nearer farther on.
static float away_from_edges(const way_plan* plan, const way_bends* hard, int32_t i, float slope) {
    int32_t last = plan->count - 1 - i;
    float offset = plan->offset[i], h = plan->spacing, least = -1.0e6f, most = 1.0e6f;
    for (int32_t j = 0; j < EDGE_LOOKS && PLACES_ON[j] <= last; j++) {
        int32_t on = PLACES_ON[j];
        float per_way = 1.0f / (h * (float)on), undone = 0.25f * h * (float)(on - 1);
        least =
            kerb_max(least, (plan->edge_right[i + on] - offset) * per_way - undone * hard->left);
        most = kerb_min(most, (plan->edge_left[i + on] - offset) * per_way + undone * hard->right);
    }
    return least < most ? kerb_clamp(slope, least, most) : 0.5f * (least + most);
}

// It may bend as the track does against the line, but sharper than the line only as far as grip is
// left: otherwise it would have to be slower there than on the line. In an urgent path that does
// not matter.
static way_bends bends_at(float comfort, float line, float track, float use, bool urgent) {
    float most = comfort + kerb_abs(line);
    float sharper = urgent ? most : comfort * kerb_max(1.0f - use, 0.0f);
    way_bends bends = line > 0.0f ? (way_bends){most, sharper} : (way_bends){sharper, most};
    bends.right = kerb_max(bends.right, comfort - track);
    bends.left = kerb_max(bends.left, comfort + track);
    return bends;
}

// The slope that the edges allow. Where they limit it, comfort and speed do not count.
static float hold_off_edges(const way_plan* plan, const way_tyres* tyres, int32_t i, float wanted,
                            float per_square, float slowest, float beside, way_bends* bends) {
    way_bends hard = hardest(tyres, per_square, beside);
    float inside = away_from_edges(plan, &hard, i, wanted);
    if (inside == wanted)
        return wanted;
    way_bends sharp = hardest(tyres, slowest, beside);
    bends->right = kerb_max(kerb_max(hard.right, bends->right), kerb_min(sharp.right, EDGE_BEND));
    bends->left = kerb_max(kerb_max(hard.left, bends->left), kerb_min(sharp.left, EDGE_BEND));
    return inside;
}

// Draws the path. False when it misses what it must keep to by more than `miss_most`; then it is
// not drawn to its end.
static bool draw(const way_ground* ground, const racer_frame* frame, way_state state, float grip,
                 bool urgent, float miss_most, way_plan* plan) {
    float h = plan->spacing, per_two = 0.5f / h, offset = state.offset, slope = state.slope;
    float per_farthest = 1.0f / (h * (float)EDGE_FARTHEST);
    // Read from a table instead of branched on: processors cannot predict this branch.
    const float aside_speed[2] = {WAY_ASIDE_SPEED, RACER_DRAW_BACK_SPEED},
                aside_grip[2] = {grip, 0.6f * grip};
    way_tyres tyres = {.square = kerb_max(frame->along * frame->along, SLOWEST)};
    float rolls = kerb_clamp(frame->along * (1.0f / ROLLS_SPEED), ROLLS_LEAST, 1.0f);
    for (int32_t i = 0; i < plan->count; i++) {
        plan->offset[i] = offset;
        if (kerb_max(plan->must_low[i] - offset, offset - plan->must_high[i]) > miss_most)
            return false;
        bool back = (offset > plan->low[i] - WAY_SAME) & (offset < plan->high[i] + WAY_SAME) &
                    (plan->target[i] == plan->base[i]);
        // The planned speed may be below what it can slow down to by then: the higher one counts.
        float square = kerb_max(plan->square[i], tyres.square), per_square = 1.0f / square;
        float off = plan->target[i] - offset, size = kerb_abs(off);
        float steep = aside_speed[back] * kerb_sqrt(per_square);
        float bend = kerb_min(aside_grip[back] * per_square, RACER_DRAW_BEND_MOST);
        float closing = kerb_min(kerb_min(steep, WAY_SLOPE_MOST), size * per_two);
        float room = 1.4f * bend * size;
        if (room < closing * closing) // else no root is needed
            closing = kerb_sqrt(room);
        float wanted = (off > 0.0f ? closing : -closing) + plan->slope[i];
        float line = ground->line[i], beside = ground->beside[i];
        float slowest = 1.0f / tyres.square;
        racer_draw_hold(ground, i, beside, &tyres);
        float use = kerb_abs(beside) * square * tyres.per_grip;
        way_bends bends = bends_at(bend, line, plan->track_bend[i], use, urgent);
        if (!is_clear(plan, i, per_farthest, wanted))
            wanted = hold_off_edges(plan, &tyres, i, wanted, per_square, slowest, beside, &bends);
        wanted = kerb_clamp(wanted, -WAY_SLOPE_MOST, WAY_SLOPE_MOST);
        float turns = i == 0 ? rolls * h : h;
        slope += kerb_clamp(wanted - slope, -bends.right * turns, bends.left * turns);
        offset += slope * h;
    }
    return true;
}

void kerb_in_traffic_draw_way(const way_ground* ground, const racer_frame* frame, way_state state,
                              way_plan* plan) {
    float grip = WAY_ASIDE_GRIP * frame->grip_aside;
    lay_near_edges(plan);
    if (!draw(ground, frame, state, grip, false, MISS_MOST, plan))
        draw(ground, frame, state, URGENT * grip, true, 1.0e6f, plan);
}
