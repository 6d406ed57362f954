// The page: a head, a grid of cards with one trial each, a foot with the legend and the colours.
// All sizes are in points, y down; a PNG has two pixels per point. The same drawing code makes both
// formats, so that they look the same.
#include "tool/picture/picture.h"

#ifdef KERB_HAVE_CAIRO

#include "tool/picture/picture_file.h"
#include "tool/picture/picture_key.h"
#include "tool/report/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PICTURE_MARGIN 30.0
#define PICTURE_GAP 16.0
#define PICTURE_PADDING 20.0
#define PICTURE_HEAD 62.0
#define PICTURE_FOOT 66.0
#define CARD_HEAD 44.0
#define CARD_FOOT 30.0
#define COLUMNS_MAX 4

// --------------------------------------------------------------------------- layout

typedef struct layout {
    const tool_recording* recordings;
    int32_t count;
    int32_t columns, rows;
    double card_width;
    double width, height;
    double speed_full;          // of the last colour [m/s]
    double* row_heights;        // of the cards
    bool stops, stuck, touches; // there are such marks
    key_grips grips;
} layout;

// Trials that share course and vehicle differ in the follower: they stand side by side.
static int32_t followers_side_by_side(const tool_recording* recordings, int32_t count) {
    int32_t side = 1;
    while (side < count && recordings[side].course == recordings[0].course &&
           strcmp(recordings[side].vehicle_name, recordings[0].vehicle_name) == 0)
        side++;
    return side;
}

static int32_t columns_for(const tool_recording* recordings, int32_t count) {
    int32_t side = followers_side_by_side(recordings, count);
    if (side > 1 && side <= COLUMNS_MAX)
        return side;
    int32_t columns = 1;
    while (columns * columns < count && columns < COLUMNS_MAX)
        columns++;
    return columns;
}

static double card_width_for(int32_t columns) {
    static const double widths[] = {1080.0, 620.0, 500.0, 440.0};
    return widths[columns - 1];
}

static double picture_card_height(const tool_recording* recording, double card_width, bool alone) {
    map_extent extent = map_extent_of(recording);
    double width = card_width - 2.0 * PICTURE_PADDING;
    double aspect = (extent.north - extent.south) / fmax(extent.east - extent.west, 1.0);
    double map = fmin(fmax(width * aspect, 110.0), width * (alone ? 0.72 : 0.8));
    return CARD_HEAD + map + CARD_FOOT + 2.0 * PICTURE_PADDING;
}

static double picture_fastest(const tool_recording* recordings, int32_t count) {
    double fastest = 0.0;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t k = 0; k < recordings[i].count; k++) {
            double speed = fabs((double)kerb_motion_forward_speed(&recordings[i].frames[k].motion));
            fastest = speed > fastest ? speed : fastest;
        }
    }
    return fastest;
}

static bool any_stop(const tool_recording* recording) {
    for (int32_t i = 0; i < recording->course->count; i++) {
        if (recording->course->waypoints[i].stop > 0.0f)
            return true;
    }
    return false;
}

// A round number at or a little below the fastest, so that the colours are used to their end.
static double full_speed(double speed) {
    double step = ink_round_number(fmax(speed, 0.1) / 4.0);
    return fmax(ceil(speed / step - 0.12), 1.0) * step;
}

// Memory only for the row heights.
static bool layout_make(layout* l, const tool_recording* recordings, int32_t count) {
    memset(l, 0, sizeof *l);
    l->recordings = recordings;
    l->count = count;
    l->columns = columns_for(recordings, count);
    l->rows = (count + l->columns - 1) / l->columns;
    l->card_width = card_width_for(l->columns);
    l->row_heights = calloc((size_t)l->rows, sizeof(double));
    if (!l->row_heights)
        return false;
    l->width = 2.0 * PICTURE_MARGIN + l->columns * l->card_width + (l->columns - 1) * PICTURE_GAP;
    l->height =
        (count > 1 ? PICTURE_HEAD : PICTURE_MARGIN) + PICTURE_FOOT + (l->rows - 1) * PICTURE_GAP;
    for (int32_t i = 0; i < count; i++) {
        double* row = &l->row_heights[i / l->columns];
        *row = fmax(*row, picture_card_height(&recordings[i], l->card_width, count == 1));
        l->stops = l->stops || any_stop(&recordings[i]);
        l->stuck = l->stuck || recordings[i].result.stuck_events > 0;
        key_add_grips(&l->grips, &recordings[i].course->world);
        l->touches = l->touches || recordings[i].result.contacts > 0;
    }
    for (int32_t row = 0; row < l->rows; row++)
        l->height += l->row_heights[row];
    l->speed_full = full_speed(picture_fastest(recordings, count));
    return true;
}

