// A stage: one running scene on Kerb's own reference vehicles (sim/), for programs that show scenes
// and let people meddle with them, such as the browser playground. Scenes are listed here once.
// Every scene uses the drivers of the library and the experiments of scene/; the stage adds
// nothing to them but a common interface.
//
//     int32_t scene = kerb_stage_find("follower/courses");
//     kerb_stage* stage = kerb_stage_make(scene, 1, NULL, 0, NULL, &error);
//     every frame of 1/60 s:
//         kerb_stage_step(stage);
//         const kerb_stage_vehicle* v = kerb_stage_vehicles(stage);
//         for (int32_t i = 0; i < kerb_stage_vehicle_count(stage); i++)
//             … draw v[i] …
//     kerb_stage_free(stage);
//
// FOR WEBASSEMBLY. Arguments and results are int32_t, float and pointers only, so that JavaScript
// calls every function directly. Records are flat rows of 4-byte numbers. Arrays are read through
// typed arrays at the returned address; playground/native lists names and offsets of all fields.
// Addresses of arrays stay the same until the stage is freed, the counts change; only the arrays of
// shapes may move, when kerb_stage_shapes_version changes. The memory itself may grow in
// kerb_stage_make and in the functions of shapes: JavaScript then needs new typed arrays over it.
// Texts are constant, end with a 0 byte, and are UTF-8.
//
// TIME. One step is always KERB_STAGE_STEP seconds. The host decides how many steps it runs.
//
// BAD ARGUMENTS. Scenes, choices, tables, rows, vehicles and items are named by indexes. A
// function that gets a bad index or a number that is not finite returns an error, NULL, 0 or "", as
// it says, and changes nothing. A NULL stage is a bad argument, too. `error` may be NULL.
//
// DETERMINISM. The same scene, seed, choices and calls give the same hash on every machine, native
// and WebAssembly. Reading (vehicles, shapes, draw) never changes what happens next.
//
// UNITS AND AXES. Metres, seconds, radians; right-handed, z up; headings count from x towards y.
// Steering and yaw rate are positive to the left.
//
// Does not: measure time, read files, print.
#ifndef KERB_SCENE_STAGE_STAGE_H
#define KERB_SCENE_STAGE_STAGE_H

#include "kerb/base.h"
#include "kerb/draw.h"

#define KERB_STAGE_STEP (1.0f / 60.0f) ///< of time [s]
#define KERB_STAGE_VEHICLES_MAX 256    ///< vehicles of a stage
#define KERB_STAGE_CHOICES_MAX 8       ///< choices of a scene

// --------------------------------------------------------------------------- the tree of scenes

/// Number of scenes. Their indexes are 0 … count - 1, in the order of the tree: scenes of one group
/// follow each other. The first is the landing page.
int32_t kerb_stage_scene_count(void);

/// What is known of a scene without making it. "" for a bad index.
const char* kerb_stage_scene_id(int32_t scene);    ///< "follower/courses": constant, for links
const char* kerb_stage_scene_group(int32_t scene); ///< the branch of the tree: "Follower"
const char* kerb_stage_scene_title(int32_t scene); ///< in a few words
const char* kerb_stage_scene_look(int32_t scene);  ///< one sentence: what to look for
const char* kerb_stage_scene_try(int32_t scene);   ///< one sentence: what to try

/// Index of the scene with this id; -1: there is none.
int32_t kerb_stage_find(const char* id);

/// What may be chosen before a scene is made, such as the course or the number of vehicles. Each
/// choice is a whole number from its least to its most value. A choice with options is an
/// enumeration: value v is option v, and the least value is 0.
int32_t kerb_stage_choice_count(int32_t scene); ///< [0 … KERB_STAGE_CHOICES_MAX]
const char* kerb_stage_choice_name(int32_t scene, int32_t choice);    ///< "course": for links
const char* kerb_stage_choice_meaning(int32_t scene, int32_t choice); ///< one line
int32_t kerb_stage_choice_min(int32_t scene, int32_t choice);
int32_t kerb_stage_choice_max(int32_t scene, int32_t choice);
int32_t kerb_stage_choice_default(int32_t scene, int32_t choice);
/// Number of options; 0: it is a range.
int32_t kerb_stage_choice_options(int32_t scene, int32_t choice);
/// Name of an option: "figure-eight".
const char* kerb_stage_choice_option(int32_t scene, int32_t choice, int32_t option);

