// Purpose: a planned path beside the line that leaves other cars their space.
// Idea:    For places ahead: bounds for the car's middle between the edges and clear of cars that
//          are alongside or being passed (room.c). The line, or the lane that the host wants, is
//          clamped to those bounds, begun early enough (aim.c), and drawn as a car can drive it
//          (draw.c). A path for which nothing has changed is kept for another decision.
// Cost:    O(places · cars near), only with a decision.
// Source:  Vamos 6, lane shift.
#include "way.h"

#include "../../base/shared.h"

// With a car alongside, a new path begins between the last path and the car: this share from the
// car. Otherwise the car never reaches a path that always moves on ahead of it, and that turns back
// as if the car were on it. [1]
#define FROM_CAR 0.5f
// A path is not kept if the car is this far from it … [m]
#define STRAYED 0.3f
// … and begins at the car if it is this far. [m]
#define LOST 2.0f
// Greatest distance from its path that counts as an error. [m]
#define ERROR_MOST 1.0f

// Letting a car pass, it leaves this many clearances between the sides. [1]
#define YIELD_GAPS 2.4f
// Length of the path: a time, and at least a distance. [s], [m]
#define REACH_TIME 4.0f
#define RACER_WAY_REACH_LEAST 60.0f

// Copies the places from the ring into rows: loops over rows are faster.
static void unroll(const kerb_racer* racer, way_plan* plan, way_ground* ground) {
    int32_t slot = racer_slot_of(plan->first);
    for (int32_t i = 0; i < plan->count; i++) {
        plan->left[i] = racer->memory.ahead.left[slot];
        plan->right[i] = racer->memory.ahead.right[slot];
        plan->square[i] = racer->memory.ahead.free_squared[slot];
        plan->offset[i] = racer->memory.ahead.offset[slot];
        ground->line[i] = racer->memory.ahead.line_curvature[slot];
        ground->load[i] = racer->memory.ahead.up_normal[slot];
        ground->gain[i] = racer->memory.ahead.normal_curvature[slot];
        ground->grip[i] = racer->memory.ahead.grip[slot];
        ground->bank[i] = racer->memory.ahead.up_left[slot];
        slot = (slot + WAY_STRIDE) % KERB_RACER_LOOKAHEAD_BINS;
    }
}

// An edge that comes nearer between two places counts at both of them.
static void see_between(const kerb_racer* racer, way_plan* plan) {
    int32_t slot = racer_slot_of(plan->first);
    float over_right = 0.0f, over_left = 0.0f;
    for (int32_t i = 0; i < plan->count; i++) {
        float right = 0.0f, left = 0.0f;
        for (int32_t on = 1; on < WAY_STRIDE && i + 1 < plan->count; on++) {
            int32_t k = (slot + on) % KERB_RACER_LOOKAHEAD_BINS;
            float t = (float)on / (float)WAY_STRIDE, u = 1.0f - t;
            right = kerb_max(right, u * plan->right[i] + t * plan->right[i + 1] -
                                        racer->memory.ahead.right[k]);
            left = kerb_max(left, u * plan->left[i] + t * plan->left[i + 1] -
                                      racer->memory.ahead.left[k]);
        }
        plan->rightmost[i] += kerb_max(right, over_right);
        plan->leftmost[i] -= kerb_max(left, over_left);
        over_right = right;
        over_left = left;
        slot = (slot + WAY_STRIDE) % KERB_RACER_LOOKAHEAD_BINS;
    }
}

// Where it would drive if no car needed space.
static void lay_base(const kerb_racer* racer, const traffic_view* view, way_plan* plan) {
    float keep = racer->settings.margin + view->half_width;
    if (racer->memory.traffic.yields != 0) { // the line is the other's
        float aside = 2.0f * view->half_width + YIELD_GAPS * kerb_in_traffic_side_gap(racer);
        float side = racer->memory.traffic.yields > 0 ? 1.0f : -1.0f;
        const float* room = racer->memory.traffic.yields > 0 ? plan->left : plan->right;
        for (int32_t i = 0; i < plan->count; i++)
            plan->base[i] = side * kerb_min(aside, kerb_max(room[i] - keep, 0.0f));
        return;
    }
    for (int32_t i = 0; i < plan->count; i++)
        plan->base[i] = 0.0f;
    for (int32_t i = 0; racer->memory.lane != 0.0f && i < plan->count; i++)
        plan->base[i] = kerb_in_racer_lane_offset(racer, plan->left[i], plan->right[i]);
    for (int32_t i = 0; racer->memory.traffic.defends != 0 && i < plan->count; i++)
        plan->base[i] = kerb_in_traffic_defended(racer, view, plan->first + WAY_STRIDE * i,
                                                 plan->base[i], plan->left[i], plan->right[i]);
}

static void racer_way_begin(const kerb_racer* racer, const racer_frame* frame,
                            const traffic_view* view, way_plan* plan, way_ground* ground) {
    plan->first = racer_bin_at(racer, frame->total);
    plan->spacing = (float)WAY_STRIDE * racer->memory.ahead.spacing;
    plan->count =
        1 + (int32_t)(kerb_max(REACH_TIME * frame->pace, RACER_WAY_REACH_LEAST) / plan->spacing);
    int32_t most = (racer->memory.ahead.end - plan->first + WAY_STRIDE - 1) / WAY_STRIDE;
    plan->count = plan->count < most ? plan->count : most;
    plan->bound = plan->beside = false;
    unroll(racer, plan, ground);
    lay_base(racer, view, plan);
    float keep = racer->settings.margin + view->half_width;
    for (int32_t i = 0; i < plan->count; i++) {
        plan->rightmost[i] = keep - plan->right[i];
        plan->leftmost[i] = plan->left[i] - keep;
    }
    see_between(racer, plan);
    for (int32_t i = 0; i < plan->count; i++) {
        plan->low[i] = plan->rightmost[i] = kerb_min(plan->rightmost[i], plan->base[i]);
        plan->high[i] = plan->leftmost[i] = kerb_max(plan->leftmost[i], plan->base[i]);
    }
}

