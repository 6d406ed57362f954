// Purpose: the fastest speed profile along a course.
// Idea:    Between two places at standstill, each place has a greatest speed. Forwards, no place is
//          reached faster than full throttle allows from the one before; backwards, none is left
//          faster than full braking allows before the next one. The rest is the greatest speed
//          everywhere at once. Speeds are stored squared: at a constant acceleration the square is
//          linear in distance, so each step is exact.
// Cost:    three passes over four or more places per metre.
// Source:  the closed passes of Velenis and Tsiotras, "Optimal velocity profile generation for
//          given acceleration limits", 2005.
#include "scene/course/fastest.h"

#include <math.h>

// Places a metre, and what bounds them for toys and for journeys.
#define FASTEST_STEP 0.25
#define STEPS_LEAST 16
#define STEPS_MOST 1000000
// Up a hill that is too steep. [m/s]
#define CRAWL 0.1

typedef struct fastest_place {
    double squared;      // greatest speed² [m²/s²]
    double length;       // of what is driven, to the next place [m]
    double curvature;    // left positive [1/m]
    double slope;        // sine of it, rising positive [1]
    double acceleration; // that tyres can push with [m/s²]
    double braking;      // that tyres and brakes can slow with [m/s²]
} fastest_place;

typedef struct finder {
    const kerb_path* path;
    const kerb_sim_world* world;
    const kerb_vehicle* vehicle;
    double speed, reverse_speed; // asked for [m/s]
    double radius, chord;        // [m]
    // The stretch of one direction of travel.
    int32_t first, end; // its segments: first … end - 1
    double from, to;    // [m]
    bool endless;       // round and round
    fastest_place* places;
    kerb_scene_fastest found;
} finder;

// --------------------------------------------------------------------------- geometry

static kerb_path_location locate(const finder* f, double distance) {
    double length = f->path->length;
    if (f->endless)
        distance -= length * floor(distance / length);
    else if (distance < f->from)
        return (kerb_path_location){f->first, (float)(distance - f->from)};
    else if (distance > f->to)
        return (kerb_path_location){f->end - 1,
                                    f->path->points[f->end - 1].length + (float)(distance - f->to)};
    kerb_path_location at = kerb_path_locate(f->path, distance);
    if (!f->endless && at.segment >= f->end) // the stretch's last point, or the next one's first
        at = (kerb_path_location){f->end - 1, f->path->points[f->end - 1].length};
    return at;
}

// Looks at the course over two chords: fills the curvature, and returns the metres driven for each
// metre of the course.
static double look(const finder* f, double distance, kerb_path_location here, double* curvature) {
    kerb_vec3 middle = kerb_path_position(f->path, here);
    kerb_vec3 behind = kerb_path_position(f->path, locate(f, distance - f->chord));
    kerb_vec3 ahead = kerb_path_position(f->path, locate(f, distance + f->chord));
    kerb_vec3 to = kerb_vec3_sub(middle, behind), on = kerb_vec3_sub(ahead, middle);
    float turn = kerb_atan2(to.x * on.y - to.y * on.x, to.x * on.x + to.y * on.y);
    double sharpest = 1.0 / f->radius, bend = (double)turn / f->chord;
    *curvature = bend > sharpest ? sharpest : bend < -sharpest ? -sharpest : bend;
    double chords = (double)kerb_vec3_length(to) + (double)kerb_vec3_length(on);
    return 0.5 * chords / f->chord;
}

// --------------------------------------------------------------------------- limits

static double least(double a, double b) {
    return a < b ? a : b;
}

static double ground_grip(const finder* f, const kerb_path_sample* road) {
    if (f->vehicle->kind == KERB_VEHICLE_HOVER) // holds by its thrust
        return 1.0;
    if (f->world == NULL || f->world->zone_count == 0)
        return (double)road->grip;
    kerb_sim_ground dry = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    return (double)kerb_sim_world_ground(f->world, road->position, &dry).grip;
}

static double top_speed(const finder* f, const kerb_path_sample* road) {
    bool reverse = road->travel < 0;
    double asked = reverse ? f->reverse_speed : f->speed;
    float most = reverse ? f->vehicle->reverse_speed_max : f->vehicle->speed_max;
    return least(least(asked, f->speed), least((double)most, (double)road->speed_limit));
}

