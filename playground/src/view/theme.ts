// Colours of the view, light and dark. The page's own colours are in style.css under the same names.
export interface Theme {
  dark: boolean;
  skyTop: number;
  skyLow: number;
  ground: number;
  gridLine: number;
  road: number;
  mark: number;
  slick: number;
  block: number;
  solid: number;
  sun: number;
  sunPower: number;
  ambient: number;
  ambientPower: number;
}

export const LIGHT: Theme = {
  dark: false,
  skyTop: 0x6fb1e4, skyLow: 0xe4f0f4,
  ground: 0xb4c99a, gridLine: 0xa4bb8a,
  road: 0x6b7078, mark: 0xf3f1e7, slick: 0x9fc9dd,
  block: 0xd9cdb8, solid: 0xb78a62,
  sun: 0xfff3d8, sunPower: 2.4, ambient: 0xbcd3ea, ambientPower: 1.5,
};

export const DARK: Theme = {
  dark: true,
  skyTop: 0x0b1222, skyLow: 0x2b3a58,
  ground: 0x27352f, gridLine: 0x31423a,
  road: 0x3c434f, mark: 0xaab2bf, slick: 0x3b5a70,
  block: 0x48506b, solid: 0x77624f,
  sun: 0xc5d4ff, sunPower: 1.7, ambient: 0x6f82b5, ambientPower: 1.5,
};

/// Bright enough on both grounds, and apart from one another.
const BODIES = [0xe8572a, 0x2f7fd6, 0xf2b632, 0x36a36a, 0xc23b6b, 0x7a5fc9, 0xf4f1ea, 0x23a6a8, 0xd9534f, 0x8fb339, 0x5b6b8c, 0xf08a4b];

export function bodyColor(index: number): number {
  return BODIES[((index % BODIES.length) + BODIES.length) % BODIES.length]!;
}
