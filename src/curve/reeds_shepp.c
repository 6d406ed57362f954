// The shortest curve for a vehicle that drives forwards and in reverse.
//
// Idea: Reeds and Shepp found twelve words (types of curve). Their mirror images in time (forwards
// and reverse exchanged) and in space (left and right exchanged) make all 48 words. Every word
// joins a turning circle beside the start with one beside the goal. So the words need only the four
// vectors between those circles, the angles of these vectors, and a few angles of triangles with
// the sides 2, 2 and the distance. A mirror in time turns the angle a of a vector into π - a. The
// words that the paper drives backwards from the goal need the vector as seen from the goal. This
// leaves 16 angles, which one loop computes. The first and the last arc of each word are sums of
// these angles.
//
//     between circles of the same side        between circles of opposite sides
//
//         .-.   distance   .-.                   .-.                straight² = distance² - 4
//        ( 1 )------------( 3 )                 ( 1 )--.   distance
//         '-' 2\        /2 '-'                   '-' 2 | '--.        tangent: the angle between
//               \ .-. /                                '-----( 2 )     distance and straight
//        bend:   ( 2 )   half the middle arc
//                 '-'
//
// The computation is in doubles, because all angles are tiny differences when the radius is a
// million times the distance. There are four lanes, one for each mirror image, in loops that
// compilers vectorise. There are no branches and no search, so the cost is always that of all 48
// words. O(1).
//
// Positions and headings are uncertain by the rounding of floats. Because of that, a word may just
// fail to exist, and a word with a needless reversal would replace it. So a word counts as existing
// when it misses the goal by no more than such a rounding. The miss itself is ignored.
//
// Source: J. A. Reeds and L. A. Shepp, "Optimal paths for a car that goes both forwards and
// backwards", Pacific Journal of Mathematics 145 (1990), formulas 8.1 to 8.11. Derived anew from
// the circles, because 8.9 is misprinted; the tests drive each word to its end.
#include "kerb/curve.h"

#include "../base/shared.h"
#include "../math/shared.h"

#include <math.h>
#include <string.h>

// The lanes: the form itself, its mirror image in space, in time, in both.
#define REEDS_SHEPP_LANES 4

// Sorted by the number of reversals, so that the first of equally short curves has the fewest.
// Small letters mean reverse.
typedef enum form {
    LSL,
    LSR,
    Lrl,
    lrL,
    LRlr,
    Lrsl,
    lsrL,
    Lrsr,
    rsrL,
    LrL,
    LrlR,
    LrslR,
    FORMS
} form;

_Static_assert(FORMS* REEDS_SHEPP_LANES == KERB_REEDS_SHEPP_WORDS,
               "every form has four mirror images");

// Greatest error of an angle by the rounding of the poses, as a share of the size of the goal (see
// relative_goal): a few roundings of floats. [turns]
#define REEDS_SHEPP_SLACK 5e-7

// All shares below are of the radius or of the length of the curve, whichever is shorter. Pieces
// shorter than PIECE_LEAST are left out. Pieces shorter than one of short_shares are left out when
// the curve without them still ends at the goal: its end may miss the position by POSITION_MISS of
// its length plus COORDINATE_MISS of the greatest coordinate (four roundings of a float), and the
// heading by HEADING_MISS. [rad]
#define PIECE_LEAST 1e-6
#define PIECE_SHARES 3
static const double short_shares[PIECE_SHARES] = {1e-3, 1e-4, 1e-5};
#define POSITION_MISS 2e-6
#define COORDINATE_MISS 2.4e-7
#define HEADING_MISS 2e-6

// Curves that are longer by less than this share count as equally short: one rounding of a float.
#define TIE 1e-7

#define NO_WAY 1e30 // length of a word that does not exist [radii]

#define RADIANS_PER_TURN 0x1.921fb54442d18p+2 // 2π
#define TURNS_PER_RADIAN 0x1.45f306dc9c883p-3 // 1/(2π)

// Smaller numbers count as 0, because hosts may flush them to 0. Radii must lie between the two.
#define NUMBER_LEAST 1e-30f
#define REEDS_SHEPP_RADIUS_MOST 1e30f

// --------------------------------------------------------------------------- the goal

