// Scenes of cars among cars. The cars are vehicles of sim/ that collide with each other and with
// walls.
//
// A target counts as boxed in when three conditions hold for three seconds: it has not moved more
// than two metres from where it was; four cars are round it, one of them in the second row where a
// wall takes a place in the first; and it tries to get away all the time.
#include "kerb/group.h"

#include "scene/crowd/chase.h"

#include "scene/town/yielding.h"

#include <string.h>

#define HELD_FOR 3.0f
#define HELD_WITHIN 2.0f
#define SECOND_ROW 2.5f // middles chase_apart, at most [car lengths]
#define HARD 3.0f       // of a contact: closing speed [m/s]
#define FORMATION_CARS 6
#define FORMATION_SPACING 7.0f // [m]
#define FORMED_AFTER 50.0      // that the first has driven [m]
#define CHASE_PHYSICS_STEP (1.0f / 240.0f)

// --------------------------------------------------------------------------- building

static void wall(kerb_scene_chase* s, float x0, float y0, float x1, float y1) {
    if (s->wall_count >= KERB_SCENE_CHASE_WALLS)
        return;
    kerb_sim_obstacle solid = {KERB_SIM_WALL, {x0, y0}, {x1, y1}, 0.4f};
    kerb_obstacle seen =
        kerb_obstacle_between(kerb_vec3_make(x0, y0, 0.0f), kerb_vec3_make(x1, y1, 0.0f));
    seen.radius = 0.2f;
    s->walls[s->wall_count] = solid;
    s->obstacles[s->wall_count++] = seen;
}

static void house(kerb_scene_chase* s, float x, float y, float half_x, float half_y) {
    wall(s, x - half_x, y - half_y, x + half_x, y - half_y);
    wall(s, x + half_x, y - half_y, x + half_x, y + half_y);
    wall(s, x + half_x, y + half_y, x - half_x, y + half_y);
    wall(s, x - half_x, y + half_y, x - half_x, y - half_y);
}

static kerb_scene_chase_car* add_car(kerb_scene_chase* s, const char* model,
                                     kerb_scene_chase_part part, kerb_pose pose) {
    kerb_scene_chase_car* car = &s->cars[s->count++];
    car->part = (int32_t)part;
    kerb_sim_model_named(model, &car->model);
    car->vehicle =
        kerb_sim_vehicle_make(&car->model, kerb_vec3_make(pose.position.x, pose.position.y, 0.0f),
                              kerb_pose_heading(pose));
    car->driver = kerb_steering_driver_make(&car->model.vehicle);
    car->parker = kerb_parker_make(&car->model.vehicle);
    car->start = car->goal = pose;
    return car;
}

static kerb_pose random_pose(kerb_random* random, float x, float y, float spread) {
    float px = x + kerb_random_between(random, -spread, spread);
    float py = y + kerb_random_between(random, -spread, spread);
    return kerb_pose_make(px, py, kerb_random_between(random, -KERB_PI, KERB_PI));
}

// A quarter of a town: four houses, streets between them, a wall around.
static void police_chase(kerb_scene_chase* s, kerb_random* random) {
    house(s, 0.0f, 0.0f, 80.0f, 80.0f);
    for (int32_t i = 0; i < 4; i++)
        house(s, i % 2 ? 36.0f : -36.0f, i / 2 ? 36.0f : -36.0f, 20.0f, 20.0f);
    add_car(s, "pickup", KERB_SCENE_CHASE_TARGET, random_pose(random, 0.0f, 0.0f, 8.0f));
    static const float corner[4][2] = {{-68, -68}, {68, -68}, {68, 68}, {-68, 68}};
    for (int32_t i = 0; i < 4; i++)
        add_car(s, "pickup", KERB_SCENE_CHASE_POLICE,
                random_pose(random, corner[i][0], corner[i][1], 4.0f));
}

