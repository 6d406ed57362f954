// Purpose: triangles of .obj files.
// Idea:    The text is read twice by the same code: first only to count, then to fill.
// Cost:    O(length).
#include "kerb/io/obj.h"

#include "io/number.h"

#include <string.h>

typedef struct obj_reader {
    const char *at, *end; // of the text that is left
    int32_t line;
    bool y_up, fills;
    kerb_io_triangles* out;
    int32_t vertices, triangles; // read so far
    kerb_error* error;
} obj_reader;

typedef struct obj_word {
    const char* text;
    size_t length;
} obj_word;

static bool obj_is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// The next word of a line, which begins at *at; an empty one at its end, or at a comment.
static obj_word obj_next_word(const char** at, const char* end) {
    while (*at < end && obj_is_space(**at))
        (*at)++;
    const char* from = *at;
    while (*at < end && !obj_is_space(**at) && **at != '#')
        (*at)++;
    return (obj_word){from, (size_t)(*at - from)};
}

static bool obj_is_word(obj_word word, const char* name) {
    return word.length == strlen(name) && memcmp(word.text, name, word.length) == 0;
}

static kerb_result obj_wrong(obj_reader* r, kerb_result result, const char* field,
                             const char* message) {
    return kerb_error_set(r->error, result, field, r->line, -1, message);
}

static kerb_result obj_read_vertex(obj_reader* r, const char* at, const char* end) {
    float v[3];
    if (r->vertices >= KERB_IO_TRIANGLES_MAX)
        return obj_wrong(r, KERB_ERROR_TOO_MANY, "v", "more than 20,000,000 vertices");
    for (int32_t i = 0; i < 3; i++) {
        obj_word word = obj_next_word(&at, end);
        if (word.length == 0)
            return obj_wrong(r, KERB_ERROR_TOO_FEW, "v", "needs three numbers");
        kerb_result result = kerb_io_number_read_float(word.text, word.length, &v[i]);
        if (result != KERB_OK)
            return obj_wrong(r, result, "v", "must be three finite numbers");
        if (kerb_abs(v[i]) > KERB_POSITION_MAX)
            return obj_wrong(r, KERB_ERROR_OUT_OF_RANGE, "v", "lies too far from the origin");
    }
    if (r->fills)
        r->out->vertices[r->vertices] =
            r->y_up ? kerb_vec3_make(v[2], v[0], v[1]) : kerb_vec3_make(v[0], v[1], v[2]);
    r->vertices++;
    return KERB_OK;
}

// The vertex of a corner: "7", "7/1", "7//3" or "-1".
static kerb_result obj_read_corner(obj_reader* r, obj_word word, int32_t* vertex) {
    const char* slash = memchr(word.text, '/', word.length);
    size_t length = slash != NULL ? (size_t)(slash - word.text) : word.length;
    double number;
    if (kerb_io_number_read_double(word.text, length, &number) != KERB_OK)
        return obj_wrong(r, KERB_ERROR_WRONG_TYPE, "f", "must be indices of vertices");
    double index = number < 0.0 ? (double)r->vertices + number : number - 1.0;
    if (!(index >= 0.0 && index < (double)r->vertices) || index != (double)(int32_t)index)
        return obj_wrong(r, KERB_ERROR_OUT_OF_RANGE, "f", "there is no such vertex before it");
    *vertex = (int32_t)index;
    return KERB_OK;
}

static kerb_result obj_read_face(obj_reader* r, const char* at, const char* end) {
    int32_t corners[3] = {0};
    int32_t count = 0;
    for (;;) {
        obj_word word = obj_next_word(&at, end);
        if (word.length == 0)
            break;
        int32_t place = count < 2 ? count : 2;
        kerb_result result = obj_read_corner(r, word, &corners[place]);
        if (result != KERB_OK)
            return result;
        if (++count < 3)
            continue;
        if (r->triangles >= KERB_IO_TRIANGLES_MAX)
            return obj_wrong(r, KERB_ERROR_TOO_MANY, "f", "more than 20,000,000 triangles");
        if (r->fills)
            memcpy(&r->out->triangles[(ptrdiff_t)3 * r->triangles], corners, sizeof corners);
        r->triangles++;
        corners[1] = corners[2];
    }
    return count >= 3 ? KERB_OK
                      : obj_wrong(r, KERB_ERROR_TOO_FEW, "f", "needs three corners at least");
}

static kerb_result obj_read(obj_reader* r) {
    for (r->line = 1; r->at < r->end; r->line++) {
        const char* end = memchr(r->at, '\n', (size_t)(r->end - r->at));
        const char *stop = end != NULL ? end : r->end, *at = r->at;
        obj_word word = obj_next_word(&at, stop);
        kerb_result result = KERB_OK;
        if (obj_is_word(word, "v"))
            result = obj_read_vertex(r, at, stop);
        else if (obj_is_word(word, "f"))
            result = obj_read_face(r, at, stop);
        if (result != KERB_OK)
            return result;
        r->at = end != NULL ? end + 1 : r->end;
    }
    return KERB_OK;
}

static void* obj_allocate(const kerb_host* host, size_t count, size_t size, size_t* bytes) {
    *bytes = (count > 0 ? count : 1) * size;
    return host->allocator.allocate(host->allocator.context, *bytes, 16);
}

kerb_result kerb_io_triangles_read_obj(kerb_io_triangles* triangles, const char* text,
                                       size_t length, bool y_up, const kerb_host* host,
                                       kerb_error* error) {
    memset(triangles, 0, sizeof *triangles);
    if (length == 0)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "f", 0, -1, "there is no face");
    obj_reader r = {.at = text, .end = text + length, .y_up = y_up, .error = error};
    kerb_result result = obj_read(&r);
    if (result != KERB_OK)
        return result;
    if (r.triangles == 0)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "f", 0, -1, "there is no face");
    triangles->vertex_count = r.vertices;
    triangles->triangle_count = r.triangles;
    triangles->vertices =
        obj_allocate(host, (size_t)r.vertices, sizeof(kerb_vec3), &triangles->bytes[0]);
    triangles->triangles =
        obj_allocate(host, (size_t)r.triangles, 3 * sizeof(int32_t), &triangles->bytes[1]);
    if (triangles->vertices == NULL || triangles->triangles == NULL) {
        kerb_io_triangles_destroy(triangles, host);
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1,
                              "no memory for the triangles");
    }
    r = (obj_reader){
        .at = text, .end = text + length, .y_up = y_up, .fills = true, .out = triangles};
    (void)obj_read(&r); // it was read well before
    return KERB_OK;
}

void kerb_io_triangles_destroy(kerb_io_triangles* triangles, const kerb_host* host) {
    const kerb_allocator* a = &host->allocator;
    if (triangles->vertices != NULL)
        a->release(a->context, triangles->vertices, triangles->bytes[0]);
    if (triangles->triangles != NULL)
        a->release(a->context, triangles->triangles, triangles->bytes[1]);
    memset(triangles, 0, sizeof *triangles);
}
