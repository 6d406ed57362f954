// Purpose: where a point is on a mesh, and how far it is to a border.
// Idea:    The grid gives the polygons near a point. A straight line goes from polygon to polygon
//          through the open parts of their sides, so levels above and below do not count. A line
//          along a border must not end at every corner because of rounding: borders count as lying
//          a little farther out.
// Cost:    O(polygons near, or passed).
#include "../base/shared.h"
#include "parts.h"

// How far a straight line may pass over a border. Shortest lines touch borders at corners, and
// their points are rounded to floats: at 10 km from the origin to 1 mm. Half of it fails there. [m]
#define MESH_OVER_BORDER 0.01f

// The place of a side that is nearest to a place.
static kerb_vec2 mesh_clamp_to_side(kerb_vec2 from, kerb_vec2 to, kerb_vec2 place) {
    kerb_vec2 along = kerb_vec2_sub(to, from);
    float square = kerb_vec2_dot(along, along);
    float share = square > 0.0f ? kerb_vec2_dot(kerb_vec2_sub(place, from), along) / square : 0.0f;
    return kerb_vec2_add(from, kerb_vec2_scale(along, kerb_clamp(share, 0.0f, 1.0f)));
}

kerb_vec2 kerb_in_mesh_clamp(const mesh_parts* p, int32_t polygon, kerb_vec2 place) {
    kerb_vec2 best = place;
    float best_square = 0.0f;
    bool inside = true;
    for (int32_t c = p->first[polygon]; c < p->first[polygon + 1]; c++) {
        mesh_side side = mesh_side_at(p, polygon, c);
        kerb_vec2 from = mesh_flat(side.from), to = mesh_flat(side.to);
        if (kerb_vec2_cross(kerb_vec2_sub(to, from), kerb_vec2_sub(place, from)) >= 0.0f)
            continue;
        kerb_vec2 at = mesh_clamp_to_side(from, to, place), away = kerb_vec2_sub(place, at);
        float square = kerb_vec2_dot(away, away);
        if (inside || square < best_square) {
            best = at;
            best_square = square;
        }
        inside = false;
    }
    return best;
}

// Height of the plane through three points; that of the first where they lie on a line.
static float mesh_height_on(kerb_vec3 a, kerb_vec3 b, kerb_vec3 c, kerb_vec2 place) {
    kerb_vec2 ab = kerb_vec2_sub(mesh_flat(b), mesh_flat(a)),
              ac = kerb_vec2_sub(mesh_flat(c), mesh_flat(a)),
              to = kerb_vec2_sub(place, mesh_flat(a));
    float area = kerb_vec2_cross(ab, ac);
    if (!(area > 0.0f))
        return a.z;
    float u = kerb_vec2_cross(to, ac) / area, v = kerb_vec2_cross(ab, to) / area;
    return a.z + u * (b.z - a.z) + v * (c.z - a.z);
}

static float mesh_height_in(const mesh_parts* p, int32_t polygon, kerb_vec2 place) {
    const int32_t* corners = p->corners + p->first[polygon];
    int32_t count = p->first[polygon + 1] - p->first[polygon], i = 1;
    kerb_vec3 first = p->vertices[corners[0]];
    kerb_vec2 to = kerb_vec2_sub(place, mesh_flat(first));
    // The triangle whose far side is not left of the place: the last one where none is.
    while (i + 2 < count &&
           kerb_vec2_cross(kerb_vec2_sub(mesh_flat(p->vertices[corners[i + 1]]), mesh_flat(first)),
                           to) > 0.0f)
        i++;
    float height =
        mesh_height_on(first, p->vertices[corners[i]], p->vertices[corners[i + 1]], place);
    return kerb_clamp(height, p->least[polygon].z, p->most[polygon].z);
}

float kerb_mesh_height(const kerb_mesh* mesh, int32_t polygon, float x, float y) {
    KERB_ASSERT(mesh && polygon >= 0 && polygon < mesh->polygon_count);
    mesh_parts p = kerb_in_mesh_parts(mesh);
    kerb_vec2 place = {kerb_clamp(x, -MESH_FAR, MESH_FAR), kerb_clamp(y, -MESH_FAR, MESH_FAR)};
    return mesh_height_in(&p, polygon, kerb_in_mesh_clamp(&p, polygon, place));
}

// --------------------------------------------------------------------------- nearest

typedef struct mesh_wanted {
    kerb_vec3 point;
    float reach, height_reach;
    kerb_mesh_place best;
    float best_square;
} mesh_wanted;