// The state at the start of the path: on the last path, or, when the bins were filled again, where
// that was a frame ago; and between it and the car.
static way_state start_state(const kerb_racer* racer, const racer_frame* frame, bool beside) {
    racer_place here = racer_place_of(racer, frame->spot);
    way_state state = {here.way, here.slope};
    if (racer->memory.ahead.anew && racer->memory.traffic.active) {
        state.slope = racer->memory.traffic.way_slope;
        state.offset =
            racer->memory.traffic.way_offset + state.slope * frame->along * frame->time_step;
    }
    float strayed = frame->offset - state.offset;
    float share = kerb_abs(strayed) > LOST ? 1.0f : beside ? FROM_CAR : 0.0f;
    state.offset += share * strayed;
    state.slope += share * (kerb_clamp(kerb_sin(frame->course), -0.3f, 0.3f) - state.slope);
    return state;
}

// Number of places until the path is back on its line, one place on it included.
static int32_t until_the_line(const way_plan* plan) {
    int32_t count = plan->count;
    while (count > 0 && kerb_abs(plan->offset[count - 1] - plan->base[count - 1]) <= WAY_SAME)
        count--;
    return count < plan->count ? count + 1 : count;
}

// True: no car needs space, and it is on its line.
static bool racer_way_is_free(const kerb_racer* racer, const racer_frame* frame,
                              const traffic_view* view) {
    if (racer->memory.traffic.active || racer->memory.traffic.yields != 0 ||
        racer->memory.traffic.defends != 0 || racer->memory.ahead.anew)
        return false;
    for (int32_t i = 0; i < view->count; i++) {
        const traffic_other* o = &view->others[i];
        if (o->side != 0 || kerb_in_traffic_is_beside(frame, view, o) ||
            kerb_in_traffic_comes_beside_in(frame, view, o) < 1.0e5f)
            return false;
    }
    return true;
}

// True: the path of the decision before is still good. No car is alongside, and it passes the same
// cars on the same sides.
static bool is_good(const kerb_racer* racer, const racer_frame* frame, const traffic_view* view) {
    if (!racer->memory.traffic.active || racer->memory.traffic.kept ||
        racer->memory.traffic.squeezed || racer->memory.traffic.yields != 0 ||
        racer->memory.traffic.defends != 0 || racer->memory.ahead.anew ||
        kerb_abs(frame->offset - racer_place_of(racer, frame->spot).way) > STRAYED)
        return false;
    for (int32_t i = 0; i < view->count; i++) {
        const traffic_other* o = &view->others[i];
        int32_t side = o->known >= 0 ? racer->memory.traffic.known[o->known].side : 0;
        if (o->side != side || (o->side != 0 && o->ahead < 0.0f) ||
            kerb_in_traffic_is_beside(frame, view, o) ||
            kerb_in_traffic_comes_beside_in(frame, view, o) < 1.0e5f)
            return false;
    }
    return true;
}

bool kerb_in_traffic_keeps_way(kerb_racer* racer, const racer_frame* frame,
                               const traffic_view* view) {
    if (racer_way_is_free(racer, frame, view)) {
        racer->memory.traffic.squeezed = false;
        return true;
    }
    racer->memory.traffic.kept = is_good(racer, frame, view);
    return racer->memory.traffic.kept;
}

void kerb_in_traffic_lay_way(kerb_racer* racer, racer_frame* frame, traffic_view* view) {
    way_plan plan;
    way_ground ground;
    KERB_WRITTEN(plan);
    KERB_WRITTEN(ground);
    racer_way_begin(racer, frame, view, &plan, &ground);
    kerb_in_traffic_leave_room(racer, frame, view, &plan);
    plan.bound |= racer->memory.traffic.yields != 0 || racer->memory.traffic.defends != 0;
    racer->memory.traffic.squeezed = kerb_in_traffic_settle_conflicts(racer, frame, view, &plan);
    way_state state = start_state(racer, frame, plan.beside);
    float error = kerb_clamp(view->offset - state.offset, -ERROR_MOST, ERROR_MOST);
    // No car to keep clear of, and its path is the line: it steers back as if it were alone.
    if (!plan.bound && kerb_abs(state.offset - plan.base[0]) <= WAY_SAME)
        error = 0.0f;
    // From the bin at or before the car.
    float into = (float)(frame->total - (double)plan.first * (double)racer->memory.ahead.spacing);
    state.offset -= state.slope * into;
    kerb_in_traffic_aim_way(frame, ground.line, error, &plan);
    kerb_in_traffic_lay_ground(frame, &plan, &ground);
    kerb_in_traffic_draw_way(&ground, frame, state, &plan);
    int32_t count = until_the_line(&plan);
    bool line = !plan.bound && count <= 1;
    bool was = racer->memory.traffic.active;
    racer->memory.traffic.active = !line;
    if (line && !was)
        return;
    // While it lets a car pass, or defends, its line is not the lane.
    if (racer->memory.traffic.yields != 0 || racer->memory.traffic.defends != 0)
        count = plan.count;
    kerb_in_racer_take_way(racer, plan.first, count < 2 ? 2 : count, plan.offset);
}
