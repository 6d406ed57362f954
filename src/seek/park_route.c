// The path of a parker: the choice of the word, its stretches of one direction of travel, and the
// steering along it.
//
// The curvature of a path of arcs jumps, but wheels turn at a finite rate. The wheels turn at a
// constant rate over the length l, from l/2 before the end of an arc to l/2 after it. Then the
// heading is exactly as planned and the position is off by Δκ·l²/24: about a centimetre for a car
// at walking pace. This is the mean of the curvature over a window of length l. O(words) to choose,
// O(pieces) a frame.
#include "kerb/seek.h"

#include "park.h"

// Lateral error that the turning of the wheels may cause at the end of an arc: small compared with
// the position tolerance. [m]
#define ASIDE 0.03f

static float park_route_cost_of(const kerb_parker_settings* settings, const kerb_curve* way) {
    float cost = way->count > 0 ? 0.0f : KERB_NO_CURVE;
    for (int32_t i = 0; i < way->count; i++) {
        bool reverse = way->length[i] < 0.0f;
        cost += kerb_abs(way->length[i]) * (reverse ? settings->reverse_cost_factor : 1.0f);
        if (i > 0 && reverse != (way->length[i - 1] < 0.0f))
            cost += settings->direction_change_cost;
    }
    return cost;
}

// The cheapest path up to now.
typedef struct park_route_choice {
    kerb_curve way;
    float cost;
} park_route_choice;

static void offer(park_route_choice* best, const kerb_curve* way, float cost) {
    if (cost < best->cost) {
        best->cost = cost;
        best->way = *way;
    }
}

static void offer_words(park_route_choice* best, const kerb_parker_settings* settings,
                        kerb_pose from, kerb_pose to, float radius) {
    for (int32_t word = 0; word < KERB_REEDS_SHEPP_WORDS; word++) {
        kerb_curve way = kerb_reeds_shepp_by_word(word, from, to, radius);
        offer(best, &way, park_route_cost_of(settings, &way));
    }
    for (int32_t word = 0; word < (int32_t)KERB_DUBINS_WORD_COUNT; word++) {
        kerb_curve way = kerb_dubins_by_word((kerb_dubins_word)word, from, to, radius);
        offer(best, &way, park_route_cost_of(settings, &way));
    }
}

// Turn on the spot, straight line, turn on the spot: forwards or in reverse.
static void offer_pivots(park_route_choice* best, const kerb_parker* parker, kerb_pose from,
                         kerb_pose to) {
    const kerb_parker_settings* settings = &parker->settings;
    kerb_vec2 way = kerb_vec2_sub(to.position, from.position);
    float distance = kerb_vec2_length(way);
    for (int32_t reverse = 0; reverse < 2; reverse++) {
        kerb_curve straight = {.start = from, .count = 1};
        if (distance > 0.5f * settings->position_tolerance)
            straight.start.forward = kerb_vec2_scale(way, (reverse ? -1.0f : 1.0f) / distance);
        else
            straight.start.forward = to.forward;
        straight.length[0] = reverse ? -distance : distance;
        float turning = kerb_abs(kerb_in_steer_angle(from.forward, straight.start.forward)) +
                        kerb_abs(kerb_in_steer_angle(straight.start.forward, to.forward));
        // The distance that it could drive in the time of the turns, and the cost of a stop.
        float cost = distance * (reverse ? settings->reverse_cost_factor : 1.0f) +
                     turning / parker->vehicle.yaw_rate_max * settings->speed;
        offer(best, &straight, cost + settings->direction_change_cost);
    }
}

static float planned_radius(const kerb_parker* parker) {
    const kerb_vehicle* vehicle = &parker->vehicle;
    float radius = kerb_vehicle_turning_radius(vehicle);
    if (vehicle->kind == KERB_VEHICLE_TRACKED)
        radius = kerb_max(radius, 1.5f * parker->settings.speed / vehicle->yaw_rate_max);
    return radius * parker->settings.radius_factor;
}