// The goal relative to the start. [radii]
typedef struct relative_goal {
    double x, y;
    double sine, cosine;
    double less, more; // 1 - cosine and 1 + cosine, without cancellation
    double size;       // scale of the curve: at most twice its length, and at most 1
    double reach;      // distance to the goal
} relative_goal;

static inline double number_of(float x) {
    return fabsf(x) < NUMBER_LEAST ? 0.0 : (double)x;
}

// 1/sqrt(square) for squares within a float's rounding of 1.
static double inverse_root_near_one(double square) {
    return 1.5 - 0.5 * square;
}

static relative_goal relative_to(kerb_pose from, kerb_pose to, double radius) {
    double ahead_x = number_of(from.forward.x), ahead_y = number_of(from.forward.y);
    double there_x = number_of(to.forward.x), there_y = number_of(to.forward.y);
    double scale = inverse_root_near_one(ahead_x * ahead_x + ahead_y * ahead_y) / radius;
    double x = (number_of(to.position.x) - number_of(from.position.x)) * scale;
    double y = (number_of(to.position.y) - number_of(from.position.y)) * scale;
    double sine = ahead_x * there_y - ahead_y * there_x;
    double cosine = ahead_x * there_x + ahead_y * there_y;
    double unit = inverse_root_near_one(sine * sine + cosine * cosine);
    relative_goal goal = {
        .x = ahead_x * x + ahead_y * y,
        .y = ahead_x * y - ahead_y * x,
        .sine = sine * unit,
        .cosine = cosine * unit,
    };
    double greater = 1.0 + fabs(goal.cosine);
    double smaller = goal.sine * goal.sine / greater;
    goal.less = goal.cosine > 0.0 ? smaller : greater;
    goal.more = goal.cosine > 0.0 ? greater : smaller;
    goal.reach = sqrt(goal.x * goal.x + goal.y * goal.y);
    double size = goal.reach + fabs(goal.sine) + goal.less;
    goal.size = size < 1.0 ? size : 1.0;
    return goal;
}

// --------------------------------------------------------------------------- the circles

// Pairs of turning circles, at the start and at the goal. The second of each kind is the first of
// the problem mirrored in space.
typedef enum circle_pair { LEFT_LEFT, RIGHT_RIGHT, LEFT_RIGHT, RIGHT_LEFT, PAIRS } circle_pair;

// Angles are in turns: quarter turns are exact in this unit, and whole turns are easy to subtract.
typedef struct reeds_shepp_circles {
    double angle[PAIRS]; // of the vector from the start's circle to the goal's
    double distance[PAIRS];
    double excess[PAIRS];   // distance² - 4
    double straight[PAIRS]; // square root of the excess, 0 when the excess is negative
    double tangent[PAIRS];  // atan(2/straight)
    double bend[PAIRS];     // same sides: half of the middle arc; else each of the two middle arcs
    double lean[2];         // LEFT_RIGHT, RIGHT_LEFT: for words of four arcs with two reversals
    double heading;         // of the goal
} reeds_shepp_circles;

static inline double at_least_zero(double x) {
    return x > 0.0 ? x : 0.0;
}

static inline double root(double square) {
    return sqrt(at_least_zero(square));
}

// Opposite and adjacent sides of the right-angled triangles whose angles are computed.
#define ANGLES 16
typedef struct triangles {
    double opposite[ANGLES], adjacent[ANGLES];
} triangles;

// Where each kind of angle begins. Angles from OF_BEND on are in the first quadrant.
enum { OF_VECTOR = 0, OF_HEADING = 4, OF_BEND = 6, OF_TANGENT = 10, OF_LEAN = 14 };

