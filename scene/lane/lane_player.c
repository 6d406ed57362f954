// All are stepped from the same moment: the company gives its orders, rays are answered, then all
// drive. Bots are placed only where neither the old nor the new place is in the player's view and
// no vehicle is near. A separate judge checks that, by which vehicle jumps. O(drivers²) a frame.
#include "scene/lane/lane_player_run.h"

#include "sim/world.h"

#include <math.h>
#include <string.h>

#define LANE_PLAYER_LANE_WIDTH 3.5f
#define LANE_PLAYER_NEAR 100.0f // round the player, where bots count [m]
#define NEAR_ENOUGH 10
#define LANE_PLAYER_JUMP 5.0f   // who moves farther in a frame was put down elsewhere [m]
#define ROOM 12.0f              // from who is put down to the next one of its lane [m]
#define BEGIN 400.0             // where on the road the player begins [m]
#define LANE_PLAYER_END 450.0   // so much of an open road stays ahead of it [m]
#define LANE_PLAYER_SETTLED 3.0 // before that nothing is judged [s]
#define BALL 3.0f               // that a car lies in [m]
#define SPARE 3.0f              // the manager is so much more careful than the judge [m]
#define CUT_IN 2.0f             // who came into the other's way so lately caused it [s]
#define SLIDES 0.05f            // sideways for forwards: the brakes' helper eases them [1]
#define CARELESS_TIME 1.3f      // in which the human means to be in another lane [s]
#define LOST 5.0                // a player who stands off the road, or drives back, is put back [s]
#define SIDEWAYS 0.6f           // who moves faster across the road changes lanes, or slides [m/s]
#define CLEARED 3.0             // after such a collision the road is cleared [s]
#define REFUGES 32              // places that are tried
#define CLEAR_OF_EDGE 1.0f      // farther from it no edge is over the car [m]
#define SHAKEN 10.0f            // after a collision that the player caused [s]
#define LANE_LEFT 0.5f          // farther than this from its lane's middle it changes lanes [m]
// Nobody is put down where the road turns by more than this from so much before it to so much
// ahead: a keeper takes what it meets first for a straight, and would be askew. [rad], [m], [m]
#define PLAIN_TURN 0.35f
#define PLAIN_BEHIND 6.0f
#define PLAIN_AHEAD 18.0f

const char* kerb_scene_lane_mood_name(kerb_scene_lane_mood mood) {
    static const char* const names[KERB_SCENE_LANE_MOODS] = {"cruises", "speeds", "weaves",
                                                             "crawls",  "brakes", "stops"};
    return names[mood];
}

kerb_scene_lane_player_plan kerb_scene_lane_player_plan_default(const kerb_scene_lane_road* road,
                                                                const kerb_sim_model* model) {
    kerb_scene_lane_player_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.road = road;
    plan.model = model;
    plan.settings = kerb_lane_settings_default();
    plan.settings.obstacles = KERB_LANE_STAY;
    plan.settings.gap_time = 1.0f;
    plan.company = kerb_lane_company_settings_default();
    float width = kerb_scene_lane_road_width(road);
    int32_t lanes = (int32_t)(width / LANE_PLAYER_LANE_WIDTH);
    lanes = lanes < 1                                 ? 1
            : lanes > 2 * KERB_LANE_COMPANY_LANES_MAX ? 2 * KERB_LANE_COMPANY_LANES_MAX
                                                      : lanes;
    plan.company.lane_width = kerb_min(LANE_PLAYER_LANE_WIDTH, width / (float)lanes);
    plan.company.oncoming_lanes = lanes / 2;
    plan.company.lanes = lanes - lanes / 2;
    plan.company.bot_length = model->vehicle.length;
    plan.bots = 40;
    plan.speed = 22.0f;
    plan.seconds = 600.0;
    plan.view_distance = 300.0f;
    plan.view_half_angle = 1.05f;
    plan.mirror_distance = 150.0f;
    plan.mirror_half_angle = 0.35f;
    plan.view_close = 30.0f;
    plan.drive_hz = 60.0f;
    plan.physics_hz = 240.0f;
    return plan;
}

// --------------------------------------------------------------------------- places

static const kerb_path* lane_player_path_of(const kerb_scene_lane_player_state* r) {
    return &r->plan->road->path;
}

// Along the road from one place to another; round a closed one the shorter way.
static float way_from(const kerb_scene_lane_player_state* r, kerb_path_location from,
                      kerb_path_location to) {
    const kerb_path* path = lane_player_path_of(r);
    double way = kerb_path_distance(path, to) - kerb_path_distance(path, from);
    if (path->closed && way > 0.5 * path->length)
        way -= path->length;
    if (path->closed && way < -0.5 * path->length)
        way += path->length;
    return (float)way;
}

// From the edge on the right of who drives with or against the road's direction.
static float edge_distance_of(const kerb_scene_lane_player_state* r, kerb_path_location place,
                              bool oncoming, kerb_vec3 position) {
    const kerb_path* path = lane_player_path_of(r);
    kerb_path_sample s = kerb_path_sample_at(path, place);
    float aside = kerb_path_cross_track(path, place, position);
    return oncoming ? s.left - aside : s.right + aside;
}

// The place at a distance from the edge of a direction.
static kerb_vec3 place_beside(const kerb_scene_lane_player_state* r, kerb_path_location place,
                              bool oncoming, float edge_distance) {
    kerb_path_sample s = kerb_path_sample_at(lane_player_path_of(r), place);
    float aside = oncoming ? s.left - edge_distance : edge_distance - s.right;
    return kerb_vec3_make(s.position.x - s.direction.y * aside,
                          s.position.y + s.direction.x * aside, 0.0f);
}

