import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlOf } from './curl.ts';

const exchange = {
  at: 0,
  method: 'POST',
  url: "https://m.example/v1?a='b'&c=$HOME",
  headers: [
    ['authorization', 'Bearer [secret]'],
    ['content-length', '7'],
  ] as const,
  body: `{"text": "it's \`here\` \\\\ $(date)\\n"}`,
  status: 200,
  received: '',
  skipped: 0,
  cut: false,
  firstMs: 1,
  ms: 2,
};

test('a shell passes exactly the recorded request', () => {
  const command = curlOf(exchange).replace('curl', 'printf "%s\\0"');
  const given = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' }).split('\0');
  expect(given.slice(0, -1)).toEqual([
    exchange.url,
    '-X',
    'POST',
    '-H',
    'authorization: Bearer [secret]',
    '--data-raw',
    exchange.body,
  ]);
});

test('a method that is none is not passed on', () => {
  expect(curlOf({ ...exchange, method: 'POST; rm -rf /', body: null })).toContain('-X POST \\');
});
