// One hash for each kernel, over inputs dense enough that a single differing rounding shows.
#include "golden.h"
#include "sim/airplane.h"
#include "sim/vehicle.h"

#include <math.h>

#define SAMPLES 20000

// Evenly over [least, most].
static float spread(int i, float least, float most) {
    return least + (most - least) * ((float)i / (float)SAMPLES);
}

static kerb_random seeded(uint64_t stream) {
    return kerb_random_make(2024, stream);
}

static kerb_vec3 random_vec3(kerb_random* random, float most) {
    float x = kerb_random_between(random, -most, most);
    float y = kerb_random_between(random, -most, most);
    float z = kerb_random_between(random, -most, most);
    return kerb_vec3_make(x, y, z);
}

static kerb_quat random_rotation(kerb_random* random) {
    kerb_vec3 angles = random_vec3(random, 3.0f);
    return kerb_quat_from_angles(angles.x, angles.y, angles.z);
}

uint64_t random_numbers(void) {
    golden_hash hash = golden_start();
    kerb_random random = seeded(1);
    for (int i = 0; i < SAMPLES; i++) {
        golden_add_bits(&hash, kerb_random_bits(&random), 4);
        golden_add_float(&hash, kerb_random_unit(&random));
        golden_add_float(&hash, kerb_random_between(&random, -3.0f, 7.0f));
        golden_add_int(&hash, kerb_random_below(&random, 1 + i));
    }
    return hash.value;
}

// ---------------------------------------------------------------------------- math

uint64_t sine_and_cosine(void) {
    golden_hash hash = golden_start();
    for (int i = 0; i <= SAMPLES; i++) {
        float sine, cosine;
        kerb_sin_cos(spread(i, -1.0e4f, 1.0e4f), &sine, &cosine);
        golden_add_float(&hash, sine);
        golden_add_float(&hash, cosine);
        golden_add_float(&hash, kerb_sin(spread(i, -4.0f, 4.0f)));
        golden_add_float(&hash, kerb_cos(spread(i, -4.0f, 4.0f)));
    }
    return hash.value;
}

uint64_t tangent(void) {
    golden_hash hash = golden_start();
    for (int i = 0; i <= SAMPLES; i++)
        golden_add_float(&hash, kerb_tan(spread(i, -10.0f, 10.0f)));
    return hash.value;
}

uint64_t arctangent(void) {
    golden_hash hash = golden_start();
    for (int i = 0; i <= SAMPLES; i++) {
        golden_add_float(&hash, kerb_atan(spread(i, -3.0f, 3.0f)));
        golden_add_float(&hash, kerb_atan(spread(i, -1.0e6f, 1.0e6f)));
    }
    return hash.value;
}

uint64_t angle_of_vector(void) {
    golden_hash hash = golden_start();
    kerb_random random = seeded(2);
    for (int i = 0; i <= SAMPLES; i++) {
        kerb_vec3 v = random_vec3(&random, 100.0f);
        golden_add_float(&hash, kerb_atan2(v.y, v.x));
        golden_add_float(&hash, kerb_atan2(v.z * 1.0e-6f, v.x));
    }
    return hash.value;
}

uint64_t arcsine_and_arccosine(void) {
    golden_hash hash = golden_start();
    for (int i = 0; i <= SAMPLES; i++) {
        golden_add_float(&hash, kerb_asin(spread(i, -1.01f, 1.01f)));
        golden_add_float(&hash, kerb_acos(spread(i, -1.01f, 1.01f)));
    }
    return hash.value;
}

uint64_t wrapped_angles(void) {
    golden_hash hash = golden_start();
    for (int i = 0; i <= SAMPLES; i++)
        golden_add_float(&hash, kerb_wrap_angle(spread(i, -50.0f, 50.0f)));
    return hash.value;
}

uint64_t square_root(void) {
    golden_hash hash = golden_start();
    for (int i = 0; i <= SAMPLES; i++) {
        golden_add_float(&hash, kerb_sqrt(spread(i, 0.0f, 10.0f)));
        golden_add_float(&hash, kerb_sqrt(spread(i, 0.0f, 1.0e30f)));
    }
    return hash.value;
}

// What a host should never pass, and may.
static const float odd[] = {0.0f,     -0.0f,    3.0e38f,  -3.0e38f,  HUGE_VALF, -HUGE_VALF,
                            NAN,      1.0e4f,   2.0e9f,   -5.0e9f,   KERB_PI,   -KERB_PI,
                            1.0e-20f, 1.0e-30f, 1.0e-45f, -1.0e-45f, 1.0e-38f};
enum { ODD = sizeof odd / sizeof odd[0], ODD_DENORMAL = 3 };

static void add_plain_operations(golden_hash* hash, float a, float b) {
    golden_add_float(hash, kerb_sqrt(a));
    golden_add_float(hash, kerb_min(a, b));
    golden_add_float(hash, kerb_max(a, b));
    golden_add_float(hash, kerb_clamp(a, b, 1.0f));
}

// Denormals are left out of the plain operations: there the host's processor mode decides.
uint64_t odd_numbers(void) {
    float (*const functions[])(float) = {kerb_sin,  kerb_cos,  kerb_tan,       kerb_atan,
                                         kerb_asin, kerb_acos, kerb_wrap_angle};
    golden_hash hash = golden_start();
    for (int i = 0; i < ODD; i++) {
        for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++)
            golden_add_float(&hash, functions[f](odd[i]));
        for (int j = 0; j < ODD; j++) {
            golden_add_float(&hash, kerb_atan2(odd[i], odd[j]));
            if (i < ODD - ODD_DENORMAL && j < ODD - ODD_DENORMAL)
                add_plain_operations(&hash, odd[i], odd[j]);
        }
    }
    return hash.value;
}

