// What must hold for any bytes given to the reader of vehicles. Called by the fuzz target, and by
// a test with the corpus and mutations of it.
#ifndef FUZZ_VEHICLE_JSON_H
#define FUZZ_VEHICLE_JSON_H

#include "fuzz/demand.h"
#include "kerb/io/vehicle_json.h"

#include <string.h>

/// A valid vehicle that reads back to the bit from what is written, or an error with a message.
static inline void fuzz_vehicle_json(const uint8_t* data, size_t size) {
    kerb_host host = kerb_host_default();
    kerb_error error = {.result = KERB_OK};
    kerb_io_vehicle vehicle, again;
    kerb_result result =
        kerb_io_vehicle_json_read(&vehicle, (const char*)data, size, &host, &error);
    FUZZ_DEMAND(error.result == result);
    if (result != KERB_OK) {
        FUZZ_DEMAND(error.message[0] && error.line >= 0);
        return;
    }
    FUZZ_DEMAND(kerb_vehicle_validate(&vehicle.vehicle, &error) == KERB_OK);
    kerb_io_text text = kerb_io_text_make(&host.allocator);
    FUZZ_DEMAND(kerb_io_vehicle_json_write(&text, &vehicle.vehicle, vehicle.name, &error) ==
                KERB_OK);
    FUZZ_DEMAND(kerb_io_vehicle_json_read(&again, text.data, text.length, &host, &error) ==
                KERB_OK);
    FUZZ_DEMAND(memcmp(&again.vehicle, &vehicle.vehicle, sizeof vehicle.vehicle) == 0);
    FUZZ_DEMAND(strcmp(again.name, vehicle.name) == 0);
    kerb_io_text_destroy(&text);
}

#endif