static void field_chase(kerb_scene_chase* s, kerb_random* random) {
    house(s, 0.0f, 0.0f, 100.0f, 100.0f);
    add_car(s, "pickup", KERB_SCENE_CHASE_TARGET, random_pose(random, 0.0f, 0.0f, 20.0f));
    for (int32_t i = 0; i < 4; i++)
        add_car(s, "pickup", KERB_SCENE_CHASE_POLICE,
                random_pose(random, i % 2 ? 60.0f : -60.0f, i / 2 ? 60.0f : -60.0f, 20.0f));
}

// The first one's road, in points close enough together for its bends.
static void build_road(kerb_scene_chase* s, const kerb_curve* legs) {
    static const float spacing = 3.0f;
    kerb_waypoint points[KERB_SCENE_CHASE_ROAD_POINTS];
    float length = kerb_curve_length(legs);
    int32_t count = (int32_t)(length / spacing) + 1;
    for (int32_t i = 0; i < count && i < KERB_SCENE_CHASE_ROAD_POINTS; i++) {
        kerb_vec2 place = kerb_curve_at(legs, spacing * (float)i).pose.position;
        points[i] = kerb_waypoint_at(place.x, place.y, 0.0f);
    }
    kerb_path_build(&s->road, s->road_points, points, count, false, NULL);
    s->where = kerb_path_locate(&s->road, 0.0);
}

// Straight, a half turn of 25 m radius, a quarter turn of 12 m the other way.
static void convoy(kerb_scene_chase* s, kerb_random* random) {
    const kerb_curve legs = {.start = kerb_pose_make(0.0f, 0.0f, 0.0f),
                             .count = 5,
                             .length = {80.0f, 78.5f, 60.0f, 18.9f, 400.0f},
                             .curvature = {0.0f, 0.04f, 0.0f, -0.0833f, 0.0f}};
    build_road(s, &legs);
    for (int32_t i = 0; i < 6; i++)
        add_car(s, "pickup", i == 0 ? KERB_SCENE_CHASE_FIRST : KERB_SCENE_CHASE_COLUMN,
                kerb_pose_make(-12.0f * (float)i,
                               i == 0 ? 0.0f : kerb_random_between(random, -1.0f, 1.0f), 0.0f));
}

// Two rows of three, the first in the middle of the front row, all near their places.
static void formation(kerb_scene_chase* s, kerb_random* random) {
    const kerb_curve legs = {.start = kerb_pose_make(0.0f, 0.0f, 0.0f),
                             .count = 3,
                             .length = {70.0f, 47.1f, 400.0f},
                             .curvature = {0.0f, 0.0333f, 0.0f}};
    build_road(s, &legs);
    for (int32_t i = 0; i < FORMATION_CARS; i++) {
        kerb_vec3 slot =
            kerb_formation_slot(KERB_FORMATION_BOX, i, FORMATION_CARS, FORMATION_SPACING);
        float off = i == 0 ? 0.0f : 2.0f;
        // One after the other: arguments may be evaluated in any order.
        float x = slot.x + kerb_random_between(random, -off, 0.0f);
        float y = slot.y + kerb_random_between(random, -0.5f * off, 0.5f * off);
        add_car(s, "pickup", i == 0 ? KERB_SCENE_CHASE_FIRST : KERB_SCENE_CHASE_FORMATION,
                kerb_pose_make(x, y, 0.0f));
    }
}

static void arrivals(kerb_scene_chase* s, kerb_random* random) {
    for (int32_t i = 0; i < 12; i++) {
        float angle = 2.0f * KERB_PI * (float)i / 12.0f;
        kerb_pose start = kerb_pose_make(40.0f * kerb_cos(angle), 40.0f * kerb_sin(angle),
                                         kerb_random_between(random, -KERB_PI, KERB_PI));
        kerb_scene_chase_car* car =
            add_car(s, i % 2 ? "tank" : "pickup", KERB_SCENE_CHASE_ARRIVING, start);
        car->goal = kerb_pose_make(18.0f * kerb_cos(angle), 18.0f * kerb_sin(angle), angle);
    }
}

