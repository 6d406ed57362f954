// Directed seek: arriving at a position with a given direction (M. Jakob, "Directional extensions
// of seek steering behavior"), on the plane.
//
// Each step computes the paths from the agent's pose that the settings allow, takes the best one,
// and steers along its first metres. In a step in which one piece of the path ends and the next
// begins, the agent turns by as much as the path turns over those metres. Then its heading is that
// of the path, and it is less than d²/8r beside the path, where d is the distance of a step. The
// paper's rules for stages (eq. 2 to 4) follow from this, with the tolerance that they need: see
// words.c.
//
// The paper ranks paths by how much they turn (eq. 1), and it considers the goal's circle on the
// agent's own side only. Both are settings here. When an agent crosses the goal's line, that circle
// changes. Within the tolerance of the line both circles are considered, so that an agent that
// drives along the line does not waver.
//
// Cost: two to six words with an arctangent each. O(1). Nothing is stored or allocated.
#include "kerb/seek.h"

#include "directed_seek.h"

#include "../steer/shared.h"
#include "words.h"

#include "../base/shared.h"

#define DIRECTED_SEEK_QUARTER (0.5f * KERB_PI) // a right angle [rad]
// Slack of turns, as a share of the angle of a step, chosen by trial. [1]
#define DIRECTED_SEEK_SLACK 0.01f

// --------------------------------------------------------------------------- speed

// When the turning radius depends on the speed, a speed above the final one would enlarge the
// circles that the plan uses.
static float cruise(const seek_task* task) {
    if (task->settings->radius == KERB_DIRECTED_RADIUS_AGENT)
        return task->agent->speed_max;
    return kerb_min(kerb_max(kerb_abs(task->agent->speed), task->goal->speed),
                    task->agent->speed_max);
}

float kerb_in_seek_speed(const seek_task* task, float wanted, float distance) {
    float most = cruise(task), braking = task->agent->braking;
    // Shortcut for a far goal, without square roots.
    float room = wanted * wanted + 2.0f * braking * (distance - most * task->time_step);
    if (most >= kerb_abs(task->agent->speed) && room >= most * most)
        return most;
    float speed = kerb_in_steer_speed_in_time(kerb_abs(task->agent->speed), braking, wanted,
                                              distance, task->time_step);
    return kerb_min(speed, most);
}

// --------------------------------------------------------------------------- a step along a path

// The turn of a step inside an arc: to the side, at most by a right angle (paper, figure 5). It is
// smaller when the plan's circle is larger than the agent's.
static float full_turn(const seek_task* task, float turn, float radius, float metres) {
    float angle = kerb_min(kerb_abs(turn), DIRECTED_SEEK_QUARTER);
    if (radius > 1.001f * task->agent->turning_radius)
        angle = kerb_min(angle, metres / radius);
    return turn < 0.0f ? -angle : angle;
}

float kerb_in_seek_turn(const seek_task* task, const seek_pieces* pieces, float metres) {
    float left = metres, turned = 0.0f;
    for (int32_t i = 0; i < pieces->count; i++) {
        float length = pieces->metres[i], turn = pieces->turn[i];
        if (length <= 0.0f)
            continue;
        if (length >= left && left == metres)
            return turn == 0.0f ? 0.0f : full_turn(task, turn, length / kerb_abs(turn), metres);
        if (length >= left)
            return turned + turn * left / length;
        turned += turn;
        left -= length;
    }
    // The path ends within the step: the turn continues at the same rate, so that the heading is
    // right at the end of the path.
    float driven = metres - left;
    return driven > 0.0f
               ? kerb_clamp(turned * metres / driven, -DIRECTED_SEEK_QUARTER, DIRECTED_SEEK_QUARTER)
               : 0.0f;
}

// --------------------------------------------------------------------------- view of the goal

static void choose_radii(const seek_task* task, seek_view* view) {
    float own = kerb_max(task->agent->turning_radius, SEEK_RADIUS_LEAST);
    float there = kerb_max(task->goal->turning_radius, SEEK_RADIUS_LEAST);
    int32_t radius = task->settings->radius;
    bool two = radius == KERB_DIRECTED_RADIUS_TWO && task->settings->method < KERB_DIRECTED_DUBINS;
    view->first_radius = view->last_radius = own;
    if (two)
        view->last_radius = there;
    else if (radius != KERB_DIRECTED_RADIUS_AGENT)
        view->first_radius = view->last_radius = kerb_max(own, there);
}

