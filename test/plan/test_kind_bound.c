// Bounds of all kinds of vehicles against motions: random vehicles under random controls. What they
// reach in a time no bound may call later than that time.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/plan/kind_drive.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

// Vehicles of each kind, and motions of each vehicle.
#define BOUND_VEHICLES test_share(24, 8)
#define BOUND_MOTIONS 12
// Stretches of constant controls in a motion, and controls that each is chosen from.
#define BOUND_STRETCHES 24
#define BOUND_CHOICES 6
// Rounding of times: of floats, and of the lengths of curves.
#define BOUND_ROUNDING 1e-4
// Local error of a step of the integration, over kerb_kind.error.
#define BOUND_STEP_ERROR 1e-6
#define BOUND_STEP_HALVINGS 14

// --------------------------------------------------------------------------- random vehicles

// A third of the numbers of a description stay, a third change by up to twenty times, and a third
// may be anything within their range.
static void vary(const kerb_settings_table* table, void* vehicle, kerb_random* random,
                 int32_t wild) {
    for (int32_t i = 0; i < table->count; i++) {
        const kerb_setting* row = &table->settings[i];
        if (row->type != KERB_SETTING_FLOAT)
            continue;
        float value = kerb_settings_get(row, vehicle);
        int32_t how = kerb_random_below(random, 3);
        if (how == 1)
            value *= expf(kerb_random_between(random, -(float)wild, (float)wild));
        if (how == 2 && wild > 1)
            value = kerb_random_between(random, row->min, row->max);
        kerb_settings_set(row, vehicle, kerb_clamp(value, row->min, row->max), NULL);
    }
}

// Another vehicle of the kind. False where its numbers contradict one another.
static bool vary_kind(kerb_scene_kind* k, kerb_random* random) {
    switch (k->name) {
    case KERB_SCENE_SHIP:
        vary(&kerb_ship_table, &k->ship, random, 3);
        k->kind = kerb_kind_of_ship(&k->ship);
        break;
    case KERB_SCENE_PEDESTRIAN:
        vary(&kerb_pedestrian_table, &k->pedestrian, random, 3);
        k->kind = kerb_kind_of_pedestrian(&k->pedestrian);
        break;
    case KERB_SCENE_HOVERCRAFT:
        vary(&kerb_vehicle_table, &k->hovercraft, random, 1);
        if (kerb_random_below(random, 4) == 0)
            k->hovercraft.drag = 0.0f;
        if (kerb_vehicle_validate(&k->hovercraft, NULL) != KERB_OK)
            return false;
        k->kind = kerb_kind_of_hovercraft(&k->hovercraft);
        break;
    case KERB_SCENE_TRAILER:
        vary(&kerb_towing_table, &k->towing, random, 3);
        k->kind = kerb_kind_of_towing(&k->towing);
        break;
    case KERB_SCENE_MOTORCYCLE:
        vary(&kerb_motorcycle_table, &k->motorcycle, random, 3);
        k->kind = kerb_kind_of_motorcycle(&k->motorcycle);
        break;
    case KERB_SCENE_TANK:
        vary(&kerb_vehicle_table, &k->tank, random, 1);
        if (kerb_vehicle_validate(&k->tank, NULL) != KERB_OK)
            return false;
        k->kind = kerb_kind_of_tank(&k->tank);
        break;
    case KERB_SCENE_SPACECRAFT:
        vary(&kerb_spacecraft_table, &k->spacecraft, random, 3);
        k->kind = kerb_kind_of_spacecraft(&k->spacecraft);
        break;
    case KERB_SCENE_HELICOPTER:
    case KERB_SCENE_DRONE:
        vary(&kerb_rotorcraft_table, &k->hoverer_model.craft, random, 3);
        k->kind = kerb_kind_of_rotorcraft(&k->hoverer_model.craft);
        break;
    case KERB_SCENE_ROCKET:
        vary(&kerb_rocket_table, &k->hoverer_model.rocket, random, 3);
        k->kind = kerb_kind_of_rocket(&k->hoverer_model.rocket);
        break;
    case KERB_SCENE_AIRPLANE:
        vary(&kerb_aircraft_table, &k->airplane, random, 1);
        if (kerb_aircraft_validate(&k->airplane, NULL) != KERB_OK)
            return false;
        k->kind = kerb_kind_of_airplane(&k->airplane);
        break;
    default:
        vary(&kerb_submarine_table, &k->submarine, random, 3);
        k->kind = kerb_kind_of_submarine(&k->submarine);
        break;
    }
    return kerb_kind_validate(&k->kind, NULL) == KERB_OK;
}

