// Functions of racing_line that rooms on higher floors may use besides kerb/racing_line.h.
#ifndef KERB_IN_RACING_LINE_SHARED_H
#define KERB_IN_RACING_LINE_SHARED_H

#include "kerb/racing_line.h"

// kerb_racing_line_at without interpolation of the position in the world and the heading, which are
// those of the point before `distance`. About a third of the work. O(1)
kerb_line_point kerb_in_racing_line_surface_at(const kerb_racing_line* line, double distance);

#endif