static bool lane_player_is_free(const kerb_scene_lane_player_state* r, int32_t but, kerb_vec3 at) {
    for (int32_t i = 0; i < r->count; i++) {
        kerb_vec2 off = kerb_vec2_sub(r->boxes[i].centre, kerb_vec2_make(at.x, at.y));
        if (i != but && kerb_vec2_length(off) < ROOM)
            return false;
    }
    return true;
}

// Or so near to its middle that somebody there meets it. At the beginning some are nowhere yet.
static bool is_in_lane(const kerb_scene_lane_player_state* r, const kerb_scene_lane_driver* d,
                       bool oncoming, float edge_distance) {
    return d->keeper.vehicle.length > 0.0f && d->oncoming == oncoming &&
           kerb_abs(d->edge_distance - edge_distance) <= r->plan->company.lane_width - 0.5f;
}

// Whether somebody put down in a lane there leaves everybody of that lane the room to brake.
static bool lane_player_has_room(const kerb_scene_lane_player_state* r, int32_t but,
                                 kerb_path_location place, bool oncoming, float edge_distance,
                                 float speed) {
    for (int32_t i = 0; i < r->count; i++) {
        const kerb_scene_lane_driver* d = &r->drivers[i];
        if (i == but || !is_in_lane(r, d, oncoming, edge_distance))
            continue;
        kerb_motion motion = kerb_sim_vehicle_motion(&d->vehicle);
        float theirs = kerb_motion_forward_speed(&motion);
        float ahead = way_from(r, place, d->place) * (oncoming ? -1.0f : 1.0f);
        float closing = kerb_max(ahead > 0.0f ? speed - theirs : theirs - speed, 0.0f);
        float braking = closing * closing / (2.0f * r->plan->settings.deceleration);
        if (kerb_abs(ahead) < ROOM + closing + braking)
            return false;
    }
    return true;
}

// Greatest speed there for the bends that follow, so that nobody is put down too fast to stay on
// the road.
static float speed_for(const kerb_scene_lane_player_state* r, kerb_path_location place,
                       bool oncoming, float most) {
    const kerb_lane_settings* s = &r->plan->settings;
    const float step = oncoming ? -6.0f : 6.0f;
    int32_t steps = (int32_t)(0.5f * most * most / s->deceleration / kerb_abs(step)) + 1;
    kerb_vec3 before = kerb_path_sample_at(lane_player_path_of(r), place).direction;
    for (int32_t i = 0; i < steps; i++) {
        float ahead = (float)i * kerb_abs(step);
        place = kerb_path_advance(lane_player_path_of(r), place, step);
        kerb_vec3 then = kerb_path_sample_at(lane_player_path_of(r), place).direction;
        float turn = kerb_abs(before.x * then.y - before.y * then.x);
        float bend = kerb_speed_in_curve(turn / kerb_abs(step), s->lateral_acceleration, most);
        most = kerb_min(most, kerb_approach_speed(bend, ahead, s->deceleration));
        before = then;
    }
    return most;
}

// Greatest speed there behind who is ahead in that lane, should he brake as hard as it would.
static float speed_behind(const kerb_scene_lane_player_state* r, int32_t but,
                          kerb_path_location place, bool oncoming, float edge_distance,
                          float most) {
    const kerb_lane_settings* s = &r->plan->settings;
    for (int32_t i = 0; i < r->count; i++) {
        const kerb_scene_lane_driver* d = &r->drivers[i];
        float ahead = way_from(r, place, d->place) * (oncoming ? -1.0f : 1.0f);
        if (i == but || ahead <= 0.0f || !is_in_lane(r, d, oncoming, edge_distance))
            continue;
        kerb_motion motion = kerb_sim_vehicle_motion(&d->vehicle);
        float theirs = kerb_max(kerb_motion_forward_speed(&motion), 0.0f);
        float gap = ahead - r->plan->model->vehicle.length;
        most =
            kerb_min(most, kerb_gap_speed(gap, theirs, s->gap_time, s->gap_min, s->deceleration));
    }
    return kerb_max(most, 0.0f);
}

// Whether the road is about straight there for who drives in a direction.
static bool is_plain(const kerb_scene_lane_player_state* r, kerb_path_location place,
                     bool oncoming) {
    const float way = oncoming ? -1.0f : 1.0f, step = 3.0f;
    const int32_t steps = (int32_t)((PLAIN_BEHIND + PLAIN_AHEAD) / step);
    place = kerb_path_advance(lane_player_path_of(r), place, -way * PLAIN_BEHIND);
    kerb_vec3 before = kerb_path_sample_at(lane_player_path_of(r), place).direction;
    float turn = 0.0f;
    for (int32_t i = 0; i < steps; i++) {
        place = kerb_path_advance(lane_player_path_of(r), place, way * step);
        kerb_vec3 then = kerb_path_sample_at(lane_player_path_of(r), place).direction;
        turn += kerb_abs(before.x * then.y - before.y * then.x);
        before = then;
    }
    return turn < PLAIN_TURN;
}

