// `kerb plan`: plans one movement, or many from random poses on any number of threads, and reports
// them in order.
#include "tool/command/command_plan.h"

#include "tool/command/file.h"
#include "tool/command/inputs.h"
#include "tool/command/list.h"
#include "tool/command/machine.h"
#include "tool/command/plan_words.h"
#include "tool/command/progress.h"
#include "tool/command/setting_words.h"
#include "tool/page/plan_film.h"
#include "tool/page/plan_frame.h"
#include "tool/page/plan_page.h"
#include "tool/picture/picture_plan.h"
#include "tool/run/kind_run.h"
#include "tool/run/plan_map.h"
#include "tool/run/plan_mesh.h"
#include "tool/run/plan_run.h"
#include "tool/run/plan_thesis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REVERSE_SPEED 5.0f    // of the thesis's car, which never did [m/s]
#define COMMAND_PLAN_BLOCK 16 // movements a thread takes at once
#define THESIS_GOALS 40
#define THESIS_EXPANSIONS 100000
#define LIST_BLOCK 25    // of a list: their planner is made anew
#define DRIVEN_SHARE 0.3 // of what a vehicle can do, where it is driven

typedef struct plan_options {
    tool_words from, to;
    const char* tolerance;
    const char* vehicle;
    const char* map;
    const char* mesh;
    const char* mesh_up;
    const char* heights;
    const char* pitches;
    const char* obstacles;
    const char* costs;
    tool_words movers;
    double price;
    const char* scenarios;
    const char* search;
    tool_words settings;
    int64_t random, blocks, limit, expansions;
    double radius_min, radius_max; // 0: not said
    double grip, margin;
    double share; // 0: not said
    bool clothoids;
    bool reverse, anytime, thesis, drive, flood, list, allow_outside, kind;
    int64_t goals;  // 0: not said
    int64_t budget; // 0: not said
    tool_outputs outputs;
} plan_options;

