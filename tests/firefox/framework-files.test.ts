/** Files written for other frameworks, in the real Firefox. */

import { expect, test } from 'vitest';
import { expectedTools, foreignFiles, toolId, valueOf } from '../support/framework-files.ts';
import { answer, dropFiles, invoke, useFirefox } from './firefox.ts';

const firefox = useFirefox();

test('33 files of 20 frameworks give 48 tools, and 45 calls their results', async () => {
  const { page } = firefox();
  await dropFiles(page, await foreignFiles());
  const expected = await expectedTools();
  for (const [file, { tools, calls }] of Object.entries(expected)) {
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
