// Purpose: one frame of the racing driver.
// Idea:    A fixed order of steps: sense what the host does not give, predict over the latency,
//          find the place on the line, compute the speeds ahead, react to other cars, then either
//          recover from trouble or steer and set pedals and gear, and learn at the end. `decision`
//          keeps what was decided, for pictures.
// Cost:    O(1) in a usual frame: see the steps. Allocates nothing.
// Source:  Vamos, "Computer-Controlled Cars in Vamos".
#include "../learn/learning.h"
#include "../skill/skill.h"

#include "../../base/shared.h"
#include "../../vehicle/shared.h"

#include <math.h>
#include <string.h>

// Rate at which the lane shift follows its setting. [1/s]
#define LANE_RATE 0.4f
// Number of steps in which the grip of the surroundings is rounded, per unit of grip. [1]
#define GRIP_STEPS 50.0f
// Share of the brakes that fuel_saving 1 leaves unused in planning. [1]
#define SAVING_BRAKES 0.6f

// Slip angle of tyres at half of their grip, until it is measured: that of road tyres. [rad]
#define HALF_SLIP 0.03f
// A kerb_vehicle gives neither its centre of mass nor which axles it brakes and drives. These are
// the losses of usual cars. [1]
#define USUAL_BRAKING_LOSS 0.75f
#define USUAL_DRIVING_LOSS 0.35f
// Added to the loss when braking in bends, with tyres that need large slip angles: those build up
// and release their force late. [1]
#define SOFT_MARGIN 0.4f
// Number of steps in which that softness is rounded: each step makes the driver compute the speeds
// ahead again. [1]
#define SOFT_STEPS 4.0f
// Share of the grip that is left on grass. [1]
#define OFF_TRACK_GRIP 0.5f

// Hosts may change the vehicle at any time.
static void racer_take_scale(kerb_racer* racer) {
    racer->memory.scale = kerb_vehicle_scale(&racer->vehicle);
    racer->memory.speed_scale = kerb_sqrt(racer->memory.scale);
}

void kerb_racer_init(kerb_racer* racer, const kerb_vehicle* vehicle) {
    KERB_ASSERT(racer && vehicle);
    const kerb_vehicle own = *vehicle; // which may lie in the racer
    memset(racer, 0, sizeof *racer);
    racer->settings = kerb_racer_settings_default();
    racer->vehicle = own;
    racer_take_scale(racer);
    racer->performance = kerb_performance_of(&own);
    racer->performance.braking_loss = USUAL_BRAKING_LOSS;
    racer->performance.driving_loss = USUAL_DRIVING_LOSS;
    racer->memory.car = racer->performance;
    float understeer = 0.5f * own.understeer_gradient * own.lateral_acceleration_max;
    racer->memory.half_slip[0] = kerb_max(HALF_SLIP + understeer, 0.3f * HALF_SLIP);
    racer->memory.half_slip[1] = HALF_SLIP;
    racer->controls = kerb_controls_safe(KERB_REASON_NONE);
}

kerb_racer kerb_racer_make(const kerb_vehicle* vehicle) {
    kerb_racer racer;
    kerb_racer_init(&racer, vehicle);
    return racer;
}

size_t kerb_racer_bytes(void) {
    _Static_assert(_Alignof(kerb_racer) <= KERB_IN_SAVED_ALIGNMENT, "as hosts are promised");
    return sizeof(kerb_racer);
}

size_t kerb_racer_save(const kerb_racer* racer, void* block, size_t capacity) {
    return kerb_in_save("kerb_racer", racer, sizeof *racer, block, capacity);
}

kerb_result kerb_racer_load(kerb_racer* racer, const void* block, size_t size, kerb_error* error) {
    return kerb_in_load("kerb_racer", racer, sizeof *racer, block, size, error);
}

// --------------------------------------------------------------------------- the frame

