// Kerb racer: a racing driver.
//
// Drives a car along a racing line as fast as the car can, alone or among other cars, with any
// skill. examples/race_a_car.c is a whole program; examples/race_each_other.c has several cars.
//
// Call order:
// 1. Make a line: kerb_racing_line_create (kerb/racing_line.h).
// 2. kerb_racer_make once per car, then change `settings` and `performance` where they differ.
// 3. kerb_racer_drive once per frame. The host applies the controls to its car.
//
//     kerb_racer racer = kerb_racer_make(&vehicle);
//     racer.settings.skill = 0.9f;
//     kerb_motion motion = kerb_motion_default();
//     kerb_surroundings surroundings = kerb_surroundings_default();
//     kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
//     for (int frame = 0; frame < 3600; frame++) {
//         // The host fills `motion` and `surroundings` from its physics here.
//         controls = kerb_racer_drive(&racer, &line, &motion, &surroundings, 1.0f / 60.0f);
//         // The host applies `controls` and simulates one frame here.
//     }
//
// Lifetimes: a racer is plain data and owns nothing, so there is nothing to destroy. A copy of the
// struct saves and restores it. It keeps no pointer to the line or to any other argument: they need
// to live during the call only.
//
// Threads: use a racer from one thread at a time. Many racers may drive on one line at once.
//
// Does not: find a line (kerb/racing_line.h does), simulate the car, or enforce rules of a race.
#ifndef KERB_RACER_H
#define KERB_RACER_H

#include "control.h"
#include "racing_line.h"

// --------------------------------------------------------------------------- racing driver

/// Smallest grip that a racer learns, as a share of the grip that the host gives. [1]
#define KERB_RACER_LEARNT_LEAST 0.4f
/// Greatest grip that a racer learns, as a share of the grip that the host gives. [1]
#define KERB_RACER_LEARNT_MOST 1.15f

/// How a racer steers.
typedef enum kerb_racer_steering {
    /// Kerb's own: curvature of the line ahead, errors, yaw, understeer and slides.
    KERB_RACER_LINE,
    /// The paper's: the tip of an imaginary pole in front of the car stays on the line. (Vamos 3)
    KERB_RACER_POLE
} kerb_racer_steering;

/// What a racer does about wheels that spin or lock.
typedef enum kerb_racer_slip {
    KERB_RACER_SLIP_OFF,  ///< nothing: the host has traction control and anti-lock brakes
    KERB_RACER_SLIP_ON,   ///< releases the pedals, by kerb_motion.wheel_slip or by what it senses
    KERB_RACER_SLIP_LOCKS ///< as ON, and assumes from the start that the brakes can lock
} kerb_racer_slip;

