// The scenes of all rooms, for the list. Private to scene/stage/.
#ifndef KERB_SCENE_STAGE_STAGE_ROOMS_H
#define KERB_SCENE_STAGE_STAGE_ROOMS_H

#include "scene/stage/stage_parts.h"

extern const stage_scene kerb_scene_stage_town;
extern const stage_scene kerb_scene_stage_courses;

#endif
