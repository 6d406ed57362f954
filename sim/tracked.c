// Purpose: one step of a vehicle on tracks, its limits, and the reference tank.
// Idea:    Three velocities of the hull and the mean speed of the tracks. The steering sets how
//          much faster than the mean the right track runs. Each track lies on the ground with six
//          equal patches. A patch slips along its track and, when the hull turns, across it. Its
//          friction acts against the slip, so the force that turns the hull and the force that
//          resists the turn share one friction circle. As in car.c, a patch is a damper with the
//          secant of its curve during one step. This makes the step one 4×4 linear system, stable
//          at any time step. A hull that friction can hold is stopped exactly.
// Cost:    Twelve patches and one solve.
// Source:  Wong, "Theory of Ground Vehicles", chapter 6 (skid steering, moment of turning
//          resistance); Wong, Chiang, "A general theory for skid steering of tracked vehicles on
//          firm ground", Proc. IMechE D 215, 2001 (friction along the slip of each track element).
#include "sim/tracked.h"
#include "sim/plane.h"

// Per track. Even, so that they feel the same turning resistance as a whole track: the midpoint
// rule then integrates |x| exactly.
#define PATCHES 6
// What moves with the tracks, as a share of the mass.
#define TRACKS_MASS 0.05f
// Slip is taken over at least this speed. [m/s]
#define TRACKED_SLIP_SPEED_LEAST 0.2f
// The governor takes the drive away over this share of the greatest speed.
#define TRACKED_GOVERNOR_BAND 0.02f

// Index of the velocities: of the hull forward, sideways and turning, and of the tracks.
enum { FORWARD, SIDE, YAW, TRACKS, VELOCITIES };

typedef struct tracked_wishes {
    float throttle, brake, steering; // throttle negative in reverse
    int32_t gear;
} tracked_wishes;

// A piece of track on the ground during one step. Slip velocities are row · velocities (+ ahead).
typedef struct patch {
    float along[VELOCITIES], across[VELOCITIES];
    float ahead;                     // what its track is faster than the mean [m/s]
    float stiff_along, stiff_across; // force per slip velocity [N s/m]
    kerb_vec2 most;                  // greatest forces [N]
} patch;

typedef struct tracked_drive {
    float force, damping; // at the tracks: force at their present speed, and its slope
    float hold;           // friction that slows the tracks: brakes and rolling resistance [N]
} tracked_drive;

static float tracked_clamp_finite(float x, float least, float most) {
    return kerb_is_finite(x) ? kerb_clamp(x, least, most) : 0.0f;
}

static tracked_wishes tracked_wishes_from(const kerb_controls* controls) {
    tracked_wishes result;
    result.gear = controls->gear > 0 ? 1 : controls->gear < 0 ? -1 : 0;
    result.throttle = tracked_clamp_finite(controls->throttle, 0.0f, 1.0f) * (float)result.gear;
    result.brake = controls->handbrake ? 1.0f : tracked_clamp_finite(controls->brake, 0.0f, 1.0f);
    result.steering = tracked_clamp_finite(controls->steering, -1.0f, 1.0f);
    return result;
}

static float tracks_speed(const kerb_sim_tracked* tracked) {
    return 0.5f * (tracked->track_left + tracked->track_right);
}

// What tracks and hull weigh together against a push along them. [kg]
static float tracked_rolling_mass(const kerb_sim_tracked_model* model) {
    return (1.0f + TRACKS_MASS) * model->mass;
}

// --------------------------------------------------------------------------- drive and steering

// A braked track does not run backwards: one that stands with its brakes on does not turn.
static void tracked_steer(kerb_sim_tracked* tracked, const tracked_wishes* wanted,
                          float time_step) {
    const kerb_sim_tracked_model* model = &tracked->model;
    float arm = 0.5f * model->gauge;
    float most = kerb_max(kerb_abs(tracks_speed(tracked)) / arm,
                          (1.0f - wanted->brake) * model->yaw_rate_max);
    float asked = kerb_clamp(wanted->steering * model->yaw_rate_max, -most, most);
    float change = model->track_acceleration / arm * time_step;
    tracked->steering += kerb_clamp(asked - tracked->steering, -change, change);
}

