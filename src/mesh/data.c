// Purpose: checks what the host gives for a mesh, so that all that is built on it may trust it.
// Idea:    A polygon is convex and goes round once when no corner turns right and every triangle of
//          the fan from its first corner is anticlockwise. In double, because the products of
//          coordinates far from the origin do not fit into floats.
// Cost:    O(corners + links); allocates nothing.
#include "../base/shared.h"
#include "parts.h"

// Builders round coordinates to their cells and hosts to floats: a corner on a line between two
// others may turn right by this much, the sine of an angle. Double would hide bad data; half of it
// would refuse meshes at 1 km from the origin. [1]
#define MESH_RIGHT_TURN_MAX 2e-3
// Sides shorter than this are taken for two corners at one place, seen from above. [m]
#define MESH_SIDE_MIN 1e-4
// Smaller polygons are taken for none: a square of a millimetre. [m²]
#define MESH_AREA_MIN 1e-6
// Greatest cost of a link: the length of half the map. [m]
#define MESH_LINK_COST_MAX 1e6f

static kerb_result mesh_refuse(kerb_error* error, kerb_result result, const char* field,
                               int32_t index, const char* message) {
    return kerb_error_set(error, result, field, 0, index, message);
}

static bool mesh_is_on_map(kerb_vec3 a) {
    return kerb_abs(a.x) <= KERB_POSITION_MAX && kerb_abs(a.y) <= KERB_POSITION_MAX &&
           kerb_abs(a.z) <= KERB_POSITION_MAX;
}

static kerb_result mesh_check_position(kerb_vec3 a, const char* field, int32_t index,
                                       kerb_error* error) {
    if (!kerb_vec3_is_finite(a))
        return mesh_refuse(error, KERB_ERROR_NOT_FINITE, field, index, "must be finite");
    if (!mesh_is_on_map(a))
        return mesh_refuse(
            error, KERB_ERROR_OUT_OF_RANGE, field, index,
            "must be from -1000000 to 1000000 m; subtract an offset from all positions");
    return KERB_OK;
}

static kerb_result mesh_check_count(int32_t count, int32_t least, const char* field, int32_t index,
                                    kerb_error* error) {
    if (count < least)
        return mesh_refuse(error, KERB_ERROR_TOO_FEW, field, index,
                           least == 3 ? "must be at least 3" : "must not be less");
    if (count > KERB_MESH_POLYGONS_MAX)
        return mesh_refuse(error, KERB_ERROR_TOO_MANY, field, index, "must be at most 4194304");
    return KERB_OK;
}

static kerb_result mesh_check_arrays(const kerb_mesh_data* data, kerb_error* error) {
    const char* missing = !data->vertices        ? "vertices"
                          : !data->corner_counts ? "corner_counts"
                          : !data->corners       ? "corners"
                                                 : NULL;
    if (data->link_count != 0 && !data->links)
        missing = "links";
    if (missing)
        return mesh_refuse(error, KERB_ERROR_MISSING_FIELD, missing, -1, "must not be NULL");
    kerb_result result = mesh_check_count(data->vertex_count, 3, "vertex_count", -1, error);
    if (result == KERB_OK)
        result = mesh_check_count(data->polygon_count, 1, "polygon_count", -1, error);
    return result == KERB_OK ? mesh_check_count(data->link_count, 0, "link_count", -1, error)
                             : result;
}

// --------------------------------------------------------------------------- polygons

typedef struct mesh_arrow {
    double x, y;
} mesh_arrow;

static mesh_arrow mesh_arrow_to(kerb_vec3 from, kerb_vec3 to) {
    return (mesh_arrow){(double)to.x - (double)from.x, (double)to.y - (double)from.y};
}

static double mesh_arrows_cross(mesh_arrow a, mesh_arrow b) {
    return a.x * b.y - a.y * b.x;
}

static double mesh_arrow_square(mesh_arrow a) {
    return a.x * a.x + a.y * a.y;
}

// cross / (|a| |b|) >= -MESH_RIGHT_TURN_MAX, without square roots.
static bool mesh_turns_right(mesh_arrow a, mesh_arrow b) {
    double cross = mesh_arrows_cross(a, b);
    return cross < 0.0 && cross * cross > MESH_RIGHT_TURN_MAX * MESH_RIGHT_TURN_MAX *
                                              mesh_arrow_square(a) * mesh_arrow_square(b);
}

