// Purpose: the company: bots round a player, by their places along the road.
//
// Each lane of the player's direction is a row. The bots ahead of the player have places one, two,
// three spacings ahead, those behind it the same distances back; in the player's own lane the
// player has a place too. A bot drives at the company's pace, slightly more or less as it is behind
// or before its place. So the row moves with the player and is dense where the player is. The pace
// is the player's smoothed speed, and more while a bot holds the player up: then the row ahead
// speeds up, and the bot right ahead leaves the lane where the next one has a gap.
//
//      behind (mirror)        player                                   hidden_ahead
//     ──┤ b ─ b ─ b ─ b ─ b ─ [P] ─ b ─ b ─ b ─ b ─ b ─ b ─ b ─ b ──────┤ new ones
//
// A row that is longer on one side than on the other by two moves its last bot, once nobody sees
// it, to the other end. Oncoming bots that have passed begin again ahead.
//
// Cost:    O(count²), count is small.
// Source:  N. Augustin, "The simple maths behind bot cars" (2019), "The challenge"; the post names
//          it and leaves it open.
#include "kerb/lane_company.h"

#include "../base/shared.h"
#include "../vehicle/shared.h"

#include <string.h>

// No vehicle on a road is faster: the host's number is wrong. [m/s]
#define COMPANY_SPEED_MOST 1000.0f
// Time constants with which the pace follows the player's speed: faster up than down, so that the
// road does not brake with the player. [s]
#define PACE_UP 1.5f
#define PACE_DOWN 3.0f
// While it holds the player up, the row accelerates by this. [m/s²]
#define DRIVE_ON 1.5f
// Closer than this time plus distance behind a bot, and not much slower, the player is held up.
// [s], [m]
#define COMPANY_CLOSE_TIME 1.1f
#define CLOSE_LEAST 8.0f
// A slower player holds others up. [m/s]
#define SLOW_PLAYER 8.0f
// Bots within this distance behind a slow player change lanes. [m]
#define BEHIND_PLAYER 45.0f
// Time from one order to change lanes to the next, over all bots and for one bot. [s]
#define CHANGE_PAUSE 1.5f
#define CHANGE_AGAIN 6.0f
// An order that did not begin within this time is taken back. [s]
#define CHANGE_WAITS 3.0f
// A bot farther than this from its lane's middle is between two lanes. [m]
#define BETWEEN 0.6f
// Clearance that a lane change needs behind and ahead: a distance, and a time of the difference in
// speed. [m], [s]
#define COMPANY_ROOM_LEAST 6.0f
#define COMPANY_ROOM_TIME 3.0f
// A bot farther than this from its last position was moved by the host. [m]
#define COMPANY_JUMP 20.0f
// Where the host refused a place, the next one is this much farther, up to this distance. [m]
#define TRY_FARTHER 12.0f
#define TRY_MOST 300.0f
#define IN_GAP 0.01f // more than a place's rounding [m]
// A road is busy with this number of bots within this distance of the player, both ways. Where the
// rows alongside have too few, oncoming bots are slower and closer together, but not slower than
// COMES_LEAST. [1], [m], [m/s]
#define BUSY 15.0f
#define BUSY_WITHIN 100.0f
#define COMES_LEAST 9.0f
// A row must be longer on one side by this number of bots before its last one moves. [1]
#define UNEVEN 2

void kerb_lane_company_init(kerb_lane_company* company) {
    KERB_ASSERT(company);
    memset(company, 0, sizeof *company);
    company->settings = kerb_lane_company_settings_default();
}

kerb_lane_company kerb_lane_company_make(void) {
    kerb_lane_company company;
    kerb_lane_company_init(&company);
    return company;
}

size_t kerb_lane_company_bytes(void) {
    _Static_assert(_Alignof(kerb_lane_company) <= KERB_IN_SAVED_ALIGNMENT, "as hosts are promised");
    return sizeof(kerb_lane_company);
}

size_t kerb_lane_company_save(const kerb_lane_company* company, void* block, size_t capacity) {
    return kerb_in_save("kerb_lane_company", company, sizeof *company, block, capacity);
}

kerb_result kerb_lane_company_load(kerb_lane_company* company, const void* block, size_t size,
                                   kerb_error* error) {
    return kerb_in_load("kerb_lane_company", company, sizeof *company, block, size, error);
}

