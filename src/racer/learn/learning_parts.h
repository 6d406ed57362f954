// What the pieces of learning share. Private to the room.
//
//     racer_learning.c         the frame: what counts, and when a bin is left
//     racer_learning_bins.c    what is known of the pieces of a line
//     racer_learning_grip.c    what the tyres hold, and how they slip
//     racer_learning_bends.c   bends driven as planned
//     racer_learning_blame.c   trouble
#ifndef KERB_IN_RACER_LEARN_LEARNING_PARTS_H
#define KERB_IN_RACER_LEARN_LEARNING_PARTS_H

#include "learning.h"

// Below this goes only what tyres were measured to hold: trouble may come of something else. [1]
#define LEARNING_LEAST_BY_TROUBLE 0.85f
// Slips say something once those of these tyres were measured for so long. [s]
#define LEARNING_SLIP_KNOWN_TIME 0.3f
// After trouble nothing is learnt for so long. [s]
#define LEARNING_PAUSE 3.0f
// A slide may be the cause of what happens until so long after it. [s]
#define LEARNING_CHAIN_TIME 4.0f
// Beyond their best slip tyres hold about so much of it; cars that were told right show so much
// less on their own, by load and by how they sway. It falls at most by so much. [1], [1], [1]
#define LEARNING_LOST_HOLDS 0.96f
#define LEARNING_LOST_FROM 0.03f
#define LEARNING_LOST_MOST 0.10f

// --------------------------------------------------------------------------- bins

// What is learnt is about this line.
bool kerb_in_learning_is_for(const kerb_racer* racer, const kerb_racing_line* line);
bool kerb_in_learning_is_on(const kerb_racer* racer);
// How many pieces a line has.
int32_t kerb_in_learning_bins_of(const kerb_racing_line* line);
// What all that was seen has in common, for where nothing was: braking on straights above all. Who
// fell may have had other reasons: what is to spare is told by those that never did.
void kerb_in_learning_find_common(kerb_racer* racer, int32_t count);
// Something was learnt there.
void kerb_in_learning_see(kerb_racer* racer, int32_t bin);
// Never beyond the least, unless it is there already, and never beyond the bounds.
void kerb_in_learning_fall(kerb_racer* racer, int32_t bin, float step, float least);
// No step remains: those that were seen on either side follow it down …
void kerb_in_learning_level(kerb_racer* racer, int32_t bin, int32_t count);
// … and up, but for those that fell, which hold it back.
void kerb_in_learning_rise(kerb_racer* racer, int32_t bin, int32_t count, float step);

// --------------------------------------------------------------------------- the tyres

// Share of the grip that it plans with, skill and settings in it, and the slip that goes with that
// by that of half of the grip, for usual tyres.
float kerb_in_learning_planned_use(const kerb_racer* racer, const racer_frame* frame);
float kerb_in_learning_slip_at(float use);
// Slips are told by that at half of the grip that was told: where the tyres have proved to hold
// more all along, the same share of what they hold is more slip. [1]
float kerb_in_learning_stretch(const kerb_racer* racer);
// Of either axle, by that at half of the grip.
float kerb_in_learning_slip_by(const kerb_racer* racer, const float half[2]);
// What they hold in this frame.
void kerb_in_learning_watch_grip(kerb_racer* racer, const racer_frame* frame);

// --------------------------------------------------------------------------- bends

// What the bin that it leaves has shown.
void kerb_in_learning_leave_bin(kerb_racer* racer, const racer_frame* frame);
// At the limit, how much of the planned bend it turns. Only steadily in a bend: while braking,
// driving or swinging round slips are larger.
void kerb_in_learning_watch_limit(kerb_racer* racer, const racer_frame* frame,
                                  const racer_place* place);
// How fast it drives through a bend, and its slip.
void kerb_in_learning_watch_bend(kerb_racer* racer, const racer_frame* frame,
                                 const racer_place* place);

// --------------------------------------------------------------------------- trouble

// How far it came since the slide began that what comes now may come of.
void kerb_in_learning_follow_chain(kerb_racer* racer, const racer_frame* frame);
// Trouble is blamed once, when it is at its worst.
void kerb_in_learning_watch_trouble(kerb_racer* racer, const racer_frame* frame,
                                    const racer_place* place);
// Where it leaves the track is blamed, not where it drives beside it. `is_itself`: it drives the
// line for itself, undisturbed, as well as it can.
void kerb_in_learning_leave_track(kerb_racer* racer, const racer_frame* frame, bool is_itself);

#endif
