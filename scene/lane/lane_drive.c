// Steps all cars from the same moment: all rays are answered before any car moves.
#include "scene/lane/lane_drive.h"
#include "scene/timing/call_times.h"

#include "sim/shape.h"

#include <math.h>
#include <string.h>

#define LANE_DRIVE_SLOWEST 2.0 // a lane_drive_run that is slower than this has failed [m/s]
#define CHANGE_EVERY 10.0      // [s]
#define ARRIVED 0.2f           // from the lane that was changed to [m]
#define LANE_DRIVE_SETTLED                                                                         \
    2.0                     // after a change was begun anew, or at the start, nothing is judged [s]
#define LANE_DRIVE_END 40.0 // of an open road, which nobody is judged on [m]

typedef struct lane_drive_run {
    const kerb_scene_lane_plan* plan;
    kerb_scene_lane_car* cars;
    kerb_scene_lane_box* boxes; // of the cars, then of what stands
    uint8_t* touching;          // pairs of boxes
    int32_t boxes_count;
    kerb_scene_lane_result* result;
    double time, error_sum, error_time;
    double rays, frames;
    kerb_scene_call_times drives;
} lane_drive_run;

kerb_scene_lane_plan kerb_scene_lane_plan_default(const kerb_scene_lane_road* road,
                                                  const kerb_sim_model* model) {
    kerb_scene_lane_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.road = road;
    plan.model = model;
    plan.settings = kerb_lane_settings_of(&model->vehicle);
    plan.cars = 1;
    const float scale = kerb_vehicle_scale(&model->vehicle);
    plan.spacing = 40.0f * scale;
    plan.other_distance = 3.0f * plan.settings.edge_distance;
    plan.obstacle_spacing = 200.0f * scale;
    plan.start_speed = 0.0f;
    plan.distance = road->path.length;
    plan.drive_hz = 60.0f;
    plan.physics_hz = 240.0f;
    return plan;
}

// Of its vehicles: lengths and speeds here are multiplied by it.
static double scale_of(const kerb_scene_lane_plan* plan) {
    return (double)kerb_vehicle_scale(&plan->model->vehicle);
}

// --------------------------------------------------------------------------- places

static bool by_left_edge(const lane_drive_run* r) {
    return r->plan->settings.edge == KERB_LANE_LEFT;
}

// A place of the lane of either direction: beside a place of the road's middle.
static kerb_vec3 lane_place(const lane_drive_run* r, double distance, bool oncoming,
                            float* heading) {
    const kerb_scene_lane_road* road = r->plan->road;
    kerb_path_sample s = kerb_path_sample_at(&road->path, kerb_path_locate(&road->path, distance));
    float way = oncoming ? -1.0f : 1.0f;
    *heading = kerb_atan2(way * s.direction.y, way * s.direction.x);
    bool left = by_left_edge(r) != oncoming;
    float aside =
        left ? s.left - r->plan->settings.edge_distance : r->plan->settings.edge_distance - s.right;
    return kerb_vec3_make(s.position.x - s.direction.y * aside,
                          s.position.y + s.direction.x * aside, 0.0f);
}

kerb_scene_lane_box kerb_scene_lane_box_of(const kerb_scene_lane_road* road,
                                           const kerb_sim_vehicle* vehicle, int32_t segment) {
    kerb_sim_body body = kerb_sim_vehicle_body(vehicle);
    kerb_motion motion = kerb_sim_vehicle_motion(vehicle);
    kerb_vec2 forward = kerb_vec2_make(kerb_cos(body.heading), kerb_sin(body.heading));
    float middle = 0.5f * (body.front - body.back);
    kerb_scene_lane_box box = {
        .centre = kerb_vec2_make(body.position.x + forward.x * middle,
                                 body.position.y + forward.y * middle),
        .forward = forward,
        .length = body.front + body.back,
        .width = 2.0f * body.half_width,
        .velocity = kerb_vec2_make(motion.velocity.x, motion.velocity.y),
        .height = kerb_scene_lane_road_height(road, segment),
    };
    return box;
}

// One behind the other, those of the other direction last. On an open road these would drive off
// where it begins, so they come out of what the first car has before it.
static double start_of(const kerb_scene_lane_plan* plan, int32_t index) {
    const kerb_path* path = &plan->road->path;
    int32_t ahead = index - (plan->cars - plan->oncoming);
    if (ahead < 0 || path->closed)
        return (double)plan->spacing * (double)(plan->cars - 1 - index) + 10.0 * scale_of(plan);
    double first = start_of(plan, 0), end = path->length - LANE_DRIVE_END * scale_of(plan);
    if (first + plan->distance < end)
        end = first + plan->distance;
    return first + (end - first) * (double)(ahead + 1) / (double)plan->oncoming;
}

