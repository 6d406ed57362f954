// Poses are turned one by one; curvatures, speeds and times are the same in both frames.
#include "tool/page/plan_frame.h"

// A turn about (0, 0): of velocities.
static kerb_io_map_info turn_alone(const kerb_io_map_info* frame) {
    return (kerb_io_map_info){.yaw = frame->yaw};
}

void tool_plan_ends_to_map(const kerb_io_map_info* frame, kerb_plan_end* ends, int32_t count) {
    for (int32_t i = 0; frame && i < count; i++)
        ends[i].pose = kerb_io_map_info_from_world(frame, ends[i].pose);
}

void tool_plan_ends_to_world(const kerb_io_map_info* frame, kerb_plan_end* ends, int32_t count) {
    for (int32_t i = 0; frame && i < count; i++)
        ends[i].pose = kerb_io_map_info_to_world(frame, ends[i].pose);
}

void tool_plan_movers_to_map(const kerb_io_map_info* frame, kerb_plan_mover* movers,
                             int32_t count) {
    for (int32_t i = 0; frame && i < count; i++) {
        kerb_io_map_info turn = turn_alone(frame);
        kerb_pose velocity = {movers[i].velocity, movers[i].pose.forward};
        movers[i].velocity = kerb_io_map_info_from_world(&turn, velocity).position;
        movers[i].pose = kerb_io_map_info_from_world(frame, movers[i].pose);
    }
}

void tool_plan_movers_to_world(const kerb_io_map_info* frame, kerb_plan_mover* movers,
                               int32_t count) {
    for (int32_t i = 0; frame && i < count; i++) {
        kerb_io_map_info turn = turn_alone(frame);
        kerb_pose velocity = {movers[i].velocity, movers[i].pose.forward};
        movers[i].velocity = kerb_io_map_info_to_world(&turn, velocity).position;
        movers[i].pose = kerb_io_map_info_to_world(frame, movers[i].pose);
    }
}

static void plan_frame_turn_pieces(const kerb_io_map_info* frame, kerb_plan_piece* pieces,
                                   int32_t count) {
    for (int32_t i = 0; pieces && i < count; i++)
        pieces[i].start = kerb_io_map_info_to_world(frame, pieces[i].start);
}

void tool_plan_found_to_world(tool_plan_found* found) {
    const kerb_io_map_info* frame = found->job.frame;
    if (!frame)
        return;
    tool_plan_ends_to_world(frame, &found->task.from, 1);
    tool_plan_ends_to_world(frame, &found->task.to, 1);
    tool_plan_ends_to_world(frame, &found->job.task.from, 1);
    tool_plan_ends_to_world(frame, &found->job.task.to, 1);
    plan_frame_turn_pieces(frame, found->pieces, found->plan.count);
    for (int32_t i = 0; i < found->driven.count; i++)
        found->driven.moments[i].rear =
            kerb_io_map_info_to_world(frame, found->driven.moments[i].rear);
}

void tool_plan_film_to_world(const tool_plan_found* found, tool_plan_film* film) {
    const kerb_io_map_info* frame = found->job.frame;
    for (int32_t i = 0; frame && i < film->arc_count; i++)
        film->arcs[i].from = kerb_io_map_info_to_world(frame, film->arcs[i].from);
    for (int32_t i = 0; frame && i < film->answer_count; i++)
        plan_frame_turn_pieces(frame, film->answers[i].pieces, film->answers[i].plan.count);
}