static const tool_option command_plan_options[] = {
    TOOL_HEADING("What to plan"),
    TOOL_WORDS(plan_options, from, "from", "X,Y,DEG,V",
               "position of the rear axle in metres, heading in degrees from x towards y, speed in "
               "m/s; negative in reverse. May be given several times, with ,PENALTY in seconds: "
               "the best of them is taken"),
    TOOL_WORDS(plan_options, to, "to", "X,Y,DEG,V", "the same at the end"),
    TOOL_TEXT(plan_options, tolerance, "tolerance", "M,DEG,V", NULL,
              "accepted distance, angle and difference of speed at the ends (default 0,0,0)"),
    TOOL_WHOLE(plan_options, random, "random", "N", 1, 10000000,
               "instead, N random goals of the AIPATH thesis (5.1); with --vehicle from rest to "
               "rest, up to 8 of its radii away"),
    TOOL_NUMBER(plan_options, radius_min, "radius-min", "M", 0.01, 1000,
                "of random goals: smallest turning radius (default 5)"),
    TOOL_NUMBER(plan_options, radius_max, "radius-max", "M", 0.01, 1000,
                "of random goals: greatest turning radius (default 8)"),
    TOOL_TEXT(plan_options, map, "map", "FILE", NULL,
              "obstacles: MovingAI's .map, or a .pgm or .png with map_server's .yaml"),
    TOOL_TEXT(plan_options, mesh, "mesh", "FILE", NULL,
              "instead of a map, an .obj file of triangles: Recast builds a navigation mesh of it, "
              "and the plan keeps to the ground round the corridor from start to goal"),
    TOOL_TEXT(plan_options, mesh_up, "mesh-up", "WORD", "y|z",
              "of --mesh: the file's axis that points up; y (default): its x, y, z are y, z, x "
              "here"),
    TOOL_TEXT(
        plan_options, heights, "heights", "Z,Z", NULL,
        "heights of start and goal in metres: of kinds in space (default 0,0), and of --mesh, "
        "where levels lie above one another (default: the ground nearest to 0)"),
    TOOL_TEXT(plan_options, pitches, "pitch", "DEG,DEG", NULL,
              "of a spacecraft: how far its nose points up at start and goal, in degrees (default "
              "0,0)"),
    TOOL_TEXT(plan_options, obstacles, "obstacles", "WORD", "boxes|ground|octree|all|squares",
              "of --random with a kind in space: among 30 random obstacles of that form, others "
              "after every fifth goal; the start is then anywhere, too. squares: with a kind in "
              "the plane, 12 others for every goal"),
    TOOL_TEXT(plan_options, costs, "costs", "FILE", NULL,
              "a second map of the same size, of ground that should be avoided: what is blocked "
              "there costs time"),
    TOOL_NUMBER(plan_options, price, "price", "S", 0, 10000,
                "cost of a metre there, and on a map of mode scale or raw where it is nearly "
                "occupied, in seconds in addition to its time (default 1)"),
    TOOL_WORDS(plan_options, movers, "mover", "X,Y,VX,VY",
               "a vehicle that is there at the beginning and goes straight on at VX,VY m/s, 4.5 m "
               "long and 1.8 m wide unless ,LENGTH,WIDTH follow; the plan lets it pass or goes "
               "round it; may be given several times"),
    TOOL_TEXT(plan_options, scenarios, "scenarios", "FILE", NULL,
              "instead, many plans: MovingAI's .scen, a TPCAP parking case, or a CSV "
              "map,x0,y0,deg0,v0,x1,y1,deg1,v1"),
    TOOL_WHOLE(plan_options, limit, "limit", "N", 1, 1000000,
               "of scenarios: the N longest (default: all)"),
    TOOL_FLAG(plan_options, flood, "flood",
              "of scenarios: floods each map for what the vehicle's circle can reach, and prints "
              "whether every no_path is confirmed"),
    TOOL_FLAG(plan_options, allow_outside, "allow-outside",
              "a map or list may name files outside of its folder; they are refused otherwise"),
    TOOL_WHOLE(plan_options, blocks, "blocks", "N", 1, 1000000,
               "instead, N fields of 100 m by 100 m with 40 rectangles, from corner to corner"),
    TOOL_FLAG(plan_options, thesis, "thesis",
              "instead, the experiments of the AIPATH thesis: its tables beside its own numbers; "
              "with --html a page with all figures, too"),
    TOOL_WHOLE(
        plan_options, goals, "goals", "N", 1, 100000,
        "of the thesis's experiments: random goals each (default 40; the thesis: 1000 and more)"),
    TOOL_HEADING("Vehicle"),
    TOOL_TEXT(plan_options, vehicle, "vehicle", "NAME|FILE", NULL,
              "a built-in vehicle or a JSON file; without, the thesis's car: radius 5 m, 13.8 m/s, "
              "1.5 m/s2, braking 5 m/s2, lateral 10 m/s2. Or a kind of its own: in the plane ship, "
              "pedestrian, trailer, motorcycle, and with --drive hovercraft; in space spacecraft, "
              "helicopter, drone, rocket, airplane, submarine; a ship's place is that of its pivot "
              "point, a trailer's that of its axle, a motorcycle's that of its rear wheel, and a "
              "fifth number of a trailer's ends the hitch's angle",
              .words = &tool_words_planned),
    TOOL_FLAG(plan_options, kind, "kind",
              "plans hovercraft and tank as kinds of their own, which know how they slide and how "
              "long they take to turn"),
    TOOL_NUMBER(plan_options, grip, "grip", "G", 0.01, 10,
                "grip of the surface; 1: dry asphalt (default 1)"),
    TOOL_FLAG(plan_options, reverse, "reverse",
              "it may reverse: as fast as the vehicle can, the thesis's car at 5 m/s"),
    TOOL_NUMBER(plan_options, share, "share", "SHARE", 0.01, 1,
                "share of what the vehicle can do that is planned with, and a radius a tenth "
                "wider, so that a reserve is left for corrections (default 1; with --drive 0.3)"),
    TOOL_FLAG(plan_options, clothoids, "clothoids",
              "curvature is continuous: clothoids join the arcs, and at standstill the wheels turn "
              "first; they turn as fast as the vehicle's do, the thesis's car in a second"),
    TOOL_NUMBER(plan_options, margin, "margin", "M", 0, 100,
                "margin round the vehicle, in metres (default 0)"),
    TOOL_FLAG(plan_options, drive, "drive",
              "also drives the found plan, in the simulation, and prints how late and how far off "
              "the plan that gets; for the thesis's car and those of lists the default car drives, "
              "with their outline and radius, and the plan uses a share of its limits"),
    TOOL_HEADING("Search"),
    TOOL_WHOLE(
        plan_options, budget, "budget", "N", 1, 10000000,
        "steps of work at most; the first finds a plan, the others improve it (default 5001)"),
    TOOL_WHOLE(plan_options, expansions, "expansions", "N", 1, 100000000,
               "expansions of a search round obstacles at most (default 100000)"),
    TOOL_FLAG(plan_options, anytime, "anytime", "also lists the plans on the way to the best one"),
    TOOL_TEXT(plan_options, search, "search", "WORD", "kerb|thesis",
              "instead of the planner the A* of the AIPATH thesis, with the speed in its states: "
              "with settings that work well, or as the thesis has it"),
    TOOL_WORDS(plan_options, settings, "set", "NAME=VALUE",
               "changes a setting of the planner, or with --search of the search: its cells, "
               "actions, heuristic, overshoot, weights; --list shows them; may be given several "
               "times",
               .words = &tool_words_planner),
    TOOL_FLAG(plan_options, list, "list", "lists vehicles and settings; no plan"),
    TOOL_HEADING("Output"),
    TOOL_FLAG(plan_options, outputs.json, "json",
              "one JSON object on standard output, and nothing else there"),
    TOOL_TEXT(plan_options, outputs.csv, "csv", "FILE", NULL,
              "the plan, a row every 0.1 s; of many plans a row each"),
    TOOL_TEXT(plan_options, outputs.svg, "svg", "FILE", NULL,
              "a picture: the plan coloured by speed"),
    TOOL_TEXT(plan_options, outputs.png, "png", "FILE", NULL, "the same picture in pixels"),
    TOOL_TEXT(
        plan_options, outputs.html, "html", "FILE", NULL,
        "a page that replays it: the tree of a search grows, where there is one, then the plan is "
        "driven"),
    TOOL_FLAG(plan_options, outputs.quiet, "quiet",
              "no table and no progress; errors are still printed"),
    TOOL_HEADING("Execution"),
    TOOL_WHOLE(plan_options, outputs.seed, "seed", "N", 0, TOOL_SEED_MAX,
               "seed of all random numbers (default 0)"),
    TOOL_WHOLE(plan_options, outputs.threads, "threads", "N", 1, 64,
               "number of threads for random goals, blocks and lists (default: as many as the "
               "machine has); changes no result but times"),
};

static const tool_example command_plan_examples[] = {
    {"plan --from 0,0,0,10 --to 5,12,180,3 --png plan.png", "a plan as a picture"},
    {"plan --from 0,0,0,0 --to 0,6,0,0 --vehicle pickup --reverse", "into the space beside it"},
    {"plan --map city.map --from 3.5,8.5,90,0 --to 120,40,0,0 --html city.html",
     "round obstacles, as a page that shows how it was found"},
    {"plan --mesh level.obj --from 3,8,90,0 --to 120,40,0,0 --vehicle pickup",
     "on the ground of a level"},
    {"plan --scenarios city.map.scen --limit 100", "the longest hundred of a list"},
    {"plan --blocks 100 --png field.png", "fields of 40 rectangles, from corner to corner"},
    {0},
};

