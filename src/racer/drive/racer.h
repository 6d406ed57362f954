// What the parts of the racing driver share within one frame. Private to the room.
//
//     racer.c      the frame, in this order: place, line ahead, steering, speed, gears
//     arrive.c     what it forgets when the host puts the car elsewhere; a moved origin
//     senses.c     what the host does not give
//     known.c      the command for an angle of the wheels
//     latency.c    when the present decision acts, and where the car will be then
//     place.c      where it is on the line
//     ahead.c      the line ahead, in bins
//     braking.c    the speeds of the bins
//     steering.c   steering, slides
//     speed.c      throttle and brake
//     gears.c      gears, clutch, launch
//     recovery.c   spins, the wrong way, stuck
//     ../skill/    errors and lower pace of a skill below 1: skill.h
//     ../learn/    what it learns about the line: learning_parts.h
//     ../traffic/  other cars: traffic.h
//
// Words: "line" is the racing line; the "planned path" is the line plus a lateral offset; the
// "lane" is the path that lane_shift asks for when no other car is near.
#ifndef KERB_IN_RACER_DRIVE_RACER_H
#define KERB_IN_RACER_DRIVE_RACER_H

#include "kerb/racing_line.h"

#include "../../vehicle/shared.h"

#include "kerb/racer.h"

// A place between two bins of the line ahead: their slots, and how far it is from the first to the
// second.
typedef struct racer_spot {
    int32_t a, b;
    float share; // [0 … 1]
} racer_spot;

// One frame.
typedef struct racer_frame {
    const kerb_racing_line* line;
    const kerb_motion* motion; // measured, or predicted for when the controls act: `later`
    float time_step;
    bool elsewhere;  // the host put the car here, or this is the first frame
    float hold;      // time from `motion` to the middle of the time in which the controls act [s]
    float speed_cap; // [m/s]
    float grip;      // of the surface by the host, times that of the line [1]
    kerb_line_point here; // point of the line nearest to the car
    kerb_vec3 line_along; // unit vectors along the line and to its left, within the surface
    kerb_vec3 line_left;
    kerb_vec3 forward; // axes of the body, unit vectors
    kerb_vec3 left, up;
    double total;                  // distance along the line with all rounds [m]
    float speed;                   // along the body [m/s]
    float side;                    // velocity across the body, to the left [m/s]
    float pace;                    // speed of the reference point in any direction [m/s]
    float along;                   // speed along the line [m/s]
    float yaw_rate;                // about the body's own up axis [rad/s]
    float wheels;                  // angle of the front wheels [rad]
    float offset;                  // lateral offset of the car from the line, left positive [m]
    float course;                  // direction of motion against that of the line [rad]
    float heading;                 // direction of the body against that of the line [rad]
    float drift;                   // direction of motion against the body; 0 near standstill [rad]
    float front_goes;              // direction of motion of the front axle against the body [rad]
    float seen_slip[2];            // measured slip of front and rear, positive in left bends [rad]
    float course_sine;             // sine of `course`
    float reference_to_front_axle; // [m]
    float grip_aside;              // lateral grip here and now, all of it [m/s²]
    float grip_more;       // learned grip over the host's, included in grip_aside [1] [>= 1]
    float grass;           // share of the grip that is left beside the track [1]
    float turning_share;   // share of the grip that steering may use [1]
    float bank;            // curvature that the tyres hold because of gravity on a bank [1/m]
    bool past_end;         // past the end of an open line
    float traffic_speed;   // greatest speed because of other cars [m/s]
    float traffic_slowing; // rate at which that speed falls [m/s²] [<= 0]
    kerb_reason traffic_reason;
    // Below a low speed: clearance straight ahead and behind to the next car. `beside`: a car is so
    // near alongside that the wheels should not turn. [m]
    float room_before, room_behind;
    bool beside;
    // A car stands before it. Then out_side is the wider side past it, left (1) or right (-1), and
    // out_offset the middle of that side. [m]
    bool stands_before;
    float out_side, out_offset;
    kerb_performance limits; // that it plans with: grip and settings included
    float pace_lack;         // what it lacks to the pace of skill 1, pace_help included [1]
    racer_spot spot;         // of `total`, after the look ahead
    int32_t bin;             // bin at `total`
    kerb_motion later;       // predicted motion
} racer_frame;

// Less than any progress: the next frame that watches it sets the mark. [m]
#define RACER_NO_PROGRESS (-1.0e30)

// What the bins ahead say about one place.
typedef struct racer_place {
    // Of the path, left positive. `offset` includes the error of a lower skill. [1/m], [m]
    float curvature, offset;
    float way;                       // lateral offset as planned, without that error [m]
    float slope;                     // change of the offset per metre of the line [1]
    float squared;                   // greatest speed² [m²/s²]
    float acceleration;              // along the path, if the car keeps to `squared` [m/s²]
    float corner;                    // greatest speed² for the bend itself [m²/s²]
    float free_squared, free_corner; // both on the lane, without other cars [m²/s²]
} racer_place;

