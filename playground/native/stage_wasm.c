// What JavaScript needs beside the functions of scene/stage/stage.h: the layout of the records, as
// the compiler laid them out, and an assertion that does not print.
#include "scene/stage/stage.h"

// A field of a record. Type: 'f' float, 'i' int32_t, 'u' uint32_t, 's' text of so many bytes.
typedef struct stage_field {
    const char *record, *name;
    int32_t type, offset, bytes;
} stage_field;

// A record and how many bytes it takes.
#define STAGE_RECORD(record)                                                                       \
    { #record, "", 'r', 0, (int32_t)sizeof(record) }
#define STAGE_FIELD(record, field, type)                                                           \
    {                                                                                              \
#record, #field, type, (int32_t)offsetof(record, field),                                   \
            (int32_t)sizeof(((record*)0)->field)                                                   \
    }

static const stage_field stage_fields[] = {
#define F(field) STAGE_FIELD(kerb_stage_vehicle, field, 'f'),
#define I(field) STAGE_FIELD(kerb_stage_vehicle, field, 'i'),
    STAGE_RECORD(kerb_stage_vehicle),
    I(id) I(look) I(role) I(colour) I(visible) I(player) I(touching) I(tracked) F(length) F(width)
        F(height) F(wheelbase) F(track_width) F(wheel_radius) F(rear_axle) F(x) F(y) F(z) F(heading)
            F(pitch) F(roll) F(vx) F(vy) F(vz) F(speed) F(yaw_rate) F(acceleration)
                F(lateral_acceleration) F(wheel_angle) F(front_roll) F(rear_roll) F(throttle)
                    F(brake) F(steering) F(handbrake) F(gear) F(engine_speed) I(reason)
                        F(target_speed) F(cross_track_error) F(progress) I(estimated) I(delay_known)
                            I(gain_known) I(trim_known) F(delay) F(delay_deviation) F(gain)
                                F(gain_deviation) F(trim) F(trim_deviation)
#undef F
#undef I
#define F(field) STAGE_FIELD(kerb_stage_triangle, field, 'f'),
                                    STAGE_RECORD(kerb_stage_triangle),
    F(ax) F(ay) F(az) F(bx) F(by) F(bz) F(cx) F(cy) F(cz)
        STAGE_FIELD(kerb_stage_triangle, shape, 'i'),
#undef F
#define F(field) STAGE_FIELD(kerb_stage_line, field, 'f'),
    STAGE_RECORD(kerb_stage_line),
    F(ax) F(ay) F(az) F(bx) F(by) F(bz) STAGE_FIELD(kerb_stage_line, shape, 'i'),
#undef F
#define F(field) STAGE_FIELD(kerb_stage_solid, field, 'f'),
    STAGE_RECORD(kerb_stage_solid),
    STAGE_FIELD(kerb_stage_solid, shape, 'i'),
    STAGE_FIELD(kerb_stage_solid, movable, 'i'),
    F(x) F(y) F(z) F(heading) F(length) F(width) F(height)
#undef F
#define F(field) STAGE_FIELD(kerb_stage_mark, field, 'f'),
        STAGE_RECORD(kerb_stage_mark),
    STAGE_FIELD(kerb_stage_mark, kind, 'i'),
    STAGE_FIELD(kerb_stage_mark, movable, 'i'),
    F(x) F(y) F(z) F(heading) F(length) F(width) STAGE_FIELD(kerb_stage_mark, vehicle, 'i'),
#undef F
    STAGE_RECORD(kerb_stage_grid),
    STAGE_FIELD(kerb_stage_grid, x, 'f'),
    STAGE_FIELD(kerb_stage_grid, y, 'f'),
    STAGE_FIELD(kerb_stage_grid, spacing, 'f'),
    STAGE_FIELD(kerb_stage_grid, columns, 'i'),
    STAGE_FIELD(kerb_stage_grid, rows, 'i'),
#define F(field) STAGE_FIELD(kerb_draw_line, field, 'f'),
    STAGE_RECORD(kerb_draw_line),
    F(from.x) F(from.y) F(from.z) F(to.x) F(to.y) F(to.z) STAGE_FIELD(kerb_draw_line, role, 'i'),
#undef F
#define F(field) STAGE_FIELD(kerb_draw_point, field, 'f'),
    STAGE_RECORD(kerb_draw_point),
    F(position.x) F(position.y) F(position.z) STAGE_FIELD(kerb_draw_point, role, 'i'),
#undef F
#define F(field) STAGE_FIELD(kerb_draw_text, field, 'f'),
    STAGE_RECORD(kerb_draw_text),
    F(position.x) F(position.y) F(position.z) STAGE_FIELD(kerb_draw_text, role, 'i'),
    STAGE_FIELD(kerb_draw_text, text, 's'),
#undef F
    STAGE_RECORD(kerb_error),
    STAGE_FIELD(kerb_error, result, 'i'),
    STAGE_FIELD(kerb_error, line, 'i'),
    STAGE_FIELD(kerb_error, index, 'i'),
    STAGE_FIELD(kerb_error, field, 's'),
    STAGE_FIELD(kerb_error, message, 's'),
};

// Number of entries. A record comes before its fields, with type 'r' and its size.
int32_t kerb_stage_field_count(void);
const char* kerb_stage_field_record(int32_t entry);
const char* kerb_stage_field_name(int32_t entry);
int32_t kerb_stage_field_type(int32_t entry);
int32_t kerb_stage_field_offset(int32_t entry);
int32_t kerb_stage_field_bytes(int32_t entry);

int32_t kerb_stage_field_count(void) {
    return (int32_t)(sizeof stage_fields / sizeof stage_fields[0]);
}

static const stage_field* field_at(int32_t entry) {
    static const stage_field none = {"", "", 0, 0, 0};
    return entry >= 0 && entry < kerb_stage_field_count() ? &stage_fields[entry] : &none;
}

const char* kerb_stage_field_record(int32_t entry) {
    return field_at(entry)->record;
}

const char* kerb_stage_field_name(int32_t entry) {
    return field_at(entry)->name;
}

int32_t kerb_stage_field_type(int32_t entry) {
    return field_at(entry)->type;
}

int32_t kerb_stage_field_offset(int32_t entry) {
    return field_at(entry)->offset;
}

int32_t kerb_stage_field_bytes(int32_t entry) {
    return field_at(entry)->bytes;
}

void kerb_assert_failed(const char* condition, const char* file, int line) {
    (void)condition;
    (void)file;
    (void)line;
    __builtin_trap();
}
