// Opens the page: loads the stage, shows the first scene, then whatever else there is.
import './style.css';
import { App } from './app';
import { joltEntries, meshEntry } from './jolt_entries';
import { StageModule } from './stage';
import { stageEntries } from './stage_show';
import stageAddress from '../native/stage.wasm?url';

async function open(): Promise<void> {
  const wait = document.getElementById('wait')!;
  try {
    const loading = StageModule.load(fetch(stageAddress));
    const app = new App(document.getElementById('app')!);
    (window as unknown as { kerbPlayground: App }).kerbPlayground = app;
    const module = await loading;
    // Scenes of one group stand together.
    const entries = stageEntries(module), last = entries.findLastIndex((entry) => entry.group === 'Planner');
    entries.splice(last + 1, 0, meshEntry(module));
    app.addEntries([...entries, ...joltEntries(module)]);
    await app.start();
    wait.hidden = true;
  } catch (error) {
    wait.textContent = `The playground could not begin: ${error instanceof Error ? error.message : String(error)}`;
    throw error;
  }
}

void open();