typedef struct chase_entry {
    const char *name, *about;
    void (*build)(kerb_scene_chase* scene, kerb_random* random);
} chase_entry;

static const chase_entry chase_registry[] = {
    {"police-chase", "four cars box in one among houses", police_chase},
    {"field-chase", "four cars box in one on a walled field of 200 m", field_chase},
    {"convoy", "six pick-ups in column through bends, in the trail of the first", convoy},
    {"arrivals", "pick-ups and tanks park on a ring of poses", arrivals},
    {"formation", "six pick-ups in two rows of three through a bend of 90 degrees", formation},
};

int32_t kerb_scene_chase_count(void) {
    return (int32_t)(sizeof chase_registry / sizeof chase_registry[0]);
}

const char* kerb_scene_chase_name(int32_t index) {
    return chase_registry[index].name;
}

const char* kerb_scene_chase_about(int32_t index) {
    return chase_registry[index].about;
}

bool kerb_scene_chase_make(const char* name, uint64_t seed, kerb_scene_chase* scene) {
    for (int32_t i = 0; i < kerb_scene_chase_count(); i++) {
        if (strcmp(chase_registry[i].name, name) != 0)
            continue;
        memset(scene, 0, sizeof *scene);
        kerb_random random = kerb_random_make(seed, (uint64_t)i);
        scene->settings = kerb_cars_settings_default();
        chase_registry[i].build(scene, &random);
        scene->world.obstacles = scene->walls;
        scene->world.obstacle_count = scene->wall_count;
        return true;
    }
    return false;
}

// --------------------------------------------------------------------------- the town's streets

// Crossings of the town, and what is seen between them. Who does not see the target drives to the
// crossing on the shortest way: what a planner would do, as far as this scene needs one.
#define CROSSINGS 9

static kerb_vec2 crossing(int32_t index) {
    int32_t column = index % 3, row = index / 3;
    return kerb_vec2_make(68.0f * (float)(column - 1), 68.0f * (float)(row - 1));
}

static bool parted(kerb_vec2 a, kerb_vec2 b, kerb_vec2 from, kerb_vec2 to) {
    kerb_vec2 way = kerb_vec2_sub(b, a), edge = kerb_vec2_sub(to, from);
    float s =
        kerb_vec2_cross(way, kerb_vec2_sub(from, a)) * kerb_vec2_cross(way, kerb_vec2_sub(to, a));
    float t = kerb_vec2_cross(edge, kerb_vec2_sub(a, from)) *
              kerb_vec2_cross(edge, kerb_vec2_sub(b, from));
    return s < 0.0f && t < 0.0f;
}

// A corner that lies so near beside the way is not passed by. [m]
#define CORNER 1.6f

static bool grazes(kerb_vec2 a, kerb_vec2 b, kerb_vec2 corner) {
    kerb_vec2 way = kerb_vec2_sub(b, a), to = kerb_vec2_sub(corner, a);
    float square = kerb_vec2_dot(way, way), along = kerb_vec2_dot(way, to);
    if (along < 0.0f || along > square)
        return false;
    float aside = kerb_vec2_cross(way, to);
    return aside * aside < CORNER * CORNER * square;
}

static bool sees(const kerb_scene_chase* s, kerb_vec2 a, kerb_vec2 b) {
    for (int32_t i = 0; i < s->wall_count; i++) {
        if (parted(a, b, s->walls[i].from, s->walls[i].to) || grazes(a, b, s->walls[i].from))
            return false;
    }
    return true;
}

static float chase_distance_between(kerb_vec2 a, kerb_vec2 b) {
    return kerb_vec2_length(kerb_vec2_sub(a, b));
}

