// Several cars round one target: to box it in, or to escort it.
//
// The sides are assigned so that the sum of the squared paths is smallest. Then straight paths
// never cross, because exchanging the ends of two crossing paths would make both shorter in total.
// Computed by dynamic programming over the sets of assigned sides. O(cars · 16 · 4).
#include "kerb/cars.h"

#include "cars.h"

#include "../base/shared.h"

#define SETS (1 << KERB_SIDE_COUNT) // sets of sides
#define CARS_BOX_FAR 1.0e30f        // cost of an impossible assignment
// Another assignment must cost less than this share of the present one, so that cars do not swap
// all the time. [1]
#define CARS_BOX_BETTER 0.8f
#define BETTER_HELD 0.4f // the same share round a target that is held [1]
// Additional length of a path round the target. [m]
#define ROUND 8.0f
// Below this speed the target counts as stopped. [m/s]
#define STOPPED 3.0f
// Below this speed the cars round the target may stop to bring it to standstill. [m/s]
#define CRAWLING 4.5f
// Cosine (46 degrees) of two cars that face the same way.
#define CARS_BOX_ALONG_COSINE 0.7f
// A car within this distance of its place stands still there. [m]
#define AT_PLACE 1.2f

kerb_vec2 kerb_box_offset(const kerb_neighbour* target, int32_t side, float gap, float length,
                          float width) {
    KERB_ASSERT(target);
    float along = 0.5f * (target->length + length) + gap;
    float across = 0.5f * (target->width + width) + gap;
    switch (side) {
    case KERB_SIDE_FRONT:
        return kerb_vec2_make(along, 0.0f);
    case KERB_SIDE_LEFT:
        return kerb_vec2_make(0.0f, across);
    case KERB_SIDE_RIGHT:
        return kerb_vec2_make(0.0f, -across);
    case KERB_SIDE_BEHIND:
        return kerb_vec2_make(-along, 0.0f);
    default: // waits behind the car at the rear
        return kerb_vec2_make(-along - length - 2.0f * gap - 2.0f, 0.0f);
    }
}

// --------------------------------------------------------------------------- assignment

static float cars_box_way_to(const kerb_cars_settings* settings, const kerb_neighbour* target,
                             const kerb_neighbour* car, int32_t side) {
    kerb_vec2 apart = steer_level(kerb_vec3_sub(car->position, target->position));
    kerb_vec2 here = steer_into(apart, target->forward);
    kerb_vec2 place = kerb_box_offset(target, side, settings->gap, car->length, car->width);
    kerb_vec2 way = kerb_vec2_sub(place, here);
    float length = kerb_vec2_length(way);
    // Overtaking takes longer than falling back.
    if (way.x > 0.0f)
        length += 0.5f * way.x;
    if (here.x * place.x < 0.0f && kerb_abs(here.y) < target->width)
        length += ROUND;
    return length * length;
}

// The cheapest assignment of the first cars, for each set of assigned sides.
typedef struct sharing {
    float cost[KERB_BOX_CARS_MAX + 1][SETS];
    int32_t taken[KERB_BOX_CARS_MAX + 1][SETS]; // side of the last car; -1: none
} sharing;

static void share_next(sharing* s, int32_t car, const float* ways, int32_t sides) {
    for (int32_t set = 0; set < SETS; set++) {
        s->cost[car + 1][set] = s->cost[car][set];
        s->taken[car + 1][set] = -1;
        for (int32_t side = 0; side < sides; side++) {
            if (!(set & (1 << side)))
                continue;
            float cost = s->cost[car][set & ~(1 << side)] + ways[side];
            if (cost < s->cost[car + 1][set]) {
                s->cost[car + 1][set] = cost;
                s->taken[car + 1][set] = side;
            }
        }
    }
}

static float cars_box_cost_of(const kerb_box* box, float ways[][KERB_SIDE_COUNT]) {
    float sum = 0.0f;
    for (int32_t i = 0; i < box->count; i++)
        sum += box->side[i] >= 0 ? ways[i][box->side[i]] : 0.0f;
    return sum;
}