/// Settings of a racer. Ranges and defaults: kerb_racer_settings_table. Every field may change at
/// any time.
typedef struct kerb_racer_settings {
    int32_t steering; ///< kerb_racer_steering

    // Speed.
    float grip_used;    ///< share of the lateral grip planned for corners [1] [0.1 … 1.2]
    float braking_used; ///< share of the brakes planned for braking [1] [0.1 … 1.2]
    float loss_margin;  ///< added to kerb_performance.braking_loss in planning [1] [0 … 1]
    float speed_time;   ///< time over which speed errors decay [s] [0.02 … 2]
    float fuel_saving;  ///< 0 none … 1 lifts early and shifts up early (Vamos 5) [1] [0 … 1]
    /// kerb_racer_slip. LOCKS is for cars without anti-lock brakes in hosts that do not give the
    /// wheel slip. With ON, a racer in such a car learns it at the first locked wheel.
    int32_t slip_control;

    /// Delay from the moment that the motion describes to the moment when the controls for it act,
    /// without the vehicle's own delays (steering, throttle) and without the time step. If controls
    /// act one frame late, it is the duration of a frame. If the motion is late, it is the age of
    /// the motion. If both are late, it is the sum. The racer predicts where the car will be after
    /// this delay and drives from there. [s] [0 … 0.3] Usual: 0.
    float latency;

    // Steering with KERB_RACER_LINE.
    float response_time;     ///< time over which errors decay at speed [s] [0.1 … 5]
    float response_distance; ///< distance over which errors decay at low speed [m] [0.5 … 50]
    /// Greatest slip angle of the front tyres, in units of their slip angle at half of their grip.
    /// More steering would only scrub off speed. [1] [1 … 20] Usual: 5.
    float slip_most;
    /// Slip angle of the rear tyres at which the racer releases the pedals the most, in units of
    /// their slip angle at half of their grip. Counts for both ways of steering. [1] [1 … 20]
    float slide;

    // Steering with KERB_RACER_POLE.
    float pole_time;  ///< length of the pole per speed [s] [0.05 … 5]
    float pole_least; ///< shortest pole [m] [0.5 … 100]

    /// Lane shift: wanted lateral offset from the line, as a share of the usable width on that
    /// side. 0 on the line, 1 at the left edge, -1 at the right edge. (Vamos 6) [1] [-1 … 1]
    float lane;
    float margin; ///< from the side of the car to the edge when it leaves the line [m] [0 … 10]

    // Skill and character. A skill below 1 lowers the pace, makes the car wander and causes
    // mistakes; the other fields say how. At skill 1 only aggression and pace_help have an effect.
    // All but `seed` and `pace_help` are [1] [0 … 1].
    float skill;        ///< 0 beginner … 1 as fast as the car can, without errors
    int32_t seed;       ///< another seed gives other errors at other places [0 … 16777215]
    float aggression;   ///< among other cars: 0 patient … 1 takes every gap
    float consistency;  ///< 0 every lap differs, more mistakes … 1 nearly equal laps
    float late_braking; ///< 0 brakes early, faster in the bend … 1 brakes late, slower there
    float smoothness;   ///< 0 presses the pedals quickly … 1 slowly
    /// Rubber-banding: the host may set it at any time, see kerb_racer_pace_help. 0: none. -1: the
    /// pace of skill 0. 1: the pace of skill 1, never more. Between them in proportion. Errors stay
    /// those of `skill`. The racer follows a change at 0.1 per second. [1] [-1 … 1]
    float pace_help;
    /// 1: learns lap by lap where the line has more or less grip than the host gives, within
    /// KERB_RACER_LEARNED_GRIP_MIN and KERB_RACER_LEARNED_GRIP_MAX. 0: off. It then keeps what it
    /// has learned, but does not use it.
    int32_t learning;

    // Other cars.
    float gap_time; ///< reaction time when the car ahead brakes; makes the gap larger [s] [0 … 5]
    float gap_least; ///< smallest gap to the car ahead [m] [0 … 20]
    float side_gap;  ///< clearance between cars side by side; aggression lowers it [m] [0 … 5]
    /// Wake of cars in this host, as in kerb_slipstream: share of its drag that a car loses
    /// directly behind another. 0: the host has no wakes. [1] [0 … 0.9]
    float slipstream;
    float slipstream_length; ///< gap at which half of `slipstream` is left [m] [1 … 200]

    kerb_stuck_settings stuck; ///< when the car counts as stuck, and how hard the racer tries
} kerb_racer_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_racer_settings_table;

/// Kerb's own way of steering, skill 1: as fast as the car can.
KERB_API kerb_racer_settings kerb_racer_settings_default(void);

/// Default settings with the steering of the Vamos paper. The pole cuts bends and damps nothing.
/// So `grip_used` is 0.5, and laps take about a quarter longer. Among other cars it may still leave
/// the track.
KERB_API kerb_racer_settings kerb_racer_settings_vamos(void);

/// Default settings with this skill and a random character: the seed decides aggression,
/// consistency, late_braking and smoothness, most of them near the middle. Give each opponent of a
/// field another seed. [skill: clamped to 0 … 1]
KERB_API kerb_racer_settings kerb_racer_settings_of_person(uint32_t seed, float skill);

/// A value for settings.pace_help from the gap between racer and player: negative (slower) when the
/// racer leads, positive (faster) when it is behind. It grows with the gap up to ±help_max at a gap
/// of ±range. [gap: racer ahead of the player, in any unit] [range: same unit, > 0]
/// [help_max: 0 … 1]
KERB_API float kerb_racer_pace_help(float gap, float range, float most);

