// Purpose: the place of a vehicle on a plan.
// Idea:    Pieces have closed forms: distance to time, 2l/(v + sqrt(v² + 2al)), and distance to
//          pose (an arc). Newton's method along the arc goes back from a position to a distance.
// Cost:    O(1), apart from functions that look over a leg or a whole plan.
#include "driver.h"

#include "../plan/shared.h"

// Greatest distance beyond the end of a leg. [m] A vehicle that overshoots further is lost anyway.
#define BEYOND_MOST 2.0f
// Greatest number of Newton iterations; two suffice unless the vehicle jumps. [1]
#define PLACE_ROUNDS 6
// Step at which the iteration ends. [m]
#define PLACE_CLOSE 1e-4f
// Distance between the places that are tried on a new plan, and greatest step of an iteration. [m]
#define LOOKS 1.0f
// Cross-track error that counts as much as a heading error of a radian, when the place on a new
// plan is chosen. [m/rad]
#define TURN_WORTH 3.0f

static bool place_stands(const kerb_plan_piece* piece) {
    return piece->length <= 0.0f;
}

plan_leg kerb_in_plan_leg_of(const kerb_plan* plan, int32_t piece) {
    const kerb_plan_piece* pieces = plan->pieces;
    int32_t i = piece;
    while (i + 1 < plan->count && place_stands(&pieces[i]))
        i++;
    while (i > 0 && place_stands(&pieces[i]))
        i--;
    plan_leg leg = {i, i};
    while (leg.first > 0 && !place_stands(&pieces[leg.first - 1]) &&
           pieces[leg.first - 1].direction == pieces[i].direction)
        leg.first--;
    while (leg.last + 1 < plan->count && !place_stands(&pieces[leg.last + 1]) &&
           pieces[leg.last + 1].direction == pieces[i].direction)
        leg.last++;
    return leg;
}

// --------------------------------------------------------------------------- along pieces

float kerb_in_plan_place_speed(const kerb_plan* plan, plan_place place) {
    const kerb_plan_piece* p = &plan->pieces[place.piece];
    float along = kerb_clamp(place.along, 0.0f, p->length);
    return kerb_sqrt(kerb_max(p->speed * p->speed + 2.0f * p->acceleration * along, 0.0f));
}

float kerb_in_plan_place_time(const kerb_plan* plan, plan_place place) {
    const kerb_plan_piece* p = &plan->pieces[place.piece];
    float along = kerb_clamp(place.along, 0.0f, p->length);
    float sum = p->speed + kerb_in_plan_place_speed(plan, place);
    float passed = sum > 0.0f ? 2.0f * along / sum : 0.0f;
    return p->time + kerb_min(passed, p->duration);
}

kerb_pose kerb_in_plan_place_pose(const kerb_plan* plan, plan_place place) {
    const kerb_plan_piece* p = &plan->pieces[place.piece];
    return plan_piece_pose(p, place.along);
}

float kerb_in_plan_place_left(const kerb_plan* plan, plan_leg leg, plan_place place) {
    float left = -place.along;
    for (int32_t i = place.piece; i <= leg.last; i++)
        left += plan->pieces[i].length;
    return left;
}

// A place moved to the piece of the leg on which it lies.
static plan_place settled(const kerb_plan* plan, plan_leg leg, plan_place place) {
    while (place.along < 0.0f && place.piece > leg.first)
        place.along += plan->pieces[--place.piece].length;
    while (place.piece < leg.last && place.along > plan->pieces[place.piece].length)
        place.along -= plan->pieces[place.piece++].length;
    float most = plan->pieces[place.piece].length + (place.piece == leg.last ? BEYOND_MOST : 0.0f);
    place.along = kerb_clamp(place.along, 0.0f, most);
    return place;
}

plan_place kerb_in_plan_place_farther(const kerb_plan* plan, plan_leg leg, plan_place place,
                                      float by) {
    place.along += by;
    return settled(plan, leg, place);
}

plan_place kerb_in_plan_place_near(const kerb_plan* plan, plan_leg leg, plan_place place,
                                   kerb_vec2 position) {
    place = settled(plan, leg, place);
    for (int32_t i = 0; i < PLACE_ROUNDS; i++) {
        const kerb_plan_piece* p = &plan->pieces[place.piece];
        kerb_pose at = kerb_in_plan_place_pose(plan, place);
        kerb_vec2 off = kerb_vec2_sub(position, at.position);
        float ahead = kerb_vec2_dot(off, at.forward) * (float)p->direction;
        // Nearer to the centre of the arc, the same distance leads further round it.
        float bend = p->curvature + plan_piece_slope(p) * place.along;
        float nearer = 1.0f - bend * kerb_vec2_cross(at.forward, off);
        float step = ahead / kerb_max(nearer, 0.3f);
        plan_place next = {place.piece, place.along + kerb_clamp(step, -LOOKS, LOOKS)};
        next = settled(plan, leg, next);
        bool done = next.piece == place.piece && kerb_abs(next.along - place.along) < PLACE_CLOSE;
        place = next;
        if (done)
            break;
    }
    return place;
}

plan_place kerb_in_plan_place_found(const kerb_plan* plan, kerb_pose pose) {
    plan_place best = {0, 0.0f};
    float least = 1e30f;
    for (int32_t i = 0; i < plan->count && least > 1e-6f; i++) {
        const kerb_plan_piece* p = &plan->pieces[i];
        int32_t looks = 1 + (int32_t)kerb_min(p->length / LOOKS, 10000.0f);
        for (int32_t k = 0; k < looks; k++) {
            plan_place place = {i, p->length * (float)k / (float)looks};
            kerb_pose at = kerb_in_plan_place_pose(plan, place);
            kerb_vec2 off = kerb_vec2_sub(pose.position, at.position);
            float turned = 1.0f - kerb_vec2_dot(at.forward, pose.forward);
            float far = kerb_vec2_dot(off, off) + 2.0f * turned * TURN_WORTH * TURN_WORTH;
            if (far < least) {
                least = far;
                best = place;
            }
        }
    }
    plan_leg leg = kerb_in_plan_leg_of(plan, best.piece);
    if (best.piece < leg.first || best.piece > leg.last)
        return (plan_place){leg.first, 0.0f};
    return kerb_in_plan_place_near(plan, leg, best, pose.position);
}