// Metres from each crossing to a place, along what is seen. (Bellman, Ford)
static void ways_to(const kerb_scene_chase* s, kerb_vec2 place, float ways[CROSSINGS]) {
    for (int32_t i = 0; i < CROSSINGS; i++)
        ways[i] = sees(s, crossing(i), place) ? chase_distance_between(crossing(i), place) : 1.0e6f;
    for (int32_t round = 0; round < 4; round++) {
        for (int32_t i = 0; i < CROSSINGS; i++) {
            for (int32_t k = 0; k < CROSSINGS; k++) {
                bool is_street = i % 3 == k % 3 || i / 3 == k / 3;
                float by = ways[k] + chase_distance_between(crossing(i), crossing(k));
                if (is_street && by < ways[i])
                    ways[i] = by;
            }
        }
    }
}

// Where to head to get to a place: there, or to a crossing; one that is all but reached is passed.
static kerb_vec2 way_through_town(const kerb_scene_chase* s, kerb_vec2 here, kerb_vec2 place) {
    if (s->wall_count < 8 || sees(s, here, place))
        return place;
    float ways[CROSSINGS], least = 1.0e9f;
    kerb_vec2 best = place;
    ways_to(s, place, ways);
    for (int32_t i = 0; i < CROSSINGS; i++) {
        float first = chase_distance_between(here, crossing(i));
        if (first > 6.0f && first + ways[i] < least && sees(s, here, crossing(i))) {
            least = first + ways[i];
            best = crossing(i);
        }
    }
    return best;
}

// --------------------------------------------------------------------------- deciding

kerb_neighbour kerb_scene_chase_seen(const kerb_scene_chase* scene, int32_t index) {
    const kerb_scene_chase_car* car = &scene->cars[index];
    const kerb_vehicle* vehicle = &car->model.vehicle;
    kerb_motion motion = kerb_sim_vehicle_motion(&car->vehicle);
    kerb_agent agent = kerb_agent_of(vehicle, &motion);
    kerb_neighbour seen = {.id = (uint32_t)index,
                           .position = agent.position,
                           .velocity = motion.velocity,
                           .forward = {agent.forward.x, agent.forward.y},
                           .yaw_rate = motion.angular_velocity.z,
                           .length = vehicle->length,
                           .width = vehicle->width};
    return seen;
}

// What a frame is about.
typedef struct crowd_chase_frame {
    kerb_scene_chase* scene;
    kerb_neighbour seen[KERB_SCENE_CHASE_CARS];
    kerb_motion motion[KERB_SCENE_CHASE_CARS];
    kerb_agent agent[KERB_SCENE_CHASE_CARS];
    float cap[KERB_SCENE_CHASE_CARS]; // of those that park: they let one another pass [m/s]
    float time_step;
} crowd_chase_frame;

static float chase_apart(const kerb_neighbour* a, const kerb_neighbour* b) {
    return kerb_vec3_length(kerb_vec3_sub(a->position, b->position));
}

// Who is farther from the target than this does not run into its like. [m]
#define AMONG_THEMSELVES 14.0f
// Where its way is not free it drives no faster, so that it can turn tightly. [m/s]
#define TURNING 7.0f

// Walls are not for driving into, nor are the others on one's own side, but for the crowd round the
// target. Farther than the goal nothing matters.
static kerb_steering round_walls(const crowd_chase_frame* f, int32_t index, kerb_steering wish,
                                 float goal_distance) {
    const kerb_scene_chase* s = f->scene;
    kerb_obstacle obstacles[KERB_SCENE_CHASE_WALLS + KERB_SCENE_CHASE_CARS];
    int32_t count = s->wall_count;
    memcpy(obstacles, s->obstacles, (size_t)count * sizeof obstacles[0]);
    bool is_far = chase_apart(&f->seen[index], &f->seen[0]) > AMONG_THEMSELVES;
    for (int32_t i = 1; i < s->count && is_far; i++) {
        bool is_on_way = chase_apart(&f->seen[i], &f->seen[0]) > AMONG_THEMSELVES;
        if (i != index && is_on_way && chase_apart(&f->seen[i], &f->seen[index]) < 20.0f)
            obstacles[count++] = kerb_obstacle_round(
                kerb_vec3_along(f->seen[i].position, f->seen[i].velocity, 0.5f), 1.5f);
    }
    kerb_avoid_obstacles_settings settings = kerb_avoid_obstacles_settings_default();
    settings.margin = 0.3f;
    // Along a wall it is its width that counts, not its corners.
    kerb_agent slim = f->agent[index];
    slim.radius = 0.5f * f->seen[index].width;
    kerb_steering way = kerb_avoid_obstacles(&settings, &slim, &wish, obstacles, count,
                                             goal_distance, f->time_step);
    // Too fast to turn there: slower, its circle fits between the walls.
    if (wish.speed > 0.0f && kerb_vec3_dot(way.direction, wish.direction) < 0.5f)
        way.speed = kerb_min(way.speed, TURNING);
    return way;
}

