// Colours for numbers: viridis (van der Walt and Smith 2015), whose steps look equal, also to
// colour-blind people and in grey.
#ifndef KERB_TOOL_PICTURE_COLOR_MAP_H
#define KERB_TOOL_PICTURE_COLOR_MAP_H

typedef struct tool_color {
    double red, green, blue; ///< sRGB, 0 … 1
} tool_color;

/// The colour at `part`, held to 0 … 1: dark violet, blue, green, yellow.
tool_color tool_color_map(double part);

#endif
