// Vehicles as JSON: an object with a number for each field of kerb_vehicle, and the kind as a word:
// "wheeled", "tracked" or "hover".
//
//     {"name": "van", "wheelbase": 3.6, "mass": 2800,
//      "drive_train": {"gear_ratio": [15.1, 8.7, 5.4, 3.9, 2.9], "wheel_radius": 0.34}}
//
// A field that is left out has the value of kerb_vehicle_default, apart from fields that follow
// from others:
// - length from wheelbase, or wheelbase from length, in the proportion of the default;
// - reference_to_rear_axle and reference_to_front: the reference point lies between the axles, and
//   the bumpers in front of and behind them, in the proportions of the default;
// - reverse_speed_max and reverse_acceleration_max: at most those forwards;
// - power: what the top speed needs, from mass, rolling resistance and drag;
// - drive_train.gear_count: the number of ratios in drive_train.gear_ratio.
// docs/formats.md has the table of all fields.
//
//     kerb_io_vehicle van;
//     if (kerb_io_vehicle_json_read(&van, text, length, &host, &error) != KERB_OK)
//         printf("%d: %s: %s\n", error.line, error.field, error.message);
//
// Threads: read on one thread at a time (see kerb_io_vehicle_json_read); write on any. Lifetimes: a
// vehicle is plain data and owns nothing; `text` is read during the call only.
#ifndef KERB_IO_VEHICLE_JSON_H
#define KERB_IO_VEHICLE_JSON_H

#include "kerb/io/text.h"
#include "kerb/vehicle.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The vehicle of a file.
typedef struct kerb_io_vehicle {
    char name[64]; ///< UTF-8 without control characters; empty when the file has none
    kerb_vehicle vehicle;
} kerb_io_vehicle;

/// Reads a vehicle, which then passes kerb_vehicle_validate. O(bytes); what it allocates is given
/// back before it returns. On error `vehicle` is unchanged.
///
/// Errors have the line from 1 (that of the field's key, of a gear ratio's number; 0 for a field
/// that the file does not name), the gear's index, and the field: SYNTAX, UNKNOWN_FIELD with the
/// nearest known name, WRONG_TYPE, NOT_FINITE, OUT_OF_RANGE with the range, CONTRADICTION (a key
/// given twice; fields that cannot both be right), MISSING_FIELD (gears without ratios), TOO_MANY
/// (gears, bytes), OUT_OF_MEMORY.
///
/// The parser beneath, cJSON, allocates with malloc, and keeps the place of its last error in a
/// global variable: read on one thread at a time. When malloc fails it reports SYNTAX.
kerb_result kerb_io_vehicle_json_read(kerb_io_vehicle* vehicle, const char* text, size_t length,
                                      const kerb_host* host, kerb_error* error);

/// Appends a vehicle with all its fields; it reads back to the bit, ratios of gears that it does
/// not have apart. `name` may be NULL. OUT_OF_MEMORY, or what kerb_vehicle_validate refuses.
kerb_result kerb_io_vehicle_json_write(kerb_io_text* text, const kerb_vehicle* vehicle,
                                       const char* name, kerb_error* error);

#ifdef __cplusplus
}
#endif

#endif
