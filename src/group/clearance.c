// Avoiding collisions among agents by turning and braking.
//
// Safety comes first and needs no prediction. The strip of an agent is the capsule that it sweeps
// when it brakes straight ahead from now on. All strips of a group lie apart. In a step each agent
// computes its strip after the step. It must lie apart from the present strips of agents with a
// higher index: whatever such an agent wants, it can brake and stay in its strip. It must lie apart
// from all strips that an agent with a lower index could have after the step. When nothing else is
// possible, the agent brakes straight ahead and stays in its own strip, which agents with lower
// indices avoid. So the strips lie apart after the step too. No memory and no messages are needed,
// and nobody needs to be anywhere at a certain time.
//
// Safety does not guarantee progress: two agents can stop so that each blocks the other. So an
// agent that has the longer distance to where two paths cross does not enter the other's path, for
// some metres of it. It waits at a distance that lets the other pass. At the bare margin it would
// block the agent that it waits for.
//
// Among the safe candidates, prediction chooses. Headings and speeds are tried, each against the
// predicted positions of the others at constant velocity. The other agent is assumed to avoid by as
// much as the candidate does (J. van den Berg et al., "Reciprocal velocity obstacles", 2008), so
// that the two do not oscillate. Unlike the velocities of ORCA, each candidate can be driven: a
// turn on the agent's tightest circle, then straight ahead. If candidates were arcs that go on,
// each small correction would be predicted as a circle, and no obstacle would ever seem to be in
// the way.
//
// In space, strips are capsules in space and turns lead to eight sides. On the plane all heights
// count as 0 and there are two sides.
//
// Cost: O(candidates · others · moments).
#include "kerb/group.h"

#include "../steer/shared.h"

#include "../base/shared.h"

#define LEVEL_TURNS 9                      // the desired turn, and four to either side of it
#define SPACE_TURNS 33                     // the desired turn, and four to each of eight sides
#define SIDES 8                            // to which an agent in space may turn
#define CLEARANCE_QUARTER (0.5f * KERB_PI) // a right angle [rad]
#define SPEEDS 5                           // speeds tried: from the desired one down to 0
#define CLEARANCE_MOMENTS 8                // times in the horizon at which positions are compared
#define NEAR_MOST 48                       // other agents that are considered: the most urgent ones

// Margins kept from the path of an agent that goes first. An agent counts as inside that path from
// one margin on, so this must be greater than 1: a step that ends slightly farther than predicted
// must neither make it one that goes first, nor block the agent that it lets pass. [1]
#define WAY_MARGIN 1.5f

// Cost of deviations from the desired steering: a turn by a right angle, the whole speed, and a
// collision now. Chosen by trial. [1]
#define COST_TURN 0.5f
#define COST_SPEED 1.0f
#define COST_HIT 3.0f

#define CLEARANCE_ROW(field, ...) KERB_IN_SETTING(kerb_avoid_agents_settings, field, __VA_ARGS__)
static const kerb_setting clearance_rows[] = {
    {"space", offsetof(kerb_avoid_agents_settings, space), KERB_SETTING_CHOICE, "1", 0.0f, 1.0f,
     0.0f, "level|space", "where it may turn: to the side, or up and down, too"},
    CLEARANCE_ROW(margin, "m", 0.01f, 100.0f, 0.3f, "distance kept between two bodies"),
    CLEARANCE_ROW(horizon, "s", 0.0f, 60.0f, 3.0f,
                  "look-ahead for agents that would come too near"),
    CLEARANCE_ROW(yield_distance, "m", 0.0f, 1000.0f, 10.0f,
                  "length kept free of the path of an agent that goes first"),
    CLEARANCE_ROW(swerve, "1", 0.0f, 1.0f, 1.0f,
                  "greatest turn away from the desired steering, in right angles"),
};
const kerb_settings_table kerb_avoid_agents_settings_table = {
    "kerb_avoid_agents_settings", sizeof(kerb_avoid_agents_settings), clearance_rows,
    (int32_t)(sizeof clearance_rows / sizeof clearance_rows[0])};

kerb_avoid_agents_settings kerb_avoid_agents_settings_default(void) {
    kerb_avoid_agents_settings settings;
    kerb_settings_set_defaults(&kerb_avoid_agents_settings_table, &settings);
    return settings;
}

// ------------------------------------------------------------------- strips

