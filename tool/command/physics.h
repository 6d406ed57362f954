// --physics WORD: the physics in which vehicles are simulated.
#ifndef KERB_TOOL_COMMAND_PHYSICS_H
#define KERB_TOOL_COMMAND_PHYSICS_H

#include "sim/physics.h"
#include "tool/command/inputs.h"

/// The physics called `word`; NULL for "sim", which is the trials' own. Complains when this build
/// does without it.
tool_status tool_physics_named(const char* word, const kerb_sim_physics** physics);

/// False for vehicles that it does not have.
bool tool_physics_has(const kerb_sim_physics* physics, const tool_vehicle* vehicle);

/// In a physics other than "sim" nobody knows a vehicle's limits: measures them, and from then on
/// they are what the driver is told. Complains when it cannot be done.
tool_status tool_physics_measure(const kerb_sim_physics* physics, tool_vehicle* vehicle);

#endif
