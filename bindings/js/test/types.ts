// Compiled, never run: what the types allow. A line after @ts-expect-error must be an error.
import { load, settings, KerbError, PlanOutcome, Reason, type Controls, type Vehicle } from 'kerb-drive';
import { load as loadFollower } from 'kerb-drive/follower';

const kerb = await load(new URL('https://example.org/kerb.wasm'));
await loadFollower();
const vehicle: Vehicle = new kerb.Vehicle({ kind: 'wheeled', driveTrain: { gearCount: 2, gearRatio: [9, 5] } });
vehicle.driveTrain.gearRatio.set(0, 8);
const path = new kerb.Path([[0, 0], { x: 9, y: 1, stop: 2 }], { closed: false, width: 4, speedLimit: 9 });
const follower = new kerb.Follower(vehicle, path, { method: 'kerb', speed: 12, speedControl: { integral: 0 } });
follower.settings.method = 'paper';
const method: number = follower.settings.method;
const motion = new kerb.Motion({ position: [1, 2, 3], gear: 1 });
const around = new kerb.Surroundings({ speedCap: 9 });
around.neighbours = new kerb.Neighbours(3);
around.neighbours.add({ id: 4 }).intent = follower.intent(new kerb.Intent());
const controls: Controls = follower.drive(motion, around, 0.01);
if (controls.reason === Reason.ARRIVED)
    console.log(follower.reason, method, follower.decision.target.x, path.points.at(0).length);
const planner = new kerb.Planner({ vehicle: {}, share: 0.4, turningRadius: 6 });
planner.begin([[0, 0, 0], [1, 1, 0]], { x: 9, y: 9, headingTolerance: 3 });
while (planner.advance(100) === PlanOutcome.RUNNING)
    console.log(planner.tree.count);
new kerb.PlanDriver({}, planner.plan.copy()).drive(motion, null, 0.01);
const solver = new kerb.LineSolver(path, { vehicle, settings: { side: 'left' } });
new kerb.Racer(vehicle, solver.line(2)).character(3, 0.5).drive(motion, around, 0.01);
const place = kerb.call.pathNearest(new kerb.PathLocation(), path, motion.position);
kerb.call.drawFollower(new kerb.DrawBuffer(), follower, path, motion);
console.log(place.segment, settings('racer').map(({ name, min, choices }) => [name, min, choices?.[0]]));
try {
    follower.settings.set('speed', -1);
} catch (error) {
    if (error instanceof KerbError)
        console.log(error.field, error.index, error.result);
}
const bytes: Uint8Array = follower.save();
follower.restore(bytes).shiftOrigin(1, 2);
// @ts-expect-error: there is no such method
follower.settings.method = 'other';
// @ts-expect-error: there is no such setting
new kerb.Follower({}, path, { spede: 3 });
// @ts-expect-error: a motion is wanted
follower.drive({}, around, 0.01);
