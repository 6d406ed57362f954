// What a racing driver has learned about its line: the part that its other parts use. Private to
// the room.
#ifndef KERB_IN_RACER_LEARN_LEARNING_H
#define KERB_IN_RACER_LEARN_LEARNING_H

#include "../drive/racer.h"

// Learned grip at a place, as a share of the host's grip; 1 where nothing is known. [> 0]
float kerb_in_racer_learnt_grip(const kerb_racer* racer, const kerb_racing_line* line, double at);
// Share of that learned grip that may be planned with for braking. [0 … 1]
float kerb_in_racer_learnt_brakes(float grip);
// At the beginning of a frame: the performance by which it drives, `memory.car`.
void kerb_in_racer_learn_car(kerb_racer* racer, float time_step);
// Once its place is known: what the last frame's controls did.
void kerb_in_racer_feed_learner(kerb_racer* racer, const kerb_racing_line* line,
                                const kerb_motion* motion, const kerb_surroundings* around,
                                float time_step);
// At the end of each frame: learns from what the car did.
void kerb_in_racer_learn(kerb_racer* racer, const racer_frame* frame);

#endif
