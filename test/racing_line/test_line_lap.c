// The lap time that the descent sees, against the speed profile; and its gradient against
// differences, on random tracks with hills and banks. Looks into the solver's parts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/racing_line/line/line.h"
#include "test/line_rig.h"
#include "test/seed.h"

#include <stdlib.h>

enum { TRACKS = 4, CARS = 12, DIRECTIONS = 8 };

static line_rig rig;
static kerb_line_solver solver;

// Point mass, with drag and an engine, with downforce; each with either traction budget, and with
// losses, and with these and drag in turns.
static kerb_performance car_of(int32_t kind) {
    kerb_performance car = rig_car();
    if (kind % 3 == 1) {
        kerb_vehicle vehicle = kerb_vehicle_default();
        car = kerb_performance_of(&vehicle);
    } else if (kind % 3 == 2) {
        car.downforce = 0.003f;
        car.drag = 0.001f;
        car.rolling = 0.15f;
    }
    car.budget = kind / 3 == 1 ? KERB_TRACTION_LINEAR : KERB_TRACTION_ELLIPSE;
    car.braking_loss = kind / 3 >= 2 ? 0.5f : 0.0f;
    car.driving_loss = kind / 3 >= 2 ? 0.3f : 0.0f;
    car.powered_loss = kind / 3 == 3 ? 0.05f : 0.0f;
    car.turning_drag = kind / 3 == 3 ? 0.15f : 0.0f;
    return car;
}

// A line in the middle of the descent, as the solver has it.
static line_view begin(kerb_random* random, int32_t kind) {
    kerb_performance car = car_of(kind);
    kerb_line_settings settings = rig_settings(KERB_LINE_TIME);
    kerb_error error;
    rig_random(&rig, random, 1.0);
    assert_int_equal(
        kerb_line_solver_create(&solver, &rig.path, &car, &settings, &rig.host, &error), KERB_OK);
    kerb_line_solver_advance(&solver, settings.curvature_steps + 10);
    line_view v = kerb_in_line_view_of(solver.memory);
    kerb_in_line_shape_place(&v);
    kerb_in_line_shape_measure(&v);
    return v;
}

static void end(void) {
    kerb_line_solver_destroy(&solver);
    rig_end(&rig);
}

// ------------------------------------------------------------------- time

static double profile_time(const line_view* v) {
    kerb_profile_point* points = malloc((size_t)v->nodes * sizeof *points);
    float* speeds = malloc((size_t)v->nodes * sizeof *speeds);
    for (int32_t i = 0; i < v->nodes; i++) {
        double forward = v->up_forward[i], left = v->up_left[i];
        kerb_profile_point p = {(float)v->length[i],
                                (float)v->curvature[i],
                                (float)v->curvature_normal[i],
                                (float)forward,
                                (float)left,
                                (float)v->normal_z[i],
                                (float)v->grip[i],
                                KERB_SPEED_UNLIMITED};
        points[i] = p;
    }
    double time = kerb_speed_profile(&v->head->performance, points, v->nodes, true,
                                     KERB_SPEED_UNLIMITED, KERB_SPEED_UNLIMITED, speeds);
    free(points);
    free(speeds);
    return time;
}

static void the_descents_lap_time_is_that_of_the_speed_profile(void** state) {
    (void)state;
    kerb_random random = test_random("lap time");
    for (int32_t n = 0; n < TRACKS * CARS; n++) {
        line_view v = begin(&random, n % CARS);
        v.head->sharp = 0;
        double lap = kerb_in_line_lap(&v), profile = profile_time(&v);
        // It is of first order, and rounds off minima by 3 % of v². The linear budget, which lets
        // go of a corner slowly, suffers more.
        bool linear = v.head->performance.budget == KERB_TRACTION_LINEAR;
        if (!(fabs(lap - profile) < (linear ? 0.07 : 0.025) * profile))
            fail_msg("car %d: %.3f s, by the profile %.3f s", n % CARS, lap, profile);
        end();
    }
}

