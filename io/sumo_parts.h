// What the readers of SUMO's files share: lists that grow, texts, tables of names, attributes with
// errors that name the element.
#ifndef KERB_IO_SUMO_PARTS_H
#define KERB_IO_SUMO_PARTS_H

#include "io/xml.h"
#include "kerb/io/sumo_network.h"

/// A list that grows. Items are zeros at first.
typedef struct sumo_list {
    void* items;
    int32_t count, capacity;
    size_t size; ///< of an item [bytes]
} sumo_list;

/// A name and an index, kept in a table with open addresses.
typedef struct sumo_name {
    const char* name;
    int32_t index;
} sumo_name;

typedef struct sumo_names {
    sumo_name* slots;
    int32_t count, capacity; ///< capacity is 0 or a power of two
} sumo_names;

/// Where texts lie: chunks that never move.
typedef struct sumo_chunk sumo_chunk;
struct sumo_chunk {
    sumo_chunk* next;
    size_t size, used;
};

typedef struct sumo_pool {
    kerb_allocator allocator;
    sumo_chunk* chunk;
} sumo_pool;

/// A new item, or NULL when there is no memory or the list is full.
void* kerb_io_sumo_add(const kerb_allocator* allocator, sumo_list* list);
void kerb_io_sumo_list_destroy(const kerb_allocator* allocator, sumo_list* list);

/// A copy of the text that lives as long as the pool, or NULL when there is no memory.
const char* kerb_io_sumo_keep(sumo_pool* pool, const char* text, size_t length);
void kerb_io_sumo_pool_destroy(sumo_pool* pool);

/// Index of the name, or -1.
int32_t kerb_io_sumo_name_find(const sumo_names* names, const char* name, size_t length);
/// Adds a name that must outlive the table. False when there is no memory. A name that is there
/// already gets the new index.
bool kerb_io_sumo_name_add(const kerb_allocator* allocator, sumo_names* names, const char* name,
                           int32_t index);
void kerb_io_sumo_names_destroy(const kerb_allocator* allocator, sumo_names* names);

/// What the network keeps in `memory`.
typedef struct sumo_network_memory {
    sumo_pool pool;
    sumo_names edges, lanes, junctions, signals;
    sumo_list lists[10]; ///< those of the network, in the order of sumo_kind
    int32_t open_signal; ///< whose tlLogic is being read; -1: none
} sumo_network_memory;

typedef enum sumo_kind {
    SUMO_EDGES,
    SUMO_LANES,
    SUMO_CONNECTIONS,
    SUMO_JUNCTIONS,
    SUMO_REQUESTS,
    SUMO_SIGNALS,
    SUMO_PHASES,
    SUMO_ROUNDABOUTS,
    SUMO_POINTS,
    SUMO_MEMBERS
} sumo_kind;

/// What a reader of XML has at hand: the element that is open, for messages.
typedef struct sumo_reader {
    kerb_io_xml* xml;
    const kerb_allocator* allocator;
    sumo_pool* pool;
    kerb_io_notes* notes;
    const char* element; ///< "lane"
    char id[40];         ///< of the element, quoted; empty where it has none
} sumo_reader;

/// Says which element is read, with the attribute that names it.
void kerb_io_sumo_element(sumo_reader* in, const char* element, const char** attributes,
                          const char* id_name);

/// Refuses the file: "lane "a_0": message".
void kerb_io_sumo_refuse(sumo_reader* in, kerb_result result, const char* field,
                         const char* message);
/// The same as a note.
void kerb_io_sumo_note(sumo_reader* in, const char* field, const char* message);

/// A number from `least` to `most`; `standard` where the attribute is missing, which is refused
/// when that is NAN.
double kerb_io_sumo_number(sumo_reader* in, const char** attributes, const char* name,
                           double standard, double least, double most);
int32_t kerb_io_sumo_integer(sumo_reader* in, const char** attributes, const char* name,
                             int32_t standard, int32_t least, int32_t most);
bool kerb_io_sumo_bool(const char** attributes, const char* name, bool standard);
/// The attribute's text, refused where it is missing. Never NULL.
const char* kerb_io_sumo_text(sumo_reader* in, const char** attributes, const char* name);
/// The same, kept in the pool.
const char* kerb_io_sumo_kept(sumo_reader* in, const char** attributes, const char* name);

/// A new item with a refusal where there is none.
void* kerb_io_sumo_item(sumo_reader* in, sumo_list* list);

/// The next word of a list of words separated by spaces; false at the end. `*text` moves on.
bool kerb_io_sumo_word(const char** text, const char** word, size_t* length);

/// Bits of the classes that a list of words names.
uint32_t kerb_io_sumo_classes(const char* words);
/// The bit of one class; 0 for one that Kerb does not drive.
uint32_t kerb_io_sumo_class_bit(const char* word, size_t length);

/// Reads a tlLogic element and its phases into the network. Used for networks and additional files.
void kerb_io_sumo_signal_start(sumo_reader* in, kerb_io_sumo_network* network,
                               const char** attributes);
void kerb_io_sumo_phase_start(sumo_reader* in, kerb_io_sumo_network* network,
                              const char** attributes);
void kerb_io_sumo_signal_end(sumo_reader* in, kerb_io_sumo_network* network);

/// Points of the network's fields at the lists of its memory.
void kerb_io_sumo_publish(kerb_io_sumo_network* network);

#endif