static void mesh_try_polygon(const mesh_parts* p, int32_t polygon, mesh_wanted* w) {
    kerb_vec3 least = p->least[polygon], most = p->most[polygon], a = w->point;
    if (a.x < least.x - w->reach || a.x > most.x + w->reach || a.y < least.y - w->reach ||
        a.y > most.y + w->reach || a.z < least.z - w->height_reach ||
        a.z > most.z + w->height_reach)
        return;
    kerb_vec2 at = kerb_in_mesh_clamp(p, polygon, mesh_flat(a));
    kerb_vec3 on = kerb_vec3_make(at.x, at.y, mesh_height_in(p, polygon, at)),
              away = kerb_vec3_sub(a, on);
    float flat = away.x * away.x + away.y * away.y, square = flat + away.z * away.z;
    if (flat > w->reach * w->reach || kerb_abs(away.z) > w->height_reach)
        return;
    bool nearer = w->best.polygon < 0 || square < w->best_square ||
                  (square <= w->best_square && polygon < w->best.polygon);
    if (!nearer)
        return;
    w->best = (kerb_mesh_place){polygon, on};
    w->best_square = square;
}

kerb_mesh_place kerb_mesh_nearest(const kerb_mesh* mesh, kerb_vec3 point, float reach,
                                  float height_reach) {
    KERB_ASSERT(mesh && mesh->memory);
    mesh_wanted w = {
        point, kerb_min(reach, MESH_FAR), kerb_min(height_reach, MESH_FAR), {-1, {0, 0, 0}}, 0};
    if (!kerb_vec3_is_finite(point) || !(reach >= 0.0f) || !(height_reach >= 0.0f))
        return w.best;
    mesh_parts p = kerb_in_mesh_parts(mesh);
    const mesh_head* h = p.head;
    float x = kerb_clamp(point.x, -MESH_FAR, MESH_FAR) - h->origin.x,
          y = kerb_clamp(point.y, -MESH_FAR, MESH_FAR) - h->origin.y;
    int32_t left = mesh_cell_of((x - w.reach) / h->cell, h->columns),
            right = mesh_cell_of((x + w.reach) / h->cell, h->columns),
            low = mesh_cell_of((y - w.reach) / h->cell, h->rows),
            high = mesh_cell_of((y + w.reach) / h->cell, h->rows);
    for (int32_t row = low; row <= high; row++)
        for (int32_t column = left; column <= right; column++) {
            int32_t cell = row * h->columns + column;
            for (int32_t i = p.cell_begins[cell]; i < p.cell_begins[cell + 1]; i++)
                mesh_try_polygon(&p, p.in_cells[i], &w);
        }
    return w.best;
}

// --------------------------------------------------------------------------- straight lines

// Where a line leaves a polygon.
typedef struct mesh_exit {
    float distance; // from the line's start [m]
    int32_t next;   // polygon; -1: a border
} mesh_exit;

// Whether a place on a side's line lies in its opening, or nearly.
static bool mesh_is_in_opening(const mesh_parts* p, int32_t polygon, int32_t corner, kerb_vec2 at) {
    if (p->openings[corner].from <= 0.0f && p->openings[corner].to >= 1.0f)
        return true;
    mesh_side open = mesh_opening_at(p, polygon, corner);
    kerb_vec2 near = mesh_clamp_to_side(mesh_flat(open.from), mesh_flat(open.to), at);
    return kerb_vec2_length(kerb_vec2_sub(near, at)) <= MESH_OVER_BORDER;
}

// Where a line crosses the side from a corner, by its normal; the distance is negative where the
// line began beyond it. False: it does not leave through this side.
static bool mesh_crosses(const mesh_side* side, kerb_vec2 from, kerb_vec2 direction, float farther,
                         float* distance) {
    kerb_vec2 along = kerb_vec2_sub(mesh_flat(side->to), mesh_flat(side->from));
    float rate = kerb_vec2_cross(direction, along); // outwards
    if (!(rate > 0.0f))
        return false;
    float away = kerb_vec2_cross(along, kerb_vec2_sub(from, mesh_flat(side->from)));
    *distance = (away + farther * kerb_vec2_length(along)) / rate;
    return true;
}

