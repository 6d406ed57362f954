// Purpose: the built-in networks of the city.
// Idea:    Each is a short list of junctions and roads; the rest follows (city_plan.c).
// Cost:    O(roads squared) for the grid's turns: a second for 30 × 30 crossings.
#include "scene/city/city_plan.h"

#include "kerb/math.h"

#include <string.h>

#define TOWN_PI 3.14159265f

static const kerb_scene_city_road city_street = {
    .lanes = 1, .speed = 13.89f, .priority = 1, .set_back = 9.0f};
static const kerb_scene_city_road avenue = {
    .lanes = 2, .speed = 13.89f, .priority = 2, .set_back = 14.0f};

// Crossings every 200 m, two lanes each way, signals wherever three roads meet.
static void make_grid(kerb_scene_city* city, int32_t size) {
    for (int32_t y = 0; y < size; y++)
        for (int32_t x = 0; x < size; x++)
            kerb_scene_city_junction(city, 200.0f * (float)x, 200.0f * (float)y,
                                     KERB_JUNCTION_PRIORITY);
    for (int32_t i = 0; i < size * size; i++) {
        if (i % size + 1 < size)
            kerb_scene_city_add_street(city, i, i + 1, &avenue);
        if (i + size < size * size)
            kerb_scene_city_add_street(city, i, i + size, &avenue);
    }
    kerb_scene_city_connect(city);
    for (int32_t i = 0; i < size * size; i++) {
        int32_t x = i % size, y = i / size;
        bool corner = (x == 0 || x == size - 1) && (y == 0 || y == size - 1);
        if (!corner)
            kerb_scene_city_signal(city, i, 30.0f, 20.0f * (float)((x + y) % 4));
    }
}

// One lane round a circle of eight edges.
static void make_ring(kerb_scene_city* city, int32_t size) {
    enum { ARCS = 8 };
    float radius = 100.0f * (float)size / (2.0f * TOWN_PI);
    kerb_scene_city_road arc = {.lanes = 1, .speed = 13.89f, .priority = 1, .one_way = true};
    for (int32_t i = 0; i < ARCS; i++) {
        float angle = 2.0f * TOWN_PI * (float)i / ARCS;
        kerb_scene_city_junction(city, radius * kerb_cos(angle), radius * kerb_sin(angle),
                                 KERB_JUNCTION_PRIORITY);
    }
    arc.bulge = -radius * (1.0f - kerb_cos(TOWN_PI / ARCS));
    arc.set_back = 1.0f;
    for (int32_t i = 0; i < ARCS; i++)
        kerb_scene_city_add_road(city, i, (i + 1) % ARCS, &arc);
    kerb_scene_city_connect(city);
}

// The four curves that the thesis plans through: a right angle, a wide bend, an acute one, and a
// turn round; a road leads through them one after the other and back.
static void make_curves(kerb_scene_city* city, int32_t size) {
    static const float places[][2] = {{0, 0},     {150, 0},   {150, 120},
                                      {290, 190}, {380, 190}, {290, 90}};
    enum { PLACES = 6 };
    (void)size;
    for (int32_t i = 0; i < PLACES; i++)
        kerb_scene_city_junction(city, places[i][0], places[i][1], KERB_JUNCTION_PRIORITY);
    for (int32_t i = 0; i + 1 < PLACES; i++)
        kerb_scene_city_add_street(city, i, i + 1, &city_street);
    kerb_scene_city_connect(city);
}

