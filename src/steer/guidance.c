// Steering by things in the world: a path's corridor, a wall, a flow field; and hiding behind
// obstacles.
//
// Each behaviour predicts the agent's position after a while and asks there: is it inside the
// corridor, how far is the wall, what is the direction of the flow. O(1) in the path's length,
// O(count) in walls and obstacles. Source: Reynolds 1999.
#include "behaviour.h"

#include "../base/shared.h"

// Smallest look-ahead of slow agents. [m]
#define GUIDANCE_LOOK_LEAST 0.5f

kerb_obstacle kerb_obstacle_round(kerb_vec3 centre, float radius) {
    kerb_obstacle obstacle = {centre, centre, radius};
    return obstacle;
}

kerb_obstacle kerb_obstacle_between(kerb_vec3 from, kerb_vec3 to) {
    kerb_obstacle obstacle = {from, to, 0.0f};
    return obstacle;
}

static bool guidance_is_obstacle(const kerb_obstacle* obstacle) {
    return steer_is_place(obstacle->from) && steer_is_place(obstacle->to) &&
           steer_is_number(obstacle->radius);
}

static kerb_vec3 guidance_place_in(const kerb_agent* agent, float time) {
    return kerb_vec3_along(agent->position, agent->forward, kerb_max(agent->speed, 0.0f) * time);
}

// Direction to a target that moves ahead with the agent. It need not be reached, so the agent must
// not turn away when the target is inside the turning circle.
static kerb_vec3 aimed_at(const kerb_agent* agent, kerb_vec3 aim) {
    return kerb_vec3_unit(kerb_vec3_sub(aim, agent->position), agent->forward);
}

// --------------------------------------------------------------------------- paths

// The whole body is inside the corridor. A corridor narrower than the body counts as its middle
// line.
static bool guidance_is_inside(const kerb_agent* agent, const kerb_path* path,
                               kerb_path_location at, kerb_vec3 place) {
    kerb_path_sample sample = kerb_path_sample_at(path, at);
    float across = kerb_path_cross_track(path, at, place);
    float height = kerb_abs(place.z - sample.position.z);
    return across <= kerb_max(sample.left - agent->radius, 0.0f) &&
           -across <= kerb_max(sample.right - agent->radius, 0.0f) &&
           height <= kerb_max(kerb_min(sample.left, sample.right) - agent->radius, 0.0f);
}

// The path straight ahead over `ahead` metres is inside the corridor and does not go against the
// path.
static bool goes_along(const kerb_agent* agent, const kerb_path* path, kerb_path_location here,
                       float ahead) {
    for (int32_t i = 1; i <= 4; i++) {
        float metres = 0.25f * (float)i * ahead;
        kerb_vec3 place = kerb_vec3_along(agent->position, agent->forward, metres);
        kerb_path_location at = kerb_path_advance(path, here, metres);
        if (!guidance_is_inside(agent, path, at, place))
            return false;
    }
    kerb_path_location at = kerb_path_advance(path, here, ahead);
    return kerb_vec3_dot(kerb_path_sample_at(path, at).direction, agent->forward) > 0.7f;
}

// The speed limit here, and a speed that can stop at the path's end.
static float path_speed(const kerb_agent* agent, const kerb_path* path, kerb_path_location here,
                        float time_step) {
    float most = kerb_min(agent->speed_max, kerb_path_sample_at(path, here).speed_limit);
    if (path->closed)
        return most;
    float left = (float)(path->length - kerb_path_distance(path, here));
    return left > 0.01f ? kerb_min(most, kerb_in_steer_speed_before(agent, 0.0f, left, time_step))
                        : 0.0f;
}

