// A car chase: the goal of the plan is another car that drives on. Twice a second the chaser asks
// anew, with what it sees of the other car by then. Its plan goes on as it was until the other car
// turns off.
#include <kerb/kerb.h>
#include <stdio.h>

// The car that is chased: 6 m/s along a bend that becomes tighter after two seconds.
static void flee(kerb_plan_target* car, float time, float time_step) {
    car->curvature = time < 2 ? 0.02f : 0.06f;
    float behind = car->behind;
    car->behind = 0;
    car->pose = kerb_plan_target_at(car, time_step).pose;
    car->behind = behind;
}

int main(void) {
    const kerb_host host = kerb_host_default();
    const kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_plan_limits limits = kerb_plan_limits_to_drive(&vehicle, 0.4f);
    limits.speed_max = 15;
    kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_planner planner;
    kerb_error error;
    if (kerb_planner_create(&planner, &limits, &settings, &host, &error) != KERB_OK) {
        printf("%s: %s\n", error.field, error.message);
        return 1;
    }
    kerb_plan_target target = kerb_plan_target_make(30, -10, 0, 6);
    target.curvature = 0.02f;
    target.behind = 8; // not into it
    kerb_plan_end here = kerb_plan_end_make(0, 0, 0, 8);
    kerb_plan_chase chase;
    kerb_result begun = kerb_plan_chase_begin(&chase, &planner, &here, &target, &error);
    float time = 0, left = 1;
    int changes = 0;
    while (begun == KERB_OK) {
        while (kerb_plan_chase_advance(&chase, &planner, 1000) == KERB_PLAN_RUNNING)
            continue; // one slice per frame
        kerb_plan_meeting meeting = kerb_plan_chase_meeting(&chase);
        left = kerb_planner_get_plan(&planner).time;
        printf("%4.1f s: at %5.1f, %5.1f, %s %4.1f s, %s\n", (double)time,
               (double)here.pose.position.x, (double)here.pose.position.y,
               meeting.is_met ? "meets it in" : "follows it for", (double)left,
               meeting.goes_on ? "as planned" : "a new plan");
        changes += !meeting.goes_on;
        if (left < 0.5f || time > 60)
            break;
        // Half a second later, on the plan and with the other car where it is by then.
        flee(&target, time, 0.5f);
        time += 0.5f;
        begun = kerb_plan_chase_begin_onward(&chase, &planner, 0.5f, 0.5f, &target, &here, &error);
    }
    bool is_caught = begun == KERB_OK && kerb_plan_chase_meeting(&chase).is_met && left < 0.5f;
    printf("%s after %.1f s, with %d plans\n", is_caught ? "caught" : "lost", (double)time,
           changes);
    kerb_planner_destroy(&planner);
    return is_caught && changes < 8 ? 0 : 1;
}
