// One page: the lap chart with the gaps below it to the left, the track and the sums to the right.
// Each car has a line in its colour, and its number at both ends. Sizes in points, y down.
#include "tool/picture/picture_race.h"

#ifdef KERB_HAVE_CAIRO

#include "tool/picture/picture_file.h"
#include "tool/picture/picture_key.h"
#include "tool/picture/picture_track.h"

#include <math.h>
#include <stdio.h>

#define PICTURE_RACE_WIDTH 1240.0
#define PICTURE_RACE_MARGIN 30.0
#define PICTURE_RACE_HEAD 66.0
#define PICTURE_RACE_GAP 16.0
#define SIDE_WIDTH 330.0
#define GAPS_HEIGHT 250.0
#define SUMS_HEIGHT 250.0
#define PICTURE_RACE_SCALE_ROOM 170.0 // for the bar and its text
#define PICTURE_RACE_PADDING 18.0
#define CHART_HEAD 46.0 // of a card, above its chart
#define CHART_FOOT 16.0
#define LEFT_LABELS 64.0
#define RIGHT_LABELS 128.0
#define CHIP 21.0 // width of a driver's number

static double row_height(const tool_race* r) {
    return fmin(fmax(400.0 / (double)r->race.count, 13.0), 27.0);
}

static double chart_height(const tool_race* r) {
    double rows = row_height(r) * (double)r->race.count;
    return fmax(rows, 150.0) + CHART_HEAD + CHART_FOOT;
}

static bool is_alone(const tool_race* r) {
    return r->race.count == 1;
}

// --------------------------------------------------------------------------- the lap chart

// What is drawn where: laps across, from the grid at 0.
typedef struct lap_axes {
    const tool_race* race;
    ink_box box;
    int32_t laps; // across
} lap_axes;

static double lap_x(const lap_axes* a, double lap) {
    return a->box.x + a->box.width * lap / (double)a->laps;
}

static double picture_race_place_y(const lap_axes* a, double place) {
    double rows = (double)a->race->race.count;
    return a->box.y + a->box.height * (place - 0.5) / rows;
}

// Laps of the first, or as many as the race has when nobody has done one.
static int32_t laps_across(const tool_race* r) {
    int32_t laps = r->race.cars[r->race.order[0]].laps;
    return laps > 0 ? laps : 1;
}

// By the order in which the cars ended that lap.
static int32_t place_after(const kerb_scene_race* race, int32_t car, int32_t lap) {
    if (lap == 0)
        return race->cars[car].start_place;
    double end = kerb_scene_race_lap_end(race, car, lap - 1);
    int32_t place = 1;
    for (int32_t i = 0; i < race->count; i++)
        if (i != car && race->cars[i].laps >= lap) {
            double other = kerb_scene_race_lap_end(race, i, lap - 1);
            place += other < end || (other == end && i < car);
        }
    return place;
}

static void set_driver_color(cairo_t* cr, const tool_race* r, int32_t car) {
    ink_color(cr, tool_race_color(r, car), 1.0);
}

// From place to place with level ends, so that lines cross between the laps and not on them.
static void trace_places(cairo_t* cr, const lap_axes* a, int32_t car) {
    const kerb_scene_race* race = &a->race->race;
    cairo_move_to(cr, lap_x(a, 0.0), picture_race_place_y(a, (double)place_after(race, car, 0)));
    for (int32_t lap = 1; lap <= race->cars[car].laps; lap++) {
        double from_x, from_y, x = lap_x(a, (double)lap);
        double y = picture_race_place_y(a, (double)place_after(race, car, lap));
        cairo_get_current_point(cr, &from_x, &from_y);
        double bend = 0.45 * (x - from_x);
        cairo_curve_to(cr, from_x + bend, from_y, x - bend, y, x, y);
    }
}

// Who is lapped ends a lap or more before the others: dotted from there to the place in the end.
static void draw_rest(cairo_t* cr, const lap_axes* a, int32_t car) {
    const kerb_scene_race_car* c = &a->race->race.cars[car];
    if (c->laps >= a->laps)
        return;
    const double dots[] = {1.0, 4.0};
    double from = lap_x(a, (double)c->laps), to = lap_x(a, (double)a->laps);
    double y = picture_race_place_y(a, (double)place_after(&a->race->race, car, c->laps));
    double bend = 0.45 * (to - from), end = picture_race_place_y(a, (double)c->place);
    cairo_set_dash(cr, dots, 2, 0.0);
    cairo_move_to(cr, from, y);
    cairo_curve_to(cr, from + bend, y, to - bend, end, to, end);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0.0);
}

