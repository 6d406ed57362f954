// Purpose: the report on the AIPATH thesis's experiments as one page, which needs no script.
// Idea:    a figure is a card of its panels, what the thesis says of it and what ours shows. A
//          panel is an SVG picture; its heat map is a bitmap in it, of one pixel for each cell.
#include "tool/page/thesis_page.h"

#include "tool/command/file.h"
#include "tool/page/page_writer.h"
#include "tool/picture/color_map.h"

#include <math.h>
#include <string.h>

typedef kerb_scene_thesis_panel page_panel;
typedef kerb_scene_thesis_series page_series;

// Of a panel. [px]
#define PANEL_WIDE 420
#define PANEL_HIGH 320
#define PANEL_LEFT 52
#define PANEL_RIGHT 12
#define PANEL_TOP 24
#define PANEL_BOTTOM 40
#define LEGEND_ROW 15
#define PAGE_COLORS 8 // --c0 … of the style
#define TICKS 5

typedef struct page_frame {
    double left, top, wide, high; // of the axes [px]
    double x_scale, y_scale;      // [px per unit]
    const page_panel* panel;
} page_frame;

static page_frame frame_of(const page_panel* p) {
    page_frame f = {.left = PANEL_LEFT, .top = PANEL_TOP, .panel = p};
    f.wide = PANEL_WIDE - PANEL_LEFT - PANEL_RIGHT;
    f.high = PANEL_HIGH - PANEL_TOP - PANEL_BOTTOM;
    f.x_scale = f.wide / fmax(p->x1 - p->x0, 1e-9);
    f.y_scale = f.high / fmax(p->y1 - p->y0, 1e-9);
    if (p->is_map) {
        f.x_scale = f.y_scale = fmin(f.x_scale, f.y_scale);
        double wide = f.x_scale * (p->x1 - p->x0), high = f.y_scale * (p->y1 - p->y0);
        f.left += 0.5 * (f.wide - wide);
        f.top += 0.5 * (f.high - high);
        f.wide = wide;
        f.high = high;
    }
    return f;
}

static double page_x(const page_frame* f, double x) {
    return f->left + (x - f->panel->x0) * f->x_scale;
}

static double page_y(const page_frame* f, double y) {
    return f->top + f->high - (y - f->panel->y0) * f->y_scale;
}

// --------------------------------------------------------------------------- attributes

static void put_attribute(FILE* out, const char* name, double value) {
    fprintf(out, " %s=\"", name);
    tool_page_number(out, value, 1);
    fputc('"', out);
}

static void put_label(FILE* out, double x, double y, const char* anchor, const char* text) {
    fputs("<text", out);
    put_attribute(out, "x", x);
    put_attribute(out, "y", y);
    fprintf(out, " text-anchor=\"%s\">", anchor);
    tool_page_html_text(out, text);
    fputs("</text>", out);
}

static void put_line(FILE* out, double x0, double y0, double x1, double y1) {
    fputs("<line", out);
    put_attribute(out, "x1", x0);
    put_attribute(out, "y1", y0);
    put_attribute(out, "x2", x1);
    put_attribute(out, "y2", y1);
    fputs("/>", out);
}

// --------------------------------------------------------------------------- axes

// The step of 1, 2 or 5 times a power of ten that makes about TICKS of a range.
static double tick_step(double range) {
    double rough = fmax(range, 1e-9) / TICKS, power = pow(10.0, floor(log10(rough)));
    double part = rough / power;
    return power * (part < 1.5 ? 1.0 : part < 3.5 ? 2.0 : part < 7.5 ? 5.0 : 10.0);
}

static void put_tick_number(FILE* out, double value, double step) {
    int32_t decimals = (int32_t)fmax(0.0, -floor(log10(step) + 1e-9));
    tool_page_number(out, fabs(value) < 1e-9 * step ? 0.0 : value, decimals);
}

// In steps.
static int32_t first_tick(double from, double step) {
    return (int32_t)ceil(from / step - 1e-9);
}

static int32_t last_tick(double to, double step) {
    return (int32_t)floor(to / step + 1e-9);
}

