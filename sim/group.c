// Purpose: several vehicles of sim/ in one world.
// Idea:    All vehicles move; then the bodies that touch are pushed apart.
// Cost:    O(vehicles) per step, and the sweep of sweep.c.
#include "sim/group.h"

#include <math.h>
#include <string.h>

typedef struct member {
    bool there;
    kerb_sim_vehicle vehicle;
} member;

typedef struct group {
    kerb_allocator allocator;
    size_t bytes;
    int32_t count;
    kerb_sim_sweep sweep;
    member members[];
} group;

static void* own_make(int32_t count, const kerb_allocator* allocator) {
    size_t bytes = sizeof(group) + (size_t)count * sizeof(member);
    group* g = allocator->allocate(allocator->context, bytes, _Alignof(group));
    if (g == NULL)
        return NULL;
    memset(g, 0, bytes);
    g->allocator = *allocator;
    g->bytes = bytes;
    g->count = count;
    return g;
}

static void own_destroy(void* all) {
    group* g = all;
    if (g != NULL)
        g->allocator.release(g->allocator.context, g, g->bytes);
}

static bool own_put(void* all, int32_t vehicle, const kerb_sim_model* model,
                    const kerb_sim_ground* ground, kerb_vec3 position, float heading) {
    (void)ground;
    group* g = all;
    g->members[vehicle].there = true;
    g->members[vehicle].vehicle = kerb_sim_vehicle_make(model, position, heading);
    return true;
}

static void own_take_out(void* all, int32_t vehicle) {
    ((group*)all)->members[vehicle].there = false;
}

static kerb_vec3 own_foot(const void* all, int32_t vehicle) {
    const kerb_sim_vehicle* v = &((const group*)all)->members[vehicle].vehicle;
    return v->kind == KERB_VEHICLE_TRACKED ? v->tracked.position
           : v->kind == KERB_VEHICLE_HOVER ? v->hover.position
                                           : v->car.position;
}

// --------------------------------------------------------------------------- steps

static int32_t push_apart(group* g, kerb_sim_group_touch* touches, int32_t most) {
    kerb_sim_body bodies[KERB_SIM_GROUP_MOST], before[KERB_SIM_GROUP_MOST];
    memset(bodies, 0, sizeof bodies);
    for (int32_t i = 0; i < g->count; i++) {
        if (g->members[i].there)
            bodies[i] = kerb_sim_vehicle_body(&g->members[i].vehicle);
        else
            bodies[i].position.x = NAN; // touches nobody
        before[i] = bodies[i];
    }
    int32_t found = kerb_sim_sweep_push(&g->sweep, bodies, g->count, touches, most);
    for (int32_t i = 0; i < g->count; i++)
        if (memcmp(&before[i], &bodies[i], sizeof bodies[i]) != 0)
            kerb_sim_vehicle_set_body(&g->members[i].vehicle, &bodies[i]);
    return found;
}

static int32_t own_step(void* all, const kerb_sim_group_input* inputs, float time_step,
                        kerb_sim_group_touch* touches, int32_t most) {
    group* g = all;
    for (int32_t i = 0; i < g->count; i++)
        if (g->members[i].there)
            kerb_sim_vehicle_step(&g->members[i].vehicle, inputs[i].controls, &inputs[i].ground,
                                  time_step);
    return g->count > 1 ? push_apart(g, touches, most) : 0;
}

static kerb_motion own_motion(const void* all, int32_t vehicle) {
    return kerb_sim_vehicle_motion(&((const group*)all)->members[vehicle].vehicle);
}

static kerb_sim_body own_body(const void* all, int32_t vehicle) {
    return kerb_sim_vehicle_body(&((const group*)all)->members[vehicle].vehicle);
}

static void own_set_body(void* all, int32_t vehicle, const kerb_sim_body* body) {
    kerb_sim_vehicle_set_body(&((group*)all)->members[vehicle].vehicle, body);
}

static void own_set_tow(void* all, int32_t vehicle, float share) {
    ((group*)all)->members[vehicle].vehicle.car.tow = share;
}

const kerb_sim_group_physics kerb_sim_group_own = {
    .name = "sim",
    .make = own_make,
    .put = own_put,
    .take_out = own_take_out,
    .foot = own_foot,
    .step = own_step,
    .motion = own_motion,
    .body = own_body,
    .set_body = own_set_body,
    .set_tow = own_set_tow,
    .destroy = own_destroy,
};