static inline void measure_distances(const relative_goal* goal, reeds_shepp_circles* c,
                                     triangles* t) {
    double x = goal->x, y = goal->y, s = goal->sine;
    double east[PAIRS] = {x - s, x + s, x + s, x - s};
    double north[PAIRS] = {y - goal->less, -y - goal->less, y - goal->more, -y - goal->more};
    // Excess between circles of opposite sides. It is written without the 4, which would nearly
    // cancel for a goal that is near and straight ahead.
    double near = x * x + y * y - 2.0 * goal->less;
    double twist = 2.0 * (x * s - y * goal->more);
    double opposite_excess[2] = {near + twist, near - twist};
    for (int i = 0; i < PAIRS; i++) {
        t->opposite[OF_VECTOR + i] = north[i];
        t->adjacent[OF_VECTOR + i] = east[i];
        double square = east[i] * east[i] + north[i] * north[i];
        c->distance[i] = sqrt(square);
        c->excess[i] = square - 4.0;
    }
    for (int i = 0; i < 2; i++)
        c->excess[LEFT_RIGHT + i] = opposite_excess[i];
    for (int i = 0; i < PAIRS; i++) {
        c->straight[i] = root(c->excess[i]);
        t->opposite[OF_TANGENT + i] = 2.0;
        t->adjacent[OF_TANGENT + i] = c->straight[i];
    }
}

// Same sides: sin(bend) = distance/4. Opposite sides: cos(bend) = (2 + distance)/4 when the
// distance is less than 2, else 1 - excess/16. Both are computed from 1 - cos(bend), which keeps
// its digits when the bend is small.
static inline void measure_bends(const reeds_shepp_circles* c, triangles* t) {
    for (int i = 0; i < 2; i++) {
        t->opposite[OF_BEND + i] = c->distance[i];
        t->adjacent[OF_BEND + i] = root(12.0 - c->excess[i]);
    }
    for (int i = 0; i < 2; i++) {
        double excess = c->excess[LEFT_RIGHT + i];
        double nearer = -excess / (8.0 + 4.0 * c->distance[LEFT_RIGHT + i]);
        double less = excess > 0.0 ? excess * (1.0 / 16.0) : nearer;
        double sine = root(less * (2.0 - less));
        t->opposite[OF_BEND + 2 + i] = sine;
        t->adjacent[OF_BEND + 2 + i] = 1.0 - less;
        t->opposite[OF_LEAN + i] = 2.0 * sine;
        t->adjacent[OF_LEAN + i] = 2.0 + 2.0 * less;
    }
}

// The angle of the vector (x, y) from the angle between its sides. [turns]
static inline double in_quadrant(double angle, double y, double x) {
    return copysign(x < 0.0 ? 0.5 - angle : angle, y);
}

static inline void join_circles(const relative_goal* goal, reeds_shepp_circles* c) {
    triangles t;
    double angle[ANGLES];
    measure_distances(goal, c, &t);
    measure_bends(c, &t);
    t.opposite[OF_HEADING] = goal->sine;
    t.adjacent[OF_HEADING] = goal->cosine;
    t.opposite[OF_HEADING + 1] = 0.0; // not used: it makes the number of angles even
    t.adjacent[OF_HEADING + 1] = 1.0;
    for (int i = 0; i < ANGLES; i++)
        angle[i] = angle_of_sides(fabs(t.opposite[i]), fabs(t.adjacent[i])) * TURNS_PER_RADIAN;
    for (int i = 0; i < OF_BEND; i++)
        angle[i] = in_quadrant(angle[i], t.opposite[i], t.adjacent[i]);
    for (int i = 0; i < PAIRS; i++) {
        c->angle[i] = angle[OF_VECTOR + i];
        c->bend[i] = angle[OF_BEND + i];
        c->tangent[i] = angle[OF_TANGENT + i];
    }
    c->lean[0] = angle[OF_LEAN];
    c->lean[1] = angle[OF_LEAN + 1];
    c->heading = angle[OF_HEADING];
}

// --------------------------------------------------------------------------- the words

// Length between the outer arcs of every word. [radii] NO_WAY when the word does not exist for
// these circles. No lanes are needed, because a mirror in time does not move the circles.
typedef struct middles {
    double plain[2], three_arcs[2], quarter_then_same[2];                   // same sides
    double crossed[2], two_cusps[2], one_cusp[2], quarter_then_opposite[2]; // opposite sides
    double quarters[2];
} middles;

