// All of Kerb. See each room's header for its manual.
#ifndef KERB_KERB_H
#define KERB_KERB_H

#include "base.h"
#include "calibrate.h"
#include "control.h"
#include "curve.h"
#include "draw.h"
#include "fly.h"
#include "follow.h"
#include "lane.h"
#include "math.h"
#include "neighbour.h"
#include "path.h"
#include "plan.h"
#include "race.h"
#include "steer.h"
#include "vehicle.h"

#endif
