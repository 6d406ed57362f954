// Seventeen colours of the map with straight lines between them: at most one step of 255 from the
// full table, which is invisible.
#include "tool/picture/color_map.h"

#define STATIONS 17

static const unsigned char stations[STATIONS][3] = {
    {68, 1, 84},    {72, 24, 106},  {71, 45, 123},  {66, 64, 134},  {59, 82, 139},  {51, 99, 141},
    {44, 114, 142}, {38, 130, 142}, {33, 145, 140}, {31, 160, 136}, {40, 174, 128}, {63, 188, 115},
    {94, 201, 98},  {132, 212, 75}, {173, 220, 48}, {216, 226, 25}, {253, 231, 37}};

static double between(unsigned char a, unsigned char b, double part) {
    return (a + (b - a) * part) / 255.0;
}

tool_color tool_color_map(double part) {
    double place = (part > 0.0 ? (part < 1.0 ? part : 1.0) : 0.0) * (STATIONS - 1);
    int station = place < STATIONS - 2 ? (int)place : STATIONS - 2;
    const unsigned char* a = stations[station];
    const unsigned char* b = stations[station + 1];
    double rest = place - station;
    tool_color color = {between(a[0], b[0], rest), between(a[1], b[1], rest),
                        between(a[2], b[2], rest)};
    return color;
}
