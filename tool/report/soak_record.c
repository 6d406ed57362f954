// Frames are stored as those of a trial, one recording for each vehicle, so that trace and page
// read them without new code.
#include "tool/report/soak_record.h"

#include "tool/command/file.h"
#include "tool/page/replay_page.h"
#include "tool/picture/soak_picture.h"
#include "tool/report/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_MARKS 256

static void describe(tool_soak_record* record, const kerb_scene_soak* soak) {
    snprintf(record->course.name, sizeof record->course.name, "town");
    snprintf(record->course.about, sizeof record->course.about, "%d vehicles, seed %llu",
             (int)soak->vehicle_count, (unsigned long long)soak->seed);
    record->course.world = soak->town->world;
    record->course.speed = soak->settings.speed;
}

tool_soak_record tool_soak_record_make(const kerb_scene_soak* soak) {
    tool_soak_record record;
    memset(&record, 0, sizeof record);
    describe(&record, soak);
    double every = (double)soak->drive_hz / TOOL_SOAK_RECORD_HZ;
    record.every = every > 1.0 ? (int32_t)(every + 0.5) : 1;
    record.recordings = calloc((size_t)soak->vehicle_count, sizeof *record.recordings);
    record.out_of_memory = record.recordings == NULL;
    record.count = record.recordings != NULL ? soak->vehicle_count : 0;
    for (int32_t i = 0; i < record.count; i++) {
        tool_recording* r = &record.recordings[i];
        const kerb_sim_model* model = &soak->models[i % soak->model_count];
        r->vehicle = model->vehicle;
        r->settings = soak->settings;
        snprintf(r->vehicle_name, sizeof r->vehicle_name, "%s %d", model->name, (int)i + 1);
    }
    return record;
}

void tool_soak_record_frames(tool_soak_record* record, const kerb_scene_frame* frames,
                             int32_t count) {
    bool kept = record->frames++ % record->every == 0;
    for (int32_t i = 0; i < count && i < record->count; i++) {
        tool_recording* r = &record->recordings[i];
        if (kept)
            tool_recording_watch(r, &frames[i]);
        record->out_of_memory = record->out_of_memory || r->out_of_memory;
    }
}

void tool_soak_record_mark(tool_soak_record* record, const soak_mark* mark) {
    if (record->mark_count == record->mark_capacity) {
        int32_t capacity = record->mark_capacity > 0 ? 2 * record->mark_capacity : FIRST_MARKS;
        soak_mark* marks = realloc(record->marks, (size_t)capacity * sizeof *marks);
        if (!marks) {
            record->out_of_memory = true;
            return;
        }
        record->marks = marks;
        record->mark_capacity = capacity;
    }
    record->marks[record->mark_count++] = *mark;
}

void tool_soak_record_free(tool_soak_record* record) {
    for (int32_t i = 0; i < record->count; i++)
        tool_recording_free(&record->recordings[i]);
    free(record->recordings);
    free(record->marks);
    memset(record, 0, sizeof *record);
}

typedef struct soak_record_page {
    const tool_soak* soak;
    const tool_soak_record* record;
} soak_record_page;

static bool soak_record_print_page(FILE* out, const void* context) {
    const soak_record_page* p = context;
    const tool_recording** all = malloc((size_t)p->record->count * sizeof(const tool_recording*));
    if (!all)
        return false;
    for (int32_t i = 0; i < p->record->count; i++)
        all[i] = &p->record->recordings[i];
    bool written = tool_replay_page_write_town(out, "kerb follow --soak", all, p->record->count,
                                               p->soak->town);
    free(all);
    return written;
}

// What one vehicle drove, for the page's list. An endless drive has no finish and
// counts as finished; means are over time.
static void soak_record_sum_up(tool_recording* r) {
    double inside = 0.0, error = 0.0;
    for (int32_t i = 0; i < r->count; i++) {
        const kerb_scene_frame* f = &r->frames[i];
        const kerb_scene_frame* before = i > 0 ? f - 1 : f;
        double off = fabs((double)f->cross_track_error);
        r->result.distance +=
            (double)kerb_vec3_length(kerb_vec3_sub(f->motion.position, before->motion.position));
        r->result.stuck_events += f->stuck && !before->stuck ? 1 : 0;
        r->result.contacts += f->touching && !before->touching ? 1 : 0;
        r->result.cte_max = fmax(r->result.cte_max, off);
        error += off / r->count;
        inside += f->inside_corridor ? 100.0 / r->count : 0.0;
    }
    r->result.cte_mean = error;
    r->result.inside_percent = inside;
    r->result.time = r->count > 0 ? r->frames[r->count - 1].time : 0.0;
    r->result.speed_mean = r->result.time > 0.0 ? r->result.distance / r->result.time : 0.0;
    r->result.finished = true;
}

tool_status tool_soak_record_write(const tool_soak* soak, tool_soak_record* record) {
    const tool_outputs* o = &soak->options->outputs;
    for (int32_t i = 0; i < record->count; i++) {
        tool_recording* r = &record->recordings[i];
        r->course = &record->course;
        soak_record_sum_up(r);
        snprintf(r->follower_name, sizeof r->follower_name, "%s", tool_soak_method_name(soak, 0));
    }
    if (o->csv && tool_trace_write(o->csv, record->recordings, record->count) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->svg && tool_soak_picture_svg(o->svg, soak, record) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->png && tool_soak_picture_png(o->png, soak, record) != TOOL_DONE)
        return TOOL_WRONG;
    soak_record_page p = {soak, record};
    if (o->html && tool_file_print(o->html, soak_record_print_page, &p) != TOOL_DONE)
        return TOOL_WRONG;
    return TOOL_DONE;
}
