// libFuzzer target: any bytes as waypoints and as calls of the room path, and of what draws a path.
// Demanded: what is not a path is refused, with a field; every function answers any finite or
// infinite number with a location on the path and finite values, in a time that does not depend on
// that number.
//
//     fuzz_path_calls -max_total_time=600 -max_len=2000 -timeout=20 out/corpus
#include "fuzz/calls.h"
#include "kerb/draw.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { PATH_WAYPOINTS = 200 };

static kerb_waypoint path_waypoint(fuzz_bytes* bytes, bool hostile, kerb_vec3* at) {
    at->x += fuzz_odd(bytes, hostile, -20.0f, 20.0f);
    at->y += fuzz_odd(bytes, hostile, -20.0f, 20.0f);
    at->z += fuzz_odd(bytes, hostile, -1.0f, 1.0f);
    kerb_waypoint waypoint = kerb_waypoint_at(at->x, at->y, at->z);
    int32_t more = fuzz_byte(bytes);
    if (more & 1)
        waypoint.left = fuzz_odd(bytes, hostile, 0.0f, 10.0f);
    if (more & 2)
        waypoint.right = fuzz_odd(bytes, hostile, 0.0f, 10.0f);
    if (more & 4)
        waypoint.speed_limit = fuzz_odd(bytes, hostile, 0.1f, 60.0f);
    if (more & 8)
        waypoint.stop = fuzz_odd(bytes, hostile, 0.0f, 5.0f);
    if (more & 16)
        waypoint.bank = fuzz_odd(bytes, hostile, -0.5f, 0.5f);
    if (more & 32)
        waypoint.grip = fuzz_odd(bytes, hostile, 0.1f, 1.5f);
    if (more & 64)
        waypoint.direction = more & 128 ? -1 : 1;
    return waypoint;
}

static void path_demand_on(const kerb_path* path, kerb_path_location at) {
    FUZZ_DEMAND(at.segment >= 0 && at.segment < path->segment_count);
    FUZZ_DEMAND(at.segment_distance >= 0.0f);
    FUZZ_DEMAND(at.segment_distance <= path->points[at.segment].length * 1.0001f);
    FUZZ_DEMAND(kerb_vec3_is_finite(kerb_path_position(path, at)));
}

static void path_draw(const kerb_path* path, double from, double to) {
    kerb_draw_line lines[64];
    kerb_draw_point points[16];
    kerb_draw_text texts[8];
    kerb_draw_buffer buffer = kerb_draw_buffer_make(lines, 64, points, 16, texts, 8);
    kerb_draw_path(&buffer, path, from, to);
}

static kerb_path_location path_call(fuzz_bytes* bytes, kerb_path* path, kerb_path_location at) {
    switch (fuzz_below(bytes, 9)) {
    case 0:
        return kerb_path_locate(path, (double)fuzz_any_float(bytes));
    case 1:
        return kerb_path_advance(path, at, fuzz_any_float(bytes));
    case 2:
        return kerb_path_section_end(path, at, fuzz_any_float(bytes));
    case 3: {
        kerb_vec3 facing = {1.0f, 0.0f, 0.0f};
        return kerb_path_track(path, at, fuzz_any_vec3(bytes), facing);
    }
    case 4: {
        kerb_vec3 near = kerb_path_position(path, at);
        near.x += fuzz_between(bytes, -30.0f, 30.0f);
        near.y += fuzz_between(bytes, -30.0f, 30.0f);
        return kerb_path_track(path, at, near, (kerb_vec3){0});
    }
    case 5: {
        kerb_path_search search = {.point = fuzz_any_vec3(bytes),
                                   .forward = {0.0f, 1.0f, 0.0f},
                                   .travel = fuzz_below(bytes, 3) - 1,
                                   .tolerance = fuzz_between(bytes, 0.0f, 20.0f),
                                   .station = (double)fuzz_any_float(bytes)};
        return kerb_path_find(path, &search);
    }
    case 6: {
        float half = kerb_abs(fuzz_any_float(bytes));
        kerb_vec3 chord = {0}, mean = {0};
        if (half > 1.0e-6f && half < 1.0e9f) {
            mean = kerb_path_mean(path, at, half, &chord);
            FUZZ_DEMAND(kerb_vec3_is_finite(mean) && kerb_vec3_is_finite(chord));
        }
        return at;
    }
    case 7: {
        kerb_vec3 origin = {fuzz_between(bytes, -500.0f, 500.0f), 0.0f, 0.0f};
        kerb_path_shift_origin(path, origin);
        return at;
    }
    default: {
        kerb_path_sample sample = kerb_path_sample_at(path, at);
        fuzz_demand_finite(&sample, sizeof sample);
        FUZZ_DEMAND(kerb_is_finite(kerb_path_cross_track(path, at, sample.position)));
        path_draw(path, (double)fuzz_any_float(bytes), (double)fuzz_any_float(bytes));
        return at;
    }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static kerb_waypoint waypoints[PATH_WAYPOINTS];
    static kerb_path_point points[PATH_WAYPOINTS];
    fuzz_bytes bytes = fuzz_bytes_of(data, size);
    bool hostile = fuzz_below(&bytes, 3) == 0, closed = fuzz_below(&bytes, 2) == 0;
    int32_t count = fuzz_byte(&bytes) % PATH_WAYPOINTS;
    kerb_vec3 at = {0};
    for (int32_t i = 0; i < count; i++)
        waypoints[i] = path_waypoint(&bytes, hostile, &at);
    kerb_error error = {0};
    kerb_path path;
    if (kerb_path_build(&path, points, waypoints, count, closed, &error) != KERB_OK) {
        FUZZ_DEMAND(error.field[0] != 0 && error.message[0] != 0);
        return 0;
    }
    FUZZ_DEMAND(path.length > 0.0 && path.count <= count);
    kerb_path_location location = {0, 0.0f};
    for (int32_t i = 0; i < 1000 && fuzz_has_more(&bytes); i++) {
        location = path_call(&bytes, &path, location);
        path_demand_on(&path, location);
    }
    return 0;
}