// The volume swept from `from`, `length` metres along `direction`, with `radius` to all sides.
typedef struct clearance_strip {
    kerb_vec3 from, direction;
    float length, radius;
} clearance_strip;

static float clearance_square_to_segment(kerb_vec3 point, const clearance_strip* s) {
    kerb_vec3 to = kerb_vec3_sub(point, s->from);
    float along = kerb_clamp(kerb_vec3_dot(to, s->direction), 0.0f, s->length);
    kerb_vec3 off = kerb_vec3_sub(to, kerb_vec3_scale(s->direction, along));
    return kerb_vec3_dot(off, off);
}

static kerb_vec3 end_of(const clearance_strip* s) {
    return kerb_vec3_along(s->from, s->direction, s->length);
}

// True when the lines of both strips are nearest between their ends, and nearer than the root of
// `square` there. On the plane: when they cross.
static bool pass_near(const clearance_strip* a, const clearance_strip* b, float square) {
    kerb_vec3 to = kerb_vec3_sub(b->from, a->from);
    kerb_vec3 across = kerb_vec3_cross(a->direction, b->direction);
    float size = kerb_vec3_dot(across, across), apart = kerb_vec3_dot(to, across);
    if (!(size > 1.0e-12f) || apart * apart > square * size)
        return false;
    float on_a = kerb_vec3_dot(kerb_vec3_cross(to, b->direction), across);
    float on_b = kerb_vec3_dot(kerb_vec3_cross(to, a->direction), across);
    return on_a >= 0.0f && on_a <= a->length * size && on_b >= 0.0f && on_b <= b->length * size;
}

// The nearest points are at an end of either, or between the ends of both. Most strips are far
// apart: then the bounding balls already show it.
static bool clearance_are_apart(const clearance_strip* a, const clearance_strip* b, float margin) {
    float least = a->radius + b->radius + margin, square = least * least;
    float far = 1.001f * (least + 0.5f * (a->length + b->length));
    kerb_vec3 middle_a = kerb_vec3_along(a->from, a->direction, 0.5f * a->length);
    kerb_vec3 middle_b = kerb_vec3_along(b->from, b->direction, 0.5f * b->length);
    kerb_vec3 between = kerb_vec3_sub(middle_b, middle_a);
    if (kerb_vec3_dot(between, between) > far * far)
        return true;
    return clearance_square_to_segment(a->from, b) > square &&
           clearance_square_to_segment(end_of(a), b) > square &&
           clearance_square_to_segment(b->from, a) > square &&
           clearance_square_to_segment(end_of(b), a) > square && !pass_near(a, b, square);
}

static float clearance_stopping_distance(float speed, float braking) {
    return 0.5f * speed * speed / kerb_max(braking, 1.0e-3f);
}

// The strip in which the agent stops from now on.
static clearance_strip strip_now(const kerb_agent* agent) {
    clearance_strip s = {agent->position, agent->forward,
                         clearance_stopping_distance(agent->speed, agent->braking), agent->radius};
    if (agent->speed < 0.0f)
        s.direction = kerb_vec3_scale(agent->forward, -1.0f);
    return s;
}

// The union of all strips after one more step: longer, and wider by the possible turn.
static clearance_strip strip_next(const kerb_agent* agent, float time_step) {
    clearance_strip s = strip_now(agent);
    float speed = kerb_min(kerb_abs(agent->speed) + agent->acceleration * time_step,
                           kerb_max(agent->speed_max, kerb_abs(agent->speed)));
    float turn = speed * time_step / kerb_max(agent->turning_radius, 1.0e-3f);
    s.length = speed * time_step + clearance_stopping_distance(speed, agent->braking);
    s.radius += s.length * kerb_min(turn, 1.0f);
    return s;
}

// ------------------------------------------------------------------- others

// An agent of the group that may matter.
typedef struct clearance_other {
    clearance_strip kept_out; // strip that the agent must avoid
    float margin;             // distance to keep from that strip [m]
    clearance_strip way;      // path that the agent leaves free when the other goes first
    bool has_way;             // the other goes first, and the agent is not inside its path
    kerb_vec3 position, velocity;
    float radius;
    bool moves;
} clearance_other;

typedef struct clearance_surroundings {
    clearance_other others[NEAR_MOST];
    float urgency[NEAR_MOST]; // gap minus what both can close in a step and in braking [m]
    int32_t count;
    bool overflows; // an agent that could be touched in this step did not fit
} clearance_surroundings;