double kerb_scene_lane_room(const kerb_scene_lane_plan* plan) {
    const kerb_path* path = &plan->road->path;
    double room = path->length - LANE_DRIVE_END * scale_of(plan) - start_of(plan, 0);
    return path->closed ? HUGE_VAL : room > 0.0 ? room : 0.0;
}

static void place_car(lane_drive_run* r, int32_t index) {
    const kerb_scene_lane_plan* plan = r->plan;
    kerb_scene_lane_car* car = &r->cars[index];
    float heading;
    double at = start_of(plan, index);
    car->oncoming = index >= plan->cars - plan->oncoming;
    kerb_vec3 place = lane_place(r, at, car->oncoming, &heading);
    car->vehicle = kerb_sim_vehicle_make(plan->model, place, heading);
    kerb_sim_body body = kerb_sim_vehicle_body(&car->vehicle);
    body.forward = plan->start_speed;
    kerb_sim_vehicle_set_body(&car->vehicle, &body);
    car->keeper = kerb_lane_keeper_make(&plan->model->vehicle);
    car->keeper.settings = plan->settings;
    car->place = kerb_path_locate(&plan->road->path, at);
    car->change_begun = -1.0;
    r->boxes[index] = kerb_scene_lane_box_of(plan->road, &car->vehicle, car->place.segment);
}

static void place_obstacles(lane_drive_run* r) {
    const kerb_scene_lane_plan* plan = r->plan;
    if (plan->scenario != KERB_SCENE_LANE_AVOID)
        return;
    double begin = (double)plan->spacing * (double)plan->cars + (double)plan->obstacle_spacing;
    double at = begin;
    while (at < plan->road->path.length - 30.0 * scale_of(plan) &&
           r->boxes_count < plan->cars + KERB_SCENE_LANE_OBSTACLES_MOST) {
        float heading;
        kerb_vec3 place = lane_place(r, at, false, &heading);
        kerb_sim_vehicle vehicle = kerb_sim_vehicle_make(plan->model, place, heading);
        int32_t segment = kerb_path_locate(&plan->road->path, at).segment;
        r->boxes[r->boxes_count++] = kerb_scene_lane_box_of(plan->road, &vehicle, segment);
        at += (double)plan->obstacle_spacing;
    }
    r->result->obstacles = r->boxes_count - plan->cars;
    if (plan->standing)
        memcpy(plan->standing, r->boxes + plan->cars,
               (size_t)r->result->obstacles * sizeof *r->boxes);
}

// --------------------------------------------------------------------------- driving

static void lane_drive_ask(lane_drive_run* r, kerb_scene_lane_car* car, int32_t index) {
    kerb_motion motion = kerb_sim_vehicle_motion(&car->vehicle);
    car->ray_count = kerb_lane_keeper_rays(&car->keeper, &motion, car->rays);
    for (int32_t i = 0; i < car->ray_count; i++)
        car->hits[i] = kerb_scene_lane_road_cast(r->plan->road, car->place.segment, r->boxes,
                                                 r->boxes_count, index, &car->rays[i]);
    r->rays += (double)car->ray_count;
    r->frames += 1.0;
}

static void lane_drive_drive(lane_drive_run* r, kerb_scene_lane_car* car, float time_step) {
    const kerb_scene_lane_plan* plan = r->plan;
    kerb_motion motion = kerb_sim_vehicle_motion(&car->vehicle);
    uint64_t begun = kerb_scene_call_begin(&r->drives);
    kerb_controls controls = kerb_lane_keeper_drive(&car->keeper, car->rays, car->hits,
                                                    car->ray_count, &motion, NULL, time_step);
    kerb_scene_call_end(&r->drives, begun);
    const kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    int32_t steps = (int32_t)(plan->physics_hz * time_step + 0.999f);
    for (int32_t i = 0; i < steps; i++)
        kerb_sim_vehicle_step(&car->vehicle, &controls, &ground, time_step / (float)steps);
    kerb_motion after = kerb_sim_vehicle_motion(&car->vehicle);
    car->driven += (double)kerb_vec3_length(kerb_vec3_sub(after.position, motion.position));
    kerb_vec3 along = kerb_quat_forward(after.rotation);
    if (car->oncoming)
        along = kerb_vec3_scale(along, -1.0f);
    car->place = kerb_path_track(&plan->road->path, car->place, after.position, along);
}

