// Purpose: reads parking cases of the TPCAP competition: a row of numbers.
// Cost:    O(length).
#include "io/number.h"
#include "kerb/io/scenario.h"

#include <string.h>

#define POLYGONS_MOST 100000
#define VERTICES_MOST 1000000
// Starts further from zero than NEAR get an origin of their own; nothing may lie beyond FAR. [m]
#define NEAR 1e4
#define FAR 1e6

typedef struct parking_numbers {
    const char* at;
    const char* end;
    int32_t index; // of the last that was read
    kerb_error* error;
} parking_numbers;

static kerb_result parking_refuse(const parking_numbers* in, kerb_result result, const char* field,
                                  const char* message) {
    return kerb_error_set(in->error, result, field, 1, in->index, message);
}

static bool parking_is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void parking_skip_spaces(parking_numbers* in) {
    while (in->at < in->end && parking_is_space(*in->at))
        in->at++;
}

static kerb_result parking_read_number(parking_numbers* in, const char* field, double least,
                                       double most, double* value) {
    parking_skip_spaces(in);
    in->index++;
    *value = 0.0;
    if (in->at == in->end)
        return parking_refuse(in, KERB_ERROR_TOO_FEW, "numbers", "end too soon");
    const char* comma = memchr(in->at, ',', (size_t)(in->end - in->at));
    const char* stop = comma ? comma : in->end;
    const char* last = stop;
    while (last > in->at && parking_is_space(last[-1]))
        last--;
    kerb_result result = kerb_io_number_read_double(in->at, (size_t)(last - in->at), value);
    if (result != KERB_OK)
        return parking_refuse(in, result, field, "must be a finite number");
    if (!(*value >= least && *value <= most))
        return parking_refuse(in, KERB_ERROR_OUT_OF_RANGE, field, "lies outside its range");
    in->at = comma ? comma + 1 : in->end;
    return KERB_OK;
}

static kerb_result parking_read_whole(parking_numbers* in, const char* field, int32_t least,
                                      int32_t most, int32_t* value) {
    double number = 0.0;
    kerb_result result = parking_read_number(in, field, (double)least, (double)most, &number);
    if (result != KERB_OK)
        return result;
    *value = (int32_t)number;
    if ((double)*value != number)
        return parking_refuse(in, KERB_ERROR_WRONG_TYPE, field, "must be a whole number");
    return KERB_OK;
}

// As seen from the list's own origin; some cases lie further from zero than floats can tell apart.
static kerb_result read_place(parking_numbers* in, const char* field, const double shift[2],
                              double n[2]) {
    for (int32_t i = 0; i < 2; i++) {
        kerb_result result = parking_read_number(in, field, -1e12, 1e12, &n[i]);
        if (result != KERB_OK)
            return result;
        n[i] -= shift[i];
        if (!(n[i] >= -FAR && n[i] <= FAR))
            return parking_refuse(in, KERB_ERROR_OUT_OF_RANGE, field,
                                  "lies too far from the start");
    }
    return KERB_OK;
}

static kerb_result read_pose(parking_numbers* in, const char* field, kerb_io_parking* parking,
                             kerb_pose* pose) {
    double n[2] = {0.0, 0.0}, heading = 0.0;
    kerb_result result = read_place(in, field, parking->shift, n);
    if (result == KERB_OK)
        result = parking_read_number(in, field, -1e6, 1e6, &heading);
    if (result == KERB_OK)
        *pose = kerb_pose_make((float)n[0], (float)n[1], (float)heading);
    return result;
}

static double whole_if_far(double x) {
    return x > NEAR || x < -NEAR ? (double)(int64_t)x : 0.0;
}

// Before anything is kept: where the start lies.
static kerb_result read_shift(parking_numbers in, kerb_io_parking* parking) {
    for (int32_t i = 0; i < 2; i++) {
        kerb_result result = parking_read_number(&in, "start", -1e12, 1e12, &parking->shift[i]);
        if (result != KERB_OK)
            return result;
    }
    bool is_far = whole_if_far(parking->shift[0]) != 0.0 || whole_if_far(parking->shift[1]) != 0.0;
    for (int32_t i = 0; i < 2; i++)
        parking->shift[i] = is_far ? (double)(int64_t)parking->shift[i] : 0.0;
    return KERB_OK;
}