// Keeps the most urgent ones, in order. Of two equally urgent ones, the first that came.
static void clearance_keep(clearance_surroundings* around, const clearance_other* one,
                           float urgency) {
    int32_t at = around->count;
    if (at == NEAR_MOST) {
        bool is_last = !(urgency < around->urgency[--at]);
        const clearance_other* left_out = is_last ? one : &around->others[at];
        around->overflows |= (is_last ? urgency : around->urgency[at]) <= left_out->radius;
        if (is_last)
            return;
    } else {
        around->count++;
    }
    for (; at > 0 && urgency < around->urgency[at - 1]; at--) {
        around->others[at] = around->others[at - 1];
        around->urgency[at] = around->urgency[at - 1];
    }
    around->others[at] = *one;
    around->urgency[at] = urgency;
}

// An agent whose stopping strip enters the other's path counts as inside it, because it can no
// longer stay out.
static bool is_in_way(const clearance_strip* stopping, const clearance_strip* way, float margin) {
    return !clearance_are_apart(stopping, way, margin);
}

// True when the other goes first: the one inside the other's path, else the one with the shorter
// distance to where the paths cross, else the lower index. When all keep their headings, this is an
// order without circles. False when the paths do not cross ahead of both. In space, paths cross
// where they are nearest; when that is not near, staying out of the other's path costs nothing.
static bool goes_before(const clearance_strip* them, const clearance_strip* own, bool they_are_in,
                        bool own_is_in, bool lower_index) {
    if (they_are_in != own_is_in)
        return they_are_in;
    kerb_vec3 across = kerb_vec3_cross(own->direction, them->direction);
    float sine = kerb_vec3_length(across);
    if (sine < 0.05f)
        return they_are_in && lower_index;
    kerb_vec3 axis = kerb_vec3_unit(across, across), to = kerb_vec3_sub(them->from, own->from);
    float own_left = kerb_vec3_dot(kerb_vec3_cross(to, them->direction), axis) / sine;
    float their_left = kerb_vec3_dot(kerb_vec3_cross(to, own->direction), axis) / sine;
    if (own_left < 0.0f || their_left < 0.0f)
        return false;
    return their_left < own_left || (their_left == own_left && lower_index);
}

static void clearance_look_at(clearance_surroundings* around,
                              const kerb_avoid_agents_settings* settings, const kerb_agent* agent,
                              const kerb_agent* them, bool goes_first, float time_step) {
    clearance_other one = {0};
    one.kept_out = goes_first ? strip_next(them, time_step) : strip_now(them);
    // Half of the margin, or a waiting agent close behind would block the agent that it waits for.
    one.margin = goes_first ? 0.5f * settings->margin : settings->margin;
    one.position = them->position;
    one.velocity = kerb_vec3_scale(them->forward, them->speed);
    one.radius = them->radius;
    one.moves = kerb_abs(them->speed) > 0.1f;
    clearance_strip own = strip_now(agent), theirs = strip_now(them), own_way = own;
    one.way = theirs;
    one.way.length += settings->yield_distance;
    own_way.length += settings->yield_distance;
    bool own_is_in = is_in_way(&own, &one.way, settings->margin);
    bool they_are_in = is_in_way(&theirs, &own_way, settings->margin);
    one.has_way = settings->yield_distance > 0.0f && !own_is_in &&
                  goes_before(&one.way, &own_way, they_are_in, own_is_in, goes_first);
    kerb_vec3 to = kerb_vec3_sub(one.position, agent->position);
    float reach =
        clearance_stopping_distance(agent->speed + agent->acceleration * time_step, agent->braking);
    reach += agent->speed_max * time_step + one.kept_out.length + one.kept_out.radius;
    reach += one.has_way ? settings->yield_distance : 0.0f;
    float ahead = (kerb_abs(agent->speed) + kerb_abs(them->speed)) * settings->horizon;
    float gap = kerb_vec3_length(to) - agent->radius - settings->margin;
    if (gap - one.radius > kerb_max(reach, ahead))
        return;
    clearance_keep(around, &one, gap - reach);
}

static int32_t clearance_member_of(const kerb_group* group, int32_t n) {
    return group->indices ? group->indices[n] : n;
}

// The agent as used here: on the plane with height 0.
static kerb_agent seen_in(const kerb_avoid_agents_settings* settings, const kerb_agent* agent) {
    kerb_agent seen = *agent;
    if (!settings->space)
        seen.position.z = seen.forward.z = 0.0f;
    return seen;
}