void kerb_box_assign(kerb_box* box, const kerb_cars_settings* settings,
                     const kerb_neighbour* target, const kerb_neighbour* cars, int32_t count) {
    KERB_ASSERT(box && settings && target && (cars || count <= 0));
    count = count < 0 ? 0 : count > KERB_BOX_CARS_MAX ? KERB_BOX_CARS_MAX : count;
    int32_t sides = count < (int32_t)KERB_SIDE_COUNT ? count : (int32_t)KERB_SIDE_COUNT;
    float ways[KERB_BOX_CARS_MAX][KERB_SIDE_COUNT];
    sharing s;
    for (int32_t set = 0; set < SETS; set++)
        s.cost[0][set] = set == 0 ? 0.0f : CARS_BOX_FAR;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t side = 0; side < (int32_t)KERB_SIDE_COUNT; side++) {
            float way = cars_box_way_to(settings, target, &cars[i], side);
            ways[i][side] = kerb_is_finite(way) ? way : 1.0e20f;
        }
        share_next(&s, i, ways[i], sides);
    }
    kerb_box best = {.count = count};
    int32_t set = (1 << sides) - 1;
    for (int32_t i = count; i > 0; i--) {
        best.side[i - 1] = s.taken[i][set];
        if (s.taken[i][set] >= 0)
            set &= ~(1 << s.taken[i][set]);
    }
    // Round a target that is held, only cars that are far away change sides.
    bool is_held = kerb_vec2_length(steer_level(target->velocity)) < STOPPED;
    float better = is_held ? BETTER_HELD : CARS_BOX_BETTER;
    if (box->count != count || cars_box_cost_of(&best, ways) < better * cars_box_cost_of(box, ways))
        *box = best;
}

// --------------------------------------------------------------------------- driving

static int32_t side_of(const kerb_box* box, int32_t self) {
    return self >= 0 && self < box->count ? box->side[self] : -1;
}

kerb_steering kerb_escort(const kerb_box* box, const kerb_cars_settings* settings, int32_t self,
                          const kerb_agent* agent, const kerb_neighbour* cars,
                          const kerb_neighbour* protected_car) {
    KERB_ASSERT(box && settings && agent && cars && protected_car);
    if (!kerb_in_steer_is_finite_car(&cars[self]) || !kerb_in_steer_is_finite_car(protected_car))
        return kerb_steering_none();
    kerb_vec2 offset = kerb_box_offset(protected_car, side_of(box, self), settings->gap,
                                       cars[self].length, cars[self].width);
    return kerb_keep_place(settings, agent, protected_car, offset, cars[self].width);
}

// The car is in the target's way: in front of its nose, or behind its tail when it reverses.
static bool cars_box_is_in_the_way(const kerb_agent* agent, const kerb_neighbour* car,
                                   const kerb_neighbour* target, float way) {
    kerb_vec2 apart = steer_level(kerb_vec3_sub(agent->position, target->position));
    kerb_vec2 here = steer_into(apart, target->forward);
    float touching = 0.5f * (target->length + car->length);
    return here.x * way > touching - 1.0f && here.x * way < touching + 8.0f &&
           kerb_abs(here.y) < 0.5f * (target->width + car->width) - 0.2f;
}

// The target is in front of the car's nose, faces the same way, and they touch.
static bool pushes(const kerb_agent* agent, const kerb_neighbour* car,
                   const kerb_neighbour* target) {
    kerb_vec2 apart = steer_level(kerb_vec3_sub(target->position, agent->position));
    kerb_vec2 front = steer_level(agent->forward);
    kerb_vec2 there = steer_into(apart, front);
    return kerb_vec2_dot(front, target->forward) > CARS_BOX_ALONG_COSINE &&
           there.x > 0.5f * car->length && there.x < 0.5f * (car->length + target->length) + 0.3f &&
           kerb_abs(there.y) < 0.5f * (car->width + target->width);
}

static bool is_parted(kerb_vec2 a, kerb_vec2 b, const kerb_obstacle* wall) {
    kerb_vec2 from = steer_level(wall->from), to = steer_level(wall->to);
    kerb_vec2 way = kerb_vec2_sub(b, a), edge = kerb_vec2_sub(to, from);
    return kerb_vec2_cross(way, kerb_vec2_sub(from, a)) *
                   kerb_vec2_cross(way, kerb_vec2_sub(to, a)) <
               0.0f &&
           kerb_vec2_cross(edge, kerb_vec2_sub(a, from)) *
                   kerb_vec2_cross(edge, kerb_vec2_sub(b, from)) <
               0.0f;
}

