// Purpose: one trial of the soak test.
// Idea:    All drivers decide on the state of all vehicles in the last frame, so that their order
//          does not matter. Then the vehicles move, in steps of physics, and push each other apart.
//          A driver's path always begins some distance behind it. While it drives, that path is
//          replaced by one that begins with the same lanes and leads on to the next place, so that
//          it need not stop between two trips. Each path has its own judge, as on a course.
// Cost:    per frame a drive call and four steps for each vehicle, and a comparison for each pair.
// Source:  EA section IV, "soak tests": bots that drive about a map, stuck events by driving time.
#include "scene/town/soak_run.h"

#include <string.h>

#define NEIGHBOURS_SECONDS 5.0f // of driving within which others are told of …
#define NEIGHBOURS_METRES 30.0f // … and so much more
#define START_GAP 18.0f         // between vehicles at the start [m]
#define START_TRIES 4000
#define AHEAD_METRES 120.0           // a path is replaced when less of it is left
#define BEHIND_METRES 30.0           // and the next begins at a lane that begins so far behind
#define TRIP_LANES 5                 // at least, the one it is on included
#define TOWN_SOAK_APART_SECONDS 1.0f // touches that follow each other sooner are one
#define HARD_SPEED 1.0f              // [m/s]
#define STANDING_SPEED 0.5f
#define SAME_WAY 0.7f         // cosine of the angle between two vehicles that drive the same way
#define ROOM_METRES 2.0f      // between others and a vehicle that is put back
#define PUT_BACK_METRES 100.0 // at most from where it had got to
#define PUT_BACK_STEP 2.0     // in which free places are looked for

kerb_scene_soak kerb_scene_soak_default(const kerb_scene_town* town, const kerb_sim_model* models,
                                        int32_t model_count,
                                        const kerb_follower_settings* settings) {
    kerb_scene_soak soak;
    memset(&soak, 0, sizeof soak);
    soak.town = town;
    soak.models = models;
    soak.model_count = model_count;
    soak.vehicle_count = 64;
    soak.seconds = 300.0;
    soak.settings = *settings;
    soak.drive_hz = 60.0f;
    soak.physics_hz = 240.0f;
    soak.route_waypoints = TOWN_ROUTE_WAYPOINTS;
    return soak;
}

// --------------------------------------------------------------------------- counting

static const kerb_sim_model* model_of(const kerb_scene_soak_state* r, const soak_vehicle* v) {
    return &r->soak->models[v->model];
}

static soak_count* count_of(kerb_scene_soak_state* r, const soak_vehicle* v) {
    return &r->result->by_model[v->model];
}

static void town_soak_tell(kerb_scene_soak_state* r, soak_mark_kind kind, const soak_vehicle* v,
                           const soak_vehicle* other, float speed) {
    if (r->soak->mark == NULL)
        return;
    soak_mark mark = {.time = r->time,
                      .kind = kind,
                      .vehicle = (int32_t)(v - r->vehicles),
                      .other = other != NULL ? (int32_t)(other - r->vehicles) : -1,
                      .position = v->body.position,
                      .speed = speed,
                      .reason = v->controls.reason,
                      .inside = v->judge.inside};
    r->soak->mark(r->soak->context, &mark);
}

// --------------------------------------------------------------------------- routes

static kerb_path* town_soak_path_of(soak_vehicle* v) {
    return &v->routes[v->route].path;
}

static void measure_lanes(const kerb_scene_town* town, soak_route* route) {
    double at = 0.0;
    int32_t point = 0;
    for (int32_t i = 0; i < route->count; i++) {
        kerb_path_location start = {point, 0.0f};
        if (point < route->path.segment_count)
            at = kerb_path_distance(&route->path, start);
        route->starts[i] = at;
        point += town->lanes[route->lanes[i]].count;
        int32_t link = i + 1 < route->count
                           ? kerb_scene_town_link(town, route->lanes[i], route->lanes[i + 1])
                           : -1;
        point += link >= 0 ? town->links[link].count : 0;
    }
}

static size_t route_bytes(const kerb_scene_soak_state* r) {
    return (kerb_path_bytes(r->soak->route_waypoints) + 15u) / 16u * 16u;
}

// Makes the path of lanes that are in route->lanes.
static kerb_result lay_route(kerb_scene_soak_state* r, soak_vehicle* v, int32_t which,
                             kerb_error* error) {
    soak_route* route = &v->routes[which];
    int32_t most = r->soak->route_waypoints, count = most + 1;
    for (; count > most; route->count -= count > most ? 1 : 0)
        count = kerb_scene_town_waypoints(r->soak->town, route->lanes, route->count, r->waypoints,
                                          most);
    size_t index = (size_t)(v - r->vehicles) * 2u + (size_t)which;
    kerb_result result = kerb_path_build(&route->path, r->path_memory + index * route_bytes(r),
                                         r->waypoints, count, false, error);
    if (result == KERB_OK)
        measure_lanes(r->soak->town, route);
    return result;
}

