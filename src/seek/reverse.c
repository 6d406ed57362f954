// Directed seek that may drive in reverse: three-point turns, by the shortest paths of Reeds and
// Shepp (paper, section 6, "Backward motion").
//
// The length of these paths changes little when the agent is a little beside the path. So planning
// anew in each step never makes it start over. But a lateral error e at the goal would cost a
// manoeuvre of its own, of about 4·sqrt(e·radius). So in the last metres, and before a change of
// direction, an arc that leads to the goal within the tolerance is taken as it is. O(1).
#include "kerb/seek.h"

#include "directed_seek.h"

// The pieces up to the first change of direction, and their direction of travel.
typedef struct seek_run {
    seek_pieces pieces;
    float travel; // 1 forwards, -1 in reverse
    float metres; // length of the run [m]
    bool is_last; // it ends at the goal
} seek_run;

static seek_run no_run(void) {
    seek_run run = {.travel = 1.0f, .is_last = true};
    return run;
}

static void reverse_append(seek_run* run, float curvature, float length) {
    int32_t i = run->pieces.count++;
    run->pieces.turn[i] = curvature * length;
    run->pieces.metres[i] = kerb_abs(length);
    run->metres += kerb_abs(length);
}

// Pieces shorter than `least` at the start are remainders of the last step and are skipped.
static seek_run run_of(const kerb_curve* way, float least) {
    seek_run run = no_run();
    int32_t i = 0;
    while (i + 1 < way->count && kerb_abs(way->length[i]) < least &&
           way->length[i] * way->length[i + 1] < 0.0f)
        i++;
    if (i < way->count)
        run.travel = way->length[i] < 0.0f ? -1.0f : 1.0f;
    for (; i < way->count && way->length[i] * run.travel >= 0.0f; i++)
        reverse_append(&run, way->curvature[i], way->length[i]);
    run.is_last = i == way->count;
    return run;
}

// Reverse travel is forward travel, seen in a mirror that exchanges front and rear.
static seek_view seek_reverse_mirrored(seek_view view) {
    view.x = -view.x;
    view.sine = -view.sine;
    view.heading = -view.heading;
    return view;
}

static bool try_finish(const seek_view* view, float reach, float travel, seek_run* run) {
    seek_view seen = travel < 0.0f ? seek_reverse_mirrored(*view) : *view;
    seek_way way = kerb_in_seek_finish(&seen, reach);
    if (!way.exists)
        return false;
    *run = no_run();
    run->pieces = kerb_in_seek_pieces_of(&seen, &way);
    run->metres = way.length;
    run->travel = travel;
    for (int32_t i = 0; i < run->pieces.count; i++)
        run->pieces.turn[i] *= travel;
    return true;
}

static kerb_pose reverse_pose_of(kerb_vec3 position, kerb_vec3 forward) {
    kerb_pose pose = {{position.x, position.y}, {forward.x, forward.y}};
    return pose;
}

static kerb_curve curve_of(const seek_task* task, float radius) {
    return kerb_reeds_shepp(reverse_pose_of(task->agent->position, task->agent->forward),
                            reverse_pose_of(task->goal->position, task->goal->forward), radius);
}

static kerb_steering wish_of(const seek_task* task, const seek_run* run) {
    kerb_vec3 forward = task->agent->forward;
    kerb_vec3 left = kerb_vec3_make(-forward.y, forward.x, 0.0f);
    float wanted = run->is_last && run->travel > 0.0f ? task->goal->speed : 0.0f;
    // While it still rolls in the other direction, it brakes first.
    float speed = kerb_in_seek_speed(task, wanted, run->metres);
    kerb_steering wish = {forward, run->travel * speed};
    steer_travel travel = kerb_in_steer_travel_of(task->agent, wish.speed, task->time_step);
    float metres = kerb_max(travel.distance * run->travel, 0.0f);
    wish.direction =
        kerb_in_seek_turned(forward, left, kerb_in_seek_turn(task, &run->pieces, metres));
    return wish;
}

// --------------------------------------------------------------------------- decision

static char reverse_letter(float turn, bool reverse) {
    if (turn == 0.0f)
        return reverse ? 's' : 'S';
    if (turn * (reverse ? -1.0f : 1.0f) > 0.0f)
        return reverse ? 'l' : 'L';
    return reverse ? 'r' : 'R';
}

static void think_of_curve(const seek_task* task, const kerb_curve* way, float radius,
                           kerb_directed_decision* thoughts) {
    float z = task->agent->position.z;
    for (int32_t i = 0; i < way->count; i++) {
        thoughts->word[i] =
            reverse_letter(way->curvature[i] * way->length[i], way->length[i] < 0.0f);
        thoughts->turning += kerb_abs(way->curvature[i] * way->length[i]);
    }
    thoughts->word[way->count] = '\0';
    thoughts->distance = kerb_curve_length(way);
    kerb_curve_sample end = kerb_curve_at(way, thoughts->distance);
    float first = way->count > 0 ? way->curvature[0] : 0.0f;
    kerb_vec2 from = way->start.position, ahead = way->start.forward;
    kerb_vec2 to = end.pose.position, there = end.pose.forward;
    float a = first < 0.0f ? -radius : radius, b = end.curvature < 0.0f ? -radius : radius;
    thoughts->first_centre = kerb_vec3_make(from.x - a * ahead.y, from.y + a * ahead.x, z);
    thoughts->last_centre = kerb_vec3_make(to.x - b * there.y, to.y + b * there.x, z);
    thoughts->first_radius = thoughts->last_radius = radius;
    kerb_pose after_first =
        kerb_curve_at(way, way->count > 0 ? kerb_abs(way->length[0]) : 0.0f).pose;
    float before = way->count > 0 ? kerb_abs(way->length[way->count - 1]) : 0.0f;
    kerb_pose before_last = kerb_curve_at(way, thoughts->distance - before).pose;
    thoughts->straight_from = kerb_vec3_make(after_first.position.x, after_first.position.y, z);
    thoughts->straight_to = kerb_vec3_make(before_last.position.x, before_last.position.y, z);
}

static int32_t reverse_stage_of(const seek_run* run, const kerb_curve* way, float step) {
    if (run->is_last && run->metres <= step)
        return KERB_DIRECTED_AT_GOAL;
    if (way->count <= 1)
        return KERB_DIRECTED_LAST_TURN;
    return way->curvature[0] == 0.0f ? KERB_DIRECTED_STRAIGHT : KERB_DIRECTED_FIRST_TURN;
}

kerb_steering kerb_in_seek_in_reverse(const seek_task* task, kerb_directed_decision* thoughts) {
    seek_view view = kerb_in_seek_view_of(task);
    view.heading = kerb_atan2(view.sine, view.cosine);
    float step = kerb_abs(task->agent->speed) * task->time_step;
    kerb_curve way = curve_of(task, view.first_radius);
    seek_run run;
    bool finishes = try_finish(&view, 2.0f * step, task->agent->speed < 0.0f ? -1.0f : 1.0f, &run);
    if (!finishes && way.count == 0)
        return kerb_steering_none(); // out of the range that can be measured
    if (!finishes)
        run = run_of(&way, view.finish_tolerance);
    if (thoughts) {
        think_of_curve(task, &way, view.first_radius, thoughts);
        thoughts->stage = reverse_stage_of(&run, &way, step);
    }
    return wish_of(task, &run);
}
