// Purpose: the memory for plans among moving obstacles, and the timing of such plans.
// Idea:    A path is driven as fast as possible. If it meets a mover at that speed, it is timed.
//          The best result is kept.
// Cost:    Creation touches some megabytes once. A path that must be timed costs a search of up to
//          twice PLAN_TIMING_NODES nodes.
#include "crossing.h"

#include "../../base/shared.h"

#include <string.h>

size_t kerb_in_plan_crossing_bytes(int32_t nodes) {
    return kerb_in_round_up(sizeof(plan_crossing), 64) +
           kerb_in_round_up(kerb_in_plan_speed_nodes_bytes(nodes), 64);
}

void kerb_in_plan_crossing_create(void* block, int32_t nodes) {
    plan_crossing* c = block;
    memset(c, 0, sizeof *c);
    c->nodes = kerb_in_round_up(sizeof *c, 64);
    kerb_in_plan_speed_nodes_create(kerb_in_plan_crossing_nodes(c), nodes);
}

plan_speed_nodes* kerb_in_plan_crossing_nodes(plan_crossing* crossing) {
    return (plan_speed_nodes*)(void*)((char*)crossing + crossing->nodes);
}

bool kerb_in_plan_crossing_note(plan_crossing* crossing, plan_bends_memory* memory,
                                const kerb_plan_limits* limits, const plan_rates* of_arcs,
                                const plan_rates* rates, const plan_space* space,
                                const kerb_plan_end* start, const plan_arc* arcs, int32_t count,
                                float speed_goal) {
    plan_passage* p = &crossing->tried;
    p->count = kerb_in_plan_bends_pieces(memory, of_arcs, rates, space, NULL, start, arcs, count,
                                         speed_goal, p->pieces);
    if (p->count == 0)
        return false;
    p->toll = kerb_in_plan_pieces_toll(space, p->pieces, p->count);
    p->count = kerb_in_plan_timing_adapt(&crossing->timing, &crossing->movers, limits, p->pieces,
                                         p->count, crossing->scratch, PLAN_PASSAGE_PIECES);
    if (p->count == 0)
        return false;
    const kerb_plan_piece* last = &p->pieces[p->count - 1];
    p->time = last->time + last->duration;
    p->cost = p->time + p->toll;
    p->length = 0.0f;
    for (int32_t i = 0; i < p->count; i++)
        p->length += p->pieces[i].length;
    bool is_better = crossing->other.count == 0 || p->cost < crossing->other.cost;
    if (is_better)
        crossing->other = *p;
    return is_better;
}

bool kerb_in_plan_crossing_is_clear(const void* clearance, kerb_pose start, const plan_arc* arcs,
                                    int32_t count, float speed_start, float speed_goal) {
    const plan_clearance* c = clearance;
    kerb_plan_piece* pieces = c->crossing->scratch;
    int32_t made =
        kerb_in_plan_movement_pieces(c->rates, start, arcs, count, speed_start, speed_goal, pieces);
    return made > 0 && kerb_in_plan_movers_are_clear(&c->crossing->movers, pieces, made);
}