// --------------------------------------------------------------------------- motions

static void rates_of(const kerb_kind* kind, const double* state, const float* control,
                     double* rates) {
    float at[KERB_KIND_STATES_MAX] = {0.0f}, r[KERB_KIND_STATES_MAX] = {0.0f};
    for (int32_t i = 0; i < kind->states; i++)
        at[i] = (float)state[i];
    kind->rates(kind->vehicle, at, control, r);
    for (int32_t i = 0; i < kind->states; i++)
        rates[i] = (double)r[i];
}

// A step of the classic rule of fourth order.
static void step_by(const kerb_kind* kind, const double* from, const float* control, double time,
                    double* to) {
    static const double ahead[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double rates[4][KERB_KIND_STATES_MAX] = {{0.0}}, at[KERB_KIND_STATES_MAX] = {0.0};
    for (int32_t stage = 0; stage < 4; stage++) {
        for (int32_t i = 0; i < kind->states; i++)
            at[i] = from[i] + (stage ? ahead[stage] * time * rates[stage - 1][i] : 0.0);
        rates_of(kind, at, control, rates[stage]);
    }
    for (int32_t i = 0; i < kind->states; i++) {
        to[i] = from[i];
        for (int32_t stage = 0; stage < 4; stage++)
            to[i] += time / 6.0 * weight[stage] * rates[stage][i];
    }
}

// A step that is halved until two halves agree with the whole. False where they never do. The
// position of the reference point is that of the halves.
static bool step_well(const kerb_kind* kind, const double* from, const float* control, double* time,
                      double* to) {
    for (int32_t i = 0; i < BOUND_STEP_HALVINGS; i++) {
        double whole[KERB_KIND_STATES_MAX], half[KERB_KIND_STATES_MAX], worst = 0.0;
        step_by(kind, from, control, *time, whole);
        step_by(kind, from, control, 0.5 * *time, half);
        step_by(kind, half, control, 0.5 * *time, to);
        for (int32_t j = 0; j < kind->states; j++) {
            double off = fabs(to[j] - whole[j]) / ((double)kind->error[j] + fabs(to[j]));
            worst = off < worst ? worst : off; // also where it is no number
        }
        if (worst < BOUND_STEP_ERROR)
            return true;
        *time *= 0.5;
    }
    return false;
}

static bool is_in_room(const kerb_kind* kind, const double* state) {
    float at[KERB_KIND_STATES_MAX] = {0.0f};
    for (int32_t i = 0; i < kind->states; i++)
        at[i] = (float)state[i];
    return !kind->room || kind->room(kind->vehicle, at) >= 0.0f;
}

// A motion so far.
typedef struct bound_motion {
    double state[KERB_KIND_STATES_MAX], time;
} bound_motion;

// Goes on with constant controls for a time, as long as the state stays within its room.
static void go_on(const kerb_kind* kind, const float* control, double time, bound_motion* m) {
    while (time > 0.0) {
        double next[KERB_KIND_STATES_MAX] = {0.0}, step = fmin(time, 0.25 * (double)kind->step_max);
        if (!step_well(kind, m->state, control, &step, next) || !is_in_room(kind, next))
            return;
        memcpy(m->state, next, sizeof next);
        m->time += step;
        time -= step;
    }
}

// A number that is rounded to a float, towards another: what rounding adds to a way is no fault.
static float nearer(double number, float other) {
    float rounded = (float)number;
    for (int32_t i = 0; i < 2 && rounded != other; i++)
        rounded = nextafterf(rounded, other);
    return rounded;
}

static double bound_of(const kerb_kind* kind, const float* from, const bound_motion* m) {
    float to[KERB_KIND_STATES_MAX] = {0.0f};
    for (int32_t i = 0; i < kind->states; i++)
        to[i] = nearer(m->state[i], from[i]);
    return (double)kind->bound(kind->vehicle, from, to);
}

// Half of the controls are at a limit.
static void random_control(const kerb_kind* kind, kerb_random* random, float* control) {
    for (int32_t j = 0; j < kind->controls; j++) {
        int32_t how = kerb_random_below(random, 4);
        float low = kind->control_min[j], high = kind->control_max[j];
        control[j] = how == 0 ? low : how == 1 ? high : kerb_random_between(random, low, high);
    }
}

// The next stretch of a motion: of some controls those after which the bound is latest, as far as
// there is time to judge.
static void go_on_well(const kerb_kind* kind, const float* from, kerb_random* random, double time,
                       bound_motion* m) {
    bound_motion best = *m;
    double most = -1e30;
    int32_t choices = 1 + kerb_random_below(random, BOUND_CHOICES);
    for (int32_t c = 0; c < choices; c++) {
        bound_motion next = *m;
        float control[KERB_KIND_CONTROLS_MAX] = {0.0f};
        random_control(kind, random, control);
        go_on(kind, control, time, &next);
        double late = bound_of(kind, from, &next) - next.time;
        if (next.time > m->time && late > most) {
            most = late;
            best = next;
        }
    }
    *m = best;
}

// Half of the numbers of a start are 0.
static void random_start(const kerb_scene_kind* k, kerb_random* random, float* from) {
    memset(from, 0, sizeof(float) * KERB_KIND_STATES_MAX);
    for (int32_t i = 2; i < k->kind.states; i++)
        if (kerb_random_below(random, 2) == 0)
            from[i] = k->kind.error[i] * kerb_random_between(random, -3.0f, 3.0f);
    if (k->name == KERB_SCENE_SPACECRAFT) { // the nose is a direction
        kerb_vec3 nose = {from[6], from[7], from[8]};
        nose = kerb_vec3_unit(nose, kerb_vec3_make(0.0f, 1.0f, 0.0f));
        from[6] = nose.x;
        from[7] = nose.y;
        from[8] = nose.z;
    }
    if (k->name == KERB_SCENE_AIRPLANE)
        from[4] = k->airplane.cruise_speed * kerb_random_between(random, 0.8f, 1.1f);
}

static bool moves_to_no_bound(const kerb_scene_kind* k, kerb_random* random, double* closest) {
    float from[KERB_KIND_STATES_MAX];
    bound_motion m = {.time = 0.0};
    random_start(k, random, from);
    for (int32_t i = 0; i < k->kind.states; i++)
        m.state[i] = (double)from[i];
    if (!is_in_room(&k->kind, m.state))
        return true;
    double stretch = (double)k->kind.step_max * (double)kerb_random_between(random, 0.2f, 12.0f);
    int32_t stretches = 1 + kerb_random_below(random, BOUND_STRETCHES);
    for (int32_t i = 0; i < stretches; i++) {
        go_on_well(&k->kind, from, random, stretch, &m);
        double bound = bound_of(&k->kind, from, &m);
        if (m.time > 0.0)
            *closest = fmax(*closest, bound / m.time);
        if (bound > m.time * (1.0 + BOUND_ROUNDING) + 1e-5) {
            print_message("%s: reached in %.5f s, bound %.5f s\n", k->kind.name, m.time, bound);
            return false;
        }
    }
    return true;
}

static void no_motion_of_any_vehicle_is_faster_than_the_bound(void** unused) {
    (void)unused;
    int32_t faults = 0;
    for (int32_t n = 0; n < KERB_SCENE_KIND_COUNT; n++) {
        static kerb_scene_kind k;
        const char* name = kerb_scene_kind_text((kerb_scene_kind_name)n);
        kerb_random random = test_random(name);
        double closest = 0.0;
        int32_t made = 0, wrong = 0;
        for (int32_t v = 0; v < BOUND_VEHICLES; v++) {
            assert_true(kerb_scene_kind_make(name, &k));
            if (v % 8 != 0 && !vary_kind(&k, &random))
                continue;
            k.kind.name = name;
            made++;
            for (int32_t i = 0; i < BOUND_MOTIONS; i++)
                wrong += moves_to_no_bound(&k, &random, &closest) ? 0 : 1;
        }
        print_message(
            "%s: %d vehicles, %d of %d motions beat the bound; it is up to %.3f of the time\n",
            name, made, wrong, made * BOUND_MOTIONS, closest);
        assert_true(3 * made > BOUND_VEHICLES);
        assert_true(closest > 0.7); // or the motions are no match for it
        faults += wrong;
    }
    assert_int_equal(faults, 0);
}

int kind_bound_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_motion_of_any_vehicle_is_faster_than_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