kerb_steering kerb_follow_path(const kerb_agent* agent, const kerb_path* path,
                               kerb_path_location here, float lookahead_time, float time_step) {
    KERB_ASSERT(agent && path && path->count >= 2);
    if (!kerb_in_steer_is_usable(agent, time_step) || !steer_is_time(lookahead_time) ||
        !kerb_is_finite(here.segment_distance) || here.segment < 0 ||
        here.segment >= path->segment_count)
        return kerb_steering_none();
    float speed = path_speed(agent, path, here, time_step);
    float ahead = kerb_max(kerb_max(agent->speed, 0.0f) * lookahead_time, GUIDANCE_LOOK_LEAST);
    ahead = kerb_max(ahead, 0.5f * agent->turning_radius);
    if (goes_along(agent, path, here, ahead))
        return steer_wish(agent->forward, speed);
    kerb_path_location at = kerb_path_advance(path, here, ahead);
    kerb_vec3 aim = kerb_path_position(path, at);
    // An open path continues straight beyond its end. An agent that aimed at the end itself would
    // stop beside it.
    float beyond = ahead - kerb_path_distance_between(path, here, at);
    if (!path->closed && beyond > 0.0f)
        aim = kerb_vec3_along(aim, kerb_path_sample_at(path, at).direction, beyond);
    return steer_wish(aimed_at(agent, aim), speed);
}

// --------------------------------------------------------------------------- walls

// The wall whose surface is nearest, or NULL.
static const kerb_obstacle* nearest_wall(const kerb_obstacle* walls, int32_t count,
                                         kerb_vec3 place) {
    const kerb_obstacle* nearest = NULL;
    float least = (float)INFINITY;
    for (int32_t i = 0; i < count; i++) {
        if (!guidance_is_obstacle(&walls[i]))
            continue;
        kerb_vec3 to = kerb_vec3_sub(steer_nearest_on(&walls[i], place), place);
        float distance = kerb_vec3_length(to) - walls[i].radius;
        if (distance < least) {
            least = distance;
            nearest = &walls[i];
        }
    }
    return nearest;
}

kerb_steering kerb_follow_wall(const kerb_agent* agent, const kerb_obstacle* walls, int32_t count,
                               int32_t side, float distance, float lookahead_time) {
    KERB_ASSERT(agent && (walls || count == 0) && (side == 1 || side == -1));
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !steer_is_time(lookahead_time) ||
        !(distance >= 0.0f) || !steer_is_number(distance))
        return kerb_steering_none();
    kerb_vec3 ahead = guidance_place_in(agent, lookahead_time);
    const kerb_obstacle* wall = nearest_wall(walls, count, ahead);
    if (!wall)
        return kerb_steering_none();
    // On the agent's side, although the predicted position may be beyond the wall.
    kerb_vec3 foot = steer_nearest_on(wall, ahead);
    kerb_vec3 off = kerb_vec3_sub(agent->position, steer_nearest_on(wall, agent->position));
    off.z = 0.0f;
    kerb_vec3 normal =
        kerb_vec3_unit(off, kerb_vec3_scale(kerb_in_steer_side(agent->forward, agent->forward),
                                            side > 0 ? -1.0f : 1.0f));
    float way = side > 0 ? 1.0f : -1.0f;
    kerb_vec3 tangent = kerb_vec3_make(-normal.y * way, normal.x * way, 0.0f);
    float lead = kerb_max(kerb_max(agent->speed, 0.0f) * lookahead_time, agent->turning_radius);
    foot.z = agent->position.z;
    kerb_vec3 aim = kerb_vec3_along(foot, normal, wall->radius + distance);
    aim = kerb_vec3_along(aim, tangent, lead);
    return steer_wish(aimed_at(agent, aim), agent->speed_max);
}

// --------------------------------------------------------------------------- flows

// The two grid points of one axis between which `x` lies, and the share of the distance from the
// first to the second.
typedef struct bracket {
    int32_t first, second;
    float share;
} bracket;

static bracket bracket_of(float x, int32_t count) {
    float held = kerb_clamp(x, 0.0f, (float)(count - 1));
    bracket b;
    b.first = (int32_t)held;
    b.second = b.first + 1 < count ? b.first + 1 : b.first;
    b.share = held - (float)b.first;
    return b;
}