// Of what drives at `speed`: all below the greatest speed, nothing a little above it.
static void govern(tracked_drive* push, float speed, float most) {
    float band = TRACKED_GOVERNOR_BAND * most;
    float left = (most + band - speed) / band;
    if (left >= 1.0f)
        return;
    push->damping = left > 0.0f ? kerb_abs(push->force) / band : 0.0f;
    push->force *= kerb_max(left, 0.0f);
}

// Force from rest, then power; the steering takes its power first.
static tracked_drive drive_of(kerb_sim_tracked* tracked, const tracked_wishes* wanted, float press,
                              float time_step) {
    const kerb_sim_tracked_model* model = &tracked->model;
    tracked->throttle +=
        (wanted->throttle - tracked->throttle) * time_step / (model->throttle_delay + time_step);
    tracked->gear = wanted->gear;
    bool back = tracked->throttle < 0.0f;
    float speed = back ? -tracks_speed(tracked) : tracks_speed(tracked);
    float power = kerb_max(model->power - kerb_max(tracked->steering_power, 0.0f), 0.0f);
    float force = back ? model->reverse_drive_force : model->drive_force;
    tracked_drive result = {.damping = 0.0f};
    if (force * speed > power)
        force = power / speed;
    result.force = tracked->throttle * force;
    govern(&result, speed, back ? model->reverse_speed_max : model->speed_max);
    result.hold =
        wanted->brake * model->brake_force + model->rolling_resistance * model->mass * press;
    return result;
}

// --------------------------------------------------------------------------- patches

static float dot(const float* row, const float* v) {
    return row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3] * v[3];
}

// Force per slip velocity at a slip, over load: friction that grows with the slip over the speed
// and levels off at the grip. The square root bends as Wong's exponential does, and is cheaper.
static float secant(const kerb_sim_tracked_model* model, kerb_vec2 slip, float speed) {
    float stiffness = model->slip_stiffness / (model->grip_along * speed);
    float x = stiffness * slip.x, y = stiffness * slip.y;
    return stiffness / kerb_sqrt(1.0f + x * x + y * y);
}

static float patch_place(const kerb_sim_tracked_model* model, int32_t index) {
    return model->contact_length * (((float)index + 0.5f) / (float)PATCHES - 0.5f);
}

static patch patch_at(const kerb_sim_tracked_model* model, int32_t index, float side,
                      const float* now, float steering, float press, float ground_grip) {
    float x = patch_place(model, index);
    float y = 0.5f * side * model->gauge;
    patch result = {.along = {-1.0f, 0.0f, y, 1.0f}, .across = {0.0f, 1.0f, x, 0.0f}};
    result.ahead = -y * steering;
    kerb_vec2 slip = {dot(result.along, now) + result.ahead, dot(result.across, now)};
    float track = now[TRACKS] + result.ahead;
    float speed = kerb_max(kerb_abs(track), kerb_abs(track - slip.x));
    float load = model->mass * press / (2.0f * (float)PATCHES);
    // Where the ground grips less, it is as stiff and gives way at less slip.
    float bite = load * secant(model, kerb_vec2_scale(slip, 1.0f / ground_grip),
                               kerb_max(speed, TRACKED_SLIP_SPEED_LEAST));
    result.stiff_along = bite * model->grip_along;
    result.stiff_across = bite * model->grip_across;
    result.most.x = load * model->grip_along * ground_grip;
    result.most.y = load * model->grip_across * ground_grip;
    return result;
}

// Left and right are added up before they go in: so a mirrored run is the mirror image to the bit.
static void add_pair(float matrix[VELOCITIES][VELOCITIES], float* right, const patch pair[2]) {
    for (int i = 0; i < VELOCITIES; i++) {
        for (int j = 0; j < VELOCITIES; j++) {
            float part[2];
            for (int k = 0; k < 2; k++)
                part[k] = pair[k].stiff_along * pair[k].along[i] * pair[k].along[j] +
                          pair[k].stiff_across * pair[k].across[i] * pair[k].across[j];
            matrix[i][j] += part[0] + part[1];
        }
        right[i] -= pair[0].stiff_along * pair[0].ahead * pair[0].along[i] +
                    pair[1].stiff_along * pair[1].ahead * pair[1].along[i];
    }
}

