/** Tools for what can happen while a tool runs and when it ends. No tool file corresponds to it: tests supply the source that they show. */

import { ExactJson, PythonError, tool, type ToolFile } from '../page/tool-file.ts';
import { pixel } from './session_tools.ts';

const tools: ToolFile = {
  tools: {
    greet: tool(
      'Says hello to somebody.',
      { name: 'string' },
      ({ name }: { readonly name?: string }, { source }) =>
        `${/return f"(.*), /.exec(source)?.[1] ?? ''}, ${name ?? 'world'}`,
      {
        parameters: {
          type: 'object',
          properties: { name: { type: 'string', description: 'Who is greeted' } },
        },
      },
    ),
    progress: tool('Tells how far it is.', { steps: 'integer' }, async ({ steps }, call) => {
      for (let step = 0; step < steps; step += 1) {
        call.update({ step });
        call.print(`line ${step}`);
        await call.sleep(100);
      }
      return new ExactJson(`{"steps": ${steps}, "big": 12345678901234567890, "float": 3.0}`);
    }),
    stuck: tool('Reaches its third step, and goes no further.', {}, async (_, call) => {
      for (let step = 0; step <= 3; step += 1) {
        call.update({ step });
        call.print(`line ${step}`);
      }
      await call.sleep(600_000);
      return '';
    }),
    share: tool('Tells how far it is as a share.', {}, async (_, call) => {
      call.update({ progress: 0.4 });
      await call.sleep(600_000);
      return '';
    }),
    picture: tool('A picture of one pixel.', {}, pixel),
    archive: tool('Bytes of some kind.', {}, () => Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0)),
    broken: tool('Fails inside.', { items: 'array' }, () => {
      throw new PythonError('IndexError', 'list index out of range', 'return items[7]');
    }),
    refused: tool(
      'Sends a request through a library.',
      { url: 'string' },
      async ({ url }, call) => {
        try {
          return await call.fetch(url);
        } catch (thrown) {
          const { type, message } = thrown as PythonError;
          const libraries = ['/lib/urllib/request.py', '/lib/http/client.py'];
          throw new PythonError(type, message, 'return urlopen(url)', libraries);
        }
      },
    ),
    markup: tool(
      'Text that would like to be more.',
      {},
      () => '<img src=x onerror=alert(1)><script>alert(2)</script>\x1b[31mred\u202edet',
    ),
    long: tool('Ten million characters.', {}, () => '0123456789'.repeat(1_000_000)),
  },
};
export default tools;
