// Settings, predictions and interceptions of cars.
//
// A car that drives along a road is predicted along the road. Any other car continues its circle
// for a while and then goes straight, because nobody drives in circles for long. An interception is
// the first time at which the agent can be at the target's predicted position: a scan over the
// horizon, then bisection. Shortly before two cars meet, the times at which they can meet are as
// short as the remaining time, so the scan is denser in the near future. Otherwise the agent would
// turn away half a second before the meeting. O(1) without a road.
#include "kerb/cars.h"

#include "cars.h"

#include "../base/shared.h"

// Number of times in the scan, and of bisections.
#define SCANS 24
#define CARS_HALVINGS 6
// A predicted circle ends after this angle. [rad]
#define CARS_TURN_MOST 2.1f
// Farther from the road than ROAD_ASIDE [m], or with less than the share ROAD_COSINE of its speed
// along the road, a car does not drive along it.
#define ROAD_ASIDE 15.0f
#define ROAD_COSINE 0.5f

// clang-format off
#define CARS_ROW(field, ...) KERB_IN_SETTING(kerb_cars_settings, field, __VA_ARGS__)
static const kerb_setting cars_rows[] = {
    CARS_ROW(horizon, "s", 0.1f, 60.0f, 4.0f, "look-ahead"),
    CARS_ROW(gap, "m", 0.0f, 100.0f, 1.2f, "gap between two bodies while they drive"),
    CARS_ROW(gap_stopped, "m", 0.0f, 100.0f, 0.0f, "gap round a target that has almost stopped"),
    CARS_ROW(closing_speed_max, "m/s", 0.1f, 100.0f, 12.0f, "greatest speed relative to its place"),
    CARS_ROW(blocking_deceleration, "m/s^2", 0.1f, 20.0f, 3.0f, "how it brakes a target to rest"),
    CARS_ROW(deceleration, "m/s^2", 0.1f, 20.0f, 4.0f, "deceleration on the way to its place"),
};
// clang-format on
const kerb_settings_table kerb_cars_settings_table = {
    "kerb_cars_settings", sizeof(kerb_cars_settings), cars_rows,
    (int32_t)(sizeof cars_rows / sizeof cars_rows[0])};

kerb_cars_settings kerb_cars_settings_default(void) {
    kerb_cars_settings settings;
    kerb_settings_set_defaults(&kerb_cars_settings_table, &settings);
    return settings;
}

bool kerb_in_steer_is_finite_car(const kerb_neighbour* car) {
    return kerb_vec2_dot(car->forward, car->forward) <= STEER_FORWARD_MOST &&
           steer_is_place(car->position) && steer_is_place(car->velocity) &&
           kerb_abs(car->yaw_rate) + kerb_abs(car->length) + kerb_abs(car->width) <=
               STEER_NUMBER_MOST;
}

kerb_steering kerb_in_steer_velocity_wish(const kerb_agent* agent, kerb_vec2 velocity) {
    float speed = kerb_vec2_length(velocity);
    if (speed < 0.05f)
        return steer_wish(agent->forward, 0.0f);
    return steer_wish(steer_on_ground(kerb_vec2_scale(velocity, 1.0f / speed)), speed);
}

// --------------------------------------------------------------------------- prediction

static kerb_vec2 on_circle(const kerb_neighbour* target, float time) {
    kerb_vec2 velocity = steer_level(target->velocity);
    float rate = target->yaw_rate;
    float turning = kerb_abs(rate) < 0.02f ? 0.0f : kerb_min(time, CARS_TURN_MOST / kerb_abs(rate));
    float angle = rate * turning, sine, cosine;
    kerb_sin_cos(angle, &sine, &cosine);
    kerb_vec2 moved = {0.0f, 0.0f};
    if (turning > 0.0f)
        moved = kerb_vec2_make((velocity.x * sine - velocity.y * (1.0f - cosine)) / rate,
                               (velocity.x * (1.0f - cosine) + velocity.y * sine) / rate);
    kerb_vec2 after = steer_out_of(velocity, kerb_vec2_make(cosine, sine));
    moved = kerb_vec2_add(moved, kerb_vec2_scale(after, time - turning));
    return kerb_vec2_add(steer_level(target->position), moved);
}

steer_road_place kerb_in_steer_place_on(const kerb_path* road, const kerb_neighbour* target) {
    steer_road_place place = {0};
    if (!road)
        return place;
    place.here = kerb_path_nearest(road, target->position);
    kerb_path_sample sample = kerb_path_sample_at(road, place.here);
    place.aside = kerb_path_cross_track(road, place.here, target->position);
    place.speed = kerb_vec3_dot(sample.direction, target->velocity);
    float speed = kerb_vec2_length(steer_level(target->velocity));
    place.is_on =
        kerb_abs(place.aside) < ROAD_ASIDE && kerb_abs(place.speed) >= ROAD_COSINE * speed;
    return place;
}

