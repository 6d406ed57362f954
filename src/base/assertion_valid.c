// The message of a failed assertion about an object: which field is wrong, and why. Used in builds
// with KERB_ASSERTIONS. Not in assertion.c, because a host may replace kerb_assert_failed.
#include "assertion.h"
#include "number_text.h"

// "&racer->vehicle" and "wheelbase" make "racer->vehicle.wheelbase"; "settings" and "width" make
// "settings->width".
static kerb_text text_of_field(const char* object, const kerb_error* error) {
    const bool address = object[0] == '&';
    kerb_text text = kerb_in_text_make(address ? object + 1 : object);
    if (error->field[0] != '\0') {
        kerb_in_text_add(&text, address ? "." : "->");
        kerb_in_text_add(&text, error->field);
    }
    if (error->index >= 0) {
        kerb_in_text_add(&text, "[");
        kerb_in_text_add_number(&text, (float)error->index);
        kerb_in_text_add(&text, "]");
    }
    return text;
}

void kerb_in_assert_valid(kerb_result result, const kerb_error* error, const char* object,
                          const char* file, int line) {
    if (result == KERB_OK)
        return;
    kerb_text text = text_of_field(object, error);
    kerb_in_text_add(&text, " ");
    kerb_in_text_add(&text, error->message);
    kerb_assert_failed(text.text, file, line);
}
