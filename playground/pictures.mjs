// Makes the pictures of the README: docs/pictures/playground-*.png, of the static build.
//
//     node playground/pictures.mjs
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { launch, openPage, serve } from './test/site.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'pictures');
const MOST = 150 * 1024;

// What is shown: scene, seconds of it, whom to follow, from where, and which sheets are open.
const PICTURES = [
  { name: 'town', hash: '#scene=town/traffic', seconds: 40, busy: true, distance: 62, azimuth: -2.3, elevation: 0.5 },
  { name: 'city', hash: '#scene=road/city', seconds: 60, busy: true, follow: 0, camera: 'free', distance: 70, azimuth: -2.2, elevation: 0.7 },
  { name: 'race', hash: '#scene=race/race', seconds: 7, follow: 0, dark: true },
  { name: 'plan', hash: '#scene=plan/map', seconds: 1.6, follow: 0, camera: 'free', distance: 46, azimuth: -2.2, elevation: 0.85 },
  { name: 'lane', hash: '#scene=lane/player', seconds: 12, follow: 0, camera: 'follow' },
  { name: 'jolt', hash: '#scene=jolt/queue', seconds: 14, follow: 6, camera: 'free', distance: 48, azimuth: 2.4, elevation: 0.42, dark: true },
  { name: 'phone', hash: '#scene=cars/chase', seconds: 6, follow: 0, camera: 'follow', phone: true },
];

// A PNG of at most 256 colours, which is a third of what the browser writes.
function png(width, height, pixels, palette) {
  const crcTable = Array.from({ length: 256 }, (_, n) => { let c = n; for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1; return c >>> 0; });
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]), length = Buffer.alloc(4), sum = Buffer.alloc(4);
    let c = 0xffffffff;
    for (const byte of body) c = crcTable[(c ^ byte) & 255] ^ (c >>> 8);
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE((c ^ 0xffffffff) >>> 0);
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0); head.writeUInt32BE(height, 4);
  head[8] = 8; head[9] = 3;
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) pixels.copy(rows, y * (width + 1) + 1, y * width, (y + 1) * width);
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('PLTE', Buffer.from(palette.flat())), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}

// Colours by median cut over the colours of 5 bits, then the nearest for each.
function reduce(width, height, rgba) {
  const counts = new Map();
  for (let i = 0; i < rgba.length; i += 4) {
    const key = ((rgba[i] >> 2) << 12) | ((rgba[i + 1] >> 2) << 6) | (rgba[i + 2] >> 2);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const parts = (key) => [((key >> 12) & 63) * 4 + 2, ((key >> 6) & 63) * 4 + 2, (key & 63) * 4 + 2];
  let boxes = [[...counts].map(([key, count]) => ({ key, count, c: parts(key) }))];
  const spread = (box, k) => Math.max(...box.map((each) => each.c[k])) - Math.min(...box.map((each) => each.c[k]));
  while (boxes.length < 250) {
    const at = boxes.map((box, i) => ({ i, worth: box.length > 1 ? Math.max(...[0, 1, 2].map((k) => spread(box, k))) * Math.sqrt(box.reduce((sum, each) => sum + each.count, 0)) : 0 })).sort((a, b) => b.worth - a.worth)[0];
    if (!(at.worth > 0)) break;
    const box = boxes[at.i], k = [0, 1, 2].sort((a, b) => spread(box, b) - spread(box, a))[0], sorted = [...box].sort((a, b) => a.c[k] - b.c[k]);
    let half = 0, sum = 0;
    const all = sorted.reduce((total, each) => total + each.count, 0);
    while (half < sorted.length - 1 && sum + sorted[half].count <= all / 2) sum += sorted[half++].count;
    half = Math.max(1, half);
    boxes = [...boxes.slice(0, at.i), sorted.slice(0, half), sorted.slice(half), ...boxes.slice(at.i + 1)];
  }
  const palette = [], index = new Map();
  boxes.forEach((box, i) => {
    const all = box.reduce((sum, each) => sum + each.count, 0);
    palette.push([0, 1, 2].map((k) => Math.round(box.reduce((sum, each) => sum + each.c[k] * each.count, 0) / all)));
    for (const each of box) index.set(each.key, i);
  });
  const pixels = Buffer.alloc(width * height);
  for (let i = 0; i < pixels.length; i++) pixels[i] = index.get(((rgba[4 * i] >> 2) << 12) | ((rgba[4 * i + 1] >> 2) << 6) | (rgba[4 * i + 2] >> 2));
  return png(width, height, pixels, palette);
}

const server = await serve(), browser = await launch();
for (const picture of PICTURES) {
  const size = picture.phone ? { width: 390, height: 780 } : { width: 1120, height: 640 };
  const { page, complaints } = await openPage(browser, server.address + picture.hash, { viewport: size, colorScheme: picture.dark ? 'dark' : 'light', hasTouch: Boolean(picture.phone), isMobile: Boolean(picture.phone) });
  await page.evaluate(async (p) => {
    const app = window.kerbPlayground, camera = app.view.camera;
    app.setRunning(false);
    app.view.ratio = 1; app.view.resize(); app.view.judgeSpeed = () => undefined;
    app.restart();
    if (p.follow !== undefined) app.follow(p.follow);
    for (let i = 0; i < 60 * p.seconds; i++) app.step();
    app.remember();
    if (p.busy) { // where most are within 40 m
      let best = -1;
      app.show.poses.forEach((a, i) => {
        const near = app.show.poses.filter((b) => Math.hypot(a.x - b.x, a.y - b.y) < 40).length;
        if (near > best) { best = near; p.star = i; }
      });
    }
    app.setCamera(p.camera ?? (p.follow === undefined ? 'free' : 'follow'));
    app.toggle(app.tree.root, p.name === 'town');
    app.toggle(app.panel.root, !p.phone && p.name !== 'town');
    if (p.phone) app.toggleWheel(p.follow);
    app.setRunning(false);
    document.getElementById('toast').hidden = true;
    if (p.distance) {
      const pose = app.show.poses[p.star ?? p.follow];
      camera.frame(pose.x, pose.y, pose.z, p.distance);
      camera.azimuth = p.azimuth; camera.elevation = p.elevation;
      camera.mode = 'free';
    }
    const wait = (n) => new Promise((done) => { const next = (k) => (k ? requestAnimationFrame(() => next(k - 1)) : done()); next(n); });
    for (let i = 0; i < 40; i++) camera.update(camera.mode === 'follow' ? app.subjectOf(app.show) : undefined, 0.1);
    await wait(4);
    document.getElementById('toast').hidden = true;
    await wait(2);
  }, picture);
  const shot = await page.screenshot();
  const { width, height, data } = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas'), context = canvas.getContext('2d');
    canvas.width = image.width; canvas.height = image.height;
    context.drawImage(image, 0, 0);
    const bytes = context.getImageData(0, 0, canvas.width, canvas.height).data;
    let text = '';
    for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
    return { width: canvas.width, height: canvas.height, data: btoa(text) };
  }, shot.toString('base64'));
  const small = reduce(width, height, Buffer.from(data, 'base64')), file = join(folder, `playground-${picture.name}.png`);
  await writeFile(file, small);
  console.log(`${file}: ${small.length} bytes ${createHash('sha1').update(small).digest('hex').slice(0, 8)}${small.length > MOST ? ' TOO LARGE' : ''}${complaints.length ? ` ${complaints[0]}` : ''}`);
  await page.close();
}
await browser.close();
server.close();
