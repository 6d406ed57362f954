// Strokes leave waypoints at even steps and end exactly where they should, whatever the spacing.
// Fences are made afterwards from the waypoints, because the mitre of a corner needs both of its
// legs.
#include "scene/course/pen.h"

#include <string.h>

course_draft* kerb_scene_course_draft_make(const kerb_host* host, kerb_error* error) {
    course_draft* draft =
        host->allocator.allocate(host->allocator.context, sizeof *draft, sizeof(double));
    if (draft == NULL)
        kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "course", 0, -1,
                       "no memory for the course");
    else
        memset(draft, 0, sizeof *draft);
    return draft;
}

void kerb_scene_course_draft_hand_out(course_draft* draft, kerb_scene_course* course) {
    course->waypoints = draft->waypoints;
    course->bytes = sizeof *draft;
    course->count = draft->count;
    course->world.terrain = draft->terrain;
    course->world.zones = draft->zones;
    course->world.zone_count = draft->zone_count;
    course->world.obstacles = draft->obstacles;
    course->world.obstacle_count = draft->obstacle_count;
}

static void mark(pen* p) {
    course_draft* draft = p->draft;
    if (draft->count == DRAFT_WAYPOINTS)
        return;
    kerb_waypoint waypoint = p->next;
    waypoint.position = kerb_vec3_make(p->x, p->y, 0.0f);
    draft->waypoints[draft->count++] = waypoint;
}

pen kerb_scene_pen_make(course_draft* draft, float spacing, float half_width) {
    pen p = {.draft = draft, .spacing = spacing, .next = kerb_waypoint_at(0, 0, 0)};
    p.next.left = p.next.right = half_width;
    mark(&p);
    return p;
}

static int32_t course_pen_steps_for(float length, float spacing) {
    int32_t steps = (int32_t)(length / spacing + 0.5f);
    return steps > 1 ? steps : 1;
}

// --------------------------------------------------------------------------- strokes

void kerb_scene_pen_straight(pen* p, float length) {
    int32_t steps = course_pen_steps_for(length, p->spacing);
    float sine, cosine;
    kerb_sin_cos(p->heading, &sine, &cosine);
    float x = p->x, y = p->y;
    for (int32_t i = 1; i <= steps; i++) {
        float along = length * (float)i / (float)steps;
        p->x = x + cosine * along;
        p->y = y + sine * along;
        mark(p);
    }
}

void kerb_scene_pen_arc(pen* p, float radius, float angle) {
    int32_t steps = course_pen_steps_for(radius * kerb_abs(angle), p->spacing);
    float side = angle > 0.0f ? 1.0f : -1.0f;
    float sine, cosine;
    kerb_sin_cos(p->heading, &sine, &cosine);
    float centre_x = p->x - side * radius * sine, centre_y = p->y + side * radius * cosine;
    float start = p->heading;
    for (int32_t i = 1; i <= steps; i++) {
        kerb_sin_cos(start + angle * (float)i / (float)steps, &sine, &cosine);
        p->x = centre_x + side * radius * sine;
        p->y = centre_y - side * radius * cosine;
        mark(p);
    }
    p->heading = start + angle;
}

void kerb_scene_pen_corner(pen* p, float angle) {
    p->heading += angle;
}

// Goes `length` along the heading while `aside` leads from 0 to 1 times `offset` to the left.
static void move_aside(pen* p, float length, float offset, float (*aside)(float t)) {
    int32_t steps = course_pen_steps_for(length, p->spacing);
    float sine, cosine;
    kerb_sin_cos(p->heading, &sine, &cosine);
    float x = p->x, y = p->y;
    for (int32_t i = 1; i <= steps; i++) {
        float t = (float)i / (float)steps;
        float along = length * t;
        float across = offset * aside(t);
        p->x = x + cosine * along - sine * across;
        p->y = y + sine * along + cosine * across;
        mark(p);
    }
}

static float quintic(float t) {
    return t * t * t * (10.0f - 15.0f * t + 6.0f * t * t);
}

static float half_wave(float t) {
    return 0.5f - 0.5f * kerb_cos(KERB_PI * t);
}

void kerb_scene_pen_shift(pen* p, float length, float offset) {
    move_aside(p, length, offset, quintic);
}

void kerb_scene_pen_swing(pen* p, float length, float offset) {
    move_aside(p, length, offset, half_wave);
}

void kerb_scene_pen_turn_back(pen* p) {
    p->next.direction = -p->next.direction;
    p->heading = kerb_wrap_angle(p->heading + KERB_PI);
    p->draft->waypoints[p->draft->count - 1].direction = p->next.direction;
}

void kerb_scene_pen_stop(pen* p, float seconds) {
    p->draft->waypoints[p->draft->count - 1].stop = seconds;
}

// --------------------------------------------------------------------------- solids

#define COURSE_PEN_WALL_THICKNESS 0.4f

static void add_obstacle(course_draft* draft, kerb_sim_obstacle obstacle) {
    if (draft->obstacle_count < DRAFT_OBSTACLES)
        draft->obstacles[draft->obstacle_count++] = obstacle;
}

