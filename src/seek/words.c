// The words of directed seek, each computed from the vector that joins two turning circles.
//
// Let v be that vector. A tangent with the unit direction t leaves the first circle and joins the
// second. It runs b metres between them, and it passes m metres farther to the left of the second
// centre than of the first. So v = b t + m n, with n to the left of t. As complex numbers v = t (b
// + i m), which gives b = sqrt(|v|² - m²) and t = v (b - i m) / |v|². For circles on the same side
// of the path, m is the difference of their radii (the paper's direct tangent), else their sum (its
// cross tangent).
//
// Without tolerance a stateless behaviour would not arrive. A step in which an arc ends leaves the
// agent up to d²/8r beside the path, where d is the distance of a step. Then circles that should
// touch miss each other, and an angle that should be 0 is slightly negative, which would mean a
// full circle. Both errors are tolerated. A turn by a small angle a to the other side, instead of a
// full circle, ends 2ra farther on and ra² beside. The straight line is shortened by the first, and
// the tolerance covers the second, so angles up to sqrt(tolerance/r) are harmless. O(1).
#include "words.h"

#include "../math/shared.h"

#define WORDS_CIRCLE (2.0f * KERB_PI) // a full circle [rad]

// An angle to one side, in [-slack, 2π - slack).
static inline float turn_to_side(float angle, float slack) {
    angle = angle < -slack ? angle + WORDS_CIRCLE : angle;
    return angle >= WORDS_CIRCLE - slack ? angle - WORDS_CIRCLE : angle;
}

// The same for an angle in [-2π, 2π].
static inline float turn_by(float angle, float slack) {
    return turn_to_side(angle < -WORDS_CIRCLE ? angle + WORDS_CIRCLE : angle, slack);
}

// Completes a path: turning, length and rank. The rank of a path that reaches the goal exactly is
// its length. Paths that need the tolerance rank behind. Otherwise the shortest path would often be
// one that only uses up the tolerance, and the tolerance would be missing where the steps need it.
static inline void sum_up(seek_way* way, const seek_view* view) {
    float first = kerb_abs(way->first), last = kerb_abs(way->last), middle = kerb_abs(way->middle);
    way->turning = first + middle + last;
    way->length = view->first_radius * (first + middle) + way->straight + view->last_radius * last;
    way->rank = way->length + 2.0f * way->miss;
}

// The tolerance, reduced by up to a quarter for the angle still to turn. While the agent turns, the
// miss of its circles is constant up to rounding, and the tolerance grows. So a path that was
// tolerated once is tolerated to the end.
static inline float words_fading(float tolerance, float turn) {
    return tolerance * (1.0f - (0.25f / WORDS_CIRCLE) * turn);
}

// The agent is already on the last circle, so the tangent has no direction of its own. (paper, eq.
// 4)
static seek_way on_last_circle(const seek_view* view, float side, float apart) {
    seek_way way = {.side = {side, side}, .miss = apart};
    // A heading a little behind that of the goal means a position a little past the goal.
    way.last = side * turn_to_side(side * view->heading, view->tolerance / view->last_radius);
    way.exists = apart <= words_fading(view->tolerance, kerb_abs(way.last));
    sum_up(&way, view);
    return way;
}

// Replaces turns to the other side by full circles.
static void whole_turns(seek_way* way) {
    if (way->side[0] * way->first < 0.0f)
        way->first += way->side[0] * WORDS_CIRCLE;
    if (way->side[1] * way->last < 0.0f)
        way->last += way->side[1] * WORDS_CIRCLE;
}

// Subtracts turns to the other side from the straight line. False when the line is too short for
// that.
static bool shorten(seek_way* way, const seek_view* view, float tolerance) {
    float first = kerb_max(-way->side[0] * way->first, 0.0f);
    float last = kerb_max(-way->side[1] * way->last, 0.0f);
    float taken = 2.0f * (first * view->first_radius + last * view->last_radius);
    float left = way->straight - taken;
    if (left < -tolerance)
        return false;
    way->miss += kerb_max(-left, 0.0f);
    way->straight = kerb_max(left, 0.0f);
    return true;
}

