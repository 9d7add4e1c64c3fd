/** The page's commands that have a key. */

import type { Command, Shortcut } from './commands.svelte.ts';
import type { Ui } from './ui.svelte.ts';

const always = true;

/** The commands as they are now. */
export function keyCommands(ui: Ui): readonly Command[] {
  const run = ui.runHere;
  const search = document.getElementById('rail-search');
  const leave: Shortcut = { key: 'Escape', whileWriting: true };
  return [
    command(
      'Stop run',
      run !== undefined,
      () => {
        if (run !== undefined) ui.runs.stop(run);
      },
      { ...leave, stops: true },
    ),
    command(
      'Close drawer',
      ui.route.panel !== null,
      () => ui.route.go(ui.route.withPanel(null)),
      leave,
    ),
    command('Commands, tools and files', always, () => ui.show('palette'), {
      key: 'k',
      held: true,
      whileWriting: true,
      inOverlays: true,
    }),
    command('Search', search !== null, () => search?.focus(), { key: '/' }),
    command('Keyboard shortcuts', always, () => ui.show('keys'), { key: '?' }),
  ];
}

function command(
  words: string,
  available: boolean,
  choose: () => void,
  shortcut: Shortcut,
): Command {
  return { words, available, choose, shortcut };
}