// The force along the patch after the solve, and into `cut` what was beyond its grip.
static float tracked_take_force(const patch* p, const float* after, float* cut) {
    kerb_vec2 force = {p->stiff_along * (dot(p->along, after) + p->ahead),
                       p->stiff_across * dot(p->across, after)};
    float x = force.x / p->most.x, y = force.y / p->most.y;
    float use = x * x + y * y;
    kerb_vec2 given = use > 1.0f ? kerb_vec2_scale(force, 1.0f / kerb_sqrt(use)) : force;
    for (int i = 0; i < VELOCITIES; i++)
        cut[i] = p->along[i] * (force.x - given.x) + p->across[i] * (force.y - given.y);
    return given.x;
}

// --------------------------------------------------------------------------- the solve

// Elimination without pivots: the matrix is positive definite but for the turning frame's small
// skew part.
static void tracked_solve(float matrix[VELOCITIES][VELOCITIES], float* right) {
    for (int k = 0; k < VELOCITIES; k++) {
        for (int i = k + 1; i < VELOCITIES; i++) {
            float factor = matrix[i][k] / matrix[k][k];
            for (int j = k; j < VELOCITIES; j++)
                matrix[i][j] -= factor * matrix[k][j];
            right[i] -= factor * right[k];
        }
    }
    for (int k = VELOCITIES - 1; k >= 0; k--) {
        for (int j = k + 1; j < VELOCITIES; j++)
            right[k] -= matrix[k][j] * right[j];
        right[k] /= matrix[k][k];
    }
}

// Velocities after the step, before any force is cut.
static void tracked_solve_step(const kerb_sim_tracked_model* model, const float* now,
                               const tracked_drive* push, const kerb_sim_plane* ground,
                               const patch* patches, float time_step, float* after) {
    float mass = model->mass / time_step;
    float tracks = TRACKS_MASS * mass;
    // Spread over the last metres per second, so that friction stops the tracks and does not
    // reverse them.
    float slowest = push->hold * time_step / tracked_rolling_mass(model);
    float friction = push->hold / kerb_max(kerb_max(kerb_abs(now[TRACKS]), slowest), 1e-6f);
    float matrix[VELOCITIES][VELOCITIES] = {
        {mass + model->drag_area * kerb_abs(now[FORWARD]), 0.0f, -model->mass * now[SIDE], 0.0f},
        {0.0f, mass, model->mass * now[FORWARD], 0.0f},
        {0.0f, 0.0f, model->yaw_inertia / time_step, 0.0f},
        {0.0f, 0.0f, 0.0f, tracks + push->damping + friction}};
    after[FORWARD] = mass * now[FORWARD] + model->mass * ground->pull_forward;
    after[SIDE] = mass * now[SIDE] + model->mass * ground->pull_left;
    after[YAW] = model->yaw_inertia / time_step * now[YAW];
    after[TRACKS] = (tracks + push->damping) * now[TRACKS] + push->force;
    for (int i = 0; i < 2 * PATCHES; i += 2)
        add_pair(matrix, after, &patches[i]);
    tracked_solve(matrix, after);
}

// Gives back what the patches could not hold, and notes the power that the steering took.
static void cut_forces(kerb_sim_tracked* tracked, const patch* patches, float time_step,
                       float* after) {
    const kerb_sim_tracked_model* model = &tracked->model;
    float cut[VELOCITIES] = {0.0f};
    tracked->steering_power = 0.0f;
    for (int i = 0; i < 2 * PATCHES; i += 2) {
        float left[VELOCITIES], right[VELOCITIES];
        float force_left = tracked_take_force(&patches[i], after, left);
        float force_right = tracked_take_force(&patches[i + 1], after, right);
        tracked->steering_power +=
            force_left * patches[i].ahead + force_right * patches[i + 1].ahead;
        for (int j = 0; j < VELOCITIES; j++)
            cut[j] += left[j] + right[j];
    }
    after[FORWARD] += cut[FORWARD] * time_step / model->mass;
    after[SIDE] += cut[SIDE] * time_step / model->mass;
    after[YAW] += cut[YAW] * time_step / model->yaw_inertia;
    // Brakes stop tracks that the ground no longer drives; they do not turn them round.
    float tracks = after[TRACKS] + cut[TRACKS] * time_step / (TRACKS_MASS * model->mass);
    after[TRACKS] = tracks * after[TRACKS] > 0.0f ? tracks : 0.0f;
}