// Whoever presses on in vain backs out, except close to whom it wants to hold.
static kerb_steering unstuck(crowd_chase_frame* f, int32_t index, kerb_steering wish, bool presses,
                             bool may_stand) {
    kerb_scene_chase_car* car = &f->scene->cars[index];
    kerb_stuck_settings settings;
    kerb_settings_set_defaults(&kerb_stuck_settings_table, &settings);
    settings.tries = 20;
    float speed = f->agent[index].speed;
    kerb_vec3 forward = f->agent[index].forward;
    float turn = kerb_atan2(forward.x * wish.direction.y - forward.y * wish.direction.x,
                            kerb_vec3_dot(forward, wish.direction));
    car->driven += (double)(kerb_abs(speed) * f->time_step);
    kerb_stuck_phase phase =
        kerb_stuck_watch(&car->stuck, &settings, car->driven, kerb_abs(speed) < 0.4f ? 0.0f : speed,
                         !may_stand && presses, turn, f->time_step);
    if (phase != KERB_STUCK_BACK_OUT || may_stand)
        return wish;
    float angle = 0.8f * car->stuck.side;
    float sine, cosine;
    kerb_sin_cos(angle, &sine, &cosine);
    kerb_steering back = {kerb_vec3_make(forward.x * cosine - forward.y * sine,
                                         forward.x * sine + forward.y * cosine, 0.0f),
                          -3.0f};
    return back;
}

static kerb_steering flee(crowd_chase_frame* f, int32_t index) {
    kerb_neighbour pursuers[KERB_SCENE_CHASE_CARS];
    int32_t count = 0;
    for (int32_t i = 0; i < f->scene->count; i++) {
        if (i != index)
            pursuers[count++] = f->seen[i];
    }
    kerb_vec2 size = {f->seen[index].length, f->seen[index].width};
    kerb_cars_settings settings = f->scene->settings;
    settings.horizon = 3.0f;
    kerb_steering wish = kerb_escape(&settings, &f->agent[index], size, pursuers, count,
                                     f->scene->obstacles, f->scene->wall_count);
    return unstuck(f, index, wish, true, false);
}

// Where the target will be, up to where a house would be in its way: who is far from it drives
// there, and so comes from the front as well as from behind.
static kerb_vec2 place_ahead(const kerb_scene_chase* s, const kerb_neighbour* target,
                             float distance) {
    kerb_vec2 here = {target->position.x, target->position.y};
    if (s->wall_count < 8)
        return here;
    float time = kerb_min(3.0f, distance / 20.0f);
    for (int32_t quarter = 4; quarter > 0; quarter--) {
        kerb_vec3 then = kerb_predict_car(target, NULL, time * 0.25f * (float)quarter);
        kerb_vec2 there = {then.x, then.y};
        if (sees(s, here, there))
            return there;
    }
    return here;
}

