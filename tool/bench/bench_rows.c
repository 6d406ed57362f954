// The measurement. A row warms up, then times many calls between two readings of the clock, and
// keeps the best of a few rounds, because other programs can only add time.
#include "tool/bench/bench_rows.h"

#include "kerb/kerb.h"
#include "tool/bench/bench_curves.h"
#include "tool/bench/bench_groups.h"
#include "tool/bench/bench_kinds.h"
#include "tool/bench/bench_lane.h"
#include "tool/bench/bench_line.h"
#include "tool/bench/bench_plan.h"
#include "tool/bench/bench_plan_curves.h"
#include "tool/bench/bench_race.h"
#include "tool/bench/bench_seek.h"
#include "tool/bench/bench_traffic.h"
#include "tool/command/machine.h"

#include <stdlib.h>

#define BENCH_ROWS_ROUNDS 5

// --------------------------------------------------------------------------- follower_drive

#define FOLLOW_POINTS 1000
#define FOLLOW_SPEED 10.0f
#define FOLLOW_HZ 60.0f

// A winding road: 1,000 points 1 m apart whose heading swings like a sine.
static bool make_road(kerb_path* path, kerb_host* host) {
    kerb_waypoint* waypoints = malloc(FOLLOW_POINTS * sizeof *waypoints);
    if (!waypoints)
        return false;
    float x = 0.0f, y = 0.0f;
    for (int32_t i = 0; i < FOLLOW_POINTS; i++) {
        waypoints[i] = kerb_waypoint_at(x, y, 0.0f);
        float heading = 0.9f * kerb_sin((float)i * 0.03f);
        x += kerb_cos(heading);
        y += kerb_sin(heading);
    }
    kerb_result result = kerb_path_create(path, waypoints, FOLLOW_POINTS, false, host, NULL);
    free(waypoints);
    return result == KERB_OK;
}

// A vehicle that is where the road is, a little beside it: what the follower sees in a drive.
static kerb_motion motion_on(const kerb_path* path, double distance) {
    kerb_path_sample sample = kerb_path_sample_at(path, kerb_path_locate(path, distance));
    float heading = kerb_atan2(sample.direction.y, sample.direction.x);
    kerb_motion motion = kerb_motion_default();
    motion.position = sample.position;
    motion.position.y += 0.2f * kerb_sin((float)distance * 0.11f);
    motion.rotation = kerb_quat_from_heading(heading);
    motion.velocity = kerb_vec3_scale(sample.direction, FOLLOW_SPEED);
    motion.angular_velocity.z = FOLLOW_SPEED * sample.curvature;
    return motion;
}

static int32_t make_motions(const kerb_path* path, kerb_motion** motions) {
    int32_t count = (int32_t)(path->length / (double)(FOLLOW_SPEED / FOLLOW_HZ));
    *motions = malloc((size_t)count * sizeof **motions);
    for (int32_t i = 0; *motions && i < count; i++)
        (*motions)[i] = motion_on(path, i * (double)(FOLLOW_SPEED / FOLLOW_HZ));
    return count;
}

static double bench_rows_drive_all(const kerb_path* path, const kerb_motion* motions,
                                   int32_t count) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_follower follower = kerb_follower_make(&vehicle);
    uint64_t begun = tool_clock_ns();
    for (int32_t i = 0; i < count; i++)
        kerb_follower_drive(&follower, path, &motions[i], NULL, 1.0f / FOLLOW_HZ);
    return (double)(tool_clock_ns() - begun) / count;
}

// The greatest cost of a single call, less what reading the clock costs; for each call the least
// of all rounds, because an interrupt hits a different call each time.
static double greatest_call(const kerb_path* path, const kerb_motion* motions, int32_t count) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    uint64_t* least = malloc((size_t)count * sizeof *least);
    uint64_t greatest = 0, reading = UINT64_MAX;
    for (int32_t round = 0; least && round < BENCH_ROWS_ROUNDS; round++) {
        kerb_follower follower = kerb_follower_make(&vehicle);
        for (int32_t i = 0; i < count; i++) {
            uint64_t begun = tool_clock_ns();
            kerb_follower_drive(&follower, path, &motions[i], NULL, 1.0f / FOLLOW_HZ);
            uint64_t ended = tool_clock_ns(), empty = tool_clock_ns() - ended;
            reading = empty < reading ? empty : reading;
            least[i] = round == 0 || ended - begun < least[i] ? ended - begun : least[i];
        }
    }
    for (int32_t i = 1; least && i < count; i++) // the first call finds the vehicle on the path
        greatest = least[i] > greatest ? least[i] : greatest;
    free(least);
    return (double)(greatest > reading ? greatest - reading : 0);
}

static bool measure_follower_drive(tool_bench_figure* figure) {
    kerb_host host = kerb_host_default();
    kerb_path path;
    if (!make_road(&path, &host))
        return false;
    kerb_motion* motions;
    int32_t count = make_motions(&path, &motions);
    for (int32_t round = 0; motions && round < BENCH_ROWS_ROUNDS; round++) {
        double ns = bench_rows_drive_all(&path, motions, count);
        figure->ns = round == 0 || ns < figure->ns ? ns : figure->ns;
    }
    if (motions)
        figure->most_ns = greatest_call(&path, motions, count);
    bool measured = motions != NULL;
    free(motions);
    kerb_path_destroy(&path);
    return measured;
}