static void draw_chip(cairo_t* cr, const tool_race* r, double x, double y, int32_t car) {
    double height = fmin(row_height(r) - 2.0, 16.0);
    const ink_style style = {fmin(10.0, height - 3.0), true, 0xffffffu, INK_CENTRED};
    const ink_box box = {x, y - 0.5 * height, CHIP, height};
    char text[16];
    ink_round_box(cr, box, 4.0);
    set_driver_color(cr, r, car);
    cairo_fill(cr);
    snprintf(text, sizeof text, "%d", (int)car + 1);
    ink_text(cr, x + 0.5 * CHIP, y + 0.36 * style.size, text, &style);
}

static void time_text(double seconds, char* text, size_t size) {
    int32_t minutes = (int32_t)(seconds / 60.0);
    if (minutes > 0)
        snprintf(text, size, "%d:%06.3f", (int)minutes, seconds - 60.0 * (double)minutes);
    else
        snprintf(text, size, "%.3f s", seconds);
}

static void result_text(const tool_race* r, int32_t place, char* text, size_t size) {
    kerb_scene_race_result result = kerb_scene_race_result_at(&r->race, place);
    int32_t behind = kerb_scene_race_result_at(&r->race, 1).laps - result.laps;
    if (!result.finished)
        snprintf(text, size, "not finished");
    else if (place == 1)
        time_text(result.total, text, size);
    else if (behind > 0)
        snprintf(text, size, "+%d %s", (int)behind, behind == 1 ? "lap" : "laps");
    else
        snprintf(text, size, "+%.3f", result.gap);
}

static void draw_labels(cairo_t* cr, const lap_axes* a) {
    const tool_race* r = a->race;
    double size = fmin(11.0, row_height(r) - 3.0);
    const ink_style place = {size, false, INK_TEXT_FAINT, INK_RIGHT};
    const ink_style time = {size, false, INK_TEXT, INK_LEFT};
    for (int32_t car = 0; car < r->race.count; car++) {
        const kerb_scene_race_car* c = &r->race.cars[car];
        char text[48];
        double from = picture_race_place_y(a, (double)c->start_place),
               to = picture_race_place_y(a, (double)c->place);
        snprintf(text, sizeof text, "%d", (int)c->start_place);
        ink_text(cr, a->box.x - 38.0, from + 0.36 * size, text, &place);
        draw_chip(cr, r, a->box.x - 32.0, from, car);
        draw_chip(cr, r, a->box.x + a->box.width + 10.0, to, car);
        result_text(r, c->place, text, sizeof text);
        ink_text(cr, a->box.x + a->box.width + 38.0, to + 0.36 * size, text, &time);
    }
}

// A line for every lap, or for every so many of them, with its number on top.
static void draw_laps(cairo_t* cr, const lap_axes* a, double numbers_y) {
    const ink_style note = {10.0, false, INK_TEXT_FAINT, INK_CENTRED};
    int32_t every = 1;
    while (a->box.width / (double)a->laps * (double)every < 22.0)
        every *= every == 2 || every == 20 ? 5 : 2;
    cairo_set_line_width(cr, 1.0);
    for (int32_t lap = 0; lap <= a->laps; lap++) {
        if (lap % every != 0 && lap != a->laps)
            continue;
        char text[16];
        ink_color(cr, INK_CORRIDOR, 1.0);
        cairo_move_to(cr, lap_x(a, (double)lap), a->box.y);
        cairo_line_to(cr, lap_x(a, (double)lap), a->box.y + a->box.height);
        cairo_stroke(cr);
        snprintf(text, sizeof text, "%d", (int)lap);
        if (lap == 0 || lap % every == 0 || a->laps % every > every / 2)
            ink_text(cr, lap_x(a, (double)lap), numbers_y, lap == 0 ? "grid" : text, &note);
    }
}

