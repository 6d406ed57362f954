// The page that replays how movements were found: the tree of the search grows, better movements
// replace worse ones, and the last one is driven.
#ifndef KERB_TOOL_PAGE_PLAN_PAGE_H
#define KERB_TOOL_PAGE_PLAN_PAGE_H

#include "tool/run/plan_run.h"

/// Most movements of a page.
#define TOOL_PAGE_PLANS 24

/// Writes the page of the run's films. Complains when it cannot.
tool_status tool_plan_page_write(const char* path, const tool_plan_run* run);

#endif