static bool is_present(const kerb_lane_bot* bot) {
    return kerb_abs(bot->distance_ahead) <= KERB_POSITION_MAX &&
           kerb_abs(bot->speed) <= COMPANY_SPEED_MOST &&
           kerb_abs(bot->edge_distance) <= KERB_POSITION_MAX;
}

static float company_middle_of(const kerb_lane_company* company, int32_t lane) {
    return ((float)lane + 0.5f) * company->settings.lane_width;
}

static int32_t lanes_of(const kerb_lane_company* company, bool oncoming) {
    return oncoming ? company->settings.oncoming_lanes : company->settings.lanes;
}

static int32_t lane_at(const kerb_lane_company* company, float edge_distance, bool oncoming) {
    int32_t lanes = lanes_of(company, oncoming);
    float most = lanes > 1 ? (float)lanes - 0.5f : 0.5f;
    return (int32_t)kerb_clamp(edge_distance / company->settings.lane_width, 0.0f, most);
}

// Distance from one bot of a lane to the next, nose to nose, at a speed. [m]
static float spacing_at(const kerb_lane_company* company, float speed) {
    const kerb_lane_company_settings* settings = &company->settings;
    float wanted = settings->bot_length + settings->gap_min + settings->gap_time * speed;
    return kerb_max(wanted, settings->spacing_min);
}

// Speed of oncoming bots at which there are enough of them. [m/s]
static float comes_at(const kerb_lane_company* company, float pace) {
    const kerb_lane_company_settings* settings = &company->settings;
    float beside = 2.0f * BUSY_WITHIN * (float)settings->lanes / spacing_at(company, pace);
    float spacing =
        2.0f * BUSY_WITHIN * (float)settings->oncoming_lanes / kerb_max(BUSY - beside, 0.1f);
    float speed = (spacing - settings->bot_length - settings->gap_min) / settings->gap_time;
    return kerb_min(kerb_max(speed, COMES_LEAST), settings->oncoming_speed);
}

// True: a vehicle at this distance from the edge is in a lane, at least with a part.
static bool is_in(const kerb_lane_company* company, float edge_distance, int32_t lane) {
    return kerb_abs(edge_distance - company_middle_of(company, lane)) <
           company->settings.lane_width - BETWEEN;
}

// --------------------------------------------------------------------------- the frame

typedef struct company_frame {
    kerb_lane_company* company;
    const kerb_lane_player* player;
    const kerb_lane_bot* bots;
    kerb_lane_order* orders;
    int32_t count;
    int32_t player_lane;
    int32_t holds_up; // bot right ahead of the player that holds it up; -1: none
} company_frame;

static int32_t lane_of(const company_frame* f, int32_t bot) {
    return f->company->memory.bots[bot].lane;
}

static bool is_in_row(const company_frame* f, int32_t bot, int32_t lane, bool oncoming) {
    return is_present(&f->bots[bot]) && f->bots[bot].oncoming == oncoming &&
           lane_of(f, bot) == lane;
}

// Learns where new ones are; takes back orders that came to nothing.
static void note_lanes(company_frame* f, float time_step) {
    kerb_lane_company* company = f->company;
    for (int32_t i = 0; i < f->count; i++) {
        const kerb_lane_bot* bot = &f->bots[i];
        if (!is_present(bot)) {
            company->memory.bots[i].known = false;
            continue;
        }
        if (kerb_abs(bot->distance_ahead - company->memory.bots[i].along) > COMPANY_JUMP)
            company->memory.bots[i].known = false; // put down elsewhere
        if (!company->memory.bots[i].known)
            company->memory
                .farther[bot->oncoming][lane_at(company, bot->edge_distance, bot->oncoming)] = 0.0f;
        company->memory.bots[i].along = bot->distance_ahead;
        int32_t here = lane_at(company, bot->edge_distance, bot->oncoming);
        float off = bot->edge_distance - company_middle_of(company, lane_of(f, i));
        company->memory.bots[i].told += time_step;
        bool waits = kerb_abs(off) > company->settings.lane_width - BETWEEN &&
                     company->memory.bots[i].told > CHANGE_WAITS;
        if (!company->memory.bots[i].known || waits)
            company->memory.bots[i].lane = here;
        if (!company->memory.bots[i].known)
            company->memory.bots[i].told = CHANGE_AGAIN;
        company->memory.bots[i].known = true;
    }
}

