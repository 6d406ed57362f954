// The data of the page that replays a race. Columns are as in replay_page.c: positions and progress
// as float32, all else as int16 or int8 times a decimal step. Between samples the page draws cubics
// from speed and heading, so that five samples a second are enough at 80 m/s.
#include "tool/page/race_page.h"

#include "tool/command/file.h"
#include "tool/page/page_writer.h"
#include "tool/picture/picture_race.h"

#include <math.h>

// --------------------------------------------------------------------------- columns

typedef enum sample_column {
    SAMPLE_HEADING,
    SAMPLE_SPEED,
    SAMPLE_TARGET_SPEED,
    SAMPLE_TARGET_X,
    SAMPLE_TARGET_Y,
    SAMPLE_ERROR,
    SAMPLE_STEERING, // from here on bytes
    SAMPLE_THROTTLE, // less than 0: the brake
    SAMPLE_LANE,
    SAMPLE_COLUMNS
} sample_column;

static const struct {
    const char* name;
    float most;
    float byte; // step of a byte; 0: 16 bits, with the finest step that holds the column
} race_page_columns[SAMPLE_COLUMNS] = {
    {"heading", 4.0f, 0.0f},     {"speed", 1000.0f, 0.0f},    {"target_speed", 1000.0f, 0.0f},
    {"target_x", 1000.0f, 0.0f}, {"target_y", 1000.0f, 0.0f}, {"error", 1000.0f, 0.0f},
    {"steering", 1.0f, 0.01f},   {"pedals", 1.0f, 0.01f},     {"lane", 2.5f, 0.02f},
};

static float race_page_value_of(const tool_race_sample* s, sample_column column) {
    switch (column) {
    case SAMPLE_HEADING:
        return s->heading;
    case SAMPLE_SPEED:
        return s->speed;
    case SAMPLE_TARGET_SPEED:
        return s->target_speed;
    case SAMPLE_TARGET_X:
        return s->target_x - s->x;
    case SAMPLE_TARGET_Y:
        return s->target_y - s->y;
    case SAMPLE_ERROR:
        return s->error;
    case SAMPLE_STEERING:
        return s->steering;
    case SAMPLE_THROTTLE:
        return s->brake > 0.02f ? -s->brake : s->throttle;
    default:
        return s->lane;
    }
}

static float race_page_held(const tool_race* r, int32_t index, int32_t car, sample_column column) {
    float value = race_page_value_of(tool_race_sample_at(r, index, car), column);
    if (!kerb_is_finite(value))
        return 0.0f;
    return kerb_clamp(value, -race_page_columns[column].most, race_page_columns[column].most);
}

static void race_page_put_bytes(FILE* out, const tool_race* r, int32_t car, sample_column column) {
    fprintf(out, ",\"%s\":{\"bytes\":true,\"step\":", race_page_columns[column].name);
    tool_page_number(out, (double)race_page_columns[column].byte, 2);
    fputs(",\"data\":\"", out);
    tool_base64 stream = {out, 0, 0};
    for (int32_t i = 0; i < r->sample_count; i++) {
        double steps = (double)(race_page_held(r, i, car, column) / race_page_columns[column].byte);
        tool_base64_byte(&stream, (uint32_t)(int32_t)floor(steps + 0.5));
    }
    tool_base64_end(&stream);
    fputs("\"}", out);
}

static void put_words(FILE* out, const tool_race* r, int32_t car, sample_column column) {
    float greatest = 0.0f;
    for (int32_t i = 0; i < r->sample_count; i++)
        greatest = kerb_max(greatest, kerb_abs(race_page_held(r, i, car, column)));
    tool_decimal_step step = tool_decimal_step_for((double)greatest);
    fprintf(out, ",\"%s\":{\"step\":%de%d,\"data\":\"", race_page_columns[column].name,
            (int)step.digit, (int)step.exponent);
    tool_base64 stream = {out, 0, 0};
    double size = tool_decimal_step_value(step);
    for (int32_t i = 0; i < r->sample_count; i++)
        tool_base64_int16(&stream,
                          (int32_t)floor((double)race_page_held(r, i, car, column) / size + 0.5));
    tool_base64_end(&stream);
    fputs("\"}", out);
}

