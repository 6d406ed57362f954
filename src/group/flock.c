// Updates a whole flock at once. The grid finds the neighbours, and the kernels of flock_kernel.h
// compute the desired steering.
//
// Agents that are consecutive in the grid are near one another and need mostly the same cells. Up
// to FLOCK_BLOCK of them look at the same neighbours, each in its own lane. When all desired
// steerings are known, all agents move, eight at once. Compilers vectorise both loops.
//
// The results are equal to the bit to those of kerb_neighbours_within, kerb_flock_steer and
// kerb_flock_step for one agent after another: they use the same inline functions in the same
// order.
//
// Cost: O(agents · neighbours); measured in bench/RESULTS.md. Most of it is the gathering of
// neighbours. Source: C. Reynolds, "Flocks, herds, and schools" (1987).
#include "kerb/group.h"

#include "../base/shared.h"
#include "flock_settings.h"

enum { HEADING_X, HEADING_Y, HEADING_Z, WISH_X, WISH_Y, WISH_Z, WISH_SPEED, ARRAYS };

#define CELL_SHARE 1.0f // cell size over the greatest radius; chosen by trial [1]
#define MOVERS 8        // agents that move at once; two registers of SSE, one of AVX

// Agents that look at the same neighbours at once: as many as a register holds. This changes the
// time, but no bit of the results.
#if defined(__AVX__)
#define FLOCK_BLOCK 8
#else
#define FLOCK_BLOCK 4
#endif

// Width of the rectangle of agents that look at once; wider costs useless neighbours. [cells]
#define TOGETHER_WIDE (FLOCK_BLOCK > 4 ? 2.5f : 1.6f)
#define TOGETHER_HIGH 1.0f // height of that rectangle [cells]

// ------------------------------------------------------------------- memory

static size_t arrays_size(int32_t capacity) {
    return (size_t)ARRAYS * (size_t)capacity * sizeof(float);
}

kerb_result kerb_flock_create(kerb_flock* flock, int32_t capacity, const kerb_host* host,
                              kerb_error* error) {
    KERB_ASSERT(flock && host);
    const kerb_flock empty = {0};
    *flock = empty;
    if (capacity < 1 || capacity > KERB_NEIGHBOUR_CAPACITY_MAX / 4)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "capacity", 0, -1,
                              "must be from 1 to 16777216");
    size_t grid_size = kerb_neighbour_grid_bytes(capacity);
    flock->size = grid_size + arrays_size(capacity);
    flock->allocator = host->allocator;
    flock->memory = flock->allocator.allocate(flock->allocator.context, flock->size, 16);
    if (!flock->memory) {
        *flock = empty;
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1,
                              "no memory for the flock");
    }
    kerb_neighbour_grid_init(&flock->grid, capacity, flock->memory);
    flock->arrays = (float*)(void*)((char*)flock->memory + grid_size);
    return KERB_OK;
}

void kerb_flock_destroy(kerb_flock* flock) {
    KERB_ASSERT(flock);
    if (flock->memory)
        flock->allocator.release(flock->allocator.context, flock->memory, flock->size);
    const kerb_flock empty = {0};
    *flock = empty;
}

static float* array_of(const kerb_flock* flock, int32_t which) {
    return flock->arrays + (size_t)which * (size_t)flock->grid.capacity;
}

// ------------------------------------------------------------------- desired steering

// All that the desired steerings of one frame need.
typedef struct flock_frame {
    const kerb_neighbour_grid* grid;
    const float *forward_x, *forward_y, *forward_z; // in the grid's order
    flock_reach reach;
    flock_urges urges;
    float radius;
} flock_frame;

// The agents that look at once, in the grid's order. Lanes from `count` on repeat the first agent.
typedef struct flock_lanes {
    float x[FLOCK_BLOCK], y[FLOCK_BLOCK], z[FLOCK_BLOCK];
    float forward_x[FLOCK_BLOCK], forward_y[FLOCK_BLOCK], forward_z[FLOCK_BLOCK];
    int32_t index[FLOCK_BLOCK];
    int32_t begin, count;
} flock_lanes;

