// Networks that change while traffic drives on them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/traffic_edit.h"
#include "test/allocation.h"
#include "test/road/rectangles.h"
#include "test/seed.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 4, EDGES_MAX = 80, LANES_MAX = 200, TURNS_MAX = 900, VEHICLES = 90 };

// A town as it is told: edges with up to three lanes, and turns between lanes. Names never change.
typedef struct town_edge {
    int32_t from, to, lane_count, priority, names[3];
    float limit;
} town_edge;

typedef struct town_turn {
    int32_t from, to, name; // names of lanes
    bool back;
} town_turn;

typedef struct town {
    town_edge edges[EDGES_MAX];
    int32_t edge_count;
    town_turn turns[TURNS_MAX];
    int32_t turn_count, next_name;
} town;

// What a network was built from: the index of each name.
typedef struct built {
    kerb_network network;
    int32_t lane_name[LANES_MAX], turn_name[TURNS_MAX], lane_count, turn_count;
    int32_t first_lane[EDGES_MAX];
} built;

static town place;
static built now;
static kerb_traffic traffic;
static int32_t car_type;
static int64_t added;
static int32_t ends_joined;

static kerb_vec3 lane_end(const town_edge* e, int32_t lane, bool end) {
    float x0 = (float)(e->from % SIDE) * 150, y0 = (float)(e->from / SIDE) * 150;
    float x1 = (float)(e->to % SIDE) * 150, y1 = (float)(e->to / SIDE) * 150;
    float ux = (x1 - x0) / 150, uy = (y1 - y0) / 150;
    float right = 1.6f + 3.2f * (float)(e->lane_count - 1 - lane), along = end ? 132 : 18;
    return kerb_vec3_make(x0 + along * ux + right * uy, y0 + along * uy - right * ux, 0);
}

static int32_t index_of(const int32_t* names, int32_t count, int32_t name) {
    for (int32_t i = 0; i < count; i++)
        if (names[i] == name)
            return i;
    return -1;
}

// The plan lies in arrays of this function until the next call.
static kerb_network_plan plan_of(const town* t, built* b) {
    static kerb_network_edge edges[EDGES_MAX];
    static kerb_network_lane lanes[LANES_MAX];
    static kerb_network_turn turns[TURNS_MAX];
    static kerb_network_junction junctions[SIDE * SIDE];
    static kerb_vec3 points[2 * LANES_MAX];
    b->lane_count = 0;
    for (int32_t e = 0; e < t->edge_count; e++) {
        const town_edge* edge = &t->edges[e];
        b->first_lane[e] = b->lane_count;
        edges[e] = (kerb_network_edge){b->lane_count, edge->lane_count, edge->from, edge->to,
                                       edge->priority};
        for (int32_t k = 0; k < edge->lane_count; k++) {
            int32_t lane = b->lane_count++;
            points[2 * lane] = lane_end(edge, k, false);
            points[2 * lane + 1] = lane_end(edge, k, true);
            lanes[lane] = kerb_network_lane_at(2 * lane, 2);
            lanes[lane].speed_limit = edge->limit;
            b->lane_name[lane] = edge->names[k];
        }
    }
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        junctions[i].rule = i % 2 ? KERB_JUNCTION_NEAR_SIDE : KERB_JUNCTION_PRIORITY;
    b->turn_count = t->turn_count;
    for (int32_t i = 0; i < t->turn_count; i++) {
        turns[i] =
            kerb_network_turn_between(index_of(b->lane_name, b->lane_count, t->turns[i].from),
                                      index_of(b->lane_name, b->lane_count, t->turns[i].to));
        turns[i].back = t->turns[i].back;
        b->turn_name[i] = t->turns[i].name;
    }
    return (kerb_network_plan){.edges = edges,
                               .edge_count = t->edge_count,
                               .lanes = lanes,
                               .lane_count = b->lane_count,
                               .turns = turns,
                               .turn_count = t->turn_count,
                               .junctions = junctions,
                               .junction_count = SIDE * SIDE,
                               .points = points,
                               .point_count = 2 * b->lane_count};
}

static kerb_result build(const town* t, built* b) {
    kerb_host host = kerb_host_default();
    kerb_network_plan plan = plan_of(t, b);
    return kerb_network_create(&b->network, &plan, &host, NULL);
}

