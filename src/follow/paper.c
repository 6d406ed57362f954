// Purpose: the methods PAPER and BASELINE: the path follower of the paper "Efficient Ground Vehicle
//          Path Following in Game AI" (EA), and the one that EA compares with. They use the modules
//          in ea.c.
// Idea:    Nothing is added that the paper does not name. Where it is silent: the look-ahead
//          distance grows with speed, anti-windup is by conditional integration, and stops are
//          braked for as in KERB.
#include "kerb/follow_paper.h"

#include "frame.h"

// The level position of a world point in the axes of travel. The origin is over the rear axle,
// where pure pursuit's circle starts.
static kerb_vec2 seen_from_axle(const kerb_follower* follower, const follow_frame* frame,
                                kerb_vec3 point) {
    float back = follower->vehicle.reference_to_rear_axle * frame->travel;
    kerb_vec3 axle = kerb_vec3_along(frame->motion->position, frame->heading, -back);
    kerb_vec3 to = kerb_vec3_sub(point, axle);
    kerb_vec2 level = {frame->heading.x, frame->heading.y};
    float length = kerb_max(kerb_vec2_length(level), 1.0e-3f);
    return kerb_vec2_make((to.x * level.x + to.y * level.y) / length,
                          (level.x * to.y - level.y * to.x) / length);
}

static kerb_vec3 target_point(kerb_follower* follower, const follow_frame* frame, float speed) {
    const kerb_follower_settings* settings = &follower->settings;
    const kerb_path* path = frame->path;
    kerb_path_location here = follower->memory.location;
    float lookahead =
        kerb_lookahead_distance(frame->speed, settings->paper.lookahead_time,
                                settings->paper.lookahead_min, settings->paper.lookahead_max);
    if (settings->paper.target_point == KERB_TARGET_RABBIT) {
        follower->memory.rabbit =
            kerb_follow_rabbit(path, here, follower->memory.rabbit, speed,
                               settings->paper.lookahead_min, lookahead, frame->time_step);
        lookahead = kerb_path_distance_between(path, here, follower->memory.rabbit);
    }
    follower->decision.lookahead = lookahead;
    // A target beyond a reversal lies on the straight continuation, like one beyond the end.
    kerb_path_location at = kerb_in_follow_walk(path, here, lookahead);
    kerb_vec3 direction = path->points[at.segment].direction;
    kerb_vec3 left = kerb_vec3_unit(kerb_vec3_make(-direction.y, direction.x, 0.0f),
                                    kerb_vec3_make(0.0f, 0.0f, 0.0f));
    return kerb_vec3_along(kerb_path_position(path, at), left, settings->lateral_offset);
}

static float paper_pursue(kerb_follower* follower, const follow_frame* frame, float speed) {
    kerb_vec3 target = target_point(follower, frame, speed);
    follower->decision.target = target;
    return kerb_pure_pursuit(seen_from_axle(follower, frame, target));
}

// The path's speed limit and the host's cap hold for all methods.
static void cap_speed(const kerb_follower* follower, const follow_frame* frame, follow_wish* wish) {
    float limit = frame->path->points[follower->memory.location.segment].speed_limit;
    if (limit < wish->speed) {
        wish->speed = limit;
        wish->reason = KERB_REASON_SPEED_LIMIT;
    }
    if (frame->speed_cap < wish->speed) {
        wish->speed = frame->speed_cap;
        wish->reason = KERB_REASON_SPEED_CAP;
    }
}

follow_wish kerb_in_follow_paper(kerb_follower* follower, const follow_frame* frame) {
    follow_wish wish = {.soon = 1.0e6f};
    float curvature;
    wish.speed =
        kerb_follow_target_speed(&follower->settings, frame->path, follower->memory.location,
                                 frame->motion->position, &curvature);
    follower->decision.limiting_curvature = curvature;
    wish.reason = wish.speed < follower->settings.speed ? KERB_REASON_CURVE : KERB_REASON_CRUISE;
    cap_speed(follower, frame, &wish);
    wish.curvature = wish.wanted = paper_pursue(follower, frame, wish.speed);
    follower->memory.curvature = wish.curvature; // its wheels turn as they can
    return wish;
}

follow_wish kerb_in_follow_baseline(kerb_follower* follower, const follow_frame* frame) {
    follow_wish wish = {.soon = 1.0e6f};
    float angle;
    wish.speed = kerb_follow_baseline_speed(&follower->settings, frame->path,
                                            follower->memory.location, frame->heading, &angle);
    follower->decision.limiting_curvature = 0.0f;
    wish.reason = wish.speed < follower->settings.speed ? KERB_REASON_CURVE : KERB_REASON_CRUISE;
    cap_speed(follower, frame, &wish);
    wish.curvature = wish.wanted = paper_pursue(follower, frame, wish.speed);
    follower->memory.curvature = wish.curvature; // its wheels turn as they can
    return wish;
}
