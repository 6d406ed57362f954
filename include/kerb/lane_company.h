// Kerb lane_company: many lane keepers round one player, so that the road feels busy.
//
// A company leads a few dozen vehicles ("bots"), each driven by a lane keeper (lane.h), round one
// vehicle, the player's. In every frame it gives each bot a speed and a lane. So the bots stay near
// the player: they do not leave it behind, fall back, or block it for long. In each lane the bots
// form a row with evenly spaced places ahead of and behind the player. Where one side of a row has
// too few bots, the company asks the host to respawn a bot there: to move a bot that the player
// does not see now to that place. The greatest number of bots is KERB_LANE_COMPANY_BOTS_MAX, 64.
//
//      behind, seen in the mirror                       ahead
//     ─┤ b ─ b ─ b ─ b ─ [player] ─ b ─ b ─ b ─ b ─ b ─┤   bots respawn beyond the two marks
//      spawn_distance_behind               spawn_distance_ahead
//
// Order of calls: kerb_lane_company_make, then once kerb_lane_company_begin; place every bot by its
// order. Then call kerb_lane_company_drive in every frame and carry out its orders.
//
//     kerb_lane_company company = kerb_lane_company_make();
//     kerb_lane_order orders[KERB_LANE_COMPANY_BOTS_MAX];
//     kerb_lane_company_begin(&company, &player, count, orders);
//     for (int32_t i = 0; i < count; i++)
//         your_put_down(i, &orders[i]);
//     for (;;) { // one round: one frame
//         your_bots_seen_from_player(&player, bots);
//         kerb_lane_company_drive(&company, &player, bots, count, 1.0f / 60.0f, orders);
//         for (int32_t i = 0; i < count; i++) {
//             if (orders[i].respawn && your_road_is_hidden_and_clear(i, &orders[i])) {
//                 your_put_down(i, &orders[i]);
//                 continue;
//             }
//             keepers[i].settings.speed = kerb_max(orders[i].speed, 0.1f);
//             if (!orders[i].respawn) // else the lane is that of the new place
//                 keepers[i].settings.edge_distance = orders[i].edge_distance;
//         }
//         your_frame_of_lane_keepers(keepers, count); // as in lane.h
//     }
//
// A company knows only distances along the road, so it need not be told when the world's origin
// moves. When the player is put elsewhere, the distances to its bots jump, and the company learns
// their lanes anew. Only the host knows what the player sees, and what hills and bends hide. So the
// host sets kerb_lane_bot.seen. When a new place is in view or occupied, the host leaves the bot
// where it is. In the next frame the company then proposes another place.
//
// Memory and threads: a company is one struct without pointers. Copy it to save a game. Copies are
// valid only in the same build of the library; kerb_lane_company_save and kerb_lane_company_load
// work across builds. It keeps no reference to the arrays of a call. Several threads may drive
// different companies at the same time. Only one thread at a time may use one company.
//
// It does NOT:
//   - drive bots: each keeper drives round bends, keeps its gap and checks the lane it changes to;
//   - place vehicles: the host does;
//   - know which stretch of road is hidden: the host does.
#ifndef KERB_LANE_COMPANY_H
#define KERB_LANE_COMPANY_H

#include "lane.h"
#include "private/lane_company_memory.h"

/// All settings of a company. They may change between any two frames.
/// kerb_lane_company_settings_table has ranges and defaults as data.
typedef struct kerb_lane_company_settings {
    /// Number of lanes in the player's direction, counted from its edge. [1 … 6] Default: 2.
    int32_t lanes;
    /// Number of lanes in the other direction, counted from that edge. [0 … 6] Default: 2.
    int32_t oncoming_lanes;
    /// Width of every lane. [m] [1.5 … 10] Default: 3.5.
    float lane_width;
    /// Length of every bot. [m] [0.5 … 30] Default: 4.5.
    float bot_length;
    /// Share of the bots that drive towards the player, if there are oncoming lanes. [0 … 1]
    /// Default: 0.375.
    float oncoming_share;
    /// Time gap between bots of a lane: use that of their keepers, or a little more. [s] [0.2 … 10]
    /// Default: 1.1.
    float gap_time;
    /// Gap between bots of a lane at standstill. [m] [0.5 … 50] Default: 2.5.
    float gap_min;
    /// Shortest distance from the front of a bot to the front of the next bot in its lane, at any
    /// speed. [m] [1 … 200] Default: 22.
    float spacing_min;
    /// Smallest speed of bots in the player's direction, also while the player is at standstill.
    /// [m/s]
    /// [0 … 50] Default: 4.
    float speed_min;
    /// Greatest speed of bots in the player's direction, also when the player is faster. [m/s]
    /// [1 … 100] Default: 36.
    float speed_max;
    /// Greatest speed of oncoming bots; they are slower where the road would be too empty. [m/s]
    /// [1 … 100] Default: 20.
    float oncoming_speed;
    /// Change of a bot's speed for each metre between it and its place in the row of its lane.
    /// [1/s] [0 … 2] Default: 0.08.
    float position_gain;
    /// Greatest change of speed by which a bot returns to its place. [m/s] [0 … 50] Default: 6.
    float position_speed_max;
    /// After the player has been held up for this time, the bots let it pass. [s] [0 … 60] Default:
    /// 1.5.
    float patience;
    /// Shortest distance ahead of the player at which a bot may respawn unseen. [m] [10 … 2000]
    /// Default: 320.
    float spawn_distance_ahead;
    /// Shortest distance behind the player at which a bot may respawn unseen. [m] [10 … 2000]
    /// Default: 170.
    float spawn_distance_behind;
} kerb_lane_company_settings;

