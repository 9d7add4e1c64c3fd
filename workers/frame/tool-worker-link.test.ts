import { expect, it, vi } from 'vitest';
import type { Loss } from '../../src/runtime/protocol/frame.ts';
import { marks, type LibraryFiles, type PythonFiles } from '../../src/runtime/protocol/python.ts';
import { defaultLimits } from '../../src/runtime/spec/limits.ts';
import { maxSnapshotBytes } from '../../src/runtime/spec/interpreter.ts';
import { askForBytes, ToolWorkerLink } from './tool-worker-link.ts';

/** A worker that answers every message with `answer`, and the log of what was done to it. */
function fakeWorker(answer: unknown) {
  const log: string[] = [];
  const worker = {
    onmessage: (_event: { data: unknown }): void => undefined,
    postMessage: ({ op }: { op: string }) => {
      log.push(op);
      queueMicrotask(() => worker.onmessage({ data: answer }));
    },
    terminate: () => log.push('terminated'),
  };
  return { worker: worker as unknown as Worker, log };
}

const files = [{} as PythonFiles, {} as LibraryFiles] as const;
const message = {
  op: 'make-snapshot',
  files: files[0],
  libraries: files[1],
  forPackages: false,
} as const;

it('returns the snapshot, and terminates the worker', async () => {
  const snapshot = new Blob(['memory']);
  const { worker, log } = fakeWorker(snapshot);
  expect(await askForBytes(worker, message)).toEqual({ ok: true, value: snapshot });
  expect(log).toEqual(['make-snapshot', 'terminated']);
});

it.each([
  ['something that is not a snapshot', { size: 3 }],
  [
    'a snapshot that is too large',
    Object.defineProperty(new Blob(), 'size', { value: maxSnapshotBytes + 1 }),
  ],
])('rejects %s, and terminates the worker', async (_, answer) => {
  const { worker, log } = fakeWorker(answer);
  const loss = { reason: 'start', detail: 'the message was not the bytes' };
  expect(await askForBytes(worker, message)).toEqual({ ok: false, loss });
  expect(log).toEqual(['make-snapshot', 'terminated']);
});

it('rejects a snapshot that cannot be read, and terminates the worker', async () => {
  const { worker, log } = fakeWorker('');
  worker.postMessage = () => {
    queueMicrotask(() => {
      worker.onmessageerror?.call(worker, new MessageEvent('messageerror'));
    });
  };
  const loss = { reason: 'start', detail: 'the bytes could not be read' };
  expect(await askForBytes(worker, message)).toEqual({ ok: false, loss });
  expect(log).toEqual(['terminated']);
});

it('passes on that the libraries are wanted, and keeps waiting for the bytes', async () => {
  const snapshot = new Blob(['memory']);
  const { worker } = fakeWorker(`${marks.whole}{"t":"wanted","id":0}\n`);
  const wanted = vi.fn<() => void>(() => {
    queueMicrotask(() => {
      worker.onmessage?.call(worker, new MessageEvent('message', { data: snapshot }));
    });
  });
  expect(await askForBytes(worker, message, wanted)).toEqual({ ok: true, value: snapshot });
  expect(wanted).toHaveBeenCalledTimes(1);
});

/** A link to a tool worker whose messages the test sends. */
function fakeLink() {
  const log: string[] = [];
  class FakeWorker {
    static last: FakeWorker;
    onmessage: (event: { data: unknown }) => void = () => undefined;
    onmessageerror: () => void = () => undefined;
    constructor() {
      FakeWorker.last = this;
    }
    postMessage({ op }: { op: string }): void {
      log.push(op);
    }
    terminate(): void {
      log.push('terminated');
    }
  }
  vi.stubGlobal('Worker', FakeWorker);
  const lost: Loss[] = [];
  const wanted = vi.fn<() => void>();
  const ignore = (): void => undefined;
  const link = new ToolWorkerLink(new Blob(), {
    onStep: ignore,
    onLibraryWanted: wanted,
    onStream: ignore,
    onAsk: ignore,
    onEnd: ignore,
    onLost: (loss) => lost.push(loss),
  });
  vi.unstubAllGlobals();
  const worker = FakeWorker.last;
  const send = (t: string, payload: string): void => {
    worker.onmessage({ data: `${marks.whole}${JSON.stringify({ t, id: 0 })}\n${payload}` });
  };
  const start = () => link.start({ files: files[0], limits: defaultLimits, snapshot: null });
  return { link, log, lost, wanted, worker, send, start };
}

it('asks the page for the libraries once until it answers, however often the tool worker asks', () => {
  const { link, log, wanted, send } = fakeLink();
  for (let n = 0; n < 3; n += 1) send('wanted', '');
  expect(wanted).toHaveBeenCalledTimes(1);
  link.addLibraries(null);
  expect(log).toEqual(['libraries']);
  for (let n = 0; n < 3; n += 1) send('wanted', '');
  expect(wanted).toHaveBeenCalledTimes(2);
});

const unread = 'a message could not be read';

it('loses the start at once if the tool worker reports that it could not read a message', async () => {
  const { lost, log, send, start } = fakeLink();
  const started = start();
  send('failed', unread);
  const loss = { reason: 'start', detail: unread };
  expect([await started, lost, log]).toEqual([
    { ok: false, loss },
    [loss],
    ['start', 'terminated'],
  ]);
});

it('loses the start also if that was reported before it', async () => {
  const { lost, send, start } = fakeLink();
  send('failed', unread);
  const loss = { reason: 'start', detail: unread };
  expect([await start(), lost]).toEqual([{ ok: false, loss }, [loss]]);
});

it('ends the interpreter if one of its own messages cannot be read, and ignores a failed start after the start', async () => {
  const { lost, send, start, worker } = fakeLink();
  const started = start();
  send('ready', JSON.stringify({ version: '3.14.0', stackSwitching: true }));
  expect((await started).ok).toBe(true);
  send('failed', unread);
  expect(lost).toEqual([]);
  worker.onmessageerror();
  expect(lost).toEqual([{ reason: 'protocol', detail: 'sent an unreadable message' }]);
});

it('loses the start if a message of the tool worker cannot be read', async () => {
  const { lost, start, worker } = fakeLink();
  const started = start();
  worker.onmessageerror();
  expect(await started).toEqual({ ok: false, loss: lost[0] });
  expect(lost[0]?.reason).toBe('start');
});