const tool_command tool_command_plan = {
    .name = "plan",
    .summary = "finds the fastest plan from one pose and speed to another",
    TOOL_COMMAND_OPTIONS(command_plan),
    .explanation = "Exit status 1 when no plan was found, or the checker rejects one.",
};

// --------------------------------------------------------------------------- what is asked

static float share_of(const plan_options* o) {
    return (float)(o->share > 0.0 ? o->share : o->drive ? DRIVEN_SHARE : 1.0);
}

// Of limits without a vehicle: who could drive them, and what it leaves of them.
static void make_drivable(const plan_options* o, kerb_plan_limits* limits,
                          kerb_scene_plan_ride* ride) {
    limits->margin = (float)o->margin;
    if (!o->drive)
        return;
    kerb_sim_model car = kerb_scene_plan_car_for(limits);
    *ride = kerb_scene_plan_ride_make(&car);
    ride->grip = (float)o->grip;
    *limits = kerb_scene_plan_limits_within(limits, &car.vehicle, share_of(o) * ride->grip);
}

// Of the vehicle that was named.
static tool_status vehicle_limits(const plan_options* o, kerb_plan_limits* limits,
                                  kerb_scene_plan_ride* ride, char* name, size_t size) {
    const kerb_host host = kerb_host_default();
    tool_vehicle vehicle;
    if (tool_vehicle_load(o->vehicle, "plan", &host, &vehicle) != TOOL_DONE)
        return TOOL_WRONG;
    kerb_error error;
    if (o->drive && kerb_plan_drivable(&vehicle.vehicle, &error) != KERB_OK)
        return tool_complain("--drive: %s: %s: %s", vehicle.name, error.field, error.message);
    bool is_shared = o->drive || o->share > 0.0;
    kerb_plan_limits all = is_shared ? kerb_plan_limits_to_drive(&vehicle.vehicle, share_of(o))
                                     : kerb_plan_limits_of(&vehicle.vehicle, 1.0f);
    *limits = kerb_plan_limits_with_grip(&all, (float)o->grip);
    limits->margin = (float)o->margin;
    snprintf(name, size, "%s", vehicle.name);
    if (!o->reverse)
        limits->reverse_speed_max = 0.0f;
    *ride = kerb_scene_plan_ride_make(&vehicle.model);
    if (!vehicle.has_model)
        ride->model = kerb_sim_model_for(&vehicle.vehicle);
    ride->grip = (float)o->grip;
    return TOOL_DONE;
}

static tool_status limits_of(const plan_options* o, kerb_plan_limits* limits,
                             kerb_scene_plan_ride* ride, char* name, size_t size) {
    if (o->vehicle)
        return vehicle_limits(o, limits, ride, name, size);
    kerb_plan_limits thesis = kerb_plan_limits_default();
    snprintf(name, size, "%s", "the thesis's car");
    *limits = kerb_plan_limits_with_grip(&thesis, (float)o->grip);
    limits->reverse_speed_max = o->reverse ? REVERSE_SPEED : 0.0f;
    make_drivable(o, limits, ride);
    return TOOL_DONE;
}

// Continuous curvature, as fast as the wheels turn.
static void join_by_clothoids(const plan_options* o, kerb_plan_limits* limits) {
    float time = limits->steering_time > 0.0f ? limits->steering_time : 1.0f;
    if (o->clothoids)
        limits->curvature_rate = 1.0f / (time * limits->turning_radius);
}

static bool is_one(const plan_options* o) {
    return o->random == 0 && o->blocks == 0 && !o->scenarios;
}

static tool_status check_thesis(const plan_options* o) {
    if (!o->thesis)
        return o->goals > 0 ? tool_complain("--goals: for --thesis") : TOOL_DONE;
    bool is_other = o->from.count || o->to.count || o->search || o->settings.count ||
                    o->random > 0 || o->blocks > 0 || o->scenarios || o->map || o->vehicle ||
                    o->reverse || o->anytime || o->drive || o->budget > 0;
    if (is_other)
        return tool_complain("--thesis: decides itself what is planned and how; takes "
                             "--goals and --expansions");
    if (o->outputs.csv || o->outputs.svg || o->outputs.png)
        return tool_complain("--thesis: prints tables, in words or as --json, and writes the page "
                             "of --html");
    return TOOL_DONE;
}

