// Purpose: the page of `kerb traffic --html`.
// Idea:    The network is drawn once from its lines; a sample every half second has the vehicles'
//          places as floats in base64, and the page draws between two samples.
// Cost:    O(vehicles) for each sample.
#include "tool/page/traffic_page.h"

#include "tool/command/file.h"
#include "tool/page/page_writer.h"

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

static void put_line(FILE* out, const kerb_network* network, int32_t segment) {
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
        put_line(out, network, i);
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

// The page in pieces: before the title, before the data, and the rest.
static const char traffic_page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n"
    "<title>kerb traffic</title>\n<style>\n"
    "html,body{margin:0;height:100%;font:14px system-ui,sans-serif;background:#f4f5f7;"
    "color:#1d232b}\n"
    "canvas{position:fixed;inset:0;width:100%;height:100%}\n"
    ".card{position:fixed;background:#fff;border:1px solid #dfe3e8;border-radius:8px;padding:8px "
    "12px}\n"
    "#bar{left:12px;right:12px;bottom:12px;display:flex;gap:12px;align-items:center}\n"
    "#time{flex:1}\n#legend{right:12px;top:12px}\n#legend div{display:flex;gap:8px;"
    "align-items:center}\n#legend i{width:14px;height:8px;border-radius:2px}\n"
    "#about{left:12px;top:12px;max-width:280px}\nbutton,select{font:inherit}\n</style>\n"
    "<canvas id=\"view\"></canvas>\n<div class=\"card\" id=\"about\"></div>\n"
    "<div class=\"card\" id=\"legend\"></div>\n<div class=\"card\" id=\"bar\">"
    "<button id=\"play\" aria-label=\"Play or pause\">Pause</button>"
    "<input type=\"range\" id=\"time\" min=\"0\" step=\"0.1\" aria-label=\"Time\">"
    "<span id=\"clock\"></span><select id=\"speed\" aria-label=\"Speed\"><option value=\"1\">1 "
    "×</option><option value=\"4\" selected>4 ×</option><option value=\"16\">16 ×</option>"
    "</select></div>\n<script>\n'use strict';\nconst data = ";

static const char traffic_page_tail[] =
    ";\n"
    "const bytes = Uint8Array.from(atob(data.shots), (c) => c.charCodeAt(0));\n"
    "const shots = new Float32Array(bytes.buffer, 0, bytes.length >> 2);\n"
    "const samples = data.firsts.length - 1;\n"
    "const colors = ['#1f7a4d', '#5b6b7d', '#c8321e', '#d97706', '#8b5cf6', '#0284c7', '#be185d', "
    "'#a16207', '#111827'];\n"
    "const $ = (id) => document.getElementById(id);\n"
    "const canvas = $('view'), context = canvas.getContext('2d');\n"
    "const xs = data.lanes.flatMap((l) => l.p.filter((_, i) => i % 2 === 0));\n"
    "const ys = data.lanes.flatMap((l) => l.p.filter((_, i) => i % 2 === 1));\n"
    "const least = (a) => a.reduce((m, v) => Math.min(m, v), Infinity);\n"
    "const most = (a) => a.reduce((m, v) => Math.max(m, v), -Infinity);\n"
    "const view = { x: (least(xs) + most(xs)) / 2, y: (least(ys) + most(ys)) / 2, s: 1 };\n"
    "view.s = 0.9 * Math.min(innerWidth / (most(xs) - least(xs) + 20), innerHeight / (most(ys) - "
    "least(ys) + 20));\n"
    "let time = 0, playing = true, chosen = -1, last = 0;\n"
    "$('time').max = Math.max(0, (samples - 1) * data.every);\n"
    "$('legend').innerHTML = data.waits.map((w, i) => `<div><i style=\"background:${colors[i]}\">"
    "</i>${i ? 'waits: ' + w : 'drives freely'}</div>`).join('');\n"
    "function line(p) { context.beginPath(); for (let i = 0; i < p.length; i += 2) "
    "context.lineTo(p[i], p[i + 1]); }\n"
    "function at(sample) { const map = new Map(); for (let i = data.firsts[sample]; i < "
    "data.firsts[sample + 1]; i++) map.set(shots[8 * i + 4], 8 * i); return map; }\n"
    "function drawRoads() { context.lineCap = 'butt'; for (const part of [data.turns, "
    "data.lanes]) for (const l of part) { context.lineWidth = l.w; context.strokeStyle = part === "
    "data.turns ? '#d3d8df' : '#c9cfd8'; line(l.p); context.stroke(); } }\n"
    "function drawSignals(sample) { const shows = { r: '#dc2626', u: '#f97316', y: '#eab308', g: "
    "'#4ade80', G: '#16a34a' }; data.signals.forEach((turn, i) => { const p = data.turns[turn].p; "
    "const letter = data.letters[sample * data.signals.length + i]; if (!shows[letter]) return; "
    "context.fillStyle = shows[letter]; context.beginPath(); context.arc(p[0], p[1], 1, 0, 7); "
    "context.fill(); }); }\n"
    "function drawCar(v) { const type = data.types[v.type]; context.save(); "
    "context.translate(v.x, v.y); context.rotate(v.heading); context.fillStyle = colors[v.wait]; "
    "context.fillRect(-type.l, -type.w / 2, type.l, type.w); context.fillStyle = '#ffffffb0'; "
    "context.fillRect(-0.35 * type.l, -0.4 * type.w, 0.12 * type.l, 0.8 * type.w); "
    "if (v.id === chosen) { context.lineWidth = 2 / view.s; context.strokeStyle = '#000'; "
    "context.strokeRect(-type.l, -type.w / 2, type.l, type.w); } context.restore(); }\n"
    "function between(a, b, part) { const turn = ((b - a + Math.PI * 3) % (2 * Math.PI)) - "
    "Math.PI; return a + turn * part; }\n"
    "function cars() { const sample = Math.min(samples - 1, Math.floor(time / data.every)); const "
    "part = Math.min(1, time / data.every - sample); const next = at(Math.min(samples - 1, sample "
    "+ "
    "1)); const list = []; for (const [id, i] of at(sample)) { const j = next.get(id) ?? i; const "
    "near = Math.hypot(shots[j] - shots[i], shots[j + 1] - shots[i + 1]) < 60; const mix = (k) => "
    "near ? shots[i + k] + (shots[j + k] - shots[i + k]) * part : shots[i + k]; list.push({ id, x: "
    "mix(0), y: mix(1), heading: between(shots[i + 2], shots[j + 2], near ? part : 0), speed: "
    "mix(3), turn: shots[i + 5], wait: shots[i + 6] % 16, type: Math.floor(shots[i + 6] / 16), "
    "claims: shots[i + 7] }); } return { sample, list }; }\n"
    "function draw() { const ratio = devicePixelRatio || 1; canvas.width = innerWidth * ratio; "
    "canvas.height = innerHeight * ratio; context.setTransform(ratio * view.s, 0, 0, -ratio * "
    "view.s, ratio * (innerWidth / 2 - view.x * view.s), ratio * (innerHeight / 2 + view.y * "
    "view.s)); const { sample, list } = cars(); const me = list.find((v) => v.id === chosen); if "
    "(me) { view.x = me.x; view.y = me.y; } drawRoads(); for (const v of list) if (v.claims > 0 && "
    "v.turn >= 0) { context.lineWidth = 0.6; context.strokeStyle = '#2563eb80'; "
    "line(data.turns[v.turn].p); context.stroke(); } if (samples > 0) drawSignals(sample); "
    "list.forEach(drawCar); $('clock').textContent = time.toFixed(1) + ' s'; $('time').value = "
    "time; const stand = list.filter((v) => v.speed < 0.1).length; $('about').textContent = me ? "
    "`Vehicle ${me.id}, ${data.types[me.type].name}: ${(me.speed * 3.6).toFixed(0)} km/h, ` + "
    "(me.wait ? 'waits: ' + data.waits[me.wait] : 'drives freely') + `, ${me.claims} claims` : "
    "`${data.title}: ${list.length} vehicles, ${stand} stand. Click one to follow it; drag and "
    "scroll to look around.`; }\n"
    "function tick(now) { if (playing) { time += Math.min(0.1, (now - last) / 1000) * "
    "Number($('speed').value); if (time > Number($('time').max)) time = 0; } last = now; draw(); "
    "requestAnimationFrame(tick); }\n"
    "$('play').onclick = () => { playing = !playing; $('play').textContent = playing ? 'Pause' : "
    "'Play'; };\n$('time').oninput = () => { time = Number($('time').value); };\n"
    "canvas.onwheel = (e) => { e.preventDefault(); const f = Math.exp(-e.deltaY / 500), dx = "
    "(e.clientX - innerWidth / 2) / view.s, dy = (innerHeight / 2 - e.clientY) / view.s; view.x += "
    "dx * (1 - 1 / f); view.y += dy * (1 - 1 / f); view.s *= f; };\n"
    "let drag = null;\ncanvas.onpointerdown = (e) => { drag = { x: e.clientX, y: e.clientY, moved: "
    "0 }; };\ncanvas.onpointermove = (e) => { if (!drag) return; view.x -= (e.clientX - drag.x) / "
    "view.s; view.y += (e.clientY - drag.y) / view.s; drag.moved += Math.abs(e.clientX - drag.x) + "
    "Math.abs(e.clientY - drag.y); drag.x = e.clientX; drag.y = e.clientY; };\n"
    "canvas.onpointerup = (e) => { if (drag && drag.moved < 4) { const x = view.x + (e.clientX - "
    "innerWidth / 2) / view.s, y = view.y - (e.clientY - innerHeight / 2) / view.s; const near = "
    "cars().list.map((v) => [Math.hypot(v.x - x, v.y - y), v.id]).sort((a, b) => a[0] - b[0])[0]; "
    "chosen = near && near[0] < 15 ? near[1] : -1; } drag = null; };\n"
    "const start = new URLSearchParams(location.hash.slice(1));\nif (start.has('t')) { time = "
    "Number(start.get('t')); playing = false; }\nif (start.has('s')) { view.s = "
    "Number(start.get('s')); view.x = Number(start.get('x')); view.y = Number(start.get('y')); }\n"
    "requestAnimationFrame(tick);\n</script></html>\n";

static bool put_page(FILE* out, const void* context) {
    const traffic_page* page = context;
    fputs(traffic_page_head, out);
    fputc('{', out);
    tool_page_field_text(out, "title", "kerb traffic");
    tool_page_field_number(out, "every", page->film->every, 3);
    put_types(out, page->load);
    put_shots(out, page->film);
    put_segments(out, &page->run->network);
    fputs("\"end\":0}", out);
    fputs(traffic_page_tail, out);
    return !ferror(out);
}

tool_status tool_traffic_page_write(const char* path, const tool_traffic_film* film,
                                    const tool_traffic_load* load, const kerb_scene_city_run* run) {
    traffic_page page = {film, load, run};
    if (film->out_of_memory)
        return tool_complain("%s: no memory for the film", path);
    return tool_file_print(path, put_page, &page);
}
