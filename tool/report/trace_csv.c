// The trace of a trial as CSV. One function lists the columns with their values, so that no column
// can have a name without a value.
#include "kerb/follow.h"

#include "tool/report/trace_csv.h"

enum { TRACE_COLUMNS = 16 };

typedef struct trace_csv_column {
    const char* name;
    double value;
    int32_t decimals;
} trace_csv_column;

// Decimals: a millimetre, a thousandth of a pedal; a tenth of a milliradian is a centimetre at
// 100 m; time fine enough to tell the frames of any driver apart.
static void list_columns(trace_csv_column columns[TRACE_COLUMNS], const kerb_scene_frame* frame) {
    const kerb_motion* motion = &frame->motion;
    const kerb_controls* controls = &frame->controls;
    const kerb_follower_decision* thoughts = &frame->thoughts;
    const trace_csv_column list[TRACE_COLUMNS] = {
        {"time_s", frame->time, 5},
        {"x_m", (double)motion->position.x, 3},
        {"y_m", (double)motion->position.y, 3},
        {"z_m", (double)motion->position.z, 3},
        {"heading_rad", (double)kerb_quat_heading(motion->rotation), 4},
        {"speed_mps", (double)kerb_motion_forward_speed(motion), 3},
        {"throttle", (double)controls->throttle, 3},
        {"brake", (double)controls->brake, 3},
        {"steering", (double)controls->steering, 4},
        {"gear", (double)controls->gear, 0},
        {"target_speed_mps", (double)thoughts->target_speed, 3},
        {"cross_track_error_m", (double)frame->cross_track_error, 3},
        {"progress_m", frame->progress, 3},
        {"target_x_m", (double)thoughts->target.x, 3},
        {"target_y_m", (double)thoughts->target.y, 3},
        {"curvature_1pm", (double)thoughts->limiting_curvature, 5},
    };
    for (int32_t i = 0; i < TRACE_COLUMNS; i++)
        columns[i] = list[i];
}

void tool_trace_csv_header(kerb_io_text* text) {
    const kerb_scene_frame nothing = {.motion = kerb_motion_default()};
    trace_csv_column columns[TRACE_COLUMNS];
    list_columns(columns, &nothing);
    for (int32_t i = 0; i < TRACE_COLUMNS; i++) {
        kerb_io_text_add(text, columns[i].name);
        kerb_io_text_add(text, ",");
    }
    kerb_io_text_add(text, "reason\n");
}

void tool_trace_csv_frame(kerb_io_text* text, const kerb_scene_frame* frame) {
    trace_csv_column columns[TRACE_COLUMNS];
    list_columns(columns, frame);
    for (int32_t i = 0; i < TRACE_COLUMNS; i++) {
        kerb_io_text_add_fixed(text, columns[i].value, columns[i].decimals);
        kerb_io_text_add(text, ",");
    }
    // No reason's text holds a comma, quote or '#'; a test looks at all of them.
    kerb_io_text_add(text, kerb_reason_text(frame->controls.reason));
    kerb_io_text_add(text, "\n");
}

kerb_result tool_trace_csv_write(kerb_io_text* text, const kerb_scene_frame* frames, int32_t count,
                                 kerb_error* error) {
    tool_trace_csv_header(text);
    for (int32_t i = 0; i < count; i++)
        tool_trace_csv_frame(text, &frames[i]);
    return kerb_io_text_result(text, error);
}