static mesh_exit mesh_leave(const mesh_parts* p, int32_t polygon, kerb_vec2 from,
                            kerb_vec2 direction) {
    mesh_exit exit = {2.0f * MESH_FAR, -1};
    for (int32_t c = p->first[polygon]; c < p->first[polygon + 1]; c++) {
        mesh_side side = mesh_side_at(p, polygon, c);
        float distance;
        if (!mesh_crosses(&side, from, direction, 0.0f, &distance))
            continue;
        bool open = p->neighbours[c] >= 0;
        if (open) {
            kerb_vec2 at = kerb_vec2_add(from, kerb_vec2_scale(direction, distance));
            open = mesh_is_in_opening(p, polygon, c, at);
        }
        if (!open && !mesh_crosses(&side, from, direction, MESH_OVER_BORDER, &distance))
            continue;
        // At a corner an opening goes before a border.
        if (distance < exit.distance || (open && exit.next < 0 && distance <= exit.distance))
            exit = (mesh_exit){distance, open ? p->neighbours[c] : -1};
    }
    return exit;
}

kerb_mesh_hit kerb_mesh_ray(const kerb_mesh* mesh, kerb_mesh_place from, kerb_vec2 direction,
                            float length) {
    KERB_ASSERT(mesh && from.polygon >= 0 && from.polygon < mesh->polygon_count);
    mesh_parts p = kerb_in_mesh_parts(mesh);
    kerb_vec2 at = mesh_flat(from.position);
    kerb_mesh_hit hit = {0.0f, true, from};
    if (!kerb_vec3_is_finite(from.position) || !(length >= 0.0f) || !kerb_is_finite(direction.x) ||
        !kerb_is_finite(direction.y))
        return hit;
    // Each polygon is passed at most once by a straight line; rounding must not go round in
    // circles.
    for (int32_t i = 0; i <= mesh->polygon_count; i++) {
        mesh_exit exit = mesh_leave(&p, hit.place.polygon, at, direction);
        hit.border = exit.next < 0 && exit.distance < length;
        hit.distance = kerb_max(hit.distance, kerb_min(exit.distance, length));
        if (exit.next < 0 || exit.distance >= length)
            break;
        hit.place.polygon = exit.next;
    }
    kerb_vec2 end = kerb_vec2_add(at, kerb_vec2_scale(direction, hit.distance));
    kerb_vec2 on = kerb_in_mesh_clamp(&p, hit.place.polygon, end);
    hit.place.position = kerb_vec3_make(on.x, on.y, mesh_height_in(&p, hit.place.polygon, on));
    return hit;
}

// --------------------------------------------------------------------------- distance to borders

static float mesh_distance_to(kerb_vec3 from, kerb_vec3 to, kerb_vec2 place) {
    return kerb_vec2_length(
        kerb_vec2_sub(mesh_clamp_to_side(mesh_flat(from), mesh_flat(to), place), place));
}

// The nearest closed part of a side.
static float mesh_closed_distance(const mesh_parts* p, int32_t polygon, int32_t corner,
                                  kerb_vec2 place) {
    mesh_side side = mesh_side_at(p, polygon, corner);
    if (p->neighbours[corner] < 0)
        return mesh_distance_to(side.from, side.to, place);
    mesh_side open = mesh_opening_at(p, polygon, corner);
    float best = 2.0f * MESH_FAR;
    if (p->openings[corner].from > 0.0f)
        best = mesh_distance_to(side.from, open.from, place);
    if (p->openings[corner].to < 1.0f)
        best = kerb_min(best, mesh_distance_to(open.to, side.to, place));
    return best;
}

float kerb_mesh_border_distance(const kerb_mesh* mesh, kerb_mesh_search* search,
                                kerb_mesh_place place, float reach) {
    KERB_ASSERT(mesh && search && place.polygon >= 0 && place.polygon < mesh->polygon_count);
    mesh_parts p = kerb_in_mesh_parts(mesh);
    mesh_search_parts s = kerb_in_mesh_search_parts(search, mesh->polygon_count);
    kerb_in_mesh_search_renew(&s, mesh->polygon_count);
    kerb_vec2 at = mesh_flat(place.position);
    float best = reach >= 0.0f ? reach : 0.0f;
    s.heap[s.head->count++] = place.polygon;
    s.nodes[place.polygon].stamp = s.head->stamp;
    for (int32_t i = 0; i < s.head->count; i++) {
        int32_t polygon = s.heap[i];
        for (int32_t c = p.first[polygon]; c < p.first[polygon + 1]; c++) {
            best = kerb_min(best, mesh_closed_distance(&p, polygon, c, at));
            int32_t next = p.neighbours[c];
            if (next < 0 || s.nodes[next].stamp == s.head->stamp)
                continue;
            mesh_side open = mesh_opening_at(&p, polygon, c);
            if (mesh_distance_to(open.from, open.to, at) >= best)
                continue;
            s.nodes[next].stamp = s.head->stamp;
            s.heap[s.head->count++] = next;
        }
    }
    return best;
}
