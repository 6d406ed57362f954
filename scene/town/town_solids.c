// Purpose: the solids beside the streets: lamp posts at the kerb, houses behind a pavement, garden
//          walls along the ring road, a fountain on the roundabout, bollards round a square.
// Idea:    Each is placed only where it is clear of every corridor and of the solids placed before,
//          by brute force; so junctions of any shape keep their corners free. Then all are sorted
//          into cells, so that a vehicle tests only the solids near it.
// Cost:    O(solids · points), once.
// Source:  our own.
#include "scene/town/town_parts.h"

#define LAMP_EVERY 28.0f
#define LAMP_ASIDE (TOWN_LANE_HALF + TOWN_CLEARANCE + 0.4f) // from the lane's middle [m]
#define LAMP_DIAMETER 0.3f
#define TOWN_SOLIDS_WALL_THICKNESS 0.4f
#define OLD_TOWN 235.0f              // houses stand close within this distance of the middle [m]
#define TOWN_SOLIDS_RING_ROAD 330.0f // and walls take their place beyond this
#define BODY_REACH 12.0f             // of what asks for solids near it

typedef struct builder {
    kerb_scene_town* town;
    kerb_random random;
} builder;

// --------------------------------------------------------------------------- clearance

static kerb_vec2 town_solids_level(kerb_vec3 v) {
    return kerb_vec2_make(v.x, v.y);
}

// A solid as a rectangle with round ends where it is a post.
typedef struct town_solids_block {
    kerb_vec2 middle, axis;
    float half_length, half_width;
} town_solids_block;

static town_solids_block block_of(const kerb_sim_obstacle* o) {
    town_solids_block b = {.middle = o->from, .axis = {1.0f, 0.0f}};
    b.half_width = 0.5f * o->thickness;
    b.half_length = b.half_width;
    if (o->kind == KERB_SIM_POST)
        return b;
    kerb_vec2 way = kerb_vec2_sub(o->to, o->from);
    float length = kerb_vec2_length(way);
    b.middle = kerb_vec2_scale(kerb_vec2_add(o->from, o->to), 0.5f);
    b.axis = kerb_vec2_scale(way, 1.0f / kerb_max(length, 1.0e-3f));
    b.half_length = 0.5f * length;
    return b;
}

static float town_solids_distance_to(const town_solids_block* b, kerb_vec2 point) {
    kerb_vec2 off = kerb_vec2_sub(point, b->middle);
    float along = kerb_max(kerb_abs(kerb_vec2_dot(off, b->axis)) - b->half_length, 0.0f);
    float across = kerb_max(kerb_abs(kerb_vec2_cross(b->axis, off)) - b->half_width, 0.0f);
    return kerb_vec2_length(kerb_vec2_make(along, across));
}

// Waypoints stand up to 4 m apart: the chord between two is nearer than both by at most this.
#define BETWEEN 0.6f

static bool is_off_the_road(const kerb_scene_town* town, const town_solids_block* b) {
    for (int32_t i = 0; i < town->point_count; i++) {
        const kerb_waypoint* p = &town->points[i];
        float room = kerb_max(p->left, p->right) + TOWN_CLEARANCE + BETWEEN;
        if (town_solids_distance_to(b, town_solids_level(p->position)) < room)
            return false;
    }
    return true;
}

// How far a block reaches along an axis from its middle.
static float extent(const town_solids_block* b, kerb_vec2 axis) {
    return b->half_length * kerb_abs(kerb_vec2_dot(b->axis, axis)) +
           b->half_width * kerb_abs(kerb_vec2_cross(b->axis, axis));
}

static bool has_gap_along(const town_solids_block* a, const town_solids_block* b, kerb_vec2 axis) {
    float apart = kerb_abs(kerb_vec2_dot(kerb_vec2_sub(b->middle, a->middle), axis));
    return apart > extent(a, axis) + extent(b, axis) + 1.0f;
}

static bool overlap(const town_solids_block* a, const town_solids_block* b) {
    kerb_vec2 a_side = {-a->axis.y, a->axis.x}, b_side = {-b->axis.y, b->axis.x};
    return !has_gap_along(a, b, a->axis) && !has_gap_along(a, b, a_side) &&
           !has_gap_along(a, b, b->axis) && !has_gap_along(a, b, b_side);
}

