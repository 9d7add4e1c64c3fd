import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlCommand } from './shell-command.ts';

const exchange = {
  method: 'POST',
  url: "https://m.example/v1?a='b'&c=$HOME",
  headers: [
    ['authorization', 'Bearer [secret]'],
    ['content-length', '7'],
  ] as const,
  body: `{"text": "it's \`here\` \\\\ $(date)\\n"}`,
};

test('a shell passes exactly the recorded request', () => {
  const command = curlCommand(exchange).replace('curl', 'printf "%s\\0"');
  const given = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' }).split('\0');
  expect(given.slice(0, -1)).toEqual([
    '-X',
    'POST',
    exchange.url,
    '-H',
    'authorization: Bearer [secret]',
    '--data-raw',
    exchange.body,
  ]);
});

test('a method that is none is not passed on', () => {
  expect(curlCommand({ ...exchange, method: 'POST; rm -rf /', body: null })).toContain(
    'curl -X POST ',
  );
});
