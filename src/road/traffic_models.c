// Purpose: models of drivers: car following, the speed from which one can still stop, speed wanted.
// Source:  Kesting, Treiber, Helbing 2010, "Enhanced intelligent driver model to assess the impact
//          of driving strategies on traffic capacity"; Gipps 1981, "A behavioural car-following
//          model for computer simulation".
// Cost:    O(1), two square roots.
#include "traffic_parts.h"

// Weight of the constant-acceleration heuristic (Kesting et al. 2010, table 1).
static const float coolness = 0.99f;
// Shortest gap with which the model is computed, so that it stays finite. [m]
static const float model_gap_min = 0.1f;

// Slowest speed with which a time of arrival is computed, so that it stays finite. [m/s]
static const float arrival_speed_min = 0.5f;

float kerb_in_safe_speed(float v, float gap, float v_ahead, float b, float b_ahead, float dt) {
    // (v + v') / 2 * dt + v'^2 / (2 b) <= gap + v_ahead^2 / (2 b_ahead), solved for v'.
    float way = gap + v_ahead * v_ahead / (2 * b_ahead);
    float half = 0.5f * b * dt;
    float under = half * half + 2 * b * way - b * dt * v;
    return under <= half * half ? 0.0f : kerb_sqrt(under) - half;
}

float kerb_in_free_road(const city_car* c, const kerb_traffic_type* type, float v_wanted) {
    if (c->v > v_wanted)
        return kerb_max(-type->deceleration, v_wanted - c->v);
    float r = c->v / v_wanted, r2 = r * r;
    return c->acceleration * (1 - r2 * r2);
}

// Hyperbolic tangent by its continued fraction, within 0.003 and never beyond 1: smooth enough for
// a blend of two accelerations.
static float soft_limit(float x) {
    float x2 = x * x;
    return kerb_clamp(x * (15 + x2) / (15 + 6 * x2), -1, 1);
}

static float constant_acceleration(float v, float gap, float v_ahead, float a_ahead, float a) {
    float al = kerb_min(a_ahead, a), dv = v - v_ahead;
    if (v_ahead * dv <= -2 * gap * al) {
        float below = v_ahead * v_ahead - 2 * gap * al;
        return below > 0 ? v * v * al / below : al;
    }
    return dv > 0 ? al - dv * dv / (2 * gap) : al;
}

float kerb_in_follow(const city_car* c, const kerb_traffic_type* type, float v_wanted, float gap,
                     float v_ahead, float a_ahead) {
    float free_road = kerb_in_free_road(c, type, v_wanted);
    gap = kerb_max(gap, model_gap_min);
    float a = c->acceleration, b = type->deceleration;
    float brake = c->v * (c->v - v_ahead) / (2 * kerb_sqrt(a * b));
    float wanted = type->min_gap + kerb_max(0, c->v * c->time_gap + brake);
    float ratio = wanted / gap, idm = free_road - a * ratio * ratio;
    float cah = constant_acceleration(c->v, gap, v_ahead, a_ahead, a);
    if (idm >= cah)
        return idm;
    return (1 - coolness) * idm + coolness * (cah + b * soft_limit((idm - cah) / b));
}

float kerb_in_wanted_speed(const city_view* t, const city_car* c, int32_t segment) {
    const net_segment* s = &t->net.segments[segment];
    float v = kerb_min(s->speed_limit * c->speed_factor, t->head->types[c->type].top_speed);
    if (s->curvature > 0)
        v = kerb_min(v, kerb_sqrt(t->head->settings.turn_acceleration / s->curvature));
    return v;
}

float kerb_in_time_to_drive(float way, float v, float a, float v_max) {
    if (v >= v_max || a <= 0)
        return way / kerb_max(v, arrival_speed_min);
    float reach = (v_max * v_max - v * v) / (2 * a);
    if (way <= reach)
        return (kerb_sqrt(v * v + 2 * a * way) - v) / a;
    return (v_max - v) / a + (way - reach) / v_max;
}
