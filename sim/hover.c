// Purpose: one step of a hovercraft, its limits, and the reference hovercraft.
// Idea:    A body that slides on its skirt, with thrust along its axis, friction against the
//          direction of the slide, drag along and across, and gravity on slopes. A rudder turns the
//          body at the commanded rate; the course follows only as thrust and friction bend it. In
//          the axes of the body the velocity turns back by the turn of the body, half of it before
//          the forces act and half after. Friction and drag are implicit dampers with the secants
//          of their curves, stable at any time step. A body that friction can hold is stopped
//          exactly.
// Cost:    O(1).
// Source:  Yun, Bliault, "Theory and Design of Air Cushion Craft" (drag of cushion and skirt,
//          control by rudder and reversible propeller); Fossen, "Handbook of Marine Craft
//          Hydrodynamics and Motion Control" (three velocities in the plane).
#include "sim/hover.h"
#include "sim/plane.h"

// The governor takes the thrust away over this share of the greatest speed.
#define HOVER_GOVERNOR_BAND 0.02f
// Slower than this the brake leaves stopping to the skirt, and thrust fades. [m/s]
#define THRUST_BRAKE_SPEED 0.5f
// Faster than this a craft that brakes may turn at its full rate. [m/s]
#define TURN_SPEED 2.0f

typedef struct hover_wishes {
    float throttle, brake, skirt, steering; // throttle negative in reverse
    int32_t gear;
} hover_wishes;

static float hover_clamp_finite(float x, float least, float most) {
    return kerb_is_finite(x) ? kerb_clamp(x, least, most) : 0.0f;
}

static hover_wishes hover_wishes_from(const kerb_controls* controls) {
    hover_wishes result;
    result.gear = controls->gear > 0 ? 1 : controls->gear < 0 ? -1 : 0;
    result.throttle = hover_clamp_finite(controls->throttle, 0.0f, 1.0f) * (float)result.gear;
    result.brake = hover_clamp_finite(controls->brake, 0.0f, 1.0f);
    result.skirt = controls->handbrake ? 1.0f : result.brake;
    result.steering = hover_clamp_finite(controls->steering, -1.0f, 1.0f);
    return result;
}

// --------------------------------------------------------------------------- thrust and rudder

// A lowered skirt holds the heading of a craft that stands.
static void hover_steer(kerb_sim_hover* hover, const hover_wishes* wanted, float time_step) {
    const kerb_sim_hover_model* model = &hover->model;
    float speed = kerb_vec2_length(kerb_vec2_make(hover->forward, hover->side));
    float most = kerb_max(1.0f - wanted->skirt, kerb_min(speed / TURN_SPEED, 1.0f));
    hover->steering = kerb_clamp(wanted->steering, -most, most) * model->yaw_rate_max;
    float change = model->yaw_acceleration_max * time_step;
    hover->yaw_rate += kerb_clamp(hover->steering - hover->yaw_rate, -change, change);
}

// The brake is thrust against the motion, as strong as backwards; the handbrake is the skirt alone.
static float fan_wanted(const kerb_sim_hover* hover, const hover_wishes* wanted) {
    if (wanted->brake == 0.0f)
        return wanted->throttle;
    const kerb_sim_hover_model* model = &hover->model;
    float against = -kerb_clamp(hover->forward / THRUST_BRAKE_SPEED, -1.0f, 1.0f) * wanted->brake;
    if (against > 0.0f)
        against *= model->reverse_thrust / model->thrust;
    return against;
}

// Thrust at the present speed, and its slope where the governor takes it away.
static float thrust_of(kerb_sim_hover* hover, const hover_wishes* wanted, float time_step,
                       float* damping) {
    const kerb_sim_hover_model* model = &hover->model;
    float fan = fan_wanted(hover, wanted);
    hover->throttle += (fan - hover->throttle) * time_step / (model->throttle_delay + time_step);
    hover->gear = wanted->gear;
    bool back = hover->throttle < 0.0f;
    float force = hover->throttle * (back ? model->reverse_thrust : model->thrust);
    float speed = back ? -hover->forward : hover->forward;
    float most = back ? model->reverse_speed_max : model->speed_max;
    float left = (most - speed) / (HOVER_GOVERNOR_BAND * most) + 1.0f;
    *damping = left > 0.0f && left < 1.0f ? kerb_abs(force) / (HOVER_GOVERNOR_BAND * most) : 0.0f;
    return force * kerb_clamp(left, 0.0f, 1.0f);
}

// --------------------------------------------------------------------------- one step

// Friction coefficients along and across the body, with the skirt lowered so far.
static kerb_vec2 friction_of(const kerb_sim_hover_model* model, float lowered, float ground_grip) {
    float skirt = lowered * model->skirt_brake;
    kerb_vec2 result = {(model->friction_along + skirt) * ground_grip,
                        (model->friction_across + skirt) * ground_grip};
    return result;
}