// The angles and lengths of the circles in every lane. `reversed` is seen from the goal, as for a
// curve that is driven backwards.
typedef struct reeds_shepp_lanes {
    double heading[REEDS_SHEPP_LANES], same[REEDS_SHEPP_LANES], opposite[REEDS_SHEPP_LANES],
        reversed[REEDS_SHEPP_LANES]; // angles of vectors
    double same_tangent[REEDS_SHEPP_LANES], same_bend[REEDS_SHEPP_LANES];
    double tangent[REEDS_SHEPP_LANES], bend[REEDS_SHEPP_LANES], lean[REEDS_SHEPP_LANES];
    double between[FORMS][REEDS_SHEPP_LANES];
    double least; // smallest angle that still counts as 0, negative [turns]
} reeds_shepp_lanes;

static inline double where(bool exists, double length) {
    return exists ? length : NO_WAY;
}

static inline void measure_middles(const reeds_shepp_circles* c, double least, double least_excess,
                                   middles* m) {
    const double quarter = 0.25 * RADIANS_PER_TURN;
    for (int i = 0; i < 2; i++) {
        double straight = c->straight[i] - 2.0;
        m->plain[i] = c->distance[i];
        m->three_arcs[i] =
            where(c->distance[i] <= 4.0 - least, 2.0 * RADIANS_PER_TURN * c->bend[i]);
        m->quarter_then_same[i] = where(straight >= least, quarter + at_least_zero(straight));
    }
    for (int i = 0; i < 2; i++) {
        double excess = c->excess[i + 2], straight = c->straight[i + 2] - 4.0;
        double arcs = 2.0 * RADIANS_PER_TURN * c->bend[i + 2];
        double beyond = at_least_zero(c->distance[i + 2] - 2.0);
        m->crossed[i] = where(excess >= least_excess, c->straight[i + 2]);
        m->one_cusp[i] = where(excess <= 0.0, arcs);
        // The excess must be from 0 to 16: above, the middle arcs would exceed a quarter turn.
        m->two_cusps[i] = where(fabs(excess - 8.0) <= 8.0 - least_excess, arcs);
        m->quarter_then_opposite[i] = where(excess >= least_excess, quarter + beyond);
        m->quarters[i] = where(straight >= least, 2.0 * quarter + at_least_zero(straight));
    }
}

// A mirror in time keeps the circles and turns the angle a of the vector between them into π - a.
static inline void spread_over_lanes(const reeds_shepp_circles* c, const middles* m,
                                     reeds_shepp_lanes* l) {
    for (int i = 0; i < 2; i++) {
        l->same[i] = c->angle[i];
        l->same[i + 2] = 0.5 - c->angle[i];
        l->opposite[i] = c->angle[i + 2];
        l->opposite[i + 2] = 0.5 - c->angle[i + 2];
        l->same_tangent[i] = l->same_tangent[i + 2] = c->tangent[i];
        l->same_bend[i] = l->same_bend[i + 2] = c->bend[i];
        l->tangent[i] = l->tangent[i + 2] = c->tangent[i + 2];
        l->bend[i] = l->bend[i + 2] = c->bend[i + 2];
        l->lean[i] = l->lean[i + 2] = c->lean[i];
        l->between[LSL][i] = l->between[LSL][i + 2] = m->plain[i];
        l->between[LrL][i] = l->between[LrL][i + 2] = m->three_arcs[i];
        l->between[Lrsl][i] = l->between[Lrsl][i + 2] = m->quarter_then_same[i];
        l->between[LSR][i] = l->between[LSR][i + 2] = m->crossed[i];
        l->between[LRlr][i] = l->between[LRlr][i + 2] = m->one_cusp[i];
        l->between[LrlR][i] = l->between[LrlR][i + 2] = m->two_cusps[i];
        l->between[Lrsr][i] = l->between[Lrsr][i + 2] = m->quarter_then_opposite[i];
        l->between[rsrL][i] = l->between[rsrL][i + 2] = m->quarter_then_opposite[1 - i];
        l->between[LrslR][i] = l->between[LrslR][i + 2] = m->quarters[i];
    }
    for (int i = 0; i < REEDS_SHEPP_LANES; i++) {
        l->heading[i] = i == 0 || i == 3 ? c->heading : -c->heading;
        l->reversed[i] = l->opposite[i ^ 1];
    }
}

// One word: its outer arcs with their whole turns [turns], and the length between them. [radii]
typedef struct reeds_shepp_arcs {
    double first, last, between;
} reeds_shepp_arcs;

