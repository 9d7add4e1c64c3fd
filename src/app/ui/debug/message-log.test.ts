import { expect, onTestFinished, test, vi } from 'vitest';
import { MessageLog } from './message-log.ts';

function open() {
  const printed: string[] = [];
  const report = vi.fn<(thrown: unknown) => void>();
  return { printed, log: new MessageLog({ print: (line) => void printed.push(line), report }) };
}

function watchedPort(log: MessageLog, channel: 'models' | 'broker' | 'network'): MessagePort {
  const { port1 } = new MessageChannel();
  onTestFinished(() => port1.close());
  return log.watch(channel, port1);
}

const question = (method: string, value: unknown) => ({
  id: 1,
  type: 'APPLY',
  path: [method],
  argumentList: [{ type: 'RAW', value }],
});

test('a message is logged with sender, receiver, kind, size and content, also in the console', () => {
  const { log, printed } = open();
  watchedPort(log, 'broker').postMessage({ type: 'cancel', id: 1 });
  expect(log.entries).toMatchObject([{ channel: 'broker', sent: true, kind: 'cancel', bytes: 13 }]);
  const [entry] = log.entries;
  if (entry === undefined) throw new Error('nothing was logged');
  expect(printed).toEqual([entry.line]);
  expect(printed[0]).toMatch(
    /Z {2}page → broker {2}cancel {2}13 bytes {2}{"type": "cancel", "id": 1}$/,
  );
});

test('a key that was once sent to the models worker is masked in every later message', () => {
  const { log } = open();
  const access = { key: 'sk-123456789abc', headers: [['x-token', 'Bearer abcdefghij']] };
  watchedPort(log, 'models').postMessage(question('list', { access }));
  watchedPort(log, 'broker').postMessage({ type: 'call', text: 'sk-123456789abc and abcdefghij' });
  watchedPort(log, 'network').postMessage(question('open', { secrets: ['hunter2hunter2'] }));
  watchedPort(log, 'broker').postMessage({ type: 'call', text: 'hunter2hunter2' });
  const text = log.entries.map(({ preview }) => preview).join('\n');
  expect(text).not.toMatch(/sk-123|abcdefghij|hunter2/);
  expect(text.match(/\*{10,}/g)).toHaveLength(3);
});

test('a key of the folder that a tool prints is masked, also after its folder was closed', () => {
  const { log, printed } = open();
  const port = watchedPort(log, 'broker');
  const print = (): void => port.postMessage({ type: 'stream', out: 'folder-key-1' });
  print();
  // The positive control: without the keys, the log has what the tool prints.
  expect(printed.at(-1)).toContain('folder-key-1');
  let keys = ['folder-key-1'];
  log.hide(() => keys);
  print();
  keys = [];
  print();
  port.postMessage({ type: 'folder-key-1' });
  expect(printed.slice(1).join('\n')).not.toContain('folder-key-1');
  expect(printed).toHaveLength(4);
});

test('what arrives cannot fill the list of keys, and too many keys leave the contents out', () => {
  const { log } = open();
  const keys = Array.from({ length: 300 }, (_, n) => `key-number-${String(n)}`);
  const broker = watchedPort(log, 'broker');
  broker.dispatchEvent(new MessageEvent('message', { data: question('open', { secrets: keys }) }));
  broker.postMessage({ type: 'call', text: 'key-number-1' });
  expect(log.entries.at(-1)?.preview).toContain('key-number-1');
  watchedPort(log, 'network').postMessage(question('open', { secrets: keys }));
  broker.postMessage({ type: 'call', text: 'key-number-299' });
  expect(log.entries.at(-1)).toMatchObject({ kind: '[not shown: too many keys]' });
  expect(log.entries.at(-1)?.line).not.toContain('key-number');
});

test('in a flood, the latest messages are kept, and few reach the console', () => {
  const { log, printed } = open();
  const port = watchedPort(log, 'broker');
  for (let id = 0; id < 5_000; id += 1) port.postMessage({ type: 'credit', id });
  expect(log.entries).toHaveLength(2_000);
  expect(log.entries.at(-1)?.preview).toContain('4999');
  expect(printed.length).toBeLessThanOrEqual(50 * 20);
  expect(printed).toContain('Further messages of this second are only in the panel.');
});

test('a paused log counts what it leaves out, until it is cleared', () => {
  const { log } = open();
  const port = watchedPort(log, 'broker');
  log.pause(true);
  port.postMessage({ type: 'cancel', id: 1 });
  expect([log.entries.length, log.skipped]).toEqual([0, 1]);
  log.pause(false);
  port.postMessage({ type: 'cancel', id: 2 });
  expect(log.entries).toHaveLength(1);
  log.clear();
  expect([log.entries.length, log.skipped]).toEqual([0, 0]);
});

test('messages that workers report are sorted by time', async () => {
  const { log } = open();
  const reports = log.reports('tool worker');
  onTestFinished(() => reports.close());
  const at = Date.now() - 1_000;
  watchedPort(log, 'broker').postMessage({ type: 'cancel', id: 1 });
  const logged = new Promise<void>((resolve) => {
    log.observe(() => resolve());
  });
  const message = { at, sent: false, kind: 'step', bytes: 4, preview: 'text' };
  reports.postMessage({ messages: [message], skipped: 3 });
  await logged;
  await expect.poll(() => log.entries.map(({ kind }) => kind)).toEqual(['step', 'cancel']);
  expect(log.skipped).toBe(3);
});

test('reports of a worker are checked, and what is not a message counts as skipped', async () => {
  const { log, printed } = open();
  const port = log.reports('tool worker');
  onTestFinished(() => port.close());
  const message = { at: 5, sent: true, kind: 'call', bytes: 3, preview: 'abc' };
  const bad = [
    null,
    { ...message, preview: 1 },
    { ...message, at: 1e20 },
    { ...message, kind: 'k'.repeat(20_000) },
  ];
  port.postMessage({ messages: [message, ...bad], skipped: 2 });
  for (const other of [null, 'x', { messages: 3, skipped: 0 }, { messages: [], skipped: '1' }])
    port.postMessage(other);
  await vi.waitFor(() => expect(log.skipped).toBe(2 + bad.length + 4));
  expect(log.entries).toMatchObject([message]);
  expect(printed).toHaveLength(1);
});
