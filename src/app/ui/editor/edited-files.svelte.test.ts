import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SaveOutcome } from '../../../runtime/open-folder/folder-editing.ts';
import type { EditDraft } from '../../../runtime/folder/edit-draft.ts';
import { ToolError } from '../../../runtime/spec/error.ts';
import { opened, setUp } from './edited-files.fixture.ts';
import { bytesOf } from './text-bytes.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const draftText = (drafts: ReadonlyMap<string, EditDraft>): string | undefined =>
  drafts.get('a.py')?.text;

test('typed text is unsaved, and stored as a draft, until it is saved', async () => {
  const { edited, file, drafts, saves } = await setUp();
  expect([file.text, file.isUnsaved, edited.unsaved]).toEqual(['a', false, []]);
  for (const text of ['ab', 'abc', 'abcd']) file.change(text);
  expect([file.isUnsaved, edited.unsaved, edited.unstored]).toEqual([true, ['a.py'], ['a.py']]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([draftText(drafts), edited.unstored]).toEqual(['abcd', []]);
  await file.save();
  expect([file.isUnsaved, file.trouble, drafts.size, saves]).toEqual([
    false,
    null,
    0,
    [['abcd', 'a']],
  ]);
});

test('a draft of an earlier visit is opened with what it was based on', async () => {
  const draft = { path: 'a.py', text: 'draft', base: bytesOf('old'), at: 5 };
  const { file, saves } = await setUp([draft]);
  expect([file.text, file.isUnsaved, file.draftAt]).toEqual(['draft', true, 5]);
  expect(file.isOutdatedBy(bytesOf('a'))).toBe(true);
  await file.save();
  expect(saves).toEqual([['draft', 'old']]);
});

test('text that is typed while a save runs stays unsaved', async () => {
  const { file, drafts, answers } = await setUp();
  let end: (outcome: SaveOutcome) => void = () => undefined;
  answers(
    () =>
      new Promise((resolve) => {
        end = resolve;
      }),
  );
  file.change('first');
  const saving = file.save();
  expect(file.isSaving).toBe(true);
  file.change('second');
  end({ at: 'saved' });
  await saving;
  expect([file.isSaving, file.isUnsaved, file.text, draftText(drafts)]).toEqual([
    false,
    true,
    'second',
    'second',
  ]);
});

test('saves that are requested while one runs are made once, with the text that was typed meanwhile', async () => {
  const { file, saves, answers } = await setUp();
  const ends: ((outcome: SaveOutcome) => void)[] = [];
  answers(() => new Promise((resolve) => ends.push(resolve)));
  file.change('first');
  const saving = [file.save()];
  file.change('second');
  saving.push(file.save(), file.save());
  expect(saves).toEqual([['first', 'a']]);
  ends[0]?.({ at: 'saved' });
  await saving[0];
  await vi.waitFor(() => expect(ends).toHaveLength(2));
  ends[1]?.({ at: 'saved' });
  await Promise.all(saving);
  expect(saves).toEqual([
    ['first', 'a'],
    ['second', 'first'],
  ]);
  expect([file.isSaving, file.isUnsaved, file.trouble]).toEqual([false, false, null]);
});

test('a newer file is replaced, or taken, only when the user says so', async () => {
  const { file, saves, answers } = await setUp();
  const theirs = opened('a.py', 'theirs');
  answers(() => Promise.resolve({ at: 'differs', theirs }));
  file.change('mine');
  await file.save();
  expect([file.trouble, file.text]).toEqual([{ at: 'differs', theirs }, 'mine']);
  answers(() => Promise.resolve({ at: 'saved' }));
  await file.overwrite();
  expect(saves).toEqual([
    ['mine', 'a'],
    ['mine', 'theirs'],
  ]);
  expect(file.trouble).toBe(null);

  const other = await setUp();
  other.answers(() => Promise.resolve({ at: 'differs', theirs }));
  other.file.change('mine');
  await other.file.save();
  await other.file.takeTheirs();
  expect([other.file.text, other.file.isUnsaved, other.file.trouble]).toEqual([
    'theirs',
    false,
    null,
  ]);
});

test('text that is typed while the folder is copied becomes a draft of the copy', async () => {
  const { edited, file, stores, answers } = await setUp();
  answers(() => {
    file.change('second');
    // Opening the copy does the same.
    edited.clear();
    return Promise.resolve({ at: 'saved' });
  });
  file.change('first');
  expect(await file.saveToCopy()).toBe(true);
  expect([file.text, file.isUnsaved, stores]).toEqual([
    'second',
    true,
    ['id first', 'copy second'],
  ]);
  await file.revert();
  expect(file.text).toBe('first');

  const failing = await setUp();
  failing.answers(() => {
    failing.file.change('third');
    return Promise.reject(new Error('full'));
  });
  failing.file.change('second');
  expect(await failing.file.saveToCopy()).toBe(false);
  expect([failing.file.trouble?.at, failing.stores.at(-1)]).toEqual(['failed', 'id third']);
});

test('a newer file that is no text is not taken, since saving it would damage it', async () => {
  const { file, answers } = await setUp();
  const theirs = { ...opened('a.py', ''), bytes: Uint8Array.of(0x67, 0x72, 0xfc, 0x6e) };
  answers(() => Promise.resolve({ at: 'differs', theirs }));
  file.change('mine');
  await file.save();
  await file.takeTheirs();
  expect([file.text, file.isUnsaved, file.trouble]).toMatchObject([
    'mine',
    true,
    { at: 'failed', message: expect.stringContaining('not UTF-8') as string },
  ]);
});

test('a deleted file is saved as a new one', async () => {
  const { file, saves, answers } = await setUp();
  answers(() => Promise.resolve({ at: 'differs', theirs: null }));
  file.change('mine');
  await file.save();
  answers(() => Promise.resolve({ at: 'saved' }));
  await file.overwrite();
  expect(saves.at(-1)).toEqual(['mine', null]);
});

test('where saving fails, the text and its draft stay', async () => {
  const { file, drafts, answers } = await setUp();
  answers(() => Promise.reject(new ToolError('storage', 'no space left', 'Free up space.')));
  file.change('mine');
  await file.save();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([file.trouble, file.text, draftText(drafts)]).toEqual([
    { at: 'failed', message: 'no space left', hint: 'Free up space.' },
    'mine',
    'mine',
  ]);
  answers(() => Promise.resolve({ at: 'refused' }));
  await file.save();
  expect(file.trouble).toEqual({ at: 'refused' });
});

test('text whose draft cannot be stored is what a reload would lose', async () => {
  const { edited, file, trouble } = await setUp();
  trouble.drafts = new Error('full');
  file.change('mine');
  await edited.flush();
  expect(edited.unstored).toEqual(['a.py']);
  trouble.drafts = null;
  await edited.flush();
  expect(edited.unstored).toEqual([]);
});

test('leaving the page asks only where text would be lost', async () => {
  const { edited, file } = await setUp();
  const page = new EventTarget();
  edited.guard(page as Pick<Window, 'addEventListener' | 'removeEventListener'>);
  const leave = (): boolean => {
    const event = new Event('beforeunload', { cancelable: true });
    page.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(leave()).toBe(false);
  file.change('mine');
  expect(leave()).toBe(true);
  await edited.flush();
  expect(leave()).toBe(false);
});

test('a file without unsaved changes follows the folder, any other does not', async () => {
  const { file } = await setUp();
  file.follow(bytesOf('newer'));
  expect([file.text, file.version, file.isUnsaved]).toEqual(['newer', 1, false]);
  file.change('mine');
  file.follow(bytesOf('newest'));
  expect([file.text, file.isUnsaved, file.isOutdatedBy(bytesOf('newest'))]).toEqual([
    'mine',
    true,
    true,
  ]);
});

test('a draft that another tab has removed is stored again before the page goes', async () => {
  const { edited, file, drafts } = await setUp();
  file.change('mine');
  await edited.flush();
  drafts.clear();
  const page = new EventTarget();
  edited.guard(page as Pick<Window, 'addEventListener' | 'removeEventListener'>);
  page.dispatchEvent(new Event('pagehide'));
  await vi.advanceTimersByTimeAsync(0);
  expect(draftText(drafts)).toBe('mine');
});

test('drafts of a folder are kept when another one is opened', async () => {
  const { edited, file, drafts } = await setUp();
  file.change('mine');
  edited.clear();
  await vi.advanceTimersByTimeAsync(0);
  expect([edited.file('a.py'), draftText(drafts)]).toEqual([undefined, 'mine']);
  await edited.open('a.py');
  expect(edited.file('a.py')?.text).toBe('mine');
});

test('discarded changes are gone, with their draft', async () => {
  const { file, drafts } = await setUp();
  file.change('mine');
  await file.flush();
  await file.revert();
  expect([file.text, file.isUnsaved, drafts.size]).toEqual(['a', false, 0]);
});

const shownDrafts = (drafts: ReadonlyMap<string, EditDraft>): string[] =>
  Array.from(drafts, ([path, draft]) => `${path} ${draft.path} ${draft.text}`);

describe('renaming a file keeps its unsaved text', () => {
  const draft = (path: string, text: string): EditDraft => ({
    path,
    text,
    base: bytesOf('b'),
    at: 5,
  });

  test('if it is open', async () => {
    const { edited, file, drafts } = await setUp();
    file.change('ab');
    expect(await edited.rename('a.py', 'c.py')).toEqual({ at: 'saved' });
    expect([shownDrafts(drafts), edited.renamed]).toEqual([['c.py c.py ab'], 1]);
    await edited.open('c.py');
    expect([edited.file('a.py'), edited.file('c.py')?.text]).toEqual([undefined, 'ab']);
  });

  test('if it is not open', async () => {
    const { edited, files, drafts } = await setUp([draft('b.py', 'typed')]);
    files.set('b.py', 'b');
    await edited.rename('b.py', 'c.py');
    expect(shownDrafts(drafts)).toEqual(['c.py c.py typed']);
    expect([...(await edited.unsavedPaths())]).toEqual(['c.py']);
  });

  test('or leaves both as they are', async () => {
    const { edited, files, drafts, answers, trouble } = await setUp([
      draft('b.py', 'typed'),
      draft('gone.py', 'of another file'),
    ]);
    files.set('b.py', 'b');
    const before = ['b.py b.py typed', 'gone.py gone.py of another file'];
    await expect(edited.rename('b.py', 'gone.py')).rejects.toThrow(/has unsaved changes/);
    answers(() => Promise.resolve({ at: 'differs', theirs: opened('c.py', 'x') }));
    expect(await edited.rename('b.py', 'c.py')).toMatchObject({ at: 'differs' });
    expect([shownDrafts(drafts), [...files.keys()]]).toEqual([before, ['a.py', 'b.py']]);
    answers(() => Promise.resolve({ at: 'saved' }));
    trouble.drafts = new Error('full');
    await expect(edited.rename('b.py', 'c.py')).rejects.toThrow(
      /was renamed, but its unsaved text/,
    );
    expect(shownDrafts(drafts)).toEqual(before);
  });
});
