// Shortest paths of OMPL, the Open Motion Planning Library, behind a C interface: tests and
// benchmarks of kerb/curve.h compare with it. Present only where CMake found OMPL (KERB_HAVE_OMPL).
#ifndef KERB_SCENE_OMPL_OMPL_WAYS_H
#define KERB_SCENE_OMPL_OMPL_WAYS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A pose as OMPL has it. [m, rad]
typedef struct ompl_pose {
    double x, y, heading; ///< heading in [-π, π]
} ompl_pose;

/// Lengths of the shortest ways of `count` pairs, forwards only. [m]
void kerb_scene_ompl_dubins_lengths(const ompl_pose* from, const ompl_pose* to, double radius,
                                    int32_t count, double* lengths);

/// The same, forwards and in reverse. [m]
void kerb_scene_ompl_reeds_shepp_lengths(const ompl_pose* from, const ompl_pose* to, double radius,
                                         int32_t count, double* lengths);

#ifdef __cplusplus
}
#endif

#endif