/// Range, default and meaning of every setting.
KERB_API const kerb_settings_table kerb_lane_company_settings_table;

/// The defaults: two lanes in each direction; bots appear 320 m ahead and 170 m behind. O(1)
KERB_API kerb_lane_company_settings kerb_lane_company_settings_default(void);

/// The player's vehicle, as the company needs it.
typedef struct kerb_lane_player {
    float speed;         ///< along the road [m/s]
    float edge_distance; ///< from the edge of its own direction to its middle [m]
} kerb_lane_player;

/// A bot, as the company needs it. A bot with a number that is not finite, a distance above
/// KERB_POSITION_MAX, or a speed above 1000 m/s counts as absent.
typedef struct kerb_lane_bot {
    float distance_ahead; ///< distance from the player to it along the road, negative behind [m]
    float speed;          ///< in its own direction of travel [m/s]
    float edge_distance;  ///< from the edge of its own direction to its middle [m]
    bool oncoming;        ///< drives against the player's direction
    bool seen;            ///< the player sees the place where it is now
} kerb_lane_bot;

/// What the host must make a bot do.
typedef struct kerb_lane_order {
    float speed;         ///< for its keeper's settings [m/s] [>= 0]
    float edge_distance; ///< for its keeper's settings: the middle of `lane` [m]
    int32_t lane;        ///< from 0 at the edge of its direction
    /// True: move it to the new place, unless the player would see it vanish or appear. The two
    /// fields below and `lane` give the new place. Start it there at `speed`, or slower if it could
    /// not brake in time behind the vehicle ahead of it.
    bool respawn;
    float respawn_distance_ahead; ///< from the player to the new place, negative behind [m]
    bool respawn_oncoming;        ///< the new direction: against the player's
} kerb_lane_order;

/// A company: settings and memory. Plain data without pointers. Settings may change between any two
/// frames.
typedef struct kerb_lane_company {
    kerb_lane_company_settings settings;
    float pace;         ///< speed of the bots round the player, over the last seconds [m/s]
    float held_up_time; ///< how long the player has been held up; 0: it is not [s]
    /// Calls with an impossible player or time step, or a step above KERB_TIME_STEP_MAX.
    int32_t bad_frames;
    int32_t lane_change_count; ///< number of lane changes ordered since it was made

    /// What it remembers. No interface: see kerb/private/lane_company_memory.h.
    kerb_lane_company_memory memory;
} kerb_lane_company;

/// A new company with default settings. Allocates nothing. O(1)
KERB_API kerb_lane_company kerb_lane_company_make(void);

/// Makes a company in place, like kerb_lane_company_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_lane_company_init(kerb_lane_company* company);

/// Size of a company. [bytes]
KERB_API size_t kerb_lane_company_bytes(void);

/// Size of the block that saves a company; writes the block where it fits. See kerb/base.h. [bytes]
KERB_API size_t kerb_lane_company_save(const kerb_lane_company* company, void* block,
                                       size_t capacity);

/// Loads a company from a block. Refuses blocks of other types, versions and builds; see
/// kerb/base.h.
KERB_API kerb_result kerb_lane_company_load(kerb_lane_company* company, const void* block,
                                            size_t size, kerb_error* error);

/// Begins: writes an order with `respawn` for every bot. Carry the orders out before the player
/// sees the road. Resets the company's memory. A speed of the player that is not finite counts as
/// 0. Allocates nothing. O(count)
///
/// count: number of bots and of orders. [0 … KERB_LANE_COMPANY_BOTS_MAX]
KERB_API void kerb_lane_company_begin(kerb_lane_company* company, const kerb_lane_player* player,
                                      int32_t count, kerb_lane_order* orders);

/// Runs one frame: writes an order for each bot. Allocates nothing. O(count²)
///
/// bots: in the same order in every frame.
/// count: number of bots and of orders. [0 … KERB_LANE_COMPANY_BOTS_MAX]
/// time_step: time since the last call. One above KERB_TIME_STEP_MAX counts as that. [s]
///     [>= KERB_TIME_STEP_MIN]
/// orders: written. The order of an absent bot is all zero.
///
/// In a frame with a time step that is too short or not finite, or with a player that is not finite
/// or faster than 3 · speed_max + 100 m/s, the bots get orders to keep their speed and edge
/// distance. These frames, and those with a longer step, are counted in `bad_frames`. Settings must
/// be valid; invalid ones assert.
KERB_API void kerb_lane_company_drive(kerb_lane_company* company, const kerb_lane_player* player,
                                      const kerb_lane_bot* bots, int32_t count, float time_step,
                                      kerb_lane_order* orders);

// --------------------------------------------------------------------------- what is in view

/// What an eye, a camera or a mirror sees: a cone, and all that is near.
typedef struct kerb_lane_view {
    kerb_vec3 eye;       ///< position of the eye [m]
    kerb_vec3 direction; ///< of the cone's axis, unit vector
    float half_angle;    ///< from the axis of the cone to its side [rad] [0 … π]
    float far_distance;  ///< how far it reaches: the drawing distance, or the fog [m]
    float near_distance; ///< anything nearer than this is seen in all directions [m]
} kerb_lane_view;

/// Whether any part of a ball may be in a view. The host must check whether hills or buildings
/// hide it. Numbers that are not finite: true. O(1)
KERB_API bool kerb_lane_view_sees(const kerb_lane_view* view, kerb_vec3 centre, float radius);

#endif
