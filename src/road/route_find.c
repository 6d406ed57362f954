// Purpose: the fastest way from lane to lane.
// Idea:    A* over lanes. What is left to drive from a lane is bounded by the least time between
//          junctions, which is exact for a network without turns forbidden, blocks and traffic: one
//          search upwards in the hierarchy from the destination, then, for each junction that A*
//          comes to, the least over its arcs upwards, computed once. A bound that is exact leads
//          straight along the way; with blocks A* looks at what lies between the way and the way
//          round.
// Cost:    O(lanes looked at); a grid of 100,000 lanes: some 100 lanes for each way.
// Source:  Strasser and Zeitz, "A Fast and Tight Heuristic for A* in Road Networks", SEA 2021.
#include "route_parts.h"

#include "../base/shared.h"

#include <string.h>

// What is known of a junction in the question at hand; valid where the stamp is that of the
// question.
typedef struct find_node {
    uint32_t down_stamp, down; // least time downwards to the destination
    uint32_t left_stamp, left; // least time to the destination
} find_node;

typedef struct find_lane {
    uint32_t stamp;
    uint32_t time;  // from the start
    int32_t parent; // lane before it; -1: the first
    bool settled;
} find_lane;

typedef struct work_block {
    uint32_t stamp;
    int32_t lane_count, node_count, queue_capacity;
} work_block;

// All that a search needs at hand.
typedef struct finder {
    const route_block* head;
    const kerb_route_lane* lanes;
    const int32_t *link_first, *link_to;
    const uint32_t* link_time;
    const int32_t *node_of, *up_first, *down_first;
    const route_arc *up_arcs, *down_arcs;
    const kerb_route_question* question;
    find_node* node;
    find_lane* lane;
    int32_t* stack;
    route_queue queue;
    uint32_t stamp;
    int32_t looked_at;
} finder;

kerb_route_question kerb_route_question_between(int32_t from, int32_t to) {
    return (kerb_route_question){.from = from, .to = to, .classes = UINT32_MAX};
}

static const char* const route_outcome_texts[] = {"found", "no way", "too long"};

const char* kerb_route_outcome_text(kerb_route_outcome value) {
    return KERB_ENUM_TEXT(route_outcome_texts, value);
}

// --------------------------------------------------------------------------- workspace

// Each lane is entered from its links and its two neighbours, and each time may go into the queue.
static int32_t queue_capacity(const route_block* head) {
    return head->link_count + 3 * head->lane_count + head->node_count + 1;
}

static size_t work_bytes(const route_block* head) {
    return sizeof(work_block) + (size_t)head->node_count * sizeof(find_node) +
           (size_t)head->lane_count * sizeof(find_lane) +
           (size_t)queue_capacity(head) * sizeof(route_entry) +
           ((size_t)head->node_count * sizeof(int32_t) + 7) / 8 * 8;
}

size_t kerb_route_work_bytes(const kerb_routes* routes) {
    return work_bytes(routes->memory);
}

void kerb_route_work_make(kerb_route_work* work, const kerb_routes* routes, void* memory) {
    const route_block* head = routes->memory;
    size_t bytes = work_bytes(head);
    memset(memory, 0, bytes);
    *(work_block*)memory = (work_block){.lane_count = head->lane_count,
                                        .node_count = head->node_count,
                                        .queue_capacity = queue_capacity(head)};
    *work = (kerb_route_work){.memory = memory, .bytes = bytes};
}

kerb_result kerb_route_work_create(kerb_route_work* work, const kerb_routes* routes,
                                   const kerb_host* host) {
    size_t bytes = kerb_route_work_bytes(routes);
    void* memory = host->allocator.allocate(host->allocator.context, bytes, 8);
    *work = (kerb_route_work){0};
    if (!memory)
        return KERB_ERROR_OUT_OF_MEMORY;
    kerb_route_work_make(work, routes, memory);
    work->allocator = host->allocator;
    return KERB_OK;
}

void kerb_route_work_destroy(kerb_route_work* work) {
    if (work->memory && work->allocator.release)
        work->allocator.release(work->allocator.context, work->memory, work->bytes);
    *work = (kerb_route_work){0};
}

