// Cells of maps: shared by the readers of maps.
#ifndef KERB_IO_GRID_MAP_CELLS_H
#define KERB_IO_GRID_MAP_CELLS_H

#include "kerb/io/grid_map.h"

/// Allocates the cells of a map; their content is undefined.
kerb_result kerb_io_grid_map_allocate(kerb_io_grid_map* map, int32_t columns, int32_t rows,
                                      const kerb_host* host, kerb_error* error);

#endif
