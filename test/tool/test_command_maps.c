// Maps and lists of `kerb plan`: what map_server's files say is true of the plan, turned ones and
// graded ones too, and files that other files name are read only where they are files in the
// folder.
#define _XOPEN_SOURCE 700 // for symlink, mkfifo, truncate
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(KERB_COMMAND) && !defined(_WIN32)

#define COMMAND_VERB "plan"
#include "test/tool/command_rig.h"

#include "kerb/io/grid_map.h"
#include "test/seed.h"

#include <sys/stat.h>

// --------------------------------------------------------------------------- pictures

// A picture as a map, rows from the top: a wall of 0.5 m cells that hangs from above.
static void write_picture_map(void) {
    static char text[40 * 60 * 4 + 100];
    int length = snprintf(text, sizeof text, "P2\n# a room\n60 40\n255\n");
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 60; x++)
            length += snprintf(text + length, sizeof text - (size_t)length, "%s\n",
                               x >= 28 && x < 31 && y < 20 ? "0" : "254");
    put("room.pgm", text);
    put("room.yaml", "image: room.pgm\nresolution: 0.5\norigin: [-5.0, 2.0, 0.0]\nnegate: 0\n"
                     "occupied_thresh: 0.65\nfree_thresh: 0.196\n");
}

static void a_picture_with_a_yaml_beside_it_is_a_map(void** state) {
    (void)state;
    write_picture_map();
    const char* ends = "--from -2,17,0,0 --to 20,17,0,0 --reverse";
    char line[200];
    snprintf(line, sizeof line, "--map room.yaml %s", ends);
    cJSON* root = report(line);
    // The wall stands at x 9 to 10.5 m and y 12 to 22 m: it goes below.
    double lowest = 99.0;
    const cJSON* s;
    cJSON_ArrayForEach(s, cJSON_GetObjectItem(root, "states")) {
        lowest = fmin(lowest, cJSON_GetArrayItem(s, 2)->valuedouble);
    }
    assert_true(lowest < 12.0 && lowest > 2.0);
    snprintf(line, sizeof line, "--map room.pgm %s", ends);
    cJSON* same = report(line);
    assert_true(number(same, "cost_s") == number(root, "cost_s"));
    cJSON_Delete(root);
    cJSON_Delete(same);
    assert_int_equal(run("--map room.yaml --from -2,17,0,0 --to 9.5,17,0,0 --quiet"), 1);
    assert_int_equal(run("--map room.yaml --from -2,17,0,0 --to 60,17,0,0 --json"), 1);
    expect_in("out", "goal_blocked"); // beyond the map
}

static void broken_pictures_are_refused_in_one_line(void** state) {
    (void)state;
    static const struct {
        const char *picture, *part;
    } cases[] = {
        {"P5 4 4 255\nabc", "room.pgm"},
        {"P5 99999999 99999999 255\n", "room.pgm"},
        {"P5 4 4 0\n0123456789abcdef", "room.pgm"},
        {"P5 4 4 70000\n0123456789abcdef", "room.pgm"},
        {"P2 2 2 255 1 2 3", "room.pgm"},
        {"P2 2 2 255 1 2 3 300", "room.pgm"},
        {"P6 1 1 255 abc", "room.pgm"},
        {"P5 -4 4 255\n0123456789abcdef", "room.pgm"},
        {"", "room.pgm"},
    };
    write_picture_map();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put("room.pgm", cases[i].picture);
        expect_refusal("--map room.yaml --from 1,5,0,0 --to 20,5,0,0", cases[i].part);
    }
    put("other.pgm", "P2 1 1 255 254");
    expect_refusal("--map other.pgm --from 1,5,0,0 --to 20,5,0,0", "other.yaml");
    put("other.yaml", "image: nowhere.pgm\nresolution: 0.5\norigin: [0, 0, 0]\n"
                      "occupied_thresh: 0.65\nfree_thresh: 0.196\nnegate: 0\n");
    expect_refusal("--map other.yaml --from 1,5,0,0 --to 20,5,0,0", "nowhere.pgm");
    put("other.yaml", "image: other.pgm\nresolution: nan\norigin: [0, 0, 0]\n");
    expect_refusal("--map other.yaml --from 1,5,0,0 --to 20,5,0,0", "other.yaml");
    put("other.png", "this is no picture");
    put("other.yaml", "image: other.png\nresolution: 0.5\norigin: [0, 0, 0]\n"
                      "occupied_thresh: 0.65\nfree_thresh: 0.196\nnegate: 0\n");
    expect_refusal("--map other.png --from 1,5,0,0 --to 20,5,0,0", "other.png");
    put("short.map", "type octile\nheight 3\nwidth 3\nmap\n...\n..\n");
    expect_refusal("--map short.map --from 1,1,0,0 --to 2,2,0,0", "short.map");
}