static void race_page_put_places(FILE* out, const tool_race* r, int32_t car) {
    static const char* const names[3] = {"x", "y", "progress"};
    for (int32_t k = 0; k < 3; k++) {
        fprintf(out, ",\"%s\":\"", names[k]);
        tool_base64 stream = {out, 0, 0};
        for (int32_t i = 0; i < r->sample_count; i++) {
            const tool_race_sample* s = tool_race_sample_at(r, i, car);
            tool_base64_float(&stream, k == 0 ? s->x : k == 1 ? s->y : s->progress);
        }
        tool_base64_end(&stream);
        fputc('"', out);
    }
}

// The states of replay_page.c, where "stuck" is: spins, turns round or backs out; and the car that
// limits it.
static void race_page_put_states(FILE* out, const tool_race* r, int32_t car) {
    fputs(",\"states\":\"", out);
    tool_base64 stream = {out, 0, 0};
    for (int32_t i = 0; i < r->sample_count; i++) {
        const tool_race_sample* s = tool_race_sample_at(r, i, car);
        tool_base64_byte(&stream, (uint32_t)s->reason);
        tool_base64_byte(&stream, ((uint32_t)(s->gear + 2) & 15u) | (s->outside ? 16u : 0u) |
                                      (s->phase != KERB_RACER_DRIVING ? 32u : 0u) |
                                      (s->touching ? 64u : 0u) | (s->absent ? 128u : 0u));
    }
    tool_base64_end(&stream);
    fputs("\",\"deciders\":\"", out);
    stream = (tool_base64){out, 0, 0};
    for (int32_t i = 0; i < r->sample_count; i++)
        tool_base64_byte(&stream, (uint32_t)(tool_race_sample_at(r, i, car)->decider + 1));
    tool_base64_end(&stream);
    fputc('"', out);
}

// --------------------------------------------------------------------------- cars

static void race_page_put_vehicle(FILE* out, const kerb_sim_model* model) {
    const kerb_vehicle* v = &model->vehicle;
    fputs("\"vehicle\":{", out);
    tool_page_field_text(out, "name", model->name);
    tool_page_field_number(out, "kind", (double)v->kind, 0);
    tool_page_field_number(out, "length", (double)v->length, 3);
    tool_page_field_number(out, "width", (double)v->width, 3);
    tool_page_field_number(out, "reference_to_front", (double)v->reference_to_front, 3);
    tool_page_field_number(out, "reference_to_rear_axle", (double)v->reference_to_rear_axle, 3);
    tool_page_field_number(out, "wheelbase", (double)v->wheelbase, 3);
    fputs("\"steering_angle_max\":", out);
    tool_page_number(out, (double)v->steering_angle_max, 5);
    fputs("},", out);
}

static void race_page_put_result(FILE* out, const tool_race* r, int32_t car) {
    kerb_scene_race_result result = kerb_scene_race_result_at(&r->race, r->race.cars[car].place);
    fputs("\"result\":{", out);
    tool_page_field_number(out, "time_s", result.total, 3);
    fprintf(out, "\"contacts\":%d,\"finished\":%s},\"lap_ends\":[", (int)result.contacts,
            result.finished ? "true" : "false");
    for (int32_t lap = 0; lap < result.laps; lap++) {
        if (lap > 0)
            fputc(',', out);
        tool_page_number(out, kerb_scene_race_lap_end(&r->race, car, lap), 3);
    }
    fputs("],", out);
}

