// Hash of navigation meshes: corridors, pulled strings, lines, and distances on a mesh with holes.
#include "golden.h"

enum { MESH_SIDE = 24, MESH_ROW = MESH_SIDE + 1, MESH_STEPS = MESH_SIDE * MESH_SIDE };

typedef struct golden_mesh {
    kerb_vec3 vertices[MESH_ROW * MESH_ROW];
    int32_t counts[MESH_STEPS], corners[4 * MESH_STEPS];
    kerb_mesh_step steps[MESH_STEPS];
    kerb_mesh_place places[MESH_STEPS];
    kerb_mesh_line_point points[2000];
} golden_mesh;

static kerb_mesh_data some_mesh(golden_mesh* m, kerb_random* random) {
    for (int32_t i = 0; i < MESH_ROW * MESH_ROW; i++)
        m->vertices[i] = kerb_vec3_make(6.0f * (float)(i % MESH_ROW), 6.0f * (float)(i / MESH_ROW),
                                        0.1f * (float)(i % 5));
    int32_t count = 0;
    for (int32_t i = 0; i < MESH_STEPS; i++) {
        if (kerb_random_below(random, 5) == 0)
            continue;
        int32_t low = i / MESH_SIDE * MESH_ROW + i % MESH_SIDE, *corners = &m->corners[4 * count];
        corners[0] = low;
        corners[1] = low + 1;
        corners[2] = low + MESH_ROW + 1;
        corners[3] = low + MESH_ROW;
        m->counts[count++] = 4;
    }
    return (kerb_mesh_data){.vertices = m->vertices,
                            .vertex_count = MESH_ROW * MESH_ROW,
                            .corner_counts = m->counts,
                            .corners = m->corners,
                            .polygon_count = count};
}

static kerb_mesh_place some_mesh_place(const kerb_mesh* mesh, kerb_random* random) {
    kerb_vec3 point = {0.0f, 0.0f, 0.2f};
    point.x = kerb_random_between(random, 0.0f, 144.0f);
    point.y = kerb_random_between(random, 0.0f, 144.0f);
    return kerb_mesh_nearest(mesh, point, 20.0f, 2.0f);
}

static void add_corridor(golden_hash* hash, golden_mesh* m, const kerb_mesh* mesh,
                         kerb_mesh_search* search, kerb_random* random) {
    kerb_mesh_agent agent = kerb_mesh_agent_default();
    kerb_mesh_corridor corridor = {.steps = m->steps, .capacity = MESH_STEPS};
    kerb_mesh_place from = some_mesh_place(mesh, random);
    kerb_mesh_place to = some_mesh_place(mesh, random);
    kerb_mesh_find_corridor(mesh, search, &agent, from, to, &corridor);
    golden_add_int(hash, corridor.count);
    golden_add_float(hash, corridor.cost);
    for (int32_t i = 0; i < corridor.count; i++)
        golden_add_int(hash, m->steps[i].polygon);
    int32_t count = kerb_mesh_pull(mesh, &corridor, 1.0f, m->places, MESH_STEPS);
    for (int32_t i = 0; i < count; i++)
        golden_add_vec3(hash, m->places[i].position);
    kerb_mesh_line line = {.points = m->points, .capacity = 2000};
    kerb_mesh_line_settings settings = kerb_mesh_line_settings_default();
    golden_require(kerb_mesh_make_line(mesh, &corridor, &settings, &line, NULL) == KERB_OK,
                   "making a line");
    for (int32_t i = 0; i < line.count; i++) {
        golden_add_vec3(hash, m->points[i].position);
        golden_add_float(hash, m->points[i].left);
        golden_add_float(hash, m->points[i].right);
    }
    golden_add_float(hash, line.radius_min);
    golden_add_float(hash, kerb_mesh_border_distance(mesh, search, from, 30.0f));
}

uint64_t navigation_mesh(void) {
    static golden_mesh m;
    golden_hash hash = golden_start();
    kerb_random random = kerb_random_make(33, 1);
    const kerb_host host = kerb_host_default();
    kerb_mesh_data data = some_mesh(&m, &random);
    kerb_mesh mesh;
    kerb_mesh_search search;
    golden_require(kerb_mesh_create(&mesh, &data, &host, NULL) == KERB_OK &&
                       kerb_mesh_search_create(&search, &mesh, &host, NULL) == KERB_OK,
                   "making a mesh");
    for (int32_t i = 0; i < 100; i++)
        add_corridor(&hash, &m, &mesh, &search, &random);
    kerb_mesh_search_destroy(&search);
    kerb_mesh_destroy(&mesh);
    return hash.value;
}
