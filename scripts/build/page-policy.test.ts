/** The policies of the page and the playground: this test makes every change deliberate. docs/decisions/framing.md says what needs each source. */

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

async function policyOf(file: string): Promise<Record<string, string[]>> {
  const page = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
  const policies = [...page.matchAll(/http-equiv="Content-Security-Policy"\s+content="([^"]*)"/g)];
  expect(policies).toHaveLength(1);
  const directives = (policies[0]?.[1] ?? '').split(';').map((directive) => {
    const [name = '', ...sources] = directive.trim().split(/\s+/);
    return [name, sources] as const;
  });
  return Object.fromEntries(directives);
}

test('the pages load nothing but their own files, frame no others and send nothing elsewhere', async () => {
  const ofPage = {
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
    // The frame of an app: a page of Cloche's own.
    'frame-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
  };
  expect(await policyOf('index.html')).toEqual(ofPage);
  // The playground has no fonts and no manifest.
  const { 'font-src': _, 'manifest-src': __, ...ofPlayground } = ofPage;
  expect(await policyOf('playground.html')).toEqual({ ...ofPlayground, 'frame-src': ["'none'"] });
});

test('the frame around an app runs whatever the app brings, and lets it go nowhere', async () => {
  const any = ['http:', 'https:'];
  const media = ['data:', 'blob:', ...any];
  expect(await policyOf('public/mcp-app.html')).toEqual({
    'default-src': ["'none'"],
    'script-src': ["'unsafe-inline'", "'unsafe-eval'", 'blob:', 'data:', ...any],
    'worker-src': ['blob:'],
    'style-src': ["'unsafe-inline'", ...media],
    'img-src': media,
    'media-src': media,
    'font-src': media,
    'connect-src': [...media, 'ws:', 'wss:'],
    'frame-src': ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
  });
});
