// Names that options and operands take: what is built in, and the settings of drivers. Help, manual
// and completions name them; what they mean is for the command that takes them.
#ifndef KERB_TOOL_COMMAND_VOCABULARY_H
#define KERB_TOOL_COMMAND_VOCABULARY_H

#include <stdbool.h>
#include <stdint.h>

/// Words of one kind.
typedef struct tool_vocabulary {
    const char* what;                   ///< "course"; several are "courses"
    int32_t (*count)(void);             ///< how many there are
    const char* (*word)(int32_t index); ///< one of them
    const char* further;                ///< words beyond those, separated by '|': "all"; or NULL
    bool is_setting;                    ///< they are followed by "=VALUE"
} tool_vocabulary;

extern const tool_vocabulary tool_words_courses;
extern const tool_vocabulary tool_words_vehicles;     ///< the built-in ones and the racing cars
extern const tool_vocabulary tool_words_planned;      ///< those and the kinds of plan_kind.h
extern const tool_vocabulary tool_words_all_vehicles; ///< all of these and "all"
extern const tool_vocabulary tool_words_cars;         ///< what can race
extern const tool_vocabulary tool_words_tracks;
extern const tool_vocabulary tool_words_all_tracks; ///< those and "all"
extern const tool_vocabulary tool_words_roads;      ///< those and "country"
extern const tool_vocabulary tool_words_scenes;     ///< of `kerb seek`
extern const tool_vocabulary tool_words_rows;       ///< of `kerb bench`

// Names of settings.
extern const tool_vocabulary tool_words_follower;
extern const tool_vocabulary tool_words_planner; ///< and those of its search
extern const tool_vocabulary tool_words_racer;
extern const tool_vocabulary tool_words_lane_keeper;

#endif
