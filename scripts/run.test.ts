/** The output of commands that run side by side can be told apart, and a command ends with all that it has started. */
import { expect, test, vi } from 'vitest';
import { run, shownOn } from './run.mjs';

function written(prefix: string, ...texts: string[]): string {
  let all = '';
  const shown = shownOn({ write: (text: string) => (all += text) }, prefix);
  for (const text of texts) shown.write(text);
  shown.end();
  return all;
}

test('whole lines are shown behind the prefix, however they arrive', () => {
  expect(written('unit │ ', 'a', 'b\nc\n', '\nd')).toBe(
    ['unit │ ab', 'unit │ c', 'unit │ ', 'unit │ d', ''].join('\n'),
  );
});

test('without a prefix nothing is changed or held back', () => {
  expect(written('', 'a', 'b\nc')).toBe('ab\nc');
});

test('a command that was ended by a signal has failed, and its output says so', async () => {
  const { code, output } = await run(['node', '-e', 'process.kill(process.pid, "SIGKILL")'], {
    quiet: true,
  });
  expect(code).toBe(1);
  expect(output).toBe('node was ended by SIGKILL.\n');
});

test('a command is ended together with what it has started', async () => {
  const child = `console.log('begun'); setInterval(() => {}, 1000)`;
  const parent = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' })`;
  const interruption = new AbortController();
  vi.spyOn(process.stdout, 'write').mockImplementation(() => {
    interruption.abort();
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // The output of the command is at its end only when the child has ended too.
  const { code } = await run(['node', '-e', parent], { signal: interruption.signal });
  vi.restoreAllMocks();
  expect(code).toBe(1);
});

test('a command whose signal was aborted before is ended at once', async () => {
  const signal = AbortSignal.abort();
  const { code } = await run(['node', '-e', 'setInterval(() => {}, 1000)'], {
    quiet: true,
    signal,
  });
  expect(code).toBe(1);
});
