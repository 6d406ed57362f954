// Purpose: where the vehicle must stop next: a stop on the path, a change between forwards and
//          reverse, or the end.
// Idea:    Each segment of the path is looked at once, when it comes in view.
// Cost:    O(1) a frame on average.
#include "stops.h"

void kerb_in_follow_stops_reset(kerb_follower* follower) {
    follower->memory.stop_scan = follower->memory.location;
    follower->memory.stop_scan_distance =
        follower->memory.distance - (double)follower->memory.location.segment_distance;
    follower->memory.stop_kind = STOP_NONE;
    follower->memory.stop_distance = FAR_AWAY;
    follower->memory.stop_time = 0.0f;
}

static int32_t kind_of(const kerb_path* path, int32_t segment, int32_t next) {
    if (!path->closed && next >= path->segment_count)
        return STOP_END;
    if (path->points[segment].travel != path->points[next].travel)
        return STOP_REVERSAL;
    return path->points[next].stop > 0.0f ? STOP_WAIT : STOP_NONE;
}

void kerb_in_follow_stops_look(kerb_follower* follower, const kerb_path* path, double to) {
    // On a closed path without stops one lap shows all.
    double lap = follower->memory.distance + path->length;
    to = to < lap ? to : lap;
    while (follower->memory.stop_kind == STOP_NONE && follower->memory.stop_scan_distance < to) {
        int32_t segment = follower->memory.stop_scan.segment;
        int32_t next = segment + 1;
        if (path->closed && next == path->segment_count)
            next = 0;
        follower->memory.stop_scan_distance += (double)path->points[segment].length;
        follower->memory.stop_kind = kind_of(path, segment, next);
        if (follower->memory.stop_kind != STOP_NONE) {
            follower->memory.stop_distance = follower->memory.stop_scan_distance;
            follower->memory.stop_time = path->points[next].stop;
        }
        if (next < path->segment_count)
            follower->memory.stop_scan.segment = next;
        else
            break;
    }
}

void kerb_in_follow_stops_done(kerb_follower* follower) {
    follower->memory.stop_kind = STOP_NONE;
    follower->memory.stop_distance = FAR_AWAY;
    follower->memory.stop_time = 0.0f;
}
