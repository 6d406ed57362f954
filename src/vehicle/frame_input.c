// The first step of every driver; frame_input.h tells the idea.
#include "frame_input.h"

// A vehicle that falls or is hit can be faster than it drives: by this factor, and by this much.
// [1] [m/s]
#define FASTER_BY_FACTOR 3.0f
#define FASTER_BY 100.0f
// Sixteen turns a second: no vehicle that still drives spins so fast. [rad/s]
#define ANGULAR_SPEED_MOST 100.0f
// Lengths of a quaternion that rounding and interpolation explain. [1]
#define ROTATION_LENGTH_MIN 0.5f
#define ROTATION_LENGTH_MAX 2.0f
// Between two frames a vehicle moves by its speed times the time; told late or early, or braking
// hard, by some factor of it. [1]
#define MOVES_BY_FACTOR 3.0f

static bool is_near_unit(kerb_quat q) {
    float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return square >= ROTATION_LENGTH_MIN * ROTATION_LENGTH_MIN &&
           square <= ROTATION_LENGTH_MAX * ROTATION_LENGTH_MAX;
}

static bool is_no_longer_than(kerb_vec3 v, float most) {
    return kerb_vec3_dot(v, v) <= most * most; // false for NaN and infinity
}

static bool is_in_world(kerb_vec3 at) {
    return kerb_abs(at.x) <= KERB_POSITION_MAX && kerb_abs(at.y) <= KERB_POSITION_MAX &&
           kerb_abs(at.z) <= KERB_POSITION_MAX;
}

kerb_result kerb_motion_validate(const kerb_motion* motion, float speed_max, kerb_error* error) {
    const struct {
        float value;
        const char* field;
    } numbers[] = {
        {motion->position.x, "position.x"},
        {motion->position.y, "position.y"},
        {motion->position.z, "position.z"},
        {motion->rotation.x, "rotation.x"},
        {motion->rotation.y, "rotation.y"},
        {motion->rotation.z, "rotation.z"},
        {motion->rotation.w, "rotation.w"},
        {motion->velocity.x, "velocity.x"},
        {motion->velocity.y, "velocity.y"},
        {motion->velocity.z, "velocity.z"},
        {motion->angular_velocity.x, "angular_velocity.x"},
        {motion->angular_velocity.y, "angular_velocity.y"},
        {motion->angular_velocity.z, "angular_velocity.z"},
        {motion->steering, "steering"},
        {motion->engine_speed, "engine_speed"},
        {motion->wheel_slip, "wheel_slip"},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!kerb_is_finite(numbers[i].value))
            return kerb_error_set(error, KERB_ERROR_NOT_FINITE, numbers[i].field, 0, -1,
                                  "must be a finite number");
    const char* field = NULL;
    const char* message = NULL;
    if (!is_in_world(motion->position))
        field = "position", message = "must be within 1,000 km of the origin";
    else if (!is_near_unit(motion->rotation))
        field = "rotation", message = "must be a quaternion of unit length";
    else if (!is_no_longer_than(motion->velocity, FASTER_BY_FACTOR * speed_max + FASTER_BY))
        field = "velocity", message = "is more than this vehicle can reach";
    else if (!is_no_longer_than(motion->angular_velocity, ANGULAR_SPEED_MOST))
        field = "angular_velocity", message = "must be at most 100 rad/s";
    return field == NULL ? KERB_OK
                         : kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, field, 0, -1, message);
}

// The same decision without its words, because every driver makes it in every frame. What has a
// bound is finite where it is within it.
static bool motion_is_possible(const kerb_motion* motion, float speed_max) {
    float zero = (motion->steering - motion->steering) +
                 (motion->engine_speed - motion->engine_speed) +
                 (motion->wheel_slip - motion->wheel_slip);
    return zero == 0.0f && is_in_world(motion->position) && is_near_unit(motion->rotation) &&
           is_no_longer_than(motion->velocity, FASTER_BY_FACTOR * speed_max + FASTER_BY) &&
           is_no_longer_than(motion->angular_velocity, ANGULAR_SPEED_MOST);
}

static void motion_in_range(kerb_motion* restrict clean, const kerb_motion* restrict motion) {
    kerb_quat q = motion->rotation;
    float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    int32_t gear = motion->gear;
    clean->position = motion->position;
    clean->rotation = q;
    clean->velocity = motion->velocity;
    clean->angular_velocity = motion->angular_velocity;
    clean->steering = kerb_clamp(motion->steering, -1.0f, 1.0f);
    clean->gear = gear < -1 ? -1 : gear > KERB_GEARS_MAX ? KERB_GEARS_MAX : gear;
    clean->engine_speed = kerb_clamp(motion->engine_speed, 0.0f, 1.0e5f);
    clean->wheel_slip = kerb_clamp(motion->wheel_slip, -1.0f, 1.0e3f);
    // A unit quaternion stays as it is, so that healthy hosts lose no bits.
    if (kerb_abs(square - 1.0f) > 1.0e-5f) {
        float scale = 1.0f / kerb_sqrt(square);
        clean->rotation = (kerb_quat){q.x * scale, q.y * scale, q.z * scale, q.w * scale};
    }
}

bool kerb_in_frame_is_elsewhere(const kerb_motion_memory* memory,
                                const kerb_in_frame_input* input) {
    kerb_vec3 step = kerb_vec3_sub(input->motion.position, memory->position);
    if (memory->known && is_no_longer_than(step, input->jump_least)) // spares a root
        return false;
    float time = kerb_min(memory->time + input->time_step, KERB_TIME_STEP_MAX);
    float most =
        input->jump_least + MOVES_BY_FACTOR * time * kerb_vec3_length(input->motion.velocity);
    return !memory->known || !is_no_longer_than(step, most);
}

