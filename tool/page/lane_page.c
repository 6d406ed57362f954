// The data of the page: columns as in race_page.c. A ray is four int16, places relative to its car,
// and a byte for what it met.
#include "tool/page/lane_page.h"

#include "tool/command/file.h"
#include "tool/page/page_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RAY_STEP 0.02f // [m]
#define FILM_ROOM 256
#define BOX_KIND 2 // of solids on the page, as kerb_sim_obstacle_kind

// --------------------------------------------------------------------------- the film

tool_lane_film tool_lane_film_make(int32_t drivers) {
    tool_lane_film film;
    memset(&film, 0, sizeof film);
    film.drivers = drivers;
    film.sums = calloc((size_t)drivers, sizeof *film.sums);
    film.out_of_memory = !film.sums;
    return film;
}

void tool_lane_film_free(tool_lane_film* film) {
    free(film->samples);
    free(film->sums);
    memset(film, 0, sizeof *film);
}

static bool lane_page_make_room(tool_lane_film* film) {
    if (film->count < film->room)
        return true;
    int32_t room = film->room > 0 ? 2 * film->room : FILM_ROOM;
    size_t bytes = (size_t)room * (size_t)film->drivers * sizeof *film->samples;
    tool_lane_film_sample* samples = realloc(film->samples, bytes);
    if (!samples)
        return false;
    film->samples = samples;
    film->room = room;
    return true;
}

void tool_lane_film_next(tool_lane_film* film, double time) {
    film->takes = false;
    if (film->drivers == 0 || film->out_of_memory || time < film->until - 1e-6 ||
        (int64_t)(film->count + 1) * film->drivers > TOOL_LANE_FILM_SAMPLES_MOST)
        return;
    if (!lane_page_make_room(film)) {
        film->out_of_memory = true;
        return;
    }
    if (film->count == 0)
        film->begin = film->until = time;
    film->until += 1.0 / TOOL_LANE_FILM_RATE;
    film->takes = true;
    film->count++;
}

static void keep_rays(tool_lane_film_sample* s, const tool_lane_shot* shot) {
    s->rays = (uint8_t)shot->ray_count;
    for (int32_t i = 0; i < shot->ray_count; i++) {
        const kerb_lane_ray* ray = &shot->rays[i];
        s->ray_x[i] = ray->origin.x - s->x;
        s->ray_y[i] = ray->origin.y - s->y;
        s->hit_x[i] = s->ray_x[i] + ray->direction.x * shot->hits[i].distance;
        s->hit_y[i] = s->ray_y[i] + ray->direction.y * shot->hits[i].distance;
        s->what[i] = (uint8_t)shot->hits[i].kind;
    }
}

static void lane_page_judge(tool_lane_film_sums* sums, double error) {
    sums->judged++;
    sums->error += error;
    sums->most = error > sums->most ? error : sums->most;
}

void tool_lane_film_add(tool_lane_film* film, int32_t driver, const tool_lane_shot* shot) {
    if (film->drivers == 0 || film->out_of_memory)
        return;
    tool_lane_film_sums* sums = &film->sums[driver];
    sums->moved = sums->moved || shot->moved;
    if (shot->judged)
        lane_page_judge(sums, (double)kerb_abs(shot->error));
    if (!film->takes)
        return;
    tool_lane_film_sample* s =
        &film->samples[(size_t)(film->count - 1) * (size_t)film->drivers + (size_t)driver];
    memset(s, 0, sizeof *s);
    kerb_motion motion = kerb_sim_vehicle_motion(shot->vehicle);
    const kerb_lane_keeper* keeper = shot->keeper;
    s->x = motion.position.x;
    s->y = motion.position.y;
    s->heading = kerb_quat_heading(motion.rotation);
    s->speed = kerb_motion_forward_speed(&motion);
    s->target_speed = keeper->decision.target_speed;
    s->target_x = keeper->decision.target.x - s->x;
    s->target_y = keeper->decision.target.y - s->y;
    s->steering = keeper->controls.steering;
    s->pedals =
        keeper->controls.brake > 0.02f ? -keeper->controls.brake : keeper->controls.throttle;
    s->error = shot->error;
    s->edge_wanted = keeper->decision.edge_distance;
    s->edge_held = keeper->settings.edge_distance + shot->error;
    s->gap = keeper->decision.gap;
    s->reason = (uint8_t)keeper->controls.reason;
    s->oncoming = shot->oncoming;
    s->touching = shot->touching;
    s->moved = sums->moved;
    sums->moved = false;
    keep_rays(s, shot);
}

