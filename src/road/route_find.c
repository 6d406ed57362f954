// Purpose: the fastest way from lane to lane.
// Idea:    Without blocks and traffic: one sweep from the start upwards in the hierarchy and one
//          from the destination. Each follows the ranks above a lane, of which there are few, and
//          needs no queue. Where the sweeps meet with the least sum, the way turns down; its arcs
//          are opened into lanes. When the vehicle may enter all of these and none is slow, that is
//          the answer. Else A* searches over lanes; what is left to drive from each is bounded by
//          the least time without blocks, computed once for each rank that it comes to.
// Cost:    O(arcs above both lanes); with blocks, besides, O(lanes that could be on a faster way).
// Source:  Dibbelt, Strasser, Wagner, "Customizable Contraction Hierarchies", SEA 2014; Strasser
//          and Zeitz, "A Fast and Tight Heuristic for A* in Road Networks", SEA 2021.
#include "route_parts.h"

#include "../base/shared.h"

#include <string.h>

typedef struct find_lane {
    uint32_t stamp;
    uint32_t time;  // from the start
    int32_t parent; // lane before it; -1: the first
    bool settled;
} find_lane;

typedef enum find_pocket { POCKET_OPEN, POCKET_CLOSED, POCKET_UNKNOWN } find_pocket;

// What is left from a rank to the destination; valid where the stamp is that of the question.
typedef struct find_left {
    uint32_t stamp, time;
} find_left;

// One of the two sweeps. Times are ROUTE_NO_TIME between questions.
typedef struct find_sweep {
    uint32_t* time; // of each rank
    int32_t* from;  // rank before it
    int32_t* arc;   // from there
} find_sweep;

typedef struct work_block {
    uint32_t stamp;
    int32_t lane_count, rank_count, queue_capacity;
} work_block;

// All that a search needs at hand.
typedef struct finder {
    const route_block* head;
    const kerb_route_lane* lanes;
    const int32_t *link_first, *link_to;
    const uint32_t* link_time;
    const int32_t *back_first, *back_from;
    const int32_t *rank_of, *lane_of;
    const route_rank* ranks;
    const route_arc* arcs;
    const route_parts_of* parts;
    const route_marks* marks;
    const kerb_route_question* question;
    find_sweep up, down; // from the start; from the destination
    find_left* left;
    find_lane* lane;
    int32_t* stack; // of arcs or ranks
    int32_t* way;
    int32_t way_count;
    uint32_t* pocket; // stamps of lanes from which the destination is reached
    int32_t *pocket_lanes, pocket_at, pocket_count;
    uint32_t pocket_stamp;
    find_pocket pocket_is;
    route_queue queue;
    uint32_t stamp;
    uint32_t most; // ways that take longer are not looked for
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
    return head->link_count + 3 * head->lane_count + 1;
}

// Places what the finder needs behind the head of the workspace. Returns the bytes in use.
static size_t place_work(finder* f, char* memory, const route_block* head) {
    const size_t lanes = (size_t)head->lane_count, ranks = (size_t)head->rank_count;
    size_t bytes = sizeof(work_block);
    size_t queue = bytes, left, lane, stack, sweeps;
    bytes += (size_t)queue_capacity(head) * sizeof(route_entry);
    left = bytes, bytes += ranks * sizeof(find_left);
    lane = bytes, bytes += lanes * sizeof(find_lane);
    stack = bytes, bytes += 4 * (ranks + 1) * sizeof(int32_t);
    sweeps = bytes, bytes += (6 * ranks + 3 * lanes + 1) * sizeof(int32_t);
    if (memory) {
        f->queue.entries = (route_entry*)(void*)(memory + queue);
        f->queue.capacity = queue_capacity(head);
        f->left = (find_left*)(void*)(memory + left);
        f->lane = (find_lane*)(void*)(memory + lane);
        f->stack = (int32_t*)(void*)(memory + stack);
        f->up.time = (uint32_t*)(void*)(memory + sweeps);
        f->down.time = f->up.time + ranks;
        f->up.from = (int32_t*)(void*)(f->down.time + ranks);
        f->up.arc = f->up.from + ranks;
        f->down.from = f->up.arc + ranks;
        f->down.arc = f->down.from + ranks;
        f->way = f->down.arc + ranks;
        f->pocket_lanes = f->way + lanes + 1;
        f->pocket = (uint32_t*)(f->pocket_lanes + lanes);
    }
    return (bytes + 7) / 8 * 8;
}