uint64_t vectors(void) {
    golden_hash hash = golden_start();
    kerb_random random = seeded(3);
    for (int i = 0; i < SAMPLES; i++) {
        kerb_vec3 a = random_vec3(&random, 50.0f);
        kerb_vec3 b = random_vec3(&random, 50.0f);
        golden_add_float(&hash, kerb_vec3_dot(a, b));
        golden_add_vec3(&hash, kerb_vec3_cross(a, b));
        golden_add_vec3(&hash, kerb_vec3_along(a, b, 0.3f));
        golden_add_float(&hash, kerb_vec3_length(a));
        golden_add_float(&hash, kerb_vec2_length(kerb_vec2_make(b.x, b.y)));
        golden_add_vec3(&hash, kerb_vec3_unit(a, b));
        golden_add_float(&hash, kerb_smooth_step(a.x, -40.0f, 40.0f));
    }
    return hash.value;
}

uint64_t rotations(void) {
    golden_hash hash = golden_start();
    kerb_random random = seeded(4);
    for (int i = 0; i < SAMPLES; i++) {
        kerb_quat a = random_rotation(&random);
        kerb_quat b = random_rotation(&random);
        golden_add_quat(&hash, kerb_quat_multiply(a, b));
        golden_add_vec3(&hash, kerb_quat_rotate(a, random_vec3(&random, 9.0f)));
        golden_add_vec3(&hash, kerb_quat_forward(a));
        golden_add_vec3(&hash, kerb_quat_left(a));
        golden_add_vec3(&hash, kerb_quat_up(a));
        golden_add_float(&hash, kerb_quat_heading(a));
        golden_add_quat(&hash, kerb_quat_from_heading(kerb_quat_heading(b)));
    }
    return hash.value;
}

uint64_t axes_of_engines(void) {
    const kerb_axes engines[] = {kerb_axes_unity(), kerb_axes_unreal(), kerb_axes_godot(),
                                 kerb_axes_gltf()};
    golden_hash hash = golden_start();
    kerb_random random = seeded(5);
    for (int i = 0; i < SAMPLES; i++) {
        const kerb_axes* engine = &engines[i % 4];
        kerb_vec3 v = random_vec3(&random, 500.0f);
        kerb_quat q = random_rotation(&random);
        golden_add_vec3(&hash, kerb_position_from(engine, v));
        golden_add_vec3(&hash, kerb_position_to(engine, v));
        golden_add_vec3(&hash, kerb_direction_from(engine, v));
        golden_add_vec3(&hash, kerb_angular_velocity_from(engine, v));
        golden_add_quat(&hash, kerb_rotation_from(engine, q));
        golden_add_quat(&hash, kerb_rotation_to(engine, q));
    }
    return hash.value;
}

// ---------------------------------------------------------------------------- curve and path

uint64_t bezier(void) {
    golden_hash hash = golden_start();
    kerb_random random = seeded(6);
    for (int i = 0; i < SAMPLES; i++) {
        kerb_vec3 p1 = random_vec3(&random, 20.0f);
        kerb_vec3 p2 = random_vec3(&random, 20.0f);
        kerb_vec3 p3 = random_vec3(&random, 20.0f);
        golden_add_float(&hash, kerb_bezier_curvature_max(p1, p2, p3));
        golden_add_vec3(&hash, kerb_bezier_point(p1, p2, p3, kerb_random_unit(&random)));
    }
    return hash.value;
}

static kerb_pose random_pose(kerb_random* random, float most) {
    float x = kerb_random_between(random, -most, most);
    float y = kerb_random_between(random, -most, most);
    return kerb_pose_make(x, y, kerb_random_between(random, -4.0f, 4.0f));
}

static void add_pose(golden_hash* hash, kerb_pose pose) {
    golden_add_float(hash, pose.position.x);
    golden_add_float(hash, pose.position.y);
    golden_add_float(hash, pose.forward.x);
    golden_add_float(hash, pose.forward.y);
    golden_add_float(hash, kerb_pose_heading(pose));
}

static void add_way(golden_hash* hash, const kerb_curve* way) {
    golden_add_int(hash, way->count);
    for (int32_t i = 0; i < way->count; i++) {
        golden_add_float(hash, way->curvature[i]);
        golden_add_float(hash, way->length[i]);
    }
}

uint64_t ways_of_arcs(void) {
    golden_hash hash = golden_start();
    kerb_random random = seeded(14);
    for (int i = 0; i < SAMPLES; i++) {
        kerb_curve way = {random_pose(&random, 20.0f), 5, {0}, {0}};
        for (int32_t k = 0; k < way.count; k++) {
            way.curvature[k] = kerb_random_between(&random, -0.2f, 0.2f);
            way.length[k] = kerb_random_between(&random, -9.0f, 20.0f);
        }
        float length = kerb_curve_length(&way);
        golden_add_float(&hash, length);
        float distance = kerb_random_between(&random, 0.0f, length);
        kerb_curve_sample place = kerb_curve_at(&way, distance);
        add_pose(&hash, place.pose);
        golden_add_float(&hash, place.curvature);
        golden_add_int(&hash, place.travel);
        kerb_curve rest = kerb_curve_remainder(&way, distance);
        add_way(&hash, &rest);
        add_pose(&hash, kerb_curve_end(&way));
    }
    return hash.value;
}

