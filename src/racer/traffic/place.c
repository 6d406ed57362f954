// Purpose: which other cars matter to a racing driver, and where they are on its line.
// Idea:    A car is looked for on the line where it was expected since the last frame, or, when
//          new, straight ahead of the racer. From there its foot is found in some steps on the
//          line's points. A car beside the track there is on another part of it and does not
//          matter. Values that need time to measure, its acceleration and its pace, are stored by
//          its id.
// Cost:    O(1) for each car that is near; far cars that cannot matter are skipped at once.
// Source:  Vamos 6.
#include "../../vehicle/shared.h"
#include "../skill/skill.h"
#include "traffic.h"

#include <math.h>

// Cars farther ahead than this time at the racer's speed, and than this distance, do not matter;
// nor do cars farther behind. [s], [m], [m]
#define SIGHT_TIME 4.0f
#define SIGHT_LEAST 60.0f
#define SIGHT_BEHIND 60.0f
// A car that is straight behind by this many times SIGHT_BEHIND is farther than that along any
// bend. [1]
#define STRAIGHT_BEHIND 1.5f
// A car behind does not matter beyond this distance plus what it closes in this time, unless a car
// asks to pass or comes to lap; a racer that defends looks back over a time, too. [m], [s], [s]
#define IDLE_BEHIND 20.0f
#define IDLE_TIME 2.0f
#define IDLE_DEFENDS_TIME 1.0f
// A car ahead does not matter that is faster than an obstacle by this, and farther than the racer
// could reach by a distance, and a time for the cars ahead of it in a queue. [m/s], [m], [s]
#define IDLE_GOES_ON 2.0f
#define IDLE_AHEAD 15.0f
#define IDLE_QUEUE 0.5f
// Cars nearer than this time and distance are located in every look. [s], [m]
#define PLACE_NEAR_TIME 1.0f
#define NEAR_LEAST 30.0f
// Farther beside the track, or above it, a car is on another road. [m]
#define BESIDE_TRACK 6.0f
#define PLACE_STOREY 3.0f
// Greatest number of steps to the foot, and greatest length of each. [1], [m]
#define FOOT_STEPS 12
#define FOOT_STEP_MOST 20.0f
// Averaging times of acceleration and pace. [s]
#define ACCELERATION_TIME 0.25f
#define PACE_TIME 3.0f
// Pace of a car that is new. [1]
#define PACE_AT_FIRST 0.99f
// Asked to let a car pass, it does if that car's skill is higher by this. [1]
#define PLACE_BETTER 0.01f
// A footprint this far askew still counts as straight: all cars slip a little in bends. [rad]
#define ASKEW 0.08f
// Cosine of the angle from its motion at which a car slides, and at which it spins; below this
// speed it turns no farther. [1], [m/s]
#define SLIDES 0.9f
#define SPINS 0.8f
#define SPINS_SPEED 1.0f

// Value of `side` in the memory: the racer falls back behind it.
#define DROPS 2

// --------------------------------------------------------------------------- the foot

// A line, prepared for finding feet on it.
typedef struct line_steps {
    const kerb_racing_line* line;
    double step, per_step; // from point to point, and its inverse [m], [1/m]
} line_steps;

static line_steps steps_of(const kerb_racing_line* line) {
    double count = (double)(line->closed ? line->count : line->count - 1);
    return (line_steps){line, line->length / count, count / line->length};
}

typedef struct line_place {
    int32_t point; // index of the point at or before it
    double at;     // station, in [0, length) on a closed line [m]
} line_place;

static line_place place_held(const line_steps* steps, double at) {
    const kerb_racing_line* line = steps->line;
    if (line->closed && !(at >= 0.0 && at < line->length)) {
        at -= line->length * floor(at / line->length);
        at = at < line->length ? at : 0.0;
    }
    double index = at * steps->per_step;
    int32_t most = line->closed ? line->count - 1 : line->count - 2;
    int32_t point = index < (double)most ? (index > 0.0 ? (int32_t)index : 0) : most;
    return (line_place){point, at};
}

