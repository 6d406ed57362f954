// Rejects at once what would fail after the work: files that cannot be written, two outputs that
// would overwrite each other, pictures without the library for them.
#include "tool/command/outputs.h"

#include "tool/command/file.h"
#include "tool/command/machine.h"
#include "tool/picture/picture.h"

static const char* const outputs_words[] = {"csv", "svg", "png", "html"};

tool_status tool_outputs_check(const tool_outputs* outputs) {
    if ((outputs->svg || outputs->png) && !tool_picture_available())
        return tool_complain("--%s: this kerb was built without cairo, which draws the pictures",
                             outputs->svg ? "svg" : "png");
    const char* paths[] = {outputs->csv, outputs->svg, outputs->png, outputs->html};
    for (int32_t i = 0; i < 4; i++) {
        if (tool_file_check_writable(paths[i]) != TOOL_DONE)
            return TOOL_WRONG;
        if (outputs->json && tool_file_is_standard_output(paths[i]))
            return tool_complain("--%s: standard output has the object of --json",
                                 outputs_words[i]);
        for (int32_t k = 0; k < i; k++) {
            if (tool_file_is_same(paths[i], paths[k]))
                return tool_complain("--%s and --%s: both name the file %s", outputs_words[k],
                                     outputs_words[i], paths[i]);
        }
    }
    return TOOL_DONE;
}

int32_t tool_outputs_threads(const tool_outputs* outputs) {
    return outputs->threads > 0 ? (int32_t)outputs->threads : tool_processors();
}
