// The ways of turn, straight, turn and of three turns on the level, with the tolerance of what
// moves in steps. Private to the room.
#ifndef KERB_IN_SEEK_WORDS_H
#define KERB_IN_SEEK_WORDS_H

#include "kerb/steer.h"

/// The goal as seen by an agent at the origin that faces along x.
typedef struct seek_view {
    float x, y;             ///< [m]
    float cosine, sine;     ///< of the goal's direction
    float heading;          ///< its angle [rad]
    float first_radius;     ///< [m]
    float last_radius;      ///< [m]
    float tolerance;        ///< that circles may miss one another by [m]
    float finish_tolerance; ///< that the goal may be passed by in the end [m]
    float slack;            ///< that a turn may lack of a circle [rad]
    float last_slack;       ///< and the last one [rad]
} seek_view;

/// A way: turns with the side in their sign, left positive.
typedef struct seek_way {
    bool exists;
    float side[2];  ///< of the first and the last turn, 1 or -1
    float first;    ///< [rad]
    float middle;   ///< a turn, 0 where there is a straight [rad]
    float last;     ///< [rad]
    float straight; ///< [m]
    float turning;  ///< sum of the turns [rad]
    float length;   ///< [m]
    float miss;     ///< by about how much it passes the goal, where tolerance makes it one [m]
    float rank;     ///< length, and what counts against passing the goal [m]
} seek_way;

/// Turn to `first`, straight, turn to `last`; sides are 1 or -1. (paper, section 3.3)
seek_way kerb_in_seek_csc(const seek_view* view, float first, float last);

/// Turn to `side`, longer turn to the other side, turn to `side`; first_radius holds for all.
seek_way kerb_in_seek_ccc(const seek_view* view, float side);

/// The better of the paper's two ways, where nothing comes near to a tolerance, as mostly; without
/// branches, several times as fast. Needs no `heading`, fills it in. False where it leaves the
/// question open.
bool kerb_in_seek_paper_plainly(seek_view* view, float reach, seek_way* way);

/// The arc straight to a goal that lies within about `reach` ahead and that it leads to within the
/// tolerance.
seek_way kerb_in_seek_finish(const seek_view* view, float reach);

#endif
