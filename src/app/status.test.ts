/** When the status shows Python as busy. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Observable } from '../runtime/hooks/observe.ts';
import type { CallEvent } from '../runtime/spec/call.ts';
import { initialStatus, showBusyPython } from './status.ts';
import { StatusHolder } from '../runtime/open-folder/status.ts';

class Calls extends Observable<CallEvent> {
  start(callId: string): void {
    this.emit({ type: 'call-started', callId, at: 0 });
  }

  end(id: string): void {
    this.emit({ type: 'call-ended', call: { id }, result: {}, at: 0 } as CallEvent);
  }
}

function watched() {
  const calls = new Calls(() => undefined);
  const status = new StatusHolder(initialStatus, () => undefined);
  status.set({ python: 'ready' });
  const shown: string[] = [];
  status.observe(({ python }) => shown.push(python));
  showBusyPython(calls, status);
  return { calls, status, shown };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('shows a call as soon as it has run for long, until it ends', () => {
  const { calls, shown } = watched();
  calls.start('short');
  vi.advanceTimersByTime(60);
  calls.start('long');
  calls.end('short');
  vi.advanceTimersByTime(99);
  expect(shown).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(shown).toEqual(['busy']);
  calls.end('long');
  expect(shown).toEqual(['busy', 'ready']);
  expect(vi.getTimerCount()).toBe(0);
});

it('does not change while short calls follow each other', () => {
  const { calls, shown } = watched();
  for (let n = 0; n < 500; n += 1) {
    calls.start(`call ${n}`);
    vi.advanceTimersByTime(1);
    calls.end(`call ${n}`);
  }
  expect(shown).toEqual([]);
  calls.start('long');
  vi.advanceTimersByTime(200);
  expect(shown).toEqual(['busy']);
});

it('leaves a status alone in which Python does not run', () => {
  const { calls, status, shown } = watched();
  status.set({ python: 'starting' });
  calls.start('waiting');
  vi.advanceTimersByTime(200);
  calls.end('waiting');
  expect(shown).toEqual(['starting']);
});

it('shows a long call that began while Python started', () => {
  const { calls, status, shown } = watched();
  status.set({ python: 'starting' });
  calls.start('waiting');
  vi.advanceTimersByTime(2_000);
  status.set({ python: 'ready' });
  vi.advanceTimersByTime(100);
  expect(shown).toEqual(['starting', 'ready', 'busy']);
  calls.end('waiting');
  expect(shown.at(-1)).toBe('ready');
  expect(vi.getTimerCount()).toBe(0);
});
