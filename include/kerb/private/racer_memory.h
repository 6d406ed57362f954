// What a racing driver keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_RACER_MEMORY_H
#define KERB_PRIVATE_RACER_MEMORY_H

#include "../control.h"
#include "../host_check.h"
#include "../lap_learner.h"
#include "../math.h"
#include "../vehicle.h"
#include "hand_over_memory.h"
#include "motion_memory.h"
#include "track_memory.h"

/// Greatest number of other cars to which a racer reacts: the nearest ones.
#define KERB_RACER_NEIGHBOURS_MAX 24

/// Number of stations of the line ahead for which a racer keeps speeds. A power of two, because the
/// stations are kept in a ring.
#define KERB_RACER_LOOKAHEAD_BINS 128

/// Greatest number of frames within kerb_racer_settings.latency. Beyond it, the oldest frame counts
/// for all earlier ones.
#define KERB_RACER_LATENCY_FRAMES 32

/// Greatest number of sections of a line for which a racer learns the grip.
#define KERB_RACER_LEARNED_BINS 128

/// Number of sections whose time together tells whether more speed paid.
#define KERB_RACER_LEARNED_SPAN 3

// What a racing driver remembers. Lengths in metres, angles in radians, times in seconds. The
// planned path is the racing line plus a lateral offset; the lane is the path that the setting
// lane_shift asks for when no other car is near.
typedef struct kerb_racer_memory {
    double line_key[4]; ///< identifies the line: points, length, start (x, y); first 0: no line yet
    double distance;    ///< station: distance along the line, in [0, length) on a closed line [m]
    double rounds;      ///< length of all whole rounds driven before `distance` [m]
    double before_jump; ///< total distance before the host put the car elsewhere [m]
    float since_jump;   ///< time since then; a second later the next jump counts for itself [s]
    kerb_motion_memory motion;
    kerb_performance car;     ///< what it drives by: the host's, with what was learned
    kerb_lap_learner learner; ///< what laps taught about the car; length of its line 0: nothing
    float learner_age;        ///< time since `car` was made from it [s]
    float scale;              ///< kerb_vehicle_scale of its car, for what it knows in metres …
    float speed_scale;        ///< … and its root, for speeds and times [1]
    kerb_track_memory track;  ///< what it learned of its steering; gain 0: nothing
    // Where the host tells how its wheels stand, for which commands. Shares of the greatest angle.
    struct {
        float gain, trim;             ///< share = gain · command + trim, when it has acted [1]
        float dead;                   ///< time until it begins to act [s]
        float rate;                   ///< at which they turn at most [1/s]
        float reached;                ///< the command that wheels of that rate have reached
        float since;                  ///< time for which they have turned at it, its sign [s]
        float command[2], share[2];   ///< smoothed once and twice
        float turning[2];             ///< … `since` [s]
        float matrix[5][5], right[5]; ///< normal equations; matrix[3][3] 0: nothing is told
    } wheels_told;
    int32_t phase;  ///< kerb_racer_phase
    float in_phase; ///< time since that phase began [s]
    float side;     ///< direction in which it turns round: 1 left, -1 right
    kerb_stuck stuck;
    float scraping;       ///< time for which it has steered hard and slowly, and did not turn [s]
    float farthest;       ///< off the track since it left it [m]
    float tipped;         ///< time for which the car has lain on its side or roof [s]
    float since_shift;    ///< time since the last gear shift began [s]
    int32_t gear;         ///< gear commanded last
    float launch;         ///< how far the clutch is engaged during a launch [0 … 1]
    float slip;           ///< share of the throttle removed because of spinning wheels [0 … 1]
    float throttle;       ///< commanded throttle, smoothed [1]
    float pushed;         ///< measured forward acceleration by the tyres, smoothed [m/s²]
    float pulls;          ///< learned pull of the engine over what power and gears promise; 0: none
    float locked;         ///< confidence that the front wheels are locked [0 … 1]
    float slide;          ///< recent slip angle of the rear that no bend explains [rad]
    float wide;           ///< how far the front slides and the car runs wide, smoothed [0 … 1]
    float trim;           ///< learned extra angle of the wheels at the limit of grip [rad]
    float firm;           ///< confidence that the host has rigid tyres; below 0: it has not [1]
    float firm_place;     ///< rigid tyres: point that moves along the body: rear axle 0 …
                          ///< reference point 1
    float half_slip[2];   ///< slip angles of front and rear at half of the grip, learned [rad]
    float seen_slip[2];   ///< as half_slip, from measurements alone; 0: no measurement yet [rad]
    float half_slip_time; ///< total time of those measurements [s]
    float yaw_before;     ///< yaw rate in the last frame [rad/s]
    float yaw_changes[8]; ///< its changes in the last frames, the newest first [rad/s]
    float yaw_echoes[9];  ///< sums of a change times itself, and times each of those
    float yaw_overreacts; ///< share of the yaw damping that is too much for this host [0 … 1]
    float steering;       ///< steering angle commanded last [rad]
    float wheels;         ///< estimated angle of the front wheels, from the commands [rad]
    float reached;        ///< … by the rate at which they turn alone [rad]
    float short_of;       ///< by how much they stay behind the commands, smoothed [rad]
    kerb_vec3 forward;    ///< direction of the body in the last frame, unit vector
    float turned;         ///< yaw rate by the change of that direction, smoothed [rad/s]
    float brakes;         ///< learned deceleration at full pedal; 0: not learned yet [m/s²]
    bool locks;           ///< the host reports wheel slip, so the wheels can lock
    bool stood;           ///< the host reports none, but a locked wheel was detected once
    float hold;           ///< share of the brakes that does not lock the wheels [1]
    float tail;           ///< share of the brakes removed because the rear slid, learned [1]
    float held;           ///< measured deceleration by the brakes, smoothed [m/s²]
    float pressed;        ///< commanded brake pedal, smoothed [1]
    float lock;           ///< share of the brakes removed because of locking wheels [0 … 1]
    float push;           ///< desired acceleration by the tyres along the car, last frame [m/s²]
    float asked; ///< the part of it that drives, as far as tyres and engine are believed to give it
                 ///< [m/s²]
    float sinks; ///< resistance of the ground off the track, from what it did not gain [m/s²]
    float speed; ///< along the body in the last frame [m/s]
    float course;        ///< direction of motion against that of the line [rad]
    float course_cosine; ///< cosine of `course` in the last frame
    float turning;       ///< rate of turn of the path driven, smoothed; not the yaw rate [rad/s]
    float lane;          ///< lane shift on its way to the setting [1]
    // What it commanded in the last frames, newest first. Used with a latency.
    struct {
        float dead;       ///< learned time from a command to the wheels' first motion [s]
        float known;      ///< normal matrix of the dead time … [1/s²] [0: not begun]
        float turned;     ///< … of the wheels' gain [1]
        float mixed;      ///< … and of both [1/s]
        float by_change;  ///< right side of the dead time [1/s]
        float by_turn;    ///< … and of the gain [1]
        int32_t count;    ///< number of frames stored
        float grip_aside; ///< lateral grip in the last frame [m/s²]
        float last[4];  ///< last frame: speeds ahead and to the left, yaw rate, wheel angle [m/s],
                        ///< [rad/s], [rad]
        float lacks[3]; ///< accelerations that its model does not explain [m/s²], [rad/s²]
        float turns_more; ///< yaw rate beyond the one that wheels without slip give [rad/s]
        float time_step[KERB_RACER_LATENCY_FRAMES]; ///< duration of each frame [s]
        float steering[KERB_RACER_LATENCY_FRAMES];  ///< commanded steering angle [rad]
        float wheels[KERB_RACER_LATENCY_FRAMES];    ///< estimated wheel angle after it [rad]
        float push[KERB_RACER_LATENCY_FRAMES]; ///< commanded acceleration along the car [m/s²]
    } late;
    // Skill and character.
    struct {
        float help;            ///< pace_help on its way to the setting [1]
        float near;            ///< another car is near: 0 no … 1 yes, smoothed [1]
        bool is_near;          ///< as found when it last looked
        float waits;           ///< reaction time left until it sets off [s]
        float throttle, brake; ///< pedals in the last frame [1]
    } skill;
    // What it has learned about the line, in sections of equal length, 40 m or more. Forgotten on
    // another line.
    struct {
        double length;      ///< length of the line that this is about [m]
        int32_t count;      ///< number of its points
        double way;         ///< distance driven on it since learning began [m]
        int32_t bin;        ///< index of the present section
        float common;       ///< grip that sections have in common, share of the host's [1]
        float pause;        ///< time until it learns again [s]
        float driven, slip; ///< this section: time driven as planned; slip times that time [s]
        float lost;         ///< this section: time with the tyres at their limit [s]
        float lost_use;     ///< greatest grip measured in that time, share of the host's [1]
        float along, aside; ///< measured acceleration by the tyres, smoothed [m/s²]
        float use_now;      ///< both together, as a share of the grip that the host gives [1]
        float use;          ///< greatest `use_now` of the last seconds [1]
        float edge_slip;    ///< greatest slip of the front near an edge, over that at the limit [1]
        float slides;       ///< duration of the present slide [s]
        float bad;          ///< severity of the present trouble, not blamed yet [0 … 1]
        float lasting;      ///< severity of the part of it that is no slide [0 … 1]
        float chain;  ///< distance since the slide that may have caused the present trouble [m]
        float quiet;  ///< time since the last slide [s]
        int32_t away; ///< 1: it has left the track, and that has been blamed
        int32_t put;  ///< 1: the host put the car elsewhere in the last frame
        kerb_vec3 velocity;                     ///< in the last frame [m/s]
        float grip[KERB_RACER_LEARNED_BINS];    ///< learned grip, share of the host's [1]
        uint8_t seen[KERB_RACER_LEARNED_BINS];  ///< times learned; 0: `common` counts instead
        uint8_t held[KERB_RACER_LEARNED_BINS];  ///< visits during which `grip` must not rise
        uint8_t falls[KERB_RACER_LEARNED_BINS]; ///< times that `grip` fell
        float took[KERB_RACER_LEARNED_SPAN];    ///< time in this section and those before; below 0:
                                                ///< does not count [s]
        float best[KERB_RACER_LEARNED_BINS];    ///< best time of a span that begins here [s]
        float best_plan[KERB_RACER_LEARNED_BINS]; ///< lateral grip planned with then [m/s²]
    } learnt;
    // The other cars, and the planned path beside the line because of them.
    struct {
        struct {
            uint32_t id;
            float age;          ///< time since it was located [s]
            float ahead;        ///< its middle from the racer's middle, along the line [m]
            float speed;        ///< along the line [m/s]
            float acceleration; ///< along the line, smoothed [m/s²]
            float pace;         ///< its speed in bends over the speed that the racer plans [1]
            float brakes;       ///< its hardest braking over what the racer can do [1]
            int32_t side;       ///< side on which to pass it: 1 left, -1 right, 0 not; 2: fall back
            // The fields below are for frames in which it is not located again.
            float offset, drift; ///< lateral offset from the line, left positive, and its rate [m],
                                 ///< [m/s]
            float scale;         ///< metres along the racer's path per metre along the line [1]
            float half_length, half_width; ///< footprint along and across the line [m]
            float catch_in, clear_in;      ///< time until it is reached, and passed; 1e6: never [s]
            float catch_at, clear_at;      ///< how far ahead of the racer's middle that is [m]
        } known[KERB_RACER_NEIGHBOURS_MAX];
        /// Guesses: index in `known` for each index in the host's list of neighbours, modulo 32.
        uint8_t hints[32];
        int32_t known_count;
        float braked;      ///< time since one of the cars ahead first braked hard; 0: none yet [s]
        float looked;      ///< time since it located the near cars [s]
        float since;       ///< time since its last decision about overtaking [s]
        float pause;       ///< time from that decision to the next [s]
        float passed;      ///< time between the last two decisions [s]
        float far_speed;   ///< speed that the cars far ahead allowed at the last decision [m/s]
        bool active;       ///< the planned path differs from the line
        int32_t yields;    ///< lets another car pass and moves to the left (1) or right (-1); 0: no
        int32_t defends;   ///< covers the inside of a bend to the left (1) or right (-1); 0: no
        double defends_to; ///< end of that, on the scale of total_distance; 0: none yet [m]
        uint32_t yields_to; ///< id of the car that it lets pass
        float yields_for;   ///< duration of that [s]
        float yield_speed;  ///< greatest speed while it lets a car pass that asked for it [m/s]
        float yield_least;  ///< lower limit of yield_speed [m/s]
        int32_t bend; ///< next braking zone with a car alongside: 1 left bend, -1 right, 0 none
        double bend_brakes,
            bend_apex;    ///< its start and its apex, on the scale of total_distance [m]
        bool squeezed;    ///< too little width for both: one of them must fall back
        bool kept;        ///< the last decision left the planned path as it was
        bool way_due;     ///< the path of the last decision is due in the next frame
        float held;       ///< share of its speed lost behind other cars, smoothed [1]
        float asks;       ///< its pace while it asks the car ahead to let it pass; 0: does not ask
        float asked;      ///< time for which a car behind has asked to pass [s]
        float blocked;    ///< time at standstill behind a car at standstill [s]
        float way_offset; ///< lateral offset of the planned path at the car [m]
        float way_slope;  ///< change of that offset per metre along the line [1]
    } traffic;
    // The line ahead in bins of equal length, with the greatest speeds from which every later limit
    // can be met. Rings: index modulo KERB_RACER_LOOKAHEAD_BINS.
    struct {
        float key[7];  ///< settings and limits that the bins were made for
        float spacing; ///< distance between bins [m]
        int32_t first; ///< lowest bin that is filled, counted from the line's start
        int32_t end;   ///< one past the last bin that is filled
        int32_t taken; ///< bins before it have a new path and no speeds yet
        int32_t aside; ///< from this bin on the planned path is the lane
        int32_t fresh; ///< bins from here on are new
        /// Next bin whose speed the new bins may lower, on the planned path and on the lane; less
        /// than `first`: none.
        int32_t back, back_lane;
        bool anew; ///< all bins were filled again since the last decision about overtaking
        float curvature[KERB_RACER_LOOKAHEAD_BINS]; ///< of the planned path, left positive [1/m]
        float line_curvature[KERB_RACER_LOOKAHEAD_BINS]; ///< of the line [1/m]
        float left[KERB_RACER_LOOKAHEAD_BINS],
            right[KERB_RACER_LOOKAHEAD_BINS];              ///< from the line to the edges [m]
        float normal_curvature[KERB_RACER_LOOKAHEAD_BINS]; ///< crest or dip: kerb_profile_point
        float up_forward[KERB_RACER_LOOKAHEAD_BINS], up_left[KERB_RACER_LOOKAHEAD_BINS],
            up_normal[KERB_RACER_LOOKAHEAD_BINS]; ///< world's up in the car's axes [1]
        float grip[KERB_RACER_LOOKAHEAD_BINS];    ///< of the line, skill and learning included [1]
        float brakes[KERB_RACER_LOOKAHEAD_BINS];  ///< share of that grip that holds for braking [1]
        float offset[KERB_RACER_LOOKAHEAD_BINS];  ///< of the planned path, left positive [m]
        float wander[KERB_RACER_LOOKAHEAD_BINS];  ///< error added to it by a skill below 1 [m]
        float corner[KERB_RACER_LOOKAHEAD_BINS]; ///< greatest speed² for the bend itself [m²/s²]
        float squared[KERB_RACER_LOOKAHEAD_BINS]; ///< greatest speed² with braking ahead [m²/s²]
        float free_corner[KERB_RACER_LOOKAHEAD_BINS];  ///< as `corner`, on the lane [m²/s²]
        float free_squared[KERB_RACER_LOOKAHEAD_BINS]; ///< as `squared`, on the lane [m²/s²]
    } ahead;
    kerb_host_check host_check;
    kerb_hand_over_memory hand_over;
} kerb_racer_memory;

#endif
