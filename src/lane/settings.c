// The lane keeper's settings: one table.
#include "kerb/lane.h"

#include "../control/setting_rows.h"

#define PART(field) offsetof(kerb_lane_settings, field)
#define ROW(field, unit, least, most, standard, meaning)                                           \
    { #field, PART(field), KERB_SETTING_FLOAT, unit, least, most, standard, NULL, meaning }
#define CHOICE(field, last, standard, names, meaning)                                              \
    { #field, PART(field), KERB_SETTING_CHOICE, "1", 0, last, standard, names, meaning }

static const kerb_setting rows[] = {
    CHOICE(edge, 2, 0, "right|left|both", "edge that the lane is measured from"),
    CHOICE(steering, 1, 0, "bicycle|cosines", "how a point becomes an angle of the wheels"),
    CHOICE(obstacles, 1, 1, "stay|avoid", "what it does about something in its lane"),
    ROW(edge_distance, "m", 0.1f, 100.0f, 1.75f, "from the edge to its middle (D_side)"),
    ROW(speed, "m/s", 0.1f, 150.0f, 20.0f, "wanted on a straight"),
    ROW(lateral_acceleration, "m/s^2", 0.1f, 50.0f, 4.0f, "wanted in bends"),
    ROW(deceleration, "m/s^2", 0.1f, 50.0f, 3.5f, "wanted when slowing for what lies ahead"),
    ROW(acceleration, "m/s^2", 0.1f, 50.0f, 2.5f, "wanted when gaining speed"),
    CONTROL_SPEED_ROWS("speed_control.", PART(speed_control), ""),
    ROW(lookahead_time, "s", 0.0f, 5.0f, 0.6f, "distance to P_Ahead per speed"),
    ROW(lookahead_least, "m", 0.5f, 100.0f, 5.0f, "shortest distance to P_Ahead"),
    ROW(lookahead_most, "m", 0.5f, 200.0f, 25.0f, "longest distance to P_Ahead"),
    ROW(side_reach, "m", 0.5f, 200.0f, 25.0f, "length of the rays to the sides"),
    ROW(sight, "m", 5.0f, 500.0f, 150.0f, "length of the rays ahead, at most"),
    ROW(change_time, "s", 0.1f, 60.0f, 3.0f, "a change of lane takes so long"),
    ROW(change_acceleration, "m/s^2", 0.1f, 50.0f, 3.0f, "to the side, changing lanes"),
    ROW(avoid_acceleration, "m/s^2", 0.1f, 50.0f, 7.0f, "to the side, going round something"),
    ROW(avoid_distance, "m", 0.5f, 20.0f, 3.0f, "how far aside it goes round something"),
    ROW(margin, "m", 0.0f, 5.0f, 0.3f, "between its side and edges or others"),
    ROW(gap_time, "s", 0.0f, 10.0f, 1.2f, "gap to what drives ahead"),
    ROW(gap_least, "m", 0.0f, 50.0f, 2.0f, "gap to what stands ahead"),
    ROW(hold_distance, "m", 0.0f, 500.0f, 40.0f, "drives on so far where the edges are lost"),
};
const kerb_settings_table kerb_lane_settings_table = {"kerb_lane_settings",
                                                      sizeof(kerb_lane_settings), rows,
                                                      (int32_t)(sizeof rows / sizeof rows[0])};

kerb_lane_settings kerb_lane_settings_default(void) {
    kerb_lane_settings settings;
    kerb_settings_set_defaults(&kerb_lane_settings_table, &settings);
    return settings;
}