// The nearest bot ahead of the player in its lane, where it is close enough to hold it up.
static void find_who_holds_up(company_frame* f, float time_step) {
    kerb_lane_company* company = f->company;
    float close =
        CLOSE_LEAST + COMPANY_CLOSE_TIME * f->player->speed + company->settings.bot_length;
    f->holds_up = -1;
    for (int32_t i = 0; i < f->count; i++) {
        const kerb_lane_bot* bot = &f->bots[i];
        if (!is_present(bot) || bot->oncoming || bot->distance_ahead <= 0.0f ||
            bot->distance_ahead > close || !is_in(company, bot->edge_distance, f->player_lane))
            continue;
        close = bot->distance_ahead;
        f->holds_up = i;
    }
    bool held = f->holds_up >= 0 && f->player->speed < company->settings.speed_max &&
                f->player->speed > f->bots[f->holds_up].speed - 3.0f;
    company->held_up_time = held ? company->held_up_time + time_step : 0.0f;
}

static void keep_pace(company_frame* f, float time_step) {
    kerb_lane_company* company = f->company;
    const kerb_lane_company_settings* settings = &company->settings;
    float speed = kerb_clamp(f->player->speed, 0.0f, settings->speed_max);
    if (!company->memory.started)
        company->pace = speed;
    company->memory.started = true;
    if (company->held_up_time > settings->patience) {
        company->pace = kerb_min(company->pace + DRIVE_ON * time_step, settings->speed_max);
        return;
    }
    float constant = speed > company->pace ? PACE_UP : PACE_DOWN;
    company->pace += (speed - company->pace) * kerb_min(time_step / constant, 1.0f);
}

// --------------------------------------------------------------------------- places in a row

// How many of a bot's row are between it and the player, on its own side.
static int32_t company_rank_of(const company_frame* f, int32_t bot) {
    float along = f->bots[bot].distance_ahead;
    int32_t rank = 0;
    for (int32_t i = 0; i < f->count; i++) {
        if (i == bot || !is_in_row(f, i, lane_of(f, bot), false))
            continue;
        float other = f->bots[i].distance_ahead;
        bool between =
            along >= 0.0f ? other >= 0.0f && other < along : other < 0.0f && other > along;
        rank += between;
    }
    return rank;
}

// Where in its row a bot should be.
static float company_place_of(const company_frame* f, int32_t bot) {
    float spacing = spacing_at(f->company, f->company->pace);
    // Beside the player's lane a row stands in the gaps of the player's.
    float first = lane_of(f, bot) == f->player_lane ? 1.0f : 0.5f;
    float place = ((float)company_rank_of(f, bot) + first) * spacing;
    return f->bots[bot].distance_ahead >= 0.0f ? place : -place;
}

static float company_speed_of(const company_frame* f, int32_t bot) {
    const kerb_lane_company* company = f->company;
    const kerb_lane_company_settings* settings = &company->settings;
    if (f->bots[bot].oncoming)
        return comes_at(company, company->pace);
    float off = company_place_of(f, bot) - f->bots[bot].distance_ahead;
    float pull = kerb_clamp(settings->position_gain * off, -settings->position_speed_max,
                            settings->position_speed_max);
    return kerb_clamp(company->pace + pull, settings->speed_min, settings->speed_max);
}

// --------------------------------------------------------------------------- changing lanes

// Space in a lane for a bot of the row beside it: no vehicle is near, and none soon will be.
static bool company_has_room(const company_frame* f, int32_t bot, int32_t lane) {
    const kerb_lane_bot* me = &f->bots[bot];
    float length = f->company->settings.bot_length;
    for (int32_t i = -1; i < f->count; i++) {
        bool player = i < 0;
        if (i == bot || (!player && (!is_present(&f->bots[i]) || f->bots[i].oncoming)))
            continue;
        float edge = player ? f->player->edge_distance : f->bots[i].edge_distance;
        bool there = is_in(f->company, edge, lane) || (!player && lane_of(f, i) == lane);
        if (!there)
            continue;
        float off = (player ? 0.0f : f->bots[i].distance_ahead) - me->distance_ahead;
        float speed = player ? f->player->speed : f->bots[i].speed;
        float closing = off > 0.0f ? me->speed - speed : speed - me->speed;
        if (kerb_abs(off) <
            length + COMPANY_ROOM_LEAST + COMPANY_ROOM_TIME * kerb_max(closing, 0.0f))
            return false;
    }
    return true;
}