static void put_axes(FILE* out, const page_frame* f) {
    const page_panel* p = f->panel;
    double bottom = f->top + f->high;
    fputs("<g class=\"grid\">", out);
    double step = tick_step(p->x1 - p->x0);
    for (int32_t i = first_tick(p->x0, step); i <= last_tick(p->x1, step); i++) {
        double x = i * step;
        put_line(out, page_x(f, x), f->top, page_x(f, x), bottom);
        fputs("<text text-anchor=\"middle\"", out);
        put_attribute(out, "x", page_x(f, x));
        put_attribute(out, "y", bottom + 14.0);
        fputc('>', out);
        put_tick_number(out, x, step);
        fputs("</text>", out);
    }
    step = tick_step(p->y1 - p->y0);
    for (int32_t i = first_tick(p->y0, step); i <= last_tick(p->y1, step); i++) {
        double y = i * step;
        put_line(out, f->left, page_y(f, y), f->left + f->wide, page_y(f, y));
        fputs("<text text-anchor=\"end\"", out);
        put_attribute(out, "x", f->left - 5.0);
        put_attribute(out, "y", page_y(f, y) + 4.0);
        fputc('>', out);
        put_tick_number(out, y, step);
        fputs("</text>", out);
    }
    put_label(out, f->left + 0.5 * f->wide, bottom + 31.0, "middle", p->x_label);
    put_label(out, 4.0, 14.0, "start", p->y_label);
    if (p->title[0])
        put_label(out, f->left + 0.5 * f->wide, 14.0, "middle", p->title);
    fputs("</g>\n", out);
}

// --------------------------------------------------------------------------- heat maps

static void heat_range(const page_panel* p, double* low, double* high) {
    *low = 1e30;
    *high = -1e30;
    for (int32_t i = 0; i < p->columns * p->rows; i++)
        if (!isnan(p->heat[i])) {
            *low = fmin(*low, (double)p->heat[i]);
            *high = fmax(*high, (double)p->heat[i]);
        }
    if (*low > *high)
        *low = *high = 0.0;
}

static void put_bytes(tool_base64* stream, uint32_t value, int32_t bytes) {
    for (int32_t i = 0; i < bytes; i++)
        tool_base64_byte(stream, value >> (8 * i));
}

static uint32_t part_of_255(double part) {
    return (uint32_t)(255.0 * part + 0.5);
}

// A bitmap of 24 bits, rows from the lowest. White: impossible.
static void put_bitmap(FILE* out, const page_panel* p) {
    double low, high;
    heat_range(p, &low, &high);
    uint32_t row = ((uint32_t)p->columns * 3u + 3u) & ~3u, size = row * (uint32_t)p->rows;
    tool_base64 stream = {out, 0, 0};
    fputs("data:image/bmp;base64,", out);
    put_bytes(&stream, 0x4d42, 2);
    put_bytes(&stream, 54u + size, 4);
    put_bytes(&stream, 0, 4);
    put_bytes(&stream, 54, 4);
    put_bytes(&stream, 40, 4);
    put_bytes(&stream, (uint32_t)p->columns, 4);
    put_bytes(&stream, (uint32_t)p->rows, 4);
    put_bytes(&stream, 1u | 24u << 16, 4);
    put_bytes(&stream, 0, 4);
    put_bytes(&stream, size, 4);
    for (int32_t i = 0; i < 4; i++)
        put_bytes(&stream, 0, 4);
    for (int32_t i = 0; i < p->rows; i++) {
        for (int32_t k = 0; k < p->columns; k++) {
            double value = (double)p->heat[i * p->columns + k];
            tool_color color = {1.0, 1.0, 1.0};
            if (!isnan(value))
                color = tool_color_map((value - low) / fmax(high - low, 1e-9));
            tool_base64_byte(&stream, part_of_255(color.blue));
            tool_base64_byte(&stream, part_of_255(color.green));
            tool_base64_byte(&stream, part_of_255(color.red));
        }
        put_bytes(&stream, 0, (int32_t)(row - (uint32_t)p->columns * 3u));
    }
    tool_base64_end(&stream);
}

static void put_heat(FILE* out, const page_frame* f) {
    fputs("<image preserveAspectRatio=\"none\" class=\"heat\"", out);
    put_attribute(out, "x", f->left);
    put_attribute(out, "y", f->top);
    put_attribute(out, "width", f->wide);
    put_attribute(out, "height", f->high);
    fputs(" href=\"", out);
    put_bitmap(out, f->panel);
    fputs("\"/>\n", out);
}

// --------------------------------------------------------------------------- series