static const char* mesh_fault_of(const kerb_vec3* vertices, const int32_t* corners, int32_t count) {
    double area = 0.0;
    kerb_vec3 first = vertices[corners[0]];
    for (int32_t i = 0; i < count; i++) {
        kerb_vec3 a = vertices[corners[i]], b = vertices[corners[(i + 1) % count]];
        if (mesh_arrow_square(mesh_arrow_to(a, b)) < MESH_SIDE_MIN * MESH_SIDE_MIN)
            return "two corners are at one place, seen from above";
        area += 0.5 * mesh_arrows_cross(mesh_arrow_to(first, a), mesh_arrow_to(first, b));
    }
    if (area < MESH_AREA_MIN)
        return "the corners must go anticlockwise round an area, seen from above";
    for (int32_t i = 0; i < count; i++) {
        kerb_vec3 a = vertices[corners[i]], b = vertices[corners[(i + 1) % count]],
                  c = vertices[corners[(i + 2) % count]];
        if (mesh_turns_right(mesh_arrow_to(a, b), mesh_arrow_to(b, c)) ||
            (i > 0 && i + 1 < count &&
             mesh_turns_right(mesh_arrow_to(first, a), mesh_arrow_to(first, b))))
            return "the polygon must be convex, seen from above";
    }
    return NULL;
}

static kerb_result mesh_check_corners(const kerb_mesh_data* data, int32_t polygon, int32_t first,
                                      kerb_error* error) {
    int32_t count = data->corner_counts[polygon];
    for (int32_t i = first; i < first + count; i++)
        if (data->corners[i] < 0 || data->corners[i] >= data->vertex_count)
            return mesh_refuse(error, KERB_ERROR_OUT_OF_RANGE, "corners", i,
                               "there is no vertex of this index");
    const char* fault = mesh_fault_of(data->vertices, data->corners + first, count);
    return fault ? mesh_refuse(error, KERB_ERROR_CONTRADICTION, "corners", polygon, fault)
                 : KERB_OK;
}

static kerb_result mesh_check_polygons(const kerb_mesh_data* data, kerb_error* error) {
    for (int32_t i = 0, first = 0; i < data->polygon_count; first += data->corner_counts[i++]) {
        int32_t count = data->corner_counts[i];
        if (count < 3)
            return mesh_refuse(error, KERB_ERROR_TOO_FEW, "corner_counts", i, "must be at least 3");
        if (count > KERB_MESH_CORNERS_MAX)
            return mesh_refuse(error, KERB_ERROR_TOO_MANY, "corner_counts", i,
                               "must be at most 32");
        kerb_result result = mesh_check_corners(data, i, first, error);
        if (result != KERB_OK)
            return result;
        if (data->areas && data->areas[i] >= KERB_MESH_AREAS)
            return mesh_refuse(error, KERB_ERROR_OUT_OF_RANGE, "areas", i, "must be from 0 to 63");
    }
    return KERB_OK;
}

// --------------------------------------------------------------------------- links

static kerb_result mesh_check_link(const kerb_mesh_data* data, int32_t i, kerb_error* error) {
    const kerb_mesh_link* link = &data->links[i];
    kerb_result result = mesh_check_position(link->from, "links", i, error);
    if (result == KERB_OK)
        result = mesh_check_position(link->to, "links", i, error);
    if (result != KERB_OK)
        return result;
    if (!kerb_is_finite(link->cost))
        return mesh_refuse(error, KERB_ERROR_NOT_FINITE, "links", i, "the cost must be finite");
    if (link->cost < 0.0f || link->cost > MESH_LINK_COST_MAX)
        return mesh_refuse(error, KERB_ERROR_OUT_OF_RANGE, "links", i,
                           "the cost must be 0 to 1e6 m");
    if (link->area >= KERB_MESH_AREAS)
        return mesh_refuse(error, KERB_ERROR_OUT_OF_RANGE, "links", i, "the area must be 0 to 63");
    int32_t least = link->from_polygon < link->to_polygon ? link->from_polygon : link->to_polygon;
    int32_t most = link->from_polygon < link->to_polygon ? link->to_polygon : link->from_polygon;
    if (least < 0 || most >= data->polygon_count)
        return mesh_refuse(error, KERB_ERROR_OUT_OF_RANGE, "links", i,
                           "there is no polygon of this index");
    return KERB_OK;
}

kerb_result kerb_mesh_data_validate(const kerb_mesh_data* data, kerb_error* error) {
    KERB_ASSERT(data);
    kerb_result result = mesh_check_arrays(data, error);
    for (int32_t i = 0; result == KERB_OK && i < data->vertex_count; i++)
        result = mesh_check_position(data->vertices[i], "vertices", i, error);
    if (result == KERB_OK)
        result = mesh_check_polygons(data, error);
    for (int32_t i = 0; result == KERB_OK && i < data->link_count; i++)
        result = mesh_check_link(data, i, error);
    return result;
}