/// The settings that may be changed while a scene runs: some tables of rows. Two tables may be of
/// one kind: "driver" and "ghost", for two drivers to be compared.
int32_t kerb_stage_table_count(int32_t scene);
const char* kerb_stage_table_name(int32_t scene, int32_t table); ///< "driver"
int32_t kerb_stage_row_count(int32_t scene, int32_t table);
const char* kerb_stage_row_name(int32_t scene, int32_t table, int32_t row);    ///< "response_time"
const char* kerb_stage_row_unit(int32_t scene, int32_t table, int32_t row);    ///< "1": none
const char* kerb_stage_row_meaning(int32_t scene, int32_t table, int32_t row); ///< one line
/// Names of a choice, separated by '|', from value 0 on; "" for other types.
const char* kerb_stage_row_options(int32_t scene, int32_t table, int32_t row);
int32_t kerb_stage_row_type(int32_t scene, int32_t table, int32_t row); ///< kerb_setting_type
float kerb_stage_row_min(int32_t scene, int32_t table, int32_t row);
float kerb_stage_row_max(int32_t scene, int32_t table, int32_t row);
float kerb_stage_row_default(int32_t scene, int32_t table, int32_t row); ///< of the table
/// Index of a row by its name; -1: there is none.
int32_t kerb_stage_row_find(int32_t scene, int32_t table, const char* name);

// --------------------------------------------------------------------------- a stage

typedef struct kerb_stage kerb_stage;

/// Makes a scene. `choices` has `count` values in the order of the scene's choices; choices beyond
/// `count` have their defaults (NULL, 0: all). `host`: where memory comes from; NULL: malloc. It is
/// copied. NULL with an error: OUT_OF_RANGE of "scene", of "choices" (index: which), OUT_OF_MEMORY,
/// or another error of what the scene is made of. Most scenes take a few milliseconds; with a race
/// track some hundred.
kerb_stage* kerb_stage_make(int32_t scene, uint32_t seed, const int32_t* choices, int32_t count,
                            const kerb_host* host, kerb_error* error);

/// Gives all memory back. NULL is fine.
void kerb_stage_free(kerb_stage* stage);

/// What it was made of.
int32_t kerb_stage_scene(const kerb_stage* stage); ///< -1: bad stage
uint32_t kerb_stage_seed(const kerb_stage* stage);
int32_t kerb_stage_choice(const kerb_stage* stage, int32_t choice); ///< 0: bad choice

/// One step of KERB_STAGE_STEP. A scene that is over goes on or begins again by itself where its
/// description says so; otherwise its vehicles stand. Allocates nothing. Does nothing on NULL.
void kerb_stage_step(kerb_stage* stage);

/// Puts it back to how it was after kerb_stage_make: vehicles, drivers, time, what was dragged, who
/// drives. Settings keep their values. OUT_OF_RANGE of "stage".
kerb_result kerb_stage_restart(kerb_stage* stage, kerb_error* error);

float kerb_stage_time(const kerb_stage* stage);    ///< since the start [s]
int32_t kerb_stage_frame(const kerb_stage* stage); ///< steps since the start

/// Hash of all that happened since the start: of every vehicle's motion and controls in every step.
/// Two halves of 32 bits, low first. Two zeros: bad stage. It is part of a snapshot.
void kerb_stage_hash(const kerb_stage* stage, uint32_t hash[2]);

// --------------------------------------------------------------------------- snapshots

/// Size of a snapshot now. The size may change while the scene runs. [bytes]
int32_t kerb_stage_snapshot_bytes(const kerb_stage* stage);

/// Writes a snapshot of everything that changes: vehicles, drivers, settings, what was dragged,
/// who drives, hash. Returns its size, 0 when `capacity` is smaller than that: then nothing is
/// written. It belongs to this stage in this process: its bytes hold addresses. O(bytes)
int32_t kerb_stage_save(const kerb_stage* stage, void* block, int32_t capacity);

/// Goes back to a snapshot of this stage. Errors, with nothing changed: OUT_OF_RANGE of "stage",
/// TOO_FEW of "size", SYNTAX of "block" (no snapshot), CONTRADICTION of "block" (of another stage).
kerb_result kerb_stage_restore(kerb_stage* stage, const void* block, int32_t size,
                               kerb_error* error);

// --------------------------------------------------------------------------- settings

/// Value of a row now; 0 for a bad index.
float kerb_stage_get(const kerb_stage* stage, int32_t table, int32_t row);

/// Changes a row now, for all vehicles that the table is for. OUT_OF_RANGE of "stage", "table" or
/// "row"; of a row's own name: NOT_FINITE, OUT_OF_RANGE, WRONG_TYPE (not a whole number).
kerb_result kerb_stage_set(kerb_stage* stage, int32_t table, int32_t row, float value,
                           kerb_error* error);