static bool tell_to_change(company_frame* f, int32_t bot) {
    kerb_lane_company* company = f->company;
    if (company->memory.bots[bot].told < CHANGE_AGAIN)
        return false;
    int32_t lane = lane_of(f, bot);
    // To the edge first: that is where the slow ones drive.
    for (int32_t step = -1; step <= 1; step += 2) {
        int32_t to = lane + step;
        if (to < 0 || to >= company->settings.lanes || !company_has_room(f, bot, to))
            continue;
        company->memory.bots[bot].lane = to;
        company->memory.bots[bot].told = 0.0f;
        company->memory.since_change = 0.0f;
        company->lane_change_count++;
        return true;
    }
    return false;
}

// Takes back the order of a bot that has not left its lane yet, when the space is gone.
static void call_back(company_frame* f) {
    kerb_lane_company* company = f->company;
    for (int32_t i = 0; i < f->count; i++) {
        const kerb_lane_bot* bot = &f->bots[i];
        if (!is_present(bot) || bot->oncoming || company->memory.bots[i].told > CHANGE_WAITS)
            continue;
        int32_t here = lane_at(company, bot->edge_distance, false);
        if (here != lane_of(f, i) && !company_has_room(f, i, lane_of(f, i)))
            company->memory.bots[i].lane = here;
    }
}

// A bot that holds the player up leaves the lane; one behind a slow player passes it.
static void change_lanes(company_frame* f, float time_step) {
    kerb_lane_company* company = f->company;
    company->memory.since_change += time_step;
    call_back(f);
    if (company->memory.since_change < CHANGE_PAUSE || company->settings.lanes < 2)
        return;
    if (company->held_up_time > company->settings.patience && tell_to_change(f, f->holds_up))
        return;
    if (f->player->speed > SLOW_PLAYER)
        return;
    for (int32_t i = 0; i < f->count; i++) {
        const kerb_lane_bot* bot = &f->bots[i];
        if (is_in_row(f, i, f->player_lane, false) && bot->distance_ahead < 0.0f &&
            bot->distance_ahead > -BEHIND_PLAYER && tell_to_change(f, i))
            return;
    }
}

// --------------------------------------------------------------------------- put down elsewhere

// A row's ends, and how many it has ahead and behind.
typedef struct company_row {
    int32_t ahead, behind;
    float first, last;           // places of its ends [m]
    int32_t first_bot, last_bot; // -1: none
} company_row;

static company_row look_at_row(const company_frame* f, int32_t lane, bool oncoming) {
    company_row r = {0, 0, 0.0f, 0.0f, -1, -1};
    for (int32_t i = 0; i < f->count; i++) {
        if (!is_in_row(f, i, lane, oncoming))
            continue;
        float along = f->bots[i].distance_ahead;
        r.ahead += along >= 0.0f;
        r.behind += along < 0.0f;
        if (r.first_bot < 0 || along > r.first) {
            r.first = along;
            r.first_bot = i;
        }
        if (r.last_bot < 0 || along < r.last) {
            r.last = along;
            r.last_bot = i;
        }
    }
    return r;
}

static void order_move(company_frame* f, int32_t bot, float along, bool oncoming, int32_t lane) {
    kerb_lane_order* order = &f->orders[bot];
    order->respawn = true;
    order->respawn_distance_ahead = along;
    order->respawn_oncoming = oncoming;
    order->lane = lane;
    order->edge_distance = company_middle_of(f->company, lane);
}

// The lane with the fewest, for one that leaves `lane`: that, unless another has fewer still.
static int32_t emptiest_lane(const company_frame* f, int32_t lane) {
    company_row here = look_at_row(f, lane, false);
    int32_t best = lane, least = here.ahead + here.behind - 1;
    for (int32_t i = 0; i < f->company->settings.lanes; i++) {
        company_row there = look_at_row(f, i, false);
        if (there.ahead + there.behind >= least)
            continue;
        least = there.ahead + there.behind;
        best = i;
    }
    return best;
}

// The host says by leaving a bot where it is that its new place is in view, or taken: then it is
// asked about the next place, a little farther.
static float next_place(company_frame* f, int32_t lane, bool oncoming) {
    float* farther = &f->company->memory.farther[oncoming][lane];
    float tried = *farther;
    *farther = tried + TRY_FARTHER < TRY_MOST ? tried + TRY_FARTHER : 0.0f;
    return tried;
}

