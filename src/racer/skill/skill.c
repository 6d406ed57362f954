// Purpose: how a racing driver of lower skill differs from one without errors.
// Idea:    Skill 1 changes nothing. A lower skill, in proportion: plans with less of grip, brakes,
//          engine and top speed; drives a path that wanders beside the planned one; and makes no
//          two laps alike. All variation is a function of seed and place: noise with a knot every
//          few seconds of driving, one part equal in each lap, one part new. So it needs no memory,
//          and copies make equal errors. Mistakes are rare cells of that noise. A driver never
//          plans with more than skill 1 would, except for a mistake, and then by a few percent.
// Cost:    O(1) a frame, for a bin filled, and for each knot; nothing at skill 1.
// Source:  value noise (Perlin's lattice, with values instead of gradients).
#include "skill.h"

#include "../../vehicle/shared.h"

#include <math.h>

// Share that skill 0 leaves unused: of the lateral grip … [1]
#define GRIP_UNUSED 0.24f
// … of the brakes … [1]
#define BRAKES_UNUSED 0.45f
// … of the top speed … [1]
#define TOP_UNUSED 0.1f
// … and of the throttle. [1]
#define THROTTLE_UNUSED 0.22f
// late_braking moves at most this share of what is unused from the brakes to the bends, or back.
// [1]
#define STYLE 0.5f
// Plans change in 1 / PACE_STEPS of the skill: each step makes the driver compute the speeds ahead
// again. [1]
#define PACE_STEPS 64.0f
// Rate at which rubber-banding follows its setting. [1/s]
#define HELP_RATE 0.1f

// Distance between knots of the noise, as a time at top speed. [s]
#define KNOT_TIME 2.0f
// Least distance between them. [m]
#define KNOT_LEAST 40.0f
// Skill 0: greatest error of the path. [m]
#define WANDER_MOST 2.0f
// Skill 0: by how much the use of the grip varies from place to place. [1]
#define GRIP_VARIES 0.16f
// Skill 0: by how much it is lower in a bad lap. [1]
#define FORM_VARIES 0.1f
// Skill 0: distance that it keeps from the edge besides the margin. [m]
#define CARE 0.7f
// A car nearer than this along and across makes it drive its path more exactly. [m]
#define NEAR_ALONG 15.0f
#define NEAR_ASIDE 5.0f
// Time in which that comes and goes. [s]
#define SKILL_NEAR_TIME 0.7f

// Skill 0 and consistency 0: mean distance between mistakes. [m]
#define MISTAKE_EVERY 6000.0f
// How far wide it goes in a mistake. [m]
#define MISTAKE_WIDE 1.2f
// How much too fast it is in a mistake, over its own pace … [1]
#define MISTAKE_FAST 1.12f
// … and how slow it drives after one. [1]
#define MISTAKE_SHOCK 0.9f
// It never plans with more than this share of what skill 1 plans with. [1]
#define MISTAKE_GRIP_MOST 1.02f
// Where the mean curvature is at least this, it goes fully wide. [1/m]
#define MISTAKE_BEND 0.002f
// Number of places for that mean.
#define MISTAKE_LOOKS 8

// Skill 0: reaction time. [s]
#define REACTION 0.5f
// Skill 0: rate of the pedals with smoothness 1 … [1/s]
#define FEET_SLOW 0.8f
// … and with smoothness 0. [1/s]
#define FEET_QUICK 4.0f

// --------------------------------------------------------------------------- how much is lacking

static float lack(const kerb_racer* racer) {
    return 1.0f - racer->settings.skill;
}

// What its pace lacks to that of skill 1; rubber-banding included, in steps. [0 … 1]
static float pace_lack(const kerb_racer* racer) {
    float help = racer->memory.skill.help, skill = racer->settings.skill;
    skill += help > 0.0f ? help * (1.0f - skill) : help * skill;
    return 1.0f - floorf(skill * PACE_STEPS + 0.5f) / PACE_STEPS;
}