// --------------------------------------------------------------------------- vehicles

/// What a vehicle looks like.
typedef enum kerb_stage_look {
    KERB_STAGE_CAR,        ///< a family car
    KERB_STAGE_PICKUP,     ///< two tonnes
    KERB_STAGE_BUGGY,      ///< light, open
    KERB_STAGE_SCOUT,      ///< armoured, four wheels
    KERB_STAGE_CARRIER,    ///< armoured, eight wheels
    KERB_STAGE_TANK,       ///< tracks
    KERB_STAGE_HOVERCRAFT, ///< no wheels
    KERB_STAGE_ROAD,       ///< a fast road car
    KERB_STAGE_GT,         ///< a GT racing car
    KERB_STAGE_FORMULA,    ///< open wheels, wings
    KERB_STAGE_RALLY,      ///< a rally car
    KERB_STAGE_TRUCK,      ///< a lorry
    KERB_STAGE_BUS,        ///< a city bus
    KERB_STAGE_AIRPLANE,
    KERB_STAGE_AGENT, ///< a small car of a crowd, without physics
    KERB_STAGE_SHIP,
    KERB_STAGE_PEDESTRIAN,
    KERB_STAGE_TRAILER, ///< behind a car
    KERB_STAGE_MOTORCYCLE,
    KERB_STAGE_SPACECRAFT,
    KERB_STAGE_HELICOPTER,
    KERB_STAGE_DRONE,
    KERB_STAGE_ROCKET, ///< stands on its engine
    KERB_STAGE_SUBMARINE,
    KERB_STAGE_LOOKS
} kerb_stage_look;

/// What a vehicle is there for.
typedef enum kerb_stage_role {
    KERB_STAGE_HERO,    ///< the one to look at first
    KERB_STAGE_TRAFFIC, ///< one of many
    KERB_STAGE_GHOST,   ///< for comparison: touches nobody, nobody sees it
    KERB_STAGE_TARGET,  ///< whom others are after
    KERB_STAGE_PURSUER, ///< who is after others
    KERB_STAGE_RIVAL,   ///< races
    KERB_STAGE_HUMAN,   ///< driven by a script that stands for a player
    KERB_STAGE_PARKED,  ///< stands where it is
    KERB_STAGE_ROLES
} kerb_stage_role;

/// In a word: "pickup", "hero"; "unknown" out of range.
const char* kerb_stage_look_text(kerb_stage_look value);
const char* kerb_stage_role_text(kerb_stage_role value);

/// One vehicle after the last step. 4-byte numbers only. What a vehicle does not have is 0.
typedef struct kerb_stage_vehicle {
    int32_t id;       ///< its index, which stays the same
    int32_t look;     ///< kerb_stage_look
    int32_t role;     ///< kerb_stage_role
    int32_t colour;   ///< index of a colour, from 0; equal where vehicles belong together
    int32_t visible;  ///< 0: not in the world now
    int32_t player;   ///< 1: a player has the wheel
    int32_t touching; ///< 1: touched something in the last step
    int32_t tracked;  ///< 0: wheels; 1: tracks; 2: neither

    float length, width, height; ///< of its box [m]
    float wheelbase;             ///< [m]
    float track_width;           ///< between the middles of its wheels or tracks [m]
    float wheel_radius;          ///< [m]
    float rear_axle;             ///< from the middle of its box back to the rear axle [m]

    float x, y,
        z; ///< of the middle of its box, on the ground (what flies or dives: in the middle) [m]
    float heading, pitch, roll; ///< nose left, nose up, left side up (in this order) [rad]
    float vx, vy, vz;           ///< [m/s]
    float speed;                ///< along its forward axis, negative in reverse [m/s]
    float yaw_rate;             ///< [rad/s]
    float acceleration;         ///< along its forward axis, of the last step [m/s²]
    float lateral_acceleration; ///< speed times yaw rate [m/s²]

    float wheel_angle; ///< of the front wheels, left positive [rad]
    /// How far the wheels have turned, 0 … 2 π: front and rear wheels, or left and right track.
    /// [rad]
    float front_roll, rear_roll;

    float throttle, brake, steering; ///< commanded [0 … 1, 0 … 1, -1 … 1]
    float handbrake;                 ///< 1: pulled
    float gear;                      ///< -1 reverse, 0 neutral, 1 … forward
    float engine_speed;              ///< [rad/s]

    int32_t reason;          ///< kerb_reason; its text: kerb_stage_reason
    float target_speed;      ///< that the driver wants [m/s]
    float cross_track_error; ///< beside its line, left positive [m]
    float progress;          ///< along its path or since the start [m]

    /// What an estimate that watches the vehicle believes of its steering. 0: none watches.
    int32_t estimated;
    int32_t delay_known, gain_known, trim_known; ///< 1: sure enough to be used
    float delay, delay_deviation;                ///< from a command to the curvature [s]
    float gain, gain_deviation; ///< curvature per command over what the driver was told [1]
    float trim, trim_deviation; ///< command at which it drives straight [share of the lock]
} kerb_stage_vehicle;

