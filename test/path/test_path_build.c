// Building paths: what is measured, against closed forms in doubles; what is merged; and what is
// refused, by name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/allocation.h"
#include "test/path_shapes.h"
#include "test/seed.h"

#define PI 3.14159265358979323846

static path_shape shape;

// --------------------------------------------------------------------------- measures

static void a_new_waypoint_has_the_documented_defaults(void** state) {
    (void)state;
    kerb_waypoint waypoint = kerb_waypoint_at(1.0f, 2.0f, 3.0f);
    assert_same_place(waypoint.position, 1.0, 2.0, 3.0, 0.0);
    assert_near((double)waypoint.left, 2.0, 0.0);
    assert_near((double)waypoint.right, 2.0, 0.0);
    assert_near((double)waypoint.speed_limit, (double)KERB_SPEED_UNLIMITED, 0.0);
    assert_near((double)waypoint.stop, 0.0, 0.0);
    assert_near((double)waypoint.bank, 0.0, 0.0);
    assert_near((double)waypoint.grip, 1.0, 0.0);
    assert_int_equal(waypoint.direction, 1);
}

static void length_is_measured_in_space(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add(&shape, 1, 1, 1);
    path_shape_add(&shape, 4, 5, 13); // 3, 4, 12: 13
    path_shape_add(&shape, 4, 5, 3);  // straight down: 10
    path_shape_build(&shape, false);
    assert_near(shape.path.length, 23.0, 1e-5);
    assert_int_equal(shape.path.segment_count, 2);
    path_shape_build(&shape, true); // and back: 3, 4, 2
    assert_near(shape.path.length, 23.0 + sqrt(29.0), 1e-5);
    assert_int_equal(shape.path.segment_count, 3);
    assert_true(shape.path.closed);
}

// The level angle from one segment to the next over half of both.
static double curvature_between(const kerb_path_point* a, const kerb_path_point* b) {
    double ax = (double)a->direction.x, ay = (double)a->direction.y;
    double bx = (double)b->direction.x, by = (double)b->direction.y;
    double turn = atan2(ax * by - ay * bx, ax * bx + ay * by);
    return turn / (0.5 * ((double)a->length + (double)b->length));
}

static void check_segments(const path_shape* s) {
    const kerb_path* path = &s->path;
    double distance = 0.0;
    for (int32_t i = 0; i < path->segment_count; i++) {
        const kerb_path_point* a = &path->points[i];
        const kerb_path_point* b = &path->points[(i + 1) % path->count];
        double length = path_shape_apart(a->position, b->position);
        assert_near(a->distance, distance, 1e-6 * (distance + 1.0));
        assert_near((double)a->length, length, 1e-6 * length);
        kerb_vec3 along = kerb_vec3_along(a->position, a->direction, a->length);
        assert_true(path_shape_apart(along, b->position) < 1e-6 * length + 1e-4);
        assert_near((double)kerb_vec3_length(a->direction), 1.0, 1e-6);
        if (i + 1 < path->segment_count || path->closed) {
            double curvature = curvature_between(a, b);
            assert_near((double)b->curvature, curvature, 1e-4 * fabs(curvature) + 1e-6);
        }
        distance += length;
    }
    assert_near(path->length, distance, 1e-6 * distance);
}

static void segments_of_random_paths_are_measured_truly(void** state) {
    (void)state;
    kerb_random random = test_random("segments");
    for (int i = 0; i < 2000; i++) {
        path_shape_scatter(&shape, &random, 3 + kerb_random_below(&random, 40), 200.0f, 20.0f,
                           i % 2 == 0);
        check_segments(&shape);
    }
}

// The polygon inscribed in a circle turns by 2π/n at each vertex, over a side of 2r·sin(π/n).
static void curvature_on_a_circle_is_that_of_its_polygon(void** state) {
    (void)state;
    for (int side = -1; side <= 1; side += 2)
        for (double radius = 5.0; radius < 2000.0; radius *= 3.0)
            for (int n = 8; n <= 512; n *= 4) {
                path_shape_clear(&shape);
                for (int i = 0; i < n; i++) {
                    double angle = side * 2.0 * PI * i / n;
                    path_shape_add(&shape, radius * cos(angle), radius * sin(angle), 0.0);
                }
                path_shape_build(&shape, true);
                double expected = side * (2.0 * PI / n) / (2.0 * radius * sin(PI / n));
                // Waypoints are floats: each is off by a part in 1e7 of the radius.
                double rounding = fabs(expected) * (1e-5 + 2e-8 * n * n);
                for (int32_t i = 0; i < n; i++)
                    assert_near((double)shape.memory[i].curvature, expected, rounding);
                // With many sides it is the circle's own.
                if (n == 512)
                    assert_near(expected, side / radius, 1e-4 / radius);
            }
}

