// What the files of mesh share: where the arrays of a mesh lie. Private to the room.
//
//     parts.c     arrays of a mesh and of a search in their memory
//     data.c      checks what the host gives
//     build.c     copies it, finds neighbours, and lays a grid over the polygons
//     find.c      nearest polygon, heights, straight lines, distance to borders
//     corridor.c  A* over polygons
//     pull.c      the shortest line in a corridor
//     line.c      the reference line with rounded corners and widths
#ifndef KERB_IN_MESH_PARTS_H
#define KERB_IN_MESH_PARTS_H

#include "kerb/mesh.h"

// Greatest coordinate of a query: farther away there is no mesh. Distances stay below twice this.
// [m]
#define MESH_FAR (4.0f * KERB_POSITION_MAX)
// Shorter vectors have no direction, and shorter gates no width: what floats resolve at 10 m from
// the origin. Only guards divisions by 0. [m]
#define MESH_LENGTH_MIN 1e-6f

// Head of the memory of a mesh.
typedef struct mesh_head {
    int32_t vertices, polygons, corners, links;
    int32_t columns, rows; // of the grid
    float cell;            // of the grid [m]
    kerb_vec2 origin;      // corner of the grid [m]
    int32_t spare;
} mesh_head;

// The part of a side that is open to a neighbour: shares of the side's length.
typedef struct mesh_opening {
    float from, to;
} mesh_opening;

// Arrays of a mesh.
typedef struct mesh_parts {
    mesh_head* head;
    kerb_vec3* vertices;
    kerb_vec3 *least, *most; // box of each polygon
    int32_t* first;          // corner of each polygon, and one behind the last polygon
    int32_t* corners;        // indices of vertices
    int32_t* neighbours;
    mesh_opening* openings; // of each corner's side
    kerb_mesh_link* links;
    int32_t* first_link;  // of each polygon: a link's end; -1: none
    int32_t* next_end;    // for each end of a link (link · 2, + 1 for its other end)
    int32_t* cell_begins; // [columns · rows + 1]
    int32_t* in_cells;    // polygons of each cell
    uint8_t* areas;
} mesh_parts;

// Greatest number of cells of the grid, and of polygons in its cells, for this many polygons.
int32_t kerb_in_mesh_cells_max(int32_t polygons);
int32_t kerb_in_mesh_entries_max(int32_t polygons);
// Lays the arrays into memory and returns the size; NULL: only the size.
size_t kerb_in_mesh_lay(mesh_parts* parts, void* memory, int32_t vertices, int32_t polygons,
                        int32_t corners, int32_t links);
mesh_parts kerb_in_mesh_parts(const kerb_mesh* mesh);

static inline kerb_vec2 mesh_flat(kerb_vec3 a) {
    return (kerb_vec2){a.x, a.y};
}

// Positive: c lies to the left of the line from a to b, seen from above; twice the area of the
// triangle. [m²]
static inline float mesh_left_of(kerb_vec3 a, kerb_vec3 b, kerb_vec3 c) {
    return kerb_vec2_cross(kerb_vec2_sub(mesh_flat(b), mesh_flat(a)),
                           kerb_vec2_sub(mesh_flat(c), mesh_flat(a)));
}

// The row or column of the grid at a place, in cells from the grid's corner; the nearest one beside
// the grid.
static inline int32_t mesh_cell_of(float place, int32_t count) {
    return place <= 0.0f ? 0 : place >= (float)(count - 1) ? count - 1 : (int32_t)place;
}

// The corner behind a corner of a polygon, by their indices in the array of all corners.
static inline int32_t mesh_next_corner(const mesh_parts* p, int32_t polygon, int32_t corner) {
    return corner + 1 < p->first[polygon + 1] ? corner + 1 : p->first[polygon];
}

// Ends of the side that begins at a corner.
typedef struct mesh_side {
    kerb_vec3 from, to; // seen from the polygon, it lies on their left
} mesh_side;

static inline mesh_side mesh_side_at(const mesh_parts* p, int32_t polygon, int32_t corner) {
    return (mesh_side){p->vertices[p->corners[corner]],
                       p->vertices[p->corners[mesh_next_corner(p, polygon, corner)]]};
}

static inline kerb_vec3 mesh_between(kerb_vec3 a, kerb_vec3 b, float share) {
    return kerb_vec3_add(a, kerb_vec3_scale(kerb_vec3_sub(b, a), share));
}

// The open part of a side.
static inline mesh_side mesh_opening_at(const mesh_parts* p, int32_t polygon, int32_t corner) {
    mesh_side side = mesh_side_at(p, polygon, corner);
    mesh_opening open = p->openings[corner];
    return (mesh_side){open.from > 0.0f ? mesh_between(side.from, side.to, open.from) : side.from,
                       open.to < 1.0f ? mesh_between(side.from, side.to, open.to) : side.to};
}

// The place of a polygon that is nearest to a place, seen from above.
kerb_vec2 kerb_in_mesh_clamp(const mesh_parts* p, int32_t polygon, kerb_vec2 place);

// One end of a link, seen from a polygon where it begins.
typedef struct mesh_jump {
    kerb_vec3 from, to;
    int32_t polygon; // where it ends
    int32_t link;
    bool allowed; // it may be passed from this end
} mesh_jump;

mesh_jump kerb_in_mesh_jump_at(const mesh_parts* p, int32_t end);

// A corner of the shortest line in a corridor.
typedef struct mesh_corner {
    kerb_mesh_place place;
    kerb_vec2 vertex; // the end of the open side that the line keeps away from
    float keep;       // by this [m]
    float side;       // 1: the vertex lies to the left, -1: to the right; 0: an end
    bool jumps;       // a link leads from here to the next corner
} mesh_corner;

// Finds the corners of the shortest line, as kerb_mesh_pull does.
int32_t kerb_in_mesh_pull(const mesh_parts* p, const kerb_mesh_corridor* corridor, float clearance,
                          mesh_corner* corners, int32_t capacity);

// A polygon of a search, with the string that leads to it.
typedef struct mesh_node {
    kerb_vec3 place;       // where the string enters it
    kerb_vec3 corner;      // last corner of the string
    kerb_vec3 left, right; // ends of the funnel from the corner through the sides behind it
    float cost;            // until the corner [m]
    float total;           // until the goal, estimated [m]
    int32_t parent;        // polygon before it; -1: the first
    int32_t exit;          // how the corridor leaves the parent (kerb_mesh_step)
    int32_t at;            // place in the heap; -1: done
    uint32_t stamp;        // of the search that reached it
    bool is_open;          // there is no side behind the corner yet
} mesh_node;

typedef struct mesh_search_head {
    uint32_t stamp;
    int32_t count; // of the heap, or of the row of polygons
} mesh_search_head;

typedef struct mesh_search_parts {
    mesh_search_head* head;
    mesh_node* nodes;
    int32_t* heap;
} mesh_search_parts;

mesh_search_parts kerb_in_mesh_search_parts(const kerb_mesh_search* search, int32_t polygons);
// Begins a search: no node is reached.
void kerb_in_mesh_search_renew(mesh_search_parts* s, int32_t polygons);

#endif