// Adds the way from the last of the route's lanes to a random other one.
static void extend(const kerb_scene_soak_state* r, soak_vehicle* v, soak_route* route) {
    const kerb_scene_town* town = r->soak->town;
    int32_t from = route->lanes[route->count - 1];
    int32_t added = 0;
    while (added < TRIP_LANES) {
        int32_t to = kerb_random_below(&v->random, town->lane_count);
        if (to == from)
            continue;
        added = kerb_scene_town_route(town, from, to, &v->random, route->lanes + route->count - 1,
                                      TOWN_ROUTE_LANES - route->count + 1);
    }
    route->count += added - 1;
}

static kerb_scene_judge judge_at(const kerb_scene_soak_state* r, soak_vehicle* v) {
    const kerb_path* path = town_soak_path_of(v);
    kerb_scene_judge judge = kerb_scene_judge_make(path, &model_of(r, v)->vehicle);
    judge.location =
        kerb_path_nearest_facing(path, v->motion.position, kerb_quat_forward(v->motion.rotation));
    judge.progress = judge.best = judge.window_best = kerb_path_distance(path, judge.location);
    return judge;
}

// The next path begins with the lanes of this one that are not yet far behind. It takes over only
// from a driver who gets on, so that no stuck event is cut short by it, or who has arrived.
static kerb_result drive_on(kerb_scene_soak_state* r, soak_vehicle* v, kerb_error* error) {
    const soak_route* old = &v->routes[v->route];
    soak_route* next = &v->routes[1 - v->route];
    int32_t keep = old->count - 1;
    while (keep > 0 && old->starts[keep] > v->judge.best - BEHIND_METRES)
        keep--;
    next->count = old->count - keep;
    memcpy(next->lanes, old->lanes + keep, (size_t)next->count * sizeof *next->lanes);
    extend(r, v, next);
    kerb_result result = lay_route(r, v, 1 - v->route, error);
    if (result != KERB_OK)
        return result;
    kerb_scene_judge before = v->judge;
    v->route = 1 - v->route;
    v->judge = judge_at(r, v);
    v->judge.inside = before.inside;
    count_of(r, v)->trips++;
    return KERB_OK;
}

static bool wants_to_go_on(const soak_vehicle* v) {
    const kerb_scene_judge* judge = &v->judge;
    bool gets_on = !judge->stuck && judge->window_time < 1.0;
    return (gets_on || v->controls.reason == KERB_REASON_ARRIVED) &&
           judge->best > judge->path->length - AHEAD_METRES;
}

// --------------------------------------------------------------------------- vehicles

static kerb_sim_ground town_soak_ground_under(const kerb_scene_soak_state* r, kerb_vec3 position) {
    return kerb_sim_world_ground(&r->soak->town->world, position, NULL);
}

static void town_soak_place(kerb_scene_soak_state* r, soak_vehicle* v,
                            kerb_path_location location) {
    kerb_path_sample at = kerb_path_sample_at(town_soak_path_of(v), location);
    float heading = kerb_atan2(at.direction.y, at.direction.x);
    v->sim = kerb_sim_vehicle_make(model_of(r, v), at.position, heading);
    v->motion = kerb_sim_vehicle_motion(&v->sim);
    v->body = kerb_sim_vehicle_body(&v->sim);
}

static float town_soak_reach_of(const kerb_sim_body* body) {
    return kerb_max(body->front, body->back) + body->half_width;
}

static float town_soak_distance_between(kerb_vec3 a, kerb_vec3 b) {
    return kerb_vec2_length(kerb_vec2_make(a.x - b.x, a.y - b.y));
}

// True when nobody but `v` is near a place.
static bool town_soak_has_room(const kerb_scene_soak_state* r, const soak_vehicle* v, kerb_vec3 at,
                               float gap) {
    for (int32_t i = 0; i < r->count; i++) {
        const soak_vehicle* other = &r->vehicles[i];
        if (other != v && other->body.mass > 0.0f &&
            town_soak_distance_between(other->body.position, at) < gap)
            return false;
    }
    return true;
}

static void town_soak_seat_driver(const kerb_scene_soak_state* r, soak_vehicle* v) {
    v->follower = kerb_follower_make(&model_of(r, v)->vehicle);
    v->follower.settings = r->soak->settings;
}