// A length, a speed or a time that is right for a car, as one that is right for this vehicle.
// Gravity is the same for all sizes, so lengths grow with the scale, and speeds and times with its
// root (Froude's similarity). All cars of roads have scale 1.
static inline float racer_metres(const kerb_racer* racer, float value) {
    return racer->memory.scale * value;
}
static inline float racer_speed(const kerb_racer* racer, float value) {
    return racer->memory.speed_scale * value;
}
static inline float racer_time(const kerb_racer* racer, float value) {
    return racer->memory.speed_scale * value;
}

// Yaw rate and wheel angle, also where the host does not give them.
void kerb_in_racer_sense(kerb_racer* racer, racer_frame* frame);
// Learns, with settings.learning, what the car steers beside what it is asked, and how late.
void kerb_in_racer_watch_steering(kerb_racer* racer, const racer_frame* frame,
                                  const kerb_in_frame_input* input,
                                  const kerb_surroundings* surroundings);
// Time after which a command acts, settings.latency and what is told or learned in it; and the lag
// with which the wheels then follow. [s]
float kerb_in_racer_latency(const kerb_racer* racer);
float kerb_in_racer_lag(const kerb_racer* racer);
// Rate at which the wheels turn at most, told or learned. [rad/s]
float kerb_in_racer_wheel_rate(const kerb_racer* racer);
// True: it learns its steering.
bool kerb_in_racer_knows(const kerb_racer* racer);
// The command for an angle of the front wheels.
float kerb_in_racer_steering_for(kerb_racer* racer, const racer_frame* frame, float angle);
// Moves the measured motion to where the car will be after settings.latency.
void kerb_in_racer_meet_latency(kerb_racer* racer, racer_frame* frame);
// The host put the car elsewhere, or this is the first frame: nothing that was measured from frame
// to frame, and no decision about the place, may outlast that. Before the other steps of the frame.
void kerb_in_racer_arrive_elsewhere(kerb_racer* racer, racer_frame* frame);

// A player drives: nothing that happens is a trouble to recover from.
void kerb_in_racer_let_go(kerb_racer* racer);
// The same place now has a total distance that is greater by this: everything that is remembered on
// that scale follows. [m]
void kerb_in_racer_shift_total(kerb_racer* racer, double by);
// All other cars are farther ahead of the racer by this. [m]
void kerb_in_racer_shift_others(kerb_racer* racer, float by);
// Finds the place on the line.
void kerb_in_racer_find(kerb_racer* racer, racer_frame* frame);
// The point of the planned path at a distance ahead, in the world. [ahead: >= 0]
kerb_vec3 kerb_in_racer_look_at(const kerb_racer* racer, const racer_frame* frame, float ahead);
// Reacts to other cars: the planned path and a limit of the speed.
void kerb_in_racer_traffic(kerb_racer* racer, racer_frame* frame, const kerb_surroundings* around);
// True: it decides about other cars in this frame, if there are any.
bool kerb_in_racer_traffic_is_due(const kerb_racer* racer, const racer_frame* frame);
// True: it locates other cars in this frame, although it does not decide.
bool kerb_in_racer_traffic_looks(const kerb_racer* racer, const racer_frame* frame);
// Fills the bins ahead and finds their speeds.
void kerb_in_racer_look_ahead(kerb_racer* racer, racer_frame* frame);
kerb_profile_point kerb_in_racer_profile_point(const kerb_racer* racer, int32_t bin,
                                               float curvature);
