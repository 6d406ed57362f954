// What the pieces of C in docs/*.md may use without declaring it: readme.sh compiles each piece
// after this header. A name here means the same in every guide.
#ifndef KERB_TEST_HOUSE_GUIDE_PIECE_H
#define KERB_TEST_HOUSE_GUIDE_PIECE_H

#include <kerb/kerb.h>
#include <stdio.h>
#include <string.h>

// What a game has made before the frame of which the piece is a part.
extern kerb_host host;
extern kerb_error error;
extern kerb_vehicle vehicle;
extern kerb_path path;
extern kerb_racing_line line;
extern kerb_follower driver;
extern kerb_lane_keeper keeper;
extern kerb_racer racer;
extern kerb_planner planner;
extern kerb_plan_driver plan_driver;
extern kerb_steering_driver steering_driver;
extern kerb_parker parker;
extern kerb_flyer flyer;
extern kerb_calibrator calibrator;

// Of one frame.
extern kerb_motion motion;
extern kerb_surroundings surroundings;
extern kerb_controls controls;
extern float time_step;

// The game's own: its engine's body, which has y up as in Unity, and what the game does with it.
typedef struct engine_vector {
    float x, y, z;
} engine_vector;
typedef struct engine_quaternion {
    float x, y, z, w;
} engine_quaternion;
typedef struct engine_body {
    engine_vector position, velocity, angular_velocity;
    engine_quaternion rotation;
} engine_body;
extern engine_body body;
void engine_line(kerb_vec3 from, kerb_vec3 to, uint32_t color);
void engine_text(kerb_vec3 position, const char* text);
void engine_drive(float throttle, float brake, float steering_angle, int32_t gear, bool handbrake);
kerb_lane_hit engine_ray_cast(const kerb_lane_ray* ray);
kerb_motion engine_motion(void);
void engine_put_back(void);
bool player_has_the_wheel(void);
kerb_controls player_controls(void); // that acted in the last frame

#endif