static kerb_steering box_in(crowd_chase_frame* f, int32_t index) {
    kerb_scene_chase* s = f->scene;
    const kerb_neighbour* target = &f->seen[0];
    kerb_steering wish =
        kerb_box_in(&s->box, &s->settings, index - 1, &f->agent[index], &f->seen[1], target,
                    s->obstacles, s->wall_count, f->time_step, &s->cars[index].aim);
    float from_target = chase_apart(&f->seen[index], target);
    float distance =
        kerb_vec3_length(kerb_vec3_sub(s->cars[index].aim, f->seen[index].position)) + 1.0f;
    distance = kerb_min(distance, from_target);
    kerb_vec2 here = {f->seen[index].position.x, f->seen[index].position.y};
    kerb_vec2 there = place_ahead(s, target, from_target);
    kerb_vec2 via = way_through_town(s, here, there);
    if (via.x != there.x || via.y != there.y) {
        kerb_vec3 place = kerb_vec3_make(via.x, via.y, 0.0f);
        wish = kerb_seek(&f->agent[index], place, f->time_step);
        distance = chase_distance_between(here, via) + 10.0f;
        // Not faster than it can turn there.
        wish.speed = kerb_approach_speed(9.0f, distance - 12.0f, 4.0f);
    }
    bool presses = kerb_abs(wish.speed) > 1.0f;
    wish = round_walls(f, index, wish, distance);
    kerb_vec2 size = {f->seen[index].length, f->seen[index].width};
    wish = kerb_brake_for_cars(&s->settings, &f->agent[index], size, &wish, &f->seen[1],
                               s->count - 1, index - 1);
    return unstuck(f, index, wish, presses, from_target < 9.0f);
}

static kerb_steering lead(crowd_chase_frame* f, int32_t index) {
    kerb_scene_chase* s = f->scene;
    const kerb_agent* agent = &f->agent[index];
    s->where = kerb_path_track(&s->road, s->where, agent->position, agent->forward);
    kerb_path_location aim = kerb_path_advance(&s->road, s->where, 6.0f);
    kerb_vec3 way = kerb_vec3_sub(kerb_path_position(&s->road, aim), agent->position);
    kerb_steering wish = {kerb_vec3_unit(way, agent->forward), 7.0f};
    return wish;
}

static kerb_steering chase_follow(crowd_chase_frame* f, int32_t index) {
    kerb_scene_chase* s = f->scene;
    float distance = 12.0f * (float)index;
    return kerb_convoy(&s->trail, &s->settings, &f->agent[index], &f->seen[0], &f->seen[index - 1],
                       distance);
}

static kerb_steering keep_place(crowd_chase_frame* f, int32_t index) {
    kerb_scene_chase* s = f->scene;
    kerb_vec3 slot = kerb_formation_slot(KERB_FORMATION_BOX, index, s->count, FORMATION_SPACING);
    kerb_formation_place place =
        kerb_formation_place_along(&s->road, s->where, f->agent[0].speed, slot);
    s->cars[index].aim = place.position;
    return kerb_formation_keep(&f->agent[index], &place, f->time_step);
}

// Two that stand on one another's way would wait for ever. One of them loses patience first, drives
// back to where it came from for a while, and tries again. [s]
#define PATIENCE 10.0f
#define PATIENCE_MORE 2.0f // of each after the other
#define BACK_OFF 8.0f

static void park(crowd_chase_frame* f, int32_t index) {
    kerb_scene_chase_car* car = &f->scene->cars[index];
    bool is_there = car->parker.phase == (int32_t)KERB_PARKER_ARRIVED;
    bool waits = kerb_abs(f->agent[index].speed) < 0.3f && !is_there;
    car->waited = waits ? car->waited + f->time_step : 0.0f;
    car->backs_off = kerb_max(car->backs_off - f->time_step, 0.0f);
    if (car->waited > PATIENCE + PATIENCE_MORE * (float)index) {
        car->waited = 0.0f;
        car->backs_off = BACK_OFF;
    }
    kerb_pose goal = car->backs_off > 0.0f ? car->start : car->goal;
    kerb_surroundings around = kerb_surroundings_default();
    around.speed_cap = f->cap[index];
    car->controls = kerb_parker_drive(&car->parker, goal, &f->motion[index], &around, f->time_step);
}

