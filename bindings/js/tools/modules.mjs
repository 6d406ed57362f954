// Which headers' functions each module of WebAssembly exports. What is not called is not linked.
//
// `all` has every function that JavaScript can call. The others have one driver each, with the
// vehicle, the path and what else that driver is given.

/** Functions that make no sense from JavaScript: the binding does what they do. */
export const leftOut = new Set([
    'kerb_assert_failed', 'kerb_error_set', 'kerb_host_default', 'kerb_settings_set_defaults',
    'kerb_settings_validate', 'kerb_settings_find', 'kerb_settings_get', 'kerb_settings_set',
    'kerb_neighbour_grid_init',
]);

// Of vehicle.h and math.h: what every driver needs.
const basis = [
    'kerb_version', 'kerb_result_text', 'kerb_reason_text', 'kerb_vehicle_kind_text',
    'kerb_vehicle_default', 'kerb_vehicle_validate', 'kerb_vehicle_scale',
    'kerb_vehicle_turning_radius', 'kerb_motion_default', 'kerb_motion_validate',
    'kerb_motion_forward_speed', 'kerb_controls_safe', 'kerb_controls_blend',
    'kerb_controls_signed_throttle', 'kerb_surroundings_default', 'kerb_intent_bound',
    'kerb_host_mistake_text', 'kerb_host_mistake_remedy',
    /^kerb_(axes|position|direction|angular_velocity|rotation)_/, /^kerb_quat_/, /^kerb_pose_/,
    /^kerb_random_/, /^kerb_neighbour_grid_/, /^kerb_neighbours_/,
];
const path = [/^kerb_path_/, /^kerb_waypoints?_/];
const agents = [/^kerb_agent_/, /^kerb_steering_driver_/, 'kerb_steering_none'];

/** What each module exports: names of functions, or patterns. */
export const modules = {
    all: [/./],
    follower: [...basis, ...path, /^kerb_follower_/, 'kerb_neighbour_mode_text'],
    racer: [...basis, ...path, /^kerb_racer_/, /^kerb_racing_line_/, /^kerb_line_/, /^kerb_track_/,
        /^kerb_performance_/, 'kerb_slipstream'],
    plan: [...basis, ...path, /^kerb_plan_/, /^kerb_planner_/],
    lane: [...basis, /^kerb_lane_/],
    seek: [...basis, ...path, ...agents, /^kerb_parker_/, /^kerb_directed_/, /^kerb_attack_/],
    group: [...basis, ...path, ...agents, /^kerb_agents_/, /^kerb_flock_/, /^kerb_formation_/,
        /^kerb_avoid_agents/, /^kerb_avoid_obstacles/, /^kerb_obstacle_/,
        'kerb_separation', 'kerb_alignment', 'kerb_cohesion', /^kerb_queue/, /^kerb_gate/,
        'kerb_seek', 'kerb_flee', 'kerb_arrive', 'kerb_pursue', 'kerb_evade', 'kerb_offset_pursue',
        'kerb_follow_path', 'kerb_follow_wall', /^kerb_wander_/, /^kerb_steering_/],
    fly: [...basis, ...path, /^kerb_flyer_/, /^kerb_aircraft_/],
    calibrate: [...basis, /^kerb_calibrat/],
};

/** The functions of one module, of all that the headers declare. */
export function functionsOf(module, headers) {
    const wanted = modules[module];
    return [...headers.functions.values()].filter(
        ({ name }) => !leftOut.has(name) &&
            wanted.some((one) => (one instanceof RegExp ? one.test(name) : one === name)));
}
