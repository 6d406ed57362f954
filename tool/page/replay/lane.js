// Lane keeping by rays: which rays a driver asked for and what they met.
'use strict';

const RAY_STEP = 0.02; // of their columns [m]
const RAY_NUMBERS = 4; // from x, y to x, y, relative to the vehicle
const MET_NOTHING = 0;
const MET_VEHICLE = 3;
const MET_WORDS = ['nothing', 'edge', 'wall', 'car'];

/// The rays of a trial: all in a row, and where each sample's begin.
function raysOf(raw, count) {
  const counts = bytesOf(raw.ray_counts);
  const begins = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) begins[i + 1] = begins[i] + counts[i];
  return { begins, whats: bytesOf(raw.ray_whats), numbers: scaledOf({ step: RAY_STEP, data: raw.rays }) };
}

/// A ray that met an edge ends in a dot, one that met a vehicle is red, one that met nothing fades.
function drawRays(scene, trial, now) {
  const { context, palette } = scene;
  const { begins, whats, numbers } = trial.columns.rays;
  // They belong to the sample; the vehicle may be a little further.
  const x = trial.columns.x[now.index];
  const y = trial.columns.y[now.index];
  context.lineWidth = scene.pixels(1.25);
  for (let i = begins[now.index]; i < begins[now.index + 1]; i++) {
    const [fromX, fromY, toX, toY] = numbers.subarray(RAY_NUMBERS * i, RAY_NUMBERS * (i + 1));
    const from = { x: x + fromX, y: y + fromY };
    const to = { x: x + toX, y: y + toY };
    const met = whats[i];
    context.strokeStyle = met === MET_VEHICLE ? palette.error : palette.intent;
    context.globalAlpha = met === MET_NOTHING ? 0.3 : 0.75;
    scene.strokeLine([from, to]);
    if (met !== MET_NOTHING) scene.drawDot(to, 3, met === MET_VEHICLE ? palette.error : palette.intent, palette.surface);
  }
  context.globalAlpha = 1;
}

/// The rays of a sample in words: what each met, and how far away.
function raysInWords({ begins, whats, numbers }, index) {
  const words = [];
  for (let i = begins[index]; i < begins[index + 1]; i++) {
    const [fromX, fromY, toX, toY] = numbers.subarray(RAY_NUMBERS * i, RAY_NUMBERS * (i + 1));
    words.push({ met: whats[i], length: Math.hypot(toX - fromX, toY - fromY) });
  }
  return words;
}

/// What a keeper thinks, as of the sample: its rays are of that moment, too.
function showLane(trial, now) {
  const { edge_wanted: wanted, edge_held: held, gap, rays } = trial.columns;
  const set = (id, text) => ($(id).textContent = text);
  set('r-edge-wanted', fixed(wanted[now.index], 2));
  set('r-edge-held', fixed(held[now.index], 2));
  set('r-gap', gap[now.index] < 0 ? 'none' : fixed(gap[now.index], 1));
  set('r-gap-unit', gap[now.index] < 0 ? '' : 'm');
  $('r-rays').replaceChildren(...raysInWords(rays, now.index).map(({ met, length }) =>
    element('li', { className: met === MET_NOTHING ? 'nothing' : met === MET_VEHICLE ? 'vehicle' : '' }, [
      element('span', { textContent: MET_WORDS[met] ?? '' }),
      element('span', { textContent: `${met === MET_NOTHING ? 'within ' : ''}${fixed(length, 1)} m` })])));
}
