// What a window of the host check says about each mistake.
//
// Every mistake is a hypothesis with a prediction, and so is the truth. A prediction that is off by
// e, where s is to be expected, has the likelihood
//
//     exp(-c m),   m = e²/(e² + s²)  (Geman and McClure)
//
// up to a factor: near 0 that of a normal distribution, far out constant. So c is the logarithm of
// how much rarer an outlier is than a hit, and a window adds c (m_truth - m_mistake) to the
// evidence, at most c. Windows are not independent: a slide or a push lasts for several of them. c
// is therefore small: 3 where kinematics alone relate the numbers, whatever the vehicle does, and
// less where a slide can look like the mistake. 13.8 then takes at least 5 windows, a second.
//
// The evidence stays within a floor of -20 and a top of 20, so that a mistake that begins later, or
// is mended, shows within seconds. A host that has told the truth for some seconds is at the floor,
// where a false name needs odds of e^33.8.
// Sources: A. Wald, "Sequential Analysis", 1947; S. Geman, D. E. McClure, 1987.
#include "host_check.h"

#define HOST_EVIDENCE_MAX 20.0f
// Evidence for a mistake from which on comparisons that it would spoil are left out.
#define HOST_SUSPECT 3.0f

// Log odds of an outlier: by kinematics alone; where slides may look like the mistake; where
// pushing may.
#define HOST_BY_KINEMATICS 3.0f
#define HOST_BY_DRIVING 2.0f
#define HOST_BY_ATTITUDE 1.5f
#define HOST_BY_PUSHING 1.0f

// Positions are known to this, and to a rounding of floats. [m], [1]
#define HOST_POSITION_NOISE 0.001f
#define HOST_POSITION_ROUNDING 1.2e-7f
// Physics runs in steps of at most this; what is told may be a step old. [s]
#define HOST_PHYSICS_STEP 0.02f

// A window, and what several judges need of it.
typedef struct host_window {
    const kerb_host_check_window* sums;
    kerb_vec3 course;        // direction of the displacement
    kerb_vec3 forward, left; // mean directions told
    float angle_noise;       // of the course [rad]
    float used;              // share of the lock that the controls used, absolute [1]
    // Between the middles of the last window and of this one; where `turned` is true.
    bool turned;
    float turn_driven;      // of the course [rad]
    float turn_told;        // of the heading told [rad]
    float turn_by_controls; // of the heading, by the controls [rad]
} host_window;

// --------------------------------------------------------------------------- likelihoods

// m of the head of this file, from e² and s². [0 … 1]
static float host_misfit(float off_square, float scale_square) {
    return off_square / (off_square + scale_square + 1e-20f);
}

static float host_evidence(float evidence, float gain) {
    return kerb_clamp(evidence + gain, -HOST_EVIDENCE_MAX, HOST_EVIDENCE_MAX);
}

static void host_weigh(float* evidence, float weight, float misfit_truth, float misfit_mistake) {
    *evidence = host_evidence(*evidence, weight * (misfit_truth - misfit_mistake));
}

static float host_squared(float x) {
    return x * x;
}

// Square of the sine of the angle between two lines of unit directions.
static float host_line_off(kerb_vec3 a, kerb_vec3 b) {
    return kerb_max(1.0f - host_squared(kerb_vec3_dot(a, b)), 0.0f);
}

// Square of the distance between two unit directions.
static float host_direction_off(kerb_vec3 a, kerb_vec3 b) {
    const kerb_vec3 off = kerb_vec3_sub(a, b);
    return kerb_vec3_dot(off, off);
}

// --------------------------------------------------------------------------- velocity, time

// The truth: the velocity told gives the displacement. The mistake: it is constant, whatever the
// vehicle does. A vehicle at rest on something that moves looks like it, so it must be driving
// itself.
static void host_judge_velocity_missing(kerb_host_check* check, const host_window* w) {
    const kerb_host_check_window* sums = w->sums;
    const kerb_vec3 off = kerb_vec3_sub(sums->displacement, sums->by_velocity);
    const float length = kerb_max(sums->path, sums->path_told);
    if (check->memory.coasting_frames > 300)
        return;
    host_weigh(&check->evidence[KERB_HOST_VELOCITY_MISSING], HOST_BY_KINEMATICS,
               host_misfit(kerb_vec3_dot(off, off), host_squared(0.3f * length)),
               sums->velocity_constant ? 0.0f : 1.0f);
}

