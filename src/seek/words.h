// The words turn-straight-turn and turn-turn-turn on the plane, with tolerance for agents that move
// in steps. Private to the room.
#ifndef KERB_IN_SEEK_WORDS_H
#define KERB_IN_SEEK_WORDS_H

#include "kerb/steer.h"

/// The goal in the axes of an agent at the origin that faces along x.
typedef struct seek_view {
    float x, y;             ///< [m]
    float cosine, sine;     ///< of the goal's direction
    float heading;          ///< angle of the goal's direction [rad]
    float first_radius;     ///< [m]
    float last_radius;      ///< [m]
    float tolerance;        ///< distance by which circles may miss each other [m]
    float finish_tolerance; ///< distance by which the goal may be missed at the end [m]
    float slack;            ///< angle that the first turn may lack of a full circle [rad]
    float last_slack;       ///< angle that the last turn may lack of a full circle [rad]
} seek_view;

/// A path. The sign of a turn is its side, left positive.
typedef struct seek_way {
    bool exists;
    float side[2];  ///< of the first and the last turn, 1 or -1
    float first;    ///< [rad]
    float middle;   ///< middle turn; 0 when there is a straight line [rad]
    float last;     ///< [rad]
    float straight; ///< [m]
    float turning;  ///< sum of the turns [rad]
    float length;   ///< [m]
    float miss;     ///< approximate distance by which it misses the goal, within the tolerance [m]
    float rank;     ///< length plus a penalty for missing the goal [m]
} seek_way;

/// Turn to `first`, straight line, turn to `last`; sides are 1 or -1. (paper, section 3.3)
seek_way kerb_in_seek_csc(const seek_view* view, float first, float last);

/// Turn to `side`, longer turn to the other side, turn to `side`. All have first_radius.
seek_way kerb_in_seek_ccc(const seek_view* view, float side);

/// The better of the paper's two paths, for the usual case that nothing is near a tolerance. It has
/// no branches and is several times as fast. It does not need `heading` and sets it. False when it
/// cannot decide.
bool kerb_in_seek_paper_plainly(seek_view* view, float reach, seek_way* way);

/// The arc straight to a goal that lies within about `reach` ahead, if it ends within the
/// tolerance.
seek_way kerb_in_seek_finish(const seek_view* view, float reach);

#endif