static size_t work_bytes(const route_block* head) {
    return place_work(NULL, NULL, head);
}

size_t kerb_route_work_bytes(const kerb_routes* routes) {
    return work_bytes(routes->memory);
}

void kerb_route_work_make(kerb_route_work* work, const kerb_routes* routes, void* memory) {
    const route_block* head = routes->memory;
    size_t bytes = work_bytes(head);
    finder f;
    memset(memory, 0, bytes);
    *(work_block*)memory = (work_block){.lane_count = head->lane_count,
                                        .rank_count = head->rank_count,
                                        .queue_capacity = queue_capacity(head)};
    place_work(&f, memory, head);
    for (int32_t i = 0; i < head->rank_count; i++)
        f.up.time[i] = f.down.time[i] = ROUTE_NO_TIME;
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
    finder f = {.head = head, .question = question};
    f.lanes = (const kerb_route_lane*)(const void*)(block + head->lanes);
    f.link_first = (const int32_t*)(const void*)(block + head->link_first);
    f.link_to = (const int32_t*)(const void*)(block + head->link_to);
    f.link_time = (const uint32_t*)(const void*)(block + head->link_time);
    f.back_first = (const int32_t*)(const void*)(block + head->back_first);
    f.back_from = (const int32_t*)(const void*)(block + head->back_from);
    f.rank_of = (const int32_t*)(const void*)(block + head->rank_of);
    f.lane_of = (const int32_t*)(const void*)(block + head->lane_of);
    f.ranks = (const route_rank*)(const void*)(block + head->ranks);
    f.arcs = (const route_arc*)(const void*)(block + head->arcs);
    f.parts = (const route_parts_of*)(const void*)(block + head->parts);
    f.marks = (const route_marks*)(const void*)(block + head->marks);
    place_work(&f, work->memory, head);
    return f;
}

static void new_stamp(finder* f, kerb_route_work* work) {
    work_block* own = work->memory;
    if (++own->stamp == 0) { // after 2^32 searches stamps repeat
        memset(f->left, 0, (size_t)own->rank_count * sizeof *f->left);
        memset(f->lane, 0, (size_t)own->lane_count * sizeof *f->lane);
        memset(f->pocket, 0, (size_t)own->lane_count * sizeof *f->pocket);
        own->stamp = 1;
    }
    f->stamp = own->stamp;
}

// --------------------------------------------------------------------------- sweeps

// Arcs from a rank to ranks above it, or those from above it to it.
static void sweep_from(const finder* f, const find_sweep* s, int32_t rank, int32_t first,
                       int32_t end) {
    const uint64_t time = s->time[rank];
    for (int32_t i = first; i < end; i++) {
        const route_arc* arc = &f->arcs[i];
        if (time + arc->time < s->time[arc->rank]) {
            s->time[arc->rank] = (uint32_t)(time + arc->time);
            s->from[arc->rank] = rank;
            s->arc[arc->rank] = i;
        }
    }
}

static void sweep_up(finder* f, int32_t rank) {
    sweep_from(f, &f->up, rank, f->ranks[rank].up, f->ranks[rank].down);
    f->looked_at++;
}

static void sweep_down(finder* f, int32_t rank) {
    sweep_from(f, &f->down, rank, f->ranks[rank].down, f->ranks[rank + 1].up);
    f->looked_at++;
}

static void forget_sweep(const finder* f, const find_sweep* s, int32_t rank) {
    for (; rank >= 0; rank = f->ranks[rank].parent)
        s->time[rank] = ROUTE_NO_TIME;
}