// Puts a vehicle down in its lane, rolling at a speed.
static void put_down(kerb_scene_lane_player_state* r, int32_t index, kerb_path_location place,
                     bool oncoming, float edge_distance, float speed) {
    kerb_scene_lane_driver* d = &r->drivers[index];
    kerb_path_sample s = kerb_path_sample_at(lane_player_path_of(r), place);
    kerb_vec3 at = place_beside(r, place, oncoming, edge_distance);
    float way = oncoming ? -1.0f : 1.0f;
    d->vehicle = kerb_sim_vehicle_make(r->plan->model, at,
                                       kerb_atan2(way * s.direction.y, way * s.direction.x));
    kerb_sim_body body = kerb_sim_vehicle_body(&d->vehicle);
    speed = speed_for(r, place, oncoming, speed);
    speed = speed_behind(r, index, place, oncoming, edge_distance, speed);
    body.forward = speed;
    kerb_sim_vehicle_set_body(&d->vehicle, &body);
    kerb_lane_settings settings = d->keeper.settings;
    d->keeper = kerb_lane_keeper_make(&r->plan->model->vehicle);
    d->keeper.settings = settings;
    d->keeper.settings.edge_distance = edge_distance;
    d->keeper.settings.speed = kerb_max(speed, 0.5f);
    d->place = place;
    d->oncoming = oncoming;
    d->edge_distance = edge_distance;
    d->aside_speed = d->beside_for = d->steady_for = d->shaken = 0.0f;
    d->touching = false;
    d->moved = true;
    r->boxes[index] = kerb_scene_lane_box_of(r->plan->road, &d->vehicle, place.segment);
}

static bool lane_player_is_on_road(const kerb_scene_lane_player_state* r, float along) {
    const kerb_path* path = lane_player_path_of(r);
    double at = kerb_path_distance(path, r->drivers[0].place) + (double)along;
    return path->closed ? fabs((double)along) < 0.5 * path->length
                        : at > 5.0 && at < path->length - 5.0;
}

// --------------------------------------------------------------------------- what the player sees

static bool player_sees(const kerb_scene_lane_player_state* r, kerb_vec3 centre, float radius) {
    const kerb_scene_lane_player_plan* plan = r->plan;
    kerb_motion motion = kerb_sim_vehicle_motion(&r->drivers[0].vehicle);
    kerb_lane_view view = {.eye = motion.position,
                           .direction = kerb_quat_forward(motion.rotation),
                           .half_angle = plan->view_half_angle,
                           .far_distance = plan->view_distance,
                           .near_distance = plan->view_close};
    if (kerb_lane_view_sees(&view, centre, radius))
        return true;
    view.direction = kerb_vec3_scale(view.direction, -1.0f);
    view.half_angle = plan->mirror_half_angle;
    view.far_distance = plan->mirror_distance;
    return kerb_lane_view_sees(&view, centre, radius);
}

// Where a bot is asked to go: nobody sees it here or there, and nobody is there.
static bool may_move(kerb_scene_lane_player_state* r, int32_t index, const kerb_lane_order* order,
                     kerb_path_location* place) {
    const kerb_scene_lane_driver* d = &r->drivers[index];
    if (d->seen || !lane_player_is_on_road(r, order->respawn_distance_ahead))
        return false;
    *place = kerb_path_advance(lane_player_path_of(r), r->drivers[0].place,
                               order->respawn_distance_ahead);
    kerb_vec3 at = place_beside(r, *place, order->respawn_oncoming, order->edge_distance);
    return !player_sees(r, at, BALL + SPARE) && lane_player_is_free(r, index, at) &&
           is_plain(r, *place, order->respawn_oncoming);
}

// --------------------------------------------------------------------------- the company

static void lead_bots(kerb_scene_lane_player_state* r, float time_step) {
    kerb_lane_bot bots[KERB_LANE_COMPANY_BOTS_MAX];
    const kerb_scene_lane_driver* player = &r->drivers[0];
    for (int32_t i = 1; i < r->count; i++) {
        kerb_scene_lane_driver* d = &r->drivers[i];
        kerb_motion motion = kerb_sim_vehicle_motion(&d->vehicle);
        d->along = way_from(r, player->place, d->place);
        d->seen = player_sees(r, motion.position, BALL + SPARE);
        kerb_lane_bot bot = {.distance_ahead = d->along,
                             .speed = kerb_motion_forward_speed(&motion),
                             .edge_distance = d->edge_distance,
                             .oncoming = d->oncoming,
                             .seen = d->seen};
        bots[i - 1] = bot;
    }
    kerb_motion motion = kerb_sim_vehicle_motion(&player->vehicle);
    kerb_lane_player who = {kerb_motion_forward_speed(&motion), player->edge_distance};
    uint64_t begun = kerb_scene_call_begin(&r->companies);
    kerb_lane_company_drive(&r->company, &who, bots, r->count - 1, time_step, r->orders);
    kerb_scene_call_end(&r->companies, begun);
}

// Out of sight, where there is room.
static bool find_refuge(const kerb_scene_lane_player_state* r, int32_t index,
                        kerb_path_location* place) {
    const kerb_lane_company_settings* s = &r->plan->company;
    const kerb_scene_lane_driver* d = &r->drivers[index];
    for (int32_t n = 0; n < REFUGES; n++) {
        int32_t rank = n / 2;
        float step = 2.0f * ROOM * (float)rank;
        float along =
            n % 2 == 0 ? s->spawn_distance_ahead + step : -s->spawn_distance_behind - step;
        if (!lane_player_is_on_road(r, along))
            continue;
        *place = kerb_path_advance(lane_player_path_of(r), r->drivers[0].place, along);
        float edge = 0.5f * s->lane_width;
        kerb_vec3 at = place_beside(r, *place, d->oncoming, edge);
        // So far along a winding road may be near, and in view.
        if (!player_sees(r, at, BALL + SPARE) && lane_player_is_free(r, index, at) &&
            is_plain(r, *place, d->oncoming) &&
            lane_player_has_room(r, index, *place, d->oncoming, edge, r->orders[index - 1].speed))
            return true;
    }
    return false;
}