// The foot as seen from one point; returns how far ahead of `from` it is. [m]
static float foot_from(const kerb_racing_line* line, line_place from, kerb_vec3 position,
                       traffic_foot* foot) {
    const kerb_line_point* p = &line->points[from.point];
    const kerb_line_point* q = &line->points[from.point + 1 < line->count ? from.point + 1 : 0];
    float x = (float)(q->x - p->x), y = (float)(q->y - p->y);
    float length = kerb_max(kerb_sqrt(x * x + y * y), 0.01f), per_length = 1.0f / length;
    kerb_vec2 t = {x * per_length, y * per_length};
    float rx = (float)((double)position.x - p->x), ry = (float)((double)position.y - p->y);
    float forward = rx * t.x + ry * t.y, aside = ry * t.x - rx * t.y;
    // The chord lies on the inside of the bend.
    float share = kerb_clamp(forward * per_length, 0.0f, 1.0f);
    float sagitta = 0.5f * p->curvature * length * length * share * (1.0f - share);
    *foot = (traffic_foot){0.0f, aside + sagitta, t, p->curvature, p->left, p->right, p->z};
    float pace = kerb_clamp(1.0f - aside * p->curvature, 0.3f, 3.0f);
    return forward / pace - (float)(from.at - p->distance);
}

static bool find_foot(const line_steps* steps, double near_to, kerb_vec3 position,
                      traffic_foot* foot) {
    float along = 0.0f, move = 0.0f, step = (float)steps->step;
    for (int32_t round = 0; round < FOOT_STEPS; round++) {
        line_place from = place_held(steps, near_to + (double)along);
        move = foot_from(steps->line, from, position, foot);
        move = kerb_clamp(move, -FOOT_STEP_MOST, FOOT_STEP_MOST);
        along += move;
        if (kerb_abs(move) < 0.7f * step)
            break;
    }
    foot->along = along;
    return kerb_abs(move) < 2.0f * step + 1.0f;
}

bool kerb_in_traffic_foot_of(const kerb_racing_line* line, double near_to, kerb_vec3 position,
                             traffic_foot* foot) {
    line_steps steps = steps_of(line);
    return find_foot(&steps, near_to, position, foot);
}

// --------------------------------------------------------------------------- one neighbour

// Hosts give most cars at the same index of their list as in the last frame.
#define HINTS ((int32_t)sizeof(((kerb_racer*)NULL)->memory.traffic.hints))

static int32_t known_index(const kerb_racer* racer, uint32_t id, int32_t told) {
    int32_t count = racer->memory.traffic.known_count,
            guess = racer->memory.traffic.hints[told % HINTS];
    if (guess < count && racer->memory.traffic.known[guess].id == id)
        return guess;
    for (int32_t i = 0; i < count; i++)
        if (racer->memory.traffic.known[i].id == id)
            return i;
    return -1;
}

// How far it spins while it slides on. [0 … 1]
static float place_spins(const kerb_neighbour* n) {
    float square = n->velocity.x * n->velocity.x + n->velocity.y * n->velocity.y;
    float on = n->velocity.x * n->forward.x + n->velocity.y * n->forward.y;
    bool straight = on > 0.0f && on * on >= SLIDES * SLIDES * square; // most do
    if (straight || square < SPINS_SPEED * SPINS_SPEED)
        return 0.0f;
    return 1.0f - kerb_smooth_step(on / kerb_sqrt(square), SPINS, SLIDES);
}

// Footprint along and across the line. A car that spins will lie across the line at some time.
static void lay_footprint(const kerb_neighbour* n, const traffic_foot* foot, traffic_other* o) {
    float c = kerb_abs(n->forward.x * foot->direction.x + n->forward.y * foot->direction.y);
    float s = kerb_abs(n->forward.y * foot->direction.x - n->forward.x * foot->direction.y);
    s = kerb_max(s - ASKEW, 0.0f);
    o->half_length = 0.5f * (c * n->length + s * n->width);
    o->half_width = 0.5f * (n->width + s * (n->length - n->width));
    float round = place_spins(n);
    if (round <= 0.0f)
        return;
    float diagonal = 0.5f * kerb_sqrt(n->length * n->length + n->width * n->width);
    o->half_length += round * (diagonal - o->half_length);
    o->half_width += round * (diagonal - o->half_width);
}

