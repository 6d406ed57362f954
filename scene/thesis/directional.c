// Purpose: the directional search that the AIPATH thesis compares itself with, for figure 5.3.
// Idea:    A* over cells and eight headings. A move goes to one of the next 8, 24 or 48 cells, at
//          any of the headings, along the shortest turn, straight, turn between the middles of both
//          cells; it is free when no cell on its way is blocked. The estimate is the shortest such
//          way to the goal without obstacles. All at one speed, so length is cost.
// Cost:    O(states · moves · log states): up to 8 · 48 moves of a state. The original
//          takes lengths from tables; here each is computed.
// Source:  Pinter, "Toward more realistic pathfinding", 2001, as AIPATH 5.2 describes it.
#include "scene/thesis/directional.h"

#include "kerb/curve.h"

#include <math.h>
#include <stdlib.h>

#define HEADINGS 8
#define MOVE_SAMPLE 0.4f // between places of a move that are looked at [cells]
#define NOBODY (-1)

typedef struct directional_state {
    float cost, least; // from the start, and with the estimate [m]
    int32_t parent;
    int32_t place; // in the heap; NOBODY: not in it
} directional_state;

typedef struct directional_search {
    const kerb_directional_map* map;
    int32_t reach; // of a move [cells]
    directional_state* states;
    int32_t* heap;
    int32_t count;
    int32_t expansions;
} directional_search;

static kerb_pose directional_pose(const kerb_directional_map* map, int32_t state) {
    int32_t cell = state / HEADINGS, column = cell % map->columns, row = cell / map->columns;
    float x = ((float)column + 0.5f) * map->cell, y = ((float)row + 0.5f) * map->cell;
    return kerb_pose_make(x, y, (float)(state % HEADINGS) * 2.0f * KERB_PI / (float)HEADINGS);
}

// --------------------------------------------------------------------------- the open list

static bool directional_before(const directional_search* s, int32_t a, int32_t b) {
    return s->states[a].least < s->states[b].least;
}

static void directional_put(directional_search* s, int32_t place, int32_t state) {
    s->heap[place] = state;
    s->states[state].place = place;
}

