// Purpose: a follower drives a host of the family.
// Cost:    that of the host's step, and of the follower's.
#include "scene/host/family_ride.h"

#include <string.h>

// Until the first move of the threshold either end may be the first extreme.
static void begin_swings(kerb_family_swings* swings, float value, float threshold) {
    swings->low = swings->begun ? kerb_min(swings->low, value) : value;
    swings->high = swings->begun ? kerb_max(swings->high, value) : value;
    swings->begun = true;
    if (swings->high - swings->low >= threshold)
        swings->direction = value == swings->high ? 1 : -1;
    swings->extreme = value;
}

void kerb_family_swings_watch(kerb_family_swings* swings, float value, float threshold) {
    float moved = value - swings->extreme;
    if (swings->direction == 0) {
        begin_swings(swings, value, threshold);
    } else if (moved * (float)swings->direction > 0.0f) {
        swings->extreme = value;
    } else if (kerb_abs(moved) >= threshold) {
        swings->count++;
        swings->direction = -swings->direction;
        swings->extreme = value;
    }
}

static int32_t ride_steering = KERB_STEERING_LEARNED;

void kerb_family_ride_steer_by(kerb_follower_steering steering) {
    ride_steering = (int32_t)steering;
}

void kerb_family_ride_make(kerb_family_ride* ride, const kerb_family_host* host,
                           const kerb_vehicle* vehicle, float speed) {
    memset(ride, 0, sizeof *ride);
    ride->host = *host;
    ride->follower = kerb_follower_make(vehicle);
    ride->follower.settings = kerb_follower_settings_of(KERB_FOLLOWER_KERB, vehicle);
    ride->follower.settings.speed = speed;
    ride->follower.settings.steering = ride_steering;
    ride->motion = kerb_family_motion(host);
    ride->controls = ride->follower.controls;
    ride->gain = 1.0f;
}

static float without_trim(const kerb_family_host* host, float command, float speed) {
    const kerb_family_truth* t = &host->truth;
    return kerb_atan(kerb_family_curvature(host, command, speed) * t->wheelbase) -
           t->trim * t->lock;
}

// The command of a multiple of the wheels' angle at `steering`. Trim and lock stay.
static float multiplied(const kerb_family_host* host, float steering, float gain) {
    float speed = host->forward, wanted = gain * without_trim(host, steering, speed);
    float low = -1.0f, high = 1.0f;
    for (int32_t i = 0; i < 20; i++) {
        float middle = 0.5f * (low + high);
        *(without_trim(host, middle, speed) < wanted ? &low : &high) = middle;
    }
    return 0.5f * (low + high);
}

float kerb_family_ride_step(kerb_family_ride* ride, const kerb_path* path) {
    float step = kerb_family_frame(&ride->host);
    ride->motion = kerb_family_motion(&ride->host);
    kerb_surroundings around = kerb_surroundings_default();
    around.player_drives = ride->player != NULL;
    around.applied = ride->player != NULL || ride->player_drove ? &ride->controls : NULL;
    kerb_controls own = kerb_follower_drive(&ride->follower, path, &ride->motion, &around, step);
    ride->player_drove = ride->player != NULL;
    ride->controls = ride->player != NULL ? *ride->player : own;
    kerb_controls given = ride->controls;
    given.steering = kerb_clamp(given.steering + ride->disturbance, -1.0f, 1.0f);
    if (ride->gain != 1.0f)
        given.steering = multiplied(&ride->host, given.steering, ride->gain);
    ride->applied = given.steering;
    kerb_family_step(&ride->host, &given, step);
    ride->time += (double)step;
    return step;
}

float kerb_family_grip(const kerb_family_host* host) {
    return host->truth.tyre == KERB_FAMILY_NO_TYRES ? 1.0f : host->truth.grip;
}

float kerb_family_trim_speed(const kerb_family_host* host, float share) {
    const kerb_family_truth* t = &host->truth;
    float curvature = kerb_tan(kerb_abs(t->trim) * t->lock) / t->wheelbase;
    return kerb_sqrt(share * kerb_family_grip(host) * KERB_GRAVITY / kerb_max(curvature, 1.0e-6f));
}

kerb_vehicle kerb_family_true_vehicle(const kerb_family_host* host) {
    const kerb_family_truth* t = &host->truth;
    kerb_vehicle v = host->vehicle;
    v.steering_delay = v.throttle_delay = t->delay;
    v.steering_rate_max = kerb_min(t->wheel_rate, kerb_min(t->rise_rate, t->fall_rate) * t->lock);
    v.steering_rate_max = kerb_min(v.steering_rate_max, 20.0f);
    if (t->rear_steering) // the axle that follows is the front one
        v.reference_to_rear_axle = t->rear_to_point - t->wheelbase;
    v.reference_to_front =
        kerb_max(v.reference_to_front, 1.0001f * v.wheelbase - v.reference_to_rear_axle);
    v.length = kerb_max(v.length, v.reference_to_front + v.reference_to_rear_axle + 0.01f);
    v.yaw_inertia = t->gyration * t->rear_to_mass * (t->wheelbase - t->rear_to_mass);
    v.creep_speed = t->creep_speed;
    if (t->neutral_at_rest)
        v.drive_train.gear_told = KERB_GEAR_TOLD_NOTHING;
    if (t->lock_share < 1.0f) {
        v.steering_lock.count = KERB_SHARE_POINTS_MAX;
        for (int32_t i = 0; i < KERB_SHARE_POINTS_MAX; i++) {
            float speed = 0.5f * (float)i * t->lock_speed, half = t->lock_speed * t->lock_speed;
            v.steering_lock.speed[i] = speed;
            v.steering_lock.share[i] =
                1.0f - (1.0f - t->lock_share) * speed * speed / (speed * speed + half);
        }
    }
    return v;
}
