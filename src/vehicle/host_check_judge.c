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
#define HOST_BY_PUSHING 1.5f

// Positions are known to this, and to a rounding of floats. [m], [1]
#define HOST_POSITION_NOISE 0.001f
#define HOST_POSITION_ROUNDING 1.2e-7f
// Turn of the course in a window that counts as straight: a tenth of the lock turns more. [rad]
#define HOST_STRAIGHT 0.005f
// Share of the lock from which on the vehicle counts as steered. [1]
#define HOST_USED 0.05f
// Misfit of the truth below which exchanged axes are not looked at. At most so much evidence is
// lost in a window, of 33.8. [1]
#define HOST_CALM 0.1f
// Slip angle of tyres that hold. [rad]
#define HOST_TYRE_SLIP 0.12f
// Slower vehicles are judged by kinematics alone: pushes and slides move them as well. [m/s], and
// share of the vehicle's own speed
#define HOST_SLOW 2.5f
#define HOST_SLOW_SHARE 0.3f
// A slide on the most slippery ground takes more speed away. [m/s²]
#define HOST_SLIDE_LOSS 0.5f
// Physics runs in steps of at most this; what is told may be a step old. [s]
#define HOST_PHYSICS_STEP 0.02f

// From the middle of an earlier window to that of the present one, seen from above.
typedef struct host_turn {
    bool known;        // the course does not turn round
    float driven;      // of the course [rad]
    float told;        // of the heading told [rad]
    float by_controls; // of the heading, by the controls [rad]
} host_turn;