static kerb_vec3 guidance_mixed(kerb_vec3 a, kerb_vec3 b, float share) {
    return kerb_vec3_along(kerb_vec3_scale(a, 1.0f - share), b, share);
}

static kerb_vec3 flow_in_row(const kerb_flow_field* field, bracket x, int32_t row, int32_t layer) {
    int64_t begin = ((int64_t)layer * field->rows + row) * field->columns;
    const kerb_vec3* places = field->directions + begin;
    return guidance_mixed(places[x.first], places[x.second], x.share);
}

static kerb_vec3 flow_in_layer(const kerb_flow_field* field, bracket x, bracket y, int32_t layer) {
    return guidance_mixed(flow_in_row(field, x, y.first, layer),
                          flow_in_row(field, x, y.second, layer), y.share);
}

kerb_vec3 kerb_flow_at(const kerb_flow_field* field, kerb_vec3 position) {
    KERB_ASSERT(field && field->directions && field->columns >= 1 && field->rows >= 1);
    KERB_ASSERT(field->layers >= 1 && field->spacing > 0.0f);
    kerb_vec3 at = kerb_vec3_scale(kerb_vec3_sub(position, field->origin), 1.0f / field->spacing);
    bracket x = bracket_of(at.x, field->columns), y = bracket_of(at.y, field->rows);
    bracket z = bracket_of(at.z, field->layers);
    return guidance_mixed(flow_in_layer(field, x, y, z.first), flow_in_layer(field, x, y, z.second),
                          z.share);
}

kerb_steering kerb_follow_flow(const kerb_agent* agent, const kerb_flow_field* field,
                               float lookahead_time) {
    KERB_ASSERT(agent && field);
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !steer_is_time(lookahead_time))
        return kerb_steering_none();
    kerb_vec3 flow = kerb_flow_at(field, guidance_place_in(agent, lookahead_time));
    float share = kerb_vec3_length(flow);
    if (!(share > 1e-3f) || !kerb_vec3_is_finite(flow))
        return kerb_steering_none();
    return steer_wish(kerb_vec3_unit(flow, agent->forward),
                      kerb_min(share, 1.0f) * agent->speed_max);
}

// --------------------------------------------------------------------------- hiding

// A point behind an obstacle: from the threat on through the nearest point of the obstacle's line.
static kerb_vec3 place_behind(const kerb_obstacle* obstacle, kerb_vec3 threat, float beyond) {
    kerb_vec3 middle = steer_nearest_on(obstacle, threat);
    kerb_vec3 away =
        kerb_vec3_unit(kerb_vec3_sub(middle, threat), kerb_vec3_make(1.0f, 0.0f, 0.0f));
    return kerb_vec3_along(middle, away, obstacle->radius + beyond);
}

kerb_steering kerb_hide(const kerb_agent* agent, kerb_vec3 threat, const kerb_obstacle* obstacles,
                        int32_t count, float clearance, float time_step) {
    KERB_ASSERT(agent && (obstacles || count == 0));
    if (!kerb_in_steer_is_usable(agent, time_step) || !steer_is_place(threat) ||
        !steer_is_number(clearance))
        return kerb_steering_none();
    kerb_vec3 best = agent->position;
    float least = (float)INFINITY;
    for (int32_t i = 0; i < count; i++) {
        if (!guidance_is_obstacle(&obstacles[i]))
            continue;
        kerb_vec3 place = place_behind(&obstacles[i], threat, agent->radius + clearance);
        // Not by the length of the path: that jumps by a full circle when a point is just missed.
        float distance = kerb_vec3_length(kerb_vec3_sub(place, agent->position));
        if (distance < least) {
            least = distance;
            best = place;
        }
    }
    return least < (float)INFINITY ? kerb_arrive(agent, best, time_step) : kerb_steering_none();
}