uint64_t dubins(void) {
    golden_hash hash = golden_start();
    kerb_random random = seeded(15);
    for (int i = 0; i < SAMPLES; i++) {
        kerb_pose from = random_pose(&random, 20.0f), to = random_pose(&random, 20.0f);
        float radius = kerb_random_between(&random, 0.1f, 12.0f);
        if (i % 100 == 0) // straight ahead
            to = kerb_curve_end(&(kerb_curve){from, 1, {0.0f}, {radius}});
        golden_add_float(&hash, kerb_dubins_length(from, to, radius));
        golden_add_float(&hash, kerb_dubins_length_csc(from, to, radius));
        for (int32_t word = 0; word < KERB_DUBINS_WORD_COUNT; word++)
            golden_add_float(&hash,
                             kerb_dubins_word_length((kerb_dubins_word)word, from, to, radius));
        kerb_curve way = kerb_dubins(from, to, radius);
        add_way(&hash, &way);
    }
    return hash.value;
}

// The same numbers whatever the width of the registers; with a rest that fills no block.
uint64_t dubins_batch(void) {
    enum { COUNT = 20003 };
    static float parts[8][COUNT], lengths[COUNT];
    golden_hash hash = golden_start();
    kerb_random random = seeded(16);
    for (int i = 0; i < COUNT; i++) {
        kerb_pose from = random_pose(&random, 20.0f), to = random_pose(&random, 20.0f);
        const float numbers[8] = {from.position.x, from.position.y, from.forward.x, from.forward.y,
                                  to.position.x,   to.position.y,   to.forward.x,   to.forward.y};
        for (int part = 0; part < 8; part++)
            parts[part][i] = numbers[part];
    }
    const kerb_poses from = {parts[0], parts[1], parts[2], parts[3]};
    const kerb_poses to = {parts[4], parts[5], parts[6], parts[7]};
    kerb_dubins_lengths(from, to, 5.0f, COUNT, lengths);
    for (int i = 0; i < COUNT; i++)
        golden_add_float(&hash, lengths[i]);
    return hash.value;
}

uint64_t reeds_shepp(void) {
    golden_hash hash = golden_start();
    kerb_random random = seeded(17);
    for (int i = 0; i < SAMPLES; i++) {
        kerb_pose from = random_pose(&random, 20.0f), to = random_pose(&random, 20.0f);
        float radius = kerb_random_between(&random, 0.1f, 12.0f);
        if (i % 100 == 0)
            to = from;
        golden_add_float(&hash, kerb_reeds_shepp_length(from, to, radius));
        for (int32_t word = i % 12; word < KERB_REEDS_SHEPP_WORDS; word += 12)
            golden_add_float(&hash, kerb_reeds_shepp_word_length(word, from, to, radius));
        kerb_curve way = kerb_reeds_shepp(from, to, radius);
        add_way(&hash, &way);
    }
    return hash.value;
}

enum { WAYPOINTS = 300 };

// A winding road in space that crosses itself, with a different corridor, bank and limit at each
// waypoint. Static memory, because paths are built here without a host.
static kerb_path winding_road(void) {
    static double memory[WAYPOINTS * 24];
    static kerb_waypoint waypoints[WAYPOINTS];
    kerb_random random = seeded(7);
    kerb_vec3 position = kerb_vec3_make(0.0f, 0.0f, 0.0f);
    float heading = 0.0f;
    for (int i = 0; i < WAYPOINTS; i++) {
        waypoints[i] = kerb_waypoint_at(position.x, position.y, position.z);
        waypoints[i].left = kerb_random_between(&random, 1.0f, 5.0f);
        waypoints[i].speed_limit = kerb_random_between(&random, 5.0f, 40.0f);
        waypoints[i].bank = kerb_random_between(&random, -0.2f, 0.2f);
        heading += kerb_random_between(&random, -0.6f, 0.7f);
        kerb_vec3 step = kerb_vec3_make(kerb_cos(heading), kerb_sin(heading), 0.05f);
        position = kerb_vec3_along(position, step, kerb_random_between(&random, 1.0f, 8.0f));
    }
    kerb_path path;
    golden_require(kerb_path_bytes(WAYPOINTS) <= sizeof memory, "memory for a path");
    golden_require(kerb_path_build(&path, memory, waypoints, WAYPOINTS, false, NULL) == KERB_OK,
                   "building a path");
    return path;
}

static void add_location(golden_hash* hash, kerb_path_location location) {
    golden_add_int(hash, location.segment);
    golden_add_float(hash, location.segment_distance);
}

uint64_t neighbours(void) {
    enum { ITEMS = 500, FOUND = 64 };
    static float x[ITEMS], y[ITEMS], z[ITEMS], squares[FOUND];
    static int32_t found[FOUND];
    golden_hash hash = golden_start();
    kerb_random random = seeded(21);
    kerb_host host = kerb_host_default();
    kerb_neighbour_grid grid;
    if (kerb_neighbour_grid_create(&grid, ITEMS, &host, NULL) != KERB_OK)
        return 0;
    for (int i = 0; i < ITEMS; i++) {
        kerb_vec3 place = random_vec3(&random, 100.0f);
        x[i] = place.x, y[i] = place.y, z[i] = 0.2f * place.z;
    }
    kerb_neighbour_grid_build(&grid, x, y, z, ITEMS, 7.0f);
    for (int i = 0; i < ITEMS; i++) {
        kerb_vec3 here = kerb_vec3_make(x[i], y[i], z[i]);
        int32_t count = kerb_neighbours_within(&grid, here, 17.0f, found, FOUND);
        for (int32_t n = 0; n < count && n < FOUND; n++)
            golden_add_int(&hash, found[n]);
        count = kerb_neighbours_nearest(&grid, here, 50.0f, found, squares, 5);
        for (int32_t n = 0; n < count; n++) {
            golden_add_int(&hash, found[n]);
            golden_add_float(&hash, squares[n]);
        }
    }
    kerb_neighbour_grid_destroy(&grid);
    return hash.value;
}

