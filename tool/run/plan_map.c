// Reads maps (PGM and PNG pictures, YAML that names one, MovingAI) and lists of movements (MovingAI
// scenarios, parking tasks).
#include "tool/run/plan_map.h"

#include "tool/command/file.h"

#ifdef KERB_HAVE_CAIRO
#include <cairo.h>
#endif

#include <stdlib.h>
#include <string.h>

static bool ends_in(const char* path, const char* ending) {
    size_t length = strlen(path), size = strlen(ending);
    return length > size && strcmp(path + length - size, ending) == 0;
}

// --------------------------------------------------------------------------- how much is read

// A file that describes a map is below 1 kB.
#define DESCRIPTION_MOST 1048576u

static tool_status bound_description(const char* path, const char* head, size_t size,
                                     uint64_t* most) {
    (void)path;
    (void)head;
    (void)size;
    *most = DESCRIPTION_MOST;
    return TOOL_DONE;
}

static tool_status bound_movingai(const char* path, const char* head, size_t size, uint64_t* most) {
    kerb_error error = {.index = -1};
    kerb_io_grid_map_head map;
    if (kerb_io_grid_map_head_read_movingai(&map, head, size, &error) != KERB_OK)
        return tool_complain_error(path, &error);
    *most = map.bytes_max;
    return TOOL_DONE;
}

static bool is_png(const char* bytes, size_t size) {
    return size >= 24 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0;
}

// A whole number of four bytes, the greatest first.
static uint32_t whole_at(const char* bytes) {
    uint32_t value = 0;
    for (int32_t i = 0; i < 4; i++)
        value = value << 8 | (uint32_t)(unsigned char)bytes[i];
    return value;
}

// What is compressed is hardly longer than what is not, of at most 8 bytes a pixel; texts and
// colour profiles come on top.
static tool_status bound_png(const char* path, const char* head, uint64_t* most) {
    uint64_t columns = whole_at(head + 16), rows = whole_at(head + 20);
    if (columns < 1 || rows < 1 || columns > KERB_PLAN_CELLS_MAX || rows > KERB_PLAN_CELLS_MAX)
        return tool_complain("%s: not a picture of up to 32768 by 32768 pixels", path);
    *most = (8 * columns + 64) * rows + (uint64_t)16 * DESCRIPTION_MOST;
    return TOOL_DONE;
}

static tool_status bound_picture(const char* path, const char* head, size_t size, uint64_t* most) {
    kerb_error error = {.index = -1};
    kerb_io_grid_map_head map;
    if (is_png(head, size))
        return bound_png(path, head, most);
    if (size >= 2 && (head[0] != 'P' || (head[1] != '2' && head[1] != '5')))
        return tool_complain("%s: is neither a PGM nor a PNG picture", path);
    if (kerb_io_grid_map_head_read_pgm(&map, head, size, &error) != KERB_OK)
        return tool_complain_error(path, &error);
    *most = map.bytes_max;
    return TOOL_DONE;
}

// --------------------------------------------------------------------------- pictures

static tool_status take_pgm(const char* path, const char* bytes, size_t size,
                            const kerb_io_map_info* info, tool_plan_map* map) {
    const kerb_host host = kerb_host_default();
    kerb_error error = {.index = -1};
    kerb_result result = kerb_io_grid_map_read_pgm(&map->grid, bytes, size, info, &host, &error);
    return result == KERB_OK ? TOOL_DONE : tool_complain_error(path, &error);
}

#ifdef KERB_HAVE_CAIRO

// What cannot be seen through or barely is as dark as its colour; the rest is light. To the other
// modes of map_server it is unknown.
static uint8_t cell_of(const kerb_io_map_info* info, const unsigned char* pixel,
                       cairo_format_t format) {
    uint32_t argb;
    memcpy(&argb, pixel, sizeof argb);
    uint32_t alpha = format == CAIRO_FORMAT_ARGB32 ? argb >> 24 : 255;
    uint32_t sum = (argb >> 16 & 255) + (argb >> 8 & 255) + (argb & 255) + 3 * (255 - alpha);
    if (alpha < 255 && info->mode != KERB_IO_MAP_TRINARY)
        return 255;
    return kerb_io_map_info_cell(info, (float)sum / 765.0f);
}

