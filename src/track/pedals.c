// Purpose: the pedal law: from a set point of speed to throttle, brake and handbrake.
// Idea:    The set point rises at the wanted acceleration, and falls as the driver plans it. Its
//          own acceleration is known ahead; what the vehicle lacks on it a PI controller adds. What
//          slope and resistance take is added, and the sum is what drive or brake must give. Where
//          a stop ahead decides, the deceleration that ends there replaces the set point's.
//          Of that the tyres give what a bend leaves. Drive and brake are not alike. The drive is
//          that of one axle, as a rule: it gets what the circle of forces leaves of it, because
//          more takes the axle out of the bend, and the vehicle spins. Braking takes load off the
//          rear axle, which then holds less than the circle says: what both axles hold is nearer to
//          a straight line from bend to brake. The bend that counts is the one that is driven. A
//          bend that is only commanded may never come, as where wheels stand aside, and the stop
//          ahead cannot wait for it.
// Cost:    O(1) a frame.
// Source:  "g-g diagram" in Milliken and Milliken, "Race Car Vehicle Dynamics".
#include "shared.h"

// Time over which the acceleration of the set point is averaged. [s]
#define PEDALS_SMOOTHING 0.15f
// To change between throttle and brake, this much force the other way must be desired: three times
// the band in which kerb_pedals leaves braking to the engine. [m/s²]
#define PEDALS_HYSTERESIS 0.35f
// Share of the whole vehicle's grip that brakes and tracks may use: one axle is at its limit before
// the other. [1]
#define PEDALS_AXLES_USED 0.8f
// Bend and brake together may use this share of the grip, and the brake has this share in any bend.
// [1]
#define PEDALS_BRAKE_SUM 1.1f
#define PEDALS_BRAKE_LEAST 0.1f
// Slip angle at which the softest tyres hold most, 16 degrees; others do at less. [rad]
#define PEDALS_SLIP_FULL 0.28f
// Slip angle of usual tyres at the limit of their grip, as if it grew linearly. [rad]
#define PEDALS_SLIP_SOFT 0.032f
// A hill that needs this share of the vehicle's thrust may be too steep, because that thrust is not
// known exactly. [1]
#define PEDALS_STEEP_SHARE 0.7f
// Of the delay of the throttle, when the engine has surely come. [1]
#define PEDALS_DELAYS 3.0f
// On a hill that is too steep it holds for this time before it tries again: at first, factor for
// each further try, and at most. [s], [1], [s]
#define PEDALS_HOLD_TIME 2.0f
#define PEDALS_HOLD_GROWS 1.5f
#define PEDALS_HOLD_MOST 30.0f
// Farther than this from where it held, it is on another hill. [m]
#define PEDALS_ANOTHER_HILL 5.0f
// Brake against rolling the wrong way. [1]
#define PEDALS_WRONG_WAY_BRAKE 0.6f
// Below this speed it counts as about to stand. [m/s]
#define PEDALS_NEARLY_STANDS 0.1f
// A stop teaches how late brakes are if they began at this speed. [m/s]
#define PEDALS_STOPS_FROM 0.5f
// Share of what a stop tells that is believed at once, and the latest brakes that are. [1], [s]
#define PEDALS_LEARNS 0.7f
#define PEDALS_LATE_MOST 0.75f
// Times of the lateness in which a set point rises. [1]
#define PEDALS_RISE 4.0f

// --------------------------------------------------------------------------- what tyres leave

// What the tyres hold across now, as a share of their grip, whichever way the body points.
static float pedals_bend_share(const kerb_in_track_frame* frame, float turning) {
    const kerb_vec3* moves = &frame->motion->velocity;
    float speed = kerb_sqrt(moves->x * moves->x + moves->y * moves->y);
    turning = kerb_max(turning, kerb_abs(frame->motion->angular_velocity.z));
    return speed * turning / (frame->vehicle->lateral_acceleration_max * frame->grip);
}

