// Distances of two state spaces of OMPL. A space is made once per call and states are filled in
// place, so that a benchmark times OMPL's own work.
#include "scene/ompl/ompl_ways.h"

#include <ompl/base/ScopedState.h>
#include <ompl/base/spaces/DubinsStateSpace.h>
#include <ompl/base/spaces/ReedsSheppStateSpace.h>

#include <memory>

namespace {

void set(ompl::base::SE2StateSpace::StateType* state, const ompl_pose& pose) {
    state->setXY(pose.x, pose.y);
    state->setYaw(pose.heading);
}

void measure(const ompl::base::StateSpacePtr& space, const ompl_pose* from, const ompl_pose* to,
             int32_t count, double* lengths) {
    ompl::base::ScopedState<ompl::base::SE2StateSpace> here(space), there(space);
    for (int32_t i = 0; i < count; i++) {
        set(here.get(), from[i]);
        set(there.get(), to[i]);
        lengths[i] = space->distance(here.get(), there.get());
    }
}

} // namespace

void kerb_scene_ompl_dubins_lengths(const ompl_pose* from, const ompl_pose* to, double radius,
                                    int32_t count, double* lengths) {
    measure(std::make_shared<ompl::base::DubinsStateSpace>(radius), from, to, count, lengths);
}

void kerb_scene_ompl_reeds_shepp_lengths(const ompl_pose* from, const ompl_pose* to, double radius,
                                         int32_t count, double* lengths) {
    measure(std::make_shared<ompl::base::ReedsSheppStateSpace>(radius), from, to, count, lengths);
}