static void clearance_look_around(clearance_surroundings* around,
                                  const kerb_avoid_agents_settings* settings,
                                  const kerb_agent* agent, const kerb_group* group,
                                  float time_step) {
    around->count = 0;
    around->overflows = false;
    for (int32_t n = 0; n < group->count; n++) {
        int32_t i = clearance_member_of(group, n);
        kerb_agent them = kerb_agents_get(group->agents, i);
        if (i == group->self || !kerb_in_steer_is_usable(&them, 0.0f))
            continue;
        them = seen_in(settings, &them);
        clearance_look_at(around, settings, agent, &them, i < group->self, time_step);
    }
}

// ------------------------------------------------------------------- candidates

// A turn to the left and upwards. [rad]
typedef struct clearance_bend {
    float left, up;
} clearance_bend;

// The motion of the agent in this step and after it: a turn, then straight ahead.
typedef struct clearance_candidate {
    kerb_vec3 side;  // side of the turn
    float angle;     // angle of the turn; negative: to the other side [rad]
    float curvature; // of the turn, with the same sign [1/m]
    float speed;
} clearance_candidate;

// The left and up directions of an agent, at right angles to its front.
typedef struct clearance_sides {
    kerb_vec3 left, up;
} clearance_sides;

static clearance_sides clearance_sides_of(const kerb_avoid_agents_settings* settings,
                                          const kerb_agent* agent) {
    kerb_vec3 f = agent->forward;
    clearance_sides s = {{-f.y, f.x, 0.0f}, {0.0f, 0.0f, 1.0f}};
    if (settings->space) {
        s.left = kerb_vec3_unit(s.left, kerb_vec3_make(0.0f, 1.0f, 0.0f));
        s.up = kerb_vec3_cross(f, s.left);
    }
    return s;
}

static kerb_vec3 clearance_turned(const kerb_agent* agent, const clearance_candidate* c,
                                  float angle) {
    return steer_turned(agent->forward, c->side, angle);
}

// Position after `distance` metres of the turn.
static kerb_vec3 clearance_along_arc(const kerb_agent* agent, const clearance_candidate* c,
                                     float distance) {
    float half = 0.5f * c->curvature * distance;
    float chord = kerb_abs(half) < 0.01f ? 1.0f : kerb_sin(half) / half;
    return kerb_vec3_along(agent->position, clearance_turned(agent, c, half), chord * distance);
}

static float speed_after(const kerb_agent* agent, float wanted, float time_step) {
    return kerb_clamp(wanted, agent->speed - agent->braking * time_step,
                      agent->speed + agent->acceleration * time_step);
}

static bool is_safe(const kerb_avoid_agents_settings* settings, const kerb_agent* agent,
                    const clearance_surroundings* around, const clearance_candidate* c,
                    float time_step) {
    float speed = speed_after(agent, c->speed, time_step);
    float distance = 0.5f * (agent->speed + speed) * time_step;
    clearance_strip after = {clearance_along_arc(agent, c, distance),
                             clearance_turned(agent, c, c->curvature * distance),
                             clearance_stopping_distance(speed, agent->braking), agent->radius};
    for (int32_t i = 0; i < around->count; i++) {
        const clearance_other* them = &around->others[i];
        if (!clearance_are_apart(&after, &them->kept_out, them->margin) ||
            (them->has_way &&
             !clearance_are_apart(&after, &them->way, WAY_MARGIN * settings->margin)))
            return false;
    }
    return true;
}

// ------------------------------------------------------------------- prediction

// Distance driven until a time, when the agent changes to the speed of a candidate as fast as it
// can. [m]
static float driven_until(const kerb_agent* agent, float wanted, float time) {
    float change = wanted - agent->speed;
    float rate = change > 0.0f ? agent->acceleration : agent->braking;
    float taken = kerb_min(kerb_abs(change) / kerb_max(rate, 1.0e-3f), time);
    float then = agent->speed + (change > 0.0f ? rate : -rate) * taken;
    return 0.5f * (agent->speed + then) * taken + then * (time - taken);
}

// The end of a candidate's turn, and its length.
typedef struct turn_end {
    kerb_vec3 position, forward;
    float distance;
} turn_end;