// The number of agents from `begin` on that are near enough to need mostly the same cells, and
// their bounding rectangle.
static int32_t count_together(const kerb_neighbour_grid* grid, int32_t begin, kerb_vec2* least,
                              kerb_vec2* most) {
    const float wide = TOGETHER_WIDE * grid->cell_size, high = TOGETHER_HIGH * grid->cell_size;
    *least = *most = kerb_vec2_make(grid->x[begin], grid->y[begin]);
    int32_t count = 1;
    for (; count < FLOCK_BLOCK && begin + count < grid->count; count++) {
        float x = grid->x[begin + count], y = grid->y[begin + count];
        kerb_vec2 low = {kerb_min(x, least->x), kerb_min(y, least->y)};
        kerb_vec2 up = {kerb_max(x, most->x), kerb_max(y, most->y)};
        if (up.x - low.x > wide || up.y - low.y > high)
            break;
        *least = low;
        *most = up;
    }
    return count;
}

static void fill_lanes(flock_lanes* lanes, const flock_frame* frame, int32_t begin, int32_t count,
                       bool is_level) {
    lanes->begin = begin;
    lanes->count = count;
    for (int32_t i = 0; i < FLOCK_BLOCK; i++) {
        int32_t item = begin + (i < count ? i : 0);
        lanes->x[i] = frame->grid->x[item];
        lanes->y[i] = frame->grid->y[item];
        lanes->z[i] = is_level ? 0.0f : frame->grid->z[item];
        lanes->forward_x[i] = frame->forward_x[item];
        lanes->forward_y[i] = frame->forward_y[item];
        lanes->forward_z[i] = is_level ? 0.0f : frame->forward_z[item];
        lanes->index[i] = item;
    }
}

FLOCK_INLINE flock_member member_in_lane(const flock_lanes* lanes, int32_t i) {
    flock_member member = {lanes->x[i],         lanes->y[i],         lanes->z[i],
                           lanes->forward_x[i], lanes->forward_y[i], lanes->forward_z[i],
                           lanes->index[i]};
    return member;
}

FLOCK_INLINE flock_member member_in_grid(const flock_frame* frame, int32_t item, bool is_level) {
    flock_member member = {frame->grid->x[item],
                           frame->grid->y[item],
                           0.0f,
                           frame->forward_x[item],
                           frame->forward_y[item],
                           0.0f,
                           item};
    if (!is_level) {
        member.z = frame->grid->z[item];
        member.forward_z = frame->forward_z[item];
    }
    return member;
}

// The sums of all lanes, one array for each number. The loop over lanes is the inner one, so
// vectors hold agents.
typedef struct flock_lane_sums {
    float push_x[FLOCK_BLOCK], push_y[FLOCK_BLOCK], push_z[FLOCK_BLOCK];
    float heading_x[FLOCK_BLOCK], heading_y[FLOCK_BLOCK], heading_z[FLOCK_BLOCK],
        aligned[FLOCK_BLOCK];
    float way_x[FLOCK_BLOCK], way_y[FLOCK_BLOCK], way_z[FLOCK_BLOCK], gathered[FLOCK_BLOCK],
        ties[FLOCK_BLOCK];
} flock_lane_sums;

FLOCK_INLINE flock_sums sums_in_lane(const flock_lane_sums* sums, int32_t i) {
    flock_sums result = {sums->push_x[i],    sums->push_y[i],    sums->push_z[i],
                         sums->heading_x[i], sums->heading_y[i], sums->heading_z[i],
                         sums->aligned[i],   sums->way_x[i],     sums->way_y[i],
                         sums->way_z[i],     sums->gathered[i],  sums->ties[i]};
    return result;
}

FLOCK_INLINE void keep_sums(flock_lane_sums* to, int32_t i, flock_sums sums) {
    to->push_x[i] = sums.push_x;
    to->push_y[i] = sums.push_y;
    to->push_z[i] = sums.push_z;
    to->heading_x[i] = sums.heading_x;
    to->heading_y[i] = sums.heading_y;
    to->heading_z[i] = sums.heading_z;
    to->aligned[i] = sums.aligned;
    to->way_x[i] = sums.way_x;
    to->way_y[i] = sums.way_y;
    to->way_z[i] = sums.way_z;
    to->gathered[i] = sums.gathered;
    to->ties[i] = sums.ties;
}

