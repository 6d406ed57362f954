// Purpose: `--tripinfo` and `--fcd` of `kerb traffic`.
// Source:  sumo.dlr.de/docs/Simulation/Output: TripInfo, FCDOutput.
#include "tool/report/traffic_files.h"

#include "kerb/io/text.h"

#include <math.h>
#include <string.h>

#define FILES_DEGREES 57.29577951308232

// Numbers have a point in every locale.
static void put_number(FILE* out, const char* key, double value) {
    kerb_host host = kerb_host_default();
    kerb_io_text text = kerb_io_text_make(&host.allocator);
    kerb_io_text_add_fixed(&text, isfinite(value) ? value : 0.0, 2);
    fprintf(out, " %s=\"%s\"", key, text.data ? text.data : "0");
    kerb_io_text_destroy(&text);
}

static void put_text(FILE* out, const char* key, const char* text) {
    fprintf(out, " %s=\"", key);
    for (; *text; text++)
        if (strchr("<>&\"'", *text))
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
    fputc('"', out);
}

void tool_tripinfo_begin(FILE* out) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tripinfos>\n", out);
}

void tool_tripinfo_add(FILE* out, const tool_traffic_load* load, const kerb_traffic_event* trip) {
    char name[80], lane[80] = "";
    double depart = trip->time - (double)trip->duration;
    tool_traffic_trip_name(load, trip->user, name);
    fputs("    <tripinfo", out);
    put_text(out, "id", name);
    put_number(out, "depart", depart);
    put_text(out, "departLane", lane);
    put_number(out, "departPos", 0.0);
    put_number(out, "departSpeed", 0.0);
    put_number(out, "departDelay", (double)trip->depart_delay);
    put_number(out, "arrival", trip->time);
    put_text(out, "arrivalLane", lane);
    put_number(out, "arrivalPos", 0.0);
    put_number(out, "arrivalSpeed", 0.0);
    put_number(out, "duration", (double)trip->duration);
    put_number(out, "routeLength", (double)trip->distance);
    put_number(out, "waitingTime", (double)trip->waiting);
    put_text(out, "waitingCount", "0");
    put_number(out, "stopTime", 0.0);
    put_number(out, "timeLoss", (double)trip->time_loss);
    put_text(out, "rerouteNo", "0");
    bool known = load->trips && trip->user < (uint64_t)load->trip_count;
    put_text(out, "vType", load->type_names[known ? load->trips[trip->user].type : 0]);
    fputs("/>\n", out);
}

void tool_tripinfo_end(FILE* out) {
    fputs("</tripinfos>\n", out);
}

void tool_fcd_begin(FILE* out) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fcd-export>\n", out);
}

// Degrees clockwise from north, as SUMO has them.
static double compass(float heading) {
    double angle = 90.0 - (double)heading * FILES_DEGREES;
    return angle - 360.0 * floor(angle / 360.0);
}

void tool_fcd_add(FILE* out, const tool_traffic_load* load, const kerb_scene_city_run* run) {
    fputs("    <timestep", out);
    put_number(out, "time", run->time);
    fputs(">\n", out);
    for (int32_t i = 0; i < run->vehicles_max; i++) {
        kerb_traffic_vehicle v = kerb_traffic_vehicle_of(&run->traffic, &run->network, i);
        char name[80], lane[80];
        if (v.stage < KERB_TRAFFIC_DRIVING)
            continue;
        tool_traffic_trip_name(load, v.user, name);
        tool_traffic_segment_name(load, v.segment, lane);
        fputs("        <vehicle", out);
        put_text(out, "id", name);
        put_number(out, "x", (double)v.position.x + load->sumo_plan.origin[0]);
        put_number(out, "y", (double)v.position.y + load->sumo_plan.origin[1]);
        put_number(out, "angle", compass(v.heading));
        put_text(out, "type", load->type_names[v.type]);
        put_number(out, "speed", (double)v.speed);
        put_number(out, "pos", (double)v.station);
        put_text(out, "lane", lane);
        put_number(out, "slope", 0.0);
        fputs("/>\n", out);
    }
    fputs("    </timestep>\n", out);
}

void tool_fcd_end(FILE* out) {
    fputs("</fcd-export>\n", out);
}