static void put_path(FILE* out, const page_frame* f, const page_series* s, bool pairs) {
    bool down = false;
    fputs("<path d=\"", out);
    for (int32_t i = 0; i < s->count; i++) {
        if (isnan(s->x[i]) || isnan(s->y[i])) {
            down = false;
            continue;
        }
        fputc(down && (!pairs || i % 2 == 1) ? 'L' : 'M', out);
        tool_page_number(out, page_x(f, (double)s->x[i]), 1);
        fputc(' ', out);
        tool_page_number(out, page_y(f, (double)s->y[i]), 1);
        down = true;
    }
    fputs("\"/>", out);
}

static void put_heads(FILE* out, const page_frame* f, const page_series* s) {
    fputs("<path class=\"heads\" d=\"", out);
    for (int32_t i = 0; i + 1 < s->count; i += 2) {
        double x = page_x(f, (double)s->x[i + 1]), y = page_y(f, (double)s->y[i + 1]);
        double dx = x - page_x(f, (double)s->x[i]), dy = y - page_y(f, (double)s->y[i]);
        double length = hypot(dx, dy);
        if (length < 0.5)
            continue;
        double size = fmin(5.0, 0.6 * length) / length;
        fputc('M', out);
        tool_page_number(out, x, 1);
        fputc(' ', out);
        tool_page_number(out, y, 1);
        for (int32_t side = -1; side <= 1; side += 2) {
            fputc('L', out);
            tool_page_number(out, x - size * (dx + 0.5 * side * dy), 1);
            fputc(' ', out);
            tool_page_number(out, y - size * (dy - 0.5 * side * dx), 1);
        }
        fputc('Z', out);
    }
    fputs("\"/>", out);
}

static void put_dots(FILE* out, const page_frame* f, const page_series* s) {
    fputs("<path class=\"dots\" d=\"", out);
    for (int32_t i = 0; i < s->count; i++) {
        fputc('M', out);
        tool_page_number(out, page_x(f, (double)s->x[i]), 1);
        fputc(' ', out);
        tool_page_number(out, page_y(f, (double)s->y[i]), 1);
        fputs("h0", out);
    }
    fputs("\"/>", out);
}

static void put_bars(FILE* out, const page_frame* f, const page_series* s) {
    double wide = f->wide / (s->count > 0 ? s->count : 1);
    for (int32_t i = 0; i < s->count; i++) {
        double top = page_y(f, (double)s->y[i]);
        fputs("<rect", out);
        put_attribute(out, "x", page_x(f, (double)s->x[i]) + 0.5);
        put_attribute(out, "y", top);
        put_attribute(out, "width", fmax(wide - 1.0, 0.5));
        put_attribute(out, "height", f->top + f->high - top);
        fputs("/>", out);
    }
}

static void put_series(FILE* out, const page_frame* f, const page_series* s) {
    static const char* const names[] = {"line", "dashed", "dotted", "bars", "arrows"};
    fprintf(out, "<g class=\"%s c%d\">", names[s->mark], (int)(s->color % PAGE_COLORS));
    if (s->mark == KERB_SCENE_THESIS_DOTS)
        put_dots(out, f, s);
    else if (s->mark == KERB_SCENE_THESIS_BARS)
        put_bars(out, f, s);
    else
        put_path(out, f, s, s->mark == KERB_SCENE_THESIS_ARROWS);
    if (s->mark == KERB_SCENE_THESIS_ARROWS)
        put_heads(out, f, s);
    fputs("</g>\n", out);
}

// --------------------------------------------------------------------------- panels

static void put_legend(FILE* out, const page_panel* p) {
    fputs("<ul class=\"legend\">", out);
    if (p->heat) {
        double low, high;
        heat_range(p, &low, &high);
        fputs("<li><span class=\"scale\"></span>", out);
        tool_page_number(out, low, 2);
        fputs(" to ", out);
        tool_page_number(out, high, 2);
        fputs(", ", out);
        tool_page_html_text(out, p->heat_label);
        fputs("</li>", out);
    }
    for (int32_t i = 0; i < p->count; i++) {
        if (!p->series[i].label[0] || p->series[i].count == 0)
            continue;
        fprintf(out, "<li><span class=\"key c%d%s\"></span>",
                (int)(p->series[i].color % PAGE_COLORS),
                p->series[i].mark == KERB_SCENE_THESIS_DASHED ? " dash" : "");
        tool_page_html_text(out, p->series[i].label);
        fputs("</li>", out);
    }
    fputs("</ul>\n", out);
}

