// A program, run with --expose-gc: makes objects, forgets them, and says how many the collector released.
import { load } from '../dist/index.js';

const kerb = await load();
const track = new kerb.Path([[0, 0], [100, 0], [50, 80]], { closed: true, width: 10 });
const solver = new kerb.LineSolver(track);
const makers = {
    path: () => new kerb.Path([[0, 0], [9, 0]]),
    follower: () => new kerb.Follower({}, track).controls.brake,
    laneKeeper: () => new kerb.LaneKeeper().rays.at(0),
    surroundings: () => new kerb.Surroundings().applied,
    neighbours: () => new kerb.Neighbours(3).at(1),
    planner: () => new kerb.Planner({}).tree,
    planSearch: () => new kerb.PlanSearch({}, { nodes: 1024 }).report,
    plan: () => new kerb.Plan().pieces,
    lineSolver: () => new kerb.LineSolver(track).progress,
    racingLine: () => solver.line(5).points.at(0),
    grid: () => new kerb.NeighbourGrid(9).x,
    agents: () => new kerb.Agents(9).get(0, new kerb.Agent()),
    flock: () => new kerb.Flock(9).settings,
    company: () => new kerb.LaneCompany(3).begin(),
    drawBuffer: () => new kerb.DrawBuffer(9, 9, 9).lines,
    axes: () => new kerb.Axes('gltf').x,
    settings: () => new kerb.FollowerSettings().stuck,
    numbers: () => kerb.numbers('f32', 4).array,
    motion: () => new kerb.Motion().position,
};

let released = 0;
const { release } = kerb.m.exports;
kerb.m.release = (at) => {
    released++;
    release(at);
};
const said = {};
for (const [name, make] of Object.entries(makers)) {
    const register = kerb.m.net.register.bind(kerb.m.net);
    let made = 0; // blocks of memory, at least
    released = 0;
    kerb.m.net.register = (view, held, token) => {
        made += held.blocks.length;
        register(view, held, token);
    };
    for (let i = 0; i < 20; i++)
        make();
    for (let i = 0; i < 20 && released < made; i++) {
        globalThis.gc();
        await new Promise((resolve) => setTimeout(resolve, 5));
    }
    said[name] = { made, released };
}
console.log(JSON.stringify(said));
