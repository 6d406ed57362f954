// How fast can a car be at each point of a line? The line is a straight, a banked left bend over a
// crest, and a straight again. The car starts from rest.
#include <kerb/kerb.h>
#include <stdio.h>

#define POINTS 201 // 2 m apart

int main(void) {
    kerb_vehicle car = kerb_vehicle_default();
    car.downforce = 0.001f;
    kerb_performance performance = kerb_performance_of(&car);
    kerb_profile_point line[POINTS];
    for (int i = 0; i < POINTS; i++)
        line[i] = kerb_profile_point_level(2.0f, 0.0f);
    for (int i = 100; i < 120; i++) {
        line[i].curvature = 1.0f / 30.0f;          // to the left
        line[i].normal_curvature = -1.0f / 200.0f; // over a crest
        line[i].up_left = -0.10f;                  // the left side is lower, which gives more grip
        line[i].up_normal = 0.995f;
    }
    float speed[POINTS];
    double time =
        kerb_speed_profile(&performance, line, POINTS, false, 0.0f, KERB_SPEED_UNLIMITED, speed);
    printf("%.2f s, %.1f m/s in the bend, %.1f m/s at the end\n", time, (double)speed[110],
           (double)speed[POINTS - 1]);
    return speed[110] < speed[90] && speed[110] < speed[POINTS - 1] ? 0 : 1;
}
