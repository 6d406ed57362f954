// Triangles of Wavefront's .obj files, as level editors export them.
//
//     kerb_io_triangles triangles;
//     if (kerb_io_triangles_read_obj(&triangles, text, length, true, &host, &error) == KERB_OK)
//         printf("%d triangles\n", triangles.triangle_count);
//     kerb_io_triangles_destroy(&triangles, &host);
//
// Threads: any thread may call these functions, as long as no two use the same triangles. The text
// is read during the call only.
#ifndef KERB_IO_OBJ_H
#define KERB_IO_OBJ_H

#include "kerb/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Greatest numbers of vertices and of triangles that are read.
#define KERB_IO_TRIANGLES_MAX 20000000

/// Triangles, in memory of the host's allocator.
typedef struct kerb_io_triangles {
    kerb_vec3* vertices; ///< z up [m]
    int32_t vertex_count;
    int32_t* triangles; ///< three indices of vertices each
    int32_t triangle_count;
    size_t bytes[2]; ///< of the two blocks
} kerb_io_triangles;

/// Reads the "v" and "f" lines; faces of more than three corners become fans of triangles. All else
/// (normals, textures, groups, materials) is skipped. Indices count from 1, or from the last vertex
/// back where they are negative. O(length)
///
/// `y_up`: the file's axes are right-handed with y up, as Recast and most exporters have them: its
/// (x, y, z) are (z, x, y) here. Otherwise z is up, and nothing is turned.
///
/// Errors, with the line: TOO_FEW of "v" (numbers), of "f" (corners); WRONG_TYPE, NOT_FINITE or
/// OUT_OF_RANGE of a number; OUT_OF_RANGE of "f" (no such vertex); TOO_MANY of "v" or "f"; of the
/// whole text TOO_FEW of "f" (no face); OUT_OF_MEMORY. On error nothing is allocated.
kerb_result kerb_io_triangles_read_obj(kerb_io_triangles* triangles, const char* text,
                                       size_t length, bool y_up, const kerb_host* host,
                                       kerb_error* error);

/// Releases the memory and zeroes the triangles. No effect on zeroed ones.
void kerb_io_triangles_destroy(kerb_io_triangles* triangles, const kerb_host* host);

#ifdef __cplusplus
}
#endif

#endif
