// Purpose: the settings of the lane keeper and of its company: a table for each.
#include "kerb/lane.h"
#include "kerb/lane_company.h"

#include "../control/shared.h"

#include "../base/shared.h"
#include "scale.h"

#define LANE_PART(field) offsetof(kerb_lane_settings, field)
#define LANE_ROW(field, ...) KERB_IN_SETTING(kerb_lane_settings, field, __VA_ARGS__)
#define LANE_CHOICE(field, ...) KERB_IN_CHOICE(kerb_lane_settings, field, __VA_ARGS__)

static const kerb_setting lane_rows[] = {
    LANE_CHOICE(edge, 2, 0, "right|left|both", "edges from which the lane is measured"),
    LANE_CHOICE(steering, 1, 0, "bicycle|cosines",
                "how the curvature to the target becomes an angle of the wheels"),
    LANE_CHOICE(obstacles, 1, 1, "stay|avoid", "reaction to stopped and slow vehicles in its lane"),
    LANE_ROW(edge_distance, "m", 0.01f, 100.0f, 1.75f,
             "distance from the edge to the middle of the vehicle (D_side)"),
    LANE_ROW(speed, "m/s", 0.01f, 1500.0f, 20.0f, "desired speed on a straight"),
    LANE_ROW(lateral_acceleration, "m/s^2", 0.01f, 500.0f, 4.0f,
             "desired lateral acceleration in bends"),
    LANE_ROW(deceleration, "m/s^2", 0.01f, 500.0f, 3.5f,
             "desired deceleration for what lies ahead"),
    LANE_ROW(acceleration, "m/s^2", 0.01f, 500.0f, 2.5f,
             "desired acceleration while the speed rises"),
    CONTROL_SPEED_ROWS("speed_control.", LANE_PART(speed_control), ""),
    LANE_ROW(lookahead_time, "s", 0.0f, 5.0f, 0.6f,
             "distance to the look-ahead point (P_Ahead) per speed"),
    LANE_ROW(lookahead_min, "m", 0.05f, 1000.0f, 5.0f, "shortest distance to the look-ahead point"),
    LANE_ROW(lookahead_max, "m", 0.05f, 2000.0f, 25.0f, "longest distance to the look-ahead point"),
    LANE_ROW(side_reach, "m", 0.05f, 2000.0f, 25.0f, "length of the rays to the edges"),
    LANE_ROW(sight, "m", 0.5f, 10000.0f, 150.0f, "greatest length of the rays ahead"),
    LANE_ROW(lane_change_time, "s", 0.1f, 60.0f, 3.0f, "shortest duration of a lane change"),
    LANE_ROW(lane_change_acceleration, "m/s^2", 0.01f, 500.0f, 3.0f,
             "greatest lateral acceleration of a lane change"),
    LANE_ROW(avoid_acceleration, "m/s^2", 0.01f, 500.0f, 7.0f,
             "greatest lateral acceleration of the steering, also round obstacles"),
    LANE_ROW(avoid_offset, "m", 0.01f, 200.0f, 3.0f,
             "change of lateral offset to drive round an obstacle"),
    LANE_ROW(margin, "m", 0.0f, 50.0f, 0.3f, "margin between its side and edges or other vehicles"),
    LANE_ROW(gap_time, "s", 0.0f, 10.0f, 1.2f, "time gap to a moving vehicle ahead"),
    LANE_ROW(gap_min, "m", 0.0f, 500.0f, 2.0f, "gap to a stopped vehicle ahead"),
    LANE_ROW(edge_loss_distance, "m", 0.0f, 5000.0f, 40.0f,
             "distance that it drives on without an edge"),
    CONTROL_STUCK_ROWS("stuck.", LANE_PART(stuck), ""),
};
const kerb_settings_table kerb_lane_settings_table = {
    "kerb_lane_settings", sizeof(kerb_lane_settings), lane_rows,
    (int32_t)(sizeof lane_rows / sizeof lane_rows[0])};

