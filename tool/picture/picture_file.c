// One drawing for both formats, so that they look the same. The bytes are collected in memory, so
// that a file appears only when it is complete.
#ifdef KERB_HAVE_CAIRO
#include "tool/picture/picture_file.h"

#include "tool/command/file.h"

#include <cairo-svg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PIXELS_MAX 16000.0

typedef struct picture_file_bytes {
    unsigned char* data;
    size_t size, capacity;
} picture_file_bytes;

static cairo_status_t append(void* closure, const unsigned char* data, unsigned int length) {
    picture_file_bytes* b = closure;
    if (b->size + length > b->capacity) {
        size_t capacity = (b->size + length) * 2;
        unsigned char* grown = realloc(b->data, capacity);
        if (!grown)
            return CAIRO_STATUS_NO_MEMORY;
        b->data = grown;
        b->capacity = capacity;
    }
    memcpy(b->data + b->size, data, length);
    b->size += length;
    return CAIRO_STATUS_SUCCESS;
}

// Draws onto a surface and destroys it, which is when an SVG is written out.
static cairo_status_t draw_onto(cairo_surface_t* surface, const picture_page* page, double scale,
                                picture_file_bytes* png) {
    cairo_t* cr = cairo_create(surface);
    cairo_scale(cr, scale, scale);
    page->draw(cr, page->context);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    if (status == CAIRO_STATUS_SUCCESS && png)
        status = cairo_surface_write_to_png_stream(surface, append, png);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status;
}

static cairo_status_t draw_svg(const picture_page* page, picture_file_bytes* out) {
    return draw_onto(cairo_svg_surface_create_for_stream(append, out, page->width, page->height),
                     page, 1.0, NULL);
}

static cairo_status_t draw_png(const picture_page* page, picture_file_bytes* out) {
    double scale = fmin(2.0, PIXELS_MAX / fmax(page->width, page->height));
    cairo_surface_t* surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, (int)(page->width * scale + 0.5), (int)(page->height * scale + 0.5));
    return draw_onto(surface, page, scale, out);
}

tool_status picture_file_write(const char* path, picture_format format, const picture_page* page) {
    picture_file_bytes out = {0};
    cairo_status_t drawn = format == PICTURE_SVG ? draw_svg(page, &out) : draw_png(page, &out);
    tool_status status = TOOL_DONE;
    if (drawn != CAIRO_STATUS_SUCCESS)
        status = tool_complain("%s: %s", path, cairo_status_to_string(drawn));
    else
        status = tool_file_write(path, out.data, out.size);
    free(out.data);
    return status;
}

#else
typedef int picture_file_needs_cairo; // an empty file is no C
#endif