float kerb_in_racer_skill_pace(const kerb_racer* racer) {
    return 1.0f - pace_lack(racer);
}

// Share of its errors that differs from lap to lap; the rest differs from driver to driver only.
// [0.2 … 1]
static float moodiness(const kerb_racer* racer) {
    return 1.0f - 0.8f * racer->settings.consistency;
}

float kerb_in_racer_skill_reaction(const kerb_racer* racer) {
    return REACTION * lack(racer);
}

// --------------------------------------------------------------------------- noise

// Independent rows of noise.
enum {
    NOISE_GRIP,
    NOISE_GRIP_HERE,
    NOISE_WAY,
    NOISE_WAY_HERE,
    NOISE_FORM,
    NOISE_MISTAKE,
    NOISE_START
};

// Uniform in [0, 1) for a seed, a row and a place in it: the finalizer of SplitMix64 (Steele, Lea
// and Flood 2014), because numbers are needed in any order.
static float unit_at(const kerb_racer* racer, int32_t row, int64_t place) {
    uint64_t x = (uint64_t)place * 0x9e3779b97f4a7c15u;
    x ^= ((uint64_t)(uint32_t)racer->settings.seed << 8 | (uint64_t)row) * 0xd1342543de82ef95u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (float)((x ^ x >> 31) >> 40) * 0x1p-24f;
}

// A place in the noise: the knot before it, counted over all laps and in this lap; how far it is to
// the next one, [0 … 1); the distance between knots, [m]; and the number of laps since the start.
typedef struct skill_knot {
    int64_t all;
    int32_t here, next;
    float share, spacing, laps;
} skill_knot;

static skill_knot knot_at(const kerb_racer* racer, const kerb_racing_line* line, double at) {
    float length = kerb_max((float)line->length, 1.0f);
    float spacing = kerb_max(racer->memory.car.speed_max * KNOT_TIME, KNOT_LEAST);
    int32_t count = (int32_t)kerb_clamp(length / spacing, 4.0f, 1.0e6f);
    double place = at / (double)length * (double)count, whole = floor(place);
    skill_knot k;
    k.all = (int64_t)whole;
    k.here = (int32_t)(k.all % count);
    k.here += k.here < 0 ? count : 0;
    k.next = k.here + 1 < count ? k.here + 1 : 0;
    k.share = (float)(place - whole);
    k.spacing = length / (float)count;
    k.laps = (float)(at / (double)length);
    return k;
}

// Random numbers of a row at the ends of a cell: two that differ in each lap, two that stay.
static void draw_ends(const kerb_racer* racer, const skill_knot* k, int32_t row, float ends[4]) {
    ends[0] = unit_at(racer, row, k->all);
    ends[1] = unit_at(racer, row, k->all + 1);
    ends[2] = unit_at(racer, row + 1, k->here);
    ends[3] = unit_at(racer, row + 1, k->next);
}

// Smooth noise in [-1, 1] between the ends, mixed by moodiness.
static float noise_at(const kerb_racer* racer, const skill_knot* k, const float ends[4]) {
    float t = kerb_smooth_step(k->share, 0.0f, 1.0f), mood = moodiness(racer);
    float varies = ends[0] + (ends[1] - ends[0]) * t;
    float stays = ends[2] + (ends[3] - ends[2]) * t;
    return 2.0f * (mood * varies + (1.0f - mood) * stays) - 1.0f;
}

// How good its lap is, [0 … 1]; changes slowly from one lap to the next.
static float form_at(const skill_knot* k, const racer_skill_cell* cell) {
    float t = kerb_smooth_step(k->laps - cell->lap, 0.0f, 1.0f);
    return cell->form[0] + (cell->form[1] - cell->form[0]) * t;
}

// --------------------------------------------------------------------------- mistakes

typedef enum mistake {
    MISTAKE_NONE,
    MISTAKE_BRAKES_LATE,
    MISTAKE_MISSES_APEX,
    MISTAKE_EARLY_THROTTLE
} mistake;

