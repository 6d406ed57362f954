// Records a query while it runs: after each slice it adds the new nodes of the search tree, and
// each movement that is better than the last one by a share.
#include "tool/page/plan_film.h"

#include "kerb/curve.h"

#include <stdlib.h>
#include <string.h>

#define BETTER 2e-3f // an answer is worth a picture when it is better by this share

// Where the recording is within the trees of one query.
typedef struct plan_film_watch {
    int32_t search; // whose nodes have been seen
    int32_t seen;   // of its nodes
    int32_t first;  // arc of its first node, as far as those have arcs: nodes of starts have none
    int32_t starts; // of its nodes
} plan_film_watch;

static bool add_arc(tool_plan_film* film, tool_film_arc arc) {
    if (film->arc_count == film->arc_capacity) {
        int32_t capacity = film->arc_capacity > 0 ? 2 * film->arc_capacity : 1024;
        tool_film_arc* more = realloc(film->arcs, (size_t)capacity * sizeof *more);
        if (!more)
            return false;
        film->arcs = more;
        film->arc_capacity = capacity;
    }
    film->arcs[film->arc_count++] = arc;
    return true;
}

// A start comes before all others, so that arcs and nodes are numbered alike but for them.
static bool add_node(tool_plan_film* film, tool_plan_maker* maker, int32_t index,
                     plan_film_watch* w) {
    kerb_plan_node node = tool_plan_maker_node(maker, index);
    if (node.parent < 0) {
        w->starts++;
        return true;
    }
    tool_film_arc arc = {.from = tool_plan_maker_node(maker, node.parent).pose,
                         .curvature = node.curvature,
                         .length = node.length,
                         .cost = node.cost,
                         .expansion = film->expansions,
                         .parent = -1};
    if (node.parent >= w->starts) {
        arc.parent = w->first + node.parent - w->starts;
        film->arcs[arc.parent].leads_on = true;
    }
    film->cost_most = kerb_max(film->cost_most, node.cost);
    return add_arc(film, arc);
}

static bool look_at_tree(tool_plan_film* film, tool_plan_maker* maker, plan_film_watch* w) {
    kerb_plan_tree tree = tool_plan_maker_tree(maker);
    if (tree.search != w->search || tree.count < w->seen)
        *w = (plan_film_watch){tree.search, 0, film->arc_count, 0};
    for (; w->seen < tree.count; w->seen++)
        if (!add_node(film, maker, w->seen, w))
            return false;
    return true;
}

static bool look_at_plan(tool_plan_film* film, tool_plan_maker* maker, bool is_last) {
    kerb_plan plan = tool_plan_maker_plan(maker);
    int32_t count = film->answer_count;
    float best = count > 0 ? film->answers[count - 1].plan.cost : KERB_PLAN_NEVER;
    bool is_better = plan.cost < best * (is_last ? 1.0f : 1.0f - BETTER);
    if (plan.count == 0 || !is_better)
        return true;
    if (count == TOOL_FILM_ANSWERS) // of too many, the last is the one that counts
        free(film->answers[--count].pieces);
    film->answer_count = count;
    size_t bytes = (size_t)plan.count * sizeof(kerb_plan_piece);
    tool_film_answer* answer = &film->answers[count];
    answer->pieces = malloc(bytes);
    if (!answer->pieces)
        return false;
    memcpy(answer->pieces, plan.pieces, bytes);
    answer->plan = plan;
    answer->plan.pieces = answer->pieces;
    film->answer_count++;
    return true;
}

// What leads nowhere goes first; then what was found last.
static void thin(tool_plan_film* film) {
    int32_t kept = 0, count = film->arc_count;
    if (count <= TOOL_FILM_ARCS)
        return;
    for (int32_t i = 0; i < count && kept < TOOL_FILM_ARCS; i++)
        if (film->arcs[i].leads_on)
            film->arcs[kept++] = film->arcs[i];
    film->arc_count = kept;
    film->left_out = count - kept;
}

// Steps between looks. Looking at a search with speed goes through all that it keeps.
static int32_t plan_film_slice_of(const tool_plan_maker* maker, int32_t expansions) {
    return maker->searches ? 1 + expansions / 100 : 1;
}

static bool watch_query(tool_plan_film* film, tool_plan_maker* maker) {
    plan_film_watch w = {-1, 0, 0, 0};
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING) {
        outcome = tool_plan_maker_advance(maker, plan_film_slice_of(maker, film->expansions));
        film->expansions = tool_plan_maker_plan(maker).expansions;
        if (!look_at_tree(film, maker, &w) ||
            !look_at_plan(film, maker, outcome != KERB_PLAN_RUNNING))
            return false;
    }
    thin(film);
    return true;
}

tool_status tool_plan_film_record(const tool_plan_found* found, const tool_plan_way* way,
                                  tool_plan_film* film) {
    memset(film, 0, sizeof *film);
    tool_plan_maker maker;
    const tool_plan_job* job = &found->job;
    if (tool_plan_maker_create(&maker, &job->task.limits, job->world, way) != TOOL_DONE)
        return TOOL_WRONG;
    tool_plan_ends ends;
    tool_status status = tool_plan_begin(&maker, job, &ends);
    if (status == TOOL_DONE && !watch_query(film, &maker))
        status = tool_complain("plan: no memory for the search tree");
    tool_plan_maker_destroy(&maker);
    return status;
}

void tool_plan_film_free(tool_plan_film* film) {
    for (int32_t i = 0; i < film->answer_count; i++)
        free(film->answers[i].pieces);
    free(film->arcs);
    memset(film, 0, sizeof *film);
}

kerb_vec2 tool_film_arc_at(const tool_film_arc* arc, float share) {
    kerb_curve way = {.start = arc->from, .count = 1};
    way.curvature[0] = arc->curvature;
    way.length[0] = arc->length;
    return kerb_curve_at(&way, share * kerb_abs(arc->length)).pose.position;
}
