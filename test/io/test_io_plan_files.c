// Maps and lists of movements: what is read is what is written there, and what is wrong is named.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/grid_map.h"
#include "kerb/io/scenario.h"

#include <string.h>

static void a_movingai_map_is_read_row_by_row(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    const char* text = "type octile\r\nheight 2\r\nwidth 4\r\nmap\r\n.@G.\r\nTOWS\r\n";
    kerb_io_grid_map map;
    assert_int_equal(kerb_io_grid_map_read_movingai(&map, text, strlen(text), &host, NULL, NULL),
                     KERB_OK);
    const uint8_t wanted[8] = {0, 255, 0, 0, 255, 255, 255, 0};
    assert_int_equal(map.columns, 4);
    assert_int_equal(map.rows, 2);
    assert_memory_equal(map.cells, wanted, 8);
    kerb_io_grid_map_destroy(&map, &host);
}

static void expect_map_error(const char* text, kerb_result result, const char* field, int line) {
    const kerb_host host = kerb_host_default();
    kerb_error error;
    kerb_io_grid_map map;
    assert_int_equal(kerb_io_grid_map_read_movingai(&map, text, strlen(text), &host, NULL, &error),
                     result);
    assert_string_equal(error.field, field);
    assert_int_equal(error.line, line);
    assert_null(map.cells);
}

static void broken_maps_name_line_and_field(void** state) {
    (void)state;
    expect_map_error("", KERB_ERROR_MISSING_FIELD, "type", 0);
    expect_map_error("height 2\nwidth 2\nmap\n..\n..\n", KERB_ERROR_MISSING_FIELD, "type", 3);
    expect_map_error("type octile\nwidth 2\nmap\n..\n..\n", KERB_ERROR_MISSING_FIELD, "height", 3);
    expect_map_error("type octile\nheight 2\nmap\n..\n..\n", KERB_ERROR_MISSING_FIELD, "width", 3);
    expect_map_error("type octile\nheight 2\nwidth 2\n..\n..\n", KERB_ERROR_MISSING_FIELD, "map",
                     4);
    expect_map_error("type octile\nheight x\n", KERB_ERROR_WRONG_TYPE, "height", 2);
    expect_map_error("type octile\nheight 2.5\n", KERB_ERROR_WRONG_TYPE, "height", 2);
    expect_map_error("type octile\nheight 99999\n", KERB_ERROR_OUT_OF_RANGE, "height", 2);
    expect_map_error("type octile\nwidth 2\nwidth 3\n", KERB_ERROR_CONTRADICTION, "width", 3);
    expect_map_error("type octile\ntype octile\n", KERB_ERROR_CONTRADICTION, "type", 2);
    expect_map_error("type octile\nheight 2\nwidth 2\nmap\n..\n...\n", KERB_ERROR_SYNTAX, "map", 6);
    expect_map_error("type octile\nheight 1\nwidth 2\nmap\n.\xE9\n", KERB_ERROR_SYNTAX, "map", 5);
    expect_map_error("type octile\nheight 1\nwidth 3\nmap\n. .\n", KERB_ERROR_SYNTAX, "map", 5);
    expect_map_error("type octile\nheight 1\nwidth 2\nmap\n..\n..\n", KERB_ERROR_TOO_MANY, "map",
                     6);
    expect_map_error("type octile\nheight 9999\nwidth 9999\nmap\n..\n", KERB_ERROR_TOO_FEW, "map",
                     4);
}

// As hog2's own maps, weighted ones and some editors have it.
static void maps_of_other_programs_are_read_and_what_is_assumed_is_noted(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    const char text[] = "\xEF\xBB\xBFtype weighted\nwidth\t6\nheight 2\n\nmap\n.gsGS#\n@totA9\n\n";
    const uint8_t wanted[12] = {0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 0, 0};
    kerb_io_notes notes = {0};
    kerb_io_grid_map map;
    assert_int_equal(kerb_io_grid_map_read_movingai(&map, text, strlen(text), &host, &notes, NULL),
                     KERB_OK);
    assert_true(map.columns == 6 && map.rows == 2);
    assert_memory_equal(map.cells, wanted, 12);
    kerb_io_grid_map_destroy(&map, &host);
    assert_int_equal(notes.count, 2);
    assert_string_equal(notes.rows[0].field, "type");
    assert_int_equal(notes.rows[0].line, 1);
    assert_string_equal(notes.rows[1].field, "map");
    assert_int_equal(notes.rows[1].line, 7);
    assert_non_null(strstr(notes.rows[1].message, "free ground, without their weights: 9A"));
    const char odd[] = "type octile\nheight 1\nwidth 4\nmap\n.+z~\n";
    const uint8_t cells[4] = {0, 255, 0, 255};
    memset(&notes, 0, sizeof notes);
    assert_int_equal(kerb_io_grid_map_read_movingai(&map, odd, strlen(odd), &host, &notes, NULL),
                     KERB_OK);
    assert_memory_equal(map.cells, cells, 4);
    kerb_io_grid_map_destroy(&map, &host);
    assert_int_equal(notes.count, 2);
    assert_non_null(strstr(notes.rows[0].message, ": z"));
    assert_non_null(strstr(notes.rows[1].message, "blocked"));
    assert_non_null(strstr(notes.rows[1].message, ": +~"));
}

