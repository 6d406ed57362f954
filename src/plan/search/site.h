// A planner's obstacles, and the memory of the searches among them. Private to the room.
#ifndef KERB_IN_PLAN_SEARCH_SITE_H
#define KERB_IN_PLAN_SEARCH_SITE_H

#include "route.h"
#include "speed_search.h"

// Head of a block without pointers. Offsets count bytes from the head.
typedef struct plan_site {
    size_t bytes;
    size_t world, regions, flow, distant, nodes;
    size_t states, state_nodes; // of the search with speed; 0: no such search
    plan_flow layout;
    plan_route route;
} plan_site;

// Checks a world. The errors are those of kerb_planner_set_world without OUT_OF_MEMORY.
kerb_result kerb_in_plan_site_check(const kerb_plan_world* world, const kerb_plan_limits* limits,
                                    kerb_error* error);
// Whether a world has no obstacles and no cost map: open ground.
bool kerb_in_plan_site_is_nothing(const kerb_plan_world* world);
// Makes the block. NULL: out of memory.
plan_site* kerb_in_plan_site_create(const kerb_plan_world* world, const kerb_plan_limits* limits,
                                    const kerb_planner_settings* settings,
                                    const kerb_allocator* allocator);

// Gives cells of the grid, or a polygon, new values, and brings all that follows from them up to
// date. The errors are those of kerb_planner_change_cells and kerb_planner_change_polygon. Defined
// in site_change.c. [site: NULL: there is none]
kerb_result kerb_in_plan_site_change_cells(plan_site* site, const kerb_plan_cells* cells,
                                           kerb_error* error);
kerb_result kerb_in_plan_site_change_polygon(plan_site* site, int32_t polygon,
                                             const kerb_vec2* vertices, int32_t count,
                                             kerb_error* error);

plan_terrain kerb_in_plan_site_terrain(plan_site* site);
// The search with speed and its states; NULL: a site with few nodes has none.
plan_speed_search* kerb_in_plan_site_states(plan_site* site);
plan_speed_nodes* kerb_in_plan_site_state_nodes(plan_site* site);
const plan_world* kerb_in_plan_site_world(const plan_site* site);

// Makes the outline smaller near these starts, where it meets an obstacle at all of them: by as
// little as is needed for one of them, and at most by the distance by which a driver may leave its
// plan, or a tenth of the width, and the margin. Ends what an earlier call did. Returns by how much
// the outline is smaller. [m]
float kerb_in_plan_site_ease(plan_site* site, const kerb_plan_end* starts, int32_t count,
                             float margin);

// The context of a planner's question whether an arc is free.
typedef struct plan_probe {
    const plan_world* world;
    float room; // gaps with less clearance may count as closed [m]
} plan_probe;

// A space with the probe as its context.
plan_space kerb_in_plan_probe_space(const plan_probe* probe);

// False: there is no path from one place to the other, however the vehicle drives.
bool kerb_in_plan_site_may_connect(const plan_site* site, kerb_vec2 from, kerb_vec2 to);

// Whether a band as wide as the vehicle is free along the straight line from one place to the
// other.
bool kerb_in_plan_site_is_open(const plan_site* site, kerb_vec2 from, kerb_vec2 to);

#endif