// Rounded, so that small changes by the host do not make the driver compute the speeds ahead again
// in every frame.
static float coarse(float grip) {
    float steps = floorf(grip * GRIP_STEPS + 0.5f);
    return kerb_max(steps, 1.0f) / GRIP_STEPS;
}

static void racer_limit(const kerb_racer* racer, float grip, kerb_performance* limits) {
    const kerb_racer_settings* s = &racer->settings;
    *limits = racer->memory.car;
    limits->lateral *= s->grip_used * grip;
    limits->accelerating *= grip;
    limits->braking *= kerb_in_racer_brakes_hold(racer) * kerb_in_racer_brakes_steady(racer);
    limits->braking *= s->braking_used * (1.0f - SAVING_BRAKES * s->fuel_saving) * grip;
    // In steps: each new value makes it compute the speeds ahead again.
    float soft = floorf(kerb_in_racer_softness(racer) * SOFT_STEPS + 0.5f) / SOFT_STEPS;
    float margin = s->braking_loss_margin + SOFT_MARGIN * soft;
    limits->braking_loss = kerb_min(limits->braking_loss + margin, 1.0f);
    kerb_in_racer_skill_limit(racer, limits);
}

// No other car and no place are known yet. Field by field, because clearing the whole frame takes
// longer than filling it.
static void clear(racer_frame* frame) {
    frame->total = 0.0;
    frame->line_along = frame->line_left = (kerb_vec3){0.0f, 0.0f, 0.0f};
    frame->wheels = frame->offset = frame->course = frame->heading = frame->drift = 0.0f;
    frame->front_goes = frame->seen_slip[0] = frame->seen_slip[1] = frame->course_sine = 0.0f;
    frame->grip_aside = frame->grip_more = frame->grass = frame->turning_share = 0.0f;
    frame->pace_lack = frame->bank = 0.0f;
    frame->past_end = frame->beside = frame->stands_before = false;
    frame->traffic_speed = 1.0e6f;
    frame->traffic_slowing = 0.0f;
    frame->traffic_reason = KERB_REASON_NONE;
    frame->room_before = frame->room_behind = frame->out_side = frame->out_offset = 0.0f;
    frame->spot = (racer_spot){0, 0, 0.0f};
    frame->bin = 0;
}

// `here` and `later` are written before they are read.
static void racer_begin(const kerb_racer* racer, const kerb_racing_line* line,
                        const kerb_in_frame_input* input, const kerb_surroundings* surroundings,
                        racer_frame* frame) {
    const kerb_motion* motion = &input->motion;
    clear(frame);
    frame->line = line;
    frame->motion = motion;
    frame->elsewhere = input->elsewhere;
    frame->time_step = input->time_step;
    frame->hold = 0.5f * input->time_step;
    float cap = surroundings != NULL ? surroundings->speed_cap : 1.0e6f;
    float grip = surroundings != NULL ? surroundings->grip : 1.0f;
    frame->speed_cap = kerb_max(cap, 0.0f);
    frame->grip = coarse(kerb_clamp(grip, 0.02f, 10.0f));
    frame->forward = kerb_quat_forward(motion->rotation);
    frame->left = kerb_quat_left(motion->rotation);
    frame->up = kerb_quat_up(motion->rotation);
    frame->speed = kerb_vec3_dot(motion->velocity, frame->forward);
    frame->side = kerb_vec3_dot(motion->velocity, frame->left);
    frame->pace = kerb_sqrt(frame->speed * frame->speed + frame->side * frame->side);
    frame->yaw_rate = kerb_vec3_dot(motion->angular_velocity, frame->up);
    frame->along = frame->pace; // until the place is known
    frame->reference_to_front_axle =
        racer->vehicle.wheelbase - racer->vehicle.reference_to_rear_axle;
    racer_limit(racer, frame->grip, &frame->limits);
}

