// libFuzzer target: any bytes as calls of a racer on closed and open lines. What is demanded:
// fuzz/calls.h.
//
//     fuzz_racer_calls -max_total_time=600 -max_len=2000 -timeout=60 out/corpus
#include "fuzz/calls.h"
#include "fuzz/racer_doubles.h"
#include "kerb/racer.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { RACER_LINES = 4, RACER_WAYPOINTS = 96, RACER_POINTS = 1200 };

// A line of a run: its points are a copy, because the origin moves.
typedef struct racer_line {
    kerb_racing_line line;
    kerb_line_point points[RACER_POINTS];
} racer_line;

typedef struct racer_calls {
    kerb_racer racer;
    fuzz_vehicle car;
    racer_line lines[RACER_LINES];
    int32_t on; // index of its line
} racer_calls;

// Line 0: a circle; 1: bends both ways and hills; 2: short and tight; 3: open.
static int32_t racer_waypoints(int32_t which, kerb_waypoint* waypoints) {
    static const float radii[RACER_LINES] = {100.0f, 160.0f, 18.0f, 120.0f};
    static const float waves[RACER_LINES] = {0.0f, 0.25f, 0.2f, 0.15f};
    for (int32_t i = 0; i < RACER_WAYPOINTS; i++) {
        float angle = 2.0f * KERB_PI * (float)i / (float)RACER_WAYPOINTS, sine, cosine;
        float radius = radii[which] * (1.0f + waves[which] * kerb_sin(3.0f * angle));
        kerb_sin_cos(angle, &sine, &cosine);
        float height = which == 1 ? 4.0f * kerb_sin(2.0f * angle) : 0.0f;
        waypoints[i] = kerb_waypoint_at(radius * cosine, radius * sine, height);
        waypoints[i].left = waypoints[i].right = which == 2 ? 2.5f : 5.0f;
    }
    return which == 3 ? RACER_WAYPOINTS * 3 / 4 : RACER_WAYPOINTS;
}

static void racer_build(int32_t which, const kerb_vehicle* vehicle, racer_line* built) {
    kerb_waypoint waypoints[RACER_WAYPOINTS];
    int32_t count = racer_waypoints(which, waypoints);
    kerb_host host = kerb_host_default();
    kerb_error error;
    kerb_path path;
    FUZZ_DEMAND(kerb_path_create(&path, waypoints, count, which != 3, &host, &error) == KERB_OK);
    kerb_performance performance = kerb_performance_of(vehicle);
    kerb_line_settings settings = kerb_line_settings_default();
    settings.time_steps = 40;
    kerb_line_solver solver;
    FUZZ_DEMAND(kerb_line_solver_create(&solver, &path, &performance, &settings, &host, &error) ==
                KERB_OK);
    while (kerb_line_solver_advance(&solver, 100) == KERB_LINE_RUNNING)
        continue;
    kerb_racing_line line;
    FUZZ_DEMAND(kerb_racing_line_create(&line, &solver, 2.0f, &host, &error) == KERB_OK);
    FUZZ_DEMAND(line.count <= RACER_POINTS);
    memcpy(built->points, line.points, (size_t)line.count * sizeof *line.points);
    built->line = line;
    built->line.points = built->points;
    built->line.memory = NULL;
    kerb_racing_line_destroy(&line);
    kerb_line_solver_destroy(&solver);
    kerb_path_destroy(&path);
}

static void racer_lines(const kerb_vehicle* vehicle, racer_line* lines) {
    static racer_line built[RACER_LINES];
    static bool is_built;
    for (int32_t i = 0; i < RACER_LINES && !is_built; i++)
        racer_build(i, vehicle, &built[i]);
    is_built = true;
    memcpy(lines, built, sizeof built);
    for (int32_t i = 0; i < RACER_LINES; i++)
        lines[i].line.points = lines[i].points;
}

// --------------------------------------------------------------------------- the subject

static kerb_controls racer_drive(void* self, void* driver, const kerb_motion* motion,
                                 const kerb_surroundings* surroundings, float time_step) {
    racer_calls* calls = self;
    return kerb_racer_drive(driver, &calls->lines[calls->on].line, motion, surroundings, time_step);
}

static void racer_place(void* self, fuzz_bytes* bytes) {
    racer_calls* calls = self;
    const kerb_racing_line* line = &calls->lines[calls->on].line;
    // Not where an open line ends.
    double at = (double)fuzz_between(bytes, 0.0f, line->closed ? 1.0f : 0.5f) * line->length;
    kerb_line_point p = kerb_racing_line_at(line, at);
    calls->car = (fuzz_vehicle){.vehicle = calls->racer.vehicle, .heading = p.heading, .gear = 1};
    calls->car.position = (kerb_vec3){(float)p.x, (float)p.y, (float)p.z};
}

static void racer_change_settings(void* self, fuzz_bytes* bytes) {
    racer_calls* calls = self;
    fuzz_change_setting(bytes, &kerb_racer_settings_table, &calls->racer.settings);
}

static void racer_settle(void* self) {
    racer_calls* calls = self;
    calls->racer.settings = kerb_racer_settings_default();
    calls->on = 0;
}

static void racer_change_route(void* self, fuzz_bytes* bytes) {
    racer_calls* calls = self;
    calls->on = fuzz_below(bytes, RACER_LINES);
}

static void racer_shift(void* self, kerb_vec3 new_origin) {
    racer_calls* calls = self;
    for (int32_t i = 0; i < RACER_LINES; i++)
        kerb_racing_line_shift_origin(&calls->lines[i].line, new_origin);
    kerb_racer_shift_origin(&calls->racer, new_origin);
    calls->car.position = kerb_vec3_sub(calls->car.position, new_origin);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static racer_calls calls; // large
    fuzz_bytes bytes = fuzz_bytes_of(data, size);
    memset(&calls, 0, sizeof calls);
    kerb_vehicle vehicle = kerb_vehicle_default();
    racer_lines(&vehicle, calls.lines);
    kerb_racer_init(&calls.racer, &vehicle);
    calls.on = fuzz_below(&bytes, RACER_LINES);
    fuzz_subject subject = {.self = &calls,
                            .driver = &calls.racer,
                            .bytes = sizeof calls.racer,
                            .doubles = fuzz_racer_doubles,
                            .double_count = FUZZ_RACER_DOUBLES,
                            .vehicle = &calls.car,
                            .speed_least = 5.0f,
                            .seconds_most = 20.0f,
                            .drive = racer_drive,
                            .place = racer_place,
                            .change_settings = racer_change_settings,
                            .settle = racer_settle,
                            .change_route = racer_change_route,
                            .shift_origin = racer_shift};
    fuzz_calls(&subject, bytes);
    return 0;
}