// Both sweeps at once, by rank. Returns the rank where they meet with the least sum, or -1. Ways
// that take longer than `most` may be missed: ranks that no way within it passes are passed over.
static int32_t sweep_both(finder* f, int32_t from, int32_t to, uint32_t most) {
    const route_marks *first = &f->marks[from], *last = &f->marks[to];
    int32_t meeting = -1;
    f->up.time[from] = 0;
    f->down.time[to] = 0;
    f->up.from[from] = f->down.from[to] = -1;
    while (from >= 0 || to >= 0) {
        int32_t rank = to < 0 || (from >= 0 && from < to) ? from : to;
        uint32_t up = f->up.time[rank], down = f->down.time[rank], sum = route_sum(up, down);
        if (sum < most || (sum == most && meeting < 0 && sum < ROUTE_NO_TIME)) {
            most = sum;
            meeting = rank;
        }
        if (up < ROUTE_NO_TIME && route_sum(up, route_bound(&f->marks[rank], last)) <= most)
            sweep_up(f, rank);
        if (down < ROUTE_NO_TIME && route_sum(down, route_bound(first, &f->marks[rank])) <= most)
            sweep_down(f, rank);
        if (from == rank)
            from = f->ranks[rank].parent;
        if (to == rank)
            to = f->ranks[rank].parent;
    }
    return meeting;
}

static void forget_sweeps(finder* f, int32_t from, int32_t to) {
    forget_sweep(f, &f->up, from);
    forget_sweep(f, &f->down, to);
}

// A way is first looked for within the share by which most ways are longer than their bounds, then
// within so many times as much, then at any length.
enum { SWEEP_TRIES = 3, SWEEP_MORE = 4 };

// The rank on the fastest way where its two sides meet, or -1. The sweeps are to be forgotten.
static int32_t find_meeting(finder* f, int32_t from, int32_t to) {
    const uint32_t least = route_bound(&f->marks[from], &f->marks[to]);
    uint64_t longer = (uint64_t)least * (uint32_t)f->head->share / ROUTE_SHARE + 1;
    int32_t meeting = -1;
    for (int32_t i = 0; i < SWEEP_TRIES && meeting < 0; i++) {
        bool is_last = i == SWEEP_TRIES - 1 || least + longer >= ROUTE_NO_TIME;
        if (i > 0)
            forget_sweeps(f, from, to);
        meeting = sweep_both(f, from, to, is_last ? ROUTE_NO_TIME : (uint32_t)(least + longer));
        longer *= SWEEP_MORE;
    }
    return meeting;
}

// --------------------------------------------------------------------------- opening arcs

// The arcs of the way onto the stack, the first one on top. Returns how many.
static int32_t stack_arcs(finder* f, int32_t meeting) {
    int32_t count = 0;
    for (int32_t rank = meeting; f->down.from[rank] >= 0; rank = f->down.from[rank])
        f->stack[count++] = f->down.arc[rank];
    for (int32_t i = 0; i < count / 2; i++) {
        int32_t arc = f->stack[i];
        f->stack[i] = f->stack[count - 1 - i];
        f->stack[count - 1 - i] = arc;
    }
    for (int32_t rank = meeting; f->up.from[rank] >= 0; rank = f->up.from[rank])
        f->stack[count++] = f->up.arc[rank];
    return count;
}

// Writes the lanes of the way behind its first. False when an arc cannot be opened, which happens
// only where lanes that take no time form a circle.
static bool open_way(finder* f, int32_t meeting) {
    int32_t count = stack_arcs(f, meeting);
    f->way_count = 0;
    f->way[f->way_count++] = f->question->from;
    while (count > 0) {
        route_parts_of parts = f->parts[f->stack[--count]];
        if (parts.first >= 0) {
            f->stack[count++] = parts.second;
            f->stack[count++] = parts.first;
        } else if (parts.second != ROUTE_DROPPED && f->way_count <= f->head->lane_count) {
            f->way[f->way_count++] = -1 - parts.first;
        } else {
            return false;
        }
    }
    return true;
}

// --------------------------------------------------------------------------- what is left

