// Kerb racer: a racing driver.
//
// Drives a car along a racing line as fast as the car can, alone or among others, with any skill.
//
//     kerb_racer racer = kerb_racer_make(&car);
//     each frame: controls = kerb_racer_drive(&racer, &line, &motion, &surroundings, time_step);
#ifndef KERB_RACER_H
#define KERB_RACER_H

#include "control.h"
#include "racing_line.h"

// --------------------------------------------------------------------------- racing driver

/// What a racer learns of the grip stays between these, by what it was told. [1]
#define KERB_RACER_LEARNT_LEAST 0.4f
#define KERB_RACER_LEARNT_MOST 1.15f

/// How a racing driver steers.
typedef enum kerb_racer_steering {
    KERB_RACER_LINE, ///< Kerb's own: the line's curvature ahead, errors, yaw, understeer, slides
    KERB_RACER_POLE  ///< the tip of a pole in front of the car is held on the line (Vamos 3)
} kerb_racer_steering;

/// What a racing driver does about wheels that spin or lock.
typedef enum kerb_racer_slip {
    KERB_RACER_SLIP_OFF,  ///< nothing: the host has traction control and anti-lock brakes
    KERB_RACER_SLIP_ON,   ///< eases off, by kerb_motion.wheel_slip, or as far as it can tell
    KERB_RACER_SLIP_LOCKS ///< the same, and counts on brakes that lock before it has felt it
} kerb_racer_slip;

/// All that can be set on a racing driver. Ranges and defaults: kerb_racer_settings_table.
typedef struct kerb_racer_settings {
    int32_t steering; ///< kerb_racer_steering

    // Speed.
    float grip_used;    ///< share of the sideways grip that it plans corners with [1]
    float braking_used; ///< share of the brakes that it plans with [1]
    float loss_margin;  ///< further braking_loss that it plans with [1]
    float speed_time;   ///< speed errors fade over about this time [s]
    float fuel_saving;  ///< 0 none … 1: lifts early and shifts up early (Vamos 5) [1]
    /// kerb_racer_slip. LOCKS is for cars without anti-lock brakes in hosts that cannot tell of the
    /// wheels; left ON, a driver finds that out where they lock first.
    int32_t slip_control;

    /// From the moment that the motion is of to that from which the controls for it act, where that
    /// is later: a host whose controls act a frame late has the time of a frame here, one that
    /// tells motion late the delay of that, both the sum. The vehicle's own delays (steering,
    /// throttle) and the time step itself are not in it. It drives from where it will be then. [s]
    float latency;

    // Steering, KERB_RACER_LINE.
    float response_time;     ///< errors fade over about this time at speed … [s]
    float response_distance; ///< … and over about this distance when slow [m]
    float slip_most;         ///< of the front tyres, by that of half grip: more only scrubs [1]
    float slide;             ///< of the rear tyres, likewise: at it the pedals are let go [1]

    // Steering, KERB_RACER_POLE.
    float pole_time;  ///< length of the pole per speed [s]
    float pole_least; ///< and at least [m]

    /// Beside the line, as a share of the room to the edge: 0 on the line, 1 at the left edge, -1
    /// at the right edge. (Vamos 6, lane shift)
    float lane;
    float margin; ///< that it keeps from the side of the car to the edge when off the line [m]

    // Skill and temper. What is lacking to skill 1 takes from the pace, makes the car wander and
    // mistakes happen; the other numbers say how that shows. At skill 1 none of them does anything,
    // aggression and pace_help apart.
    float skill;        ///< 0 learner … 1: as fast as it can, without errors [1]
    int32_t seed;       ///< another one, other errors at other places
    float aggression;   ///< among others: 0 patient … 1 takes every gap [1]
    float consistency;  ///< 0 no two laps alike, more mistakes … 1 nearly all laps alike [1]
    float late_braking; ///< 0 slow in, fast out … 1 brakes late, and is slower in the bend [1]
    float smoothness;   ///< 0 quick feet … 1 presses the pedals down slowly [1]
    /// Rubber-banding, for the host to set at any time; see kerb_racer_pace_help. 0 none; -1 paces
    /// it as skill 0, 1 as skill 1, between them in proportion, never faster than that. Its errors
    /// stay as they are. It comes and goes over ten seconds a unit. [-1 … 1]
    float pace_help;
    /// Learns lap by lap where a line holds more or less than it was told, between
    /// KERB_RACER_LEARNT_LEAST and KERB_RACER_LEARNT_MOST of that. Off: keeps what it has learnt
    /// and does not use it.
    int32_t learning; ///< 0 off, 1 on
    // Others.
    float gap_time;  ///< behind another, until it brakes when that one does [s]
    float gap_least; ///< behind another [m]
    float side_gap;  ///< between the sides of cars side by side; aggression takes from it [m]
    /// The wake behind others in this host, as in kerb_slipstream: the share of its drag that a car
    /// loses close behind another, and where half of that is left. 0: the host has none. [1], [m]
    float slipstream;
    float slipstream_length;

    kerb_stuck_settings stuck;
} kerb_racer_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_racer_settings_table;

/// Kerb's own driver, as fast as it can.
KERB_API kerb_racer_settings kerb_racer_settings_default(void);

/// The same, steering as the paper does. The pole cuts bends and damps nothing, so `grip_used` is
/// 0.5 and laps take a quarter longer; among others it may still run wide.
KERB_API kerb_racer_settings kerb_racer_settings_vamos(void);

/// Somebody: default settings with this skill, held to [0, 1], and a temper and habits that follow
/// from the seed, most of them near the middle. A field of opponents: a seed for each.
KERB_API kerb_racer_settings kerb_racer_settings_of_person(uint32_t seed, float skill);