/// Share of its drag that a car loses in the wake of another car:
/// drag_loss_max / (1 + gap / length) · (1 - |lateral_offset|), never negative.
///
/// That is `drag_loss_max` at the bumper of the other car, a half of it at the gap `length`, a
/// third at twice that gap, and nothing beside its track. A simple wake for hosts that have none of
/// their own. [gap: bumper to bumper, in m; below 0: returns 0] [lateral_offset: between the
/// middles of the cars, in widths of a car]
KERB_API float kerb_slipstream(float most, float length, float gap, float aside);

/// What a racer is doing. The reason for its speed is kerb_racer_decision.reason.
typedef enum kerb_racer_phase {
    KERB_RACER_DRIVES,   ///< races, or returns to the track
    KERB_RACER_SPINS,    ///< has lost control: brakes until the car stops or goes straight again
    KERB_RACER_TURNS,    ///< faces the wrong way and turns round, forwards
    KERB_RACER_BACKS_OUT ///< faces the wrong way and turns round, in reverse
} kerb_racer_phase;

/// What a racer decided in the last frame, for pictures and for finding out why.
typedef struct kerb_racer_thoughts {
    double distance;          ///< station: distance along the line, in [0, length] [m]
    double total;             ///< `distance` plus all laps since the racer joined this line [m]
    float cross_track_error;  ///< from the wanted lateral offset, left positive [m]
    float course_error;       ///< direction of motion against the line [rad]
    float heading_error;      ///< direction of the body against the line [rad]
    float line_curvature;     ///< of the line where the wheels will have turned [1/m]
    float curvature;          ///< commanded, left positive [1/m]
    float target_speed;       ///< [m/s]
    float acceleration;       ///< desired, along the direction of travel [m/s²]
    float slip_front;         ///< slip angle of the front axle, positive in left bends [rad]
    float slip_rear;          ///< slip angle of the rear axle [rad]
    float lane;               ///< present lane shift; beyond 1 or -1: off the track [1]
    bool off_track;           ///< the middle of the car is beyond an edge
    kerb_vec3 target;         ///< look-ahead point on its planned path, in the world [m]
    kerb_neighbour neighbour; ///< the other car that decides; length 0: none; `intent` is NULL
    int32_t phase;            ///< kerb_racer_phase
    float asks; ///< wants the car ahead to let it pass: its own pace as a skill; 0: no [0 … 1]
    kerb_reason reason; ///< what limits its speed, or its state
} kerb_racer_thoughts;

/// Greatest number of other cars to which a racer reacts: the nearest ones.
#define KERB_RACER_OTHERS 24

/// Number of stations of the line ahead for which a racer keeps speeds.
#define KERB_RACER_BINS 128

/// Greatest number of frames within kerb_racer_settings.latency. Beyond it, the oldest frame counts
/// for all earlier ones.
#define KERB_RACER_LATE 32

/// Greatest number of sections of a line for which a racer learns the grip.
#define KERB_RACER_LEARNT_BINS 128