// --------------------------------------------------------------------------- columns

static const tool_lane_film_sample* sample_at(const tool_lane_page* p, int32_t i, int32_t driver) {
    return &p->film->samples[(size_t)i * (size_t)p->film->drivers + (size_t)driver];
}

static const struct {
    const char* name;
    size_t offset;
    float most;
} lane_page_columns[] = {
    {"heading", offsetof(tool_lane_film_sample, heading), 4.0f},
    {"speed", offsetof(tool_lane_film_sample, speed), 1000.0f},
    {"target_speed", offsetof(tool_lane_film_sample, target_speed), 1000.0f},
    {"target_x", offsetof(tool_lane_film_sample, target_x), 1000.0f},
    {"target_y", offsetof(tool_lane_film_sample, target_y), 1000.0f},
    {"error", offsetof(tool_lane_film_sample, error), 1000.0f},
    {"edge_wanted", offsetof(tool_lane_film_sample, edge_wanted), 1000.0f},
    {"edge_held", offsetof(tool_lane_film_sample, edge_held), 1000.0f},
    {"gap", offsetof(tool_lane_film_sample, gap), 1000.0f},
    {"steering", offsetof(tool_lane_film_sample, steering), 1.0f},
    {"pedals", offsetof(tool_lane_film_sample, pedals), 1.0f},
};

static float lane_page_held(const tool_lane_film_sample* s, size_t column) {
    float value;
    memcpy(&value, (const char*)s + lane_page_columns[column].offset, sizeof value);
    return kerb_is_finite(value)
               ? kerb_clamp(value, -lane_page_columns[column].most, lane_page_columns[column].most)
               : 0.0f;
}

static void put_column(FILE* out, const tool_lane_page* p, int32_t driver, size_t column) {
    float greatest = 0.0f;
    for (int32_t i = 0; i < p->film->count; i++)
        greatest = kerb_max(greatest, kerb_abs(lane_page_held(sample_at(p, i, driver), column)));
    tool_decimal_step step = tool_decimal_step_for((double)greatest);
    double size = tool_decimal_step_value(step);
    fprintf(out, ",\"%s\":{\"step\":%de%d,\"data\":\"", lane_page_columns[column].name,
            (int)step.digit, (int)step.exponent);
    tool_base64 stream = {out, 0, 0};
    for (int32_t i = 0; i < p->film->count; i++)
        tool_base64_int16(
            &stream,
            (int32_t)floor((double)lane_page_held(sample_at(p, i, driver), column) / size + 0.5));
    tool_base64_end(&stream);
    fputs("\"}", out);
}

static void lane_page_put_places(FILE* out, const tool_lane_page* p, int32_t driver) {
    static const char* const names[3] = {"x", "y", "progress"};
    for (int32_t k = 0; k < 3; k++) {
        fprintf(out, ",\"%s\":\"", names[k]);
        tool_base64 stream = {out, 0, 0};
        float driven = 0.0f;
        for (int32_t i = 0; i < p->film->count; i++) {
            const tool_lane_film_sample* s = sample_at(p, i, driver);
            driven += kerb_max(s->speed, 0.0f) / TOOL_LANE_FILM_RATE;
            tool_base64_float(&stream, k == 0 ? s->x : k == 1 ? s->y : driven);
        }
        tool_base64_end(&stream);
        fputc('"', out);
    }
}

static void lane_page_put_bytes(FILE* out, const tool_lane_page* p, int32_t driver,
                                const char* name,
                                void (*put)(tool_base64* stream, const tool_lane_film_sample* s)) {
    fprintf(out, ",\"%s\":\"", name);
    tool_base64 stream = {out, 0, 0};
    for (int32_t i = 0; i < p->film->count; i++)
        put(&stream, sample_at(p, i, driver));
    tool_base64_end(&stream);
    fputc('"', out);
}

// As in replay_page.c; the gear is not told.
static void put_state(tool_base64* stream, const tool_lane_film_sample* s) {
    tool_base64_byte(stream, s->reason);
    tool_base64_byte(stream, 3u | (s->touching ? 64u : 0u) | (s->moved ? 128u : 0u));
}