/// A value for settings.pace_help from the gap to the player: negative, holding back, when the
/// racer leads by `gap`, positive when it is behind; `most` from a gap of `range` on, in proportion
/// before. [gap: racer ahead of the player, any unit] [range: the same unit, > 0] [most: 0 … 1]
KERB_API float kerb_racer_pace_help(float gap, float range, float most);

/// The share of its drag that a car loses behind another: most / (1 + gap / length), so `most` at
/// his bumper, a half of it `length` farther back, a third at twice that; less, the farther it is
/// beside his track, nothing from a car's width on. A simple wake for hosts that have none of their
/// own. [gap: bumper to bumper; less than 0: 0] [aside: between the middles, by a car's width]
KERB_API float kerb_slipstream(float most, float length, float gap, float aside);

/// What it is doing, apart from its reasons to be slow.
typedef enum kerb_racer_phase {
    KERB_RACER_DRIVES,   ///< races, or comes back to the track
    KERB_RACER_SPINS,    ///< has lost the car: brakes until it stands or goes straight again
    KERB_RACER_TURNS,    ///< faces the wrong way and turns round, forwards
    KERB_RACER_BACKS_OUT ///< the same or stuck, in reverse
} kerb_racer_phase;

/// What the racer thought in the last frame, for pictures and for questions.
typedef struct kerb_racer_thoughts {
    double distance;          ///< along the line, in [0, length] [m]
    double total;             ///< the same, laps counted, since it first found itself there [m]
    float cross_track_error;  ///< from where it wants to be beside the line, left positive [m]
    float course_error;       ///< of the direction of motion against the line's [rad]
    float heading_error;      ///< of the body against the line's direction [rad]
    float line_curvature;     ///< of the line where the wheels will have turned [1/m]
    float curvature;          ///< commanded, left positive [1/m]
    float target_speed;       ///< [m/s]
    float acceleration;       ///< wanted along the direction of travel [m/s²]
    float slip_front;         ///< slip angles of the axles, left bends positive [rad]
    float slip_rear;          ///< [rad]
    float lane;               ///< where it is: lane shift, beyond 1 or -1 off the track [1]
    bool off_track;           ///< the middle of the car is past the edge
    kerb_vec3 target;         ///< on its way ahead, in the world [m]
    kerb_neighbour neighbour; ///< that decides what it does; length 0: none does; no intent
    int32_t phase;            ///< kerb_racer_phase
    float asks;               ///< to be let by: for kerb_neighbour.asks, or to flash its lights
    kerb_reason reason;
} kerb_racer_thoughts;

/// Most other cars that a racer minds: the nearest.
#define KERB_RACER_OTHERS 24

/// Places of the line ahead that a racer keeps in mind.
#define KERB_RACER_BINS 128

/// Frames that may lie within kerb_racer_settings.latency; the rest count as the oldest of them.
#define KERB_RACER_LATE 32

/// Pieces of a line of which a racer learns, at most.
#define KERB_RACER_LEARNT_BINS 128

/// A racing driver: settings, vehicle, memory. Plain data without pointers; change settings,
/// vehicle and performance at any time.
typedef struct kerb_racer {
    kerb_racer_settings settings;
    kerb_vehicle vehicle;
    /// What the car can do at its limit; measured is better than kerb_performance_of.
    kerb_performance performance;
    kerb_racer_thoughts thoughts;
    kerb_controls controls; ///< that it gave last
    int32_t bad_frames;     ///< frames with motion that was not finite or a bad time step

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

/// A driver at the start of its life: default settings, the performance of kerb_performance_of.
KERB_API kerb_racer kerb_racer_make(const kerb_vehicle* vehicle);

/// The controls for this frame: as fast along the line as the car can. `surroundings` may be NULL,
/// when there is nothing to tell; else every field of it counts. Allocates nothing. O(1) a frame,
/// O(points) when it finds itself on a line anew.
///
///     kerb_racer racer = kerb_racer_make(&car);
///     each frame: controls = kerb_racer_drive(&racer, &line, &motion, &surroundings, time_step);
///
/// examples/race_a_car.c is a whole program, examples/race_each_other.c one with others.
///
/// The line may be another one in every frame. On an open line it goes through the end at full
/// speed and stops behind it, reason KERB_REASON_ARRIVED.
///
/// - Speeds: the line's shape and surface, the car's performance. Braking points come from braking
///   in thought from each corner backwards, with what cornering leaves of the tyres. The line's own
///   `speed` is not used, so cars of any kind may share a line.
/// - Others (Vamos 6 and what it leaves open): it follows who is in its way so that it could stop
///   behind him; leaves who is beside it his width and a margin; passes who is slower where it will
///   be clear of him, or at least beside him on the inside, before the next bend, or comes up to
///   him there faster than the way round him costs; goes round what stands or is in trouble; and
///   lets by who comes to lap it (kerb_surroundings.laps). Neighbours are placed on the line, so
///   they may be told in any order; the nearest KERB_RACER_OTHERS count.
/// - Gears as in Vamos 5: up when the next gear pulls more, down before the corner, none in the
///   middle of it; the throttle matches the engine to the gear.
/// - Off the track it comes back at an angle that it can hold; having spun it stops, turns round
///   and goes on; stuck it backs out, and asks in the end to be put back (KERB_REASON_TELEPORT).
///   On its side or roof it asks for that as soon as it lies still for a second.
///
/// time_step: since the last call [s] [> 0, < 1000, usually 0.005 to 0.05]. Another step repeats
/// the last controls; motion that is not finite, or faster than 10 km/s or 10,000 rad/s, gives the
/// safe controls. Both are counted.
KERB_API kerb_controls kerb_racer_drive(kerb_racer* racer, const kerb_racing_line* line,
                                        const kerb_motion* motion,
                                        const kerb_surroundings* surroundings, float time_step);

#endif
