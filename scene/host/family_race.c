// Purpose: laps of hosts of the family at their limit.
// Idea:    A host knows a plane only. It is driven in pieces of some milliseconds on the plane that
//          touches the ground; gravity along it, and what crests and dips take from or add to the
//          load, act as forces (family.h). A track is scaled by the host's size, and further until
//          the wheels turn its hairpins at the speed that the grip allows.
// Cost:    0.1 s a race, most of it for the line.
#include "scene/host/family_race.h"

#include "scene/host/family_limits.h"
#include "scene/race/tracks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RACE_STREAM 97u
#define RACE_PIECE 0.005f   // of a frame, on one plane [s]
#define RACE_WHEELBASE 2.7f // for which the tracks are built [m]
#define RACE_HAIRPIN 9.0f   // radius of the lines through their sharpest bends [m]
#define RACE_LOCK 0.8f      // share of the lock for it [1]
#define RACE_CLIMBS 3.0f    // acceleration of a host that climbs them as they are [m/s²]
#define RACE_LATE 1.6       // a race is given up after so many times its profile [1]
#define RACE_WAVES 6
#define RACE_KINKS 3
#define RACE_TURN 6.2831853f
#define RACE_STRAIGHT 0.1f        // share of the grip up to which the line counts as straight [1]
#define RACE_STRAIGHT_BEFORE 1.0f // … from this time before to this time after it [s]
#define RACE_STRAIGHT_AFTER 0.5f
#define RACE_SWING 0.02f // of the lock

static const kerb_host* race_host(void) {
    static kerb_host host;
    host = kerb_host_default();
    return &host;
}

const char* kerb_family_race_name(int32_t track) {
    return track < KERB_FAMILY_RACE_RANDOM ? kerb_scene_track_name(track) : "random";
}

bool kerb_family_race_counts(const kerb_family_host* host) {
    return host->truth.delay <= 0.1f && host->truth.frame_max <= 1.0f / 30.0f + 1.0e-6f;
}

// --------------------------------------------------------------------------- the track

static float race_scale_for(const kerb_family_host* host) {
    float scale = host->truth.wheelbase / RACE_WHEELBASE;
    for (int32_t i = 0; i < 20; i++) {
        float radius = RACE_HAIRPIN * scale;
        float speed = kerb_sqrt(kerb_family_grip(host) * KERB_GRAVITY * radius);
        float left = kerb_family_curvature(host, RACE_LOCK, speed);
        float right = -kerb_family_curvature(host, -RACE_LOCK, speed);
        if (kerb_min(left, right) * radius > 1.0f)
            break;
        scale *= 1.15f;
    }
    return scale;
}

// A ring whose distance from its middle varies in waves, with pointed bulges, which are kinks.
// Bends are banked, inwards more often than outwards.
static int32_t race_draw(uint64_t seed, kerb_waypoint* waypoints, int32_t most) {
    kerb_random random = kerb_random_make(seed, RACE_STREAM);
    float length = kerb_random_between(&random, 1000.0f, 3000.0f), mean = length / 6.9f;
    float wave[RACE_WAVES] = {0.0f}, phase[RACE_WAVES] = {0.0f}, hill[RACE_WAVES] = {0.0f};
    float at[RACE_KINKS], far[RACE_KINKS];
    for (int32_t k = 2; k < RACE_WAVES; k++) {
        wave[k] = kerb_random_between(&random, 0.0f, 0.45f / (float)k);
        phase[k] = kerb_random_between(&random, 0.0f, RACE_TURN);
        hill[k] = kerb_random_between(&random, 0.0f, 12.0f / (float)k);
    }
    for (int32_t k = 0; k < RACE_KINKS; k++) {
        at[k] = kerb_random_between(&random, 0.0f, RACE_TURN);
        far[k] = kerb_random_between(&random, -0.03f, 0.03f);
    }
    float bank = kerb_random_between(&random, -0.05f, 0.2f);
    float width = kerb_random_between(&random, 4.0f, 7.5f);
    int32_t count = (int32_t)(length / 3.0f);
    count = count < most ? count : most;
    for (int32_t i = 0; i < count; i++) {
        float turn = RACE_TURN * (float)i / (float)count, r = 1.0f, bend = 1.0f, z = 0.0f;
        for (int32_t k = 2; k < RACE_WAVES; k++) {
            float now = kerb_cos((float)k * turn + phase[k]);
            r += wave[k] * now;
            bend += wave[k] * (float)(k * k - 1) * now; // to first order
            z += hill[k] * kerb_cos((float)k * turn + 2.0f * phase[k]);
        }
        for (int32_t k = 0; k < RACE_KINKS; k++)
            r += far[k] * kerb_max(1.0f - kerb_abs(kerb_wrap_angle(turn - at[k])) / 0.15f, 0.0f);
        r *= mean;
        waypoints[i] = kerb_waypoint_at(r * kerb_cos(turn), r * kerb_sin(turn), z);
        waypoints[i].left = waypoints[i].right = width;
        waypoints[i].bank = -bank * kerb_clamp(0.5f * bend, -1.0f, 1.0f);
    }
    return count;
}