// --------------------------------------------------------------------------- triangles

// A street along x under a bridge along y, in the axes of the file: y up.
static void write_bridge(void) {
    static const float quads[][12] = {
        {0, 0, 0, 100, 0, 0, 100, 100, 0, 0, 100, 0}, // x, y, z of four corners
        {46, 5, 0, 54, 5, 0, 54, 40, 6, 46, 40, 6},   // up
        {46, 40, 6, 54, 40, 6, 54, 60, 6, 46, 60, 6}, // the bridge
        {46, 60, 6, 54, 60, 6, 54, 95, 0, 46, 95, 0}, // down
        {20, 30, 0, 20, 30, 8, 20, 45, 8, 20, 45, 0}, // a wall across the west of the street
    };
    char text[4000];
    int length = snprintf(text, sizeof text, "# bridge\n");
    for (size_t i = 0; i < sizeof quads / sizeof quads[0]; i++) {
        for (int k = 0; k < 4; k++)
            length += snprintf(text + length, sizeof text - (size_t)length, "v %g %g %g\n",
                               (double)quads[i][3 * k + 1], (double)quads[i][3 * k + 2],
                               (double)quads[i][3 * k]);
        length += snprintf(text + length, sizeof text - (size_t)length, "f -4 -3 -2 -1\n");
    }
    put("bridge.obj", text);
}

static void triangles_become_ground_whose_levels_are_told_apart(void** state) {
    (void)state;
    write_bridge();
    put("bad.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n");
#ifdef KERB_HAVE_RECAST
    cJSON* below = report("--mesh bridge.obj --from 10,50,0,5 --to 90,50,0,5");
    cJSON* above = report("--mesh bridge.obj --heights 6,6 --from 50,42,90,5 --to 50,58,90,5");
    assert_true(number(below, "length_m") < 81.0);
    assert_true(number(above, "length_m") < 16.5);
    cJSON_Delete(below);
    cJSON_Delete(above);
    // From the bridge it is no way to the street beside it.
    assert_int_equal(
        run("--mesh bridge.obj --heights 6,6 --from 50,50,90,0 --to 70,50,90,0 --json"), 1);
    expect_in("out", "goal_blocked");
    assert_int_equal(run("--mesh bad.obj --from 0,0,0,0 --to 5,5,0,0"), 2);
    expect_in("error", "bad.obj");
    expect_in("error", "3");
#else
    assert_int_equal(run("--mesh bridge.obj --from 10,50,0,5 --to 90,50,0,5"), 2);
    expect_in("error", "librecast-dev");
#endif
    assert_int_equal(run("--map room.yaml --mesh bridge.obj --from 1,1,0,0 --to 5,5,0,0"), 2);
    assert_int_equal(run("--heights 1,2 --from 1,1,0,0 --to 5,5,0,0"), 2);
    assert_int_equal(run("--mesh bridge.obj --heights 1 --from 1,1,0,0 --to 5,5,0,0"), 2);
}

// --------------------------------------------------------------------------- turned maps