static tool_status check_words(const plan_options* o) {
    if (check_thesis(o) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->thesis)
        return TOOL_DONE;
    if ((o->random > 0) + (o->blocks > 0) + (o->scenarios != NULL) > 1)
        return tool_complain("--random, --blocks, --scenarios: give only one of them");
    if (o->blocks > 0 && (o->from.count || o->to.count))
        return tool_complain("--blocks: takes no --from and no --to");
    if (o->blocks > 0 && o->vehicle)
        return tool_complain("--vehicle: fields of blocks are for the thesis's car");
    if (o->random > 0 && (o->from.count || o->to.count))
        return tool_complain("--random: takes no --from and no --to");
    if (o->scenarios && (o->from.count || o->to.count))
        return tool_complain("--scenarios: takes no --from and no --to");
    if (o->mesh && (!is_one(o) || o->map || o->costs))
        return tool_complain("--mesh: for one plan, without --map and --costs");
    if (o->mesh && (o->from.count > 1 || o->to.count > 1))
        return tool_complain("--mesh: takes one --from and one --to");
    if (!o->mesh && (o->mesh_up || o->heights))
        return tool_complain("--%s: for --mesh", o->mesh_up ? "mesh-up" : "heights");
    if (o->pitches || o->obstacles)
        return tool_complain("--%s: for kinds %s", o->pitches ? "pitch" : "obstacles",
                             o->pitches ? "in space" : "of vehicles with planners of their own");
    if (!is_one(o) && o->map)
        return tool_complain("--map: for one plan; lists have their own");
    if (o->share > 0.0 && !o->vehicle && !o->drive)
        return tool_complain("--share: for --vehicle or --drive");
    if (o->random > 0 && o->vehicle && (o->radius_min > 0.0 || o->radius_max > 0.0))
        return tool_complain("--radius-min, --radius-max: the vehicle has its own");
    if (!is_one(o) && o->movers.count > 0)
        return tool_complain("--mover: for one plan");
    if (!is_one(o) && o->costs)
        return tool_complain("--costs: for one plan");
    if (!is_one(o) && o->anytime)
        return tool_complain("--anytime: for one plan");
    if (o->search && o->budget > 0)
        return tool_complain("--budget: steps of the planner; --search takes --expansions");
    if (!is_one(o) && o->tolerance)
        return tool_complain("--tolerance: for one plan");
    if (is_one(o) && (!o->from.count || !o->to.count))
        return tool_complain(
            "plan: from where to where? --from X,Y,DEG,V --to X,Y,DEG,V, --random N, "
            "--blocks N or --scenarios FILE");
    if (o->random == 0 && (o->radius_min > 0.0 || o->radius_max > 0.0))
        return tool_complain("--radius-min, --radius-max: for --random");
    if (!o->scenarios && o->limit > 0)
        return tool_complain("--limit: for --scenarios");
    if (!o->scenarios && o->flood)
        return tool_complain("--flood: for --scenarios");
    return TOOL_DONE;
}

static tool_status way_of(const plan_options* o, tool_plan_way* way) {
    way->searches = o->search != NULL;
    way->planner = kerb_planner_settings_default();
    way->planner.seed = (int32_t)(o->outputs.seed % 10000000);
    bool as_thesis = o->search && strcmp(o->search, "thesis") == 0;
    way->search =
        as_thesis ? kerb_plan_search_settings_thesis() : kerb_plan_search_settings_default();
    if (o->budget > 0)
        way->planner.improvement = (int32_t)(o->budget - 1);
    if (o->expansions > 0)
        way->planner.expansions = way->search.expansions = (int32_t)o->expansions;
    const tool_settable what = {way->searches ? &kerb_plan_search_settings_table
                                              : &kerb_planner_settings_table,
                                "plan", NULL, NULL};
    void* settings = way->searches ? (void*)&way->search : (void*)&way->planner;
    return tool_settings_apply(&o->settings, &what, settings);
}

// --------------------------------------------------------------------------- random goals

typedef struct command_plan_batch {
    const plan_options* options;
    const tool_plan_way* way;
    tool_plan_run* run;
    const kerb_plan_limits* limits;   // of a vehicle that was named
    const kerb_scene_plan_ride* ride; // of it
    tool_progress progress;
    bool failed;
} command_plan_batch;

// Of the movements of a picture or page the pieces are kept.
static bool is_drawn(const plan_options* o, int64_t index) {
    bool is_in_picture = (o->outputs.svg || o->outputs.png) && index < TOOL_PICTURE_PLANS;
    return is_in_picture || (o->outputs.html && index < TOOL_PAGE_PLANS);
}

static kerb_scene_plan_task random_task(const command_plan_batch* b, int64_t i) {
    const plan_options* o = b->options;
    float least = (float)b->run->radius_min, most = (float)b->run->radius_max;
    kerb_scene_plan_task task = kerb_scene_plan_random((uint64_t)o->outputs.seed, i, least, most);
    task.limits.reverse_speed_max = o->reverse ? REVERSE_SPEED : 0.0f;
    if (o->vehicle) {
        task.limits = *b->limits;
        task.from.speed = task.to.speed = 0.0f;
    }
    return task;
}

static void command_plan_run_block(void* context, int32_t block) {
    command_plan_batch* b = context;
    const plan_options* o = b->options;
    int64_t begin = (int64_t)block * COMMAND_PLAN_BLOCK, end = begin + COMMAND_PLAN_BLOCK;
    end = end < b->run->count ? end : b->run->count;
    for (int64_t i = begin; i < end; i++) {
        kerb_scene_plan_ride own = *b->ride;
        tool_plan_job job = {.task = random_task(b, i)};
        if (!o->vehicle)
            make_drivable(o, &job.task.limits, &own);
        job.ride = o->drive ? &own : NULL;
        if (tool_plan_find(&job, b->way, is_drawn(o, i), &b->run->found[i]) != TOOL_DONE)
            b->failed = true;
        if (o->outputs.json && b->run->is_probed)
            b->run->found[i].probe = kerb_scene_thesis_probe(&job.task);
    }
    tool_progress_add(&b->progress, (double)(end - begin));
}

