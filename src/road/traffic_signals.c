// Purpose: signals: fixed programmes, and green that lasts while vehicles come.
// Cost:    O(signals), and for an actuated signal O(its turns) while it may be prolonged.
#include "traffic_parts.h"

// An actuated phase ends when no vehicle would reach the line within this time. [s]
static const float detector_time = 3.0f;

// Shortest green when rescue services come another way. [s]
static const float green_min = 3.0f;

// A signal behind a lane too short to stand on must not turn red until so long after the vehicle
// comes there, if nobody holds it up, [s]
static const float red_margin = 1.5f;
// unless it has waited for so many times its patience. [1]
static const float red_patience = 3.0f;

static bool is_red(char letter) {
    return letter == 'r' || letter == 'u';
}

static bool is_green(char letter) {
    return letter == 'g' || letter == 'G';
}

// Slowest speed with which the time to the line is computed: queues move on. [m/s]
static const float queue_speed = 2.0f;

// The first vehicle without a claim would soon reach the line, and takes this turn.
static bool vehicle_is_near_line(const city_view* t, int32_t turn) {
    int32_t lane = t->net.turns[turn].from, node = t->lanes[lane].first;
    while (node >= 0 && car_goes_on(node_car(t, node)))
        node = node_car(t, node)->behind[node & 1];
    if (node < 0 || node_car(t, node)->next_turn != turn)
        return false;
    const city_car* c = node_car(t, node);
    return car_rest(t, c) <= kerb_max(c->v, queue_speed) * detector_time;
}

static bool green_is_used(const city_view* t, int32_t signal) {
    const kerb_network_signal* s = &t->net.signals[signal];
    const kerb_network_phase* p = &t->net.phases[s->first_phase + t->signals[signal].phase];
    for (int32_t i = t->net.signal_first[signal]; i < t->net.signal_first[signal + 1]; i++) {
        int32_t turn = t->net.signal_turns[i];
        if (is_green(t->net.states[p->first_state + t->net.turns[turn].link]) &&
            vehicle_is_near_line(t, turn))
            return true;
    }
    return false;
}

// What rescue services on their way ask of the phase now.
typedef enum rescue_wish { RESCUE_NONE, RESCUE_HOLDS, RESCUE_SHORTENS } rescue_wish;

static rescue_wish rescue_wishes(const city_view* t, int32_t signal) {
    const kerb_network_signal* s = &t->net.signals[signal];
    const kerb_network_phase* p = &t->net.phases[s->first_phase + t->signals[signal].phase];
    rescue_wish wish = RESCUE_NONE;
    for (int32_t i = t->net.signal_first[signal]; i < t->net.signal_first[signal + 1]; i++) {
        int32_t turn = t->net.signal_turns[i];
        if (kerb_in_rescue_turn(t, t->net.turns[turn].from) != turn)
            continue;
        if (is_green(t->net.states[p->first_state + t->net.turns[turn].link]))
            return RESCUE_HOLDS;
        wish = RESCUE_SHORTENS;
    }
    return wish;
}

static bool phase_is_green(const city_view* t, int32_t signal) {
    const kerb_network_signal* s = &t->net.signals[signal];
    const kerb_network_phase* p = &t->net.phases[s->first_phase + t->signals[signal].phase];
    bool any = false;
    for (int32_t i = 0; i < s->link_count; i++) {
        char letter = t->net.states[p->first_state + i];
        if (letter == 'y')
            return false;
        any = any || is_green(letter);
    }
    return any;
}

static float phase_length(const city_view* t, int32_t signal) {
    const kerb_network_signal* s = &t->net.signals[signal];
    const kerb_network_phase* p = &t->net.phases[s->first_phase + t->signals[signal].phase];
    rescue_wish wish = t->head->rescue_types > 0 ? rescue_wishes(t, signal) : RESCUE_NONE;
    if (wish == RESCUE_HOLDS)
        return KERB_IN_NO_LIMIT;
    if (wish == RESCUE_SHORTENS && phase_is_green(t, signal))
        return kerb_min(p->duration, green_min);
    if (!s->actuated || !(p->max > p->min) || p->min <= 0)
        return p->duration;
    float age = (float)t->head->time - t->signals[signal].since;
    if (age < p->min)
        return p->min;
    return age < p->max && green_is_used(t, signal) ? p->max : p->min;
}