// When a wall leaves no space for a body at the place, the wall closes that side. The car waits in
// the second row on the other side.
static kerb_vec2 inside_walls(kerb_vec2 offset, const kerb_neighbour* car,
                              const kerb_neighbour* target, const kerb_obstacle* obstacles,
                              int32_t count) {
    kerb_vec2 middle = steer_level(target->position);
    bool is_aside = kerb_abs(offset.y) > kerb_abs(offset.x);
    float body = is_aside ? 0.4f * car->width : 0.4f * car->length;
    float size = kerb_max(kerb_vec2_length(offset), 0.1f);
    kerb_vec2 outside = kerb_vec2_scale(offset, 1.0f + body / size);
    kerb_vec2 there = kerb_vec2_add(middle, steer_out_of(outside, target->forward));
    for (int32_t i = 0; i < count; i++) {
        if (!is_parted(middle, there, &obstacles[i]))
            continue;
        float more = (is_aside ? car->width : car->length) + 1.0f;
        return kerb_vec2_scale(offset, -1.0f - more / size);
    }
    return offset;
}

kerb_steering kerb_box_in(const kerb_box* box, const kerb_cars_settings* settings, int32_t self,
                          const kerb_agent* agent, const kerb_neighbour* cars,
                          const kerb_neighbour* target, const kerb_obstacle* obstacles,
                          int32_t obstacle_count, float time_step, kerb_vec3* destination) {
    KERB_ASSERT(box && settings && agent && cars && target);
    KERB_ASSERT(obstacles || obstacle_count <= 0);
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !kerb_in_steer_is_finite_car(target) ||
        !kerb_in_steer_is_finite_car(&cars[self]))
        return kerb_steering_none();
    int32_t side = side_of(box, self);
    const kerb_neighbour* car = &cars[self];
    float speed = kerb_vec2_length(steer_level(target->velocity));
    kerb_vec2 apart = steer_level(kerb_vec3_sub(agent->position, target->position));
    // Far from the target, it takes the short cut to where they meet.
    if (kerb_vec2_length(apart) > 12.0f + 1.0f * speed) {
        kerb_interception meeting;
        kerb_steering hunt = kerb_chase(settings, agent, target, NULL, true, time_step, &meeting);
        if (destination)
            *destination = meeting.position;
        return hunt;
    }
    float gap = speed < STOPPED && side >= 0 ? settings->gap_stopped : settings->gap;
    kerb_vec2 offset = kerb_box_offset(target, side, gap, car->length, car->width);
    offset = inside_walls(offset, car, target, obstacles, obstacle_count);
    if (destination)
        *destination = steer_on_ground(
            kerb_vec2_add(steer_level(target->position), steer_out_of(offset, target->forward)));
    kerb_steering wish = kerb_keep_place(settings, agent, target, offset, car->width);
    float along = kerb_vec2_dot(steer_level(target->velocity), target->forward);
    float way = side == (int32_t)KERB_SIDE_FRONT ? 1.0f : -1.0f;
    bool is_end = side == (int32_t)KERB_SIDE_FRONT || side == (int32_t)KERB_SIDE_BEHIND;
    if (is_end && cars_box_is_in_the_way(agent, car, target, way) && along * way > 0.0f) {
        float slower =
            along * way > CRAWLING ? along * way - 0.5f * settings->blocking_deceleration : 0.0f;
        // Nose to nose it must not give way in reverse.
        wish.speed = kerb_clamp(wish.speed, -slower, slower);
    }
    // It does not help a target by pushing it.
    if (wish.speed > 0.0f && pushes(agent, car, target))
        wish.speed = kerb_min(wish.speed, 0.5f * kerb_max(along, 0.0f));
    // At its place beside a target that hardly moves it stands still: braked wheels hold more than
    // an engine can push.
    kerb_vec2 here = steer_into(apart, target->forward);
    if (speed < CRAWLING && side >= 0 && kerb_vec2_length(kerb_vec2_sub(here, offset)) < AT_PLACE)
        wish.speed = 0.0f;
    return wish;
}