// Streets of 60 to 90 m that meet at odd angles: five arms, acute forks, one-way lanes, a bend, a
// bridge over another street. Lanes end 12 m before a junction: nearer than 11 m, a car that turns
// into an acute arm touches the one that waits beside it.
static void make_oldtown(kerb_scene_city* city, int32_t size) {
    static const float places[][2] = {{0, 0},     {85, -12},  {160, 8},  {240, -20}, {-20, 80},
                                      {62, 66},   {138, 84},  {228, 70}, {10, 165},  {90, 150},
                                      {170, 168}, {250, 150}, {40, 240}, {120, 236}, {205, 245}};
    static const struct {
        int8_t a, b, one_way, major;
        float bulge, z;
    } roads[] = {
        {0, 1, 0, 0, 0, 0},    {1, 2, 0, 0, 4, 0},   {2, 3, 0, 0, 0, 0},   {0, 4, 0, 0, 6, 0},
        {1, 5, 0, 0, 0, 0},    {2, 6, 0, 0, 0, 0},   {3, 7, 0, 0, -8, 0},  {4, 5, 0, 1, 0, 0},
        {5, 6, 0, 1, 0, 0},    {6, 7, 0, 1, 0, 0},   {4, 8, 0, 0, 0, 0},   {5, 9, 0, 0, 0, 0},
        {6, 10, 0, 0, 0, 0},   {7, 11, 0, 0, 0, 0},  {8, 9, 1, 0, 0, 0},   {9, 10, 1, 0, 0, 0},
        {11, 10, 1, 0, 0, 0},  {8, 12, 0, 0, 0, 0},  {9, 13, 0, 0, 5, 0},  {10, 14, 0, 0, 0, 0},
        {11, 14, 0, 0, 12, 0}, {12, 13, 0, 0, 0, 0}, {13, 14, 0, 0, 0, 0}, {5, 2, 0, 0, 0, 0},
        {9, 6, 0, 0, 0, 0},    {10, 13, 1, 0, 0, 0}};
    (void)size;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        kerb_scene_city_junction(city, places[i][0], places[i][1],
                                 i % 3 == 1 ? KERB_JUNCTION_PRIORITY : KERB_JUNCTION_NEAR_SIDE);
    for (size_t i = 0; i < sizeof roads / sizeof *roads; i++) {
        kerb_scene_city_road road = {.lanes = 1,
                                     .speed = roads[i].major ? 11.0f : 8.33f,
                                     .priority = 1 + roads[i].major,
                                     .set_back = 12.0f,
                                     .bulge = roads[i].bulge,
                                     .z = roads[i].z,
                                     .one_way = roads[i].one_way};
        if (road.one_way)
            kerb_scene_city_add_road(city, roads[i].a, roads[i].b, &road);
        else
            kerb_scene_city_add_street(city, roads[i].a, roads[i].b, &road);
    }
    kerb_scene_city_connect(city);
}

// A ring of four quarters against the clock, with an arm each.
static void make_roundabout(kerb_scene_city* city, int32_t size) {
    const float radius = 22.0f, reach = 200.0f;
    (void)size;
    for (int32_t i = 0; i < 4; i++) {
        float angle = 0.5f * TOWN_PI * (float)i, c = kerb_cos(angle), s = kerb_sin(angle);
        kerb_scene_city_junction(city, radius * c, radius * s, KERB_JUNCTION_PRIORITY);
        kerb_scene_city_junction(city, reach * c, reach * s, KERB_JUNCTION_PRIORITY);
    }
    kerb_scene_city_road ring = {.lanes = 1, .speed = 8.33f, .priority = 3, .one_way = true};
    ring.set_back = 5.5f;
    ring.bulge = -radius * (1.0f - kerb_cos(0.25f * TOWN_PI));
    kerb_scene_city_road arm = city_street;
    for (int32_t i = 0; i < 4; i++) {
        kerb_scene_city_add_road(city, 2 * i, 2 * ((i + 1) % 4), &ring);
        kerb_scene_city_add_street(city, 2 * i, 2 * i + 1, &arm);
    }
    kerb_scene_city_connect(city);
}

static const struct {
    const char *name, *meaning;
    int32_t size;
    void (*make)(kerb_scene_city* city, int32_t size);
} city_towns[] = {
    {"grid", "crossings with signals every 200 m, two lanes each way", 4, make_grid},
    {"ring", "one lane round a circle of 1 km", 10, make_ring},
    {"curves", "a road through the four curves of the thesis, and back", 0, make_curves},
    {"oldtown", "short streets at odd angles, five arms, one-way streets", 0, make_oldtown},
    {"roundabout", "a roundabout of four arms", 0, make_roundabout},
};

enum { TOWNS = sizeof city_towns / sizeof *city_towns };

const char* kerb_scene_city_name(int32_t index) {
    return index >= 0 && index < TOWNS ? city_towns[index].name : NULL;
}

const char* kerb_scene_city_meaning(int32_t index) {
    return index >= 0 && index < TOWNS ? city_towns[index].meaning : NULL;
}

bool kerb_scene_city_make(kerb_scene_city* city, const char* name, int32_t size, bool left_hand) {
    memset(city, 0, sizeof *city);
    for (int32_t i = 0; i < TOWNS; i++) {
        if (strcmp(city_towns[i].name, name) != 0)
            continue;
        city_towns[i].make(city, size > 0 ? size : city_towns[i].size);
        if (left_hand)
            kerb_scene_city_mirror(city);
        if (!city->out_of_memory)
            return true;
        kerb_scene_city_free(city);
        return false;
    }
    return false;
}
