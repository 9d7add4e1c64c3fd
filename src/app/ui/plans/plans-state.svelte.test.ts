import { afterEach, expect, test, vi } from 'vitest';
import type { FolderRun } from '../../../agent/runner/recorded-run.ts';
import { FakePage } from '../../../agent/runner/plan-runs.fixture.ts';
import { PlansState } from './plans-state.svelte.ts';

/** Stands for the page that shows the recordings: unit tests run without effects of Svelte. */
const page = vi.hoisted(() => ({ updates: 0 }));

vi.mock(import('svelte/reactivity'), async (original) => ({
  ...(await original()),
  createSubscriber(start) {
    let hasBegun = false;
    return () => {
      if (hasBegun) return;
      hasBegun = true;
      start(() => (page.updates += 1));
    };
  },
}));

afterEach(() => vi.unstubAllGlobals());

test('recorded runs follow the folder while the page shows them', () => {
  vi.stubGlobal('window', { document: { addEventListener: () => undefined } });
  const inFolder: FolderRun[] = [];
  const add = (path: string): void => void inFolder.push({ path } as FolderRun);
  let hasRead: () => void = () => undefined;
  const control = {
    runs: new FakePage().runs,
    edits: {},
    recordings: () => [...inFolder],
    observeRecordings: (listener: () => void) => {
      hasRead = listener;
      return () => undefined;
    },
  };
  const plans = new PlansState(control as never, new Promise(() => undefined), null);
  const shown = (): string[] => plans.samples.map(({ path }) => path);
  add('runs/first.json');
  expect(shown()).toEqual(['runs/first.json']);
  // Saved in the folder: the status changes, and the page reads the list again.
  add('runs/second.json');
  expect(shown()).toEqual(['runs/first.json', 'runs/second.json']);
  inFolder.shift();
  expect(shown()).toEqual(['runs/second.json']);
  hasRead();
  expect(page.updates).toBe(1);
});