static void town_soak_meet(kerb_scene_soak_state* r, soak_vehicle* v, int32_t index) {
    const kerb_scene_soak* soak = r->soak;
    v->model = index % soak->model_count;
    v->random = kerb_random_make(soak->seed, 1u + (uint64_t)index);
    kerb_random chance = kerb_random_make(~soak->seed, 1u + (uint64_t)index);
    v->disobeys = 100.0f * kerb_random_unit(&chance) < soak->disobedient_percent;
    town_soak_seat_driver(r, v);
    v->controls = kerb_controls_safe(KERB_REASON_NONE);
    v->touch_since = TOWN_SOAK_APART_SECONDS;
    memset(&v->body, 0, sizeof v->body);
}

// On a random lane, where there is room, some way from its ends.
static kerb_result find_start(kerb_scene_soak_state* r, soak_vehicle* v, kerb_error* error) {
    for (int32_t i = 0; i < START_TRIES; i++) {
        int32_t lane = kerb_random_below(&v->random, r->soak->town->lane_count);
        const town_lane* l = &r->soak->town->lanes[lane];
        int32_t point = kerb_random_below(&v->random, l->count);
        kerb_vec3 at = r->soak->town->points[l->first + point].position;
        float along = l->length * (float)point / (float)(l->count - 1);
        if (along < 6.0f || along > l->length - 10.0f || !town_soak_has_room(r, v, at, START_GAP))
            continue;
        soak_route* route = &v->routes[0];
        route->lanes[0] = lane;
        route->count = 1;
        extend(r, v, route);
        kerb_result result = lay_route(r, v, 0, error);
        if (result != KERB_OK)
            return result;
        town_soak_place(r, v, (kerb_path_location){point, 0.0f});
        v->judge = judge_at(r, v);
        return KERB_OK;
    }
    return kerb_error_set(error, KERB_ERROR_TOO_MANY, "vehicles", 0, -1,
                          "the streets have no space for this many");
}

// --------------------------------------------------------------------------- meddling

// The place of a lane that is nearest to a vehicle and leads its way: a metre counts as much as a
// tenth of a turn round.
#define TOWN_SOAK_TURN_METRES 10.0f

static int32_t town_soak_nearest_lane(const kerb_scene_town* town, kerb_vec3 at, kerb_vec3 facing) {
    int32_t best = 0;
    float least = 1.0e9f;
    for (int32_t i = 0; i < town->lane_count; i++) {
        const town_lane* lane = &town->lanes[i];
        for (int32_t k = lane->first; k + 1 < lane->first + lane->count; k++) {
            kerb_vec3 a = town->points[k].position, b = town->points[k + 1].position;
            kerb_vec3 way = kerb_vec3_unit(kerb_vec3_sub(b, a), facing);
            float off = town_soak_distance_between(a, at) +
                        TOWN_SOAK_TURN_METRES * (1.0f - kerb_vec3_dot(way, facing));
            if (off < least) {
                least = off;
                best = i;
            }
        }
    }
    return best;
}

kerb_result kerb_scene_soak_reroute(kerb_scene_soak_state* state, int32_t vehicle,
                                    kerb_error* error) {
    soak_vehicle* v = &state->vehicles[vehicle];
    soak_route* route = &v->routes[1 - v->route];
    route->lanes[0] = town_soak_nearest_lane(state->soak->town, v->motion.position,
                                             kerb_quat_forward(v->motion.rotation));
    route->count = 1;
    extend(state, v, route);
    kerb_result result = lay_route(state, v, 1 - v->route, error);
    if (result != KERB_OK)
        return result;
    v->route = 1 - v->route;
    v->judge = judge_at(state, v);
    return KERB_OK;
}

kerb_result kerb_scene_soak_put(kerb_scene_soak_state* state, int32_t vehicle, kerb_vec3 position,
                                float heading, kerb_error* error) {
    soak_vehicle* v = &state->vehicles[vehicle];
    v->sim = kerb_sim_vehicle_make(model_of(state, v), position, heading);
    v->motion = kerb_sim_vehicle_motion(&v->sim);
    v->body = kerb_sim_vehicle_body(&v->sim);
    return kerb_scene_soak_reroute(state, vehicle, error);
}

void kerb_scene_soak_lay_paths(kerb_scene_soak_state* state) {
    for (int32_t i = 0; i < state->count; i++) {
        for (int32_t k = 0; k < 2; k++) {
            if (state->vehicles[i].routes[k].count > 0)
                (void)lay_route(state, &state->vehicles[i], k, NULL); // it was laid before
        }
    }
}