// Hills and banks are as steep as the grip lets a host stand on and drive up: those of the tracks
// are for cars with a grip of 1.
static void race_fit_to_host(const kerb_family_race* race, kerb_waypoint* waypoints, int32_t count,
                             float scale) {
    float relief = kerb_min(kerb_family_grip(&race->host), 1.0f);
    relief = kerb_min(relief, race->host.truth.acceleration / RACE_CLIMBS);
    for (int32_t i = 0; i < count; i++) {
        kerb_waypoint* w = &waypoints[i];
        w->position = kerb_vec3_scale(w->position, scale);
        w->position.z *= relief;
        w->left *= scale;
        w->right *= scale;
        w->bank *= relief;
    }
}

static bool race_path(kerb_family_race* race, uint64_t seed, int32_t track) {
    enum { MOST = 1000 };
    static kerb_waypoint drawn[MOST];
    kerb_error error;
    const kerb_host* memory = race_host();
    if (track >= KERB_FAMILY_RACE_RANDOM) {
        int32_t count = race_draw(seed, drawn, MOST);
        race_fit_to_host(race, drawn, count, race->scale);
        return kerb_track_validate(drawn, count, true, &error) == KERB_OK &&
               kerb_path_create(&race->path, drawn, count, true, memory, &error) == KERB_OK;
    }
    kerb_scene_track made;
    if (kerb_scene_track_make(kerb_scene_track_name(track), memory, &made, &error) != KERB_OK)
        return false;
    race_fit_to_host(race, made.waypoints, made.count, race->scale);
    bool is_made = kerb_path_create(&race->path, made.waypoints, made.count, made.closed, memory,
                                    &error) == KERB_OK;
    kerb_scene_track_free(&made, memory);
    return is_made;
}

// --------------------------------------------------------------------------- the line

static bool race_find_line(kerb_family_race* race) {
    kerb_line_settings settings = kerb_line_settings_of(&race->path, &race->host.vehicle);
    kerb_line_solver solver;
    kerb_error error;
    if (kerb_line_solver_create(&solver, &race->path, &race->racer.performance, &settings,
                                race_host(), &error) != KERB_OK)
        return false;
    kerb_line_solver_advance(&solver, INT32_MAX);
    float spacing = kerb_max(2.0f * race->scale, 0.05f);
    bool is_made =
        kerb_racing_line_create(&race->line, &solver, spacing, race_host(), &error) == KERB_OK;
    kerb_line_solver_destroy(&solver);
    return is_made;
}

static void race_mark_straights(kerb_family_race* race, const float* speed) {
    const kerb_racing_line* line = &race->line;
    float step = (float)(line->length / (double)line->count);
    float most = RACE_STRAIGHT * kerb_family_grip(&race->host) * KERB_GRAVITY;
    for (int32_t i = 0; i < line->count; i++)
        race->straight[i] = true;
    for (int32_t i = 0; i < line->count; i++) {
        if (kerb_abs(line->points[i].curvature) * speed[i] * speed[i] < most)
            continue;
        int32_t from = -(int32_t)(RACE_STRAIGHT_AFTER * speed[i] / step) - 1;
        int32_t to = (int32_t)(RACE_STRAIGHT_BEFORE * speed[i] / step) + 1;
        for (int32_t k = from; k <= to; k++)
            race->straight[(i + k + 4 * line->count) % line->count] = false;
    }
}

