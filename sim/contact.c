// Purpose: solid contact of vehicles with obstacles and with one another.
// Idea:    The vehicle has already moved into the obstacle. First its velocity is corrected:
//          impulses at the contact points, with Coulomb friction, until no point approaches. Then
//          its position: the smallest move and turn, weighted by mass and inertia, that brings
//          every point out, repeated until all are out. Both are the same problem and share one
//          solver. A bounce is slightly larger impulses, which cannot add energy: impulses j that
//          stop the approach leave j·v' <= 0, so (1 + e) times as much changes the energy by at
//          most -(1 - e²)/2 · j·A·j, where A is the velocity at the points per impulse there.
// Cost:    One comparison of boxes for each obstacle. For a body that touches, a few searches for
//          contact points and some twenty sweeps over them.
// Source:  Catto, "Iterative dynamics with temporal coherence" (2005), for the sweeps with
//          accumulated impulses; Moreau, "Unilateral contact and dry friction" (1988), for the
//          energy.
#include "sim/shape.h"
#include "sim/world.h"

#define NEAR_MOST 24    // obstacles that one body can touch at a time
#define NEAR_SLACK 1.0f // how far the body may be pushed before it looks around again [m]
#define PASSES_MOST 12  // over the places, each with a new search for touches
// Sweeps over the touches. Ten do for all but close pairs and narrow wedges; a hit, which comes
// once, may take its time.
#define SWEEPS_MOST 200
#define SWEEPS_OF_HIT 2000
// Speeds that still change by less are done, as a share of the first change if that is large. [m/s]
#define SETTLED 1e-6f
#define DEPTH_ALLOWED 1e-4f // rounding and curvature of turns leave less than this [m]
// Deeper than this a turn is no small turn any more: the body only moves. [m]
#define DEPTH_TURNED 0.4f
// Slower hits do not bounce, so that a car can lean on a wall. [m/s]
#define BOUNCE_SPEED 0.5f
// A wall's end that is overlapped less than its side by less than this counts as its side: so a
// car that slides over the joint of two walls is not stopped by the end of the second. [m]
#define SIDE_PREFERENCE 0.02f

// A body in world axes, its place counted from an origin near it.
typedef struct mover {
    kerb_vec2 position; // of the centre of mass
    float heading;
    kerb_vec2 velocity;
    float yaw_rate;
    float inverse_mass, inverse_inertia; // 0: does not move, does not turn
    float middle;                        // of the box, ahead of the centre of mass
    float half_length, half_width;
} mover;

// A point where movers[0] touches movers[1]; the normal points at movers[0].
typedef struct contact_point {
    kerb_sim_touch touch;
    int32_t obstacle;
    kerb_vec2 arm[2];              // from the two centres of mass
    float yield, yield_across;     // velocity per impulse along and across the normal,
    float yield_mixed;             // and along the one per impulse along the other
    float target;                  // velocity that is wanted along the normal, at least
    float closing_speed;           // before
    float impulse, impulse_across; // so far
} contact_point;

// Obstacles that a body may touch.
typedef struct nearby {
    const kerb_sim_world* world;
    kerb_vec2 origin; // from which all places are counted
    kerb_vec2 around; // where the body was when they were looked for
    float reach;      // how far around that
    int32_t count;
    int32_t index[NEAR_MOST];
    kerb_sim_shape shape[NEAR_MOST];
} nearby;

// --------------------------------------------------------------------------- bodies

static bool is_sound(const kerb_sim_body* body) {
    float sum = body->position.x + body->position.y + body->position.z + body->heading +
                body->forward + body->side + body->yaw_rate + body->mass + body->yaw_inertia +
                body->front + body->back + body->half_width;
    return kerb_is_finite(sum) && body->mass > 0.0f && body->yaw_inertia > 0.0f &&
           body->front + body->back > 0.0f && body->half_width > 0.0f;
}

// No point of the body is farther from its centre of mass.
static float contact_reach_of(const kerb_sim_body* body) {
    return kerb_max(kerb_abs(body->front), kerb_abs(body->back)) + body->half_width;
}

