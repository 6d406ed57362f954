// Behaviours of one agent among many: Reynolds' separation, alignment and cohesion, alone and
// combined as in a flock; and the step of an agent that moves in a flock.
//
// All four use the same kernel (flock_kernel.h). O(count), no memory.
//
// Source: C. Reynolds, "Flocks, herds, and schools" (1987); "Steering behaviors for autonomous
// characters" (1999).
#include "kerb/group.h"

#include "../steer/shared.h"
#include "flock_settings.h"

#include "../base/shared.h"

// ------------------------------------------------------------------- settings

#define GROUP_ROW(field, ...) KERB_IN_SETTING(kerb_flock_settings, field, __VA_ARGS__)
static const kerb_setting group_rows[] = {
    GROUP_ROW(separation_radius, "m", 0.01f, 1.0e6f, 6.0f, "others within it push the agent away"),
    GROUP_ROW(alignment_radius, "m", 0.01f, 1.0e6f, 9.0f,
              "turns to the heading of the others within it"),
    GROUP_ROW(cohesion_radius, "m", 0.01f, 1.0e6f, 9.0f, "moves towards the others within it"),
    GROUP_ROW(separation, "m/s", 0.0f, 1.0e3f, 2.0f,
              "urge away from a neighbour at 0.6 of the radius"),
    GROUP_ROW(alignment, "m/s", 0.0f, 1.0e3f, 5.0f,
              "urge to turn, per difference of heading vectors"),
    GROUP_ROW(cohesion, "m/s", 0.0f, 1.0e3f, 5.0f,
              "urge towards the others, at the radius from them"),
    GROUP_ROW(view_angle, "rad", 0.0f, KERB_PI, 2.4f,
              "sees others up to this angle from its front"),
    GROUP_ROW(speed, "m/s", 0.0f, 1.0e3f, 10.0f, "target speed when no other is near"),
    GROUP_ROW(speed_min, "m/s", 0.0f, 1.0e3f, 4.0f,
              "the urges never slow it below this; 0: may stop"),
};
const kerb_settings_table kerb_flock_settings_table = {
    "kerb_flock_settings", sizeof(kerb_flock_settings), group_rows,
    (int32_t)(sizeof group_rows / sizeof group_rows[0])};

kerb_flock_settings kerb_flock_settings_default(void) {
    kerb_flock_settings settings;
    kerb_settings_set_defaults(&kerb_flock_settings_table, &settings);
    return settings;
}

float kerb_in_flock_radius_of(const kerb_flock_settings* settings) {
    return kerb_max(kerb_max(settings->separation_radius, settings->alignment_radius),
                    settings->cohesion_radius);
}

static float group_square_of(float radius) {
    return radius * radius;
}

// The push of an agent at the same position: that of one at the distance FLOCK_CLOSE. [1/m]
static float tie_of(float radius) {
    return (1.0f / FLOCK_CLOSE - FLOCK_CLOSE) / radius;
}

static flock_reach reach_within(float separation, float alignment, float cohesion) {
    flock_reach reach = {
        group_square_of(separation),        group_square_of(alignment),
        group_square_of(cohesion),          group_square_of(FLOCK_CLOSE * separation),
        1.0f / group_square_of(separation), -4.0f};
    return reach;
}

flock_reach kerb_in_flock_reach_of(const kerb_flock_settings* settings) {
    flock_reach reach = reach_within(settings->separation_radius, settings->alignment_radius,
                                     settings->cohesion_radius);
    // A view all round includes an agent straight behind, whatever rounding does.
    float cosine = settings->view_angle >= KERB_PI ? -2.0f : kerb_cos(settings->view_angle);
    reach.view = cosine * kerb_abs(cosine);
    return reach;
}

flock_urges kerb_in_flock_urges_of(const kerb_flock_settings* settings) {
    flock_urges urges = {settings->separation * settings->separation_radius,
                         settings->alignment,
                         settings->cohesion / settings->cohesion_radius,
                         tie_of(settings->separation_radius),
                         settings->speed,
                         settings->speed_min};
    return urges;
}