// ---------------------------------------------------------------------------- groups

enum { FLOCK = 300 };
static float flock_numbers[12][FLOCK];

static kerb_agents flock_agents(void) {
    float(*f)[FLOCK] = flock_numbers;
    kerb_agents agents = {FLOCK, f[0], f[1], f[2], f[3],  f[4], f[5],
                          f[6],  f[7], f[8], f[9], f[10], f[11]};
    kerb_random random = seeded(22);
    for (int i = 0; i < FLOCK; i++) {
        kerb_vec3 place = random_vec3(&random, 30.0f), way = random_vec3(&random, 1.0f);
        float speed = kerb_random_between(&random, 0.0f, 12.0f);
        float turning_radius = kerb_random_between(&random, 1.0f, 9.0f);
        kerb_agent agent = {{place.x, place.y, 0.1f * place.z},
                            kerb_vec3_unit(way, kerb_vec3_make(1.0f, 0.0f, 0.0f)),
                            speed,
                            1.0f,
                            turning_radius,
                            14.0f,
                            4.0f,
                            6.0f};
        kerb_agents_set(&agents, i, &agent);
    }
    return agents;
}

static void add_steering(golden_hash* hash, kerb_steering wish) {
    golden_add_float(hash, wish.direction.x);
    golden_add_float(hash, wish.direction.y);
    golden_add_float(hash, wish.direction.z);
    golden_add_float(hash, wish.speed);
}

uint64_t group_urges(void) {
    golden_hash hash = golden_start();
    kerb_agents agents = flock_agents();
    for (int i = 0; i < FLOCK; i++) {
        kerb_agent agent = kerb_agents_get(&agents, i);
        kerb_group group = {&agents, NULL, FLOCK, i};
        add_steering(&hash, kerb_separation(&agent, &group, 6.0f));
        add_steering(&hash, kerb_alignment(&agent, &group, 8.0f));
        add_steering(&hash, kerb_cohesion(&agent, &group, 10.0f));
    }
    return hash.value;
}

uint64_t keeping_clear(void) {
    golden_hash hash = golden_start();
    kerb_agents agents = flock_agents();
    kerb_avoid_agents_settings settings = kerb_avoid_agents_settings_default();
    const kerb_gate gate = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, 6.0f};
    for (int i = 0; i < FLOCK; i++) {
        kerb_agent agent = kerb_agents_get(&agents, i), leader = kerb_agents_get(&agents, 0);
        kerb_group group = {&agents, NULL, FLOCK, i};
        kerb_steering wish = kerb_queue(&agent, &gate, &group, 0.05f);
        add_steering(&hash, wish);
        add_steering(&hash, kerb_avoid_agents(&settings, &agent, &wish, &group, 0.05f));
        add_steering(&hash, kerb_gather(&agent, gate.position, 9.0f, 1.0f, &group));
        add_steering(&hash, kerb_follow_leader(&agent, &leader, 5.0f, 0.05f));
    }
    return hash.value;
}

uint64_t formations(void) {
    golden_hash hash = golden_start();
    kerb_agents agents = flock_agents();
    for (int i = 0; i < FLOCK; i++) {
        kerb_agent agent = kerb_agents_get(&agents, i), leader = kerb_agents_get(&agents, 0);
        kerb_vec3 slot = kerb_formation_slot((kerb_formation_shape)(i % 5), i, FLOCK, 3.0f);
        kerb_formation_place place =
            kerb_formation_place_of(&leader, spread(i * 60, -0.02f, 0.02f), slot);
        golden_add_float(&hash, place.position.x);
        golden_add_float(&hash, place.position.y);
        golden_add_float(&hash, place.speed);
        add_steering(&hash, kerb_formation_keep(&agent, &place, 0.05f));
    }
    return hash.value;
}

uint64_t keeping_clear_in_space(void) {
    golden_hash hash = golden_start();
    kerb_agents agents = flock_agents();
    kerb_avoid_agents_settings settings = kerb_avoid_agents_settings_default();
    settings.space = 1;
    for (int i = 0; i < FLOCK; i += 5) {
        kerb_agent agent = kerb_agents_get(&agents, i);
        kerb_group group = {&agents, NULL, FLOCK, i};
        kerb_steering wish = {{0.6f, 0.0f, 0.8f}, 8.0f};
        add_steering(&hash, kerb_avoid_agents(&settings, &agent, &wish, &group, 0.05f));
    }
    return hash.value;
}

// Who takes which slot, and where slots are along a path.
uint64_t formations_along(void) {
    enum { MEMBERS = 24 };
    golden_hash hash = golden_start();
    kerb_path path = winding_road();
    kerb_random random = seeded(23);
    kerb_vec3 positions[MEMBERS], places[MEMBERS];
    int32_t slots[MEMBERS];
    for (int i = 0; i < MEMBERS; i++) {
        kerb_vec3 slot = kerb_formation_slot(KERB_FORMATION_WEDGE, i, MEMBERS, 2.0f);
        slot.z = 0.1f * (float)i;
        kerb_path_location here = kerb_path_locate(&path, 20.0 + (double)i);
        kerb_formation_place place = kerb_formation_place_along(&path, here, 7.0f, slot);
        golden_add_float(&hash, place.position.x);
        golden_add_float(&hash, place.position.y);
        golden_add_float(&hash, place.position.z);
        golden_add_float(&hash, place.speed);
        golden_add_float(&hash, place.curvature);
        places[i] = place.position;
        positions[i] = random_vec3(&random, 40.0f);
        slots[i] = i;
    }
    kerb_formation_assign(positions, places, slots, MEMBERS, 0.1f);
    for (int i = 0; i < MEMBERS; i++)
        golden_add_float(&hash, (float)slots[i]);
    return hash.value;
}

