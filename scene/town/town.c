// Purpose: the town's map: two tables, junctions and streets, and the rules that make lanes of
//          them.
// Idea:    A street is a straight or an arc between two junctions. Each junction keeps its streets
//          at a distance at which the tightest right turn still has TURN_RADIUS, which the largest
//          reference vehicle can drive; lanes end there. Links are a straight, an arc and a
//          straight, or, where the lanes nearly face each other, a cubic. Turns of more than
//          TURN_MOST are not offered.
// Cost:    once, O(points · solids).
// Source:  our own; the radius is the carrier's 10.5 m and a reserve.
#include "scene/town/town.h"

#include "scene/town/town_parts.h"

#include <string.h>

#define LANE_SPACING 4.0f // of waypoints [m]
#define LINK_SPACING 2.0f
#define TURN_RADIUS 12.5f
#define SETBACK_LEAST 8.0f
#define HEIGHT_SPACING 4.0f
#define EDGE 480.0f // the ground reaches so far each way [m]

static float town_radians(float degrees) {
    return degrees * (KERB_PI / 180.0f);
}

#define TURN_MOST town_radians(125.0f)
#define TURN_SLIGHT town_radians(12.0f) // below this a link is a cubic

// --------------------------------------------------------------------------- the map

static const kerb_vec2 junctions[] = {
    // the ring road, anticlockwise from the east
    {430, 10},    // 0
    {350, 215},   // 1
    {195, 365},   // 2
    {5, 385},     // 3
    {-205, 330},  // 4
    {-385, 205},  // 5
    {-410, -20},  // 6
    {-340, -235}, // 7
    {-170, -350}, // 8
    {20, -375},   // 9
    {220, -350},  // 10
    {365, -205},  // 11
    // the boulevard round the old town
    {215, 10},    // 12
    {160, 150},   // 13
    {10, 210},    // 14
    {-150, 165},  // 15
    {-225, -15},  // 16
    {-140, -165}, // 17
    {15, -215},   // 18
    {165, -150},  // 19
    // the roundabout
    {36, 0},  // 20
    {0, 36},  // 21
    {-36, 0}, // 22
    {0, -36}, // 23
    // the old town
    {95, 95},   // 24
    {122, 0},   // 25
    {0, 124},   // 26
    {-124, -5}, // 27
    {5, -124},  // 28
    {-85, 90},  // 29
    {-80, -95}, // 30
    {95, -85},  // 31
    // the hill
    {262, 240}, // 32
};
#define JUNCTIONS ((int32_t)(sizeof junctions / sizeof junctions[0]))

typedef struct street {
    int32_t from, to;
    float bend;  // change of heading on the way, left positive [degrees]
    float limit; // [m/s]
    bool one_way;
} street;

#define TOWN_RING_ROAD 14.0f
#define TOWN_ROAD 11.0f
#define LANE_ROAD 8.0f
#define ROUNDABOUT 8.0f

