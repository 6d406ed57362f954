// Files whose names stand in other files: the picture of a map, the maps of a list.
#ifndef KERB_TOOL_RUN_NAMED_FILE_H
#define KERB_TOOL_RUN_NAMED_FILE_H

#include "tool/command/message.h"

/// Room for the path of a file.
#define TOOL_NAMED_BYTES 4096

/// Looks for the file that the field `field` of `file` names: as written, from the folder of
/// `file`; where nothing is there, by its last part beside `file`, which a note on standard error
/// says. Complains where there is neither, or where it lies outside of the folder of `file`, by
/// "..", from the root or through links, unless `outside`.
tool_status tool_named_file(const char* file, const char* field, const char* name, bool outside,
                            char path[TOOL_NAMED_BYTES]);

#endif