// The hardest braking of the racer itself at a speed, straight on. [m/s²]
static float full_brakes(const kerb_racer* racer, const racer_frame* frame, float speed) {
    const kerb_performance* p = &racer->memory.car;
    float square = speed * speed, load = 1.0f + p->downforce * square / KERB_GRAVITY;
    return kerb_max(p->braking * frame->grip * frame->here.grip * load + p->drag * square, 1.0f);
}

// Averages what its motion says.
static void remember_motion(const kerb_racer* racer, const racer_frame* frame, int32_t known,
                            traffic_other* o) {
    o->acceleration = 0.0f;
    o->pace = PACE_AT_FIRST;
    o->side = 0;
    o->drops = false;
    o->brakes = 0.0f;
    o->laps_it = false;
    o->known = known;
    float passed = frame->time_step; // since it was seen last
    if (known >= 0) {
        passed = racer->memory.traffic.known[known].age;
        float share = passed / (ACCELERATION_TIME + passed);
        float now = (o->speed - racer->memory.traffic.known[known].speed) / passed;
        o->acceleration = racer->memory.traffic.known[known].acceleration;
        o->acceleration += share * (kerb_clamp(now, -40.0f, 40.0f) - o->acceleration);
        o->pace = racer->memory.traffic.known[known].pace;
        int32_t side = racer->memory.traffic.known[known].side;
        o->drops = side == DROPS;
        o->side = o->drops ? 0 : side;
        o->brakes = racer->memory.traffic.known[known].brakes;
    }
    if (o->acceleration < 0.0f)
        o->brakes = kerb_max(o->brakes, -o->acceleration / full_brakes(racer, frame, o->speed));
    if (o->speed < 3.0f || o->acceleration > 2.0f)
        return;
    // Only where the line ahead gets no faster: there a lower speed means a lower pace.
    racer_spot here = racer_spot_at(racer, frame->total + (double)o->ahead);
    float gains = racer->memory.ahead.squared[here.b] - racer->memory.ahead.squared[here.a];
    if (!(gains <= 0.6f * racer->memory.ahead.spacing))
        return;
    float planned = kerb_sqrt(racer_row_at(racer->memory.ahead.free_squared, here));
    if (!(planned < 0.97f * frame->limits.speed_max))
        return;
    float pace = kerb_clamp(o->speed / kerb_max(planned, 1.0f), 0.3f, 1.2f);
    o->pace += (pace - o->pace) * passed / (PACE_TIME + passed);
}

static bool place_other(const kerb_racer* racer, const racer_frame* frame, const line_steps* steps,
                        const kerb_neighbour* n, int32_t known, float straight,
                        const traffic_view* view, traffic_other* o) {
    float guess = known >= 0 ? racer->memory.traffic.known[known].ahead + view->middle : straight;
    traffic_foot foot;
    if (!find_foot(steps, racer->memory.distance + (double)guess, n->position, &foot))
        return false;
    float height = kerb_abs((float)((double)n->position.z - foot.height));
    if (foot.offset > foot.left + BESIDE_TRACK || -foot.offset > foot.right + BESIDE_TRACK ||
        height > PLACE_STOREY)
        return false;
    o->seen = n;
    o->id = n->id;
    o->ahead = guess + foot.along - view->middle;
    o->offset = foot.offset;
    float pace = kerb_clamp(1.0f - foot.offset * foot.curvature, 0.3f, 3.0f);
    // On the outside of a bend the distance is longer: speeds are scaled to the racer's path.
    float bend = 0.5f * (foot.curvature + frame->here.curvature);
    o->scale = kerb_clamp(1.0f - bend * view->offset, 0.3f, 3.0f);
    o->speed = (n->velocity.x * foot.direction.x + n->velocity.y * foot.direction.y) / pace;
    o->speed *= o->scale;
    o->drift = n->velocity.y * foot.direction.x - n->velocity.x * foot.direction.y;
    o->catch = o->clear = 1.0e6f;
    o->catch_at = 0.0f;
    o->clear_at = 1.0e6f;
    lay_footprint(n, &foot, o);
    remember_motion(racer, frame, known, o);
    return true;
}