static tool_status run_random(const plan_options* o, const tool_plan_way* way,
                              const kerb_plan_limits* limits, const kerb_scene_plan_ride* ride,
                              tool_plan_run* run) {
    double own = (double)limits->turning_radius;
    run->radius_min = o->vehicle ? own : o->radius_min > 0.0 ? o->radius_min : 5.0;
    run->radius_max = o->vehicle            ? own
                      : o->radius_max > 0.0 ? o->radius_max
                                            : fmax(8.0, run->radius_min);
    run->is_probed = !o->vehicle;
    if (run->radius_min > run->radius_max)
        return tool_complain("--radius-min: %g m is more than --radius-max, %g m", run->radius_min,
                             run->radius_max);
    command_plan_batch b = {
        o,      way,  run,
        limits, ride, tool_progress_make("planning", (double)run->count, !o->outputs.quiet),
        false};
    int32_t blocks = (int32_t)((run->count + COMMAND_PLAN_BLOCK - 1) / COMMAND_PLAN_BLOCK);
    tool_parallel(blocks, tool_outputs_threads(&o->outputs), command_plan_run_block, &b);
    tool_progress_end(&b.progress);
    return b.failed ? TOOL_WRONG : TOOL_DONE;
}

// --------------------------------------------------------------------------- blocks

typedef struct blocks_batch {
    const plan_options* options;
    const tool_plan_way* way;
    tool_plan_run* run;
    kerb_plan_limits limits;
    const kerb_scene_plan_ride* ride; // NULL: it is not driven
    kerb_scene_plan_blocks* first;    // the field of a picture
    tool_progress progress;
    bool failed;
} blocks_batch;

static tool_status run_field(const blocks_batch* b, int64_t i, kerb_scene_plan_blocks* field) {
    const plan_options* o = b->options;
    tool_plan_found* found = &b->run->found[i];
    kerb_scene_plan_blocks_make((uint64_t)o->outputs.seed, i, field);
    field->task.limits = b->limits;
    tool_plan_job job = {.task = field->task, .world = &field->world, .ride = b->ride};
    tool_status status = tool_plan_find(&job, b->way, is_drawn(o, i) && i == 0, found);
    found->world = i == 0 ? &field->world : NULL; // the others are gone by then
    return status;
}

static void run_field_block(void* context, int32_t block) {
    blocks_batch* b = context;
    int64_t begin = (int64_t)block * COMMAND_PLAN_BLOCK, end = begin + COMMAND_PLAN_BLOCK;
    end = end < b->run->count ? end : b->run->count;
    kerb_scene_plan_blocks* field = malloc(sizeof *field);
    for (int64_t i = begin; i < end; i++)
        if (!field || run_field(b, i, i == 0 ? b->first : field) != TOOL_DONE)
            b->failed = true;
    free(field);
    tool_progress_add(&b->progress, (double)(end - begin));
}

static tool_status run_blocks(const plan_options* o, const tool_plan_way* way,
                              const kerb_plan_limits* limits, const kerb_scene_plan_ride* ride,
                              kerb_scene_plan_blocks* first, tool_plan_run* run) {
    blocks_batch b = {o,
                      way,
                      run,
                      *limits,
                      o->drive ? ride : NULL,
                      first,
                      tool_progress_make("planning", (double)run->count, !o->outputs.quiet),
                      false};
    int32_t blocks = (int32_t)((run->count + COMMAND_PLAN_BLOCK - 1) / COMMAND_PLAN_BLOCK);
    tool_parallel(blocks, tool_outputs_threads(&o->outputs), run_field_block, &b);
    tool_progress_end(&b.progress);
    return b.failed ? TOOL_WRONG : TOOL_DONE;
}

// --------------------------------------------------------------------------- scenarios

typedef struct list_batch {
    const plan_options* options;
    const tool_plan_way* way;
    const tool_plan_list* list;
    const kerb_scene_plan_ride* ride; // NULL: it is not driven
    tool_plan_run* run;
    tool_progress progress;
    bool failed;
} list_batch;

static tool_plan_job job_of(const tool_plan_list* list, int32_t i) {
    const tool_plan_case* c = &list->cases[i];
    tool_plan_job job = {.task = c->task,
                         .world = c->map >= 0 ? &list->maps[c->map].world : NULL,
                         .frame = c->map >= 0 ? tool_plan_map_frame(&list->maps[c->map]) : NULL,
                         .any_heading = c->any_heading};
    return job;
}

// Cases of one map after the other share a planner: its world is made once.
static void run_list_block(void* context, int32_t block) {
    list_batch* b = context;
    int32_t begin = block * LIST_BLOCK, end = begin + LIST_BLOCK;
    end = end < b->list->count ? end : b->list->count;
    tool_plan_maker maker = {0};
    const kerb_plan_world* world = NULL;
    for (int32_t i = begin; i < end && !b->failed; i++) {
        tool_plan_job job = job_of(b->list, i);
        if (i == begin || world != job.world) {
            tool_plan_maker_destroy(&maker);
            b->failed =
                tool_plan_maker_create(&maker, &job.task.limits, job.world, b->way) != TOOL_DONE;
        }
        world = job.world;
        job.ride = b->ride;
        if (!b->failed &&
            tool_plan_ask(&maker, &job, is_drawn(b->options, i), &b->run->found[i]) != TOOL_DONE)
            b->failed = true;
    }
    tool_plan_maker_destroy(&maker);
    tool_progress_add(&b->progress, (double)(end - begin));
}

// Each map is flooded once, for the vehicle that most of a list share.
static void flood_all(tool_plan_run* run) {
    const kerb_plan_world* world = NULL;
    kerb_scene_plan_flood flood = {0};
    for (int64_t i = 0; i < run->count; i++) {
        tool_plan_found* f = &run->found[i];
        if (f->job.world && f->job.world != world) {
            kerb_scene_plan_flood_free(&flood);
            kerb_scene_plan_flood_make(f->job.world, &f->job.task.limits, &flood);
        }
        world = f->job.world;
        if (world)
            f->flooded = kerb_scene_plan_flood_between(&flood, f->job.task.from.pose.position,
                                                       f->job.task.to.pose.position);
    }
    kerb_scene_plan_flood_free(&flood);
}