// Along a path, and with a flow.
uint64_t steering_along(void) {
    golden_hash hash = golden_start();
    kerb_agents agents = flock_agents();
    kerb_path path = winding_road();
    kerb_random random = seeded(24);
    kerb_vec3 directions[27];
    for (int i = 0; i < 27; i++)
        directions[i] = random_vec3(&random, 0.6f);
    const kerb_flow_field field = {directions, 3, 3, 3, {-30.0f, -30.0f, -3.0f}, 30.0f};
    for (int i = 0; i < FLOCK; i++) {
        kerb_agent agent = kerb_agents_get(&agents, i);
        kerb_path_location here = kerb_path_nearest(&path, agent.position);
        add_steering(&hash, kerb_follow_path(&agent, &path, here, 0.6f, 0.05f));
        add_steering(&hash, kerb_follow_flow(&agent, &field, 0.5f));
    }
    return hash.value;
}

static void add_goal(golden_hash* hash, const kerb_directed_goal* goal) {
    golden_add_vec3(hash, goal->position);
    golden_add_vec3(hash, goal->forward);
    golden_add_float(hash, goal->speed);
}

uint64_t attacks_and_pursuits(void) {
    golden_hash hash = golden_start();
    kerb_agents agents = flock_agents();
    kerb_directed_seek_settings settings = kerb_directed_seek_settings_default();
    for (int i = 0; i + 1 < FLOCK; i += 6) {
        kerb_agent agent = kerb_agents_get(&agents, i), target = kerb_agents_get(&agents, i + 1);
        kerb_attack_arc arc = {3.0f, 15.0f, spread(i * 60, -3.0f, 3.0f), 0.4f};
        kerb_directed_goal goal = kerb_attack_goal(&agent, &arc, target.position, 3.0f);
        add_goal(&hash, &goal);
        settings.space = i % 3;
        add_steering(&hash,
                     kerb_directed_pursue(&settings, &agent, &target, (kerb_vec3){0, 0, 0.3f}, 4.0f,
                                          10.0f, 0.05f, &goal));
        add_goal(&hash, &goal);
        agent.position.z = target.position.z = agent.forward.z = 0.0f;
        agent.forward = kerb_vec3_unit(agent.forward, kerb_vec3_make(1.0f, 0.0f, 0.0f));
        goal = kerb_attack_goal(&agent, &arc, target.position, 3.0f);
        add_goal(&hash, &goal);
    }
    return hash.value;
}

// With a road and without.
uint64_t cars_among_cars(void) {
    golden_hash hash = golden_start();
    kerb_agents agents = flock_agents();
    kerb_path path = winding_road();
    kerb_cars_settings settings = kerb_cars_settings_default();
    const kerb_vec2 size = {4.5f, 1.8f};
    for (int i = 0; i < FLOCK; i++) {
        kerb_agent agent = kerb_agents_get(&agents, i);
        kerb_path_sample at = kerb_path_sample_at(&path, kerb_path_locate(&path, 3.0 * i));
        const kerb_path* road = i % 2 == 0 ? &path : NULL;
        kerb_neighbour car = {.position = at.position, .length = 4.5f, .width = 1.8f};
        car.velocity = kerb_vec3_scale(at.direction, 9.0f);
        car.forward = kerb_vec2_make(at.direction.x, at.direction.y);
        car.yaw_rate = 9.0f * at.curvature;
        agent.forward.z = 0.0f;
        agent.forward = kerb_vec3_unit(agent.forward, kerb_vec3_make(1.0f, 0.0f, 0.0f));
        agent.position = kerb_vec3_make(at.position.x + 2.0f * agent.position.x,
                                        at.position.y + 2.0f * agent.position.y, 0.0f);
        kerb_neighbour self = {.position = agent.position, .length = 4.5f, .width = 1.8f};
        self.forward = kerb_vec2_make(agent.forward.x, agent.forward.y);
        kerb_box box = {.count = 1, .side = {i % KERB_SIDE_COUNT}};
        add_steering(&hash, kerb_chase(&settings, &agent, &car, road, i % 3 == 0, 0.05f, NULL));
        add_steering(&hash, kerb_block(&settings, &agent, &car, road, i % 5 != 0, size, 0.05f));
        add_steering(&hash, kerb_escort(&box, &settings, 0, &agent, &self, &car));
    }
    return hash.value;
}

uint64_t flock_update(void) {
    golden_hash hash = golden_start();
    kerb_agents agents = flock_agents();
    kerb_host host = kerb_host_default();
    kerb_flock_settings settings = kerb_flock_settings_default();
    kerb_flock together;
    if (kerb_flock_create(&together, FLOCK, &host, NULL) != KERB_OK)
        return 0;
    for (int step = 0; step < 200; step++)
        kerb_flock_update(&together, &settings, &agents, 0.02f);
    for (int n = 0; n < 7; n++) {
        for (int i = 0; i < FLOCK; i++)
            golden_add_float(&hash, flock_numbers[n][i]);
    }
    kerb_flock_destroy(&together);
    return hash.value;
}

uint64_t path_build(void) {
    golden_hash hash = golden_start();
    kerb_path path = winding_road();
    golden_add_int(&hash, path.count);
    golden_add_double(&hash, path.length);
    golden_add_bits(&hash, path.id, 8);
    for (int32_t i = 0; i < path.count; i++) {
        const kerb_path_point* point = &path.points[i];
        golden_add_double(&hash, point->distance);
        golden_add_vec3(&hash, point->position);
        golden_add_vec3(&hash, point->direction);
        golden_add_float(&hash, point->length);
        golden_add_float(&hash, point->heading);
        golden_add_float(&hash, point->curvature);
    }
    return hash.value;
}

