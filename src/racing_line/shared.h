// What rooms on higher floors may use of racing_line beside kerb/racing_line.h.
#ifndef KERB_IN_RACING_LINE_SHARED_H
#define KERB_IN_RACING_LINE_SHARED_H

#include "kerb/racing_line.h"

// kerb_racing_line_at but for the place in the world and the heading, which are the point's before
// it: a third of the work.
kerb_line_point kerb_in_racing_line_surface_at(const kerb_racing_line* line, double distance);

#endif
