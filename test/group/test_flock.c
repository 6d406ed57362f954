// Behaviours of groups: each urge alone against its definition, the batch against the same agents
// one by one, to the bit, and what a flock is for: agents that keep together and head one way.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/steer.h"

#include "kerb/group.h"
#include "test/allocation.h"
#include "test/seed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 600, NUMBERS = 12 };

typedef struct crowd {
    float of[NUMBERS][MOST];
    kerb_agents agents;
} crowd;

static void lay_out(crowd* c, int32_t count, bool is_level) {
    float(*f)[MOST] = c->of;
    kerb_agents agents = {count,
                          f[0],
                          f[1],
                          is_level ? NULL : f[2],
                          f[3],
                          f[4],
                          is_level ? NULL : f[5],
                          f[6],
                          f[7],
                          f[8],
                          f[9],
                          f[10],
                          f[11]};
    memset(c->of, 0, sizeof c->of);
    c->agents = agents;
}

static kerb_agent agent_at(float x, float y, float heading) {
    kerb_agent agent = {
        {x, y, 0.0f}, {kerb_cos(heading), kerb_sin(heading), 0.0f}, 8.0f, 1.0f, 5.0f, 14.0f, 4.0f,
        6.0f};
    return agent;
}

static kerb_vec3 random_direction(kerb_random* random, bool is_level) {
    kerb_vec3 v = {kerb_random_between(random, -1.0f, 1.0f),
                   kerb_random_between(random, -1.0f, 1.0f),
                   is_level ? 0.0f : kerb_random_between(random, -1.0f, 1.0f)};
    return kerb_vec3_unit(v, kerb_vec3_make(1.0f, 0.0f, 0.0f));
}

static void fill(crowd* c, int32_t count, bool is_level, float size, kerb_random* random) {
    lay_out(c, count, is_level);
    for (int32_t i = 0; i < count; i++) {
        kerb_agent agent = agent_at(0.0f, 0.0f, 0.0f);
        agent.position.x = kerb_random_between(random, -size, size);
        agent.position.y = kerb_random_between(random, -size, size);
        agent.position.z = is_level ? 0.0f : kerb_random_between(random, -size, size);
        agent.forward = random_direction(random, is_level);
        agent.speed = kerb_random_between(random, -2.0f, 12.0f);
        agent.turning_radius = kerb_random_between(random, 0.0f, 9.0f);
        kerb_agents_set(&c->agents, i, &agent);
    }
}

// Same places, and numbers that are none.
static void spoil(crowd* c, kerb_random* random) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, 3e38f, 1e-42f};
    for (int32_t n = 0; n < c->agents.count / 10; n++) {
        int32_t i = kerb_random_below(random, c->agents.count);
        int32_t j = kerb_random_below(random, c->agents.count);
        kerb_agent agent = kerb_agents_get(&c->agents, i);
        kerb_agents_set(&c->agents, j, &agent);
        int32_t field = kerb_random_below(random, NUMBERS);
        if (n % 2 == 0 && (c->agents.z || (field != 2 && field != 5)))
            c->of[field][i] = odd[kerb_random_below(random, 5)];
    }
}

static kerb_flock_settings random_settings(kerb_random* random) {
    kerb_flock_settings settings = kerb_flock_settings_default();
    settings.separation_radius = kerb_random_between(random, 0.5f, 10.0f);
    settings.alignment_radius = kerb_random_between(random, 0.5f, 10.0f);
    settings.cohesion_radius = kerb_random_between(random, 0.5f, 10.0f);
    settings.view_angle =
        kerb_random_below(random, 3) == 0 ? KERB_PI : kerb_random_between(random, 0.0f, 3.0f);
    settings.speed_min = kerb_random_between(random, 0.0f, 5.0f);
    return settings;
}

static bool are_same_bits(const crowd* a, const crowd* b) {
    return memcmp(a->of, b->of, sizeof a->of) == 0;
}

static void step_one_by_one(const crowd* before, crowd* after, const kerb_flock_settings* settings,
                            kerb_neighbour_grid* grid, float time_step) {
    static int32_t found[MOST];
    const kerb_agents* agents = &before->agents;
    float radius = fmaxf(settings->separation_radius,
                         fmaxf(settings->alignment_radius, settings->cohesion_radius));
    kerb_neighbour_grid_build(grid, agents->x, agents->y, agents->z, agents->count, radius);
    for (int32_t i = 0; i < agents->count; i++) {
        kerb_agent agent = kerb_agents_get(agents, i);
        int32_t count = kerb_neighbours_within(grid, agent.position, radius, found, MOST);
        kerb_group group = {agents, found, count, i};
        kerb_steering wish = kerb_flock_steer(settings, &agent, &group);
        agent = kerb_flock_step(&agent, &wish, time_step);
        kerb_agents_set(&after->agents, i, &agent);
    }
}

