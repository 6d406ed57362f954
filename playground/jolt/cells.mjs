/// The blocked cells of a map as few rectangles: runs along a row, joined with equal runs of the rows
/// above. [cells: not 0 is blocked] Rows of x, y, columns, rows in whole cells.
export function rectanglesOf(cells, columns, rows) {
  const done = [];
  let open = new Map();
  for (let j = 0; j < rows; j++) {
    const next = new Map();
    for (let i = 0; i < columns;) {
      if (cells[j * columns + i] === 0) { i++; continue; }
      const from = i;
      while (i < columns && cells[j * columns + i] !== 0) i++;
      const key = from * 65536 + i, before = open.get(key);
      if (before) before.rows++;
      const rectangle = before ?? { x: from, y: j, columns: i - from, rows: 1 };
      if (!before) done.push(rectangle);
      next.set(key, rectangle);
    }
    open = next;
  }
  return done;
}
