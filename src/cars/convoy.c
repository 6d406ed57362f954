// A convoy: each car drives in the trail of the first, at a distance behind it.
//
// Aiming at the car in front would cut every corner a little more than that car did. So the trail
// of the first car is recorded, a point every two metres. Each follower aims at a point of the
// trail a little ahead of its own position. Its speed is that of the first car, corrected by the
// error of its distance along the trail. O(points).
#include "kerb/cars.h"

#include "cars.h"

#include "../base/shared.h"

// Speed correction per distance error. [1/s]
#define CATCHING_UP 0.4f
// Look-ahead along the trail: a time, and a smallest distance. [s] [m]
#define AHEAD_TIME 0.5f
#define CONVOY_AHEAD_LEAST 3.0f
// A farther jump of the first car (a teleport) begins a new trail, one frame later, as
// vehicle/jump.h judges; but a trail is told no velocity and no time step, so the distance alone
// decides. [m]
#define CONVOY_JUMP 50.0f

static kerb_vec2 point_back(const kerb_trail* trail, int32_t back) {
    return trail->points[(trail->newest - back + KERB_TRAIL_POINTS) % KERB_TRAIL_POINTS];
}

static void convoy_begin(kerb_trail* trail, kerb_vec2 here) {
    trail->count = 1;
    trail->newest = 0;
    trail->distance = 0.0f;
    trail->points[0] = trail->here = here;
}

static void convoy_append(kerb_trail* trail, kerb_vec2 point) {
    trail->newest = (trail->newest + 1) % KERB_TRAIL_POINTS;
    trail->points[trail->newest] = point;
    trail->distance += KERB_TRAIL_SPACING;
    if (trail->count < KERB_TRAIL_POINTS)
        trail->count++;
}

void kerb_trail_record(kerb_trail* trail, kerb_vec3 position) {
    KERB_ASSERT(trail);
    if (!kerb_vec3_is_finite(position) || kerb_abs(position.x) > KERB_POSITION_MAX ||
        kerb_abs(position.y) > KERB_POSITION_MAX)
        return;
    kerb_vec2 here = steer_level(position);
    bool jumps = trail->count > 0 &&
                 kerb_vec2_length(kerb_vec2_sub(here, trail->points[trail->newest])) > CONVOY_JUMP;
    bool glitch = jumps && !trail->jumped; // unless it is still there in the next frame
    trail->jumped = glitch;
    if (glitch)
        return;
    if (trail->count <= 0 || jumps) {
        convoy_begin(trail, here);
        return;
    }
    trail->here = here;
    for (int32_t i = 0; i <= (int32_t)(CONVOY_JUMP / KERB_TRAIL_SPACING); i++) {
        kerb_vec2 last = trail->points[trail->newest];
        kerb_vec2 way = kerb_vec2_sub(here, last);
        float length = kerb_vec2_length(way);
        if (length < KERB_TRAIL_SPACING)
            break;
        convoy_append(trail,
                      kerb_vec2_add(last, kerb_vec2_scale(way, KERB_TRAIL_SPACING / length)));
    }
}

void kerb_trail_shift_origin(kerb_trail* trail, kerb_vec3 new_origin) {
    KERB_ASSERT(trail && kerb_vec3_is_finite(new_origin));
    const kerb_vec2 shift = steer_level(new_origin);
    for (int32_t i = 0; i < KERB_TRAIL_POINTS; i++)
        trail->points[i] = kerb_vec2_sub(trail->points[i], shift);
    trail->here = kerb_vec2_sub(trail->here, shift);
}

// The point `distance` metres back along the trail from the first car; at most its oldest point.
static kerb_vec2 place_back(const kerb_trail* trail, float distance) {
    kerb_vec2 newest = point_back(trail, 0);
    kerb_vec2 from = trail->here;
    float first = kerb_vec2_length(kerb_vec2_sub(from, newest));
    int32_t back = 0;
    kerb_vec2 to = newest;
    float length = first;
    while (distance > length && back + 1 < trail->count) {
        distance -= length;
        from = to;
        back++;
        to = point_back(trail, back);
        length = kerb_vec2_length(kerb_vec2_sub(to, from));
    }
    float share = length > 1.0e-4f ? kerb_clamp(distance / length, 0.0f, 1.0f) : 1.0f;
    return kerb_vec2_add(from, kerb_vec2_scale(kerb_vec2_sub(to, from), share));
}

