// Purpose: the arrays of shapes.
// Idea:    A scene adds its shapes twice: first they are only counted, then written into arrays
//          that have room for all. They are made when somebody asks for them after a change.
// Cost:    O(shapes) after a change, O(1) otherwise.
#include "scene/stage/stage_parts.h"

#include <string.h>

#define STAGE_HOUSE_HEIGHT 7.0f
#define STAGE_WALL_HEIGHT 1.1f
#define STAGE_POST_HEIGHT 4.5f
#define STAGE_BOLLARD_HEIGHT 0.9f
#define STAGE_MONUMENT 2.0f // a post that is thicker is a monument [m]
#define STAGE_LAMP 0.35f    // a post that is thinner is a lamp [m]
#define STAGE_DISC_SIDES 24

static const char* const stage_shape_names[KERB_STAGE_SHAPES] = {
    "road", "edge",  "middle", "start",       "slippery", "wall",
    "post", "house", "car",    "racing line", "gate",     "parking bay"};

const char* kerb_stage_shape_text(kerb_stage_shape value) {
    uint32_t index = (uint32_t)value;
    return index < KERB_STAGE_SHAPES ? stage_shape_names[index] : "unknown";
}

void kerb_scene_stage_reshape(kerb_stage* stage) {
    stage->state->shapes = ++stage->shapes_numbers;
}

// --------------------------------------------------------------------------- adding

void kerb_scene_stage_reach(kerb_stage* stage, float x, float y, float margin) {
    float* e = stage->shapes.extent;
    e[0] = kerb_min(e[0], x - margin);
    e[1] = kerb_min(e[1], y - margin);
    e[2] = kerb_max(e[2], x + margin);
    e[3] = kerb_max(e[3], y + margin);
}

void kerb_scene_stage_add_line(kerb_stage* stage, kerb_vec3 from, kerb_vec3 to, int32_t shape) {
    stage_shapes* s = &stage->shapes;
    if (!s->counting && s->line_count < s->line_room)
        s->lines[s->line_count] =
            (kerb_stage_line){from.x, from.y, from.z, to.x, to.y, to.z, shape};
    s->line_count++;
    kerb_scene_stage_reach(stage, from.x, from.y, 5.0f);
}

void kerb_scene_stage_add_quad(kerb_stage* stage, const kerb_vec3 c[4], int32_t shape) {
    stage_shapes* s = &stage->shapes;
    if (!s->counting && s->triangle_count + 1 < s->triangle_room) {
        s->triangles[s->triangle_count] = (kerb_stage_triangle){
            c[0].x, c[0].y, c[0].z, c[1].x, c[1].y, c[1].z, c[2].x, c[2].y, c[2].z, shape};
        s->triangles[s->triangle_count + 1] = (kerb_stage_triangle){
            c[0].x, c[0].y, c[0].z, c[2].x, c[2].y, c[2].z, c[3].x, c[3].y, c[3].z, shape};
    }
    s->triangle_count += 2;
    kerb_scene_stage_reach(stage, c[0].x, c[0].y, 5.0f);
}

void kerb_scene_stage_add_solid(kerb_stage* stage, const kerb_stage_solid* solid) {
    stage_shapes* s = &stage->shapes;
    if (!s->counting && s->solid_count < s->solid_room)
        s->solids[s->solid_count] = *solid;
    s->solid_count++;
    float half_x = 0.5f * solid->length * kerb_cos(solid->heading);
    float half_y = 0.5f * solid->length * kerb_sin(solid->heading);
    kerb_scene_stage_reach(stage, solid->x - half_x, solid->y - half_y, solid->width);
    kerb_scene_stage_reach(stage, solid->x + half_x, solid->y + half_y, solid->width);
}

void kerb_scene_stage_add_mark(kerb_stage* stage, const kerb_stage_mark* mark) {
    stage_shapes* s = &stage->shapes;
    if (!s->counting && s->mark_count < s->mark_room)
        s->marks[s->mark_count] = *mark;
    s->mark_count++;
    kerb_scene_stage_reach(stage, mark->x, mark->y, 10.0f);
}