static void draw_heading(cairo_t* cr, ink_box card, const char* title, const char* about) {
    const ink_style bold = {13.0, true, INK_TEXT, INK_LEFT};
    const ink_style note = {11.0, false, INK_TEXT_FAINT, INK_LEFT};
    double width = ink_text(cr, card.x + PICTURE_RACE_PADDING, card.y + 24.0, title, &bold);
    ink_text_within(cr, card.x + PICTURE_RACE_PADDING + width + 12.0, card.y + 24.0,
                    card.width - 2.0 * PICTURE_RACE_PADDING - width - 12.0, about, &note);
    cairo_new_path(cr); // text leaves a point behind, from which a line would begin
}

static ink_box picture_race_inside(ink_box card) {
    ink_box box = {card.x + PICTURE_RACE_PADDING + LEFT_LABELS, card.y + CHART_HEAD,
                   card.width - 2.0 * PICTURE_RACE_PADDING - LEFT_LABELS - RIGHT_LABELS,
                   card.height - CHART_HEAD - CHART_FOOT};
    return box;
}

static void draw_places(cairo_t* cr, ink_box card, const tool_race* r) {
    const lap_axes axes = {r, picture_race_inside(card), laps_across(r)};
    picture_card(cr, card);
    draw_heading(cr, card, "Places", "after every lap; from the grid to the finish");
    draw_laps(cr, &axes, axes.box.y - 6.0);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    for (int32_t place = r->race.count; place >= 1; place--) { // the first on top
        int32_t car = r->race.order[place - 1];
        trace_places(cr, &axes, car);
        ink_color(cr, INK_CARD, 1.0); // a rim: who crosses over whom
        cairo_set_line_width(cr, 5.0);
        cairo_stroke(cr);
        trace_places(cr, &axes, car);
        set_driver_color(cr, r, car);
        cairo_set_line_width(cr, row_height(r) < 16.0 ? 1.9 : 2.6);
        cairo_stroke(cr);
        draw_rest(cr, &axes, car);
    }
    draw_labels(cr, &axes);
}

// --------------------------------------------------------------------------- gaps

// Behind who ended that lap first.
static double gap_after(const kerb_scene_race* race, int32_t car, int32_t lap) {
    double first = kerb_scene_race_lap_end(race, car, lap - 1), own = first;
    for (int32_t i = 0; i < race->count; i++)
        if (race->cars[i].laps >= lap)
            first = fmin(first, kerb_scene_race_lap_end(race, i, lap - 1));
    return own - first;
}

static double greatest_gap(const kerb_scene_race* race) {
    double most = 0.0;
    for (int32_t car = 0; car < race->count; car++)
        for (int32_t lap = 1; lap <= race->cars[car].laps; lap++)
            most = fmax(most, gap_after(race, car, lap));
    return fmax(most, 0.5);
}

static void draw_scale_lines(cairo_t* cr, ink_box box, double least, double most,
                             const char* unit) {
    const ink_style note = {10.0, false, INK_TEXT_FAINT, INK_RIGHT};
    double step = ink_round_number((most - least) / 3.0);
    cairo_set_line_width(cr, 1.0);
    int32_t first = (int32_t)ceil(least / step), last = (int32_t)floor(most / step + 1e-9);
    for (int32_t i = first; i <= last; i++) {
        double value = (double)i * step;
        double y = box.y + box.height * (value - least) / (most - least);
        char text[32];
        ink_color(cr, INK_CORRIDOR, 1.0);
        cairo_move_to(cr, box.x, y);
        cairo_line_to(cr, box.x + box.width, y);
        cairo_stroke(cr);
        snprintf(text, sizeof text, "%g %s", value, unit);
        ink_text(cr, box.x - 8.0, y + 3.5, text, &note);
    }
}

static void draw_gaps(cairo_t* cr, ink_box card, const tool_race* r) {
    const kerb_scene_race* race = &r->race;
    const lap_axes axes = {r, picture_race_inside(card), laps_across(r)};
    double most = 1.04 * greatest_gap(race);
    picture_card(cr, card);
    draw_heading(cr, card, "Gap to the leader", "at the end of every lap");
    draw_laps(cr, &axes, axes.box.y - 6.0);
    draw_scale_lines(cr, axes.box, 0.0, most, "s");
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    for (int32_t place = race->count; place >= 1; place--) {
        int32_t car = race->order[place - 1];
        cairo_move_to(cr, lap_x(&axes, 0.0), axes.box.y);
        for (int32_t lap = 1; lap <= race->cars[car].laps; lap++)
            cairo_line_to(cr, lap_x(&axes, (double)lap),
                          axes.box.y + axes.box.height * gap_after(race, car, lap) / most);
        set_driver_color(cr, r, car);
        cairo_set_line_width(cr, 1.8);
        cairo_stroke(cr);
    }
}

