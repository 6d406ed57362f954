// What the files of the town share. Private to them.
#ifndef KERB_SCENE_TOWN_TOWN_PARTS_H
#define KERB_SCENE_TOWN_TOWN_PARTS_H

#include "scene/town/town.h"

/// Sets houses, walls and lamp posts beside the lanes, and the cells in which they are looked up.
void kerb_scene_town_build(kerb_scene_town* town);

#endif
