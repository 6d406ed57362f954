// Purpose: which vehicle gives way where a road is too narrow for two beside a stopped vehicle.
// Idea:    The one that has the obstacle on its own side of the road gives way, and one that is
//          beside it already goes on. They cannot communicate, so they take turns: each backs off
//          after another time, and rays say how far it can. First a vehicle that has pulled out but
//          is not beside the obstacle yet; then the one in its own lane, and all behind it as it
//          comes nearer to them; last the one beside the obstacle. A vehicle that was seen to drive
//          and is at standstill now waits for another: it is not passed where others come, or each
//          of a queue would pull out and close the way back.
// Cost:    O(1).
#include "yield.h"

// A vehicle that stops is taken to wait for this time. [s]
#define YIELD_WAITS 40.0f
// Greatest change of a vehicle's speed from one frame to the next; more means another vehicle.
// [m/s]
#define SAME_SPEED 2.0f
// A vehicle faster than this drives. [m/s]
#define DRIVES 1.0f
// A vehicle that came, and moves away slower than this, backs off. [m/s]
#define BACKS 3.0f
// Distance between the stopped vehicle and the one that goes round it. [m]
#define YIELD_CLEAR 2.0f
// Face to face, the vehicle in its own lane backs off after OWN_LANE_AFTER; the one beside an
// obstacle after BESIDE_AFTER, and longer for the distance that it has to back off: by then the
// other one cannot. [s], [s], [s/m], [m]
#define OWN_LANE_AFTER 2.0f
#define BESIDE_AFTER 5.0f
#define BESIDE_LONGER 0.4f
#define BESIDE_MOST 15.0f
// Tries to get out count up to this number: it is not stuck, others are in its path. [1]
#define TRIES_COUNTED 2

void kerb_in_lane_mind_who_waits(kerb_lane_keeper* keeper, const lane_seen* seen, float time_step) {
    float* waits = &keeper->memory.other.waits;
    if (!seen->vehicle || seen->comes_in) { // out of sight, or another vehicle before it
        lane_lose_who_waits(keeper, time_step);
        return;
    }
    kerb_vec2 off = kerb_vec2_sub(seen->place, keeper->memory.other.place);
    const bool same = kerb_vec2_length(off) < keeper->vehicle.length &&
                      kerb_abs(seen->vehicle_speed - keeper->memory.other.speed) < SAME_SPEED;
    if (!same) {
        *waits = keeper->memory.other.faced = 0.0f;
        keeper->memory.other.came = false;
    }
    keeper->memory.other.place = seen->place;
    keeper->memory.other.speed = seen->vehicle_speed;
    if (kerb_abs(seen->vehicle_speed) > DRIVES) {
        *waits = YIELD_WAITS;
        keeper->memory.other.came =
            seen->vehicle_speed < (keeper->memory.other.came ? BACKS : 0.0f);
    } else
        *waits = kerb_max(*waits - time_step, 0.0f);
}

float kerb_in_lane_room_to_let_in(const kerb_lane_keeper* keeper, float pull_in) {
    return 2.0f * keeper->vehicle.length + YIELD_CLEAR + pull_in;
}

static bool is_face_to_face(const kerb_lane_keeper* keeper, const lane_seen* seen) {
    return seen->vehicle && keeper->memory.other.came && keeper->memory.other.waits > 0.0f;
}

// Keeps the number of tries one below that at which it gives up.
static void count_few_tries(kerb_lane_keeper* keeper) {
    int32_t most = keeper->settings.stuck.tries - 1;
    if (most > TRIES_COUNTED)
        most = TRIES_COUNTED;
    if (most >= 0 && keeper->memory.stuck.tries > most)
        keeper->memory.stuck.tries = most;
}

bool kerb_in_lane_is_its_turn_to_back_off(kerb_lane_keeper* keeper, const lane_seen* seen,
                                          bool aside, float wish, float time_step) {
    const bool stands = wish <= LANE_CREEPS && seen->vehicle &&
                        kerb_abs(seen->vehicle_speed) < LANE_CREEPS &&
                        (aside ? keeper->memory.other.came || !(keeper->memory.other.waits > 0.0f)
                               : is_face_to_face(keeper, seen) &&
                                     seen->gap < kerb_in_lane_room_to_let_in(keeper, 0.0f));
    if (!stands) {
        keeper->memory.other.faced = 0.0f;
        return false;
    }
    keeper->memory.other.faced += time_step;
    if (keeper->memory.stuck.phase == KERB_STUCK_FREE && is_face_to_face(keeper, seen))
        count_few_tries(keeper);
    float after = aside ? 0.0f : OWN_LANE_AFTER;
    if (aside && keeper->memory.round_gap < 0.0f && is_face_to_face(keeper, seen))
        after = BESIDE_AFTER + BESIDE_LONGER * kerb_min(-keeper->memory.round_gap, BESIDE_MOST);
    return keeper->memory.other.faced >= after;
}