uint64_t path_sample(void) {
    golden_hash hash = golden_start();
    kerb_path path = winding_road();
    kerb_path_location location = {0, 0.0f};
    for (int i = 0; i < SAMPLES / 10; i++) {
        location = kerb_path_advance(&path, location, 0.7f);
        kerb_path_sample sample = kerb_path_sample_at(&path, location);
        golden_add_vec3(&hash, sample.position);
        golden_add_vec3(&hash, sample.direction);
        golden_add_float(&hash, sample.curvature);
        golden_add_float(&hash, sample.slope);
        golden_add_float(&hash, sample.left);
        golden_add_float(&hash, sample.bank);
        golden_add_double(&hash, kerb_path_distance(&path, location));
        add_location(&hash, kerb_path_locate(&path, 0.3 * i));
        kerb_vec3 chord;
        golden_add_vec3(&hash, kerb_path_mean(&path, location, 6.0f, &chord));
        golden_add_vec3(&hash, chord);
    }
    return hash.value;
}

uint64_t path_nearest(void) {
    golden_hash hash = golden_start();
    kerb_path path = winding_road();
    kerb_random random = seeded(8);
    for (int i = 0; i < 300; i++) {
        kerb_vec3 point = random_vec3(&random, 100.0f);
        kerb_path_location location = kerb_path_nearest(&path, point);
        add_location(&hash, location);
        golden_add_float(&hash, kerb_path_cross_track(&path, location, point));
        add_location(&hash, kerb_path_nearest_facing(&path, point, kerb_vec3_make(1, 0, 0)));
    }
    return hash.value;
}

uint64_t path_track(void) {
    golden_hash hash = golden_start();
    kerb_path path = winding_road();
    kerb_random random = seeded(9);
    kerb_path_location location = {0, 0.0f};
    for (int i = 0; i < SAMPLES / 10; i++) {
        kerb_path_location ahead = kerb_path_advance(&path, location, 0.8f);
        kerb_vec3 point =
            kerb_vec3_add(kerb_path_position(&path, ahead), random_vec3(&random, 1.5f));
        kerb_vec3 facing = kerb_path_sample_at(&path, ahead).direction;
        location = kerb_path_track(&path, location, point, facing);
        add_location(&hash, location);
        golden_add_float(&hash, kerb_path_distance_between(&path, location, ahead));
    }
    return hash.value;
}

// ---------------------------------------------------------------------------- control

uint64_t speed_control(void) {
    const kerb_speed_settings settings = {1.5f, 0.4f};
    golden_hash hash = golden_start();
    kerb_random random = seeded(10);
    kerb_speed_controller controller = {0};
    for (int i = 0; i < SAMPLES; i++) {
        float error = kerb_random_between(&random, -5.0f, 6.0f);
        golden_add_float(&hash, kerb_speed_control(&controller, &settings, error, 0.1f, -6.0f, 3.0f,
                                                   1.0f / 60.0f));
        golden_add_float(&hash, controller.integral_term);
        golden_add_float(&hash, kerb_approach_speed(error + 5.0f, spread(i, 0.0f, 300.0f), 4.0f));
        golden_add_float(&hash, kerb_speed_in_curve(spread(i, -0.3f, 0.3f), 4.0f, 50.0f));
    }
    return hash.value;
}

uint64_t pedals(void) {
    golden_hash hash = golden_start();
    kerb_vehicle vehicle = kerb_vehicle_default();
    for (int i = 0; i <= SAMPLES; i++) {
        float speed = spread(i, 0.0f, 60.0f);
        float capacity = kerb_full_throttle_acceleration(&vehicle, speed, i % 2 == 0);
        kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
        kerb_pedals(&vehicle, spread(i, -9.0f, 6.0f), capacity, &controls);
        golden_add_float(&hash, capacity);
        golden_add_float(&hash, controls.throttle);
        golden_add_float(&hash, controls.brake);
        golden_add_float(&hash, kerb_coasting_deceleration(&vehicle, speed));
        golden_add_float(&hash, kerb_controls_signed_throttle(&controls, speed));
    }
    return hash.value;
}

uint64_t steering(void) {
    golden_hash hash = golden_start();
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.understeer_gradient = 0.002f;
    kerb_random random = seeded(11);
    for (int i = 0; i <= SAMPLES; i++) {
        kerb_vec3 target = random_vec3(&random, 30.0f);
        float speed = spread(i, -8.0f, 50.0f);
        float curvature = kerb_pure_pursuit(kerb_vec2_make(target.x, target.y));
        float wheels = kerb_steering_for(&vehicle, curvature, speed);
        golden_add_float(&hash, curvature);
        golden_add_float(&hash, wheels);
        golden_add_float(&hash, kerb_curvature_of(&vehicle, wheels, speed));
        golden_add_float(&hash, kerb_lookahead_distance(speed, 0.8f, 3.0f, 25.0f));
    }
    return hash.value;
}

uint64_t gearbox(void) {
    golden_hash hash = golden_start();
    const kerb_sim_car_model model = kerb_sim_pickup_model();
    const kerb_vehicle vehicle = kerb_sim_car_vehicle(&model);
    kerb_gearbox box = {0};
    kerb_motion motion = kerb_motion_default();
    for (int i = 0; i < 3000; i++) {
        motion.velocity.x = 20.0f + 20.0f * kerb_sin((float)i * 0.004f);
        motion.engine_speed = motion.velocity.x * 10.0f;
        float clutch = 0.0f;
        motion.gear = kerb_gearbox_drive(&box, &vehicle, &motion, 1, 0.6f, 1.0f / 60.0f, &clutch);
        golden_add_int(&hash, motion.gear);
        golden_add_float(&hash, clutch);
    }
    return hash.value;
}