static tool_status run_list(const plan_options* o, const tool_plan_way* way,
                            const tool_plan_list* list, const kerb_scene_plan_ride* ride,
                            tool_plan_run* run) {
    list_batch b = {o,    way,
                    list, o->drive ? ride : NULL,
                    run,  tool_progress_make("planning", (double)run->count, !o->outputs.quiet),
                    false};
    int32_t blocks = (list->count + LIST_BLOCK - 1) / LIST_BLOCK;
    tool_parallel(blocks, tool_outputs_threads(&o->outputs), run_list_block, &b);
    tool_progress_end(&b.progress);
    run->is_flooded = o->flood;
    if (o->flood && !b.failed)
        flood_all(run);
    return b.failed ? TOOL_WRONG : TOOL_DONE;
}

// --------------------------------------------------------------------------- one movement

// What is planned, besides what the options say.
typedef struct plan_inputs {
    kerb_plan_limits limits;
    kerb_scene_plan_ride ride; // who drives it, where it is driven
    tool_plan_map map, costs;
    tool_plan_list list;
    kerb_scene_plan_blocks field; // the first
    kerb_plan_mover movers[KERB_PLAN_MOVERS_MAX];
    kerb_plan_end starts[KERB_PLAN_ENDS_MAX], goals[KERB_PLAN_ENDS_MAX];
    kerb_plan_query choice; // of these
} plan_inputs;

static tool_status read_choice(const plan_options* o, plan_inputs* in) {
    bool has_hitch = o->vehicle && strcmp(o->vehicle, "trailer") == 0;
    if (tool_plan_words_ends("from", &o->from, has_hitch, in->starts) != TOOL_DONE ||
        tool_plan_words_ends("to", &o->to, has_hitch, in->goals) != TOOL_DONE)
        return TOOL_WRONG;
    in->choice = (kerb_plan_query){in->starts, in->goals, o->from.count, o->to.count};
    for (int32_t i = 0; o->tolerance && i < o->to.count; i++)
        if (tool_plan_words_tolerance(o->tolerance, &in->goals[i]) != TOOL_DONE)
            return TOOL_WRONG;
    return TOOL_DONE;
}

// The ground round the corridor as the map. `outcome`: RUNNING, or why there is no corridor.
static tool_status take_mesh(const plan_options* o, plan_inputs* in, kerb_plan_outcome* outcome) {
    float heights[2];
    *outcome = KERB_PLAN_RUNNING;
    if (!o->mesh)
        return TOOL_DONE;
    if (o->heights && tool_plan_words_pair("heights", o->heights, heights) != TOOL_DONE)
        return TOOL_WRONG;
    const tool_plan_mesh_task task = {.path = o->mesh,
                                      .z_up = o->mesh_up && strcmp(o->mesh_up, "z") == 0,
                                      .width = in->limits.width + 2.0f * in->limits.margin,
                                      .from = in->starts[0],
                                      .to = in->goals[0],
                                      .heights = o->heights ? heights : NULL};
    tool_plan_mesh_report report;
    if (tool_plan_mesh_load(&task, &in->map, &report) != TOOL_DONE)
        return TOOL_WRONG;
    *outcome = report.outcome;
    if (!o->outputs.json && !o->outputs.quiet)
        printf("mesh: %d polygons, a corridor of %d, found in %.2f ms\n", (int)report.polygons,
               (int)report.steps, report.corridor_ms);
    return TOOL_DONE;
}

static tool_status command_plan_run_one(const plan_options* o, const tool_plan_way* way,
                                        plan_inputs* in, tool_plan_run* run) {
    if (read_choice(o, in) != TOOL_DONE ||
        tool_plan_words_movers(&o->movers, in->movers) != TOOL_DONE)
        return TOOL_WRONG;
    kerb_plan_outcome outcome;
    if (take_mesh(o, in, &outcome) != TOOL_DONE)
        return TOOL_WRONG;
    const kerb_io_map_info* frame = tool_plan_map_frame(&in->map);
    tool_plan_ends_to_map(frame, in->starts, o->from.count);
    tool_plan_ends_to_map(frame, in->goals, o->to.count);
    tool_plan_movers_to_map(frame, in->movers, o->movers.count);
    tool_plan_job job = {.task = {in->limits, in->starts[0], in->goals[0]},
                         .choice = &in->choice,
                         .world = o->map || o->costs || o->mesh ? &in->map.world : NULL,
                         .frame = frame,
                         .movers = in->movers,
                         .mover_count = o->movers.count,
                         .ride = o->drive ? &in->ride : NULL};
    if (outcome != KERB_PLAN_RUNNING) {
        job.world = NULL;
        run->found[0] = (tool_plan_found){.job = job, .task = job.task, .outcome = outcome};
        return TOOL_DONE;
    }
    return tool_plan_find(&job, way, true, &run->found[0]);
}

// --------------------------------------------------------------------------- the command

// Of a list it is no failure when there is nothing to be found, and that is known.
static bool is_well(const tool_plan_run* run, const tool_plan_found* f) {
    bool is_known = f->outcome == KERB_PLAN_NO_PATH || f->outcome == KERB_PLAN_START_BLOCKED ||
                    f->outcome == KERB_PLAN_GOAL_BLOCKED || f->outcome == KERB_PLAN_IMPOSSIBLE;
    return f->valid || (run->is_list && is_known);
}

// How many movements are watched being found: all of a page, and one for the tree of a picture.
static int64_t watched_count(const tool_plan_run* run) {
    const tool_outputs* o = run->outputs;
    int64_t shown = run->is_blocks ? 1 : run->count; // the other fields are gone by then
    if (o->html)
        return shown < TOOL_PAGE_PLANS ? shown : TOOL_PAGE_PLANS;
    return (o->svg || o->png) && shown == 1 && !run->is_random ? 1 : 0;
}