// How each word follows from the circles. The numbers are the formulas of the paper.

static inline reeds_shepp_arcs make_LSL(const reeds_shepp_lanes* l, int i) { // 8.1
    return (reeds_shepp_arcs){l->same[i], l->heading[i] - l->same[i], l->between[LSL][i]};
}

static inline reeds_shepp_arcs make_LSR(const reeds_shepp_lanes* l, int i) { // 8.2
    double first = l->opposite[i] + l->tangent[i];
    return (reeds_shepp_arcs){first, first - l->heading[i], l->between[LSR][i]};
}

// The middle arc of these three-arc words touches the outer circles at the same two points,
// whichever of the arcs are driven in reverse.
static inline reeds_shepp_arcs make_LrL(const reeds_shepp_lanes* l, int i) { // 8.3
    double first = l->same[i] - l->same_bend[i] + 0.5;
    double last = l->heading[i] - l->same[i] - l->same_bend[i] - 0.5;
    return (reeds_shepp_arcs){first, last, l->between[LrL][i]};
}

static inline reeds_shepp_arcs make_Lrl(const reeds_shepp_lanes* l, int i) { // 8.4
    reeds_shepp_arcs a = make_LrL(l, i);
    a.last = -a.last;
    return a;
}

static inline reeds_shepp_arcs make_lrL(const reeds_shepp_lanes* l, int i) { // 8.4, driven back
    reeds_shepp_arcs a = make_LrL(l, i);
    a.first = -a.first;
    return a;
}

static inline reeds_shepp_arcs make_LRlr(const reeds_shepp_lanes* l, int i) { // 8.7
    double first = l->opposite[i] + l->bend[i] + 0.25;
    double last = l->heading[i] - l->opposite[i] + l->bend[i] - 0.25;
    return (reeds_shepp_arcs){first, last, l->between[LRlr][i]};
}

static inline reeds_shepp_arcs make_LrlR(const reeds_shepp_lanes* l, int i) { // 8.8
    double first = l->opposite[i] + l->lean[i] + 0.25;
    return (reeds_shepp_arcs){first, first - l->heading[i], l->between[LrlR][i]};
}

static inline reeds_shepp_arcs make_Lrsl(const reeds_shepp_lanes* l, int i) { // 8.9
    double first = l->same[i] + l->same_tangent[i] + 0.25;
    return (reeds_shepp_arcs){first, first + 0.25 - l->heading[i], l->between[Lrsl][i]};
}

static inline reeds_shepp_arcs make_lsrL(const reeds_shepp_lanes* l, int i) { // 8.9, driven back
    double first = l->same_tangent[i] - l->same[i] + 0.5;
    double last = l->heading[i] - l->same[i] + l->same_tangent[i] + 0.25;
    return (reeds_shepp_arcs){first, last, l->between[Lrsl][i]};
}

static inline reeds_shepp_arcs make_Lrsr(const reeds_shepp_lanes* l, int i) { // 8.10
    double last = l->heading[i] - l->opposite[i] - 0.5;
    return (reeds_shepp_arcs){l->opposite[i] + 0.25, last, l->between[Lrsr][i]};
}

static inline reeds_shepp_arcs make_rsrL(const reeds_shepp_lanes* l, int i) { // 8.10, driven back
    double last = l->heading[i] + l->reversed[i] + 0.25;
    return (reeds_shepp_arcs){-l->reversed[i] - 0.5, last, l->between[rsrL][i]};
}

static inline reeds_shepp_arcs make_LrslR(const reeds_shepp_lanes* l, int i) { // 8.11
    double first = l->opposite[i] + l->tangent[i] + 0.25;
    return (reeds_shepp_arcs){first, first - l->heading[i], l->between[LrslR][i]};
}

static inline void reeds_shepp_look_at(const relative_goal* goal, reeds_shepp_lanes* l) {
    reeds_shepp_circles c;
    middles m;
    join_circles(goal, &c);
    l->least = -REEDS_SHEPP_SLACK * goal->size;
    measure_middles(&c, l->least, -2.0 * REEDS_SHEPP_SLACK * goal->reach, &m);
    spread_over_lanes(&c, &m, l);
}

