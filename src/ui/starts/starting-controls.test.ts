/**
 * Finds every component that starts tools or asks a model. Its controls must be guarded, or be listed here with a
 * reason.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ui = new URL('../', import.meta.url);
const playground = new URL('../../playground/', import.meta.url);

/** Calls that start tools, ask a model, or open what comes from outside. */
const starts =
  /\b(?:conversation|plans|evals|runs|shown|side)\.(?:step\(|resume\(|send\(|propose\(|revise\(|start\((?!\))|again\(|interrupt\()|\bbackground\.start\(|\bonagain\b|\.playOn\(|\.playListed\(|\bstart: begin\b|\.offerFromFolder\(|\bsaved(?:Tests)?\.run\(|\bexplorer\.send\(|\bmodels\.test\(|\bplayer\.play\(|\bplay\.run\(|\.openZipped\(/;
const guards = /<GuardedButton|new AllowGuard/;

/** Components that start something without a guard, each with the reason why it needs none. */
const typed = 'sends what the user has typed';
const unguarded: Readonly<Record<string, string>> = {
  'home/FileInputs.svelte': 'the user has chosen the file',
  'playground/PlaygroundEditor.svelte': 'a key that the user presses in the source',
  'plans/RunTasks.svelte': 'TaskItem has the button',
  'sessions/composer/BackgroundMenu.svelte': typed,
  'sessions/composer/Composer.svelte': typed,
  'sessions/composer/QueueWaits.svelte': 'what is queued is sent in any event, only later',
  'sessions/side/SideComposer.svelte': typed,
  'shell/LiveExample.svelte': 'the example of Cloche itself',
  'tools/forms/ToolArguments.svelte': 'RunButtons has the button',
  'tools/page/ToolPage.svelte': 'a command that the user chooses by its name',
  'tools/tests/SaveTest.svelte': 'runs the test that the user has just written',
  'tools/tests/UpdateTest.svelte': 'runs the test that the user has just changed',
};

const files = [
  ...components(ui).map((path) => [path, new URL(path, ui)] as const),
  ...components(playground).map(
    (path) => [`playground/${path}`, new URL(path, playground)] as const,
  ),
];

function components(folder: URL): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.svelte'),
  );
}

test('each control that starts tools or asks a model is guarded, or known not to need it', () => {
  const starting = files.filter(([, url]) => starts.test(readFileSync(url, 'utf8')));
  // Control: the pattern finds a call that starts something.
  expect(starting.map(([path]) => path)).toEqual(
    expect.arrayContaining(['plans/RunActions.svelte', 'starts/StartDialog.svelte']),
  );
  const found = starting.filter(([, url]) => !guards.test(readFileSync(url, 'utf8')));
  expect(found.map(([path]) => path).sort()).toEqual(Object.keys(unguarded).sort());
});