// A place beside a path's point, on its banked surface.
static kerb_vec3 stage_beside(const kerb_path* path, int32_t point, float left) {
    const kerb_path_point* p = &path->points[point];
    kerb_path_location at = {point < path->segment_count ? point : path->segment_count - 1,
                             point < path->segment_count ? 0.0f : p[-1].length};
    kerb_path_sample s = kerb_path_sample_at(path, at);
    // The mean of both segments' directions, so that the edges of a bend meet.
    kerb_vec3 way = p->direction;
    bool has_before = point > 0 || path->closed;
    const kerb_path_point* before = &path->points[point > 0 ? point - 1 : path->count - 1];
    if (point >= path->segment_count)
        way = before->direction;
    else if (has_before && before->travel == p->travel)
        way = kerb_vec3_add(way, before->direction);
    way = kerb_vec3_unit(kerb_vec3_make(way.x, way.y, 0.0f), kerb_vec3_make(1.0f, 0.0f, 0.0f));
    float rise = left * kerb_tan(s.bank);
    return kerb_vec3_make(p->position.x - way.y * left, p->position.y + way.x * left,
                          p->position.z + rise);
}

void kerb_scene_stage_add_path(kerb_stage* stage, const kerb_path* path, bool middle) {
    for (int32_t i = 0; i < path->segment_count; i++) {
        int32_t k = (i + 1) % path->count;
        const kerb_path_point *a = &path->points[i], *b = &path->points[k];
        kerb_vec3 corners[4] = {stage_beside(path, i, -a->right), stage_beside(path, k, -b->right),
                                stage_beside(path, k, b->left), stage_beside(path, i, a->left)};
        kerb_scene_stage_add_quad(stage, corners, KERB_STAGE_SHAPE_ROAD);
        kerb_scene_stage_add_line(stage, corners[0], corners[1], KERB_STAGE_SHAPE_EDGE);
        kerb_scene_stage_add_line(stage, corners[3], corners[2], KERB_STAGE_SHAPE_EDGE);
        if (middle)
            kerb_scene_stage_add_line(stage, a->position, b->position, KERB_STAGE_SHAPE_MIDDLE);
    }
}

static kerb_stage_solid stage_solid_of(const kerb_sim_obstacle* o) {
    kerb_vec2 way = kerb_vec2_sub(o->to, o->from);
    kerb_stage_solid solid = {.x = 0.5f * (o->from.x + o->to.x), .y = 0.5f * (o->from.y + o->to.y)};
    solid.heading = kerb_atan2(way.y, way.x);
    solid.length = kerb_vec2_length(way);
    solid.width = o->thickness;
    solid.shape = KERB_STAGE_SHAPE_WALL;
    solid.height = STAGE_WALL_HEIGHT;
    if (o->kind == KERB_SIM_POST) {
        solid.shape = KERB_STAGE_SHAPE_POST;
        solid.length = o->thickness;
        bool is_tall = o->thickness > STAGE_MONUMENT || o->thickness < STAGE_LAMP;
        solid.height = is_tall ? STAGE_POST_HEIGHT : STAGE_BOLLARD_HEIGHT;
    } else if (o->kind == KERB_SIM_BOX) {
        solid.shape = KERB_STAGE_SHAPE_HOUSE;
        solid.height = STAGE_HOUSE_HEIGHT;
    }
    return solid;
}

