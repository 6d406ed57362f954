// Kerb lane_company: lane keepers round a player, so that the road feels busy.
#ifndef KERB_LANE_COMPANY_H
#define KERB_LANE_COMPANY_H

#include "lane.h"

// --------------------------------------------------------------------------- round a player
//
// A company makes a road feel busy round one vehicle, the player's: it tells each of a few dozen
// lane keepers ("bots") how fast to drive and in which lane, so that they stay round the player,
// neither leave it behind nor fall back, and do not stand in its way; and which of them, out of
// sight, is to be put down elsewhere on the road.
//
//     kerb_lane_company company = kerb_lane_company_make();
//     kerb_lane_company_begin(&company, &player, count, orders); // and put all of them down
//     each frame:
//         kerb_lane_company_drive(&company, &player, bots, count, time_step, orders);
//         for each bot:
//             keeper.settings.speed = orders[i].speed;
//             keeper.settings.edge_distance = orders[i].edge_distance;
//             if (orders[i].move)
//                 put_down_if_nobody_sees(i, &orders[i]); // or leave it where it is
//
// It knows places along the road alone; what the road looks like, and what hides behind its hills
// and bends, the host says with `seen`, and by not putting down what would be seen. Moving round
// bends, gaps and room in the other lane are the keepers' part.

/// Most bots of one company.
#define KERB_LANE_COMPANY 64
/// Most lanes in one direction.
#define KERB_LANE_LANES 6

/// A settings struct: see kerb_lane_company_settings_table for ranges.
typedef struct kerb_lane_company_settings {
    int32_t lanes;          ///< in the player's direction, counted from its edge
    int32_t oncoming_lanes; ///< in the other, counted from that edge
    float lane_width;       ///< [m]
    float bot_length;       ///< [m]
    float oncoming_share;   ///< of the bots that come towards the player, where lanes do [0 … 1]
    float gap_time;         ///< between bots of a lane: as their keepers', or a little more … [s]
    float gap_least;        ///< … [m]
    float spacing_least;    ///< from one to the next of a lane, however slow [m]
    float speed_least;      ///< of bots ahead of a player who stands [m/s]
    float speed_most;       ///< of bots beside a player who races [m/s]
    float oncoming_speed;   ///< [m/s]
    float pull;             ///< speed towards its place, per metre [1/s]
    float pull_most;        ///< at most [m/s]
    float patience;         ///< a player held up so long is let through [s]
    float hidden_ahead;     ///< nobody is seen appearing this far ahead of the player … [m]
    float hidden_behind;    ///< … and this far behind [m]
} kerb_lane_company_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_lane_company_settings_table;

/// Two lanes each way, hidden 320 m ahead and 170 m behind.
KERB_API kerb_lane_company_settings kerb_lane_company_settings_default(void);

/// The player, as a company needs it.
typedef struct kerb_lane_player {
    float speed;         ///< along the road [m/s]
    float edge_distance; ///< from the edge of its own direction [m]
} kerb_lane_player;

/// A bot, as a company needs it. One with numbers that are not finite counts as absent.
typedef struct kerb_lane_bot {
    float along;         ///< ahead of the player along the road, negative behind [m]
    float speed;         ///< of its own driving, whichever direction that is [m/s]
    float edge_distance; ///< from the edge of its own direction to its middle [m]
    bool oncoming;       ///< drives against the player's direction
    bool seen;           ///< the player sees where it is, now
} kerb_lane_bot;

/// What a bot is to do.
typedef struct kerb_lane_order {
    float speed;         ///< for its keeper's settings [m/s]
    float edge_distance; ///< for its keeper's settings [m]
    int32_t lane;        ///< that this is the middle of, from 0 at the edge
    bool move;           ///< put it down elsewhere, unless somebody sees it here or there …
    float move_along;    ///< … so far ahead of the player [m]
    bool move_oncoming;  ///< … in this direction, in `lane`, at `speed`, or at what lets it brake
                         ///< behind who is ahead there
} kerb_lane_order;

/// A company: settings and memory. Plain data; change the settings at any time.
typedef struct kerb_lane_company {
    kerb_lane_company_settings settings;
    float pace;          ///< speed round the player, over the last seconds [m/s]
    float held_up;       ///< the player is held up for so long now [s]
    int32_t bad_frames;  ///< calls with a player or a time step that made no sense
    int32_t lane_orders; ///< lane changes ordered so far

    // What it remembers; the meaning may change between versions.
    struct {
        bool started;
        float since_change; ///< since anybody was told to change lanes [s]
        float farther[2]
                     [KERB_LANE_LANES]; ///< the next place to be asked for is so much farther [m]
        struct {
            bool known;
            int32_t lane;
            float along; ///< in the last frame [m]
            float told;  ///< since it was told to change lanes [s]
        } bots[KERB_LANE_COMPANY];
    } memory;
} kerb_lane_company;

/// A company at the start of its life, default settings.
KERB_API kerb_lane_company kerb_lane_company_make(void);

/// Where all bots are to be put down at the beginning, before anybody looks: an order with `move`
/// for every one of them. O(count)
KERB_API void kerb_lane_company_begin(kerb_lane_company* company, const kerb_lane_player* player,
                                      int32_t count, kerb_lane_order* orders);

/// One frame: an order for every bot. Bots must be handed over in the same sequence each frame.
/// Bad player or time step: orders to go on as they are. The settings must be valid; invalid ones
/// assert. Allocates nothing. O(count²)
///
/// count: [0 … KERB_LANE_COMPANY]; time_step: since the last call [s] [> 0, < 1000]
KERB_API void kerb_lane_company_drive(kerb_lane_company* company, const kerb_lane_player* player,
                                      const kerb_lane_bot* bots, int32_t count, float time_step,
                                      kerb_lane_order* orders);

/// What a pair of eyes, a camera or a mirror sees: all that is close, and a cone.
typedef struct kerb_lane_view {
    kerb_vec3 eye;       ///< [m]
    kerb_vec3 direction; ///< unit
    float half_angle;    ///< of the cone [rad] [0 … π]
    float distance;      ///< how far it reaches: the drawing distance, the fog [m]
    float close;         ///< nearer than this all round is seen too [m]
} kerb_lane_view;

/// Whether any part of a ball may be in a view; hills and houses are the host's to say. Not finite:
/// it may.
KERB_API bool kerb_lane_view_sees(const kerb_lane_view* view, kerb_vec3 centre, float radius);

#endif
