import { expect, test } from 'vitest';
import { buildOf, buildOfCache, filesCache, parseFileList } from './offline.ts';

const build = '0123456789abcdef';

test('the name of a cache gives its build, for its own base path only', () => {
  const name = filesCache('/app/', build);
  expect(buildOfCache('/app/', name)).toBe(build);
  expect(['/', '/app', '/app/deeper/'].map((base) => buildOfCache(base, name))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(buildOfCache('/app/', 'somebody else’s')).toBeUndefined();
});

test('a page without the build tag belongs to no build', () => {
  expect(
    buildOf(`<head><meta name="cloche-build" content="${build}" data-date="x" /></head>`),
  ).toBe(build);
  expect(buildOf('<html><title>Log in</title></html>')).toBeUndefined();
});

test('a list in another format is rejected', () => {
  const file = { url: 'a.js', sha256: 'ff', bytes: 1, shell: true };
  expect(parseFileList(JSON.stringify({ format: 1, files: [file] }))).toEqual([file]);
  const others = [
    'not found',
    'null',
    '{"format":2,"files":[]}',
    '{"format":1}',
    JSON.stringify({ format: 1, files: [file, { ...file, bytes: '1' }] }),
  ];
  expect(others.map(parseFileList)).toEqual(others.map(() => undefined));
});
