// Wander: a turn rate that walks at random between two bounds.
//
// Each step adds a uniform random number of either sign and reflects what leaves [-1, 1] at the
// bounds. A symmetric walk between reflecting bounds keeps a uniform distribution uniform, whatever
// the step. So every turn rate is equally likely at every frame rate. The slowest mode decays at
// the rate pi² D/4, where D is half the variance gained in a second. The size of the steps follows
// from that. O(1). Source: Reynolds 1999 asks for steering that lasts for a while. The construction
// there, a point on a circle ahead, turns differently at every frame rate.
#include "behaviour.h"

#include "../base/shared.h"

#define WANDER_FIELD(field) #field, offsetof(kerb_wander_settings, field), KERB_SETTING_FLOAT
static const kerb_setting wander_rows[] = {
    {WANDER_FIELD(speed), "m/s", 0.0f, 1000.0f, 3.0f, NULL, "target speed"},
    {WANDER_FIELD(turn_rate), "rad/s", 0.0f, 20.0f, 0.8f, NULL, "greatest turn rate"},
    {WANDER_FIELD(climb_rate), "rad/s", 0.0f, 20.0f, 0.0f, NULL,
     "greatest turn rate up and down; 0: stays level"},
    {WANDER_FIELD(change_time), "s", 0.01f, 1000.0f, 2.0f, NULL,
     "time in which the old turn rate fades by 1/e"},
};
const kerb_settings_table kerb_wander_settings_table = {
    "kerb_wander_settings", sizeof(kerb_wander_settings), wander_rows,
    (int32_t)(sizeof wander_rows / sizeof wander_rows[0])};

kerb_wander_settings kerb_wander_settings_default(void) {
    kerb_wander_settings settings;
    kerb_settings_set_defaults(&kerb_wander_settings_table, &settings);
    return settings;
}

kerb_wander kerb_wander_make(uint64_t seed) {
    kerb_wander wander;
    wander.random = kerb_random_make(seed, 0x77616e64u);
    wander.turn = kerb_random_between(&wander.random, -1.0f, 1.0f);
    wander.climb = kerb_random_between(&wander.random, -1.0f, 1.0f);
    return wander;
}

// Reflects x at -1 and 1.
static float folded(float x) {
    float turns = (x + 1.0f) * 0.25f;
    float part = 4.0f * (turns - floorf(turns)); // [0, 4)
    return part <= 2.0f ? part - 1.0f : 3.0f - part;
}

// One step of the walk, at most of the given size.
static float walked(kerb_random* random, float from, float step) {
    return kerb_clamp(folded(from + step * kerb_random_between(random, -1.0f, 1.0f)), -1.0f, 1.0f);
}

// A uniform number in [-s, s] has the variance s²/3 = 2 D dt, and D = 4/(pi² change_time).
static float step_size(float change_time, float time_step) {
    float steps = kerb_min(time_step / kerb_max(change_time, 1e-3f), 1e4f);
    return kerb_sqrt(24.0f / (KERB_PI * KERB_PI) * steps);
}

kerb_steering kerb_wander_steer(kerb_wander* wander, const kerb_wander_settings* settings,
                                const kerb_agent* agent, float time_step) {
    KERB_ASSERT(wander && settings && agent);
    if (!kerb_in_steer_is_usable(agent, time_step))
        return kerb_steering_none();
    float step = step_size(settings->change_time, time_step);
    wander->turn = walked(&wander->random, wander->turn, step);
    wander->climb = walked(&wander->random, wander->climb, step);
    float rate = kerb_abs(agent->speed) / kerb_max(agent->turning_radius, 1e-6f);
    float turn = wander->turn * kerb_min(settings->turn_rate, rate) * time_step;
    float climb = wander->climb * kerb_min(settings->climb_rate, rate) * time_step;
    kerb_vec3 left = kerb_in_steer_side(agent->forward, agent->forward);
    kerb_vec3 direction = steer_turned(agent->forward, left, turn);
    if (settings->climb_rate > 0.0f)
        direction = steer_turned(direction, kerb_vec3_cross(agent->forward, left), climb);
    return steer_wish(kerb_vec3_unit(direction, agent->forward),
                      kerb_min(settings->speed, agent->speed_max));
}
