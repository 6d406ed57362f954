// The rows of this room's settings, written once: for its own tables, and for those of drivers
// whose settings contain these as a part.
//
//     CONTROL_STUCK_ROWS("", 0, ""),                                                    // its own
//     CONTROL_STUCK_ROWS("stuck.", offsetof(kerb_follower_settings, stuck), "KERB: "),  // a part
//
// `prefix` is the start of the names, `base` is the offset of the part, `whose` is the start of the
// descriptions.
#ifndef KERB_IN_CONTROL_SETTING_ROWS_H
#define KERB_IN_CONTROL_SETTING_ROWS_H

#include "kerb/control.h"

// clang-format off
#define CONTROL_SPEED_ROWS(prefix, base, whose)                                                    \
    {prefix "proportional", (base) + offsetof(kerb_speed_settings, proportional),                  \
     KERB_SETTING_FLOAT, "1/s", 0.0f, 20.0f, 1.5f, NULL,                                           \
     whose "desired acceleration per speed error"},                                                \
    {prefix "integral", (base) + offsetof(kerb_speed_settings, integral),                          \
     KERB_SETTING_FLOAT, "1/s^2", 0.0f, 20.0f, 0.5f, NULL,                                         \
     whose "desired acceleration per speed error summed over time"}

#define CONTROL_STUCK_ROWS(prefix, base, whose)                                                    \
    {prefix "recovery", (base) + offsetof(kerb_stuck_settings, recovery),                          \
     KERB_SETTING_CHOICE, "1", 0.0f, 2.0f, 2.0f, "none|simple|full",                               \
     whose "what the driver does when its vehicle is stuck"},                                      \
    {prefix "patience", (base) + offsetof(kerb_stuck_settings, patience),                          \
     KERB_SETTING_FLOAT, "s", 0.2f, 60.0f, 1.2f, NULL,                                             \
     whose "time of driving without moving after which it counts as stuck"},                       \
    {prefix "distance", (base) + offsetof(kerb_stuck_settings, distance),                          \
     KERB_SETTING_FLOAT, "m", 0.1f, 50.0f, 4.0f, NULL,                                             \
     whose "when stuck: distance to drive back in the first tries"},                               \
    {prefix "tries", (base) + offsetof(kerb_stuck_settings, tries),                                \
     KERB_SETTING_INT, "1", 0.0f, 20.0f, 6.0f, NULL,                                               \
     whose "when stuck: tries before it requests a teleport"},                                     \
    {prefix "request_time", (base) + offsetof(kerb_stuck_settings, request_time),                          \
     KERB_SETTING_FLOAT, "s", 0.0f, 600.0f, 5.0f, NULL,                                            \
     whose "how long it requests a teleport before it gives up"}
// clang-format on

#endif