const kerb_path* kerb_scene_soak_path(const kerb_scene_soak_state* state, int32_t vehicle) {
    return town_soak_path_of(&state->vehicles[vehicle]);
}

// --------------------------------------------------------------------------- neighbours

static kerb_neighbour town_soak_neighbour_of(const kerb_scene_soak_state* r,
                                             const soak_vehicle* v) {
    const kerb_vehicle* shape = &model_of(r, v)->vehicle;
    kerb_vec3 forward = kerb_quat_forward(v->motion.rotation);
    float to_middle = shape->reference_to_front - 0.5f * shape->length;
    float heading = kerb_quat_heading(v->motion.rotation);
    kerb_neighbour n = {.id = (uint32_t)(v - r->vehicles) + 1u};
    n.position = kerb_vec3_add(v->motion.position, kerb_vec3_scale(forward, to_middle));
    n.velocity = v->motion.velocity;
    kerb_sin_cos(heading, &n.forward.y, &n.forward.x);
    n.yaw_rate = v->motion.angular_velocity.z;
    n.length = shape->length;
    n.width = shape->width;
    n.intent = r->soak->no_intents || v->disobeys ? NULL : &r->intents[v - r->vehicles];
    return n;
}

// A driver that disobeys reacts only to a vehicle ahead that stands, or drives the same way.
static bool town_soak_reacts_to(const kerb_neighbour* self, const kerb_neighbour* n) {
    const kerb_vec3 off = kerb_vec3_sub(n->position, self->position);
    const bool ahead = off.x * self->forward.x + off.y * self->forward.y > 0.0f;
    return ahead && (kerb_vec2_dot(self->forward, n->forward) > SAME_WAY ||
                     kerb_vec3_length(n->velocity) < STANDING_SPEED);
}

static kerb_surroundings surroundings_of(kerb_scene_soak_state* r, int32_t index) {
    kerb_surroundings around = kerb_surroundings_default();
    const kerb_neighbour* self = &r->neighbours[index];
    around.id = self->id;
    around.neighbours = r->near;
    float own = kerb_vec3_length(self->velocity);
    for (int32_t i = 0; i < r->count && !r->soak->alone; i++) {
        const kerb_neighbour* n = &r->neighbours[i];
        float speed = own + kerb_vec3_length(n->velocity);
        if (i == index || town_soak_distance_between(n->position, self->position) >=
                              NEIGHBOURS_METRES + 0.5f * NEIGHBOURS_SECONDS * speed)
            continue;
        if (!r->vehicles[index].disobeys || town_soak_reacts_to(self, n))
            r->near[around.neighbour_count++] = *n;
    }
    return around;
}

// --------------------------------------------------------------------------- a frame

static void ask_drivers(kerb_scene_soak_state* r, float time_step) {
    for (int32_t i = 0; i < r->count; i++)
        r->neighbours[i] = town_soak_neighbour_of(r, &r->vehicles[i]);
    for (int32_t i = 0; i < r->count; i++) {
        soak_vehicle* v = &r->vehicles[i];
        kerb_surroundings around = surroundings_of(r, i);
        around.player_drives = v->player != NULL;
        around.applied = v->player != NULL || v->player_drove ? &v->controls : NULL;
        uint64_t begun = kerb_scene_call_begin(&r->drives);
        kerb_controls controls =
            kerb_follower_drive(&v->follower, town_soak_path_of(v), &v->motion, &around, time_step);
        kerb_scene_call_end(&r->drives, begun);
        v->player_drove = v->player != NULL;
        v->controls = v->player != NULL ? *v->player : controls;
    }
    for (int32_t i = 0; i < r->count; i++)
        kerb_follower_intent(&r->vehicles[i].follower, town_soak_path_of(&r->vehicles[i]),
                             &r->intents[i]);
}

// Pairs so near that they may touch before the next frame.
static void town_soak_pair_up(kerb_scene_soak_state* r, float time_step) {
    r->pair_count = 0;
    for (int32_t a = 0; a < r->count; a++) {
        const soak_vehicle* va = &r->vehicles[a];
        for (int32_t b = a + 1; b < r->count; b++) {
            const soak_vehicle* vb = &r->vehicles[b];
            float speed =
                kerb_vec3_length(va->motion.velocity) + kerb_vec3_length(vb->motion.velocity);
            float reach = town_soak_reach_of(&va->body) + town_soak_reach_of(&vb->body) + 1.0f +
                          speed * time_step;
            if (town_soak_distance_between(va->body.position, vb->body.position) < reach)
                r->pairs[r->pair_count++] = (town_pair){a, b};
        }
    }
}

