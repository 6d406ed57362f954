// The buffer that all pictures are drawn into, and the colours of the roles. Adding an item is O(1)
// and writes only the next free item of its array.
#include "items.h"

#include "../base/shared.h"

#include <string.h>

kerb_draw_buffer kerb_draw_buffer_make(kerb_draw_line* lines, int32_t line_capacity,
                                       kerb_draw_point* points, int32_t point_capacity,
                                       kerb_draw_text* texts, int32_t text_capacity) {
    KERB_ASSERT(line_capacity >= 0 && (lines != NULL || line_capacity == 0));
    KERB_ASSERT(point_capacity >= 0 && (points != NULL || point_capacity == 0));
    KERB_ASSERT(text_capacity >= 0 && (texts != NULL || text_capacity == 0));
    kerb_draw_buffer buffer = {.lines = lines,
                               .points = points,
                               .texts = texts,
                               .line_capacity = line_capacity,
                               .point_capacity = point_capacity,
                               .text_capacity = text_capacity};
    return buffer;
}

void kerb_draw_clear(kerb_draw_buffer* buffer) {
    buffer->line_count = buffer->point_count = buffer->text_count = 0;
    buffer->dropped = 0;
}

uint32_t kerb_draw_color(kerb_draw_role role) {
    // All of medium lightness: the contrast to white and to black is at least 3:1.
    switch (role) {
    case KERB_DRAW_CORRIDOR:
        return 0x5F8DA8;
    case KERB_DRAW_PLANNED_PATH:
        return 0x1F7FFF;
    case KERB_DRAW_TARGET:
        return 0xE0451F;
    case KERB_DRAW_ARC:
        return 0xC048C0;
    case KERB_DRAW_NEAREST:
        return 0xB87A00;
    case KERB_DRAW_FOOTPRINT:
        return 0x1E9650;
    case KERB_DRAW_SPEED:
        return 0x0090A0;
    case KERB_DRAW_NEIGHBOUR:
        return 0xD4568C;
    case KERB_DRAW_BRAKING:
        return 0xE0303A;
    case KERB_DRAW_ACCELERATING:
        return 0x3C9A2E;
    case KERB_DRAW_TREE:
        return 0x8A7BB8;
    case KERB_DRAW_RAY:
        return 0x7F8C2A;
    case KERB_DRAW_RAY_VEHICLE:
        return 0xD03A6A;
    case KERB_DRAW_PATH:
    case KERB_DRAW_ROLE_COUNT:
        break;
    }
    return 0x808080;
}

// The index for one more item, or -1. Items that do not fit are counted up to INT32_MAX.
static int32_t items_take(kerb_draw_buffer* buffer, int32_t* count, int32_t capacity) {
    if (*count < capacity)
        return (*count)++;
    if (buffer->dropped < INT32_MAX)
        buffer->dropped++;
    return -1;
}

void kerb_in_draw_line(kerb_draw_buffer* buffer, kerb_draw_role role, kerb_vec3 from,
                       kerb_vec3 to) {
    if (!kerb_vec3_is_finite(from) || !kerb_vec3_is_finite(to))
        return;
    int32_t at = items_take(buffer, &buffer->line_count, buffer->line_capacity);
    if (at >= 0)
        buffer->lines[at] = (kerb_draw_line){.from = from, .to = to, .role = role};
}

void kerb_in_draw_point(kerb_draw_buffer* buffer, kerb_draw_role role, kerb_vec3 position) {
    if (!kerb_vec3_is_finite(position))
        return;
    int32_t at = items_take(buffer, &buffer->point_count, buffer->point_capacity);
    if (at >= 0)
        buffer->points[at] = (kerb_draw_point){.position = position, .role = role};
}

void kerb_in_draw_text(kerb_draw_buffer* buffer, kerb_draw_role role, kerb_vec3 position,
                       const char* text) {
    if (!kerb_vec3_is_finite(position))
        return;
    int32_t at = items_take(buffer, &buffer->text_count, buffer->text_capacity);
    if (at < 0)
        return;
    kerb_draw_text* item = &buffer->texts[at];
    memset(item, 0, sizeof *item);
    item->position = position;
    item->role = role;
    size_t length = strlen(text);
    if (length > sizeof item->text - 1)
        length = sizeof item->text - 1;
    memcpy(item->text, text, length);
}
