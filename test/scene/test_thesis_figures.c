// The figures of the AIPATH thesis: each is drawn, and shows what its caption says where that can
// be computed otherwise. Beside it the directional search, against straight lines and turns.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kerb/curve.h"
#include "scene/thesis/directional.h"
#include "scene/thesis/thesis_figure.h"
#include "test/seed.h"

#define THESIS_GOALS 3
#define THESIS_EXPANSIONS 300

static kerb_scene_thesis few_results(void) {
    kerb_scene_thesis thesis;
    assert_true(kerb_scene_thesis_make(&thesis, THESIS_GOALS, THESIS_EXPANSIONS, 5));
    for (int32_t i = 0; i < thesis.job_count; i++)
        kerb_scene_thesis_run(&thesis, i);
    return thesis;
}

// For figures that need none.
static kerb_scene_thesis no_results(void) {
    kerb_scene_thesis thesis;
    assert_true(kerb_scene_thesis_make(&thesis, 1, THESIS_EXPANSIONS, 5));
    return thesis;
}

static kerb_scene_thesis_figure figure_named(const kerb_scene_thesis* thesis, const char* name) {
    kerb_scene_thesis_figure figure = {0};
    for (int32_t i = 0; i < KERB_SCENE_THESIS_FIGURES; i++)
        if (strcmp(kerb_scene_thesis_figure_words(i).name, name) == 0)
            assert_true(kerb_scene_thesis_draw(thesis, i, KERB_SCENE_THESIS_COARSE, &figure));
    assert_non_null(figure.name);
    return figure;
}

static void expect_panel(const kerb_scene_thesis_panel* panel) {
    assert_non_null(panel->x_label);
    assert_non_null(panel->y_label);
    assert_true(panel->x1 > panel->x0 && panel->y1 > panel->y0);
    assert_true(panel->heat || panel->count > 0);
    for (int32_t i = 0; i < panel->count; i++)
        for (int32_t k = 0; k < panel->series[i].count; k++)
            assert_false(isinf(panel->series[i].x[k]) || isinf(panel->series[i].y[k]));
}

static void every_figure_has_words_and_something_to_see(void** state) {
    (void)state;
    kerb_scene_thesis thesis = few_results();
    for (int32_t i = 0; i < KERB_SCENE_THESIS_FIGURES; i++) {
        kerb_scene_thesis_figure figure;
        assert_true(kerb_scene_thesis_draw(&thesis, i, KERB_SCENE_THESIS_COARSE, &figure));
        assert_true(strlen(figure.title) > 8 && strlen(figure.claim) > 8);
        assert_true(strlen(figure.ours) > 8);
        for (int32_t k = 0; k < i; k++)
            assert_string_not_equal(figure.name, kerb_scene_thesis_figure_words(k).name);
        assert_true(figure.count > 0 || strcmp(figure.name, "5.7") == 0);
        for (int32_t k = 0; k < figure.count; k++)
            expect_panel(&figure.panels[k]);
        kerb_scene_thesis_figure_free(&figure);
    }
    kerb_scene_thesis_free(&thesis);
}

static float heat_at(const kerb_scene_thesis_figure* figure, int32_t column, int32_t row) {
    return figure->panels[0].heat[row * figure->panels[0].columns + column];
}

// To 1 m/s with 1 m/s² each way: impossible where |v² - 1| / 2 is more than the distance.
static void white_regions_are_where_no_speed_profile_exists(void** state) {
    (void)state;
    kerb_scene_thesis thesis = no_results();
    kerb_scene_thesis_figure none = figure_named(&thesis, "A.2");
    kerb_scene_thesis_figure line = figure_named(&thesis, "A.3");
    kerb_scene_thesis_figure circle = figure_named(&thesis, "A.4");
    kerb_scene_thesis_figure both = figure_named(&thesis, "A.5");
    const int32_t side = KERB_SCENE_THESIS_COARSE;
    for (int32_t i = 0; i < side * side; i++) {
        double distance = 10.0 * (i % side + 0.5) / side, speed = 4.0 * (i / side + 0.5) / side;
        bool impossible = fabs(speed * speed - 1.0) / 2.0 > distance;
        float a = heat_at(&none, i % side, i / side), b = heat_at(&line, i % side, i / side);
        float c = heat_at(&circle, i % side, i / side), d = heat_at(&both, i % side, i / side);
        assert_true(isnan(a) == impossible);
        assert_true(isfinite(b) && isfinite(c) && isfinite(d));
        assert_true(d <= fminf(b, c) * 1.0001f);
        if (!impossible) // full acceleration and braking, then nothing is to be gained by backing
                         // up
            assert_true(fabsf(a - d) < 1e-3f * a);
    }
    kerb_scene_thesis_figure_free(&none);
    kerb_scene_thesis_figure_free(&line);
    kerb_scene_thesis_figure_free(&circle);
    kerb_scene_thesis_figure_free(&both);
    kerb_scene_thesis_free(&thesis);
}

