// Where a planner plans: its obstacles, and the memory of the searches among them. Private to the
// room.
#ifndef KERB_IN_PLAN_SEARCH_SITE_H
#define KERB_IN_PLAN_SEARCH_SITE_H

#include "route.h"
#include "speed_search.h"

// Head of a block without pointers. Offsets count bytes from the head.
typedef struct plan_site {
    size_t bytes;
    size_t world, regions, flow, distant, nodes;
    size_t states, state_nodes; // of the search with speed; 0: there is none
    plan_flow layout;
    plan_route route;
} plan_site;

// What kerb_planner_set_world documents of its errors, memory apart.
kerb_result kerb_in_plan_site_check(const kerb_plan_world* world, const kerb_plan_limits* limits,
                                    kerb_error* error);
// It holds no obstacles: open ground.
bool kerb_in_plan_site_is_nothing(const kerb_plan_world* world);
// Makes the block and frees what it needed meanwhile. NULL: out of memory.
plan_site* kerb_in_plan_site_create(const kerb_plan_world* world, const kerb_plan_limits* limits,
                                    const kerb_planner_settings* settings,
                                    const kerb_allocator* allocator);

plan_terrain kerb_in_plan_site_terrain(plan_site* site);
// The search with speed and its states; NULL: a site with few nodes has none.
plan_speed_search* kerb_in_plan_site_states(plan_site* site);
plan_speed_nodes* kerb_in_plan_site_state_nodes(plan_site* site);
const plan_world* kerb_in_plan_site_world(const plan_site* site);

// A planner's question whether an arc is free, with so much room.
typedef struct plan_probe {
    const plan_world* world;
    float room; // [m]
} plan_probe;

// The probe is the space's context.
plan_space kerb_in_plan_probe_space(const plan_probe* probe);

// False: there is no way from one place to the other, whatever the vehicle does.
bool kerb_in_plan_site_may_connect(const plan_site* site, kerb_vec2 from, kerb_vec2 to);

// Nothing stands on the straight from one place to the other: a vehicle might drive it.
bool kerb_in_plan_site_is_open(const plan_site* site, kerb_vec2 from, kerb_vec2 to);

#endif