// --------------------------------------------------------------------------- judging

static kerb_sim_shape shape_of(const kerb_scene_lane_box* box) {
    kerb_sim_shape shape = {.centre = box->centre,
                            .axis = box->forward,
                            .half_length = 0.5f * box->length,
                            .half_width = 0.5f * box->width};
    return shape;
}

// Where an open road ends there is no lane, and nothing to keep apart by.
static bool is_at_end(const kerb_scene_lane_plan* plan, const kerb_scene_lane_car* car) {
    const kerb_path* path = &plan->road->path;
    double at = kerb_path_distance(path, car->place), end = LANE_DRIVE_END * scale_of(plan);
    return !path->closed && (at > path->length - end || (car->oncoming && at < end));
}

static void lane_drive_watch_pairs(lane_drive_run* r) {
    for (int32_t i = 0; i < r->plan->cars; i++) {
        if (is_at_end(r->plan, &r->cars[i]))
            continue;
        for (int32_t j = i + 1; j < r->boxes_count; j++) {
            uint8_t* was = &r->touching[(size_t)i * (size_t)r->boxes_count + (size_t)j];
            kerb_vec2 off = kerb_vec2_sub(r->boxes[i].centre, r->boxes[j].centre);
            bool is = false;
            if (kerb_vec2_length(off) < r->boxes[i].length + r->boxes[j].length) {
                kerb_sim_shape a = shape_of(&r->boxes[i]), b = shape_of(&r->boxes[j]);
                kerb_sim_touch touches[2];
                is = kerb_sim_shape_touches(&a, &b, 0.0f, 0.0f, touches) > 0;
            }
            if (is && !*was)
                r->result->collisions++;
            *was = is;
        }
    }
}

static void lane_drive_watch_edges(lane_drive_run* r, kerb_scene_lane_car* car,
                                   const kerb_scene_lane_box* box) {
    bool touching =
        kerb_scene_lane_road_is_over(r->plan->road, car->place.segment, box, car->oncoming);
    if (touching && !car->touching)
        r->result->edge_touches++;
    car->touching = touching;
    if (is_at_end(r->plan, car))
        return;
    const kerb_path* path = &r->plan->road->path;
    kerb_motion motion = kerb_sim_vehicle_motion(&car->vehicle);
    kerb_path_sample road = kerb_path_sample_at(path, car->place);
    float aside = kerb_path_cross_track(path, car->place, motion.position);
    double outside = (double)kerb_max(aside - road.left, -aside - road.right);
    if (outside > r->result->left_road)
        r->result->left_road = outside;
}

// From the wish to the last frame that was not yet there.
static void watch_change(lane_drive_run* r, kerb_scene_lane_car* car) {
    if (r->plan->scenario != KERB_SCENE_LANE_CHANGE)
        return;
    kerb_scene_lane_result* result = r->result;
    float first = r->plan->settings.edge_distance, other = r->plan->other_distance;
    bool to_other = car->keeper.settings.edge_distance == other;
    float beyond = (to_other ? 1.0f : -1.0f) * (other > first ? 1.0f : -1.0f) * car->lane_error;
    if (car->change_begun >= 0.0 &&
        kerb_abs(car->lane_error) < ARRIVED * (float)scale_of(r->plan)) {
        result->change_time += r->time - car->change_begun;
        result->changes++;
        car->change_begun = -1.0;
    }
    double phase = r->time / CHANGE_EVERY;
    bool since = car->change_begun < 0.0 && r->time > CHANGE_EVERY;
    if (since && (double)beyond > result->overshoot && phase - (double)(int64_t)phase < 0.8)
        result->overshoot = (double)beyond;
    bool other_now = (int64_t)phase % 2 == 1;
    if (other_now != to_other) {
        car->keeper.settings.edge_distance = other_now ? other : first;
        car->change_begun = r->time;
    }
}