static bool has_turn(const town* t, int32_t from, int32_t to) {
    for (int32_t i = 0; i < t->turn_count; i++)
        if (t->turns[i].from == from && t->turns[i].to == to)
            return true;
    return false;
}

static void join_lanes(town* t, int32_t from, int32_t to) {
    if (t->turn_count < TURNS_MAX && !has_turn(t, from, to))
        t->turns[t->turn_count++] = (town_turn){from, to, t->next_name++, false};
}

// Streets that end get their turns back.
static void join_ends(town* t) {
    static built unused;
    kerb_network_turn back[EDGES_MAX];
    kerb_host host = kerb_host_default();
    kerb_network_plan plan = plan_of(t, &unused);
    int32_t count = kerb_network_turns_back(&plan, &host, back, EDGES_MAX);
    assert_in_range(count, 0, EDGES_MAX);
    for (int32_t i = 0; i < count && t->turn_count < TURNS_MAX; i++)
        t->turns[t->turn_count++] = (town_turn){unused.lane_name[back[i].from],
                                                unused.lane_name[back[i].to], t->next_name++, true};
    ends_joined += count;
}

// All turns from an edge and to it, but back.
static void connect_edge(town* t, int32_t e) {
    const town_edge* edge = &t->edges[e];
    for (int32_t i = 0; i < t->edge_count; i++) {
        const town_edge* other = &t->edges[i];
        for (int32_t k = 0; k < edge->lane_count; k++) {
            if (other->from == edge->to && other->to != edge->from)
                join_lanes(t, edge->names[k],
                           other->names[k < other->lane_count ? k : other->lane_count - 1]);
            if (other->to == edge->from && other->from != edge->to)
                join_lanes(t, other->names[k < other->lane_count ? k : other->lane_count - 1],
                           edge->names[k]);
        }
    }
}

static void add_street(town* t, int32_t from, int32_t to, int32_t lane_count) {
    town_edge* e = &t->edges[t->edge_count++];
    *e = (town_edge){
        .from = from, .to = to, .lane_count = lane_count, .priority = 1, .limit = 13.89f};
    for (int32_t k = 0; k < lane_count; k++)
        e->names[k] = t->next_name++;
    connect_edge(t, t->edge_count - 1);
}

static void make_town(void) {
    place = (town){.edge_count = 0};
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        if (i % SIDE + 1 < SIDE) {
            add_street(&place, i, i + 1, 1 + i % 2);
            add_street(&place, i + 1, i, 1 + i % 2);
        }
        if (i / SIDE + 1 < SIDE) {
            add_street(&place, i, i + SIDE, 1 + i % 2);
            add_street(&place, i + SIDE, i, 1 + i % 2);
        }
    }
    assert_int_equal(build(&place, &now), KERB_OK);
}

static void make_traffic(int32_t seed) {
    kerb_traffic_settings settings;
    kerb_host host = kerb_host_default();
    kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
    settings.vehicles_max = VEHICLES;
    settings.seed = seed;
    assert_int_equal(kerb_traffic_create(&traffic, &now.network, &settings, &host, NULL), KERB_OK);
    kerb_traffic_type car = kerb_traffic_car();
    car_type = kerb_traffic_add_type(&traffic, &car);
    added = 0;
}

static void destroy_all(void) {
    kerb_traffic_destroy(&traffic);
    kerb_network_destroy(&now.network);
}

// --------------------------------------------------------------------------- driving

static int32_t next_edge(kerb_random* random, int32_t e) {
    int32_t turns[16], ends[64], count = 0;
    for (int32_t k = 0; k < place.edges[e].lane_count; k++) {
        int32_t n = kerb_network_turns_from(&now.network, now.first_lane[e] + k, turns, 16);
        kerb_network_size size = kerb_network_size_of(&now.network);
        for (int32_t i = 0; i < n && i < 16 && count < 64; i++)
            ends[count++] =
                kerb_network_segment_of(
                    &now.network, kerb_network_segment_of(&now.network, size.lanes + turns[i]).to)
                    .edge;
    }
    return count > 0 ? ends[kerb_random_below(random, count)] : -1;
}

