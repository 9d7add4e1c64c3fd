/** session_tools.py of tests/sessions, without Python. */

import { PythonError, tool, type ToolFile } from '../page/tool-file.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export function pixel(): Uint8Array {
  return Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
}

const tools: ToolFile = {
  tools: {
    weather: tool(
      'The weather in a city.',
      { city: 'string' },
      ({ city }) => ({ city, sky: 'clear' }),
      {
        background_safe: true,
        prompt_hint: 'Ask for one city at a time.',
        prompt_guides: ['Say the sky in one word.'],
      },
    ),
    meet: tool(
      'Ends when another call to this tool runs beside it.',
      { name: 'string' },
      ({ name }) => name,
    ),
    fail: tool('Fails.', { why: 'string' }, ({ why }) => {
      throw new PythonError('RuntimeError', `It failed since ${why}`, 'raise RuntimeError');
    }),
    endless: tool('Counts endlessly.', {}, async (_, call) => {
      for (let counted = 1; ; counted += 1) {
        call.update({ counted });
        await call.sleep(50);
      }
    }),
    patient: tool(
      'Must be waited for.',
      { seconds: 'number' },
      async ({ seconds }, call) => {
        await call.sleep(seconds * 1_000);
        return 'waited for';
      },
      { interrupt: 'block' },
    ),
    long_text: tool('A text longer than a model gets at once.', { lines: 'number' }, ({ lines }) =>
      Array.from({ length: lines }, (_, n) => `line ${n} of the long text`).join('\n'),
    ),
    picture: tool('A picture of one pixel.', {}, pixel),
    remove: tool(
      'Removes what is at a path.',
      { path: 'string' },
      ({ path }) => `removed ${path}`,
      { requires_approval: true },
    ),
    rare: tool(
      'Reverses a word.',
      { word: 'string' },
      ({ word }) => Array.from(word).reverse().join(''),
      { deferred: true },
    ),
    step: tool('Counts its calls.', {}, (_, call) => {
      const count = Number(call.memory.get('count') ?? 0) + 1;
      call.memory.set('count', count);
      return count;
    }),
  },
};
export default tools;