// --------------------------------------------------------------------------- lengths

static bool is_measurable(const relative_goal* goal, float radius) {
    double sum = goal->x + goal->y + goal->sine + goal->cosine;
    return radius >= NUMBER_LEAST && radius <= REEDS_SHEPP_RADIUS_MOST && sum - sum == 0.0;
}

static float in_metres(double length, float radius) {
    double metres = length * (double)radius;
    if (!(length < NO_WAY && metres < (double)KERB_NO_CURVE))
        return KERB_NO_CURVE;
    return metres > (double)NUMBER_LEAST ? (float)metres : 0.0f;
}

// Length of the whole word. [radii] NO_WAY or more when it does not exist.
static inline double reeds_shepp_length_of(reeds_shepp_arcs a, double least) {
    double first = turns_from(a.first, least);
    double last = turns_from(a.last, least);
    return (first + last) * RADIANS_PER_TURN + a.between;
}

static inline double reeds_shepp_lesser(double a, double b) {
    return a < b ? a : b;
}

static inline double reeds_shepp_shortest(const reeds_shepp_lanes* l) {
    double length[REEDS_SHEPP_LANES];
    for (int i = 0; i < REEDS_SHEPP_LANES; i++) {
        double a = reeds_shepp_length_of(make_LSL(l, i), l->least);
        double b = reeds_shepp_length_of(make_LSR(l, i), l->least);
        a = reeds_shepp_lesser(a, reeds_shepp_length_of(make_Lrl(l, i), l->least));
        b = reeds_shepp_lesser(b, reeds_shepp_length_of(make_lrL(l, i), l->least));
        a = reeds_shepp_lesser(a, reeds_shepp_length_of(make_LRlr(l, i), l->least));
        b = reeds_shepp_lesser(b, reeds_shepp_length_of(make_Lrsl(l, i), l->least));
        a = reeds_shepp_lesser(a, reeds_shepp_length_of(make_lsrL(l, i), l->least));
        b = reeds_shepp_lesser(b, reeds_shepp_length_of(make_Lrsr(l, i), l->least));
        a = reeds_shepp_lesser(a, reeds_shepp_length_of(make_rsrL(l, i), l->least));
        b = reeds_shepp_lesser(b, reeds_shepp_length_of(make_LrL(l, i), l->least));
        a = reeds_shepp_lesser(a, reeds_shepp_length_of(make_LrlR(l, i), l->least));
        b = reeds_shepp_lesser(b, reeds_shepp_length_of(make_LrslR(l, i), l->least));
        length[i] = reeds_shepp_lesser(a, b);
    }
    return reeds_shepp_lesser(reeds_shepp_lesser(length[0], length[1]),
                              reeds_shepp_lesser(length[2], length[3]));
}

static reeds_shepp_arcs reeds_shepp_make(form f, const reeds_shepp_lanes* l, int lane) {
    switch (f) {
    case LSL:
        return make_LSL(l, lane);
    case LSR:
        return make_LSR(l, lane);
    case Lrl:
        return make_Lrl(l, lane);
    case lrL:
        return make_lrL(l, lane);
    case LRlr:
        return make_LRlr(l, lane);
    case Lrsl:
        return make_Lrsl(l, lane);
    case lsrL:
        return make_lsrL(l, lane);
    case Lrsr:
        return make_Lrsr(l, lane);
    case rsrL:
        return make_rsrL(l, lane);
    case LrL:
        return make_LrL(l, lane);
    case LrlR:
        return make_LrlR(l, lane);
    case LrslR:
    case FORMS:
        break;
    }
    return make_LrslR(l, lane);
}

static reeds_shepp_arcs arcs_of(int32_t word, const reeds_shepp_lanes* l) {
    return reeds_shepp_make((form)(word / REEDS_SHEPP_LANES), l, word % REEDS_SHEPP_LANES);
}

// The question, the goal relative to the start, and the circles in every lane.
typedef struct reeds_shepp_query {
    kerb_pose from, to;
    float radius;
    relative_goal goal;
    reeds_shepp_lanes lanes;
} reeds_shepp_query;