static bool tracked_held_at_rest(const kerb_sim_tracked* tracked, const float* after,
                                 const tracked_drive* push, const kerb_sim_plane* ground) {
    const kerb_sim_tracked_model* model = &tracked->model;
    if (tracked->steering != 0.0f || kerb_abs(after[FORWARD]) > KERB_SIM_REST_SPEED ||
        kerb_abs(after[SIDE]) > KERB_SIM_REST_SPEED ||
        kerb_abs(after[TRACKS]) > KERB_SIM_REST_SPEED ||
        kerb_abs(after[YAW]) * model->contact_length > KERB_SIM_REST_SPEED)
        return false;
    float load = model->mass * ground->press * ground->grip;
    float along = model->mass * ground->pull_forward + push->force;
    float x = along / (model->grip_along * load);
    float y = model->mass * ground->pull_left / (model->grip_across * load);
    return kerb_abs(along) <= push->hold && x * x + y * y <= 1.0f;
}

// --------------------------------------------------------------------------- public

kerb_sim_tracked kerb_sim_tracked_make(const kerb_sim_tracked_model* model, kerb_vec3 position,
                                       float heading) {
    kerb_sim_tracked tracked = {.model = *model, .position = position, .gear = 1};
    tracked.heading = kerb_wrap_angle(heading);
    tracked.rotation = kerb_quat_from_heading(heading);
    return tracked;
}

void kerb_sim_tracked_step(kerb_sim_tracked* tracked, const kerb_controls* controls,
                           const kerb_sim_ground* ground, float time_step) {
    const kerb_sim_tracked_model* model = &tracked->model;
    tracked_wishes wanted = tracked_wishes_from(controls);
    kerb_sim_plane under = kerb_sim_plane_under(ground, tracked->heading);
    patch patches[2 * PATCHES];
    float after[VELOCITIES];
    float now[VELOCITIES] = {tracked->forward, tracked->side, tracked->yaw_rate,
                             tracks_speed(tracked)};

    tracked_steer(tracked, &wanted, time_step);
    tracked_drive push = drive_of(tracked, &wanted, under.press, time_step);
    for (int32_t i = 0; i < 2 * PATCHES; i++)
        patches[i] = patch_at(model, i / 2, i % 2 == 0 ? 1.0f : -1.0f, now, tracked->steering,
                              under.press, under.grip);
    tracked_solve_step(model, now, &push, &under, patches, time_step, after);
    cut_forces(tracked, patches, time_step, after);

    tracked->acceleration = (after[FORWARD] - now[FORWARD]) / time_step;
    if (tracked_held_at_rest(tracked, after, &push, &under))
        after[FORWARD] = after[SIDE] = after[YAW] = after[TRACKS] = 0.0f;
    tracked->forward = after[FORWARD];
    tracked->side = after[SIDE];
    tracked->yaw_rate = after[YAW];
    tracked->track_left = after[TRACKS] - 0.5f * model->gauge * tracked->steering;
    tracked->track_right = after[TRACKS] + 0.5f * model->gauge * tracked->steering;
    kerb_sim_plane_move(&under, kerb_vec2_make(tracked->forward, tracked->side), tracked->yaw_rate,
                        ground->height, time_step, &tracked->position, &tracked->position_rest);
    tracked->heading = kerb_sim_plane_turn(&under, tracked->heading, tracked->yaw_rate, time_step);
    tracked->rotation = kerb_sim_plane_rotation(under.normal, tracked->heading);
}

kerb_motion kerb_sim_tracked_motion(const kerb_sim_tracked* tracked) {
    kerb_vec2 velocity = {tracked->forward, tracked->side};
    kerb_motion motion =
        kerb_sim_plane_motion(tracked->position, tracked->rotation, velocity, tracked->yaw_rate);
    motion.steering = tracked->steering / tracked->model.yaw_rate_max;
    motion.gear = tracked->gear;
    return motion;
}

// --------------------------------------------------------------------------- limits

// Moment about the centre of mass that the tracks give a hull on level ground that turns on the
// spot at `share` of the `rate` that the tracks would give it without slip. [N m]
static float moment_at(const kerb_sim_tracked_model* model, float rate, float share) {
    float arm = 0.5f * model->gauge;
    float track = arm * rate;
    float sum = 0.0f;
    for (int32_t i = 0; i < PATCHES; i++) {
        float x = patch_place(model, i);
        kerb_vec2 slip = {track * (1.0f - share), rate * share * x};
        float bite = secant(model, slip, kerb_max(track, TRACKED_SLIP_SPEED_LEAST));
        sum += bite * (model->grip_along * slip.x * arm - model->grip_across * slip.y * x);
    }
    return sum * model->mass * KERB_GRAVITY / (float)PATCHES;
}

