// Purpose: what the readers of SUMO's files share: lists, texts, tables of names, attributes.
// Idea:    Lists double, texts lie in chunks that never move, names are found in a table with open
//          addresses, so that a million edges are read in linear time.
// Cost:    O(1) for each item on average.
#include "io/sumo_parts.h"

#include "io/number.h"
#include "io/quote.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------------------- lists and texts

void* kerb_io_sumo_add(const kerb_allocator* allocator, sumo_list* list) {
    if (list->count == list->capacity) {
        int32_t capacity = list->capacity > 0 ? 2 * list->capacity : 16;
        if (list->count >= KERB_IO_SUMO_ITEMS_MAX)
            return NULL;
        void* more = allocator->allocate(allocator->context, (size_t)capacity * list->size,
                                         _Alignof(max_align_t));
        if (!more)
            return NULL;
        if (list->count > 0)
            memcpy(more, list->items, (size_t)list->count * list->size);
        int32_t count = list->count;
        kerb_io_sumo_list_destroy(allocator, list);
        list->items = more;
        list->count = count;
        list->capacity = capacity;
    }
    void* item = (char*)list->items + (size_t)list->count++ * list->size;
    return memset(item, 0, list->size);
}

void kerb_io_sumo_list_destroy(const kerb_allocator* allocator, sumo_list* list) {
    if (list->items)
        allocator->release(allocator->context, list->items, (size_t)list->capacity * list->size);
    list->items = NULL;
    list->count = list->capacity = 0;
}

enum { SUMO_CHUNK = 65536 };

static bool sumo_pool_grow(sumo_pool* pool, size_t need) {
    size_t size = sizeof(sumo_chunk) + (need > SUMO_CHUNK ? need : SUMO_CHUNK);
    sumo_chunk* chunk =
        pool->allocator.allocate(pool->allocator.context, size, _Alignof(max_align_t));
    if (!chunk)
        return false;
    *chunk = (sumo_chunk){.next = pool->chunk, .size = size, .used = sizeof *chunk};
    pool->chunk = chunk;
    return true;
}

const char* kerb_io_sumo_keep(sumo_pool* pool, const char* text, size_t length) {
    if (!pool->chunk || pool->chunk->size - pool->chunk->used < length + 1)
        if (!sumo_pool_grow(pool, length + 1))
            return NULL;
    char* kept = (char*)pool->chunk + pool->chunk->used;
    memcpy(kept, text, length);
    kept[length] = 0;
    pool->chunk->used += length + 1;
    return kept;
}

void kerb_io_sumo_pool_destroy(sumo_pool* pool) {
    while (pool->chunk) {
        sumo_chunk* next = pool->chunk->next;
        pool->allocator.release(pool->allocator.context, pool->chunk, pool->chunk->size);
        pool->chunk = next;
    }
}

// --------------------------------------------------------------------------- names

// FNV-1a, 64 bits (Fowler, Noll, Vo).
static uint64_t sumo_hash(const char* name, size_t length) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 1099511628211u;
    return hash ^ (hash >> 32);
}

// The slot of a name, or the empty one where it belongs.
static sumo_name* sumo_slot(const sumo_names* names, const char* name, size_t length) {
    size_t mask = (size_t)names->capacity - 1, at = (size_t)sumo_hash(name, length) & mask;
    for (;; at = (at + 1) & mask) {
        sumo_name* slot = &names->slots[at];
        if (!slot->name || (strncmp(slot->name, name, length) == 0 && !slot->name[length]))
            return slot;
    }
}

int32_t kerb_io_sumo_name_find(const sumo_names* names, const char* name, size_t length) {
    if (names->capacity == 0)
        return -1;
    const sumo_name* slot = sumo_slot(names, name, length);
    return slot->name ? slot->index : -1;
}