static void heading_counts_on_over_many_turns(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add_arc(&shape, 0, 0, 20, -PI / 2, 10.0 * PI, 200, 0, 0);
    path_shape_build(&shape, false);
    // The first side leaves half a piece to the left of the tangent.
    double piece = 10.0 * PI / 200.0;
    for (int32_t i = 0; i < shape.path.segment_count; i++)
        assert_near((double)shape.memory[i].heading, piece * (i + 0.5), 1e-3);
    assert_near((double)shape.memory[200].heading, (double)shape.memory[199].heading, 0.0);
}

static void curvature_of_a_ramp_is_its_level_turn_over_its_length_in_space(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add_arc(&shape, 0, 0, 10, 0, 4.0 * PI, 128, 0, 40);
    path_shape_build(&shape, false);
    double piece = 4.0 * PI / 128.0, level = 2.0 * 10.0 * sin(piece / 2.0);
    double expected = piece / hypot(level, 40.0 / 128.0);
    for (int32_t i = 1; i < 128; i++)
        assert_near((double)shape.memory[i].curvature, expected, 1e-4);
}

static void nothing_turns_at_the_ends_or_where_the_travel_changes(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add(&shape, 0, 0, 0);
    path_shape_add(&shape, 20, 0, 0);
    path_shape_add(&shape, 30, 10, 0)->direction = -1; // a cusp
    path_shape_add(&shape, 20, 5, 0)->direction = -1;
    path_shape_add(&shape, 0, 5, 0);
    path_shape_build(&shape, false);
    assert_near((double)shape.memory[0].curvature, 0.0, 0.0);
    assert_near((double)shape.memory[2].curvature, 0.0, 0.0);
    assert_near((double)shape.memory[4].curvature, 0.0, 0.0);
    assert_true(shape.memory[1].curvature > 0.0f);
    assert_true(shape.memory[3].curvature < -0.0f || shape.memory[3].curvature > 0.0f);
    const int32_t travel[] = {1, 1, -1, -1, -1}; // the last is the way it came
    for (int32_t i = 0; i < 5; i++)
        assert_int_equal(shape.memory[i].travel, travel[i]);
}

static void waypoints_keep_what_they_were_given(void** state) {
    (void)state;
    kerb_random random = test_random("kept");
    path_shape_scatter(&shape, &random, 50, 100.0f, 5.0f, true);
    for (int32_t i = 0; i < shape.count; i++) {
        const kerb_waypoint* given = &shape.waypoints[i];
        const kerb_path_point* kept = &shape.path.points[i];
        assert_memory_equal(&kept->position, &given->position, sizeof given->position);
        assert_true(kept->left == given->left && kept->right == given->right);
        assert_true(kept->bank == given->bank && kept->grip == given->grip);
        assert_true(kept->stop == given->stop && kept->speed_limit == given->speed_limit);
        assert_int_equal(kept->travel, given->direction);
    }
}

// --------------------------------------------------------------------------- merging

static void repeated_waypoints_are_merged_and_keep_the_stricter_demands(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add(&shape, 0, 0, 0);
    kerb_waypoint* a = path_shape_add(&shape, 10, 0, 0);
    kerb_waypoint* b = path_shape_add(&shape, 10, 0.0005, 0);
    kerb_waypoint* c = path_shape_add(&shape, 10, 0, 0);
    path_shape_add(&shape, 10.002, 0, 0); // 2 mm on: another place
    a->stop = 3.0f, b->stop = 5.0f, c->stop = 0.0f;
    a->left = 1.0f, b->left = 0.5f, c->right = 0.25f;
    a->speed_limit = 20.0f, b->speed_limit = 8.0f, c->speed_limit = 12.0f;
    path_shape_build(&shape, false);
    assert_int_equal(shape.path.count, 3);
    assert_int_equal(shape.path.merged, 2);
    const kerb_path_point* kept = &shape.path.points[1];
    assert_same_place(kept->position, 10, 0, 0, 0.0);
    assert_near((double)kept->stop, 5.0, 0.0);
    assert_near((double)kept->left, 0.5, 0.0);
    assert_near((double)kept->right, 0.25, 0.0);
    assert_near((double)kept->speed_limit, 8.0, 0.0);
    assert_near(shape.path.length, 10.002, 1e-5);
}

