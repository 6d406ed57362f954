// A drawing as an SVG or a PNG. Only with cairo.
#ifndef KERB_TOOL_PICTURE_PICTURE_FILE_H
#define KERB_TOOL_PICTURE_PICTURE_FILE_H

#include "tool/command/message.h"

#include <cairo.h>

typedef enum picture_format { PICTURE_SVG, PICTURE_PNG } picture_format;

/// What is drawn, in points, y down; a PNG has two pixels a point.
typedef struct picture_page {
    double width, height;
    void (*draw)(cairo_t* cr, const void* context);
    const void* context;
} picture_page;

/// Draws the page and writes the file. Complains when it cannot.
tool_status picture_file_write(const char* path, picture_format format, const picture_page* page);

#endif