// One that asks to be put back, once nobody sees it.
static void put_back_lost(kerb_scene_lane_player_state* r, int32_t index) {
    kerb_scene_lane_driver* d = &r->drivers[index];
    kerb_reason reason = d->keeper.decision.reason;
    kerb_path_location place;
    if ((reason != KERB_REASON_TELEPORT && reason != KERB_REASON_GIVEN_UP) || d->seen ||
        !find_refuge(r, index, &place))
        return;
    put_down(r, index, place, d->oncoming, 0.5f * r->plan->company.lane_width,
             r->orders[index - 1].speed);
    r->result->moves++;
}

static void obey(kerb_scene_lane_player_state* r, int32_t index) {
    kerb_scene_lane_driver* d = &r->drivers[index];
    const kerb_lane_order* order = &r->orders[index - 1];
    kerb_path_location place;
    if (order->respawn && may_move(r, index, order, &place)) {
        put_down(r, index, place, order->respawn_oncoming, order->edge_distance, order->speed);
        r->result->moves++;
        return;
    }
    r->result->moves_refused += order->respawn;
    put_back_lost(r, index);
    d->keeper.settings.speed = kerb_max(order->speed, 0.5f);
    d->keeper.settings.edge_distance =
        order->respawn ? d->keeper.settings.edge_distance : order->edge_distance;
}

// --------------------------------------------------------------------------- the human

static void take_mood(kerb_scene_lane_player_state* r) {
    // Of ten, by style: cruise, speed, weave, crawl, brake, stop.
    static const int32_t shares[KERB_SCENE_LANE_STYLES][KERB_SCENE_LANE_MOODS] = {
        {3, 2, 2, 1, 1, 1}, {1, 4, 4, 0, 1, 0}, {3, 1, 0, 1, 3, 2}, {8, 0, 0, 2, 0, 0}};
    kerb_scene_lane_human* h = &r->human;
    int32_t draw = kerb_random_below(&h->random, 10), mood = 0;
    while (draw >= shares[r->plan->style][mood])
        draw -= shares[r->plan->style][mood++];
    h->mood = (kerb_scene_lane_mood)mood;
    static const float least[KERB_SCENE_LANE_MOODS] = {8.0f, 10.0f, 10.0f, 6.0f, 0.8f, 6.0f};
    static const float most[KERB_SCENE_LANE_MOODS] = {20.0f, 25.0f, 20.0f, 12.0f, 2.5f, 12.0f};
    h->until = r->time + (double)kerb_random_between(&h->random, least[mood], most[mood]);
    static const float pace[KERB_SCENE_LANE_MOODS] = {1.0f, 1.5f, 1.2f, 0.35f, 1.0f, 0.0f};
    h->wish = r->plan->speed * pace[mood] * kerb_random_between(&h->random, 0.9f, 1.1f);
}

// Nobody beside it in a lane, by its own careless measure.
static bool human_finds_gap(const kerb_scene_lane_player_state* r, int32_t lane) {
    float middle = ((float)lane + 0.5f) * r->plan->company.lane_width;
    float length = r->plan->model->vehicle.length;
    kerb_motion mine = kerb_sim_vehicle_motion(&r->drivers[0].vehicle);
    for (int32_t i = 1; i < r->count; i++) {
        const kerb_scene_lane_driver* d = &r->drivers[i];
        if (d->oncoming || kerb_abs(d->edge_distance - middle) > r->plan->company.lane_width - 0.5f)
            continue;
        kerb_motion theirs = kerb_sim_vehicle_motion(&d->vehicle);
        float closing = kerb_motion_forward_speed(&mine) - kerb_motion_forward_speed(&theirs);
        closing = d->along < 0.0f ? -closing : closing;
        if (kerb_abs(d->along) < length + 2.0f + CARELESS_TIME * kerb_max(closing, 0.0f))
            return false;
    }
    return true;
}

static void human_changes_lane(kerb_scene_lane_player_state* r) {
    kerb_scene_lane_human* h = &r->human;
    const kerb_scene_lane_driver* player = &r->drivers[0];
    bool weaves = h->mood == KERB_SCENE_LANE_WEAVE;
    bool hurries = h->mood == KERB_SCENE_LANE_SPEED && player->keeper.decision.gap >= 0.0f &&
                   player->keeper.decision.target_speed < h->wish;
    double pause = weaves ? 4.0 : 3.0;
    if (!(weaves || hurries) || r->time - h->lane_since < pause || r->plan->company.lanes < 2)
        return;
    int32_t step = kerb_random_below(&h->random, 2) * 2 - 1;
    for (int32_t n = 0; n < 2; n++, step = -step) {
        int32_t to = h->lane + step;
        if (to < 0 || to >= r->plan->company.lanes || !human_finds_gap(r, to))
            continue;
        h->lane = to;
        h->lane_since = r->time;
        return;
    }
}

// A keeper with a human's manners, told where and how fast by its mood.
static void lead_human(kerb_scene_lane_player_state* r) {
    kerb_scene_lane_human* h = &r->human;
    if (r->time >= h->until)
        take_mood(r);
    human_changes_lane(r);
    kerb_lane_settings* s = &r->drivers[0].keeper.settings;
    s->speed = kerb_max(h->wish, 0.5f);
    float middle = ((float)h->lane + 0.5f) * r->plan->company.lane_width;
    // Swaying: from one side to the other every two seconds.
    bool right = (int64_t)(r->time / 2.0) % 2 == 0;
    float sway = h->mood == KERB_SCENE_LANE_WEAVE ? (right ? 0.5f : -0.5f) : 0.0f;
    s->edge_distance = middle + sway;
}