static void add_trips(kerb_random* random) {
    for (int32_t tries = 0; tries < 5; tries++) {
        int32_t route[8], count = 1;
        route[0] = kerb_random_below(random, place.edge_count);
        while (count < 8) {
            int32_t next = next_edge(random, route[count - 1]);
            if (next < 0)
                break;
            route[count++] = next;
        }
        kerb_traffic_trip trip = kerb_traffic_trip_along(car_type, route, count);
        added += kerb_traffic_add(&traffic, &trip) >= 0;
    }
}

static int32_t steps_done;

static void drive(kerb_random* random, int32_t steps) {
    for (int32_t i = 0; i < steps; i++) {
        int32_t a, b;
        if (random && i % 10 == 0)
            add_trips(random);
        kerb_traffic_step(&traffic, &now.network, 0.1f, NULL);
        if (steps_done++ % 5 == 0)
            assert_int_equal(test_overlaps(&traffic, &now.network, VEHICLES, &a, &b), 0);
    }
    kerb_traffic_counts counts = kerb_traffic_counts_of(&traffic);
    assert_int_equal(counts.departed - counts.arrived, counts.vehicles);
    assert_int_equal(counts.departed + counts.outside, added);
}

// --------------------------------------------------------------------------- edits

static int32_t lane_named(int32_t name) {
    return index_of(now.lane_name, now.lane_count, name);
}

static void move_to(const town* changed) {
    static built next;
    static int32_t lanes[LANES_MAX], turns[TURNS_MAX];
    kerb_host host = kerb_host_default();
    kerb_error error = {0};
    assert_int_equal(build(changed, &next), KERB_OK);
    for (int32_t i = 0; i < now.lane_count; i++)
        lanes[i] = index_of(next.lane_name, next.lane_count, now.lane_name[i]);
    for (int32_t i = 0; i < now.turn_count; i++)
        turns[i] = index_of(next.turn_name, next.turn_count, now.turn_name[i]);
    kerb_network_change change = {lanes, turns, NULL};
    kerb_result result =
        kerb_traffic_move_to(&traffic, &now.network, &next.network, &change, &host, &error);
    if (result != KERB_OK)
        print_message("%s %d: %s\n", error.field, error.index, error.message);
    assert_int_equal(result, KERB_OK);
    kerb_network_destroy(&now.network);
    now = next;
    place = *changed;
}

static void close_lane(int32_t name, bool closed) {
    kerb_network_set_classes(&now.network, lane_named(name), closed ? 0 : UINT32_MAX);
}

static bool is_used(const int32_t* names, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (kerb_traffic_uses(&traffic, &now.network, lane_named(names[i])) > 0)
            return true;
    return false;
}

// Closes lanes and waits until they are empty. False: they stay.
static bool empty_lanes(kerb_random* random, const int32_t* names, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        close_lane(names[i], true);
    for (int32_t k = 0; k < 60 && is_used(names, count); k++)
        drive(random, 10);
    if (!is_used(names, count))
        return true;
    for (int32_t i = 0; i < count; i++)
        close_lane(names[i], false);
    return false;
}

static void drop_turns(town* t, int32_t lane) {
    int32_t kept = 0;
    for (int32_t i = 0; i < t->turn_count; i++)
        if (t->turns[i].from != lane && t->turns[i].to != lane)
            t->turns[kept++] = t->turns[i];
    t->turn_count = kept;
}

static bool leads_somewhere(town* t) {
    join_ends(t);
    for (int32_t e = 0; e < t->edge_count; e++) {
        bool out = false;
        for (int32_t i = 0; i < t->turn_count; i++)
            for (int32_t k = 0; k < t->edges[e].lane_count; k++)
                out |= t->turns[i].from == t->edges[e].names[k];
        if (!out)
            return false;
    }
    return true;
}

