// Vehicles as JSON: an object with a number for each field of kerb_vehicle. The kind is a word:
// "wheeled", "tracked" or "hover"; gear_told is "engaged" or "nothing". A kerb_share_curve is an
// object of two arrays, as {"speed": [0, 40], "share": [1, 0.3]}.
//
//     {"name": "van", "wheelbase": 3.6, "mass": 2800,
//      "drive_train": {"gear_ratio": [15.1, 8.7, 5.4, 3.9, 2.9], "wheel_radius": 0.34}}
//
// A missing field has the value of kerb_vehicle_default, except for these, which are computed:
// - length from wheelbase, or wheelbase from length, with the ratio of the default vehicle;
// - reference_to_rear_axle and reference_to_front: so that reference point, axles and bumpers have
//   the proportions of the default vehicle;
// - reverse_speed_max and reverse_acceleration_max: at most those forwards;
// - power: what the vehicle needs at its top speed, from mass, rolling resistance and drag;
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

/// A vehicle that was read.
typedef struct kerb_io_vehicle {
    char name[64];        ///< UTF-8 without control characters; empty when the file has none
    kerb_vehicle vehicle; ///< passes kerb_vehicle_validate
} kerb_io_vehicle;

/// Reads a vehicle. O(bytes). Releases all that it allocates before it returns. On error `vehicle`
/// is unchanged.
///
/// Errors, with the field, the index of the gear and the line from 1 (of the key or of the gear
/// ratio; 0: the field is not in the file): SYNTAX, UNKNOWN_FIELD with the most similar known name,
/// WRONG_TYPE, NOT_FINITE, OUT_OF_RANGE with the range, CONTRADICTION (a key given twice; fields
/// that cannot both be right), MISSING_FIELD (gears without ratios), TOO_MANY (gears, bytes),
/// OUT_OF_MEMORY.
///
/// The JSON parser (cJSON) allocates with malloc, and keeps the position of its last error in a
/// global variable: call this on one thread at a time. When malloc fails, the error is SYNTAX.
kerb_result kerb_io_vehicle_json_read(kerb_io_vehicle* vehicle, const char* text, size_t length,
                                      const kerb_host* host, kerb_error* error);

/// Appends a vehicle with all its fields to `text`. Reading the text gives a vehicle with the same
/// bits in every field, except for elements of gear_ratio and of curves beyond their count. `name`
/// may be NULL. Errors: OUT_OF_MEMORY, and those of kerb_vehicle_validate.
kerb_result kerb_io_vehicle_json_write(kerb_io_text* text, const kerb_vehicle* vehicle,
                                       const char* name, kerb_error* error);

#ifdef __cplusplus
}
#endif

#endif
