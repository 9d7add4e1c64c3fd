/** ask.py of tests/grants, without Python. */

import { tool, type FakeCall, type ToolFile } from '../page/tool-file.ts';

function asks(handler: (call: FakeCall) => unknown, timeout_s = 3) {
  return tool('Asks.', {}, (_, call) => handler(call), { timeout_s });
}

const value = { value: 'integer' } as const;
const parameters = { type: 'object', properties: { value: { type: 'integer' } } };

const tools: ToolFile = {
  tools: {
    plain: asks((call) => call.approve('Delete everything?', { files: [1, 2] })),
    at_once: asks(
      (call) => Promise.all(Array.from({ length: 1_000 }, (_, n) => call.approve(`Sure? (${n})`))),
      20,
    ),
    strict: tool('Needs approval.', value, ({ value: given }) => given, {
      parameters,
      requires_approval: true,
    }),
    depends: tool('Needs approval for large values.', value, ({ value: given }) => given, {
      parameters,
      requires_approval: 'callable',
      needsApproval: ({ value: given }: { readonly value: number }) => given > 9,
    }),
  },
};
export default tools;