// ------------------------------------------------------------------- agents in arrays

kerb_agent kerb_agents_get(const kerb_agents* agents, int32_t index) {
    KERB_ASSERT(agents && index >= 0 && index < agents->count);
    kerb_agent agent = {{agents->x[index], agents->y[index], 0.0f},
                        {agents->forward_x[index], agents->forward_y[index], 0.0f},
                        agents->speed[index],
                        agents->radius[index],
                        agents->turning_radius[index],
                        agents->speed_max[index],
                        agents->acceleration[index],
                        agents->braking[index]};
    if (agents->z) {
        agent.position.z = agents->z[index];
        agent.forward.z = agents->forward_z[index];
    }
    return agent;
}

void kerb_agents_set(const kerb_agents* agents, int32_t index, const kerb_agent* agent) {
    KERB_ASSERT(agents && agent && index >= 0 && index < agents->count);
    agents->x[index] = agent->position.x;
    agents->y[index] = agent->position.y;
    agents->forward_x[index] = agent->forward.x;
    agents->forward_y[index] = agent->forward.y;
    if (agents->z) {
        agents->z[index] = agent->position.z;
        agents->forward_z[index] = agent->forward.z;
    }
    agents->speed[index] = agent->speed;
    agents->radius[index] = agent->radius;
    agents->turning_radius[index] = agent->turning_radius;
    agents->speed_max[index] = agent->speed_max;
    agents->acceleration[index] = agent->acceleration;
    agents->braking[index] = agent->braking;
}

// ------------------------------------------------------------------- looking at a group

static int32_t group_member_of(const kerb_group* group, int32_t n) {
    return group->indices ? group->indices[n] : n;
}

static flock_member member_at(const kerb_agents* agents, int32_t i) {
    flock_member member = {agents->x[i],
                           agents->y[i],
                           agents->z ? agents->z[i] : 0.0f,
                           flock_number(agents->forward_x[i]),
                           flock_number(agents->forward_y[i]),
                           agents->z ? flock_number(agents->forward_z[i]) : 0.0f,
                           i};
    return member;
}

static flock_sums sums_over(const flock_reach* reach, const kerb_agent* agent,
                            const kerb_group* group) {
    KERB_ASSERT(agent && group && group->agents && group->count >= 0);
    const flock_member self = {agent->position.x, agent->position.y, agent->position.z,
                               agent->forward.x,  agent->forward.y,  agent->forward.z,
                               group->self};
    const bool is_level = !group->agents->z;
    flock_sums sums = {0};
    for (int32_t n = 0; n < group->count; n++) {
        flock_member other = member_at(group->agents, group_member_of(group, n));
        sums = is_level ? flock_added(sums, self, other, *reach, true)
                        : flock_added(sums, self, other, *reach, false);
    }
    return sums;
}

kerb_steering kerb_flock_steer(const kerb_flock_settings* settings, const kerb_agent* agent,
                               const kerb_group* group) {
    KERB_ASSERT(settings);
    const flock_reach reach = kerb_in_flock_reach_of(settings);
    flock_sums sums = sums_over(&reach, agent, group);
    flock_motion wish = flock_wish(&sums, agent->forward, group->self, agent->speed_max,
                                   kerb_in_flock_urges_of(settings));
    // Not steer_wish: kerb_flock_update must compute the same bits.
    kerb_steering result = {{wish.forward_x, wish.forward_y, wish.forward_z}, wish.speed};
    bool is_finite = kerb_vec3_is_finite(agent->position) && kerb_vec3_is_finite(agent->forward) &&
                     kerb_is_finite(agent->speed) && kerb_is_finite(wish.speed);
    return is_finite ? result : kerb_steering_none();
}

// ------------------------------------------------------------------- one urge alone

static float group_held(float radius) {
    return kerb_clamp(radius, 0.01f, 1.0e6f);
}