FLOCK_INLINE void look_at_run(const flock_frame* frame, const flock_lanes* lanes,
                              kerb_neighbour_range run, flock_lane_sums* all, bool is_level) {
    for (int32_t item = run.begin; item < run.end; item++) {
        flock_member other = member_in_grid(frame, item, is_level);
        for (int32_t i = 0; i < FLOCK_BLOCK; i++) {
            flock_sums sums = flock_added(sums_in_lane(all, i), member_in_lane(lanes, i), other,
                                          frame->reach, is_level);
            keep_sums(all, i, sums);
        }
    }
}

FLOCK_INLINE void flock_look_around(const flock_frame* frame, const flock_lanes* lanes,
                                    kerb_vec2 least, kerb_vec2 most, flock_lane_sums* sums,
                                    bool is_level) {
    const flock_sums nobody = {0};
    for (int32_t i = 0; i < FLOCK_BLOCK; i++)
        keep_sums(sums, i, nobody);
    kerb_neighbour_cells cells =
        kerb_neighbour_cells_around(frame->grid, least, most, frame->radius);
    for (int32_t row = 0; row < cells.rows; row++) {
        kerb_neighbour_range runs[2];
        kerb_neighbour_row(frame->grid, &cells, row, runs);
        for (int32_t n = 0; n < 2; n++)
            look_at_run(frame, lanes, runs[n], sums, is_level);
    }
}

FLOCK_INLINE void wish_all(const kerb_flock* flock, const flock_frame* frame,
                           const kerb_agents* agents, bool is_level) {
    const int32_t* indices = frame->grid->indices;
    float *wish_x = array_of(flock, WISH_X), *wish_y = array_of(flock, WISH_Y);
    float *wish_z = array_of(flock, WISH_Z), *wish_speed = array_of(flock, WISH_SPEED);
    flock_lanes lanes;
    flock_lane_sums sums;
    for (int32_t begin = 0; begin < frame->grid->count; begin += lanes.count) {
        kerb_vec2 least, most;
        int32_t count = count_together(frame->grid, begin, &least, &most);
        fill_lanes(&lanes, frame, begin, count, is_level);
        flock_look_around(frame, &lanes, least, most, &sums, is_level);
        for (int32_t n = 0; n < count; n++) {
            int32_t i = indices[begin + n];
            flock_sums own = sums_in_lane(&sums, n);
            kerb_vec3 forward = {lanes.forward_x[n], lanes.forward_y[n], lanes.forward_z[n]};
            flock_motion wish = flock_wish(&own, forward, i, agents->speed_max[i], frame->urges);
            wish_x[i] = wish.forward_x;
            wish_y[i] = wish.forward_y;
            wish_z[i] = wish.forward_z;
            wish_speed[i] = wish.speed;
        }
    }
}

static void wish_all_level(const kerb_flock* flock, const flock_frame* frame,
                           const kerb_agents* agents) {
    wish_all(flock, frame, agents, true);
}

static void wish_all_in_space(const kerb_flock* flock, const flock_frame* frame,
                              const kerb_agents* agents) {
    wish_all(flock, frame, agents, false);
}

// ------------------------------------------------------------------- moving

// Arrays of the agents. Heights are zeros when the agents have none.
typedef struct flock_block {
    float *x, *y, *z, *forward_x, *forward_y, *forward_z, *speed;
    const float *turning_radius, *speed_max, *acceleration, *braking;
    const float *wish_x, *wish_y, *wish_z, *wish_speed;
} flock_block;

// The results go to local memory first, because the compiler must assume that the arrays overlap.
static void move_block(const flock_block* b, float time_step) {
    float to[7][MOVERS];
    for (int32_t i = 0; i < MOVERS; i++) {
        flock_motion from = {b->x[i],         b->y[i],         b->z[i],    b->forward_x[i],
                             b->forward_y[i], b->forward_z[i], b->speed[i]};
        flock_motion wish = {
            0.0f, 0.0f, 0.0f, b->wish_x[i], b->wish_y[i], b->wish_z[i], b->wish_speed[i]};
        flock_limits limits = {b->turning_radius[i], b->speed_max[i], b->acceleration[i],
                               b->braking[i]};
        flock_motion moved = flock_stepped(from, wish, limits, time_step);
        to[0][i] = moved.x;
        to[1][i] = moved.y;
        to[2][i] = moved.z;
        to[3][i] = moved.forward_x;
        to[4][i] = moved.forward_y;
        to[5][i] = moved.forward_z;
        to[6][i] = moved.speed;
    }
    float* const targets[7] = {b->x,         b->y,         b->z,    b->forward_x,
                               b->forward_y, b->forward_z, b->speed};
    for (int32_t n = 0; n < 7; n++) {
        for (int32_t i = 0; i < MOVERS; i++)
            targets[n][i] = to[n][i];
    }
}