// A velocity in the body's axes after these have turned below it. Keeps its length to the last
// bits, as a long slide without friction must.
static kerb_vec2 turn_axes(kerb_vec2 velocity, float angle) {
    float half = 0.5f * angle;
    float scale = 1.0f / (1.0f + half * half);
    float cosine = (1.0f - half * half) * scale, sine = 2.0f * half * scale;
    return kerb_vec2_make(velocity.x * cosine + velocity.y * sine,
                          velocity.y * cosine - velocity.x * sine);
}

// What thrust, friction, drag and gravity make of a velocity in one step.
static kerb_vec2 push_body(const kerb_sim_hover_model* model, kerb_vec2 now,
                           const kerb_sim_plane* ground, kerb_vec2 friction, float thrust,
                           float damping, float time_step) {
    float mass = model->mass / time_step;
    float weight = model->mass * ground->press;
    // Spread over the last metres per second, so that friction stops it and does not turn it back.
    float slowest = kerb_max(friction.x, friction.y) * ground->press * time_step;
    float speed = kerb_max(kerb_max(kerb_vec2_length(now), slowest), 1e-6f);
    float along =
        mass + damping + weight * friction.x / speed + model->drag_along * kerb_abs(now.x);
    float across = mass + weight * friction.y / speed + model->drag_across * kerb_abs(now.y);
    float push = (mass + damping) * now.x + model->mass * ground->pull_forward + thrust;
    float shove = mass * now.y + model->mass * ground->pull_left;
    return kerb_vec2_make(push / along, shove / across);
}

static bool hover_held_at_rest(const kerb_sim_hover* hover, kerb_vec2 after,
                               const kerb_sim_plane* ground, kerb_vec2 friction, float thrust) {
    if (kerb_abs(after.x) > KERB_SIM_REST_SPEED || kerb_abs(after.y) > KERB_SIM_REST_SPEED)
        return false;
    float x = (ground->pull_forward + thrust / hover->model.mass) / ground->press;
    float y = ground->pull_left / ground->press;
    x /= kerb_max(friction.x, 1e-6f);
    y /= kerb_max(friction.y, 1e-6f);
    return x * x + y * y <= 1.0f;
}

kerb_sim_hover kerb_sim_hover_make(const kerb_sim_hover_model* model, kerb_vec3 position,
                                   float heading) {
    kerb_sim_hover hover = {.model = *model, .position = position, .gear = 1};
    hover.heading = kerb_wrap_angle(heading);
    hover.rotation = kerb_quat_from_heading(heading);
    return hover;
}

void kerb_sim_hover_step(kerb_sim_hover* hover, const kerb_controls* controls,
                         const kerb_sim_ground* ground, float time_step) {
    hover_wishes wanted = hover_wishes_from(controls);
    kerb_sim_plane under = kerb_sim_plane_under(ground, hover->heading);
    float damping;
    hover_steer(hover, &wanted, time_step);
    float thrust = thrust_of(hover, &wanted, time_step, &damping);
    kerb_vec2 friction = friction_of(&hover->model, wanted.skirt, under.grip);
    // Forces act half-way through the turn of the step, which makes both second-order accurate.
    float half_turn = 0.5f * hover->yaw_rate * time_step;
    kerb_vec2 before = turn_axes(kerb_vec2_make(hover->forward, hover->side), half_turn);
    kerb_vec2 pushed =
        push_body(&hover->model, before, &under, friction, thrust, damping, time_step);
    if (hover_held_at_rest(hover, pushed, &under, friction, thrust))
        pushed = kerb_vec2_make(0.0f, 0.0f);
    kerb_vec2 after = turn_axes(pushed, half_turn);
    hover->acceleration = (after.x - hover->forward) / time_step;
    hover->forward = after.x;
    hover->side = after.y;
    kerb_vec2 mean = kerb_vec2_scale(kerb_vec2_add(before, pushed), 0.5f);
    kerb_sim_plane_move(&under, mean, hover->yaw_rate, ground->height, time_step, &hover->position,
                        &hover->position_rest);
    hover->heading = kerb_sim_plane_turn(&under, hover->heading, hover->yaw_rate, time_step);
    hover->rotation = kerb_sim_plane_rotation(under.normal, hover->heading);
}

kerb_motion kerb_sim_hover_motion(const kerb_sim_hover* hover) {
    kerb_vec2 velocity = {hover->forward, hover->side};
    kerb_motion motion =
        kerb_sim_plane_motion(hover->position, hover->rotation, velocity, hover->yaw_rate);
    motion.steering = hover->steering / hover->model.yaw_rate_max;
    motion.gear = hover->gear;
    return motion;
}

// --------------------------------------------------------------------------- limits

