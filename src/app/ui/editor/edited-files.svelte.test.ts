import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EditingControl, SaveOutcome } from '../../../runtime/open-folder/folder-editing.ts';
import type { OpenFolder } from '../../../runtime/open-folder/current-folder.ts';
import type { EditDraft } from '../../../runtime/folder/edit-draft.ts';
import { fakeSource } from '../../../runtime/folder/source.fixture.ts';
import { ToolError } from '../../../runtime/spec/error.ts';
import { EditedFiles } from './edited-files.svelte.ts';
import { bytesOf } from './text-bytes.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const opened = (path: string, text: string) => {
  const bytes = bytesOf(text);
  return { path, bytes, size: bytes.byteLength, modifiedAt: 1 };
};

/** @param stored drafts of earlier visits */
async function setUp(stored: readonly EditDraft[] = []) {
  const files = new Map([['a.py', 'a']]);
  const drafts = new Map(stored.map((draft) => [draft.path, draft]));
  const saves: [string, string | null][] = [];
  const stores: string[] = [];
  let answer: () => Promise<SaveOutcome> = () => Promise.resolve({ at: 'saved' });
  const trouble: { drafts: Error | null } = { drafts: null };
  const control = {
    savesTo: 'folder',
    folderId: 'id',
    drafts: {
      all: () => Promise.resolve([...drafts.values()]),
      put: (id: string, draft: EditDraft) => {
        if (trouble.drafts) return Promise.reject(trouble.drafts);
        stores.push(`${id} ${draft.text}`);
        return Promise.resolve(void drafts.set(draft.path, draft));
      },
      remove: (_: string, path: string) => Promise.resolve(void drafts.delete(path)),
    },
    save: async (path: string, bytes: Uint8Array, base: { replaces: Uint8Array | null }) => {
      const text = new TextDecoder().decode(bytes);
      saves.push([text, base.replaces && new TextDecoder().decode(base.replaces)]);
      const outcome = await answer();
      if (outcome.at === 'saved') files.set(path, text);
      return outcome;
    },
    remove: async (path: string) => {
      const outcome = await answer();
      if (outcome.at === 'saved') files.delete(path);
      return outcome;
    },
    rename: async (from: string, to: string) => {
      const outcome = await answer();
      if (outcome.at !== 'saved') return outcome;
      files.set(to, files.get(from) ?? '');
      files.delete(from);
      return outcome;
    },
    saveToCopy: async () => {
      await answer();
      return 'copy';
    },
  } as unknown as EditingControl;
  const edited = new EditedFiles({
    folder: {
      get current(): OpenFolder {
        const all = Array.from(files, ([path, text]) => opened(path, text));
        return {
          source: fakeSource({}),
          snapshot: { id: 's', name: 'tools', files: all, folders: [], problems: [] },
        };
      },
    },
    load: () => Promise.resolve(control),
    now: () => 7,
  });
  expect(await edited.open('a.py')).toBe(null);
  const file = edited.file('a.py')!;
  const answers = (next: () => Promise<SaveOutcome>): void => {
    answer = next;
  };
  return { edited, file, files, drafts, saves, stores, trouble, answers };
}

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
  // One save at a time.
  await file.save();
  end({ at: 'saved' });
  await saving;
  expect([file.isSaving, file.isUnsaved, file.text, draftText(drafts)]).toEqual([
    false,
    true,
    'second',
    'second',
  ]);
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

test('a deleted file can be restored until another folder is open, and never over another file', async () => {
  const { edited, files, answers, saves } = await setUp();
  answers(() => Promise.resolve({ at: 'refused' }));
  await edited.delete('a.py');
  expect([edited.deleted.list, files.has('a.py')]).toEqual([[], true]);
  answers(() => Promise.resolve({ at: 'saved' }));
  await edited.delete('a.py');
  expect([edited.deleted.list.map(({ path }) => path), files.has('a.py')]).toEqual([
    ['a.py'],
    false,
  ]);
  answers(() => Promise.resolve({ at: 'differs', theirs: opened('a.py', 'other') }));
  const [kept] = edited.deleted.list;
  expect(await edited.deleted.restore(kept!)).toMatchObject({ at: 'differs' });
  expect(edited.deleted.list).toEqual([kept]);
  answers(() => Promise.resolve({ at: 'saved' }));
  await edited.deleted.restore(kept!);
  // The null says that the file must not exist yet.
  expect(saves.at(-1)).toEqual(['a', null]);
  expect([edited.deleted.list, files.get('a.py')]).toEqual([[], 'a']);
  await edited.delete('a.py');
  edited.clear();
  expect(edited.deleted.list).toEqual([]);
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

test('a deleted file is restored with its unsaved text, open or not', async () => {
  for (const path of ['a.py', 'b.py']) {
    const stored = { path: 'b.py', text: 'typed', base: bytesOf('b'), at: 5 };
    const { edited, file, files, drafts, trouble } = await setUp([stored]);
    files.set('b.py', 'b');
    file.change('typed');
    expect([...(await edited.unsavedPaths())].sort()).toEqual(['a.py', 'b.py']);
    await edited.delete(path);
    expect([files.has(path), drafts.has(path), edited.file(path)]).toEqual([
      false,
      false,
      undefined,
    ]);
    const [deleted] = edited.deleted.list;
    trouble.drafts = new Error('full');
    await expect(edited.deleted.restore(deleted!)).rejects.toThrow('full');
    expect([files.has(path), edited.deleted.list.length]).toEqual([false, 1]);
    trouble.drafts = null;
    await edited.deleted.restore(deleted!);
    expect([files.get(path), drafts.get(path)?.text]).toEqual([path.charAt(0), 'typed']);
  }
});