static const street streets[] = {
    {0, 1, 31, TOWN_RING_ROAD, false},
    {1, 2, 31, TOWN_RING_ROAD, false},
    {2, 3, 28, TOWN_RING_ROAD, false},
    {3, 4, 30, TOWN_RING_ROAD, false},
    {4, 5, 31, TOWN_RING_ROAD, false},
    {5, 6, 30, TOWN_RING_ROAD, false},
    {6, 7, 32, TOWN_RING_ROAD, false},
    {7, 8, 31, TOWN_RING_ROAD, false},
    {8, 9, 29, TOWN_RING_ROAD, false},
    {9, 10, 30, TOWN_RING_ROAD, false},
    {10, 11, 29, TOWN_RING_ROAD, false},
    {11, 0, 29, TOWN_RING_ROAD, false},
    // from the ring road inwards
    {0, 12, -20, TOWN_ROAD, false},
    {13, 32, 24, TOWN_ROAD, false},
    {32, 1, -30, TOWN_ROAD, false},
    {32, 2, -34, TOWN_ROAD, false},
    {3, 14, 16, TOWN_ROAD, false},
    {4, 15, 0, TOWN_ROAD, false},
    {5, 15, 25, TOWN_ROAD, false},
    {6, 16, -12, TOWN_ROAD, false},
    {7, 17, 0, TOWN_ROAD, false},
    {8, 17, -18, TOWN_ROAD, false},
    {9, 18, 0, TOWN_ROAD, false},
    {10, 19, 20, TOWN_ROAD, false},
    {11, 19, 0, TOWN_ROAD, false},
    // the boulevard
    {12, 13, 25, TOWN_ROAD, false},
    {13, 14, 0, TOWN_ROAD, false},
    {14, 15, 20, TOWN_ROAD, false},
    {15, 16, 0, TOWN_ROAD, false},
    {16, 17, 30, TOWN_ROAD, false},
    {17, 18, 0, TOWN_ROAD, false},
    {18, 19, 22, TOWN_ROAD, false},
    {19, 12, 0, TOWN_ROAD, false},
    // into the middle
    {12, 25, 0, LANE_ROAD, false},
    {25, 20, 0, LANE_ROAD, false},
    {14, 26, 0, LANE_ROAD, false},
    {26, 21, 0, LANE_ROAD, false},
    {16, 27, 12, LANE_ROAD, false},
    {27, 22, 0, LANE_ROAD, false},
    {18, 28, 0, LANE_ROAD, false},
    {28, 23, 0, LANE_ROAD, false},
    // the old town
    {25, 24, 0, LANE_ROAD, false},
    {24, 26, 15, LANE_ROAD, false},
    {24, 13, 0, LANE_ROAD, false},
    {26, 29, 0, LANE_ROAD, false},
    {29, 27, 18, LANE_ROAD, false},
    {29, 15, 0, LANE_ROAD, false},
    {27, 30, 0, LANE_ROAD, false},
    {30, 28, 0, LANE_ROAD, false},
    {30, 17, 0, LANE_ROAD, false},
    {28, 31, 16, LANE_ROAD, false},
    {31, 25, 0, LANE_ROAD, false},
    {31, 19, 0, LANE_ROAD, false},
    // round the roundabout
    {20, 21, 90, ROUNDABOUT, true},
    {21, 22, 90, ROUNDABOUT, true},
    {22, 23, 90, ROUNDABOUT, true},
    {23, 20, 90, ROUNDABOUT, true},
};
#define STREETS ((int32_t)(sizeof streets / sizeof streets[0]))

// Gravel in the south-west, a wet hollow in the south-east, and a polished square.
static const kerb_sim_zone zones[] = {
    {.centre = {-240, -175}, .radius = 75, .grip = 0.6f},
    {.centre = {255, -170}, .radius = 60, .grip = 0.7f},
    {.centre = {-40, 165}, .half_length = 40, .half_width = 30, .heading = 0.3f, .grip = 0.8f},
};
#define ZONES ((int32_t)(sizeof zones / sizeof zones[0]))

// One hill of a whole wave of a cosine: 25 m high, at most 19 % steep. And a hollow.
static float bump(float x, float y, float centre_x, float centre_y, float radius, float height) {
    float off = kerb_vec2_length(kerb_vec2_make(x - centre_x, y - centre_y));
    return off < radius ? 0.5f * height * (1.0f + kerb_cos(KERB_PI * off / radius)) : 0.0f;
}

float kerb_scene_town_height(float x, float y) {
    return bump(x, y, 250, 235, 205, 25) - bump(x, y, 260, -175, 120, 6);
}

// --------------------------------------------------------------------------- streets

// A street's middle line.
typedef struct town_middle {
    kerb_vec2 start;
    float heading;   // at its start [rad]
    float curvature; // left positive [1/m]
    float length;
} town_middle;

static town_middle middle_of(const street* s) {
    kerb_vec2 chord = kerb_vec2_sub(junctions[s->to], junctions[s->from]);
    float bend = town_radians(s->bend);
    float straight = kerb_vec2_length(chord);
    town_middle m = {.start = junctions[s->from], .length = straight};
    m.heading = kerb_atan2(chord.y, chord.x) - 0.5f * bend;
    if (bend != 0.0f) {
        m.curvature = 2.0f * kerb_sin(0.5f * bend) / straight;
        m.length = bend / m.curvature;
    }
    return m;
}

// A place on a line, and the heading there.
typedef struct spot {
    kerb_vec2 at;
    float heading;
} spot;