static mover mover_of(const kerb_sim_body* body, kerb_vec2 origin) {
    mover result = {0};
    float sine, cosine;
    kerb_sin_cos(body->heading, &sine, &cosine);
    result.position = kerb_vec2_make(body->position.x - origin.x, body->position.y - origin.y);
    result.heading = body->heading;
    result.velocity = kerb_vec2_make(body->forward * cosine - body->side * sine,
                                     body->forward * sine + body->side * cosine);
    result.yaw_rate = body->yaw_rate;
    result.inverse_mass = 1.0f / body->mass;
    result.inverse_inertia = 1.0f / body->yaw_inertia;
    result.middle = 0.5f * (body->front - body->back);
    result.half_length = 0.5f * (body->front + body->back);
    result.half_width = body->half_width;
    return result;
}

static void give_back(const mover* from, kerb_vec2 origin, kerb_sim_body* body) {
    float sine, cosine;
    kerb_sin_cos(from->heading, &sine, &cosine);
    body->position.x = origin.x + from->position.x;
    body->position.y = origin.y + from->position.y;
    body->heading = kerb_wrap_angle(from->heading);
    body->forward = from->velocity.x * cosine + from->velocity.y * sine;
    body->side = from->velocity.y * cosine - from->velocity.x * sine;
    body->yaw_rate = from->yaw_rate;
}

static kerb_sim_shape box_of(const mover* from) {
    float sine, cosine;
    kerb_sin_cos(from->heading, &sine, &cosine);
    kerb_vec2 axis = {cosine, sine};
    kerb_sim_shape result = {kerb_vec2_add(from->position, kerb_vec2_scale(axis, from->middle)),
                             axis, from->half_length, from->half_width, 0.0f};
    return result;
}

// --------------------------------------------------------------------------- obstacles

// True when an obstacle's box of ground, along the world's axes, comes within `reach` of a place.
// False where a number is NaN.
static bool is_near(const kerb_sim_obstacle* obstacle, kerb_vec2 place, float reach) {
    kerb_vec2 from = obstacle->from;
    kerb_vec2 to = obstacle->kind == KERB_SIM_POST ? from : obstacle->to;
    reach += 0.5f * obstacle->thickness;
    return kerb_abs(place.x - 0.5f * (from.x + to.x)) <= reach + 0.5f * kerb_abs(to.x - from.x) &&
           kerb_abs(place.y - 0.5f * (from.y + to.y)) <= reach + 0.5f * kerb_abs(to.y - from.y);
}

static kerb_sim_shape shape_of(const kerb_sim_obstacle* obstacle, kerb_vec2 origin) {
    kerb_sim_shape result = {{0.0f, 0.0f}, {1.0f, 0.0f}, 0.0f, 0.0f, 0.0f};
    kerb_vec2 from = kerb_vec2_sub(obstacle->from, origin);
    kerb_vec2 to = kerb_vec2_sub(obstacle->to, origin);
    float half = 0.5f * kerb_max(obstacle->thickness, 1e-6f);
    if (obstacle->kind == KERB_SIM_POST) {
        result.centre = from;
        result.radius = half;
        return result;
    }
    kerb_vec2 way = kerb_vec2_sub(to, from);
    float length = kerb_vec2_length(way);
    if (length > 1e-6f)
        result.axis = kerb_vec2_scale(way, 1.0f / length);
    result.centre = kerb_vec2_scale(kerb_vec2_add(from, to), 0.5f);
    result.half_length = 0.5f * length;
    result.half_width = half;
    return result;
}

// `around` counts from the origin, as all places but those of the obstacles themselves.
static void look_around(nearby* near_it, kerb_vec2 around) {
    const kerb_sim_world* world = near_it->world;
    kerb_vec2 place = kerb_vec2_add(around, near_it->origin);
    near_it->around = around;
    near_it->count = 0;
    for (int32_t i = 0; i < world->obstacle_count && near_it->count < NEAR_MOST; i++) {
        if (!is_near(&world->obstacles[i], place, near_it->reach))
            continue;
        near_it->index[near_it->count] = i;
        near_it->shape[near_it->count++] = shape_of(&world->obstacles[i], near_it->origin);
    }
}

