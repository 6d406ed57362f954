// Refuses at once what would fail after the work: files that cannot be written, pictures without
// the library for them.
#include "tool/outputs.h"

#include "tool/file.h"
#include "tool/machine.h"
#include "tool/picture.h"

tool_status tool_outputs_check(const tool_outputs* outputs) {
    if ((outputs->svg || outputs->png) && !tool_picture_available())
        return tool_complain("--%s: this kerb was built without cairo, which draws the pictures",
                             outputs->svg ? "svg" : "png");
    const char* paths[] = {outputs->csv, outputs->svg, outputs->png, outputs->html};
    for (int32_t i = 0; i < 4; i++) {
        if (tool_file_check_writable(paths[i]) != TOOL_DONE)
            return TOOL_WRONG;
    }
    return TOOL_DONE;
}

int32_t tool_outputs_threads(const tool_outputs* outputs) {
    return outputs->threads > 0 ? (int32_t)outputs->threads : tool_processors();
}