static void put_panel(FILE* out, const kerb_scene_thesis_figure* figure, const page_panel* p) {
    page_frame f = frame_of(p);
    fprintf(out, "<div class=\"panel\"><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
            PANEL_WIDE, PANEL_HIGH);
    tool_page_html_text(out, figure->title);
    fputs("\">\n", out);
    if (p->heat)
        put_heat(out, &f);
    put_axes(out, &f);
    for (int32_t i = 0; i < p->count; i++)
        put_series(out, &f, &p->series[i]);
    fputs("</svg>\n", out);
    put_legend(out, p);
    fputs("</div>\n", out);
}

static void put_figure(FILE* out, const kerb_scene_thesis_figure* figure) {
    fprintf(out, "<figure id=\"f%s\"><h3>Figure %s: ", figure->name, figure->name);
    tool_page_html_text(out, figure->title);
    fputs("</h3>\n<div class=\"panels\">\n", out);
    for (int32_t i = 0; i < figure->count; i++)
        put_panel(out, figure, &figure->panels[i]);
    fputs("</div><figcaption><p><b>The thesis:</b> ", out);
    tool_page_html_text(out, figure->claim);
    fputs("</p><p><b>Ours:</b> ", out);
    tool_page_html_text(out, figure->ours);
    fputs("</p></figcaption></figure>\n", out);
}

// --------------------------------------------------------------------------- tables