static void straight_ahead_the_estimate_is_the_straight_line(void** state) {
    (void)state;
    kerb_scene_thesis thesis = no_results();
    kerb_scene_thesis_figure figure = figure_named(&thesis, "4.2");
    const int32_t side = KERB_SCENE_THESIS_COARSE;
    for (int32_t i = 0; i < side * side; i++) {
        float turned = figure.panels[0].heat[i], straight = figure.panels[1].heat[i];
        assert_true(turned >= straight * 0.9999f);
        if (i % side == side / 2 && i / side == side - 1) // nearly ahead, and far
            assert_true(turned < straight * 1.05f);
    }
    kerb_scene_thesis_figure_free(&figure);
    kerb_scene_thesis_free(&thesis);
}

static void bars_count_every_value_once(void** state) {
    (void)state;
    static const double values[] = {-3.0, 0.0, 0.5, 1.0, 1.5, 9.0, 99.0};
    static const float counts[] = {3.0f, 2.0f, 0.0f, 0.0f, 2.0f};
    kerb_scene_thesis_figure figure = {0};
    kerb_scene_thesis_histogram(&figure, values, 7, 0.0, 5.0, 5, "value");
    for (int32_t i = 0; i < 5; i++)
        assert_true(figure.panels[0].series[0].y[i] == counts[i]);
    kerb_scene_thesis_figure_free(&figure);
}

// --------------------------------------------------------------------------- the directional
// search

static void a_straight_line_is_found_as_such(void** state) {
    (void)state;
    const kerb_directional_map map = {20, 10, 1.5f, NULL, 3.0f};
    static const int32_t neighbours[] = {8, 24, 48};
    for (int32_t i = 0; i < 3; i++) {
        kerb_directional_answer answer =
            kerb_directional_find(&map, neighbours[i], (kerb_directional_place){2, 5, 0},
                                  (kerb_directional_place){17, 5, 0});
        assert_true(answer.found);
        assert_true(fabsf(answer.length - 15.0f * 1.5f) < 1e-3f);
        free(answer.places);
    }
}

// More neighbours have all moves of fewer, and none goes below the shortest turns on open ground.
static void more_neighbours_are_no_longer_and_none_beats_the_shortest_turns(void** state) {
    (void)state;
    kerb_random random = test_random("more_neighbours");
    const kerb_directional_map map = {14, 14, 2.0f, NULL, 4.0f};
    for (int32_t i = 0; i < 6; i++) {
        kerb_directional_place ends[2];
        for (int32_t k = 0; k < 2; k++) {
            ends[k].column = 3 + (int32_t)kerb_random_between(&random, 0.0f, 7.99f);
            ends[k].row = 3 + (int32_t)kerb_random_between(&random, 0.0f, 7.99f);
            ends[k].heading = (int32_t)kerb_random_between(&random, 0.0f, 7.99f);
        }
        float before = KERB_NO_CURVE;
        for (int32_t reach = 1; reach <= 3; reach++) {
            int32_t neighbours = (2 * reach + 1) * (2 * reach + 1) - 1;
            kerb_directional_answer answer =
                kerb_directional_find(&map, neighbours, ends[0], ends[1]);
            if (answer.found) {
                const float turn = KERB_PI / 4.0f, half = 0.5f * map.cell;
                kerb_pose from = kerb_pose_make((float)ends[0].column * map.cell + half,
                                                (float)ends[0].row * map.cell + half,
                                                (float)ends[0].heading * turn);
                kerb_pose to = kerb_pose_make((float)ends[1].column * map.cell + half,
                                              (float)ends[1].row * map.cell + half,
                                              (float)ends[1].heading * turn);
                assert_true(answer.length >= kerb_dubins_length(from, to, map.radius) * 0.9999f);
                assert_true(answer.length <= before * 1.0001f);
                before = answer.length;
            }
            free(answer.places);
        }
    }
}

enum { SMALL = 6, SMALL_STATES = SMALL * SMALL * 8 };

