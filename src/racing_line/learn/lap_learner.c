// Purpose: a lap learner as an object: made, saved, reset, and asked for a performance and a lap.
// Cost:    O(memory); a promise O(points of the line).
#include "lap_learner_parts.h"

#include "../../base/shared.h"
#include "../../vehicle/shared.h"

#include <string.h>

// A section is not believed to be faster or slower than promised by more than this factor: it was
// driven in trouble. [1]
#define LAP_PACE_LEAST 0.4f
#define LAP_PACE_MOST 1.25f

void kerb_lap_learner_init(kerb_lap_learner* learner, const kerb_vehicle* vehicle,
                           const kerb_performance* performance) {
    KERB_ASSERT(learner && vehicle && performance);
    const kerb_vehicle own = *vehicle; // which may lie in the learner
    const kerb_performance described = *performance;
    memset(learner, 0, sizeof *learner);
    learner->vehicle = own;
    learner->described = described;
    learner->memory.section = -1;
    kerb_in_lap_tyres_begin(learner);
    kerb_in_lap_pedals_begin(learner);
    kerb_in_lap_show(learner);
}

kerb_lap_learner kerb_lap_learner_make(const kerb_vehicle* vehicle,
                                       const kerb_performance* performance) {
    kerb_lap_learner learner;
    kerb_lap_learner_init(&learner, vehicle, performance);
    return learner;
}

size_t kerb_lap_learner_bytes(void) {
    _Static_assert(_Alignof(kerb_lap_learner) <= KERB_IN_SAVED_ALIGNMENT, "as hosts are promised");
    return sizeof(kerb_lap_learner);
}

size_t kerb_lap_learner_save(const kerb_lap_learner* learner, void* block, size_t capacity) {
    return kerb_in_save("kerb_lap_learner", learner, sizeof *learner, block, capacity);
}

kerb_result kerb_lap_learner_load(kerb_lap_learner* learner, const void* block, size_t size,
                                  kerb_error* error) {
    return kerb_in_load("kerb_lap_learner", learner, sizeof *learner, block, size, error);
}

void kerb_lap_learner_reset(kerb_lap_learner* learner) {
    KERB_ASSERT(learner);
    kerb_lap_learner_init(learner, &learner->vehicle, &learner->described);
}

void kerb_lap_learner_shift_origin(kerb_lap_learner* learner, kerb_vec3 new_origin) {
    KERB_ASSERT(learner && kerb_vec3_is_finite(new_origin));
    kerb_in_motion_shift_origin(&learner->memory.last, new_origin);
}

// Shortest section. [m]
#define LAP_SECTION 40.0f

int32_t kerb_in_lap_sections_of(const kerb_racing_line* line) {
    return (int32_t)kerb_clamp((float)line->length / LAP_SECTION, 1.0f,
                               (float)KERB_LAP_LEARNER_SECTIONS);
}

int32_t kerb_in_lap_section_at(const kerb_racing_line* line, double distance) {
    int32_t count = kerb_in_lap_sections_of(line);
    float at = (float)(distance / line->length) * (float)count;
    return (int32_t)kerb_clamp(at, 0.0f, (float)(count - 1));
}

// --------------------------------------------------------------------------- asked

static kerb_estimated lap_value(float value, float deviation) {
    return (kerb_estimated){value, deviation, deviation < LAP_KNOWN * value};
}

// The mean over the table by how sure each entry is.
static kerb_estimated lap_power(const kerb_lap_learner_memory* m) {
    float sum = 0.0f, weight = 0.0f, least = m->drive_variance[0];
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++) {
        float sure = 1.0f / kerb_max(m->drive_variance[i], 1.0e-6f);
        sum += sure * m->drive[i];
        weight += sure;
        least = kerb_min(least, m->drive_variance[i]);
    }
    return lap_value(sum / weight, kerb_sqrt(kerb_max(least, 0.0f)));
}