// What a program reads of a file before it asks for memory.
static void heads_say_how_long_a_map_may_be(void** state) {
    (void)state;
    kerb_error error;
    kerb_io_grid_map_head head;
    const char map[] = "type octile\nheight 300\nwidth 2000\nmap\n";
    assert_int_equal(kerb_io_grid_map_head_read_movingai(&head, map, strlen(map), &error), KERB_OK);
    assert_true(head.columns == 2000 && head.rows == 300);
    assert_true(head.bytes_max >= strlen(map) + 300 * 2002 && head.bytes_max < 300 * 2100);
    assert_int_equal(kerb_io_grid_map_head_read_movingai(&head, map, 20, &error),
                     KERB_ERROR_MISSING_FIELD);
    const char bytes[] = "P5 # of a scanner\n32768 #\n 32768\n65535\n";
    assert_int_equal(kerb_io_grid_map_head_read_pgm(&head, bytes, strlen(bytes), &error), KERB_OK);
    assert_true(head.bytes_max == strlen(bytes) + ((uint64_t)2 << 30));
    const char text[] = "P2 20 10 255 ";
    assert_int_equal(kerb_io_grid_map_head_read_pgm(&head, text, strlen(text), &error), KERB_OK);
    assert_true(head.bytes_max >= 200 * 4 && head.bytes_max < 100000);
    assert_int_equal(kerb_io_grid_map_head_read_pgm(&head, "\0\0\0\0", 4, &error),
                     KERB_ERROR_SYNTAX);
    assert_string_equal(error.field, "magic");
}

// Unknown grey is blocked; the picture's last row is the lowest.
static void a_picture_is_a_map_by_the_words_of_map_server(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    kerb_io_map_info info = {.resolution = 0.5f, .occupied = 0.65f, .free = 0.2f};
    const char text[] = "P2 # three by two\n3 2\n100\n0 50 100\n100 100 85\n";
    const char bytes[] = {'P', '5',  '\n', '3', ' ', '2', ' ', '1', '0',
                          '0', '\n', 0,    50,  100, 100, 100, 85};
    const uint8_t wanted[6] = {0, 0, 0, 255, 255, 0};
    kerb_io_grid_map map;
    assert_int_equal(kerb_io_grid_map_read_pgm(&map, text, strlen(text), &info, &host, NULL),
                     KERB_OK);
    assert_memory_equal(map.cells, wanted, 6);
    kerb_io_grid_map_destroy(&map, &host);
    assert_int_equal(kerb_io_grid_map_read_pgm(&map, bytes, sizeof bytes, &info, &host, NULL),
                     KERB_OK);
    assert_memory_equal(map.cells, wanted, 6);
    kerb_io_grid_map_destroy(&map, &host);
    kerb_error error;
    assert_int_equal(kerb_io_grid_map_read_pgm(&map, bytes, sizeof bytes - 1, &info, &host, &error),
                     KERB_ERROR_TOO_FEW);
    assert_string_equal(error.field, "pixels");
    info.negate = true;
    assert_true(kerb_io_map_info_is_blocked(&info, 1.0f) &&
                !kerb_io_map_info_is_blocked(&info, 0.0f));
}

static void scenarios_are_read_in_both_formats(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    const char scen[] = "version 1\n0\tb.map\t9\t8\t1\t2\t8\t7\t9.5\n";
    const char csv[] =
        "map,x0,y0,deg0,v0,x1,y1,deg1,v1\n,1,2,3,4,5,6,7,8\nb c.map,0,0,0,0,1,1,1,1\n";
    kerb_io_scenarios list;
    assert_int_equal(kerb_io_scenarios_read(&list, scen, strlen(scen), &host, NULL, NULL), KERB_OK);
    assert_int_equal(list.kind, KERB_IO_SCENARIO_CELLS);
    assert_string_equal(list.rows[0].map, "b.map");
    assert_true(list.rows[0].numbers[3] == 7.0 && list.rows[0].length == 9.5);
    kerb_io_scenarios_destroy(&list, &host);
    assert_int_equal(kerb_io_scenarios_read(&list, csv, strlen(csv), &host, NULL, NULL), KERB_OK);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.rows[0].map, "");
    assert_string_equal(list.rows[1].map, "b c.map");
    assert_true(list.rows[0].numbers[7] == 8.0);
    kerb_io_scenarios_destroy(&list, &host);
    kerb_error error;
    const char outside[] = "version 1\n0 b.map 9 8 1 8 0 0 1\n";
    assert_int_equal(kerb_io_scenarios_read(&list, outside, strlen(outside), &host, NULL, &error),
                     KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "start row");
    assert_int_equal(error.line, 2);
}