// The first place from one on with nobody of a row nearer than `spacing`.
static float find_gap(const company_frame* f, int32_t lane, bool oncoming, float along,
                      float spacing) {
    // Each bot pushes the place on once; rounding far from the player must not make it twice.
    for (int32_t i = 0, pushes = 0; i < f->count && pushes < f->count; i++) {
        if (!is_in_row(f, i, lane, oncoming) ||
            kerb_abs(f->bots[i].distance_ahead - along) >= spacing - IN_GAP)
            continue;
        along = f->bots[i].distance_ahead + spacing;
        pushes++;
        i = -1; // those before it may be in the way there
    }
    return along;
}

// The last of the longer side goes beyond the end of the shorter one.
static void even_out(company_frame* f, int32_t lane) {
    const kerb_lane_company_settings* settings = &f->company->settings;
    company_row r = look_at_row(f, lane, false);
    bool forward = r.behind >= r.ahead + UNEVEN, back = r.ahead >= r.behind + UNEVEN;
    int32_t bot = forward ? r.last_bot : r.first_bot;
    if (!(forward || back) || f->bots[bot].seen)
        return;
    int32_t to = emptiest_lane(f, lane);
    company_row there = look_at_row(f, to, false);
    float spacing = spacing_at(f->company, f->company->pace);
    float farther = next_place(f, to, false);
    if (forward)
        farther += kerb_max(settings->spawn_distance_ahead, there.first + spacing);
    else
        farther = kerb_min(-settings->spawn_distance_behind, there.last - spacing) - farther;
    order_move(f, bot, farther, false, to);
}

// An oncoming bot that has passed begins again ahead, behind the last oncoming one.
static void bring_round(company_frame* f, int32_t lane) {
    const kerb_lane_company_settings* settings = &f->company->settings;
    company_row r = look_at_row(f, lane, true);
    if (r.last_bot < 0 || f->bots[r.last_bot].seen || r.last > -settings->bot_length)
        return;
    // Evenly over the road that is driven, so that oncoming bots come at any time.
    float way = settings->spawn_distance_ahead + settings->spawn_distance_behind;
    float even = way / (float)(r.ahead + r.behind);
    // As fast as they are, which bends tell, not as fast as they would be.
    float speed = kerb_min(f->bots[r.first_bot].speed, comes_at(f->company, f->company->pace));
    float spacing = kerb_max(spacing_at(f->company, speed), even);
    float along = settings->spawn_distance_ahead + next_place(f, lane, true);
    along = find_gap(f, lane, true, along, spacing);
    if (along < settings->spawn_distance_ahead + TRY_MOST)
        order_move(f, r.last_bot, along, true, lane);
}

// --------------------------------------------------------------------------- the beginning

void kerb_lane_company_begin(kerb_lane_company* company, const kerb_lane_player* player,
                             int32_t count, kerb_lane_order* orders) {
    const kerb_lane_company_settings* settings = &company->settings;
    KERB_ASSERT(count >= 0 && count <= KERB_LANE_COMPANY_BOTS_MAX &&
                (count == 0 || orders != NULL));
    float pace = kerb_is_finite(player->speed) ? player->speed : 0.0f;
    pace = kerb_clamp(pace, settings->speed_min, settings->speed_max);
    float share = settings->oncoming_lanes > 0 ? settings->oncoming_share : 0.0f;
    int32_t player_lane = lane_at(company, player->edge_distance, false);
    float way = settings->spawn_distance_ahead + settings->spawn_distance_behind;
    int32_t oncoming = (int32_t)(share * (float)count + 0.5f), same = count - oncoming;
    // Longer rows would be busy where no player is: a bot without a place in them is oncoming.
    int32_t places = settings->lanes * (int32_t)(way / spacing_at(company, pace));
    if (settings->oncoming_lanes > 0 && same > places) {
        same = places;
        oncoming = count - same;
    }
    memset(&company->memory, 0, sizeof company->memory);
    for (int32_t i = 0; i < count; i++) {
        memset(&orders[i], 0, sizeof orders[i]);
        kerb_lane_order* order = &orders[i];
        order->respawn = true;
        order->respawn_oncoming = i >= same;
        int32_t lanes = lanes_of(company, order->respawn_oncoming);
        int32_t n = i < same ? i : i - same;
        order->lane = n % lanes;
        order->edge_distance = company_middle_of(company, order->lane);
        order->speed = i < same ? pace : comes_at(company, pace);
        if (i >= same) {
            float even = way / (float)oncoming;
            float spacing = kerb_max(spacing_at(company, order->speed) / (float)lanes, even);
            order->respawn_distance_ahead =
                -settings->spawn_distance_behind + ((float)n + 0.5f) * spacing;
            continue;
        }
        int32_t rank = n / lanes; // ahead and behind by turns
        float first = order->lane == player_lane ? 1.0f : 0.5f;
        int32_t before = rank / 2; // on the same side
        float place = ((float)before + first) * spacing_at(company, pace);
        order->respawn_distance_ahead = rank % 2 == 0 ? place : -place;
    }
}