static float* apart_of(kerb_scene_soak_state* r, const town_pair* p) {
    return &r->apart[(ptrdiff_t)p->a * r->count + p->b];
}

static void town_soak_note_contact(kerb_scene_soak_state* r, const town_pair* p,
                                   float closing_speed) {
    float* apart = apart_of(r, p);
    if (*apart >= TOWN_SOAK_APART_SECONDS) {
        soak_vehicle* a = &r->vehicles[p->a];
        soak_vehicle* b = &r->vehicles[p->b];
        bool hard = closing_speed >= HARD_SPEED;
        r->result->all.vehicle_contacts++;
        r->result->all.hard_contacts += hard ? 1 : 0;
        count_of(r, a)->vehicle_contacts++;
        count_of(r, b)->vehicle_contacts++;
        count_of(r, a)->hard_contacts += hard ? 1 : 0;
        count_of(r, b)->hard_contacts += hard ? 1 : 0;
        town_soak_tell(r, SOAK_MARK_VEHICLES, a, b, closing_speed);
    }
    *apart = 0.0f;
    r->vehicles[p->a].touching = r->vehicles[p->b].touching = true;
}

static void push_pairs(kerb_scene_soak_state* r) {
    for (int32_t i = 0; i < r->pair_count; i++) {
        const town_pair* p = &r->pairs[i];
        kerb_sim_contact contact;
        if (kerb_sim_bodies_push(&r->vehicles[p->a].body, &r->vehicles[p->b].body, &contact))
            town_soak_note_contact(r, p, contact.closing_speed);
    }
}

static void town_soak_note_touch(kerb_scene_soak_state* r, soak_vehicle* v) {
    if (v->touch_since >= TOWN_SOAK_APART_SECONDS) {
        count_of(r, v)->solid_contacts++;
        count_of(r, v)->solid_contacts_inside += v->judge.inside ? 1 : 0;
        town_soak_tell(r, SOAK_MARK_SOLID, v, NULL, kerb_vec3_length(v->motion.velocity));
    }
    v->touch_since = 0.0f;
    v->touching = true;
}

static void step_vehicles(kerb_scene_soak_state* r, float time_step) {
    for (int32_t i = 0; i < r->count; i++) {
        soak_vehicle* v = &r->vehicles[i];
        kerb_sim_ground ground = town_soak_ground_under(r, v->body.position);
        kerb_sim_vehicle_step(&v->sim, &v->controls, &ground, time_step);
        v->body = kerb_sim_vehicle_body(&v->sim);
    }
    push_pairs(r);
    for (int32_t i = 0; i < r->count; i++) {
        soak_vehicle* v = &r->vehicles[i];
        kerb_sim_world world =
            kerb_scene_town_world_at(r->soak->town, v->body.position.x, v->body.position.y);
        if (kerb_sim_world_push(&world, &v->body, NULL, 0) > 0)
            town_soak_note_touch(r, v);
        kerb_sim_vehicle_set_body(&v->sim, &v->body);
    }
}

static void town_soak_simulate(kerb_scene_soak_state* r, float time_step) {
    int32_t steps = (int32_t)(r->soak->physics_hz * time_step + 0.999f);
    steps = steps > 1 ? steps : 1;
    for (int32_t i = 0; i < r->count; i++) {
        r->vehicles[i].touching = false;
        r->vehicles[i].touch_since += time_step;
    }
    for (int32_t i = 0; i < r->count * r->count; i++)
        r->apart[i] += time_step;
    town_soak_pair_up(r, time_step);
    for (int32_t i = 0; i < steps; i++)
        step_vehicles(r, time_step / (float)steps);
}

// --------------------------------------------------------------------------- stuck or waiting

static bool is_wait(kerb_reason reason) {
    return reason == KERB_REASON_FOLLOWING || reason == KERB_REASON_YIELDING ||
           reason == KERB_REASON_MAKING_ROOM || reason == KERB_REASON_NO_ROOM;
}

static void count_stuck(kerb_scene_soak_state* r, soak_vehicle* v, int32_t events,
                        kerb_reason reason) {
    count_of(r, v)->stuck_events += events;
    r->result->stuck_by_minute[(int32_t)(r->time / 60.0) % SOAK_MINUTES_MOST] += events;
    r->result->stuck_by_reason[reason] += events;
    for (int32_t i = 0; i < events; i++)
        town_soak_tell(r, SOAK_MARK_STUCK, v, NULL, kerb_vec3_length(v->motion.velocity));
}

