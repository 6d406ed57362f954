// Drives a movement in the simulation and records it, frame by frame.
#include "tool/run/plan_run.h"

#include <math.h>
#include <stdlib.h>

typedef struct plan_drive_watch {
    tool_plan_found* found;
    bool keep, failed;
} plan_drive_watch;

static bool plan_drive_make_room(tool_plan_driven* d) {
    if (d->count < d->capacity)
        return true;
    int32_t capacity = d->capacity > 0 ? 2 * d->capacity : 512;
    tool_plan_moment* more = realloc(d->moments, (size_t)capacity * sizeof *more);
    if (!more)
        return false;
    d->moments = more;
    d->capacity = capacity;
    return true;
}

static void see_frame(void* context, const kerb_scene_plan_frame* frame) {
    plan_drive_watch* w = context;
    tool_plan_found* found = w->found;
    tool_plan_driven* d = &found->driven;
    d->touched =
        d->touched || kerb_scene_plan_touches(&found->task.limits, found->job.world, frame->rear);
    if (!w->keep || w->failed)
        return;
    if (!plan_drive_make_room(d)) {
        w->failed = true;
        return;
    }
    const kerb_plan_driver* driver = frame->driver;
    float travel = driver->decision.planned.direction < 0 ? -1.0f : 1.0f;
    d->moments[d->count++] =
        (tool_plan_moment){.time = (float)frame->time,
                           .rear = frame->rear,
                           .speed = kerb_motion_forward_speed(frame->motion),
                           .error = frame->error,
                           .late = driver->decision.time_error + driver->decision.postponed,
                           .steering = frame->motion->steering,
                           .throttle = driver->controls.throttle,
                           .brake = driver->controls.brake,
                           .target_speed = travel * driver->decision.target_speed,
                           .gear = frame->motion->gear,
                           .reason = (int32_t)driver->controls.reason};
}

tool_status tool_plan_drive(tool_plan_found* found, bool keep) {
    plan_drive_watch w = {found, keep, false};
    found->driven.was = true;
    found->driven.vehicle = found->job.ride->model.vehicle;
    found->driven.result = kerb_scene_plan_drive(found->job.ride, &found->plan, see_frame, &w);
    return w.failed ? tool_complain("plan: no memory for a driven plan") : TOOL_DONE;
}

bool tool_plan_is_within(const tool_plan_driven* driven) {
    const kerb_scene_plan_driven* r = &driven->result;
    double off = fabs((double)r->time / (double)r->planned - 1.0);
    return driven->was && r->arrived && off <= TOOL_PLAN_TIME_SHARE &&
           (double)r->error <= TOOL_PLAN_ERROR_MOST;
}

const tool_plan_moment* tool_plan_moment_at(const tool_plan_driven* driven, double time) {
    int32_t low = 0, high = driven->count - 1;
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        if ((double)driven->moments[middle].time <= time + 1e-4)
            low = middle;
        else
            high = middle - 1;
    }
    return &driven->moments[low];
}
