// `kerb calibrate`: a calibrator drives a simulated vehicle of which it knows only size, mass and
// gears. The command compares its measurements with the parameters of the simulation.
#include "tool/command/command_calibrate.h"

#include "kerb/io/vehicle_json.h"
#include "scene/course/calibration.h"
#include "tool/command/file.h"
#include "tool/command/inputs.h"
#include "tool/command/outputs.h"
#include "tool/command/physics.h"
#include "tool/report/json_report.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct calibrate_options {
    const char* vehicle;
    const char* physics;
    const char* out;
    double hz, ahead, behind, aside;
    bool json, quiet;
    int64_t seed;
} calibrate_options;

static const tool_option command_calibrate_options[] = {
    TOOL_HEADING("What to drive"),
    TOOL_TEXT(calibrate_options, vehicle, "vehicle", "NAME|FILE", NULL,
              "a built-in vehicle or a JSON file (default pickup); kerb follow --list describes "
              "them",
              .words = &tool_words_vehicles),
    TOOL_TEXT(calibrate_options, physics, "physics", "WORD", "sim|bullet",
              "sim: the reference simulation (default). bullet: Bullet's raycast vehicle"),
    TOOL_NUMBER(calibrate_options, hz, "hz", "N", 5, 1000,
                "drive calls per simulated second (default 60)"),
    TOOL_NUMBER(calibrate_options, ahead, "room-ahead", "M", 1, 100000,
                "free length ahead of the start, in metres (default 3000)"),
    TOOL_NUMBER(calibrate_options, behind, "room-behind", "M", 0, 100000,
                "free length behind the start, in metres (default 100)"),
    TOOL_NUMBER(calibrate_options, aside, "room-aside", "M", 1, 100000,
                "free width to each side of the start, in metres (default 200)"),
    TOOL_HEADING("Output"),
    TOOL_TEXT(calibrate_options, out, "out", "FILE", NULL, "the measured vehicle, as JSON"),
    TOOL_FLAG(calibrate_options, json, "json",
              "one JSON object on standard output, and nothing else there"),
    TOOL_FLAG(calibrate_options, quiet, "quiet", "no table; errors are still printed"),
    TOOL_WHOLE(calibrate_options, seed, "seed", "N", 0, TOOL_SEED_MAX,
               "printed; nothing here is random (default 0)"),
};

static const tool_example command_calibrate_examples[] = {
    {"calibrate --vehicle scout", "a table of what was measured"},
    {"calibrate --vehicle buggy --physics bullet --out buggy.json",
     "a vehicle file from another physics"},
    {0},
};

const tool_command tool_command_calibrate = {
    .name = "calibrate",
    .summary = "measures what a vehicle can do, by driving it",
    TOOL_COMMAND_OPTIONS(command_calibrate),
    .explanation =
        "The calibrator is given a vehicle's kind, size, mass and gears, and measures the rest: it "
        "drives to top speed, brakes, turns, and so on, in an empty and level place. Each number "
        "has a doubt: \"measured\" is within 5 %, \"estimated\" within 10 %, \"guessed\" a bound "
        "or "
        "an extrapolation, where the space or the vehicle did not allow to reach it. In a place "
        "shorter than 20 lengths of the vehicle it only does the slow part.\n\n"
        "Exit status 1 when the vehicle could not be measured.",
};

// --------------------------------------------------------------------------- what was measured

typedef struct measured_vehicle {
    const calibrate_options* options;
    tool_vehicle vehicle;
    bool truth_known; // in "sim" only
    kerb_calibrator calibrator;
} measured_vehicle;

// One field that was measured.
typedef struct command_calibrate_figure {
    const kerb_setting* row;
    double measured, truth, error_percent; // the error is NaN where there is none
    const char* confidence;
} command_calibrate_figure;