static void a_repeated_waypoint_may_change_the_direction_of_travel(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add(&shape, 0, 0, 0);
    path_shape_add(&shape, 10, 0, 0);
    path_shape_add(&shape, 10, 0, 0)->direction = -1;
    path_shape_add(&shape, 5, 0, 0);
    path_shape_build(&shape, false);
    assert_int_equal(shape.path.count, 3);
    assert_int_equal(shape.path.points[0].travel, 1);
    assert_int_equal(shape.path.points[1].travel, -1);
}

// Round courses are often written with their first point again at the end.
static void a_closed_path_may_repeat_its_first_point_at_its_end(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add(&shape, 0, 0, 0)->stop = 1.0f;
    path_shape_add(&shape, 30, 0, 0);
    path_shape_add(&shape, 30, 40, 0);
    kerb_waypoint* last = path_shape_add(&shape, 0, 0, 0);
    last->stop = 4.0f;
    last->left = 0.5f;
    path_shape_build(&shape, true);
    assert_int_equal(shape.path.count, 3);
    assert_int_equal(shape.path.segment_count, 3);
    assert_int_equal(shape.path.merged, 1);
    assert_near(shape.path.length, 120.0, 1e-4);
    // Like all that are merged, it leaves its demands behind.
    assert_near((double)shape.path.points[0].stop, 4.0, 0.0);
    assert_near((double)shape.path.points[0].left, 0.5, 0.0);
    assert_near((double)shape.path.points[0].right, 2.0, 0.0);
}

static void merged_waypoints_are_counted_whatever_their_order(void** state) {
    (void)state;
    kerb_random random = test_random("merged");
    for (int round = 0; round < 500; round++) {
        path_shape_clear(&shape);
        int32_t places = 3 + kerb_random_below(&random, 20), repeats = 0;
        for (int32_t i = 0; i < places; i++) {
            int32_t times = 1 + kerb_random_below(&random, 3);
            for (int32_t k = 0; k < times; k++)
                path_shape_add(&shape, 5.0 * i, i % 2, 0);
            repeats += times - 1;
        }
        path_shape_build(&shape, round % 2 == 0);
        assert_int_equal(shape.path.merged, repeats);
        assert_int_equal(shape.path.count, places);
        check_segments(&shape);
    }
}

typedef struct note {
    int count;
    char text[128];
} note;

static void take_note(void* context, kerb_log_level level, const char* message) {
    note* n = context;
    assert_int_equal(level, KERB_LOG_NOTE);
    n->count++;
    snprintf(n->text, sizeof n->text, "%s", message);
}

static void merging_is_noted_in_the_hosts_log(void** state) {
    (void)state;
    note n = {0};
    kerb_host host = kerb_host_default();
    host.log = (kerb_log){take_note, &n};
    kerb_waypoint waypoints[15];
    for (int i = 0; i < 15; i++)
        waypoints[i] = kerb_waypoint_at(i < 13 ? 0.0f : (float)i, 0, 0);
    kerb_path path;
    assert_int_equal(kerb_path_create(&path, waypoints + 12, 3, false, &host, NULL), KERB_OK);
    assert_int_equal(n.count, 0);
    kerb_path_destroy(&path);
    assert_int_equal(kerb_path_create(&path, waypoints, 15, false, &host, NULL), KERB_OK);
    assert_int_equal(n.count, 1);
    assert_string_equal(n.text, "12 waypoints repeated their predecessor and were merged");
    kerb_path_destroy(&path);
}

// --------------------------------------------------------------------------- refusing

