// Small charts over the drive, one below the other on the same axis. A chart is drawn only when
// its trial, size or axis changes; the cursor is an element that moves over it.
'use strict';

const PLOT = { left: 36, right: 10, top: 6, height: 66 };

// The first series is the chart's own: drawn on top, and the one that ghosts are compared by.
// `fold` draws a series downwards, so that throttle and brake share one zero.
const CHARTS = [
  { name: 'Speed', unit: 'm/s', digits: 1, least: 0, ghosts: true,
    series: [{ column: 'pace', label: 'driven', color: 'driver', bold: true },
      { column: 'target_speed', label: 'target', lapsLabel: 'in a second', drivenLabel: 'planned', color: 'intent' }],
    ofAgents: { series: [{ column: 'pace', color: 'driver', bold: true }] },
    ofPlans: { series: [{ column: 'pace', color: 'driver', bold: true }] },
    ofDriven: { series: [{ column: 'pace', color: 'driver', bold: true }, { column: 'planned', color: 'intent' }] } },
  { name: 'Cross-track error', unit: 'm', digits: 2, even: true, ghosts: true,
    series: [{ column: 'error', label: '', color: 'driver', bold: true }],
    ofLaps: { name: 'Off the centre line' },
    ofAgents: { name: 'Distance of the nearest other', digits: 1, even: false, least: 0, ghosts: false, series: [{ column: 'nearest', color: 'driver', bold: true }] },
    ofLanes: { name: 'Edge distance, desired and held', even: false, least: 0, series: [{ column: 'edge_held', color: 'driver', bold: true }, { column: 'edge_wanted', color: 'intent' }] },
    ofPlans: { name: 'Lateral, left +', unit: 'm/s²', digits: 1, series: [{ column: 'lateral', color: 'driver', bold: true }] },
    ofDriven: { name: 'Off the plan', even: false, least: 0, span: 0.3 },
    ofRaces: { name: 'Lane shift', unit: '', series: [{ column: 'lane', label: 'share of the distance to the edge, left +', color: 'driver', bold: true }] } },
  { name: 'Steering angle', unit: '°', digits: 1, even: true, ghosts: true,
    series: [{ column: 'steered', label: '', color: 'driver', bold: true }],
    ofAgents: { name: 'Turning, left +', unit: '°/s', digits: 0, fixed: undefined, ticks: undefined, ghosts: false, series: [{ column: 'turning', color: 'driver', bold: true }] },
    withoutWheels: { name: 'Steering', unit: '%', digits: 0, fixed: [-1, 1], ticks: [] },
    ofPlans: { name: 'Curvature, left +', unit: '1/m', digits: 3, series: [{ column: 'curvature', color: 'driver', bold: true }] } },
  { name: 'Pedals', unit: '%', digits: 0, fixed: [-1, 1], ticks: [],
    ofPlans: { name: 'Longitudinal', unit: 'm/s²', digits: 1, even: true, fixed: undefined, ticks: undefined, series: [{ column: 'along', color: 'driver', bold: true }] },
    series: [{ column: 'throttle', label: 'throttle', color: 'good', area: true },
      { column: 'brake', label: 'brake', color: 'error', area: true, fold: true }] },
];

function element(name, properties = {}, children = []) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties))
    if (key === 'style') for (const [property, setting] of Object.entries(value)) node.style.setProperty(property, setting);
    else if (key in node) node[key] = value;
    else node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/// Round numbers between `least` and `most`, about `count` of them.
function ticksBetween(least, most, count) {
  const span = most - least;
  if (!(span > 0)) return [least];
  const rough = span / count;
  const step = [1, 2, 5, 10].map((digit) => digit * 10 ** Math.floor(Math.log10(rough))).find((size) => size >= rough);
  const ticks = [];
  for (let i = Math.ceil(least / step - 1e-9); i * step <= most + step * 1e-9; i++) ticks.push(i * step);
  return ticks;
}

const tickText = (value) => String(+value.toPrecision(6)).replace('-', '−');

class Charts {
  /// `seek(time)` is called when the user points at a place of a chart.
  constructor(parent, seek) {
    this.seek = seek;
    this.axis = 'time';
    this.trial = null;
    this.plots = CHARTS.map((chart, i) => this.build(parent, chart, i === CHARTS.length - 1));
  }