// How far back along the trail the agent is: at the nearest point, and the most recent one if
// several are equally near. Between points by projection.
static float distance_back(const kerb_trail* trail, kerb_vec2 place) {
    float along = kerb_vec2_length(kerb_vec2_sub(trail->here, point_back(trail, 0)));
    float best = kerb_vec2_length(kerb_vec2_sub(place, trail->here)), where = 0.0f;
    for (int32_t back = 0; back < trail->count; back++) {
        kerb_vec2 point = point_back(trail, back);
        kerb_vec2 offset = kerb_vec2_sub(place, point);
        float apart = kerb_vec2_length(offset);
        kerb_vec2 ahead = back > 0 ? point_back(trail, back - 1) : trail->here;
        kerb_vec2 way = kerb_vec2_sub(ahead, point);
        float length = kerb_max(kerb_vec2_length(way), 1.0e-3f);
        // Behind the oldest point there is no trail: it counts as a straight line.
        float least = back + 1 == trail->count ? -1.0e4f : -1.0f;
        if (apart < best) {
            best = apart;
            where = along - kerb_clamp(kerb_vec2_dot(offset, way) / length, least, 1.0f);
        }
        along += KERB_TRAIL_SPACING;
    }
    return where;
}

// The greatest speed behind the car in front: it keeps half the gap and the braking distance.
static float convoy_speed_behind(const kerb_cars_settings* settings, const kerb_agent* agent,
                                 const kerb_neighbour* ahead) {
    kerb_vec2 apart = steer_level(kerb_vec3_sub(ahead->position, agent->position));
    kerb_vec2 front = steer_level(agent->forward);
    if (kerb_vec2_dot(apart, front) <= 0.0f)
        return agent->speed_max;
    float between = kerb_vec2_length(apart) - agent->radius - 0.5f * ahead->length;
    float left = between - 0.5f * settings->gap;
    float along = kerb_max(kerb_vec2_dot(steer_level(ahead->velocity), front), 0.0f);
    if (left <= 0.0f)
        return kerb_max(along + left, 0.0f);
    return kerb_sqrt(along * along + 2.0f * settings->deceleration * left);
}

kerb_steering kerb_convoy(const kerb_trail* trail, const kerb_cars_settings* settings,
                          const kerb_agent* agent, const kerb_neighbour* leader,
                          const kerb_neighbour* car_ahead, float distance) {
    KERB_ASSERT(trail && settings && agent && leader && car_ahead);
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !kerb_in_steer_is_finite_car(leader) ||
        !kerb_in_steer_is_finite_car(car_ahead) || !steer_is_number(distance) || trail->count <= 0)
        return kerb_steering_none();
    kerb_vec2 here = steer_level(agent->position);
    float back = distance_back(trail, here);
    float reach = CONVOY_AHEAD_LEAST + AHEAD_TIME * kerb_abs(agent->speed);
    kerb_vec2 aim = place_back(trail, kerb_max(back - reach, 0.0f));
    kerb_vec2 way = kerb_vec2_sub(aim, here);
    kerb_vec3 direction = kerb_vec3_unit(steer_on_ground(way), agent->forward);
    float of_leader = kerb_vec2_length(steer_level(leader->velocity));
    float speed = of_leader + CATCHING_UP * (back - distance);
    speed = kerb_min(kerb_max(speed, 0.0f), convoy_speed_behind(settings, agent, car_ahead));
    // While it waits for the first car to drive on, it does not turn to a point just in front of
    // it.
    if (kerb_vec2_length(way) < 0.5f * CONVOY_AHEAD_LEAST)
        direction = agent->forward;
    return steer_wish(direction, kerb_min(speed, agent->speed_max));
}
