// Makes the pictures of the documents anew: `node docs/pictures/make.mjs build/kerb docs/pictures`.
// Each is made by the command that the document names beside it. Those of pages are taken in
// Chromium, with what the tests of pages need (npm install --prefix test/browser). Names after the
// folder make these alone.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { main, settle, takeScreenshot } from '../../test/browser/browser.mjs';

/// Pictures that the command draws.
const DRAWN = {
  arrivals: 'seek --variant dubins',
  arrivals_in_space: 'seek --variant 3d-true',
  corners: 'follow city-corners --follower all',
  formation: 'seek --scene formation --seed 4',
  plan: 'plan --from 0,0,0,20 --to 30,0,180,0 --vehicle pickup',
  'plan-airplane': 'plan --vehicle airplane --from 0,0,0,62 --to 3000,1000,180,62 --heights 0,400',
  'plan-hovercraft': 'plan --vehicle hovercraft --kind --from 0,0,0,0 --to 40,30,180,0',
  'plan-motorcycle': 'plan --vehicle motorcycle --from 0,0,0,10 --to 30,60,180,8',
  'plan-ship': 'plan --vehicle ship --from 0,0,0,5 --to 100,600,180,3',
  'plan-trailer': 'plan --vehicle trailer --from 12,6,180,0 --to 0,-5,90,0',
  race: 'race downs --cars 12 --laps 8 --skill 0.6,1 --grid reverse',
  vamos: 'line vamos',
};

/// Moments of pages: whom the page shows, when, and which buttons are pressed first.
const TAKEN = {
  lane_page: { command: 'lane country --scenario player', trial: 12, time: 20, press: ['follow'], size: [1200, 720] },
  lane_player: { command: 'lane country --scenario player --seed 2', trial: 1, time: 52, press: ['follow'], size: [1200, 760] },
  plan_driven: { command: 'plan --blocks 1 --seed 6 --reverse --margin 0.2 --drive', trial: 1, time: 9, press: [], size: [1500, 950] },
  plan_page: { command: 'plan --blocks 1 --seed 6 --reverse', trial: 1, time: 6, press: [], size: [1280, 760] },
  race_page: { command: 'race downs --cars 12 --laps 2 --skill 0.6,1 --grid reverse', trial: 5, time: 19.7, press: ['follow', 'heading-up'], size: [1200, 760] },
};

const run = (kerb, command, kind, file) =>
  execFileSync(kerb, [...command.split(' '), '--quiet', `--${kind}`, file], { stdio: ['ignore', 'inherit', 'inherit'] });

const is = (page, id) => page.getAttribute(`#${id}`, 'aria-pressed');

await main('KERB', async ({ browser, program, folder, screenshots }) => {
  const wanted = process.argv.slice(4);
  const isWanted = ([name]) => wanted.length === 0 || wanted.includes(name);
  for (const [name, command] of Object.entries(DRAWN).filter(isWanted))
    run(program, command, 'png', join(screenshots, `${name}.png`));
  for (const [name, taken] of Object.entries(TAKEN).filter(isWanted)) {
    const html = join(folder, `${name}.html`);
    run(program, taken.command, 'html', html);
    const address = `${pathToFileURL(html)}#trial=${taken.trial}&time=${taken.time}`;
    const [width, height] = taken.size;
    await takeScreenshot(browser, address, join(screenshots, `${name}.png`), { viewport: { width, height } }, async (page) => {
      for (const id of taken.press)
        if (await is(page, id) !== 'true') await page.click(`#${id}`);
      await settle(page);
    });
  }
  return [{ failed: 0, count: Object.entries({ ...DRAWN, ...TAKEN }).filter(isWanted).length }];
});