// The part of the tracks' turning that the hull follows on the spot, while they turn at `rate` and
// gain `acceleration`: where their moment is what speeds the hull up. Found by halving; the moment
// falls as the share grows.
static float turning_share(const kerb_sim_tracked_model* model, float rate, float acceleration) {
    float low = 0.0f, high = 1.0f;
    for (int32_t round = 0; round < 24; round++) {
        float middle = 0.5f * (low + high);
        if (moment_at(model, rate, middle) > model->yaw_inertia * acceleration * middle)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Yaw acceleration of the hull, half-way to its yaw rate, under tracks that turn with
// `acceleration`.
static float yaw_acceleration(const kerb_sim_tracked_model* model, float acceleration) {
    return acceleration * turning_share(model, 0.5f * model->yaw_rate_max, acceleration);
}

static float tracked_rolling_force(const kerb_sim_tracked_model* model) {
    return model->rolling_resistance * model->mass * KERB_GRAVITY;
}

static float resistance_at(const kerb_sim_tracked_model* model, float speed) {
    return tracked_rolling_force(model) + model->drag_area * speed * speed;
}

// Where power and resistance balance, or the governor comes first.
static float tracked_top_speed(const kerb_sim_tracked_model* model, float governed) {
    float low = 0.0f, high = governed;
    if (resistance_at(model, governed) * governed <= model->power)
        return governed;
    for (int32_t round = 0; round < 24; round++) {
        float middle = 0.5f * (low + high);
        if (resistance_at(model, middle) * middle <= model->power)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static float launch(const kerb_sim_tracked_model* model, float force) {
    float by_drive = (force - tracked_rolling_force(model)) / tracked_rolling_mass(model);
    return kerb_min(by_drive, model->grip_along * KERB_GRAVITY);
}

kerb_vehicle kerb_sim_tracked_vehicle(const kerb_sim_tracked_model* model) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    float heavy = tracked_rolling_mass(model);
    vehicle.kind = KERB_VEHICLE_TRACKED;
    vehicle.length = model->length;
    vehicle.width = model->width;
    vehicle.reference_to_front = model->mass_to_bumper;
    vehicle.reference_to_rear_axle = 0.0f; // it turns about its middle
    vehicle.wheelbase = kerb_min(0.5f * model->contact_length, model->mass_to_bumper);
    vehicle.mass = model->mass;
    vehicle.steering_delay = 0.0f;
    vehicle.understeer_gradient = 0.0f;
    vehicle.yaw_rate_max = model->yaw_rate_max * turning_share(model, model->yaw_rate_max, 0.0f);
    vehicle.yaw_acceleration_max =
        yaw_acceleration(model, model->track_acceleration / (0.5f * model->gauge));
    vehicle.speed_max = tracked_top_speed(model, model->speed_max);
    vehicle.reverse_speed_max = tracked_top_speed(model, model->reverse_speed_max);
    vehicle.acceleration_max = launch(model, model->drive_force);
    vehicle.reverse_acceleration_max = launch(model, model->reverse_drive_force);
    vehicle.power = model->power * model->mass / heavy;
    vehicle.braking_max = kerb_min((model->brake_force + tracked_rolling_force(model)) / heavy,
                                   model->grip_along * KERB_GRAVITY);
    vehicle.coasting_deceleration = tracked_rolling_force(model) / heavy;
    vehicle.drag = model->drag_area / heavy;
    vehicle.lateral_acceleration_max = model->grip_across * KERB_GRAVITY;
    vehicle.throttle_delay = model->throttle_delay;
    return vehicle;
}

// What a kerb_vehicle leaves open: hulls and tracks in a tank's proportions.
static void choose_body(kerb_sim_tracked_model* model, const kerb_vehicle* vehicle) {
    model->length = vehicle->length;
    model->width = vehicle->width;
    model->mass = vehicle->mass;
    model->mass_to_bumper = vehicle->reference_to_front;
    model->mass_height = 0.3f * vehicle->width;
    model->contact_length = 0.62f * vehicle->length;
    model->gauge = 0.8f * vehicle->width;
    model->yaw_inertia = vehicle->mass *
                         (vehicle->length * vehicle->length + vehicle->width * vehicle->width) /
                         12.0f;
}

static void choose_grip(kerb_sim_tracked_model* model, const kerb_vehicle* vehicle) {
    float hardest = kerb_max(vehicle->braking_max, kerb_max(vehicle->acceleration_max,
                                                            vehicle->reverse_acceleration_max));
    model->grip_across = vehicle->lateral_acceleration_max / KERB_GRAVITY;
    model->grip_along = kerb_max(1.3f * model->grip_across, 1.4f * hardest / KERB_GRAVITY);
    model->slip_stiffness = 10.0f * model->grip_along;
}

static void choose_drive(kerb_sim_tracked_model* model, const kerb_vehicle* vehicle) {
    float heavy = tracked_rolling_mass(model);
    float top = vehicle->speed_max;
    model->rolling_resistance =
        vehicle->coasting_deceleration * heavy / (vehicle->mass * KERB_GRAVITY);
    model->drag_area = vehicle->drag * heavy;
    model->drive_force = heavy * vehicle->acceleration_max + tracked_rolling_force(model);
    model->reverse_drive_force =
        heavy * vehicle->reverse_acceleration_max + tracked_rolling_force(model);
    // Without any resistance the power would be none.
    float least = 0.02f * model->drive_force;
    float holding = kerb_max(resistance_at(model, top), least) * top;
    model->power = kerb_max(vehicle->power * heavy / vehicle->mass, holding);
    model->brake_force =
        kerb_max(heavy * vehicle->braking_max - tracked_rolling_force(model), 0.0f);
    model->speed_max = top;
    model->reverse_speed_max = vehicle->reverse_speed_max;
    model->throttle_delay = vehicle->throttle_delay;
}

// The tracks turn faster than the hull, by what they slip; how much that is depends on the rate a
// little. A hull that friction could not speed up as said is as much lighter to turn.
static void choose_turning(kerb_sim_tracked_model* model, const kerb_vehicle* vehicle) {
    float friction = 0.5f * model->gauge * model->grip_along * model->mass * KERB_GRAVITY;
    model->yaw_rate_max = vehicle->yaw_rate_max;
    for (int32_t round = 0; round < 6; round++)
        model->yaw_rate_max =
            vehicle->yaw_rate_max / turning_share(model, model->yaw_rate_max, 0.0f);
    model->yaw_inertia =
        kerb_min(model->yaw_inertia, 0.25f * friction / vehicle->yaw_acceleration_max);
    float low = vehicle->yaw_acceleration_max, high = 20.0f * low;
    for (int32_t round = 0; round < 24; round++) {
        float middle = 0.5f * (low + high);
        if (yaw_acceleration(model, middle) < vehicle->yaw_acceleration_max)
            low = middle;
        else
            high = middle;
    }
    model->track_acceleration = low * 0.5f * model->gauge;
}

kerb_sim_tracked_model kerb_sim_tracked_model_for(const kerb_vehicle* vehicle) {
    kerb_sim_tracked_model model = {0};
    choose_body(&model, vehicle);
    choose_grip(&model, vehicle);
    choose_drive(&model, vehicle);
    choose_turning(&model, vehicle);
    return model;
}

kerb_sim_tracked_model kerb_sim_tank_model(void) {
    kerb_sim_tracked_model model = {
        .length = 6.4f,
        .width = 3.5f,
        .mass = 40000.0f,
        .yaw_inertia = 177000.0f, // of a box of this size
        .mass_to_bumper = 3.2f,
        .contact_length = 3.9f,
        .gauge = 2.8f,
        .mass_height = 1.1f,
        .grip_along = 0.8f,
        .grip_across = 0.6f,
        .slip_stiffness = 8.0f,
        .drive_force = 180000.0f,
        .reverse_drive_force = 180000.0f,
        .power = 300000.0f,
        .brake_force = 200000.0f,
        .speed_max = 12.0f,
        .reverse_speed_max = 4.0f,
        .yaw_rate_max = 1.05f,
        .track_acceleration = 1.6f,
        .throttle_delay = 0.25f,
        .rolling_resistance = 0.06f,
        .drag_area = 4.8f,
    };
    return model;
}