// ------------------------------------------------------------------- gradient

// Smooth bumps, as steps of the descent are: a new one each time.
static void fill_direction(const line_view* v, kerb_random* random, double size,
                           double* direction) {
    for (int32_t i = 0; i < v->nodes; i++)
        direction[i] = 0.0;
    for (int32_t k = 0; k < 3; k++) {
        int32_t at = (int32_t)kerb_random_between(random, 0.0f, (float)v->nodes - 1.0f);
        double height = size * (double)kerb_random_between(random, -1.0f, 1.0f);
        for (int32_t j = -15; j <= 15; j++) {
            double near = 1.0 - fabs((double)j) / 16.0;
            direction[(at + j + v->nodes) % v->nodes] += height * near * near;
        }
    }
}

static double shifted_lap(const line_view* v, double* array, const double* direction,
                          double share) {
    double* before = malloc((size_t)v->nodes * sizeof *before);
    memcpy(before, array, (size_t)v->nodes * sizeof *before);
    for (int32_t i = 0; i < v->nodes; i++)
        array[i] += share * direction[i];
    double lap = kerb_in_line_lap(v);
    memcpy(array, before, (size_t)v->nodes * sizeof *before);
    free(before);
    return lap;
}

// Sums over directions of squares: of what differences say, and of what the gradient misses.
typedef struct tally {
    double squares, missed;
} tally;

static void compare(const line_view* v, kerb_random* random, double* array, const double* worth,
                    double size, tally* t) {
    double* direction = malloc((size_t)v->nodes * sizeof *direction);
    double* here = malloc((size_t)v->nodes * sizeof *here);
    for (int32_t n = 0; n < DIRECTIONS; n++) {
        fill_direction(v, random, size, direction);
        kerb_in_line_lap(v);
        kerb_in_line_lap_gradient(v);
        memcpy(here, worth, (size_t)v->nodes * sizeof *here);
        double said = 0.0;
        for (int32_t i = 0; i < v->nodes; i++)
            said += here[i] * direction[i];
        double found =
            shifted_lap(v, array, direction, 0.5) - shifted_lap(v, array, direction, -0.5);
        t->squares += found * found;
        t->missed += (found - said) * (found - said);
    }
    free(direction);
    free(here);
}

static void assert_gradients(const char* name, double curvature_tolerance, double length_tolerance,
                             int32_t kind) {
    kerb_random random = test_random(name);
    tally curvature = {0.0, 0.0}, length = {0.0, 0.0};
    for (int32_t n = 0; n < TRACKS; n++) {
        line_view v = begin(&random, kind);
        for (v.head->sharp = 0; v.head->sharp < 2; v.head->sharp++) {
            // So small that hardly any of the kinks of engine and tyres lies within.
            compare(&v, &random, v.curvature, v.curvature_worth, 2.0e-7, &curvature);
            compare(&v, &random, v.length, v.length_worth, 1.0e-4, &length);
        }
        end();
    }
    double a = sqrt(curvature.missed / curvature.squares), b = sqrt(length.missed / length.squares);
    if (!(a < curvature_tolerance && b < length_tolerance))
        fail_msg("car %d: misses %.3f of the changes by curvature, %.3f of those by length", kind,
                 a, b);
}

static void its_gradient_is_what_differences_say(void** state) {
    (void)state;
    for (int32_t kind = 0; kind < CARS; kind++)
        // Left out is how an engine too weak for the limit's rounding moves that; and the linear
        // budget has a kink at the limit itself, which differences straddle.
        assert_gradients("lap gradient", kind >= 3 ? 0.2 : kind == 1 ? 0.1 : 0.01, 0.005, kind);
}

int line_lap_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_descents_lap_time_is_that_of_the_speed_profile),
        cmocka_unit_test(its_gradient_is_what_differences_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
