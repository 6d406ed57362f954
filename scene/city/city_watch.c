// Purpose: an independent observer of city traffic.
// Idea:    Rectangles go into a hash of cells; those of a cell and its neighbours are compared by
//          separating axes. Speeds and accelerations are differences of places. Who stands waits
//          for what lies in its way, or, at a line, for what stands on turns that cross its own; a
//          circle of such waits is a deadlock.
// Cost:    O(vehicles) for each step.
#include "scene/city/city_watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WATCH_CELL 12.0f     // side of a cell: no vehicle's half reaches farther [m]
#define WATCH_OVERLAP 0.01f  // what counts as a collision [m]
#define WATCH_OVER 1.0       // a collision is over after so long apart [s]
#define WATCH_STAND 0.1f     // slower is standing [m/s]
#define WATCH_DEADLOCK 60.0f // [s]
#define WATCH_HEIGHT 2.0f    // vehicles at different heights: a bridge [m]
#define WATCH_LOOK 12.0f     // what lies this far ahead is in the way [m]
// Differences of float places over a step of 0.1 s are good to some cm/s.
#define WATCH_SPEED_SLACK 0.3f // [m/s]
#define WATCH_PEDAL_SLACK 0.5f // [m/s^2]
#define WATCH_BACKWARDS 1.4f   // nobody backs off faster than a walker [m/s]
#define WATCH_JUMP 0.15f       // beyond speed × time [m]

enum { WATCH_PAIRS = 4096, WATCH_CELLS = 1 << 16 };

typedef struct watch_body {
    kerb_traffic_vehicle now, before;
    bool known;     // `before` is of the step before
    float standing; // [s]
    int32_t next;   // in its cell
    int32_t waits_for;
    uint32_t mark;
    bool told; // belongs to a circle that was counted
    float limit_rest;
} watch_body;

typedef struct city_watch_pair {
    int32_t a, b;
    double last;
} city_watch_pair;

struct kerb_scene_watch {
    int32_t room;
    watch_body* bodies;
    int32_t* cells;
    char* letters; // of turns, in the step before
    int32_t letter_room;
    city_watch_pair pairs[WATCH_PAIRS];
    int32_t pair_count;
    double time, next_look;
    uint32_t mark;
    kerb_scene_watch_counts counts;
};

kerb_scene_watch* kerb_scene_watch_make(int32_t vehicles_max) {
    kerb_scene_watch* watch = calloc(1, sizeof *watch);
    if (!watch)
        return NULL;
    watch->room = vehicles_max;
    watch->counts.first_collision = watch->counts.first_limit = -1.0;
    watch->bodies = calloc((size_t)vehicles_max, sizeof *watch->bodies);
    watch->cells = malloc(WATCH_CELLS * sizeof *watch->cells);
    for (int32_t i = 0; watch->bodies && i < vehicles_max; i++)
        watch->bodies[i].now.segment = -1;
    if (watch->bodies && watch->cells)
        return watch;
    kerb_scene_watch_free(watch);
    return NULL;
}

void kerb_scene_watch_free(kerb_scene_watch* watch) {
    if (!watch)
        return;
    free(watch->bodies);
    free(watch->cells);
    free(watch->letters);
    free(watch);
}

kerb_scene_watch_counts kerb_scene_watch_counts_of(const kerb_scene_watch* watch) {
    return watch->counts;
}

// --------------------------------------------------------------------------- collisions

// Half the extent of a rectangle along a unit vector.
static float half_extent(kerb_vec2 along, float width, kerb_vec2 axis) {
    float length = kerb_vec2_length(along);
    kerb_vec2 side = length > 0.0f ? kerb_vec2_make(-along.y / length, along.x / length)
                                   : kerb_vec2_make(0.0f, 1.0f);
    return 0.5f * (fabsf(kerb_vec2_dot(along, axis)) + width * fabsf(kerb_vec2_dot(side, axis)));
}

float kerb_scene_watch_overlap(kerb_vec2 rear_a, kerb_vec2 front_a, float width_a, kerb_vec2 rear_b,
                               kerb_vec2 front_b, float width_b) {
    kerb_vec2 a = kerb_vec2_sub(front_a, rear_a), b = kerb_vec2_sub(front_b, rear_b);
    kerb_vec2 between = kerb_vec2_sub(kerb_vec2_scale(kerb_vec2_add(front_b, rear_b), 0.5f),
                                      kerb_vec2_scale(kerb_vec2_add(front_a, rear_a), 0.5f));
    float least = INFINITY;
    for (int32_t i = 0; i < 4; i++) {
        kerb_vec2 along = i < 2 ? a : b;
        float length = kerb_vec2_length(along);
        if (!(length > 0.0f))
            continue;
        kerb_vec2 axis = kerb_vec2_scale(along, 1.0f / length);
        if (i % 2)
            axis = kerb_vec2_make(-axis.y, axis.x);
        float depth = half_extent(a, width_a, axis) + half_extent(b, width_b, axis) -
                      fabsf(kerb_vec2_dot(between, axis));
        least = depth < least ? depth : least;
    }
    return least;
}