// The truth: distance driven = speed told · time told. The mistake: a thousandth of that.
static void host_judge_time_step(kerb_host_check* check, const host_window* w) {
    const float path = w->sums->path, told = w->sums->path_told, milli = 0.001f * told;
    // Windows and steps of the physics differ by a step or two: a fifth of a window, or more.
    const float spread = 0.3f;
    host_weigh(
        &check->evidence[KERB_HOST_TIME_STEP_IN_MILLISECONDS], HOST_BY_KINEMATICS,
        host_misfit(host_squared(path - told), host_squared(spread * kerb_max(path, told))),
        host_misfit(host_squared(path - milli), host_squared(spread * kerb_max(path, milli))));
}

// The truth: the velocity told points along the displacement. The mistake: it does after a rotation
// by what is told as rotation. The direction of the velocity may be a step of the physics old.
static void host_judge_velocity_axes(kerb_host_check* check, const host_window* w) {
    const kerb_host_check_window* sums = w->sums;
    kerb_host_check_memory* memory = &check->memory;
    const float told = kerb_vec3_length(sums->by_velocity);
    if (sums->path_told < 1e-3f * sums->path || told < 0.5f * sums->path_told)
        return;
    const kerb_vec3 change = kerb_vec3_sub(memory->velocity, sums->velocity_first);
    const float late = kerb_min(kerb_max(sums->step_max, HOST_PHYSICS_STEP) / sums->time, 1.0f);
    const float turned = kerb_vec3_length(change) * sums->time / told * late;
    const float scale = host_squared(0.03f + 2.0f * w->angle_noise + turned);
    const kerb_vec3 velocity = kerb_vec3_scale(sums->by_velocity, 1.0f / told);
    const kerb_vec3 local = kerb_vec3_unit(sums->by_turned, velocity);
    host_weigh(&check->evidence[KERB_HOST_VELOCITY_IN_VEHICLE_AXES], HOST_BY_KINEMATICS,
               host_misfit(host_direction_off(w->course, velocity), scale),
               host_misfit(host_direction_off(w->course, local), scale));
}

// --------------------------------------------------------------------------- axes

// Evidence for every way to exchange and mirror axes between the course and a direction told,
// compared with the truth. The sign does not matter: the vehicle may drive in reverse.
static void host_judge_exchanges(float evidence[KERB_HOST_CHECK_AXES], kerb_vec3 course,
                                 kerb_vec3 told, float misfit_truth, float scale) {
    static const int8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const float c[3] = {course.x, course.y, course.z}, t[3] = {told.x, told.y, told.z};
    for (int32_t i = 1; i < KERB_HOST_CHECK_AXES; i++) { // 0 is the truth
        const int8_t* order = orders[i / 4];
        const float x = c[0] * t[order[0]], y = c[1] * t[order[1]], z = c[2] * t[order[2]];
        const float along = x + (i & 1 ? -y : y) + (i & 2 ? -z : z);
        host_weigh(&evidence[i], HOST_BY_ATTITUDE, misfit_truth,
                   host_misfit(kerb_max(1.0f - host_squared(along), 0.0f), scale));
    }
}

static float host_greatest_of(const float* evidence, int32_t count) {
    float greatest = evidence[0];
    for (int32_t i = 1; i < count; i++)
        greatest = kerb_max(greatest, evidence[i]);
    return greatest;
}

// The truth: the vehicle moves along the forward direction told, apart from slides. A hovercraft
// slides to any side, so only up and down are wrong for it.
static float misfit_of_attitude(const kerb_host_check_memory* memory, const host_window* w,
                                float scale) {
    if (memory->vehicle.kind != KERB_VEHICLE_HOVER)
        return host_misfit(host_line_off(w->course, w->forward), scale);
    const kerb_vec3 up = kerb_vec3_cross(w->forward, w->left);
    return host_misfit(host_squared(kerb_vec3_dot(w->course, up)), scale);
}

static void host_judge_rotation_axes(kerb_host_check_memory* memory, const host_window* w) {
    const float scale = host_squared(0.3f); // slip angles of tyres, and the beginning of slides
    const float truth = misfit_of_attitude(memory, w, scale);
    host_judge_exchanges(memory->rotation_axes + 0, w->course, w->forward, truth, scale);
    const kerb_quat q = memory->rotation, swapped = {q.y, q.z, q.w, q.x};
    host_weigh(&memory->w_first, HOST_BY_ATTITUDE, truth,
               host_misfit(host_line_off(w->course, kerb_quat_forward(swapped)), scale));
}

