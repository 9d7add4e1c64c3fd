import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Json } from '../../runtime/spec/json.ts';
import { ExtensionsWorld } from './extensions.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const command: Json = {
  kind: 'command',
  name: 'choose',
  description: 'Lets the user choose.',
  run: 2,
  complete: null,
  immediate: false,
};
const asked = {
  action: 'show_picker',
  title: 'Which?',
  run: 9,
  items: [
    { label: 'a', detail: '' },
    { label: 'b', detail: 'second' },
  ],
};

const ask = (made: ExtensionsWorld): Promise<unknown> =>
  made.python.act({ sessionId: 's' } as never, JSON.stringify(asked));

test('a picker is answered once, and an extension has one at a time', async () => {
  const made = new ExtensionsWorld({
    registered: [command],
    functions: { 9: (index) => ({ action: 'notify', text: `chose ${JSON.stringify(index)}` }) },
  });
  made.reply = 'always';
  await made.settled();
  await ask(made);
  const { pickers } = made.shown;
  expect(pickers.current).toMatchObject({ extension: 'extension', title: 'Which?' });
  await expect(ask(made)).rejects.toThrow('Another picker');
  const id = pickers.current?.id ?? 0;
  pickers.close(id, 1);
  pickers.close(id, 0);
  await vi.advanceTimersByTimeAsync(1);
  expect(made.performed).toMatchObject([{ action: { text: 'chose 1' } }]);
  await ask(made);
  made.extensions.decide('extension.py', 'show', false);
  expect(pickers.current).toBe(null);
});