// Returns whether the town was changed.
static bool edit(kerb_random* random) {
    static town next;
    next = place;
    int32_t e = kerb_random_below(random, place.edge_count), name;
    town_edge* edge = &next.edges[e];
    switch (kerb_random_below(random, 8)) {
    case 0:
        edge->limit = kerb_random_between(random, 5, 20);
        break;
    case 1:
        edge->priority = kerb_random_below(random, 4);
        break;
    case 2: // a lane beside the others, which keep their places
        if (edge->lane_count == 3 || place.edge_count > EDGES_MAX - 2)
            return false;
        memmove(edge->names + 1, edge->names, 2 * sizeof *edge->names);
        edge->names[0] = next.next_name++;
        edge->lane_count++;
        connect_edge(&next, e);
        break;
    case 3: // a lane goes
        if (edge->lane_count == 1)
            return false;
        name = edge->names[0];
        edge->lane_count--;
        memmove(edge->names, edge->names + 1, 2 * sizeof *edge->names);
        drop_turns(&next, name);
        if (!leads_somewhere(&next) || !empty_lanes(random, &name, 1))
            return false;
        break;
    case 4: // a turn goes
        if (place.turn_count < 100)
            return false;
        e = kerb_random_below(random, place.turn_count);
        next.turns[e] = next.turns[--next.turn_count];
        if (!leads_somewhere(&next))
            return false;
        kerb_network_set_open(&now.network, e, false);
        for (int32_t k = 0; k < 40; k++)
            if (kerb_traffic_uses(&traffic, &now.network, now.lane_count + e) > 0)
                drive(random, 5);
        if (kerb_traffic_uses(&traffic, &now.network, now.lane_count + e) > 0)
            return false;
        break;
    case 5: // turns come back
        connect_edge(&next, e);
        break;
    case 6: // a road goes
        if (place.edge_count < 36)
            return false;
        for (int32_t k = 0; k < edge->lane_count; k++)
            drop_turns(&next, edge->names[k]);
        next.edges[e] = next.edges[next.edge_count - 1];
        next.edge_count--;
        if (!leads_somewhere(&next) ||
            !empty_lanes(random, place.edges[e].names, place.edges[e].lane_count))
            return false;
        break;
    default: { // a new road
        int32_t from = kerb_random_below(random, SIDE * SIDE);
        int32_t to = kerb_random_below(random, 2) ? from + 1 : from + SIDE;
        bool known = to >= SIDE * SIDE || (to == from + 1 && to % SIDE == 0);
        for (int32_t i = 0; i < place.edge_count; i++)
            known |= place.edges[i].from == from && place.edges[i].to == to;
        if (known)
            return false;
        add_street(&next, from, to, 1 + kerb_random_below(random, 2));
    }
    }
    move_to(&next);
    return true;
}

static void a_thousand_edits_of_a_running_network_lose_nobody(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    int32_t edits = test_share(1000, 40), done = 0;
    make_town();
    make_traffic(3);
    drive(&random, 300);
    for (int32_t tries = 0; done < edits && tries < 20 * edits; tries++) {
        done += edit(&random);
        drive(&random, 3 + kerb_random_below(&random, 20));
    }
    assert_int_equal(done, edits);
    built same;
    assert_int_equal(build(&place, &same), KERB_OK); // the same as a network built so
    move_to(&place);
    assert_int_equal(same.network.bytes, now.network.bytes);
    assert_memory_equal(same.network.memory, now.network.memory, same.network.bytes);
    kerb_network_destroy(&same.network);
    kerb_traffic_counts counts = kerb_traffic_counts_of(&traffic);
    for (int32_t i = 0; i < 400 && counts.vehicles + counts.outside > 0; i++) {
        drive(NULL, 50);
        counts = kerb_traffic_counts_of(&traffic);
    }
    print_message("%d edits, %d ends, %d trips, %d asked, %d rerouted, %d left\n", done,
                  ends_joined, (int32_t)counts.arrived, (int32_t)counts.asked,
                  (int32_t)counts.reroutes, counts.vehicles + counts.outside);
    if (edits == 1000) {
        assert_int_equal(counts.vehicles + counts.outside, 0);
        assert_true(ends_joined > 10);
    }
    destroy_all();
}

// Traffic that was moved before anybody drove gives the bits of one that was created there.
static void traffic_that_moved_is_as_if_created_there(void** state) {
    (void)state;
    for (int32_t seed = 0; seed < 3; seed++) {
        static town changed;
        make_town();
        make_traffic(seed);
        changed = place;
        changed.edges[5].priority = 3;
        changed.edges[7].limit = 8;
        join_lanes(&changed, changed.edges[0].names[0], changed.edges[1].names[0]);
        move_to(&changed);
        kerb_traffic moved = traffic;
        make_traffic(seed);
        kerb_traffic fresh = traffic;
        for (int32_t k = 0; k < 2; k++) {
            kerb_random random = kerb_random_make(5, (uint64_t)seed);
            traffic = k ? fresh : moved;
            added = 0;
            drive(&random, 300);
        }
        assert_int_equal(moved.bytes, fresh.bytes);
        assert_memory_equal(moved.memory, fresh.memory, moved.bytes);
        kerb_traffic_destroy(&moved);
        kerb_traffic_destroy(&fresh);
        kerb_network_destroy(&now.network);
    }
}