// The greatest speed from which the agent can have braked since its last turn began. Errors that
// were tolerated then, with longer steps, must still be tolerated now.
static float directed_seek_speed_before(const kerb_agent* agent, float radius) {
    float speed = kerb_abs(agent->speed);
    if (speed >= agent->speed_max)
        return speed; // the usual case, without a square root
    float braked = kerb_sqrt(speed * speed + 4.0f * KERB_PI * radius * agent->braking);
    return kerb_max(speed, kerb_min(braked, agent->speed_max));
}

// Inlined, because the processor stalls when one function stores numbers in pairs and the next
// reads them singly.
static inline void directed_seek_measure(const seek_task* task, seek_view* view) {
    const kerb_directed_seek_settings* settings = task->settings;
    float metres = kerb_abs(task->agent->speed) * task->time_step;
    choose_radii(task, view);
    float before = directed_seek_speed_before(task->agent, view->last_radius) * task->time_step;
    view->tolerance = settings->arrival_distance + settings->arrival_share * before;
    view->finish_tolerance = settings->arrival_distance + settings->arrival_share * metres;
    view->slack = kerb_min(DIRECTED_SEEK_SLACK * metres / view->first_radius + 0.002f, 0.3f);
    view->last_slack = kerb_min(DIRECTED_SEEK_SLACK * metres / view->last_radius + 0.002f, 0.3f);
}

void kerb_in_seek_measure(const seek_task* task, seek_view* view) {
    directed_seek_measure(task, view);
}

seek_view kerb_in_seek_view_of(const seek_task* task) {
    const kerb_agent* a = task->agent;
    const kerb_directed_goal* g = task->goal;
    seek_view view;
    float x = g->position.x - a->position.x, y = g->position.y - a->position.y;
    // The minus is deliberate. With one addition and one subtraction side by side, GCC 12 fuses the
    // products for AVX2 (vfmsubadd), even with -ffp-contract=off, and the bits would differ.
    view.x = x * a->forward.x + y * a->forward.y;
    view.y = -(x * a->forward.y - y * a->forward.x);
    view.cosine = g->forward.x * a->forward.x + g->forward.y * a->forward.y;
    view.sine = -(g->forward.x * a->forward.y - g->forward.y * a->forward.x);
    view.heading = 0.0f;
    directed_seek_measure(task, &view);
    return view;
}

// --------------------------------------------------------------------------- choosing a path

static inline void keep_less_turning(seek_way* best, seek_way way) {
    if (way.exists && (!best->exists || way.turning < best->turning))
        *best = way;
}

static inline void keep_shorter(seek_way* best, seek_way way) {
    if (way.exists && (!best->exists || way.rank < best->rank))
        *best = way;
}

// On a tangent of circles on the same side no steering is needed, whatever other path exists. The
// straight line of a cross path would need some. (paper, eq. 3 and figure 5)
static inline bool is_on_straight(const seek_view* view, const seek_way* direct) {
    return direct->straight > 0.0f && kerb_abs(direct->first) <= view->slack;
}

// The direct and the cross path to the goal's circle on one side. (paper, section 3.4)
static inline void try_circle(const seek_view* view, float side, seek_way* best) {
    seek_way direct = kerb_in_seek_csc(view, side, side);
    keep_less_turning(best, direct);
    if (!is_on_straight(view, &direct))
        keep_less_turning(best, kerb_in_seek_csc(view, -side, side));
}

static seek_way paper_way(const seek_view* view) {
    seek_way best = {.exists = false};
    float beside =
        view->sine * view->x - view->cosine * view->y; // position left of the goal's line [m]
    if (beside >= -0.1f * view->tolerance)
        try_circle(view, 1.0f, &best);
    if (beside <= 0.1f * view->tolerance)
        try_circle(view, -1.0f, &best);
    return best;
}

static seek_way both_circles_way(const seek_view* view) {
    seek_way best = kerb_in_seek_csc(view, 1.0f, 1.0f);
    keep_less_turning(&best, kerb_in_seek_csc(view, -1.0f, -1.0f));
    keep_less_turning(&best, kerb_in_seek_csc(view, 1.0f, -1.0f));
    keep_less_turning(&best, kerb_in_seek_csc(view, -1.0f, 1.0f));
    return best;
}

