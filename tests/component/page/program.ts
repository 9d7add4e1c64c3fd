/** The loader's `run_python` without Python: its code is a JSON list of calls, which it makes at the same time. */

import { tool } from './tool-file.ts';

export const program = tool('Runs a program.', { code: 'string' }, async ({ code }, call) => {
  const calls = JSON.parse(code) as readonly (readonly [tool: string, args: unknown])[];
  call.print(`${calls.length} calls`);
  const answers = await Promise.all(calls.map(([name, args]) => call.call(name, args)));
  return answers.length;
});
