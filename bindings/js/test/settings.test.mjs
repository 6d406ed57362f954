// Settings by name, vehicles by their fields, and the errors of both.
import assert from 'node:assert/strict';
import { KerbError, load, settings, settingsNames } from '../dist/index.js';
import { test } from './harness.mjs';

const kerb = await load();

/** Runs what must throw a KerbError, and returns it. */
function errorOf(body) {
    try {
        body();
    } catch (error) {
        assert.ok(error instanceof KerbError, String(error.stack));
        return error;
    }
    return assert.fail('nothing was thrown');
}

test('every row of every table has a meaning, a unit, and a default within its range', () => {
    assert.ok(settingsNames.length >= 26);
    let rows = 0;
    for (const table of settingsNames)
        for (const row of settings(table)) {
            assert.ok(row.meaning.length > 3 && row.unit.length > 0, row.name);
            assert.ok(row.min <= row.defaultValue && row.defaultValue <= row.max, `${table}.${row.name}`);
            assert.ok(['number', 'whole number', 'choice'].includes(row.type));
            assert.equal(row.type === 'choice', Array.isArray(row.choices));
            rows++;
        }
    assert.ok(rows > 300, `${rows} rows`);
});

test('every setting reads its default, takes both ends of its range, and refuses what is beyond', () => {
    for (const table of settingsNames) {
        const view = new kerb[{ calibration: 'CalibrationSettings' }[table] ?? className(table)]().reset();
        for (const { name, field, min, max, defaultValue, type } of view.rows) {
            assert.ok(Math.abs(view.get(name) - defaultValue) <= 1e-6 * Math.abs(defaultValue), `${table}.${name}`);
            view.set(name, max);
            assert.ok(Math.abs(view.get(field) - max) <= 1e-6 * Math.abs(max));
            view.set(field, min);
            const step = Math.max(1, Math.round(Math.abs(max) * 1e-3)); // whole, for whole numbers
            assert.equal(errorOf(() => view.set(name, max + step)).field, field);
            assert.equal(errorOf(() => view.set(name, min - step)).result, 'out of range');
            assert.equal(errorOf(() => view.set(name, NaN)).result, 'not a finite number');
            assert.equal(errorOf(() => view.set(name, [])).result, 'wrong type');
            if (type !== 'number' && max > min)
                assert.equal(errorOf(() => view.set(name, min + 0.5)).result, 'wrong type');
            assert.ok(Math.abs(view.get(name) - min) <= 1e-6 * Math.abs(min), 'a refused value changes nothing');
        }
        view.free();
    }
});

// 'planLimits' is PlanLimits, 'follower' is FollowerSettings.
function className(table) {
    const name = table[0].toUpperCase() + table.slice(1);
    return kerb[`${name}Settings`] ? `${name}Settings` : name;
}

test('a settings struct is written whole, in part, by names of C, and comes back as it was', () => {
    const a = new kerb.FollowerSettings({ speed: 9, speedControl: { integral: 0.25 }, method: 'paper' });
    const b = new kerb.FollowerSettings({ speed_control: { integral: 0.25 }, method: 1 });
    assert.equal(b.assign({ speed: 9 }).speedControl.integral, 0.25);
    assert.deepEqual(a.toJSON(), b.toJSON());
    assert.deepEqual(new kerb.FollowerSettings(JSON.parse(JSON.stringify(a))).toJSON(), a.toJSON());
    assert.deepEqual(new kerb.FollowerSettings(a).toJSON(), a.toJSON());
});

test('a setting that is not there and a choice that is not there are named', () => {
    const view = new kerb.FollowerSettings();
    assert.deepEqual(pick(errorOf(() => view.assign({ spede: 1 }))), ['unknown field', 'spede', -1]);
    assert.deepEqual(pick(errorOf(() => view.set('spede', 1))), ['unknown field', 'spede', -1]);
    assert.deepEqual(pick(errorOf(() => { view.method = 'none'; })), ['out of range', 'method', -1]);
    assert.equal(pick(errorOf(() => view.assign({ stuck: { tries: 1000 } })))[1], 'stuck.tries');
    assert.equal(errorOf(() => settings('folower')).field, 'folower');
});

const pick = (error) => [error.result, error.field, error.index];

test('a vehicle that contradicts itself makes no driver, and says why', () => {
    const error = errorOf(() => new kerb.Follower({ width: 9, length: 4 }));
    assert.equal(error.field, 'width');
    assert.match(error.message, /^width: /);
    assert.equal(errorOf(() => new kerb.Racer({ wheelbase: 0 })).field, 'wheelbase');
    assert.equal(errorOf(() => new kerb.Flyer({ stallSpeed: 90, cruiseSpeed: 50 })).result, 'contradiction');
});

test('gears and curves of a vehicle are lists', () => {
    const vehicle = new kerb.Vehicle({ drive_train: { gear_count: 3, gear_ratio: [12, 7, 4] },
        steeringLock: { count: 2, speed: [0, 30], share: [1, 0.3] } });
    assert.deepEqual([...vehicle.driveTrain.gearRatio].slice(0, 3), [12, 7, 4]);
    assert.equal(vehicle.get('driveTrain.gearRatio[1]'), 7);
    assert.equal(errorOf(() => vehicle.driveTrain.gearRatio.set(1, -1)).field, 'drive_train.gear_ratio[1]');
    const follower = new kerb.Follower(vehicle);
    assert.deepEqual(follower.vehicle.toJSON(), vehicle.toJSON());
});

test('a bad waypoint is named by index and field', () => {
    assert.deepEqual(pick(errorOf(() => new kerb.Path([[0, 0], [5, 0], [9, Infinity]]))), ['not a finite number', 'position.y', 2]);
    assert.deepEqual(pick(errorOf(() => new kerb.Path([[0, 0]]))).slice(0, 1), ['too few']);
    assert.deepEqual(pick(errorOf(() => new kerb.Path([[0, 0], { x: 1, y: 2, grip: -1 }]))), ['out of range', 'grip', 1]);
    assert.equal(errorOf(() => new kerb.Path([[0, 0], { x: 1, y: 2, grib: 1 }])).field, 'grib');
});

test('errors of calls say what the library says', () => {
    const planner = new kerb.Planner({});
    assert.deepEqual(pick(errorOf(() => planner.begin([0, 0, 0], [{ x: 1, y: 1 }, { x: NaN, y: 0 }]))).slice(0, 2),
        ['not a finite number', 'pose']);
    assert.equal(errorOf(() => planner.setWorld({ cells: new Uint8Array(4), columns: 2, rows: 2, cellSize: -1 })).field,
        'cell_size');
    assert.equal(errorOf(() => new kerb.NeighbourGrid(0)).result, 'out of range');
    assert.equal(errorOf(() => kerb.validateTrack([[0, 0], [9, 0], [9, { x: 0 }]])) instanceof KerbError, true);
});

test('every enum has its texts', () => {
    assert.equal(kerb.text('reason', 2), 'bend ahead');
    assert.equal(kerb.text('planOutcome', 1), 'found');
    assert.equal(kerb.text('reason', 999), 'unknown');
    assert.throws(() => kerb.text('weather', 1), KerbError);
});