static void directional_raise(directional_search* s, int32_t state) {
    int32_t place = s->states[state].place;
    if (place == NOBODY)
        place = s->count++;
    while (place > 0 && directional_before(s, state, s->heap[(place - 1) / 2])) {
        directional_put(s, place, s->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    directional_put(s, place, state);
}

static int32_t directional_pop(directional_search* s) {
    int32_t first = s->heap[0], last = s->heap[--s->count], place = 0;
    while (2 * place + 1 < s->count) {
        int32_t child = 2 * place + 1;
        if (child + 1 < s->count && directional_before(s, s->heap[child + 1], s->heap[child]))
            child++;
        if (!directional_before(s, s->heap[child], last))
            break;
        directional_put(s, place, s->heap[child]);
        place = child;
    }
    directional_put(s, place, last);
    s->states[first].place = NOBODY;
    return first;
}

// --------------------------------------------------------------------------- moves

static bool directional_is_blocked(const kerb_directional_map* map, kerb_vec2 at) {
    int32_t x = (int32_t)floorf(at.x / map->cell), y = (int32_t)floorf(at.y / map->cell);
    return x < 0 || y < 0 || x >= map->columns || y >= map->rows ||
           (map->cells && map->cells[y * map->columns + x] != 0);
}

// Turn, straight, turn: the shortest of the four.
static kerb_curve directional_curve(kerb_pose from, kerb_pose to, float radius) {
    kerb_dubins_word best = KERB_DUBINS_LSL;
    float least = KERB_NO_CURVE;
    for (int32_t word = KERB_DUBINS_LSL; word <= KERB_DUBINS_RSL; word++) {
        float length = kerb_dubins_word_length((kerb_dubins_word)word, from, to, radius);
        if (length < least) {
            least = length;
            best = (kerb_dubins_word)word;
        }
    }
    return kerb_dubins_by_word(best, from, to, radius);
}

static bool directional_is_free(const kerb_directional_map* map, const kerb_curve* move) {
    float length = kerb_curve_length(move);
    int32_t count = (int32_t)(length / (MOVE_SAMPLE * map->cell)) + 1;
    for (int32_t i = 1; i <= count; i++) {
        kerb_pose pose = kerb_curve_at(move, length * (float)i / (float)count).pose;
        if (directional_is_blocked(map, pose.position))
            return false;
    }
    return true;
}

static void directional_expand(directional_search* s, int32_t state, int32_t goal) {
    const kerb_directional_map* map = s->map;
    int32_t cell = state / HEADINGS, column = cell % map->columns, row = cell / map->columns;
    kerb_pose from = directional_pose(map, state), end = directional_pose(map, goal);
    int32_t side = 2 * s->reach + 1;
    for (int32_t i = 0; i < side * side * HEADINGS; i++) {
        int32_t x = column + i / HEADINGS % side - s->reach;
        int32_t y = row + i / HEADINGS / side - s->reach;
        if (x < 0 || y < 0 || x >= map->columns || y >= map->rows || (x == column && y == row))
            continue;
        int32_t to = (y * map->columns + x) * HEADINGS + i % HEADINGS;
        directional_state* other = &s->states[to];
        kerb_pose pose = directional_pose(map, to);
        float cost = s->states[state].cost + kerb_dubins_length_csc(from, pose, map->radius);
        if (cost >= other->cost)
            continue;
        kerb_curve move = directional_curve(from, pose, map->radius);
        if (!directional_is_free(map, &move))
            continue;
        other->cost = cost;
        other->least = cost + kerb_dubins_length_csc(pose, end, map->radius);
        other->parent = state;
        directional_raise(s, to);
    }
}

static int32_t directional_state_of(const kerb_directional_map* map, kerb_directional_place at) {
    return (at.row * map->columns + at.column) * HEADINGS + at.heading;
}

static void directional_keep(const directional_search* s, int32_t goal,
                             kerb_directional_answer* answer) {
    for (int32_t at = goal; at != NOBODY; at = s->states[at].parent)
        answer->count++;
    answer->places = malloc((size_t)answer->count * sizeof *answer->places);
    answer->out_of_memory = answer->places == NULL;
    if (answer->out_of_memory)
        answer->count = 0;
    int32_t at = goal;
    for (int32_t i = answer->count - 1; i >= 0; i--, at = s->states[at].parent) {
        int32_t cell = at / HEADINGS;
        answer->places[i] =
            (kerb_directional_place){cell % s->map->columns, cell / s->map->columns, at % HEADINGS};
    }
    answer->found = answer->count > 0;
    answer->length = s->states[goal].cost;
}

kerb_directional_answer kerb_directional_find(const kerb_directional_map* map, int32_t neighbours,
                                              kerb_directional_place from,
                                              kerb_directional_place to) {
    kerb_directional_answer answer = {0};
    size_t count = (size_t)map->columns * (size_t)map->rows * HEADINGS;
    directional_search s = {.map = map};
    s.reach = neighbours <= 8 ? 1 : neighbours <= 24 ? 2 : 3;
    s.states = malloc(count * sizeof *s.states);
    s.heap = malloc(count * sizeof *s.heap);
    answer.out_of_memory = !s.states || !s.heap;
    if (!answer.out_of_memory) {
        for (size_t i = 0; i < count; i++)
            s.states[i] = (directional_state){KERB_NO_CURVE, KERB_NO_CURVE, NOBODY, NOBODY};
        int32_t start = directional_state_of(map, from), goal = directional_state_of(map, to);
        s.states[start].cost = s.states[start].least = 0.0f;
        directional_raise(&s, start);
        while (s.count > 0) {
            int32_t state = directional_pop(&s);
            if (state == goal) {
                directional_keep(&s, goal, &answer);
                break;
            }
            directional_expand(&s, state, goal);
            answer.expansions++;
        }
    }
    free(s.states);
    free(s.heap);
    return answer;
}

int32_t kerb_directional_trace(const kerb_directional_map* map, kerb_directional_place from,
                               kerb_directional_place to, kerb_vec2* positions, int32_t capacity) {
    kerb_curve move =
        directional_curve(directional_pose(map, directional_state_of(map, from)),
                          directional_pose(map, directional_state_of(map, to)), map->radius);
    float length = kerb_curve_length(&move);
    int32_t count = (int32_t)(length / 0.5f) + 2;
    count = count < capacity ? count : capacity;
    for (int32_t i = 0; i < count; i++)
        positions[i] = kerb_curve_at(&move, length * (float)i / (float)(count - 1)).pose.position;
    return count;
}
