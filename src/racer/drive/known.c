// Purpose: the steering command for an angle of the front wheels, in a host whose wheels stand
//          aside or answer otherwise than told.
// Idea:    What the car turned, against what its wheels were asked for when that acts: the room
//          `track` keeps the difference that lasts, and the command takes it away. The racer leads
//          its front axle along the line by its slip angle, so an angle that is off by less than a
//          degree would else take half of the grip. How sharply the car turns per wheel angle also
//          depends on how much more its front slips than its rear, which steering.c learns: that
//          gain is used for rigid tyres alone, where the wheels decide.
// Cost:    O(1); nothing without settings.learning.
// Source:  src/track/steering.c.
#include "racer.h"

#include "../../estimate/shared.h"
#include "../../track/shared.h"
#include "../../vehicle/shared.h"

#include <string.h>

// Share of the grip up to which bends teach: tyres slip in proportion to their force. [1]
#define KNOWN_USE 0.65f
// Harder braking moves load and teaches nothing. [1]
#define KNOWN_BRAKE 0.2f

bool kerb_in_racer_knows(const kerb_racer* racer) {
    return racer->settings.learning == 2 && racer->settings.steering == KERB_RACER_LINE;
}

static kerb_in_track_frame known_frame(const kerb_racer* racer, const racer_frame* frame,
                                       const kerb_motion* motion) {
    return (kerb_in_track_frame){.vehicle = &racer->vehicle,
                                 .motion = motion,
                                 .travel = 1.0f,
                                 .heading = frame->forward,
                                 .speed = frame->speed,
                                 .ahead = 0.0f,
                                 .grip = KNOWN_USE * frame->grip,
                                 .time_step = frame->time_step};
}

void kerb_in_racer_watch_steering(kerb_racer* racer, const racer_frame* frame,
                                  const kerb_in_frame_input* input,
                                  const kerb_surroundings* surroundings) {
    kerb_track_memory* track = &racer->memory.track;
    if (!kerb_in_racer_knows(racer))
        return;
    if (track->gain == 0.0f ||
        memcmp(&track->estimate.vehicle, &racer->vehicle, sizeof racer->vehicle) != 0) {
        kerb_in_track_begin(track, &racer->vehicle);
        racer->memory.late.known = 0.0f; // the dead time, too
    }
    kerb_in_estimate_feed(&track->estimate, input, &racer->controls, surroundings);
    bool drives = racer->memory.phase == KERB_RACER_DRIVING && !racer->decision.off_track &&
                  racer->memory.stuck.phase == KERB_STUCK_FREE &&
                  !kerb_in_player_drives(surroundings);
    if (frame->elsewhere || !drives)
        kerb_in_track_start(track, 0.0f);
    // In the car's plane, whatever the road does.
    kerb_motion motion = *frame->motion;
    motion.angular_velocity.z = frame->yaw_rate;
    kerb_in_track_frame now = known_frame(racer, frame, &motion);
    now.teaches = drives && kerb_in_estimate_may_learn(surroundings) && !input->counts &&
                  racer->controls.brake < KNOWN_BRAKE && racer->memory.slide < 0.01f;
    kerb_in_track_watch(track, &now);
}

float kerb_in_racer_steering_for(kerb_racer* racer, const racer_frame* frame, float angle) {
    kerb_track_memory* track = &racer->memory.track;
    float steering = angle / kerb_vehicle_steering_lock(&racer->vehicle, frame->speed);
    if (!kerb_in_racer_knows(racer))
        return steering;
    float used = 1.0f + (1.0f - racer_slips(racer)) * (track->gain - 1.0f);
    float turns = kerb_curvature_of(&racer->vehicle, steering, kerb_max(frame->speed, 0.0f));
    return kerb_in_track_steer(track, steering / used, turns * track->gain / used);
}
