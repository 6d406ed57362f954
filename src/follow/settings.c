// Purpose: the settings of the follower: one table, and the defaults of its three methods.
#include "kerb/follow.h"

#include "../control/shared.h"
#include "../others/shared.h"

#include "../base/shared.h"

#define FOLLOW_PART(field) offsetof(kerb_follower_settings, field)
#define FOLLOW_ROW(field, ...) KERB_IN_SETTING(kerb_follower_settings, field, __VA_ARGS__)
#define FOLLOW_COUNT(field, ...) KERB_IN_COUNT(kerb_follower_settings, field, __VA_ARGS__)
#define FOLLOW_CHOICE(field, last, names, meaning)                                                 \
    KERB_IN_CHOICE(kerb_follower_settings, field, last, 0, names, meaning)

static const kerb_setting follow_rows[] = {
    FOLLOW_CHOICE(method, 2, "kerb|paper|baseline", "driving method"),
    FOLLOW_ROW(speed, "m/s", 0.1f, 150.0f, 10.0f, "desired speed on a straight (EA v_max)"),
    FOLLOW_ROW(reverse_speed, "m/s", 0.1f, 50.0f, 4.0f,
               "KERB: desired speed on a straight in reverse"),
    FOLLOW_ROW(speed_min, "m/s", 0.0f, 50.0f, 1.0f, "smallest speed in curves (EA v_min)"),
    FOLLOW_ROW(lateral_acceleration, "g", 0.01f, 10.0f, 0.7f,
               "desired lateral acceleration in curves (EA a_lat)"),
    FOLLOW_ROW(deceleration, "m/s^2", 0.1f, 50.0f, 5.0f,
               "desired deceleration for what lies ahead"),
    FOLLOW_ROW(acceleration, "m/s^2", 0.1f, 50.0f, 5.0f,
               "desired acceleration while the speed rises"),
    FOLLOW_ROW(lateral_offset, "m", -100.0f, 100.0f, 0.0f,
               "lateral offset from the path, left positive"),
    CONTROL_SPEED_ROWS("speed_control.", FOLLOW_PART(speed_control), ""),
    CONTROL_STUCK_ROWS("stuck.", FOLLOW_PART(stuck), ""),
    FOLLOW_ROW(response_time, "s", 0.1f, 5.0f, 0.7f, "KERB: errors fade over this time at speed"),
    FOLLOW_ROW(response_distance, "m", 0.1f, 50.0f, 4.0f,
               "KERB: errors fade over this distance when slow"),
    {"steering", offsetof(kerb_follower_settings, steering), KERB_SETTING_CHOICE, "1", 0.0f, 1.0f,
     1.0f, "told|learned", "KERB: by what the steering is told or seen to do"},
    FOLLOW_ROW(corner_cut, "m", 0.0f, 10.0f, 0.3f,
               "KERB: greatest distance from the path for smoothness alone"),
    FOLLOW_ROW(lateral_jerk, "m/s^3", 1.0f, 1000.0f, 40.0f,
               "KERB: greatest rate of change of the lateral acceleration"),
    {"neighbours", offsetof(kerb_follower_settings, neighbours), KERB_SETTING_CHOICE, "1", 0.0f,
     1.0f, 1.0f, "ignore|avoid", "KERB: reaction to neighbours"},
    OTHERS_AVOID_ROWS("avoid.", FOLLOW_PART(avoid), "KERB: "),
    FOLLOW_ROW(paper.sample_spacing, "m", 0.1f, 100.0f, 6.0f,
               "PAPER, BASELINE: distance between samples (EA delta h)"),
    FOLLOW_COUNT(paper.sample_count, 3, 16, 5, "PAPER, BASELINE: number of samples (EA N)"),
    FOLLOW_CHOICE(paper.speed_ahead, 1, "sharpest|braking",
                  "PAPER: how curves ahead limit the speed"),
    FOLLOW_CHOICE(paper.target_point, 1, "lookahead|rabbit",
                  "PAPER, BASELINE: choice of the target point"),
    FOLLOW_ROW(paper.lookahead_time, "s", 0.0f, 5.0f, 0.6f,
               "PAPER, BASELINE: look-ahead distance per speed"),
    FOLLOW_ROW(paper.lookahead_min, "m", 0.1f, 100.0f, 6.0f,
               "PAPER, BASELINE: shortest look-ahead distance"),
    FOLLOW_ROW(paper.lookahead_max, "m", 0.1f, 500.0f, 30.0f,
               "PAPER, BASELINE: longest look-ahead distance"),
    FOLLOW_ROW(paper.proportional_angle, "rad", 0.01f, 3.2f, 0.4f,
               "BASELINE: angle ahead beyond which the speed falls as 1/angle"),
};
const kerb_settings_table kerb_follower_settings_table = {
    "kerb_follower_settings", sizeof(kerb_follower_settings), follow_rows,
    (int32_t)(sizeof follow_rows / sizeof follow_rows[0])};

kerb_follower_settings kerb_follower_settings_default(kerb_follower_method method) {
    kerb_follower_settings settings;
    kerb_settings_set_defaults(&kerb_follower_settings_table, &settings);
    settings.method = (int32_t)method;
    if (method == KERB_FOLLOWER_KERB)
        return settings;
    settings.lateral_acceleration = 0.4f; // EA section III
    settings.deceleration = 3.5f;
    settings.acceleration = 3.5f;
    settings.stuck.recovery = KERB_RECOVERY_SIMPLE;
    if (method == KERB_FOLLOWER_BASELINE)
        settings.speed_control.integral = 0.0f;
    return settings;
}

kerb_follower_settings kerb_follower_settings_of(kerb_follower_method method,
                                                 const kerb_vehicle* vehicle) {
    KERB_ASSERT(vehicle);
    kerb_follower_settings settings = kerb_follower_settings_default(method);
    float scale = kerb_vehicle_scale(vehicle);
    if (scale != 1.0f)
        kerb_in_settings_scale(&kerb_follower_settings_table, &settings, scale);
    return settings;
}