// --------------------------------------------------------------------------- all of them

// With too many cars: the index of the farthest one placed; -1: `o` is the farthest.
static int32_t farther_than(const traffic_other* placed, const traffic_other* o) {
    int32_t farthest = -1;
    float far = kerb_abs(o->ahead);
    for (int32_t i = 0; i < TRAFFIC_MOST; i++) {
        if (kerb_abs(placed[i].ahead) <= far)
            continue;
        far = kerb_abs(placed[i].ahead);
        farthest = i;
    }
    return farthest;
}

// Indices of the cars placed: as they were in order last, then the new ones.
static void put_as_known(const traffic_other* placed, int32_t count, int32_t* order) {
    int32_t at[TRAFFIC_MOST], known = 0, put = 0;
    for (int32_t k = 0; k < TRAFFIC_MOST; k++)
        at[k] = -1;
    for (int32_t i = 0; i < count; i++)
        if (placed[i].known >= 0 && at[placed[i].known] < 0) {
            at[placed[i].known] = i;
            known = placed[i].known >= known ? placed[i].known + 1 : known;
        }
    for (int32_t k = 0; k < known; k++)
        if (at[k] >= 0)
            order[put++] = at[k];
    for (int32_t i = 0; i < count; i++) // or listed twice
        if (placed[i].known < 0 || at[placed[i].known] != i)
            order[put++] = i;
}

// Orders them from the rearmost: indices first, because the structs are large.
static void put_in_order(const traffic_other* placed, int32_t count, traffic_view* view) {
    int32_t order[TRAFFIC_MOST];
    put_as_known(placed, count, order);
    for (int32_t i = 1; i < count; i++) {
        int32_t k = i, one = order[i];
        float ahead = placed[one].ahead;
        for (; k > 0 && placed[order[k - 1]].ahead > ahead; k--)
            order[k] = order[k - 1];
        order[k] = one;
    }
    for (int32_t i = 0; i < count; i++)
        view->others[i] = placed[order[i]];
    view->count = count;
}

static void look_at_self(const kerb_racer* racer, const racer_frame* frame, traffic_view* view) {
    const kerb_vehicle* v = &racer->vehicle;
    view->count = 0;
    view->half_length = 0.5f * v->length;
    view->half_width = 0.5f * v->width;
    view->middle = v->reference_to_front - 0.5f * v->length;
    float away = kerb_sin(kerb_clamp(frame->heading, -1.5f, 1.5f));
    view->half_width += kerb_max(kerb_abs(away) - ASKEW, 0.0f) * 0.5f * (v->length - v->width);
    view->offset = frame->offset + view->middle * away;
    view->drift = frame->pace * frame->course_sine;
}

float kerb_in_traffic_near(const racer_frame* frame) {
    return kerb_max(PLACE_NEAR_TIME * frame->pace, NEAR_LEAST);
}

// True: the car is far behind, or far ahead and goes on, so that it changes no decision and need
// not be located. By the straight distance: a car that comes towards the racer, or is round the
// next bend, is located.
static bool is_idle(const kerb_racer* racer, const racer_frame* frame, const kerb_neighbour* n,
                    float straight) {
    kerb_vec3 on = frame->line_along;
    float along = frame->along, speed = n->velocity.x * on.x + n->velocity.y * on.y;
    if (straight > 0.0f)
        return speed > TRAFFIC_OBSTACLE * along + IDLE_GOES_ON &&
               straight > traffic_reach(along, along - speed) + IDLE_AHEAD + IDLE_QUEUE * along;
    float behind = IDLE_BEHIND + IDLE_TIME * kerb_max(speed - along, 0.0f);
    if (kerb_in_traffic_aggression(racer) > TRAFFIC_DEFENDS_FROM)
        behind = kerb_max(behind, IDLE_DEFENDS_TIME * along);
    return straight < -behind;
}