  build(parent, chart, isLast) {
    const canvas = element('canvas', { role: 'img' });
    const cursor = element('div', { className: 'cursor' });
    const holder = element('div', { className: isLast ? 'plot axis' : 'plot' }, [canvas, cursor]);
    const keys = chart.series.filter((series) => series.label).map((series) =>
      element('span', { className: 'key', textContent: series.label, ...(series.lapsLabel && { 'data-laps': series.lapsLabel }), ...(series.drivenLabel && { 'data-driven': series.drivenLabel }),
        style: { '--key': series.color === 'driver' ? 'var(--driver)' : `var(--${series.color})` } }));
    const value = element('span', { className: 'value' });
    const title = element('b', { textContent: chart.name });
    const caption = element('figcaption', {}, [title, ...keys, value]);
    parent.append(element('figure', { className: 'chart' }, [caption, holder]));
    this.listen(holder);
    return { chart, standard: chart, title, canvas, cursor, holder, value, isLast };
  }

  listen(holder) {
    const point = (event) => this.seek(this.timeAt(event.clientX - holder.getBoundingClientRect().left));
    holder.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      holder.setPointerCapture(event.pointerId);
      point(event);
    });
    holder.addEventListener('pointermove', (event) => holder.hasPointerCapture(event.pointerId) && point(event));
  }

  // -------------------------------------------------------------- the horizontal axis

  get span() {
    const trial = this.trial;
    if (this.axis === 'time') return [trial.start, Math.max(trial.end, trial.start + 1e-3)];
    const reached = trial.columns.reached;
    return [reached[0], Math.max(reached[reached.length - 1], reached[0] + 1e-3)];
  }

  get inner() {
    return Math.max(this.plots[0].holder.clientWidth - PLOT.left - PLOT.right, 1);
  }

  xOf(value) {
    const [from, to] = this.span;
    return PLOT.left + ((value - from) / (to - from)) * this.inner;
  }

  timeAt(x) {
    const [from, to] = this.span;
    const value = from + clamp((x - PLOT.left) / this.inner, 0, 1) * (to - from);
    return this.axis === 'time' ? value : this.trial.timeAt(lastAtMost(this.trial.columns.reached, value));
  }

  // -------------------------------------------------------------- drawing

  show(trial, options, palette) {
    this.trial = trial;
    for (const plot of this.plots) {
      this.name(plot);
      this.draw(plot, options, palette);
    }
  }

  /// What hovers or runs on tracks has no wheels to steer.
  name(plot) {
    const { standard } = plot;
    const { hasWheels, course, isDriven } = this.trial;
    const ofPlans = isDriven ? standard.ofDriven : standard.ofPlans;
    plot.chart = { ...standard, ...(hasWheels ? {} : standard.withoutWheels), ...(course.laps ? standard.ofLaps : {}), ...(course.agents ? standard.ofAgents : {}), ...(course.isRace ? standard.ofRaces : {}), ...(course.isLane ? standard.ofLanes : {}), ...(course.plan ? ofPlans : {}) };
    plot.title.textContent = plot.chart.name;
  }

  draw(plot, options, palette) {
    const context = this.prepare(plot.canvas);
    const others = options.ghosts && plot.chart.ghosts ? this.others(plot.chart) : [];
    const range = this.rangeOf(plot.chart, others);
    const yOf = (value) => PLOT.top + (1 - (value - range[0]) / (range[1] - range[0])) * (PLOT.height - 2 * PLOT.top);
    this.drawGrid(context, plot, range, yOf, palette);
    context.save();
    context.beginPath();
    context.rect(PLOT.left, 0, this.inner, PLOT.height);
    context.clip();
    for (const other of others) this.drawGhost(context, other, plot.chart, yOf, palette);
    for (const series of [...plot.chart.series].reverse()) this.drawSeries(context, series, yOf, palette);
    context.restore();
    plot.canvas.setAttribute('aria-label', `${plot.chart.name} over ${this.axis}, ${tickText(range[0])} to ${tickText(range[1])} ${plot.chart.unit}`);
  }

  /// The course's other trials, of those that the chart shows in the same unit.
  others(chart) {
    const same = (other) => !chart.withoutWheels || other.hasWheels === this.trial.hasWheels;
    return this.trial.course.trials.filter((other) => other !== this.trial && same(other));
  }

  prepare(canvas) {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.lineJoin = 'round';
    return context;
  }

  rangeOf(chart, others) {
    if (chart.fixed) return chart.fixed;
    let least = chart.least ?? Infinity;
    let most = -Infinity;
    const include = (column) => {
      for (const value of column) {
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    };
    for (const series of chart.series) include(this.trial.columns[series.column]);
    for (const other of others) include(other.columns[chart.series[0].column]);
    if (!chart.even) return [least, Math.max(most, least + (chart.span ?? 1)) * 1.05];
    const reach = Math.max(-least, most, 0.05) * 1.08;
    return [-reach, reach];
  }

  drawGrid(context, plot, range, yOf, palette) {
    const { chart, isLast } = plot;
    context.font = '11px system-ui, sans-serif';
    context.fillStyle = palette.faint;
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    const ticks = chart.ticks ?? this.valueTicks(chart, range);
    for (const tick of ticks) context.fillText(tickText(tick), PLOT.left - 8, yOf(tick));
    for (const tick of ticks.length ? ticks : [0]) this.line(context, PLOT.left, yOf(tick), PLOT.left + this.inner, yOf(tick));
    this.drawAxis(context, isLast, palette);
  }

  /// Zero and one round number to each side say all at this size.
  valueTicks(chart, range) {
    const ticks = ticksBetween(0, range[1], 2);
    const most = ticks[ticks.length - 1];
    return chart.even ? [-most, 0, most] : ticks;
  }

  drawAxis(context, isLast, palette) {
    const unit = this.axis === 'time' ? 's' : 'm';
    const [from, to] = this.span;
    const ticks = ticksBetween(from, to, Math.max(this.inner / 80, 2));
    context.textAlign = 'center';
    context.textBaseline = 'top';
    for (const tick of ticks) {
      const x = Math.round(this.xOf(tick)) + 0.5;
      context.strokeStyle = palette.grid;
      context.beginPath();
      context.moveTo(x, PLOT.top);
      context.lineTo(x, PLOT.height - PLOT.top);
      context.stroke();
      if (isLast) this.axisText(context, `${tickText(tick)} ${unit}`, x);
    }
  }

  /// Centred below its tick, but never cut off at the right.
  axisText(context, text, x) {
    const most = PLOT.left + this.inner + PLOT.right - context.measureText(text).width / 2;
    context.fillText(text, Math.min(x, most), PLOT.height + 4);
  }

  line(context, x0, y0, x1, y1) {
    context.beginPath();
    context.moveTo(x0, Math.round(y0) + 0.5);
    context.lineTo(x1, Math.round(y1) + 0.5);
    context.stroke();
  }

  trace(context, trial, column, yOf) {
    const horizontal = this.axis === 'time' ? (i) => trial.timeAt(i) : (i) => trial.columns.reached[i];
    const values = trial.columns[column];
    for (let i = 0; i < trial.count; i++) context.lineTo(this.xOf(horizontal(i)), yOf(values[i]));
  }

  drawSeries(context, series, yOf, palette) {
    const color = series.color === 'driver' ? driverColor(palette, this.trial) : palette[series.color];
    const place = series.fold ? (value) => yOf(-value) : yOf;
    context.beginPath();
    if (series.area) context.moveTo(this.xOf(this.span[0]), yOf(0));
    this.trace(context, this.trial, series.column, place);
    if (series.area) {
      context.lineTo(this.xOf(this.span[1]), yOf(0));
      context.fillStyle = color;
      context.globalAlpha = 0.75;
      context.fill();
      context.globalAlpha = 1;
      return;
    }
    context.strokeStyle = color;
    context.lineWidth = series.bold ? 1.5 : 1.25;
    context.stroke();
  }

  drawGhost(context, other, chart, yOf, palette) {
    context.beginPath();
    this.trace(context, other, chart.series[0].column, yOf);
    context.strokeStyle = driverColor(palette, other);
    context.globalAlpha = 0.45;
    context.lineWidth = 1;
    context.stroke();
    context.globalAlpha = 1;
  }

  // -------------------------------------------------------------- the cursor

  moveTo(time) {
    const x = this.xOf(this.axis === 'time' ? Math.max(time, this.trial.start) : this.trial.value('reached', time));
    for (const plot of this.plots) {
      plot.cursor.style.transform = `translateX(${x.toFixed(2)}px)`;
      plot.value.textContent = this.valueText(plot.chart, time);
    }
  }

  valueText(chart, time) {
    const scale = chart.unit === '%' ? 100 : 1;
    const text = (series) => fixed(this.trial.value(series.column, time) * scale, chart.digits);
    return `${chart.series.map(text).join(' / ')} ${chart.unit}`;
  }
}
