// OMPL's control-based RRT for a car with position, heading and speed.
#include "scene/ompl/ompl_crossing.h"

#include <ompl/base/goals/GoalState.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/SE2StateSpace.h>
#include <ompl/control/PathControl.h>
#include <ompl/control/SimpleSetup.h>
#include <ompl/control/planners/rrt/RRT.h>
#include <ompl/control/spaces/RealVectorControlSpace.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>

namespace ob = ompl::base;
namespace oc = ompl::control;

namespace {

constexpr double step = 0.1;   // of propagation [s]
constexpr double sample = 0.5; // of the footprint at most [m]
constexpr double near_enough = 2.0, direction_enough = 0.5, speed_enough = 2.0;

const ob::SE2StateSpace::StateType& pose_of(const ob::State* state) {
    return *state->as<ob::CompoundState>()->as<ob::SE2StateSpace::StateType>(0);
}

double speed_of(const ob::State* state) {
    return state->as<ob::CompoundState>()->as<ob::RealVectorStateSpace::StateType>(1)->values[0];
}

void set(ob::State* state, double x, double y, double heading, double speed) {
    auto* both = state->as<ob::CompoundState>();
    both->as<ob::SE2StateSpace::StateType>(0)->setXY(x, y);
    both->as<ob::SE2StateSpace::StateType>(0)->setYaw(heading);
    both->as<ob::RealVectorStateSpace::StateType>(1)->values[0] = speed;
}

// Below 1 at the goal.
class Arrival : public ob::GoalState {
  public:
    using ob::GoalState::GoalState;
    double distanceGoal(const ob::State* state) const override {
        const auto &here = pose_of(state), &there = pose_of(getState());
        double turn = std::remainder(here.getYaw() - there.getYaw(), 2.0 * std::acos(-1.0));
        double apart = std::hypot(here.getX() - there.getX(), here.getY() - there.getY());
        double speed = std::fabs(speed_of(state) - speed_of(getState()));
        return std::max(
            {apart / near_enough, std::fabs(turn) / direction_enough, speed / speed_enough});
    }
};

bool is_blocked(const ompl_field& field, double x, double y) {
    double column = std::floor(x / field.cell), row = std::floor(y / field.cell);
    if (!(column >= 0.0 && column < field.side && row >= 0.0 && row < field.side))
        return true;
    return field.cells[static_cast<int64_t>(row) * field.side + static_cast<int64_t>(column)] != 0;
}

bool is_free(const ompl_field& field, const ob::State* state) {
    const auto& pose = pose_of(state);
    double cosine = std::cos(pose.getYaw()), sine = std::sin(pose.getYaw());
    int along = static_cast<int>(std::ceil((field.front + field.rear) / sample));
    int across = static_cast<int>(std::ceil(field.width / sample));
    for (int i = 0; i <= along; i++)
        for (int j = 0; j <= across; j++) {
            double x = -field.rear + (field.front + field.rear) * i / along;
            double y = field.width * (static_cast<double>(j) / across - 0.5);
            if (is_blocked(field, pose.getX() + x * cosine - y * sine,
                           pose.getY() + x * sine + y * cosine))
                return false;
        }
    return true;
}

// An arc of the curvature that the speed allows.
void propagate(const ompl_field& field, const ob::State* from, const oc::Control* control,
               double time, ob::State* to) {
    const double* asked = control->as<oc::RealVectorControlSpace::ControlType>()->values;
    double before = speed_of(from);
    double after = std::clamp(before + asked[0] * time, 0.0, field.speed_max);
    double fast = std::max({before, after, 0.1});
    double most = std::min(1.0 / field.radius, field.lateral_acceleration / (fast * fast));
    double way = 0.5 * (before + after) * time, turn = std::clamp(asked[1], -most, most) * way;
    double middle = pose_of(from).getYaw() + 0.5 * turn;
    double chord = std::fabs(turn) > 1e-9 ? way * std::sin(0.5 * turn) / (0.5 * turn) : way;
    set(to, pose_of(from).getX() + chord * std::cos(middle),
        pose_of(from).getY() + chord * std::sin(middle),
        std::remainder(pose_of(from).getYaw() + turn, 2.0 * std::acos(-1.0)), after);
}

ob::StateSpacePtr space_of(const ompl_field& field) {
    auto poses = std::make_shared<ob::SE2StateSpace>();
    ob::RealVectorBounds square(2), speeds(1);
    square.setLow(0.0);
    square.setHigh(field.side * field.cell);
    poses->setBounds(square);
    auto speed = std::make_shared<ob::RealVectorStateSpace>(1);
    speeds.setLow(0.0);
    speeds.setHigh(field.speed_max);
    speed->setBounds(speeds);
    auto space = std::make_shared<ob::CompoundStateSpace>();
    space->addSubspace(poses, 1.0);
    space->addSubspace(speed, 0.3);
    space->lock();
    return space;
}

oc::ControlSpacePtr controls_of(const ompl_field& field, const ob::StateSpacePtr& space) {
    auto controls = std::make_shared<oc::RealVectorControlSpace>(space, 2);
    ob::RealVectorBounds bounds(2);
    // As much braking as gaining speed: else random controls stand most of the time.
    bounds.setLow(0, -std::min(field.braking, field.acceleration));
    bounds.setHigh(0, field.acceleration);
    bounds.setLow(1, -1.0 / field.radius);
    bounds.setHigh(1, 1.0 / field.radius);
    controls->setBounds(bounds);
    return controls;
}

} // namespace

ompl_crossing kerb_scene_ompl_cross(const ompl_field* field, double limit) {
    ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
    static std::once_flag once; // OMPL's generators are seeded from one, before the first is made
    std::call_once(once, [] { ompl::RNG::setSeed(1); });
    auto space = space_of(*field);
    oc::SimpleSetup setup(controls_of(*field, space));
    setup.setStateValidityChecker(
        [field](const ob::State* state) { return is_free(*field, state); });
    setup.setStatePropagator(
        [field](const ob::State* from, const oc::Control* control, double time, ob::State* to) {
            propagate(*field, from, control, time, to);
        });
    setup.getSpaceInformation()->setPropagationStepSize(step);
    setup.getSpaceInformation()->setMinMaxControlDuration(1, 20);
    ob::ScopedState<> from(space), to(space);
    set(from.get(), field->from.x, field->from.y, field->from.heading, 0.0);
    set(to.get(), field->to.x, field->to.y, field->to.heading, 0.0);
    auto goal = std::make_shared<Arrival>(setup.getSpaceInformation());
    goal->setState(to);
    goal->setThreshold(1.0);
    setup.setStartState(from);
    setup.setGoal(goal);
    setup.setPlanner(std::make_shared<oc::RRT>(setup.getSpaceInformation()));
    setup.setup();
    auto begun = std::chrono::steady_clock::now();
    ob::PlannerStatus status = setup.solve(limit);
    std::chrono::duration<double> thought = std::chrono::steady_clock::now() - begun;
    ompl_crossing crossing = {status == ob::PlannerStatus::EXACT_SOLUTION, thought.count(), 0.0};
    if (crossing.found)
        for (double held : setup.getSolutionPath().getControlDurations())
            crossing.movement += held;
    return crossing;
}
