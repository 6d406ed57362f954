// What rooms on higher floors may use of racer beside its public headers: what a racer shows of its
// memory.
#ifndef KERB_IN_RACER_SHARED_H
#define KERB_IN_RACER_SHARED_H

#include "kerb/racer.h"

/// True when the racer's memory is about this line.
bool kerb_in_racer_is_on(const kerb_racer* racer, const kerb_racing_line* line);

/// A piece of the path that a racer means to drive.
typedef struct racer_piece {
    kerb_vec3 from, to; ///< [m]
    float acceleration; ///< along it [m/s²]
} racer_piece;

/// The path from the car on, as fast as the engine and the limits ahead allow. `square`: the
/// present speed squared. [m²/s²] Returns the number of pieces.
int32_t kerb_in_racer_path_ahead(const kerb_racer* racer, const kerb_racing_line* line,
                                 float square, racer_piece pieces[KERB_RACER_LOOKAHEAD_BINS]);

#endif