static kerb_vec3 along_road(const kerb_path* road, const steer_road_place* place, float time) {
    kerb_path_location there = kerb_path_advance(road, place->here, place->speed * time);
    kerb_path_sample sample = kerb_path_sample_at(road, there);
    kerb_vec3 left = kerb_vec3_make(-sample.direction.y, sample.direction.x, 0.0f);
    kerb_vec3 result = kerb_vec3_along(sample.position, left, place->aside);
    result.z = 0.0f;
    return result;
}

static kerb_vec3 predicted(const kerb_neighbour* target, const kerb_path* road,
                           const steer_road_place* place, float time) {
    if (place->is_on)
        return along_road(road, place, time);
    return steer_on_ground(on_circle(target, time));
}

// Where a car is of which a number is not finite: where it is, if that is known.
static kerb_vec3 cars_now(const kerb_neighbour* target) {
    return steer_is_place(target->position) ? steer_on_ground(steer_level(target->position))
                                            : kerb_vec3_make(0.0f, 0.0f, 0.0f);
}

kerb_vec3 kerb_predict_car(const kerb_neighbour* target, const kerb_path* road, float time) {
    KERB_ASSERT(target);
    if (!kerb_in_steer_is_finite_car(target) || !steer_is_time(time))
        return cars_now(target);
    steer_road_place place = kerb_in_steer_place_on(road, target);
    return predicted(target, road, &place, time);
}

// --------------------------------------------------------------------------- interceptions

// Time to drive a distance, accelerating from a speed up to the greatest speed.
static float cars_time_for(float distance, float speed, float most, float acceleration) {
    speed = kerb_min(speed, most);
    float gaining = (most * most - speed * speed) / (2.0f * acceleration);
    if (distance <= gaining)
        return (kerb_sqrt(speed * speed + 2.0f * acceleration * distance) - speed) / acceleration;
    return (most - speed) / acceleration + (distance - gaining) / most;
}

static float cars_time_to(const kerb_agent* agent, kerb_vec3 place) {
    kerb_vec2 way = steer_level(kerb_vec3_sub(place, agent->position));
    float distance = kerb_seek_distance(agent, place);
    float straight = kerb_max(kerb_vec2_length(way), 1e-3f);
    float along = kerb_vec2_dot(way, steer_level(agent->forward)) / straight * agent->speed;
    return cars_time_for(distance, kerb_max(along, 0.0f), kerb_max(agent->speed_max, 0.1f),
                         kerb_max(agent->acceleration, 0.1f));
}

// Time i of the scan.
static float scanned(float horizon, int32_t i) {
    return horizon * ((float)(i * (i + 4)) / (float)(SCANS * (SCANS + 4)));
}

kerb_interception kerb_intercept_car(const kerb_agent* agent, const kerb_neighbour* target,
                                     const kerb_path* road, float horizon) {
    KERB_ASSERT(agent && target);
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !kerb_in_steer_is_finite_car(target) ||
        !steer_is_time(horizon)) {
        kerb_interception none = {cars_now(target), kerb_clamp(horizon, 0.0f, STEER_TIME_MOST)};
        return none;
    }
    steer_road_place place = kerb_in_steer_place_on(road, target);
    float late = 0.0f, met = horizon;
    for (int32_t i = 0; i <= SCANS; i++) {
        float time = scanned(horizon, i);
        if (cars_time_to(agent, predicted(target, road, &place, time)) <= time) {
            met = time;
            break;
        }
        late = time;
    }
    for (int32_t i = 0; i < CARS_HALVINGS && met > late; i++) {
        float middle = 0.5f * (late + met);
        bool in_time = cars_time_to(agent, predicted(target, road, &place, middle)) <= middle;
        *(in_time ? &met : &late) = middle;
    }
    kerb_interception meeting = {predicted(target, road, &place, met), met};
    return meeting;
}

bool kerb_in_steer_place_before(const kerb_agent* agent, const kerb_neighbour* target,
                                const kerb_path* road, float horizon, float margin,
                                kerb_vec3* place) {
    steer_road_place on = kerb_in_steer_place_on(road, target);
    float soonest = horizon;
    for (int32_t i = 0; i <= 2 * SCANS; i++) {
        float time = horizon * (float)i / (float)(2 * SCANS);
        kerb_vec3 there = predicted(target, road, &on, time);
        float needed = cars_time_to(agent, there);
        if (needed + margin <= time && needed < soonest) {
            soonest = needed;
            *place = there;
        }
    }
    return soonest < horizon;
}