static void lists_of_other_programs_are_read_and_what_is_assumed_is_noted(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    kerb_io_notes notes = {0};
    kerb_io_scenarios list;
    const char tabs[] =
        "\xEF\xBB\xBFversion 1.0\r\n0\tmaps/my dao/b.map\t9\t8\t1.0\t2\t8\t7.0\t9.5\r\n";
    assert_int_equal(kerb_io_scenarios_read(&list, tabs, strlen(tabs), &host, &notes, NULL),
                     KERB_OK);
    assert_string_equal(list.rows[0].map, "maps/my dao/b.map");
    assert_true(list.rows[0].numbers[0] == 1.0 && list.rows[0].numbers[3] == 7.0);
    assert_int_equal(notes.count, 0);
    kerb_io_scenarios_destroy(&list, &host);
    const char later[] = "version 2\n0 b.map 9 8 1 2 8 7 9.5\n";
    assert_int_equal(kerb_io_scenarios_read(&list, later, strlen(later), &host, &notes, NULL),
                     KERB_OK);
    kerb_io_scenarios_destroy(&list, &host);
    assert_int_equal(notes.count, 1);
    assert_string_equal(notes.rows[0].field, "version");
    assert_int_equal(notes.rows[0].line, 1);
    // Version 0 had no size of the map, and its files begin with the first row.
    const char old[] = "0 b.map 1 2 8 7 9.5\n1 c.map 3 3 4 4 1.5\n";
    assert_int_equal(kerb_io_scenarios_read(&list, old, strlen(old), &host, &notes, NULL), KERB_OK);
    assert_int_equal(list.count, 2);
    assert_true(list.rows[1].numbers[0] == 3.0 && list.rows[1].numbers[3] == 4.0 &&
                list.rows[1].length == 1.5);
    assert_int_equal(notes.count, 2);
    kerb_io_scenarios_destroy(&list, &host);
    kerb_error error;
    const char words[] = "these are no rows at all of course\n";
    assert_int_equal(kerb_io_scenarios_read(&list, words, strlen(words), &host, NULL, &error),
                     KERB_ERROR_SYNTAX);
    assert_string_equal(error.field, "header");
    const char eight[] = "version 1\n0 b.map 9 8 1 2 8 7\n";
    assert_int_equal(kerb_io_scenarios_read(&list, eight, strlen(eight), &host, NULL, &error),
                     KERB_ERROR_TOO_FEW);
    assert_int_equal(error.line, 2);
}

// Some cases lie thousands of kilometres from zero, where floats are far apart.
static void a_parking_case_far_away_keeps_its_millimetres(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    const char near[] = "1.5,2,0.25,3,4,-1,1,3,0,0,1,0,0,1,";
    const char far[] = "4484378811.25,-354286007.5,0,4484378813.75,-354286000.25,1,1,3,"
                       "4484378811.5,-354286000,4484378812,-354286000,4484378812,-354286001";
    kerb_io_parking p;
    assert_int_equal(kerb_io_parking_read(&p, near, strlen(near), &host, NULL), KERB_OK);
    assert_true(p.from.position.x == 1.5f && p.to.position.y == 4.0f && p.shift[0] == 0.0);
    assert_true(p.polygon_count == 1 && p.vertices[1].x == 1.0f);
    kerb_io_parking_destroy(&p, &host);
    assert_int_equal(kerb_io_parking_read(&p, far, strlen(far), &host, NULL), KERB_OK);
    assert_true(p.shift[0] == 4484378811.0 && p.from.position.x == 0.25f);
    assert_true(p.to.position.x == 2.75f && p.vertices[0].y == 7.0f);
    kerb_io_parking_destroy(&p, &host);
    kerb_error error;
    const char broken[] = "1,2,3,4,5,6,1,3,0,0,1,0,0";
    assert_int_equal(kerb_io_parking_read(&p, broken, strlen(broken), &host, &error),
                     KERB_ERROR_TOO_FEW);
    assert_string_equal(error.field, "numbers");
}

int io_plan_files_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_movingai_map_is_read_row_by_row),
        cmocka_unit_test(broken_maps_name_line_and_field),
        cmocka_unit_test(maps_of_other_programs_are_read_and_what_is_assumed_is_noted),
        cmocka_unit_test(heads_say_how_long_a_map_may_be),
        cmocka_unit_test(a_picture_is_a_map_by_the_words_of_map_server),
        cmocka_unit_test(scenarios_are_read_in_both_formats),
        cmocka_unit_test(lists_of_other_programs_are_read_and_what_is_assumed_is_noted),
        cmocka_unit_test(a_parking_case_far_away_keeps_its_millimetres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
