// Purpose: blocked lanes that a vehicle knows of: seen, told, forgotten.
// Idea:    A short list of its own, with the time until which each is believed. What one vehicle
//          knows, it tells others with its own times, so that a rumour does not live for ever.
// Cost:    O(1): the list has eight places.
// Source:  the traffic of Emergency 5, where only vehicles near an incident know of it (AIPATH
//          1.3).
#include "kerb/route.h"

static int32_t place_of(const kerb_route_knowledge* knowledge, int32_t lane) {
    for (int32_t i = 0; i < knowledge->count; i++)
        if (knowledge->lanes[i] == lane)
            return i;
    return -1;
}

static int32_t first_to_go(const kerb_route_knowledge* knowledge) {
    int32_t first = 0;
    for (int32_t i = 1; i < knowledge->count; i++)
        if (knowledge->until[i] < knowledge->until[first])
            first = i;
    return first;
}

static void drop_known(kerb_route_knowledge* knowledge, int32_t at) {
    knowledge->count--;
    knowledge->lanes[at] = knowledge->lanes[knowledge->count];
    knowledge->until[at] = knowledge->until[knowledge->count];
    knowledge->lanes[knowledge->count] = 0;
    knowledge->until[knowledge->count] = 0.0f;
}

bool kerb_route_learn(kerb_route_knowledge* knowledge, int32_t lane, float until) {
    int32_t at = place_of(knowledge, lane);
    if (at >= 0) {
        if (until > knowledge->until[at])
            knowledge->until[at] = until;
        return false;
    }
    if (knowledge->count < KERB_ROUTE_KNOWN_MAX)
        at = knowledge->count++;
    else if (at = first_to_go(knowledge), until <= knowledge->until[at])
        return false;
    knowledge->lanes[at] = lane;
    knowledge->until[at] = until;
    return true;
}

bool kerb_route_unlearn(kerb_route_knowledge* knowledge, int32_t lane) {
    int32_t at = place_of(knowledge, lane);
    if (at >= 0)
        drop_known(knowledge, at);
    return at >= 0;
}

bool kerb_route_tell(const kerb_route_knowledge* from, kerb_route_knowledge* to) {
    bool news = false;
    for (int32_t i = 0; i < from->count; i++)
        news |= kerb_route_learn(to, from->lanes[i], from->until[i]);
    return news;
}

bool kerb_route_forget(kerb_route_knowledge* knowledge, float now) {
    int32_t before = knowledge->count;
    for (int32_t i = knowledge->count - 1; i >= 0; i--)
        if (knowledge->until[i] <= now)
            drop_known(knowledge, i);
    return knowledge->count < before;
}
