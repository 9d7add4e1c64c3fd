/** The page's commands that have no key, named as elsewhere on the page. Loaded after the first paint. */

import { isNewSession, newSession } from './address.ts';
import type { Command, CommandGroup } from './commands.svelte.ts';
import { mainPages } from './main-pages.ts';
import { folderPages, type FolderPage } from '../home/folder-pages.ts';
import { exportFolder } from '../editor/folder-actions.ts';
import { filesWithoutSpecs, specOffer } from '../editor/offered-files.ts';
import { offerWords } from '../editor/spec-offer.ts';
import type { SectionHead } from '../sections/section-head.ts';
import { policySections } from '../policy/policy-sections.ts';
import { sharePanels } from '../tools/share/share-panels.ts';
import { settingSections } from '../settings/setting-sections.ts';
import { themes, type Theme } from './preferences.svelte.ts';
import type { Ui } from './ui.svelte.ts';

const themeWords: Record<Theme, string> = {
  system: 'Theme: system',
  light: 'Theme: light',
  dark: 'Theme: dark',
};

/** Related words by which the palette finds the main pages. */
const pageWords: Readonly<Record<string, string>> = {
  Tools: 'home start functions',
  Sessions: 'chat model conversation',
  Plans: 'runner tasks agents',
  Evaluations: 'evals measure compare',
  Servers: 'mcp connect remote tools',
  API: 'http openapi requests curl',
};

/** Whether commands that need no folder can be chosen. */
const always = true;

/** The commands as they are now. */
export function pageCommands(ui: Ui): readonly Command[] {
  const open = ui.opener.status.phase !== 'none';
  const ready = ui.opener.status.phase === 'ready';
  return [
    ...inGroup('Go to', [
      ...mainPages.map(({ words, place }) => ({
        ...command(words, always, () => ui.route.go(ui.route.to(place))),
        also: pageWords[words] ?? '',
      })),
      ...folderPages.map((page) => folderPageCommand(page, open, ui)),
      command('Show problems', open, () => ui.route.go(ui.route.withPanel('problems'))),
      command('Show runs', open, () => ui.route.go(ui.route.withPanel('runs'))),
      command('Show tests', open, () => ui.route.go(ui.route.withPanel('tests'))),
      {
        ...command('Open console', open, () => ui.route.go(ui.route.withPanel('console'))),
        also: 'programs run python code',
      },
      command('Show Python', open, () => ui.route.go(ui.route.withPanel('python'))),
      {
        ...command('Help', always, () =>
          ui.route.go(ui.route.to({ at: 'help', page: '', section: '' })),
        ),
        also: 'docs documentation manual guide',
      },
    ]),
    ...inGroup('Create', [
      command('New session', !isNewSession(ui.route.place), () =>
        ui.route.go(ui.route.toSession(newSession)),
      ),
      command('New plan', open, () =>
        ui.route.go(ui.route.to({ at: 'plan', id: 'new', session: '' })),
      ),
      {
        ...command('New file', ready && !ui.framed, () => ui.dialogs.show({ at: 'new-file' })),
        also: 'paste write function code tool',
      },
      command('New folder', !ui.framed, () => ui.dialogs.show({ at: 'new-folder' })),
      {
        ...command('Import OpenAPI or MCP tools', !ui.framed, () =>
          ui.dialogs.show({ at: 'import', file: null }),
        ),
        also: 'swagger yaml json api specification stubs',
      },
      ...specCommands(ui),
    ]),
    ...inGroup('Open', [
      command('Open folder', ui.opener.canPick, () => void ui.opener.openPicked()),
      command('Upload folder', always, () => ui.opener.chooseUpload()),
      command('Open zip', always, () => ui.opener.chooseZip()),
      command('Open address', always, () => ui.dialogs.show({ at: 'open-url' })),
      command('Open samples', always, () => void ui.opener.openSamples()),
      command(
        'Open eight examples of other frameworks',
        always,
        () => void ui.opener.openFrameworkSamples(),
      ),
    ]),
    ...inGroup('Folder', [
      {
        ...command('Run all tests', open && ui.late.savedTests.view.tests.length > 0, () => {
          ui.late.savedTests.run();
          ui.route.go(ui.route.withPanel('tests'));
        }),
        also: 'check verify',
      },
      {
        ...command('Export folder as zip', ready, () => void exportFolder(ui)),
        also: 'share download save',
      },
      ...shareCommands(ui),
      command('Refresh folder', open && !ui.opener.isOpening, () => void ui.opener.refresh()),
      command('Close folder', open, () => ui.opener.close()),
    ]),
    ...inGroup('Settings', [
      command('Settings', always, () => ui.route.go(ui.route.to({ at: 'settings' }))),
      ...themes.map((theme) =>
        command(
          themeWords[theme],
          ui.preferences.theme !== theme,
          () => (ui.preferences.theme = theme),
        ),
      ),
      ...sections('settings', 'Settings', settingSections, always, ui),
      ...sections('policy', 'Policy', policySections, open, ui),
    ]),
  ];
}

/** Returns the command for a page of the folder, which can also be written in a message if it has a name there. */
function folderPageCommand(
  { words, place, slash, ...found }: FolderPage,
  open: boolean,
  ui: Ui,
): Command {
  const show = (): void => ui.route.go(ui.route.to(place));
  const run = (): Promise<void> => {
    show();
    return Promise.resolve();
  };
  return {
    ...command(words, open, show),
    ...found,
    ...(slash !== undefined && { slash: { name: slash, immediate: true, complete: null, run } }),
  };
}

/** Returns the commands that share the shown tool, or the whole folder. */
function shareCommands(ui: Ui): readonly Command[] {
  if (ui.opener.status.phase !== 'ready') return [];
  const name = ui.toolHere?.name ?? null;
  return sharePanels(name).map(({ panel, words, also }) => ({
    ...command(`Share: ${words}`, always, () => ui.dialogs.show({ at: 'share', name, panel })),
    detail: name ?? ui.opener.status.folder ?? '',
    also: `share ${also}`,
  }));
}

/** Returns the commands that write specs: for the shown file, and for the whole folder. */
function specCommands(ui: Ui): readonly Command[] {
  if (ui.opener.status.phase !== 'ready') return [];
  const { place } = ui.route;
  const here = place.at === 'file' ? place.path : ui.toolHere?.source.file;
  const offer = here === undefined ? null : specOffer(ui, here);
  const paths = filesWithoutSpecs(ui);
  const propose = (files: readonly string[]): void =>
    ui.dialogs.show({ at: 'specs', paths: files });
  return [
    ...(here === undefined || offer === null
      ? []
      : [{ ...command(offerWords[offer], always, () => propose([here])), detail: here }]),
    {
      ...command('Make tools of functions', paths.length > 0, () => propose(paths)),
      detail: 'Writes specs into the files of this folder that have none',
    },
  ];
}

/** Returns one command for each section of a page; the search also finds their descriptions. */
function sections(
  at: 'settings' | 'policy',
  page: string,
  all: readonly SectionHead[],
  available: boolean,
  ui: Ui,
): readonly Command[] {
  return all.map(({ id, title, about }) => ({
    ...command(`${page}: ${title}`, available, () => ui.route.go(ui.route.to({ at, section: id }))),
    detail: about,
  }));
}

function command(words: string, available: boolean, choose: () => void): Command {
  return { words, available, choose };
}

function inGroup(group: CommandGroup, commands: readonly Command[]): readonly Command[] {
  return commands.map((each) => ({ group, ...each }));
}
