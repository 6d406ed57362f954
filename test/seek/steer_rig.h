// Agents for tests of steering: random ones, and the kinematic model that moves them.
#ifndef TEST_STEER_RIG_H
#define TEST_STEER_RIG_H

#include "kerb/steer.h"
#include "test/seed.h"

#include <math.h>

static const kerb_vec3 origin = {0.0f, 0.0f, 0.0f};

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not %.9g within %.3g", value, expected, tolerance);
}

static void assert_no_wish(kerb_steering wish) {
    assert_true(wish.direction.x == 0.0f && wish.direction.y == 0.0f && wish.direction.z == 0.0f);
}

static float rig_distance(kerb_vec3 a, kerb_vec3 b) {
    return kerb_vec3_length(kerb_vec3_sub(a, b));
}

// A place in a cube, or in its level middle.
static kerb_vec3 rig_place(kerb_random* random, float most, bool level) {
    float x = kerb_random_between(random, -most, most);
    float y = kerb_random_between(random, -most, most);
    float z = kerb_random_between(random, -most, most);
    return kerb_vec3_make(x, y, level ? 0.0f : z);
}

static kerb_vec3 rig_direction(kerb_random* random, bool level) {
    kerb_vec3 place;
    do
        place = rig_place(random, 1.0f, level);
    while (!(kerb_vec3_length(place) > 0.1f && kerb_vec3_length(place) < 1.0f));
    return kerb_vec3_unit(place, kerb_vec3_make(1.0f, 0.0f, 0.0f));
}

static kerb_agent rig_agent(float speed, float turning_radius) {
    kerb_agent agent = {
        {0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, speed, 0.5f, turning_radius, 10.0f, 4.0f, 6.0f};
    return agent;
}

// Any pose, radius and speed, but no step of more than a third of the radius.
static kerb_agent rig_random_agent(kerb_random* random, float most, float time_step, bool level) {
    kerb_agent agent = rig_agent(kerb_random_between(random, 1.0f, 20.0f), 0.0f);
    agent.position = rig_place(random, most, level);
    agent.forward = rig_direction(random, level);
    agent.speed_max = agent.speed;
    float least = kerb_max(3.0f * agent.speed * time_step, 1.0f);
    agent.turning_radius = kerb_random_between(random, least, least + 15.0f);
    return agent;
}

#endif