// It drove off the road and stands there, or a crash has turned it round and it drives back: as in
// a game it is put back.
static void lane_player_put_back(kerb_scene_lane_player_state* r, float time_step) {
    const kerb_scene_lane_driver* player = &r->drivers[0];
    kerb_motion motion = kerb_sim_vehicle_motion(&player->vehicle);
    bool stands = kerb_abs(kerb_motion_forward_speed(&motion)) < 0.5f;
    kerb_vec3 along = kerb_path_sample_at(lane_player_path_of(r), player->place).direction;
    bool back = kerb_vec3_dot(kerb_quat_forward(motion.rotation), along) < 0.0f;
    bool wants = player->player == NULL && r->human.mood != KERB_SCENE_LANE_STOP &&
                 r->human.mood != KERB_SCENE_LANE_BRAKE;
    r->human.lost = (stands || back) && wants ? r->human.lost + (double)time_step : 0.0;
    float middle = ((float)r->human.lane + 0.5f) * r->plan->company.lane_width;
    if (r->human.lost < LOST ||
        !lane_player_is_free(r, 0, place_beside(r, player->place, false, middle)))
        return;
    put_down(r, 0, player->place, false, middle, 5.0f);
    r->human.lost = 0.0;
    r->result->put_back++;
}

// Some seconds after a crash that the player caused the road is cleared, as games do: who was in it
// goes out of sight, and the player starts anew where it is. Nobody is put down in view otherwise.
static void clear_up(kerb_scene_lane_player_state* r) {
    if (r->clear_at < 0.0 || r->time < r->clear_at)
        return;
    r->clear_at = -1.0;
    r->result->cleared++;
    float lane = r->plan->company.lane_width;
    for (int32_t i = 1; i < r->count; i++) {
        kerb_scene_lane_driver* d = &r->drivers[i];
        kerb_path_location place;
        if (d->shaken <= 0.0f || !find_refuge(r, i, &place))
            continue;
        put_down(r, i, place, d->oncoming, 0.5f * lane, r->orders[i - 1].speed);
    }
    float middle = ((float)r->human.lane + 0.5f) * lane;
    if (lane_player_is_free(r, 0, place_beside(r, r->drivers[0].place, false, middle)))
        put_down(r, 0, r->drivers[0].place, false, middle, 5.0f);
    r->drivers[0].shaken = 0.0f;
}

static void brake_out_of_nothing(const kerb_scene_lane_player_state* r, kerb_controls* controls) {
    bool stops = r->human.mood == KERB_SCENE_LANE_STOP;
    if (!stops && r->human.mood != KERB_SCENE_LANE_BRAKE)
        return;
    controls->throttle = 0.0f;
    // As hard as it can: a car of today does not let its driver lock the wheels in a bend.
    kerb_motion motion = kerb_sim_vehicle_motion(&r->drivers[0].vehicle);
    kerb_vec3 forward = kerb_quat_forward(motion.rotation);
    float aside = forward.x * motion.velocity.y - forward.y * motion.velocity.x;
    bool slides = kerb_abs(aside) > SLIDES * kerb_max(kerb_motion_forward_speed(&motion), 1.0f);
    controls->brake = slides ? 0.2f : kerb_max(controls->brake, stops ? 0.6f : 1.0f);
}

static void make_human(kerb_scene_lane_player_state* r) {
    kerb_scene_lane_human* h = &r->human;
    h->random = kerb_random_make(r->plan->seed, 17);
    h->wish = r->plan->speed;
    h->until = 5.0;
    h->lane = r->plan->company.lanes > 1 ? 1 : 0;
    kerb_lane_settings* s = &r->drivers[0].keeper.settings;
    *s = kerb_lane_settings_default();
    s->obstacles = KERB_LANE_STAY;
    s->stuck.recovery = KERB_RECOVERY_NONE; // it brakes as it likes, which the keeper does not know
    s->lateral_acceleration = 5.0f;
    s->acceleration = 4.0f;
    s->deceleration = 6.0f;
    s->gap_time = 0.4f;
    s->gap_min = 1.5f;
    s->lane_change_time = 2.0f;
    s->lane_change_acceleration = 3.0f;
}

// --------------------------------------------------------------------------- driving

static void lane_player_ask(kerb_scene_lane_player_state* r, int32_t index) {
    kerb_scene_lane_driver* d = &r->drivers[index];
    kerb_motion motion = kerb_sim_vehicle_motion(&d->vehicle);
    d->ray_count = kerb_lane_keeper_rays(&d->keeper, &motion, d->rays);
    for (int32_t i = 0; i < d->ray_count; i++)
        d->hits[i] = kerb_scene_lane_road_cast(r->plan->road, d->place.segment, r->boxes, r->count,
                                               index, &d->rays[i]);
    if (index == 0)
        return;
    r->rays += (double)d->ray_count;
    r->frames += 1.0;
}

static void lane_player_drive(kerb_scene_lane_player_state* r, int32_t index, float time_step) {
    const kerb_scene_lane_player_plan* plan = r->plan;
    kerb_scene_lane_driver* d = &r->drivers[index];
    kerb_motion motion = kerb_sim_vehicle_motion(&d->vehicle);
    uint64_t begun = kerb_scene_call_begin(&r->drives);
    kerb_surroundings around = kerb_surroundings_default();
    around.player_drives = d->player != NULL;
    around.applied = d->player != NULL || d->player_drove ? &d->controls : NULL;
    kerb_controls controls = kerb_lane_keeper_drive(&d->keeper, d->rays, d->hits, d->ray_count,
                                                    &motion, &around, time_step);
    if (index > 0)
        kerb_scene_call_end(&r->drives, begun);
    if (index == 0)
        brake_out_of_nothing(r, &controls);
    if (d->player != NULL)
        controls = *d->player;
    d->player_drove = d->player != NULL;
    d->controls = controls;
    const kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    int32_t steps = (int32_t)(plan->physics_hz * time_step + 0.999f);
    for (int32_t i = 0; i < steps; i++)
        kerb_sim_vehicle_step(&d->vehicle, &controls, &ground, time_step / (float)steps);
    kerb_motion after = kerb_sim_vehicle_motion(&d->vehicle);
    kerb_vec3 facing = kerb_quat_forward(after.rotation);
    if (d->oncoming)
        facing = kerb_vec3_scale(facing, -1.0f);
    d->place = kerb_path_track(lane_player_path_of(r), d->place, after.position, facing);
    float edge = edge_distance_of(r, d->place, d->oncoming, after.position);
    d->aside_speed = (edge - d->edge_distance) / time_step;
    d->edge_distance = edge;
}

