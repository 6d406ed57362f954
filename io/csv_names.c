// Purpose: finds out what a column is from its name.
// Idea:    Tools agree on what a column is called far more than on how that is spelled: "X",
//          "pos_x", "x [m]" and "PosX(m)". So a name is first reduced to its letters and its unit,
//          and then looked up. A unit that does not fit what was found makes it another column:
//          "x_deg" is no position.
// Cost:    O(names) for each column of the header.
// Source:  Names in the files of the racetrack-database, global_racetrajectory_optimization,
//          f1tenth_racetracks, and in the exports of GIS and of data loggers.
#include "io/csv_names.h"

#include <string.h>

enum { NAME_BYTES_MAX = 48, WORDS_MAX = 8 };

#define RADIANS (3.14159265358979323846 / 180.0)

typedef enum csv_quantity { LENGTH, SPEED, TIME, ANGLE, DEGREES, RATIO } csv_quantity;

static const csv_quantity quantities[CSV_ROLE_COUNT] = {
    [CSV_X] = LENGTH,         [CSV_Y] = LENGTH,   [CSV_Z] = LENGTH,     [CSV_RIGHT] = LENGTH,
    [CSV_LEFT] = LENGTH,      [CSV_BANK] = ANGLE, [CSV_GRIP] = RATIO,   [CSV_DIRECTION] = RATIO,
    [CSV_SPEED] = SPEED,      [CSV_STOP] = TIME,  [CSV_WIDTH] = LENGTH, [CSV_LONGITUDE] = DEGREES,
    [CSV_LATITUDE] = DEGREES,
};

// Names without separators. Of one role earlier rows come first.
static const struct {
    const char* name;
    kerb_io_csv_role role;
} csv_names[] = {
    {"x", CSV_X},
    {"xref", CSV_X},
    {"posx", CSV_X},
    {"xpos", CSV_X},
    {"positionx", CSV_X},
    {"xposition", CSV_X},
    {"xcoord", CSV_X},
    {"xcoordinate", CSV_X},
    {"coordx", CSV_X},
    {"centerx", CSV_X},
    {"xcenter", CSV_X},
    {"centrex", CSV_X},
    {"xcentre", CSV_X},
    {"px", CSV_X},
    {"easting", CSV_X},
    {"east", CSV_X},
    {"utmx", CSV_X},
    {"utmeasting", CSV_X},
    {"y", CSV_Y},
    {"yref", CSV_Y},
    {"posy", CSV_Y},
    {"ypos", CSV_Y},
    {"positiony", CSV_Y},
    {"yposition", CSV_Y},
    {"ycoord", CSV_Y},
    {"ycoordinate", CSV_Y},
    {"coordy", CSV_Y},
    {"centery", CSV_Y},
    {"ycenter", CSV_Y},
    {"centrey", CSV_Y},
    {"ycentre", CSV_Y},
    {"py", CSV_Y},
    {"northing", CSV_Y},
    {"north", CSV_Y},
    {"utmy", CSV_Y},
    {"utmnorthing", CSV_Y},
    {"z", CSV_Z},
    {"zref", CSV_Z},
    {"posz", CSV_Z},
    {"zpos", CSV_Z},
    {"positionz", CSV_Z},
    {"zcoord", CSV_Z},
    {"elevation", CSV_Z},
    {"ele", CSV_Z},
    {"height", CSV_Z},
    {"altitude", CSV_Z},
    {"alt", CSV_Z},
    {"wright", CSV_RIGHT},
    {"wtrright", CSV_RIGHT},
    {"right", CSV_RIGHT},
    {"widthright", CSV_RIGHT},
    {"rightwidth", CSV_RIGHT},
    {"trackwidthright", CSV_RIGHT},
    {"wleft", CSV_LEFT},
    {"wtrleft", CSV_LEFT},
    {"left", CSV_LEFT},
    {"widthleft", CSV_LEFT},
    {"leftwidth", CSV_LEFT},
    {"trackwidthleft", CSV_LEFT},
    {"bank", CSV_BANK},
    {"bankingphi", CSV_BANK},
    {"banking", CSV_BANK},
    {"bankangle", CSV_BANK},
    {"bankingangle", CSV_BANK},
    {"superelevation", CSV_BANK},
    {"grip", CSV_GRIP},
    {"friction", CSV_GRIP},
    {"frictioncoefficient", CSV_GRIP},
    {"mu", CSV_GRIP},
    {"direction", CSV_DIRECTION},
    {"speed", CSV_SPEED},
    {"speedlimit", CSV_SPEED},
    {"maxspeed", CSV_SPEED},
    {"speedmax", CSV_SPEED},
    {"vmax", CSV_SPEED},
    {"vlimit", CSV_SPEED},
    {"targetspeed", CSV_SPEED},
    {"vtarget", CSV_SPEED},
    {"vref", CSV_SPEED},
    {"velocity", CSV_SPEED},
    {"vel", CSV_SPEED},
    {"vx", CSV_SPEED},
    {"v", CSV_SPEED},
    {"stop", CSV_STOP},
    {"width", CSV_WIDTH},
    {"trackwidth", CSV_WIDTH},
    {"roadwidth", CSV_WIDTH},
    {"wtr", CSV_WIDTH},
    {"longitude", CSV_LONGITUDE},
    {"lon", CSV_LONGITUDE},
    {"lng", CSV_LONGITUDE},
    {"long", CSV_LONGITUDE},
    {"latitude", CSV_LATITUDE},
    {"lat", CSV_LATITUDE},
};
enum { CSV_NAMES = sizeof csv_names / sizeof csv_names[0] };