static void assert_refused(const kerb_waypoint* waypoints, int32_t count, bool closed,
                           kerb_result expected, int32_t index, const char* field) {
    static kerb_path_point memory[8];
    kerb_path path, zero;
    memset(&path, 0xA5, sizeof path);
    memset(&zero, 0, sizeof zero);
    kerb_error error = {0};
    kerb_result result = kerb_path_build(&path, memory, waypoints, count, closed, &error);
    assert_int_equal(result, expected);
    assert_int_equal(error.result, expected);
    assert_int_equal(error.index, index);
    assert_string_equal(error.field, field);
    assert_true(strlen(error.message) > 0);
    assert_memory_equal(&path, &zero, sizeof path);
    assert_int_equal(kerb_path_build(&path, memory, waypoints, count, closed, NULL), expected);
    if (index < 0)
        return;
    // The bad waypoint alone: the same error, without an index.
    kerb_error alone = {0};
    assert_int_equal(kerb_waypoint_validate(&waypoints[index], &alone), expected);
    assert_int_equal(kerb_waypoint_validate(&waypoints[index], NULL), expected);
    assert_int_equal(alone.index, -1);
    assert_string_equal(alone.field, field);
    assert_string_equal(alone.message, error.message);
}

static void too_few_places_are_refused(void** state) {
    (void)state;
    kerb_waypoint two[4] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(1, 0, 0),
                            kerb_waypoint_at(1, 0, 0), kerb_waypoint_at(0, 0, 0)};
    kerb_waypoint same[3] = {two[0], two[0], two[0]};
    assert_refused(NULL, 0, false, KERB_ERROR_TOO_FEW, -1, "waypoints");
    assert_refused(NULL, 0, true, KERB_ERROR_TOO_FEW, -1, "waypoints");
    assert_refused(two, -3, false, KERB_ERROR_TOO_FEW, -1, "waypoints");
    assert_refused(two, 1, false, KERB_ERROR_TOO_FEW, -1, "waypoints");
    assert_refused(same, 2, false, KERB_ERROR_TOO_FEW, -1, "waypoints");
    assert_refused(same, 3, true, KERB_ERROR_TOO_FEW, -1, "waypoints");
    assert_refused(two, 2, true, KERB_ERROR_TOO_FEW, -1, "waypoints");
    assert_refused(two, 4, true, KERB_ERROR_TOO_FEW, -1, "waypoints"); // four, but two places
}

// Every number of a waypoint, with the ends of its documented range.
typedef struct field {
    const char* name;
    size_t offset;
    float least, most;
} field;