// --------------------------------------------------------------------------- judging

// Whether two touch; who does is pushed out of the other.
static bool touch(kerb_scene_lane_player_state* r, int32_t i, int32_t j) {
    kerb_vec2 off = kerb_vec2_sub(r->boxes[i].centre, r->boxes[j].centre);
    if (kerb_vec2_length(off) > r->boxes[i].length + r->boxes[i].width)
        return false;
    kerb_sim_body a = kerb_sim_vehicle_body(&r->drivers[i].vehicle);
    kerb_sim_body b = kerb_sim_vehicle_body(&r->drivers[j].vehicle);
    if (!kerb_sim_bodies_push(&a, &b, NULL))
        return false;
    kerb_sim_vehicle_set_body(&r->drivers[i].vehicle, &a);
    kerb_sim_vehicle_set_body(&r->drivers[j].vehicle, &b);
    return true;
}

// Distance from the right edge of the player's direction.
static float across_of(const kerb_scene_lane_player_state* r, const kerb_scene_lane_driver* d) {
    if (!d->oncoming)
        return d->edge_distance;
    kerb_path_sample s = kerb_path_sample_at(lane_player_path_of(r), d->place);
    return s.left + s.right - d->edge_distance;
}

// Whether a bot behind the player is so near and fast that it cannot help meeting the player should
// both brake as hard as they can from now on (the safe distance of Shalev-Shwartz and others, 2017,
// without any time to react).
static bool is_too_near(const kerb_scene_lane_player_state* r, const kerb_scene_lane_driver* d) {
    const kerb_vehicle* vehicle = &r->plan->model->vehicle;
    kerb_motion mine = kerb_sim_vehicle_motion(&r->drivers[0].vehicle);
    kerb_motion theirs = kerb_sim_vehicle_motion(&d->vehicle);
    float a = kerb_motion_forward_speed(&theirs), b = kerb_motion_forward_speed(&mine);
    float gap = -d->along - vehicle->length;
    return !d->oncoming && gap > -vehicle->length && a > b &&
           gap < (a * a - b * b) / (2.0f * vehicle->braking_max);
}

// Who came into the other's way, and who moved from its lane's middle.
static void watch_ways(kerb_scene_lane_player_state* r, float time_step) {
    float width = r->plan->model->vehicle.width;
    float lane = r->plan->company.lane_width;
    float player = across_of(r, &r->drivers[0]);
    for (int32_t i = 0; i < r->count; i++) {
        kerb_scene_lane_driver* d = &r->drivers[i];
        float in_lane = d->edge_distance / lane - 0.5f;
        float off = lane * kerb_abs(in_lane - floorf(in_lane + 0.5f));
        d->steady_for = off < LANE_LEFT ? d->steady_for + time_step : 0.0f;
        bool beside = kerb_abs(across_of(r, d) - player) < width;
        bool comes = beside && d->beside_for == 0.0f;
        d->cut_off = beside && (comes || d->cut_off) && is_too_near(r, d);
        d->beside_for = beside ? d->beside_for + time_step : 0.0f;
        d->shaken = kerb_max(d->shaken - time_step, 0.0f);
    }
}

// The player caused it when it drove into somebody who kept its lane, or came into the way of one
// who did, less than CUT_IN ago or nearer than it could brake for; or sideways into one who did not
// move sideways. All else is the bot's.
static bool player_caused(const kerb_scene_lane_player_state* r, int32_t bot) {
    const kerb_scene_lane_driver* d = &r->drivers[bot];
    bool sideways = kerb_abs(r->drivers[0].aside_speed) > SIDEWAYS && d->steady_for > 0.0f;
    if (sideways && kerb_abs(d->aside_speed) < 0.5f * SIDEWAYS)
        return true;
    if (d->steady_for < CUT_IN)
        return false;
    bool cut_in = d->beside_for < CUT_IN || d->cut_off;
    return cut_in || (!d->oncoming && d->along > 0.0f) || d->oncoming;
}

// A collision: whose it is. Who was in one that the player caused is tumbled about for a while, and
// what it touches then is that one's aftermath.
static void note_collision(kerb_scene_lane_player_state* r, int32_t i, int32_t j) {
    kerb_scene_lane_driver *a = &r->drivers[i], *b = &r->drivers[j];
    kerb_scene_lane_player_result* result = r->result;
    bool after = a->shaken > 0.0f || b->shaken > 0.0f;
    bool by_player = !after && i == 0 && player_caused(r, j);
    result->collisions_after += after;
    result->collisions_by_player += by_player;
    if (by_player && r->clear_at < 0.0)
        r->clear_at = r->time + CLEARED;
    if (after || by_player) {
        a->shaken = b->shaken = SHAKEN;
        return;
    }
    result->collisions_by_bots++;
    result->collisions_between_bots += i > 0;
}

