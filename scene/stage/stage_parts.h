// What the files of the stage share. Private to scene/stage/.
//
//     stage.c          make, step, snapshots, settings: what holds for every scene
//     stage_show.c     vehicle records, the hash, estimates
//     stage_player.c   a player's pedals and gears
//     stage_shapes.c   the arrays of shapes, and helpers that fill them
//     stage_scenes.c   the list of scenes, and what is said of them
//     stage_ROOM.c     the scenes of a room
//
// A scene keeps what changes in the **arena**: one block that a snapshot copies as it is. What is
// made once and never changes is **fixed**: it lies outside. Pointers from the arena into either
// are fine, because a snapshot belongs to one stage.
#ifndef KERB_SCENE_STAGE_STAGE_PARTS_H
#define KERB_SCENE_STAGE_STAGE_PARTS_H

#include "kerb/kerb.h"
#include "scene/stage/stage.h"
#include "sim/vehicle.h"
#include "sim/world.h"

#define STAGE_TABLES_MAX 4
#define STAGE_FIGURES_MAX 8

/// What may be chosen.
typedef struct stage_choice {
    const char *name, *meaning;
    int32_t min, max, fallback;
    /// Of an enumeration, else NULL. The greatest value is the count less one; `max` is not used.
    int32_t (*count)(void);
    const char* (*option)(int32_t index);
} stage_choice;

typedef struct stage_table {
    const char* name;
    /// Addresses in a DLL are no constants, so a function returns the table.
    const kerb_settings_table* (*table)(void);
} stage_table;

/// Defines that function for a table, under a name with the scene in it, so that the scenes also
/// compile as one file.
#define STAGE_TABLE(scene, symbol)                                                                 \
    static const kerb_settings_table* stage_table_of_##scene##_##symbol(void) {                    \
        return &(symbol);                                                                          \
    }

typedef struct stage_figure {
    const char *name, *unit;
} stage_figure;

/// One vehicle as its scene tells it.
typedef struct stage_shown {
    const kerb_vehicle* vehicle; ///< what its driver was told; NULL: an agent
    kerb_motion motion;          ///< of the reference point
    kerb_controls controls;      ///< that acted in the last step
    const kerb_sim_vehicle* sim; ///< for its wheels; may be NULL
    int32_t look, role, colour;
    bool hidden, touching;
    float length, width, height; ///< 0: of `vehicle`, and by its look [m]
    float target_speed, cross_track_error, progress;
    bool learns;                   ///< an estimate watches it
    const kerb_estimate* estimate; ///< the scene's own; NULL: the stage's, if `learns`
} stage_shown;

/// A scene.
typedef struct stage_scene {
    const char *id, *group, *title, *look, *try_this;
    const stage_choice* choices;
    int32_t choice_count;
    const stage_table* tables;
    int32_t table_count;
    const stage_figure* figures;
    int32_t figure_count;
    size_t arena_bytes; ///< room for all that changes
    int32_t estimates;  ///< so many of the first vehicles are watched by estimates

    /// Makes the scene in stage->scene_data and sets stage->vehicle_count.
    kerb_result (*make)(kerb_stage* stage, kerb_error* error);
    /// The default of a table where it is not the table's own; may be NULL.
    void (*defaults)(kerb_stage* stage, int32_t table, void* settings);
    /// Gives stage->settings to the drivers.
    void (*apply)(kerb_stage* stage);
    void (*step)(kerb_stage* stage);
    void (*show)(const kerb_stage* stage, int32_t vehicle, stage_shown* shown);
    /// Adds all shapes to the empty arrays; called again after a change of stage->state->shapes.
    void (*shapes)(kerb_stage* stage);
    /// May be NULL: after a snapshot was restored, rebuilds what it does not hold.
    void (*restored)(kerb_stage* stage);
    bool (*can_take)(const kerb_stage* stage, int32_t vehicle); ///< NULL: none
    /// NULL: nothing can be dragged. `index` is in range, the numbers are finite.
    kerb_result (*drag)(kerb_stage* stage, int32_t kind, int32_t index, kerb_pose pose,
                        kerb_error* error);
    void (*draw)(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer); ///< may be NULL
    float (*figure)(const kerb_stage* stage, int32_t figure);
    const char* (*reason)(const kerb_stage* stage, int32_t vehicle); ///< NULL: of kerb_reason
} stage_scene;

/// A player at a wheel.
typedef struct stage_player {
    bool drives;
    float throttle, brake, steering;
    int32_t direction; ///< 1 or -1
    kerb_gearbox gearbox;
    kerb_controls controls; ///< that the vehicle gets
} stage_player;

/// The first thing in the arena.
typedef struct stage_state {
    size_t used; ///< of the arena [bytes]
    int32_t frame;
    uint64_t hash;
    uint32_t shapes; ///< another number whenever shapes have changed
    stage_player players[KERB_STAGE_VEHICLES_MAX];
    float speeds[KERB_STAGE_VEHICLES_MAX];   ///< after the step before [m/s]
    float rolls[KERB_STAGE_VEHICLES_MAX][2]; ///< of wheels [rad]
    kerb_estimate* estimates;                ///< scene->estimates of them …
    int32_t estimated;                       ///< … of which the first so many watch somebody
} stage_state;