static kerb_vec2 towards(float heading) {
    kerb_vec2 way;
    kerb_sin_cos(heading, &way.y, &way.x);
    return way;
}

// `aside` to the left of the middle line.
static spot spot_on(const town_middle* m, float along, float aside) {
    spot s;
    s.heading = m->heading + m->curvature * along;
    float chord_heading = m->heading + 0.5f * m->curvature * along;
    float half = 0.5f * m->curvature * along;
    float chord = kerb_abs(half) < 1.0e-4f ? along : along * kerb_sin(half) / half;
    s.at = kerb_vec2_add(m->start, kerb_vec2_scale(towards(chord_heading), chord));
    kerb_vec2 way = towards(s.heading);
    s.at = kerb_vec2_add(s.at, kerb_vec2_make(-way.y * aside, way.x * aside));
    return s;
}

// How a street leaves a junction.
static float town_leaving(const street* s, int32_t junction) {
    town_middle m = middle_of(s);
    return s->from == junction ? m.heading : m.heading + m.curvature * m.length + KERB_PI;
}

static float aside_of(const street* s) {
    return s->one_way ? 0.0f : TOWN_LANE_HALF;
}

static bool comes_from(const street* s, int32_t junction) {
    return s->to == junction || (s->from == junction && !s->one_way);
}

static bool leads_off(const street* s, int32_t junction) {
    return s->from == junction || (s->to == junction && !s->one_way);
}

// The distance from the junction at which a right turn from `in` to `out` has TURN_RADIUS.
static float setback_for(const street* in, const street* out, int32_t junction) {
    if (!comes_from(in, junction) || !leads_off(out, junction))
        return 0.0f;
    float turn =
        kerb_wrap_angle(town_leaving(out, junction) - town_leaving(in, junction) - KERB_PI);
    if (kerb_abs(turn) > TURN_MOST)
        return 0.0f;
    float side = turn < 0.0f ? 1.0f : -1.0f;
    return (TURN_RADIUS + side * aside_of(in)) * kerb_tan(0.5f * kerb_abs(turn));
}

static float setback_at(int32_t junction) {
    float setback = SETBACK_LEAST;
    for (int32_t i = 0; i < STREETS; i++) {
        for (int32_t k = 0; k < STREETS; k++) {
            if (i != k)
                setback = kerb_max(setback, setback_for(&streets[i], &streets[k], junction));
        }
    }
    return setback;
}

// --------------------------------------------------------------------------- points

static void add_point(kerb_scene_town* town, kerb_vec2 at, float half_width, float limit) {
    if (town->point_count == TOWN_POINTS)
        return;
    kerb_waypoint* p = &town->points[town->point_count++];
    *p = kerb_waypoint_at(at.x, at.y, kerb_scene_town_height(at.x, at.y));
    p->left = p->right = half_width;
    p->speed_limit = limit;
    for (int32_t i = 0; i < ZONES; i++) {
        kerb_sim_world zone = {.zones = &zones[i], .zone_count = 1};
        p->grip = kerb_min(p->grip, kerb_sim_world_ground(&zone, p->position, NULL).grip);
    }
}

// Waypoints roll as the ground does that they lie on.
static void bank_points(kerb_scene_town* town, int32_t first, int32_t count, float heading_first,
                        float heading_last) {
    for (int32_t i = first; i < first + count; i++) {
        kerb_waypoint* p = &town->points[i];
        float heading = i == first ? heading_first : heading_last;
        if (i > first && i < first + count - 1) {
            kerb_vec3 chord = kerb_vec3_sub(p[1].position, p[-1].position);
            heading = kerb_atan2(chord.y, chord.x);
        }
        kerb_vec2 way = towards(heading);
        float x = p->position.x, y = p->position.y;
        float rise = kerb_scene_town_height(x - way.y, y + way.x) -
                     kerb_scene_town_height(x + way.y, y - way.x);
        p->bank = kerb_atan(0.5f * rise);
    }
}

static float length_of(const kerb_scene_town* town, int32_t first, int32_t count) {
    float length = 0.0f;
    for (int32_t i = first + 1; i < first + count; i++)
        length +=
            kerb_vec3_length(kerb_vec3_sub(town->points[i].position, town->points[i - 1].position));
    return length;
}

