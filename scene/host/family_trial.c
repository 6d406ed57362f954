// Purpose: trials of a follower on a host of the family.
// Idea:    the margins are found by experiment: from the steady drive the wheels are made to turn
//          farther, or everything to act later, and the driver is sent 1 m to the side; it settles
//          or does not. The crossover is where the loop's gain passes 1: small tones are added to
//          the command, and what the driver answers, over what the host gets, is the loop's gain.
// Cost:    a course: its time. Margins: some 500 s of the host's simulation.
#include "scene/host/family_trial.h"

#include "scene/course/judge.h"

// --------------------------------------------------------------------------- courses

#define SLOW_SPEED 0.6f  // of the slow driver, of the speed of the others [1]
#define ARRIVED_LONG 3.0 // a driver that says so for that long drives no more [s]

float kerb_family_course_speed(const kerb_family_host* host) {
    float radius = kerb_vehicle_turning_radius(&host->vehicle);
    return kerb_min(0.6f * host->truth.speed_max, kerb_sqrt(4.0f * KERB_GRAVITY * radius));
}

void kerb_family_ride_of(kerb_family_ride* ride, const kerb_family_host* host,
                         kerb_family_driver driver) {
    float speed = kerb_family_course_speed(host);
    kerb_vehicle vehicle =
        driver == KERB_FAMILY_AS_TOLD ? host->vehicle : kerb_family_true_vehicle(host);
    kerb_family_ride_make(ride, host, &vehicle, speed);
    if (driver != KERB_FAMILY_TRUE_SLOW)
        return;
    kerb_follower_settings* s = &ride->follower.settings;
    float grip = kerb_min(s->lateral_acceleration, 0.95f * kerb_family_grip(host));
    s->speed *= SLOW_SPEED;
    s->lateral_acceleration = SLOW_SPEED * SLOW_SPEED * grip;
    s->deceleration *= SLOW_SPEED;
    s->acceleration *= SLOW_SPEED;
}

static bool gives_up(kerb_reason reason) {
    return reason == KERB_REASON_TELEPORT || reason == KERB_REASON_GIVEN_UP;
}

kerb_family_trial kerb_family_course_drive(const kerb_family_host* host, const kerb_path* path,
                                           kerb_family_driver driver,
                                           void (*watch)(const kerb_family_ride* ride)) {
    static kerb_family_ride ride;
    kerb_family_ride_of(&ride, host, driver);
    kerb_scene_judge judge = kerb_scene_judge_make(path, &host->vehicle);
    double near = 0.5 * (double)kerb_vehicle_scale(&host->vehicle);
    double most = 60.0 + 8.0 * path->length / (double)kerb_family_course_speed(host);
    kerb_family_trial trial = {0};
    double arrived = 0.0;
    while (ride.time < most && arrived < ARRIVED_LONG && !trial.finished &&
           !gives_up(ride.controls.reason)) {
        float step = kerb_family_ride_step(&ride, path);
        kerb_motion motion = kerb_family_motion(&ride.host);
        kerb_scene_judge_watch(&judge, &motion, step);
        arrived = ride.controls.reason == KERB_REASON_ARRIVED ? arrived + (double)step : 0.0;
        bool beside = kerb_abs(judge.error) > path->points[0].left;
        trial.finished = judge.best > path->length - near && !beside;
        if (watch)
            watch(&ride);
    }
    trial.stuck = judge.stuck_events > 0 || gives_up(ride.controls.reason);
    trial.time = (float)ride.time;
    double metres = judge.best > 1.0e-3 ? judge.best : 1.0e-3;
    trial.error_mean = (float)(judge.error_sum / metres);
    trial.error_max = (float)judge.error_max;
    trial.inside = (float)(judge.inside_sum / metres);
    return trial;
}

// --------------------------------------------------------------------------- margins

#define MARGIN_LEARNS 20.0 // steady before the experiments [s]
#define MARGIN_TRIES 25.0  // time to settle [s]
#define MARGIN_LOOKS 8.0   // at the end of it [s]
#define MARGIN_STEPS 6     // of bisection
#define GAIN_MOST 8.0f
#define DELAY_MOST 0.8f // [s]

static bool settles(const kerb_family_ride* steady, const kerb_path* path, float gain, float delay,
                    void (*watch)(const kerb_family_ride* ride)) {
    static kerb_family_ride ride;
    ride = *steady;
    float scale = kerb_min(kerb_vehicle_scale(&ride.host.vehicle), 1.0f);
    ride.gain = gain;
    ride.host.truth.delay += delay;
    ride.follower.settings.lateral_offset = scale;
    double begun = ride.time;
    kerb_family_swings swings = {0};
    float low = 1.0e9f, high = -1.0e9f;
    while (ride.time < begun + MARGIN_TRIES) {
        kerb_family_ride_step(&ride, path);
        if (watch)
            watch(&ride);
        if (ride.time < begun + MARGIN_TRIES - MARGIN_LOOKS)
            continue;
        float aside = ride.motion.position.y;
        low = kerb_min(low, aside);
        high = kerb_max(high, aside);
        kerb_family_swings_watch(&swings, ride.controls.steering, 0.02f);
    }
    return high - low < 0.1f * scale && (double)swings.count <= 0.5 * MARGIN_LOOKS &&
           kerb_abs(high) < 3.0f;
}

typedef struct margin_tone {
    float frequency;              // [rad/s]
    double given[2], answered[2]; // cosine and sine parts
} margin_tone;