static void a_flock_at_once_moves_as_its_agents_one_by_one(void** state) {
    (void)state;
    kerb_random random = test_random("flock");
    static crowd at_once, before, one_by_one;
    kerb_host host = kerb_host_default();
    kerb_flock flock;
    kerb_neighbour_grid grid;
    assert_int_equal(kerb_flock_create(&flock, MOST, &host, NULL), KERB_OK);
    assert_int_equal(kerb_neighbour_grid_create(&grid, MOST, &host, NULL), KERB_OK);
    for (int32_t round = 0; round < 300; round++) {
        bool is_level = round % 2 == 0;
        int32_t count = kerb_random_below(&random, MOST + 1);
        fill(&at_once, count, is_level, kerb_random_between(&random, 1.0f, 200.0f), &random);
        if (round % 3 == 0 && count > 0)
            spoil(&at_once, &random);
        kerb_flock_settings settings = random_settings(&random);
        lay_out(&before, count, is_level);
        lay_out(&one_by_one, count, is_level);
        for (int32_t step = 0; step < 3; step++) {
            memcpy(before.of, at_once.of, sizeof at_once.of);
            memcpy(one_by_one.of, at_once.of, sizeof at_once.of);
            kerb_flock_update(&flock, &settings, &at_once.agents, 0.05f);
            step_one_by_one(&before, &one_by_one, &settings, &grid, 0.05f);
            assert_true(are_same_bits(&at_once, &one_by_one));
        }
    }
    kerb_neighbour_grid_destroy(&grid);
    kerb_flock_destroy(&flock);
}

static void level_agents_move_the_same_with_heights_of_zero(void** state) {
    (void)state;
    kerb_random random = test_random("heights");
    static crowd level, space;
    kerb_host host = kerb_host_default();
    kerb_flock flock;
    kerb_flock_settings settings = kerb_flock_settings_default();
    assert_int_equal(kerb_flock_create(&flock, MOST, &host, NULL), KERB_OK);
    fill(&level, MOST, true, 60.0f, &random);
    lay_out(&space, MOST, false);
    memcpy(space.of, level.of, sizeof level.of);
    for (int32_t step = 0; step < 50; step++) {
        kerb_flock_update(&flock, &settings, &level.agents, 0.05f);
        kerb_flock_update(&flock, &settings, &space.agents, 0.05f);
    }
    for (int32_t i = 0; i < MOST; i++) {
        assert_true(level.of[0][i] == space.of[0][i] && level.of[1][i] == space.of[1][i]);
        assert_true(space.of[2][i] == 0.0f && space.of[5][i] == 0.0f);
    }
    kerb_flock_destroy(&flock);
}

// ------------------------------------------------------------------- urges

static void assert_near(float a, float b, float tolerance) {
    if (!(fabsf(a - b) <= tolerance))
        fail_msg("%.9g is not %.9g", (double)a, (double)b);
}

static void separation_is_the_sum_of_pushes_away(void** state) {
    (void)state;
    kerb_random random = test_random("separation");
    static crowd c;
    for (int32_t round = 0; round < 500; round++) {
        int32_t count = 1 + kerb_random_below(&random, 30);
        fill(&c, count, round % 2 == 0, 8.0f, &random);
        kerb_agent agent = kerb_agents_get(&c.agents, 0);
        kerb_group group = {&c.agents, NULL, count, 0};
        kerb_steering wish = kerb_separation(&agent, &group, 6.0f);
        double push[3] = {0.0, 0.0, 0.0};
        for (int32_t i = 1; i < count; i++) {
            kerb_agent other = kerb_agents_get(&c.agents, i);
            kerb_vec3 way = kerb_vec3_sub(agent.position, other.position);
            double distance = sqrt((double)kerb_vec3_dot(way, way));
            double close = fmax(distance, 0.6);
            double weight = distance <= 6.0 ? (6.0 / (close * close) - 1.0 / 6.0) : 0.0;
            push[0] += (double)way.x * weight;
            push[1] += (double)way.y * weight;
            push[2] += (double)way.z * weight;
        }
        double length = sqrt(push[0] * push[0] + push[1] * push[1] + push[2] * push[2]);
        if (length < 1e-3)
            continue;
        assert_near(wish.direction.x, (float)(push[0] / length), 2e-3f);
        assert_near(wish.direction.y, (float)(push[1] / length), 2e-3f);
        assert_near(wish.direction.z, (float)(push[2] / length), 2e-3f);
        assert_near(wish.speed, 14.0f * fminf((float)length, 1.0f), 1e-2f);
    }
}