static const struct {
    const char* unit;
    csv_quantity quantity;
    double factor;
} csv_units[] = {
    {"m", LENGTH, 1.0},          {"meter", LENGTH, 1.0},
    {"metre", LENGTH, 1.0},      {"meters", LENGTH, 1.0},
    {"metres", LENGTH, 1.0},     {"km", LENGTH, 1000.0},
    {"cm", LENGTH, 0.01},        {"mm", LENGTH, 0.001},
    {"ft", LENGTH, 0.3048},      {"feet", LENGTH, 0.3048},
    {"mps", SPEED, 1.0},         {"ms", SPEED, 1.0}, // m/s
    {"kmh", SPEED, 1.0 / 3.6},   {"kph", SPEED, 1.0 / 3.6},
    {"mph", SPEED, 0.44704},     {"s", TIME, 1.0},
    {"sec", TIME, 1.0},          {"ms", TIME, 0.001},
    {"min", TIME, 60.0},         {"rad", ANGLE, 1.0},
    {"deg", ANGLE, RADIANS},     {"deg", DEGREES, 1.0},
    {"degree", ANGLE, RADIANS},  {"degree", DEGREES, 1.0},
    {"degrees", ANGLE, RADIANS}, {"degrees", DEGREES, 1.0},
};

// --------------------------------------------------------------------------- words

// A name in small letters without separators, and where its words end.
typedef struct csv_words {
    char letters[NAME_BYTES_MAX + 1];
    int32_t end[WORDS_MAX]; // of each word
    int32_t count;
    char unit[NAME_BYTES_MAX + 1]; // in brackets; empty: none
} csv_words;

static char small_letter(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool in_word(char c) {
    char small = small_letter(c);
    return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9');
}

// The letters in brackets, until they close; what follows is of no interest.
static void split_unit(csv_words* words, const char* at, const char* end) {
    size_t length = 0;
    if (end - at >= 2 && memcmp(at, "\xC2\xB0", 2) == 0) { // the sign of a degree
        memcpy(words->unit, "deg", sizeof "deg");
        return;
    }
    for (; at < end && *at != ')' && *at != ']'; at++)
        if (in_word(*at))
            words->unit[length++] = small_letter(*at);
    words->unit[length] = '\0';
}

// False for a name that is too long to be known.
static bool split_words(csv_words* words, const kerb_io_csv_cell* cell) {
    const char *at = cell->text, *end = cell->text + cell->length;
    int32_t length = 0;
    *words = (csv_words){.count = 0};
    if (cell->length > NAME_BYTES_MAX)
        return false;
    for (; at < end; at++) {
        if (*at == '(' || *at == '[') {
            split_unit(words, at + 1, end);
            break;
        }
        if (!in_word(*at))
            continue;
        words->letters[length++] = small_letter(*at);
        if (at + 1 == end || !in_word(at[1])) {
            if (words->count == WORDS_MAX)
                return false;
            words->end[words->count++] = length;
        }
    }
    words->letters[length] = '\0';
    return length > 0;
}

// --------------------------------------------------------------------------- looking up

// Row of the name that the first `length` letters are, or -1.
static int32_t find_name(const csv_words* words, int32_t length) {
    for (int32_t i = 0; i < CSV_NAMES; i++)
        if (strlen(csv_names[i].name) == (size_t)length &&
            memcmp(csv_names[i].name, words->letters, (size_t)length) == 0)
            return i;
    return -1;
}

static bool find_unit(int32_t name, const char* unit, double* factor) {
    for (size_t i = 0; i < sizeof csv_units / sizeof csv_units[0]; i++)
        if (csv_units[i].quantity == quantities[csv_names[name].role] &&
            strcmp(csv_units[i].unit, unit) == 0) {
            *factor = csv_units[i].factor;
            return true;
        }
    return false;
}

// Row of the name with this unit, or none, or with its last word or its last two as its unit
// ("km_h").
static int32_t find(const csv_words* words, double* factor) {
    int32_t whole = words->end[words->count - 1];
    int32_t name = find_name(words, whole);
    *factor = 1.0;
    if (name >= 0 && (!words->unit[0] || find_unit(name, words->unit, factor)))
        return name;
    for (int32_t units = 1; units <= 2 && units < words->count && !words->unit[0]; units++) {
        int32_t length = words->end[words->count - 1 - units];
        name = find_name(words, length);
        if (name >= 0 && find_unit(name, words->letters + length, factor))
            return name;
    }
    return -1;
}

static bool is_usual(const char* name) {
    static const char* const usual[] = {"x",          "y",     "z",       "wright", "wtrright",
                                        "right",      "wleft", "wtrleft", "left",   "bank",
                                        "bankingphi", "grip",  "speed",   "stop",   "direction"};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (strcmp(usual[i], name) == 0)
            return true;
    return false;
}

kerb_io_csv_name kerb_io_csv_name_read(const kerb_io_csv_cell* cell) {
    kerb_io_csv_name read = {.role = CSV_OTHER, .factor = 1.0};
    csv_words words;
    if (!split_words(&words, cell))
        return read;
    int32_t name = find(&words, &read.factor);
    if (name < 0)
        return (kerb_io_csv_name){.role = CSV_OTHER, .factor = 1.0};
    read.role = csv_names[name].role;
    read.rank = name;
    read.planned = read.role == CSV_SPEED && strcmp(csv_names[name].name, "speed") != 0 &&
                   !strstr(csv_names[name].name, "limit") && !strstr(csv_names[name].name, "max");
    read.usual = read.factor == 1.0 && is_usual(csv_names[name].name);
    read.track = (read.role == CSV_RIGHT && strcmp(csv_names[name].name, "right") != 0) ||
                 (read.role == CSV_LEFT && strcmp(csv_names[name].name, "left") != 0);
    return read;
}