static void put_car(FILE* out, const tool_race* r, int32_t car) {
    const kerb_scene_race_car* c = &r->race.cars[car];
    char name[64], color[16];
    snprintf(name, sizeof name, "%d", (int)car + 1);
    snprintf(color, sizeof color, "#%06x", (unsigned)tool_race_color(r, car));
    fprintf(out, "%s{\"course\":0,\"number\":%d,", car > 0 ? ",\n" : "\n", (int)car + 1);
    tool_page_field_text(out, "follower", name);
    tool_page_field_text(out, "color", color);
    tool_page_field_number(out, "skill", (double)c->skill, 3);
    race_page_put_vehicle(out, &r->wish->models[c->model]);
    race_page_put_result(out, r, car);
    double ticks = tool_race_sample_step(r) * 60.0;
    fprintf(out, "\"start\":0,\"rate\":60,\"stride\":%d,\"count\":%d", (int)floor(ticks + 0.5),
            (int)r->sample_count);
    race_page_put_places(out, r, car);
    for (int32_t column = 0; column < SAMPLE_COLUMNS; column++)
        if (race_page_columns[column].byte > 0.0f)
            race_page_put_bytes(out, r, car, (sample_column)column);
        else
            put_words(out, r, car, (sample_column)column);
    race_page_put_states(out, r, car);
    fputc('}', out);
}

// --------------------------------------------------------------------------- the track

static float race_page_waypoint_value(const kerb_path_point* p, int32_t column) {
    const float level = kerb_cos(p->bank);
    const float values[7] = {p->position.x, p->position.y, p->left * level, p->right * level, 0.0f,
                             0.0f,          1.0f};
    return values[column];
}

static void put_track(FILE* out, const tool_race* r) {
    static const char* const names[7] = {"x", "y", "left", "right", "limit", "stop", "direction"};
    const kerb_path* track = &r->stage.path;
    char about[160];
    bool elsewhere = r->wish->physics != NULL;
    snprintf(about, sizeof about, "%d %s, %d %s, %.0f m%s%s", (int)r->race.count,
             r->race.count == 1 ? "car" : "cars", (int)r->laps, r->laps == 1 ? "lap" : "laps",
             track->length, elsewhere ? ", in " : "", elsewhere ? r->wish->physics->name : "");
    fputs("\"courses\":[{", out);
    tool_page_field_text(out, "name", r->track.name);
    tool_page_field_text(out, "about", about);
    tool_page_field_number(out, "race_laps", (double)r->laps, 0);
    tool_page_field_number(out, "race_length", r->race.length, 3);
    tool_page_field_number(out, "sight", (double)KERB_SCENE_RACE_SIGHT, 0);
    fprintf(out, "\"closed\":%s,\"solids\":\"\",\"zones\":\"\"", track->closed ? "true" : "false");
    for (int32_t column = 0; column < 7; column++) {
        fprintf(out, ",\"%s\":\"", names[column]);
        tool_base64 stream = {out, 0, 0};
        for (int32_t i = 0; i < track->count; i++)
            tool_base64_float(&stream, race_page_waypoint_value(&track->points[i], column));
        tool_base64_end(&stream);
        fputc('"', out);
    }
    // The racing line.
    fputs(",\"line\":\"", out);
    tool_base64 stream = {out, 0, 0};
    for (int32_t i = 0; i < r->stage.line.count; i += 2) {
        tool_base64_float(&stream, (float)r->stage.line.points[i].x);
        tool_base64_float(&stream, (float)r->stage.line.points[i].y);
    }
    tool_base64_end(&stream);
    fputs("\"}],\n", out);
}

static void race_page_put_data(FILE* out, const void* context) {
    const tool_race* r = context;
    fputs("{", out);
    tool_page_field_text(out, "kerb", KERB_VERSION);
    tool_page_field_text(out, "title", "kerb race");
    fputs("\n\"reasons\":[", out);
    for (int32_t reason = 0; reason < KERB_REASON_COUNT; reason++) {
        if (reason > 0)
            fputc(',', out);
        tool_page_text(out, kerb_reason_text((kerb_reason)reason));
    }
    fputs("],\n", out);
    put_track(out, r);
    fputs("\"trials\":[", out);
    for (int32_t car = 0; car < r->race.count; car++)
        put_car(out, r, car);
    fputs("\n]}", out);
}

static bool race_page_print_page(FILE* out, const void* context) {
    const tool_race* race = context;
    char title[128];
    snprintf(title, sizeof title, "kerb race: %s", race->track.name);
    return tool_page_write(out, title, race_page_put_data, race);
}

tool_status tool_race_page_write(const char* path, const tool_race* race) {
    return tool_file_print(path, race_page_print_page, race);
}