// Load on the tyres, as a share of the weight: from bank, crest or dip, and wings.
static float load_of(const kerb_racer* racer, const racer_frame* frame) {
    const kerb_line_point* p = &frame->here;
    float bent = p->normal_curvature + racer->memory.car.downforce;
    float load = p->up_normal + bent * frame->pace * frame->pace / KERB_GRAVITY;
    return kerb_clamp(load, 0.1f, 10.0f);
}

// Share of the grip beside the track. Half of the wheels leave the track before the others.
static float grass_under(const kerb_racer* racer, const racer_frame* frame) {
    float outside = kerb_max(frame->offset - frame->here.left, -frame->offset - frame->here.right);
    float on_grass = kerb_clamp(outside / racer->vehicle.width + 0.5f, 0.0f, 1.0f);
    return 1.0f - (1.0f - OFF_TRACK_GRIP) * on_grass;
}

static void racer_racer_place(kerb_racer* racer, racer_frame* frame) {
    frame->along =
        racer->memory.line_key[0] != 0.0 ? frame->pace * racer->memory.course_cosine : 0.0f;
    kerb_in_racer_find(racer, frame);
    frame->heading = kerb_atan2(kerb_vec3_dot(frame->forward, frame->line_left),
                                kerb_vec3_dot(frame->forward, frame->line_along));
    frame->grip_aside = racer->memory.car.lateral * frame->grip *
                        kerb_max(frame->here.grip, 0.02f) * load_of(racer, frame);
    // A learned grip below 1 changes the plan alone: steering still uses what the tyres give.
    frame->grip_more =
        kerb_max(kerb_in_racer_learnt_grip(racer, frame->line, racer->memory.distance), 1.0f);
    frame->grip_aside *= frame->grip_more;
    frame->grass = grass_under(racer, frame);
    frame->grip_aside *= frame->grass;
    racer->memory.late.grip_aside = frame->grip_aside;
    frame->drift = frame->pace > 0.5f ? kerb_atan2(frame->side, frame->speed) : 0.0f;
    frame->course = kerb_wrap_angle(frame->heading + frame->drift);
    kerb_sin_cos(frame->course, &frame->course_sine, &racer->memory.course_cosine);
    frame->along = frame->pace * racer->memory.course_cosine;
}

static void note_place(kerb_racer* racer, const racer_frame* frame) {
    kerb_racer_decision* t = &racer->decision;
    t->distance = racer->memory.distance;
    t->total_distance = frame->total;
    t->course_error = frame->course;
    t->heading_error = frame->heading;
    t->cross_track_error = frame->offset - racer_place_of(racer, frame->spot).offset;
    float edge = frame->offset > 0.0f ? frame->here.left : frame->here.right;
    t->lane_shift = frame->offset / kerb_max(edge, 0.1f);
    t->off_track = frame->offset > frame->here.left || -frame->offset > frame->here.right;
}

static void racer_change_lane(kerb_racer* racer, float time_step) {
    float gap = racer->settings.lane_shift - racer->memory.lane;
    float step = LANE_RATE * time_step;
    if (kerb_abs(gap) <= step)
        racer->memory.lane = racer->settings.lane_shift;
    else
        racer->memory.lane += gap > 0.0f ? step : -step;
}

// --------------------------------------------------------------------------- driving

static kerb_controls racer_drive(kerb_racer* racer, racer_frame* frame) {
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    frame->turning_share = kerb_in_racer_turning_share(racer, frame);
    controls.steering = kerb_in_racer_steering_for(racer, frame, kerb_in_racer_steer(racer, frame));
    if (kerb_in_racer_recover(racer, frame, &controls))
        return controls;
    kerb_in_racer_pedals(racer, frame, &controls);
    kerb_in_racer_skill_pedals(racer, frame, &controls);
    kerb_in_racer_ease_off(racer, frame, &controls);
    kerb_in_racer_shift(racer, frame, &controls);
    return controls;
}

