// What the readers of tracks share.
#ifndef KERB_IO_TRACK_PARTS_H
#define KERB_IO_TRACK_PARTS_H

#include "kerb/io/track.h"

/// Notes that the format has no widths.
void kerb_io_track_note_widths(kerb_io_notes* notes);

#endif