static turn_end clearance_end_of_turn(const kerb_agent* agent, const clearance_candidate* c) {
    bool turns = kerb_abs(c->curvature) > 1.0e-6f;
    float distance = turns ? c->angle / c->curvature : 0.0f;
    turn_end end = {clearance_along_arc(agent, c, distance), clearance_turned(agent, c, c->angle),
                    distance};
    return end;
}

static kerb_vec3 clearance_place_after(const kerb_agent* agent, const clearance_candidate* c,
                                       const turn_end* end, float distance) {
    if (distance <= end->distance)
        return clearance_along_arc(agent, c, distance);
    return kerb_vec3_along(end->position, end->forward, distance - end->distance);
}

// True when a point that moves at constant velocity from one position to another comes nearer to
// the origin than `least`.
static bool comes_near(kerb_vec3 from, kerb_vec3 to, float least) {
    kerb_vec3 along = kerb_vec3_sub(to, from);
    float square = kerb_max(kerb_vec3_dot(along, along), 1.0e-12f);
    float share = kerb_clamp(-kerb_vec3_dot(from, along) / square, 0.0f, 1.0f);
    kerb_vec3 nearest = kerb_vec3_along(from, along, share);
    return kerb_vec3_dot(nearest, nearest) < least * least;
}

// Share of the horizon that is left when the agent comes too near to another one; 0: to none.
// Between the times, both move on straight lines, else one could pass through another unnoticed.
static float danger_of(const kerb_avoid_agents_settings* settings, const kerb_agent* agent,
                       const clearance_surroundings* around, const clearance_candidate* c) {
    const kerb_vec3 now = kerb_vec3_scale(agent->forward, agent->speed);
    kerb_vec3 last[NEAR_MOST];
    if (settings->horizon <= 0.0f)
        return 0.0f;
    for (int32_t i = 0; i < around->count; i++)
        last[i] = kerb_vec3_sub(agent->position, around->others[i].position);
    turn_end end = clearance_end_of_turn(agent, c);
    for (int32_t m = 1; m <= CLEARANCE_MOMENTS; m++) {
        float share = (float)m / (float)CLEARANCE_MOMENTS, time = share * settings->horizon;
        kerb_vec3 own = clearance_place_after(agent, c, &end, driven_until(agent, c->speed, time));
        kerb_vec3 change = kerb_vec3_sub(own, kerb_vec3_along(agent->position, now, time));
        for (int32_t i = 0; i < around->count; i++) {
            const clearance_other* them = &around->others[i];
            kerb_vec3 at = kerb_vec3_along(them->position, them->velocity, time);
            kerb_vec3 off = kerb_vec3_sub(them->moves ? kerb_vec3_add(own, change) : own, at);
            float least = agent->radius + them->radius + settings->margin;
            if (comes_near(last[i], off, least))
                return 1.0f - share + 1.0f / (float)CLEARANCE_MOMENTS;
            last[i] = off;
        }
    }
    return 0.0f;
}

// ------------------------------------------------------------------- the choice

// The turn that faces the desired direction.
static clearance_bend wished_bend(const kerb_avoid_agents_settings* settings,
                                  const kerb_agent* agent, const clearance_sides* s,
                                  const kerb_steering* wish) {
    kerb_vec3 to = wish->direction;
    if (!settings->space)
        to.z = 0.0f;
    float ahead = kerb_vec3_dot(agent->forward, to), left = kerb_vec3_dot(s->left, to);
    clearance_bend b = {0.0f, 0.0f};
    if (!settings->space) {
        b.left = kerb_atan2(left, ahead);
        return b;
    }
    float up = kerb_vec3_dot(s->up, to);
    float size = kerb_vec2_length(kerb_vec2_make(left, up));
    float angle = kerb_atan2(size, ahead);
    if (size < 1.0e-6f) // straight ahead or backwards: to the left
        left = size = 1.0f;
    b.left = angle * left / size;
    b.up = angle * up / size;
    return b;
}

// Turn number n: the desired one first, then alternately to the right and left of it, or to its
// eight sides, by larger and larger angles.
static clearance_bend bend_number(const kerb_avoid_agents_settings* settings, int32_t n,
                                  clearance_bend wished) {
    static const clearance_bend towards[SIDES] = {
        {-1.0f, 0.0f},       {1.0f, 0.0f},         {0.0f, 1.0f},       {0.0f, -1.0f},
        {-0.7071f, 0.7071f}, {-0.7071f, -0.7071f}, {0.7071f, 0.7071f}, {0.7071f, -0.7071f}};
    static const float share[] = {0.0f, 0.11f, 0.28f, 0.56f, 1.0f};
    int32_t count = settings->space ? SIDES : 2;
    float angle = CLEARANCE_QUARTER * settings->swerve * share[(n + count - 1) / count];
    clearance_bend side = towards[(n + count - 1) % count];
    clearance_bend b = {wished.left + angle * side.left, wished.up + angle * side.up};
    if (!settings->space)
        b.left = kerb_wrap_angle(b.left);
    return b;
}

