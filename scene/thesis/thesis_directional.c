// Purpose: figure 5.3 of the AIPATH thesis: its search beside the directional one.
// Idea:    both get the same grid, turning radius and ends; ours at one speed, without a lateral
//          limit, so that both look for the shortest path. The headings of both ends are of the
//          directional search's eight.
// Source:  AIPATH 5.2.
#include "scene/thesis/directional.h"
#include "scene/thesis/thesis_ink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIRECTIONAL_COLUMNS = 48, DIRECTIONAL_ROWS = 30 };
#define DIRECTIONAL_CELL 1.2f
#define DIRECTIONAL_RADIUS 2.8f // 2.33 cells

static const struct directional_block {
    int32_t x, y, wide, high;
} directional_blocks[] = {{10, 0, 3, 14}, {20, 14, 3, 16}, {31, 0, 3, 12}, {31, 18, 3, 12}};

static void fill_blocks(uint8_t* cells) {
    for (size_t b = 0; b < sizeof directional_blocks / sizeof directional_blocks[0]; b++) {
        const struct directional_block* block = &directional_blocks[b];
        for (int32_t i = 0; i < block->wide * block->high; i++)
            cells[(block->y + i / block->wide) * DIRECTIONAL_COLUMNS + block->x + i % block->wide] =
                255;
    }
}

static void draw_blocks(thesis_figure* figure, thesis_panel* panel) {
    thesis_series* walls =
        kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_DASHED, "blocked", 7);
    const double cell = (double)DIRECTIONAL_CELL;
    for (size_t b = 0; b < sizeof directional_blocks / sizeof directional_blocks[0]; b++) {
        const struct directional_block* block = &directional_blocks[b];
        for (int32_t i = 0; i < 5; i++) {
            bool right = i == 1 || i == 2, top = i == 2 || i == 3;
            kerb_scene_thesis_point(figure, walls, cell * (block->x + (right ? block->wide : 0)),
                                    cell * (block->y + (top ? block->high : 0)));
        }
        kerb_scene_thesis_gap(figure, walls);
    }
}

static void draw_answer(thesis_figure* figure, thesis_panel* panel, const kerb_directional_map* map,
                        int32_t neighbours, int32_t color, kerb_directional_place from,
                        kerb_directional_place to) {
    kerb_directional_answer answer = kerb_directional_find(map, neighbours, from, to);
    thesis_series* line = kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_LINE, "", color);
    snprintf(line->label, sizeof line->label, "%d neighbours: %.1f m, %d exp.", (int)neighbours,
             (double)answer.length, (int)answer.expansions);
    for (int32_t i = 0; i + 1 < answer.count; i++) {
        kerb_vec2 positions[200];
        int32_t count =
            kerb_directional_trace(map, answer.places[i], answer.places[i + 1], positions, 200);
        for (int32_t k = 0; k < count; k++)
            kerb_scene_thesis_point(figure, line, (double)positions[k].x, (double)positions[k].y);
    }
    figure->out_of_memory |= answer.out_of_memory;
    free(answer.places);
}

static kerb_plan_end end_at(kerb_directional_place at) {
    return kerb_plan_end_make(((float)at.column + 0.5f) * DIRECTIONAL_CELL,
                              ((float)at.row + 0.5f) * DIRECTIONAL_CELL,
                              (float)at.heading * 0.25f * KERB_PI, 10.0f);
}

void kerb_scene_thesis_draw_directional(int32_t detail, thesis_figure* figure) {
    uint8_t cells[DIRECTIONAL_COLUMNS * DIRECTIONAL_ROWS] = {0};
    fill_blocks(cells);
    const kerb_directional_map map = {DIRECTIONAL_COLUMNS, DIRECTIONAL_ROWS, DIRECTIONAL_CELL,
                                      cells, DIRECTIONAL_RADIUS};
    const kerb_directional_place from = {3, 4, 0}, to = {44, 20, 1};
    thesis_panel* panel = kerb_scene_thesis_panel_add(figure, "", "x [m]", "y [m]");
    draw_answer(figure, panel, &map, 8, 1, from, to);
    if (detail >= 20) {
        draw_answer(figure, panel, &map, 24, 2, from, to);
        draw_answer(figure, panel, &map, 48, 3, from, to);
    }
    kerb_plan_limits limits = kerb_scene_thesis_as_a_point(kerb_plan_limits_default());
    limits.turning_radius = DIRECTIONAL_RADIUS;
    limits.speed_max = 10.0f;
    limits.lateral_acceleration = 1000.0f;
    kerb_plan_search_settings settings = kerb_plan_search_settings_default();
    settings.cell = settings.step_length = DIRECTIONAL_CELL;
    settings.expansions = detail < 20 ? 2000 : 20000;
    settings.nodes = 8 * settings.expansions;
    const kerb_plan_end start = end_at(from), goal = end_at(to);
    const kerb_plan_query query = {&start, &goal, 1, 1};
    const kerb_plan_world world = {
        .cells = cells,
        .columns = DIRECTIONAL_COLUMNS,
        .rows = DIRECTIONAL_ROWS,
        .cell_size = DIRECTIONAL_CELL,
        .box_max = {DIRECTIONAL_COLUMNS * DIRECTIONAL_CELL, DIRECTIONAL_ROWS * DIRECTIONAL_CELL}};
    thesis_series* line = kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_LINE, "", 0);
    kerb_scene_thesis_result ours =
        kerb_scene_thesis_search(figure, line, &limits, &settings, &query, &world);
    snprintf(line->label, sizeof line->label, "ours: %.1f m, %d exp.", (double)ours.length,
             (int)ours.expansions);
    draw_blocks(figure, panel);
    kerb_scene_thesis_fit(panel, true);
}