static void lane_drive_watch_lane(lane_drive_run* r, kerb_scene_lane_car* car, float time_step) {
    kerb_motion motion = kerb_sim_vehicle_motion(&car->vehicle);
    kerb_vec2 at = kerb_vec2_make(motion.position.x, motion.position.y);
    const kerb_lane_keeper* keeper = &car->keeper;
    float distance = kerb_scene_lane_road_distance(r->plan->road, car->place.segment,
                                                   by_left_edge(r) != car->oncoming, at);
    car->lane_error = distance - keeper->settings.edge_distance;
    car->judged = car->change_begun < 0.0 && !keeper->decision.changing &&
                  !keeper->decision.avoiding && r->time > LANE_DRIVE_SETTLED &&
                  !is_at_end(r->plan, car);
    if (!car->judged)
        return;
    double error = (double)kerb_abs(car->lane_error);
    r->error_sum += error * (double)time_step;
    r->error_time += (double)time_step;
    if (error > r->result->error_max)
        r->result->error_max = error;
}

static void lane_drive_run_frame(lane_drive_run* r, float time_step) {
    for (int32_t i = 0; i < r->plan->cars; i++)
        lane_drive_ask(r, &r->cars[i], i);
    for (int32_t i = 0; i < r->plan->cars; i++) {
        kerb_scene_lane_car* car = &r->cars[i];
        lane_drive_drive(r, car, time_step);
        r->boxes[i] = kerb_scene_lane_box_of(r->plan->road, &car->vehicle, car->place.segment);
        lane_drive_watch_lane(r, car, time_step);
        watch_change(r, car);
        lane_drive_watch_edges(r, car, &r->boxes[i]);
    }
    lane_drive_watch_pairs(r);
    r->time += (double)time_step;
    if (r->plan->watch)
        r->plan->watch(r->plan->context, r->time, r->cars, r->plan->cars);
}

static bool is_done(const lane_drive_run* r) {
    const kerb_scene_lane_plan* plan = r->plan;
    if (r->cars[0].driven >= plan->distance)
        return true;
    return is_at_end(plan, &r->cars[0]);
}

static void run_all(lane_drive_run* r) {
    place_obstacles(r);
    double limit = r->plan->distance / (LANE_DRIVE_SLOWEST * scale_of(r->plan)) + 20.0;
    while (!is_done(r) && r->time < limit)
        lane_drive_run_frame(r, 1.0f / r->plan->drive_hz);
    kerb_scene_lane_result* result = r->result;
    result->time = r->time;
    result->driven = r->cars[0].driven;
    result->finished = is_done(r);
    result->error_mean = r->error_time > 0.0 ? r->error_sum / r->error_time : 0.0;
    result->change_time = result->changes > 0 ? result->change_time / result->changes : 0.0;
    result->rays = r->frames > 0.0 ? r->rays / r->frames : 0.0;
    result->drive_ns = kerb_scene_call_median(&r->drives);
    result->speed_mean = r->time > 0.0 ? result->driven / r->time : 0.0;
}

kerb_result kerb_scene_lane_run(const kerb_scene_lane_plan* plan, const kerb_host* host,
                                kerb_scene_lane_result* result, kerb_error* error) {
    memset(result, 0, sizeof *result);
    kerb_result valid = kerb_settings_validate(&kerb_lane_settings_table, &plan->settings, error);
    if (valid == KERB_OK)
        valid = kerb_vehicle_validate(&plan->model->vehicle, error);
    if (valid != KERB_OK)
        return valid;
    size_t cars = (size_t)plan->cars, boxes = cars + KERB_SCENE_LANE_OBSTACLES_MOST;
    size_t bytes =
        cars * sizeof(kerb_scene_lane_car) + boxes * sizeof(kerb_scene_lane_box) + cars * boxes;
    uint8_t* memory = host->allocator.allocate(host->allocator.context, bytes, 64);
    if (!memory)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory");
    memset(memory, 0, bytes);
    lane_drive_run r;
    memset(&r, 0, sizeof r);
    r.drives = kerb_scene_call_times_make(plan->clock_ns);
    r.plan = plan;
    r.result = result;
    r.cars = (kerb_scene_lane_car*)(void*)memory;
    r.boxes = (kerb_scene_lane_box*)(void*)(memory + cars * sizeof(kerb_scene_lane_car));
    r.touching = memory + cars * sizeof(kerb_scene_lane_car) + boxes * sizeof(kerb_scene_lane_box);
    r.boxes_count = plan->cars;
    for (int32_t i = 0; i < plan->cars; i++)
        place_car(&r, i);
    run_all(&r);
    host->allocator.release(host->allocator.context, memory, bytes);
    return KERB_OK;
}