// --------------------------------------------------------------------------- cards

#define DOT "  \xc2\xb7  "

// Who drives what, and what the course is where there is room to say it.
static void draw_driver(cairo_t* cr, const tool_recording* r, double x, double y, double width,
                        const ink_style* style) {
    char text[320];
    snprintf(text, sizeof text, "%s drives %s" DOT "%s", r->follower_name, r->vehicle_name,
             r->course->about);
    if (r->course->about[0] == '\0' || ink_text_width(cr, text, style) > width)
        snprintf(text, sizeof text, "%s drives %s", r->follower_name, r->vehicle_name);
    ink_text_within(cr, x, y, width, text, style);
}

static void describe_result(const tool_recording* r, char* text, size_t size) {
    const kerb_scene_result* result = &r->result;
    snprintf(text, size,
             "%s%.1f s" DOT "%.1f m/s" DOT "error mean %.2f m, greatest %.2f m" DOT
             "%.0f %% inside",
             result->finished ? "" : "not finished" DOT, result->time, result->speed_mean,
             result->cte_mean, result->cte_max, result->inside_percent);
}

static void draw_card_head(cairo_t* cr, const tool_recording* r, double x, double y, double width) {
    ink_style title = {16.0, true, INK_TEXT, INK_LEFT};
    ink_style faint = {11.5, false, INK_TEXT_FAINT, INK_LEFT};
    char text[320];
    double used = fmin(ink_text_width(cr, r->course->name, &title), width);
    ink_text_within(cr, x, y + 14.0, width, r->course->name, &title);
    if (width - used > 60.0)
        draw_driver(cr, r, x + used + 12.0, y + 14.0, width - used - 12.0, &faint);
    describe_result(r, text, sizeof text);
    if (!r->result.finished)
        faint.color = INK_WARNING;
    ink_text_within(cr, x, y + 34.0, width, text, &faint);
}

static void draw_card(cairo_t* cr, const layout* l, const tool_recording* r, ink_box card) {
    ink_round_box(cr, card, 10.0);
    ink_color(cr, INK_CARD, 1.0);
    cairo_fill_preserve(cr);
    cairo_set_line_width(cr, 1.0);
    ink_color(cr, INK_CARD_EDGE, 1.0);
    cairo_stroke(cr);
    double width = card.width - 2.0 * PICTURE_PADDING;
    draw_card_head(cr, r, card.x + PICTURE_PADDING, card.y + PICTURE_PADDING, width);
    ink_box map = {card.x + PICTURE_PADDING, card.y + PICTURE_PADDING + CARD_HEAD, width,
                   card.height - 2.0 * PICTURE_PADDING - CARD_HEAD - CARD_FOOT};
    map_view view = map_view_make(map_extent_of(r), map);
    map_draw(cr, &view, r, l->speed_full);
    key_draw_scale_bar(cr, card.x + PICTURE_PADDING, card.y + card.height - PICTURE_PADDING, &view,
                       130.0);
}

static void draw_cards(cairo_t* cr, const layout* l, double y) {
    for (int32_t i = 0; i < l->count; i++) {
        int32_t row = i / l->columns, column = i % l->columns;
        ink_box card = {PICTURE_MARGIN + column * (l->card_width + PICTURE_GAP), y, l->card_width,
                        l->row_heights[row]};
        draw_card(cr, l, &l->recordings[i], card);
        if (column == l->columns - 1)
            y += l->row_heights[row] + PICTURE_GAP;
    }
}

// --------------------------------------------------------------------------- head and foot