static void move_one(const kerb_flock* flock, const kerb_agents* agents, int32_t i,
                     float time_step) {
    kerb_agent agent = kerb_agents_get(agents, i);
    kerb_steering wish = {
        {array_of(flock, WISH_X)[i], array_of(flock, WISH_Y)[i], array_of(flock, WISH_Z)[i]},
        array_of(flock, WISH_SPEED)[i]};
    agent = kerb_flock_step(&agent, &wish, time_step);
    kerb_agents_set(agents, i, &agent);
}

static void move_all(const kerb_flock* flock, const kerb_agents* agents, float time_step) {
    float zeros[2][MOVERS] = {{0.0f}, {0.0f}};
    int32_t i = 0;
    for (; agents->count - i >= MOVERS; i += MOVERS) {
        flock_block block = {agents->x + i,
                             agents->y + i,
                             agents->z ? agents->z + i : zeros[0],
                             agents->forward_x + i,
                             agents->forward_y + i,
                             agents->z ? agents->forward_z + i : zeros[1],
                             agents->speed + i,
                             agents->turning_radius + i,
                             agents->speed_max + i,
                             agents->acceleration + i,
                             agents->braking + i,
                             array_of(flock, WISH_X) + i,
                             array_of(flock, WISH_Y) + i,
                             array_of(flock, WISH_Z) + i,
                             array_of(flock, WISH_SPEED) + i};
        move_block(&block, time_step);
    }
    for (; i < agents->count; i++)
        move_one(flock, agents, i, time_step);
}

// ------------------------------------------------------------------- a frame

static void lay_in_order(const kerb_flock* flock, const float* from, int32_t which) {
    const int32_t* indices = flock->grid.indices;
    float* to = array_of(flock, which);
    for (int32_t item = 0; item < flock->grid.count; item++)
        to[item] = flock_number(from[indices[item]]);
}

// Agents that are not in the grid have no desired steering.
static void clear_wishes(const kerb_flock* flock, int32_t count) {
    for (int32_t which = WISH_X; which <= WISH_SPEED; which++) {
        float* array = array_of(flock, which);
        for (int32_t i = 0; i < count; i++)
            array[i] = 0.0f;
    }
}

void kerb_flock_update(kerb_flock* flock, const kerb_flock_settings* settings,
                       const kerb_agents* agents, float time_step) {
    KERB_ASSERT(flock && flock->memory && settings && agents);
    KERB_ASSERT(agents->count >= 0 && agents->count <= flock->grid.capacity);
    KERB_ASSERT(!agents->z == !agents->forward_z);
    KERB_ASSERT_SETTINGS(&kerb_flock_settings_table, settings);
    float radius = kerb_in_flock_radius_of(settings);
    kerb_neighbour_grid_build(&flock->grid, agents->x, agents->y, agents->z, agents->count,
                              radius * CELL_SHARE);
    lay_in_order(flock, agents->forward_x, HEADING_X);
    lay_in_order(flock, agents->forward_y, HEADING_Y);
    if (agents->z)
        lay_in_order(flock, agents->forward_z, HEADING_Z);
    if (flock->grid.count < agents->count)
        clear_wishes(flock, agents->count);
    flock_frame frame = {&flock->grid,
                         array_of(flock, HEADING_X),
                         array_of(flock, HEADING_Y),
                         array_of(flock, HEADING_Z),
                         kerb_in_flock_reach_of(settings),
                         kerb_in_flock_urges_of(settings),
                         radius};
    (agents->z ? wish_all_in_space : wish_all_level)(flock, &frame, agents);
    move_all(flock, agents, time_step);
}