// For which wait it made no progress in the judge's window, if it waited for most of it. A wait of
// some seconds that has just ended is no event of another kind.
static kerb_reason wait_in_window(soak_vehicle* v, double time_step) {
    soak_wait* wait = &v->wait;
    if (v->judge.window_time <= time_step)
        wait->waited = 0.0;
    if (is_wait(v->controls.reason)) {
        wait->waited += time_step;
        wait->last = v->controls.reason;
    }
    return wait->waited > 0.5 * v->judge.window_time ? wait->last : v->controls.reason;
}

// Events of the judge that begin with a wait are kept until it is known what they were: when the
// wait lasts too long, or turns into something else, all of them count, and those that follow.
// `events`: of the judge in this frame.
static void watch_wait(kerb_scene_soak_state* r, soak_vehicle* v, int32_t events, float speed,
                       double time_step) {
    soak_wait* wait = &v->wait;
    const kerb_reason why = wait_in_window(v, time_step), reason = v->controls.reason;
    if (!wait->open && events > 0 && is_wait(why))
        *wait = (soak_wait){.open = true, .reason = why, .waited = wait->waited, .last = why};
    if (!wait->open || wait->counts) {
        count_stuck(r, v, events, wait->open ? wait->reason : reason);
        wait->open = wait->open && v->judge.stuck;
        return;
    }
    wait->events += events;
    wait->time += time_step;
    wait->idle += !is_wait(reason) && speed < STANDING_SPEED ? time_step : 0.0;
    const bool idles = wait->idle > KERB_SCENE_STUCK_SECONDS;
    if (idles || wait->time > SOAK_WAIT_SECONDS) {
        wait->reason = idles ? reason : wait->reason;
        count_stuck(r, v, wait->events, wait->reason);
        wait->counts = true;
    } else if (!v->judge.stuck) {
        count_of(r, v)->short_waits++;
        wait->open = false;
    }
}

static void watch_standing(kerb_scene_soak_state* r, soak_vehicle* v, float speed,
                           double time_step) {
    soak_count* count = count_of(r, v);
    double before = v->standing;
    v->standing = speed < STANDING_SPEED ? before + time_step : 0.0;
    if (v->standing == 0.0)
        return;
    count->standing_s += time_step;
    if (v->standing > SOAK_LONG_SECONDS)
        count->long_waits_s += before > SOAK_LONG_SECONDS ? time_step : v->standing;
    if (v->standing > count->standing_longest)
        count->standing_longest = v->standing;
}

static void judge_vehicle(kerb_scene_soak_state* r, soak_vehicle* v, float time_step) {
    soak_count* count = count_of(r, v);
    kerb_vec3 before = v->motion.position;
    v->motion = kerb_sim_vehicle_motion(&v->sim);
    int32_t stuck = v->judge.stuck_events;
    double best = v->judge.best, inside = v->judge.inside_sum;
    kerb_scene_judge_watch(&v->judge, &v->motion, time_step);
    count->driving_s += (double)time_step;
    count->distance += (double)town_soak_distance_between(v->motion.position, before);
    count->progress += v->judge.best - best;
    count->inside += v->judge.inside_sum - inside;
    float speed = kerb_vec3_length(v->motion.velocity);
    watch_standing(r, v, speed, (double)time_step);
    watch_wait(r, v, v->judge.stuck_events - stuck, speed, (double)time_step);
}

// The free place of its path that is nearest to where it had got to. False: there is none.
static bool find_free_place(const kerb_scene_soak_state* r, soak_vehicle* v, double* station) {
    const kerb_path* path = town_soak_path_of(v);
    const float gap = ROOM_METRES + 2.0f * town_soak_reach_of(&v->body);
    const double best = v->judge.best;
    const int32_t steps = (int32_t)(PUT_BACK_METRES / PUT_BACK_STEP);
    // 0, 1, -1, 2, -2, …
    for (int32_t i = 0; i <= 2 * steps; i++) {
        const int32_t nth = (i + 1) / 2;
        const double off = PUT_BACK_STEP * (double)(i % 2 == 1 ? nth : -nth);
        *station = best - off;
        if (*station >= 0.0 && *station <= path->length &&
            town_soak_has_room(r, v, kerb_path_position(path, kerb_path_locate(path, *station)),
                               gap))
            return true;
    }
    return false;
}