// `metres`: distance driven in this step at the desired speed.
static clearance_candidate candidate_of(const kerb_avoid_agents_settings* settings,
                                        const kerb_agent* agent, const clearance_sides* s,
                                        clearance_bend b, float metres, float speed) {
    float most = 1.0f / kerb_max(agent->turning_radius, 1.0e-3f);
    clearance_candidate c = {s->left, b.left, 0.0f, speed};
    if (settings->space) {
        kerb_vec3 side = kerb_vec3_along(kerb_vec3_scale(s->left, b.left), s->up, b.up);
        c.angle = kerb_min(kerb_vec3_length(side), KERB_PI);
        c.side = kerb_vec3_unit(side, s->left);
    }
    c.curvature = kerb_clamp(c.angle / metres, -most, most);
    return c;
}

// The cost of a deviation from the desired steering.
static float clearance_cost_of(clearance_bend b, clearance_bend wished, float slower) {
    float off = kerb_vec2_length(kerb_vec2_make(b.left - wished.left, b.up - wished.up));
    return COST_SPEED * slower + COST_TURN * kerb_min(off, KERB_PI) / CLEARANCE_QUARTER;
}

static kerb_steering clearance_steering_of(const kerb_agent* agent, const clearance_candidate* c,
                                           float time_step) {
    float speed = speed_after(agent, c->speed, time_step);
    float angle = c->curvature * 0.5f * (agent->speed + speed) * time_step;
    return steer_wish(clearance_turned(agent, c, angle), c->speed);
}

// The best of all turns at all speeds.
static clearance_candidate clearance_choose(const kerb_avoid_agents_settings* settings,
                                            const kerb_agent* agent, const kerb_steering* wish,
                                            const clearance_surroundings* around, float time_step) {
    float wanted = kerb_clamp(wish->speed, 0.0f, agent->speed_max), least_cost = 1.0e9f;
    float first = speed_after(agent, wanted, time_step);
    float metres = kerb_max(0.5f * (agent->speed + first) * time_step, 1.0e-4f);
    int32_t turns = settings->space ? SPACE_TURNS : LEVEL_TURNS;
    clearance_sides s = clearance_sides_of(settings, agent);
    clearance_bend wished = wished_bend(settings, agent, &s, wish);
    clearance_candidate best = {s.left, 0.0f, 0.0f, 0.0f}; // brakes straight ahead
    // With too many agents nearby, no other candidate is known to be safe.
    for (int32_t n = 0; n < SPEEDS * turns && !around->overflows; n++) {
        int32_t step = n / turns;
        float slower = (float)step / (float)(SPEEDS - 1);
        clearance_bend b = bend_number(settings, n % turns, wished);
        clearance_candidate c =
            candidate_of(settings, agent, &s, b, metres, wanted * (1.0f - slower));
        float cost = clearance_cost_of(b, wished, slower);
        if (cost >= least_cost || !is_safe(settings, agent, around, &c, time_step))
            continue;
        cost += COST_HIT * danger_of(settings, agent, around, &c);
        if (cost < least_cost)
            least_cost = cost, best = c;
    }
    return best;
}

kerb_steering kerb_avoid_agents(const kerb_avoid_agents_settings* settings, const kerb_agent* agent,
                                const kerb_steering* desired, const kerb_group* group,
                                float time_step) {
    KERB_ASSERT(settings && agent && desired && group && group->agents);
    if (!kerb_in_steer_is_usable(agent, time_step) || !(time_step > 0.0f) ||
        !kerb_vec3_is_finite(desired->direction) || !kerb_is_finite(desired->speed))
        return kerb_steering_none();
    clearance_surroundings around;
    kerb_agent own = seen_in(settings, agent);
    clearance_look_around(&around, settings, &own, group, time_step);
    clearance_candidate best = clearance_choose(settings, &own, desired, &around, time_step);
    return clearance_steering_of(&own, &best, time_step);
}