/// Growing arrays of shapes.
typedef struct stage_shapes {
    kerb_stage_triangle* triangles;
    kerb_stage_line* lines;
    kerb_stage_solid* solids;
    kerb_stage_mark* marks;
    int32_t triangle_count, line_count, solid_count, mark_count;
    int32_t triangle_room, line_room, solid_room, mark_room;
    const float* heights;
    kerb_stage_grid height_grid;
    const uint8_t* cells;
    kerb_stage_grid cell_grid;
    float extent[4];
    bool counting; ///< first only counted, then filled: arrays never move
} stage_shapes;

typedef struct stage_block stage_block; // of fixed memory

struct kerb_stage {
    const stage_scene* scene;
    int32_t index;
    uint32_t seed;
    int32_t choices[KERB_STAGE_CHOICES_MAX];
    kerb_host host;  ///< the caller's
    kerb_host fixed; ///< memory that never changes after make
    kerb_host arena; ///< memory that snapshots hold
    stage_block* blocks;
    unsigned char* memory;  ///< the arena
    unsigned char* initial; ///< the arena as it was after make
    size_t initial_bytes;
    stage_state* state; ///< first in the arena
    void* scene_data;   ///< of the scene, in the arena
    void* settings[STAGE_TABLES_MAX];
    int32_t vehicle_count;
    kerb_stage_vehicle* vehicles;
    stage_shapes shapes;
    uint32_t shapes_made;    ///< the state's number for which they were made
    uint32_t shapes_numbers; ///< given out so far
    int32_t shapes_version;
    kerb_draw_line* lines;
    kerb_draw_point* points;
    kerb_draw_text* texts;
    kerb_draw_buffer drawn;
    char name[32];
};

/// The list of scenes.
const stage_scene* kerb_scene_stage_at(int32_t index); ///< NULL out of range

/// Zeroed memory in the arena; NULL: no room.
void* kerb_scene_stage_allocate(kerb_stage* stage, size_t bytes);
/// Zeroed memory outside; NULL: none.
void* kerb_scene_stage_fix(kerb_stage* stage, size_t bytes);
kerb_result kerb_scene_stage_no_memory(kerb_error* error);

/// Shapes have changed: they are made again before the next reading.
void kerb_scene_stage_reshape(kerb_stage* stage);

/// Fills all records. `stepped`: after a step, which goes into the hash.
void kerb_scene_stage_show(kerb_stage* stage, bool stepped);

/// The controls of the player of a vehicle for this step; NULL: its driver drives.
const kerb_controls* kerb_scene_stage_player(kerb_stage* stage, int32_t index,
                                             const kerb_vehicle* vehicle,
                                             const kerb_motion* motion);

/// The pose of the reference point of a vehicle whose middle is there.
kerb_pose kerb_scene_stage_reference(const kerb_vehicle* vehicle, kerb_pose middle);
/// A movable goal of a vehicle, whose reference point it is for.
kerb_stage_mark kerb_scene_stage_goal(const kerb_vehicle* vehicle, kerb_pose goal, int32_t index);
/// Draws into a buffer.
void kerb_scene_stage_draw_line(kerb_draw_buffer* buffer, kerb_vec3 from, kerb_vec3 to,
                                kerb_draw_role role);
void kerb_scene_stage_draw_parker(kerb_draw_buffer* buffer, const kerb_parker* parker,
                                  const kerb_motion* motion);

/// How a model of sim/ looks.
int32_t kerb_scene_stage_look(const char* model);

// Shapes.
void kerb_scene_stage_add_line(kerb_stage* stage, kerb_vec3 from, kerb_vec3 to, int32_t shape);
void kerb_scene_stage_add_quad(kerb_stage* stage, const kerb_vec3 corners[4], int32_t shape);
void kerb_scene_stage_add_solid(kerb_stage* stage, const kerb_stage_solid* solid);
void kerb_scene_stage_add_mark(kerb_stage* stage, const kerb_stage_mark* mark);
/// A path as road, edges and, if wanted, its middle.
void kerb_scene_stage_add_path(kerb_stage* stage, const kerb_path* path, bool middle);
/// Solids and slippery zones of a world, at a height of the ground. House: how high a box is.
void kerb_scene_stage_add_world(kerb_stage* stage, const kerb_sim_world* world, bool movable);
/// The racing line, and the start line of a track.
void kerb_scene_stage_add_racing_line(kerb_stage* stage, const kerb_racing_line* line);
void kerb_scene_stage_add_start(kerb_stage* stage, const kerb_path* track);
/// Puts a solid's middle elsewhere.
void kerb_scene_stage_move_solid(kerb_sim_obstacle* solid, kerb_pose pose);
/// Grows the extent by a point and a margin.
void kerb_scene_stage_reach(kerb_stage* stage, float x, float y, float margin);

#endif