static void stage_add_zone(kerb_stage* stage, const kerb_sim_world* world,
                           const kerb_sim_zone* zone) {
    float half_length = zone->radius > 0.0f ? zone->radius : zone->half_length;
    float half_width = zone->radius > 0.0f ? zone->radius : zone->half_width;
    kerb_vec3 centre = kerb_vec3_make(zone->centre.x, zone->centre.y, 0.0f);
    float sine, cosine, z = kerb_sim_world_ground(world, centre, NULL).height;
    kerb_sin_cos(zone->radius > 0.0f ? 0.0f : zone->heading, &sine, &cosine);
    kerb_vec3 rim[STAGE_DISC_SIDES];
    int32_t sides = zone->radius > 0.0f ? STAGE_DISC_SIDES : 4;
    for (int32_t i = 0; i < sides; i++) {
        float x, y;
        kerb_sin_cos(2.0f * KERB_PI * ((float)i + 0.5f) / (float)sides, &y, &x);
        if (zone->radius <= 0.0f) {
            x = x > 0.0f ? 1.0f : -1.0f;
            y = y > 0.0f ? 1.0f : -1.0f;
        }
        x *= half_length;
        y *= half_width;
        rim[i] =
            kerb_vec3_make(centre.x + x * cosine - y * sine, centre.y + x * sine + y * cosine, z);
        rim[i].z = kerb_sim_world_ground(world, rim[i], NULL).height;
    }
    for (int32_t i = 1; i + 2 < sides + (sides == 4 ? 1 : 0); i += 2) {
        kerb_vec3 corners[4] = {rim[0], rim[i], rim[i + 1], rim[(i + 2) % sides]};
        kerb_scene_stage_add_quad(stage, corners, KERB_STAGE_SHAPE_SLIPPERY);
    }
}

void kerb_scene_stage_add_world(kerb_stage* stage, const kerb_sim_world* world, bool movable) {
    for (int32_t i = 0; i < world->zone_count; i++)
        stage_add_zone(stage, world, &world->zones[i]);
    for (int32_t i = 0; i < world->obstacle_count; i++) {
        kerb_stage_solid solid = stage_solid_of(&world->obstacles[i]);
        kerb_vec3 at = kerb_vec3_make(solid.x, solid.y, 0.0f);
        solid.z = kerb_sim_world_ground(world, at, NULL).height;
        solid.movable = movable ? 1 : 0;
        kerb_scene_stage_add_solid(stage, &solid);
    }
    if (world->terrain.nx > 0) {
        stage->shapes.heights = world->terrain.heights;
        stage->shapes.height_grid =
            (kerb_stage_grid){world->terrain.x, world->terrain.y, world->terrain.spacing,
                              world->terrain.nx, world->terrain.ny};
    }
}

void kerb_scene_stage_move_solid(kerb_sim_obstacle* solid, kerb_pose pose) {
    kerb_vec2 way = kerb_vec2_sub(solid->to, solid->from);
    kerb_vec2 half = kerb_vec2_scale(pose.forward, 0.5f * kerb_vec2_length(way));
    solid->from = kerb_vec2_sub(pose.position, half);
    solid->to = kerb_vec2_add(pose.position, half);
}

// --------------------------------------------------------------------------- making

static void stage_fill(kerb_stage* stage, bool counting) {
    stage_shapes* s = &stage->shapes;
    s->counting = counting;
    s->triangle_count = s->line_count = s->solid_count = s->mark_count = 0;
    s->extent[0] = s->extent[1] = 1.0e6f;
    s->extent[2] = s->extent[3] = -1.0e6f;
    if (stage->scene->shapes != NULL)
        stage->scene->shapes(stage);
}

// Room for `count` items and some more; where there is none, those that fit are kept.
static void stage_room(kerb_stage* stage, void** items, int32_t count, size_t item, int32_t* room) {
    if (*items != NULL && count <= *room)
        return;
    int32_t more = count + count / 2 + 8;
    void* memory = kerb_scene_stage_fix(stage, (size_t)more * item);
    if (memory == NULL)
        return;
    stage->fixed.allocator.release(stage->fixed.allocator.context, *items, 0);
    *items = memory;
    *room = more;
}

static int32_t stage_at_most(int32_t count, int32_t room) {
    return count < room ? count : room;
}

