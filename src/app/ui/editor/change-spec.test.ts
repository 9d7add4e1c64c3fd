import { expect, test } from 'vitest';
import type { Ui } from '../shell/ui.svelte.ts';
import { changeFile, writeChange } from './change-spec.ts';

const saved = `TOOL_SPECS = [{"name": "m:f", "description": "Old.", "handler": f}]\r\n`;
const tool = { name: 'm:f', source: { file: 'm.py', line: 1, column: null } };
const change = { description: 'New.' };

/** @param savesTo where the folder saves @param text of the editor */
function setup(savesTo: 'folder' | 'copy' = 'folder', text = saved) {
  const saves: string[] = [];
  const shown: string[] = [];
  let undo = (): void => undefined;
  const keep = (at: string) => (): Promise<boolean> => {
    saves.push(`${at}: ${file.text}`);
    return Promise.resolve(true);
  };
  const file = {
    path: 'm.py',
    savesTo,
    trouble: null,
    text,
    isUnsaved: text !== saved,
    replace: (next: string) => {
      file.text = next;
    },
    save: keep('folder'),
    saveToCopy: keep('copy'),
  };
  const went: unknown[] = [];
  const ui = {
    framed: false,
    app: { folder: { source: () => saved }, status: { get: () => ({ folderKey: 'first' }) } },
    late: {
      files: { open: () => Promise.resolve(null), file: () => file },
      notices: {
        show: (words: string, button?: { choose: () => void }) => {
          shown.push(words);
          undo = button?.choose ?? undo;
        },
      },
    },
    route: {
      place: { at: 'tool', name: 'm:f' },
      to: (place: unknown) => place,
      toFile: (path: string) => path,
      go: (to: unknown) => went.push(to),
    },
  } as unknown as Ui;
  return { ui, file, saves, shown, went, undo: () => undo() };
}

const written = saved.replace('Old.', 'New.');

test('the change is shown before it is written, saved with the line breaks of the file, and undone', async () => {
  const { ui, saves, shown, undo } = setup();
  const plain = (text: string): string => text.replaceAll('\r\n', '\n');
  expect(changeFile(ui, tool, change)).toEqual({ before: plain(saved), after: plain(written) });
  await writeChange(ui, tool, change);
  expect([saves, shown]).toEqual([[`folder: ${written}`], ['description of m:f: saved in m.py.']]);
  undo();
  expect(saves[1]).toBe(`folder: ${saved}`);
});

test('a read-only folder is copied, and the same page is shown in the copy', async () => {
  const { ui, saves, went } = setup('copy');
  await writeChange(ui, tool, change);
  expect([saves, went]).toEqual([[`copy: ${written}`], [{ at: 'tool', name: 'm:f' }]]);
});

test('unsaved text is changed in the editor, and not saved', async () => {
  const { ui, file, saves, shown } = setup('folder', `# Mine\r\n${saved}`);
  await writeChange(ui, tool, change);
  expect([file.text, saves]).toEqual([`# Mine\r\n${written}`, []]);
  expect(shown).toEqual(['description of m:f: changed in the editor, not saved yet.']);
});

test('a spec that has gone from the editor is not changed', async () => {
  const { ui, file, shown } = setup('folder', 'TOOL_SPECS = []');
  await writeChange(ui, tool, change);
  expect(file.text).toBe('TOOL_SPECS = []');
  expect(shown).toEqual(['m.py has changed, so the change no longer applies.']);
});