// False for fields that are not measured for this kind of vehicle.
static bool figure_of(const measured_vehicle* m, kerb_calibration_field field,
                      command_calibrate_figure* f) {
    kerb_calibration_confidence confidence =
        (kerb_calibration_confidence)m->calibrator.confidence[field];
    f->row = kerb_settings_find(&kerb_vehicle_table, kerb_calibration_field_name(field));
    if (confidence == KERB_CALIBRATION_GIVEN || !f->row)
        return false;
    f->confidence = kerb_calibration_confidence_text(confidence);
    f->measured = (double)kerb_settings_get(f->row, &m->calibrator.measured);
    f->truth = (double)kerb_settings_get(f->row, &m->vehicle.vehicle);
    bool comparable = m->truth_known && f->truth != 0.0;
    f->error_percent = comparable ? 100.0 * (f->measured / f->truth - 1.0) : (double)NAN;
    return true;
}

// --------------------------------------------------------------------------- JSON

static bool add_number(cJSON* object, const char* key, double value, double rounded_to) {
    if (!isfinite(value))
        return cJSON_AddNullToObject(object, key) != NULL;
    double rounded = round(value / rounded_to) * rounded_to;
    return cJSON_AddNumberToObject(object, key, rounded) != NULL;
}

// Limits go down to 1e-4: kept to a billionth.
static bool add_fields(cJSON* root, const measured_vehicle* m) {
    cJSON* measured = cJSON_AddObjectToObject(root, "measured");
    cJSON* truth = m->truth_known ? cJSON_AddObjectToObject(root, "truth") : NULL;
    cJSON* error = m->truth_known ? cJSON_AddObjectToObject(root, "error_percent") : NULL;
    cJSON* confidence = cJSON_AddObjectToObject(root, "confidence");
    bool added = measured && confidence && (!m->truth_known || (truth && error));
    for (int32_t i = 0; i < KERB_CALIBRATION_FIELD_COUNT && added; i++) {
        command_calibrate_figure f;
        if (!figure_of(m, (kerb_calibration_field)i, &f))
            continue;
        added = add_number(measured, f.row->name, f.measured, 1e-9) &&
                cJSON_AddStringToObject(confidence, f.row->name, f.confidence);
        if (added && m->truth_known)
            added = add_number(truth, f.row->name, f.truth, 1e-9) &&
                    add_number(error, f.row->name, f.error_percent, 1e-3);
    }
    return added;
}

static bool command_calibrate_add_all(cJSON* root, const measured_vehicle* m) {
    const kerb_calibrator* c = &m->calibrator;
    bool done = c->outcome == KERB_CALIBRATION_DONE;
    kerb_calibration_room room = kerb_calibrator_room(c);
    return cJSON_AddStringToObject(root, "vehicle", m->vehicle.name) &&
           cJSON_AddStringToObject(root, "physics", m->options->physics) &&
           add_number(root, "drive_hz", m->options->hz, 1e-6) &&
           cJSON_AddStringToObject(root, "outcome", done ? "done" : "failed") &&
           cJSON_AddStringToObject(root, "failure",
                                   done ? "" : kerb_calibration_failure_text(c->failure)) &&
           add_number(root, "seconds", (double)c->time, 1e-3) &&
           add_number(root, "room_length_m", (double)room.length, 1.0) &&
           add_number(root, "room_width_m", (double)room.width, 1.0) &&
           cJSON_AddNumberToObject(root, "skipped", c->skipped) &&
           cJSON_AddNumberToObject(root, "spins", c->spins) &&
           cJSON_AddNumberToObject(root, "locks", c->locks) && add_fields(root, m);
}

static bool command_calibrate_print_json(const measured_vehicle* m) {
    cJSON* root = tool_json_begin("calibrate", m->options->seed);
    return tool_json_end(root, command_calibrate_add_all(root, m), stdout);
}

// --------------------------------------------------------------------------- table and file