// What the tyres whose slipping turns the vehicle too far hold across by their slip angle, at
// least, as a share of their grip: the force of a tyre rises ever more slowly up to its greatest,
// so at a share of that angle it is more than that share. Those are the rear tyres. Where they do
// not steer, their axle moves aside. Where they do, and it is told, that axle is not in the
// description, but the vehicle turns more than its wheels stand for. An axle that is told in the
// wrong place seems to slip in every bend; one that steers behind pushes best between them. Nothing
// slides for long where the sharpest bend takes little of the grip: below half of it the slip
// counts less.
static float pedals_slip_share(const kerb_in_track_frame* frame) {
    const kerb_vehicle* vehicle = frame->vehicle;
    if (vehicle->kind != KERB_VEHICLE_WHEELED)
        return 0.0f;
    const kerb_vec3* moves = &frame->motion->velocity;
    float side = frame->heading.x * moves->y - frame->heading.y * moves->x;
    float turning = frame->motion->angular_velocity.z;
    side -= frame->travel * vehicle->reference_to_rear_axle * turning;
    float squared = moves->x * moves->x + moves->y * moves->y;
    float sharpest = squared / (frame->radius * vehicle->lateral_acceleration_max * frame->grip);
    float per = 1.0f / kerb_max(kerb_abs(frame->speed), frame->scale);
    float more = turning - frame->speed * frame->bend;
    float steered = turning * more > 0.0f ? vehicle->wheelbase * kerb_abs(more) * per : 0.0f;
    float slip = kerb_max(kerb_abs(side) * per, steered);
    return slip * (1.0f / PEDALS_SLIP_FULL) * kerb_min(2.0f * sharpest, 1.0f);
}

// The acceleration that the tyres of the driven wheels hold on a straight. An axle carries about
// half of the vehicle, tracks and four driven wheels all of it; nobody says which are driven, but
// what the vehicle is told to do it does. [m/s²]
static float pedals_driven_grip(const kerb_vehicle* vehicle, float tyres) {
    if (vehicle->kind != KERB_VEHICLE_WHEELED)
        return PEDALS_AXLES_USED * tyres;
    return kerb_max(vehicle->acceleration_max, 0.5f * vehicle->lateral_acceleration_max);
}

float kerb_in_pedals_brake_left(float bend, float sum) {
    return kerb_max(sum - bend, PEDALS_BRAKE_LEAST);
}

kerb_in_pedals_room kerb_in_pedals_room_of(const kerb_in_track_frame* frame, float turning) {
    const kerb_vehicle* vehicle = frame->vehicle;
    // Tyres hold at least what they were measured to do in any direction.
    float tyres = kerb_max(vehicle->braking_max, vehicle->acceleration_max);
    tyres = kerb_max(tyres, vehicle->lateral_acceleration_max);
    float bend = pedals_bend_share(frame, turning);
    float share = kerb_min(kerb_max(bend, pedals_slip_share(frame)), 1.0f);
    float brake = kerb_min(PEDALS_AXLES_USED, kerb_in_pedals_brake_left(bend, PEDALS_BRAKE_SUM));
    return (kerb_in_pedals_room){
        .push = pedals_driven_grip(vehicle, tyres) * frame->grip * kerb_sqrt(1.0f - share * share),
        .brake = tyres * frame->grip * brake,
    };
}

// A tyre of the brush model slides at three times the angle at which its first stiffness would give
// all that it holds. Before that it has something left for the brake, the less the nearer.
float kerb_in_pedals_hardest(const kerb_track_memory* track, const kerb_in_track_frame* frame) {
    const kerb_vehicle* vehicle = frame->vehicle;
    const kerb_vec3* moves = &frame->motion->velocity;
    float side = frame->heading.x * moves->y - frame->heading.y * moves->x;
    side -= vehicle->reference_to_rear_axle * frame->motion->angular_velocity.z;
    float slip = kerb_abs(side) / kerb_max(kerb_abs(frame->speed), frame->scale);
    float soft = kerb_max(track->slip * vehicle->lateral_acceleration_max, PEDALS_SLIP_SOFT);
    float slides = slip / (3.0f * soft);
    float bend = kerb_in_pedals_brake_left(pedals_bend_share(frame, 0.0f), PEDALS_BRAKE_SUM);
    float share = kerb_min(kerb_min(bend, 1.0f), 1.0f - slides * slides);
    return vehicle->braking_max * frame->grip * kerb_max(share, PEDALS_BRAKE_LEAST);
}

// --------------------------------------------------------------------------- stops

// Brakes that act late, or give less than is told, stop the vehicle beyond the stop. Both are one
// number, a time: the way that it drives on before they act. The vehicle stood too far by `left`
// after braking from a speed; their quotient is what that time was wrong by.
void kerb_in_pedals_stood(kerb_pedals_memory* memory, float scale, float left) {
    if (memory->stops_from > PEDALS_STOPS_FROM * scale) {
        float late = memory->late - PEDALS_LEARNS * left / memory->stops_from;
        memory->late = kerb_clamp(late, 0.0f, PEDALS_LATE_MOST);
    }
    memory->stops_from = 0.0f;
}