static kerb_directional_place small_place(int32_t state) {
    return (kerb_directional_place){state / 8 % SMALL, state / 8 / SMALL, state % 8};
}

static bool stays_inside(const kerb_directional_map* map, kerb_directional_place from,
                         kerb_directional_place to) {
    kerb_vec2 positions[200];
    int32_t count = kerb_directional_trace(map, from, to, positions, 200);
    float side = SMALL * map->cell;
    for (int32_t i = 0; i < count; i++)
        if (positions[i].x < 0.0f || positions[i].y < 0.0f || positions[i].x > side ||
            positions[i].y > side)
            return false;
    return true;
}

static float move_length(const kerb_directional_map* map, kerb_directional_place from,
                         kerb_directional_place to) {
    const float turn = KERB_PI / 4.0f;
    kerb_pose a = kerb_pose_make((float)from.column * map->cell, (float)from.row * map->cell,
                                 (float)from.heading * turn);
    kerb_pose b = kerb_pose_make((float)to.column * map->cell, (float)to.row * map->cell,
                                 (float)to.heading * turn);
    return kerb_dubins_length_csc(a, b, map->radius);
}

// Every state is relaxed until nothing changes.
static void no_way_that_it_may_drive_is_shorter(void** state) {
    (void)state;
    const kerb_directional_map map = {SMALL, SMALL, 2.0f, NULL, 1.8f};
    static float least[SMALL_STATES];
    for (int32_t i = 0; i < SMALL_STATES; i++)
        least[i] = KERB_NO_CURVE;
    const int32_t start = (2 * SMALL + 1) * 8;
    least[start] = 0.0f;
    bool changed = true;
    while (changed) {
        changed = false;
        for (int32_t i = 0; i < SMALL_STATES; i++)
            for (int32_t k = 0; k < SMALL_STATES && least[i] < KERB_NO_CURVE; k++) {
                kerb_directional_place from = small_place(i), to = small_place(k);
                int32_t dx = abs(from.column - to.column), dy = abs(from.row - to.row);
                if (dx > 2 || dy > 2 || dx + dy == 0)
                    continue;
                float cost = least[i] + move_length(&map, from, to);
                if (cost < least[k] - 1e-4f && stays_inside(&map, from, to)) {
                    least[k] = cost;
                    changed = true;
                }
            }
    }
    for (int32_t i = 0; i < SMALL_STATES; i += 7) {
        kerb_directional_answer answer =
            kerb_directional_find(&map, 24, small_place(start), small_place(i));
        assert_true(answer.found == (least[i] < KERB_NO_CURVE));
        assert_true(!answer.found || fabsf(answer.length - least[i]) < 1e-3f * (1.0f + least[i]));
        free(answer.places);
    }
}

static void a_wall_without_a_gap_has_no_way(void** state) {
    (void)state;
    uint8_t cells[20 * 10] = {0};
    for (int32_t row = 0; row < 10; row++)
        cells[row * 20 + 10] = 255;
    const kerb_directional_map map = {20, 10, 1.5f, cells, 1.5f};
    const kerb_directional_place from = {2, 5, 0}, to = {17, 5, 0};
    kerb_directional_answer answer = kerb_directional_find(&map, 48, from, to);
    assert_false(answer.found || answer.out_of_memory);
    cells[7 * 20 + 10] = cells[8 * 20 + 10] = 0;
    answer = kerb_directional_find(&map, 24, from, to);
    assert_true(answer.found && answer.length > 15.0f * 1.5f);
    for (int32_t i = 0; i + 1 < answer.count; i++) {
        kerb_vec2 positions[100];
        int32_t count =
            kerb_directional_trace(&map, answer.places[i], answer.places[i + 1], positions, 100);
        for (int32_t k = 0; k < count; k++)
            assert_false((int32_t)(positions[k].x / 1.5f) == 10 && positions[k].y < 10.4f);
    }
    free(answer.places);
}

int thesis_figures_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_has_words_and_something_to_see),
        cmocka_unit_test(white_regions_are_where_no_speed_profile_exists),
        cmocka_unit_test(straight_ahead_the_estimate_is_the_straight_line),
        cmocka_unit_test(bars_count_every_value_once),
        cmocka_unit_test(a_straight_line_is_found_as_such),
        cmocka_unit_test(more_neighbours_are_no_longer_and_none_beats_the_shortest_turns),
        cmocka_unit_test(no_way_that_it_may_drive_is_shorter),
        cmocka_unit_test(a_wall_without_a_gap_has_no_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