static bool sumo_names_grow(const kerb_allocator* allocator, sumo_names* names) {
    sumo_names more = {.capacity = names->capacity > 0 ? 2 * names->capacity : 64};
    more.slots = allocator->allocate(allocator->context, (size_t)more.capacity * sizeof *more.slots,
                                     _Alignof(max_align_t));
    if (!more.slots)
        return false;
    memset(more.slots, 0, (size_t)more.capacity * sizeof *more.slots);
    for (int32_t i = 0; i < names->capacity; i++)
        if (names->slots[i].name)
            *sumo_slot(&more, names->slots[i].name, strlen(names->slots[i].name)) = names->slots[i];
    more.count = names->count;
    kerb_io_sumo_names_destroy(allocator, names);
    *names = more;
    return true;
}

bool kerb_io_sumo_name_add(const kerb_allocator* allocator, sumo_names* names, const char* name,
                           int32_t index) {
    if (2 * (int64_t)(names->count + 1) > names->capacity && !sumo_names_grow(allocator, names))
        return false;
    sumo_name* slot = sumo_slot(names, name, strlen(name));
    names->count += !slot->name;
    slot->name = name;
    slot->index = index;
    return true;
}

void kerb_io_sumo_names_destroy(const kerb_allocator* allocator, sumo_names* names) {
    if (names->slots)
        allocator->release(allocator->context, names->slots,
                           (size_t)names->capacity * sizeof *names->slots);
    *names = (sumo_names){0};
}

// --------------------------------------------------------------------------- messages

void kerb_io_sumo_element(sumo_reader* in, const char* element, const char** attributes,
                          const char* id_name) {
    const char* id = id_name ? kerb_io_xml_attribute(attributes, id_name) : NULL;
    in->element = element;
    in->id[0] = 0;
    if (id) {
        char quoted[KERB_IO_QUOTE_MAX];
        kerb_io_quote(quoted, id, strlen(id));
        snprintf(in->id, sizeof in->id, " \"%s\"", quoted);
    }
}

static void sumo_message(const sumo_reader* in, const char* message, char text[144]) {
    snprintf(text, 144, "%s%s: %s", in->element ? in->element : "file", in->id, message);
}

void kerb_io_sumo_refuse(sumo_reader* in, kerb_result result, const char* field,
                         const char* message) {
    char text[144];
    sumo_message(in, message, text);
    kerb_io_xml_refuse(in->xml, result, field, text);
}

void kerb_io_sumo_note(sumo_reader* in, const char* field, const char* message) {
    char text[144];
    sumo_message(in, message, text);
    kerb_io_notes_add(in->notes, field, kerb_io_xml_line(in->xml), text);
}

// --------------------------------------------------------------------------- attributes

static bool sumo_read_number(sumo_reader* in, const char* name, const char* text, size_t length,
                             double* value) {
    kerb_result result = kerb_io_number_read_double(text, length, value);
    if (result == KERB_OK)
        return true;
    char quoted[KERB_IO_QUOTE_MAX], message[96];
    kerb_io_quote(quoted, text, length);
    snprintf(message, sizeof message, "%s: \"%s\"",
             result == KERB_ERROR_WRONG_TYPE ? "must be a number" : "must be a finite number",
             quoted);
    kerb_io_sumo_refuse(in, result, name, message);
    return false;
}

double kerb_io_sumo_number(sumo_reader* in, const char** attributes, const char* name,
                           double standard, double least, double most) {
    const char* text = kerb_io_xml_attribute(attributes, name);
    double value = 0.0;
    if (!text && !isnan(standard))
        return standard;
    if (!text)
        kerb_io_sumo_refuse(in, KERB_ERROR_MISSING_FIELD, name, "needs this attribute");
    else if (sumo_read_number(in, name, text, strlen(text), &value)) {
        char message[96];
        if (value >= least && value <= most)
            return value;
        snprintf(message, sizeof message, "must be from %.9g to %.9g", least, most);
        kerb_io_sumo_refuse(in, KERB_ERROR_OUT_OF_RANGE, name, message);
    }
    return least > 0.0 ? least : 0.0;
}

int32_t kerb_io_sumo_integer(sumo_reader* in, const char** attributes, const char* name,
                             int32_t standard, int32_t least, int32_t most) {
    double value = kerb_io_sumo_number(in, attributes, name, standard, least, most);
    if (value != floor(value))
        kerb_io_sumo_refuse(in, KERB_ERROR_WRONG_TYPE, name, "must be a whole number");
    return (int32_t)value;
}