float kerb_in_pedals_stop_speed(const kerb_pedals_memory* memory, const kerb_in_pedals_stop* stop) {
    if (stop->left <= 0.0f)
        return 0.0f;
    float way = stop->deceleration * memory->late;
    return kerb_sqrt(way * way + 2.0f * stop->deceleration * stop->left) - way;
}

float kerb_in_pedals_stop_braking(kerb_pedals_memory* memory, const kerb_in_track_frame* frame,
                                  const kerb_in_pedals_stop* stop) {
    memory->stops_from = kerb_max(memory->stops_from, frame->speed);
    float left = stop->left - memory->late * kerb_max(frame->speed, 0.0f);
    float needed = frame->speed * frame->speed / (2.0f * kerb_max(left, 0.02f * frame->scale));
    if (left < 0.05f * frame->scale) // there, or past it: now
        needed = kerb_max(needed, 0.5f * stop->deceleration);
    return kerb_min(needed, frame->vehicle->braking_max);
}

// --------------------------------------------------------------------------- the set point

void kerb_in_pedals_start(kerb_pedals_memory* memory, float speed) {
    memory->speed_command = speed;
    memory->speed_control.integral_term = memory->acceleration = 0.0f;
}

// Speeds rise at the wanted acceleration; falling they follow the target, which itself falls as
// braking allows. Returns the acceleration along that command.
static float pedals_command_speed(kerb_pedals_memory* memory, const kerb_in_track_frame* frame,
                                  const kerb_in_pedals_wish* wish) {
    float before = memory->speed_command;
    // After a stop, a push or a change of path the command starts from what the vehicle does.
    const float scale = frame->scale;
    before = kerb_clamp(before, frame->speed - scale, kerb_max(frame->speed, 0.0f) + 0.75f * scale);
    // What pedals do late is done for longer: the speed rises by a share of itself meanwhile.
    float late = kerb_max(memory->late, frame->time_step) * PEDALS_RISE;
    float rise = kerb_min(wish->acceleration, kerb_max(wish->speed, frame->scale) / late);
    float most = before + rise * frame->time_step;
    most = kerb_min(most, kerb_max(wish->soon, before));
    memory->speed_command = kerb_max(kerb_min(wish->speed, most), 0.0f);
    float change = (memory->speed_command - before) / frame->time_step;
    change = kerb_clamp(change, -1.2f * wish->deceleration, wish->acceleration);
    // Ripples of the target from frame to frame must not reach the pedals.
    float share = frame->time_step / (frame->time_step + PEDALS_SMOOTHING);
    memory->acceleration += share * (change - memory->acceleration);
    return memory->acceleration;
}

kerb_in_pedals_force kerb_in_pedals_force_for(kerb_pedals_memory* memory,
                                              const kerb_in_track_frame* frame,
                                              const kerb_speed_settings* settings,
                                              const kerb_in_pedals_wish* wish) {
    const kerb_vehicle* vehicle = frame->vehicle;
    float known = pedals_command_speed(memory, frame, wish);
    if (wish->knows)
        known = wish->known;
    else
        memory->stops_from = 0.0f;
    kerb_in_pedals_force force = {
        .capacity = kerb_full_throttle_acceleration(vehicle, frame->speed, frame->travel < 0.0f)};
    // What the road adds: gravity along the slope, and resistance.
    float resisting =
        KERB_GRAVITY * frame->climb + kerb_coasting_deceleration(vehicle, frame->speed);
    force.acceleration = kerb_speed_control(
        &memory->speed_control, settings, memory->speed_command - frame->speed, known,
        -vehicle->braking_max - resisting, force.capacity - resisting, frame->time_step);
    force.resisting = resisting;
    force.force = force.acceleration + resisting;
    if (wish->shares_grip)
        force.force = kerb_clamp(force.force, -wish->room.brake, wish->room.push);
    // It does not change from one pedal to the other for a small force.
    const float band = PEDALS_HYSTERESIS * frame->scale;
    bool brakes = wish->controls->brake > 0.0f;
    bool drops = !brakes && frame->speed > 0.5f * frame->scale && force.force < 0.0f &&
                 force.force > -band && !wish->knows;
    bool rises = brakes && force.force > 0.0f && force.force < band && frame->speed > frame->scale;
    if (drops || rises)
        force.force = 0.0f;
    return force;
}

// --------------------------------------------------------------------------- hills

// Setting off uphill: the handbrake holds until the engine pulls.
static void pedals_start_on_a_hill(kerb_pedals_memory* memory, const kerb_in_track_frame* frame,
                                   kerb_controls* controls) {
    const float slow = PEDALS_NEARLY_STANDS * frame->scale;
    bool starting =
        frame->heading.z > 0.02f && kerb_abs(frame->speed) < slow && controls->throttle > 0.0f;
    // Once is enough: some brakes stop the engine, too.
    if (starting)
        memory->pulling += frame->time_step;
    else if (controls->throttle == 0.0f || kerb_abs(frame->speed) > frame->scale)
        memory->pulling = 0.0f;
    if (starting && memory->pulling < PEDALS_DELAYS * frame->vehicle->throttle_delay)
        controls->handbrake = true;
}