// --------------------------------------------------------------------------- the table

const tool_bench_row tool_bench_rows[] = {
    {"follower_drive", "one kerb_follower_drive call on a path of 1,000 points 1 m apart",
     measure_follower_drive},
    {"dubins_length_scalar", "one kerb_dubins_length call, pairs within 8 radii; peer: OMPL",
     tool_bench_dubins_scalar},
    {"dubins_length_batch", "one of 4,096 pairs of a kerb_dubins_lengths call; peer: OMPL",
     tool_bench_dubins_batch},
    {"reeds_shepp_length_scalar",
     "one kerb_reeds_shepp_length call, pairs within 8 radii; peer: OMPL",
     tool_bench_reeds_shepp_scalar},
    {"flock_update", "one of 5,000 agents of a kerb_flock_update call, 15 neighbours each",
     tool_bench_flock},
    {"directed_seek_2d", "one kerb_directed_seek call on the level, the paper's method",
     tool_bench_directed_seek},
    {"speed_profile", "one of 2,900 points, 2 m apart, of a kerb_speed_profile call, a closed lap",
     tool_bench_speed_profile},
    {"racer_drive", "one kerb_racer_drive call, alone on a closed track, from its line",
     tool_bench_racer_drive},
    {"racer_drive_20", "the same in a race of 20 cars, all around it", tool_bench_racer_drive_20},
    {"racer_drive_20_99", "the 99th percentile of that", tool_bench_racer_drive_20_99},
    {"lane_drive", "one kerb_lane_keeper_drive call, ten seconds of a lap, without the rays",
     tool_bench_lane_drive},
    {"traffic_update", "one of 5,000 vehicles of a kerb_traffic_step call, 30 x 30 signals",
     tool_bench_traffic_update},
    {"traffic_update_20000", "the same of 20,000 vehicles", tool_bench_traffic_update_20000},
    {"traffic_step_300", "one kerb_traffic_step call with 300 vehicles, 8 x 8 signals",
     tool_bench_traffic_step_300},
    {"racing_line_time", "minimum lap time on a track of 5.8 km, whole search",
     tool_bench_line_time},
    {"racing_line_curvature", "minimum curvature on a track of 5.8 km, whole search",
     tool_bench_line_curvature},
    {"racing_line_spring", "the paper's 800 spring steps on a track of 5.8 km, whole search",
     tool_bench_line_spring},
    {"racing_line_1_km", "minimum lap time of an open track of 1 km, per metre",
     tool_bench_line_1_km},
    {"racing_line_10_km", "the same of 10 km", tool_bench_line_10_km},
    {"racing_line_100_km", "the same of 100 km", tool_bench_line_100_km},
    {"plan_bound", "one kerb_plan_bound call, the default heuristic, the thesis's random goals",
     tool_bench_plan_bound},
    {"plan_shot", "the first plan for one of 1,000 of the thesis's random goals",
     tool_bench_plan_shot},
    {"plan_shot_reverse", "the same where the car may reverse", tool_bench_plan_shot_reverse},
    {"plan_improvement", "one of 5,000 steps that improve that plan", tool_bench_plan_improvement},
    {"plan_expansion",
     "one expansion of a search over fields of blocks, forwards and in reverse, 10 to 14 "
     "successors",
     tool_bench_plan_expansion},
    {"plan_expansion_speed",
     "one of 500 expansions of the search with speed, 15 successors each, as the thesis sets it, "
     "over its random goals",
     tool_bench_plan_expansion_speed},
    {"plan_blocks",
     "a plan over one of 100 fields of blocks, 2,500 steps of improvement; peer: OMPL",
     tool_bench_plan_blocks},
    {"plan_curve", "one of 300 improved curves of the thesis (5.3), one thread",
     tool_bench_plan_curve},
    {"plan_curves_300", "the same on two threads", tool_bench_plan_curves_300},
    {"plan_curves_known", "the same, all of them from the cache", tool_bench_plan_curves_known},
    {"kind_ship", "a whole plan of a ship to one of 40 random goals", tool_bench_kind_ship},
    {"kind_pedestrian", "the same for a pedestrian", tool_bench_kind_pedestrian},
    {"kind_hovercraft", "for a hovercraft", tool_bench_kind_hovercraft},
    {"kind_trailer", "for a car with a trailer", tool_bench_kind_trailer},
    {"kind_motorcycle", "for a motorcycle", tool_bench_kind_motorcycle},
    {"kind_tank", "for a tank", tool_bench_kind_tank},
    {"plan_in_space",
     "a plan of a spacecraft, helicopter, drone, rocket, airplane or submarine to a random goal in "
     "open space",
     tool_bench_plan_in_space},
};
const int32_t tool_bench_row_count = (int32_t)(sizeof tool_bench_rows / sizeof tool_bench_rows[0]);