// --------------------------------------------------------------------------- one call

static void company_stay(const kerb_lane_bot* bots, int32_t count, kerb_lane_order* orders) {
    for (int32_t i = 0; i < count; i++) {
        memset(&orders[i], 0, sizeof orders[i]);
        if (!is_present(&bots[i]))
            continue;
        orders[i].speed = kerb_max(bots[i].speed, 0.0f);
        orders[i].edge_distance = bots[i].edge_distance;
    }
}

// The player's numbers and the time step, as a motion with that speed at that place across the
// road.
static kerb_in_frame_input company_take_frame(const kerb_lane_company* company,
                                              const kerb_lane_player* player, float time_step) {
    kerb_motion motion = kerb_motion_default();
    motion.velocity.x = player->speed;
    motion.position.y = player->edge_distance;
    kerb_motion_memory none = {0};
    return kerb_in_frame_take(&none, &motion, company->settings.speed_max, 0.0f, time_step);
}

void kerb_lane_company_drive(kerb_lane_company* company, const kerb_lane_player* player,
                             const kerb_lane_bot* bots, int32_t count, float time_step,
                             kerb_lane_order* orders) {
    KERB_ASSERT(company != NULL && player != NULL);
    KERB_ASSERT(count >= 0 && count <= KERB_LANE_COMPANY_BOTS_MAX);
    KERB_ASSERT(count == 0 || (bots != NULL && orders != NULL));
    KERB_ASSERT_SETTINGS(&kerb_lane_company_settings_table, &company->settings);
    company_stay(bots, count, orders);
    const kerb_in_frame_input input = company_take_frame(company, player, time_step);
    company->bad_frames += input.counts ? 1 : 0;
    if (input.fault != KERB_REASON_NONE)
        return;
    time_step = input.time_step;
    company_frame f = {company, player, bots, orders, count, 0, -1};
    f.player_lane = lane_at(company, player->edge_distance, false);
    note_lanes(&f, time_step);
    find_who_holds_up(&f, time_step);
    keep_pace(&f, time_step);
    change_lanes(&f, time_step);
    for (int32_t i = 0; i < count; i++) {
        if (!is_present(&bots[i]))
            continue;
        orders[i].lane = lane_of(&f, i);
        orders[i].edge_distance = company_middle_of(company, orders[i].lane);
        orders[i].speed = company_speed_of(&f, i);
    }
    for (int32_t lane = 0; lane < company->settings.lanes; lane++)
        even_out(&f, lane);
    for (int32_t lane = 0; lane < company->settings.oncoming_lanes; lane++)
        bring_round(&f, lane);
}

bool kerb_lane_view_sees(const kerb_lane_view* view, kerb_vec3 centre, float radius) {
    kerb_vec3 off = kerb_vec3_sub(centre, view->eye);
    float distance = kerb_vec3_length(off);
    if (!(distance - radius > view->near_distance))
        return true;
    if (distance - radius > view->far_distance)
        return false;
    // Behind the eye, or beside the cone: its side is a straight line at half_angle.
    float along = kerb_vec3_dot(off, view->direction);
    float aside = kerb_sqrt(kerb_max(distance * distance - along * along, 0.0f));
    float sine, cosine;
    kerb_sin_cos(view->half_angle, &sine, &cosine);
    float outside = aside * cosine - along * sine; // of that line
    bool beyond_tip = along * cosine + aside * sine < 0.0f;
    return !(beyond_tip ? distance > radius : outside > radius);
}