// A body that was pushed far may touch others there.
static void look_around_again(nearby* near_it, kerb_vec2 position) {
    kerb_vec2 way = kerb_vec2_sub(position, near_it->around);
    if (kerb_abs(way.x) + kerb_abs(way.y) > NEAR_SLACK)
        look_around(near_it, position);
}

// --------------------------------------------------------------------------- points of touch

static kerb_vec2 tangent_of(const contact_point* at) {
    return kerb_vec2_make(-at->touch.normal.y, at->touch.normal.x);
}

// Velocity of movers[0] over movers[1] at the point.
static kerb_vec2 speed_at(const mover pair[2], const contact_point* at) {
    kerb_vec2 v[2];
    for (int i = 0; i < 2; i++) {
        v[i].x = pair[i].velocity.x - pair[i].yaw_rate * at->arm[i].y;
        v[i].y = pair[i].velocity.y + pair[i].yaw_rate * at->arm[i].x;
    }
    return kerb_vec2_sub(v[0], v[1]);
}

static int32_t add_touches(const kerb_sim_shape* hit, const kerb_sim_shape* box,
                           float side_preference, int32_t obstacle, contact_point* points) {
    kerb_sim_touch touches[2];
    int32_t count =
        kerb_sim_shape_touches(hit, box, KERB_SIM_CONTACT_MARGIN, side_preference, touches);
    for (int32_t i = 0; i < count; i++) {
        points[i] = (contact_point){0};
        points[i].touch = touches[i];
        points[i].obstacle = obstacle;
    }
    return count;
}

// Where movers[0] touches what is near or, where that is NULL, movers[1].
static int32_t find_points(nearby* near_it, const mover pair[2], contact_point* points) {
    kerb_sim_shape box = box_of(&pair[0]);
    if (!near_it) {
        kerb_sim_shape other = box_of(&pair[1]);
        return add_touches(&other, &box, 0.0f, -1, points);
    }
    int32_t count = 0;
    for (int32_t i = 0; i < near_it->count; i++)
        count += add_touches(&near_it->shape[i], &box, SIDE_PREFERENCE, near_it->index[i],
                             points + count);
    return count;
}

static float deepest_of(const contact_point* points, int32_t count) {
    float deepest = 0.0f;
    for (int32_t i = 0; i < count; i++)
        deepest = kerb_max(deepest, -points[i].touch.gap);
    return deepest;
}

static void prepare(const mover pair[2], contact_point* points, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        contact_point* at = &points[i];
        at->yield = at->yield_across = pair[0].inverse_mass + pair[1].inverse_mass;
        at->yield_mixed = at->impulse = at->impulse_across = 0.0f;
        for (int k = 0; k < 2; k++) {
            at->arm[k] = kerb_vec2_sub(at->touch.point, pair[k].position);
            float lever = kerb_vec2_cross(at->arm[k], at->touch.normal);
            float lever_across = kerb_vec2_cross(at->arm[k], tangent_of(at));
            at->yield += pair[k].inverse_inertia * lever * lever;
            at->yield_across += pair[k].inverse_inertia * lever_across * lever_across;
            at->yield_mixed += pair[k].inverse_inertia * lever * lever_across;
        }
    }
}

// --------------------------------------------------------------------------- the solver

static void give_impulse(mover pair[2], const contact_point* at, kerb_vec2 impulse) {
    for (int i = 0; i < 2; i++) {
        kerb_vec2 own = i == 0 ? impulse : kerb_vec2_scale(impulse, -1.0f);
        pair[i].velocity =
            kerb_vec2_add(pair[i].velocity, kerb_vec2_scale(own, pair[i].inverse_mass));
        pair[i].yaw_rate += kerb_vec2_cross(at->arm[i], own) * pair[i].inverse_inertia;
    }
}

