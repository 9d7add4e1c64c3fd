/** The browser that the command line drives, with a program that speaks its protocol. */

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Browser } from './browser.ts';

/** Says its version, and ends with the second command. */
const program = `#!${process.execPath}
const { createReadStream, writeSync } = require('node:fs');
let n = 0;
createReadStream(null, { fd: 3 }).setEncoding('utf8').on('data', (text) => {
  for (const piece of text.split('\\0').filter(Boolean)) {
    if ((n += 1) > 1) process.exit(7);
    const { id } = JSON.parse(piece);
    writeSync(4, JSON.stringify({ id, result: { product: 'Chrome/999.0' } }) + '\\0');
  }
});
`;

test('a command fails when the browser ends, and when it has ended before', async () => {
  const place = await mkdtemp(join(tmpdir(), 'cloche-browser-'));
  try {
    const file = join(place, 'browser.cjs');
    await writeFile(file, program);
    await chmod(file, 0o755);
    const browser = await Browser.start({ program: file, profile: place, isRoot: false });
    await expect(browser.send('Target.getTargets', {})).rejects.toThrow('ended with code 7');
    await browser.ended;
    await expect(browser.send('Target.getTargets', {})).rejects.toThrow('ended with code 7');
  } finally {
    await rm(place, { recursive: true, force: true });
  }
});