// Curvature of a path beside the line, whose offset has the second derivative `bend` along the
// line. On the inside of a bend both are tighter. [1/m]
static inline float racer_bend_beside(float line_curvature, float offset, float bend) {
    float pace = kerb_clamp(1.0f - line_curvature * offset, 0.3f, 3.0f);
    return (line_curvature + bend / pace) / pace;
}
// Computes the speeds of the bins, of the path and of the lane, backwards from the last bin until
// the new ones no longer matter. At most `most` bins. kerb_in_racer_brakes_back: some are left to
// do.
void kerb_in_racer_brake_back(kerb_racer* racer, const racer_frame* frame, int32_t most);
bool kerb_in_racer_brakes_back(const kerb_racer* racer);
// Computes the speeds of the path that was laid in the last frame, from its end back to the car;
// those beyond it stay.
void kerb_in_racer_brake_way(kerb_racer* racer, const racer_frame* frame);
// Curvature that the change from one bend to the opposite one counts as. [1/m]
float kerb_in_racer_swing_at(const kerb_racer* racer, int32_t bin, float speed);
// Lowest planned speed from a place on, before it rises again. [m/s]
float kerb_in_racer_lowest_ahead(const kerb_racer* racer, double total);
static inline int32_t racer_slot_of(int32_t bin) {
    // Also correct below 0: 2^32 is a multiple of a power of two.
    _Static_assert((KERB_RACER_LOOKAHEAD_BINS & (KERB_RACER_LOOKAHEAD_BINS - 1)) == 0,
                   "a ring of a power of two");
    return (int32_t)((uint32_t)bin % KERB_RACER_LOOKAHEAD_BINS);
}
static inline int32_t racer_bin_at(const kerb_racer* racer, double total) {
    double at = total / (double)racer->memory.ahead.spacing;
    int32_t bin = (int32_t)at;
    return (double)bin > at ? bin - 1 : bin;
}
// Beyond the window: its last bin.
static inline racer_spot racer_spot_at(const kerb_racer* racer, double total) {
    double at = total / (double)racer->memory.ahead.spacing;
    int32_t bin = (int32_t)at;
    bin = (double)bin > at ? bin - 1 : bin;
    float share = (float)(at - (double)bin);
    if (bin > racer->memory.ahead.end - 2) {
        bin = racer->memory.ahead.end - 2;
        share = 1.0f;
    } else if (bin < racer->memory.ahead.first) {
        bin = racer->memory.ahead.first;
        share = 0.0f;
    }
    return (racer_spot){racer_slot_of(bin), racer_slot_of(bin + 1), share};
}
// Value of a row of the ring there, linear between the two bins.
static inline float racer_row_at(const float* row, racer_spot spot) {
    return row[spot.a] + (row[spot.b] - row[spot.a]) * spot.share;
}
// Share of the path error by skill that is left when other cars are near. [1]
#define RACER_NEAR_WANDER 0.25f
static inline float racer_skill_alone(const kerb_racer* racer) {
    return 1.0f - (1.0f - RACER_NEAR_WANDER) * racer->memory.skill.near;
}
// All of it between two bins. Inlined, so that a caller pays only for what it uses.
static inline racer_place racer_place_of(const kerb_racer* racer, racer_spot spot) {
    racer_place place;
    int32_t a = spot.a, b = spot.b;
    place.curvature = racer_row_at(racer->memory.ahead.curvature, spot);
    place.slope = (racer->memory.ahead.offset[b] - racer->memory.ahead.offset[a]) /
                  racer->memory.ahead.spacing;
    place.way = racer_row_at(racer->memory.ahead.offset, spot);
    place.offset =
        place.way + racer_skill_alone(racer) * racer_row_at(racer->memory.ahead.wander, spot);
    place.squared = racer_row_at(racer->memory.ahead.squared, spot);
    place.corner = racer_row_at(racer->memory.ahead.corner, spot);
    place.free_squared = racer_row_at(racer->memory.ahead.free_squared, spot);
    place.free_corner = racer_row_at(racer->memory.ahead.free_corner, spot);
    place.acceleration = 0.5f * (racer->memory.ahead.squared[b] - racer->memory.ahead.squared[a]) /
                         racer->memory.ahead.spacing;
    return place;
}
static inline racer_place racer_place_at(const kerb_racer* racer, double total) {
    return racer_place_of(racer, racer_spot_at(racer, total));
}
// Distance from the first bin. [m]
static inline float racer_into(const kerb_racer* racer, double total) {
    return (float)(total - (double)racer->memory.ahead.first * (double)racer->memory.ahead.spacing);
}
// Speed from a row of squares of the ring, at a distance from the first bin. [m/s]
static inline float racer_speed_in(const kerb_racer* racer, const float* squared, float into) {
    float most = (float)(racer->memory.ahead.end - racer->memory.ahead.first - 1) - 0.001f;
    float at = kerb_clamp(into / racer->memory.ahead.spacing, 0.0f, most);
    int32_t i = (int32_t)at;
    float a = squared[racer_slot_of(racer->memory.ahead.first + i)];
    float b = squared[racer_slot_of(racer->memory.ahead.first + i + 1)];
    return kerb_sqrt(a + (b - a) * (at - (float)i));
}
// The planned speed, and the speed on the lane as if no other car were near. [m/s]
static inline float racer_speed_at(const kerb_racer* racer, float into) {
    return racer_speed_in(racer, racer->memory.ahead.squared, into);
}
static inline float racer_free_speed_at(const kerb_racer* racer, float into) {
    return racer_speed_in(racer, racer->memory.ahead.free_squared, into);
}
// Lateral offset of the path in a bin that is filled. [m]
static inline float racer_offset_in(const kerb_racer* racer, int32_t bin) {
    return racer->memory.ahead.offset[racer_slot_of(bin)];
}
// From the line to the edges, in that bin or the nearest that is filled. [m]
static inline void racer_edges_at(const kerb_racer* racer, int32_t bin, float* left, float* right) {
    bin = bin < racer->memory.ahead.first ? racer->memory.ahead.first : bin;
    bin = bin < racer->memory.ahead.end ? bin : racer->memory.ahead.end - 1;
    *left = racer->memory.ahead.left[racer_slot_of(bin)];
    *right = racer->memory.ahead.right[racer_slot_of(bin)];
}
// Lateral offset of the lane where the line has these distances to the edges. [m]
float kerb_in_racer_lane_offset(const kerb_racer* racer, float left, float right);
// Bins between two places of a path beside the line: about a car's length, because no car moves
// sideways in less.
#define RACER_STRIDE 3
// Takes a new path: lateral offsets at places RACER_STRIDE bins apart, from the bin `first` on. Its
// speeds follow in the next frame. Beyond it the lane counts. O(bins)
void kerb_in_racer_take_way(kerb_racer* racer, int32_t first, int32_t count, const float* offsets);

