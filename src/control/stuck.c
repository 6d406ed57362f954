// Detects that a vehicle no longer makes progress, and gets it out. EA section II names the idea
// (reverse for a while, else teleport). The steps here are one try after another, each a little
// different, until the driver requests a teleport from the host.
//
//     free → stuck? → back out, nose towards the line → free → … to the other side → … farther →
//     ask
//
// A stuck vehicle and a waiting one differ by `wants_to_move`: the driver knows when it means to be
// at standstill. A stuck vehicle and one on a slow hill differ by movement: 0.15 m within the
// patience is still driving. O(1).
#include "setting_rows.h"

// Chosen by trial.
#define STILL_MOVES 0.15f   // a vehicle that moves this far within the patience is not stuck [m]
#define ENOUGH_PROGRESS 2.0 // a vehicle that gains less along the line within CIRCLING is stuck [m]
#define CIRCLING 12.0f      // time for ENOUGH_PROGRESS [s]
#define PAST_IT 5.0         // progress after which the tries are forgotten [m]
#define BACK_OUT_MOST 4.0f  // longest time of one try [s]

static const kerb_setting stuck_rows[] = {CONTROL_STUCK_ROWS("", 0, "")};
const kerb_settings_table kerb_stuck_settings_table = {
    "kerb_stuck_settings", sizeof(kerb_stuck_settings), stuck_rows,
    (int32_t)(sizeof stuck_rows / sizeof stuck_rows[0])};

static void stuck_enter(kerb_stuck* stuck, kerb_stuck_phase phase) {
    stuck->phase = (int32_t)phase;
    stuck->phase_time = stuck->distance_moved = stuck->still_time = stuck->circling_time = 0.0f;
}

static bool is_stuck(kerb_stuck* stuck, const kerb_stuck_settings* settings, double progress,
                     float speed, bool presses, float time_step) {
    if (!presses) {
        stuck->still_time = stuck->distance_moved = 0.0f;
        return false;
    }
    stuck->still_time += time_step;
    stuck->circling_time += time_step;
    stuck->distance_moved += kerb_abs(speed) * time_step;
    if (stuck->distance_moved >= STILL_MOVES)
        stuck->still_time = stuck->distance_moved = 0.0f;
    if (progress >= stuck->progress_mark + ENOUGH_PROGRESS) {
        stuck->progress_mark = progress;
        stuck->circling_time = 0.0f;
    }
    return stuck->still_time >= settings->patience || stuck->circling_time >= CIRCLING;
}

// The first try turns the nose towards the line, the second away from it, and so on. From the third
// on it drives farther.
static void begin_try(kerb_stuck* stuck, const kerb_stuck_settings* settings, float turn) {
    if (stuck->tries >= settings->tries) {
        stuck_enter(stuck, KERB_STUCK_TELEPORT);
        return;
    }
    float towards = turn >= 0.0f ? 1.0f : -1.0f;
    stuck->side = stuck->tries % 2 == 0 ? towards : -towards;
    if (settings->recovery == KERB_RECOVERY_SIMPLE)
        stuck->side = 0.0f;
    stuck->tries++;
    stuck_enter(stuck, KERB_STUCK_BACK_OUT);
}

static bool backed_out(kerb_stuck* stuck, const kerb_stuck_settings* settings, float speed,
                       float time_step) {
    stuck->distance_moved += kerb_max(-speed, 0.0f) * time_step;
    stuck->still_time = speed < -0.1f ? 0.0f : stuck->still_time + time_step;
    float distance = settings->distance * (stuck->tries > 2 ? 2.0f : 1.0f);
    return stuck->distance_moved >= distance || stuck->phase_time >= BACK_OUT_MOST ||
           stuck->still_time >= 1.5f; // it cannot move back either
}

void kerb_stuck_request_teleport(kerb_stuck* stuck) {
    stuck_enter(stuck, KERB_STUCK_TELEPORT);
}

kerb_stuck_phase kerb_stuck_watch(kerb_stuck* stuck, const kerb_stuck_settings* settings,
                                  double progress, float speed, bool wants_to_move,
                                  float heading_change, float time_step) {
    if (settings->recovery == KERB_RECOVERY_NONE)
        return KERB_STUCK_FREE;
    stuck->phase_time += time_step;
    if (stuck->tries > 0 && progress >= stuck->stuck_progress + PAST_IT)
        stuck->tries = 0;
    switch (stuck->phase) {
    case KERB_STUCK_FREE:
        if (is_stuck(stuck, settings, progress, speed, wants_to_move, time_step)) {
            // A vehicle that goes to and fro has been farther already: it counts from there.
            if (stuck->tries == 0)
                stuck->stuck_progress =
                    progress > stuck->progress_mark ? progress : stuck->progress_mark;
            begin_try(stuck, settings, heading_change);
        }
        break;
    case KERB_STUCK_BACK_OUT:
        if (backed_out(stuck, settings, speed, time_step))
            stuck_enter(stuck, KERB_STUCK_FREE);
        break;
    case KERB_STUCK_TELEPORT:
        if (stuck->phase_time >= settings->request_time)
            stuck_enter(stuck, KERB_STUCK_GIVEN_UP);
        break;
    default:
        break;
    }
    return (kerb_stuck_phase)stuck->phase;
}
