// Triangles of .obj files: what is read, what is skipped, and what is wrong with a line.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/obj.h"
#include "test/allocation.h"
#include "test/seed.h"

#include <stdio.h>
#include <string.h>

static kerb_result read_text(const char* text, bool y_up, kerb_io_triangles* t, kerb_error* error) {
    const kerb_host host = kerb_host_default();
    return kerb_io_triangles_read_obj(t, text, strlen(text), y_up, &host, error);
}

static void drop(kerb_io_triangles* t) {
    const kerb_host host = kerb_host_default();
    kerb_io_triangles_destroy(t, &host);
}

static void vertices_and_faces_are_read_and_all_else_is_skipped(void** state) {
    (void)state;
    static const char text[] = "# a square\r\nmtllib x.mtl\no ground\nv 0 0 0\nv 1 0 0 # corner\n"
                               "v 1 2.5 0 0.5\n\tv 0 2.5 -3e1\nvt 0 0\nvn 0 0 1\nusemtl a\ns off\n"
                               "f 1/1/1 2//1 3 4/2\nf -1 -2 -3";
    kerb_io_triangles t;
    assert_int_equal(read_text(text, false, &t, NULL), KERB_OK);
    assert_int_equal(t.vertex_count, 4);
    assert_int_equal(t.triangle_count, 3);
    static const int32_t expected[9] = {0, 1, 2, 0, 2, 3, 3, 2, 1};
    assert_memory_equal(t.triangles, expected, sizeof expected);
    assert_true(t.vertices[3].y == 2.5f && t.vertices[3].z == -30.0f);
    drop(&t);
    assert_int_equal(read_text(text, true, &t, NULL), KERB_OK); // its x, y, z are y, z, x
    assert_true(t.vertices[3].x == -30.0f && t.vertices[3].y == 0.0f && t.vertices[3].z == 2.5f);
    drop(&t);
    drop(&t); // again is harmless
}

static void a_wrong_line_is_named(void** state) {
    (void)state;
    static const struct {
        const char *text, *field;
        int32_t line;
        kerb_result result;
    } cases[] = {
        {"", "f", 0, KERB_ERROR_TOO_FEW},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "f", 0, KERB_ERROR_TOO_FEW},
        {"v 0 0\n", "v", 1, KERB_ERROR_TOO_FEW},
        {"\nv 0 x 0\n", "v", 2, KERB_ERROR_WRONG_TYPE},
        {"v 0 nan 0\n", "v", 1, KERB_ERROR_NOT_FINITE},
        {"v 0 0 1e9\n", "v", 1, KERB_ERROR_OUT_OF_RANGE},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "f", 4, KERB_ERROR_TOO_FEW},
        {"v 0 0 0\nv 1 0 0\nf 1 2 3\nv 0 1 0\n", "f", 3, KERB_ERROR_OUT_OF_RANGE},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "f", 4, KERB_ERROR_OUT_OF_RANGE},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 1 2\n", "f", 4, KERB_ERROR_OUT_OF_RANGE},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1.5 1 2\n", "f", 4, KERB_ERROR_OUT_OF_RANGE},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf a b c\n", "f", 4, KERB_ERROR_WRONG_TYPE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kerb_io_triangles t;
        kerb_error error = {0};
        if (read_text(cases[i].text, true, &t, &error) != cases[i].result)
            fail_msg("case %d: %s: %s", (int)i, error.field, error.message);
        assert_string_equal(error.field, cases[i].field);
        assert_int_equal(error.line, cases[i].line);
        assert_null(t.vertices);
    }
}

static void what_is_written_reads_back_the_same(void** state) {
    (void)state;
    kerb_random random = test_random("what is written reads back");
    enum { MOST = 40 };
    for (int32_t trial = 0; trial < test_share(2000, 100); trial++) {
        static char text[16000];
        kerb_vec3 vertices[MOST];
        int32_t faces[3 * MOST];
        int32_t count = 3 + kerb_random_below(&random, MOST - 3), length = 0, made = 0;
        for (int32_t i = 0; i < count; i++) {
            vertices[i] = kerb_vec3_make(kerb_random_between(&random, -1000, 1000),
                                         kerb_random_between(&random, -1000, 1000),
                                         kerb_random_between(&random, -10, 10));
            length += snprintf(text + length, sizeof text - (size_t)length, "v %.9g %.9g %.9g\n",
                               (double)vertices[i].x, (double)vertices[i].y, (double)vertices[i].z);
            if (i < 2)
                continue;
            for (int32_t k = 0; k < 3; k++)
                faces[3 * made + k] = kerb_random_below(&random, i + 1);
            bool back = kerb_random_unit(&random) < 0.5f; // counted from the last vertex
            length += snprintf(text + length, sizeof text - (size_t)length, "f");
            for (int32_t k = 0; k < 3; k++)
                length += snprintf(text + length, sizeof text - (size_t)length, " %d",
                                   back ? (int)(faces[3 * made + k] - i - 1)
                                        : (int)faces[3 * made + k] + 1);
            length += snprintf(text + length, sizeof text - (size_t)length, "\n");
            made++;
        }
        kerb_io_triangles t;
        assert_int_equal(read_text(text, false, &t, NULL), KERB_OK);
        assert_int_equal(t.vertex_count, count);
        assert_int_equal(t.triangle_count, made);
        assert_memory_equal(t.vertices, vertices, (size_t)count * sizeof *vertices);
        assert_memory_equal(t.triangles, faces, (size_t)(3 * made) * sizeof *faces);
        drop(&t);
    }
}

static void no_failed_allocation_leaks_triangles(void** state) {
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_io_triangles t;
        kerb_error error = {0};
        if (kerb_io_triangles_read_obj(&t, text, sizeof text - 1, true, &host, &error) != KERB_OK)
            assert_int_equal(error.result, KERB_ERROR_OUT_OF_MEMORY);
        kerb_io_triangles_destroy(&t, &host);
        test_allocation_check(&allocation);
    }
}

int obj_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_and_faces_are_read_and_all_else_is_skipped),
        cmocka_unit_test(a_wrong_line_is_named),
        cmocka_unit_test(what_is_written_reads_back_the_same),
        cmocka_unit_test(no_failed_allocation_leaks_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