static bool town_solids_is_free(const kerb_scene_town* town, const town_solids_block* b) {
    for (int32_t i = 0; i < town->world.obstacle_count; i++) {
        town_solids_block other = block_of(&town->obstacles[i]);
        if (overlap(b, &other))
            return false;
    }
    return is_off_the_road(town, b);
}

static bool set(kerb_scene_town* town, kerb_sim_obstacle obstacle) {
    town_solids_block b = block_of(&obstacle);
    if (town->world.obstacle_count == TOWN_OBSTACLES || !town_solids_is_free(town, &b))
        return false;
    town->obstacles[town->world.obstacle_count++] = obstacle;
    return true;
}

// --------------------------------------------------------------------------- along a lane

// A place beside a lane, `aside` to the right of it.
typedef struct roadside {
    kerb_vec2 at, way;
} roadside;

static roadside beside(const kerb_scene_town* town, const town_lane* lane, float along,
                       float aside) {
    float step = lane->length / (float)(lane->count - 1);
    int32_t i = (int32_t)kerb_clamp(along / step, 0.0f, (float)(lane->count - 2));
    kerb_vec2 from = town_solids_level(town->points[lane->first + i].position);
    kerb_vec2 to = town_solids_level(town->points[lane->first + i + 1].position);
    kerb_vec2 way = kerb_vec2_sub(to, from);
    way = kerb_vec2_scale(way, 1.0f / kerb_max(kerb_vec2_length(way), 1.0e-3f));
    roadside place = {kerb_vec2_add(from, kerb_vec2_scale(way, along - (float)i * step)), way};
    place.at = kerb_vec2_add(place.at, kerb_vec2_make(way.y * aside, -way.x * aside));
    return place;
}

static kerb_sim_obstacle box_at(const roadside* place, float length, float width,
                                kerb_sim_obstacle_kind k) {
    kerb_vec2 half = kerb_vec2_scale(place->way, 0.5f * length);
    kerb_sim_obstacle box = {k, kerb_vec2_sub(place->at, half), kerb_vec2_add(place->at, half),
                             width};
    return box;
}

static void set_lamps(builder* b, const town_lane* lane) {
    int32_t count = (int32_t)(lane->length / LAMP_EVERY);
    for (int32_t i = 0; i < count; i++) {
        float along = ((float)i + 0.5f) * lane->length / (float)count;
        roadside place = beside(b->town, lane, along, LAMP_ASIDE + BETWEEN);
        set(b->town, (kerb_sim_obstacle){KERB_SIM_POST, place.at, place.at, LAMP_DIAMETER});
    }
}

// Houses of some sizes with gaps between them; a house that does not fit is tried a little later.
static void set_houses(builder* b, const town_lane* lane, float gap_most) {
    float along = -10.0f;
    while (along < lane->length + 10.0f) {
        float length = kerb_random_between(&b->random, 9.0f, 22.0f);
        float depth = kerb_random_between(&b->random, 8.0f, 13.0f);
        float pavement = kerb_random_between(&b->random, 3.0f, 5.5f);
        float aside = TOWN_LANE_HALF + TOWN_CLEARANCE + pavement + 0.5f * depth;
        roadside place = beside(b->town, lane, along + 0.5f * length, aside);
        bool stands = set(b->town, box_at(&place, length, depth, KERB_SIM_BOX));
        along += stands ? length + kerb_random_between(&b->random, 1.5f, gap_most) : 4.0f;
    }
}

static void set_garden_walls(builder* b, const town_lane* lane) {
    float along = 0.0f;
    while (along < lane->length) {
        float length = kerb_random_between(&b->random, 6.0f, 12.0f);
        roadside place = beside(b->town, lane, along + 0.5f * length, 6.0f);
        if (kerb_random_unit(&b->random) < 0.5f)
            set(b->town, box_at(&place, length, TOWN_SOLIDS_WALL_THICKNESS, KERB_SIM_WALL));
        along += length + 1.5f;
    }
}

