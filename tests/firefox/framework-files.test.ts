/** Files written for other frameworks, in the real Firefox. */

import { expect, test } from 'vitest';
import { expectedTools, foreignFiles, toolId, valueOf } from '../support/framework-files.ts';
import { answer, dropFiles, invoke, isFull, useFirefox } from './firefox.ts';

const firefox = useFirefox();

// Every sixth file, and all of them for one commit in seven. Chromium loads and calls all of them in every run.
test('files of frameworks give their tools, and calls their results', async () => {
  const { page } = firefox();
  const files = await foreignFiles();
  const expected = Object.entries(await expectedTools())
    .filter(([, { tools }]) => tools.length > 0)
    .filter((_, n) => isFull || n % 6 === 0);
  await dropFiles(page, Object.fromEntries(expected.map(([file]) => [file, files[file] ?? ''])));
  for (const [file, { tools, calls }] of expected) {
    for (const { name } of tools) {
      const status = await page.evaluate(
        async (id) => (await fetch(`api/tools/${encodeURIComponent(id)}`)).status,
        toolId(file, name),
      );
      expect([file, name, status]).toEqual([file, name, 200]);
    }
    for (const call of calls) {
      const invoked = invoke(page, toolId(file, call.tool), call.arguments);
      // The framework of this tool asks for confirmation.
      if (call.tool === 'delete_note') await answer(page, 'delete_note', 'Allow once');
      const result = await invoked;
      const value = typeof call.result === 'string' ? valueOf(call.result) : call.result;
      expect([call.tool, valueOf(result.textResultForLlm)]).toEqual([call.tool, value]);
    }
  }
});