// Those of a chase make up their minds so often, like drivers do, in the crowd round the target:
// the best of many ways there is another one by turns, and the wheels would twitch. Who is on the
// way thinks in every frame: a moment lost at 20 m/s ends in a wall. [s]
#define REACTION 0.15f

static void react(crowd_chase_frame* f, int32_t index) {
    kerb_scene_chase_car* car = &f->scene->cars[index];
    float time_step = f->time_step;
    car->undecided += time_step;
    bool is_in_crowd = chase_apart(&f->seen[index], &f->seen[0]) < AMONG_THEMSELVES;
    if (is_in_crowd && car->undecided < REACTION && f->scene->time > 0.0)
        return;
    f->time_step = car->undecided;
    car->wish = car->part == (int32_t)KERB_SCENE_CHASE_TARGET ? flee(f, index) : box_in(f, index);
    f->time_step = time_step;
    car->undecided = 0.0f;
}

static void chase_decide(crowd_chase_frame* f, int32_t index) {
    kerb_scene_chase_car* car = &f->scene->cars[index];
    if (car->part == (int32_t)KERB_SCENE_CHASE_ARRIVING) {
        park(f, index);
        return;
    }
    switch (car->part) {
    case KERB_SCENE_CHASE_TARGET:
    case KERB_SCENE_CHASE_POLICE:
        react(f, index);
        break;
    case KERB_SCENE_CHASE_FIRST:
        car->driven += (double)(f->agent[index].speed * f->time_step);
        car->wish = lead(f, index);
        break;
    case KERB_SCENE_CHASE_FORMATION:
        car->wish = keep_place(f, index);
        break;
    default:
        car->wish = chase_follow(f, index);
        break;
    }
    car->controls =
        kerb_steering_driver_drive(&car->driver, &car->wish, &f->motion[index], NULL, f->time_step);
}

// --------------------------------------------------------------------------- moving

// A contact lasts until two have been apart for a second, and counts as hard once.
static void chase_note_contact(kerb_scene_chase* s, int32_t i, int32_t k, float closing_speed) {
    kerb_scene_chase_contact* contact = &s->contacts[i][k];
    bool is_new = contact->touched <= 0.0 || s->time - contact->touched > 1.0;
    if (is_new)
        contact->was_hard = false;
    contact->touched = s->time > 1e-3 ? s->time : 1e-3;
    if (closing_speed <= HARD || contact->was_hard)
        return;
    contact->was_hard = true;
    s->hard_contacts++;
    if (s->cars[i].part == s->cars[k].part)
        s->hard_among_equals++;
}

static void push(kerb_scene_chase* s) {
    kerb_sim_body bodies[KERB_SCENE_CHASE_CARS];
    for (int32_t i = 0; i < s->count; i++)
        bodies[i] = kerb_sim_vehicle_body(&s->cars[i].vehicle);
    for (int32_t i = 0; i < s->count; i++) {
        for (int32_t k = i + 1; k < s->count; k++) {
            kerb_sim_contact contact;
            if (kerb_sim_bodies_push(&bodies[i], &bodies[k], &contact))
                chase_note_contact(s, i, k, contact.closing_speed);
        }
    }
    for (int32_t i = 0; i < s->count; i++) {
        kerb_sim_world_push(&s->world, &bodies[i], NULL, 0);
        kerb_sim_vehicle_set_body(&s->cars[i].vehicle, &bodies[i]);
    }
}

static void chase_move(kerb_scene_chase* s, float time_step) {
    int32_t steps = (int32_t)(time_step / CHASE_PHYSICS_STEP + 0.999f);
    float step = time_step / (float)(steps < 1 ? 1 : steps);
    for (int32_t k = 0; k < steps; k++) {
        for (int32_t i = 0; i < s->count; i++) {
            kerb_vec3 place = kerb_sim_vehicle_motion(&s->cars[i].vehicle).position;
            kerb_sim_ground ground = kerb_sim_world_ground(&s->world, place, NULL);
            kerb_sim_vehicle_step(&s->cars[i].vehicle, &s->cars[i].controls, &ground, step);
        }
        push(s);
    }
}