// The position turns the way that the rotation does. In a mirrored world it turns the other way.
static void host_judge_mirror(kerb_host_check_memory* memory, const host_window* w) {
    if (!w->turned || memory->vehicle.kind == KERB_VEHICLE_HOVER)
        return;
    const float told = w->turn_told, driven = w->turn_driven;
    const float most = kerb_max(kerb_abs(told), kerb_abs(driven));
    const float scale = host_squared(0.4f * most + 2.0f * w->angle_noise + 0.005f);
    host_weigh(&memory->mirrored, HOST_BY_DRIVING, host_misfit(host_squared(told - driven), scale),
               host_misfit(host_squared(told + driven), scale));
}

// The vehicle drives against its forward direction, by its own power: on level ground, and without
// losing speed, as it would in a slide.
static void host_judge_backwards(kerb_host_check_memory* memory, const host_window* w) {
    const kerb_host_check_window* sums = w->sums;
    const int32_t gear = memory->gear_commanded;
    const float along = kerb_vec3_dot(w->course, w->forward) * (gear < 0 ? -1.0f : 1.0f);
    if (gear == 0 || sums->powered_frames < sums->frames || kerb_abs(along) < 0.7f)
        return;
    const bool slows = sums->path / sums->time < memory->course_speed;
    if (along < 0.0f && (!memory->course_known || slows || kerb_abs(w->course.z) > 0.05f))
        return;
    memory->backwards =
        host_evidence(memory->backwards, along < 0.0f ? HOST_BY_PUSHING : -HOST_BY_PUSHING);
}

static void host_judge_velocity_exchanges(kerb_host_check_memory* memory, const host_window* w) {
    const kerb_host_check_window* sums = w->sums;
    if (sums->velocity_constant || sums->path_told < 1e-3f * sums->path)
        return;
    const kerb_vec3 velocity = kerb_vec3_unit(sums->by_velocity, w->course);
    const kerb_vec3 local = kerb_vec3_unit(sums->by_turned, w->course);
    // A velocity in the vehicle's axes has a name of its own.
    const float off = kerb_min(host_line_off(w->course, velocity), host_line_off(w->course, local));
    const float scale = host_squared(0.2f);
    host_judge_exchanges(memory->velocity_axes, w->course, velocity, host_misfit(off, scale),
                         scale);
}

static void host_judge_axes(kerb_host_check* check, const host_window* w) {
    kerb_host_check_memory* memory = &check->memory;
    if (!w->sums->rotation_constant) {
        host_judge_rotation_axes(memory, w);
        host_judge_mirror(memory, w);
        host_judge_backwards(memory, w);
    }
    host_judge_velocity_exchanges(memory, w);
    const float parts[] = {
        host_greatest_of(memory->rotation_axes + 1, KERB_HOST_CHECK_AXES - 1),
        host_greatest_of(memory->velocity_axes + 1, KERB_HOST_CHECK_AXES - 1),
        memory->w_first,
        memory->mirrored,
        memory->backwards,
    };
    check->evidence[KERB_HOST_AXES_MIXED] =
        host_greatest_of(parts, (int32_t)(sizeof parts / sizeof *parts));
}

// --------------------------------------------------------------------------- rotation

// The truth: the heading turns with the course. The mistake: the rotation stays the same, bit for
// bit, though the vehicle is steered and its course turns.
static void host_judge_rotation(kerb_host_check* check, const host_window* w) {
    kerb_host_check_memory* memory = &check->memory;
    float* evidence = &check->evidence[KERB_HOST_ROTATION_CONSTANT];
    if (w->sums->no_rotation) {
        *evidence = host_evidence(*evidence, HOST_BY_KINEMATICS);
        return;
    }
    if (!w->sums->rotation_constant) {
        *evidence = host_evidence(*evidence, -HOST_BY_KINEMATICS);
        memory->reference_known = false;
        return;
    }
    if (!memory->reference_known) {
        memory->reference_known = true;
        memory->reference = w->course;
        return;
    }
    if (w->used > 0.05f)
        host_weigh(evidence, HOST_BY_KINEMATICS,
                   host_misfit(host_line_off(w->course, memory->reference),
                               host_squared(0.03f + w->angle_noise)),
                   0.0f);
}

