// The files of tool/page/replay/, as bytes in the program. The array definitions are generated at
// build time (cmake/embed.cmake), so that the command needs no file beside it.
#ifndef KERB_TOOL_PAGE_REPLAY_EMBEDDED_H
#define KERB_TOOL_PAGE_REPLAY_EMBEDDED_H

#include <stddef.h>
#include <stdint.h>

typedef struct tool_embedded_file {
    const unsigned char* bytes;
    size_t size;
} tool_embedded_file;

extern const tool_embedded_file kerb_tool_replay_html;  ///< page.html, with @MARKS@ to fill in
extern const tool_embedded_file kerb_tool_traffic_html; ///< traffic.html, with @DATA@ to fill in
extern const tool_embedded_file kerb_tool_replay_style; ///< page.css
extern const tool_embedded_file kerb_tool_replay_scripts[]; ///< in the order in which they run
extern const int32_t kerb_tool_replay_script_count;

#endif