static tool_status take_pixels(cairo_surface_t* surface, const char* path,
                               const kerb_io_map_info* info, tool_plan_map* map) {
    cairo_format_t format = cairo_image_surface_get_format(surface);
    int columns = cairo_image_surface_get_width(surface);
    int rows = cairo_image_surface_get_height(surface);
    int stride = cairo_image_surface_get_stride(surface);
    const unsigned char* pixels = cairo_image_surface_get_data(surface);
    if ((format != CAIRO_FORMAT_RGB24 && format != CAIRO_FORMAT_ARGB32) || columns < 1 ||
        rows < 1 || columns > KERB_PLAN_CELLS_MAX || rows > KERB_PLAN_CELLS_MAX)
        return tool_complain("%s: not a picture of up to 32768 by 32768 pixels of 8 bits", path);
    const kerb_host host = kerb_host_default();
    kerb_io_grid_map grid = {.columns = columns, .rows = rows};
    grid.cells =
        host.allocator.allocate(host.allocator.context, (size_t)columns * (size_t)rows, 64);
    if (!grid.cells)
        return tool_complain("%s: no memory for its pixels", path);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            const unsigned char* pixel =
                pixels + (size_t)(rows - 1 - y) * (size_t)stride + 4 * (size_t)x;
            grid.cells[(size_t)y * (size_t)columns + (size_t)x] = cell_of(info, pixel, format);
        }
    map->grid = grid;
    return TOOL_DONE;
}

typedef struct png_bytes {
    const char* at;
    size_t left;
} png_bytes;

static cairo_status_t give_png(void* context, unsigned char* to, unsigned int length) {
    png_bytes* from = context;
    if (from->left < length)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(to, from->at, length);
    from->at += length;
    from->left -= length;
    return CAIRO_STATUS_SUCCESS;
}

static tool_status take_png(const char* path, const char* bytes, size_t size,
                            const kerb_io_map_info* info, tool_plan_map* map) {
    png_bytes from = {bytes, size};
    cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(give_png, &from);
    tool_status status = TOOL_WRONG;
    if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
        status = take_pixels(surface, path, info, map);
    else
        tool_complain("%s: %s", path, cairo_status_to_string(cairo_surface_status(surface)));
    cairo_surface_destroy(surface);
    return status;
}

#else

static tool_status take_png(const char* path, const char* bytes, size_t size,
                            const kerb_io_map_info* info, tool_plan_map* map) {
    (void)bytes;
    (void)size;
    (void)info;
    (void)map;
    return tool_complain("%s: this build reads no PNG, it was made without cairo", path);
}

#endif

static tool_status read_picture(const char* path, const kerb_io_map_info* info,
                                tool_plan_map* map) {
    const tool_file_bound bound = {true, bound_picture};
    char* bytes;
    size_t size;
    if (tool_file_read_bounded(path, &bound, &bytes, &size) != TOOL_DONE)
        return TOOL_WRONG;
    tool_status status = is_png(bytes, size) ? take_png(path, bytes, size, info, map)
                                             : take_pgm(path, bytes, size, info, map);
    free(bytes);
    return status;
}

// --------------------------------------------------------------------------- maps

static tool_status read_info(const char* path, bool is_named, kerb_io_map_info* info) {
    const tool_file_bound bound = {is_named, bound_description};
    kerb_error error = {.index = -1};
    kerb_io_notes notes = {0};
    char* text;
    size_t size;
    if (tool_file_read_bounded(path, &bound, &text, &size) != TOOL_DONE)
        return TOOL_WRONG;
    if (size > DESCRIPTION_MOST) {
        free(text);
        return tool_complain("%s: is longer than 1 MiB", path);
    }
    kerb_result result = kerb_io_map_info_read(info, text, size, &notes, &error);
    free(text);
    if (result != KERB_OK)
        return tool_complain_error(path, &error);
    tool_print_notes(path, &notes);
    return TOOL_DONE;
}

