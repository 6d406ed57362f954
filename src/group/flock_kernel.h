// The kernels of a flock. They are inline, so that the single form and the batch use the same code
// and give the same bits. Private to the room.
//
// The neighbours are added to the sums of an agent one after another. Neighbours that are too far
// away, or outside the view, add zeros. So it makes no difference, to the bit, that the batch shows
// the same neighbours to several agents at once, some of which do not see them. There is neither a
// square root nor a branch: every lane of a vector register holds another agent.
#ifndef KERB_IN_GROUP_FLOCK_KERNEL_H
#define KERB_IN_GROUP_FLOCK_KERNEL_H

#include "kerb/steer.h"

#if defined(__GNUC__)
#define FLOCK_INLINE static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define FLOCK_INLINE static __forceinline
#else
#define FLOCK_INLINE static inline
#endif

// At smaller distances the push grows no more, so that it stays finite. [of the radius]
#define FLOCK_CLOSE 0.1f
#define FLOCK_TINY_SQUARE 1.17549435e-38f // smallest normal float; smaller squares count as 0 [m²]

/// Settings in the form that the kernels need.
typedef struct flock_reach {
    float separation_square, alignment_square, cohesion_square; ///< of the radii
    float close_square; ///< at smaller distances the push grows no more
    float per_square;   ///< 1 / separation_square
    float view;         ///< square of the cosine of the view angle, with the sign of the cosine
} flock_reach;

/// Sums over neighbours: of pushes away from them, of headings, of vectors to them.
typedef struct flock_sums {
    float push_x, push_y, push_z;
    float heading_x, heading_y, heading_z, aligned;
    float way_x, way_y, way_z, gathered;
    float ties; ///< number of neighbours at the same position
} flock_sums;

/// An agent that looks, or is looked at.
typedef struct flock_member {
    float x, y, z, forward_x, forward_y, forward_z;
    int32_t index;
} flock_member;

/// A heading that is not finite counts as 0.
FLOCK_INLINE float flock_number(float x) {
    return x - x == 0.0f ? x : 0.0f;
}

/// The sums with one more neighbour.
FLOCK_INLINE flock_sums flock_added(flock_sums sums, flock_member self, flock_member other,
                                    flock_reach reach, bool is_level) {
    float x = other.x - self.x, y = other.y - self.y, z = is_level ? 0.0f : other.z - self.z;
    float raw = is_level ? x * x + y * y : x * x + y * y + z * z;
    float square = raw >= FLOCK_TINY_SQUARE ? raw : 0.0f;
    float ahead = x * self.forward_x + y * self.forward_y;
    ahead = is_level ? ahead : ahead + z * self.forward_z;
    bool is_seen = (ahead * fabsf(ahead) >= reach.view * square) & (other.index != self.index);
    float seen = is_seen ? square : INFINITY;
    float push = 1.0f / kerb_max(square, reach.close_square) - reach.per_square;
    bool pushes = seen <= reach.separation_square, turns = seen <= reach.alignment_square;
    bool gathers = seen <= reach.cohesion_square;
    push = pushes ? push : 0.0f;
    sums.push_x -= push * (pushes ? x : 0.0f);
    sums.push_y -= push * (pushes ? y : 0.0f);
    sums.heading_x += turns ? other.forward_x : 0.0f;
    sums.heading_y += turns ? other.forward_y : 0.0f;
    sums.aligned += turns ? 1.0f : 0.0f;
    sums.way_x += gathers ? x : 0.0f;
    sums.way_y += gathers ? y : 0.0f;
    sums.gathered += gathers ? 1.0f : 0.0f;
    sums.ties += seen == 0.0f ? 1.0f : 0.0f;
    if (!is_level) {
        sums.push_z -= push * (pushes ? z : 0.0f);
        sums.heading_z += turns ? other.forward_z : 0.0f;
        sums.way_z += gathers ? z : 0.0f;
    }
    return sums;
}

/// Position and motion of an agent. In a desired steering only heading and speed are used.
typedef struct flock_motion {
    float x, y, z, forward_x, forward_y, forward_z, speed;
} flock_motion;

/// The limits of its motion.
typedef struct flock_limits {
    float turning_radius, speed_max, acceleration, braking;
} flock_limits;

/// Side to which agents at the same position push the agent of this index, in [-1, 1]. Multiples of
/// the golden section give each index another side, so that the agents separate.
FLOCK_INLINE float flock_side(int32_t index) {
    uint32_t turned = (uint32_t)index * 2654435769u;
    return (float)(int32_t)(turned >> 8) * (1.0f / 8388608.0f) - 1.0f;
}

/// The settings by which the sums become a desired steering.
typedef struct flock_urges {
    float separation_metres, alignment, cohesion_per_metre;
    float tie;
    float speed, speed_least;
} flock_urges;

/// The desired steering. A speed of NaN means none.
FLOCK_INLINE flock_motion flock_wish(const flock_sums* sums, kerb_vec3 forward, int32_t index,
                                     float speed_max, flock_urges urges) {
    float turn = urges.alignment / kerb_max(sums->aligned, 1.0f);
    float way = urges.cohesion_per_metre / kerb_max(sums->gathered, 1.0f);
    float push = urges.separation_metres, cruise = urges.speed;
    float left = sums->ties * urges.tie * flock_side(index);
    float push_x = sums->push_x - left * forward.y, push_y = sums->push_y + left * forward.x;
    flock_motion wish = {0};
    float own = turn * sums->aligned; // the alignment counts differences to the own heading
    cruise -= own;
    float x = cruise * forward.x + push * push_x + turn * sums->heading_x + way * sums->way_x;
    float y = cruise * forward.y + push * push_y + turn * sums->heading_y + way * sums->way_y;
    float z = cruise * forward.z + push * sums->push_z + turn * sums->heading_z + way * sums->way_z;
    float square = x * x + y * y + z * z;
    bool is_way = square > 1.0e-12f;
    float scale = 1.0f / sqrtf(is_way ? square : 1.0f);
    wish.forward_x = is_way ? x * scale : forward.x;
    wish.forward_y = is_way ? y * scale : forward.y;
    wish.forward_z = is_way ? z * scale : forward.z;
    float along = x * forward.x + y * forward.y + z * forward.z;
    wish.speed = kerb_min(kerb_max(along, urges.speed_least), speed_max);
    wish.speed = square - square == 0.0f ? wish.speed : square - square;
    return wish;
}