// --------------------------------------------------------------------------- lanes

static void add_lane(kerb_scene_town* town, int32_t index, bool back, const float* setbacks) {
    const street* s = &streets[index];
    town_middle m = middle_of(s);
    float start = setbacks[s->from], end = m.length - setbacks[s->to];
    town_lane lane = {.first = town->point_count, .street = index, .speed_limit = s->limit};
    lane.from = back ? s->to : s->from;
    lane.to = back ? s->from : s->to;
    float aside = back ? aside_of(s) : -aside_of(s);
    int32_t steps = (int32_t)((end - start) / LANE_SPACING) + 1;
    for (int32_t i = 0; i <= steps; i++) {
        float part = (float)i / (float)steps;
        part = back ? 1.0f - part : part;
        add_point(town, spot_on(&m, start + (end - start) * part, aside).at, TOWN_LANE_HALF,
                  s->limit);
    }
    lane.count = town->point_count - lane.first;
    lane.length = length_of(town, lane.first, lane.count);
    float turn = back ? KERB_PI : 0.0f;
    lane.heading_first = m.heading + m.curvature * (back ? end : start) + turn;
    lane.heading_last = m.heading + m.curvature * (back ? start : end) + turn;
    bank_points(town, lane.first, lane.count, lane.heading_first, lane.heading_last);
    if (town->lane_count < TOWN_LANES)
        town->lanes[town->lane_count++] = lane;
}

static void add_lanes(kerb_scene_town* town) {
    float setbacks[JUNCTIONS];
    for (int32_t i = 0; i < JUNCTIONS; i++)
        setbacks[i] = setback_at(i);
    for (int32_t i = 0; i < STREETS; i++) {
        add_lane(town, i, false, setbacks);
        if (!streets[i].one_way)
            add_lane(town, i, true, setbacks);
    }
}

// The end of a lane, or its start.
static spot lane_end(const kerb_scene_town* town, const town_lane* lane, bool at_start) {
    kerb_vec3 at = town->points[at_start ? lane->first : lane->first + lane->count - 1].position;
    spot result = {{at.x, at.y}, at_start ? lane->heading_first : lane->heading_last};
    return result;
}

// --------------------------------------------------------------------------- links

static kerb_vec2 on_cubic(const spot* from, const spot* to, float t) {
    float reach = kerb_vec2_length(kerb_vec2_sub(to->at, from->at)) / 3.0f;
    kerb_vec2 b = kerb_vec2_add(from->at, kerb_vec2_scale(towards(from->heading), reach));
    kerb_vec2 c = kerb_vec2_sub(to->at, kerb_vec2_scale(towards(to->heading), reach));
    float u = 1.0f - t;
    kerb_vec2 sum = kerb_vec2_scale(from->at, u * u * u);
    sum = kerb_vec2_add(sum, kerb_vec2_scale(b, 3.0f * u * u * t));
    sum = kerb_vec2_add(sum, kerb_vec2_scale(c, 3.0f * u * t * t));
    return kerb_vec2_add(sum, kerb_vec2_scale(to->at, t * t * t));
}

static void draw_cubic(kerb_scene_town* town, const spot* from, const spot* to, float limit) {
    float way = kerb_vec2_length(kerb_vec2_sub(to->at, from->at));
    int32_t steps = (int32_t)(way / LINK_SPACING) + 1;
    for (int32_t i = 1; i < steps; i++)
        add_point(town, on_cubic(from, to, (float)i / (float)steps), TOWN_LANE_HALF, limit);
}

