// Rectangles of vehicles, for tests of traffic: whether any two overlap.
#ifndef KERB_TEST_RECTANGLES_H
#define KERB_TEST_RECTANGLES_H

#include "kerb/traffic.h"

#include <math.h>
#include <stdlib.h>

typedef struct box {
    kerb_vec2 middle, along, across; // half sides
    int32_t vehicle, next;
} box;

static bool apart_on(kerb_vec2 axis, const box* a, const box* b) {
    float length = kerb_vec2_length(axis);
    kerb_vec2 u = kerb_vec2_scale(axis, 1 / length), d = kerb_vec2_sub(b->middle, a->middle);
    float reach = kerb_abs(kerb_vec2_dot(u, a->along)) + kerb_abs(kerb_vec2_dot(u, a->across)) +
                  kerb_abs(kerb_vec2_dot(u, b->along)) + kerb_abs(kerb_vec2_dot(u, b->across));
    return kerb_abs(kerb_vec2_dot(u, d)) > reach - 0.01f;
}

static bool boxes_overlap(const box* a, const box* b) {
    return !apart_on(a->along, a, b) && !apart_on(a->across, a, b) && !apart_on(b->along, a, b) &&
           !apart_on(b->across, a, b);
}

static box box_between(kerb_vec3 rear, kerb_vec3 front, float length, float width,
                       int32_t vehicle) {
    kerb_vec2 d = {front.x - rear.x, front.y - rear.y};
    kerb_vec2 u = kerb_vec2_scale(d, 1 / kerb_vec2_length(d)), nose = {front.x, front.y};
    return (box){kerb_vec2_add(nose, kerb_vec2_scale(u, -0.5f * length)),
                 kerb_vec2_scale(u, 0.5f * length),
                 {-0.5f * width * u.y, 0.5f * width * u.x},
                 vehicle,
                 -1};
}

/// Boxes of a vehicle and of its trailer. Returns how many.
static int32_t boxes_of(const kerb_traffic_vehicle* v, int32_t vehicle, box boxes[2]) {
    kerb_vec2 d = {v->joint.x - v->rear.x, v->joint.y - v->rear.y};
    float trailer = kerb_vec2_length(d);
    if (trailer < 0.01f) {
        boxes[0] = box_between(v->joint, v->position, v->length, v->width, vehicle);
        return 1;
    }
    kerb_vec2 e = {v->position.x - v->joint.x, v->position.y - v->joint.y};
    boxes[0] = box_between(v->joint, v->position, kerb_vec2_length(e), v->width, vehicle);
    boxes[1] = box_between(v->rear, v->joint, trailer, v->width, vehicle);
    return 2;
}

/// Vehicles whose rectangles overlap by more than 1 cm, and the first two. O(vehicles)
static int32_t test_overlaps(const kerb_traffic* traffic, const kerb_network* network,
                             int32_t vehicles_max, int32_t* first, int32_t* second) {
    enum { CELLS = 1 << 14 };
    static int32_t heads[CELLS];
    box* boxes = malloc(2 * (size_t)vehicles_max * sizeof *boxes);
    int32_t count = 0, overlaps = 0;
    for (int32_t i = 0; i < CELLS; i++)
        heads[i] = -1;
    for (int32_t i = 0; i < vehicles_max; i++) {
        kerb_traffic_vehicle v = kerb_traffic_vehicle_of(traffic, network, i);
        if (v.stage < KERB_TRAFFIC_DRIVING)
            continue;
        box parts[2];
        int32_t part_count = boxes_of(&v, i, parts);
        for (int32_t p = 0; p < part_count; p++) {
            box b = parts[p];
            int32_t cx = (int32_t)floorf(b.middle.x / 20), cy = (int32_t)floorf(b.middle.y / 20);
            for (int32_t dx = -1; dx <= 1; dx++)
                for (int32_t dy = -1; dy <= 1; dy++) {
                    uint32_t key =
                        (uint32_t)(cx + dx) * 73856093u ^ (uint32_t)(cy + dy) * 19349663u;
                    for (int32_t k = heads[key % CELLS]; k >= 0; k = boxes[k].next)
                        if (boxes[k].vehicle != i && boxes_overlap(&b, &boxes[k])) {
                            if (overlaps++ == 0) {
                                *first = boxes[k].vehicle;
                                *second = i;
                            }
                        }
                }
            uint32_t key = (uint32_t)cx * 73856093u ^ (uint32_t)cy * 19349663u;
            b.next = heads[key % CELLS];
            heads[key % CELLS] = count;
            boxes[count++] = b;
        }
    }
    free(boxes);
    return overlaps;
}

#endif
