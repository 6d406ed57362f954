// Purpose: racing among others: one frame of it.
// Idea:    Those near are placed on the line in every frame, and the speed behind them is kept in
//          every frame; whom to pass, and the way beside the line, are thought over some times a
//          second, as people do, or when the way ahead was filled anew.
// Cost:    nothing when nobody is near; with 20 cars near a fraction of a microsecond.
// Source:  Vamos 6 as far as it goes, then as its program does.
#include "racer_traffic.h"

// Nobody may be nearer behind when it backs out. [m]
#define ROOM_BEHIND_LEAST 8.0f

float traffic_aggression(const kerb_racer* racer) {
    return racer->settings.aggression;
}

float traffic_side_gap(const kerb_racer* racer) {
    return racer->settings.side_gap * (1.25f - 0.5f * traffic_aggression(racer));
}

void traffic_mind(kerb_racer* racer, const traffic_other* other) {
    racer->thoughts.neighbour = *other->seen;
    racer->thoughts.neighbour.intent = NULL;
}

static bool is_alone(const kerb_racer* racer, const kerb_surroundings* around) {
    return (around == NULL || around->neighbour_count <= 0 || around->neighbours == NULL) &&
           !racer->traffic.active;
}

static void forget(kerb_racer* racer) {
    racer->traffic.active = false;
    racer->traffic.squeezed = false;
    racer->traffic.yields = 0;
    racer->traffic.held = 0.0f;
    racer->traffic.asks = racer->thoughts.asks = 0.0f;
    racer->traffic.asked = 0.0f;
    racer->traffic.blocked = 0.0f;
    racer->traffic.known_count = 0;
    racer->traffic.far_speed = 1.0e6f;
    racer->traffic.since = THINKS_EVERY;
}

static bool is_time_to_think(kerb_racer* racer, const racer_frame* frame) {
    racer->traffic.since += frame->time_step;
    if (racer->traffic.since < THINKS_EVERY && !racer->ahead.anew)
        return false;
    racer->traffic.since = 0.0f;
    return true;
}

static void think(kerb_racer* racer, racer_frame* frame, traffic_view* view) {
    traffic_yield(racer, frame, view);
    traffic_choose(racer, frame, view);
    traffic_lay_way(racer, frame, view);
    racer->ahead.anew = false;
}

// Standing behind what stands, with nobody close behind it: then it had better back out.
static void watch_blocked(kerb_racer* racer, const racer_frame* frame, const traffic_view* view) {
    bool blocked = frame->pace < 0.5f && frame->traffic_speed < 1.0f;
    for (int32_t i = 0; i < view->count; i++)
        if (view->others[i].ahead < 0.0f && traffic_gap(view, &view->others[i]) < ROOM_BEHIND_LEAST)
            blocked = false;
    racer->traffic.blocked = blocked ? racer->traffic.blocked + frame->time_step : 0.0f;
}

void racer_traffic(kerb_racer* racer, racer_frame* frame, const kerb_surroundings* around) {
    if (is_alone(racer, around) || racer->memory.phase != KERB_RACER_DRIVES) {
        forget(racer);
        racer->ahead.anew = false;
        return;
    }
    kerb_surroundings nobody = kerb_surroundings_default();
    traffic_view view;
    bool thinks = is_time_to_think(racer, frame);
    traffic_look(racer, frame, around != NULL ? around : &nobody, thinks, &view);
    if (thinks)
        think(racer, frame, &view);
    traffic_follow(racer, frame, &view, thinks);
    traffic_remember(racer, frame, &view, thinks);
    watch_blocked(racer, frame, &view);
    racer_place here = racer_place_at(racer, frame->total);
    racer->traffic.way_offset = here.way;
    racer->traffic.way_slope = here.slope;
}
