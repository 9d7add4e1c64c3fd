/** Other people's tool files: every result must equal what ordinary Python recorded (tests/corpus/record.py). */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { invokeText, openFolder, type ApiResult } from './support/app.ts';
import { expect, test } from './support/test.ts';

interface Recorded {
  tool: string;
  arguments: string;
  text?: string;
  error?: string;
  message?: string;
  stdout: string;
}

const corpus = new URL('corpus/', import.meta.url);
const folder = fileURLToPath(new URL('tools', corpus));

test(
  'a corpus of tool files gives what ordinary Python gives',
  { tag: '@full' },
  async ({ page }) => {
    const recorded = JSON.parse(
      await readFile(new URL('recorded.json', corpus), 'utf8'),
    ) as Recorded[];
    await page.goto('./');
    const { problems } = await openFolder(page, folder);
    // Warnings are right: their authors did not describe every parameter.
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    for (const { tool, arguments: args, text, error, message, stdout } of recorded) {
      const answer = await invokeText(page, tool, `{"arguments": ${args}}`);
      const result = JSON.parse(answer) as ApiResult;
      const what = `${tool} ${args}`;
      if (error === undefined) {
        expect.soft(result.error, what).toBeUndefined();
        expect.soft(result.textResultForLlm, what).toBe(text);
      } else {
        // A value that is not JSON is named with its path, which ordinary Python does not do.
        const expected = message === '' ? error : `${error}: ${message ?? ''}`;
        expect.soft(result.error?.slice(0, expected.length), what).toBe(expected);
      }
      expect.soft(result.stdout, what).toBe(stdout);
      expect.soft(result.stderr, what).toBe('');
    }
  },
);