// No way over this rank, from the start to the destination, takes less.
static uint32_t bound_over(const finder* f, int32_t rank) {
    const route_marks *first = &f->marks[f->rank_of[f->question->from]],
                      *last = &f->marks[f->rank_of[f->question->to]];
    return route_sum(route_bound(first, &f->marks[rank]), route_bound(&f->marks[rank], last));
}

// Least times down to the destination from all ranks above it.
static void begin_left(finder* f) {
    if (f->head->rank_count == 0)
        return;
    int32_t rank = f->rank_of[f->question->to];
    f->down.time[rank] = 0;
    for (; rank >= 0; rank = f->ranks[rank].parent)
        if (f->down.time[rank] < ROUTE_NO_TIME && bound_over(f, rank) <= f->most)
            sweep_down(f, rank);
}

// Least time from a rank to the destination, when those above it are known.
static uint32_t left_over_arcs(const finder* f, int32_t rank) {
    uint64_t best = f->down.time[rank];
    for (int32_t i = f->ranks[rank].up; i < f->ranks[rank].down; i++) {
        uint64_t time = (uint64_t)f->arcs[i].time + f->left[f->arcs[i].rank].time;
        if (time < best)
            best = time;
    }
    return (uint32_t)best;
}

// Least time from a lane to the destination: down to it, or first to a rank above. ROUTE_NO_TIME
// where no way over the lane is within `most`.
static uint32_t time_left(finder* f, int32_t lane) {
    if (f->head->rank_count == 0)
        return 0;
    const int32_t rank = f->rank_of[lane];
    int32_t depth = 0;
    for (int32_t r = rank; r >= 0 && f->left[r].stamp != f->stamp; r = f->ranks[r].parent)
        f->stack[depth++] = r;
    while (depth > 0) {
        int32_t r = f->stack[--depth];
        bool is_near = bound_over(f, r) <= f->most;
        f->left[r] = (find_left){f->stamp, is_near ? left_over_arcs(f, r) : ROUTE_NO_TIME};
    }
    return f->left[rank].time;
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
    uint32_t whole = route_sum(time, time_left(f, lane));
    if (whole == ROUTE_NO_TIME || whole > f->most)
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

// Blocks may leave no way to the destination, which a search from the start sees only when it has
// been everywhere. So lanes from which the destination is reached are looked for at the same pace,
// one for each lane of the search, until all are known or the start is one of them.
static void begin_pocket(finder* f) {
    const int32_t to = f->question->to;
    f->pocket_is = may_enter(f, to) ? POCKET_UNKNOWN : POCKET_CLOSED;
    f->pocket_at = f->pocket_count = 0;
    f->pocket_stamp = f->stamp;
    f->pocket[to] = f->pocket_stamp;
    f->pocket_lanes[f->pocket_count++] = to;
}

static void widen_pocket(finder* f) {
    if (f->pocket_at == f->pocket_count) {
        f->pocket_is = POCKET_CLOSED;
        return;
    }
    const int32_t lane = f->pocket_lanes[f->pocket_at++];
    for (int32_t i = f->back_first[lane]; i < f->back_first[lane + 1]; i++) {
        int32_t from = f->back_from[i];
        if (from == f->question->from)
            f->pocket_is = POCKET_OPEN;
        if (f->pocket[from] == f->pocket_stamp || !may_enter(f, from))
            continue;
        f->pocket[from] = f->pocket_stamp;
        f->pocket_lanes[f->pocket_count++] = from;
    }
}

static bool search_lanes(finder* f) {
    const kerb_route_question* q = f->question;
    f->queue.count = 0;
    if (q->from != q->to)
        f->lane[q->from] = (find_lane){f->stamp, 0, -1, true};
    f->looked_at++;
    leave_lane(f, q->from, 0);
    while (f->queue.count > 0 && f->pocket_is != POCKET_CLOSED) {
        int32_t lane = kerb_in_route_pop(&f->queue).item;
        find_lane* l = &f->lane[lane];
        if (l->settled)
            continue;
        l->settled = true;
        f->looked_at++;
        if (lane == q->to)
            return true;
        leave_lane(f, lane, l->time);
        if (f->pocket_is == POCKET_UNKNOWN)
            widen_pocket(f);
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

// --------------------------------------------------------------------------- all together

// All lanes of the way may be entered and take no longer than the graph says.
static bool found_is_free(const finder* f) {
    for (int32_t i = 0; i < f->way_count; i++) {
        int32_t lane = f->way[i];
        if ((i > 0 && !may_enter(f, lane)) ||
            (i + 1 < f->way_count && lane_time(f, lane) > f->lanes[lane].time))
            return false;
    }
    return true;
}

// A way round is first expected to be longer by this share of the way without blocks at most, then
// by more, then by any time.
static const uint32_t round_shares[] = {32, 4};
enum { ROUND_TRIES = 3 };

// The way without blocks and traffic. False when it is not free.
static bool find_free(finder* f, kerb_route_answer* answer, int32_t* lanes, int32_t capacity) {
    const int32_t from = f->rank_of[f->question->from], to = f->rank_of[f->question->to];
    int32_t meeting = find_meeting(f, from, to);
    *answer = (kerb_route_answer){.outcome = KERB_ROUTE_NO_WAY};
    bool is_answer = true;
    if (meeting >= 0) {
        answer->time = f->up.time[meeting] + f->down.time[meeting];
        is_answer = open_way(f, meeting) && found_is_free(f);
        answer->count = f->way_count;
        answer->outcome = answer->count > capacity ? KERB_ROUTE_TOO_LONG : KERB_ROUTE_FOUND;
    }
    forget_sweeps(f, from, to);
    answer->looked_at = f->looked_at;
    if (is_answer && answer->outcome == KERB_ROUTE_FOUND)
        memcpy(lanes, f->way, (size_t)answer->count * sizeof *lanes);
    return is_answer;
}

// Searches ways that take no longer than `most`.
static bool find_within(finder* f, uint32_t most) {
    f->most = most;
    begin_left(f);
    bool found = search_lanes(f);
    if (f->head->rank_count > 0)
        forget_sweep(f, &f->down, f->rank_of[f->question->to]);
    return found;
}

// The way round blocks and traffic. [least: time of the way without; 0: not known]
static kerb_route_answer find_round(finder* f, kerb_route_work* work, uint32_t least,
                                    int32_t* lanes, int32_t capacity) {
    bool found = false;
    for (int32_t i = least > 0 ? 0 : ROUND_TRIES - 1; i < ROUND_TRIES && !found; i++) {
        bool is_first = f->stamp == 0;
        new_stamp(f, work);
        if (is_first)
            begin_pocket(f);
        found = find_within(f, i < ROUND_TRIES - 1 ? route_sum(least, least / round_shares[i])
                                                   : ROUTE_NO_TIME);
    }
    if (!found)
        return (kerb_route_answer){KERB_ROUTE_NO_WAY, 0, 0, f->looked_at};
    return write_way(f, lanes, capacity);
}

kerb_route_answer kerb_route_find(const kerb_routes* routes, kerb_route_work* work,
                                  const kerb_route_question* question, int32_t* lanes,
                                  int32_t capacity) {
    const route_block* head = routes->memory;
    KERB_ASSERT(question->from >= 0 && question->from < head->lane_count);
    KERB_ASSERT(question->to >= 0 && question->to < head->lane_count);
    finder f = make_finder(routes, work, question);
    kerb_route_answer answer = {0};
    if (question->from == question->to && !question->round) {
        if (capacity < 1)
            return (kerb_route_answer){KERB_ROUTE_TOO_LONG, 1, 0, 0};
        lanes[0] = question->from;
        return (kerb_route_answer){KERB_ROUTE_FOUND, 1, 0, 0};
    }
    if (head->rank_count > 0 && question->from != question->to &&
        find_free(&f, &answer, lanes, capacity))
        return answer;
    return find_round(&f, work, answer.time, lanes, capacity);
}