kerb_curve kerb_in_steer_park_plan(const kerb_parker* parker, kerb_pose from, kerb_pose to) {
    park_route_choice best = {{.start = from, .count = 0}, KERB_NO_CURVE};
    if (parker->vehicle.kind != KERB_VEHICLE_WHEELED)
        offer_pivots(&best, parker, from, to);
    if (parker->vehicle.kind != KERB_VEHICLE_HOVER)
        offer_words(&best, &parker->settings, from, to, planned_radius(parker));
    return best.way;
}

int32_t kerb_in_steer_park_stretch_end(const kerb_curve* way, int32_t piece) {
    int32_t next = piece + 1;
    while (next < way->count && (way->length[next] < 0.0f) == (way->length[piece] < 0.0f))
        next++;
    return next;
}

static float ahead(float x, float from) {
    return kerb_max(x - from, 0.0f);
}

// Integral of the curvature from the start of the stretch to `distance`. Outside the stretch, the
// curvature of its ends continues.
static float turned_to(const kerb_parker* parker, float distance) {
    const kerb_curve* way = &parker->path;
    float sum = 0.0f, begin = parker->memory.begin;
    int32_t first = parker->memory.piece, last = parker->memory.next - 1;
    for (int32_t i = first; i <= last; i++) {
        float end = begin + kerb_abs(way->length[i]);
        float upto = i == last ? distance : kerb_min(distance, end);
        sum += way->curvature[i] * ahead(upto, begin);
        begin = end;
    }
    return sum - way->curvature[first] * ahead(parker->memory.begin, distance);
}

float kerb_in_steer_park_curvature(const kerb_parker* parker, float distance, float window) {
    float half = kerb_max(0.5f * window, 0.01f);
    float turned = turned_to(parker, distance + half) - turned_to(parker, distance - half);
    return turned / (2.0f * half);
}

// Time in which the wheels turn from one curvature to another. [s]
static float park_route_turning_time(const kerb_vehicle* vehicle, float from, float to) {
    if (vehicle->kind != KERB_VEHICLE_WHEELED)
        return 0.5f;
    float angle = kerb_atan(vehicle->wheelbase * to) - kerb_atan(vehicle->wheelbase * from);
    return kerb_abs(angle) / vehicle->steering_rate_max + vehicle->steering_delay;
}

// What two pieces of the stretch demand of speed and wheels. Between them are `apart` metres of
// other pieces, in which the wheels may already turn.
typedef struct park_route_change {
    float time; // to turn the wheels [s]
    float apart;
    float window; // greatest window whose lateral error is allowed [m]
} park_route_change;

static park_route_change change_between(const kerb_parker* parker, int32_t i, int32_t j) {
    const kerb_curve* way = &parker->path;
    park_route_change c = {
        park_route_turning_time(&parker->vehicle, way->curvature[i], way->curvature[j]), 0.0f,
        0.0f};
    for (int32_t k = i + 1; k < j; k++)
        c.apart += kerb_abs(way->length[k]);
    float step = kerb_abs(way->curvature[j] - way->curvature[i]);
    c.window = kerb_sqrt(24.0f * ASIDE / kerb_max(step, 1e-6f));
    return c;
}

float kerb_in_steer_park_window(const kerb_parker* parker, float speed) {
    float widest = 0.0f;
    for (int32_t i = parker->memory.piece; i < parker->memory.next; i++) {
        for (int32_t j = i + 1; j < parker->memory.next; j++) {
            park_route_change c = change_between(parker, i, j);
            widest = kerb_max(widest, c.time * kerb_abs(speed) - c.apart);
        }
    }
    return 1.15f * widest;
}

float kerb_in_steer_park_speed(const kerb_parker* parker, float distance) {
    const kerb_parker_settings* settings = &parker->settings;
    float speed = settings->speed, end = parker->memory.begin;
    for (int32_t i = parker->memory.piece; i < parker->memory.next; i++) {
        end += kerb_abs(parker->path.length[i]);
        for (int32_t j = i + 1; j < parker->memory.next; j++) {
            park_route_change c = change_between(parker, i, j);
            float there = (c.window + c.apart) / (1.15f * c.time);
            float before = end - 0.5f * c.window, after = end + c.apart + 0.5f * c.window;
            float now = kerb_approach_speed(there, before - distance, settings->deceleration);
            if (distance < after)
                speed = kerb_min(speed, now);
        }
    }
    return speed;
}