// The speed changes at a constant rate, at most as fast as the agent can.
FLOCK_INLINE float flock_next_speed(float speed, float wish, flock_limits limits, float time_step) {
    float faster = speed >= 0.0f ? limits.acceleration : limits.braking;
    float slower = speed <= 0.0f ? limits.acceleration : limits.braking;
    float wanted = kerb_clamp(wish, -limits.speed_max, limits.speed_max);
    return kerb_clamp(wanted, speed - slower * time_step, speed + faster * time_step);
}

// With t the tangent of half the turn, sine and cosine of the turn follow without trigonometry: the
// angle is 2 atan(t). t is at most half the angle that the radius allows, so the agent never turns
// too far. The chord of the arc is the share t/atan(t) / (1 + t²) of the distance along forward +
// t·side; t/atan(t) is a Padé approximant.
FLOCK_INLINE flock_motion flock_moved(flock_motion from, flock_motion wish, flock_limits limits,
                                      float time_step) {
    flock_motion to;
    to.speed = flock_next_speed(from.speed, wish.speed, limits, time_step);
    float distance = 0.5f * (from.speed + to.speed) * time_step;
    float along = from.forward_x * wish.forward_x + from.forward_y * wish.forward_y +
                  from.forward_z * wish.forward_z;
    float side_x = wish.forward_x - along * from.forward_x;
    float side_y = wish.forward_y - along * from.forward_y;
    float side_z = wish.forward_z - along * from.forward_z;
    float square = side_x * side_x + side_y * side_y + side_z * side_z;
    // When the directions are nearly in line, the lateral part is only rounding: straight ahead, or
    // backwards by a turn to the left.
    bool is_aside = square >= 1.0e-12f;
    side_x = is_aside ? side_x : -from.forward_y;
    side_y = is_aside ? side_y : from.forward_x;
    side_z = is_aside ? side_z : 0.0f;
    float length = sqrtf(is_aside ? square : 1.0f);
    float turn = is_aside ? length : (along < 0.0f ? 1.0f : 0.0f);
    float wanted = turn / kerb_max(1.0f + along, 1.0e-6f);
    float allowed = 0.5f * kerb_abs(distance) / kerb_max(limits.turning_radius, 1.0e-6f);
    float t = kerb_min(wanted, allowed), t2 = t * t;
    float per_length = 1.0f / length, shrink = 1.0f / (1.0f + t2);
    side_x *= per_length, side_y *= per_length, side_z *= per_length;
    float chord = distance * shrink * (15.0f + 9.0f * t2) / (15.0f + 4.0f * t2);
    to.x = from.x + chord * (from.forward_x + t * side_x);
    to.y = from.y + chord * (from.forward_y + t * side_y);
    to.z = from.z + chord * (from.forward_z + t * side_z);
    float cosine = (1.0f - t2) * shrink, sine = 2.0f * t * shrink;
    to.forward_x = cosine * from.forward_x + sine * side_x;
    to.forward_y = cosine * from.forward_y + sine * side_y;
    to.forward_z = cosine * from.forward_z + sine * side_z;
    // Keeps the direction at length 1 over many steps: one Newton step.
    float unit = 1.5f - 0.5f * (to.forward_x * to.forward_x + to.forward_y * to.forward_y +
                                to.forward_z * to.forward_z);
    to.forward_x *= unit, to.forward_y *= unit, to.forward_z *= unit;
    return to;
}

/// Like flock_moved, for numbers that may not be finite. A desired steering that is none or not
/// finite keeps the present motion. An agent that is not finite stays unchanged.
FLOCK_INLINE flock_motion flock_stepped(flock_motion from, flock_motion wish, flock_limits limits,
                                        float time_step) {
    float sum = wish.forward_x + wish.forward_y + wish.forward_z + wish.speed;
    float largest = kerb_abs(wish.forward_x) + kerb_abs(wish.forward_y) + kerb_abs(wish.forward_z);
    bool is_wish = sum - sum == 0.0f && largest > 0.0f;
    wish.forward_x = is_wish ? wish.forward_x : from.forward_x;
    wish.forward_y = is_wish ? wish.forward_y : from.forward_y;
    wish.forward_z = is_wish ? wish.forward_z : from.forward_z;
    wish.speed = is_wish ? wish.speed : from.speed;
    flock_motion to = flock_moved(from, wish, limits, time_step);
    float all = to.x + to.y + to.z + to.forward_x + to.forward_y + to.forward_z + to.speed;
    float limit = limits.turning_radius + limits.speed_max + limits.acceleration + limits.braking;
    bool is_finite = all - all == 0.0f && limit - limit == 0.0f;
    to.x = is_finite ? to.x : from.x;
    to.y = is_finite ? to.y : from.y;
    to.z = is_finite ? to.z : from.z;
    to.forward_x = is_finite ? to.forward_x : from.forward_x;
    to.forward_y = is_finite ? to.forward_y : from.forward_y;
    to.forward_z = is_finite ? to.forward_z : from.forward_z;
    to.speed = is_finite ? to.speed : from.speed;
    return to;
}

#endif