// The mistake between the knot `all` and the next one.
static mistake mistake_after(const kerb_racer* racer, const skill_knot* k, int64_t all) {
    float chance = k->spacing / MISTAKE_EVERY * lack(racer) * moodiness(racer);
    float drawn = unit_at(racer, NOISE_MISTAKE, all);
    if (drawn >= chance)
        return MISTAKE_NONE;
    float third = 3.0f * drawn / chance;
    if (third < 1.0f)
        return MISTAKE_BRAKES_LATE;
    return third < 2.0f ? MISTAKE_MISSES_APEX : MISTAKE_EARLY_THROTTLE;
}

// 0 at both ends of a cell and 1 in its middle.
static float bump(float share) {
    float x = share * (1.0f - share);
    return 16.0f * x * x;
}

// Its grip over that of its own pace. Braking late it is too fast in the first half of the cell,
// with early throttle in the second half. In the next cell it drives with care.
static float mistake_grip(const skill_knot* k, const racer_skill_cell* cell) {
    if (cell->now == MISTAKE_BRAKES_LATE)
        return 1.0f + (MISTAKE_FAST - 1.0f) * bump(kerb_min(1.5f * k->share, 1.0f));
    if (cell->now == MISTAKE_EARLY_THROTTLE)
        return 1.0f + (MISTAKE_FAST - 1.0f) * bump(kerb_max(1.5f * k->share - 0.5f, 0.0f));
    return cell->last != MISTAKE_NONE ? 1.0f - (1.0f - MISTAKE_SHOCK) * bump(k->share) : 1.0f;
}

// How sharply the line bends in the cell. One side for the whole cell, so that the path stays
// smooth. [-1 … 1]
static float skill_bend_of(const kerb_racing_line* line, const skill_knot* k) {
    float turn = 0.0f;
    for (int32_t i = 0; i < MISTAKE_LOOKS; i++) {
        float share = ((float)i + 0.5f) / (float)MISTAKE_LOOKS;
        double at = ((double)k->all + (double)share) * (double)k->spacing;
        turn += kerb_racing_line_at(line, at).curvature * bump(share);
    }
    return kerb_clamp(turn / ((float)MISTAKE_LOOKS * MISTAKE_BEND), -1.0f, 1.0f);
}

// Offset to the outside of the bend. [m]
static float mistake_wide(const skill_knot* k, const racer_skill_cell* cell) {
    return cell->now == MISTAKE_NONE ? 0.0f : -MISTAKE_WIDE * bump(k->share) * cell->bend;
}

static void enter_cell(const kerb_racer* racer, const kerb_racing_line* line, const skill_knot* k,
                       racer_skill_cell* cell) {
    float lap = floorf(k->laps);
    if (cell->known && cell->all == k->all && cell->lap == lap)
        return;
    cell->known = true;
    cell->all = k->all;
    cell->lap = lap;
    cell->now = (int32_t)mistake_after(racer, k, k->all);
    cell->last = (int32_t)mistake_after(racer, k, k->all - 1);
    cell->bend = cell->now != MISTAKE_NONE ? skill_bend_of(line, k) : 0.0f;
    draw_ends(racer, k, NOISE_GRIP, cell->grip);
    draw_ends(racer, k, NOISE_WAY, cell->way);
    cell->form[0] = unit_at(racer, NOISE_FORM, (int64_t)lap);
    cell->form[1] = unit_at(racer, NOISE_FORM, (int64_t)lap + 1);
}

bool kerb_in_racer_skill_errs(const kerb_racer* racer, const kerb_racing_line* line, double at) {
    if (lack(racer) <= 0.0f)
        return false;
    skill_knot k = knot_at(racer, line, at);
    return mistake_after(racer, &k, k.all) != MISTAKE_NONE ||
           mistake_after(racer, &k, k.all - 1) != MISTAKE_NONE;
}