// The truth: the heading turns with the course. The mistake: it turns by 180/π radians for every
// radian of the course, while the course follows the steering, as it does not in a spin.
static void host_judge_degrees(kerb_host_check* check, const host_window* w) {
    const float degrees = 180.0f / KERB_PI;
    if (!w->turned || w->sums->rotation_constant)
        return;
    const float told = w->turn_told, driven = w->turn_driven, steered = w->turn_by_controls;
    const float noise = 2.0f * w->angle_noise;
    const float most = kerb_max(kerb_abs(told), kerb_abs(driven));
    const float truth =
        host_misfit(host_squared(told - driven), host_squared(0.4f * most + noise + 0.03f));
    float wrong = 1.0f;
    // More than a quarter turn in one frame may as well be one the other way round.
    if (w->sums->turn_greatest < 0.5f * KERB_PI) {
        const float wide = kerb_max(kerb_abs(told), degrees * kerb_abs(driven));
        wrong = host_misfit(host_squared(told - degrees * driven),
                            host_squared(0.5f * wide + degrees * noise));
    } else if (degrees * kerb_abs(driven) > (float)w->sums->frames) {
        wrong = 0.3f;
    }
    const float by_steering = kerb_abs(steered) + kerb_abs(driven);
    wrong = kerb_max(wrong, host_misfit(host_squared(driven - steered),
                                        host_squared(0.7f * by_steering + noise)));
    host_weigh(&check->evidence[KERB_HOST_HEADING_IN_DEGREES], HOST_BY_KINEMATICS, truth, wrong);
}

// --------------------------------------------------------------------------- controls

// What the rest needs: the rotation can be relied on.
static bool rotation_suspect(const kerb_host_check* check) {
    return check->evidence[KERB_HOST_ROTATION_CONSTANT] > HOST_SUSPECT ||
           check->evidence[KERB_HOST_HEADING_IN_DEGREES] > HOST_SUSPECT ||
           check->evidence[KERB_HOST_AXES_MIXED] > HOST_SUSPECT;
}

// WHEELED: front wheels go where they point, but for a slip angle, in turns and in slides, forwards
// and in reverse: the lateral displacement of the front axle is the distance times their tangent.
// TRACKED, HOVER: the heading turns by the yaw rate that is commanded. The mistake: the other way.
static void host_judge_steering(kerb_host_check* check, const host_window* w) {
    kerb_host_check_memory* memory = &check->memory;
    const kerb_host_check_window* sums = w->sums;
    const kerb_host_check_vehicle* vehicle = &memory->vehicle;
    const bool wheels = vehicle->kind == KERB_VEHICLE_WHEELED;
    if (rotation_suspect(check) || sums->rotation_constant)
        return;
    float went = sums->turn, slack = 0.02f;
    if (wheels) {
        if (host_line_off(w->course, w->forward) > 0.5f || kerb_abs(sums->turn) > 1.0f)
            return;
        went = kerb_vec3_dot(sums->displacement, w->left) +
               (vehicle->wheelbase - vehicle->rear_axle) * sums->turn;
        slack = 0.02f * sums->path;
    } else if (check->evidence[KERB_HOST_TIME_STEP_IN_MILLISECONDS] > HOST_SUSPECT) {
        return;
    }
    float most = 0.0f, off[KERB_HOST_CHECK_DELAYS];
    for (int32_t i = 0; i < KERB_HOST_CHECK_DELAYS; i++)
        most = kerb_max(most, kerb_abs(sums->by_controls[i]));
    const float scale = host_squared(0.3f * most + slack);
    for (int32_t i = 0; i < KERB_HOST_CHECK_DELAYS; i++)
        off[i] = host_misfit(host_squared(went - sums->by_controls[i]), scale);
    host_weigh(&memory->steering_applied, HOST_BY_DRIVING, kerb_min(off[0], off[1]),
               host_misfit(host_squared(went + sums->by_controls[0]), scale));
    for (int32_t i = 1; i < KERB_HOST_CHECK_DELAYS; i++)
        host_weigh(&memory->delays[i], HOST_BY_DRIVING, off[0], off[i]);
    check->evidence[KERB_HOST_CONTROLS_LATE] =
        host_greatest_of(memory->delays + 1, KERB_HOST_CHECK_DELAYS - 1);
}

