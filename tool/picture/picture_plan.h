// Planned movements as a picture: the paths, coloured by speed, and speed and lateral acceleration
// over time.
#ifndef KERB_TOOL_PICTURE_PICTURE_PLAN_H
#define KERB_TOOL_PICTURE_PICTURE_PLAN_H

#include "tool/run/plan_run.h"

/// Most movements of a picture of random goals.
#define TOOL_PICTURE_PLANS 60

/// Writes one or both. Complains when it cannot.
tool_status tool_picture_plan_write(const char* svg, const char* png, const tool_plan_run* run);

#endif