// --------------------------------------------------------------------------- alone

static void draw_lap_times(cairo_t* cr, ink_box card, const tool_race* r) {
    const kerb_scene_race* race = &r->race;
    const lap_axes axes = {r, picture_race_inside(card), laps_across(r)};
    double profile = r->profiles[0], most = profile;
    for (int32_t lap = 0; lap < race->cars[0].laps; lap++)
        most = fmax(most, kerb_scene_race_lap_time(race, 0, lap));
    most += 0.1 * (most - profile) + 0.01 * profile;
    const double dashes[] = {5.0, 4.0};
    ink_box box = axes.box;
    picture_card(cr, card);
    draw_heading(cr, card, "Lap times", "lower is faster; dashed: the profile of the line");
    draw_laps(cr, &axes, box.y - 6.0);
    double low = profile - 0.08 * (most - profile), span = most - low;
    const ink_style note = {10.0, false, INK_TEXT_FAINT, INK_LEFT};
    double y = box.y + box.height * (1.0 - (profile - low) / span);
    cairo_set_dash(cr, dashes, 2, 0.0);
    ink_color(cr, INK_CENTRE, 1.0);
    cairo_move_to(cr, box.x, y);
    cairo_line_to(cr, box.x + box.width, y);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0.0);
    char text[48];
    time_text(profile, text, sizeof text);
    ink_text(cr, box.x + box.width + 8.0, y + 3.5, text, &note);
    for (int32_t lap = 1; lap <= race->cars[0].laps; lap++) {
        double time = kerb_scene_race_lap_time(race, 0, lap - 1);
        double x = lap_x(&axes, (double)lap), at = box.y + box.height * (1.0 - (time - low) / span);
        const ink_style number = {11.0, true, INK_TEXT, INK_RIGHT};
        set_driver_color(cr, r, 0);
        cairo_arc(cr, x, at, 5.0, 0.0, 6.2832);
        cairo_fill(cr);
        time_text(time, text, sizeof text);
        if (box.width / (double)axes.laps > 64.0 || time == race->cars[0].best_lap)
            ink_text(cr, x - 9.0, at - 7.0, text, &number);
    }
}

// --------------------------------------------------------------------------- the side

static void draw_contact(cairo_t* cr, const map_view* view, const tool_race_contact* contact) {
    map_spot at = map_place(view, (double)contact->x, (double)contact->y);
    bool hard = contact->closing >= KERB_SCENE_RACE_LIGHT;
    cairo_arc(cr, at.x, at.y, hard ? 4.2 : 3.2, 0.0, 6.2832);
    ink_color(cr, hard ? INK_WARNING : 0xe8a33du, 0.85);
    cairo_fill_preserve(cr);
    ink_color(cr, INK_CARD, 1.0);
    cairo_set_line_width(cr, 0.8);
    cairo_stroke(cr);
}

// Across the track where laps begin, with an arrow in the direction of the race.
static void draw_start(cairo_t* cr, const map_view* view, const kerb_path* track) {
    const kerb_path_point* p = &track->points[0];
    double c = (double)p->direction.x, s = (double)p->direction.y;
    map_spot at = map_place(view, (double)p->position.x, (double)p->position.y);
    double half = fmax(0.5 * (double)(p->left + p->right) * view->scale, 4.0) + 3.0;
    ink_color(cr, INK_TEXT, 1.0);
    cairo_set_line_width(cr, 2.0);
    cairo_move_to(cr, at.x - s * half, at.y - c * half);
    cairo_line_to(cr, at.x + s * half, at.y + c * half);
    cairo_stroke(cr);
    double x = at.x + 9.0 * c, y = at.y - 9.0 * s;
    cairo_move_to(cr, x + 7.0 * c, y - 7.0 * s);
    cairo_line_to(cr, x - 4.0 * s, y - 4.0 * c);
    cairo_line_to(cr, x + 4.0 * s, y + 4.0 * c);
    cairo_close_path(cr);
    cairo_fill(cr);
}