static bool race_find_profile(kerb_family_race* race) {
    const kerb_racing_line* line = &race->line;
    kerb_performance limits = kerb_family_limits(&race->host);
    kerb_profile_point* points = malloc((size_t)line->count * sizeof *points);
    float* speed = malloc((size_t)line->count * sizeof *speed);
    race->straight = malloc((size_t)line->count * sizeof *race->straight);
    bool is_made = points != NULL && speed != NULL && race->straight != NULL;
    for (int32_t i = 0; is_made && i < line->count; i++) {
        const kerb_line_point* p = &line->points[i];
        points[i] = (kerb_profile_point){(float)(line->length / (double)line->count),
                                         p->curvature,
                                         p->normal_curvature,
                                         p->up_forward,
                                         p->up_left,
                                         p->up_normal,
                                         p->grip,
                                         KERB_SPEED_UNLIMITED};
    }
    if (is_made) {
        race->profile =
            kerb_speed_profile(&limits, points, line->count, line->closed, 0.0f, 0.0f, speed);
        race->profile += kerb_family_shift_time(&race->host, speed, line->count);
        race_mark_straights(race, speed);
    }
    free(points);
    free(speed);
    return is_made;
}

// --------------------------------------------------------------------------- motion

// At rest on the line.
static void race_put(kerb_family_race* race, double distance) {
    kerb_line_point p = kerb_racing_line_at(&race->line, distance);
    kerb_family_put(&race->host, (kerb_vec3){(float)p.x, (float)p.y, (float)p.z}, p.heading, 0.0f);
    race->forward = (kerb_vec3){kerb_cos(p.heading), kerb_sin(p.heading), 0.0f};
    race->place = (kerb_scene_race_place){0};
}

static kerb_sim_ground race_touch(kerb_family_race* race) {
    kerb_vec3 at = {(float)race->host.x, (float)race->host.y, race->motion.position.z};
    kerb_sim_ground under = kerb_scene_race_ground_at(&race->ground, &race->place, at);
    kerb_vec3 n = under.normal, f = race->forward;
    f = kerb_vec3_along(f, n, -kerb_vec3_dot(f, n));
    f = kerb_vec3_scale(f, 1.0f / kerb_sqrt(kerb_vec3_dot(f, f)));
    race->forward = f;
    race->left = kerb_vec3_cross(n, f);
    race->host.heading = kerb_atan2(f.y, f.x);
    return under;
}

static void race_stand_on(kerb_family_race* race, const kerb_sim_ground* under) {
    kerb_family_host* h = &race->host;
    kerb_vec3 v = kerb_vec3_scale(race->forward, h->forward);
    v = kerb_vec3_along(v, race->left, h->side);
    float bends =
        under->bend.xx * v.x * v.x + 2.0f * under->bend.xy * v.x * v.y + under->bend.yy * v.y * v.y;
    float press = under->normal.z * (KERB_GRAVITY + bends);
    h->ground.forward = -KERB_GRAVITY * race->forward.z;
    h->ground.left = -KERB_GRAVITY * race->left.z;
    // Without its wheels on the ground there is nothing to see of a driver.
    h->ground.load = kerb_max(press, 0.05f * KERB_GRAVITY) - KERB_GRAVITY;
    h->ground.grip_lost = 1.0f - under->grip;
}

static void race_piece(kerb_family_race* race, float step) {
    kerb_family_host* h = &race->host;
    kerb_sim_ground under = race_touch(race);
    race_stand_on(race, &under);
    double x = h->x, y = h->y;
    float heading = h->heading, sine, cosine;
    kerb_family_step(h, &race->controls, step);
    kerb_sin_cos(heading, &sine, &cosine);
    float dx = (float)(h->x - x), dy = (float)(h->y - y);
    float ahead = dx * cosine + dy * sine, aside = dy * cosine - dx * sine;
    h->x = x + (double)(ahead * race->forward.x + aside * race->left.x);
    h->y = y + (double)(ahead * race->forward.y + aside * race->left.y);
    kerb_sin_cos(kerb_wrap_angle(h->heading - heading), &sine, &cosine);
    race->forward = kerb_vec3_along(kerb_vec3_scale(race->forward, cosine), race->left, sine);
}

