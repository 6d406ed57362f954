// Who is behind the vehicle, if it drove straight back. O(neighbours)
#include "meeting.h"

#include "right_of_way.h"
#include "shared.h"

float kerb_in_avoid_behind(const kerb_reference_line* line, const kerb_neighbour* neighbours,
                           int32_t count, int32_t* index) {
    float least = UNLIMITED;
    *index = -1;
    for (int32_t i = 0; i < count; i++) {
        others_meeting m;
        if (!kerb_in_meeting_with(line, &neighbours[i], i, &m) || m.along > 0.0f)
            continue;
        float gap = -line->rear - (m.along + m.half_along);
        // What is beside it now is not hit, however near.
        float half = 0.5f * line->width + m.half_aside + (gap > 0.0f ? BESIDE_OTHERS : 0.0f);
        if (kerb_abs(m.aside - line->lateral_offset) < half && gap < least) {
            least = gap;
            *index = i;
        }
    }
    return least;
}

float kerb_gap_behind(const kerb_reference_line* line, const kerb_neighbour* neighbours,
                      int32_t count) {
    int32_t index;
    return kerb_in_avoid_behind(line, neighbours, count, &index);
}

float kerb_in_avoid_note_behind(kerb_avoid* avoid, const kerb_reference_line* line,
                                const kerb_neighbour* neighbours, int32_t count) {
    int32_t index;
    avoid->behind_gap = kerb_in_avoid_behind(line, neighbours, count, &index);
    avoid->behind = index >= 0 ? neighbours[index].id : 0;
    return avoid->behind_gap;
}