// What the host does for a driver that has given up: back to where it had got to, or, when others
// stand there, to the nearest place of its path where nobody is near.
static void town_soak_put_back(kerb_scene_soak_state* r, soak_vehicle* v) {
    kerb_reason reason = v->controls.reason;
    if (reason != KERB_REASON_TELEPORT && reason != KERB_REASON_GIVEN_UP)
        return;
    double station;
    if (!find_free_place(r, v, &station))
        return;
    v->judge.best = station;
    kerb_scene_judge_put_back(&v->judge);
    town_soak_place(r, v, v->judge.location);
    town_soak_seat_driver(r, v); // who was put back by less than a metre would not notice
    count_of(r, v)->teleports++;
    town_soak_tell(r, SOAK_MARK_TELEPORT, v, NULL, 0.0f);
}

static void town_soak_show(kerb_scene_soak_state* r) {
    if (r->soak->watch == NULL)
        return;
    for (int32_t i = 0; i < r->count; i++) {
        soak_vehicle* v = &r->vehicles[i];
        r->paths[i] = town_soak_path_of(v);
        r->frames[i] = (kerb_scene_frame){.time = r->time,
                                          .motion = v->motion,
                                          .controls = v->controls,
                                          .thoughts = v->follower.decision,
                                          .cross_track_error = v->judge.error,
                                          .progress = v->judge.best,
                                          .inside_corridor = v->judge.inside,
                                          .stuck = v->judge.stuck,
                                          .touching = v->touching};
    }
    r->soak->watch(r->soak->context, r->frames, r->paths, r->count);
}

kerb_result kerb_scene_soak_frame(kerb_scene_soak_state* state, kerb_error* error) {
    float time_step = 1.0f / state->soak->drive_hz;
    ask_drivers(state, time_step);
    town_soak_show(state);
    for (int32_t i = 0; i < state->count; i++)
        town_soak_put_back(state, &state->vehicles[i]);
    town_soak_simulate(state, time_step);
    kerb_result result = KERB_OK;
    for (int32_t i = 0; i < state->count && result == KERB_OK; i++) {
        soak_vehicle* v = &state->vehicles[i];
        judge_vehicle(state, v, time_step);
        if (wants_to_go_on(v))
            result = drive_on(state, v, error);
    }
    return result;
}

// --------------------------------------------------------------------------- memory

// One block after the other in one allocation.
typedef struct packing {
    unsigned char* memory; // NULL: only counts
    size_t used;
} packing;

static void* pack(packing* p, size_t bytes) {
    void* at = p->memory != NULL ? p->memory + p->used : NULL;
    p->used += (bytes + 15u) / 16u * 16u;
    return at;
}

static size_t town_soak_lay_out(kerb_scene_soak_state* r, packing p) {
    size_t n = (size_t)r->count;
    r->vehicles = pack(&p, n * sizeof *r->vehicles);
    r->intents = pack(&p, n * sizeof *r->intents);
    r->apart = pack(&p, n * n * sizeof *r->apart);
    return p.used;
}

static size_t town_soak_lay_out_scratch(kerb_scene_soak_state* r, packing p) {
    size_t n = (size_t)r->count;
    r->neighbours = pack(&p, n * sizeof *r->neighbours);
    r->near = pack(&p, n * sizeof *r->near);
    r->pairs = pack(&p, n * n / 2u * sizeof *r->pairs);
    r->frames = pack(&p, n * sizeof *r->frames);
    r->paths = pack(&p, n * sizeof(void*));
    r->waypoints = pack(&p, (size_t)r->soak->route_waypoints * sizeof *r->waypoints);
    r->path_memory = pack(&p, 2u * n * route_bytes(r));
    return p.used;
}

static bool town_soak_allocate(kerb_scene_soak_state* r) {
    r->bytes[0] = town_soak_lay_out(r, (packing){NULL, 0});
    r->bytes[1] = town_soak_lay_out_scratch(r, (packing){NULL, 0});
    for (int32_t i = 0; i < 2; i++) {
        const kerb_allocator* a = &r->allocators[i];
        r->memory[i] = a->allocate(a->context, r->bytes[i], 16);
        if (r->memory[i] == NULL)
            return false;
        memset(r->memory[i], 0, r->bytes[i]);
    }
    (void)town_soak_lay_out(r, (packing){r->memory[0], 0});
    (void)town_soak_lay_out_scratch(r, (packing){r->memory[1], 0});
    return true;
}

// --------------------------------------------------------------------------- running

void kerb_scene_soak_add(soak_count* sum, const soak_count* one) {
    sum->stuck_events += one->stuck_events;
    sum->vehicle_contacts += one->vehicle_contacts;
    sum->hard_contacts += one->hard_contacts;
    sum->solid_contacts += one->solid_contacts;
    sum->solid_contacts_inside += one->solid_contacts_inside;
    sum->teleports += one->teleports;
    sum->trips += one->trips;
    sum->driving_s += one->driving_s;
    sum->distance += one->distance;
    sum->progress += one->progress;
    sum->inside += one->inside;
    sum->standing_s += one->standing_s;
    sum->short_waits += one->short_waits;
    sum->long_waits_s += one->long_waits_s;
    if (one->standing_longest > sum->standing_longest)
        sum->standing_longest = one->standing_longest;
}