// False when there is nothing to measure: a number is not finite, or the radius is out of range.
static inline bool reeds_shepp_ask(reeds_shepp_query* q, kerb_pose from, kerb_pose to,
                                   float radius) {
    q->from = from;
    q->to = to;
    q->radius = radius;
    q->goal = relative_to(from, to, (double)radius);
    if (!is_measurable(&q->goal, radius))
        return false;
    reeds_shepp_look_at(&q->goal, &q->lanes);
    return true;
}

float kerb_reeds_shepp_length(kerb_pose from, kerb_pose to, float radius) {
    reeds_shepp_query q;
    if (!reeds_shepp_ask(&q, from, to, radius))
        return KERB_NO_CURVE;
    return in_metres(reeds_shepp_shortest(&q.lanes), radius);
}

static bool is_word(int32_t word) {
    return word >= 0 && word < KERB_REEDS_SHEPP_WORDS;
}

float kerb_reeds_shepp_word_length(int32_t word, kerb_pose from, kerb_pose to, float radius) {
    KERB_ASSERT(is_word(word));
    reeds_shepp_query q;
    if (!is_word(word) || !reeds_shepp_ask(&q, from, to, radius))
        return KERB_NO_CURVE;
    return in_metres(reeds_shepp_length_of(arcs_of(word, &q.lanes), q.lanes.least), radius);
}

// --------------------------------------------------------------------------- texts

// Each row: the form itself, its mirror image in space, in time, in both.
static const char word_texts[KERB_REEDS_SHEPP_WORDS][KERB_CURVE_PIECES + 1] = {
    "LSL",   "RSR",   "lsl",   "rsr",   // C S C
    "LSR",   "RSL",   "lsr",   "rsl",   //
    "Lrl",   "Rlr",   "lRL",   "rLR",   // C | C C
    "lrL",   "rlR",   "LRl",   "RLr",   // C C | C
    "LRlr",  "RLrl",  "lrLR",  "rlRL",  // C C | C C
    "Lrsl",  "Rlsr",  "lRSL",  "rLSR",  // C | C S C
    "lsrL",  "rslR",  "LSRl",  "RSLr",  // C S C | C
    "Lrsr",  "Rlsl",  "lRSR",  "rLSL",  // C | C S C
    "rsrL",  "lslR",  "RSRl",  "LSLr",  // C S C | C
    "LrL",   "RlR",   "lRl",   "rLr",   // C | C | C
    "LrlR",  "RlrL",  "lRLr",  "rLRl",  // C | C C | C
    "LrslR", "RlsrL", "lRSLr", "rLSRl", // C | C S C | C
};

const char* kerb_reeds_shepp_word_text(int32_t word) {
    KERB_ASSERT(is_word(word));
    return is_word(word) ? word_texts[word] : "";
}

// --------------------------------------------------------------------------- curves

// Length of one piece. [radii] Inner arcs next to a straight line are quarter turns.
static double piece_of(const reeds_shepp_arcs* a, double least, const char* text, int32_t piece) {
    const double quarter = 0.25 * RADIANS_PER_TURN;
    int32_t between = (int32_t)strlen(text) - 2;
    if (piece == 0)
        return turns_from(a->first, least) * RADIANS_PER_TURN;
    if (piece == between + 1)
        return turns_from(a->last, least) * RADIANS_PER_TURN;
    if (text[piece] == 'S' || text[piece] == 's')
        return a->between - (double)(between - 1) * quarter;
    return strpbrk(text, "Ss") ? quarter : a->between / (double)between;
}

// The curvature in the result is a rounded float. The length is computed from that float, so that
// an arc turns by the right angle.
static void reeds_shepp_append(kerb_curve* way, char letter, double size, float radius) {
    bool left = letter == 'L' || letter == 'l', straight = letter == 'S' || letter == 's';
    bool reverse = letter == 'l' || letter == 'r' || letter == 's';
    float curvature = straight ? 0.0f : left ? 1.0f / radius : -1.0f / radius;
    double metres = straight ? size * (double)radius : size / (double)kerb_abs(curvature);
    if (!(metres > (double)NUMBER_LEAST))
        return;
    metres = reeds_shepp_lesser(metres, (double)KERB_NO_CURVE);
    float length = reverse ? -(float)metres : (float)metres;
    int32_t last = way->count - 1;
    // The piece between two pieces of the same kind has been left out: they become one.
    if (last >= 0 && way->curvature[last] == curvature && (way->length[last] < 0.0f) == reverse) {
        way->length[last] += length;
        return;
    }
    way->curvature[way->count] = curvature;
    way->length[way->count] = length;
    way->count++;
}