static void tone_listen(margin_tone* tones, const kerb_family_ride* ride, double time, float step) {
    for (int32_t i = 0; i < KERB_FAMILY_TONES; i++) {
        // The command of a frame is that of its middle.
        double angle = (double)tones[i].frequency * (time + 0.5 * (double)step);
        float sine, cosine,
            turned =
                (float)(angle - 2.0 * (double)KERB_PI * (double)(int64_t)(angle / 6.283185307));
        kerb_sin_cos(turned, &sine, &cosine);
        double given = (double)(ride->applied * step);
        double answered = (double)(ride->controls.steering * step);
        tones[i].given[0] += given * (double)cosine;
        tones[i].given[1] -= given * (double)sine;
        tones[i].answered[0] += answered * (double)cosine;
        tones[i].answered[1] -= answered * (double)sine;
    }
}

static float tone_sum(const margin_tone* tones, double time, float least) {
    float sum = 0.0f;
    for (int32_t i = 0; i < KERB_FAMILY_TONES; i++) {
        if (tones[i].frequency > least)
            continue;
        double angle = (double)tones[i].frequency * time + 2.4 * (double)(i * i); // few peaks
        float sine, cosine,
            turned =
                (float)(angle - 2.0 * (double)KERB_PI * (double)(int64_t)(angle / 6.283185307));
        kerb_sin_cos(turned, &sine, &cosine);
        sum += sine;
    }
    return sum;
}

// The loop's gain at a tone: what is answered, over what is given, turned round.
static void loop_at(const margin_tone* tone, float* size, float* angle) {
    const double *g = tone->given, *a = tone->answered;
    double square = g[0] * g[0] + g[1] * g[1] + 1.0e-12;
    float real = (float)(-(a[0] * g[0] + a[1] * g[1]) / square);
    float imaginary = (float)(-(a[1] * g[0] - a[0] * g[1]) / square);
    *size = kerb_sqrt(real * real + imaginary * imaginary);
    *angle = kerb_atan2(imaginary, real);
}

#define TONE_TIME 62.83185f // ten periods of the lowest tone [s]
#define TONE_SIZE 0.004f    // of each [lock]

// The greatest frequency at which the gain falls through 1, and the phase margin there.
static void crossover_of(kerb_family_margin* margin, const kerb_family_ride* steady,
                         const kerb_path* path) {
    static const int32_t periods[KERB_FAMILY_TONES] = {3,  5,  7,  10, 14,  19,  26,
                                                       35, 46, 60, 78, 101, 130, 167};
    margin_tone tones[KERB_FAMILY_TONES] = {{0}};
    for (int32_t i = 0; i < KERB_FAMILY_TONES; i++)
        tones[i].frequency = 2.0f * KERB_PI * (float)periods[i] / TONE_TIME;
    static kerb_family_ride ride;
    ride = *steady;
    float most = 0.8f * KERB_PI / ride.host.truth.frame_max;
    double begun = ride.time + 10.0;
    while (ride.time < begun + (double)TONE_TIME) {
        double time = ride.time;
        ride.disturbance = TONE_SIZE * tone_sum(tones, time - begun, most);
        float step = kerb_family_ride_step(&ride, path);
        if (time >= begun)
            tone_listen(tones, &ride, time - begun, step);
    }
    float size_before = 0.0f, angle_before = 0.0f;
    for (int32_t i = 0; i < KERB_FAMILY_TONES && tones[i].frequency <= most; i++) {
        float size, angle;
        loop_at(&tones[i], &size, &angle);
        if (i > 0 && size_before >= 1.0f && size < 1.0f) {
            float part = (size_before - 1.0f) / (size_before - size);
            float low = tones[i - 1].frequency;
            float turn = kerb_wrap_angle(angle - angle_before);
            margin->crossover = low + part * (tones[i].frequency - low);
            margin->phase = kerb_wrap_angle(KERB_PI + angle_before + part * turn);
        }
        size_before = size;
        angle_before = angle;
    }
}

kerb_family_margin kerb_family_margin_of(const kerb_family_host* host, const kerb_vehicle* vehicle,
                                         float speed, void (*watch)(const kerb_family_ride* ride)) {
    const kerb_host memory = kerb_host_default();
    kerb_family_margin margin = {.speed = speed, .gain = 1.0f};
    kerb_path path;
    kerb_waypoint ends[] = {kerb_waypoint_at(0.0f, 0.0f, 0.0f),
                            kerb_waypoint_at(130.0f * speed, 0.0f, 0.0f)};
    ends[0].left = ends[0].right = ends[1].left = ends[1].right = 3.0f;
    if (kerb_path_create(&path, ends, 2, false, &memory, NULL) != KERB_OK)
        return margin;
    static kerb_family_ride steady;
    kerb_family_host rolling = *host;
    kerb_family_put(&rolling, (kerb_vec3){0}, 0.0f, speed);
    kerb_family_ride_make(&steady, &rolling, vehicle, speed);
    while (steady.time < MARGIN_LEARNS)
        kerb_family_ride_step(&steady, &path);
    crossover_of(&margin, &steady, &path);
    margin.settles = settles(&steady, &path, 1.0f, 0.0f, watch);
    margin.doubled = settles(&steady, &path, 2.0f, 0.0f, NULL);
    if (margin.crossover > 0.0f)
        margin.delayed = settles(&steady, &path, 1.0f, 0.25f * KERB_PI / margin.crossover, NULL);
    float gain_high = GAIN_MOST, delay_high = DELAY_MOST;
    for (int32_t i = 0; margin.settles && i < MARGIN_STEPS; i++) {
        float gain = kerb_sqrt(margin.gain * gain_high);
        *(settles(&steady, &path, gain, 0.0f, NULL) ? &margin.gain : &gain_high) = gain;
        float delay = 0.5f * (margin.delay + delay_high);
        *(settles(&steady, &path, 1.0f, delay, NULL) ? &margin.delay : &delay_high) = delay;
    }
    kerb_path_destroy(&path);
    return margin;
}
