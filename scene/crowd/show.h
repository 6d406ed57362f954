// Scenes of many agents, by name, for the command, the tests and the replay. Any kind of agent is
// shown as frames, all at the same time.
//
//     kerb_scene_show* show;
//     if (kerb_scene_show_make(&show, "gate", &plan, &host) == KERB_OK) {
//         while (kerb_scene_show_step(show)) … show->frames[0 … show->count - 1] …
//         kerb_scene_show_free(show, &host);
//     }
//
// To add one, write how it starts and steps in show.c and list it there.
#ifndef KERB_SCENE_CROWD_SHOW_H
#define KERB_SCENE_CROWD_SHOW_H

#include "scene/course/trial.h"
#include "scene/crowd/seeking.h"

#define KERB_SCENE_SHOW_MOST 256
#define KERB_SCENE_SHOW_FIGURES 6

/// Something that a scene measures.
typedef struct kerb_scene_show_figure {
    const char* key;  ///< in JSON: "longest_pause_s"
    const char* text; ///< in a table
    double value;
} kerb_scene_show_figure;

/// A scene and its state. Large; made and given back below.
typedef struct kerb_scene_show {
    const char* name;
    kerb_scene_course course;        ///< name and solids, without waypoints
    int32_t count;                   ///< of those that drive
    double time, time_step, seconds; ///< now, of a step, at the most [s]
    kerb_vehicle vehicles[KERB_SCENE_SHOW_MOST];
    const char* roles[KERB_SCENE_SHOW_MOST];       ///< "police"; NULL: all are alike
    bool marked[KERB_SCENE_SHOW_MOST];             ///< whom others are after, or follow
    kerb_scene_frame frames[KERB_SCENE_SHOW_MOST]; ///< everybody now
    kerb_scene_show_figure figures[KERB_SCENE_SHOW_FIGURES];
    int32_t figure_count;
    bool succeeded; ///< what the scene is there to show was shown
    struct kerb_scene_show_state* state;
} kerb_scene_show;

int32_t kerb_scene_show_count(void);
/// [index: 0 … count - 1]
const char* kerb_scene_show_name(int32_t index);
const char* kerb_scene_show_about(int32_t index); ///< one line

/// The scene as it starts. Its seed is the plan's; what else is in the plan counts for "ring".
/// Errors: UNKNOWN_FIELD when there is none of that name, OUT_OF_MEMORY.
kerb_result kerb_scene_show_make(kerb_scene_show** out, const char* name,
                                 const kerb_scene_seek_plan* plan, const kerb_host* host);

/// One step. False when it is over; the figures are then complete.
bool kerb_scene_show_step(kerb_scene_show* show);

/// Gives it back. NULL is fine.
void kerb_scene_show_free(kerb_scene_show* show, const kerb_host* host);

#endif