static void build_along(builder* b, const town_lane* lane) {
    kerb_vec2 middle = town_solids_level(b->town->points[lane->first + lane->count / 2].position);
    float away = kerb_vec2_length(middle);
    if (away > TOWN_SOLIDS_RING_ROAD)
        set_garden_walls(b, lane);
    set_houses(b, lane, away < OLD_TOWN ? 5.0f : 30.0f);
}

// --------------------------------------------------------------------------- squares

static void set_post(kerb_scene_town* town, float x, float y, float diameter) {
    set(town, (kerb_sim_obstacle){KERB_SIM_POST, {x, y}, {x, y}, diameter});
}

// Bollards in a ring with a monument in its middle; set first, so that no house takes the place.
static void lay_square(kerb_scene_town* town, float x, float y, float radius) {
    set_post(town, x, y, 4.0f);
    for (int32_t i = 0; i < 12; i++) {
        float sine, cosine;
        kerb_sin_cos((float)i * KERB_PI / 6.0f, &sine, &cosine);
        set_post(town, x + radius * cosine, y + radius * sine, 0.5f);
    }
}

// --------------------------------------------------------------------------- cells

enum { CELLS = TOWN_CELLS * TOWN_CELLS };

static bool reaches_cell(const kerb_scene_town* town, const kerb_sim_obstacle* o, int32_t cell) {
    town_solids_block b = block_of(o);
    float half = 0.5f * town->cell_size;
    float x = town->west + ((float)(cell % TOWN_CELLS) + 0.5f) * town->cell_size;
    int32_t row = cell / TOWN_CELLS;
    float y = town->south + ((float)row + 0.5f) * town->cell_size;
    float reach_x = half + BODY_REACH + extent(&b, kerb_vec2_make(1.0f, 0.0f));
    float reach_y = half + BODY_REACH + extent(&b, kerb_vec2_make(0.0f, 1.0f));
    return kerb_abs(b.middle.x - x) <= reach_x && kerb_abs(b.middle.y - y) <= reach_y;
}

static void sort_into_cells(kerb_scene_town* town) {
    town->west = town->world.terrain.x;
    town->south = town->world.terrain.y;
    town->cell_size =
        (float)(town->world.terrain.nx - 1) * town->world.terrain.spacing / TOWN_CELLS;
    int32_t count = 0;
    for (int32_t cell = 0; cell < CELLS; cell++) {
        town->cell_first[cell] = count;
        for (int32_t i = 0; i < town->world.obstacle_count && count < TOWN_CELL_OBSTACLES; i++) {
            if (reaches_cell(town, &town->obstacles[i], cell))
                town->cell_obstacles[count++] = town->obstacles[i];
        }
    }
    town->cell_first[CELLS] = count;
}

kerb_sim_world kerb_scene_town_world_at(const kerb_scene_town* town, float x, float y) {
    kerb_sim_world world = town->world;
    float last = (float)(TOWN_CELLS - 1);
    int32_t i = (int32_t)kerb_clamp((x - town->west) / town->cell_size, 0.0f, last);
    int32_t j = (int32_t)kerb_clamp((y - town->south) / town->cell_size, 0.0f, last);
    int32_t cell = j * TOWN_CELLS + i;
    world.obstacles = town->cell_obstacles + town->cell_first[cell];
    world.obstacle_count = town->cell_first[cell + 1] - town->cell_first[cell];
    return world;
}

// --------------------------------------------------------------------------- all of it

void kerb_scene_town_build(kerb_scene_town* town) {
    builder b = {town, kerb_random_make(1, 1)};
    set_post(town, 0.0f, 0.0f, 8.0f);
    lay_square(town, -75.0f, -48.0f, 13.0f);
    lay_square(town, 70.0f, 45.0f, 11.0f);
    lay_square(town, -40.0f, 165.0f, 10.0f);
    for (int32_t i = 0; i < town->lane_count; i++)
        set_lamps(&b, &town->lanes[i]);
    for (int32_t i = 0; i < town->lane_count; i++)
        build_along(&b, &town->lanes[i]);
    town->world.obstacles = town->obstacles;
    sort_into_cells(town);
}