// --------------------------------------------------------------------------- judging

static void chase_finish(kerb_scene_chase* s) {
    if (!s->done)
        s->done_time = s->time;
    s->done = true;
}

static void judge_box(crowd_chase_frame* f) {
    kerb_scene_chase* s = f->scene;
    kerb_vec2 here = {f->seen[0].position.x, f->seen[0].position.y};
    bool near = true;
    for (int32_t i = 1; i < s->count; i++)
        near = near && chase_apart(&f->seen[i], &f->seen[0]) < SECOND_ROW * f->seen[0].length;
    if (!near || kerb_vec2_length(kerb_vec2_sub(here, s->held_at)) > HELD_WITHIN) {
        s->held = 0.0f;
        s->held_at = here;
        return;
    }
    s->held += f->time_step;
    if (s->held >= HELD_FOR)
        chase_finish(s);
}

static void chase_judge(crowd_chase_frame* f) {
    kerb_scene_chase* s = f->scene;
    switch (s->cars[s->count - 1].part) {
    case KERB_SCENE_CHASE_POLICE:
        judge_box(f);
        break;
    case KERB_SCENE_CHASE_ARRIVING: {
        bool all = true;
        for (int32_t i = 0; i < s->count; i++)
            all = all && s->cars[i].parker.phase == (int32_t)KERB_PARKER_ARRIVED &&
                  s->cars[i].backs_off <= 0.0f;
        if (all)
            chase_finish(s);
        break;
    }
    case KERB_SCENE_CHASE_FORMATION:
        for (int32_t i = 1; i < s->count && s->cars[0].driven > FORMED_AFTER; i++) {
            kerb_vec3 off = kerb_vec3_sub(s->cars[i].aim, f->agent[i].position);
            s->off_place = kerb_max(s->off_place, kerb_vec3_length(off));
        }
        break;
    default:
        break;
    }
}

static void yield_to_one_another(crowd_chase_frame* f) {
    kerb_scene_yielding parking[KERB_SCENE_CHASE_CARS];
    for (int32_t i = 0; i < f->scene->count; i++) {
        const kerb_agent* agent = &f->agent[i];
        kerb_pose pose = {{f->motion[i].position.x, f->motion[i].position.y},
                          {agent->forward.x, agent->forward.y}};
        kerb_scene_yielding one = {&f->scene->cars[i].parker, pose, kerb_abs(agent->speed)};
        parking[i] = one;
    }
    kerb_scene_yielding_caps(parking, f->scene->count, f->cap);
}

void kerb_scene_chase_step(kerb_scene_chase* scene, float time_step) {
    crowd_chase_frame f = {.scene = scene, .time_step = time_step};
    for (int32_t i = 0; i < scene->count; i++) {
        f.motion[i] = kerb_sim_vehicle_motion(&scene->cars[i].vehicle);
        f.agent[i] = kerb_agent_of(&scene->cars[i].model.vehicle, &f.motion[i]);
        f.seen[i] = kerb_scene_chase_seen(scene, i);
    }
    if (scene->cars[scene->count - 1].part == (int32_t)KERB_SCENE_CHASE_POLICE)
        kerb_box_assign(&scene->box, &scene->settings, &f.seen[0], &f.seen[1], scene->count - 1);
    if (scene->cars[0].part == (int32_t)KERB_SCENE_CHASE_FIRST)
        kerb_trail_record(&scene->trail, f.seen[0].position);
    if (scene->cars[0].part == (int32_t)KERB_SCENE_CHASE_ARRIVING)
        yield_to_one_another(&f);
    for (int32_t i = 0; i < scene->count; i++) {
        chase_decide(&f, i);
        if (scene->cars[i].player != NULL)
            scene->cars[i].controls = *scene->cars[i].player;
    }
    chase_move(scene, time_step);
    scene->time += (double)time_step;
    chase_judge(&f);
}