static void stage_make_shapes(kerb_stage* stage) {
    stage_shapes* s = &stage->shapes;
    if (stage->shapes_made == stage->state->shapes)
        return;
    stage_fill(stage, true);
    stage_room(stage, (void**)&s->triangles, s->triangle_count, sizeof *s->triangles,
               &s->triangle_room);
    stage_room(stage, (void**)&s->lines, s->line_count, sizeof *s->lines, &s->line_room);
    stage_room(stage, (void**)&s->solids, s->solid_count, sizeof *s->solids, &s->solid_room);
    stage_room(stage, (void**)&s->marks, s->mark_count, sizeof *s->marks, &s->mark_room);
    stage_fill(stage, false);
    s->triangle_count = stage_at_most(s->triangle_count, s->triangle_room);
    s->line_count = stage_at_most(s->line_count, s->line_room);
    s->solid_count = stage_at_most(s->solid_count, s->solid_room);
    s->mark_count = stage_at_most(s->mark_count, s->mark_room);
    stage->shapes_made = stage->state->shapes;
    stage->shapes_version++;
}

// --------------------------------------------------------------------------- reading

// Shapes are a cache of what the scene is: making them when they are asked for changes nothing.
static const stage_shapes* stage_shapes_of(kerb_stage* stage) {
    if (stage == NULL)
        return NULL;
    stage_make_shapes(stage);
    return &stage->shapes;
}

int32_t kerb_stage_shapes_version(kerb_stage* stage) {
    return stage_shapes_of(stage) != NULL ? stage->shapes_version : 0;
}

const kerb_stage_triangle* kerb_stage_triangles(kerb_stage* stage) {
    const stage_shapes* s = stage_shapes_of(stage);
    return s != NULL ? s->triangles : NULL;
}

int32_t kerb_stage_triangle_count(kerb_stage* stage) {
    const stage_shapes* s = stage_shapes_of(stage);
    return s != NULL ? s->triangle_count : 0;
}

const kerb_stage_line* kerb_stage_lines(kerb_stage* stage) {
    const stage_shapes* s = stage_shapes_of(stage);
    return s != NULL ? s->lines : NULL;
}

int32_t kerb_stage_line_count(kerb_stage* stage) {
    const stage_shapes* s = stage_shapes_of(stage);
    return s != NULL ? s->line_count : 0;
}

const kerb_stage_solid* kerb_stage_solids(kerb_stage* stage) {
    const stage_shapes* s = stage_shapes_of(stage);
    return s != NULL ? s->solids : NULL;
}

int32_t kerb_stage_solid_count(kerb_stage* stage) {
    const stage_shapes* s = stage_shapes_of(stage);
    return s != NULL ? s->solid_count : 0;
}

const kerb_stage_mark* kerb_stage_marks(kerb_stage* stage) {
    const stage_shapes* s = stage_shapes_of(stage);
    return s != NULL ? s->marks : NULL;
}

int32_t kerb_stage_mark_count(kerb_stage* stage) {
    const stage_shapes* s = stage_shapes_of(stage);
    return s != NULL ? s->mark_count : 0;
}

const float* kerb_stage_heights(kerb_stage* stage) {
    const stage_shapes* s = stage_shapes_of(stage);
    return s != NULL ? s->heights : NULL;
}

const kerb_stage_grid* kerb_stage_height_grid(kerb_stage* stage) {
    const stage_shapes* s = stage_shapes_of(stage);
    return s != NULL ? &s->height_grid : NULL;
}

const uint8_t* kerb_stage_cells(kerb_stage* stage) {
    const stage_shapes* s = stage_shapes_of(stage);
    return s != NULL ? s->cells : NULL;
}

const kerb_stage_grid* kerb_stage_cell_grid(kerb_stage* stage) {
    const stage_shapes* s = stage_shapes_of(stage);
    return s != NULL ? &s->cell_grid : NULL;
}

const float* kerb_stage_extent(kerb_stage* stage) {
    const stage_shapes* s = stage_shapes_of(stage);
    return s != NULL ? s->extent : NULL;
}
