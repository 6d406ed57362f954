// Purpose: when a goal that moves is met first.
// Idea:    A time is late enough where the fastest plan to the goal's place at that time takes no
//          longer. Times are tried until one is late enough. Between it and the latest one that was
//          not, a root of "late" is found by regula falsi, with a bisection in each third try,
//          because the time of a fastest plan is not continuous. A root is sought a little on the
//          late side, so that the last plan is mostly the one to keep.
// Cost:    O(1) a time.
// Source:  AIPATH 6.3.
#include "meet.h"

#include "../../base/shared.h"

// Between two times that are too early, at most this share of the time is skipped, and this time.
#define MEET_STRIDE 0.5f
#define MEET_STRIDE_MIN 1.0f

void kerb_in_meet_begin(kerb_plan_meeting_search* s, float first, float horizon, float accuracy) {
    *s = (kerb_plan_meeting_search){.horizon = horizon,
                                    .accuracy = accuracy,
                                    .trying = first,
                                    .low = first,
                                    .low_late = KERB_PLAN_NEVER,
                                    .before_late = KERB_PLAN_NEVER,
                                    .high = -1.0f,
                                    .nearest = -1.0f,
                                    .late = KERB_PLAN_NEVER};
}

// The next time to try where none is late enough yet: when the latest plan would arrive, or when it
// would no longer be late if that went on as between the last two times, as behind a goal that is
// nearly as fast. But not much later than the times that are known to be too early.
static float meet_later(const kerb_plan_meeting_search* s) {
    float most = s->low + kerb_max(MEET_STRIDE_MIN, MEET_STRIDE * s->low);
    float gained = s->before_late - s->low_late, rest = s->low_late;
    if (s->before_late < 0.5f * KERB_PLAN_NEVER && gained > 0.0f)
        rest = kerb_max(rest, rest * (s->low - s->before) / gained);
    return kerb_min(kerb_min(s->low + rest + 0.5f * s->accuracy, most), s->horizon);
}

// The next time to try between one that is too early and one that is not.
static float meet_between(const kerb_plan_meeting_search* s) {
    float width = s->high - s->low, share = 0.5f;
    if (s->low_late < 0.5f * KERB_PLAN_NEVER && s->tries % 3 != 0)
        share = (s->low_late + 0.5f * s->accuracy) / (s->low_late + s->high_early);
    return s->low + kerb_clamp(share, 0.1f, 0.9f) * width;
}

static meet_next meet_go_on(kerb_plan_meeting_search* s) {
    bool is_spent = s->tries >= KERB_PLAN_CHASE_TRIES_MAX;
    if (s->high >= 0.0f) {
        bool is_near = is_spent || s->high - s->low <= s->accuracy;
        s->trying = is_near ? s->high : meet_between(s);
        return is_near ? MEET_AGAIN : MEET_TRY;
    }
    if (!is_spent && s->low < s->horizon) {
        s->trying = meet_later(s);
        return MEET_TRY;
    }
    s->trying = s->nearest;
    return s->nearest >= 0.0f ? MEET_AGAIN : MEET_NONE;
}

static meet_next meet_note_late(kerb_plan_meeting_search* s, float late, bool waits) {
    bool is_plan = late < 0.5f * KERB_PLAN_NEVER;
    s->early = -late;
    if (is_plan && waits) {
        s->trying += late;
        s->early = 0.0f;
        return MEET_KEEP;
    }
    if (late < s->late) {
        s->late = late;
        s->nearest = s->trying;
    }
    s->before = s->low;
    s->before_late = s->low_late;
    s->low = s->trying;
    s->low_late = late;
    bool is_last = s->high < 0.0f && s->low >= s->horizon;
    return is_last && is_plan ? MEET_KEEP : meet_go_on(s);
}

static meet_next meet_note_early(kerb_plan_meeting_search* s, float early) {
    s->high = s->trying;
    s->early = s->high_early = early;
    if (early <= s->accuracy || s->high - s->low <= s->accuracy ||
        s->tries >= KERB_PLAN_CHASE_TRIES_MAX)
        return MEET_KEEP;
    return meet_go_on(s);
}

meet_next kerb_in_meet_note(kerb_plan_meeting_search* s, float early, bool waits) {
    return early >= 0.0f ? meet_note_early(s, early) : meet_note_late(s, -early, waits);
}
