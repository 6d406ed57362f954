// Purpose: how far a racing car at standstill, or creeping, may go before it touches another car.
// Idea:    Seen from the car, not along the line, because it faces any direction while it backs out
//          or turns round. Straight ahead and behind, a car counts that overlaps the swept area;
//          one that comes nearer counts where it will be in a moment. Alongside, a car counts that
//          nose or tail would touch if the wheels were turned.
// Cost:    O(neighbours), and only when slow.
#include "../../vehicle/shared.h"
#include "traffic.h"

// Cars farther away than this, or above by more than a storey, do not matter. [m]
#define CLOSE_NEAR 25.0f
#define CLOSE_STOREY 3.0f
// A car that comes nearer is taken to go on for this time, and at no more than this speed. [s],
// [m/s]
#define CLOSE_COMES 1.0f
#define COMES_MOST 10.0f
// With a smaller clearance to the side than SIDE a car is in the way; within SWING the wheels
// cannot be turned. [m]
#define CLOSE_SIDE 0.3f
#define CLOSE_SWING 1.5f

// Another car in the axes of the racer, from the racer's middle.
typedef struct body_near {
    float forward, left;           // [m]
    float half_length, half_width; // along and across the racer [m]
    float closes;                  // its speed along the racer's forward direction [m/s]
} body_near;

static body_near lay(const kerb_racer* racer, const racer_frame* frame, const kerb_neighbour* n) {
    const kerb_vehicle* v = &racer->vehicle;
    const kerb_motion* m = frame->motion;
    kerb_vec3 on = frame->forward, left = frame->left;
    kerb_vec3 away = kerb_vec3_sub(n->position, m->position);
    float c = kerb_abs(n->forward.x * on.x + n->forward.y * on.y);
    float s = kerb_abs(n->forward.x * left.x + n->forward.y * left.y);
    float middle = v->reference_to_front - 0.5f * v->length;
    return (body_near){kerb_vec3_dot(away, on) - middle, kerb_vec3_dot(away, left),
                       0.5f * (c * n->length + s * n->width), 0.5f * (s * n->length + c * n->width),
                       kerb_vec3_dot(n->velocity, on)};
}

static void heed(const kerb_racer* racer, racer_frame* frame, const body_near* n) {
    float ends = n->half_length + 0.5f * racer->vehicle.length;
    float aside = kerb_abs(n->left) - n->half_width - 0.5f * racer->vehicle.width;
    float gap = kerb_abs(n->forward) - ends;
    if (gap < CLOSE_SIDE && aside < CLOSE_SWING)
        frame->beside = true;
    if (aside > CLOSE_SIDE)
        return;
    float* room = n->forward > 0.0f ? &frame->room_before : &frame->room_behind;
    float comes = kerb_clamp(n->forward > 0.0f ? -n->closes : n->closes, 0.0f, COMES_MOST);
    *room = kerb_min(*room, gap - CLOSE_COMES * comes);
}

void kerb_in_traffic_look_close(const kerb_racer* racer, racer_frame* frame,
                                const kerb_surroundings* around) {
    frame->room_before = frame->room_behind = TRAFFIC_ROOM_MOST;
    frame->beside = false;
    if (around == NULL || around->neighbours == NULL || frame->pace > TRAFFIC_SLOW)
        return;
    for (int32_t i = 0; i < around->neighbour_count; i++) {
        const kerb_neighbour* n = &around->neighbours[i];
        kerb_vec3 away = kerb_vec3_sub(n->position, frame->motion->position);
        bool near = away.x * away.x + away.y * away.y < CLOSE_NEAR * CLOSE_NEAR &&
                    kerb_abs(away.z) < CLOSE_STOREY;
        bool itself = n->id == around->id && around->id != KERB_NO_ID;
        if (!near || itself || !kerb_in_neighbour_is_possible(n))
            continue;
        body_near body = lay(racer, frame, n);
        heed(racer, frame, &body);
    }
}
