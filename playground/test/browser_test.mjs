// The browser tests of the playground, on its static build: every scene runs for some seconds without
// a complaint, its vehicles move, stay upright and get on; sliders, wheel, recording, links, phones and
// the keyboard do what they say. `--long`: every scene for a minute.
import assert from 'node:assert/strict';
import { launch, openPage, serve } from './site.mjs';

const long = process.argv.includes('--long'), only = process.argv.find((each) => each.startsWith('--only='))?.slice(7);
const results = [];

async function test(name, run) {
  if (only && !name.includes(only)) return;
  const begun = Date.now();
  try {
    await run();
    results.push(true);
    console.log(`ok    ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    results.push(false);
    console.log(`FAILED ${name}\n${String(error.stack ?? error).split('\n').slice(0, 9).join('\n')}`);
  }
}

const server = await serve(), browser = await launch();
const { page, complaints, opened } = await openPage(browser, server.address);
const landed = [...server.loaded].reduce((sum, [, size]) => sum + size, 0);
const landedFiles = [...server.loaded.keys()];
const clean = () => { const all = complaints.splice(0); assert.deepEqual(all, []); };
const settle = (frames = 2) => page.evaluate((n) => new Promise((done) => { const next = (k) => (k === 0 ? done() : requestAnimationFrame(() => next(k - 1))); next(n); }), frames);

// Runs some seconds of the scene's own clock without waiting for pictures, and watches.
const drive = (seconds) => page.evaluate((time) => {
  const app = window.kerbPlayground, show = app.show, from = [], moved = [];
  // Some think before they drive.
  let steps = Math.round(60 * time), most = 5 * steps;
  app.setRunning(false);
  show.refresh();
  for (let i = 0; i < show.count; i++) { from.push([show.poses[i].x, show.poses[i].y]); moved.push(0); }
  let finite = true, upright = true;
  for (let k = 0; k < steps; k++) {
    show.step();
    if (k + 1 === steps && steps < most && Math.max(...moved) < 1.5) steps += 30;
    if (k % 15) continue;
    show.refresh();
    for (let i = 0; i < show.count; i++) {
      const p = show.poses[i];
      finite &&= Number.isFinite(p.x + p.y + p.z + p.qx + p.qy + p.qz + p.qw);
      upright &&= p.flies || p.hidden || 1 - 2 * (p.qx * p.qx + p.qy * p.qy) > 0.6;
      moved[i] = Math.max(moved[i], Math.hypot(p.x - from[i][0], p.y - from[i][1]));
    }
  }
  app.setRunning(true);
  return { count: show.count, finite, upright, moving: moved.filter((each) => each > 1).length, farthest: Math.max(...moved) };
}, seconds);

const open = (id) => page.evaluate(async (name) => { const app = window.kerbPlayground; await app.open(app.entries.find((entry) => entry.id === name)); }, id);

// More than one colour, in a picture that is a picture.
const colours = async () => page.evaluate(async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement('canvas'), context = canvas.getContext('2d');
  canvas.width = image.width; canvas.height = image.height;
  context.drawImage(image, 0, 0);
  const data = context.getImageData(0, 0, canvas.width, canvas.height).data, seen = new Set();
  for (let i = 0; i < data.length; i += 4 * 97) seen.add((data[i] >> 3) * 1024 + (data[i + 1] >> 3) * 32 + (data[i + 2] >> 3));
  return seen.size;
}, (await page.locator('#view').screenshot()).toString('base64'));

const scenes = await page.evaluate(() => window.kerbPlayground.entries.map((entry) => entry.id));
await test('the_landing_page_loads_little_and_says_what_to_do', async () => {
  assert.ok(landed < 2.0e6, `${landed} bytes gzipped`);
  // Physics and meshes are for the scenes that need them.
  assert.deepEqual(landedFiles.filter((file) => /jolt|recast|mesh_show|generators/.test(file)), []);
  assert.ok((await page.locator('#title p').textContent()).length > 40);
  // Ten seconds are asked for on a machine that does nothing else.
  assert.ok(opened < 30000, `${opened} ms until vehicles move`);
  console.log(`      ${landed} bytes gzipped, vehicles move after ${opened} ms, ${scenes.length} scenes`);
});
for (const id of scenes)
  await test(`${id}_runs_and_its_vehicles_get_on`, async () => {
    await open(id);
    await settle(3);
    const seen = await drive(long ? 60 : 6);
    assert.ok(seen.finite && seen.upright, JSON.stringify(seen));
    assert.ok(seen.moving >= Math.min(seen.count, 1) && seen.farthest > 1.5, JSON.stringify(seen));
    await settle(2);
    assert.ok(await colours() > 12, 'the picture is blank');
    clean();
  });

await test('a_slider_changes_the_scene_and_stands_in_the_link', async () => {
  await open('follower/courses');
  const told = await page.evaluate(async () => {
    const app = window.kerbPlayground, panel = document.getElementById('panel');
    panel.hidden = false;
    const input = [...panel.querySelectorAll('[data-setting]')].find((each) => /\.speed$/.test(each.dataset.setting)).querySelector('input');
    input.value = '17';
    input.dispatchEvent(new Event('input'));
    input.dispatchEvent(new Event('change'));
    input.blur();
    const table = app.show.tables[0], row = table.rows.findIndex((each) => each.name === 'speed');
    return { value: app.show.get(0, row), hash: location.hash };
  });
  assert.equal(told.value, 17);
  assert.match(told.hash, /speed=17/);
});
await test('a_link_opens_the_scene_with_seed_and_settings', async () => {
  const told = await page.evaluate(async () => {
    const app = window.kerbPlayground;
    location.hash = '#scene=follower/courses&seed=7&c.course=hairpins&s.driver.speed=9';
    for (let i = 0; i < 100 && !(app.entry.id === 'follower/courses' && app.seed === 7); i++) await new Promise((done) => setTimeout(done, 50));
    await new Promise((done) => setTimeout(done, 100));
    return { seed: app.seed, course: app.entry.choices[0].options[app.choices[0]], speed: app.show.get(0, app.show.tables[0].rows.findIndex((row) => row.name === 'speed')) };
  });
  assert.deepEqual(told, { seed: 7, course: 'hairpins', speed: 9 });
});
await test('a_click_follows_a_vehicle_and_its_wheel_can_be_taken_and_handed_back', async () => {
  await open('follower/courses');
  await settle(10);
  await page.evaluate(() => { const app = window.kerbPlayground; app.follow(-1); app.setRunning(false); app.setCamera('free'); });
  await settle(3);
  const at = await page.evaluate(() => {
    const app = window.kerbPlayground, pose = app.show.poses[0], out = app.view.camera.camera.position.clone();
    app.view.project(pose.x, pose.y, pose.z + 0.4 * pose.height, out);
    return { x: out.x, y: out.y };
  });
  await page.mouse.click(at.x, at.y);
  assert.equal(await page.evaluate(() => window.kerbPlayground.followed), 0);
  await page.keyboard.press('e');
  assert.equal(await page.evaluate(() => window.kerbPlayground.driven), 0);
  await page.keyboard.down('w');
  await page.waitForFunction(() => { const app = window.kerbPlayground; return app.show.isPlayer(0) && app.driving.throttle > 0.5; }, null, { timeout: 15000 });
  await page.keyboard.up('w');
  await page.keyboard.press('e');
  assert.equal(await page.evaluate(() => { const app = window.kerbPlayground; app.singleStep(); return app.show.isPlayer(0); }), false);
  clean();
});
await test('a_recorded_scene_goes_back_and_comes_to_the_same_hash', async () => {
  await open('follower/courses');
  const told = await page.evaluate(() => {
    const app = window.kerbPlayground;
    app.setRunning(false);
    app.restart();
    app.followed = 0;
    const steps = (n) => { for (let i = 0; i < n; i++) app.step(); };
    steps(200);
    app.setting(0, app.show.tables[0].rows.findIndex((row) => row.name === 'speed'), 6);
    steps(200);
    const hash = app.show.hash, frame = app.show.frame;
    app.goTo(170);
    const between = app.show.frame;
    app.goTo(frame);
    return { hash, again: app.show.hash, between };
  });
  assert.equal(told.between, 170);
  assert.equal(told.hash, told.again);
});
for (const [id, followed] of [['jolt/courses', 1], ['jolt/park', 0], ['jolt/race', 2], ['plan/mesh', 0]])
  await test(`${id}_goes_back_and_comes_to_the_same_hash`, async () => {
    await open(id);
    const told = await page.evaluate((vehicle) => {
      const app = window.kerbPlayground;
      app.setRunning(false);
      app.restart();
      const steps = (n) => { for (let i = 0; i < n; i++) app.step(); };
      steps(100);
      // What people do is done again: a wheel is taken, a slider moved, a goal dragged.
      app.act((show) => show.take(vehicle, 0.8, 0, 0.3));
      steps(45);
      app.act((show) => show.handBack(vehicle));
      app.setting(0, 0, 0.5 * (app.show.tables[0].rows[0].usual + app.show.tables[0].rows[0].max));
      const handle = app.show.handles([])[0];
      if (handle) app.act((show) => show.drag(handle.kind, handle.index, handle.x - 1.5, handle.y + 1, handle.heading + 0.3));
      steps(160);
      const hash = app.show.hash, frame = app.show.frame;
      app.goTo(73);
      const between = app.show.frame;
      app.goTo(frame);
      const again = app.show.hash;
      // From there on the scene goes on.
      app.goTo(73);
      steps(150);
      return { hash, again, between, on: app.show.frame };
    }, followed);
    assert.equal(told.between, 73);
    assert.equal(told.hash, told.again);
    assert.equal(told.on, 223);
    clean();
  });
await test('a_mesh_is_made_anew_round_an_obstacle_that_is_dragged', async () => {
  await open('plan/mesh');
  const told = await page.evaluate(() => {
    const app = window.kerbPlayground, { show } = app;
    app.setRunning(false);
    for (let i = 0; i < 20; i++) app.step();
    const pose = show.poses[0], goal = show.handles([]).find((each) => each.kind === 2), solids = show.handles([]).filter((each) => each.kind === 1), at = { x: 0.5 * (pose.x + goal.x), y: 0.5 * (pose.y + goal.y) };
    const gap = () => Math.min(...show.way.map((point) => Math.hypot(point.x - at.x, point.y - at.y))), before = gap(), triangles = show.mesh.polygons;
    app.act((each) => each.drag(1, solids[0].index, at.x, at.y, 0));
    for (let i = 0; i < 12; i++) app.step();
    let outside = '';
    try { show.drag(2, 0, -5, 3, 0); } catch (error) { outside = error.message; }
    return { before, after: gap(), triangles, now: show.mesh.polygons, outside, shapes: show.shapesVersion };
  });
  assert.ok(told.after > 1.5, JSON.stringify(told));
  assert.match(told.outside, /outside/);
  clean();
});
await test('a_goal_can_be_dragged_with_the_mouse', async () => {
  await open('seek/park');
  await settle(6);
  const at = await page.evaluate(() => {
    const app = window.kerbPlayground;
    app.setRunning(false);
    app.setCamera('free');
    const handle = app.show.handles([]).find((each) => each.kind === 2), out = app.view.camera.camera.position.clone();
    app.view.project(handle.x, handle.y, handle.z, out);
    return { x: out.x, y: out.y, was: [handle.x, handle.y] };
  });
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 30, at.y + 12, { steps: 4 });
  await page.mouse.up();
  const now = await page.evaluate(() => { const handle = window.kerbPlayground.show.handles([]).find((each) => each.kind === 2); return [handle.x, handle.y]; });
  assert.ok(Math.hypot(now[0] - at.was[0], now[1] - at.was[1]) > 0.3, `${now} was ${at.was}`);
  clean();
});
await test('it_can_be_used_by_the_keyboard_alone_and_every_control_has_a_name', async () => {
  await page.keyboard.press('/');
  await page.keyboard.type('flock');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.kerbPlayground.entry.id === 'groups/flock', null, { timeout: 10000 });
  await page.keyboard.press('Escape');
  await page.locator('#view').focus();
  await page.keyboard.press(' ');
  assert.equal(await page.evaluate(() => window.kerbPlayground.running), false);
  await page.keyboard.press('.');
  await page.keyboard.press('n');
  assert.ok(await page.evaluate(() => window.kerbPlayground.followed) >= 0);
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, select, input')].filter((each) => !(each.getAttribute('aria-label') || each.textContent.trim() || each.title ||
    (each.id && document.querySelector(`label[for="${each.id}"]`)))).map((each) => each.outerHTML.slice(0, 120)));
  assert.deepEqual(nameless, []);
  clean();
});
for (const [name, width, height] of [['a_small_phone', 320, 568], ['a_phone', 390, 800], ['a_phone_on_its_side', 740, 340]])
  await test(`nothing_is_wider_than_${name}`, async () => {
    await page.setViewportSize({ width, height });
    await open(scenes[0]);
    await settle(3);
    for (const part of ['tree', 'panel']) {
      const told = await page.evaluate((id) => {
        const app = window.kerbPlayground, element = document.getElementById(id);
        app.toggle(element, true);
        const box = element.getBoundingClientRect(), over = [...document.querySelectorAll('button, select, input, h1')].filter((each) => each.offsetParent).map((each) => each.getBoundingClientRect())
          .filter((each) => each.width > 0 && (each.right > innerWidth + 1 || each.left < -1)).length;
        const wide = document.documentElement.scrollWidth;
        app.toggle(element, false);
        return { wide, over, left: box.left, right: box.right };
      }, part);
      assert.ok(told.wide <= width && told.right <= width + 1 && told.left >= -1 && told.over === 0, `${part}: ${JSON.stringify(told)}`);
    }
    assert.ok(await colours() > 12, 'the picture is blank');
    clean();
  });
await page.close();
await test('reduced_motion_keeps_the_camera_still', async () => {
  const calm = await openPage(browser, `${server.address}#scene=groups/gate`, { reducedMotion: 'reduce', colorScheme: 'dark' });
  const told = await calm.page.evaluate(async () => {
    const app = window.kerbPlayground, before = app.view.camera.camera.position.toArray();
    await new Promise((done) => setTimeout(done, 600));
    return { mode: app.view.camera.mode, theme: document.documentElement.dataset.theme, moved: Math.hypot(...app.view.camera.camera.position.toArray().map((each, i) => each - before[i])) };
  });
  assert.equal(told.mode, 'free');
  assert.equal(told.theme, 'dark');
  assert.ok(told.moved < 1e-6);
  assert.deepEqual(calm.complaints, []);
  await calm.page.close();
});
await browser.close();
server.close();
const failed = results.filter((each) => !each).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