// True: some car would be let past if it came from behind. Then the cars in between matter, too.
static bool is_wanted(const kerb_surroundings* around, float better) {
    bool wanted = false;
    for (int32_t i = 0; i < around->neighbour_count; i++) {
        const kerb_neighbour* n = &around->neighbours[i];
        wanted |= (n->laps > around->laps) | (n->overtake_request > better);
    }
    return wanted;
}

// Between two decisions only cars matter that it may have to brake for: near, and not behind.
void kerb_in_traffic_look(kerb_racer* racer, const racer_frame* frame, bool far_too,
                          traffic_view* view) {
    const kerb_surroundings* around = view->around;
    look_at_self(racer, frame, view);
    traffic_other placed[TRAFFIC_MOST], one;
    int32_t count = 0;
    line_steps steps = steps_of(frame->line);
    kerb_vec3 on = frame->line_along; // all but level
    float better = kerb_max(1.0f - frame->pace_lack, 0.0f) + PLACE_BETTER;
    bool wanted = far_too && is_wanted(around, better);
    float far =
        far_too ? kerb_max(SIGHT_TIME * frame->pace, SIGHT_LEAST) : kerb_in_traffic_near(frame);
    float square = far * far;
    float least = far_too ? -STRAIGHT_BEHIND * SIGHT_BEHIND : 0.0f;
    for (int32_t i = 0; i < around->neighbour_count; i++) {
        const kerb_neighbour* n = &around->neighbours[i];
        float x = n->position.x - frame->motion->position.x;
        float y = n->position.y - frame->motion->position.y;
        float straight = x * on.x + y * on.y;
        // Also skips what is not finite. Most cars are skipped by the first condition.
        if (!(straight >= least))
            continue;
        if (!(x * x + y * y < square) || !kerb_in_neighbour_is_possible(n) ||
            (n->id == around->id && around->id != KERB_NO_ID))
            continue;
        if (!(wanted && straight < 0.0f) && is_idle(racer, frame, n, straight))
            continue;
        traffic_other* o = count < TRAFFIC_MOST ? &placed[count] : &one;
        int32_t known = known_index(racer, n->id, i);
        if (!place_other(racer, frame, &steps, n, known, straight, view, o) ||
            o->ahead < -SIGHT_BEHIND)
            continue;
        o->laps_it = n->laps > around->laps && o->ahead < 0.0f;
        o->asks = o->ahead < 0.0f && n->overtake_request > better;
        int32_t instead = count < TRAFFIC_MOST ? count++ : farther_than(placed, o);
        if (o == &one && instead >= 0)
            placed[instead] = one;
    }
    put_in_order(placed, count, view);
}

static void remember_plans(kerb_racer* racer, const traffic_other* o, int32_t index) {
    racer->memory.traffic.known[index].catch_in = o->catch;
    racer->memory.traffic.known[index].clear_in = o->clear;
    racer->memory.traffic.known[index].catch_at = o->catch_at;
    racer->memory.traffic.known[index].clear_at = o->clear_at;
}

static void place_remember(kerb_racer* racer, const traffic_other* o, int32_t index) {
    racer->memory.traffic.known[index].id = o->id;
    racer->memory.traffic.known[index].age = 0.0f;
    racer->memory.traffic.known[index].ahead = o->ahead;
    racer->memory.traffic.known[index].speed = o->speed;
    racer->memory.traffic.known[index].acceleration = o->acceleration;
    racer->memory.traffic.known[index].pace = o->pace;
    racer->memory.traffic.known[index].brakes = o->brakes;
    racer->memory.traffic.known[index].offset = o->offset;
    racer->memory.traffic.known[index].drift = o->drift;
    racer->memory.traffic.known[index].scale = o->scale;
    racer->memory.traffic.known[index].half_length = o->half_length;
    racer->memory.traffic.known[index].half_width = o->half_width;
    racer->memory.traffic.known[index].side = o->drops ? DROPS : o->side;
}