static void write_room(const char* name, double x, double y, double yaw, const char* more) {
    char text[300];
    snprintf(text, sizeof text, "image: room.pgm\nresolution: 0.5\norigin: [%.9g, %.9g, %.9g]\n%s",
             x, y, yaw, more);
    put(name, text);
}

// Of the room as write_picture_map has it, in its own frame.
static bool is_wall(double x, double y) {
    return x < 0.0 || y < 0.0 || x > 30.0 || y > 20.0 || (x > 14.0 && x < 15.5 && y > 10.0);
}

static kerb_io_map_info frame_of(double x, double y, double yaw) {
    return (kerb_io_map_info){.origin = {(float)x, (float)y}, .yaw = (float)yaw};
}

// Words for an end at a pose of the room.
static void end_words(const kerb_io_map_info* frame, float x, float y, float heading, char* words,
                      size_t size) {
    kerb_pose p = kerb_io_map_info_to_world(frame, kerb_pose_make(x, y, heading));
    snprintf(words, size, "%.9g,%.9g,%.9g,0", (double)p.position.x, (double)p.position.y,
             (double)kerb_pose_heading(p) * 57.29577951308232);
}

static kerb_pose pose_of(const cJSON* state) {
    return kerb_pose_make((float)cJSON_GetArrayItem(state, 1)->valuedouble,
                          (float)cJSON_GetArrayItem(state, 2)->valuedouble,
                          (float)(cJSON_GetArrayItem(state, 3)->valuedouble / 57.29577951308232));
}

// Wherever and however the room lies in the world, the rear axle begins and ends where it was asked
// to and stays out of the wall.
static void a_turned_room_is_driven_through_in_the_world_s_coordinates(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    write_picture_map();
    for (int32_t i = 0; i < 12; i++) {
        double x = (double)kerb_random_between(&random, -50.0f, 50.0f);
        double y = (double)kerb_random_between(&random, -50.0f, 50.0f);
        double yaw = i == 0 ? 1e-17 : (double)kerb_random_between(&random, -6.28f, 6.28f);
        kerb_io_map_info frame = frame_of(x, y, yaw);
        char from[80], to[80], line[400];
        write_room("turned.yaml", x, y, yaw, "");
        end_words(&frame, 3.0f, 15.0f, 0.0f, from, sizeof from);
        end_words(&frame, 25.0f, 15.0f, 0.3f, to, sizeof to);
        snprintf(line, sizeof line, "--map turned.yaml --from=%s --to=%s --reverse", from, to);
        cJSON* root = report(line);
        assert_true(cJSON_IsTrue(cJSON_GetObjectItem(root, "valid")));
        const cJSON *s, *states = cJSON_GetObjectItem(root, "states");
        kerb_pose begins = kerb_pose_make(0.0f, 0.0f, 0.0f), ends = begins;
        float lowest = 20.0f;
        cJSON_ArrayForEach(s, states) {
            kerb_pose here = kerb_io_map_info_from_world(&frame, pose_of(s));
            assert_false(is_wall((double)here.position.x, (double)here.position.y));
            lowest = fminf(lowest, here.position.y);
            begins = s == states->child ? here : begins;
            ends = here;
        }
        assert_true(fabsf(begins.position.x - 3.0f) < 0.01f && lowest < 10.0f);
        assert_true(fabsf(ends.position.x - 25.0f) < 0.01f &&
                    fabsf(ends.position.y - 15.0f) < 0.01f);
        assert_true(fabsf(kerb_pose_heading(ends) - 0.3f) < 0.01f);
        cJSON_Delete(root);
    }
}

