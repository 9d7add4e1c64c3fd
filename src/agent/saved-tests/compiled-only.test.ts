import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeCompileOnly, faultInPython } from './judged-outcome.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-compiled-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Asks the judge of the product, in ordinary Python, which writes to `folder` if an expression is evaluated. */
function fault(expression: string): Promise<string | null> {
  const program = `
import sys
sys.path.insert(0, sys.argv[1])
from cloche.judge import judge_texts
print(judge_texts(*sys.argv[2:]))`;
  return faultInPython(writeCompileOnly(expression), (expect, outcome) => {
    const args = ['-B', '-c', program, resolve('workers/python/py'), expect, outcome];
    const said = execFileSync('python3', args, { cwd: folder, encoding: 'utf8' });
    return Promise.resolve(JSON.parse(said) as readonly string[]);
  });
}

test('an expression that is only checked is not evaluated, however it closes brackets', async () => {
  const write = 'open("written", "w")';
  for (const valid of [
    write,
    'result["missing"] # a comment',
    'any(\n  one > 1\n  for one in updates)',
    `[${write} for _ in "ab"]`,
    '"" "\\ud800" or "é\u2028"',
    // Within brackets, these are a tuple and a choice.
    `0), (${write}`,
    `1) if ${write} else (1`,
  ])
    expect(await fault(valid)).toBeNull();
  for (const invalid of [
    `0)\n${write}\n(0`,
    `0)", "<x>", "eval") or ${write} or ("`,
    'result >',
    `${'1 + '.repeat(2_400)}*`,
  ])
    expect(await fault(invalid)).toMatch(/^SyntaxError: /);
  expect(readdirSync(folder)).toEqual([]);
}, 60_000);