static kerb_result read_counts(parking_numbers* in, kerb_io_parking* parking) {
    for (int32_t i = 0; i < parking->polygon_count; i++) {
        kerb_result result =
            parking_read_whole(in, "vertex_counts", 3, VERTICES_MOST, &parking->vertex_counts[i]);
        if (result != KERB_OK)
            return result;
        if (parking->vertex_counts[i] > VERTICES_MOST - parking->vertex_count)
            return parking_refuse(in, KERB_ERROR_TOO_MANY, "vertices", "are more than 1000000");
        parking->vertex_count += parking->vertex_counts[i];
    }
    return KERB_OK;
}

static kerb_result read_vertices(parking_numbers* in, kerb_io_parking* parking) {
    for (int32_t i = 0; i < parking->vertex_count; i++) {
        double n[2];
        kerb_result result = read_place(in, "vertices", parking->shift, n);
        if (result != KERB_OK)
            return result;
        parking->vertices[i] = (kerb_vec2){(float)n[0], (float)n[1]};
    }
    parking_skip_spaces(in);
    if (in->at < in->end)
        return parking_refuse(in, KERB_ERROR_TOO_MANY, "numbers", "more than the polygons need");
    return KERB_OK;
}

static void* take(const kerb_host* host, size_t bytes) {
    return host->allocator.allocate(host->allocator.context, bytes > 0 ? bytes : 1, 16);
}

static void give(const kerb_host* host, void* block, size_t bytes) {
    if (block)
        host->allocator.release(host->allocator.context, block, bytes > 0 ? bytes : 1);
}

static kerb_result read_polygons(parking_numbers* in, kerb_io_parking* parking,
                                 const kerb_host* host) {
    kerb_result result =
        parking_read_whole(in, "polygons", 0, POLYGONS_MOST, &parking->polygon_count);
    if (result != KERB_OK)
        return result;
    parking->vertex_counts =
        take(host, (size_t)parking->polygon_count * sizeof *parking->vertex_counts);
    if (!parking->vertex_counts)
        return parking_refuse(in, KERB_ERROR_OUT_OF_MEMORY, "polygons", "out of memory");
    result = read_counts(in, parking);
    if (result != KERB_OK)
        return result;
    // Before memory is asked for: so many numbers need so much text.
    if ((size_t)(in->end - in->at) <
        4 * (size_t)parking->vertex_count - (parking->vertex_count > 0))
        return parking_refuse(in, KERB_ERROR_TOO_FEW, "numbers", "end too soon");
    parking->vertices = take(host, (size_t)parking->vertex_count * sizeof *parking->vertices);
    if (!parking->vertices)
        return parking_refuse(in, KERB_ERROR_OUT_OF_MEMORY, "vertices", "out of memory");
    return read_vertices(in, parking);
}

kerb_result kerb_io_parking_read(kerb_io_parking* parking, const char* text, size_t length,
                                 const kerb_host* host, kerb_error* error) {
    parking_numbers in = {text, text + length, -1, error};
    memset(parking, 0, sizeof *parking);
    kerb_result result = read_shift(in, parking);
    if (result == KERB_OK)
        result = read_pose(&in, "start", parking, &parking->from);
    if (result == KERB_OK)
        result = read_pose(&in, "goal", parking, &parking->to);
    if (result == KERB_OK)
        result = read_polygons(&in, parking, host);
    if (result != KERB_OK)
        kerb_io_parking_destroy(parking, host);
    return result;
}

void kerb_io_parking_destroy(kerb_io_parking* parking, const kerb_host* host) {
    give(host, parking->vertices, (size_t)parking->vertex_count * sizeof *parking->vertices);
    give(host, parking->vertex_counts,
         (size_t)parking->polygon_count * sizeof *parking->vertex_counts);
    memset(parking, 0, sizeof *parking);
}
