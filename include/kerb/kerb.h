// Kerb: includes all public headers of the library.
//
// Each header begins with its manual: its purpose, the order of calls, an example, the rules for
// threads and lifetimes, and what it does not do. Start with follow.h to drive along a path.
#ifndef KERB_KERB_H
#define KERB_KERB_H

#include "aircraft.h"
#include "base.h"
#include "calibrate.h"
#include "cars.h"
#include "control.h"
#include "curve.h"
#include "draw.h"
#include "estimate.h"
#include "estimate_body.h"
#include "estimate_pedals.h"
#include "estimate_vehicle.h"
#include "fly.h"
#include "follow.h"
#include "follow_paper.h"
#include "group.h"
#include "host_check.h"
#include "intent.h"
#include "lane.h"
#include "lane_company.h"
#include "lap_learner.h"
#include "math.h"
#include "mesh.h"
#include "neighbour.h"
#include "others.h"
#include "path.h"
#include "plan.h"
#include "plan_driver.h"
#include "plan_mesh.h"
#include "plan_search.h"
#include "plan_world.h"
#include "racer.h"
#include "racer_pole.h"
#include "racing_line.h"
#include "road.h"
#include "route.h"
#include "seek.h"
#include "steer.h"
#include "traffic.h"
#include "vehicle.h"

#endif