static const field fields[] = {
    {"position.x", offsetof(kerb_waypoint, position.x), -KERB_POSITION_MAX, KERB_POSITION_MAX},
    {"position.y", offsetof(kerb_waypoint, position.y), -KERB_POSITION_MAX, KERB_POSITION_MAX},
    {"position.z", offsetof(kerb_waypoint, position.z), -KERB_POSITION_MAX, KERB_POSITION_MAX},
    {"left", offsetof(kerb_waypoint, left), 0.0f, KERB_POSITION_MAX},
    {"right", offsetof(kerb_waypoint, right), 0.0f, KERB_POSITION_MAX},
    {"speed_limit", offsetof(kerb_waypoint, speed_limit), 0.01f, KERB_SPEED_UNLIMITED},
    {"stop", offsetof(kerb_waypoint, stop), 0.0f, KERB_STOP_FOREVER},
    {"bank", offsetof(kerb_waypoint, bank), -1.5f, 1.5f},
    {"grip", offsetof(kerb_waypoint, grip), 0.01f, 10.0f},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static void set(kerb_waypoint* waypoint, const field* f, float value) {
    memcpy((char*)waypoint + f->offset, &value, sizeof value);
}

static void fill_plain(kerb_waypoint waypoints[4]) {
    for (int i = 0; i < 4; i++)
        waypoints[i] = kerb_waypoint_at(10.0f * (float)i, (float)(i * i), 0);
}

static void numbers_that_are_not_finite_are_refused_by_index_and_field(void** state) {
    (void)state;
    const float evil[] = {NAN, INFINITY, -INFINITY};
    for (int32_t i = 0; i < 4; i++)
        for (int f = 0; f < FIELDS; f++)
            for (int e = 0; e < 3; e++) {
                kerb_waypoint waypoints[4];
                fill_plain(waypoints);
                set(&waypoints[i], &fields[f], evil[e]);
                assert_refused(waypoints, 4, e == 0, KERB_ERROR_NOT_FINITE, i, fields[f].name);
            }
}

static void numbers_out_of_range_are_refused_by_index_and_field(void** state) {
    (void)state;
    for (int32_t i = 0; i < 4; i++)
        for (int f = 0; f < FIELDS; f++) {
            kerb_waypoint waypoints[4];
            const float ends[] = {nextafterf(fields[f].least, -HUGE_VALF),
                                  nextafterf(fields[f].most, HUGE_VALF)};
            for (int e = 0; e < 2; e++) {
                fill_plain(waypoints);
                set(&waypoints[i], &fields[f], ends[e]);
                assert_refused(waypoints, 4, false, KERB_ERROR_OUT_OF_RANGE, i, fields[f].name);
            }
        }
}

static void the_ends_of_every_range_are_accepted(void** state) {
    (void)state;
    for (int f = 0; f < FIELDS; f++)
        for (int e = 0; e < 2; e++) {
            path_shape_clear(&shape);
            shape.count = 4;
            fill_plain(shape.waypoints);
            set(&shape.waypoints[2], &fields[f], e == 0 ? fields[f].least : fields[f].most);
            assert_int_equal(kerb_waypoint_validate(&shape.waypoints[2], NULL), KERB_OK);
            path_shape_build(&shape, false);
        }
}

static void a_direction_is_forwards_or_in_reverse(void** state) {
    (void)state;
    const int32_t evil[] = {0, 2, -2, INT32_MAX, INT32_MIN};
    for (int e = 0; e < 5; e++) {
        kerb_waypoint waypoints[4];
        fill_plain(waypoints);
        waypoints[3].direction = evil[e];
        assert_refused(waypoints, 4, false, KERB_ERROR_OUT_OF_RANGE, 3, "direction");
    }
}

// --------------------------------------------------------------------------- memory

static void building_writes_only_the_bytes_that_it_asked_for(void** state) {
    (void)state;
    kerb_random random = test_random("bytes");
    path_shape_scatter(&shape, &random, 20, 50.0f, 0.0f, true);
    static union {
        double aligned;
        unsigned char bytes[32 * sizeof(kerb_path_point)];
    } memory;
    memset(memory.bytes, 0xA5, sizeof memory.bytes);
    kerb_path path;
    assert_int_equal(kerb_path_build(&path, memory.bytes, shape.waypoints, 20, true, NULL),
                     KERB_OK);
    size_t bytes = kerb_path_bytes(20);
    assert_true(bytes < sizeof memory.bytes);
    for (size_t i = bytes; i < sizeof memory.bytes; i++)
        assert_int_equal(memory.bytes[i], 0xA5);
    assert_null(path.memory);
    kerb_path_destroy(&path); // harmless: the memory is the caller's
    kerb_path_destroy(&path);
    assert_int_equal(kerb_path_bytes(0), 0);
    assert_int_equal(kerb_path_bytes(-1), 0);
}

static void a_failed_allocation_is_told_and_leaks_nothing(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    kerb_waypoint waypoints[4];
    fill_plain(waypoints);
    int rounds = 0;
    for (int n = 1; test_allocation_fail_next(&allocation, n); n++, rounds++) {
        kerb_path path;
        kerb_error error = {0};
        kerb_result result = kerb_path_create(&path, waypoints, 4, false, &host, &error);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        if (allocation.failed) {
            assert_int_equal(error.result, KERB_ERROR_OUT_OF_MEMORY);
            assert_null(path.points);
        }
        kerb_path_destroy(&path);
        test_allocation_check(&allocation);
    }
    assert_true(rounds > 1);
}

static void a_refused_path_gives_its_memory_back(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    kerb_waypoint waypoints[4];
    fill_plain(waypoints);
    waypoints[2].grip = NAN;
    kerb_path path;
    assert_int_equal(kerb_path_create(&path, waypoints, 4, false, &host, NULL),
                     KERB_ERROR_NOT_FINITE);
    assert_int_equal(kerb_path_create(&path, waypoints, 1, false, &host, NULL), KERB_ERROR_TOO_FEW);
    assert_int_equal(kerb_path_create(&path, NULL, 0, false, &host, NULL), KERB_ERROR_TOO_FEW);
    test_allocation_check(&allocation);
    kerb_path_destroy(&path);
    test_allocation_check(&allocation);
}

// --------------------------------------------------------------------------- identity

static void equal_paths_have_equal_ids_wherever_they_lie(void** state) {
    (void)state;
    kerb_random random = test_random("equal ids");
    static path_shape other;
    for (int i = 0; i < 200; i++) {
        path_shape_scatter(&shape, &random, 3 + kerb_random_below(&random, 60), 100.0f, 5.0f,
                           i % 2 == 0);
        path_shape_clear(&other);
        memset(other.memory, 0x5A, sizeof other.memory);
        memcpy(other.waypoints, shape.waypoints, sizeof shape.waypoints);
        other.count = shape.count;
        path_shape_build(&other, i % 2 == 0);
        assert_true(other.path.id == shape.path.id);
        assert_true(shape.path.id != 0);
    }
}

static void any_change_of_content_changes_the_id(void** state) {
    (void)state;
    kerb_random random = test_random("ids");
    for (int round = 0; round < 2000; round++) {
        path_shape_scatter(&shape, &random, 10, 100.0f, 5.0f, round % 2 == 0);
        uint64_t before = shape.path.id;
        kerb_waypoint* waypoint = &shape.waypoints[kerb_random_below(&random, 9)];
        int32_t which = kerb_random_below(&random, FIELDS + 1);
        if (which == FIELDS) {
            waypoint->direction = -waypoint->direction;
        } else {
            float value;
            memcpy(&value, (char*)waypoint + fields[which].offset, sizeof value);
            set(waypoint, &fields[which], nextafterf(value, value > 0.5f ? 0.0f : 1.0f));
        }
        path_shape_build(&shape, round % 2 == 0);
        if (shape.path.id == before)
            fail_msg("a change of %s goes unseen",
                     which < FIELDS ? fields[which].name : "direction");
    }
}

static void order_count_and_closing_change_the_id(void** state) {
    (void)state;
    kerb_random random = test_random("order");
    path_shape_scatter(&shape, &random, 10, 100.0f, 5.0f, false);
    uint64_t open = shape.path.id;
    path_shape_build(&shape, true);
    assert_true(shape.path.id != open);
    kerb_waypoint first = shape.waypoints[0];
    shape.waypoints[0] = shape.waypoints[1];
    shape.waypoints[1] = first;
    path_shape_build(&shape, false);
    assert_true(shape.path.id != open);
    shape.waypoints[1] = shape.waypoints[0];
    shape.waypoints[0] = first;
    shape.count = 9;
    path_shape_build(&shape, false);
    assert_true(shape.path.id != open);
}

int path_build_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_waypoint_has_the_documented_defaults),
        cmocka_unit_test(length_is_measured_in_space),
        cmocka_unit_test(segments_of_random_paths_are_measured_truly),
        cmocka_unit_test(curvature_on_a_circle_is_that_of_its_polygon),
        cmocka_unit_test(heading_counts_on_over_many_turns),
        cmocka_unit_test(curvature_of_a_ramp_is_its_level_turn_over_its_length_in_space),
        cmocka_unit_test(nothing_turns_at_the_ends_or_where_the_travel_changes),
        cmocka_unit_test(waypoints_keep_what_they_were_given),
        cmocka_unit_test(repeated_waypoints_are_merged_and_keep_the_stricter_demands),
        cmocka_unit_test(a_repeated_waypoint_may_change_the_direction_of_travel),
        cmocka_unit_test(a_closed_path_may_repeat_its_first_point_at_its_end),
        cmocka_unit_test(merged_waypoints_are_counted_whatever_their_order),
        cmocka_unit_test(merging_is_noted_in_the_hosts_log),
        cmocka_unit_test(too_few_places_are_refused),
        cmocka_unit_test(numbers_that_are_not_finite_are_refused_by_index_and_field),
        cmocka_unit_test(numbers_out_of_range_are_refused_by_index_and_field),
        cmocka_unit_test(the_ends_of_every_range_are_accepted),
        cmocka_unit_test(a_direction_is_forwards_or_in_reverse),
        cmocka_unit_test(building_writes_only_the_bytes_that_it_asked_for),
        cmocka_unit_test(a_failed_allocation_is_told_and_leaks_nothing),
        cmocka_unit_test(a_refused_path_gives_its_memory_back),
        cmocka_unit_test(equal_paths_have_equal_ids_wherever_they_lie),
        cmocka_unit_test(any_change_of_content_changes_the_id),
        cmocka_unit_test(order_count_and_closing_change_the_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