static void lane_player_watch_pairs(kerb_scene_lane_player_state* r) {
    for (int32_t i = 0; i < r->count; i++) {
        for (int32_t j = i + 1; j < r->count; j++) {
            uint8_t* was = &r->touching[(size_t)i * (size_t)r->count + (size_t)j];
            bool is = touch(r, i, j);
            if (is && !*was)
                note_collision(r, i, j);
            *was = is;
        }
    }
}

static void lane_player_watch_edges(kerb_scene_lane_player_state* r, kerb_scene_lane_driver* d,
                                    const kerb_scene_lane_box* box) {
    // Half of the box across the road, askew as it is.
    kerb_path_sample s = kerb_path_sample_at(lane_player_path_of(r), d->place);
    kerb_vec2 across = kerb_vec2_make(-s.direction.y, s.direction.x);
    kerb_vec2 left = kerb_vec2_make(-box->forward.y, box->forward.x);
    float half = 0.5f * box->length * kerb_abs(kerb_vec2_dot(box->forward, across)) +
                 0.5f * box->width * kerb_abs(kerb_vec2_dot(left, across));
    if (d->shaken > 0.0f)
        return;
    // Beside an edge that is about straight; where that bends, its segments tell.
    half += CLEAR_OF_EDGE;
    bool over = (d->edge_distance < half || s.left + s.right - d->edge_distance < half) &&
                kerb_scene_lane_road_is_over(r->plan->road, d->place.segment, box, d->oncoming);
    r->result->edge_touches += over && !d->touching;
    d->touching = over;
}

static void lane_player_watch_lane(kerb_scene_lane_player_state* r, kerb_scene_lane_driver* d,
                                   float time_step) {
    const kerb_lane_decision* t = &d->keeper.decision;
    float wanted = d->keeper.settings.edge_distance;
    d->judged = !t->changing && d->shaken <= 0.0f && d->steady_for >= CUT_IN &&
                kerb_abs(t->edge_distance - wanted) <= 0.01f;
    if (!d->judged)
        return;
    double error = (double)kerb_abs(d->edge_distance - wanted);
    r->error_sum += error * (double)time_step;
    r->error_time += (double)time_step;
    r->result->error_max = error > r->result->error_max ? error : r->result->error_max;
}

// Apart from who put it there: somebody is where nobody can have driven to, and one of both places
// is in view.
static void watch_view(kerb_scene_lane_player_state* r, const kerb_scene_lane_box* before) {
    for (int32_t i = 1; i < r->count; i++) {
        kerb_vec2 was = before[i].centre, is = r->boxes[i].centre;
        if (kerb_vec2_length(kerb_vec2_sub(is, was)) < LANE_PLAYER_JUMP)
            continue;
        r->result->appeared_in_view += player_sees(r, kerb_vec3_make(was.x, was.y, 0.0f), BALL) ||
                                       player_sees(r, kerb_vec3_make(is.x, is.y, 0.0f), BALL);
    }
}

static void watch_player(kerb_scene_lane_player_state* r, float time_step) {
    kerb_scene_lane_player_result* result = r->result;
    int32_t near_count = 0;
    for (int32_t i = 1; i < r->count; i++) {
        kerb_vec2 off = kerb_vec2_sub(r->boxes[i].centre, r->boxes[0].centre);
        near_count += kerb_vec2_length(off) <= LANE_PLAYER_NEAR;
    }
    kerb_motion motion = kerb_sim_vehicle_motion(&r->drivers[0].vehicle);
    double speed = (double)kerb_motion_forward_speed(&motion);
    result->driven += speed * (double)time_step;
    result->speed_max = speed > result->speed_max ? speed : result->speed_max;
    r->judged += (double)time_step;
    r->near_sum += (double)near_count * (double)time_step;
    r->near_time += near_count >= NEAR_ENOUGH ? (double)time_step : 0.0;
    const kerb_lane_decision* t = &r->drivers[0].keeper.decision;
    bool held = t->reason == KERB_REASON_FOLLOWING && t->target_speed < 0.9f * r->human.wish;
    r->held_time += held ? (double)time_step : 0.0;
    r->held_now = held ? r->held_now + (double)time_step : 0.0;
    if (r->held_now > result->held_up_longest)
        result->held_up_longest = r->held_now;
}

// --------------------------------------------------------------------------- one run

void kerb_scene_lane_player_frame(kerb_scene_lane_player_state* state) {
    float time_step = 1.0f / state->plan->drive_hz;
    kerb_scene_lane_box* before = state->before;
    memcpy(before, state->boxes, (size_t)state->count * sizeof *before);
    for (int32_t i = 0; i < state->count; i++)
        state->drivers[i].moved = false;
    lead_bots(state, time_step);
    for (int32_t i = 1; i < state->count; i++)
        obey(state, i);
    watch_view(state, before);
    clear_up(state);
    lead_human(state);
    lane_player_put_back(state, time_step);
    for (int32_t i = 0; i < state->count; i++)
        lane_player_ask(state, i);
    for (int32_t i = 0; i < state->count; i++)
        lane_player_drive(state, i, time_step);
    for (int32_t i = 0; i < state->count; i++) {
        kerb_scene_lane_driver* d = &state->drivers[i];
        state->boxes[i] = kerb_scene_lane_box_of(state->plan->road, &d->vehicle, d->place.segment);
        if (i == 0 || state->time < LANE_PLAYER_SETTLED)
            continue;
        lane_player_watch_edges(state, d, &state->boxes[i]);
        lane_player_watch_lane(state, d, time_step);
    }
    watch_ways(state, time_step);
    lane_player_watch_pairs(state);
    watch_player(state, time_step);
    state->time += (double)time_step;
    if (state->plan->watch)
        state->plan->watch(state->plan->context, state->time, state->drivers, state->count,
                           state->human.mood);
}