// A move to the same network changes nothing that drives on.
static void a_move_to_the_same_network_goes_on_as_before(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    make_town();
    make_traffic(1);
    drive(&random, 400);
    static town same;
    same = place;
    kerb_traffic_vehicle before[VEHICLES];
    for (int32_t i = 0; i < VEHICLES; i++)
        before[i] = kerb_traffic_vehicle_of(&traffic, &now.network, i);
    kerb_traffic_counts counts = kerb_traffic_counts_of(&traffic);
    move_to(&same);
    for (int32_t i = 0; i < VEHICLES; i++) {
        kerb_traffic_vehicle v = kerb_traffic_vehicle_of(&traffic, &now.network, i);
        assert_int_equal(v.segment, before[i].segment);
        assert_int_equal(v.claims, before[i].claims);
        assert_float_equal(v.station, before[i].station, 0);
        assert_float_equal(v.speed, before[i].speed, 0);
    }
    kerb_traffic_counts later = kerb_traffic_counts_of(&traffic);
    assert_int_equal(later.vehicles, counts.vehicles);
    assert_int_equal(later.reroutes, counts.reroutes);
    drive(NULL, 3000);
    later = kerb_traffic_counts_of(&traffic);
    assert_int_equal(later.vehicles + later.outside, 0);
    destroy_all();
}

static void what_is_in_use_does_not_go(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    static built next;
    static int32_t lanes[LANES_MAX], turns[TURNS_MAX];
    kerb_host host = kerb_host_default();
    make_town();
    make_traffic(1);
    drive(&random, 300);
    assert_int_equal(build(&place, &next), KERB_OK);
    for (int32_t i = 0; i < LANES_MAX; i++)
        lanes[i] = i;
    for (int32_t i = 0; i < TURNS_MAX; i++)
        turns[i] = i;
    kerb_network_change change = {lanes, turns, NULL};
    size_t bytes = traffic.bytes;
    char* copy = malloc(bytes);
    memcpy(copy, traffic.memory, bytes);
    int32_t refused = 0;
    for (int32_t i = 0; i < now.lane_count; i++) {
        kerb_error error = {0};
        if (kerb_traffic_uses(&traffic, &now.network, i) == 0)
            continue;
        lanes[i] = -1;
        assert_int_equal(
            kerb_traffic_move_to(&traffic, &now.network, &next.network, &change, &host, &error),
            KERB_ERROR_CONTRADICTION);
        lanes[i] = i;
        refused++;
    }
    assert_true(refused > 3);
    lanes[1] = LANES_MAX + 5;
    assert_int_equal(
        kerb_traffic_move_to(&traffic, &now.network, &next.network, &change, &host, NULL),
        KERB_ERROR_OUT_OF_RANGE);
    lanes[1] = 0;
    assert_int_not_equal(
        kerb_traffic_move_to(&traffic, &now.network, &next.network, &change, &host, NULL), KERB_OK);
    lanes[1] = 1;
    assert_memory_equal(copy, traffic.memory, bytes);
    test_allocation allocation = test_allocation_make();
    kerb_host failing = test_allocation_host(&allocation);
    for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_result result =
            kerb_traffic_move_to(&traffic, &now.network, &next.network, &change, &failing, NULL);
        if (!allocation.failed)
            break;
        assert_int_equal(result, KERB_ERROR_OUT_OF_MEMORY);
        assert_memory_equal(copy, traffic.memory, bytes);
    }
    free(copy);
    kerb_traffic_destroy(&traffic);
    kerb_network_destroy(&next.network);
    kerb_network_destroy(&now.network);
}

int traffic_edit_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_edits_of_a_running_network_lose_nobody),
        cmocka_unit_test(traffic_that_moved_is_as_if_created_there),
        cmocka_unit_test(a_move_to_the_same_network_goes_on_as_before),
        cmocka_unit_test(what_is_in_use_does_not_go),
    };
    return cmocka_run_group_tests_name("traffic_edit", tests, NULL, NULL);
}
