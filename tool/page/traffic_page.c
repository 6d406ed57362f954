// Purpose: the page of `kerb traffic --html`.
// Idea:    The network is drawn once from its lines; a sample every half second has the vehicles'
//          places as floats in base64, and the page draws between two samples.
// Cost:    O(vehicles) for each sample.
#include "tool/page/traffic_page.h"

#include "tool/command/file.h"
#include "tool/page/page_writer.h"
#include "tool/page/replay_embedded.h"

#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------- the film

tool_traffic_film tool_traffic_film_make(double every) {
    tool_traffic_film film;
    memset(&film, 0, sizeof film);
    film.every = every;
    return film;
}

void tool_traffic_film_free(tool_traffic_film* film) {
    free(film->shots);
    free(film->firsts);
    free(film->letters);
    free(film->signal_turns);
    memset(film, 0, sizeof *film);
}

static bool film_signals(tool_traffic_film* film, const kerb_scene_city_run* run) {
    film->signal_turns = calloc((size_t)run->plan->turn_count + 1, sizeof *film->signal_turns);
    for (int32_t i = 0; film->signal_turns && i < run->plan->turn_count; i++)
        if (run->plan->turns[i].signal >= 0)
            film->signal_turns[film->signal_count++] = i;
    return film->signal_turns != NULL;
}

static bool film_room(tool_traffic_film* film, int32_t vehicles) {
    if (film->count + 1 >= film->room) {
        int32_t room = film->room > 0 ? 2 * film->room : 256;
        int32_t* firsts = realloc(film->firsts, ((size_t)room + 1) * sizeof *firsts);
        if (firsts)
            film->firsts = firsts;
        char* letters = realloc(film->letters, (size_t)room * (size_t)film->signal_count + 1);
        if (letters)
            film->letters = letters;
        if (!firsts || !letters)
            return false;
        film->room = room;
    }
    while (film->shot_count + vehicles > film->shot_room) {
        int32_t room = film->shot_room > 0 ? 2 * film->shot_room : 4096;
        tool_traffic_shot* shots = realloc(film->shots, (size_t)room * sizeof *shots);
        if (!shots)
            return false;
        film->shots = shots;
        film->shot_room = room;
    }
    return true;
}

void tool_traffic_film_add(tool_traffic_film* film, const kerb_scene_city_run* run) {
    int32_t vehicles = kerb_traffic_counts_of(&run->traffic).vehicles;
    if (film->every <= 0.0 || run->time + 1.0e-6 < film->next || film->out_of_memory ||
        film->shot_count + vehicles > TOOL_TRAFFIC_FILM_MOST)
        return;
    film->next = run->time + film->every;
    if ((!film->signal_turns && !film_signals(film, run)) || !film_room(film, vehicles)) {
        film->out_of_memory = true;
        return;
    }
    char* letters = film->letters + (size_t)film->count * (size_t)film->signal_count;
    for (int32_t i = 0; i < film->signal_count; i++)
        letters[i] = kerb_traffic_signal(&run->traffic, &run->network, film->signal_turns[i]);
    film->firsts[film->count++] = film->shot_count;
    for (int32_t i = 0; i < run->vehicles_max; i++) {
        kerb_traffic_vehicle v = kerb_traffic_vehicle_of(&run->traffic, &run->network, i);
        if (v.stage >= KERB_TRAFFIC_DRIVING && film->shot_count < film->shot_room)
            film->shots[film->shot_count++] =
                (tool_traffic_shot){i,
                                    v.position.x,
                                    v.position.y,
                                    v.heading,
                                    v.speed,
                                    (uint8_t)v.wait,
                                    (uint8_t)v.type,
                                    (uint8_t)(v.claims > 255 ? 255 : v.claims),
                                    v.next_turn};
    }
    film->firsts[film->count] = film->shot_count;
}

// --------------------------------------------------------------------------- the data

typedef struct traffic_page {
    const tool_traffic_film* film;
    const tool_traffic_load* load;
    const kerb_scene_city_run* run;
} traffic_page;

static void put_segment_line(FILE* out, const kerb_network* network, int32_t segment) {
    const float length = kerb_network_length(network, segment);
    int32_t steps = (int32_t)(length / 8.0f) + 1;
    for (int32_t i = 0; i <= steps; i++) {
        kerb_vec3 p =
            kerb_network_at(network, segment, length * (float)i / (float)steps, 0.0f).position;
        if (i)
            fputc(',', out);
        tool_page_number(out, (double)p.x, 2);
        fputc(',', out);
        tool_page_number(out, (double)p.y, 2);
    }
}

