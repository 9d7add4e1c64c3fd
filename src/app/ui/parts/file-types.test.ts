import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { downloadName, extensionOf } from './save-file.ts';
import { acceptOf, allFileTypes } from './file-types.ts';

test('each extension and media type belongs to one type, and a download keeps it', () => {
  const extensions = allFileTypes.flatMap((type) => type.extensions);
  const mediaTypes = allFileTypes.flatMap((type) => type.mediaTypes);
  expect(new Set(extensions).size).toBe(extensions.length);
  expect(new Set(mediaTypes).size).toBe(mediaTypes.length);
  for (const extension of extensions) expect(downloadName(`a.${extension}`)).toBe(`a.${extension}`);
  for (const type of allFileTypes)
    for (const mediaType of type.mediaTypes)
      expect(type.extensions).toContain(extensionOf(mediaType));
});

test('a file input accepts every extension and media type of its types', () => {
  expect(acceptOf('zip', 'json')).toBe(
    '.zip,application/zip,application/x-zip-compressed,.json,application/json,text/json',
  );
  expect(acceptOf('yaml')).toContain('.yaml,.yml,');
});

test('the input for zip files, whose page does without this table, accepts the same types', async () => {
  const page = await readFile(new URL('../home/FileInputs.svelte', import.meta.url), 'utf8');
  expect(page).toContain(`accept="${acceptOf('zip')}"`);
});
