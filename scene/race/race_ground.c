// Purpose: the ground of simulated racing cars: the track's surface, grass beside it, walls.
// Idea:    Some steps of Newton's method lead from a car's last foot on the centre line to the next
//          one. Where a step is not small, or near the inside of a tight bend, kerb_path_track
//          first follows the car along the polyline: it cannot jump to a parallel stretch. Walls
//          are parallels of the centre line; only those near a car are built, for the moment, as
//          obstacles of the simulated world.
// Cost:    O(1) for each car and step away from walls.
// Source:  our own.
#include "scene/race/race_ground.h"

#include <math.h>
#include <string.h>

#define RACE_GROUND_WALL_THICKNESS 0.2f
// Walls that a body can be near, each way along the track.
#define WALLS_EACH_WAY 11
// A parallel of the centre line keeps so much from its centre of curvature, as a share.
#define WALL_SPREAD_LEAST 0.1
#define SETTING_MOST 1000.0f
// A car slides along the spline by itself when it moves less than this in a step, and where
// cross-sections are at least this share as far from one another as at the centre line.
#define SLIDE_MOST 2.0 // [m]
#define SLIDE_SPREAD_LEAST 0.4

kerb_scene_race_ground_settings kerb_scene_race_ground_settings_default(void) {
    kerb_scene_race_ground_settings settings = {
        .grass_grip = 0.5f, .wheel_track = 1.5f, .wall_distance = -1.0f};
    return settings;
}

// --------------------------------------------------------------------------- building

static kerb_result check_one(float value, float least, const char* field, kerb_error* error) {
    if (!kerb_is_finite(value))
        return kerb_error_set(error, KERB_ERROR_NOT_FINITE, field, 0, -1, "must be finite");
    if (value < least || value > SETTING_MOST)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, field, 0, -1, "is out of range");
    return KERB_OK;
}

static kerb_result race_ground_check(const kerb_path* track,
                                     const kerb_scene_race_ground_settings* settings,
                                     kerb_error* error) {
    if (track->count < 3)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "track", 0, -1, "needs three points");
    kerb_result result = check_one(settings->grass_grip, 0.01f, "grass_grip", error);
    if (result == KERB_OK)
        result = check_one(settings->wheel_track, 0.01f, "wheel_track", error);
    if (result == KERB_OK)
        result = check_one(settings->wall_distance, -SETTING_MOST, "wall_distance", error);
    return result;
}

static void take_points(race_surface* surface, const kerb_path* track, float* bank) {
    for (int32_t i = 0; i < track->count; i++) {
        const kerb_path_point* point = &track->points[i];
        race_knot* knot = &surface->knots[i];
        memset(knot, 0, sizeof *knot);
        knot->value[0] = (double)point->position.x;
        knot->value[1] = (double)point->position.y;
        knot->value[2] = (double)point->position.z;
        knot->left = point->left;
        knot->right = point->right;
        knot->grip = point->grip;
        bank[i] = point->bank;
    }
}

// A width along the surface, seen from above.
static float level_width(const race_knot* knot, float width) {
    float t = (float)knot->value[3];
    return width / kerb_sqrt(1.0f + t * t);
}

static race_foot foot_of_knot(const race_surface* surface, int32_t i) {
    bool end = !surface->closed && i == surface->count - 1;
    race_foot foot = {.segment = end ? i - 1 : i, .share = end ? 1.0 : 0.0};
    return foot;
}

// The wall's middle line beside one knot. Where the wall would lie behind the centre of curvature
// it stays before it.
static kerb_vec2 wall_beside(const kerb_scene_race_ground* ground, int32_t i, int side) {
    const race_knot* knot = &ground->surface.knots[i];
    float width = level_width(knot, side == 0 ? knot->left : knot->right);
    double out =
        (double)(width + ground->settings.wall_distance + 0.5f * RACE_GROUND_WALL_THICKNESS);
    race_foot foot = foot_of_knot(&ground->surface, i);
    foot.offset = side == 0 ? out : -out;
    double spread = kerb_scene_race_surface_spread(&ground->surface, &foot);
    if (spread < WALL_SPREAD_LEAST)
        foot.offset *= (1.0 - WALL_SPREAD_LEAST) / (1.0 - spread);
    double x, y;
    kerb_scene_race_surface_place(&ground->surface, &foot, &x, &y);
    return kerb_vec2_make((float)x, (float)y);
}