static void command_calibrate_print_table(const measured_vehicle* m) {
    const kerb_calibrator* c = &m->calibrator;
    printf("%s: %.0f s of driving\n\n", m->vehicle.name, (double)c->time);
    printf("%-26s %10s", "", "measured");
    if (m->truth_known)
        printf(" %10s %8s", "truth", "error %");
    printf("  unit\n");
    for (int32_t i = 0; i < KERB_CALIBRATION_FIELD_COUNT; i++) {
        command_calibrate_figure f;
        if (!figure_of(m, (kerb_calibration_field)i, &f))
            continue;
        printf("%-26s %10.5g", f.row->name, f.measured);
        if (m->truth_known)
            printf(" %10.5g", f.truth);
        if (m->truth_known && isfinite(f.error_percent))
            printf(" %8.2f", f.error_percent);
        else if (m->truth_known)
            printf(" %8s", "");
        bool sure = c->confidence[i] == KERB_CALIBRATION_MEASURED;
        printf("  %s%s%s\n", f.row->unit, sure ? "" : ", ", sure ? "" : f.confidence);
    }
    if (c->skipped > 0) {
        kerb_calibration_room room = kerb_calibrator_room(c);
        printf("\nnot all of it fits this place: it takes %.0f m by %.0f m\n", (double)room.length,
               (double)room.width);
    }
    if (c->spins > 0 || c->locks > 0)
        printf("\nits wheels spun %d times and locked %d times\n", c->spins, c->locks);
}

static tool_status write_vehicle(const measured_vehicle* m) {
    kerb_host host = kerb_host_default();
    kerb_io_text text = kerb_io_text_make(&host.allocator);
    kerb_error error = {.index = -1};
    tool_status status = TOOL_WRONG;
    if (kerb_io_vehicle_json_write(&text, &m->calibrator.measured, m->vehicle.name, &error) ==
        KERB_OK)
        status = tool_file_write(m->options->out, text.data, text.length);
    else
        tool_complain_error(m->options->out, &error);
    kerb_io_text_destroy(&text);
    return status;
}

// --------------------------------------------------------------------------- the command

static tool_status command_calibrate_measure(measured_vehicle* m) {
    const calibrate_options* o = m->options;
    kerb_host host = kerb_host_default();
    const kerb_sim_physics* physics;
    if (tool_physics_named(o->physics, &physics) != TOOL_DONE ||
        tool_vehicle_load(o->vehicle, "follow", &host, &m->vehicle) != TOOL_DONE)
        return TOOL_WRONG;
    if (!tool_physics_has(physics, &m->vehicle))
        return tool_complain("calibrate: --physics %s has no vehicle without wheels: %s",
                             o->physics, o->vehicle);
    kerb_calibration_settings settings = kerb_calibration_settings_default();
    settings.space_ahead = (float)o->ahead;
    settings.space_behind = (float)o->behind;
    settings.space_each_side = (float)o->aside;
    kerb_sim_model model =
        m->vehicle.has_model ? m->vehicle.model : kerb_sim_model_for(&m->vehicle.vehicle);
    kerb_error error = {.index = -1};
    if (kerb_scene_calibrate(&model, physics, (float)o->hz, &settings, &m->calibrator, &error) !=
        KERB_OK)
        return tool_complain_error(m->vehicle.name, &error);
    m->truth_known = physics == NULL;
    return TOOL_DONE;
}

static tool_status command_calibrate_report(const measured_vehicle* m) {
    const calibrate_options* o = m->options;
    bool done = m->calibrator.outcome == KERB_CALIBRATION_DONE;
    if (done && o->out && write_vehicle(m) != TOOL_DONE)
        return TOOL_WRONG;
    if (o->json && !command_calibrate_print_json(m))
        return tool_complain("calibrate: no memory for the report");
    if (!o->json && !o->quiet)
        command_calibrate_print_table(m);
    if (!done && !o->json)
        tool_complain("calibrate: %s: %s", m->vehicle.name,
                      kerb_calibration_failure_text(m->calibrator.failure));
    return done ? TOOL_DONE : TOOL_FAILED;
}

tool_status tool_calibrate_run(int argc, char** argv) {
    kerb_calibration_settings standard = kerb_calibration_settings_default();
    calibrate_options o = {.vehicle = tool_vehicle_name(0),
                           .physics = "sim",
                           .hz = 60.0,
                           .ahead = (double)standard.space_ahead,
                           .behind = (double)standard.space_behind,
                           .aside = (double)standard.space_each_side};
    if (tool_arguments_read(&tool_command_calibrate, argc, argv, &o) != TOOL_DONE ||
        tool_file_check_writable(o.out) != TOOL_DONE)
        return TOOL_WRONG;
    measured_vehicle m = {.options = &o};
    tool_status status = command_calibrate_measure(&m);
    return status == TOOL_DONE ? command_calibrate_report(&m) : status;
}