// `picture`: read that one; NULL: the one that the file names.
static tool_status read_yaml(const char* path, const char* picture, bool is_named,
                             const tool_plan_map_rules* rules, tool_plan_map* map) {
    char image[TOOL_NAMED_BYTES];
    kerb_io_map_info* info = &map->info;
    if (read_info(path, is_named, info) != TOOL_DONE)
        return TOOL_WRONG;
    if (!picture &&
        tool_named_file(path, "image", info->image, rules->allow_outside, image) != TOOL_DONE)
        return TOOL_WRONG;
    tool_status status = read_picture(picture ? picture : image, info, map);
    map->world.cell_size = info->resolution;
    if (info->yaw == 0.0f)
        map->world.origin = info->origin;
    if (info->mode != KERB_IO_MAP_TRINARY) {
        map->world.cost_map = map->grid.cells;
        map->world.cost_per_metre = rules->price;
    }
    return status;
}

static tool_status read_described(const char* path, bool is_named, const tool_plan_map_rules* rules,
                                  tool_plan_map* map) {
    char yaml[TOOL_NAMED_BYTES + 8];
    snprintf(yaml, sizeof yaml, "%.*s.yaml", (int)(strlen(path) - 4), path);
    return read_yaml(yaml, path, is_named, rules, map);
}

static tool_status read_movingai(const char* path, bool is_named, tool_plan_map* map) {
    const tool_file_bound bound = {is_named, bound_movingai};
    const kerb_host host = kerb_host_default();
    kerb_error error = {.index = -1};
    kerb_io_notes notes = {0};
    char* text;
    size_t size;
    if (tool_file_read_bounded(path, &bound, &text, &size) != TOOL_DONE)
        return TOOL_WRONG;
    kerb_result result =
        kerb_io_grid_map_read_movingai(&map->grid, text, size, &host, &notes, &error);
    free(text);
    map->world.cell_size = 1.0f;
    if (result != KERB_OK)
        return tool_complain_error(path, &error);
    tool_print_notes(path, &notes);
    return TOOL_DONE;
}

// `is_named`: in another file.
static tool_status load_map(const char* path, bool is_named, const tool_plan_map_rules* rules,
                            tool_plan_map* map) {
    memset(map, 0, sizeof *map);
    if (strlen(path) >= sizeof map->path)
        return tool_complain("%s: the name is too long", path);
    memcpy(map->path, path, strlen(path) + 1);
    tool_status status;
    if (ends_in(path, ".yaml") || ends_in(path, ".yml"))
        status = read_yaml(path, NULL, is_named, rules, map);
    else if (ends_in(path, ".pgm") || ends_in(path, ".png"))
        status = read_described(path, is_named, rules, map);
    else
        status = read_movingai(path, is_named, map);
    map->world.cells = map->grid.cells;
    map->world.columns = map->grid.columns;
    map->world.rows = map->grid.rows;
    // What lies beyond a map is not known to be free.
    kerb_plan_world* w = &map->world;
    w->box_min = w->origin;
    w->box_max = kerb_vec2_make(w->origin.x + (float)w->columns * w->cell_size,
                                w->origin.y + (float)w->rows * w->cell_size);
    if (status != TOOL_DONE)
        tool_plan_map_free(map);
    return status;
}

tool_status tool_plan_map_load(const char* path, const tool_plan_map_rules* rules,
                               tool_plan_map* map) {
    return load_map(path, false, rules, map);
}

const kerb_io_map_info* tool_plan_map_frame(const tool_plan_map* map) {
    return map->info.yaw != 0.0f ? &map->info : NULL;
}