static void alignment_is_the_mean_heading_and_speed(void** state) {
    (void)state;
    static crowd c;
    lay_out(&c, 4, true);
    kerb_agent agents[4] = {agent_at(0, 0, 0), agent_at(3, 0, 1.0f), agent_at(0, 4, 2.0f),
                            agent_at(50, 0, -1.0f)};
    agents[1].speed = 4.0f;
    agents[2].speed = 10.0f;
    for (int32_t i = 0; i < 4; i++)
        kerb_agents_set(&c.agents, i, &agents[i]);
    kerb_group group = {&c.agents, NULL, 4, 0};
    kerb_steering wish = kerb_alignment(&agents[0], &group, 5.0f);
    assert_near(wish.direction.x, kerb_cos(1.5f), 1e-5f);
    assert_near(wish.direction.y, kerb_sin(1.5f), 1e-5f);
    assert_near(wish.speed, 7.0f, 1e-5f);
}

static void cohesion_leads_to_the_middle(void** state) {
    (void)state;
    static crowd c;
    lay_out(&c, 3, true);
    kerb_agent agents[3] = {agent_at(1, 1, 2.0f), agent_at(5, 1, 0), agent_at(5, 5, 0)};
    for (int32_t i = 0; i < 3; i++)
        kerb_agents_set(&c.agents, i, &agents[i]);
    kerb_group group = {&c.agents, NULL, 3, 0};
    kerb_steering wish = kerb_cohesion(&agents[0], &group, 10.0f);
    assert_near(wish.direction.x, 4.0f / sqrtf(20.0f), 1e-6f);
    assert_near(wish.direction.y, 2.0f / sqrtf(20.0f), 1e-6f);
    assert_near(wish.speed, 14.0f * sqrtf(20.0f) / 10.0f, 1e-5f);
}

static void nobody_near_is_no_wish_and_a_flock_of_one_cruises(void** state) {
    (void)state;
    static crowd c;
    lay_out(&c, 2, true);
    kerb_agent agent = agent_at(0, 0, 1.0f), far = agent_at(1000, 0, 2.0f);
    kerb_agents_set(&c.agents, 0, &agent);
    kerb_agents_set(&c.agents, 1, &far);
    kerb_group group = {&c.agents, NULL, 2, 0}, nobody = {&c.agents, NULL, 0, -1};
    assert_true(kerb_separation(&agent, &group, 5.0f).speed == 0.0f);
    assert_true(kerb_separation(&agent, &group, 5.0f).direction.x == 0.0f);
    assert_true(kerb_alignment(&agent, &group, 5.0f).direction.x == 0.0f);
    assert_true(kerb_cohesion(&agent, &nobody, 5.0f).direction.y == 0.0f);
    kerb_flock_settings settings = kerb_flock_settings_default();
    kerb_steering wish = kerb_flock_steer(&settings, &agent, &group);
    assert_near(wish.direction.x, agent.forward.x, 1e-6f);
    assert_near(wish.speed, settings.speed, 1e-5f);
}