static void put_ray_count(tool_base64* stream, const tool_lane_film_sample* s) {
    tool_base64_byte(stream, s->rays);
}

static void put_ray_whats(tool_base64* stream, const tool_lane_film_sample* s) {
    for (int32_t i = 0; i < s->rays; i++)
        tool_base64_byte(stream, s->what[i]);
}

static void put_metres(tool_base64* stream, float value) {
    float steps = kerb_is_finite(value) ? kerb_clamp(value / RAY_STEP, -32000.0f, 32000.0f) : 0.0f;
    tool_base64_int16(stream, (int32_t)floor((double)steps + 0.5));
}

static void put_rays(tool_base64* stream, const tool_lane_film_sample* s) {
    for (int32_t i = 0; i < s->rays; i++) {
        put_metres(stream, s->ray_x[i]);
        put_metres(stream, s->ray_y[i]);
        put_metres(stream, s->hit_x[i]);
        put_metres(stream, s->hit_y[i]);
    }
}

// --------------------------------------------------------------------------- drivers

static void lane_page_put_vehicle(FILE* out, const tool_lane_page* p, int32_t driver) {
    const kerb_vehicle* v = p->vehicle;
    bool player = p->has_player && driver == 0;
    char name[96];
    if (player)
        snprintf(name, sizeof name, "player");
    else
        snprintf(name, sizeof name, "%s %d", p->has_player ? "bot" : p->vehicle_name,
                 (int)driver + (p->has_player ? 0 : 1));
    fputs("\"vehicle\":{", out);
    tool_page_field_text(out, "name", name);
    tool_page_field_text(out, "role", sample_at(p, 0, driver)->oncoming ? "against" : "with");
    fprintf(out, "\"marked\":%s,", player ? "true" : "false");
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

// Errors are the report's: of every frame, while a lane is kept; null where none was. The rest is
// over the film. "Inside" is: over no edge.
static void lane_page_put_result(FILE* out, const tool_lane_page* p, int32_t driver) {
    const tool_lane_film_sums* sums = &p->film->sums[driver];
    double driven = 0.0, inside = 0.0;
    const double count = (double)p->film->count;
    for (int32_t i = 0; i < p->film->count; i++) {
        const tool_lane_film_sample* s = sample_at(p, i, driver);
        driven += (double)s->speed / TOOL_LANE_FILM_RATE;
        inside += s->touching ? 0.0 : 100.0 / count;
    }
    fputs("\"result\":{", out);
    tool_page_field_number(out, "time_s", count / TOOL_LANE_FILM_RATE, 2);
    tool_page_field_number(out, "distance_m", driven, 1);
    if (sums->judged > 0) {
        tool_page_field_number(out, "cte_mean_m", sums->error / (double)sums->judged, 4);
        tool_page_field_number(out, "cte_max_m", sums->most, 4);
    } else {
        fputs("\"cte_mean_m\":null,\"cte_max_m\":null,", out);
    }
    tool_page_field_number(out, "inside_corridor_percent", inside, 3);
    tool_page_field_number(out, "speed_mean_mps", driven * TOOL_LANE_FILM_RATE / count, 3);
    fputs("\"stuck_events\":0,\"contacts\":0,\"finished\":true},", out);
}

static void put_driver(FILE* out, const tool_lane_page* p, int32_t driver) {
    fprintf(out, "%s{\"course\":0,\"follower\":\"lane\",", driver > 0 ? ",\n" : "\n");
    lane_page_put_vehicle(out, p, driver);
    lane_page_put_result(out, p, driver);
    fputs("\"start\":", out);
    tool_page_number(out, p->film->begin, 3);
    fprintf(out, ",\"rate\":%d,\"stride\":1,\"count\":%d", TOOL_LANE_FILM_RATE,
            (int)p->film->count);
    lane_page_put_places(out, p, driver);
    for (size_t column = 0; column < sizeof lane_page_columns / sizeof lane_page_columns[0];
         column++)
        put_column(out, p, driver, column);
    lane_page_put_bytes(out, p, driver, "states", put_state);
    lane_page_put_bytes(out, p, driver, "ray_counts", put_ray_count);
    lane_page_put_bytes(out, p, driver, "ray_whats", put_ray_whats);
    lane_page_put_bytes(out, p, driver, "rays", put_rays);
    fputc('}', out);
}

// --------------------------------------------------------------------------- the road

static void put_standing(FILE* out, const tool_lane_page* p) {
    fputs(",\"solids\":\"", out);
    tool_base64 stream = {out, 0, 0};
    for (int32_t i = 0; i < p->standing_count; i++) {
        const kerb_scene_lane_box* box = &p->standing[i];
        kerb_vec2 half = kerb_vec2_scale(box->forward, 0.5f * box->length);
        tool_base64_float(&stream, box->centre.x - half.x);
        tool_base64_float(&stream, box->centre.y - half.y);
        tool_base64_float(&stream, box->centre.x + half.x);
        tool_base64_float(&stream, box->centre.y + half.y);
        tool_base64_float(&stream, box->width);
        tool_base64_float(&stream, BOX_KIND);
    }
    tool_base64_end(&stream);
    fputs("\",\"zones\":\"\"", out);
}

// The points of the road that the film shows: all of a round one, else where anybody was.
static void shown(const tool_lane_page* p, int32_t* first, int32_t* end) {
    *first = 0;
    *end = p->road->count;
    if (p->road->closed)
        return;
    kerb_path_location least = kerb_path_locate(p->road, p->road->length);
    kerb_path_location most = kerb_path_locate(p->road, 0.0);
    for (int32_t i = 0; i < p->film->count; i += TOOL_LANE_FILM_RATE) {
        for (int32_t driver = 0; driver < p->film->drivers; driver++) {
            const tool_lane_film_sample* s = sample_at(p, i, driver);
            kerb_path_location at = kerb_path_nearest(p->road, kerb_vec3_make(s->x, s->y, 0.0f));
            least = at.segment < least.segment ? at : least;
            most = at.segment > most.segment ? at : most;
        }
    }
    least = kerb_path_advance(p->road, least, -150.0f);
    most = kerb_path_advance(p->road, most, 150.0f);
    *first = least.segment;
    *end = most.segment + 2 < p->road->count ? most.segment + 2 : p->road->count;
}

static void put_road(FILE* out, const tool_lane_page* p) {
    static const char* const names[7] = {"x", "y", "left", "right", "limit", "stop", "direction"};
    int32_t first, end;
    shown(p, &first, &end);
    fputs("\"courses\":[{", out);
    tool_page_field_text(out, "name", p->track);
    tool_page_field_text(out, "about", p->about);
    fprintf(out, "\"lanes\":true,\"closed\":%s", p->road->closed ? "true" : "false");
    put_standing(out, p);
    for (int32_t column = 0; column < 7; column++) {
        fprintf(out, ",\"%s\":\"", names[column]);
        tool_base64 stream = {out, 0, 0};
        for (int32_t i = first; i < end; i++) {
            const kerb_path_point* q = &p->road->points[i];
            const float values[7] = {q->position.x, q->position.y, q->left, q->right,
                                     0.0f,          0.0f,          1.0f};
            tool_base64_float(&stream, values[column]);
        }
        tool_base64_end(&stream);
        fputc('"', out);
    }
    fputs("}],\n", out);
}

static void lane_page_put_data(FILE* out, const void* context) {
    const tool_lane_page* p = context;
    fputs("{", out);
    tool_page_field_text(out, "kerb", KERB_VERSION);
    tool_page_field_text(out, "title", p->title);
    fputs("\n\"reasons\":[", out);
    for (int32_t reason = 0; reason < KERB_REASON_COUNT; reason++) {
        if (reason > 0)
            fputc(',', out);
        tool_page_text(out, kerb_reason_text((kerb_reason)reason));
    }
    fputs("],\n", out);
    put_road(out, p);
    fputs("\"trials\":[", out);
    for (int32_t driver = 0; driver < p->film->drivers; driver++)
        put_driver(out, p, driver);
    fputs("\n]}", out);
}

static bool lane_page_print_page(FILE* out, const void* context) {
    const tool_lane_page* p = context;
    char title[128];
    snprintf(title, sizeof title, "%s: %s", p->title, p->track);
    return tool_page_write(out, title, lane_page_put_data, p);
}

tool_status tool_lane_page_write(const char* path, const tool_lane_page* page) {
    if (page->film->out_of_memory || page->film->count == 0)
        return tool_complain("%s: no memory for the replay", path);
    return tool_file_print(path, lane_page_print_page, page);
}