static finder make_finder(const kerb_routes* routes, kerb_route_work* work,
                          const kerb_route_question* question) {
    const char* block = routes->memory;
    const route_block* head = routes->memory;
    work_block* own = work->memory;
    finder f = {.head = head, .question = question};
    f.lanes = (const kerb_route_lane*)(const void*)(block + head->lanes);
    f.link_first = (const int32_t*)(const void*)(block + head->link_first);
    f.link_to = (const int32_t*)(const void*)(block + head->link_to);
    f.link_time = (const uint32_t*)(const void*)(block + head->link_time);
    f.node_of = (const int32_t*)(const void*)(block + head->node_of);
    f.up_first = (const int32_t*)(const void*)(block + head->up_first);
    f.up_arcs = (const route_arc*)(const void*)(block + head->up_arcs);
    f.down_first = (const int32_t*)(const void*)(block + head->down_first);
    f.down_arcs = (const route_arc*)(const void*)(block + head->down_arcs);
    f.queue.entries = (route_entry*)(void*)(own + 1);
    f.queue.capacity = own->queue_capacity;
    f.node = (find_node*)(void*)(f.queue.entries + own->queue_capacity);
    f.lane = (find_lane*)(void*)(f.node + own->node_count);
    f.stack = (int32_t*)(void*)(f.lane + own->lane_count);
    if (++own->stamp == 0) { // after 2^32 questions stamps repeat
        memset(f.node, 0, (size_t)own->node_count * sizeof *f.node);
        memset(f.lane, 0, (size_t)own->lane_count * sizeof *f.lane);
        own->stamp = 1;
    }
    f.stamp = own->stamp;
    return f;
}

// --------------------------------------------------------------------------- what is left

static void reach_down(finder* f, int32_t node, uint32_t time) {
    find_node* n = &f->node[node];
    if (n->down_stamp != f->stamp) {
        n->down_stamp = f->stamp;
        n->down = time;
        kerb_in_route_push(&f->queue, (uint64_t)(uint32_t)node, node);
    } else if (time < n->down)
        n->down = time;
}

// Times of junctions from which the destination is reached downwards only. In order of rank, so
// that each is settled when its turn comes.
static void search_down(finder* f) {
    f->queue.count = 0;
    reach_down(f, f->node_of[f->question->to], 0);
    while (f->queue.count > 0) {
        int32_t node = kerb_in_route_pop(&f->queue).item;
        for (int32_t i = f->down_first[node]; i < f->down_first[node + 1]; i++)
            reach_down(f, f->down_arcs[i].node,
                       route_sum(f->node[node].down, f->down_arcs[i].time));
    }
}

// True when all junctions above this one are known; else the first that is not is put on the stack.
static bool above_is_known(finder* f, int32_t node, int32_t* depth) {
    for (int32_t i = f->up_first[node]; i < f->up_first[node + 1]; i++)
        if (f->node[f->up_arcs[i].node].left_stamp != f->stamp) {
            f->stack[(*depth)++] = f->up_arcs[i].node;
            return false;
        }
    return true;
}

// Least time from a junction to the destination: downwards, or first to one above.
static uint32_t time_left(finder* f, int32_t node) {
    int32_t depth = 0;
    if (f->node[node].left_stamp != f->stamp)
        f->stack[depth++] = node;
    while (depth > 0) {
        int32_t top = f->stack[depth - 1];
        if (!above_is_known(f, top, &depth))
            continue;
        find_node* n = &f->node[top];
        uint32_t best = n->down_stamp == f->stamp ? n->down : ROUTE_NO_TIME;
        for (int32_t i = f->up_first[top]; i < f->up_first[top + 1]; i++) {
            uint32_t time = route_sum(f->up_arcs[i].time, f->node[f->up_arcs[i].node].left);
            if (time < best)
                best = time;
        }
        n->left_stamp = f->stamp;
        n->left = best;
        depth--;
    }
    return f->node[node].left;
}

// --------------------------------------------------------------------------- A*

static uint32_t lane_time(const finder* f, int32_t lane) {
    uint32_t time = f->lanes[lane].time;
    const uint32_t* now = f->question->times;
    // A closed lane may still be left.
    return now && now[lane] > time && now[lane] != KERB_ROUTE_CLOSED ? now[lane] : time;
}