// A path by a tangent of the circles. (x, y) is the vector v from the first centre to the last.
static inline void by_tangent(const seek_view* view, float x, float y, float beside,
                              seek_way* way) {
    float square = x * x + y * y, rest = square - beside * beside;
    // Circles that are too near by half the tolerance e still count: (m - e)² is nearly m² - 2me.
    // The other half is for the error of the step that goes from one circle to the other.
    float miss = -kerb_abs(beside) * view->tolerance;
    if (rest < miss || !(square > 0.0f))
        return;
    way->straight = kerb_sqrt(rest);
    way->miss = rest < 0.0f ? kerb_abs(beside) - kerb_sqrt(square) : 0.0f;
    float angle = math_angle(y * way->straight - x * beside, x * way->straight + y * beside);
    way->first = way->side[0] * turn_to_side(way->side[0] * angle, view->slack);
    angle = view->heading - angle;
    float faded = words_fading(1.0f, kerb_abs(way->first));
    way->last = way->side[1] * turn_by(way->side[1] * angle, faded * view->last_slack);
    if (!shorten(way, view, faded * view->tolerance))
        whole_turns(way);
    way->exists = rest >= faded * miss;
    sum_up(way, view);
}

seek_way kerb_in_seek_csc(const seek_view* view, float first, float last) {
    seek_way way = {.side = {first, last}};
    float x = view->x - last * view->last_radius * view->sine;
    float centre_y = view->y + last * view->last_radius * view->cosine;
    float to_y = centre_y - last * view->last_radius;
    float apart = x * x + to_y * to_y;
    float beside = last * view->last_radius - first * view->first_radius;
    by_tangent(view, x, centre_y - first * view->first_radius, beside, &way);
    if (first != last || apart > view->tolerance * view->tolerance)
        return way;
    seek_way arc = on_last_circle(view, last, kerb_sqrt(apart));
    // When the tangent still leads to the circle, it is the better path.
    return arc.exists && (!way.exists || arc.rank < way.rank) ? arc : way;
}

seek_way kerb_in_seek_ccc(const seek_view* view, float side) {
    seek_way way = {.side = {side, side}};
    float radius = view->first_radius;
    float x = view->x - side * radius * view->sine;
    float y = view->y + side * radius * view->cosine - side * radius;
    float share = kerb_sqrt(x * x + y * y) / (4.0f * radius);
    float most = 0.125f * view->tolerance / radius;
    if (share > 1.0f + most)
        return way;
    float bend = kerb_acos(share);
    float angle =
        side * math_angle(y, x) + bend + 0.5f * KERB_PI; // angle of the end of the first turn
    float middle = KERB_PI + 2.0f * bend;
    angle = angle > KERB_PI ? angle - WORDS_CIRCLE : angle;
    float after = middle + side * view->heading - angle; // in [-2π, 5π]
    after = after > WORDS_CIRCLE ? after - WORDS_CIRCLE : after;
    after = after > WORDS_CIRCLE ? after - WORDS_CIRCLE : after;
    float slack = 0.5f * view->tolerance / radius; // there is no straight line to subtract from
    way.first = side * turn_to_side(angle, slack);
    way.middle = -side * middle;
    float faded = words_fading(1.0f, kerb_abs(way.first));
    way.last = side * turn_by(after, faded * slack);
    way.exists = share <= 1.0f + faded * most;
    float amiss = kerb_max(-side * way.first, 0.0f) + kerb_max(-side * way.last, 0.0f);
    way.miss = 2.0f * radius * amiss + 4.0f * radius * kerb_max(share - 1.0f, 0.0f);
    sum_up(&way, view);
    return way;
}