/// The vehicles, in the order of their indexes; NULL and 0 for a bad stage. Valid after make, step,
/// restart, restore, drag and set.
const kerb_stage_vehicle* kerb_stage_vehicles(const kerb_stage* stage);
int32_t kerb_stage_vehicle_count(const kerb_stage* stage);

/// What its driver does and why, in words: "bend ahead"; "" for a bad index.
const char* kerb_stage_reason(const kerb_stage* stage, int32_t vehicle);

/// What it is called: "tank 7", "police 2". Valid until the next call. "" for a bad index.
const char* kerb_stage_vehicle_name(kerb_stage* stage, int32_t vehicle);

// --------------------------------------------------------------------------- taking the wheel

/// 1 when a player may drive this vehicle. Agents of crowds, airplanes,
/// the vehicles of plan/kinds and plan/kinds-in-space, and ghosts: 0.
int32_t kerb_stage_can_take(const kerb_stage* stage, int32_t vehicle);

/// Takes the wheel, or changes the player's controls. They act until the next call. Gears are
/// shifted for the player: at standstill the brake becomes reverse, and in reverse the throttle
/// brakes. Drivers of the library go on watching, as kerb_surroundings.player_drives says.
/// [throttle, brake: 0 … 1] [steering: -1 … 1, left positive] Errors: OUT_OF_RANGE of "vehicle",
/// "throttle", "brake" or "steering", NOT_FINITE, CONTRADICTION of "vehicle" (cannot be taken).
kerb_result kerb_stage_take(kerb_stage* stage, int32_t vehicle, float throttle, float brake,
                            float steering, kerb_error* error);

/// Hands it back to its driver. OUT_OF_RANGE of "vehicle". Harmless where no player drives.
kerb_result kerb_stage_hand_back(kerb_stage* stage, int32_t vehicle, kerb_error* error);

// --------------------------------------------------------------------------- dragging

/// What can be put elsewhere.
typedef enum kerb_stage_item {
    KERB_STAGE_ITEM_VEHICLE, ///< index: of the vehicle
    KERB_STAGE_ITEM_SOLID,   ///< index: of kerb_stage_solids, where `movable` is 1
    KERB_STAGE_ITEM_MARK,    ///< index: of kerb_stage_marks, where `movable` is 1
    KERB_STAGE_ITEMS
} kerb_stage_item;

/// Puts something at a place, its middle at x, y. [m, m, rad] Vehicles stand there. Errors:
/// OUT_OF_RANGE of "kind", "index" or "x", NOT_FINITE, CONTRADICTION of "index" (not movable) or
/// of "x" (nothing can be there).
kerb_result kerb_stage_drag(kerb_stage* stage, int32_t kind, int32_t index, float x, float y,
                            float heading, kerb_error* error);

// --------------------------------------------------------------------------- shapes

/// What a line, a triangle or a solid is.
typedef enum kerb_stage_shape {
    KERB_STAGE_SHAPE_ROAD,     ///< asphalt
    KERB_STAGE_SHAPE_EDGE,     ///< edge of a road, track or corridor
    KERB_STAGE_SHAPE_MIDDLE,   ///< the line to be followed, or a lane's middle
    KERB_STAGE_SHAPE_START,    ///< start or finish line
    KERB_STAGE_SHAPE_SLIPPERY, ///< ground with less grip
    KERB_STAGE_SHAPE_WALL,
    KERB_STAGE_SHAPE_POST,  ///< round
    KERB_STAGE_SHAPE_HOUSE, ///< a box as high as a house
    KERB_STAGE_SHAPE_CAR,   ///< a standing car
    KERB_STAGE_SHAPE_LINE,  ///< the racing line
    KERB_STAGE_SHAPE_GATE,  ///< to be passed through
    KERB_STAGE_SHAPE_BAY,   ///< where to park
    KERB_STAGE_SHAPES
} kerb_stage_shape;

/// In a word: "road"; "unknown" out of range.
const char* kerb_stage_shape_text(kerb_stage_shape value);

/// Changes whenever solids, marks, lines, triangles, cells or heights have changed.
int32_t kerb_stage_shapes_version(kerb_stage* stage);

