// Types of cells.mjs.
export function rectanglesOf(cells: ArrayLike<number>, columns: number, rows: number): { x: number; y: number; columns: number; rows: number }[];