static bool frame_is_possible_step(float time_step) {
    return kerb_is_finite(time_step) && time_step >= KERB_TIME_STEP_MIN;
}

// A frame that cannot be used.
static void frame_refuse(kerb_in_frame_input* input, kerb_motion_memory* memory,
                         const kerb_motion* motion, float speed_max) {
    input->fault = KERB_REASON_BAD_STEP;
    input->motion = kerb_motion_default();
    if (motion_is_possible(motion, speed_max))
        return;
    memory->time = kerb_min(memory->time + input->time_step, KERB_TIME_STEP_MAX);
    input->fault = KERB_REASON_BAD_MOTION;
}

// Field by field into the caller's memory: a copy of the whole at the end takes as long as all the
// rest, because processors wait where they load at once what was stored in pieces.
static void frame_judge(kerb_in_frame_input* input, kerb_motion_memory* memory,
                        const kerb_motion* motion, float speed_max, float jump_least,
                        float time_step) {
    bool possible_step = frame_is_possible_step(time_step);
    input->jump_least = jump_least;
    input->time_step = possible_step ? kerb_min(time_step, KERB_TIME_STEP_MAX) : KERB_TIME_STEP_MIN;
    input->counts = true;
    input->elsewhere = false;
    if (!possible_step || !motion_is_possible(motion, speed_max)) {
        frame_refuse(input, memory, motion, speed_max);
        return;
    }
    input->fault = KERB_REASON_NONE;
    input->counts = time_step > KERB_TIME_STEP_MAX;
    motion_in_range(&input->motion, motion);
    input->elsewhere = kerb_in_frame_is_elsewhere(memory, input);
    memory->position = motion->position;
    memory->known = true;
    memory->time = 0.0f;
}

kerb_in_frame_input kerb_in_frame_take(kerb_motion_memory* memory, const kerb_motion* motion,
                                       float speed_max, float jump_least, float time_step) {
    kerb_in_frame_input input;
    frame_judge(&input, memory, motion, speed_max, jump_least, time_step);
    return input;
}

static int32_t frame_gear(const kerb_vehicle* vehicle, int32_t gear) {
    int32_t most = vehicle->drive_train.gear_count > 1 ? vehicle->drive_train.gear_count : 1;
    return gear < -1 ? -1 : gear > most ? most : gear;
}

static void frame_judge_vehicle(kerb_in_frame_input* input, kerb_motion_memory* memory,
                                const kerb_vehicle* vehicle, const kerb_motion* motion,
                                float speed_max, float jump_lengths, float time_step) {
    float fastest = kerb_max(kerb_max(vehicle->speed_max, vehicle->reverse_speed_max), speed_max);
    frame_judge(input, memory, motion, fastest, jump_lengths * vehicle->length, time_step);
    input->motion.gear = frame_gear(vehicle, input->motion.gear);
}

kerb_in_frame_input kerb_in_frame_take_vehicle_beyond(kerb_motion_memory* memory,
                                                      const kerb_vehicle* vehicle,
                                                      const kerb_motion* motion, float speed_max,
                                                      float jump_lengths, float time_step) {
    kerb_in_frame_input input;
    frame_judge_vehicle(&input, memory, vehicle, motion, speed_max, jump_lengths, time_step);
    return input;
}

kerb_in_frame_input kerb_in_frame_take_vehicle(kerb_motion_memory* memory,
                                               const kerb_vehicle* vehicle,
                                               const kerb_motion* motion, float time_step) {
    kerb_in_frame_input input;
    kerb_in_frame_judge(&input, memory, vehicle, motion, time_step);
    return input;
}

void kerb_in_frame_judge(kerb_in_frame_input* input, kerb_motion_memory* memory,
                         const kerb_vehicle* vehicle, const kerb_motion* motion, float time_step) {
    frame_judge_vehicle(input, memory, vehicle, motion, 0.0f, KERB_IN_JUMP_LENGTHS, time_step);
}

// Neighbours beyond these are errors of the host. [m] [m/s] [rad/s] [1]
#define NEIGHBOUR_SIZE_MOST 1.0e3f
#define NEIGHBOUR_SPEED_MOST 1.0e3f
#define NEIGHBOUR_YAW_RATE_MOST 1.0e2f
#define NEIGHBOUR_FORWARD_MOST 2.0f // a unit vector, with what rounding and scaling do to it

// Every comparison is false for NaN.
bool kerb_in_neighbour_is_possible(const kerb_neighbour* neighbour) {
    const kerb_neighbour* n = neighbour;
    return is_in_world(n->position) && is_no_longer_than(n->velocity, NEIGHBOUR_SPEED_MOST) &&
           kerb_abs(n->forward.x) <= NEIGHBOUR_FORWARD_MOST &&
           kerb_abs(n->forward.y) <= NEIGHBOUR_FORWARD_MOST &&
           kerb_abs(n->yaw_rate) <= NEIGHBOUR_YAW_RATE_MOST && n->length > 0.0f &&
           n->length < NEIGHBOUR_SIZE_MOST && n->width > 0.0f && n->width < NEIGHBOUR_SIZE_MOST;
}

kerb_neighbour kerb_in_neighbour_in_range(const kerb_neighbour* neighbour) {
    kerb_neighbour n = *neighbour;
    n.overtake_request = kerb_clamp(n.overtake_request, 0.0f, 1.0f);
    n.intent = NULL;
    return n;
}

void kerb_in_motion_shift_origin(kerb_motion_memory* memory, kerb_vec3 new_origin) {
    memory->position = kerb_vec3_sub(memory->position, new_origin);
}