seek_way kerb_in_seek_finish(const seek_view* view, float reach) {
    float side = view->heading < 0.0f ? -1.0f : 1.0f;
    seek_way way = {.side = {side, side}};
    float far = 2.0f * (reach + view->finish_tolerance);
    if (kerb_abs(view->x) > far || kerb_abs(view->y) > far)
        return way; // the usual case
    float sine, cosine;
    kerb_sin_cos(0.5f * view->heading, &sine, &cosine);
    float along = view->x * cosine + view->y * sine, across = view->y * cosine - view->x * sine;
    float turn = kerb_abs(view->heading);
    way.exists = kerb_abs(across) <= view->finish_tolerance && along <= reach &&
                 along >= -view->finish_tolerance &&
                 turn * view->last_radius <= kerb_max(along, 0.0f) + view->finish_tolerance;
    way.last = view->heading;
    way.straight = kerb_max(along - turn * view->last_radius, 0.0f);
    sum_up(&way, view);
    return way;
}

// --------------------------------------------------------------------------- the paper's, shortcut

// The goal and its line are not near, and the circles have equal sizes.
static inline bool is_plain(const seek_view* view, float reach, float beside) {
    float near = 2.0f * (reach + view->tolerance);
    bool far = kerb_abs(view->x) > near || kerb_abs(view->y) > near;
    return far && kerb_abs(beside) > view->tolerance && view->first_radius == view->last_radius;
}

static inline float to_circle(float angle) {
    return angle < 0.0f ? angle + WORDS_CIRCLE : angle;
}

// Three angles at once, in four lanes, because vector registers have four.
KERB_INLINE void angles_of(const float y[4], const float x[4], float angles[4]) {
    for (int32_t i = 0; i < 4; i++)
        angles[i] = math_angle(y[i], x[i]);
}

// Mirrored if necessary, so that the goal's circle lies to the left. Then the direct path is LSL
// and the cross path RSL.
bool kerb_in_seek_paper_plainly(seek_view* view, float reach, seek_way* way) {
    float beside =
        view->sine * view->x - view->cosine * view->y; // position left of the goal's line [m]
    if (!is_plain(view, reach, beside))
        return false;
    float side = beside < 0.0f ? -1.0f : 1.0f, radius = view->first_radius;
    float sine = side * view->sine, cosine = view->cosine, between = 2.0f * radius;
    float x = view->x - radius * sine, centre = side * view->y + radius * cosine;
    float direct_y = centre - radius, cross_y = centre + radius;
    float apart = x * x + direct_y * direct_y;
    float rest = x * x + cross_y * cross_y - between * between;
    float straight = kerb_sqrt(rest), direct_straight = kerb_sqrt(apart);
    const float ys[4] = {sine, direct_y, cross_y * straight - x * between, 0.0f};
    const float xs[4] = {cosine, x, x * straight + cross_y * between, 1.0f};
    float angles[4];
    angles_of(ys, xs, angles);
    float direct_first = to_circle(angles[1]), cross_first = to_circle(-angles[2]);
    float direct_last = to_circle(angles[0] - angles[1]);
    float cross_last = to_circle(angles[0] - angles[2]);
    float greatest =
        kerb_max(kerb_max(direct_first, direct_last), kerb_max(cross_first, cross_last));
    bool touches = kerb_abs(rest) <= 2.0f * between * view->tolerance;
    if (greatest >= WORDS_CIRCLE - view->slack || direct_first <= view->slack || touches ||
        direct_straight <= view->tolerance)
        return false;
    float direct = direct_first + direct_last, cross = cross_first + cross_last;
    bool crosses = rest > 0.0f && cross < direct;
    view->heading = side * angles[0];
    way->exists = true;
    way->side[0] = crosses ? -side : side;
    way->side[1] = side;
    way->first = crosses ? -side * cross_first : side * direct_first;
    way->middle = 0.0f;
    way->last = side * (crosses ? cross_last : direct_last);
    way->straight = crosses ? straight : direct_straight;
    way->turning = crosses ? cross : direct;
    way->length = radius * way->turning + way->straight;
    return true;
}
