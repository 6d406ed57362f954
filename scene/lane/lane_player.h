// A road full of bots round a player: a scripted human who speeds, brakes and weaves, and a company
// of lane keepers that stays round it. The command and the tests share it.
#ifndef KERB_SCENE_LANE_LANE_PLAYER_H
#define KERB_SCENE_LANE_LANE_PLAYER_H

#include "kerb/lane_company.h"
#include "scene/lane/lane_drive.h"

/// What the human is up to.
typedef enum kerb_scene_lane_mood {
    KERB_SCENE_LANE_CRUISE, ///< drives along
    KERB_SCENE_LANE_SPEED, ///< much faster, close behind others, changes lanes where there is a gap
    KERB_SCENE_LANE_WEAVE, ///< from lane to lane for fun, swaying
    KERB_SCENE_LANE_CRAWL, ///< at a third of the speed
    KERB_SCENE_LANE_BRAKE, ///< brakes as hard as it can for a second or two, out of nothing
    KERB_SCENE_LANE_STOP,  ///< brakes, and stands for a while
    KERB_SCENE_LANE_MOODS
} kerb_scene_lane_mood;

/// How humans differ: how often they are in which mood.
typedef enum kerb_scene_lane_style {
    KERB_SCENE_LANE_MIXED,
    KERB_SCENE_LANE_HASTY,   ///< speeds and weaves
    KERB_SCENE_LANE_NERVOUS, ///< brakes and stops
    KERB_SCENE_LANE_CALM,    ///< cruises, and crawls now and then
    KERB_SCENE_LANE_STYLES
} kerb_scene_lane_style;

/// Player or bot.
typedef struct kerb_scene_lane_driver {
    kerb_lane_keeper keeper;
    kerb_sim_vehicle vehicle;
    kerb_controls controls;      ///< that act in this frame
    const kerb_controls* player; ///< who drives in place of the keeper; NULL: nobody
    bool player_drove;           ///< in the frame before
    kerb_path_location place;    ///< on the road's middle
    bool oncoming;
    float along;         ///< of the player, along the road [m]
    float edge_distance; ///< from the edge of its direction [m]
    float aside_speed;   ///< away from that edge [m/s]
    float beside_for;    ///< since it came into the player's way or the player into its [s]
    bool cut_off;        ///< the player came before it nearer than braking can make good
    float steady_for;    ///< since it last moved to another lane [s]
    float shaken;        ///< still, by a collision that the player caused [s]
    bool seen;
    bool touching;                          ///< somebody, or the edge
    bool judged;                            ///< it keeps a lane now: the error counts
    bool moved;                             ///< put down elsewhere in this frame
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX]; ///< of the last frame …
    kerb_lane_hit hits[KERB_LANE_RAYS_MAX]; ///< … and what they met
    int32_t ray_count;
} kerb_scene_lane_driver;

/// How to run.
typedef struct kerb_scene_lane_player_plan {
    const kerb_scene_lane_road* road;
    const kerb_sim_model* model; ///< of all
    kerb_lane_settings settings; ///< of the bots; speed and lane are the company's
    kerb_lane_company_settings company;
    int32_t bots;                ///< [1 … KERB_LANE_COMPANY_BOTS_MAX]
    kerb_scene_lane_style style; ///< of the human
    float speed;                 ///< at which the human cruises [m/s]
    double seconds;
    uint64_t seed;
    float view_distance, view_half_angle;     ///< of the human's eyes [m], [rad]
    float mirror_distance, mirror_half_angle; ///< and of its mirrors
    float view_close;                         ///< seen all round [m]
    float drive_hz, physics_hz;
    uint64_t (*clock_ns)(void); ///< may be NULL
    /// After every frame; may be NULL. The player is the first.
    void (*watch)(void* context, double time, const kerb_scene_lane_driver* drivers, int32_t count,
                  kerb_scene_lane_mood mood);
    void* context;
} kerb_scene_lane_player_plan;

/// What was measured.
typedef struct kerb_scene_lane_player_result {
    double time;                  ///< [s]
    double driven;                ///< by the player [m]
    bool finished;                ///< the road was long enough
    double speed_mean, speed_max; ///< of the player [m/s]
    double near_share;            ///< of the time with 10 bots within 100 m of the player
    double near_mean;             ///< bots within 100 m
    int32_t collisions_by_bots;   ///< with the player, caused by a bot; between bots all
    int32_t collisions_between_bots;
    int32_t collisions_by_player;
    int32_t collisions_after;     ///< of who was in one of those less than 10 s before
    int32_t cleared;              ///< how often the road was cleared after those
    int32_t edge_touches;         ///< bots that began to stand over an edge
    int32_t appeared_in_view;     ///< bots that came from nowhere, or went there, in view
    int32_t moves;                ///< bots put down elsewhere
    int32_t moves_refused;        ///< because of who would see it, or who is there
    int32_t lane_changes;         ///< that the company ordered
    double held_up_share;         ///< of the time: the player slower than it likes because of a bot
    double held_up_longest;       ///< [s]
    int32_t put_back;             ///< the player, who had driven off the road
    double error_mean, error_max; ///< of bots from their lane, while they keep one [m]
    double rays;                  ///< a bot and frame
    double drive_ns;              ///< a bot's drive call, the median; 0 without a clock
    double company_ns;            ///< a call of the company, likewise
} kerb_scene_lane_player_result;

/// 40 bots, ten minutes, a mixed human; as many lanes as the road has room for, of 3.5 m, the
/// greater half of them in the player's direction.
kerb_scene_lane_player_plan kerb_scene_lane_player_plan_default(const kerb_scene_lane_road* road,
                                                                const kerb_sim_model* model);

/// What the player can drive on an open road before it ends; without limit (HUGE_VAL) on a
/// closed one. [m]
double kerb_scene_lane_player_room(const kerb_scene_lane_road* road);

/// The human's fastest, over the speed at which it cruises. A road that holds this for the whole
/// time is long enough.
#define KERB_SCENE_LANE_PLAYER_FASTEST 1.65f

/// Runs it. Bad settings and failed allocations come back as errors.
kerb_result kerb_scene_lane_player_run(const kerb_scene_lane_player_plan* plan,
                                       const kerb_host* host, kerb_scene_lane_player_result* result,
                                       kerb_error* error);

const char* kerb_scene_lane_mood_name(kerb_scene_lane_mood mood);

/// A country road that never crosses itself: bends of 80 to 800 m radius and straights, four lanes
/// of 3.5 m, so many metres long. Waypoints from the host's allocator, to be given back with their
/// count. The same seed, the same road. OUT_OF_MEMORY.
kerb_result kerb_scene_lane_country(uint64_t seed, float length, const kerb_host* host,
                                    kerb_waypoint** waypoints, int32_t* count, kerb_error* error);

#endif
