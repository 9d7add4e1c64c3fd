import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notice } from './notices.mjs';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloche-notices-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a part without a licence or its text is refused', async () => {
  const entry = { name: 'left', version: '1.0.0', licence: 'MIT', folder };
  await expect(notice(entry)).rejects.toThrow('left 1.0.0 has no licence text.');
  await writeFile(join(folder, 'LICENSE'), 'MIT License\r\n');
  expect(await notice(entry)).toBe('left 1.0.0 (MIT)\n\nMIT License');
  await expect(notice({ ...entry, licence: '' })).rejects.toThrow('no licence in its package.json');
});