static bool may_enter(const finder* f, int32_t lane) {
    const kerb_route_question* q = f->question;
    if (!(f->lanes[lane].classes & q->classes) || (q->times && q->times[lane] == KERB_ROUTE_CLOSED))
        return false;
    for (int32_t i = 0; i < q->blocked_count; i++)
        if (q->blocked[i] == lane)
            return false;
    return true;
}

// Of equal sums the lane that is farther from the start comes first: it is nearer to the end.
static void enter_lane(finder* f, int32_t lane, int32_t parent, uint32_t time) {
    find_lane* l = &f->lane[lane];
    if (time == ROUTE_NO_TIME || (l->stamp == f->stamp && l->time <= time) || !may_enter(f, lane))
        return;
    uint32_t whole = route_sum(time, time_left(f, f->node_of[lane]));
    if (whole == ROUTE_NO_TIME)
        return;
    *l = (find_lane){f->stamp, time, parent, false};
    kerb_in_route_push(&f->queue, (uint64_t)whole << 32 | (ROUTE_NO_TIME - time), lane);
}

static void leave_lane(finder* f, int32_t lane, uint32_t time) {
    const kerb_route_lane* l = &f->lanes[lane];
    uint32_t end = route_sum(time, lane_time(f, lane));
    for (int32_t i = f->link_first[lane]; i < f->link_first[lane + 1]; i++)
        enter_lane(f, f->link_to[i], lane, route_sum(end, f->link_time[i]));
    uint32_t aside = route_sum(time, f->head->change_time);
    if (l->left >= 0)
        enter_lane(f, l->left, lane, aside);
    if (l->right >= 0)
        enter_lane(f, l->right, lane, aside);
}

static bool search_lanes(finder* f) {
    const kerb_route_question* q = f->question;
    f->queue.count = 0;
    if (q->from != q->to)
        f->lane[q->from] = (find_lane){f->stamp, 0, -1, true};
    f->looked_at = 1;
    leave_lane(f, q->from, 0);
    while (f->queue.count > 0) {
        int32_t lane = kerb_in_route_pop(&f->queue).item;
        find_lane* l = &f->lane[lane];
        if (l->settled)
            continue;
        l->settled = true;
        f->looked_at++;
        if (lane == q->to)
            return true;
        leave_lane(f, lane, l->time);
    }
    return false;
}

// Writes the way from its end. The first lane is `from` also where a round comes back to it.
static kerb_route_answer write_way(const finder* f, int32_t* lanes, int32_t capacity) {
    const kerb_route_question* q = f->question;
    kerb_route_answer answer = {.outcome = KERB_ROUTE_FOUND,
                                .count = 2,
                                .time = f->lane[q->to].time,
                                .looked_at = f->looked_at};
    for (int32_t lane = f->lane[q->to].parent; lane != q->from; lane = f->lane[lane].parent)
        answer.count++;
    if (answer.count > capacity) {
        answer.outcome = KERB_ROUTE_TOO_LONG;
        return answer;
    }
    int32_t at = answer.count - 1, lane = q->to;
    for (; at > 0; lane = f->lane[lane].parent)
        lanes[at--] = lane;
    lanes[0] = q->from;
    return answer;
}

kerb_route_answer kerb_route_find(const kerb_routes* routes, kerb_route_work* work,
                                  const kerb_route_question* question, int32_t* lanes,
                                  int32_t capacity) {
    const route_block* head = routes->memory;
    KERB_ASSERT(question->from >= 0 && question->from < head->lane_count);
    KERB_ASSERT(question->to >= 0 && question->to < head->lane_count);
    finder f = make_finder(routes, work, question);
    if (question->from == question->to && !question->round) {
        if (capacity < 1)
            return (kerb_route_answer){KERB_ROUTE_TOO_LONG, 1, 0, 0};
        lanes[0] = question->from;
        return (kerb_route_answer){KERB_ROUTE_FOUND, 1, 0, 0};
    }
    search_down(&f);
    if (!search_lanes(&f))
        return (kerb_route_answer){KERB_ROUTE_NO_WAY, 0, 0, f.looked_at};
    return write_way(&f, lanes, capacity);
}