// A drift angle of 45 degrees turns the course hardest while the thrust still drives ahead.
#define DIAGONAL 0.70710678f

// Where thrust and resistance balance, or the governor comes first.
static float hover_top_speed(const kerb_sim_hover_model* model, float thrust, float governed) {
    float surplus = thrust - model->friction_along * model->mass * KERB_GRAVITY;
    if (surplus <= 0.0f)
        return 0.0f;
    if (model->drag_along * governed * governed <= surplus)
        return governed;
    return kerb_sqrt(surplus / model->drag_along);
}

kerb_vehicle kerb_sim_hover_vehicle(const kerb_sim_hover_model* model) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    float rubbing = model->friction_along * KERB_GRAVITY;
    float thrust = model->thrust / model->mass;
    float reverse = model->reverse_thrust / model->mass;
    vehicle.kind = KERB_VEHICLE_HOVER;
    vehicle.length = model->length;
    vehicle.width = model->width;
    vehicle.reference_to_front = model->mass_to_bumper;
    vehicle.reference_to_rear_axle = 0.0f; // it turns about its middle
    vehicle.wheelbase = 0.5f * model->mass_to_bumper;
    vehicle.mass = model->mass;
    vehicle.steering_delay = 0.0f;
    vehicle.understeer_gradient = 0.0f;
    vehicle.yaw_rate_max = model->yaw_rate_max;
    vehicle.yaw_acceleration_max = model->yaw_acceleration_max;
    vehicle.speed_max = hover_top_speed(model, model->thrust, model->speed_max);
    vehicle.reverse_speed_max =
        hover_top_speed(model, model->reverse_thrust, model->reverse_speed_max);
    vehicle.acceleration_max = thrust - rubbing;
    vehicle.reverse_acceleration_max = reverse - rubbing;
    vehicle.power = model->thrust * vehicle.speed_max; // the thrust is the same at every speed
    vehicle.braking_max = reverse + rubbing + model->skirt_brake * KERB_GRAVITY;
    vehicle.coasting_deceleration = rubbing;
    vehicle.drag = model->drag_along / model->mass;
    vehicle.lateral_acceleration_max =
        DIAGONAL * thrust + 0.5f * (model->friction_across - model->friction_along) * KERB_GRAVITY;
    vehicle.throttle_delay = model->throttle_delay;
    return vehicle;
}

kerb_sim_hover_model kerb_sim_hover_model_for(const kerb_vehicle* vehicle) {
    kerb_sim_hover_model model = {0};
    float rubbing = vehicle->coasting_deceleration;
    float thrust = vehicle->acceleration_max + rubbing;
    float reverse = vehicle->reverse_acceleration_max + rubbing;
    float sideways = vehicle->lateral_acceleration_max - DIAGONAL * thrust;
    float length = vehicle->length, width = vehicle->width;
    model.length = length;
    model.width = width;
    model.mass = vehicle->mass;
    model.yaw_inertia = vehicle->mass * (length * length + width * width) / 12.0f;
    model.mass_to_bumper = vehicle->reference_to_front;
    model.thrust = vehicle->mass * thrust;
    model.reverse_thrust = vehicle->mass * reverse;
    model.skirt_brake = kerb_max(vehicle->braking_max - reverse - rubbing, 0.0f) / KERB_GRAVITY;
    model.throttle_delay = vehicle->throttle_delay;
    model.yaw_rate_max = vehicle->yaw_rate_max;
    model.yaw_acceleration_max = vehicle->yaw_acceleration_max;
    model.drag_along = vehicle->mass * vehicle->drag;
    model.drag_across = 2.0f * model.drag_along; // the longer side
    model.friction_along = rubbing / KERB_GRAVITY;
    // Whose thrust alone turns it harder than it is said to turn keeps hardly any friction.
    model.friction_across = kerb_max(model.friction_along + 2.0f * sideways / KERB_GRAVITY, 0.001f);
    model.speed_max = vehicle->speed_max;
    model.reverse_speed_max = vehicle->reverse_speed_max;
    return model;
}

kerb_sim_hover_model kerb_sim_hovercraft_model(void) {
    kerb_sim_hover_model model = {
        .length = 5.6f,
        .width = 2.4f,
        .mass = 1200.0f,
        .yaw_inertia = 3700.0f, // of a box of this size
        .mass_to_bumper = 2.8f,
        .thrust = 3000.0f,
        .reverse_thrust = 1500.0f,
        .skirt_brake = 0.3f,
        .throttle_delay = 0.4f,
        .yaw_rate_max = 1.0f,
        .yaw_acceleration_max = 1.5f,
        .drag_along = 6.5f,
        .drag_across = 13.0f,
        .friction_along = 0.01f,
        .friction_across = 0.03f,
        .speed_max = 21.0f,
        .reverse_speed_max = 6.0f,
    };
    return model;
}