// The documented sum, in doubles.
static void a_flock_wishes_the_sum_of_its_urges(void** state) {
    (void)state;
    kerb_random random = test_random("sum");
    static crowd c;
    for (int32_t round = 0; round < 300; round++) {
        int32_t count = 2 + kerb_random_below(&random, 30);
        fill(&c, count, true, 9.0f, &random);
        kerb_flock_settings s = random_settings(&random);
        s.view_angle = KERB_PI;
        kerb_agent agent = kerb_agents_get(&c.agents, 0);
        kerb_group group = {&c.agents, NULL, count, 0};
        double push[2] = {0, 0}, turn[2] = {0, 0}, way[2] = {0, 0}, turns = 0, gathers = 0;
        for (int32_t i = 1; i < count; i++) {
            double to[2] = {(double)(c.of[0][i] - c.of[0][0]), (double)(c.of[1][i] - c.of[1][0])};
            double distance = hypot(to[0], to[1]), radius = (double)s.separation_radius;
            double close = fmax(distance, 0.1 * radius);
            double weight = distance <= radius ? radius / (close * close) - 1.0 / radius : 0.0;
            bool turns_it = distance <= (double)s.alignment_radius;
            bool gathers_it = distance <= (double)s.cohesion_radius;
            for (int32_t k = 0; k < 2; k++) {
                push[k] -= to[k] * weight;
                turn[k] += turns_it ? (double)(c.of[3 + k][i] - c.of[3 + k][0]) : 0.0;
                way[k] += gathers_it ? to[k] / (double)s.cohesion_radius : 0.0;
            }
            turns += turns_it;
            gathers += gathers_it;
        }
        double v[2], along = 0.0;
        for (int32_t k = 0; k < 2; k++) {
            double forward = (double)c.of[3 + k][0];
            v[k] = (double)s.speed * forward + (double)s.separation * push[k] +
                   (double)s.alignment * turn[k] / fmax(turns, 1.0) +
                   (double)s.cohesion * way[k] / fmax(gathers, 1.0);
            along += v[k] * forward;
        }
        if (hypot(v[0], v[1]) < 0.1)
            continue;
        kerb_steering wish = kerb_flock_steer(&s, &agent, &group);
        assert_near(wish.direction.x, (float)(v[0] / hypot(v[0], v[1])), 1e-3f);
        assert_near(wish.direction.y, (float)(v[1] / hypot(v[0], v[1])), 1e-3f);
        assert_near(wish.speed, (float)fmin(fmax(along, (double)s.speed_min), 14.0), 1e-2f);
    }
}

static void those_behind_its_back_are_not_seen(void** state) {
    (void)state;
    static crowd c;
    lay_out(&c, 2, true);
    kerb_flock_settings settings = kerb_flock_settings_default();
    settings.view_angle = 1.0f;
    kerb_agent agent = agent_at(0, 0, 0);
    kerb_agents_set(&c.agents, 0, &agent);
    kerb_group group = {&c.agents, NULL, 2, 0};
    for (int32_t n = 0; n < 63; n++) {
        float bearing = 0.05f + 0.1f * (float)n; // never quite 1, to either side
        kerb_agent other = agent_at(3.0f * kerb_cos(bearing), 3.0f * kerb_sin(bearing), 2.0f);
        kerb_agents_set(&c.agents, 1, &other);
        kerb_steering wish = kerb_flock_steer(&settings, &agent, &group);
        bool is_seen = wish.direction.x < 0.99999f || kerb_abs(wish.speed - settings.speed) > 1e-4f;
        assert_int_equal(is_seen, kerb_abs(kerb_wrap_angle(bearing)) < 1.0f);
    }
}

static void agents_in_the_same_place_part(void** state) {
    (void)state;
    static crowd c;
    kerb_host host = kerb_host_default();
    kerb_flock flock;
    kerb_flock_settings settings = kerb_flock_settings_default();
    assert_int_equal(kerb_flock_create(&flock, 8, &host, NULL), KERB_OK);
    lay_out(&c, 8, true);
    kerb_agent agent = agent_at(7.0f, 7.0f, 0.3f);
    for (int32_t i = 0; i < 8; i++)
        kerb_agents_set(&c.agents, i, &agent);
    for (int32_t step = 0; step < 300; step++)
        kerb_flock_update(&flock, &settings, &c.agents, 1.0f / 60.0f);
    for (int32_t i = 0; i < 8; i++) {
        for (int32_t j = 0; j < i; j++)
            assert_true(hypotf(c.of[0][i] - c.of[0][j], c.of[1][i] - c.of[1][j]) > 1.0f);
    }
    kerb_flock_destroy(&flock);
}

// ------------------------------------------------------------------- the step