static void build_walls(kerb_scene_race_ground* ground) {
    if (ground->settings.wall_distance < 0.0f) {
        ground->walls[0] = ground->walls[1] = NULL;
        return;
    }
    for (int side = 0; side < 2; side++)
        for (int32_t i = 0; i < ground->surface.count; i++)
            ground->walls[side][i] = wall_beside(ground, i, side);
}

kerb_result kerb_scene_race_ground_create(kerb_scene_race_ground* ground, const kerb_path* track,
                                          const kerb_scene_race_ground_settings* settings,
                                          const kerb_host* host, kerb_error* error) {
    memset(ground, 0, sizeof *ground);
    kerb_result result = race_ground_check(track, settings, error);
    if (result != KERB_OK)
        return result;
    size_t count = (size_t)track->count;
    size_t bytes = count * (sizeof(race_knot) + 2 * sizeof(kerb_vec2));
    const kerb_allocator* allocator = &host->allocator;
    unsigned char* memory = allocator->allocate(allocator->context, bytes, _Alignof(race_knot));
    float* bank = allocator->allocate(allocator->context, count * sizeof *bank, sizeof *bank);
    if (memory != NULL && bank != NULL) {
        ground->track = track;
        ground->settings = *settings;
        ground->surface = (race_surface){(race_knot*)(void*)memory, track->count, track->closed};
        ground->walls[0] = (kerb_vec2*)(void*)(memory + count * sizeof(race_knot));
        ground->walls[1] = ground->walls[0] + count;
        ground->memory = memory;
        ground->bytes = bytes;
        ground->allocator = *allocator;
        take_points(&ground->surface, track, bank);
        kerb_scene_race_surface_fit(&ground->surface, bank);
        build_walls(ground);
    } else {
        result = kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "out of memory");
        if (memory != NULL)
            allocator->release(allocator->context, memory, bytes);
    }
    if (bank != NULL)
        allocator->release(allocator->context, bank, count * sizeof *bank);
    return result;
}

void kerb_scene_race_ground_destroy(kerb_scene_race_ground* ground) {
    if (ground->memory != NULL)
        ground->allocator.release(ground->allocator.context, ground->memory, ground->bytes);
    memset(ground, 0, sizeof *ground);
}

// --------------------------------------------------------------------------- places

// From the last foot to the next, where that is a small step and the cross-sections do not meet.
static bool slide(const kerb_scene_race_ground* ground, kerb_scene_race_place* place,
                  kerb_vec3 position) {
    double x = (double)position.x, y = (double)position.y;
    race_foot foot = kerb_scene_race_surface_foot(&ground->surface, place->foot, x, y);
    double was_x, was_y, now_x, now_y;
    race_foot was = place->foot, now = foot;
    was.offset = now.offset = 0.0;
    kerb_scene_race_surface_place(&ground->surface, &was, &was_x, &was_y);
    kerb_scene_race_surface_place(&ground->surface, &now, &now_x, &now_y);
    bool near_it = fabs(now_x - was_x) + fabs(now_y - was_y) < SLIDE_MOST;
    if (!near_it || foot.beyond != 0.0 ||
        kerb_scene_race_surface_spread(&ground->surface, &foot) < SLIDE_SPREAD_LEAST)
        return false;
    place->foot = foot;
    float length = ground->track->points[foot.segment].length;
    place->location = (kerb_path_location){foot.segment, (float)foot.share * length};
    return true;
}

static void race_ground_follow(const kerb_scene_race_ground* ground, kerb_scene_race_place* place,
                               kerb_vec3 position) {
    if (place->known && slide(ground, place, position))
        return;
    const kerb_vec3 unknown = {0.0f, 0.0f, 0.0f};
    place->location = place->known
                          ? kerb_path_track(ground->track, place->location, position, unknown)
                          : kerb_path_nearest(ground->track, position);
    place->known = true;
    float length = ground->track->points[place->location.segment].length;
    race_foot foot = {.segment = place->location.segment};
    foot.share = (double)kerb_clamp(place->location.segment_distance / length, 0.0f, 1.0f);
    place->foot = kerb_scene_race_surface_foot(&ground->surface, foot, (double)position.x,
                                               (double)position.y);
}

static float race_ground_mix(float a, float b, double share) {
    return a + (b - a) * (float)share;
}