static void page_csv_drive_and_list_know_turned_maps(void** state) {
    (void)state;
    const kerb_io_map_info frame = frame_of(20.0, -7.0, 2.0);
    char from[80], to[80], line[500];
    write_picture_map();
    write_room("turned.yaml", 20.0, -7.0, 2.0, "");
    end_words(&frame, 3.0f, 15.0f, 0.0f, from, sizeof from);
    end_words(&frame, 25.0f, 15.0f, 0.0f, to, sizeof to);
    snprintf(line, sizeof line,
             "--map turned.yaml --from=%s --to=%s --reverse --vehicle buggy --drive "
             "--html turned.html --csv turned.csv",
             from, to);
    cJSON* root = report(line);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(root, "arrived")));
    assert_false(cJSON_IsTrue(cJSON_GetObjectItem(root, "touched")));
    expect_in("turned.html", ",\"turn\":[20.0000,-7.0000,2.0000000]");
    cJSON_Delete(root);
    // The first row of the plan and of what was driven is the start.
    char* csv = contents("turned.csv");
    double row[17] = {0.0}, wanted[3];
    char* at = strchr(csv, '\n') + 1;
    for (int i = 0; i < 17; i++, at++)
        row[i] = strtod(at, &at);
    assert_int_equal(sscanf(from, "%lf,%lf,%lf", &wanted[0], &wanted[1], &wanted[2]), 3);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(row[1 + i] - wanted[i]) < 0.01);
        assert_true(fabs(row[8 + i] - wanted[i]) < 0.2);
    }
    free(csv);
    snprintf(line, sizeof line, "map,x0,y0,deg0,v0,x1,y1,deg1,v1\nturned.yaml,%s,%s\n", from, to);
    put("turned.list.csv", line);
    root = report("--scenarios turned.list.csv --reverse");
    assert_true(number(root, "found") == 1.0 && number(root, "invalid") == 0.0);
    cJSON_Delete(root);
    // Another place is another map.
    write_room("other.yaml", 20.0, -7.0, 1.0, "");
    snprintf(line, sizeof line, "--map turned.yaml --costs other.yaml --from=%s --to=%s", from, to);
    expect_refusal(line, "must have the cells and the place of --map");
}

// It crosses the way in the world, so the plan gives way to it as without a turn.
static void movers_come_along_on_a_turned_map(void** state) {
    (void)state;
    const kerb_io_map_info frame = frame_of(20.0, -7.0, 0.5 * 3.14159265358979);
    char from[80], to[80], line[500];
    write_picture_map();
    write_room("turned.yaml", 20.0, -7.0, 0.5 * 3.14159265358979, "");
    end_words(&frame, 3.0f, 5.0f, 0.0f, from, sizeof from);
    end_words(&frame, 25.0f, 5.0f, 0.0f, to, sizeof to);
    snprintf(line, sizeof line, "--map turned.yaml --from=%s --to=%s", from, to);
    cJSON* alone = report(line);
    // In the room it comes from (15, -15) along y: in the world from (35, 8) along -x.
    snprintf(line, sizeof line, "--map turned.yaml --from=%s --to=%s --mover 36,8,-6,0", from, to);
    cJSON* met = report(line);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(met, "valid")));
    assert_true(number(met, "cost_s") > number(alone, "cost_s"));
    cJSON_Delete(alone);
    cJSON_Delete(met);
}

// --------------------------------------------------------------------------- modes

// Grey ground between two ways: it may be crossed in mode scale, for a price, and not otherwise.
static void grey_ground_costs_in_mode_scale(void** state) {
    (void)state;
    static char text[40 * 60 * 4 + 100];
    int length = snprintf(text, sizeof text, "P2 60 40 255\n");
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 60; x++)
            length += snprintf(text + length, sizeof text - (size_t)length, "%s\n",
                               x >= 28 && x < 31 ? "130" : "254");
    put("room.pgm", text);
    write_room("grey.yaml", 0.0, 0.0, 0.0, "mode: scale\n");
    write_room("black.yaml", 0.0, 0.0, 0.0, "mode: trinary\n");
    const char* ends = "--from 3,10,0,0 --to 25,10,0,0";
    char line[200];
    snprintf(line, sizeof line, "--map grey.yaml %s --svg grey.svg --html grey.html", ends);
    cJSON* dear = report(line);
    snprintf(line, sizeof line, "--map grey.yaml --price 0 %s", ends);
    cJSON* cheap = report(line);
    // 125 of 255 dark, from 0.196 to 0.65, over 1.5 m.
    double share = (125.0 / 255.0 - 0.196) / (0.65 - 0.196) * 254.0 / 255.0;
    expect_near(number(dear, "toll_s"), 1.5 * share, 0.02);
    assert_true(number(cheap, "toll_s") == 0.0);
    cJSON_Delete(dear);
    cJSON_Delete(cheap);
    snprintf(line, sizeof line, "--map black.yaml %s --json", ends);
    assert_int_equal(run(line), 1);
    expect_in("out", "no_path");
}

