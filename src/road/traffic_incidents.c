// Purpose: roads that are blocked by an incident, and what vehicles know of it.
// Idea:    A vehicle sees only what is near. It remembers that for a while, tells the one behind it
//          and those that it meets, and looks for a way round on what it knows. Nothing is looked
//          at while no road is blocked and nobody remembers any.
// Source:  the traffic of Emergency 5, where only vehicles near an incident know of it
// (AIPATH 1.3). Cost:    O(1) a vehicle that looks, once a second.
#include "traffic_parts.h"

#include "kerb/traffic_host.h"

// A vehicle looks this often. [s]
static const float look_interval = 1.0f;
// Those that are so near are told. [m]
static const float meeting_distance = 20.0f;
// Edges of the way ahead that are looked at, and segments about a vehicle that tells.
enum { LOOK_AHEAD = 4, MEETING_SEGMENTS = 32 };

void kerb_traffic_set_incident(kerb_traffic* traffic, int32_t lane, bool blocked) {
    city_view t = kerb_in_traffic_view(traffic->memory, NULL);
    KERB_ASSERT(lane >= 0 && lane < t.head->lane_count);
    t.head->incidents += (blocked ? 1 : 0) - t.lanes[lane].incident;
    t.lanes[lane].incident = blocked ? 1 : 0;
}

kerb_route_knowledge kerb_traffic_knowledge_of(const kerb_traffic* traffic, int32_t vehicle) {
    city_view t = kerb_in_traffic_view(traffic->memory, NULL);
    int32_t known = t.cars[vehicle].known;
    return known > 0 ? t.knowledge[known - 1] : (kerb_route_knowledge){.count = 0};
}

// --------------------------------------------------------------------------- knowledge

static kerb_route_knowledge* knowledge_of(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    for (int32_t i = 0; c->known == 0 && i < t->head->known_max; i++)
        if (t->owners[i] < 0) {
            t->owners[i] = index;
            t->knowledge[i] = (kerb_route_knowledge){.count = 0};
            t->head->knowers++;
            c->known = (int16_t)(i + 1);
        }
    return c->known > 0 ? &t->knowledge[c->known - 1] : NULL;
}

void kerb_in_forget_all(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    if (c->known == 0)
        return;
    t->owners[c->known - 1] = -1;
    t->head->knowers--;
    c->known = 0;
}

bool kerb_in_knows_blocked(const city_view* t, const city_car* c, int32_t lane) {
    if (c->known == 0)
        return false;
    const kerb_route_knowledge* k = &t->knowledge[c->known - 1];
    for (int32_t i = 0; i < k->count; i++)
        if (k->lanes[i] == lane)
            return true;
    return false;
}

// --------------------------------------------------------------------------- seeing

static bool broken_stands_on(const city_view* t, int32_t lane) {
    if (t->head->broken == 0)
        return false;
    for (int32_t node = t->lanes[lane].last; node >= 0; node = node_car(t, node)->ahead[node & 1])
        if (node_car(t, node)->broken && node_car(t, node)->v < KERB_IN_STANDSTILL)
            return true;
    return false;
}

static bool lane_is_blocked(const city_view* t, const city_car* c, int32_t lane) {
    return t->lanes[lane].incident || (t->head->broken > 0 && kerb_in_overtaker_blocks(t, lane)) ||
           (t->net.lanes[lane].oncoming < 0 && broken_stands_on(t, lane)) || // else it is overtaken
           (t->lanes[lane].mark >= 0 && kerb_in_body_ahead(t, c, lane, 0) < KERB_IN_NO_LIMIT);
}

// All lanes of an edge that the vehicle may use are blocked.
static bool edge_is_blocked(const city_view* t, const city_car* c, int32_t edge) {
    const kerb_network_edge* e = &t->net.edges[edge];
    for (int32_t l = e->first_lane; l < e->first_lane + e->lane_count; l++)
        if (car_may_use(t, c, l) && !lane_is_blocked(t, c, l))
            return false;
    return true;
}

