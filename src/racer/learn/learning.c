// Purpose: a racing driver learns lap by lap where the line has more or less grip than the host
//          gives.
// Idea:    Each section of the line (bin) has a share of the grip, which is planned with there. A
//          bend driven as planned, with slip to spare, raises its bin a little. A grip measured at
//          the limit or in a slide sets the bin. Where the car was too fast, the bins of the last
//          seconds fall. Steps are small, so that one error, push or wet wheel teaches little. The
//          time after trouble, near other cars, or off the line teaches nothing.
// Cost:    O(1) a frame, O(bins) when a bin is left; nothing when it is off.
#include "learning_parts.h"

#include "../skill/skill.h"

#include <string.h>

// With a larger lane shift it drives another line. [1]
#define LANE_MOST 0.02f
// A change of velocity of more than this many times the grip means that something pushed the car.
// [1]
#define LEARNING_PUSHED 2.5f

static bool was_pushed(const kerb_racer* racer, const racer_frame* frame) {
    kerb_vec3 change = kerb_vec3_sub(frame->motion->velocity, racer->memory.learnt.velocity);
    float most = LEARNING_PUSHED * frame->grip_aside * frame->time_step + 0.5f;
    return kerb_vec3_dot(change, change) > most * most;
}

// It drives the line for itself, undisturbed, as well as it can.
static bool learning_is_itself(const kerb_racer* racer, const racer_frame* frame) {
    return racer->memory.phase == KERB_RACER_DRIVING && !racer->memory.traffic.active &&
           kerb_abs(racer->memory.lane) < LANE_MOST && racer->memory.skill.near <= 0.0f &&
           !frame->past_end && frame->speed > 5.0f &&
           !kerb_in_racer_skill_errs(racer, frame->line, frame->total);
}

static void learning_forget(kerb_racer* racer, const kerb_racing_line* line) {
    memset(&racer->memory.learnt, 0, sizeof racer->memory.learnt);
    racer->memory.learnt.length = line->length;
    racer->memory.learnt.count = line->count;
    racer->memory.learnt.common = 1.0f;
    racer->memory.learnt.pause = LEARNING_PAUSE;
    racer->memory.learnt.quiet = LEARNING_CHAIN_TIME;
    racer->memory.learnt.away = 1;
}

static void enter_bin(kerb_racer* racer, const racer_frame* frame) {
    int32_t count = kerb_in_learning_bins_of(racer, frame->line);
    float place = (float)(racer->memory.distance / frame->line->length) * (float)count;
    int32_t bin = (int32_t)kerb_clamp(place, 0.0f, (float)(count - 1));
    if (bin == racer->memory.learnt.bin)
        return;
    kerb_in_learning_leave_bin(racer, frame);
    kerb_in_learning_leave_time(racer, frame->line);
    racer->memory.learnt.bin = bin;
    racer->memory.learnt.driven = racer->memory.learnt.slip = 0.0f;
    racer->memory.learnt.lost = racer->memory.learnt.lost_use = 0.0f;
}

// Another car, or a push, had a part in what happened: it learns nothing for a while.
static void watch_others(kerb_racer* racer, const racer_frame* frame) {
    bool pushed = was_pushed(racer, frame);
    racer->memory.learnt.velocity = frame->motion->velocity;
    if (!pushed && racer->memory.skill.near <= 0.0f)
        return;
    racer->memory.learnt.pause = LEARNING_PAUSE;
    racer->memory.learnt.chain = 0.0f;
    racer->memory.learnt.quiet = LEARNING_CHAIN_TIME;
}

static void forget_section(kerb_racer* racer) {
    racer->memory.learnt.driven = racer->memory.learnt.slip = 0.0f;
    racer->memory.learnt.lost = racer->memory.learnt.lost_use = 0.0f;
    racer->memory.learnt.bad = racer->memory.learnt.lasting = racer->memory.learnt.slides = 0.0f;
}

// The host put the car elsewhere: what it measured in this section and in the last seconds says
// nothing about the new place. What it has learned stays.
static void forget_place(kerb_racer* racer) {
    forget_section(racer);
    racer->memory.learnt.along = racer->memory.learnt.aside = 0.0f;
    racer->memory.learnt.use = racer->memory.learnt.use_now = 0.0f;
    racer->memory.learnt.edge_slip = racer->memory.learnt.chain = 0.0f;
    racer->memory.learnt.quiet = LEARNING_CHAIN_TIME;
    racer->memory.learnt.pause = LEARNING_PAUSE;
    racer->memory.learnt.away = 1; // off the track it has not left it here
}

// True: this frame teaches nothing, because the car did not drive here. A frame later it is known
// whether that was a glitch of the host: back where it was, the car drives on in the same section.
static bool is_put(kerb_racer* racer, const racer_frame* frame) {
    if (frame->elsewhere) {
        racer->memory.learnt.velocity = frame->motion->velocity;
        racer->memory.learnt.put = 1;
        return true;
    }
    if (racer->memory.learnt.put == 0)
        return false;
    racer->memory.learnt.put = 0;
    float since = kerb_abs((float)(frame->total - racer->memory.before_jump));
    if (since > racer->vehicle.length + 3.0f * racer->memory.since_jump * frame->pace)
        forget_place(racer);
    return false;
}

void kerb_in_racer_learn(kerb_racer* racer, const racer_frame* frame) {
    if (!kerb_in_learning_is_on(racer))
        return;
    if (!kerb_in_learning_is_for(racer, frame->line))
        learning_forget(racer, frame->line);
    else if (is_put(racer, frame))
        return;
    kerb_in_learning_follow_chain(racer, frame);
    kerb_in_learning_watch_grip(racer, frame);
    watch_others(racer, frame);
    racer->memory.learnt.pause = kerb_max(racer->memory.learnt.pause - frame->time_step, 0.0f);
    if (racer->decision.off_track)
        kerb_in_learning_leave_track(racer, frame, learning_is_itself(racer, frame));
    if (racer->memory.learnt.pause > 0.0f || !learning_is_itself(racer, frame)) {
        forget_section(racer);
        enter_bin(racer, frame);
        kerb_in_learning_forget_time(racer);
        return;
    }
    racer->memory.learnt.away = 0;
    racer_place here = racer_place_of(racer, frame->spot);
    enter_bin(racer, frame);
    kerb_in_learning_take_time(racer, frame->time_step);
    kerb_in_learning_watch_trouble(racer, frame, &here);
    kerb_in_learning_watch_bend(racer, frame, &here);
    kerb_in_learning_watch_limit(racer, frame, &here);
}