static void put_segments(FILE* out, const kerb_network* network) {
    kerb_network_size size = kerb_network_size_of(network);
    fputs("\"lanes\":[", out);
    for (int32_t i = 0; i < size.lanes + size.turns; i++) {
        if (i == size.lanes)
            fputs("],\"turns\":[", out);
        fprintf(out, "%s{\"w\":", i == 0 || i == size.lanes ? "" : ",");
        tool_page_number(out, (double)kerb_network_segment_of(network, i).width, 2);
        fputs(",\"p\":[", out);
        put_segment_line(out, network, i);
        fputs("]}", out);
    }
    if (size.turns == 0)
        fputs("],\"turns\":[", out);
    fputs("],", out);
}

static void put_types(FILE* out, const tool_traffic_load* load) {
    fputs("\"types\":[", out);
    for (int32_t i = 0; i < load->type_count; i++) {
        fprintf(out, "%s{", i ? "," : "");
        tool_page_field_text(out, "name", load->type_names[i]);
        tool_page_field_number(out, "w", (double)load->types[i].width, 2);
        fputs("\"l\":", out);
        tool_page_number(out, (double)load->types[i].length, 2);
        fputc('}', out);
    }
    fputs("],\"waits\":[", out);
    for (int32_t i = 0; i <= KERB_TRAFFIC_WAIT_STOP; i++)
        fprintf(out, "%s\"%s\"", i ? "," : "", kerb_traffic_wait_text((kerb_traffic_wait)i));
    fputs("],", out);
}

static void put_shots(FILE* out, const tool_traffic_film* film) {
    tool_base64 stream = {out, 0, 0};
    fputs("\"shots\":\"", out);
    for (int32_t i = 0; i < film->shot_count; i++) {
        const tool_traffic_shot* s = &film->shots[i];
        tool_base64_float(&stream, s->x);
        tool_base64_float(&stream, s->y);
        tool_base64_float(&stream, s->heading);
        tool_base64_float(&stream, s->speed);
        tool_base64_float(&stream, (float)s->vehicle);
        tool_base64_float(&stream, (float)s->turn);
        tool_base64_float(&stream, (float)(s->wait + 16 * s->type));
        tool_base64_float(&stream, (float)s->claims);
    }
    tool_base64_end(&stream);
    fputs("\",\"firsts\":[", out);
    for (int32_t i = 0; i <= film->count && film->firsts; i++)
        fprintf(out, "%s%d", i ? "," : "", (int)film->firsts[i]);
    fputs("],\"signals\":[", out);
    for (int32_t i = 0; i < film->signal_count; i++)
        fprintf(out, "%s%d", i ? "," : "", (int)film->signal_turns[i]);
    fputs("],\"letters\":\"", out);
    for (int32_t i = 0; i < film->count * film->signal_count; i++)
        fputc(film->letters[i], out);
    fputs("\",", out);
}

static const char data_mark[] = "@DATA@";

// Where the mark begins in the page; its size where there is none.
static size_t find_mark(void) {
    const tool_embedded_file page = kerb_tool_traffic_html;
    size_t length = sizeof data_mark - 1;
    for (size_t i = 0; i + length <= page.size; i++)
        if (memcmp(page.bytes + i, data_mark, length) == 0)
            return i;
    return page.size;
}

static bool put_page(FILE* out, const void* context) {
    const traffic_page* page = context;
    const tool_embedded_file text = kerb_tool_traffic_html;
    size_t mark = find_mark(), rest = mark + sizeof data_mark - 1;
    fwrite(text.bytes, 1, mark, out);
    fputc('{', out);
    tool_page_field_text(out, "title", "kerb traffic");
    tool_page_field_number(out, "every", page->film->every, 3);
    put_types(out, page->load);
    put_shots(out, page->film);
    put_segments(out, &page->run->network);
    fputs("\"end\":0}", out);
    if (rest < text.size)
        fwrite(text.bytes + rest, 1, text.size - rest, out);
    return !ferror(out);
}

tool_status tool_traffic_page_write(const char* path, const tool_traffic_film* film,
                                    const tool_traffic_load* load, const kerb_scene_city_run* run) {
    traffic_page page = {film, load, run};
    if (film->out_of_memory)
        return tool_complain("%s: no memory for the film", path);
    return tool_file_print(path, put_page, &page);
}