kerb_lane_settings kerb_lane_settings_default(void) {
    kerb_lane_settings settings;
    kerb_settings_set_defaults(&kerb_lane_settings_table, &settings);
    return settings;
}

kerb_lane_settings kerb_lane_settings_of(const kerb_vehicle* vehicle) {
    KERB_ASSERT(vehicle);
    kerb_lane_settings settings = kerb_lane_settings_default();
    float scale = kerb_vehicle_scale(vehicle);
    if (scale == 1.0f)
        return settings;
    settings = kerb_in_lane_settings_scaled(&settings, scale);
    settings.stuck.distance = kerb_clamp(settings.stuck.distance, 0.1f, 50.0f); // its range
    return settings;
}

#define COMPANY_ROW(field, ...) KERB_IN_SETTING(kerb_lane_company_settings, field, __VA_ARGS__)
#define COMPANY_COUNT(field, ...) KERB_IN_COUNT(kerb_lane_company_settings, field, __VA_ARGS__)

static const kerb_setting company_rows[] = {
    COMPANY_COUNT(lanes, 1, KERB_LANE_COMPANY_LANES_MAX, 2,
                  "number of lanes in the player's direction"),
    COMPANY_COUNT(oncoming_lanes, 0, KERB_LANE_COMPANY_LANES_MAX, 2,
                  "number of lanes in the other direction"),
    COMPANY_ROW(lane_width, "m", 1.5f, 10.0f, 3.5f, "width of every lane"),
    COMPANY_ROW(bot_length, "m", 0.5f, 30.0f, 4.5f, "length of every bot"),
    COMPANY_ROW(oncoming_share, "1", 0.0f, 1.0f, 0.375f,
                "share of bots that drive towards the player"),
    COMPANY_ROW(gap_time, "s", 0.2f, 10.0f, 1.1f, "time gap between bots of a lane"),
    COMPANY_ROW(gap_min, "m", 0.5f, 50.0f, 2.5f, "gap between bots of a lane at standstill"),
    COMPANY_ROW(spacing_min, "m", 1.0f, 200.0f, 22.0f,
                "shortest distance from bot to bot, front to front"),
    COMPANY_ROW(speed_min, "m/s", 0.0f, 50.0f, 4.0f,
                "smallest speed of bots in the player's direction"),
    COMPANY_ROW(speed_max, "m/s", 1.0f, 100.0f, 36.0f,
                "greatest speed of bots in the player's direction"),
    COMPANY_ROW(oncoming_speed, "m/s", 1.0f, 100.0f, 20.0f, "greatest speed of oncoming bots"),
    COMPANY_ROW(position_gain, "1/s", 0.0f, 2.0f, 0.08f,
                "change of speed per metre that a bot is off its place"),
    COMPANY_ROW(position_speed_max, "m/s", 0.0f, 50.0f, 6.0f,
                "greatest change of speed to return to its place"),
    COMPANY_ROW(patience, "s", 0.0f, 60.0f, 1.5f, "a player that is held up longer is let through"),
    COMPANY_ROW(spawn_distance_ahead, "m", 10.0f, 2000.0f, 320.0f,
                "bots may appear unseen from this distance ahead"),
    COMPANY_ROW(spawn_distance_behind, "m", 10.0f, 2000.0f, 170.0f,
                "bots may appear unseen from this distance behind"),
};
const kerb_settings_table kerb_lane_company_settings_table = {
    "kerb_lane_company_settings", sizeof(kerb_lane_company_settings), company_rows,
    (int32_t)(sizeof company_rows / sizeof company_rows[0])};

kerb_lane_company_settings kerb_lane_company_settings_default(void) {
    kerb_lane_company_settings settings;
    kerb_settings_set_defaults(&kerb_lane_company_settings_table, &settings);
    return settings;
}
