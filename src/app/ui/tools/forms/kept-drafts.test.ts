import { expect, test } from 'vitest';
import type { Memory } from '../../shell/preferences.svelte.ts';
import { Drafts, type ArgumentHistory, type Draft } from './draft.svelte.ts';
import { KeptDrafts } from './kept-drafts.ts';

function memory(): Memory & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  };
}

/** Drafts of a folder whose id becomes known only later, over a storage that has those of an earlier visit. */
function withFolderKnownLater(earlier: ArgumentHistory = () => []) {
  const stored = memory();
  let folder: string | null = null;
  return {
    /** The drafts that are stored for the folder. */
    kept: new KeptDrafts(stored, () => 'one'),
    drafts: new Drafts(earlier, new KeptDrafts(stored, () => folder)),
    showFolder: () => void (folder = 'one'),
  };
}

test('a draft that was not run survives until the next visit, in its folder', () => {
  const stored = memory();
  const drafts = (folder: string | null): Drafts =>
    new Drafts(() => ['{"n": 1}'], new KeptDrafts(stored, () => folder));
  const first = drafts('one');
  first.of('t', '{}').write('{"n": 3.0');
  expect(first.unsaved).toEqual([]);
  expect(drafts('one').of('t', '{}').text).toBe('{"n": 3.0');
  expect(drafts('two').of('t', '{}').text).toBe('{"n": 1}');
  // Nothing is stored while the folder is unknown, so the draft counts as unsaved.
  const unknown = drafts(null);
  unknown.of('t', '{}').write('{"n": 4}');
  expect(unknown.unsaved).toEqual(['t']);
});

test('a draft started before the folder was known is replaced by the earlier one, or stored if it was edited', () => {
  const { kept, drafts, showFolder } = withFolderKnownLater();
  kept.keep('untouched', '{"n": 1}', '{}');
  kept.keep('written', '{"n": 2}', '{}');
  const begun = drafts.of('untouched', '{}');
  drafts.of('written', '{}').write('{"n": 3}');
  expect([begun.text, drafts.of('untouched', '{}')]).toEqual(['{}', begun]);
  showFolder();
  expect(drafts.of('untouched', '{}').text).toBe('{"n": 1}');
  expect(drafts.of('written', '{}').text).toBe('{"n": 3}');
  expect(drafts.unsaved).toEqual([]);
  const next = new Drafts(() => [], kept);
  expect(next.of('written', '{}').text).toBe('{"n": 3}');
});

test.each([
  ['is asked for again', (drafts: Drafts) => void drafts.of('t', '{}')],
  ['is written again', (_: Drafts, draft: Draft) => draft.write('{"n": 4}')],
])(
  'a draft that is stored once the folder is known keeps the one of the earlier visit, when it %s',
  async (_, then) => {
    const { kept, drafts, showFolder } = withFolderKnownLater();
    kept.keep('t', '{"n": 2}', '{}');
    const draft = drafts.of('t', '{}');
    draft.write('{"n": 3}');
    showFolder();
    then(drafts, draft);
    const written = draft.text;
    await Promise.resolve();
    expect([drafts.of('t', '{}'), drafts.unsaved]).toEqual([draft, []]);
    expect([kept.read('t'), draft.replaced]).toEqual([written, '{"n": 2}']);
    draft.bringBack();
    expect([draft.text, draft.replaced]).toEqual(['{"n": 2}', written]);
    expect(kept.read('t')).toBe('{"n": 2}');
  },
);

test('a draft of an earlier visit that is the same, or was run since, is not offered', async () => {
  const { kept, drafts, showFolder } = withFolderKnownLater((tool) =>
    tool === 'run' ? ['{"n": 2}'] : [],
  );
  for (const tool of ['same', 'run']) kept.keep(tool, '{"n": 2}', '{}');
  const same = drafts.of('same', '{}');
  const run = drafts.of('run', '{}');
  same.write('{"n": 2} ');
  run.write('{"n": 3}');
  showFolder();
  for (const tool of ['same', 'run']) drafts.of(tool, '{}');
  await Promise.resolve();
  expect([same.replaced, run.replaced]).toEqual([null, null]);
});

test('the template is not stored, nor a text beyond the limit, and drafts beyond the number are emptied', () => {
  const stored = memory();
  const kept = new KeptDrafts(stored, () => 'f');
  kept.keep('t', '{"a": 1}', '{}');
  kept.keep('t', '{}', '{}');
  expect(kept.read('t')).toBeNull();
  expect(kept.keep('t', 'x'.repeat(200_001), '{}')).toBe(false);
  for (let n = 0; n < 60; n += 1) kept.keep(`t${String(n)}`, '{"a": 1}', '{}');
  expect([kept.read('t0'), kept.read('t59')]).toEqual([null, '{"a": 1}']);
  expect([...stored.kept.values()].filter((text) => text === '{"a": 1}')).toHaveLength(50);
});

test('a full, blocked, missing or corrupt storage only loses drafts', () => {
  const full: Memory = {
    getItem: () => 'no json',
    setItem: () => {
      throw new Error('full');
    },
  };
  for (const storage of [full, null]) {
    const kept = new KeptDrafts(storage, () => 'f');
    expect(kept.keep('t', '{"a": 1}', '{}')).toBe(false);
  }
});
