// libFuzzer target: any bytes as the numbers that behaviours of steer, seek and group, the
// neighbour grid and the curves are given. Demanded: no crash and no assertion, finite results, and
// directions of unit length or zero; agents that move many steps stay finite.
//
//     fuzz_behaviour_calls -max_total_time=600 -max_len=2000 -timeout=60 out/corpus
#include "fuzz/calls.h"
#include "kerb/group.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { BEHAVIOUR_AGENTS = 12 };

static float behaviour_number(fuzz_bytes* bytes, float usual) {
    return fuzz_odd(bytes, true, -usual, usual);
}

static kerb_vec3 behaviour_place(fuzz_bytes* bytes) {
    float x = behaviour_number(bytes, 100.0f), y = behaviour_number(bytes, 100.0f);
    return (kerb_vec3){x, y, fuzz_below(bytes, 2) ? 0.0f : behaviour_number(bytes, 30.0f)};
}

static kerb_vec3 behaviour_direction(fuzz_bytes* bytes) {
    if (fuzz_below(bytes, 8) == 0)
        return fuzz_any_vec3(bytes);
    float heading = fuzz_between(bytes, -KERB_PI, KERB_PI), sine, cosine;
    kerb_sin_cos(heading, &sine, &cosine);
    return (kerb_vec3){cosine, sine, 0.0f};
}

static kerb_agent behaviour_agent(fuzz_bytes* bytes) {
    kerb_vec3 position = behaviour_place(bytes), forward = behaviour_direction(bytes);
    float of[6];
    static const float usual[6] = {30.0f, 3.0f, 20.0f, 40.0f, 8.0f, 10.0f};
    for (int32_t i = 0; i < 6; i++)
        of[i] = behaviour_number(bytes, usual[i]);
    return (kerb_agent){position,        forward,         of[0],           kerb_abs(of[1]),
                        kerb_abs(of[2]), kerb_abs(of[3]), kerb_abs(of[4]), kerb_abs(of[5])};
}

static void behaviour_demand(kerb_steering wish) {
    fuzz_demand_finite(&wish, sizeof wish);
    float length = kerb_vec3_length(wish.direction);
    FUZZ_DEMAND(length == 0.0f || (length > 0.998f && length < 1.002f));
}

static void behaviour_one(fuzz_bytes* bytes) {
    kerb_agent agent = behaviour_agent(bytes), other = behaviour_agent(bytes);
    kerb_vec3 place = behaviour_place(bytes);
    float step = kerb_abs(behaviour_number(bytes, 0.1f));
    float size = kerb_abs(behaviour_number(bytes, 20.0f));
    kerb_obstacle wall = {place, behaviour_place(bytes), size};
    behaviour_demand(kerb_seek(&agent, place, step));
    behaviour_demand(kerb_arrive(&agent, place, step));
    behaviour_demand(kerb_flee(&agent, place, size));
    behaviour_demand(kerb_pursue(&agent, &other, size, step));
    behaviour_demand(kerb_evade(&agent, &other, size, step));
    behaviour_demand(kerb_offset_pursue(&agent, &other, place, size, step));
    behaviour_demand(kerb_hide(&agent, place, &wall, 1, size, step));
    behaviour_demand(kerb_follow_wall(&agent, &wall, 1, fuzz_below(bytes, 2) ? 1 : -1, size, step));
    kerb_region region = {.kind = KERB_REGION_BOX, .box_min = place, .box_max = wall.to};
    behaviour_demand(kerb_contain(&agent, &region, size, step));
    float free = kerb_free_distance(&agent, wall.to, &wall, 1, step, size);
    FUZZ_DEMAND(free >= 0.0f);
}