void kerb_in_traffic_remember(kerb_racer* racer, const traffic_view* view, bool all) {
    if (all)
        racer->memory.traffic.known_count = view->count;
    for (int32_t i = 0; i < view->count; i++) {
        int32_t index = all ? i : view->others[i].known;
        if (index < 0)
            continue;
        place_remember(racer, &view->others[i], index);
        if (all)
            remember_plans(racer, &view->others[i], index);
        int64_t told = view->others[i].seen - view->around->neighbours;
        racer->memory.traffic.hints[told % HINTS] = (uint8_t)index;
    }
}

// --------------------------------------------------------------------------- a frame later

// What the cars do beyond that within some frames is less than a hand's breadth. The times until
// they are reached stay: they are whole steps, and a frame less would look like a step less.
void kerb_in_traffic_move_on(kerb_racer* racer, const racer_frame* frame) {
    float passed = frame->time_step;
    float pace = kerb_clamp(1.0f - frame->here.curvature * frame->offset, 0.3f, 3.0f);
    float driven = frame->along / pace * passed;
    for (int32_t k = 0; k < racer->memory.traffic.known_count; k++) {
        float goes = racer->memory.traffic.known[k].speed / racer->memory.traffic.known[k].scale;
        bool reached = racer->memory.traffic.known[k].catch_in < 1.0e5f;
        bool cleared = racer->memory.traffic.known[k].clear_in < 1.0e5f;
        racer->memory.traffic.known[k].age += passed;
        racer->memory.traffic.known[k].ahead += goes * passed - driven;
        racer->memory.traffic.known[k].offset += racer->memory.traffic.known[k].drift * passed;
        racer->memory.traffic.known[k].catch_at -= reached ? driven : 0.0f;
        racer->memory.traffic.known[k].clear_at -= cleared ? driven : 0.0f;
    }
}

static void recall(const kerb_racer* racer, int32_t index, traffic_other* o) {
    int32_t side = racer->memory.traffic.known[index].side;
    *o = (traffic_other){
        .id = racer->memory.traffic.known[index].id,
        .known = index,
        .ahead = racer->memory.traffic.known[index].ahead,
        .offset = racer->memory.traffic.known[index].offset,
        .scale = racer->memory.traffic.known[index].scale,
        .speed = racer->memory.traffic.known[index].speed,
        .drift = racer->memory.traffic.known[index].drift,
        .acceleration = racer->memory.traffic.known[index].acceleration,
        .pace = racer->memory.traffic.known[index].pace,
        .brakes = racer->memory.traffic.known[index].brakes,
        .half_length = racer->memory.traffic.known[index].half_length,
        .half_width = racer->memory.traffic.known[index].half_width,
        .side = side == DROPS ? 0 : side,
        .drops = side == DROPS,
        .catch = racer->memory.traffic.known[index].catch_in,
        .clear = racer->memory.traffic.known[index].clear_in,
        .catch_at = racer->memory.traffic.known[index].catch_at,
        .clear_at = racer->memory.traffic.known[index].clear_at,
    };
}

void kerb_in_traffic_recall(const kerb_racer* racer, const racer_frame* frame, float least,
                            float most, traffic_view* view) {
    look_at_self(racer, frame, view);
    for (int32_t k = 0; k < racer->memory.traffic.known_count; k++) {
        float ahead = racer->memory.traffic.known[k].ahead;
        if (ahead >= least && ahead <= most)
            recall(racer, k, &view->others[view->count++]);
    }
}

void kerb_in_traffic_note_sides(kerb_racer* racer, const traffic_view* all) {
    for (int32_t i = 0; i < all->count; i++) {
        const traffic_other* o = &all->others[i];
        racer->memory.traffic.known[o->known].side = o->drops ? DROPS : o->side;
    }
}