void tool_plan_map_free(tool_plan_map* map) {
    const kerb_host host = kerb_host_default();
    kerb_io_grid_map_destroy(&map->grid, &host);
    kerb_io_parking_destroy(&map->parking, &host);
    memset(map, 0, sizeof *map);
}

// --------------------------------------------------------------------------- lists

static tool_status read_parking(const char* path, const char* text, size_t size,
                                tool_plan_list* list) {
    const kerb_host host = kerb_host_default();
    const float room = 8.0f; // of the box beyond start and goal [m]
    kerb_error error = {.index = -1};
    tool_plan_map* map = list->maps; // there is room for one
    kerb_io_parking* p = &map->parking;
    list->map_count = 1;
    if (kerb_io_parking_read(p, text, size, &host, &error) != KERB_OK)
        return tool_complain_error(path, &error);
    kerb_vec2 a = p->from.position, b = p->to.position;
    map->world =
        (kerb_plan_world){.vertices = p->vertices,
                          .vertex_counts = p->vertex_counts,
                          .polygon_count = p->polygon_count,
                          .box_min = {kerb_min(a.x, b.x) - room, kerb_min(a.y, b.y) - room},
                          .box_max = {kerb_max(a.x, b.x) + room, kerb_max(a.y, b.y) + room}};
    list->count = 1;
    list->car = "the car of the parking cases";
    list->cases[0] = (tool_plan_case){.task = {.limits = kerb_scene_plan_parking_car(),
                                               .from = {.pose = p->from},
                                               .to = {.pose = p->to}}};
    return TOOL_DONE;
}

// The index of a map that is read only once; -1: none was named, -2: it cannot be read.
static int32_t map_of(const char* path, const char* name, const tool_plan_map_rules* rules,
                      tool_plan_list* list) {
    char full[TOOL_NAMED_BYTES];
    if (name[0] == '\0')
        return -1;
    if (tool_named_file(path, "map", name, rules->allow_outside, full) != TOOL_DONE)
        return -2;
    for (int32_t i = 0; list->maps && i < list->map_count; i++)
        if (strcmp(list->maps[i].path, full) == 0)
            return i;
    tool_plan_map* more = realloc(list->maps, ((size_t)list->map_count + 1) * sizeof *list->maps);
    if (!more) {
        tool_complain("%s: no memory for its maps", path);
        return -2;
    }
    list->maps = more;
    if (load_map(full, true, rules, &list->maps[list->map_count]) != TOOL_DONE)
        return -2;
    return list->map_count++;
}

static kerb_plan_end end_of(const double* n, kerb_io_scenario_kind kind) {
    if (kind == KERB_IO_SCENARIO_CELLS)
        return kerb_plan_end_make((float)n[0] + 0.5f, (float)n[1] + 0.5f, 0.0f, 0.0f);
    double turn = n[2] * 3.14159265358979 / 180.0;
    return kerb_plan_end_make((float)n[0], (float)n[1], (float)turn, (float)n[3]);
}

// Into the frame of a turned map.
static void turn_ends(const tool_plan_map* map, kerb_scene_plan_task* task) {
    const kerb_io_map_info* frame = tool_plan_map_frame(map);
    if (frame) {
        task->from.pose = kerb_io_map_info_from_world(frame, task->from.pose);
        task->to.pose = kerb_io_map_info_from_world(frame, task->to.pose);
    }
}