static flock_reach group_reach_of(float radius) {
    return reach_within(group_held(radius), group_held(radius), group_held(radius));
}

// `vector` as a desired steering; none when the vector is 0 or not finite.
static kerb_steering wish_along(kerb_vec3 vector, float speed) {
    const kerb_vec3 nowhere = {0.0f, 0.0f, 0.0f};
    return steer_wish(kerb_vec3_unit(vector, nowhere), speed);
}

kerb_steering kerb_separation(const kerb_agent* agent, const kerb_group* group, float radius) {
    const flock_reach reach = group_reach_of(radius);
    flock_sums sums = sums_over(&reach, agent, group);
    kerb_vec3 left = kerb_vec3_make(-agent->forward.y, agent->forward.x, 0.0f);
    kerb_vec3 push = kerb_vec3_make(sums.push_x, sums.push_y, sums.push_z);
    push = kerb_vec3_along(push, left,
                           sums.ties * tie_of(group_held(radius)) * flock_side(group->self));
    float strength = kerb_vec3_length(push) * group_held(radius);
    return wish_along(push, kerb_min(strength, 1.0f) * agent->speed_max);
}

// Mean speed of the agents within reach, in the group's order.
static float mean_speed(const flock_reach* reach, const kerb_agent* agent, const kerb_group* group,
                        float count) {
    const kerb_agents* others = group->agents;
    float sum = 0.0f;
    for (int32_t n = 0; n < group->count; n++) {
        int32_t i = group_member_of(group, n);
        float x = others->x[i] - agent->position.x, y = others->y[i] - agent->position.y;
        float z = others->z ? others->z[i] - agent->position.z : 0.0f;
        bool is_near = x * x + y * y + z * z <= reach->alignment_square && i != group->self;
        sum += is_near ? flock_number(others->speed[i]) : 0.0f;
    }
    return sum / count;
}

kerb_steering kerb_alignment(const kerb_agent* agent, const kerb_group* group, float radius) {
    const flock_reach reach = group_reach_of(radius);
    flock_sums sums = sums_over(&reach, agent, group);
    if (!(sums.aligned > 0.0f))
        return wish_along(kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
    kerb_vec3 heading = kerb_vec3_make(sums.heading_x, sums.heading_y, sums.heading_z);
    return wish_along(heading, mean_speed(&reach, agent, group, sums.aligned));
}

kerb_steering kerb_cohesion(const kerb_agent* agent, const kerb_group* group, float radius) {
    const flock_reach reach = group_reach_of(radius);
    flock_sums sums = sums_over(&reach, agent, group);
    kerb_vec3 way = kerb_vec3_make(sums.way_x, sums.way_y, sums.way_z);
    way = kerb_vec3_scale(way, 1.0f / kerb_max(sums.gathered, 1.0f));
    float share = kerb_vec3_length(way) / group_held(radius);
    return wish_along(way, kerb_min(share, 1.0f) * agent->speed_max);
}

// ------------------------------------------------------------------- a step

kerb_agent kerb_flock_step(const kerb_agent* agent, const kerb_steering* desired, float time_step) {
    KERB_ASSERT(agent && desired);
    flock_motion from = {agent->position.x, agent->position.y, agent->position.z, agent->forward.x,
                         agent->forward.y,  agent->forward.z,  agent->speed};
    flock_motion wanted = {
        0.0f,          0.0f, 0.0f, desired->direction.x, desired->direction.y, desired->direction.z,
        desired->speed};
    flock_limits limits = {agent->turning_radius, agent->speed_max, agent->acceleration,
                           agent->braking};
    flock_motion to = flock_stepped(from, wanted, limits, time_step);
    kerb_agent result = *agent;
    result.position = kerb_vec3_make(to.x, to.y, to.z);
    result.forward = kerb_vec3_make(to.forward_x, to.forward_y, to.forward_z);
    result.speed = to.speed;
    return result;
}