// The impulse, x along the normal and y across it, that takes a point from the velocity that it
// has without any to its target: sticking where Coulomb's cone allows, else sliding.
static kerb_vec2 impulse_for(const contact_point* at, kerb_vec2 free, float friction) {
    kerb_vec2 result = {0.0f, 0.0f};
    float missing = at->target - free.x;
    if (missing <= 0.0f)
        return result;
    result.x = missing / at->yield;
    if (friction == 0.0f)
        return result;
    float determinant = at->yield * at->yield_across - at->yield_mixed * at->yield_mixed;
    float along = (missing * at->yield_across + free.y * at->yield_mixed) / determinant;
    float across = -(free.y * at->yield + missing * at->yield_mixed) / determinant;
    if (kerb_abs(across) > friction * along) {
        float slope = across > 0.0f ? friction : -friction;
        // Held from below: a body five times as long as its inertia lets expect would have none.
        along = missing / kerb_max(at->yield + slope * at->yield_mixed, 0.1f * at->yield);
        across = slope * along;
    }
    return kerb_vec2_make(along, across);
}

// Gives one point what it needs with what the others have. Returns how much speed that changed.
static float solve_point(mover pair[2], contact_point* at, float friction) {
    kerb_vec2 normal = at->touch.normal, tangent = tangent_of(at);
    kerb_vec2 speed = speed_at(pair, at);
    kerb_vec2 free = {kerb_vec2_dot(speed, normal) - at->impulse * at->yield -
                          at->impulse_across * at->yield_mixed,
                      kerb_vec2_dot(speed, tangent) - at->impulse * at->yield_mixed -
                          at->impulse_across * at->yield_across};
    kerb_vec2 impulse = impulse_for(at, free, friction);
    float along = impulse.x - at->impulse, across = impulse.y - at->impulse_across;
    at->impulse = impulse.x;
    at->impulse_across = impulse.y;
    kerb_vec2 change =
        kerb_vec2_add(kerb_vec2_scale(normal, along), kerb_vec2_scale(tangent, across));
    give_impulse(pair, at, change);
    return kerb_abs(along) * at->yield + kerb_abs(across) * at->yield_across;
}

// Sweeps over the points, each time giving what the others left, until hardly anything changes.
static void contact_solve(mover pair[2], contact_point* points, int32_t count, float friction,
                          int most) {
    float first = 0.0f;
    for (int sweep = 0; sweep < most; sweep++) {
        float change = 0.0f;
        for (int32_t i = 0; i < count; i++)
            change += solve_point(pair, &points[i], friction);
        if (sweep == 0)
            first = change;
        if (change <= SETTLED * kerb_max(first, 1.0f))
            return;
    }
}

// --------------------------------------------------------------------------- velocities

static void stop_closing(mover pair[2], contact_point* points, int32_t count) {
    mover before[2] = {pair[0], pair[1]};
    float hardest = 0.0f;
    prepare(pair, points, count);
    for (int32_t i = 0; i < count; i++) {
        points[i].target = 0.0f;
        float closing = -kerb_vec2_dot(speed_at(pair, &points[i]), points[i].touch.normal);
        points[i].closing_speed = kerb_max(closing, 0.0f);
        hardest = kerb_max(hardest, closing);
    }
    bool hits = hardest > BOUNCE_SPEED;
    contact_solve(pair, points, count, KERB_SIM_CONTACT_FRICTION,
                  hits ? SWEEPS_OF_HIT : SWEEPS_MOST);
    float share = hits ? 1.0f + KERB_SIM_CONTACT_BOUNCE : 1.0f;
    for (int i = 0; i < 2; i++) {
        kerb_vec2 gain = kerb_vec2_sub(pair[i].velocity, before[i].velocity);
        float turn = pair[i].yaw_rate - before[i].yaw_rate;
        pair[i].velocity = kerb_vec2_add(before[i].velocity, kerb_vec2_scale(gain, share));
        pair[i].yaw_rate = before[i].yaw_rate + share * turn;
    }
    for (int32_t i = 0; i < count; i++)
        points[i].impulse *= share;
}

