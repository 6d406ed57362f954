// Purpose: the ground under a place: height, slope and grip.
// Idea:    Within a cell of the grid the height is bilinear, and the slope is its exact derivative.
//          Outside of the grid the ground continues level from the edge.
// Cost:    Four heights, one square root, and one test for each zone.
#include "sim/world.h"

// A place along one side of the grid.
typedef struct cell {
    int32_t low, high; // the points on its two sides
    float share;       // of the way from low to high
    float per_metre;   // how fast the share grows; 0 beyond the edge
} cell;

static cell cell_at(float along, float spacing, int32_t points) {
    float place = along / spacing;
    float last = (float)(points - 1);
    float held = kerb_clamp(place, 0.0f, last);
    int32_t low = (int32_t)held; // rounds down: held >= 0
    if (low > points - 2)
        low = points > 1 ? points - 2 : 0;
    cell result;
    result.low = low;
    result.high = points > 1 ? low + 1 : low;
    result.share = held - (float)low;
    result.per_metre = held == place && points > 1 ? 1.0f / spacing : 0.0f;
    return result;
}

static void stand_on(const kerb_sim_terrain* terrain, kerb_vec3 position, kerb_sim_ground* ground) {
    cell x = cell_at(position.x - terrain->x, terrain->spacing, terrain->nx);
    cell y = cell_at(position.y - terrain->y, terrain->spacing, terrain->ny);
    const float* low = terrain->heights + (ptrdiff_t)y.low * terrain->nx;
    const float* high = terrain->heights + (ptrdiff_t)y.high * terrain->nx;
    float rise_low = low[x.high] - low[x.low];
    float rise_high = high[x.high] - high[x.low];
    float height_low = low[x.low] + rise_low * x.share;
    float height_high = high[x.low] + rise_high * x.share;
    float slope_x = (rise_low + (rise_high - rise_low) * y.share) * x.per_metre;
    float slope_y = (height_high - height_low) * y.per_metre;
    ground->height = height_low + (height_high - height_low) * y.share;
    ground->normal =
        kerb_vec3_unit(kerb_vec3_make(-slope_x, -slope_y, 1.0f), kerb_vec3_make(0.0f, 0.0f, 1.0f));
}

static bool zone_holds(const kerb_sim_zone* zone, kerb_vec3 position) {
    kerb_vec2 from = {position.x - zone->centre.x, position.y - zone->centre.y};
    if (zone->radius > 0.0f)
        return kerb_vec2_dot(from, from) <= zone->radius * zone->radius;
    float sine, cosine;
    kerb_sin_cos(zone->heading, &sine, &cosine);
    kerb_vec2 axis = {cosine, sine};
    return kerb_abs(kerb_vec2_dot(axis, from)) <= zone->half_length &&
           kerb_abs(kerb_vec2_cross(axis, from)) <= zone->half_width;
}

kerb_sim_ground kerb_sim_world_ground(const kerb_sim_world* world, kerb_vec3 position,
                                      const kerb_sim_ground* fallback) {
    kerb_sim_ground level = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    kerb_sim_ground ground = fallback ? *fallback : level;
    const kerb_sim_terrain* terrain = &world->terrain;
    if (terrain->nx > 0 && terrain->ny > 0)
        stand_on(terrain, position, &ground);
    for (int32_t i = world->zone_count - 1; i >= 0; i--) {
        if (zone_holds(&world->zones[i], position)) {
            ground.grip = world->zones[i].grip;
            break;
        }
    }
    return ground;
}