// Greatest speed² in a bend, from grip, banking and how fast the body can be made to turn.
static double bend_squared(const finder* f, const kerb_path_sample* road, double grip,
                           double curvature) {
    const kerb_vehicle* vehicle = f->vehicle;
    double sharpness = fabs(curvature) + 1.0e-9;
    double banking = (double)(KERB_GRAVITY * kerb_sin(road->bank));
    double sideways =
        grip * (double)vehicle->lateral_acceleration_max + (curvature > 0.0 ? -banking : banking);
    double squared = (sideways > 0.0 ? sideways : 0.0) / sharpness;
    double by_yaw = (double)vehicle->yaw_rate_max / sharpness;
    return vehicle->kind == KERB_VEHICLE_WHEELED ? squared : least(squared, by_yaw * by_yaw);
}

// What is known of one place by itself.
static fastest_place place_at(const finder* f, double distance, double step) {
    const kerb_vehicle* vehicle = f->vehicle;
    kerb_path_location here = locate(f, distance);
    kerb_path_sample road = kerb_path_sample_at(f->path, here);
    double grip = ground_grip(f, &road), top = top_speed(f, &road);
    fastest_place p = {.slope = (double)road.direction.z};
    p.length = step * look(f, distance, here, &p.curvature);
    p.squared = least(top * top, bend_squared(f, &road, grip, p.curvature));
    // Tyres push and brake with the grip that is known of them in any direction.
    float tyres = kerb_max(vehicle->braking_max, vehicle->lateral_acceleration_max);
    p.acceleration = grip * (double)tyres;
    p.braking = least((double)vehicle->braking_max, p.acceleration);
    return p;
}

// No faster than the curvature can be made to change. Changes are seen over half a chord: what is
// shorter is the course's jitter, which a vehicle does not steer.
static void limit_by_turning(const finder* f, int32_t count, double step) {
    const kerb_vehicle* vehicle = f->vehicle;
    int32_t apart = (int32_t)ceil(0.5 * f->chord / step);
    for (int32_t i = 0; i + apart <= count; i++) {
        fastest_place* here = &f->places[i + apart / 2];
        double turn = fabs(f->places[i + apart].curvature - f->places[i].curvature) + 1.0e-9;
        double change = turn / (apart * step);
        double by_wheels =
            (double)vehicle->steering_rate_max / (change * (double)vehicle->wheelbase);
        double by_body = (double)vehicle->yaw_acceleration_max / change;
        bool rolls = vehicle->kind == KERB_VEHICLE_WHEELED;
        here->squared = least(here->squared, rolls ? by_wheels * by_wheels : by_body);
    }
}

// --------------------------------------------------------------------------- the passes

static double resistance(const kerb_vehicle* vehicle, double squared) {
    return (double)vehicle->coasting_deceleration + (double)vehicle->drag * squared;
}

static double full_throttle(const finder* f, const fastest_place* p, double squared) {
    const kerb_vehicle* vehicle = f->vehicle;
    bool reverse = f->path->points[f->first].travel < 0;
    double launch =
        (double)(reverse ? vehicle->reverse_acceleration_max : vehicle->acceleration_max);
    double top = (double)(reverse ? vehicle->reverse_speed_max : vehicle->speed_max);
    double power = (double)vehicle->power / (double)vehicle->mass;
    double needed = resistance(vehicle, top * top) * top;
    double push = launch + (double)vehicle->coasting_deceleration;
    push = least(push, (power > needed ? power : needed) / (sqrt(squared) + 1.0e-9));
    push = least(push, p->acceleration);
    return push - resistance(vehicle, squared) - (double)KERB_GRAVITY * p->slope;
}

// Full braking, which was measured with its rolling resistance.
static double full_braking(const finder* f, const fastest_place* p, double squared) {
    double slowing = p->braking + (double)f->vehicle->drag * squared;
    slowing += (double)KERB_GRAVITY * p->slope;
    return slowing > 0.1 ? slowing : 0.1;
}

static void pass_forwards(const finder* f, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        fastest_place *here = &f->places[i], *next = here + 1;
        double gained = 2.0 * here->length * full_throttle(f, here, here->squared);
        double reached = here->squared + gained;
        next->squared = least(next->squared, reached > CRAWL * CRAWL ? reached : CRAWL * CRAWL);
    }
}