static void picture_draw_head(cairo_t* cr, const layout* l) {
    tool_selection any = {0};
    tool_summary sum = tool_summarise(l->recordings, l->count, &any);
    char text[200];
    snprintf(text, sizeof text, "%d of %d trials finished", (int)sum.finished, (int)sum.trials);
    ink_style title = {21.0, true, INK_TEXT, INK_LEFT};
    double width = ink_text(cr, PICTURE_MARGIN + 2.0, 44.0, text, &title);
    snprintf(text, sizeof text, "%d stuck events" DOT "error mean %.2f m" DOT "%.1f m/s",
             (int)sum.stuck_events, sum.cte_mean, sum.speed_mean);
    ink_style faint = {12.5, false, INK_TEXT_FAINT, INK_LEFT};
    ink_text_within(cr, PICTURE_MARGIN + width + 18.0, 44.0,
                    l->width - 2.0 * PICTURE_MARGIN - width - 18.0, text, &faint);
}

static void picture_draw_key(cairo_t* cr, const layout* l, double y) {
    double x = PICTURE_MARGIN + 2.0;
    x = key_draw_mark(cr, x, y, map_mark_start, "start");
    x = key_draw_mark(cr, x, y, map_mark_end, "end");
    if (l->stops)
        x = key_draw_mark(cr, x, y, map_mark_stop, "stop");
    if (l->stuck)
        x = key_draw_mark(cr, x, y, map_mark_stuck, "stuck");
    if (l->touches)
        x = key_draw_mark(cr, x, y, map_mark_touch, "touch");
    x = key_draw_corridor(cr, x, y);
    key_draw_grips(cr, x, y, &l->grips);
}

static void draw_color_ticks(cairo_t* cr, const layout* l, ink_box bar) {
    double step = ink_round_number(l->speed_full / 4.0);
    ink_style style = {10.5, false, INK_TEXT_FAINT, INK_CENTRED};
    for (int32_t i = 0; i * step <= l->speed_full * 1.0001; i++) {
        char text[32];
        double x = bar.x + bar.width * i * step / l->speed_full;
        snprintf(text, sizeof text, "%.3g", i * step);
        ink_text(cr, x, bar.y + bar.height + 14.0, text, &style);
    }
}

static void draw_color_bar(cairo_t* cr, const layout* l, double right, double y) {
    double width = fmin(300.0, l->width * 0.35);
    ink_box bar = {right - width - 8.0, y - 7.0, width, 10.0};
    key_draw_speeds(cr, bar);
    draw_color_ticks(cr, l, bar);
    ink_style style = {10.5, false, INK_TEXT_FAINT, INK_RIGHT};
    ink_text(cr, bar.x - 12.0, y + 2.0, "speed, m/s", &style);
}

static void picture_draw_page(cairo_t* cr, const layout* l) {
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
    ink_color(cr, INK_PAGE, 1.0);
    cairo_paint(cr);
    if (l->count > 1)
        picture_draw_head(cr, l);
    draw_cards(cr, l, l->count > 1 ? PICTURE_HEAD : PICTURE_MARGIN);
    double y = l->height - PICTURE_FOOT + 30.0;
    picture_draw_key(cr, l, y);
    draw_color_bar(cr, l, l->width - PICTURE_MARGIN, y);
}

// --------------------------------------------------------------------------- files

static void draw_layout(cairo_t* cr, const void* context) {
    picture_draw_page(cr, context);
}

static tool_status write_picture(const char* path, const tool_recording* recordings, int32_t count,
                                 picture_format format) {
    layout l;
    if (!layout_make(&l, recordings, count))
        return tool_complain("%s: no memory for the picture", path);
    const picture_page page = {l.width, l.height, draw_layout, &l};
    tool_status status = picture_file_write(path, format, &page);
    free(l.row_heights);
    return status;
}

bool tool_picture_available(void) {
    return true;
}

tool_status tool_picture_write_svg(const char* path, const tool_recording* recordings,
                                   int32_t count) {
    return write_picture(path, recordings, count, PICTURE_SVG);
}

tool_status tool_picture_write_png(const char* path, const tool_recording* recordings,
                                   int32_t count) {
    return write_picture(path, recordings, count, PICTURE_PNG);
}

#else

bool tool_picture_available(void) {
    return false;
}

static tool_status no_cairo(const char* path) {
    return tool_complain("%s: this kerb was built without cairo, which draws the pictures", path);
}

tool_status tool_picture_write_svg(const char* path, const tool_recording* recordings,
                                   int32_t count) {
    (void)recordings;
    (void)count;
    return no_cairo(path);
}

tool_status tool_picture_write_png(const char* path, const tool_recording* recordings,
                                   int32_t count) {
    (void)recordings;
    (void)count;
    return no_cairo(path);
}

#endif
