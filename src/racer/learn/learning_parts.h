// What the parts of learning share. Private to the room.
//
//     learning.c         the frame: which frames count, and when a bin is left
//     learning_bins.c    the sections of a line (bins) and their grip
//     learning_grip.c    how much the tyres hold, and how they slip
//     learning_bends.c   bends driven as planned
//     learning_blame.c   trouble
//     learning_time.c    places where more speed took more time
//     learning_car.c     what is known of the car everywhere
//
// Words: a "bin" is a section of the line. "Use" is the acceleration by the tyres as a share of the
// grip that the host gives. "Slip" is the slip angle of an axle, over its slip angle at half of the
// grip.
#ifndef KERB_IN_RACER_LEARN_LEARNING_PARTS_H
#define KERB_IN_RACER_LEARN_LEARNING_PARTS_H

#include "learning.h"

// Trouble alone lowers a grip no further than to this; below it, only a measured grip does, because
// trouble may have other reasons. [1]
#define LEARNING_LEAST_BY_TROUBLE 0.85f
// Slip counts once it has been measured on these tyres for this time. [s]
#define LEARNING_SLIP_KNOWN_TIME 0.3f
// After trouble it learns nothing for this time. [s]
#define LEARNING_PAUSE 3.0f
// A slide may be the cause of what happens within this time after it. [s]
#define LEARNING_CHAIN_TIME 4.0f
// Beyond their best slip, tyres hold about this share of their grip. [1]
#define LEARNING_LOST_HOLDS 0.96f
// A smaller lack of grip does not count: cars with the right grip show as much, by load and by how
// they sway. [1]
#define LEARNING_LOST_FROM 0.03f
// Greatest fall of a grip at once because of measured grip. [1]
#define LEARNING_LOST_MOST 0.10f

// --------------------------------------------------------------------------- bins

// What is stored is about this line.
bool kerb_in_learning_is_for(const kerb_racer* racer, const kerb_racing_line* line);
// The setting is on.
bool kerb_in_learning_is_on(const kerb_racer* racer);
// Number of bins of a line.
int32_t kerb_in_learning_bins_of(const kerb_racer* racer, const kerb_racing_line* line);
// Finds the grip that all visited bins have in common, for bins without a visit: braking on
// straights above all. A bin that fell may have had other reasons, so spare grip comes from bins
// that never fell.
void kerb_in_learning_find_common(kerb_racer* racer, int32_t count);
// The grip of a bin, or what the visited bins have in common.
float kerb_in_learning_value(const kerb_racer* racer, int32_t bin);
// Marks a bin as one that has learned.
void kerb_in_learning_see(kerb_racer* racer, int32_t bin);
// Lowers the grip of a bin by `step`: not below `least`, unless it is there already, and never
// beyond the bounds of learning.
void kerb_in_learning_fall(kerb_racer* racer, int32_t bin, float step, float least);
// Lowers the neighbours of a bin that fell, so that no step remains.
void kerb_in_learning_level(kerb_racer* racer, int32_t bin, int32_t count);
// Raises a bin and its neighbours, so that no step remains; neighbours that fell hold it back.
void kerb_in_learning_rise(kerb_racer* racer, int32_t bin, int32_t count, float step);

// --------------------------------------------------------------------------- the tyres

// Share of the host's grip that it plans with, skill and settings included. [0.1 … 1]
float kerb_in_learning_planned_use(const kerb_racer* racer, const racer_frame* frame);
// Slip that usual tyres have at that use. [1]
float kerb_in_learning_slip_at(float use);
// Slip is relative to half of the host's grip. Tyres that hold more everywhere have more slip at
// the same share of their own grip: by this factor. [1] [>= 1]
float kerb_in_learning_stretch(const kerb_racer* racer);
// The larger slip of the two axles, over their slip at half of the grip. [1]
float kerb_in_learning_slip_by(const kerb_racer* racer, const float half[2]);
// Measures what the tyres hold in this frame.
void kerb_in_learning_watch_grip(kerb_racer* racer, const racer_frame* frame);

// --------------------------------------------------------------------------- bends

// Applies what the bin that it leaves has shown.
void kerb_in_learning_leave_bin(kerb_racer* racer, const racer_frame* frame);
// Measures the use while the tyres are at their limit. Only steadily in a bend: while braking,
// accelerating or turning in, slip is larger.
void kerb_in_learning_watch_limit(kerb_racer* racer, const racer_frame* frame,
                                  const racer_place* place);
// Measures slip in a bend that is driven as fast as planned.
void kerb_in_learning_watch_bend(kerb_racer* racer, const racer_frame* frame,
                                 const racer_place* place);

// --------------------------------------------------------------------------- time

// What it was timing does not count.
void kerb_in_learning_forget_time(kerb_racer* racer);
// A frame of driving for itself.
void kerb_in_learning_take_time(kerb_racer* racer, float time_step);
// The present section ends: was more speed than before worth it?
void kerb_in_learning_leave_time(kerb_racer* racer, const kerb_racing_line* line);

// --------------------------------------------------------------------------- trouble

// Updates the distance since the slide that may be the cause of what happens now.
void kerb_in_learning_follow_chain(kerb_racer* racer, const racer_frame* frame);
// Detects trouble and blames it once, when it is at its worst.
void kerb_in_learning_watch_trouble(kerb_racer* racer, const racer_frame* frame,
                                    const racer_place* place);
// Where it leaves the track is blamed, not where it drives beside it. `is_itself`: it drives the
// line for itself, undisturbed, as well as it can.
void kerb_in_learning_leave_track(kerb_racer* racer, const racer_frame* frame, bool is_itself);

#endif
