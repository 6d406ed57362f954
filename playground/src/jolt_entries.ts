// The scenes in Jolt Physics, for the tree. What they need is loaded when one is opened first.
import type { Entry, Show } from './show';
import type { StageModule } from './stage';

const NAMES = ['car', 'truck', 'tank', 'motorcycle', 'buggy'];
// Courses without heights, by their names in scene/course: Jolt's floor is level here.
export const COURSES = ['city-corners', 'figure-eight', 'hairpins', 'lane-change', 'narrow-corridor', 'slalom', 'noisy-waypoints', 'many-point-turn'];
export const INDEXES = [0, 1, 2, 3, 5, 6, 7, 9];

/// The scene on a navigation mesh: Jolt and Recast are loaded when it is opened first.
export function meshEntry(module: StageModule): Entry {
  return { id: 'plan/mesh', group: 'Planner', title: 'Ways of a navigation mesh', look: 'Recast makes a mesh of what the obstacles leave free, and its way bends sharply at their corners: the follower rounds each as the room beside it allows.',
    tryThis: 'Drag the goal, the vehicle or an obstacle into its way: mesh and way are made anew while it drives.',
    choices: [{ name: 'map', meaning: 'blocks that can be moved, or a map whose blocked cells are solid', min: 0, max: 2, usual: 0, options: ['blocks', 'car-park', 'field'] }, { name: 'vehicle', meaning: 'which of Jolt\'s vehicles', min: 0, max: 4, usual: 0, options: NAMES }],
    make: async (seed, choices) => (await import('./mesh_show')).makeMeshShow(module, seed, choices) };
}

export function joltEntries(module: StageModule): Entry[] {
  const make = async (seed: number, choices: readonly number[], copies: number, kind: 'follow' | 'race' | 'park' = 'follow'): Promise<Show> =>
    (await import('./jolt_show')).makeJoltShow(module, kind, seed, choices, copies);
  const tracks = module.scenes.find((scene) => scene.id === 'race/race')?.choices[0]?.options ?? ['track'];
  const course = { name: 'course', meaning: 'which of the built-in courses', min: 0, max: COURSES.length - 1, usual: 1, options: COURSES };
  const vehicle = { name: 'vehicle', meaning: 'which of Jolt\'s vehicles', min: 0, max: 5, usual: 0, options: ['all five', ...NAMES] };
  return [
    { id: 'jolt/courses', group: 'Another engine', title: 'Jolt\'s vehicles on a course', look: 'Car, lorry, tank, motorcycle and buggy are simulated by Jolt Physics, with its own tyres, gearboxes and tracks: the same driver keeps each on its line.',
      tryThis: 'Choose one of them, take its wheel, or raise the speed until it cannot hold the line; the pale car is Kerb\'s reference physics.', choices: [course, { ...vehicle }], make: (seed, choices) => make(seed, choices, 1) },
    { id: 'jolt/queue', group: 'Another engine', title: 'A queue in Jolt', look: 'Fifteen of Jolt\'s vehicles follow one another on one line and keep their gaps, though each brakes and pulls differently.',
      tryThis: 'Take the wheel of the first and stop: all behind you come to stand without a touch.', choices: [{ ...course, usual: 0 }, { ...vehicle }], make: (seed, choices) => make(seed, choices, 3) },
    { id: 'jolt/race', group: 'Another engine', title: 'A race in Jolt', look: 'Cars and buggies of Jolt Physics race along the line that Kerb has found for each of them, at the limit of Jolt\'s tyres.',
      tryThis: 'Lower the skill and see them brake earlier; or take a wheel against them.', choices: [{ name: 'track', meaning: 'which of the built-in tracks; Jolt\'s floor is level', min: 0, max: tracks.length - 1, usual: Math.max(0, tracks.indexOf('vamos')), options: [...tracks] }, { ...vehicle, usual: 1 }], make: (seed, choices) => make(seed, choices, choices[1] === 0 ? 1 : 5, 'race') },
    { id: 'jolt/park', group: 'Another engine', title: 'Parking in Jolt', look: 'Each drives into a bay that faces any way, in reverse where that is shorter, and takes another one when it stands.',
      tryThis: 'Drag a bay, or turn it by its ring, while somebody drives to it.', choices: [{ ...vehicle, max: 3, options: ['all three', ...NAMES.filter((name) => name !== 'tank' && name !== 'motorcycle')] }], make: (seed, choices) => make(seed, [0, choices[0] ?? 0], choices[0] === 0 ? 2 : 5, 'park') },
  ];
}

