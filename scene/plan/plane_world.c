// Purpose: random obstacles in the plane: islands among which a ship goes, tables, houses.
// Cost:    O(squares).
#include "scene/plan/plane_world.h"

#include "kerb/math.h"

#include <string.h>

// Side of a square. [radius]
#define PLANE_SIDE 0.12f

void kerb_scene_plane_make(kerb_scene_plane_world* s, float radius, kerb_random* random) {
    memset(s, 0, sizeof *s);
    float half = 0.5f * PLANE_SIDE * radius;
    for (int32_t i = 0; i < KERB_SCENE_SQUARES; i++) {
        kerb_vec2* corners = s->corners + 4 * (size_t)i;
        float bearing = kerb_random_between(random, -KERB_PI, KERB_PI);
        float distance = kerb_random_between(random, 0.25f * radius, radius);
        float x = distance * kerb_cos(bearing), y = distance * kerb_sin(bearing);
        corners[0] = kerb_vec2_make(x - half, y - half);
        corners[1] = kerb_vec2_make(x + half, y - half);
        corners[2] = kerb_vec2_make(x + half, y + half);
        corners[3] = kerb_vec2_make(x - half, y + half);
        s->counts[i] = 4;
    }
    s->world.vertices = s->corners;
    s->world.vertex_counts = s->counts;
    s->world.polygon_count = KERB_SCENE_SQUARES;
}
