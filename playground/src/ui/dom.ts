// Small makers of elements: the page is built by code, so that every control gets its label.
export type Child = Node | string;

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const ICONS = {
  menu: '<path d="M4 6h16M4 12h16M4 18h10"/>',
  sliders: '<path d="M4 7h9M19 7h1M4 17h3M13 17h7"/><circle cx="16" cy="7" r="2.5"/><circle cx="10" cy="17" r="2.5"/>',
  help: '<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .9-1 1.7M12 16.8v.2"/>',
  sun: '<circle cx="12" cy="12" r="4"/><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4"/>',
  share: '<path d="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.700l-1.2 1.200M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.700l1.2-1.2"/>',
  play: '<path class="full" d="M7 5v14l12-7z"/>',
  pause: '<path d="M8 5v14M16 5v14" stroke-width="4"/>',
  step: '<path class="full" d="M5 5v14l9-7z"/><path d="M18 5v14"/>',
  restart: '<path d="M4 12a8 8 0 1 0 2.6-5.9"/><path d="M4 4v5h5"/>',
  previous: '<path d="M14 6l-6 6 6 6"/>',
  next: '<path d="M10 6l6 6-6 6"/>',
  slow: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l-3.5 2"/>',
  camera: '<path d="M3 8h4l2-3h6l2 3h4v11H3z"/><circle cx="12" cy="13" r="3.5"/>',
  wheel: '<circle cx="12" cy="12" r="9"/><circle cx="12" cy="12" r="2.5"/><path d="M3.5 10.5 9.5 12M20.5 10.5 14.5 12M12 14.500V21"/>',
  record: '<circle cx="12" cy="12" r="9"/><circle class="full" cx="12" cy="12" r="4"/>',
  close: '<path d="M6 6l12 12M18 6 6 18"/>',
  fold: '<path d="M6 15l6-6 6 6"/>',
  ghost: '<path d="M6 20V11a6 6 0 0 1 12 0v9l-3-2-3 2-3-2z"/><path d="M10 11v.1M14 11v.1"/>',
} as const;
export type IconName = keyof typeof ICONS;

export const icon = (name: IconName): string => `<svg viewBox="0 0 24 24" aria-hidden="true">${ICONS[name]}</svg>`;

/// A button with a picture. `label` is what it is called and its tip; `key` the key that does it, too.
export function iconButton(name: IconName, label: string, act: () => void, key = ''): HTMLButtonElement {
  const button = make('button', { type: 'button', 'aria-label': label, title: key ? `${label} (${key})` : label });
  if (key) button.setAttribute('aria-keyshortcuts', key);
  button.innerHTML = icon(name);
  button.addEventListener('click', act);
  return button;
}

export function textButton(text: string, act: () => void, main = false): HTMLButtonElement {
  const button = make('button', { type: 'button', class: main ? 'main' : '' }, text);
  button.addEventListener('click', act);
  return button;
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