// --------------------------------------------------------------------------- plans

// Factor for what is unused: of brakes and of bends, by late_braking; 1 without one.
static float style_share(const kerb_racer* racer, float way) {
    return 1.0f + way * STYLE * (2.0f * racer->settings.late_braking - 1.0f);
}

static float base_grip(const kerb_racer* racer, float missing) {
    if (missing <= 0.0f)
        return 1.0f;
    return 1.0f - GRIP_UNUSED * style_share(racer, 0.4f) * missing;
}

void kerb_in_racer_skill_limit(const kerb_racer* racer, kerb_performance* limits) {
    float missing = pace_lack(racer);
    if (missing <= 0.0f)
        return;
    limits->lateral *= base_grip(racer, missing);
    limits->braking *= 1.0f - BRAKES_UNUSED * style_share(racer, -1.0f) * missing;
    limits->speed_max *= 1.0f - TOP_UNUSED * missing;
}

static float skill_grip_at(const kerb_racer* racer, const skill_knot* k,
                           const racer_skill_cell* cell) {
    float varies = GRIP_VARIES * (0.5f - 0.5f * noise_at(racer, k, cell->grip));
    varies += FORM_VARIES * moodiness(racer) * (1.0f - form_at(k, cell));
    float grip = (1.0f - lack(racer) * varies) * mistake_grip(k, cell);
    return kerb_min(grip, MISTAKE_GRIP_MOST / base_grip(racer, pace_lack(racer)));
}

float kerb_in_racer_skill_spare(const kerb_racer* racer, const racer_frame* frame) {
    float least = 1.0f - lack(racer) * (GRIP_VARIES + FORM_VARIES * moodiness(racer));
    return base_grip(racer, frame->pace_lack) * least;
}

// Limits an offset softly where the clearance is small.
static float skill_within(float wish, float room) {
    float size = kerb_abs(wish);
    room = kerb_max(room, 0.0f);
    return size > 0.0f ? wish * (room / (room + size)) : 0.0f;
}

static float wander_at(const kerb_racer* racer, const kerb_line_point* p, const skill_knot* k,
                       const racer_skill_cell* cell) {
    float wish = WANDER_MOST * lack(racer) * noise_at(racer, k, cell->way);
    wish += mistake_wide(k, cell);
    float keep = racer->settings.margin + 0.5f * racer->vehicle.width + CARE * lack(racer);
    return skill_within(wish, (wish > 0.0f ? p->left : p->right) - keep);
}

void kerb_in_racer_skill_at(const kerb_racer* racer, const kerb_racing_line* line,
                            const kerb_line_point* p, double at, racer_skill_cell* cell,
                            float* grip, float* wander) {
    *grip = 1.0f;
    *wander = 0.0f;
    if (lack(racer) <= 0.0f)
        return;
    skill_knot k = knot_at(racer, line, at);
    enter_cell(racer, line, &k, cell);
    *grip = skill_grip_at(racer, &k, cell);
    *wander = wander_at(racer, p, &k, cell);
}

// --------------------------------------------------------------------------- the frame

static bool skill_is_near(const kerb_racer* racer, const racer_frame* frame,
                          const kerb_surroundings* around) {
    kerb_vec3 left = frame->left;
    float along = NEAR_ALONG + racer->vehicle.length;
    for (int32_t i = 0; i < around->neighbour_count; i++) {
        const kerb_neighbour* other = &around->neighbours[i];
        kerb_vec3 off = kerb_vec3_sub(other->position, frame->motion->position);
        if (!(kerb_abs(kerb_vec3_dot(off, frame->forward)) < along &&
              kerb_abs(kerb_vec3_dot(off, left)) < NEAR_ASIDE) ||
            !kerb_in_neighbour_is_possible(other))
            continue;
        if (around->id == KERB_NO_ID || other->id != around->id)
            return true;
    }
    return false;
}

