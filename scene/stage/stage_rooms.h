// The scenes of all rooms, for the list. Private to scene/stage/.
#ifndef KERB_SCENE_STAGE_STAGE_ROOMS_H
#define KERB_SCENE_STAGE_STAGE_ROOMS_H

#include "scene/stage/stage_parts.h"

extern const stage_scene kerb_scene_stage_town;
extern const stage_scene kerb_scene_stage_city;
extern const stage_scene kerb_scene_stage_courses;
extern const stage_scene kerb_scene_stage_park;
extern const stage_scene kerb_scene_stage_arrivals;
extern const stage_scene kerb_scene_stage_ring;
extern const stage_scene kerb_scene_stage_chase;
extern const stage_scene kerb_scene_stage_convoy;
extern const stage_scene kerb_scene_stage_formation;
extern const stage_scene kerb_scene_stage_gate;
extern const stage_scene kerb_scene_stage_crossing;
extern const stage_scene kerb_scene_stage_flock;
extern const stage_scene kerb_scene_stage_airplanes;
extern const stage_scene kerb_scene_stage_dogfight;
extern const stage_scene kerb_scene_stage_race;
extern const stage_scene kerb_scene_stage_line;
extern const stage_scene kerb_scene_stage_plan;
extern const stage_scene kerb_scene_stage_kinds;
extern const stage_scene kerb_scene_stage_kinds_in_space;
extern const stage_scene kerb_scene_stage_together;
extern const stage_scene kerb_scene_stage_lane;
extern const stage_scene kerb_scene_stage_hosts;

#endif