// The curve of the pieces that are longer than `least` radii.
static kerb_curve pieces_above(double least, const reeds_shepp_arcs* a, const reeds_shepp_query* q,
                               const char* text) {
    kerb_curve way = {.start = q->from};
    for (int32_t i = 0; text[i] != '\0'; i++) {
        double size = piece_of(a, q->lanes.least, text, i);
        if (size > least)
            reeds_shepp_append(&way, text[i], size, q->radius);
    }
    return way;
}

static double farthest_coordinate(kerb_vec2 a, kerb_vec2 b) {
    float farthest = kerb_max(kerb_abs(a.x), kerb_abs(a.y));
    return (double)kerb_max(farthest, kerb_max(kerb_abs(b.x), kerb_abs(b.y)));
}

// The curve is followed from the origin, where floats are most precise. [whole: radii]
static bool ends_at_goal(kerb_curve way, double whole, const reeds_shepp_query* q) {
    double radius = (double)q->radius;
    double coordinate = farthest_coordinate(q->from.position, q->to.position);
    double miss = POSITION_MISS * whole + COORDINATE_MISS * coordinate / radius;
    way.start = (kerb_pose){{0.0f, 0.0f}, {1.0f, 0.0f}};
    kerb_pose end = kerb_curve_end(&way);
    double x = (double)end.position.x / radius - q->goal.x;
    double y = (double)end.position.y / radius - q->goal.y;
    double off_x = (double)end.forward.x - q->goal.cosine;
    double off_y = (double)end.forward.y - q->goal.sine;
    return x * x + y * y <= miss * miss &&
           off_x * off_x + off_y * off_y <= HEADING_MISS * HEADING_MISS;
}

// Rounding can make two short pieces in opposite directions that nearly cancel each other. They are
// left out, because a follower would stop at each of them.
static kerb_curve reeds_shepp_way_of(const reeds_shepp_query* q, int32_t word) {
    reeds_shepp_arcs a = arcs_of(word, &q->lanes);
    if (!(a.between < NO_WAY))
        return (kerb_curve){.start = q->from};
    double whole = reeds_shepp_length_of(a, q->lanes.least);
    double unit = reeds_shepp_lesser(whole, 1.0);
    kerb_curve way = pieces_above(PIECE_LEAST * unit, &a, q, word_texts[word]);
    for (int32_t i = 0; i < PIECE_SHARES; i++) {
        kerb_curve plain = pieces_above(short_shares[i] * unit, &a, q, word_texts[word]);
        if (plain.count < way.count && ends_at_goal(plain, whole, q))
            return plain;
    }
    return way;
}

// The first word that is as short as the shortest, within TIE.
static int32_t reeds_shepp_shortest_word(const reeds_shepp_lanes* l) {
    double least = reeds_shepp_shortest(l);
    double most = least + TIE * reeds_shepp_lesser(least, 1.0);
    int32_t word = 0;
    while (word + 1 < KERB_REEDS_SHEPP_WORDS &&
           reeds_shepp_length_of(arcs_of(word, l), l->least) > most)
        word++;
    return word;
}

kerb_curve kerb_reeds_shepp(kerb_pose from, kerb_pose to, float radius) {
    reeds_shepp_query q;
    if (!reeds_shepp_ask(&q, from, to, radius))
        return (kerb_curve){.start = from};
    return reeds_shepp_way_of(&q, reeds_shepp_shortest_word(&q.lanes));
}

kerb_curve kerb_reeds_shepp_by_word(int32_t word, kerb_pose from, kerb_pose to, float radius) {
    KERB_ASSERT(is_word(word));
    reeds_shepp_query q;
    if (!is_word(word) || !reeds_shepp_ask(&q, from, to, radius))
        return (kerb_curve){.start = from};
    return reeds_shepp_way_of(&q, word);
}
