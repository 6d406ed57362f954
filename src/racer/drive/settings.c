// The racing driver's settings: one table, and its presets.
#include "kerb/racer.h"

#include "../../control/shared.h"

#include "../../base/shared.h"

#define RACER_ROW(field, ...) KERB_IN_SETTING(kerb_racer_settings, field, __VA_ARGS__)
#define RACER_WHOLE(field, ...) KERB_IN_COUNT(kerb_racer_settings, field, __VA_ARGS__)
#define RACER_CHOICE(field, ...) KERB_IN_CHOICE(kerb_racer_settings, field, __VA_ARGS__)

static const kerb_setting racer_rows[] = {
    RACER_CHOICE(steering, 1, 0, "line|pole", "how it steers"),
    RACER_ROW(grip_used, "1", 0.1f, 1.2f, 0.975f, "share of the lateral grip planned for corners"),
    RACER_ROW(braking_used, "1", 0.1f, 1.2f, 0.92f, "share of the brakes planned for braking"),
    RACER_ROW(braking_loss_margin, "1", 0.0f, 1.0f, 0.1f,
              "added to the loss when braking in bends"),
    RACER_ROW(speed_time, "s", 0.02f, 2.0f, 0.15f, "time over which speed errors decay"),
    RACER_ROW(fuel_saving, "1", 0.0f, 1.0f, 0.0f, "0 none to 1: lifts early, shifts up early"),
    RACER_ROW(latency, "s", 0.0f, 0.3f, 0.0f,
              "delay from the motion to the controls that act on it"),
    RACER_CHOICE(slip_control, 2, 1, "off|on|locks",
                 "reacts to spinning or locked wheels; locks: no anti-lock brakes"),
    RACER_ROW(response_time, "s", 0.1f, 5.0f, 0.5f, "LINE: time over which errors decay at speed"),
    RACER_ROW(response_distance, "m", 0.5f, 50.0f, 5.0f, "LINE: distance for that at low speed"),
    RACER_ROW(front_slip_max, "1", 1.0f, 20.0f, 5.0f,
              "LINE: greatest front slip, by that at half grip"),
    RACER_ROW(rear_slip_max, "1", 1.0f, 20.0f, 5.5f,
              "rear slip that counts as a slide, by that at half grip"),
    RACER_ROW(pole.time, "s", 0.05f, 5.0f, 0.6f, "POLE: length of the pole per speed"),
    RACER_ROW(pole.length_min, "m", 0.5f, 100.0f, 6.0f, "POLE: shortest pole"),
    RACER_ROW(lane_shift, "1", -1.0f, 1.0f, 0.0f,
              "lateral offset: 0 line, 1 left edge, -1 right edge"),
    RACER_ROW(margin, "m", 0.0f, 10.0f, 0.5f, "from the car's side to the edge when off the line"),
    RACER_ROW(skill, "1", 0.0f, 1.0f, 1.0f, "0 beginner to 1: as fast as the car can, no errors"),
    RACER_WHOLE(seed, 0.0f, 16777215.0f, 1.0f, "another seed gives other errors at other places"),
    RACER_ROW(aggression, "1", 0.0f, 1.0f, 0.5f, "0 patient to 1: takes every gap"),
    RACER_ROW(consistency, "1", 0.0f, 1.0f, 0.5f, "0 every lap differs to 1: nearly equal laps"),
    RACER_ROW(late_braking, "1", 0.0f, 1.0f, 0.5f, "0 brakes early to 1: brakes late"),
    RACER_ROW(smoothness, "1", 0.0f, 1.0f, 0.5f, "0 presses the pedals quickly to 1: slowly"),
    RACER_ROW(pace_help, "1", -1.0f, 1.0f, 0.0f,
              "rubber-banding: -1 pace of skill 0, 1 of skill 1"),
    RACER_CHOICE(learning, 2, 0, "off|on|steering",
                 "learns the grip of a line lap by lap; steering: and its steering"),
    RACER_ROW(gap_time, "s", 0.0f, 5.0f, 0.12f, "reaction time when the car ahead brakes"),
    RACER_ROW(gap_min, "m", 0.0f, 20.0f, 1.0f, "smallest gap to the car ahead"),
    RACER_ROW(side_clearance, "m", 0.0f, 5.0f, 0.6f, "clearance between cars side by side"),
    RACER_ROW(slipstream, "1", 0.0f, 0.9f, 0.0f, "share of drag lost directly behind another car"),
    RACER_ROW(slipstream_length, "m", 1.0f, 200.0f, 20.0f, "gap at which half of that is left"),
    CONTROL_STUCK_ROWS("stuck.", offsetof(kerb_racer_settings, stuck), ""),
};
const kerb_settings_table kerb_racer_settings_table = {
    "kerb_racer_settings", sizeof(kerb_racer_settings), racer_rows,
    (int32_t)(sizeof racer_rows / sizeof racer_rows[0])};

kerb_racer_settings kerb_racer_settings_default(void) {
    kerb_racer_settings settings;
    kerb_settings_set_defaults(&kerb_racer_settings_table, &settings);
    return settings;
}

kerb_racer_settings kerb_racer_settings_vamos(void) {
    kerb_racer_settings settings = kerb_racer_settings_default();
    settings.steering = KERB_RACER_POLE;
    // The pole cuts bends, the more, the longer it is, and weaves when it is short; half of the
    // grip is what no car of five on ten tracks then leaves the track with.
    settings.grip_used = 0.5f;
    settings.pole.time = 0.4f;
    return settings;
}
