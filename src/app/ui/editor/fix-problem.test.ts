import { expect, test } from 'vitest';
import type { Problem } from '../../../runtime/spec/folder.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import { applyFixOf } from './fix-problem.ts';

const saved = `def f():
    """Adds."""
    return 1

def g():
    """Removes."""
    return 1

TOOL_SPECS = [
    {"name": "t:f", "description": "", "parameters": {"type": "object"}, "handler": f},
    {"name": "t:g", "description": "Good.", "parameters": {"type": "object"}, "handler": g},
]
`;
const problem: Problem = {
  severity: 'error',
  code: 'bad-description',
  file: 't.py',
  line: 10,
  column: 5,
  message: 'the description is empty',
  expected: '',
  hint: '',
};

/** Applies the fix to a text in the editor, whose last saved text is `saved`. */
async function applied(text: string, savesTo: 'folder' | 'copy' = 'folder') {
  const file = {
    text,
    savesTo,
    trouble: null,
    saves: [] as string[],
    get isUnsaved() {
      return file.text !== (file.saves.at(-1) ?? saved);
    },
    path: 't.py',
    replace: (next: string) => {
      file.text = next;
    },
    save: () => {
      file.saves.push(file.text);
      return Promise.resolve();
    },
  };
  const shown: string[] = [];
  let undo = (): void => undefined;
  await applyFixOf(
    {
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
      route: { place: { at: 'file', path: 't.py' } },
    } as unknown as Ui,
    problem,
  );
  return { file, shown, undo };
}

async function fixed(text: string): Promise<string> {
  return (await applied(text)).file.text;
}

test('a fix is saved and can be undone, and a message says so', async () => {
  const { file, shown, undo } = await applied(saved);
  const after = saved.replace('"description": ""', '"description": "Adds."');
  expect([file.saves, shown]).toEqual([
    [after],
    [expect.stringMatching(/: saved in t\.py\.$/) as string],
  ]);
  undo();
  expect(file.saves).toEqual([after, saved]);
});

test.each([
  ['with other unsaved changes', `${saved}# more`, 'folder'],
  ['in a read-only folder', saved, 'copy'],
] as const)(
  'a fix of a file %s stays in the editor, and a message says so',
  async (_, text, to) => {
    const { file, shown } = await applied(text, to);
    expect(file.text).toContain('"description": "Adds."');
    expect([file.saves, shown]).toEqual([
      [],
      [expect.stringMatching(/changed in the editor, not saved yet\.$/) as string],
    ]);
  },
);

test('a fix changes the spec that has the problem, and no other one that took its line', async () => {
  expect(await fixed(saved)).toBe(saved.replace('"description": ""', '"description": "Adds."'));
  expect(await fixed(saved.replaceAll('\n', '\r\n'))).toContain('"description": "Adds."');
  expect(await fixed(`${saved}# more`)).toContain('"description": "Adds."');
  const shifted = saved.replace('    return 1\n\ndef g', '\ndef g');
  const { file, shown } = await applied(shifted);
  expect([file.text, shown]).toEqual([
    shifted,
    ['t.py has unsaved changes, so the fix does not apply to it. Save it first.'],
  ]);
});
