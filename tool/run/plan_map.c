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

// The file of that name in the folder of `path`.
static tool_status beside(const char* path, const char* name, char* full, size_t size) {
    const char* slash = strrchr(path, '/');
    size_t folder = slash && name[0] != '/' ? (size_t)(slash - path) + 1 : 0;
    if (folder + strlen(name) >= size)
        return tool_complain("%s: the name of a file is too long: %s", path, name);
    memcpy(full, path, folder);
    memcpy(full + folder, name, strlen(name) + 1);
    return TOOL_DONE;
}

// --------------------------------------------------------------------------- pictures

static tool_status read_pgm(const char* path, const kerb_io_map_info* info, tool_plan_map* map) {
    const kerb_host host = kerb_host_default();
    kerb_error error = {.index = -1};
    char* bytes;
    size_t size;
    if (tool_file_read(path, &bytes, &size) != TOOL_DONE)
        return TOOL_WRONG;
    kerb_result result = kerb_io_grid_map_read_pgm(&map->grid, bytes, size, info, &host, &error);
    free(bytes);
    return result == KERB_OK ? TOOL_DONE : tool_complain_error(path, &error);
}

#ifdef KERB_HAVE_CAIRO

// What cannot be seen through or barely is as dark as its colour; the rest is light.
static bool is_blocked(const kerb_io_map_info* info, const unsigned char* pixel,
                       cairo_format_t format) {
    uint32_t argb;
    memcpy(&argb, pixel, sizeof argb);
    uint32_t alpha = format == CAIRO_FORMAT_ARGB32 ? argb >> 24 : 255;
    uint32_t sum = (argb >> 16 & 255) + (argb >> 8 & 255) + (argb & 255) + 3 * (255 - alpha);
    return kerb_io_map_info_is_blocked(info, (float)sum / 765.0f);
}

static tool_status take_pixels(cairo_surface_t* surface, const char* path,
                               const kerb_io_map_info* info, tool_plan_map* map) {
    cairo_format_t format = cairo_image_surface_get_format(surface);
    int columns = cairo_image_surface_get_width(surface);
    int rows = cairo_image_surface_get_height(surface);
    int stride = cairo_image_surface_get_stride(surface);
    const unsigned char* pixels = cairo_image_surface_get_data(surface);
    if (format == CAIRO_FORMAT_A8 || format == CAIRO_FORMAT_A1 || columns < 1 || rows < 1 ||
        columns > KERB_PLAN_CELLS_MAX || rows > KERB_PLAN_CELLS_MAX)
        return tool_complain("%s: not a picture of up to 32768 by 32768 pixels", path);
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
            grid.cells[(size_t)y * (size_t)columns + (size_t)x] =
                is_blocked(info, pixel, format) ? 255 : 0;
        }
    map->grid = grid;
    return TOOL_DONE;
}

static tool_status read_png(const char* path, const kerb_io_map_info* info, tool_plan_map* map) {
    cairo_surface_t* surface = cairo_image_surface_create_from_png(path);
    tool_status status = TOOL_WRONG;
    if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
        status = take_pixels(surface, path, info, map);
    else
        tool_complain("%s: %s", path, cairo_status_to_string(cairo_surface_status(surface)));
    cairo_surface_destroy(surface);
    return status;
}

#else

static tool_status read_png(const char* path, const kerb_io_map_info* info, tool_plan_map* map) {
    (void)info;
    (void)map;
    return tool_complain("%s: this build reads no PNG, it was made without cairo", path);
}

#endif

// `picture`: read that one; NULL: the one that the file names.
static tool_status read_yaml(const char* path, const char* picture, tool_plan_map* map) {
    kerb_error error = {.index = -1};
    kerb_io_map_info info;
    char* text;
    char image[512];
    size_t size;
    if (tool_file_read(path, &text, &size) != TOOL_DONE)
        return TOOL_WRONG;
    kerb_result result = kerb_io_map_info_read(&info, text, size, &error);
    free(text);
    if (result != KERB_OK)
        return tool_complain_error(path, &error);
    if (!picture && beside(path, info.image, image, sizeof image) != TOOL_DONE)
        return TOOL_WRONG;
    if (!picture)
        picture = image;
    tool_status status =
        ends_in(picture, ".png") ? read_png(picture, &info, map) : read_pgm(picture, &info, map);
    map->world.cell_size = info.resolution;
    map->world.origin = info.origin;
    return status;
}

static tool_status read_picture(const char* path, tool_plan_map* map) {
    char yaml[512];
    size_t stem = strlen(path) - 4;
    if (stem + 6 > sizeof yaml)
        return tool_complain("%s: the name is too long", path);
    snprintf(yaml, sizeof yaml, "%.*s.yaml", (int)stem, path);
    return read_yaml(yaml, path, map);
}