// What the flat host tells, on the ground.
static void race_tell(kerb_family_race* race) {
    kerb_sim_ground under = race_touch(race);
    const kerb_family_truth* t = &race->host.truth;
    race->motion = kerb_family_motion(&race->host);
    float ahead = t->rear_to_point - t->rear_to_mass;
    kerb_vec3 at = {(float)race->host.x, (float)race->host.y, under.height};
    race->motion.position = kerb_vec3_along(at, race->forward, ahead);
    kerb_vec3 v = kerb_vec3_scale(race->forward, race->host.forward);
    float side = race->host.side + ahead * race->host.yaw_rate;
    race->motion.velocity = kerb_vec3_along(v, race->left, side);
    race->motion.angular_velocity = kerb_vec3_scale(under.normal, race->host.yaw_rate);
    // Nose down is positive.
    float pitch = -kerb_asin(kerb_clamp(race->forward.z, -1.0f, 1.0f));
    float roll = kerb_atan2(race->left.z, under.normal.z);
    race->motion.rotation = kerb_quat_from_angles(race->host.heading, pitch, roll);
}

// --------------------------------------------------------------------------- the race

static void race_count(kerb_family_race* race, double before, double step, double* begun) {
    double now = race->racer.decision.total_distance;
    double next = race->line.length * (double)(race->laps + 1);
    if (now < next)
        return;
    double at = race->time - (now > before ? (now - next) / (now - before) : 0.0) * step;
    double lap = at - *begun;
    race->lap_time[race->laps++] = lap;
    *begun = at;
    bool flying = race->laps > 1 && !race->spoiled;
    race->spoiled = false;
    if (flying && (race->best == 0.0 || lap < race->best))
        race->best = lap;
}

static void race_measure(kerb_family_race* race, double step) {
    if (kerb_scene_race_ground_outside(&race->place) > 0.0f)
        race->off_track[race->laps] += step;
    double share = race->racer.decision.distance / race->line.length;
    int32_t at = (int32_t)(share * (double)race->line.count) % race->line.count;
    if (!race->straight[at] || race->laps == 0) {
        race->swings = (kerb_family_swings){0};
        return;
    }
    int32_t before = race->swings.count;
    kerb_family_swings_watch(&race->swings, race->controls.steering, RACE_SWING);
    race->changes += race->swings.count - before;
    race->straight_time += step;
}

void kerb_family_race_drive(kerb_family_race* race, void (*watch)(const kerb_family_race* race)) {
    double begun = 0.0, total = 0.0, waits = 0.0;
    double most = 60.0 + RACE_LATE * race->profile * KERB_FAMILY_RACE_LAPS;
    while (race->laps < KERB_FAMILY_RACE_LAPS && race->time < most) {
        float step = kerb_family_frame(&race->host);
        race_tell(race);
        race->controls = kerb_racer_drive(&race->racer, &race->line, &race->motion, NULL, step);
        race_measure(race, (double)step);
        race_count(race, total, (double)step, &begun);
        total = race->racer.decision.total_distance;
        if (watch != NULL)
            watch(race);
        // It is put back after a pause that a marshal would need.
        waits = race->controls.reason == KERB_REASON_TELEPORT ? waits + (double)step : 0.0;
        if (waits > 1.0) {
            race->put_back++;
            race->spoiled = true;
            race_put(race, race->racer.decision.distance);
            waits = 0.0;
        }
        int32_t pieces = 1 + (int32_t)(step / RACE_PIECE);
        for (int32_t i = 0; i < pieces; i++)
            race_piece(race, step / (float)pieces);
        race->time += (double)step;
    }
}

bool kerb_family_race_open(kerb_family_race* race, const kerb_family_host* host, uint64_t seed,
                           int32_t track) {
    memset(race, 0, sizeof *race);
    race->host = *host;
    race->scale = race_scale_for(host);
    race->racer = kerb_racer_make(&host->vehicle);
    race->racer.settings.learning = 2;
    kerb_scene_race_ground_settings beside = kerb_scene_race_ground_settings_default();
    beside.wheel_track = 0.9f * host->vehicle.width;
    kerb_error error;
    bool is_made =
        race_path(race, seed, track) && race_find_line(race) && race_find_profile(race) &&
        kerb_scene_race_ground_create(&race->ground, &race->path, &beside, race_host(), &error) ==
            KERB_OK;
    if (is_made)
        race_put(race, 0.0);
    else
        kerb_family_race_close(race);
    return is_made;
}

void kerb_family_race_close(kerb_family_race* race) {
    kerb_scene_race_ground_destroy(&race->ground);
    kerb_racing_line_destroy(&race->line);
    kerb_path_destroy(&race->path);
    free(race->straight);
    race->straight = NULL;
}