static kerb_sim_contact contact_of(const contact_point* at, kerb_vec2 origin) {
    kerb_sim_contact result = {kerb_vec2_add(at->touch.point, origin), at->touch.normal,
                               at->closing_speed, at->impulse, at->obstacle};
    return result;
}

// --------------------------------------------------------------------------- places

// The least move and turn that brings all points out: solved as a velocity over one second.
static void move_out(mover pair[2], contact_point* points, int32_t count) {
    mover moved[2] = {pair[0], pair[1]};
    bool turns = deepest_of(points, count) < DEPTH_TURNED;
    for (int i = 0; i < 2; i++) {
        moved[i].velocity = kerb_vec2_make(0.0f, 0.0f);
        moved[i].yaw_rate = 0.0f;
        if (!turns)
            moved[i].inverse_inertia = 0.0f;
    }
    prepare(moved, points, count);
    for (int32_t i = 0; i < count; i++)
        points[i].target = -points[i].touch.gap;
    contact_solve(moved, points, count, 0.0f, SWEEPS_MOST);
    for (int i = 0; i < 2; i++) {
        pair[i].position = kerb_vec2_add(pair[i].position, moved[i].velocity);
        pair[i].heading += moved[i].yaw_rate;
    }
}

// Moves out until nothing overlaps, as far as that can be, starting with the touches given.
static void separate(nearby* near_it, mover pair[2], contact_point* points, int32_t count) {
    for (int pass = 0; pass < PASSES_MOST && deepest_of(points, count) > DEPTH_ALLOWED; pass++) {
        move_out(pair, points, count);
        if (near_it)
            look_around_again(near_it, pair[0].position);
        count = find_points(near_it, pair, points);
    }
}

// --------------------------------------------------------------------------- public

int32_t kerb_sim_world_push(const kerb_sim_world* world, kerb_sim_body* body,
                            kerb_sim_contact* contacts, int32_t most) {
    if (!is_sound(body))
        return 0;
    nearby near_it;
    near_it.world = world;
    near_it.origin = kerb_vec2_make(body->position.x, body->position.y);
    near_it.reach = contact_reach_of(body) + NEAR_SLACK;
    look_around(&near_it, kerb_vec2_make(0.0f, 0.0f));
    if (near_it.count == 0)
        return 0;

    const mover still = {0};
    mover pair[2] = {mover_of(body, near_it.origin), still};
    contact_point points[2 * NEAR_MOST];
    int32_t count = find_points(&near_it, pair, points);
    if (count == 0)
        return 0;
    stop_closing(pair, points, count);
    for (int32_t i = 0; i < count && i < most; i++)
        contacts[i] = contact_of(&points[i], near_it.origin);
    separate(&near_it, pair, points, count);
    give_back(&pair[0], near_it.origin, body);
    return count;
}

bool kerb_sim_bodies_push(kerb_sim_body* a, kerb_sim_body* b, kerb_sim_contact* contact) {
    float reach = contact_reach_of(a) + contact_reach_of(b) + KERB_SIM_CONTACT_MARGIN;
    if (!(kerb_abs(a->position.x - b->position.x) <= reach &&
          kerb_abs(a->position.y - b->position.y) <= reach) ||
        !is_sound(a) || !is_sound(b))
        return false;

    kerb_vec2 origin = {a->position.x, a->position.y};
    mover pair[2] = {mover_of(a, origin), mover_of(b, origin)};
    contact_point points[2];
    int32_t count = find_points(NULL, pair, points);
    if (count == 0)
        return false;
    stop_closing(pair, points, count);
    if (contact)
        *contact = contact_of(&points[count > 1 && points[1].impulse > points[0].impulse], origin);
    separate(NULL, pair, points, count);
    give_back(&pair[0], origin, a);
    give_back(&pair[1], origin, b);
    return true;
}