static void a_step_turns_on_a_circle_of_the_turning_radius(void** state) {
    (void)state;
    kerb_agent agent = agent_at(3.0f, -2.0f, 0.7f);
    agent.turning_radius = 10.0f;
    kerb_steering left = {{-agent.forward.y, agent.forward.x, 0.0f}, 8.0f};
    kerb_vec3 centre = kerb_vec3_along(agent.position, left.direction, 10.0f);
    float turned = 0.0f;
    for (int32_t step = 0; step < 10000; step++) {
        kerb_vec3 before = agent.forward;
        left.direction = kerb_vec3_make(-agent.forward.y, agent.forward.x, 0.0f);
        agent = kerb_flock_step(&agent, &left, 1.0f / 60.0f);
        kerb_vec2 a = {before.x, before.y}, b = {agent.forward.x, agent.forward.y};
        turned += kerb_vec2_cross(a, b);
        assert_near(kerb_vec3_length(agent.forward), 1.0f, 1e-6f);
    }
    float angle = 8.0f / 60.0f / 10.0f;
    assert_near(kerb_vec3_length(kerb_vec3_sub(agent.position, centre)), 10.0f, 0.05f);
    assert_near(turned, 10000.0f * angle, 10000.0f * angle * angle * angle);
}

static void a_step_of_a_large_turn_ends_on_the_arc(void** state) {
    (void)state;
    for (int32_t n = 1; n <= 10; n++) {
        // Turns by an angle that is wished, over an arc that is just as long as the distance.
        float angle = 0.12f * (float)n;
        kerb_agent agent = agent_at(0, 0, 0);
        agent.turning_radius = 0.1f;
        agent.speed = 8.0f;
        kerb_steering wish = {{kerb_cos(angle), kerb_sin(angle), 0.0f}, 8.0f};
        agent = kerb_flock_step(&agent, &wish, 0.5f);
        float radius = 4.0f / angle;
        assert_near(agent.position.x, radius * kerb_sin(angle), 6e-3f);
        assert_near(agent.position.y, radius * (1.0f - kerb_cos(angle)), 6e-3f);
    }
}

static void a_step_never_breaks_the_limits(void** state) {
    (void)state;
    kerb_random random = test_random("step");
    for (int32_t n = 0; n < 20000; n++) {
        kerb_agent agent = agent_at(0.0f, 0.0f, 0.0f);
        bool is_level = n % 2 == 0;
        agent.forward = random_direction(&random, is_level);
        agent.speed = kerb_random_between(&random, -14.0f, 14.0f);
        agent.turning_radius = kerb_random_between(&random, 0.5f, 20.0f);
        kerb_steering wish = {random_direction(&random, is_level),
                              kerb_random_between(&random, -20.0f, 20.0f)};
        float dt = kerb_random_between(&random, 0.0f, 0.2f);
        kerb_agent after = kerb_flock_step(&agent, &wish, dt);
        float distance = 0.5f * fabsf(agent.speed + after.speed) * dt;
        float cosine = kerb_vec3_dot(agent.forward, after.forward);
        float turn = acosf(fminf(cosine, 1.0f));
        assert_true(turn <= distance / agent.turning_radius + 1e-3f);
        assert_true(kerb_vec3_length(after.position) <= distance + 1e-5f);
        assert_true(fabsf(after.speed) <= 14.0f + 1e-5f);
        assert_true(fabsf(after.speed - agent.speed) <= 6.0f * dt + 1e-5f);
        // It never turns away from what it wishes, nor past it.
        float before = kerb_vec3_dot(agent.forward, wish.direction);
        assert_true(kerb_vec3_dot(after.forward, wish.direction) >= before - 1e-5f);
    }
}

static void a_step_reaches_a_wish_that_is_near_enough(void** state) {
    (void)state;
    kerb_agent agent = agent_at(0, 0, 0.0f);
    kerb_steering wish = {{kerb_cos(0.01f), kerb_sin(0.01f), 0.0f}, 8.05f};
    agent = kerb_flock_step(&agent, &wish, 0.1f);
    assert_near(agent.forward.y, wish.direction.y, 1e-7f);
    assert_true(agent.speed == 8.05f);
    kerb_steering astern = {{-agent.forward.x, -agent.forward.y, 0.0f}, 8.0f};
    assert_true(kerb_flock_step(&agent, &astern, 0.1f).forward.y > 0.1f); // by the left
}

static void what_is_not_finite_moves_nobody_away(void** state) {
    (void)state;
    kerb_agent agent = agent_at(1, 2, 0.5f);
    kerb_steering wishes[] = {{{NAN, 0, 0}, 3.0f}, {{1, 0, 0}, INFINITY}, {{0, 0, 0}, 3.0f}};
    for (int32_t i = 0; i < 3; i++) {
        kerb_agent after = kerb_flock_step(&agent, &wishes[i], 0.1f);
        assert_near(after.speed, agent.speed, 1e-6f);
        assert_near(after.position.x, 1.0f + 0.8f * agent.forward.x, 1e-5f);
    }
    kerb_agent broken = agent;
    broken.forward.x = NAN;
    kerb_steering ahead = {{1, 0, 0}, 3.0f};
    kerb_agent after = kerb_flock_step(&broken, &ahead, 0.1f);
    assert_memory_equal(&after, &broken, sizeof broken);
}

