// What a racing driver has learnt of its line: what the other pieces ask. Private to the room.
#ifndef KERB_IN_RACER_LEARN_LEARNING_H
#define KERB_IN_RACER_LEARN_LEARNING_H

#include "../drive/racer.h"

// Share of the grip it was told that there is at a place, as far as it knows. [> 0]
float kerb_in_racer_learnt_grip(const kerb_racer* racer, const kerb_racing_line* line, double at);
// Of that grip, the share that there is for braking. [0 … 1]
float kerb_in_racer_learnt_brakes(float grip);
// At the end of each frame: learns from what came of it.
void kerb_in_racer_learn(kerb_racer* racer, const racer_frame* frame);

#endif