// It learns of all lanes of an edge that they are blocked, or that they are not. True: news.
static bool see_road(city_view* t, int32_t index, int32_t edge) {
    city_car* c = &t->cars[index];
    const kerb_network_edge* e = &t->net.edges[edge];
    bool blocked = edge_is_blocked(t, c, edge), news = false;
    if (!blocked && c->known == 0)
        return false;
    kerb_route_knowledge* k = knowledge_of(t, index);
    float until = (float)t->head->time + t->head->settings.memory;
    for (int32_t l = e->first_lane; k && l < e->first_lane + e->lane_count; l++)
        news |= blocked ? kerb_route_learn(k, l, until) : kerb_route_unlearn(k, l);
    return news;
}

static bool see_way_ahead(city_view* t, int32_t index) {
    const city_car* c = &t->cars[index];
    float way = car_rest(t, c);
    bool news = false;
    for (int32_t k = 1; k <= LOOK_AHEAD && way <= t->head->settings.sight; k++) {
        int32_t edge = kerb_in_route_peek(t, c, k);
        if (edge < 0)
            break;
        news |= see_road(t, index, edge);
        way += t->net.segments[t->net.edges[edge].first_lane].length;
    }
    return news;
}

// --------------------------------------------------------------------------- telling

static void tell_car(city_view* t, int32_t from, int32_t to) {
    if (from == to || t->cars[to].stage < KERB_TRAFFIC_DRIVING)
        return;
    kerb_route_knowledge* theirs = knowledge_of(t, to);
    if (theirs && kerb_route_tell(&t->knowledge[t->cars[from].known - 1], theirs))
        t->cars[to].has_news = 1;
}

// Tells the vehicles that are near, on its road and on that beside in the other direction.
static void tell_those_near(city_view* t, int32_t index) {
    const city_car* c = &t->cars[index];
    int32_t segments[MEETING_SEGMENTS];
    kerb_vec3 place = kerb_in_network_at(&t->net, c->segment, c->s, 0).position;
    int32_t count =
        kerb_in_network_near(&t->net, place, meeting_distance, segments, MEETING_SEGMENTS);
    for (int32_t i = 0; i < count; i++) {
        float station, left;
        kerb_in_network_nearest(&t->net, segments[i], place, &station, &left);
        for (int32_t node = t->lanes[segments[i]].last; node >= 0;
             node = node_car(t, node)->ahead[node & 1])
            if (!(node & 1) && kerb_abs(node_station(t, node) - station) < meeting_distance)
                tell_car(t, index, node >> 1);
    }
}

// --------------------------------------------------------------------------- ways round

bool kerb_in_way_is_blocked(const city_view* t, const city_car* c) {
    for (int32_t k = 1; c->known > 0 && kerb_in_route_peek(t, c, k) >= 0; k++)
        if (kerb_in_knows_blocked(t, c, t->net.edges[kerb_in_route_peek(t, c, k)].first_lane))
            return true;
    return false;
}

// Later, where it has claimed a turn, changes lanes, or too many look in this step.
static void look_for_way_round(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    if (!kerb_in_way_is_blocked(t, c)) {
        c->has_news = 0;
        return;
    }
    if (!car_on_lane(t, c) || c->claim_count > 0 || c->shadow >= 0 || t->head->reroutes_left <= 0)
        return;
    t->head->reroutes_left--;
    c->has_news = 0;
    if (!kerb_in_reroute(t, index, false))
        return;
    kerb_in_traffic_record(t, index, KERB_TRAFFIC_REROUTED);
    t->head->counts.reroutes++;
}

static void car_looks(city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    if (car_on_lane(t, c) && see_way_ahead(t, index))
        c->has_news = 1;
    if (c->known > 0) {
        kerb_route_knowledge* k = &t->knowledge[c->known - 1];
        kerb_route_forget(k, (float)t->head->time);
        if (k->count == 0)
            kerb_in_forget_all(t, index);
        else
            tell_those_near(t, index);
    }
    if (c->has_news)
        look_for_way_round(t, index);
}

void kerb_in_traffic_see(city_view* t) {
    const traffic_block* h = t->head;
    if (h->incidents == 0 && h->broken == 0 && h->mark_count == 0 && h->knowers == 0)
        return;
    int32_t every = (int32_t)(look_interval / t->dt) + 1;
    for (int32_t i = h->step % every; i < h->car_count; i += every)
        if (t->cars[i].stage >= KERB_TRAFFIC_DRIVING)
            car_looks(t, i);
}
