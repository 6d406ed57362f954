// Settings of the follower as words: --set NAME=VALUE.
#ifndef TOOL_SETTING_WORDS_H
#define TOOL_SETTING_WORDS_H

#include "kerb/follow.h"
#include "tool/arguments.h"

/// Sets every "NAME=VALUE" of `words`, the last one of a name winning. A choice is given by its
/// word. Complains about unknown names and values outside their range.
tool_status tool_settings_apply(const tool_words* words, kerb_follower_settings* settings);

#endif