/// A triangle on the ground, seen from above anticlockwise. [m]
typedef struct kerb_stage_triangle {
    float ax, ay, az, bx, by, bz, cx, cy, cz;
    int32_t shape; ///< kerb_stage_shape
} kerb_stage_triangle;

/// A straight line. [m]
typedef struct kerb_stage_line {
    float ax, ay, az, bx, by, bz;
    int32_t shape; ///< kerb_stage_shape
} kerb_stage_line;

/// Something solid that stands on the ground.
typedef struct kerb_stage_solid {
    int32_t shape;       ///< WALL, POST, HOUSE or CAR
    int32_t movable;     ///< 1: kerb_stage_drag moves it
    float x, y, z;       ///< middle of its foot [m]
    float heading;       ///< of its length [rad]
    float length, width; ///< POST: both the diameter [m]
    float height;        ///< for the eye; the physics has no heights [m]
} kerb_stage_solid;

/// A place that means something: a goal, a start, a gate.
typedef struct kerb_stage_mark {
    int32_t kind;    ///< 0: start, 1: goal, 2: gate
    int32_t movable; ///< 1: kerb_stage_drag moves it
    float x, y, z, heading;
    float length, width; ///< of the vehicle that is to stand there; gate: width between its posts
    int32_t vehicle;     ///< whose it is; -1: nobody's
} kerb_stage_mark;

/// The arrays, and how many there are. NULL and 0 where a scene has none.
const kerb_stage_triangle* kerb_stage_triangles(kerb_stage* stage);
int32_t kerb_stage_triangle_count(kerb_stage* stage);
const kerb_stage_line* kerb_stage_lines(kerb_stage* stage);
int32_t kerb_stage_line_count(kerb_stage* stage);
const kerb_stage_solid* kerb_stage_solids(kerb_stage* stage);
int32_t kerb_stage_solid_count(kerb_stage* stage);
const kerb_stage_mark* kerb_stage_marks(kerb_stage* stage);
int32_t kerb_stage_mark_count(kerb_stage* stage);

/// A grid: heights of the ground, or cells of a map.
typedef struct kerb_stage_grid {
    float x, y;            ///< heights: of the first point; cells: of the first cell's corner [m]
    float spacing;         ///< [m]
    int32_t columns, rows; ///< along x and y; 0: there is none
} kerb_stage_grid;

/// Heights of the ground at the points of a grid, x running fastest; bilinear between. NULL: the
/// ground is level at 0, or as high as the road's triangles. [m]
const float* kerb_stage_heights(kerb_stage* stage);
const kerb_stage_grid* kerb_stage_height_grid(kerb_stage* stage);

/// Cells of a map, x running fastest; 0: free, else blocked. NULL: there is no map.
const uint8_t* kerb_stage_cells(kerb_stage* stage);
const kerb_stage_grid* kerb_stage_cell_grid(kerb_stage* stage);

/// What the whole scene covers: x_min, y_min, x_max, y_max, for a camera. [m]
const float* kerb_stage_extent(kerb_stage* stage);

// --------------------------------------------------------------------------- what drivers think

/// Fills the arrays below with what the driver of a vehicle decided, as kerb/draw.h shows it: path,
/// target, arc, rays, search tree … -1: nothing. Returns the number of items. The layers are
/// kerb_draw_role: kerb_draw_role_text names them, kerb_draw_color gives their colours.
int32_t kerb_stage_draw(kerb_stage* stage, int32_t vehicle);

/// What the last call of kerb_stage_draw filled. In WebAssembly a kerb_draw_line is six floats and
/// a role, a kerb_draw_point three and a role, a kerb_draw_text three, a role and 48 bytes of text.
const kerb_draw_line* kerb_stage_draw_lines(const kerb_stage* stage);
int32_t kerb_stage_draw_line_count(const kerb_stage* stage);
const kerb_draw_point* kerb_stage_draw_points(const kerb_stage* stage);
int32_t kerb_stage_draw_point_count(const kerb_stage* stage);
const kerb_draw_text* kerb_stage_draw_texts(const kerb_stage* stage);
int32_t kerb_stage_draw_text_count(const kerb_stage* stage);

/// What a scene measures: name ("laps", "cross-track error, mean"), unit, and value now. "" and 0
/// for a bad index. A value that is not known yet is -1.
int32_t kerb_stage_figure_count(const kerb_stage* stage);
const char* kerb_stage_figure_name(const kerb_stage* stage, int32_t figure);
const char* kerb_stage_figure_unit(const kerb_stage* stage, int32_t figure);
float kerb_stage_figure(const kerb_stage* stage, int32_t figure);

#endif