static void host_judge_steering_told(kerb_host_check_memory* memory, const host_window* w) {
    const kerb_host_check_window* sums = w->sums;
    const float told = sums->share_told, given = sums->share_by_controls;
    if (told == 0.0f || memory->vehicle.kind != KERB_VEHICLE_WHEELED)
        return;
    const float scale =
        host_squared(0.4f * kerb_max(kerb_abs(told), kerb_abs(given)) + 0.02f * sums->path);
    host_weigh(&memory->steering_told, HOST_BY_DRIVING,
               host_misfit(host_squared(told - given), scale),
               host_misfit(host_squared(told + given), scale));
}

// The truth: the gear told follows the commands, after the time of a shift; a gearbox of its own
// may be in neutral for one window in seven. The mistake: it never changes. It shows where another
// gear is commanded, and the vehicle drives in its direction.
static void host_judge_gear(kerb_host_check* check, const host_window* w) {
    const kerb_host_check_window* sums = w->sums;
    float* evidence = &check->evidence[KERB_HOST_GEAR_MISSING];
    const float travel = kerb_vec3_dot(w->course, w->forward);
    const bool along = check->memory.gear_commanded < 0 ? travel < -0.5f : travel > 0.5f;
    if (sums->gear_changed)
        *evidence = host_evidence(*evidence, -HOST_BY_KINEMATICS);
    else if (sums->wrong_gear_frames == sums->frames && along)
        *evidence = host_evidence(*evidence, HOST_BY_DRIVING);
}

// --------------------------------------------------------------------------- a window

static host_window host_window_of(const kerb_host_check_memory* memory) {
    const kerb_host_check_window* sums = &memory->window;
    const kerb_vec3 none = {0.0f, 0.0f, 0.0f}, place = memory->position;
    host_window w = {.sums = sums};
    w.course = kerb_vec3_unit(sums->displacement, none);
    w.forward = kerb_vec3_unit(sums->forward, memory->forward);
    w.left = kerb_vec3_unit(sums->left, memory->left);
    const float far = kerb_max(kerb_abs(place.x), kerb_max(kerb_abs(place.y), kerb_abs(place.z)));
    const float straight = kerb_vec3_length(sums->displacement);
    w.angle_noise =
        2.0f * (HOST_POSITION_NOISE + HOST_POSITION_ROUNDING * far) / kerb_max(straight, 0.01f);
    w.used = kerb_abs(sums->share_by_controls) / kerb_max(sums->path, 1e-3f);
    if (!memory->course_known)
        return w;
    const kerb_vec3 last = memory->course;
    const float cross = last.x * w.course.y - last.y * w.course.x;
    const float dot = last.x * w.course.x + last.y * w.course.y;
    // Between forwards and reverse the course turns round; the line of travel does not.
    w.turned = kerb_abs(dot) > 0.3f;
    w.turn_driven = dot < 0.0f ? kerb_atan2(-cross, -dot) : kerb_atan2(cross, dot);
    w.turn_told = 0.5f * (memory->course_turn + sums->turn);
    w.turn_by_controls = 0.5f * (memory->course_by_controls + sums->turn_by_controls);
    return w;
}

void kerb_in_host_judge(kerb_host_check* check) {
    kerb_host_check_memory* memory = &check->memory;
    const host_window w = host_window_of(memory);
    check->judgements += check->judgements < INT32_MAX;
    host_judge_rotation(check, &w);
    // A window that goes to and fro has no course.
    const float straight = kerb_vec3_length(w.sums->displacement);
    memory->course_known = memory->course_known && straight > 0.5f * w.sums->path;
    if (w.sums->no_rotation || straight <= 0.5f * w.sums->path)
        return;
    host_judge_velocity_missing(check, &w);
    host_judge_time_step(check, &w);
    host_judge_velocity_axes(check, &w);
    host_judge_degrees(check, &w);
    host_judge_axes(check, &w);
    host_judge_steering(check, &w);
    host_judge_steering_told(memory, &w);
    check->evidence[KERB_HOST_STEERING_REVERSED] =
        kerb_max(memory->steering_applied, memory->steering_told);
    host_judge_gear(check, &w);
    memory->course_known = true;
    memory->course = w.course;
    memory->course_turn = w.sums->turn;
    memory->course_by_controls = w.sums->turn_by_controls;
    memory->course_speed = w.sums->path / w.sums->time;
}
