// The parts of base that rooms on higher floors may use in addition to kerb/base.h.
#ifndef KERB_IN_BASE_SHARED_H
#define KERB_IN_BASE_SHARED_H

#include "arena.h"
#include "assertion.h"
#include "enum_text.h"
#include "number_text.h"
#include "saved.h"
#include "setting_rows.h"

#endif
