// Agents that follow no course: how near each is to the others, how it turns, and how far it went. All
// of it follows from where they are, at times that all of them share.
'use strict';

/// The nearest other agent that is in the scene at a sample, and the distance of the middles.
function nearestOf(trial, index) {
  const { x, y } = trial.columns;
  let [distance, who] = [Infinity, null];
  for (const other of trial.course.trials) {
    if (other === trial || index >= other.count || other.columns.absent[index]) continue;
    const away = Math.hypot(other.columns.x[index] - x[index], other.columns.y[index] - y[index]);
    if (away < distance) [distance, who] = [away, other];
  }
  return { distance, who };
}

/// Columns of an agent that only its page has; made when it is first chosen.
function agentColumns(trial) {
  const { columns, count, step } = trial;
  if (columns.nearest) return columns;
  columns.nearest = Float32Array.from({ length: count }, (_, i) => (columns.absent[i] ? 0 : Math.min(nearestOf(trial, i).distance, 1e4)));
  columns.turning = new Float32Array(count);
  columns.driven = new Float32Array(count);
  for (let i = 1; i < count; i++) {
    const here = !columns.absent[i] && !columns.absent[i - 1];
    columns.turning[i] = here ? ((columns.heading[i] - columns.heading[i - 1]) * 180) / Math.PI / step : 0;
    columns.driven[i] = columns.driven[i - 1] + (here ? Math.hypot(columns.x[i] - columns.x[i - 1], columns.y[i] - columns.y[i - 1]) : 0);
  }
  columns.reached = columns.driven;
  return columns;
}

function showAgent(trial, time, now) {
  agentColumns(trial);
  const set = (id, text) => ($(id).textContent = text);
  const { distance, who } = nearestOf(trial, now.index);
  const turns = (now.heading * 180) / Math.PI;
  const { trials } = trial.course;
  set('a-nearest', who ? fixed(distance, 1) : '–');
  set('a-nearest-name', who ? who.name : '–');
  set('a-heading', fixed(turns - 360 * Math.round(turns / 360), 0));
  set('a-turning', signed(trial.value('turning', time), 0));
  set('a-driven', fixed(trial.value('driven', time), 1));
  set('a-present', `${trials.filter((other) => !other.isAbsent(other.indexAt(time))).length} / ${trials.length}`);
}
