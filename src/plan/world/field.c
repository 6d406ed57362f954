// Purpose: a distance field: the distance from each cell to the nearest blocked cell.
// Idea:    The obstacles are first grown by one cell on all sides. The distance from the middle of
//          a grown cell to the middle of this cell is then the distance between the nearest points
//          of the two original squares, a lower bound for every point of the cell. Columns are
//          measured first; then each row is the lower envelope of parabolas. All is done in
//          integers.
// Cost:    O(cells); 3 bytes of scratch memory per cell.
// Source:  Meijster, Roerdink and Hesselink, "A general algorithm for computing distance transforms
//          in linear time" (2000).
#include "world.h"

#include <string.h>

// Greatest distance that is measured. The byte of the field counts half cells up to 255, so more is
// not needed. [cells]
#define FIELD_FAR 200

size_t kerb_in_plan_field_scratch(int32_t columns, int32_t rows) {
    size_t cells = (size_t)columns * (size_t)rows;
    return cells * sizeof(uint16_t) + (size_t)columns * 2 * sizeof(int32_t) + cells + 16;
}

// Marks the cells of `blocked` and their eight neighbours in `grown`.
static void field_grow(uint8_t* grown, const uint8_t* blocked, int32_t columns, int32_t rows) {
    memset(grown, 0, (size_t)columns * (size_t)rows);
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns; x++) {
            if (!blocked[(size_t)y * (size_t)columns + (size_t)x])
                continue;
            int32_t y1 = y + 1 < rows ? y + 1 : y, x0 = x > 0 ? x - 1 : x;
            int32_t x1 = x + 1 < columns ? x + 1 : x;
            for (int32_t j = y > 0 ? y - 1 : y; j <= y1; j++)
                memset(grown + (size_t)j * (size_t)columns + (size_t)x0, 1,
                       (size_t)x1 - (size_t)x0 + 1);
        }
}

// Cells up or down to the nearest grown cell of the same column, at most FIELD_FAR.
static void measure_columns(uint16_t* upright, const uint8_t* grown, int32_t columns,
                            int32_t rows) {
    size_t stride = (size_t)columns;
    for (size_t x = 0; x < stride; x++)
        upright[x] = grown[x] ? 0 : FIELD_FAR;
    for (int32_t y = 1; y < rows; y++)
        for (size_t x = 0, i = (size_t)y * stride; x < stride; x++, i++) {
            uint16_t next = (uint16_t)(upright[i - stride] + 1);
            upright[i] = grown[i] ? 0 : next < FIELD_FAR ? next : FIELD_FAR;
        }
    for (int32_t y = rows - 2; y >= 0; y--)
        for (size_t x = 0, i = (size_t)y * stride; x < stride; x++, i++) {
            uint16_t next = (uint16_t)(upright[i + stride] + 1);
            if (next < upright[i])
                upright[i] = next;
        }
}

// A distance in half cells, rounded down, from its square in cells.
static uint8_t half_cells(int32_t squared) {
    int32_t halves = (int32_t)kerb_sqrt((float)(4 * squared));
    return (uint8_t)(halves < 255 ? halves : 255);
}

static int32_t square(int32_t x) {
    return x * x;
}

// The first column where parabola u lies below parabola i. [i < u] The integer division rounds
// down, then one is added.
static int32_t takes_over(const uint16_t* upright, int32_t i, int32_t u) {
    int32_t over = u * u - i * i + square(upright[u]) - square(upright[i]);
    int32_t under = 2 * (u - i);
    int32_t quotient = over / under;
    return (over % under < 0 ? quotient - 1 : quotient) + 1;
}

static void measure_row(uint8_t* field, const uint16_t* upright, int32_t columns, int32_t* lowest,
                        int32_t* since) {
    int32_t top = 0;
    lowest[0] = since[0] = 0;
    for (int32_t u = 1; u < columns; u++) {
        while (top >= 0 && square(since[top] - lowest[top]) + square(upright[lowest[top]]) >
                               square(since[top] - u) + square(upright[u]))
            top--;
        int32_t from = top < 0 ? 0 : takes_over(upright, lowest[top], u);
        if (from < columns) {
            top++;
            lowest[top] = u;
            since[top] = from;
        }
    }
    for (int32_t u = columns - 1; u >= 0; u--) {
        field[u] = half_cells(square(u - lowest[top]) + square(upright[lowest[top]]));
        if (u == since[top])
            top--;
    }
}

void kerb_in_plan_field_measure(uint8_t* field, const uint8_t* blocked, int32_t columns,
                                int32_t rows, void* scratch) {
    size_t cells = (size_t)columns * (size_t)rows;
    int32_t* lowest = scratch;
    int32_t* since = lowest + columns;
    uint16_t* upright = (uint16_t*)(void*)(since + columns);
    uint8_t* grown = (uint8_t*)(upright + cells);
    field_grow(grown, blocked, columns, rows);
    measure_columns(upright, grown, columns, rows);
    for (int32_t y = 0; y < rows; y++)
        measure_row(field + (size_t)y * (size_t)columns, upright + (size_t)y * (size_t)columns,
                    columns, lowest, since);
}