static tool_status take_rows(const char* path, const kerb_io_scenarios* rows,
                             const tool_plan_map_rules* rules, const kerb_plan_limits* limits,
                             tool_plan_list* list) {
    list->car = rows->kind == KERB_IO_SCENARIO_CELLS ? "a car nearly as wide as a cell" : NULL;
    for (int32_t i = 0; i < rows->count; i++) {
        const kerb_io_scenario* row = &rows->rows[i];
        bool cells = rows->kind == KERB_IO_SCENARIO_CELLS;
        tool_plan_case* c = &list->cases[i];
        // Most lists have one map, named in every row.
        bool is_last = i > 0 && strcmp(row->map, rows->rows[i - 1].map) == 0;
        c->map = is_last ? list->cases[i - 1].map : map_of(path, row->map, rules, list);
        if (c->map == -2)
            return TOOL_WRONG;
        c->task.limits = cells ? kerb_scene_plan_cell_car() : *limits;
        c->task.from = end_of(row->numbers, rows->kind);
        c->task.to = end_of(row->numbers + (cells ? 2 : 4), rows->kind);
        c->any_heading = cells;
        c->index = i;
        kerb_vec2 away = kerb_vec2_sub(c->task.to.pose.position, c->task.from.pose.position);
        c->length = cells ? row->length : (double)kerb_sqrt(kerb_vec2_dot(away, away));
        if (c->map >= 0 && !cells)
            turn_ends(&list->maps[c->map], &c->task);
        list->count++;
    }
    return TOOL_DONE;
}

static tool_status plan_map_make_room(const char* path, int32_t count, tool_plan_list* list) {
    list->cases = calloc((size_t)count, sizeof *list->cases);
    list->maps = calloc(1, sizeof *list->maps);
    return list->cases && list->maps ? TOOL_DONE : tool_complain("%s: no memory for it", path);
}

// The longest first; of equal ones, as they stand in the file.
static int compare_lengths(const void* a, const void* b) {
    const tool_plan_case *x = a, *y = b;
    if (x->length != y->length)
        return x->length < y->length ? 1 : -1;
    return x->index < y->index ? -1 : x->index > y->index;
}

// A parking case begins with a number and a comma; MovingAI's lists have no commas there, and the
// others begin with words.
static bool is_parking(const char* text) {
    const char* at = text + strspn(text, " \t");
    return *at != '\0' && strchr("+-.0123456789", *at) && at[strcspn(at, ",\t\r\n")] == ',';
}

static tool_status read_list(const char* path, const char* text, size_t size,
                             const tool_plan_map_rules* rules, const kerb_plan_limits* limits,
                             tool_plan_list* list) {
    const kerb_host host = kerb_host_default();
    kerb_error error = {.index = -1};
    kerb_io_notes notes = {0};
    kerb_io_scenarios rows;
    if (is_parking(text)) {
        tool_status status = plan_map_make_room(path, 1, list);
        return status == TOOL_DONE ? read_parking(path, text, size, list) : status;
    }
    if (kerb_io_scenarios_read(&rows, text, size, &host, &notes, &error) != KERB_OK)
        return tool_complain_error(path, &error);
    tool_print_notes(path, &notes);
    tool_status status = plan_map_make_room(path, rows.count, list);
    if (status == TOOL_DONE)
        status = take_rows(path, &rows, rules, limits, list);
    kerb_io_scenarios_destroy(&rows, &host);
    return status;
}

tool_status tool_plan_list_load(const char* path, const tool_plan_map_rules* rules,
                                const kerb_plan_limits* limits, int64_t limit,
                                tool_plan_list* list) {
    char* text;
    size_t size;
    memset(list, 0, sizeof *list);
    if (tool_file_read(path, &text, &size) != TOOL_DONE)
        return TOOL_WRONG;
    tool_status status = read_list(path, text, size, rules, limits, list);
    free(text);
    if (status != TOOL_DONE) {
        tool_plan_list_free(list);
        return status;
    }
    if (limit > 0) {
        qsort(list->cases, (size_t)list->count, sizeof *list->cases, compare_lengths);
        list->count = limit < list->count ? (int32_t)limit : list->count;
    }
    return TOOL_DONE;
}

void tool_plan_list_free(tool_plan_list* list) {
    for (int32_t i = 0; i < list->map_count; i++)
        tool_plan_map_free(&list->maps[i]);
    free(list->maps);
    free(list->cases);
    memset(list, 0, sizeof *list);
}
