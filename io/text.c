// Purpose: a text that grows, and notes in a fixed array.
// Idea:    One block, which doubles when it is full. The allocator cannot grow a block, so a new
//          one is allocated and the old one released.
// Cost:    O(n) for n bytes in all.
#include "kerb/io/text.h"

#include "io/number.h"

#include <string.h>

enum { FIRST_CAPACITY = 256 };

kerb_io_text kerb_io_text_make(const kerb_allocator* allocator) {
    kerb_io_text text = {NULL, 0, 0, false, *allocator};
    return text;
}

void kerb_io_text_destroy(kerb_io_text* text) {
    if (text->data)
        text->allocator.release(text->allocator.context, text->data, text->capacity);
    *text = kerb_io_text_make(&text->allocator);
}

// Makes room for so many bytes more and an ending zero.
static bool reserve(kerb_io_text* text, size_t more) {
    if (text->out_of_memory)
        return false;
    if (more < text->capacity - text->length)
        return true;
    size_t capacity = text->capacity > 0 ? text->capacity : FIRST_CAPACITY;
    while (capacity - text->length <= more && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    char* data = NULL;
    if (capacity - text->length > more)
        data = text->allocator.allocate(text->allocator.context, capacity, 1);
    if (!data) {
        text->out_of_memory = true;
        return false;
    }
    if (text->data) {
        memcpy(data, text->data, text->length);
        text->allocator.release(text->allocator.context, text->data, text->capacity);
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void kerb_io_text_add_bytes(kerb_io_text* text, const char* bytes, size_t length) {
    if (!reserve(text, length))
        return;
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void kerb_io_text_add(kerb_io_text* text, const char* string) {
    kerb_io_text_add_bytes(text, string, strlen(string));
}

void kerb_io_text_add_float(kerb_io_text* text, float value) {
    char number[KERB_IO_NUMBER_TEXT_MAX];
    kerb_io_text_add_bytes(text, number, kerb_io_number_write_float(number, value));
}

void kerb_io_text_add_fixed(kerb_io_text* text, double value, int32_t decimals) {
    char number[KERB_IO_NUMBER_TEXT_MAX];
    kerb_io_text_add_bytes(text, number, kerb_io_number_write_fixed(number, value, decimals));
}

void kerb_io_text_add_int(kerb_io_text* text, int32_t value) {
    kerb_io_text_add_fixed(text, (double)value, 0);
}

kerb_result kerb_io_text_result(const kerb_io_text* text, kerb_error* error) {
    if (!text->out_of_memory)
        return KERB_OK;
    return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory for the text");
}

void kerb_io_notes_add(kerb_io_notes* notes, const char* field, int32_t line, const char* message) {
    if (!notes)
        return;
    kerb_error cut; // an error truncates its texts as a note has to
    kerb_error_set(&cut, KERB_OK, field, line, -1, message);
    for (int32_t i = 0; i < notes->count; i++)
        if (notes->rows[i].line == line && strcmp(notes->rows[i].field, cut.field) == 0 &&
            strcmp(notes->rows[i].message, cut.message) == 0)
            return;
    if (notes->count >= KERB_IO_NOTES_MAX) {
        notes->left_out++;
        return;
    }
    kerb_io_note* note = &notes->rows[notes->count++];
    note->line = line;
    memcpy(note->field, cut.field, sizeof note->field);
    memcpy(note->message, cut.message, sizeof note->message);
}