/// A racing driver: settings, vehicle and memory. Plain data without pointers: a copy saves it. The
/// host may change settings, vehicle and performance at any time.
typedef struct kerb_racer {
    kerb_racer_settings settings;
    kerb_vehicle vehicle;
    /// What the car can do at its limit. Measured values are better than kerb_performance_of.
    kerb_performance performance;
    kerb_racer_thoughts thoughts; ///< of the last frame
    kerb_controls controls;       ///< commanded last
    int32_t bad_frames;           ///< frames with a bad motion or a bad time step

    // What it remembers. Read it if you like; the meaning may change between versions.
    struct {
        double line_key[4]; ///< of the line that it is on: points, length, start; 0: none yet
        double distance;    ///< along it [m]
        double rounds;      ///< whole rounds before that [m]
        kerb_vec3 position; ///< of the car in the last frame [m]
        int32_t phase;      ///< kerb_racer_phase
        float in_phase;     ///< [s]
        float side;         ///< turning round: to the left (1) or right (-1)
        kerb_stuck stuck;
        float tipped;       ///< on its side or roof for so long [s]
        float since_shift;  ///< [s]
        int32_t gear;       ///< told last
        float launch;       ///< share of the clutch that is let in [1]
        float slip;         ///< throttle taken because of spinning wheels [0 … 1]
        float throttle;     ///< told, smoothed [1]
        float pushed;       ///< forwards by the tyres, smoothed [m/s²]
        float pulls;        ///< the engine, by what power and gears promise, as learnt; 0: not yet
        float locked;       ///< front wheels seem to stand [0 … 1]
        float slide;        ///< slip of the rear that no bend explains, lately [rad]
        float wide;         ///< its front gives way, and it runs wide, smoothed [0 … 1]
        float trim;         ///< further angle of the wheels at the limit, as learnt [rad]
        float firm;         ///< seems to be a host in which cars slip nowhere; below 0: surely not
        float firm_place;   ///< there what moves along the body: rear axle 0 … reference point 1
        float half_slip[2]; ///< slip angles of front and rear at half of the grip, as learnt [rad]
        float seen_slip[2]; ///< the same, by what it has measured alone; 0: nothing yet [rad]
        float half_slip_time; ///< for so long it has measured them [s]
        float steering;       ///< angle told last [rad]
        float wheels;         ///< where the wheels should stand by what they were told [rad]
        kerb_vec3 forward;    ///< of the body in the last frame
        float turned;         ///< how fast that turns, smoothed [rad/s]
        float brakes;         ///< deceleration by the whole pedal, as learnt; 0: not yet [m/s²]
        bool locks;           ///< it is told of wheels that nothing keeps from locking
        bool stood;           ///< it is not told, but has felt wheels stand
        float hold;           ///< share of the brakes that is to be had without locking [1]
        float tail;           ///< share of the brakes that brings the rear round, as learnt [1]
        float held;           ///< slowing by the brakes, smoothed [m/s²]
        float pressed;        ///< the brake pedal, smoothed [1]
        float lock;           ///< brakes taken because of locking wheels [0 … 1]
        float push;           ///< of the tyres along the car, as wanted last [m/s²]
        float speed;          ///< of the last frame [m/s]
        float course;         ///< of the motion against the line's [rad]
        float course_cosine;  ///< of the last frame's
        float turning;        ///< how fast that changes, smoothed; not the body's yaw [rad/s]
        float lane;           ///< on its way to the setting [1]
    } memory;
    // What it told in the last frames, the last first, where that acts late.
    struct {
        int32_t count;
        float grip_aside; ///< of the last frame [m/s²]
        float last[4];    ///< then: speeds ahead and aside, yaw, wheels [m/s], [rad/s], [rad]
        float lacks[3];   ///< accelerations that its model lacks [m/s²], [rad/s²]
        float time_step[KERB_RACER_LATE]; ///< of the frame for which it was told [s]
        float steering[KERB_RACER_LATE];  ///< [rad]
        float wheels[KERB_RACER_LATE];    ///< where they should have stood after it [rad]
        float push[KERB_RACER_LATE];      ///< of the tyres along the car [m/s²]
    } late;
    // Skill and temper.
    struct {
        float help;            ///< pace_help on its way [1]
        float near;            ///< somebody is near: 0 no … 1 yes, on its way [1]
        bool is_near;          ///< when it last looked
        float waits;           ///< until it answers to what let it go [s]
        float throttle, brake; ///< where its feet are [1]
    } skill;
    // What it has learnt of the line, in even pieces of 40 m at least; all forgotten on another.
    struct {
        double length;      ///< of the line that it is about [m]
        int32_t count;      ///< and its points
        double way;         ///< so far it came on it [m]
        int32_t bin;        ///< that it is in
        float common;       ///< what the pieces have in common [1]
        float pause;        ///< learns nothing for so long [s]
        float driven, slip; ///< in this bin at the limit of its plan, and the slip then [s]
        float lost;         ///< in this bin, with tyres at their limit [s]
        float lost_use;     ///< what they held then, by what it was told [1]
        float along, aside; ///< what the tyres hold, by what the car does [m/s²]
        float use_now;      ///< that in all, by what it was told [1]
        float use;          ///< the most of it in the last seconds [1]
        float lacks;        ///< what they held less where they slid, on average [1]
        float slids;        ///< of so many slides, only bad ones counted whole
        float edge_slip;    ///< the front's most near an edge, by that at the limit [1]
        float slides;       ///< for so long [s]
        float bad;          ///< how bad it is now, not yet blamed on anything [0 … 1]
        float lasting;      ///< of that what is not only a slide [0 … 1]
        float chain;  ///< how far it came since a slide that may be to blame for what comes [m]
        float quiet;  ///< since it slid [s]
        int32_t away; ///< it has left the track, and that is blamed on something (1)
        kerb_vec3 velocity;                   ///< of the last frame [m/s]
        float grip[KERB_RACER_LEARNT_BINS];   ///< share of the grip it was told [1]
        uint8_t seen[KERB_RACER_LEARNT_BINS]; ///< times that it has learnt of it; 0: `common` holds
        uint8_t held[KERB_RACER_LEARNT_BINS]; ///< times that it must not rise
        uint8_t falls[KERB_RACER_LEARNT_BINS]; ///< times that it fell
    } learnt;
    // The others, and the way beside the line that they make it take.
    struct {
        struct {
            uint32_t id;
            float age;          ///< since it was looked at [s]
            float ahead;        ///< of the racer's middle, along the line, now [m]
            float speed;        ///< along the line [m/s]
            float acceleration; ///< smoothed [m/s²]
            float pace;         ///< in bends, by what the racer plans there [1]
            float brakes;       ///< at the hardest so far, by what the racer could have [1]
            int32_t side;       ///< on which it is passed: 1 left, -1 right, 0 not; 2: dropped back
            // The rest is for frames in which he is not looked at.
            float offset, drift; ///< from the line to the left, and how fast that grows [m], [m/s]
            float scale;         ///< metres of the racer's lane for each of the line [1]
            float half_length, half_width; ///< along and across the line [m]
            float catch_in, clear_in;      ///< reached, and passed, in so long; 1e6: not [s]
            float catch_at, clear_at;      ///< so far on from the racer's middle [m]
        } known[KERB_RACER_OTHERS];
        /// Where in `known` the host's neighbours are: guesses.
        uint8_t hints[32];
        int32_t known_count;
        float braked;    ///< the first of the others before it, so long ago; 0: none yet [s]
        float looked;    ///< so long ago it looked where those near are [s]
        float since;     ///< it last thought of whom to pass [s]
        float pause;     ///< it thinks again so long after that [s]
        float passed;    ///< between the last two thoughts [s]
        float far_speed; ///< that those far ahead allowed then [m/s]
        bool active;     ///< the way differs from the line
        int32_t yields;  ///< lets another lap it, and moves to the left (1) or right (-1) for that
        int32_t defends; ///< covers the inside of a bend to the left (1) or right (-1)
        double defends_to;  ///< until there, in thoughts.total; 0: never yet [m]
        uint32_t yields_to; ///< its id
        float yields_for;   ///< so long already [s]
        float yield_speed;  ///< lets by who asked, and drives no faster [m/s]
        float yield_least;  ///< and never need be slower [m/s]
        int32_t bend;       ///< next to brake for with others beside it: left (1), right (-1), none
        double bend_brakes, bend_apex; ///< where, in thoughts.total [m]
        bool squeezed;                 ///< somebody must give way: no room side by side
        bool kept;                     ///< its last thought left the way as it was
        bool way_due;                  ///< the way of its last thought is laid in the next frame
        float held;       ///< share of its speed that rivals before it have cost it lately [1]
        float asks;       ///< to be let by: its pace, or 0 [1]
        float asked;      ///< somebody behind it has asked to be let by for so long [s]
        float blocked;    ///< stands behind what stands, for so long [s]
        float way_offset; ///< of the way from the line, where the car is [m]
        float way_slope;  ///< and by which it changes, per metre [1]
    } traffic;
    // The line ahead in even bins, with the greatest speeds from which all beyond can be met.
    struct {
        float key[7];  ///< what it was made for
        float spacing; ///< of the bins [m]
        int32_t first; ///< lowest bin that is filled, counted from the line's start
        int32_t end;   ///< one past the last
        int32_t taken; ///< before it the way was laid anew, and its speeds are not known yet
        int32_t aside; ///< from there on the way is the lane, as if nobody were there
        int32_t fresh; ///< from there on bins are new
        /// The next whose speed on the way new ones may lower, and on its lane; before first: none.
        int32_t back, back_lane;
        bool anew;                        ///< all of it was filled since the others were looked at
        float curvature[KERB_RACER_BINS]; ///< of the way driven, left positive [1/m]
        float line_curvature[KERB_RACER_BINS];               ///< of the line
        float left[KERB_RACER_BINS], right[KERB_RACER_BINS]; ///< from it to the edges [m]
        float normal_curvature[KERB_RACER_BINS];
        float up_forward[KERB_RACER_BINS], up_left[KERB_RACER_BINS], up_normal[KERB_RACER_BINS];
        float grip[KERB_RACER_BINS];
        float brakes[KERB_RACER_BINS];      ///< share of the braking that this would give [1]
        float offset[KERB_RACER_BINS];      ///< of the way from the line, left positive [m]
        float wander[KERB_RACER_BINS];      ///< by which it errs from that, alone [m]
        float corner[KERB_RACER_BINS];      ///< greatest speed² for the bend itself [m²/s²]
        float squared[KERB_RACER_BINS];     ///< from which all beyond can be met [m²/s²]
        float free_corner[KERB_RACER_BINS]; ///< both on its lane, as if nobody were there [m²/s²]
        float free_squared[KERB_RACER_BINS]; ///< …
    } ahead;
} kerb_racer;