void kerb_in_traffic_signals(city_view* t) {
    for (int32_t i = 0; i < t->head->signal_count; i++) {
        signal_state* state = &t->signals[i];
        float length = phase_length(t, i);
        if ((float)t->head->time - state->since < length - 0.5f * t->dt)
            continue;
        float age = (float)t->head->time - state->since;
        // A programme whose phase rescue services have held or cut short goes on from there.
        bool moved = t->head->rescue_types > 0 && kerb_abs(age - length) > t->dt;
        state->since += t->net.signals[i].actuated || moved ? age : length;
        state->phase = (state->phase + 1) % t->net.signals[i].phase_count;
    }
}

char kerb_in_traffic_letter(const city_view* t, int32_t turn) {
    const net_turn* n = &t->net.turns[turn];
    if (n->signal < 0)
        return 'O';
    const kerb_network_signal* s = &t->net.signals[n->signal];
    const kerb_network_phase* p = &t->net.phases[s->first_phase + t->signals[n->signal].phase];
    return t->net.states[p->first_state + n->link];
}

// Shortest time that a phase of a signal lasts.
static float phase_shortest(const city_view* t, int32_t signal, int32_t phase) {
    const kerb_network_signal* s = &t->net.signals[signal];
    const kerb_network_phase* p = &t->net.phases[s->first_phase + phase];
    return s->actuated && p->max > p->min && p->min > 0 ? p->min : p->duration;
}

char kerb_in_traffic_letter_after(const city_view* t, int32_t turn, float time) {
    const net_turn* n = &t->net.turns[turn];
    if (n->signal < 0)
        return 'O';
    const kerb_network_signal* s = &t->net.signals[n->signal];
    const signal_state* now = &t->signals[n->signal];
    int32_t phase = now->phase;
    float rest = phase_length(t, n->signal) - ((float)t->head->time - now->since);
    for (int32_t i = 0; i < s->phase_count && rest < time; i++) {
        phase = (phase + 1) % s->phase_count;
        rest += phase_shortest(t, n->signal, phase);
    }
    return t->net.states[t->net.phases[s->first_phase + phase].first_state + n->link];
}

// Some phase of its signal lets vehicles enter the turn.
static bool is_ever_open(const city_view* t, int32_t turn) {
    const net_turn* n = &t->net.turns[turn];
    if (n->signal < 0)
        return true;
    const kerb_network_signal* s = &t->net.signals[n->signal];
    for (int32_t i = 0; i < s->phase_count; i++) {
        char letter = t->net.states[t->net.phases[s->first_phase + i].first_state + n->link];
        if (!is_red(letter) && letter != 'y')
            return true;
    }
    return false;
}

bool kerb_in_comes_at_red(const city_view* t, const city_car* c, int32_t turn, float way) {
    return kerb_in_turns_red(t, c, turn, way) &&
           (c->waited <= red_patience * t->head->settings.patience || !is_ever_open(t, turn));
}

bool kerb_in_turns_red(const city_view* t, const city_car* c, int32_t turn, float way) {
    if (t->net.turns[turn].signal < 0 || c->next_turn < 0 || car_has_priority(t, c))
        return false;
    float v_max = kerb_in_wanted_speed(t, c, t->head->lane_count + c->next_turn);
    float time = kerb_in_time_to_drive(way, c->v, c->acceleration, v_max);
    return is_red(kerb_in_traffic_letter_after(t, turn, time)) ||
           is_red(kerb_in_traffic_letter_after(t, turn, time + red_margin));
}