// Whether the hill explains that full throttle does not help: then it need not be waited for.
static bool pedals_is_steep(const kerb_in_track_frame* frame) {
    float needed =
        KERB_GRAVITY * frame->heading.z + kerb_coasting_deceleration(frame->vehicle, 0.0f);
    bool reverse = frame->travel < 0.0f;
    return needed >
           PEDALS_STEEP_SHARE * kerb_full_throttle_acceleration(frame->vehicle, 0.0f, reverse);
}

// Rolling back at full throttle, when the engine has had its time to come.
static bool pedals_climb_in_vain(kerb_pedals_memory* memory, const kerb_in_track_frame* frame,
                                 const kerb_controls* controls) {
    bool pushes = frame->heading.z > 0.0f && controls->throttle > 0.95f;
    float delays = PEDALS_DELAYS * frame->vehicle->throttle_delay;
    memory->pushing = pushes ? memory->pushing + frame->time_step : 0.0f;
    bool back = pushes && frame->speed < -0.05f * frame->scale;
    memory->rolling = back ? memory->rolling + frame->time_step : 0.0f;
    if (!back)
        return false;
    // Fans may have been stopped by the handbrake.
    bool sure = pedals_is_steep(frame) && frame->vehicle->kind != KERB_VEHICLE_HOVER &&
                memory->pushing > delays && !controls->handbrake;
    return sure || memory->rolling > 1.0f + delays || frame->speed < -frame->scale;
}

// Holds on a hill, the longer the oftener it was tried in vain.
static void pedals_begin_to_hold(kerb_pedals_memory* memory, const kerb_in_track_frame* frame) {
    memory->hold_time = kerb_min(PEDALS_HOLD_GROWS * memory->hold_time, PEDALS_HOLD_MOST);
    if (memory->hill_tries == 0) {
        memory->hill = frame->motion->position;
        memory->hold_time = PEDALS_HOLD_TIME;
    }
    memory->holding = memory->hold_time;
    memory->hill_tries++;
}

// Better to stand on a hill that the vehicle cannot climb for a while, and try again, than to roll
// down. True when another try begins to wait.
static bool pedals_hold_on_a_hill(kerb_pedals_memory* memory, const kerb_in_track_frame* frame,
                                  kerb_controls* controls) {
    kerb_vec3 off = kerb_vec3_sub(frame->motion->position, memory->hill);
    const float most = PEDALS_ANOTHER_HILL * frame->scale;
    if (kerb_vec3_dot(off, off) > most * most)
        memory->hill_tries = 0;
    bool begins = memory->holding <= 0.0f && pedals_climb_in_vain(memory, frame, controls);
    if (begins)
        pedals_begin_to_hold(memory, frame);
    bool holds = memory->holding > 0.0f;
    bool tries_again = memory->hill_tries > 0 && controls->handbrake;
    if (holds || tries_again)
        controls->reason = KERB_REASON_TOO_STEEP;
    if (!holds)
        return begins;
    memory->holding -= frame->time_step;
    memory->pulling = memory->pushing = memory->rolling = 0.0f;
    controls->throttle = 0.0f;
    controls->brake = 1.0f;
    return begins;
}

bool kerb_in_pedals_press(kerb_pedals_memory* memory, const kerb_in_track_frame* frame,
                          const kerb_in_pedals_wish* wish, kerb_controls* controls) {
    pedals_start_on_a_hill(memory, frame, controls);
    bool waits = pedals_hold_on_a_hill(memory, frame, controls);
    if (wish->stands) {
        controls->throttle = 0.0f;
        controls->brake = 1.0f;
        memory->speed_control.integral_term = 0.0f;
    }
    if ((wish->at_stop || wish->speed <= 0.0f) && controls->brake > 0.0f && frame->speed > 0.0f &&
        frame->speed < KERB_IN_PEDALS_CREEPS * kerb_max(frame->scale, 1.0f))
        controls->handbrake = true;
    // Rolling the wrong way, the brake comes first.
    if (frame->speed < -wish->rolls && frame->heading.z <= 0.0f) {
        controls->brake = kerb_max(controls->brake, PEDALS_WRONG_WAY_BRAKE);
        controls->throttle = 0.0f;
    }
    return waits;
}