// One number a statement: which argument comes first is up to the compiler.
static kerb_profile_point golden_profile_point(kerb_random* random) {
    kerb_profile_point point = kerb_profile_point_level(2.0f, 0.0f);
    point.length = kerb_random_between(random, 0.5f, 3.0f);
    point.curvature = kerb_random_between(random, -0.03f, 0.03f);
    point.normal_curvature = kerb_random_between(random, -0.02f, 0.02f);
    point.up_forward = kerb_random_between(random, -0.3f, 0.3f);
    point.up_left = kerb_random_between(random, -0.9f, 0.9f);
    point.up_normal = kerb_random_between(random, 0.3f, 1.0f);
    return point;
}

// One line, driven all the ways that there are.
static void golden_profile(golden_hash* hash, kerb_performance* performance,
                           const kerb_profile_point* points, int32_t count) {
    float speeds[150];
    for (int32_t way = 0; way < 4; way++) {
        performance->budget = way / 2;
        double time =
            kerb_speed_profile(performance, points, count, way % 2 == 1, 20.0f, 5.0f, speeds);
        golden_add_float(hash, (float)time);
        for (int32_t i = 0; i < count; i++) {
            golden_add_float(hash, speeds[i]);
            golden_add_float(hash, kerb_cornering_speed_min(performance, &points[i]));
            golden_add_float(hash, kerb_braking_acceleration(performance, &points[i], 15.0f));
            golden_add_float(hash, kerb_driving_acceleration(performance, &points[i], 15.0f));
            golden_add_int(hash, kerb_braking_due(performance, points, count, way % 2 == 1, i, 0.2f,
                                                  speeds[i], way > 1 ? 6.0f : 0.0f));
        }
    }
}

uint64_t speed_profiles(void) {
    golden_hash hash = golden_start();
    kerb_random random = kerb_random_make(77, 5);
    const kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_vehicle vehicle = kerb_sim_car_vehicle(&model);
    kerb_profile_point points[150];
    for (int32_t line = 0; line < 12; line++) {
        vehicle.downforce = 0.0004f * (float)line;
        kerb_performance performance = kerb_performance_of(&vehicle);
        for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
            golden_add_float(&hash, performance.drive[i]);
        for (int32_t i = 0; i < 150; i++)
            points[i] = golden_profile_point(&random);
        golden_profile(&hash, &performance, points, 150 - 7 * line);
    }
    return hash.value;
}

static kerb_reference_line golden_way(kerb_random* random) {
    float speed = kerb_random_between(random, 0.0f, 15.0f);
    float offset = kerb_random_between(random, -1.0f, 1.0f);
    kerb_reference_line way = {.count = KERB_REFERENCE_STATIONS_MAX,
                               .id = 8,
                               .speed = speed,
                               .lateral_offset = offset,
                               .response_distance = 6.0f,
                               .response_distance_min = 4.0f,
                               .offset_slope = 0.3f,
                               .front = 2.2f,
                               .rear = 2.3f,
                               .width = 1.8f,
                               .braking = 3.5f,
                               .braking_max = 6.0f,
                               .desired_speed = 12.0f};
    float bend = kerb_random_between(random, -0.02f, 0.02f);
    kerb_vec3 position = {0.0f, 0.0f, 0.0f};
    for (int32_t i = 0; i < way.count; i++) {
        float along = 4.0f * (float)i;
        kerb_vec3 direction = {kerb_cos(bend * along), kerb_sin(bend * along), 0.0f};
        way.stations[i] = (kerb_reference_station){.position = position,
                                                   .direction = {direction.x, direction.y},
                                                   .left = 4.0f,
                                                   .right = 3.0f,
                                                   .distance = along,
                                                   .time = 0.1f * along};
        position = kerb_vec3_along(position, direction, 4.0f);
    }
    return way;
}

uint64_t others_on_the_way(void) {
    golden_hash hash = golden_start();
    kerb_random random = kerb_random_make(11, 2);
    kerb_avoid_settings settings;
    kerb_settings_set_defaults(&kerb_avoid_settings_table, &settings);
    kerb_avoid avoid = {0};
    for (int i = 0; i < 3000; i++) {
        kerb_reference_line way = golden_way(&random);
        kerb_neighbour others[6];
        for (int32_t k = 0; k < 6; k++) {
            float heading = kerb_random_between(&random, -3.0f, 3.0f);
            float speed = kerb_max(kerb_random_between(&random, -5.0f, 15.0f), 0.0f);
            kerb_vec2 forward = {kerb_cos(heading), kerb_sin(heading)};
            float x = kerb_random_between(&random, -20.0f, 60.0f);
            float y = kerb_random_between(&random, -20.0f, 20.0f);
            float yaw_rate = kerb_random_between(&random, -0.5f, 0.5f);
            others[k] = (kerb_neighbour){.id = (uint32_t)(2 * k + 1),
                                         .position = {x, y, 0.0f},
                                         .velocity = {speed * forward.x, speed * forward.y, 0},
                                         .forward = forward,
                                         .yaw_rate = yaw_rate,
                                         .length = 4.5f,
                                         .width = 1.8f};
        }
        kerb_avoid_answer answer =
            kerb_avoid_others(&avoid, &settings, &way, others, 6, 1.0f / 60.0f);
        golden_add_float(&hash, answer.speed);
        golden_add_float(&hash, answer.lateral_offset);
        golden_add_int(&hash, answer.index);
        golden_add_int(&hash, (int32_t)answer.reason);
    }
    return hash.value;
}

