// What a host tells of the truth when it makes a mistake.
#ifndef KERB_SCENE_HOST_HOST_TELL_H
#define KERB_SCENE_HOST_HOST_TELL_H

#include "scene/host/host_drive.h"

/// Changes drive->told and drive->told_step from the truth to what the mistake makes of it.
void kerb_scene_host_tell(kerb_scene_host_drive* drive);

/// The controls that act in the next frame: those that were given, unless the mistake is there.
kerb_controls kerb_scene_host_apply(const kerb_scene_host_drive* drive);

#endif
