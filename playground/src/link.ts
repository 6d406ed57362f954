// The address of a scene: which, its seed and choices, settings that differ from the table's, whom to follow.
export interface Link { scene: string; seed: number; choices: Record<string, string>; settings: Record<string, number>; follow: number; camera: string }

export function readLink(hash = location.hash): Link {
  const link: Link = { scene: '', seed: 1, choices: {}, settings: {}, follow: -2, camera: '' };
  for (const part of hash.replace(/^#/, '').split('&')) {
    const at = part.indexOf('=');
    if (at < 0) continue;
    const name = decodeURIComponent(part.slice(0, at)), value = decodeURIComponent(part.slice(at + 1));
    if (name === 'scene') link.scene = value;
    else if (name === 'seed') link.seed = whole(value, 1);
    else if (name === 'follow') link.follow = whole(value, -1);
    else if (name === 'camera') link.camera = value;
    else if (name.startsWith('c.')) link.choices[name.slice(2)] = value;
    else if (name.startsWith('s.') && Number.isFinite(Number(value))) link.settings[name.slice(2)] = Number(value);
  }
  return link;
}

export function writeLink(link: Link): string {
  const parts = [`scene=${encodeURIComponent(link.scene).replaceAll('%2F', '/')}`];
  if (link.seed !== 1) parts.push(`seed=${link.seed}`);
  for (const [name, value] of Object.entries(link.choices)) parts.push(`c.${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  for (const [name, value] of Object.entries(link.settings)) parts.push(`s.${encodeURIComponent(name)}=${Number(value.toPrecision(6))}`);
  if (link.follow >= 0) parts.push(`follow=${link.follow}`);
  if (link.camera && link.camera !== 'glide') parts.push(`camera=${link.camera}`);
  return `#${parts.join('&')}`;
}

function whole(text: string, other: number): number {
  const value = Math.trunc(Number(text));
  return Number.isFinite(value) ? value : other;
}