static tool_status read_movingai(const char* path, tool_plan_map* map) {
    const kerb_host host = kerb_host_default();
    kerb_error error = {.index = -1};
    char* text;
    size_t size;
    if (tool_file_read(path, &text, &size) != TOOL_DONE)
        return TOOL_WRONG;
    kerb_result result = kerb_io_grid_map_read_movingai(&map->grid, text, size, &host, &error);
    free(text);
    map->world.cell_size = 1.0f;
    return result == KERB_OK ? TOOL_DONE : tool_complain_error(path, &error);
}

tool_status tool_plan_map_load(const char* path, tool_plan_map* map) {
    memset(map, 0, sizeof *map);
    if (strlen(path) >= sizeof map->path)
        return tool_complain("%s: the name is too long", path);
    memcpy(map->path, path, strlen(path) + 1);
    tool_status status;
    if (ends_in(path, ".yaml") || ends_in(path, ".yml"))
        status = read_yaml(path, NULL, map);
    else if (ends_in(path, ".pgm") || ends_in(path, ".png"))
        status = read_picture(path, map);
    else
        status = read_movingai(path, map);
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
static int32_t map_of(const char* path, const char* name, tool_plan_list* list) {
    char full[512];
    if (name[0] == '\0')
        return -1;
    if (beside(path, name, full, sizeof full) != TOOL_DONE)
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
    if (tool_plan_map_load(full, &list->maps[list->map_count]) != TOOL_DONE)
        return -2;
    return list->map_count++;
}

static kerb_plan_end end_of(const double* n, kerb_io_scenario_kind kind) {
    if (kind == KERB_IO_SCENARIO_CELLS)
        return kerb_plan_end_make((float)n[0] + 0.5f, (float)n[1] + 0.5f, 0.0f, 0.0f);
    double turn = n[2] * 3.14159265358979 / 180.0;
    return kerb_plan_end_make((float)n[0], (float)n[1], (float)turn, (float)n[3]);
}

static tool_status take_rows(const char* path, const kerb_io_scenarios* rows,
                             const kerb_plan_limits* limits, tool_plan_list* list) {
    list->car = rows->kind == KERB_IO_SCENARIO_CELLS ? "a car nearly as wide as a cell" : NULL;
    for (int32_t i = 0; i < rows->count; i++) {
        const kerb_io_scenario* row = &rows->rows[i];
        bool cells = rows->kind == KERB_IO_SCENARIO_CELLS;
        tool_plan_case* c = &list->cases[i];
        c->map = map_of(path, row->map, list);
        if (c->map == -2)
            return TOOL_WRONG;
        c->task.limits = cells ? kerb_scene_plan_cell_car() : *limits;
        c->task.from = end_of(row->numbers, rows->kind);
        c->task.to = end_of(row->numbers + (cells ? 2 : 4), rows->kind);
        c->any_heading = cells;
        c->index = i;
        kerb_vec2 away = kerb_vec2_sub(c->task.to.pose.position, c->task.from.pose.position);
        c->length = cells ? row->length : (double)kerb_sqrt(kerb_vec2_dot(away, away));
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

static tool_status read_list(const char* path, const char* text, size_t size,
                             const kerb_plan_limits* limits, tool_plan_list* list) {
    const kerb_host host = kerb_host_default();
    kerb_error error = {.index = -1};
    kerb_io_scenarios rows;
    // A number at the beginning is a parking case, the others begin with words.
    bool is_parking = size > 0 && (strchr("+-.0123456789", text[0]) != NULL);
    if (is_parking) {
        tool_status status = plan_map_make_room(path, 1, list);
        return status == TOOL_DONE ? read_parking(path, text, size, list) : status;
    }
    if (kerb_io_scenarios_read(&rows, text, size, &host, &error) != KERB_OK)
        return tool_complain_error(path, &error);
    tool_status status = plan_map_make_room(path, rows.count, list);
    if (status == TOOL_DONE)
        status = take_rows(path, &rows, limits, list);
    kerb_io_scenarios_destroy(&rows, &host);
    return status;
}

tool_status tool_plan_list_load(const char* path, const kerb_plan_limits* limits, int64_t limit,
                                tool_plan_list* list) {
    char* text;
    size_t size;
    memset(list, 0, sizeof *list);
    if (tool_file_read(path, &text, &size) != TOOL_DONE)
        return TOOL_WRONG;
    tool_status status = read_list(path, text, size, limits, list);
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