kerb_sim_ground kerb_scene_race_ground_at(const kerb_scene_race_ground* ground,
                                          kerb_scene_race_place* place, kerb_vec3 position) {
    if (kerb_is_finite(position.x + position.y + position.z))
        race_ground_follow(ground, place, position);
    else if (!place->known)
        race_ground_follow(ground, place, ground->track->points[0].position);
    const race_surface* surface = &ground->surface;
    const race_foot* foot = &place->foot;
    const race_knot* a = &surface->knots[foot->segment];
    const race_knot* b =
        &surface->knots[foot->segment + 1 < surface->count ? foot->segment + 1 : 0];
    place->edge_left =
        race_ground_mix(level_width(a, a->left), level_width(b, b->left), foot->share);
    place->edge_right =
        race_ground_mix(level_width(a, a->right), level_width(b, b->right), foot->share);
    kerb_sim_ground under = kerb_scene_race_surface_at(surface, foot);
    float outside = kerb_scene_race_ground_outside(place) / ground->settings.wheel_track;
    float on_grass = kerb_clamp(outside + 0.5f, 0.0f, 1.0f);
    under.grip = race_ground_mix(a->grip, b->grip, foot->share) *
                 (1.0f + (ground->settings.grass_grip - 1.0f) * on_grass);
    return under;
}

float kerb_scene_race_ground_outside(const kerb_scene_race_place* place) {
    float offset = (float)place->foot.offset;
    return kerb_max(offset - place->edge_left, -offset - place->edge_right);
}

// --------------------------------------------------------------------------- walls

static int32_t knot_at(const race_surface* surface, int32_t i) {
    if (!surface->closed)
        return i < 0 ? 0 : i >= surface->count ? surface->count - 1 : i;
    return (i % surface->count + surface->count) % surface->count;
}

static float race_ground_reach_of(const kerb_sim_body* body) {
    return kerb_max(body->front, body->back) + body->half_width + 1.0f;
}

static bool is_near(const kerb_sim_obstacle* wall, const kerb_sim_body* body) {
    kerb_vec2 at = {body->position.x, body->position.y};
    kerb_vec2 along = kerb_vec2_sub(wall->to, wall->from), from = kerb_vec2_sub(at, wall->from);
    float square = kerb_max(kerb_vec2_dot(along, along), 1e-6f);
    float share = kerb_clamp(kerb_vec2_dot(from, along) / square, 0.0f, 1.0f);
    kerb_vec2 apart = kerb_vec2_sub(from, kerb_vec2_scale(along, share));
    float reach = race_ground_reach_of(body);
    return kerb_vec2_dot(apart, apart) < reach * reach;
}

static int32_t gather(const kerb_scene_race_ground* ground, const kerb_scene_race_place* place,
                      const kerb_sim_body* body, kerb_sim_obstacle walls[2 * WALLS_EACH_WAY],
                      int side) {
    int32_t count = 0;
    for (int32_t k = -WALLS_EACH_WAY; k < WALLS_EACH_WAY; k++) {
        int32_t from = knot_at(&ground->surface, place->foot.segment + k);
        int32_t to = knot_at(&ground->surface, place->foot.segment + k + 1);
        kerb_sim_obstacle wall = {.kind = KERB_SIM_WALL, .thickness = RACE_GROUND_WALL_THICKNESS};
        wall.from = ground->walls[side][from];
        wall.to = ground->walls[side][to];
        if (from != to && is_near(&wall, body))
            walls[count++] = wall;
    }
    return count;
}

int32_t kerb_scene_race_ground_push(const kerb_scene_race_ground* ground,
                                    const kerb_scene_race_place* place, kerb_sim_body* body,
                                    kerb_sim_contact* contacts, int32_t most) {
    float reach = race_ground_reach_of(body);
    float outside = kerb_scene_race_ground_outside(place);
    bool near_it = outside + reach > ground->settings.wall_distance;
    if (ground->walls[0] == NULL || !place->known || !near_it)
        return 0;
    kerb_sim_obstacle walls[2 * WALLS_EACH_WAY];
    int side = (float)place->foot.offset - place->edge_left >
                       -(float)place->foot.offset - place->edge_right
                   ? 0
                   : 1;
    kerb_sim_world world = {.obstacles = walls};
    world.obstacle_count = gather(ground, place, body, walls, side);
    return kerb_sim_world_push(&world, body, contacts, most);
}