static void put_table_row(FILE* out, const kerb_scene_thesis_table* t, int32_t row) {
    fputs("<tr>", out);
    if (t->label) {
        fputs("<th scope=\"row\">", out);
        tool_page_html_text(out, t->labels[row]);
        fputs("</th>", out);
    }
    for (int32_t k = 0; k < t->columns; k++) {
        bool is_theirs = strncmp(t->column[k].key, "thesis_", 7) == 0;
        fputs(is_theirs ? "<td class=\"theirs\">" : "<td>", out);
        if (isfinite(t->cells[row][k]))
            tool_page_number(out, t->cells[row][k], t->column[k].digits);
        else
            fputs("–", out);
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

static void put_table(FILE* out, const kerb_scene_thesis_table* t) {
    fprintf(out, "<section id=\"t%s\"><h3>%s: ", t->name, t->name);
    tool_page_html_text(out, t->title);
    fputs("</h3>\n<div class=\"wide\"><table><thead><tr>", out);
    if (t->label)
        fputs("<th></th>", out);
    for (int32_t k = 0; k < t->columns; k++) {
        fputs("<th scope=\"col\">", out);
        tool_page_html_text(out, t->column[k].head);
        fputs("</th>", out);
    }
    fputs("</tr></thead><tbody>\n", out);
    for (int32_t i = 0; i < t->rows; i++)
        put_table_row(out, t, i);
    fputs("</tbody></table></div>\n", out);
    if (t->note) {
        fputs("<p>", out);
        tool_page_html_text(out, t->note);
        fputs(".</p>\n", out);
    }
    fputs("</section>\n", out);
}

// --------------------------------------------------------------------------- the page

static const char thesis_page_style[] =
    ":root{color-scheme:light dark;--c0:#0b5fc0;--c1:#c8431b;--c2:#1f8a4c;--c3:#7a5fc9;"
    "--c4:#b3265f;--c5:#9a7500;--c6:#1d2733;--c7:#6b7683;--line:#d5dbe1}\n"
    "@media(prefers-color-scheme:dark){:root{--c0:#6fb1ff;--c1:#ff8a57;--c2:#6fd39b;--c3:#b39dff;"
    "--c4:#ff86b3;--c5:#e3c04d;--c6:#e9eef6;--c7:#a9b5c6;--line:#3a4452}}\n"
    "body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:1320px;padding:0 16px 48px}\n"
    "h1{font-size:24px}h2{font-size:20px;margin:32px 0 8px}h3{font-size:16px;margin:0 0 6px}\n"
    "nav{line-height:2}nav a{margin-right:10px;color:var(--c0)}\n"
    "section,figure{margin:18px 0;padding:14px 16px;border:1px solid var(--line);"
    "border-radius:10px}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:2px 10px;text-align:right;border-bottom:1px solid var(--line);"
    "white-space:nowrap}th[scope=row]{text-align:left}.theirs{color:var(--c1)}\n"
    ".panels{display:flex;flex-wrap:wrap;gap:14px}.panel{flex:1 1 300px;max-width:560px;"
    "min-width:0}\n"
    "svg{width:100%;height:auto;display:block}svg text{font-size:11px;fill:currentColor}\n"
    ".grid line{stroke:var(--line);stroke-width:.7}.heat{image-rendering:pixelated}\n"
    ".line path,.dashed path,.arrows path{fill:none;stroke:currentColor;stroke-width:1.7;"
    "stroke-linejoin:round}.dashed path{stroke-dasharray:5 3;stroke-width:1.2}\n"
    ".arrows .heads{fill:currentColor;stroke-width:.5}.arrows path{stroke-width:1.1}\n"
    ".dots{fill:none;stroke:currentColor;stroke-width:3;stroke-linecap:round}\n"
    ".bars rect{fill:currentColor}\n"
    ".c0{color:var(--c0)}.c1{color:var(--c1)}.c2{color:var(--c2)}.c3{color:var(--c3)}"
    ".c4{color:var(--c4)}.c5{color:var(--c5)}.c6{color:var(--c6)}.c7{color:var(--c7)}\n"
    ".legend{list-style:none;margin:0;padding:0 0 0 8px;font-size:12px;display:flex;"
    "flex-wrap:wrap;gap:2px 14px}\n"
    ".key{display:inline-block;width:16px;border-top:3px solid currentColor;margin-right:5px;"
    "vertical-align:middle}.key.dash{border-top-style:dashed}\n"
    ".scale{display:inline-block;width:64px;height:9px;margin-right:5px;background:"
    "linear-gradient(90deg,#440154,#3b528b,#21918c,#5ec962,#fde725)}\n"
    "figcaption p{margin:6px 0 0;max-width:80ch}\n";

typedef struct thesis_page {
    const kerb_scene_thesis* thesis;
    const kerb_scene_thesis_figure* figures;
} thesis_page;

static void put_contents(FILE* out, const thesis_page* page) {
    fputs("<nav aria-label=\"Tables and figures\">Tables: ", out);
    for (int32_t i = 0; i < KERB_SCENE_THESIS_TABLES; i++) {
        kerb_scene_thesis_table table = kerb_scene_thesis_tabulate(page->thesis, i);
        fprintf(out, "<a href=\"#t%s\">%s</a> ", table.name, table.name);
    }
    fputs("<br>Figures: ", out);
    for (int32_t i = 0; i < KERB_SCENE_THESIS_FIGURES; i++)
        fprintf(out, "<a href=\"#f%s\">%s</a> ", page->figures[i].name, page->figures[i].name);
    fputs("</nav>\n", out);
}

static bool thesis_page_print(FILE* out, const void* context) {
    const thesis_page* page = context;
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>kerb plan "
          "--thesis</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n",
          out);
    fputs(thesis_page_style, out);
    fprintf(out,
            "</style></head><body>\n<h1>The AIPATH thesis's experiments</h1>\n<p>Kerb %s, seed "
            "%lld: %d random goals for each experiment, searches of up to %d expansions; the "
            "checker rejects %d plans. The thesis took 1,000 goals and more. Its numbers are in "
            "the second colour. Its pictures are lost: what its captions say is told in other "
            "words.</p>\n",
            KERB_VERSION, (long long)page->thesis->seed, (int)page->thesis->goals,
            (int)page->thesis->expansions, (int)kerb_scene_thesis_invalid(page->thesis));
    put_contents(out, page);
    fputs("<h2>Tables</h2>\n", out);
    for (int32_t i = 0; i < KERB_SCENE_THESIS_TABLES; i++) {
        kerb_scene_thesis_table table = kerb_scene_thesis_tabulate(page->thesis, i);
        put_table(out, &table);
    }
    fputs("<h2>Figures</h2>\n", out);
    for (int32_t i = 0; i < KERB_SCENE_THESIS_FIGURES; i++)
        put_figure(out, &page->figures[i]);
    fputs("</body></html>\n", out);
    return !ferror(out);
}

tool_status tool_thesis_page_write(const char* path, const kerb_scene_thesis* thesis,
                                   const kerb_scene_thesis_figure* figures) {
    const thesis_page page = {thesis, figures};
    return tool_file_print(path, thesis_page_print, &page);
}