static kerb_vec2 flat(kerb_vec3 p) {
    return kerb_vec2_make(p.x, p.y);
}

static void count_pair(kerb_scene_watch* w, int32_t a, int32_t b) {
    for (int32_t i = 0; i < w->pair_count; i++)
        if (w->pairs[i].a == a && w->pairs[i].b == b) {
            w->pairs[i].last = w->time;
            return;
        }
    w->counts.collisions++;
    if (w->counts.first_collision < 0.0) {
        w->counts.first_collision = w->time;
        w->counts.pair[0] = a;
        w->counts.pair[1] = b;
    }
    if (w->pair_count < WATCH_PAIRS)
        w->pairs[w->pair_count++] = (city_watch_pair){a, b, w->time};
}

static void forget_pairs(kerb_scene_watch* w) {
    int32_t kept = 0;
    for (int32_t i = 0; i < w->pair_count; i++)
        if (w->time - w->pairs[i].last <= WATCH_OVER)
            w->pairs[kept++] = w->pairs[i];
    w->pair_count = kept;
}

// The vehicle itself, or its trailer, against a rectangle: how deep they overlap. [m]
static float overlap_with(const kerb_traffic_vehicle* v, kerb_vec2 rear, kerb_vec2 front,
                          float width) {
    float deep =
        kerb_scene_watch_overlap(flat(v->joint), flat(v->position), v->width, rear, front, width);
    if (v->joint.x == v->rear.x && v->joint.y == v->rear.y)
        return deep;
    return fmaxf(deep, kerb_scene_watch_overlap(flat(v->rear), flat(v->joint), v->width, rear,
                                                front, width));
}

static void compare_bodies(kerb_scene_watch* w, int32_t a, int32_t b) {
    const kerb_traffic_vehicle *x = &w->bodies[a].now, *y = &w->bodies[b].now;
    if (fabsf(x->position.z - y->position.z) > WATCH_HEIGHT)
        return;
    float deep = overlap_with(x, flat(y->joint), flat(y->position), y->width);
    if (y->joint.x != y->rear.x || y->joint.y != y->rear.y)
        deep = fmaxf(deep, overlap_with(x, flat(y->rear), flat(y->joint), y->width));
    if (deep > WATCH_OVERLAP)
        count_pair(w, a, b);
}