static void pass_backwards(const finder* f, int32_t count) {
    for (int32_t i = count - 1; i >= 0; i--) {
        fastest_place *here = &f->places[i], *next = here + 1;
        double lost = 2.0 * here->length * full_braking(f, next, next->squared);
        here->squared = least(here->squared, next->squared + lost);
    }
}

static void add_times(finder* f, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const fastest_place *here = &f->places[i], *next = here + 1;
        double speeds = sqrt(here->squared) + sqrt(next->squared);
        f->found.time += 2.0 * here->length / (speeds > CRAWL ? speeds : CRAWL);
        f->found.length += here->length;
    }
}

// --------------------------------------------------------------------------- from rest to rest

static int32_t fastest_steps_for(double length, double radius) {
    double steps = ceil(length / least(FASTEST_STEP, radius / 8.0));
    return steps < STEPS_LEAST ? STEPS_LEAST : steps > STEPS_MOST ? STEPS_MOST : (int32_t)steps;
}

// From one place of rest to the next; `stops` is false where a closed path ends.
static void fastest_drive(finder* f, double from, double to, bool stops) {
    int32_t count = fastest_steps_for(to - from, f->radius);
    double step = (to - from) / count;
    for (int32_t i = 0; i <= count; i++)
        f->places[i] = place_at(f, from + step * i, step);
    // Over a step counts what is driven halfway.
    for (int32_t i = 0; i < count; i++)
        f->places[i].length = 0.5 * (f->places[i].length + f->places[i + 1].length);
    limit_by_turning(f, count, step);
    f->places[0].squared = 0.0;
    if (stops)
        f->places[count].squared = 0.0;
    pass_forwards(f, count);
    pass_backwards(f, count);
    add_times(f, count);
}

// The first point after `from` at which the vehicle must stand, at most the stretch's last.
static int32_t next_rest(const finder* f, int32_t from) {
    int32_t i = from + 1;
    while (i < f->end && !(f->path->points[i].stop > 0.0f))
        i++;
    return i;
}

static double distance_of(const kerb_path* path, int32_t point) {
    return point < path->segment_count || !path->closed ? path->points[point].distance
                                                        : path->length;
}

static void drive_stretch(finder* f) {
    const kerb_path* path = f->path;
    f->from = distance_of(path, f->first);
    f->to = distance_of(path, f->end);
    for (int32_t here = f->first; here < f->end;) {
        int32_t rest = next_rest(f, here);
        bool stops = rest < path->segment_count || !path->closed;
        f->found.time += (double)path->points[here].stop;
        fastest_drive(f, distance_of(path, here), distance_of(path, rest), stops);
        here = rest;
    }
}

static int32_t stretch_end(const kerb_path* path, int32_t first) {
    int32_t end = first + 1;
    while (end < path->segment_count && path->points[end].travel == path->points[first].travel)
        end++;
    return end;
}

static void fastest_drive_path(finder* f) {
    const kerb_path* path = f->path;
    f->endless = path->closed && stretch_end(path, 0) == path->segment_count;
    for (int32_t first = 0; first < path->segment_count; first = f->end) {
        f->first = first;
        f->end = stretch_end(path, first);
        drive_stretch(f);
    }
}

kerb_result kerb_scene_fastest_find(const kerb_path* path, const kerb_sim_world* world,
                                    const kerb_vehicle* vehicle, double speed, double reverse_speed,
                                    const kerb_host* host, kerb_scene_fastest* fastest,
                                    kerb_error* error) {
    double radius = (double)kerb_max(kerb_vehicle_turning_radius(vehicle), 0.01f);
    finder f = {.path = path,
                .world = world,
                .vehicle = vehicle,
                .speed = speed,
                .reverse_speed = reverse_speed,
                .radius = radius,
                .chord = (double)kerb_max(0.5f * KERB_PI * (float)radius, vehicle->length)};
    size_t bytes = ((size_t)fastest_steps_for(path->length, radius) + 1) * sizeof *f.places;
    f.places = host->allocator.allocate(host->allocator.context, bytes, sizeof(double));
    if (f.places == NULL)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "course", 0, -1,
                              "no memory for its fastest speeds");
    fastest_drive_path(&f);
    host->allocator.release(host->allocator.context, f.places, bytes);
    *fastest = f.found;
    return KERB_OK;
}
