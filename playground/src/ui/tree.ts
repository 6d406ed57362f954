// The scenes in a tree, with a search that takes any part of a title, group or sentence.
import type { Entry } from '../show';
import { make } from './dom';

export class Tree {
  readonly root = make('nav', { id: 'tree', class: 'card', 'aria-label': 'Scenes' });
  private readonly search = make('input', { type: 'search', placeholder: 'Search scenes (/)', 'aria-label': 'Search scenes', autocomplete: 'off', spellcheck: 'false' });
  private readonly list = make('div');
  private buttons: { button: HTMLButtonElement; entry: Entry; words: string; item: HTMLElement; branch: HTMLElement }[] = [];
  private readonly none = make('p', { class: 'none', hidden: '' }, 'No scene has these words.');

  constructor(private readonly choose: (entry: Entry) => void) {
    this.root.append(this.search, this.list, this.none);
    this.search.addEventListener('input', () => this.filter());
    this.root.addEventListener('keydown', (event) => this.key(event));
  }

  fill(entries: readonly Entry[]): void {
    this.list.replaceChildren();
    this.buttons = [];
    let branch: HTMLElement | undefined, items: HTMLElement | undefined, group = '';
    for (const entry of entries) {
      if (entry.group !== group || !branch || !items) {
        group = entry.group;
        items = make('ul');
        branch = make('section', { 'aria-label': group }, make('h2', {}, group), items);
        this.list.append(branch);
      }
      const button = make('button', { type: 'button', title: entry.look }, entry.title);
      button.addEventListener('click', () => this.choose(entry));
      const item = make('li', {}, button);
      items.append(item);
      this.buttons.push({ button, entry, item, branch, words: `${entry.id} ${group} ${entry.title} ${entry.look} ${entry.tryThis}`.toLowerCase() });
    }
  }

  mark(entry: Entry): void {
    for (const { button, entry: each } of this.buttons) {
      button.setAttribute('aria-current', String(each === entry));
      if (each === entry && !this.root.hidden) button.scrollIntoView({ block: 'nearest' });
    }
  }

  focusSearch(): void { this.search.focus(); this.search.select(); }

  private filter(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = new Set<HTMLElement>();
    for (const each of this.buttons) {
      const fits = words.every((word) => each.words.includes(word));
      each.item.hidden = !fits;
      if (fits) shown.add(each.branch);
    }
    for (const each of this.buttons) each.branch.hidden = !shown.has(each.branch);
    this.none.hidden = shown.size > 0;
  }

  private key(event: KeyboardEvent): void {
    const visible = this.buttons.filter((each) => !each.item.hidden).map((each) => each.button);
    const at = visible.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === 'ArrowDown') visible[Math.min(visible.length - 1, at + 1)]?.focus();
    else if (event.key === 'ArrowUp') (at <= 0 ? this.search : visible[at - 1])?.focus();
    else if (event.key === 'Enter' && document.activeElement === this.search) visible[0]?.click();
    else if (event.key === 'Escape') { this.search.value = ''; this.filter(); this.search.blur(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