// Where the player begins.
static double player_start(const kerb_path* path) {
    return path->closed ? 0.0 : BEGIN < 0.3 * path->length ? BEGIN : 0.3 * path->length;
}

double kerb_scene_lane_player_room(const kerb_scene_lane_road* road) {
    const kerb_path* path = &road->path;
    double room = path->length - LANE_PLAYER_END - player_start(path);
    return path->closed ? HUGE_VAL : room > 0.0 ? room : 0.0;
}

static void lane_player_begin(kerb_scene_lane_player_state* r) {
    const kerb_scene_lane_player_plan* plan = r->plan;
    const kerb_path* path = lane_player_path_of(r);
    make_human(r);
    float edge = ((float)r->human.lane + 0.5f) * plan->company.lane_width;
    double start = player_start(path);
    put_down(r, 0, kerb_path_locate(path, start), false, edge, plan->speed);
    r->company = kerb_lane_company_make();
    r->company.settings = plan->company;
    const kerb_lane_player who = {plan->speed, edge};
    kerb_lane_company_begin(&r->company, &who, plan->bots, r->orders);
    for (int32_t i = 1; i < r->count; i++) {
        const kerb_lane_order* order = &r->orders[i - 1];
        float along = order->respawn_distance_ahead;
        if (!lane_player_is_on_road(r, along)) // a short round: as far on as there is road
            along = (float)(0.5 * path->length * (double)i / (double)r->count) *
                    (i % 2 == 0 ? 1.0f : -1.0f);
        r->drivers[i].keeper.settings = plan->settings;
        put_down(r, i, kerb_path_advance(path, r->drivers[0].place, along), order->respawn_oncoming,
                 order->edge_distance, order->speed);
    }
}

static bool is_over(const kerb_scene_lane_player_state* r) {
    const kerb_path* path = lane_player_path_of(r);
    return !path->closed &&
           kerb_path_distance(path, r->drivers[0].place) > path->length - LANE_PLAYER_END;
}

static void lane_player_finish(kerb_scene_lane_player_state* r) {
    kerb_scene_lane_player_result* result = r->result;
    result->time = r->time;
    result->finished = r->time >= r->plan->seconds;
    result->lane_changes = r->company.lane_change_count;
    if (r->judged <= 0.0)
        return;
    result->speed_mean = result->driven / r->judged;
    result->near_share = r->near_time / r->judged;
    result->near_mean = r->near_sum / r->judged;
    result->held_up_share = r->held_time / r->judged;
    result->rays = r->rays / r->frames;
    result->drive_ns = kerb_scene_call_median(&r->drives);
    result->company_ns = kerb_scene_call_median(&r->companies);
    result->error_mean = r->error_time > 0.0 ? r->error_sum / r->error_time : 0.0;
}

static kerb_result lane_player_check(const kerb_scene_lane_player_plan* plan, kerb_error* error) {
    kerb_result valid = kerb_settings_validate(&kerb_lane_settings_table, &plan->settings, error);
    if (valid == KERB_OK)
        valid = kerb_settings_validate(&kerb_lane_company_settings_table, &plan->company, error);
    if (valid == KERB_OK)
        valid = kerb_vehicle_validate(&plan->model->vehicle, error);
    return valid;
}

kerb_result kerb_scene_lane_player_begin(kerb_scene_lane_player_state* state,
                                         const kerb_scene_lane_player_plan* plan,
                                         const kerb_host* host,
                                         kerb_scene_lane_player_result* result, kerb_error* error) {
    memset(state, 0, sizeof *state);
    memset(result, 0, sizeof *result);
    kerb_result valid = lane_player_check(plan, error);
    if (valid != KERB_OK)
        return valid;
    size_t count = (size_t)plan->bots + 1;
    size_t bytes = count * sizeof(kerb_scene_lane_driver) +
                   2 * count * sizeof(kerb_scene_lane_box) + count * count;
    uint8_t* memory = host->allocator.allocate(host->allocator.context, bytes, 64);
    if (!memory)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory");
    memset(memory, 0, bytes);
    state->memory = memory;
    state->bytes = bytes;
    state->allocator = host->allocator;
    state->clear_at = -1.0;
    state->drives = state->companies = kerb_scene_call_times_make(plan->clock_ns);
    state->plan = plan;
    state->result = result;
    state->count = (int32_t)count;
    state->drivers = (kerb_scene_lane_driver*)(void*)memory;
    state->boxes = (kerb_scene_lane_box*)(void*)(memory + count * sizeof(kerb_scene_lane_driver));
    state->before = state->boxes + count;
    state->touching =
        memory + count * sizeof(kerb_scene_lane_driver) + 2 * count * sizeof(kerb_scene_lane_box);
    lane_player_begin(state);
    return KERB_OK;
}

void kerb_scene_lane_player_end(kerb_scene_lane_player_state* state) {
    if (state->memory != NULL)
        state->allocator.release(state->allocator.context, state->memory, state->bytes);
    memset(state, 0, sizeof *state);
}

bool kerb_scene_lane_player_is_over(const kerb_scene_lane_player_state* state) {
    return is_over(state);
}

kerb_result kerb_scene_lane_player_run(const kerb_scene_lane_player_plan* plan,
                                       const kerb_host* host, kerb_scene_lane_player_result* result,
                                       kerb_error* error) {
    kerb_scene_lane_player_state r;
    kerb_result valid = kerb_scene_lane_player_begin(&r, plan, host, result, error);
    if (valid != KERB_OK)
        return valid;
    while (r.time < plan->seconds && !is_over(&r))
        kerb_scene_lane_player_frame(&r);
    lane_player_finish(&r);
    kerb_scene_lane_player_end(&r);
    return KERB_OK;
}
