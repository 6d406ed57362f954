// What the readers of maps share.
#ifndef IO_GRID_MAP_CELLS_H
#define IO_GRID_MAP_CELLS_H

#include "kerb/io/grid_map.h"

/// Cells that hold anything yet.
kerb_result io_grid_map_allocate(io_grid_map* map, int32_t columns, int32_t rows,
                                 const kerb_host* host, kerb_error* error);

#endif
