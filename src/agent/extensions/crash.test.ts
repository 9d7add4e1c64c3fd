/** What happens to a call, a message and a shortcut when the extension's interpreter dies in the middle of a hook. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import type { Json } from '../../runtime/spec/json.ts';
import { ExtensionsWorld } from './extensions.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An extension whose only function never answers. */
async function hanging(...registered: Json[]) {
  const made = new ExtensionsWorld({
    registered,
    functions: { 1: () => new Promise<Json>(() => undefined) },
  });
  return made.settled();
}

async function dieInTheMiddle(made: ExtensionsWorld): Promise<void> {
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(1);
  expect(made.python.calls.at(-1)).toContain('@hook');
  made.python.die();
  await vi.advanceTimersByTimeAsync(1);
}

/** Checks that the extension is started again, and works. */
async function isRestarted(made: ExtensionsWorld): Promise<void> {
  await vi.advanceTimersByTimeAsync(1_000);
  expect([made.pythons.length, made.view().state]).toEqual([2, 'running']);
}

test('before a call: the call is refused once, and the tool does not run', async () => {
  const made = await hanging({
    kind: 'interceptor',
    name: 'gate',
    priority: 1,
    before: 1,
    after: null,
  });
  const run = vi.fn(() => Promise.resolve(failure('', '')));
  const called = made.call('{}', run);
  await dieInTheMiddle(made);
  expect((await called).error).toMatch(/^InterceptorError: .*its interpreter ended/);
  expect(run).not.toHaveBeenCalled();
  await isRestarted(made);
});

test('after a call: the tool has run once, and its result is withheld', async () => {
  const made = await hanging({
    kind: 'interceptor',
    name: 'gate',
    priority: 1,
    before: null,
    after: 1,
  });
  const run = vi.fn(() => Promise.resolve(failure('', 'secret')));
  const called = made.call('{}', run);
  await dieInTheMiddle(made);
  const { error, textResultForLlm } = await called;
  expect([error, textResultForLlm]).toEqual([
    expect.stringMatching(/^InterceptorError/),
    expect.not.stringContaining('secret'),
  ]);
  expect(run).toHaveBeenCalledOnce();
  await isRestarted(made);
});

test('at a message: it is not sent', async () => {
  const made = await hanging({ kind: 'message_hook', name: 'date', priority: 0, run: 1 });
  const sent = vi.fn(() => Promise.resolve());
  const parts = [{ type: 'text', text: 'hi' }] as const;
  const message = { session: 's', turnId: 't', steering: false, parts, context: [] };
  const sending = made.hooks.messages.run(message, sent);
  sending.catch(() => undefined);
  await dieInTheMiddle(made);
  await expect(sending).rejects.toThrow('its interpreter ended');
  expect(sent).not.toHaveBeenCalled();
  await isRestarted(made);
});

test('at an event: further events arrive, and the restarted handler gets the next one', async () => {
  const made = await hanging({ kind: 'event_handler', name: 'log', priority: 0, run: 1 });
  made.calls.emit({ type: 'call-started', callId: 'c', at: 1 });
  await dieInTheMiddle(made);
  await isRestarted(made);
  made.calls.emit({ type: 'call-started', callId: 'd', at: 1 });
  await vi.advanceTimersByTimeAsync(1);
  expect(made.python.calls.filter((call) => call.startsWith('@hook'))).toHaveLength(1);
});

test('in a command and a shortcut: each ends, with a fault in the list', async () => {
  const made = await hanging(
    { kind: 'command', name: 'go', description: '', run: 1, complete: null, immediate: true },
    { kind: 'shortcut', name: 'ctrl+shift+g', description: '', run: 1 },
  );
  const running = made.shown.commands[0]?.run('', 's');
  await dieInTheMiddle(made);
  await running;
  await isRestarted(made);
  const pressed = made.shown.shortcuts[0]?.run('s');
  await dieInTheMiddle(made);
  await pressed;
  const faults = made.view().faults.map(({ what }) => what);
  expect(faults).toEqual(expect.arrayContaining(['The command /go', 'The shortcut ctrl+shift+g']));
});