// A second time, so that looking on does not count as time of the first.
static tool_status command_plan_watch(tool_plan_run* run, const tool_plan_way* way,
                                      tool_plan_film* films) {
    for (int64_t i = 0; i < watched_count(run); i++) {
        if (tool_plan_film_record(&run->found[i], way, &films[i]) != TOOL_DONE)
            return TOOL_WRONG;
        run->film_count++;
    }
    run->films = films;
    return TOOL_DONE;
}

// All that is reported is in the world.
static void turn_back(plan_inputs* in, tool_plan_run* run, tool_plan_film* films) {
    const kerb_io_map_info* frame = tool_plan_map_frame(&in->map);
    tool_plan_ends_to_world(frame, in->starts, KERB_PLAN_ENDS_MAX);
    tool_plan_ends_to_world(frame, in->goals, KERB_PLAN_ENDS_MAX);
    tool_plan_movers_to_world(frame, in->movers, KERB_PLAN_MOVERS_MAX);
    for (int64_t i = 0; i < run->film_count; i++)
        tool_plan_film_to_world(&run->found[i], &films[i]);
    for (int64_t i = 0; i < run->count; i++)
        tool_plan_found_to_world(&run->found[i]);
}

static tool_status command_plan_report(const tool_plan_run* run) {
    const tool_outputs* o = run->outputs;
    if (o->csv && tool_plan_write_csv(run) != TOOL_DONE)
        return TOOL_WRONG;
    tool_plan_run drawn = *run;
    drawn.count = run->is_blocks ? 1 : run->count;
    if ((o->svg || o->png) && tool_picture_plan_write(o->svg, o->png, &drawn) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->html && tool_plan_page_write(o->html, run) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->json && tool_plan_print_json(run) != TOOL_DONE)
        return TOOL_WRONG;
    if (!o->json && !o->quiet)
        tool_plan_print(run);
    bool all_well = true;
    for (int64_t i = 0; i < run->count; i++)
        all_well = all_well && is_well(run, &run->found[i]);
    return all_well ? TOOL_DONE : TOOL_FAILED;
}

static bool is_same_grid(const tool_plan_map* a, const tool_plan_map* b) {
    const kerb_plan_world *v = &a->world, *w = &b->world;
    return v->columns == w->columns && v->rows == w->rows && v->cell_size == w->cell_size &&
           v->origin.x == w->origin.x && v->origin.y == w->origin.y && a->info.yaw == b->info.yaw &&
           (a->info.yaw == 0.0f ||
            (a->info.origin.x == b->info.origin.x && a->info.origin.y == b->info.origin.y));
}

// A second map beside the first, or alone.
static tool_status take_costs(const plan_options* o, const tool_plan_map_rules* rules,
                              plan_inputs* in) {
    if (tool_plan_map_load(o->costs, rules, &in->costs) != TOOL_DONE)
        return TOOL_WRONG;
    const kerb_plan_world *priced = &in->costs.world, *w = &in->map.world;
    if (o->map && !is_same_grid(&in->costs, &in->map))
        return tool_complain("--costs: %s: must have the cells and the place of --map, %d by %d of "
                             "%g m: it has %d by %d of %g m",
                             o->costs, (int)w->columns, (int)w->rows, (double)w->cell_size,
                             (int)priced->columns, (int)priced->rows, (double)priced->cell_size);
    if (!o->map) {
        in->map.info = in->costs.info;
        in->map.world = *priced;
        in->map.world.cells = NULL;
    }
    in->map.world.cost_map = priced->cells;
    in->map.world.cost_per_metre = (float)o->price;
    return TOOL_DONE;
}

static tool_status run_kind(const plan_options* o, const tool_plan_way* way, plan_inputs* in,
                            tool_plan_run* run) {
    if (o->random > 0)
        return run_random(o, way, &in->limits, &in->ride, run);
    if (o->blocks > 0)
        return run_blocks(o, way, &in->limits, &in->ride, &in->field, run);
    return o->scenarios ? run_list(o, way, &in->list, &in->ride, run)
                        : command_plan_run_one(o, way, in, run);
}

// Ships, pedestrians and other kinds: a planner of their own.
static tool_status run_kinds(const plan_options* o, plan_inputs* in) {
    bool is_other = o->search || o->settings.count || o->blocks > 0 || o->scenarios || o->costs ||
                    o->movers.count || o->anytime || o->tolerance || o->outputs.html ||
                    o->budget > 0 || o->thesis;
    if (is_other)
        return tool_complain("--vehicle: %s takes --from, --to, --random, --map, --share, --drive "
                             "and outputs without --html",
                             o->vehicle);
    if (o->random == 0 && (o->from.count != 1 || o->to.count != 1))
        return tool_complain("--vehicle: %s takes one --from and one --to, or --random N",
                             o->vehicle);
    if (o->random == 0 && read_choice(o, in) != TOOL_DONE)
        return TOOL_WRONG;
    bool has_fifth = in->starts[0].penalty != 0.0f || in->goals[0].penalty != 0.0f;
    if (has_fifth && strcmp(o->vehicle, "trailer") != 0)
        return tool_complain("--vehicle: %s: a fifth number is the angle of a trailer's hitch",
                             o->vehicle);
    const tool_plan_map_rules rules = {o->allow_outside, (float)o->price};
    if (o->map && tool_plan_map_load(o->map, &rules, &in->map) != TOOL_DONE)
        return TOOL_WRONG;
    if (tool_plan_map_frame(&in->map))
        return tool_complain("--map: %s: turned maps are for other vehicles", o->map);
    tool_kind_job job = {.vehicle = o->vehicle,
                         .from = in->starts[0],
                         .to = in->goals[0],
                         .world = o->map ? &in->map.world : NULL,
                         .random = o->random,
                         .share = o->share,
                         .drive = o->drive,
                         .obstacles = o->obstacles,
                         .outputs = &o->outputs};
    if (o->heights && tool_plan_words_pair("heights", o->heights, job.heights) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->pitches && tool_plan_words_pair("pitch", o->pitches, job.pitches) != TOOL_DONE)
        return TOOL_WRONG;
    return tool_kind_run(&job);
}

