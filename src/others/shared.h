// The parts of others that rooms on higher floors may use in addition to kerb/others.h: the rows of
// its settings, written once, for its own table and for those of drivers that contain these
// settings. See src/control/setting_rows.h.
#ifndef KERB_IN_OTHERS_SHARED_H
#define KERB_IN_OTHERS_SHARED_H

#include "kerb/others.h"

// kerb_gap_behind, noted for kerb_avoid_tell: whoever is there makes room while it goes back.
float kerb_in_avoid_note_behind(kerb_avoid* avoid, const kerb_reference_line* line,
                                const kerb_neighbour* neighbours, int32_t count);

// clang-format off
#define OTHERS_AVOID_ROWS(prefix, base, whose)                                                    \
    {prefix "gap_time", (base) + offsetof(kerb_avoid_settings, gap_time),                          \
     KERB_SETTING_FLOAT, "s", 0.0f, 10.0f, 1.2f, NULL,                                             \
     whose "time gap to a moving vehicle ahead"},                                                  \
    {prefix "gap_min", (base) + offsetof(kerb_avoid_settings, gap_min),                        \
     KERB_SETTING_FLOAT, "m", 0.0f, 50.0f, 2.0f, NULL,                                             \
     whose "gap to a vehicle or obstacle at standstill ahead"},                                    \
    {prefix "patience", (base) + offsetof(kerb_avoid_settings, patience),                          \
     KERB_SETTING_FLOAT, "s", 0.0f, 600.0f, 3.0f, NULL,                                            \
     whose "wait before passing a stopped vehicle that faces the same way"},                       \
    {prefix "driving_side", (base) + offsetof(kerb_avoid_settings, driving_side),                  \
     KERB_SETTING_CHOICE, "1", 0.0f, 1.0f, 0.0f, "right|left",                                     \
     whose "side of the road on which it drives"}
// clang-format on

#endif