static float skill_towards(float from, float to, float step) {
    return from + kerb_clamp(to - from, -step, step);
}

// Held at the start, or at standstill where it was put, it needs its reaction time once it may go.
static void wake_up(kerb_racer* racer, racer_frame* frame) {
    bool held = frame->speed_cap <= 0.0f, stands = frame->pace < 0.5f;
    if ((held || racer->memory.line_key[0] == 0.0) && stands) {
        int64_t round = (int64_t)racer->memory.rounds;
        racer->memory.skill.waits =
            kerb_in_racer_skill_reaction(racer) * (0.5f + unit_at(racer, NOISE_START, round));
    }
    if (held || racer->memory.skill.waits <= 0.0f)
        return;
    racer->memory.skill.waits = stands ? racer->memory.skill.waits - frame->time_step : 0.0f;
    frame->speed_cap = 0.0f;
}

void kerb_in_racer_skill_begin(kerb_racer* racer, racer_frame* frame,
                               const kerb_surroundings* surroundings) {
    float dt = frame->time_step;
    racer->memory.skill.help =
        skill_towards(racer->memory.skill.help, racer->settings.pace_help, HELP_RATE * dt);
    frame->pace_lack = pace_lack(racer);
    if (racer->memory.traffic.known_count == 0 || kerb_in_racer_traffic_looks(racer, frame))
        racer->memory.skill.is_near =
            surroundings != NULL && skill_is_near(racer, frame, surroundings);
    racer->memory.skill.near = skill_towards(
        racer->memory.skill.near, racer->memory.skill.is_near ? 1.0f : 0.0f, dt / SKILL_NEAR_TIME);
    if (lack(racer) > 0.0f)
        wake_up(racer, frame);
    else
        racer->memory.skill.waits = 0.0f;
}

// Pedals go down at a limited rate, the brake three times as fast as the throttle, and up at once.
void kerb_in_racer_skill_pedals(kerb_racer* racer, const racer_frame* frame,
                                kerb_controls* controls) {
    float missing = frame->pace_lack, errs = lack(racer);
    if (missing <= 0.0f && errs <= 0.0f)
        return;
    controls->throttle = kerb_min(controls->throttle, 1.0f - THROTTLE_UNUSED * missing);
    if (errs <= 0.0f || controls->reason == KERB_REASON_ARRIVED)
        return;
    float slow = FEET_QUICK + (FEET_SLOW - FEET_QUICK) * racer->settings.smoothness;
    float rate = slow / kerb_max(errs, 0.02f) * frame->time_step;
    controls->throttle = kerb_min(controls->throttle, racer->memory.skill.throttle + rate);
    controls->brake = kerb_min(controls->brake, racer->memory.skill.brake + 3.0f * rate);
    racer->memory.skill.throttle = controls->throttle;
    racer->memory.skill.brake = controls->brake;
}

// --------------------------------------------------------------------------- people

float kerb_racer_pace_help(float gap, float range, float help_max) {
    float share = range > 0.0f ? gap / range : 0.0f;
    return -kerb_clamp(help_max, 0.0f, 1.0f) * kerb_clamp(share, -1.0f, 1.0f);
}

// The mean of three uniform numbers: most are near the middle.
static float trait(kerb_random* random) {
    float sum = 0.0f;
    for (int32_t i = 0; i < 3; i++)
        sum += kerb_random_unit(random);
    return sum * (1.0f / 3.0f);
}

kerb_racer_settings kerb_racer_settings_of_seed(uint32_t seed, float skill) {
    kerb_racer_settings settings = kerb_racer_settings_default();
    kerb_random random = kerb_random_make(seed, 0x7065727365u);
    settings.skill = kerb_clamp(skill, 0.0f, 1.0f);
    settings.seed = (int32_t)(seed & 0xffffffu);
    settings.aggression = trait(&random);
    settings.consistency = trait(&random);
    settings.late_braking = trait(&random);
    settings.smoothness = trait(&random);
    return settings;
}