// A window, and what several judges need of it.
typedef struct host_window {
    const kerb_host_check_window* sums;
    kerb_vec3 course;        // direction of the displacement
    kerb_vec3 forward, left; // mean directions told
    float angle_noise;       // of the course [rad]
    float used;              // share of the lock that the controls used, absolute [1]
    bool straight;           // the course is that of the last window, in any axes
    host_turn turn;          // from the last window to this one
    host_turn turn_of_three; // from the window before that one
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

// How well a displacement by velocities explains that by positions.
static float host_misfit_of_way(const host_window* w, kerb_vec3 by_velocity) {
    const float spread = 0.3f * kerb_max(w->sums->path, w->sums->path_told);
    const kerb_vec3 off = kerb_vec3_sub(w->sums->displacement, by_velocity);
    return host_misfit(kerb_vec3_dot(off, off), host_squared(spread));
}

// The truth: the velocity told gives the displacement, in the world or, which has a name of its
// own, in the vehicle's axes. The mistake: it is constant, whatever the vehicle does. A vehicle at
// rest on something that moves looks like it, so it must be driving itself.
static void host_judge_velocity_missing(kerb_host_check* check, const host_window* w) {
    const kerb_host_check_window* sums = w->sums;
    if (check->memory.coasting_frames > 300)
        return;
    host_weigh(
        &check->evidence[KERB_HOST_VELOCITY_MISSING], HOST_BY_KINEMATICS,
        kerb_min(host_misfit_of_way(w, sums->by_velocity), host_misfit_of_way(w, sums->by_turned)),
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
               kerb_max(host_misfit(host_direction_off(w->course, local), scale),
                        sums->velocity_constant ? host_misfit_of_way(w, sums->by_turned) : 0.0f));
}

// --------------------------------------------------------------------------- axes

// How an exchange of axes changes what is seen from above.
typedef enum host_exchange {
    HOST_EXCHANGE_UP,     // up becomes another direction
    HOST_EXCHANGE_TURN,   // all headings turn by a quarter
    HOST_EXCHANGE_MIRROR, // left becomes right
    HOST_EXCHANGE_KINDS
} host_exchange;

// How well the truth and the mistake explain the turn of the course, by kind of exchange.
typedef struct host_exchange_misfit {
    float truth[HOST_EXCHANGE_KINDS];
    float mistake[HOST_EXCHANGE_KINDS]; // at least
    bool weighed[HOST_EXCHANGE_KINDS];
    bool straight; // the course does not turn
} host_exchange_misfit;

static host_exchange host_kind_of_exchange(int32_t i) {
    if (i / 4 == 0) // x stays x
        return i & 1 ? HOST_EXCHANGE_MIRROR : HOST_EXCHANGE_UP;
    if (i / 4 == 2) // x and y change places
        return i & 1 ? HOST_EXCHANGE_TURN : HOST_EXCHANGE_MIRROR;
    return HOST_EXCHANGE_UP;
}

static float host_greatest_of(const float* evidence, int32_t count) {
    float greatest = evidence[0];
    for (int32_t i = 1; i < count; i++)
        greatest = kerb_max(greatest, evidence[i]);
    return greatest;
}

// Of those that are looked at.
static float host_greatest_exchange(const float evidence[KERB_HOST_CHECK_AXES]) {
    return kerb_max(evidence[1], host_greatest_of(evidence + 3, KERB_HOST_CHECK_AXES - 3));
}

// Evidence for every way to exchange and mirror axes between the course and a direction told,
// compared with the truth. The sign does not matter: the vehicle may drive in reverse.
static void host_judge_exchanges(float evidence[KERB_HOST_CHECK_AXES], float weight,
                                 kerb_vec3 course, kerb_vec3 told, float scale,
                                 const host_exchange_misfit* misfits) {
    static const int8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    // A host that has told the truth for a while and still does has nothing to gain here.
    const float most = kerb_max(misfits->truth[0], kerb_max(misfits->truth[1], misfits->truth[2]));
    if (most < HOST_CALM && host_greatest_exchange(evidence) <= -HOST_EVIDENCE_MAX)
        return;
    const float c[3] = {course.x, course.y, course.z}, t[3] = {told.x, told.y, told.z};
    for (int32_t i = 1; i < KERB_HOST_CHECK_AXES; i++) { // 0 is the truth
        // Up and down alone: nobody mixes them up, and level ground would leave it open for ever.
        if (i == 2)
            continue;
        const host_exchange kind = host_kind_of_exchange(i);
        const int8_t* order = orders[i / 4];
        const float x = c[0] * t[order[0]], y = c[1] * t[order[1]], z = c[2] * t[order[2]];
        const float along = x + (i & 1 ? -y : y) + (i & 2 ? -z : z);
        const float off = host_misfit(kerb_max(1.0f - host_squared(along), 0.0f), scale);
        // A constant heading on a straight course is as good as any other mistake of the rotation.
        if (misfits->straight && evidence[i] > HOST_SUSPECT)
            continue;
        if (misfits->weighed[kind])
            host_weigh(&evidence[i], weight, misfits->truth[kind],
                       kerb_max(off, misfits->mistake[kind]));
    }
}

// A window in which the heading turns by `told`, and the course by `driven`.
static float host_misfit_of_turn(const host_window* w, float told, float driven) {
    const float most = kerb_max(kerb_abs(told), kerb_abs(driven));
    const float scale = 0.4f * most + 2.0f * w->angle_noise + 0.005f;
    return host_misfit(host_squared(told - driven), host_squared(scale));
}

// How badly the course follows the controls, which it does in every mistake but that of the
// steering; in a slide it does not. In a mirrored world either side may be the right one.
static float host_misfit_of_steering(const host_window* w, const host_turn* turn, bool mirrored) {
    if (w->sums->driven_frames < w->sums->frames)
        return 0.0f;
    const float driven = turn->driven, steered = turn->by_controls;
    const float size = kerb_abs(driven) + kerb_abs(steered);
    const float scale = host_squared(0.5f * size + 2.0f * w->angle_noise);
    const float off = mirrored ? kerb_abs(driven) - kerb_abs(steered) : driven - steered;
    return host_misfit(host_squared(off), scale);
}

// Whether a slide may keep it going: down a slope, or while something takes speed away that the
// slope does not explain, as tyres do that slide. Of the length of the velocity told, which is
// right in any axes.
static bool host_slides(const kerb_host_check_memory* memory, const host_window* w) {
    const kerb_host_check_window* sums = w->sums;
    const float first = kerb_vec3_length(sums->velocity_first);
    const float gained = kerb_vec3_length(memory->velocity) - first;
    return w->course.z < -0.03f ||
           gained + KERB_GRAVITY * w->course.z * sums->time < -HOST_SLIDE_LOSS * sums->time;
}

// The truth: the vehicle moves along the forward direction told, or it slides: in the plane of its
// body, and turning as its course turns. A hovercraft slides as it likes. The mistake: it moves
// along another direction, and in a mirrored world it turns the other way. A slide sideways for
// seconds is a turned model, unless it takes speed away or goes down a slope.
static void host_judge_rotation_axes(kerb_host_check_memory* memory, const host_window* w) {
    const float scale = host_squared(0.3f); // slip angles of tyres, and the beginning of slides
    const kerb_vec3 up = kerb_vec3_cross(w->forward, w->left);
    const float flat = host_misfit(host_squared(kerb_vec3_dot(w->course, up)), scale);
    const float with = host_misfit_of_turn(w, w->turn.told, w->turn.driven);
    const float against = host_misfit_of_turn(w, -w->turn.told, w->turn.driven);
    const bool hover = memory->vehicle.kind == KERB_VEHICLE_HOVER;
    const float along = hover ? flat : host_misfit(host_line_off(w->course, w->forward), scale);
    const float steered = host_misfit_of_steering(w, &w->turn, false);
    const float mirrored = host_misfit_of_steering(w, &w->turn, true);
    const bool slides = host_slides(memory, w);
    // Power keeps a slide going, but not one that is nearly sideways.
    const bool sideways = host_line_off(w->course, w->forward) > 0.8f;
    const float slide = sideways && !slides && !hover ? 1.0f
                        : w->turn.known               ? kerb_max(flat, with)
                                                      : flat;
    const float truth = kerb_min(along, slide);
    const bool level = w->turn.known && !hover;
    const host_exchange_misfit misfits = {
        .truth = {truth, along, truth},
        .mistake = {0.0f, kerb_max(with, steered), kerb_max(against, mirrored)},
        .weighed = {true, level && (along < 0.5f || !slides), level},
        .straight = w->straight && along > 0.5f};
    host_judge_exchanges(memory->rotation_axes, HOST_BY_DRIVING, w->course, w->forward, scale,
                         &misfits);
    // A quaternion that begins with w.
    const kerb_quat a = w->sums->rotation_first, b = memory->rotation;
    const kerb_quat first = {a.y, a.z, a.w, a.x}, last = {b.y, b.z, b.w, b.x};
    const kerb_vec3 from = kerb_quat_forward(first), to = kerb_quat_forward(last);
    const float turn = from.x * to.y - from.y * to.x;
    if (level && !(misfits.straight && memory->w_first > HOST_SUSPECT))
        host_weigh(&memory->w_first, HOST_BY_DRIVING, truth,
                   kerb_max(host_misfit(host_line_off(w->course, to), scale),
                            kerb_max(steered, host_misfit_of_turn(w, turn, w->turn.driven))));
}

// The vehicle drives against its forward direction, by its own power: not down a slope, and without
// losing speed, as it would in a slide.
static void host_judge_backwards(kerb_host_check_memory* memory, const host_window* w) {
    const int32_t gear = memory->gear_commanded;
    const float along = kerb_vec3_dot(w->course, w->forward) * (gear < 0 ? -1.0f : 1.0f);
    if (gear == 0 || w->sums->powered_frames < w->sums->frames || kerb_abs(along) < 0.7f)
        return;
    if (along < 0.0f && host_slides(memory, w))
        return;
    // Straight on, a heading that is constant or wild would look like it as well.
    if (along < 0.0f && w->straight && memory->backwards > HOST_SUSPECT)
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
    const float scale = host_squared(0.2f), truth = host_misfit(off, scale);
    const host_exchange_misfit misfits = {.truth = {truth, truth, truth},
                                          .weighed = {true, true, true}};
    host_judge_exchanges(memory->velocity_axes, HOST_BY_KINEMATICS, w->course, velocity, scale,
                         &misfits);
}

static void host_judge_axes(kerb_host_check* check, const host_window* w) {
    if (w->sums->rotation_constant)
        return;
    host_judge_rotation_axes(&check->memory, w);
    host_judge_backwards(&check->memory, w);
}

// A mistake of several parts has the evidence of its worst part.
static void host_conclude(kerb_host_check* check) {
    const kerb_host_check_memory* memory = &check->memory;
    check->evidence[KERB_HOST_STEERING_REVERSED] =
        kerb_max(memory->steering_applied, memory->steering_told);
    const float parts[] = {
        host_greatest_exchange(memory->rotation_axes),
        host_greatest_exchange(memory->velocity_axes),
        memory->w_first,
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
    if (w->used > HOST_USED)
        host_weigh(evidence, HOST_BY_KINEMATICS,
                   host_misfit(host_line_off(w->course, memory->reference),
                               host_squared(0.03f + w->angle_noise)),
                   0.0f);
}

// The truth: the heading turns with the course. The mistake: it turns by 180/π radians for every
// radian of the course, while the course follows the steering, as it does not in a spin.
static void host_judge_degrees(kerb_host_check* check, const host_window* w) {
    const float degrees = 180.0f / KERB_PI;
    const host_turn* turn = &w->turn_of_three;
    if (!turn->known || w->sums->rotation_constant)
        return;
    // A hovercraft turns with its rudder, its course much later.
    const bool hover = check->memory.vehicle.kind == KERB_VEHICLE_HOVER;
    if (hover && w->used < HOST_USED)
        return;
    const float told = turn->told, driven = hover ? turn->by_controls : turn->driven;
    const float noise = hover ? 0.002f : 2.0f * w->angle_noise;
    // In what the positions leave open the mistake would always fit.
    if (degrees * noise > 0.5f * kerb_abs(told) && noise > 0.5f * kerb_abs(driven))
        return;
    const float most = kerb_max(kerb_abs(told), kerb_abs(driven));
    const float truth =
        host_misfit(host_squared(told - driven), host_squared(0.4f * most + noise + 0.03f));
    const float jump = kerb_max(w->sums->turn_greatest, check->memory.course_jump);
    float wrong = 1.0f;
    // More than a quarter turn in one sample may as well be one the other way round.
    if (jump < 0.5f * KERB_PI) {
        const float wide = kerb_max(kerb_abs(told), degrees * kerb_abs(driven));
        wrong = host_misfit(host_squared(told - degrees * driven),
                            host_squared(0.5f * wide + degrees * noise));
    } else if (degrees * kerb_abs(driven) > 2.0f * (float)w->sums->frames) {
        wrong = 0.3f;
    }
    wrong = kerb_max(wrong, hover ? 0.0f : host_misfit_of_steering(w, turn, false));
    host_weigh(&check->evidence[KERB_HOST_HEADING_IN_DEGREES],
               hover ? HOST_BY_DRIVING : HOST_BY_KINEMATICS, truth, wrong);
}

// --------------------------------------------------------------------------- controls

// What the rest needs: the rotation can be relied on.
static bool rotation_suspect(const kerb_host_check* check) {
    return check->evidence[KERB_HOST_ROTATION_CONSTANT] > HOST_SUSPECT ||
           check->evidence[KERB_HOST_HEADING_IN_DEGREES] > HOST_SUSPECT ||
           check->evidence[KERB_HOST_AXES_MIXED] > HOST_SUSPECT;
}

// Distance from `went` to the interval between two shares of `predicted`, squared: vehicles
// understeer, slide, and have other wheels than described.
static float host_gain_off(float went, float predicted, float least, float most) {
    const float along = predicted >= 0.0f ? went : -went, size = kerb_abs(predicted);
    return host_squared(along - kerb_clamp(along, least * size, most * size));
}

// Whether the vehicle goes where wheels and tracks point, in the direction of its gear. In a slide
// it turns by its inertia, and who drives well steers against the turn.
static bool host_holds(const kerb_host_check_memory* memory, const host_window* w) {
    const kerb_host_check_vehicle* vehicle = &memory->vehicle;
    if (vehicle->kind == KERB_VEHICLE_HOVER)
        return true;
    const float along = kerb_vec3_dot(w->sums->displacement, w->forward);
    const float rear =
        kerb_vec3_dot(w->sums->displacement, w->left) -
        (vehicle->kind == KERB_VEHICLE_WHEELED ? vehicle->rear_axle : 0.0f) * w->sums->turn;
    const bool forwards = along > 0.0f;
    return (memory->gear_commanded == 0 || forwards == (memory->gear_commanded > 0)) &&
           kerb_abs(rear) < HOST_TYRE_SLIP * kerb_abs(along);
}

// Sum of the squares that a delay leaves unexplained, with the gain that fits it best.
static float host_unexplained(const kerb_host_check_memory* memory, int32_t delay) {
    const float product = memory->late_product[delay], square = memory->late_square[delay];
    return memory->late_turn - (square > 0.0f ? product * product / square : 0.0f);
}

// The truth: the vehicle turns as the controls say, by an unknown gain, at once or 0.2 s later:
// tyres and the body's inertia add that. The mistake: still later. It shows only where the steering
// changes. Of least squares with unknown deviation the likelihood ratio is (R/R')^(n/2). Windows
// that follow each other are not independent, so a third of them count.
static void host_judge_delays(kerb_host_check* check, float went) {
    kerb_host_check_memory* memory = &check->memory;
    const kerb_host_check_window* sums = &memory->window;
    const float differs = kerb_abs(sums->by_controls[0] - sums->by_controls[2]);
    if (memory->vehicle.kind != KERB_VEHICLE_WHEELED || differs < 0.015f * sums->path)
        return;
    const float keep = 0.98f, per = 1.0f / sums->path;
    memory->late_windows = keep * memory->late_windows + 1.0f;
    memory->late_turn = keep * memory->late_turn + host_squared(went * per);
    for (int32_t i = 0; i < KERB_HOST_CHECK_DELAYS; i++) {
        const float by = sums->by_controls[i] * per;
        memory->late_product[i] = keep * memory->late_product[i] + by * went * per;
        memory->late_square[i] = keep * memory->late_square[i] + host_squared(by);
    }
    const float truth = kerb_min(host_unexplained(memory, 0), host_unexplained(memory, 1));
    const float late = kerb_min(host_unexplained(memory, 2),
                                kerb_min(host_unexplained(memory, 3), host_unexplained(memory, 4)));
    // The angle of the wheels is known to some milliradians at best.
    const float noise = host_squared(0.005f) * memory->late_windows;
    const float ratio = (kerb_max(truth, 0.0f) + noise) / (kerb_max(late, 0.0f) + noise);
    // 3 (x² - 1)/(x² + 4x + 1) is the logarithm of x or a little less, where x >= 1.
    const float bound = 3.0f * (ratio * ratio - 1.0f) / (ratio * ratio + 4.0f * ratio + 1.0f);
    check->evidence[KERB_HOST_CONTROLS_LATE] =
        host_evidence(0.0f, 0.15f * memory->late_windows * bound);
}

// The truth: wheels go where they point, forwards and in reverse; tracks and rudders turn by the
// yaw rate that is commanded; or hardly at all. The mistake: the other way. The truth may also be
// somewhat late.
static void host_judge_steering(kerb_host_check* check, const host_window* w) {
    kerb_host_check_memory* memory = &check->memory;
    const kerb_host_check_window* sums = w->sums;
    const bool wheels = memory->vehicle.kind == KERB_VEHICLE_WHEELED;
    const bool milliseconds = check->evidence[KERB_HOST_TIME_STEP_IN_MILLISECONDS] > HOST_SUSPECT;
    if (rotation_suspect(check) || sums->rotation_constant || (milliseconds && !wheels) ||
        kerb_abs(sums->turn) > 1.0f || !host_holds(memory, w))
        return;
    const float went = memory->vehicle.wheelbase * sums->turn;
    // A slope to the side pulls as well, more where wheels spin.
    const float slope = kerb_abs(w->left.z);
    const float slack = wheels ? (0.01f + 0.5f * slope) * sums->path
                               : (0.01f + 0.2f * slope) * memory->vehicle.wheelbase;
    const float now = sums->by_controls[0], later = sums->by_controls[1];
    const float most = kerb_max(kerb_abs(now), kerb_abs(later));
    const float scale = host_squared(0.15f * most + slack);
    const float truth =
        kerb_min(host_gain_off(went, now, 0.0f, 1.2f), host_gain_off(went, later, 0.0f, 1.2f));
    host_weigh(&memory->steering_applied, HOST_BY_DRIVING, host_misfit(truth, scale),
               host_misfit(host_gain_off(-went, now, 0.2f, 1.2f), scale));
    host_judge_delays(check, went);
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

// Half of both windows lies between their middles.
static host_turn host_turn_from(const kerb_host_check_memory* memory, kerb_vec3 course,
                                int32_t window) {
    const kerb_host_check_window* sums = &memory->window;
    const kerb_vec3 last = memory->course[window];
    const float cross = last.x * course.y - last.y * course.x;
    const float dot = last.x * course.x + last.y * course.y;
    // Between forwards and reverse the course turns round; the line of travel does not.
    const host_turn turn = {
        .known = kerb_abs(dot) > 0.3f,
        .driven = dot < 0.0f ? kerb_atan2(-cross, -dot) : kerb_atan2(cross, dot),
        .told = 0.5f * (memory->course_turn[window] + sums->turn),
        .by_controls = 0.5f * (memory->course_by_controls[window] + sums->turn_by_controls)};
    return turn;
}

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
    if (memory->courses > 0) {
        const kerb_vec3 bent = kerb_vec3_cross(memory->course[0], w.course);
        w.straight = kerb_vec3_dot(bent, bent) < host_squared(HOST_STRAIGHT);
        w.turn = host_turn_from(memory, w.course, 0);
    }
    if (memory->courses > 1) {
        w.turn_of_three = host_turn_from(memory, w.course, 1);
        w.turn_of_three.told += memory->course_turn[0];
        w.turn_of_three.by_controls += memory->course_by_controls[0];
    }
    return w;
}

static void host_remember_course(kerb_host_check_memory* memory, const host_window* w) {
    memory->courses = memory->courses > 0 ? 2 : 1;
    memory->course[1] = memory->course[0];
    memory->course_turn[1] = memory->course_turn[0];
    memory->course_by_controls[1] = memory->course_by_controls[0];
    memory->course[0] = w->course;
    memory->course_turn[0] = w->sums->turn;
    memory->course_by_controls[0] = w->sums->turn_by_controls;
    memory->course_jump = w->sums->turn_greatest;
}

// Duration of the window. Milliseconds that are named are converted.
static float host_seconds(const kerb_host_check* check, const host_window* w) {
    const bool milliseconds = check->evidence[KERB_HOST_TIME_STEP_IN_MILLISECONDS] > HOST_SUSPECT;
    return w->sums->time * (milliseconds ? 0.001f : 1.0f);
}

void kerb_in_host_judge(kerb_host_check* check) {
    kerb_host_check_memory* memory = &check->memory;
    const host_window w = host_window_of(memory);
    check->judgements += check->judgements < INT32_MAX;
    host_judge_rotation(check, &w);
    // A window that goes to and fro has no course.
    const float straight = kerb_vec3_length(w.sums->displacement);
    if (w.sums->no_rotation || straight <= 0.5f * w.sums->path) {
        memory->courses = 0;
        return;
    }
    host_judge_velocity_missing(check, &w);
    host_judge_time_step(check, &w);
    host_judge_velocity_axes(check, &w);
    host_judge_velocity_exchanges(memory, &w);
    const float slow = kerb_min(HOST_SLOW, HOST_SLOW_SHARE * memory->vehicle.speed_max);
    if (straight > slow * host_seconds(check, &w)) {
        host_judge_degrees(check, &w);
        host_judge_axes(check, &w);
        host_judge_steering(check, &w);
        host_judge_steering_told(memory, &w);
        host_judge_gear(check, &w);
    }
    host_conclude(check);
    host_remember_course(memory, &w);
}
