// Planning and driving: a car comes along a lane and reverses into the gap between two parked cars.
// The planner works in slices. Then the driver drives the plan frame by frame.
#include <kerb/kerb.h>
#include <stdio.h>

enum { CARS = 3 };

// Stands for the car of your engine: a bicycle model with rigid tyres. The wheels turn at their
// rate, and the pedals set the acceleration.
typedef struct car {
    float x, y, heading, speed; // of the rear axle
    float steering;             // -1 to 1
    int gear;
} car;

static void move(car* c, const kerb_vehicle* v, const kerb_controls* controls, float time_step) {
    float most = v->steering_rate_max / v->steering_angle_max * time_step;
    c->steering += kerb_clamp(controls->steering - c->steering, -most, most);
    c->gear = controls->gear;
    float engine = controls->gear < 0 ? -v->reverse_acceleration_max : v->acceleration_max;
    float resisting = (v->braking_max * controls->brake + v->coasting_deceleration) * time_step;
    c->speed += engine * controls->throttle * time_step;
    c->speed -= kerb_clamp(c->speed, -resisting, resisting);
    c->heading +=
        c->speed * kerb_tan(c->steering * v->steering_angle_max) / v->wheelbase * time_step;
    c->x += c->speed * kerb_cos(c->heading) * time_step;
    c->y += c->speed * kerb_sin(c->heading) * time_step;
}

// The motion for the driver. Its reference point lies ahead of the rear axle.
static kerb_motion motion_of(const car* c, const kerb_vehicle* v) {
    kerb_motion motion = kerb_motion_default();
    float ahead = v->reference_to_rear_axle;
    float turning = c->speed * kerb_tan(c->steering * v->steering_angle_max) / v->wheelbase;
    motion.position.x = c->x + ahead * kerb_cos(c->heading);
    motion.position.y = c->y + ahead * kerb_sin(c->heading);
    motion.rotation = kerb_quat_from_heading(c->heading);
    motion.velocity.x = c->speed * kerb_cos(c->heading) - ahead * turning * kerb_sin(c->heading);
    motion.velocity.y = c->speed * kerb_sin(c->heading) + ahead * turning * kerb_cos(c->heading);
    motion.angular_velocity.z = turning;
    motion.steering = c->steering;
    motion.gear = c->gear;
    return motion;
}

// Drives the plan from its start. Returns the distance from its end at which the car stops. [m]
static float drive(const kerb_vehicle* vehicle, const kerb_plan* plan) {
    kerb_plan_state start = kerb_plan_at(plan, 0), goal = kerb_plan_at(plan, plan->time);
    car c = {start.pose.position.x,
             start.pose.position.y,
             kerb_pose_heading(start.pose),
             start.speed,
             0,
             1};
    kerb_plan_driver driver = kerb_plan_driver_make(vehicle);
    kerb_controls controls = {.reason = KERB_REASON_NONE};
    int frame = 0;
    for (; frame < 6000 && controls.reason != KERB_REASON_ARRIVED; frame++) {
        kerb_motion motion = motion_of(&c, vehicle);
        controls = kerb_plan_driver_drive(&driver, plan, &motion, NULL, 1.0f / 60);
        move(&c, vehicle, &controls, 1.0f / 60);
        if (frame % 60 == 0)
            printf("%4d s: at %6.2f, %5.2f, %5.2f m/s, %4.0f cm off the plan\n", frame / 60,
                   (double)c.x, (double)c.y, (double)c.speed,
                   100 * (double)driver.decision.cross_track_error);
    }
    float x = c.x - goal.pose.position.x, y = c.y - goal.pose.position.y;
    printf("parked after %.1f s, %.0f cm from the goal\n", frame / 60.0,
           100 * (double)kerb_sqrt(x * x + y * y));
    return kerb_sqrt(x * x + y * y);
}

int main(void) {
    // Two parked cars with a gap between them, and a wall along the other side of the lane.
    static const kerb_vec2 corners[4 * CARS] = {
        {0, 0},      {4.6f, 0},  {4.6f, 1.9f}, {0, 1.9f},     // the car behind the gap
        {12.4f, 0},  {17, 0},    {17, 1.9f},   {12.4f, 1.9f}, // the car in front of it
        {-10, 7.5f}, {30, 7.5f}, {30, 8},      {-10, 8}};
    static const int32_t counts[CARS] = {4, 4, 4};
    const kerb_plan_world world = {
        .vertices = corners, .vertex_counts = counts, .polygon_count = CARS};
    const kerb_host host = kerb_host_default();
    kerb_vehicle vehicle = kerb_vehicle_default(); // or yours: size, wheels, limits
    kerb_plan_limits limits = kerb_plan_limits_to_drive(&vehicle, 0.3f);
    limits.speed_max = 5; // as people park; the car could do more
    limits.reverse_speed_max = 2;
    limits.acceleration = limits.reverse_acceleration = 1;
    limits.braking = limits.reverse_braking = limits.lateral_acceleration = 2;
    kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_planner planner;
    kerb_error error;
    if (kerb_planner_create(&planner, &limits, &settings, &host, &error) != KERB_OK ||
        kerb_planner_set_world(&planner, &world, &error) != KERB_OK) {
        printf("%s: %s\n", error.field, error.message);
        return 1;
    }
    // From the lane at 3 m/s into the gap, facing along the lane, to within 0.1 m.
    kerb_plan_end here = kerb_plan_end_make(-6, 4.7f, 0, 3);
    kerb_plan_end gap = kerb_plan_end_make(6.6f, 0.95f, 0, 0);
    gap.position_tolerance = 0.1f;
    gap.heading_tolerance = 0.05f;
    const kerb_plan_query query = {&here, &gap, 1, 1};
    int frames = 0;
    bool begun = kerb_planner_begin(&planner, &query, &error) == KERB_OK;
    while (begun && kerb_planner_advance(&planner, 500) == KERB_PLAN_RUNNING)
        frames++; // kerb_planner_get_plan has the best plan until now
    kerb_plan plan = kerb_planner_get_plan(&planner);
    printf("%d pieces, %.1f s, %.1f m, found in %d frames\n", plan.count, (double)plan.time,
           (double)plan.length, frames);
    kerb_result checked = kerb_plan_check(&limits, &query, &world, &plan, &error);
    // The plan lives as long as the planner.
    float missed = checked == KERB_OK ? drive(&vehicle, &plan) : 1000;
    kerb_planner_destroy(&planner);
    return missed < 0.15f ? 0 : 1;
}