static uint32_t cell_of(int32_t x, int32_t y) {
    return ((uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u) % WATCH_CELLS;
}

static int32_t cell_index(float x) {
    return (int32_t)floorf(x / WATCH_CELL);
}

static void middle_cell(const kerb_traffic_vehicle* v, int32_t* x, int32_t* y) {
    *x = cell_index(0.5f * (v->position.x + v->rear.x));
    *y = cell_index(0.5f * (v->position.y + v->rear.y));
}

static void hang_up(kerb_scene_watch* w) {
    for (int32_t i = 0; i < WATCH_CELLS; i++)
        w->cells[i] = -1;
    for (int32_t i = 0; i < w->room; i++) {
        int32_t x, y;
        if (w->bodies[i].now.segment < 0)
            continue;
        middle_cell(&w->bodies[i].now, &x, &y);
        uint32_t cell = cell_of(x, y);
        w->bodies[i].next = w->cells[cell];
        w->cells[cell] = i;
    }
}

// Calls for each other vehicle whose middle is within two cells.
static void each_near(kerb_scene_watch* w, int32_t i,
                      void (*call)(kerb_scene_watch* w, int32_t a, int32_t b)) {
    int32_t x, y;
    middle_cell(&w->bodies[i].now, &x, &y);
    for (int32_t dx = -2; dx <= 2; dx++)
        for (int32_t dy = -2; dy <= 2; dy++)
            for (int32_t k = w->cells[cell_of(x + dx, y + dy)]; k >= 0; k = w->bodies[k].next) {
                int32_t kx, ky;
                middle_cell(&w->bodies[k].now, &kx, &ky);
                if (k != i && kx == x + dx && ky == y + dy)
                    call(w, i, k);
            }
}

static void compare_once(kerb_scene_watch* w, int32_t a, int32_t b) {
    if (a < b)
        compare_bodies(w, a, b);
}

// --------------------------------------------------------------------------- limits

static void count_limit(kerb_scene_watch* w, int32_t i) {
    watch_body* body = &w->bodies[i];
    if (body->limit_rest <= 0.0f)
        w->counts.limits++;
    body->limit_rest = (float)WATCH_OVER;
    if (w->counts.first_limit >= 0.0)
        return;
    w->counts.first_limit = w->time;
    w->counts.limit_vehicle = i;
}

static void check_limits(kerb_scene_watch* w, int32_t i, const kerb_traffic_type* types, float dt) {
    watch_body* body = &w->bodies[i];
    const kerb_traffic_vehicle *now = &body->now, *before = &body->before;
    const kerb_traffic_type* type = &types[now->type];
    body->limit_rest -= dt;
    if (!body->known || before->user != now->user || before->segment < 0)
        return;
    float moved = kerb_vec3_length(kerb_vec3_sub(now->position, before->position));
    float pedal = (now->speed - before->speed) / dt;
    float fast = fmaxf(fabsf(now->speed), fabsf(before->speed));
    if (now->speed > type->top_speed + WATCH_SPEED_SLACK ||
        !(now->speed >= -WATCH_BACKWARDS - WATCH_SPEED_SLACK) ||
        pedal > type->acceleration * 1.01f + WATCH_PEDAL_SLACK ||
        pedal < -type->braking * 1.01f - WATCH_PEDAL_SLACK ||
        // A front goes sideways while it changes lanes, and cuts corners of polylines.
        moved > fast * dt * 1.15f + WATCH_JUMP)
        count_limit(w, i);
}

// --------------------------------------------------------------------------- signals

static bool is_red(char letter) {
    return letter == 'r' || letter == 'u';
}

// The turns that a vehicle has entered since the step before: that on which it is now, and one that
// it has passed whole. Returns how many.
static int32_t turns_entered(const kerb_network* network, const kerb_traffic_vehicle* before,
                             const kerb_traffic_vehicle* now, int32_t* turns) {
    const int32_t lanes = kerb_network_size_of(network).lanes;
    if (now->segment < 0 || now->segment == before->segment)
        return 0;
    int32_t count = 0, lane = now->segment;
    if (now->segment >= lanes) {
        turns[count++] = now->segment - lanes;
        lane = kerb_network_segment_of(network, now->segment).from;
    }
    if (before->segment < lanes && before->segment != lane && before->next_turn >= 0 &&
        kerb_network_segment_of(network, lanes + before->next_turn).to == lane)
        turns[count++] = before->next_turn;
    return count;
}

static void check_signals(kerb_scene_watch* w, const kerb_network* network,
                          const kerb_traffic* traffic, const kerb_traffic_type* types) {
    const kerb_network_size size = kerb_network_size_of(network);
    if (!w->letters) {
        w->letters = malloc((size_t)size.turns + 1);
        if (!w->letters)
            return;
        memset(w->letters, 'G', (size_t)size.turns + 1);
    }
    for (int32_t i = 0; i < w->room; i++) {
        const watch_body* body = &w->bodies[i];
        if (!body->known || body->before.segment < 0 || body->before.user != body->now.user ||
            types[body->now.type].priority > 0) // rescue services may pass at red
            continue;
        int32_t turns[2];
        const int32_t count = turns_entered(network, &body->before, &body->now, turns);
        for (int32_t k = 0; k < count; k++)
            if (is_red(w->letters[turns[k]]) &&
                is_red(kerb_traffic_signal(traffic, network, turns[k])))
                w->counts.red_lights++;
    }
    for (int32_t i = 0; i < size.turns; i++)
        w->letters[i] = kerb_traffic_signal(traffic, network, i);
}

// --------------------------------------------------------------------------- deadlocks

// True when a point lies in the strip ahead of a vehicle, on the way that it takes.
static bool in_the_way(const kerb_network* network, const kerb_traffic_vehicle* v,
                       const kerb_traffic_vehicle* other) {
    int32_t lanes = kerb_network_size_of(network).lanes, segment = v->segment;
    float station = v->station;
    for (int32_t metre = 0; (float)metre + 0.5f < WATCH_LOOK; metre++) {
        float ahead = (float)metre + 0.5f;
        float length = kerb_network_length(network, segment), at = station + ahead;
        int32_t here = segment;
        if (at > length && segment < lanes) {
            if (v->next_turn < 0)
                return false;
            at -= length;
            here = lanes + v->next_turn;
            length = kerb_network_length(network, here);
        }
        if (at > length && here >= lanes) {
            at -= length;
            here = kerb_network_segment_of(network, here).to;
        }
        kerb_vec2 p = flat(kerb_network_at(network, here, at, 0.0f).position);
        kerb_vec2 q = kerb_vec2_make(p.x + 0.01f, p.y);
        if (overlap_with(other, p, q, v->width * 0.9f) > 0.0f)
            return true;
    }
    return false;
}

typedef struct watch_look {
    const kerb_network* network;
    int32_t lanes;
} watch_look;

static bool crosses_turn_of(const watch_look* look, const kerb_traffic_vehicle* v,
                            const kerb_traffic_vehicle* other) {
    int32_t turn = other->segment - look->lanes;
    float left = kerb_network_length(look->network, v->segment) - v->station;
    if (turn < 0 || v->segment >= look->lanes || v->next_turn < 0 || left > 3.0f ||
        turn == v->next_turn)
        return false;
    if (kerb_network_segment_of(look->network, v->segment).junction !=
        kerb_network_segment_of(look->network, other->segment).junction)
        return false;
    return kerb_network_conflict_of(look->network, v->next_turn, turn).conflicts;
}

static int32_t find_wait(kerb_scene_watch* w, const watch_look* look, int32_t i) {
    const kerb_traffic_vehicle* v = &w->bodies[i].now;
    int32_t x, y;
    middle_cell(v, &x, &y);
    for (int32_t dx = -2; dx <= 2; dx++)
        for (int32_t dy = -2; dy <= 2; dy++)
            for (int32_t k = w->cells[cell_of(x + dx, y + dy)]; k >= 0; k = w->bodies[k].next)
                if (k != i && w->bodies[k].standing >= WATCH_DEADLOCK &&
                    (in_the_way(look->network, v, &w->bodies[k].now) ||
                     crosses_turn_of(look, v, &w->bodies[k].now)))
                    return k;
    return -1;
}

static void count_circle(kerb_scene_watch* w, int32_t first) {
    bool told = false;
    int32_t i = first;
    do {
        told |= w->bodies[i].told;
        w->bodies[i].told = true;
        i = w->bodies[i].waits_for;
    } while (i != first);
    w->counts.deadlocks += !told;
}

static void find_deadlocks(kerb_scene_watch* w, const kerb_network* network,
                           const kerb_traffic* traffic) {
    watch_look look = {network, kerb_network_size_of(network).lanes};
    for (int32_t i = 0; i < w->room; i++) {
        watch_body* body = &w->bodies[i];
        body->waits_for = -1;
        if (body->standing < WATCH_DEADLOCK || body->now.segment < 0) {
            body->told = false;
            continue;
        }
        // Who waits at a red light waits for no vehicle.
        if (body->now.segment < look.lanes && body->now.next_turn >= 0 &&
            is_red(kerb_traffic_signal(traffic, network, body->now.next_turn)))
            continue;
        body->waits_for = find_wait(w, &look, i);
    }
    for (int32_t i = 0; i < w->room; i++) {
        uint32_t mark = ++w->mark;
        int32_t at = i;
        while (at >= 0 && w->bodies[at].mark != mark && w->bodies[at].waits_for >= 0) {
            w->bodies[at].mark = mark;
            at = w->bodies[at].waits_for;
        }
        if (at >= 0 && w->bodies[at].mark == mark)
            count_circle(w, at);
    }
}

// --------------------------------------------------------------------------- a step

void kerb_scene_watch_step(kerb_scene_watch* watch, const kerb_network* network,
                           const kerb_traffic* traffic, const kerb_traffic_type* types, float dt) {
    watch->time += (double)dt;
    for (int32_t i = 0; i < watch->room; i++) {
        watch_body* body = &watch->bodies[i];
        body->before = body->now;
        body->known = body->now.segment >= 0;
        body->now = kerb_traffic_vehicle_of(traffic, network, i);
        if (body->now.stage < KERB_TRAFFIC_DRIVING)
            body->now.segment = -1;
        if (body->now.segment < 0) {
            body->standing = 0.0f;
            continue;
        }
        bool waits =
            fabsf(body->now.speed) < WATCH_STAND && body->now.stage == KERB_TRAFFIC_DRIVING;
        body->standing = waits ? body->standing + dt : 0.0f;
        check_limits(watch, i, types, dt);
    }
    hang_up(watch);
    for (int32_t i = 0; i < watch->room; i++)
        if (watch->bodies[i].now.segment >= 0)
            each_near(watch, i, compare_once);
    forget_pairs(watch);
    check_signals(watch, network, traffic, types);
    if (watch->time >= watch->next_look) {
        watch->next_look = watch->time + 5.0;
        find_deadlocks(watch, network, traffic);
    }
}
