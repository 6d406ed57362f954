// The rows of this room's settings, once: for its own tables, and for those of drivers whose
// settings hold these as a part.
//
//     CONTROL_AVOID_ROWS("", 0, ""),                                                    // its own
//     CONTROL_AVOID_ROWS("avoid.", offsetof(kerb_follower_settings, avoid), "KERB: "),  // a part
//
// `prefix` begins the names, `base` is where the part lies, `whose` begins the meanings.
#ifndef KERB_IN_CONTROL_SETTING_ROWS_H
#define KERB_IN_CONTROL_SETTING_ROWS_H

#include "kerb/control.h"

// clang-format off
#define CONTROL_SPEED_ROWS(prefix, base, whose)                                                    \
    {prefix "proportional", (base) + offsetof(kerb_speed_settings, proportional),                  \
     KERB_SETTING_FLOAT, "1/s", 0.0f, 20.0f, 1.5f, NULL,                                           \
     whose "wanted acceleration per speed error"},                                                 \
    {prefix "integral", (base) + offsetof(kerb_speed_settings, integral),                          \
     KERB_SETTING_FLOAT, "1/s^2", 0.0f, 20.0f, 0.5f, NULL,                                         \
     whose "wanted acceleration per summed speed error"}

#define CONTROL_STUCK_ROWS(prefix, base, whose)                                                    \
    {prefix "recovery", (base) + offsetof(kerb_stuck_settings, recovery),                          \
     KERB_SETTING_CHOICE, "1", 0.0f, 2.0f, 2.0f, "none|simple|full",                               \
     whose "what it does when stuck"},                                                             \
    {prefix "patience", (base) + offsetof(kerb_stuck_settings, patience),                          \
     KERB_SETTING_FLOAT, "s", 0.2f, 60.0f, 1.2f, NULL,                                             \
     whose "pressing on without moving for so long is being stuck"},                               \
    {prefix "distance", (base) + offsetof(kerb_stuck_settings, distance),                          \
     KERB_SETTING_FLOAT, "m", 0.1f, 50.0f, 4.0f, NULL,                                             \
     whose "stuck, it backs out so far at first"},                                                 \
    {prefix "tries", (base) + offsetof(kerb_stuck_settings, tries),                                \
     KERB_SETTING_INT, "1", 0.0f, 20.0f, 6.0f, NULL,                                               \
     whose "before it asks to be put back"},                                                       \
    {prefix "asking", (base) + offsetof(kerb_stuck_settings, asking),                              \
     KERB_SETTING_FLOAT, "s", 0.0f, 600.0f, 5.0f, NULL,                                            \
     whose "how long it asks before it gives up"}

#define CONTROL_AVOID_ROWS(prefix, base, whose)                                                    \
    {prefix "gap_time", (base) + offsetof(kerb_avoid_settings, gap_time),                          \
     KERB_SETTING_FLOAT, "s", 0.0f, 10.0f, 1.2f, NULL,                                             \
     whose "gap to what drives ahead"},                                                            \
    {prefix "gap_least", (base) + offsetof(kerb_avoid_settings, gap_least),                        \
     KERB_SETTING_FLOAT, "m", 0.0f, 50.0f, 2.0f, NULL,                                             \
     whose "gap to what stands ahead"},                                                            \
    {prefix "patience", (base) + offsetof(kerb_avoid_settings, patience),                          \
     KERB_SETTING_FLOAT, "s", 0.0f, 600.0f, 3.0f, NULL,                                            \
     whose "what stands and faces the same way is gone round after so long"},                      \
    {prefix "driving_side", (base) + offsetof(kerb_avoid_settings, driving_side),                  \
     KERB_SETTING_CHOICE, "1", 0.0f, 1.0f, 0.0f, "right|left",                                     \
     whose "side of the road to drive on"}
// clang-format on

#endif