/// A racer with default settings that has not driven yet. Its performance is kerb_performance_of
/// with the braking_loss and driving_loss of usual cars. The vehicle must be valid.
KERB_API kerb_racer kerb_racer_make(const kerb_vehicle* vehicle);

/// Computes the controls for this frame. O(1) per frame; O(points of the line) when the racer has
/// to find its place on a line. Allocates nothing. `surroundings` may be NULL: no speed cap, grip
/// 1, no other cars. Otherwise every field counts.
///
/// The line may be another one in every frame; it needs at least two points. On an open line the
/// racer passes the end at full speed and then stops, reason KERB_REASON_ARRIVED.
///
/// - Speed: from the shape and surface of the line and from the performance of the car. The racer
///   finds braking points by computing back from each corner, with the grip that cornering leaves
///   for braking. It does not use the `speed` of the line's points, so different cars may share a
///   line.
/// - Other cars (Vamos 6, and what that leaves open): behind a car that is in its path the racer
///   keeps a gap in which it can stop. Beside a car it leaves that car its width and a clearance.
///   It overtakes a slower car in three cases: it will be clear of the car before the next bend; it
///   will at least be beside the car there, on the inside; or it closes in during the bend, faster
///   than the longer path slows it down. It drives round cars that have stopped or are in trouble.
///   It lets cars pass that lap it (kerb_surroundings.laps). The order of the neighbours does not
///   matter; the nearest KERB_RACER_NEIGHBOURS_MAX count.
/// - Gears (Vamos 5): it shifts up when the next gear pulls more, and down before a corner. It does
///   not shift in the middle of a corner. The throttle matches the engine speed to the gear.
/// - Trouble: off the track it returns at an angle that the grip allows. After a spin it stops,
///   turns round and goes on. Stuck, it reverses out, and in the end requests a teleport
///   (KERB_REASON_TELEPORT). A car on its side or roof requests one as soon as it has lain there
///   for a second and is nearly still.
///
/// time_step: time since the last call. [s] [> 0, < 1000] Usual: 0.005 to 0.05. Any other time step
/// returns the last controls again, reason KERB_REASON_BAD_STEP. A motion that is not finite, or
/// faster than 10 km/s or 10,000 rad/s, returns safe controls, reason KERB_REASON_BAD_MOTION.
/// `bad_frames` counts both.
KERB_API kerb_controls kerb_racer_drive(kerb_racer* racer, const kerb_racing_line* line,
                                        const kerb_motion* motion,
                                        const kerb_surroundings* surroundings, float time_step);

#endif