// --------------------------------------------------------------------------- notes

static void what_was_assumed_is_one_line_on_standard_error(void** state) {
    (void)state;
    write_picture_map();
    put("nan.yaml", "image: room.pgm\nresolution: 0.5\norigin: [-5, 2, nan]\n");
    assert_int_equal(run("--map nan.yaml --from -2,5,0,0 --to 3,5,0,0 --json"), 0);
    char* message = contents("error");
    assert_string_equal(message, "kerb: note: nan.yaml:3: origin: assumed yaw 0 for nan\n");
    free(message);
    put("weights.map", "type weighted\nwidth 8\nheight 4\nmap\n........\n...AA1..\n........\n"
                       "........\n");
    assert_int_equal(run("--map weights.map --from 2,2,0,0 --to 3,2,0,0 --json"), 0);
    expect_in("error", "kerb: note: weights.map:1: type: \"weighted\" is read as octile\n");
    expect_in("error", "weights.map:6: map: assumed free ground, without their weights: 1A\n");
    put("wrong.yaml", "image: room.pgm\nresolution: 0.5\norigin: [-5, 2, east]\n");
    expect_refusal("--map wrong.yaml --from 1,5,0,0 --to 20,5,0,0",
                   "kerb: wrong.yaml:3: origin: must be a yaw");
}

// --------------------------------------------------------------------------- named files

static void path_in(const char* name, char path[160]) {
    snprintf(path, 160, "%s/%s", folder, name);
}

static void make_folder_in(const char* name) {
    char path[160];
    path_in(name, path);
    assert_true(mkdir(path, 0777) == 0 || access(path, F_OK) == 0);
}

static void link_in(const char* target, const char* name) {
    char path[160];
    path_in(name, path);
    (void)unlink(path);
    assert_int_equal(symlink(target, path), 0);
}

static void write_image(const char* name, const char* image) {
    char text[400];
    snprintf(text, sizeof text, "image: %s\nresolution: 0.5\norigin: [-5, 2, 0]\n", image);
    put(name, text);
}

#define SHORT_WAY " --from -2,5,0,0 --to 3,5,0,0"

static void devices_pipes_and_folders_are_no_pictures(void** state) {
    (void)state;
    char path[160];
    write_image("device.yaml", "/dev/zero");
    expect_refusal("--map device.yaml" SHORT_WAY, "--allow-outside");
    expect_refusal("--map device.yaml --allow-outside" SHORT_WAY, "is not a regular file");
    path_in("pipe.pgm", path);
    assert_int_equal(mkfifo(path, 0600), 0);
    write_image("pipe.yaml", "pipe.pgm");
    expect_refusal("--map pipe.yaml" SHORT_WAY, "pipe.pgm: is not a regular file");
    expect_refusal("--map pipe.pgm" SHORT_WAY, "pipe.pgm: is not a regular file");
    make_folder_in("inner");
    write_image("inner.yaml", "inner");
    expect_refusal("--map inner.yaml" SHORT_WAY, "inner: is not a regular file");
    link_in("/dev/zero", "zero.pgm");
    write_image("zero.yaml", "zero.pgm");
    expect_refusal("--map zero.yaml" SHORT_WAY, "--allow-outside");
    put("pipe.csv", "map,x0,y0,deg0,v0,x1,y1,deg1,v1\npipe.pgm,-2,5,0,0,3,5,0,0\n");
    expect_refusal("--scenarios pipe.csv", "pipe.pgm: is not a regular file");
    path_in("pipe.map", path);
    assert_int_equal(mkfifo(path, 0600), 0);
    put("pipe.scen", "version 1\n0\tpipe.map\t9\t9\t1\t1\t2\t2\t1\n");
    expect_refusal("--scenarios pipe.scen", "pipe.map: is not a regular file");
}