static kerb_controls racer_bad_frame(kerb_racer* racer, kerb_reason reason) {
    if (reason == KERB_REASON_BAD_MOTION)
        racer->controls = kerb_controls_safe(reason);
    racer->controls.reason = racer->decision.reason = reason;
    return racer->controls;
}

// What of the host's frame can be used. A car that asks to be put back may be put down beside where
// it stands.
static kerb_in_frame_input racer_take(kerb_racer* racer, const kerb_motion* motion,
                                      float time_step) {
    bool asks = racer->memory.stuck.phase == KERB_STUCK_TELEPORT ||
                racer->memory.stuck.phase == KERB_STUCK_GIVEN_UP;
    float jump = asks ? KERB_IN_JUMP_LENGTHS_ASKED : KERB_IN_JUMP_LENGTHS;
    return kerb_in_frame_take_vehicle_beyond(&racer->memory.motion, &racer->vehicle, motion,
                                             racer->performance.speed_max, jump, time_step);
}

kerb_controls kerb_racer_drive(kerb_racer* racer, const kerb_racing_line* line,
                               const kerb_motion* motion, const kerb_surroundings* surroundings,
                               float time_step) {
    KERB_ASSERT(racer != NULL && line != NULL && line->count >= 2 && motion != NULL);
    KERB_ASSERT_SETTINGS(&kerb_racer_settings_table, &racer->settings);
    KERB_ASSERT_VALID(kerb_vehicle_validate, &racer->vehicle);
    racer_take_scale(racer);
    const bool given_back =
        kerb_in_hand_over_begin(&racer->memory.hand_over, &racer->controls, surroundings);
    if (surroundings && surroundings->applied)
        racer->memory.steering = racer->controls.steering * racer->vehicle.steering_angle_max;
    racer->decision.host_mistake = kerb_in_host_watch(&racer->memory.host_check, &racer->vehicle,
                                                      motion, &racer->controls, time_step);
    kerb_in_frame_input input = racer_take(racer, motion, time_step);
    input.motion.gear =
        kerb_in_vehicle_gear(&racer->vehicle, input.motion.gear, racer->controls.gear);
    racer->bad_frames += input.counts ? 1 : 0;
    if (input.fault != KERB_REASON_NONE)
        return racer_bad_frame(racer, input.fault);
    input.elsewhere = input.elsewhere || given_back;
    kerb_in_racer_learn_car(racer, input.time_step);
    racer_frame frame;
    KERB_WRITTEN(frame);
    racer_begin(racer, line, &input, surroundings, &frame);
    if (frame.elsewhere)
        kerb_in_racer_arrive_elsewhere(racer, &frame);
    kerb_in_racer_sense(racer, &frame);
    kerb_in_racer_watch_steering(racer, &frame, &input, surroundings);
    kerb_in_racer_meet_latency(racer, &frame);
    kerb_in_racer_skill_begin(racer, &frame, surroundings);
    racer->decision.neighbour = (kerb_neighbour){.length = 0.0f};
    racer_racer_place(racer, &frame);
    kerb_in_racer_feed_learner(racer, line, &input.motion, surroundings, input.time_step);
    racer_change_lane(racer, input.time_step);
    kerb_in_racer_look_ahead(racer, &frame);
    kerb_in_racer_traffic(racer, &frame, surroundings);
    note_place(racer, &frame);
    if (kerb_in_player_drives(surroundings))
        kerb_in_racer_let_go(racer);
    racer->controls = racer_drive(racer, &frame);
    kerb_in_hand_over_end(&racer->memory.hand_over, &racer->controls, input.time_step);
    racer->controls.reason =
        kerb_in_host_reason(racer->decision.host_mistake, racer->controls.reason);
    racer->decision.reason = racer->controls.reason;
    if (!kerb_in_player_drives(surroundings))
        kerb_in_racer_learn(racer, &frame);
    return racer->controls;
}