bool kerb_io_sumo_bool(const char** attributes, const char* name, bool standard) {
    const char* text = kerb_io_xml_attribute(attributes, name);
    return text ? text[0] && strchr("1tTyYxX", text[0]) != NULL : standard;
}

const char* kerb_io_sumo_text(sumo_reader* in, const char** attributes, const char* name) {
    const char* text = kerb_io_xml_attribute(attributes, name);
    if (!text)
        kerb_io_sumo_refuse(in, KERB_ERROR_MISSING_FIELD, name, "needs this attribute");
    return text ? text : "";
}

const char* kerb_io_sumo_kept(sumo_reader* in, const char** attributes, const char* name) {
    const char* text = kerb_io_sumo_text(in, attributes, name);
    const char* kept = kerb_io_sumo_keep(in->pool, text, strlen(text));
    if (!kept)
        kerb_io_sumo_refuse(in, KERB_ERROR_OUT_OF_MEMORY, "", "no memory for its texts");
    return kept ? kept : "";
}

void* kerb_io_sumo_item(sumo_reader* in, sumo_list* list) {
    void* item = kerb_io_sumo_add(in->allocator, list);
    if (!item && list->count >= KERB_IO_SUMO_ITEMS_MAX)
        kerb_io_sumo_refuse(in, KERB_ERROR_TOO_MANY, "", "the file has too many elements");
    else if (!item)
        kerb_io_sumo_refuse(in, KERB_ERROR_OUT_OF_MEMORY, "", "no memory for it");
    return item;
}

bool kerb_io_sumo_word(const char** text, const char** word, size_t* length) {
    const char* at = *text + strspn(*text, " \t\r\n,;");
    *word = at;
    *length = strcspn(at, " \t\r\n,;");
    *text = at + *length;
    return *length > 0;
}

// --------------------------------------------------------------------------- classes

static const struct {
    const char* name;
    uint32_t bit;
} sumo_classes[] = {
    {"passenger", KERB_IO_SUMO_CAR},
    {"private", KERB_IO_SUMO_CAR},
    {"hov", KERB_IO_SUMO_TAXI},
    {"taxi", KERB_IO_SUMO_TAXI},
    {"evehicle", KERB_IO_SUMO_CAR},
    {"vip", KERB_IO_SUMO_TAXI},
    {"army", KERB_IO_SUMO_TAXI},
    {"custom1", KERB_IO_SUMO_TAXI},
    {"custom2", KERB_IO_SUMO_TAXI},
    {"bus", KERB_IO_SUMO_BUS},
    {"coach", KERB_IO_SUMO_BUS},
    {"delivery", KERB_IO_SUMO_TRUCK},
    {"truck", KERB_IO_SUMO_TRUCK},
    {"trailer", KERB_IO_SUMO_TRUCK},
    {"emergency", KERB_IO_SUMO_EMERGENCY},
    {"authority", KERB_IO_SUMO_EMERGENCY},
    {"motorcycle", KERB_IO_SUMO_MOTORCYCLE},
    {"moped", KERB_IO_SUMO_MOTORCYCLE},
    {"all", KERB_IO_SUMO_ALL_CLASSES},
    {"ignoring", KERB_IO_SUMO_ALL_CLASSES},
};

uint32_t kerb_io_sumo_class_bit(const char* word, size_t length) {
    for (size_t i = 0; i < sizeof sumo_classes / sizeof *sumo_classes; i++)
        if (strlen(sumo_classes[i].name) == length &&
            memcmp(sumo_classes[i].name, word, length) == 0)
            return sumo_classes[i].bit;
    return 0;
}

uint32_t kerb_io_sumo_classes(const char* words) {
    uint32_t bits = 0;
    const char* word;
    size_t length;
    while (kerb_io_sumo_word(&words, &word, &length))
        bits |= kerb_io_sumo_class_bit(word, length);
    return bits;
}
