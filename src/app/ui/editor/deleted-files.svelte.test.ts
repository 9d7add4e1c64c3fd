import { expect, test } from 'vitest';
import { opened, setUp } from './edited-files.fixture.ts';
import { bytesOf } from './text-bytes.ts';

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