// By steps up, from the root, through a link, from a list: only when asked.
static void files_outside_of_the_folder_are_read_only_when_asked(void** state) {
    (void)state;
    char image[200], line[200];
    write_picture_map();
    make_folder_in("inner");
    snprintf(image, sizeof image, "%s/room.pgm", folder);
    const char* const names[] = {"../room.pgm", image, "../inner/../room.pgm", "linked.pgm"};
    link_in("../room.pgm", "inner/linked.pgm");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        write_image("inner/map.yaml", names[i]);
        expect_refusal("--map inner/map.yaml" SHORT_WAY, "outside of the folder");
        expect_in("error", "kerb: inner/map.yaml: image: ");
        cJSON_Delete(report("--map inner/map.yaml --allow-outside" SHORT_WAY));
    }
    // From the root or by detours, but to the folder itself.
    snprintf(line, sizeof line, "%s/inner/../room.pgm", folder);
    write_image("detour.yaml", line);
    cJSON_Delete(report("--map detour.yaml" SHORT_WAY));
    write_image("detour.yaml", "inner/../room.pgm");
    cJSON_Delete(report("--map detour.yaml" SHORT_WAY));
    put("inner/list.csv", "map,x0,y0,deg0,v0,x1,y1,deg1,v1\n../room.yaml,-2,5,0,0,3,5,0,0\n");
    expect_refusal("--scenarios inner/list.csv", "inner/list.csv: map: inner/../room.yaml lies");
    cJSON_Delete(report("--scenarios inner/list.csv --allow-outside"));
    // The list may name the map, but the map not its picture.
    write_image("inner/map.yaml", "../room.pgm");
    put("list.csv", "map,x0,y0,deg0,v0,x1,y1,deg1,v1\ninner/map.yaml,-2,5,0,0,3,5,0,0\n");
    expect_refusal("--scenarios list.csv", "inner/map.yaml: image: ");
    // Installed by links: the map's own folder counts as well.
    write_image("map.yaml", "room.pgm");
    link_in("../map.yaml", "inner/map.yaml");
    link_in("../room.pgm", "inner/room.pgm");
    cJSON_Delete(report("--map inner/map.yaml" SHORT_WAY));
}

static void what_is_not_there_is_looked_for_beside_the_file(void** state) {
    (void)state;
    write_picture_map();
    write_image("moved.yaml", "/home/nobody/maps/room.pgm");
    assert_int_equal(run("--map moved.yaml --quiet" SHORT_WAY), 0);
    char* message = contents("error");
    assert_string_equal(message, "kerb: note: moved.yaml: image: \"/home/nobody/maps/room.pgm\" is "
                                 "not there, took \"room.pgm\" beside the file\n");
    free(message);
    put("small.map",
        "type octile\nheight 4\nwidth 8\nmap\n........\n........\n........\n........\n");
    put("folders.scen", "version 1\n0\tmaps/my dao/small.map\t8\t4\t1\t1\t5\t1\t4\n"
                        "0\tmaps\\dao\\small.map\t8\t4\t5\t2\t1\t2\t4\n");
    assert_int_equal(run("--scenarios folders.scen --quiet"), 0);
    expect_in("error", "took \"small.map\" beside the file\n");
    put("none.scen", "version 1\n0\tmaps/none.map\t8\t4\t1\t1\t5\t1\t4\n");
    expect_refusal("--scenarios none.scen", "neither maps/none.map nor none.map is there");
    put("old.scen", "0 small.map 1 1 5 1 4\n");
    assert_int_equal(run("--scenarios old.scen --quiet"), 0);
    expect_in("error", "assumed a list of MovingAI without its first line");
}