void kerb_scene_pen_wall(pen* p, kerb_vec2 from, kerb_vec2 to) {
    add_obstacle(p->draft, (kerb_sim_obstacle){KERB_SIM_WALL, from, to, COURSE_PEN_WALL_THICKNESS});
}

void kerb_scene_pen_post(pen* p, kerb_vec2 at, float diameter) {
    add_obstacle(p->draft, (kerb_sim_obstacle){KERB_SIM_POST, at, at, diameter});
}

static kerb_vec2 course_pen_level(const kerb_waypoint* waypoint) {
    return kerb_vec2_make(waypoint->position.x, waypoint->position.y);
}

// The unit vector from one waypoint to the next.
static kerb_vec2 leg(const course_draft* draft, int32_t i) {
    kerb_vec2 along = kerb_vec2_sub(course_pen_level(&draft->waypoints[i + 1]),
                                    course_pen_level(&draft->waypoints[i]));
    return kerb_vec2_scale(along, 1.0f / kerb_max(kerb_vec2_length(along), 1.0e-6f));
}

// Where the wall `offset` to the left of both legs has its corner: on the bisector, as far out as
// makes it `offset` from each leg.
static kerb_vec2 mitre(kerb_vec2 corner, kerb_vec2 before, kerb_vec2 after, float offset) {
    kerb_vec2 normals = kerb_vec2_make(-before.y - after.y, before.x + after.x);
    float stretch = 2.0f * offset / kerb_max(kerb_vec2_dot(normals, normals), 0.1f);
    return kerb_vec2_add(corner, kerb_vec2_scale(normals, stretch));
}

static void fence_side(pen* p, float offset) {
    const course_draft* draft = p->draft;
    kerb_vec2 before = leg(draft, 0);
    kerb_vec2 from = mitre(course_pen_level(&draft->waypoints[0]), before, before, offset);
    for (int32_t i = 1; i < draft->count; i++) {
        bool last = i == draft->count - 1;
        kerb_vec2 after = last ? before : leg(draft, i);
        if (!last && kerb_vec2_dot(before, after) > 0.99999f)
            continue; // straight on: the same wall
        kerb_vec2 to = mitre(course_pen_level(&draft->waypoints[i]), before, after, offset);
        kerb_scene_pen_wall(p, from, to);
        from = to;
        before = after;
    }
}

void kerb_scene_pen_fence(pen* p, float clearance) {
    float offset = clearance + 0.5f * COURSE_PEN_WALL_THICKNESS;
    fence_side(p, offset);
    fence_side(p, -offset);
}

// --------------------------------------------------------------------------- ground

void kerb_scene_pen_slippery(pen* p, float radius, float grip) {
    course_draft* draft = p->draft;
    if (draft->zone_count == DRAFT_ZONES)
        return;
    kerb_sim_zone zone = {.centre = {p->x, p->y}, .radius = radius, .grip = grip};
    draft->zones[draft->zone_count++] = zone;
}

// The grid that covers the waypoints and `margin` round them.
static void spread_grid(course_draft* draft, float margin, float spacing) {
    kerb_vec2 least = course_pen_level(&draft->waypoints[0]), most = least;
    for (int32_t i = 1; i < draft->count; i++) {
        kerb_vec2 at = course_pen_level(&draft->waypoints[i]);
        least = kerb_vec2_make(kerb_min(least.x, at.x), kerb_min(least.y, at.y));
        most = kerb_vec2_make(kerb_max(most.x, at.x), kerb_max(most.y, at.y));
    }
    kerb_sim_terrain* terrain = &draft->terrain;
    terrain->x = least.x - margin;
    terrain->y = least.y - margin;
    terrain->spacing = spacing;
    terrain->nx = 2 + (int32_t)((most.x - least.x + 2.0f * margin) / spacing);
    terrain->ny = 2 + (int32_t)((most.y - least.y + 2.0f * margin) / spacing);
    if (terrain->nx > DRAFT_HEIGHTS / terrain->ny)
        terrain->nx = DRAFT_HEIGHTS / terrain->ny;
    terrain->heights = draft->heights;
}

static float bank_at(const course_draft* draft, int32_t i, float (*height)(float x, float y)) {
    kerb_vec2 along = leg(draft, i < draft->count - 1 ? i : i - 1);
    kerb_vec2 at = course_pen_level(&draft->waypoints[i]);
    float rise = height(at.x - along.y, at.y + along.x) - height(at.x + along.y, at.y - along.x);
    return kerb_atan(0.5f * rise);
}

void kerb_scene_pen_terrain(pen* p, float margin, float spacing,
                            float (*height)(float x, float y)) {
    course_draft* draft = p->draft;
    spread_grid(draft, margin, spacing);
    const kerb_sim_terrain* terrain = &draft->terrain;
    for (int32_t j = 0; j < terrain->ny; j++) {
        for (int32_t i = 0; i < terrain->nx; i++)
            draft->heights[j * terrain->nx + i] =
                height(terrain->x + (float)i * spacing, terrain->y + (float)j * spacing);
    }
    for (int32_t i = 0; i < draft->count; i++) {
        kerb_waypoint* waypoint = &draft->waypoints[i];
        waypoint->position.z = height(waypoint->position.x, waypoint->position.y);
        waypoint->bank = bank_at(draft, i, height);
    }
}
