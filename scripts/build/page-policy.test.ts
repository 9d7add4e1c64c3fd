/** The Content-Security-Policy in index.html: this test makes every change of it deliberate. */

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

test('the page loads nothing but its own files, frames nothing and sends nothing elsewhere', async () => {
  const page = await readFile(new URL('../../index.html', import.meta.url), 'utf8');
  const policies = [...page.matchAll(/http-equiv="Content-Security-Policy"\s+content="([^"]*)"/g)];
  expect(policies).toHaveLength(1);
  const directives = (policies[0]?.[1] ?? '').split(';').map((directive) => {
    const [name = '', ...sources] = directive.trim().split(/\s+/);
    return [name, sources];
  });
  expect(Object.fromEntries(directives)).toEqual({
    'default-src': ["'none'"],
    'script-src': [
      "'self'",
      'blob:',
      "'wasm-unsafe-eval'",
      "'sha256-{{FRAME_BOOT_HASH}}'",
      "'sha256-{{SCRIPT_HASH}}'",
    ],
    'worker-src': ["'self'", 'blob:'],
    'style-src': ["'self'", "'sha256-{{STYLE_HASH}}'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'media-src': ['blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'manifest-src': ["'self'"],
    'frame-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
  });
});