static seek_way directed_seek_dubins_way(const seek_view* view) {
    seek_way best = kerb_in_seek_csc(view, 1.0f, 1.0f);
    keep_shorter(&best, kerb_in_seek_csc(view, -1.0f, -1.0f));
    keep_shorter(&best, kerb_in_seek_csc(view, 1.0f, -1.0f));
    keep_shorter(&best, kerb_in_seek_csc(view, -1.0f, 1.0f));
    keep_shorter(&best, kerb_in_seek_ccc(view, 1.0f));
    keep_shorter(&best, kerb_in_seek_ccc(view, -1.0f));
    return best;
}

seek_way kerb_in_seek_best(const seek_view* view, int32_t way, float reach) {
    seek_way best = kerb_in_seek_finish(view, reach);
    if (best.exists)
        return best;
    if (way == KERB_DIRECTED_PAPER)
        best = paper_way(view);
    else
        best =
            way == KERB_DIRECTED_DUBINS ? directed_seek_dubins_way(view) : both_circles_way(view);
    if (best.exists || view->first_radius == view->last_radius)
        return best;
    // One of the two circles lies within the other, so there is no tangent. With equal circles a
    // path always exists.
    seek_view equal = *view;
    equal.first_radius = equal.last_radius = kerb_max(view->first_radius, view->last_radius);
    return way == KERB_DIRECTED_PAPER ? paper_way(&equal) : both_circles_way(&equal);
}

seek_pieces kerb_in_seek_pieces_of(const seek_view* view, const seek_way* way) {
    bool three = way->middle != 0.0f;
    seek_pieces pieces = {.count = 3};
    pieces.turn[0] = way->first;
    pieces.turn[1] = way->middle;
    pieces.turn[2] = way->last;
    pieces.metres[0] = view->first_radius * kerb_abs(way->first);
    pieces.metres[1] = three ? view->first_radius * kerb_abs(way->middle) : way->straight;
    pieces.metres[2] = view->last_radius * kerb_abs(way->last);
    return pieces;
}

// --------------------------------------------------------------------------- desired steering

kerb_vec3 kerb_in_seek_turned(kerb_vec3 forward, kerb_vec3 left, float turn) {
    if (turn == 0.0f)
        return forward;
    if (kerb_abs(turn) == DIRECTED_SEEK_QUARTER)
        return kerb_vec3_scale(left, turn < 0.0f ? -1.0f : 1.0f);
    return steer_turned(forward, left, turn);
}

kerb_steering kerb_in_seek_wish(const seek_task* task, const seek_view* view, const seek_way* way,
                                kerb_vec3 forward, kerb_vec3 left) {
    kerb_steering wish;
    seek_pieces pieces = kerb_in_seek_pieces_of(view, way);
    // With two radii, the last turn already needs the goal's speed.
    bool two = task->settings->radius == KERB_DIRECTED_RADIUS_TWO;
    float to_brake = two ? pieces.metres[0] + pieces.metres[1] : way->length;
    wish.speed = kerb_in_seek_speed(task, task->goal->speed, to_brake);
    steer_travel travel = kerb_in_steer_travel_of(task->agent, wish.speed, task->time_step);
    float turn = kerb_in_seek_turn(task, &pieces, kerb_max(travel.distance, 0.0f));
    wish.direction = kerb_in_seek_turned(forward, left, turn);
    return wish;
}

kerb_steering kerb_in_seek_on_level(const seek_task* task, kerb_directed_decision* thoughts) {
    seek_view view = kerb_in_seek_view_of(task);
    float reach = kerb_abs(task->agent->speed) * task->time_step;
    seek_way way;
    if (task->settings->method != KERB_DIRECTED_PAPER ||
        !kerb_in_seek_paper_plainly(&view, reach, &way)) {
        view.heading = kerb_atan2(view.sine, view.cosine);
        way = kerb_in_seek_best(&view, task->settings->method, reach);
    }
    kerb_vec3 forward = task->agent->forward;
    kerb_vec3 left = kerb_vec3_make(-forward.y, forward.x, 0.0f);
    if (thoughts)
        kerb_in_seek_think(task, &view, &way, forward, left, thoughts);
    return kerb_in_seek_wish(task, &view, &way, forward, left);
}