static kerb_result town_soak_start(kerb_scene_soak_state* r, kerb_error* error) {
    kerb_result result = KERB_OK;
    for (int32_t i = 0; i < r->count; i++)
        town_soak_meet(r, &r->vehicles[i], i);
    for (int32_t i = 0; i < r->count && result == KERB_OK; i++)
        result = find_start(r, &r->vehicles[i], error);
    for (int32_t i = 0; i < r->count * r->count; i++)
        r->apart[i] = TOWN_SOAK_APART_SECONDS;
    return result;
}

static kerb_result town_soak_drive(kerb_scene_soak_state* r, kerb_error* error) {
    kerb_result result = KERB_OK;
    float time_step = 1.0f / r->soak->drive_hz;
    for (int64_t frame = 0; result == KERB_OK && r->time < r->soak->seconds; frame++) {
        result = kerb_scene_soak_frame(r, error);
        r->time = (double)(frame + 1) * (double)time_step;
    }
    return result;
}

static kerb_result town_soak_check(const kerb_scene_soak* soak, kerb_error* error) {
    if (soak->vehicle_count < 1 || soak->vehicle_count > SOAK_VEHICLES_MOST ||
        soak->model_count < 1 || soak->model_count > SOAK_MODELS_MOST)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "vehicles", 0, -1,
                              "there must be 1 to 200 vehicles of 1 to 16 models");
    if (!(soak->seconds > 0.0 && soak->seconds <= 60.0 * SOAK_MINUTES_MOST))
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "seconds", 0, -1,
                              "must be more than 0 and at most two hours");
    if (!(soak->disobedient_percent >= 0.0f && soak->disobedient_percent <= 100.0f))
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "disobedient_percent", 0, -1,
                              "must be from 0 to 100 %");
    kerb_result valid =
        kerb_settings_validate(&kerb_follower_settings_table, &soak->settings, error);
    for (int32_t i = 0; i < soak->model_count && valid == KERB_OK; i++)
        valid = kerb_vehicle_validate(&soak->models[i].vehicle, error);
    return valid;
}

kerb_result kerb_scene_soak_begin(kerb_scene_soak_state* state, const kerb_scene_soak* soak,
                                  soak_result* result, const kerb_host* host,
                                  const kerb_host* scratch, kerb_error* error) {
    memset(state, 0, sizeof *state);
    memset(result, 0, sizeof *result);
    kerb_result valid = town_soak_check(soak, error);
    if (valid != KERB_OK)
        return valid;
    state->soak = soak;
    state->count = soak->vehicle_count;
    state->result = result;
    state->drives = kerb_scene_call_times_make(soak->clock_ns);
    state->allocators[0] = host->allocator;
    state->allocators[1] = scratch->allocator;
    if (!town_soak_allocate(state))
        valid = kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "vehicles", 0, -1,
                               "no memory for this many vehicles");
    if (valid == KERB_OK)
        valid = town_soak_start(state, error);
    if (valid != KERB_OK)
        kerb_scene_soak_end(state);
    return valid;
}

void kerb_scene_soak_end(kerb_scene_soak_state* state) {
    for (int32_t i = 0; i < 2; i++) {
        if (state->memory[i] != NULL)
            state->allocators[i].release(state->allocators[i].context, state->memory[i],
                                         state->bytes[i]);
    }
    memset(state, 0, sizeof *state);
}

kerb_result kerb_scene_soak_run(const kerb_scene_soak* soak, const kerb_host* host,
                                soak_result* result, kerb_error* error) {
    kerb_scene_soak_state r;
    kerb_result valid = kerb_scene_soak_begin(&r, soak, result, host, host, error);
    if (valid != KERB_OK)
        return valid;
    valid = town_soak_drive(&r, error);
    // A contact has two parties, which may be of one model: the sum over models has it twice.
    int32_t contacts = result->all.vehicle_contacts, hard = result->all.hard_contacts;
    for (int32_t i = 0; i < soak->model_count; i++)
        kerb_scene_soak_add(&result->all, &result->by_model[i]);
    result->all.vehicle_contacts = contacts;
    result->all.hard_contacts = hard;
    result->drive_ns = kerb_scene_call_median(&r.drives);
    kerb_scene_soak_end(&r);
    return valid;
}
