// Lane keeping by rays: which rays a driver asked for and what they met.
'use strict';

const RAY_STEP = 0.02; // of their columns [m]
const RAY_NUMBERS = 4; // from x, y to x, y, relative to the vehicle
const MET_NOTHING = 0;
const MET_VEHICLE = 3;

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