// One below the other.
static void picture_race_draw_key(cairo_t* cr, double x, double y) {
    const ink_style note = {10.0, false, INK_TEXT_FAINT, INK_LEFT};
    static const struct {
        uint32_t color;
        double radius;
        const char* text;
    } keys[2] = {{INK_WARNING, 4.2, "contact"}, {0xe8a33du, 3.2, "light contact"}};
    for (int32_t i = 0; i < 2; i++) {
        ink_color(cr, keys[i].color, 1.0);
        cairo_arc(cr, x + 4.0, y - 3.5, keys[i].radius, 0.0, 6.2832);
        cairo_fill(cr);
        ink_text(cr, x + 12.0, y, keys[i].text, &note);
        y += 15.0;
    }
}

static void picture_race_draw_map(cairo_t* cr, ink_box card, const tool_race* r) {
    picture_card(cr, card);
    char length[48];
    snprintf(length, sizeof length, "%.0f m", r->stage.path.length);
    draw_heading(cr, card, r->track.name, length);
    ink_box box = {card.x + PICTURE_RACE_PADDING, card.y + 40.0,
                   card.width - 2.0 * PICTURE_RACE_PADDING, card.height - 40.0 - 44.0};
    map_view view = map_view_make(picture_track_extent(&r->stage.path), box);
    picture_track_draw(cr, &view, &r->stage.path);
    draw_start(cr, &view, &r->stage.path);
    for (int32_t i = 0; i < r->contact_count; i++)
        draw_contact(cr, &view, &r->contacts[i]);
    if (!is_alone(r))
        picture_race_draw_key(cr, card.x + PICTURE_RACE_PADDING, card.y + card.height - 30.0);
    key_draw_scale_bar(cr, card.x + card.width - PICTURE_RACE_PADDING - PICTURE_RACE_SCALE_ROOM,
                       card.y + card.height - 16.0, &view, PICTURE_RACE_SCALE_ROOM - 50.0);
}

static void draw_sum(cairo_t* cr, ink_box card, int32_t row, const char* name, const char* value) {
    const ink_style label = {11.5, false, INK_TEXT_FAINT, INK_LEFT};
    const ink_style figure = {11.5, true, INK_TEXT, INK_RIGHT};
    double y = card.y + 50.0 + 23.0 * (double)row;
    ink_text(cr, card.x + PICTURE_RACE_PADDING, y, name, &label);
    ink_text(cr, card.x + card.width - PICTURE_RACE_PADDING, y, value, &figure);
}

static void draw_sums(cairo_t* cr, ink_box card, const tool_race* r) {
    const kerb_scene_race* race = &r->race;
    tool_race_sum sum = tool_race_sum_up(r);
    char text[96], time[48];
    int32_t row = 0;
    picture_card(cr, card);
    draw_heading(cr, card, "Totals", "");
    time_text(sum.best_lap, time, sizeof time);
    snprintf(text, sizeof text, "%s", sum.best_lap > 0.0 ? time : "none");
    draw_sum(cr, card, row++, "best lap", text);
    time_text(r->profiles[0], time, sizeof time);
    draw_sum(cr, card, row++, "profile of the line", time);
    if (!is_alone(r)) {
        snprintf(text, sizeof text, "%d, %d clean", (int)race->overtakes,
                 (int)race->overtakes_clean);
        draw_sum(cr, card, row++, "overtakes", text);
        snprintf(text, sizeof text, "%d, %d clean", (int)race->lappings, (int)race->lappings_clean);
        draw_sum(cr, card, row++, "lapped", text);
        snprintf(text, sizeof text, "%d, %d hard", (int)race->contacts->contacts,
                 (int)race->contacts->hard_contacts);
        draw_sum(cr, card, row++, "contacts", text);
    }
    snprintf(text, sizeof text, "%.1f s", sum.off_track_time);
    draw_sum(cr, card, row++, "off the track, all cars", text);
    if (isfinite(sum.skill_correlation)) {
        snprintf(text, sizeof text, "%.3f", sum.skill_correlation);
        draw_sum(cr, card, row++, "rank correlation with skill", text);
    }
    snprintf(text, sizeof text, "%d of %d", (int)sum.finished, (int)race->count);
    draw_sum(cr, card, row++, "finished", text);
}

// --------------------------------------------------------------------------- the page

