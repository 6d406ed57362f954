// A game in C++ that reads Kerb's file formats: all of their headers, and a course from its memory.
#include <kerb/io/course_csv.h>
#include <kerb/io/grid_map.h>
#include <kerb/io/scenario.h>
#include <kerb/io/text.h>
#include <kerb/io/track.h>
#include <kerb/io/vehicle_json.h>

#include <cstring>

int main() {
    const kerb_host host = kerb_host_default();
    const char* text = "X;Y\n1,5;2\n11,5;2\n";
    kerb_io_track track;
    kerb_io_notes notes = {};
    if (kerb_io_track_read(&track, text, std::strlen(text), &host, &notes, nullptr) != KERB_OK)
        return 1;
    const bool good = track.count == 2 && track.waypoints[0].position.x == 1.5f && notes.count > 0;
    kerb_io_track_destroy(&track, &host);
    return good ? 0 : 2;
}