static void behaviour_directed(fuzz_bytes* bytes) {
    kerb_directed_seek_settings settings = kerb_directed_seek_settings_default();
    settings.method = fuzz_below(bytes, 4);
    settings.radius = fuzz_below(bytes, 3);
    settings.space = fuzz_below(bytes, 3);
    kerb_agent agent = behaviour_agent(bytes), other = behaviour_agent(bytes);
    kerb_vec3 to = behaviour_place(bytes), forward = behaviour_direction(bytes);
    float size = kerb_abs(behaviour_number(bytes, 20.0f));
    float step = kerb_abs(behaviour_number(bytes, 0.1f));
    kerb_directed_goal goal = {to, forward, size, kerb_abs(behaviour_number(bytes, 20.0f))};
    kerb_directed_decision decision;
    behaviour_demand(kerb_directed_seek(&settings, &agent, &goal, step, &decision));
    FUZZ_DEMAND(kerb_is_finite(decision.distance) && kerb_is_finite(decision.turning));
    kerb_vec3 turning = {0.0f, 0.0f, behaviour_number(bytes, 1.0f)};
    behaviour_demand(
        kerb_directed_pursue(&settings, &agent, &other, turning, size, size, step, &goal));
    kerb_attack_arc arc = {0.5f * size, size, behaviour_number(bytes, 3.0f), 0.3f};
    kerb_agent sound = {
        {0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, 5.0f, 1.0f, 6.0f, 20.0f, 4.0f, 6.0f};
    if (fuzz_below(bytes, 16) == 0) { // hundreds of paths
        goal = kerb_attack_goal(&sound, &arc, (kerb_vec3){to.x, to.y, 0.0f}, 3.0f);
        fuzz_demand_finite(&goal, sizeof goal);
    }
}

static void behaviour_group(fuzz_bytes* bytes) {
    float of[12][BEHAVIOUR_AGENTS];
    const kerb_agents agents = {
        BEHAVIOUR_AGENTS, of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7], of[8], of[9],
        of[10],           of[11]};
    for (int32_t i = 0; i < BEHAVIOUR_AGENTS; i++) {
        kerb_agent one = behaviour_agent(bytes);
        kerb_agents_set(&agents, i, &one);
    }
    kerb_agent agent = kerb_agents_get(&agents, 0), leader = kerb_agents_get(&agents, 1);
    const kerb_group group = {&agents, NULL, BEHAVIOUR_AGENTS, 0};
    float size = kerb_abs(behaviour_number(bytes, 20.0f));
    float step = kerb_abs(behaviour_number(bytes, 0.1f));
    kerb_steering wish = {behaviour_direction(bytes), behaviour_number(bytes, 20.0f)};
    kerb_avoid_agents_settings avoids = kerb_avoid_agents_settings_default();
    avoids.space = fuzz_below(bytes, 2);
    behaviour_demand(kerb_separation(&agent, &group, size));
    behaviour_demand(kerb_alignment(&agent, &group, size));
    behaviour_demand(kerb_cohesion(&agent, &group, size));
    behaviour_demand(kerb_avoid_agents(&avoids, &agent, &wish, &group, step));
    kerb_gate gate = {behaviour_place(bytes), behaviour_direction(bytes), size};
    behaviour_demand(kerb_queue(&agent, &gate, &group, step));
    behaviour_demand(kerb_gather(&agent, gate.position, size, step, &group));
    behaviour_demand(kerb_follow_leader(&agent, &leader, size, step));
    kerb_formation_place place = kerb_formation_place_of(&leader, step, gate.position);
    behaviour_demand(kerb_formation_keep(&agent, &place, step));
    // A flock of those and one that is sound: it stays so.
    kerb_agent sound = {
        {1.0f, 2.0f, 0.0f}, {0.6f, 0.8f, 0.0f}, 7.0f, 1.0f, 8.0f, 20.0f, 4.0f, 6.0f};
    kerb_agents_set(&agents, 3, &sound);
    static kerb_flock flock;
    kerb_host host = kerb_host_default();
    if (flock.memory == NULL)
        FUZZ_DEMAND(kerb_flock_create(&flock, BEHAVIOUR_AGENTS, &host, NULL) == KERB_OK);
    const kerb_flock_settings settings = kerb_flock_settings_default();
    for (int32_t i = 0; i < 20; i++)
        kerb_flock_update(&flock, &settings, &agents, step);
    sound = kerb_agents_get(&agents, 3);
    fuzz_demand_finite(&sound, sizeof sound);
}