// Slip angle of greatest force, over that at half of the grip: for tyres of slip_for's curve, a
// little beyond the full grip. [1]
#define RACER_PEAK_SLIP 4.6f
// No tyres hold half of their grip at a smaller slip angle. [rad]
#define RACER_HALF_SLIP_MIN 0.008f

// Slip angle for a share of the grip, from the slip angle at half of the grip. Slip grows faster
// than force: near the limit by the last factor, for usual tyres.
float kerb_in_racer_slip_for(float half_slip, float use);

// Slip angle at half of the grip of the front (0) or rear (1) axle, at least that of the stiffest
// real tyres. [rad]
static inline float racer_half_slip(const kerb_racer* racer, int32_t axle) {
    return kerb_max(racer->memory.half_slip[axle], RACER_HALF_SLIP_MIN);
}
// The angle of the front wheels. [rad]
float kerb_in_racer_steer(kerb_racer* racer, racer_frame* frame);
// Share of the grip that steering may use. [1]
float kerb_in_racer_turning_share(const kerb_racer* racer, const racer_frame* frame);
// kerb_smooth_step for arguments that are nearly always outside of the range: then nothing waits
// for the division. [from < to]
static inline float racer_step(float x, float from, float to) {
    if (x >= to)
        return 1.0f;
    return x > from ? kerb_smooth_step(x, from, to) : 0.0f;
}
// racer_step of a speed, between two of a car.
static inline float racer_step_speed(const kerb_racer* racer, float speed, float from, float to) {
    return racer_step(speed, racer_speed(racer, from), racer_speed(racer, to));
}
// Confidence that the tyres slip at all. In simple hosts a car goes where its wheels point (rigid
// tyres). There every angle that looks like slip is only geometry, and steering by it would feed
// back on itself. [0 … 1]
static inline float racer_slips(const kerb_racer* racer) {
    return 1.0f - racer_step(racer->memory.firm, 0.3f, 0.9f);
}
// Slip angle of the rear beyond what the bend explains, positive in left bends. [rad]
float kerb_in_racer_slide(const kerb_racer* racer, const racer_frame* frame);
// Throttle and brake; the reason is left in `decision`.
void kerb_in_racer_pedals(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls);
// Nothing keeps the wheels from locking: by the host's wheel slip, by a detected locked wheel, or
// by the setting.
bool kerb_in_racer_may_lock(const kerb_racer* racer);
// Share of the brakes that does not lock the wheels, learned; in steps. [0 … 1]
float kerb_in_racer_brakes_hold(const kerb_racer* racer);
// Share of the brakes that does not make the rear slide, learned; in steps. [0 … 1]
float kerb_in_racer_brakes_steady(const kerb_racer* racer);
// How soft the tyres are: 0 race tyres … 1 loose ground. Soft tyres need time to build up force. [0
// … 1]
float kerb_in_racer_softness(const kerb_racer* racer);
// Pull of the present gear over that of the best gear. [0 … 1]
float kerb_in_racer_gear_share(const kerb_racer* racer, const racer_frame* frame);
// From standstill until the engine, at a good speed, must be coupled.
bool kerb_in_racer_launches(const kerb_racer* racer, const racer_frame* frame);
// Acceleration that power and ratio promise at full throttle in the present gear. [m/s²]
float kerb_in_racer_gear_pull(const kerb_racer* racer, const racer_frame* frame);
// Gear and clutch, and the throttle for them.
void kerb_in_racer_shift(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls);
// Releases the pedals for wheels that spin or lock.
void kerb_in_racer_ease_off(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls);
// Decides the phase. True: it drives the car out of trouble, and `controls` say how.
bool kerb_in_racer_recover(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls);

#endif
