// Reverses a path. Properties of a waypoint stay with the waypoint. Properties of the segment that
// leaves it move to the waypoint at the segment's other end. O(count), in place.
#include "../base/shared.h"
#include "kerb/path.h"

static kerb_waypoint reverse_mirrored(kerb_waypoint waypoint) {
    float left = waypoint.left;
    waypoint.left = waypoint.right;
    waypoint.right = left;
    waypoint.bank = waypoint.bank == 0.0f ? 0.0f : -waypoint.bank; // no -0, which prints oddly
    return waypoint;
}

static void reverse_order(kerb_waypoint* waypoints, int32_t count) {
    for (int32_t i = 0, j = count - 1; i <= j; i++, j--) {
        kerb_waypoint first = reverse_mirrored(waypoints[i]);
        waypoints[i] = reverse_mirrored(waypoints[j]);
        waypoints[j] = first;
    }
}

static void copy_segment(kerb_waypoint* to, const kerb_waypoint* from) {
    to->speed_limit = from->speed_limit;
    to->direction = from->direction;
}

// In the new order, the segment that left waypoint i now arrives there, so it leaves i - 1. In an
// open path no segment leaves the last waypoint; its unused properties become the last ones again.
static void shift_segments(kerb_waypoint* waypoints, int32_t count) {
    kerb_waypoint first = waypoints[0];
    for (int32_t i = 0; i + 1 < count; i++)
        copy_segment(&waypoints[i], &waypoints[i + 1]);
    copy_segment(&waypoints[count - 1], &first);
}

void kerb_waypoints_reverse(kerb_waypoint* waypoints, int32_t count, bool closed) {
    KERB_ASSERT(waypoints != NULL || count <= 0);
    if (count < 2)
        return;
    // The first waypoint of a closed path stays the first: only the rest changes its order.
    if (closed)
        waypoints[0] = reverse_mirrored(waypoints[0]);
    reverse_order(waypoints + (closed ? 1 : 0), count - (closed ? 1 : 0));
    shift_segments(waypoints, count);
}

void kerb_waypoints_level(kerb_waypoint* waypoints, int32_t count) {
    KERB_ASSERT(waypoints != NULL || count <= 0);
    for (int32_t i = 0; i < count; i++)
        waypoints[i].bank = 0.0f;
}