// ------------------------------------------------------------------- the flock

// How much neighbours head the same way: 1, all; 0, not at all.
static float order_of(const crowd* c, float radius) {
    float sum = 0.0f, count = 0.0f;
    for (int32_t i = 0; i < c->agents.count; i++) {
        for (int32_t j = 0; j < i; j++) {
            bool is_near = hypotf(c->of[0][i] - c->of[0][j], c->of[1][i] - c->of[1][j]) < radius;
            sum += is_near ? c->of[3][i] * c->of[3][j] + c->of[4][i] * c->of[4][j] : 0.0f;
            count += is_near ? 1.0f : 0.0f;
        }
    }
    return sum / count;
}

static float nearest_to(const crowd* c, int32_t i) {
    float nearest = 1e9f;
    for (int32_t j = 0; j < c->agents.count; j++) {
        float distance = hypotf(c->of[0][i] - c->of[0][j], c->of[1][i] - c->of[1][j]);
        nearest = j != i && distance < nearest ? distance : nearest;
    }
    return nearest;
}

static void a_crowd_becomes_a_flock(void** state) {
    (void)state;
    kerb_random random = test_random("becoming");
    static crowd c;
    kerb_host host = kerb_host_default();
    kerb_flock flock;
    kerb_flock_settings settings = kerb_flock_settings_default();
    assert_int_equal(kerb_flock_create(&flock, 200, &host, NULL), KERB_OK);
    fill(&c, 200, true, 25.0f, &random);
    assert_true(order_of(&c, settings.cohesion_radius) < 0.3f);
    for (int32_t step = 0; step < 60 * 60; step++)
        kerb_flock_update(&flock, &settings, &c.agents, 1.0f / 60.0f);
    int32_t alone = 0, tight = 0;
    for (int32_t i = 0; i < 200; i++) {
        float nearest = nearest_to(&c, i);
        alone += nearest > settings.cohesion_radius ? 1 : 0;
        tight += nearest < 1.0f ? 1 : 0;
    }
    assert_true(order_of(&c, settings.cohesion_radius) > 0.95f);
    assert_true(alone <= 10 && tight == 0); // of eight crowds, three in the mean, six at most
    kerb_flock_destroy(&flock);
}

static void without_memory_there_is_no_flock_and_no_leak(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    kerb_flock flock;
    for (int n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_result result = kerb_flock_create(&flock, 100, &host, NULL);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        kerb_flock_destroy(&flock);
        test_allocation_check(&allocation);
    }
    assert_int_equal(kerb_flock_create(&flock, 0, &host, NULL), KERB_ERROR_OUT_OF_RANGE);
    assert_int_equal(kerb_flock_create(&flock, INT32_MAX, &host, NULL), KERB_ERROR_OUT_OF_RANGE);
}

int flock_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flock_at_once_moves_as_its_agents_one_by_one),
        cmocka_unit_test(level_agents_move_the_same_with_heights_of_zero),
        cmocka_unit_test(separation_is_the_sum_of_pushes_away),
        cmocka_unit_test(alignment_is_the_mean_heading_and_speed),
        cmocka_unit_test(cohesion_leads_to_the_middle),
        cmocka_unit_test(nobody_near_is_no_wish_and_a_flock_of_one_cruises),
        cmocka_unit_test(a_flock_wishes_the_sum_of_its_urges),
        cmocka_unit_test(a_step_of_a_large_turn_ends_on_the_arc),
        cmocka_unit_test(those_behind_its_back_are_not_seen),
        cmocka_unit_test(agents_in_the_same_place_part),
        cmocka_unit_test(a_step_turns_on_a_circle_of_the_turning_radius),
        cmocka_unit_test(a_step_never_breaks_the_limits),
        cmocka_unit_test(a_step_reaches_a_wish_that_is_near_enough),
        cmocka_unit_test(what_is_not_finite_moves_nobody_away),
        cmocka_unit_test(a_crowd_becomes_a_flock),
        cmocka_unit_test(without_memory_there_is_no_flock_and_no_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
