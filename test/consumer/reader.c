// A game that reads Kerb's file formats: a course, a vehicle and a track, from its own memory.
#include <kerb/io/course_csv.h>
#include <kerb/io/grid_map.h>
#include <kerb/io/scenario.h>
#include <kerb/io/track.h>
#include <kerb/io/vehicle_json.h>

#include <string.h>

static const char course_text[] = "x_m,y_m\n0,0\n100,0\n";
static const char vehicle_text[] = "{\"name\": \"van\", \"mass\": 2500}";

int main(void) {
    const kerb_host host = kerb_host_default();
    kerb_io_course course;
    kerb_io_vehicle van;
    kerb_io_track track;
    if (kerb_io_course_csv_read(&course, course_text, strlen(course_text), &host, NULL, NULL) !=
        KERB_OK)
        return 1;
    bool good = course.count == 2 && course.waypoints[1].position.x == 100.0f;
    kerb_io_course_destroy(&course, &host);
    if (kerb_io_vehicle_json_read(&van, vehicle_text, strlen(vehicle_text), &host, NULL) != KERB_OK)
        return 2;
    good = good && van.vehicle.mass == 2500.0f;
    if (kerb_io_track_read(&track, course_text, strlen(course_text), &host, NULL, NULL) != KERB_OK)
        return 3;
    good = good && track.count == 2;
    kerb_io_track_destroy(&track, &host);
    return good ? 0 : 4;
}
