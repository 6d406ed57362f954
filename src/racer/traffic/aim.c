// Purpose: where a path beside the line leads, begun early enough.
// Idea:    From the far end backwards, the bounds of each place are passed on to the places before
//          it, relaxed by what a car can move sideways in between. The edges of the track come
//          first. A car that stays beside another moves with the track, not with a line that
//          crosses the track.
// Cost:    O(places).
// Source:  Vamos 6, lane shift.
#include "way.h"

#include "../../base/shared.h"

// Time in which the car returns to a path that it has left. [s]
#define ERROR_TIME 1.0f
// The bend of the track is measured over this many places on either side, because edges are rough.
#define TRACK_SPAN 3

// Speed² that may be reached there, by gaining speed from now on.
static void lay_squares(const racer_frame* frame, way_plan* plan) {
    float now = frame->along * frame->along, h = plan->spacing;
    for (int32_t i = 0; i < plan->count; i++)
        plan->square[i] = kerb_max(kerb_min(now + 8.0f * (h * (float)i), plan->square[i]), 25.0f);
}

// Change of the target offset per metre.
static void lay_slopes(way_plan* plan) {
    int32_t count = plan->count;
    for (int32_t i = 2; i + 2 < count; i++)
        plan->slope[i] = (plan->target[i + 2] - plan->target[i - 2]) / (plan->spacing * 4.0f);
    for (int32_t i = 0; i < count; i = i == 1 && count > 4 ? count - 2 : i + 1) {
        int32_t before = i > 2 ? i - 2 : 0, after = i + 2 < count ? i + 2 : count - 1;
        float run = plan->spacing * (float)(after > before ? after - before : 1);
        plan->slope[i] = (plan->target[after] - plan->target[before]) / run;
    }
    for (int32_t i = 0; i < count; i++)
        plan->slope[i] = kerb_clamp(plan->slope[i], -WAY_SLOPE_MOST, WAY_SLOPE_MOST);
}

// Where the line crosses the track, a car that keeps its part of the track beside another moves
// sideways against the line, and turns less than the line does. That need not begin early and saves
// no grip. Where the track turns sharper than the line it costs grip, and counts for less.
static void lay_track(const racer_frame* frame, const float* line, way_plan* plan) {
    float middle[WAY_PLACES], span = plan->spacing * (float)TRACK_SPAN;
    float per_square = 1.0f / (span * span);
    float per_comfort = 1.0f / kerb_max(WAY_ASIDE_GRIP * frame->grip_aside, 0.01f);
    int32_t last = plan->count - 1 - TRACK_SPAN;
    for (int32_t i = 0; i < plan->count; i++)
        plan->track_aside[i] = plan->track_bend[i] = 0.0f;
    if (!plan->beside || last < TRACK_SPAN)
        return;
    for (int32_t i = 0; i < plan->count; i++)
        middle[i] = 0.5f * (plan->left[i] - plan->right[i]);
    for (int32_t i = 0; i + 1 < plan->count; i++) {
        int32_t m = i < TRACK_SPAN ? TRACK_SPAN : i < last ? i : last;
        float around = middle[m - TRACK_SPAN] + middle[m + TRACK_SPAN];
        float bend = (around - 2.0f * middle[m]) * per_square;
        float sharper = kerb_abs(line[i] + bend) - kerb_abs(line[i]);
        float share = kerb_clamp(1.0f - sharper * plan->square[i] * per_comfort, 0.0f, 1.0f);
        plan->track_aside[i] = share * (middle[i + 1] - middle[i]);
        plan->track_bend[i] = share * bend;
    }
}

// Target offset in each place, begun so early that a car can follow.
void kerb_in_traffic_aim_way(const racer_frame* frame, const float* line, float error,
                             way_plan* plan) {
    float h = plan->spacing, low = -1.0e6f, high = 1.0e6f, leftmost = 1.0e6f, rightmost = -1.0e6f;
    float fades = 1.0f / (ERROR_TIME * kerb_max(frame->pace, 5.0f)), step[WAY_PLACES];
    KERB_ASSERT(plan->count > 0 && plan->count <= WAY_PLACES);
    KERB_WRITTEN(step);
    lay_squares(frame, plan);
    lay_track(frame, line, plan);
    for (int32_t i = 0; i < plan->count; i++) {
        // A car that has left its path returns gradually: what counts is where it will be.
        float off = error * kerb_max(1.0f - fades * h * (float)i, 0.0f);
        float right = kerb_max(off, 0.0f), left = kerb_min(off, 0.0f);
        step[i] = 0.8f * h * kerb_min(WAY_ASIDE_SPEED / kerb_sqrt(plan->square[i]), WAY_SLOPE_MOST);
        plan->low[i] -= left;
        plan->high[i] -= right;
        plan->rightmost[i] -= left;
        plan->leftmost[i] -= right;
        plan->edge_right[i] = plan->rightmost[i];
        plan->edge_left[i] = plan->leftmost[i];
    }
    for (int32_t i = plan->count - 1; i >= 0; i--) {
        low = kerb_max(plan->low[i], low - plan->track_aside[i] - step[i]);
        high = kerb_min(plan->high[i], high - plan->track_aside[i] + step[i]);
        rightmost = kerb_max(plan->rightmost[i], rightmost - step[i]);
        leftmost = kerb_min(plan->leftmost[i], leftmost + step[i]);
        if (low > high)
            low = high = 0.5f * (low + high);
        // The edges of the track hold whatever the other cars do.
        low = kerb_clamp(low, rightmost, kerb_max(leftmost, rightmost));
        high = kerb_clamp(high, rightmost, kerb_max(leftmost, rightmost));
        plan->rightmost[i] = rightmost;
        plan->leftmost[i] = leftmost;
        plan->low[i] = low;
        plan->high[i] = high;
        plan->target[i] = kerb_clamp(plan->base[i], low, high);
    }
    lay_slopes(plan);
}