static void add_motion(golden_hash* hash, const kerb_motion* motion) {
    golden_add_vec3(hash, motion->position);
    golden_add_quat(hash, motion->rotation);
    golden_add_vec3(hash, motion->velocity);
    golden_add_vec3(hash, motion->angular_velocity);
    golden_add_float(hash, motion->engine_speed);
}

// The reference pick-up by open-loop controls: full throttle, slalom, hard braking, over and over.
uint64_t simulated_car(void) {
    const kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    const kerb_sim_car_model model = kerb_sim_pickup_model();
    golden_hash hash = golden_start();
    kerb_sim_car car = kerb_sim_car_make(&model, kerb_vec3_make(0, 0, 0), 0.5f);
    for (int i = 0; i < 240 * 30; i++) {
        kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
        controls.gear = 1 + i / 240 % 3;
        controls.throttle = i / 240 % 5 < 4 ? 1.0f : 0.0f;
        controls.brake = 1.0f - controls.throttle;
        controls.steering = 0.5f * kerb_sin((float)i * 0.01f);
        kerb_sim_car_step(&car, &controls, &ground, 1.0f / 240.0f);
        kerb_motion motion = kerb_sim_car_motion(&car);
        add_motion(&hash, &motion);
    }
    return hash.value;
}

// A reference vehicle by open-loop controls on a slope: forwards, turning where it stands, braking,
// in reverse, over and over.
static uint64_t simulated(const char* name) {
    kerb_sim_ground ground = {.normal = {-0.05f, 0.02f, 1.0f}, .grip = 1.0f};
    kerb_sim_model model;
    golden_require(kerb_sim_model_named(name, &model), "kerb_sim_model_named");
    golden_hash hash = golden_start();
    kerb_sim_vehicle vehicle = kerb_sim_vehicle_make(&model, kerb_vec3_make(0, 0, 0), 0.5f);
    for (int i = 0; i < 240 * 30; i++) {
        kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
        int second = i / 240;
        controls.gear = second % 10 < 7 ? 1 : -1;
        controls.throttle = second % 5 < 3 ? 0.9f : 0.0f;
        controls.brake = second % 5 == 4 ? 0.7f : 0.0f;
        controls.steering = second % 7 < 5 ? 0.8f * kerb_sin((float)i * 0.01f) : 0.0f;
        ground.grip = second % 6 == 5 ? 0.3f : 1.0f;
        kerb_sim_vehicle_step(&vehicle, &controls, &ground, 1.0f / 240.0f);
        kerb_motion motion = kerb_sim_vehicle_motion(&vehicle);
        add_motion(&hash, &motion);
    }
    return hash.value;
}

// The cars that race, on ground that bends.
uint64_t simulated_race_cars(void) {
    golden_hash hash = golden_start();
    for (int32_t car = 0; car < kerb_sim_race_model_count(); car++) {
        kerb_sim_model model;
        golden_require(kerb_sim_model_named(kerb_sim_race_model_name(car), &model),
                       "finding a car");
        model.car.slip_control = car % 2 == 0;
        kerb_sim_vehicle vehicle = kerb_sim_vehicle_make(&model, kerb_vec3_make(0, 0, 0), 0.5f);
        kerb_sim_ground ground = {.normal = {-0.05f, 0.02f, 1.0f}, .grip = 1.0f};
        for (int i = 0; i < 240 * 12; i++) {
            int second = i / 240;
            kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
            controls.gear = second < 8 ? 1 + second / 2 : 8 - second / 2;
            controls.throttle = second % 5 < 4 ? 1.0f : 0.0f;
            controls.brake = second % 5 == 4 ? 0.9f : 0.0f;
            controls.clutch = i % 480 < 40 ? 0.5f : 0.0f;
            controls.steering = 0.2f * kerb_sin((float)i * 0.01f);
            ground.bend.xx = 0.002f * kerb_sin((float)i * 0.003f);
            ground.bend.xy = 0.001f * kerb_sin((float)i * 0.005f);
            kerb_sim_vehicle_step(&vehicle, &controls, &ground, 1.0f / 240.0f);
            kerb_motion motion = kerb_sim_vehicle_motion(&vehicle);
            add_motion(&hash, &motion);
            golden_add_float(&hash, vehicle.car.load_front);
        }
    }
    return hash.value;
}

uint64_t simulated_tank(void) {
    return simulated("tank");
}

uint64_t simulated_hovercraft(void) {
    return simulated("hovercraft");
}

// Through turns, loops and stalls.
uint64_t simulated_airplane(void) {
    golden_hash hash = golden_start();
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_sim_airplane airplane =
        kerb_sim_airplane_make(&model, kerb_vec3_make(0.0f, 0.0f, 2000.0f), 0.5f, 60.0f);
    for (int i = 0; i < 240 * 60; i++) {
        int second = i / 240;
        kerb_controls controls = {.throttle = second % 5 < 3 ? 0.9f : 0.1f};
        controls.roll = second % 7 < 3 ? kerb_sin((float)i * 0.01f) : 0.0f;
        controls.pitch = second % 11 < 8 ? -0.3f : 0.4f;
        controls.yaw = 0.3f * kerb_sin((float)i * 0.003f);
        kerb_sim_airplane_step(&airplane, &controls, 1.0f / 240.0f);
        kerb_motion motion = kerb_sim_airplane_motion(&airplane);
        add_motion(&hash, &motion);
    }
    return hash.value;
}
