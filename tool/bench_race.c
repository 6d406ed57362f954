// Racing, timed on a lap as long as Monza's, 5.8 km, in space.
#include "tool/bench_race.h"

#include "kerb/control.h"
#include "tool/machine.h"

#include <stdlib.h>

#define POINTS 2900
#define SPACING 2.0f
#define ROUNDS 200 // 20 ms

typedef struct lap {
    kerb_profile_point points[POINTS];
    float speeds[POINTS];
} lap;

// Seven corners with straights in between, over hills, banked towards the inside.
static kerb_profile_point point_at(int32_t i) {
    float turn = 6.2831853f * (float)i / (float)POINTS;
    float bend = kerb_sin(7.0f * turn), hill = 0.05f * kerb_cos(3.0f * turn);
    float sharp = bend * bend * bend;
    kerb_profile_point point = kerb_profile_point_level(SPACING, 0.03f * sharp * sharp * bend);
    point.normal_curvature = 0.0005f * kerb_sin(3.0f * turn);
    point.up_forward = hill;
    point.up_left = -0.05f * bend;
    point.up_normal = kerb_sqrt(1.0f - hill * hill - 0.0025f * bend * bend);
    return point;
}

static double best_of(const kerb_performance* performance, lap* l) {
    double best = 0.0;
    for (int32_t round = 0; round < ROUNDS; round++) {
        uint64_t begun = tool_clock_ns();
        kerb_speed_profile(performance, l->points, POINTS, true, 0.0f, 0.0f, l->speeds);
        double ns = (double)(tool_clock_ns() - begun) / POINTS;
        best = round == 0 || ns < best ? ns : best;
    }
    return best;
}

bool tool_bench_speed_profile(tool_bench_figure* figure) {
    lap* l = malloc(sizeof *l);
    if (!l)
        return false;
    for (int32_t i = 0; i < POINTS; i++)
        l->points[i] = point_at(i);
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_performance performance = kerb_performance_of(&vehicle);
    figure->ns = best_of(&performance, l);
    free(l);
    return true;
}
