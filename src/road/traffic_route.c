// Purpose: routes that vehicles follow: lists of edges in chunks.
// Cost:    O(1).
#include "traffic_parts.h"

static void chunk_release(city_view* t, int32_t chunk) {
    t->chunks[chunk].next = t->head->free_chunk;
    t->head->free_chunk = chunk;
}

void kerb_in_route_advance(city_view* t, city_car* c) {
    if (++c->chunk_at < CHUNK_EDGES)
        return;
    int32_t next = t->chunks[c->chunk].next;
    chunk_release(t, c->chunk);
    c->chunk = next;
    c->chunk_at = 0;
}

void kerb_in_route_drop(city_view* t, city_car* c) {
    while (c->chunk >= 0) {
        int32_t next = t->chunks[c->chunk].next;
        chunk_release(t, c->chunk);
        c->chunk = next;
    }
}

static int32_t chunks_free(const city_view* t, int32_t enough) {
    int32_t count = 0;
    for (int32_t i = t->head->free_chunk; i >= 0 && count < enough; i = t->chunks[i].next)
        count++;
    return count;
}

bool kerb_in_route_store(city_view* t, city_car* c, const int32_t* way, int32_t count) {
    int32_t needed = count / CHUNK_EDGES + 1, last = -1;
    if (chunks_free(t, needed) < needed)
        return false;
    kerb_in_route_drop(t, c);
    for (int32_t i = 0; i < needed; i++) {
        int32_t chunk = t->head->free_chunk;
        t->head->free_chunk = t->chunks[chunk].next;
        for (int32_t k = 0; k < CHUNK_EDGES; k++) {
            int32_t at = i * CHUNK_EDGES + k;
            t->chunks[chunk].edges[k] = at < count ? way[at] : -1;
        }
        t->chunks[chunk].next = -1;
        if (last >= 0)
            t->chunks[last].next = chunk;
        else
            c->chunk = chunk;
        last = chunk;
    }
    c->chunk_at = 0;
    return true;
}