// Straight, arc, straight, of which one straight has no length.
static void draw_turn(kerb_scene_town* town, const spot* from, const spot* to, float turn,
                      float limit) {
    kerb_vec2 a = towards(from->heading), b = towards(to->heading);
    kerb_vec2 across = kerb_vec2_sub(to->at, from->at);
    float sine = kerb_vec2_cross(a, b);
    float before = kerb_vec2_cross(across, b) / sine; // from the lane's end to where they cross
    float after = kerb_vec2_cross(a, across) / sine;  // and from there to the next lane's start
    float tangent = kerb_min(before, after);
    float radius = tangent / kerb_tan(0.5f * kerb_abs(turn));
    town_middle arc = {.start = kerb_vec2_add(from->at, kerb_vec2_scale(a, before - tangent)),
                       .heading = from->heading,
                       .curvature = (turn > 0.0f ? 1.0f : -1.0f) / radius};
    float length = radius * kerb_abs(turn);
    float whole = before + after - 2.0f * tangent + length;
    int32_t steps = (int32_t)(whole / LINK_SPACING) + 1;
    for (int32_t i = 1; i < steps; i++) {
        float along = whole * (float)i / (float)steps - (before - tangent);
        float held = kerb_clamp(along, 0.0f, length);
        spot s = spot_on(&arc, held, 0.0f);
        add_point(town, kerb_vec2_add(s.at, kerb_vec2_scale(towards(s.heading), along - held)),
                  TOWN_LANE_HALF, limit);
    }
}

static void add_link(kerb_scene_town* town, int32_t from, int32_t to) {
    const town_lane* in = &town->lanes[from];
    const town_lane* out = &town->lanes[to];
    spot a = lane_end(town, in, false), b = lane_end(town, out, true);
    town_link link = {.first = town->point_count, .from = from, .to = to};
    link.turn = kerb_wrap_angle(b.heading - a.heading);
    if (kerb_abs(link.turn) > TURN_MOST || town->link_count == TOWN_LINKS)
        return;
    float limit = kerb_min(in->speed_limit, out->speed_limit);
    if (kerb_abs(link.turn) < TURN_SLIGHT)
        draw_cubic(town, &a, &b, limit);
    else
        draw_turn(town, &a, &b, link.turn, limit);
    link.count = town->point_count - link.first;
    bank_points(town, link.first, link.count, a.heading, b.heading);
    link.length = length_of(town, link.first, link.count) + 2.0f * LINK_SPACING;
    town->links[town->link_count++] = link;
}

static void add_links(kerb_scene_town* town) {
    for (int32_t i = 0; i < town->lane_count; i++) {
        town_lane* lane = &town->lanes[i];
        lane->first_link = town->link_count;
        for (int32_t k = 0; k < town->lane_count; k++) {
            const town_lane* next = &town->lanes[k];
            if (next->from == lane->to && next->street != lane->street)
                add_link(town, i, k);
        }
        lane->link_count = town->link_count - lane->first_link;
    }
}

int32_t kerb_scene_town_link(const kerb_scene_town* town, int32_t from, int32_t to) {
    const town_lane* lane = &town->lanes[from];
    for (int32_t i = lane->first_link; i < lane->first_link + lane->link_count; i++) {
        if (town->links[i].to == to)
            return i;
    }
    return -1;
}

// --------------------------------------------------------------------------- ground

static void lay_ground(kerb_scene_town* town) {
    kerb_sim_terrain* terrain = &town->world.terrain;
    terrain->x = terrain->y = -EDGE;
    terrain->spacing = HEIGHT_SPACING;
    terrain->nx = terrain->ny = (int32_t)(2.0f * EDGE / HEIGHT_SPACING) + 1;
    terrain->heights = town->heights;
    for (int32_t j = 0; j < terrain->ny; j++) {
        for (int32_t i = 0; i < terrain->nx; i++)
            town->heights[j * terrain->nx + i] = kerb_scene_town_height(
                terrain->x + (float)i * terrain->spacing, terrain->y + (float)j * terrain->spacing);
    }
    memcpy(town->zones, zones, sizeof zones);
    town->world.zones = town->zones;
    town->world.zone_count = ZONES;
}

// --------------------------------------------------------------------------- making

kerb_result kerb_scene_town_make(kerb_scene_town** town, const kerb_host* host, kerb_error* error) {
    *town = host->allocator.allocate(host->allocator.context, sizeof **town, sizeof(double));
    if (*town == NULL)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "town", 0, -1,
                              "no memory for the town");
    memset(*town, 0, sizeof **town);
    lay_ground(*town);
    add_lanes(*town);
    add_links(*town);
    kerb_scene_town_build(*town);
    return KERB_OK;
}

void kerb_scene_town_free(kerb_scene_town* town, const kerb_host* host) {
    if (town != NULL)
        host->allocator.release(host->allocator.context, town, sizeof *town);
}
