// What the readers of maps share.
#ifndef KERB_IO_GRID_MAP_CELLS_H
#define KERB_IO_GRID_MAP_CELLS_H

#include "kerb/io/grid_map.h"

/// Cells that hold anything yet.
kerb_result kerb_io_grid_map_allocate(kerb_io_grid_map* map, int32_t columns, int32_t rows,
                                      const kerb_host* host, kerb_error* error);

#endif
