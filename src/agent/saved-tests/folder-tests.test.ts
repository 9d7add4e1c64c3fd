import { expect, test } from 'vitest';
import type { EditingControl } from '../../runtime/open-folder/folder-editing.ts';
import { writeTestFile } from './folder-tests.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** A file that another tab changes to each of these texts in turn. */
function contested(first: string, others: readonly string[]) {
  const left = [...others];
  const file = { text: first };
  const save: EditingControl['save'] = (_, now, { replaces: base }) => {
    const theirs = left.shift();
    if (theirs !== undefined) file.text = theirs;
    if (base === null || new TextDecoder().decode(base) !== file.text) {
      const found = bytes(file.text);
      const size = found.byteLength;
      return Promise.resolve({
        at: 'differs',
        theirs: { path: 'tests/a.json', size, modifiedAt: 0, bytes: found },
      } as const);
    }
    file.text = new TextDecoder().decode(now);
    return Promise.resolve({ at: 'saved' });
  };
  return { file, editing: { save } };
}
const add = (text: string | null): string => `${text ?? ''}+mine`;

test('a test file that another tab has changed meanwhile keeps both changes', async () => {
  const { file, editing } = contested('a', ['a+theirs']);
  expect(await writeTestFile(editing, 'tests/a.json', bytes('a'), add)).toBe(true);
  expect(file.text).toBe('a+theirs+mine');
});

test('a test file that changes all the time is given up, with the reason', async () => {
  const { file, editing } = contested('a', ['b', 'c', 'd', 'e', 'f', 'g']);
  await expect(writeTestFile(editing, 'tests/a.json', bytes('a'), add)).rejects.toThrow(
    'another program keeps changing it',
  );
  expect(file.text).toBe('f');
});

test('a refusal to write is no error: the test then stays in the browser', async () => {
  const editing = { save: () => Promise.resolve({ at: 'refused' } as const) };
  expect(await writeTestFile(editing, 'tests/a.json', null, add)).toBe(false);
});