static void free_found(tool_plan_found* found) {
    free(found->pieces);
    free(found->driven.moments);
}

static tool_status command_plan_run_all(const plan_options* o, plan_inputs* in,
                                        tool_plan_run* run) {
    tool_plan_way way;
    if (way_of(o, &way) != TOOL_DONE)
        return TOOL_WRONG;
    run->found = calloc((size_t)run->count, sizeof *run->found);
    if (!run->found)
        return tool_complain("plan: no memory for %lld movements", (long long)run->count);
    tool_status status = run_kind(o, &way, in, run);
    tool_plan_film films[TOOL_PAGE_PLANS] = {0};
    if (status == TOOL_DONE)
        status = command_plan_watch(run, &way, films);
    if (status == TOOL_DONE) {
        turn_back(in, run, films);
        status = command_plan_report(run);
    }
    for (int32_t i = 0; i < TOOL_PAGE_PLANS; i++)
        tool_plan_film_free(&films[i]);
    for (int64_t i = 0; i < run->count; i++)
        free_found(&run->found[i]);
    free(run->found);
    return status;
}

static tool_status load_files(const plan_options* o, plan_inputs* in) {
    const tool_plan_map_rules rules = {o->allow_outside, (float)o->price};
    if (o->map && tool_plan_map_load(o->map, &rules, &in->map) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->costs && take_costs(o, &rules, in) != TOOL_DONE)
        return TOOL_WRONG;
    if (!o->scenarios)
        return TOOL_DONE;
    return tool_plan_list_load(o->scenarios, &rules, &in->limits, o->limit, &in->list);
}

// Names the kinds that there are.
static tool_status complain_of_kind(const char* vehicle) {
    char kinds[256];
    size_t used = 0;
    for (int32_t i = 0; i < KERB_SCENE_KIND_COUNT; i++) {
        const char* before = i == 0 ? "" : i + 1 < KERB_SCENE_KIND_COUNT ? ", " : " and ";
        used += (size_t)snprintf(kinds + used, sizeof kinds - used, "%s%s", before,
                                 kerb_scene_kind_text((kerb_scene_kind_name)i));
    }
    return tool_complain("--kind: %s is no kind of its own: %s are",
                         vehicle ? vehicle : "the thesis's car", kinds);
}

static tool_status run_with(int argc, char** argv, plan_inputs* in) {
    plan_options o = {.grip = 1.0, .price = 1.0};
    tool_plan_run run = {.outputs = &o.outputs, .count = 1};
    if (tool_arguments_read(&tool_command_plan, argc, argv, &o) != TOOL_DONE)
        return TOOL_WRONG;
    if (o.list) {
        tool_list_print_plan(stdout);
        return TOOL_DONE;
    }
    if (tool_kind_is(o.vehicle, o.drive, o.kind))
        return tool_outputs_check(&o.outputs) == TOOL_DONE ? run_kinds(&o, in) : TOOL_WRONG;
    if (o.kind)
        return complain_of_kind(o.vehicle);
    if (check_words(&o) != TOOL_DONE || tool_outputs_check(&o.outputs) != TOOL_DONE ||
        limits_of(&o, &in->limits, &in->ride, run.vehicle, sizeof run.vehicle) != TOOL_DONE)
        return TOOL_WRONG;
    join_by_clothoids(&o, &in->limits);
    if (load_files(&o, in) != TOOL_DONE)
        return TOOL_WRONG;
    for (int32_t i = 0; in->list.car && i < in->list.count; i++)
        make_drivable(&o, &in->list.cases[i].task.limits, &in->ride);
    for (int32_t i = 0; i < in->list.count; i++)
        join_by_clothoids(&o, &in->list.cases[i].task.limits);
    if (in->list.car)
        snprintf(run.vehicle, sizeof run.vehicle, "%s", in->list.car);
    if (o.thesis)
        return tool_plan_run_thesis(&o.outputs, o.goals > 0 ? o.goals : THESIS_GOALS,
                                    o.expansions > 0 ? o.expansions : THESIS_EXPANSIONS);
    run.is_random = o.random > 0;
    run.is_blocks = o.blocks > 0;
    run.is_list = o.scenarios != NULL || run.is_blocks;
    run.count = run.is_random  ? o.random
                : o.blocks > 0 ? o.blocks
                : run.is_list  ? in->list.count
                               : 1;
    run.anytime = o.anytime;
    run.searches = o.search != NULL;
    run.is_driven = o.drive;
    run.is_named = o.vehicle != NULL;
    return command_plan_run_all(&o, in, &run);
}

tool_status tool_plan_run_command(int argc, char** argv) {
    plan_inputs* in = calloc(1, sizeof *in);
    if (!in)
        return tool_complain("plan: no memory");
    tool_status status = run_with(argc, argv, in);
    tool_plan_list_free(&in->list);
    tool_plan_map_free(&in->map);
    tool_plan_map_free(&in->costs);
    free(in);
    return status;
}
