// What a racing driver keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_RACER_MEMORY_H
#define KERB_PRIVATE_RACER_MEMORY_H

#include "../control.h"
#include "../math.h"
#include "../vehicle.h"

/// Greatest number of other cars to which a racer reacts: the nearest ones.
#define KERB_RACER_NEIGHBOURS_MAX 24

/// Number of stations of the line ahead for which a racer keeps speeds.
#define KERB_RACER_LOOKAHEAD_BINS 128

/// Greatest number of frames within kerb_racer_settings.latency. Beyond it, the oldest frame counts
/// for all earlier ones.
#define KERB_RACER_LATENCY_FRAMES 32

/// Greatest number of sections of a line for which a racer learns the grip.
#define KERB_RACER_LEARNED_BINS 128

// What a racing driver remembers. Lengths in metres, angles in radians, times in seconds.
typedef struct kerb_racer_memory {
    double line_key[4]; ///< of the line that it is on: points, length, start; 0: none yet
    double distance;    ///< along it [m]
    double rounds;      ///< whole rounds before that [m]
    kerb_vec3 position; ///< of the car in the last frame [m]
    int32_t phase;      ///< kerb_racer_phase
    float in_phase;     ///< [s]
    float side;         ///< turning round: to the left (1) or right (-1)
    kerb_stuck stuck;
    float tipped;         ///< on its side or roof for so long [s]
    float since_shift;    ///< [s]
    int32_t gear;         ///< told last
    float launch;         ///< share of the clutch that is let in [1]
    float slip;           ///< throttle taken because of spinning wheels [0 … 1]
    float throttle;       ///< told, smoothed [1]
    float pushed;         ///< forwards by the tyres, smoothed [m/s²]
    float pulls;          ///< the engine, by what power and gears promise, as learnt; 0: not yet
    float locked;         ///< front wheels seem to stand [0 … 1]
    float slide;          ///< slip of the rear that no bend explains, lately [rad]
    float wide;           ///< its front gives way, and it runs wide, smoothed [0 … 1]
    float trim;           ///< further angle of the wheels at the limit, as learnt [rad]
    float firm;           ///< seems to be a host in which cars slip nowhere; below 0: surely not
    float firm_place;     ///< there what moves along the body: rear axle 0 … reference point 1
    float half_slip[2];   ///< slip angles of front and rear at half of the grip, as learnt [rad]
    float seen_slip[2];   ///< the same, by what it has measured alone; 0: nothing yet [rad]
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
    // What it told in the last frames, the last first, where that acts late.
    struct {
        int32_t count;
        float grip_aside; ///< of the last frame [m/s²]
        float last[4];    ///< then: speeds ahead and aside, yaw, wheels [m/s], [rad/s], [rad]
        float lacks[3];   ///< accelerations that its model lacks [m/s²], [rad/s²]
        float time_step[KERB_RACER_LATENCY_FRAMES]; ///< of the frame for which it was told [s]
        float steering[KERB_RACER_LATENCY_FRAMES];  ///< [rad]
        float wheels[KERB_RACER_LATENCY_FRAMES];    ///< where they should have stood after it [rad]
        float push[KERB_RACER_LATENCY_FRAMES];      ///< of the tyres along the car [m/s²]
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
        kerb_vec3 velocity;                  ///< of the last frame [m/s]
        float grip[KERB_RACER_LEARNED_BINS]; ///< share of the grip it was told [1]
        uint8_t
            seen[KERB_RACER_LEARNED_BINS]; ///< times that it has learnt of it; 0: `common` holds
        uint8_t held[KERB_RACER_LEARNED_BINS];  ///< times that it must not rise
        uint8_t falls[KERB_RACER_LEARNED_BINS]; ///< times that it fell
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
        } known[KERB_RACER_NEIGHBOURS_MAX];
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
        bool anew; ///< all of it was filled since the others were looked at
        float curvature[KERB_RACER_LOOKAHEAD_BINS];      ///< of the way driven, left positive [1/m]
        float line_curvature[KERB_RACER_LOOKAHEAD_BINS]; ///< of the line
        float left[KERB_RACER_LOOKAHEAD_BINS],
            right[KERB_RACER_LOOKAHEAD_BINS]; ///< from it to the edges [m]
        float normal_curvature[KERB_RACER_LOOKAHEAD_BINS];
        float up_forward[KERB_RACER_LOOKAHEAD_BINS], up_left[KERB_RACER_LOOKAHEAD_BINS],
            up_normal[KERB_RACER_LOOKAHEAD_BINS];
        float grip[KERB_RACER_LOOKAHEAD_BINS];
        float brakes[KERB_RACER_LOOKAHEAD_BINS]; ///< share of the braking that this would give [1]
        float offset[KERB_RACER_LOOKAHEAD_BINS]; ///< of the way from the line, left positive [m]
        float wander[KERB_RACER_LOOKAHEAD_BINS]; ///< by which it errs from that, alone [m]
        float corner[KERB_RACER_LOOKAHEAD_BINS]; ///< greatest speed² for the bend itself [m²/s²]
        float squared[KERB_RACER_LOOKAHEAD_BINS]; ///< from which all beyond can be met [m²/s²]
        float free_corner[KERB_RACER_LOOKAHEAD_BINS]; ///< both on its lane, as if nobody were there
                                                      ///< [m²/s²]
        float free_squared[KERB_RACER_LOOKAHEAD_BINS]; ///< …
    } ahead;
} kerb_racer_memory;

#endif
