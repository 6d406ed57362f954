// Purpose: how far a racing driver that stands or creeps may go before it touches somebody.
// Idea:    Looked at as it stands, not along the line: backing out, or turning round, it faces
//          anywhere. Before it and behind it counts who overlaps what it sweeps straight on, and
//          who comes is taken to be where he will be in a moment; beside it, whom its nose or tail
//          would touch if it turned its wheels.
// Cost:    some nanoseconds a neighbour, and only when slow.
#include "traffic.h"

// Farther away, or above it, nobody matters. [m]
#define CLOSE_NEAR 25.0f
#define CLOSE_STOREY 3.0f
// Who comes nearer is taken to go on for so long, and comes no faster than this. [s], [m/s]
#define CLOSE_COMES 1.0f
#define COMES_MOST 10.0f
// So near to its side he is in its way, and so near it cannot turn its wheels. [m]
#define CLOSE_SIDE 0.3f
#define CLOSE_SWING 1.5f

// A neighbour as it lies about the racer's own middle.
typedef struct body_near {
    float forward, left;           // [m]
    float half_length, half_width; // along and across the racer [m]
    float closes;                  // along the racer, how fast he goes forward [m/s]
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
        if (!near || itself || !kerb_in_traffic_is_usable(n))
            continue;
        body_near body = lay(racer, frame, n);
        heed(racer, frame, &body);
    }
}