static void behaviour_grid(fuzz_bytes* bytes) {
    static kerb_neighbour_grid grid;
    kerb_host host = kerb_host_default();
    if (grid.cell_begins == NULL)
        FUZZ_DEMAND(kerb_neighbour_grid_create(&grid, 32, &host, NULL) == KERB_OK);
    float x[32], y[32], z[32], squares[32];
    int32_t found[32], nearest[32], count = fuzz_below(bytes, 33);
    for (int32_t i = 0; i < count; i++) {
        kerb_vec3 place = behaviour_place(bytes);
        x[i] = place.x, y[i] = place.y, z[i] = place.z;
    }
    kerb_neighbour_grid_build(&grid, x, y, fuzz_below(bytes, 2) ? z : NULL, count,
                              behaviour_number(bytes, 20.0f));
    kerb_vec3 place = behaviour_place(bytes);
    float radius = behaviour_number(bytes, 60.0f);
    int32_t within = kerb_neighbours_within(&grid, place, radius, found, 32);
    FUZZ_DEMAND(within >= 0 && within <= grid.count && grid.count <= count);
    FUZZ_DEMAND(kerb_neighbours_nearest(&grid, place, radius, nearest, squares, 32) == within);
    kerb_vec3 corner = behaviour_place(bytes);
    const kerb_neighbour_cells cells = kerb_neighbour_cells_around(
        &grid, (kerb_vec2){place.x, place.y}, (kerb_vec2){corner.x, corner.y}, radius);
    for (int32_t row = 0; row < cells.rows; row++) {
        kerb_neighbour_range ranges[2];
        kerb_neighbour_row(&grid, &cells, row, ranges);
        FUZZ_DEMAND(ranges[0].end <= grid.count && ranges[1].end <= grid.count);
    }
}

static void behaviour_curve(fuzz_bytes* bytes) {
    kerb_vec3 a = behaviour_place(bytes), b = behaviour_place(bytes), c = behaviour_place(bytes);
    // Directions of poses have unit length.
    kerb_pose from = kerb_pose_make(a.x, a.y, fuzz_between(bytes, -KERB_PI, KERB_PI));
    kerb_pose to = kerb_pose_make(b.x, b.y, fuzz_between(bytes, -KERB_PI, KERB_PI));
    float radius = behaviour_number(bytes, 30.0f), at = behaviour_number(bytes, 50.0f);
    const kerb_curve curves[2] = {kerb_dubins(from, to, radius),
                                  kerb_reeds_shepp(from, to, radius)};
    for (int32_t i = 0; i < 2; i++) {
        FUZZ_DEMAND(curves[i].count >= 0 && curves[i].count <= KERB_CURVE_PIECES);
        if (curves[i].count == 0)
            continue;
        kerb_curve_sample sample = kerb_curve_at(&curves[i], at);
        FUZZ_DEMAND(kerb_is_finite(sample.pose.position.x));
        FUZZ_DEMAND(kerb_is_finite(sample.pose.position.y));
        FUZZ_DEMAND(kerb_is_finite(sample.curvature) &&
                    kerb_is_finite(kerb_curve_length(&curves[i])));
        kerb_curve rest = kerb_curve_remainder(&curves[i], at);
        FUZZ_DEMAND(rest.count >= 0 && rest.count <= curves[i].count);
    }
    FUZZ_DEMAND(kerb_dubins_length(from, to, radius) >= 0.0f);
    float bend = kerb_bezier_curvature_max(a, b, c);
    FUZZ_DEMAND(bend >= 0.0f && bend <= KERB_CURVATURE_CUSP);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_bytes bytes = fuzz_bytes_of(data, size);
    for (int32_t i = 0; i < 50 && fuzz_has_more(&bytes); i++) {
        clock_t begin = clock();
        switch (fuzz_below(&bytes, 5)) {
        case 0:
            behaviour_one(&bytes);
            break;
        case 1:
            behaviour_directed(&bytes);
            break;
        case 2:
            behaviour_group(&bytes);
            break;
        case 3:
            behaviour_grid(&bytes);
            break;
        default:
            behaviour_curve(&bytes);
            break;
        }
        FUZZ_DEMAND((float)(clock() - begin) <= 1.0f * (float)CLOCKS_PER_SEC);
    }
    return 0;
}