void kerb_in_lap_show(kerb_lap_learner* learner) {
    const kerb_lap_learner_memory* m = &learner->memory;
    learner->grip_ratio = lap_value(m->grip, kerb_in_lap_grip_deviation(learner));
    float tyres = m->grip * m->brake_grip;
    float brakes = kerb_in_lap_brakes_most(learner) / kerb_max(learner->described.braking, 0.001f);
    learner->braking_ratio =
        lap_value(kerb_min(tyres, brakes), kerb_in_lap_braking_deviation(learner));
    learner->power_ratio = lap_power(m);
}

kerb_performance kerb_lap_learner_performance(const kerb_lap_learner* learner, float caution) {
    KERB_ASSERT(learner);
    caution = kerb_clamp(caution, 0.0f, 3.0f);
    kerb_performance p = learner->described;
    float grip = kerb_max(kerb_in_lap_careful_grip(learner, caution), 0.2f);
    p.lateral = kerb_max(p.lateral * grip, 0.001f);
    p.accelerating *= grip;
    p.braking *= grip * learner->memory.brake_grip;
    p.braking = kerb_min(p.braking, kerb_in_lap_brakes_most(learner));
    p.downforce = learner->memory.downforce;
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        p.drive[i] *= learner->memory.drive[i];
    return p;
}

// Time of the profile through the points of one section.
static double lap_section_time(const kerb_racing_line* line, const kerb_profile_point* points,
                               const float* speed, int32_t from, int32_t to) {
    double time = 0.0;
    for (int32_t i = from; i < to; i++) {
        int32_t next = i + 1 < line->count ? i + 1 : line->closed ? 0 : i;
        float mean = 0.5f * (speed[i] + speed[next]);
        time += (double)(points[i].length / kerb_max(mean, 0.01f));
    }
    return time;
}

// The speeds of a section become those that it was driven with. Returns its time.
static double lap_take_section(const kerb_lap_learner* learner, const kerb_racing_line* line,
                               const kerb_profile_point* points, float* speed, int32_t from,
                               int32_t to, int32_t section) {
    double promised = lap_section_time(line, points, speed, from, to);
    float driven = learner->memory.times[section];
    int32_t count = kerb_in_lap_sections_of(line);
    // The points of a section are not quite its length.
    double length = line->length / (double)count, covers = 0.0;
    for (int32_t i = from; i < to; i++)
        covers += (double)points[i].length;
    if (!(driven > 0.0f) || promised <= 0.0 || covers <= 0.0)
        return promised;
    float pace = (float)(promised / covers * length) / driven;
    pace = kerb_clamp(pace, LAP_PACE_LEAST, LAP_PACE_MOST);
    for (int32_t i = from; i < to; i++)
        speed[i] *= pace;
    return promised / (double)pace;
}

double kerb_lap_learner_promise(const kerb_lap_learner* learner, const kerb_racing_line* line,
                                kerb_profile_point* points, float* speed) {
    KERB_ASSERT(learner && line && line->count > 1 && points && speed);
    kerb_performance p = kerb_lap_learner_performance(learner, 0.0f);
    int32_t count = line->count, pieces = line->closed ? count : count - 1;
    float step = (float)(line->length / (double)pieces);
    for (int32_t i = 0; i < count; i++) {
        const kerb_line_point* q = &line->points[i];
        points[i] = (kerb_profile_point){step,          q->curvature,        q->normal_curvature,
                                         q->up_forward, q->up_left,          q->up_normal,
                                         q->grip,       KERB_SPEED_UNLIMITED};
    }
    double time = kerb_speed_profile(&p, points, count, line->closed, KERB_SPEED_UNLIMITED,
                                     KERB_SPEED_UNLIMITED, speed);
    const kerb_lap_learner_memory* m = &learner->memory;
    if (m->length != line->length || m->points != line->count)
        return time;
    time = 0.0;
    for (int32_t from = 0; from < pieces;) {
        int32_t section = kerb_in_lap_section_at(line, (double)from * (double)step), to = from + 1;
        while (to < pieces && kerb_in_lap_section_at(line, (double)to * (double)step) == section)
            to++;
        time += lap_take_section(learner, line, points, speed, from, to, section);
        from = to;
    }
    return time;
}