// A file may go on for a terabyte behind its picture, and a head may ask for more than there is.
static void no_more_is_read_than_the_map_takes(void** state) {
    (void)state;
    char path[160];
    write_picture_map();
    path_in("room.pgm", path);
    if (truncate(path, (off_t)1 << 40) == 0) {
        cJSON_Delete(report("--map room.yaml" SHORT_WAY));
        put("room.pgm", "P5 # of nothing");
        assert_int_equal(truncate(path, (off_t)1 << 40), 0);
        expect_refusal("--map room.yaml" SHORT_WAY, "room.pgm:1: width");
        put("room.yaml", "image: room.pgm\n# ");
        path_in("room.yaml", path);
        assert_int_equal(truncate(path, (off_t)1 << 40), 0);
        expect_refusal("--map room.yaml" SHORT_WAY, "longer than 1 MiB");
        put("huge.map", "type octile\nheight 4\nwidth 4\nmap\n");
        path_in("huge.map", path);
        assert_int_equal(truncate(path, (off_t)1 << 40), 0);
        put("huge.scen", "version 1\n0\thuge.map\t4\t4\t1\t1\t2\t1\t4\n");
        expect_refusal("--scenarios huge.scen", "huge.map:5: map");
    } else
        print_message("skipped: no file of a terabyte here\n");
    expect_refusal("--map /dev/zero" SHORT_WAY, "/dev/zero:1: type");
    write_picture_map();
    put("room.pgm", "P5 32768 32768 65535\nabc");
    expect_refusal("--map room.yaml" SHORT_WAY, "pixels: end before");
    put("room.pgm", "GIF89a of long ago");
    expect_refusal("--map room.yaml" SHORT_WAY, "neither a PGM nor a PNG");
    char png[32] = "\x89PNG\r\n\x1a\n....IHDR";
    memcpy(png + 16, "\x7F\xFF\xFF\xFF\0\0\0\1", 8);
    FILE* file = create("room.pgm");
    assert_int_equal(fwrite(png, 1, sizeof png, file), sizeof png);
    fclose(file);
    expect_refusal("--map room.yaml" SHORT_WAY, "32768 by 32768");
}

static void yaml_is_not_read_here(void** state) {
    (void)state;
    write_picture_map();
    expect_refusal("--map room.yaml" SHORT_WAY, "kerb: room.yaml: yaml: this build reads no YAML");
    print_message("skipped: maps of map_server: this build was made without libyaml\n");
    skip();
}

int command_maps_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_with_a_yaml_beside_it_is_a_map),
        cmocka_unit_test(triangles_become_ground_whose_levels_are_told_apart),
        cmocka_unit_test(broken_pictures_are_refused_in_one_line),
        cmocka_unit_test(a_turned_room_is_driven_through_in_the_world_s_coordinates),
        cmocka_unit_test(page_csv_drive_and_list_know_turned_maps),
        cmocka_unit_test(movers_come_along_on_a_turned_map),
        cmocka_unit_test(grey_ground_costs_in_mode_scale),
        cmocka_unit_test(what_was_assumed_is_one_line_on_standard_error),
        cmocka_unit_test(devices_pipes_and_folders_are_no_pictures),
        cmocka_unit_test(files_outside_of_the_folder_are_read_only_when_asked),
        cmocka_unit_test(what_is_not_there_is_looked_for_beside_the_file),
        cmocka_unit_test(no_more_is_read_than_the_map_takes),
    };
    const struct CMUnitTest without[] = {cmocka_unit_test(yaml_is_not_read_here)};
    if (!kerb_io_map_info_available())
        return cmocka_run_group_tests_name("command maps", without, make_folder, remove_folder);
    return cmocka_run_group_tests_name("command maps", tests, make_folder, remove_folder);
}

#else
#include "test/tool/command_missing.h"

int command_maps_tests(void) {
    return command_missing_tests();
}
#endif
