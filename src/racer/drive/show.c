// Purpose: what a racer shows of its memory to the rooms above.
// Idea:    the bins ahead hold limits; the speed that is shown follows from the present speed, the
//          engine and these limits.
// Cost:    O(bins).
#include "../shared.h"

static int32_t show_slot_of(int32_t bin) {
    int32_t slot = bin % KERB_RACER_LOOKAHEAD_BINS;
    return slot < 0 ? slot + KERB_RACER_LOOKAHEAD_BINS : slot;
}

static kerb_vec3 show_place_of(const kerb_racer* racer, const kerb_racing_line* line, int32_t bin) {
    double at = (double)bin * (double)racer->memory.ahead.spacing;
    kerb_line_point p = kerb_racing_line_at(line, at);
    float sine, cosine, offset = racer->memory.ahead.offset[show_slot_of(bin)];
    kerb_sin_cos(p.heading, &sine, &cosine);
    double x = p.x, y = p.y;
    if (!line->closed && at > line->length) { // beyond the end the line goes straight on
        x += (at - line->length) * (double)cosine;
        y += (at - line->length) * (double)sine;
    }
    float level = offset * kerb_cos(p.bank);
    kerb_vec3 place = {(float)x - level * sine, (float)y + level * cosine,
                       (float)p.z + offset * kerb_sin(p.bank)};
    return place;
}

static float show_gain_at(const kerb_racer* racer, int32_t bin, float speed) {
    int32_t slot = show_slot_of(bin);
    const kerb_profile_point point = {racer->memory.ahead.spacing,
                                      racer->memory.ahead.curvature[slot],
                                      racer->memory.ahead.normal_curvature[slot],
                                      racer->memory.ahead.up_forward[slot],
                                      racer->memory.ahead.up_left[slot],
                                      racer->memory.ahead.up_normal[slot],
                                      racer->memory.ahead.grip[slot],
                                      KERB_SPEED_UNLIMITED};
    return kerb_driving_acceleration(&racer->memory.car, &point, speed);
}

// The last bin that the car has passed, clamped to the bins that are filled.
static int32_t show_bin_here(const kerb_racer* racer) {
    double at = racer->decision.total_distance / (double)racer->memory.ahead.spacing;
    if (!(at > (double)racer->memory.ahead.first))
        return racer->memory.ahead.first;
    if (at >= (double)racer->memory.ahead.end - 1.0)
        return racer->memory.ahead.end - 1;
    int32_t bin = (int32_t)at;
    return (double)bin > at ? bin - 1 : bin;
}

int32_t kerb_in_racer_path_ahead(const kerb_racer* racer, const kerb_racing_line* line,
                                 float square, racer_piece pieces[KERB_RACER_LOOKAHEAD_BINS]) {
    int32_t count = 0;
    if (!(racer->memory.ahead.spacing > 0.0f))
        return 0;
    float step = 2.0f * racer->memory.ahead.spacing;
    int32_t bin = show_bin_here(racer);
    kerb_vec3 from = show_place_of(racer, line, bin);
    for (; bin + 1 < racer->memory.ahead.end && count < KERB_RACER_LOOKAHEAD_BINS; bin++) {
        float free = square + step * show_gain_at(racer, bin, kerb_sqrt(square));
        float next = kerb_clamp(free, 0.0f, racer->memory.ahead.squared[show_slot_of(bin + 1)]);
        kerb_vec3 to = show_place_of(racer, line, bin + 1);
        pieces[count++] = (racer_piece){from, to, (next - square) / step};
        square = next;
        from = to;
    }
    return count;
}