static void skill_text(const tool_race* r, char* text, size_t size) {
    float least = 1.0f, most = 0.0f;
    for (int32_t i = 0; i < r->race.count; i++) {
        least = kerb_min(least, r->race.cars[i].skill);
        most = kerb_max(most, r->race.cars[i].skill);
    }
    if (least == most)
        snprintf(text, size, "skill %g", (double)least);
    else
        snprintf(text, size, "skill %g (violet) to %g (red)", (double)least, (double)most);
}

static void picture_race_draw_head(cairo_t* cr, const tool_race* r) {
    static const char* const grids[] = {"", ", reverse grid", ", random grid"};
    const ink_style title = {19.0, true, INK_TEXT, INK_LEFT};
    const ink_style note = {12.0, false, INK_TEXT_FAINT, INK_LEFT};
    char text[256], skill[64];
    skill_text(r, skill, sizeof skill);
    snprintf(text, sizeof text, "%s: %d %s, %d %s", r->track.name, (int)r->race.count,
             is_alone(r) ? "car" : "cars", (int)r->laps, r->laps == 1 ? "lap" : "laps");
    ink_text_within(cr, PICTURE_RACE_MARGIN, 29.0, PICTURE_RACE_WIDTH - 2.0 * PICTURE_RACE_MARGIN,
                    text, &title);
    snprintf(text, sizeof text, "%s, %s%s%s, seed %lld", r->wish->vehicle_names, skill,
             is_alone(r) ? "" : grids[r->wish->order],
             r->wish->reverse ? ", reverse direction" : "", (long long)r->wish->seed);
    ink_text_within(cr, PICTURE_RACE_MARGIN, 49.0, PICTURE_RACE_WIDTH - 2.0 * PICTURE_RACE_MARGIN,
                    text, &note);
}

static void picture_race_draw_page(cairo_t* cr, const void* context) {
    const tool_race* r = context;
    double side = PICTURE_RACE_WIDTH - PICTURE_RACE_MARGIN - SIDE_WIDTH,
           width = side - PICTURE_RACE_GAP - PICTURE_RACE_MARGIN;
    double high = chart_height(r);
    const ink_box places = {PICTURE_RACE_MARGIN, PICTURE_RACE_HEAD, width, high};
    const ink_box gaps = {PICTURE_RACE_MARGIN, PICTURE_RACE_HEAD + high + PICTURE_RACE_GAP, width,
                          GAPS_HEIGHT};
    const ink_box map = {side, PICTURE_RACE_HEAD, SIDE_WIDTH,
                         high + PICTURE_RACE_GAP + GAPS_HEIGHT - PICTURE_RACE_GAP - SUMS_HEIGHT};
    const ink_box sums = {side, PICTURE_RACE_HEAD + map.height + PICTURE_RACE_GAP, SIDE_WIDTH,
                          SUMS_HEIGHT};
    ink_color(cr, INK_PAGE, 1.0);
    cairo_paint(cr);
    picture_race_draw_head(cr, r);
    if (is_alone(r)) {
        const ink_box whole = {places.x, places.y, places.width,
                               places.height + PICTURE_RACE_GAP + GAPS_HEIGHT};
        draw_lap_times(cr, whole, r);
    } else {
        draw_places(cr, places, r);
        draw_gaps(cr, gaps, r);
    }
    picture_race_draw_map(cr, map, r);
    draw_sums(cr, sums, r);
}

tool_status tool_picture_race_write(const char* svg, const char* png, const tool_race* race) {
    const picture_page page = {PICTURE_RACE_WIDTH,
                               PICTURE_RACE_HEAD + chart_height(race) + PICTURE_RACE_GAP +
                                   GAPS_HEIGHT + PICTURE_RACE_MARGIN,
                               picture_race_draw_page, race};
    tool_status status = svg ? picture_file_write(svg, PICTURE_SVG, &page) : TOOL_DONE;
    if (status == TOOL_DONE && png)
        status = picture_file_write(png, PICTURE_PNG, &page);
    return status;
}

#else

tool_status tool_picture_race_write(const char* svg, const char* png, const tool_race* race) {
    (void)race;
    return tool_complain("%s: this kerb was built without cairo, which draws the pictures",
                         svg   ? svg
                         : png ? png
                               : "a picture");
}

#endif
