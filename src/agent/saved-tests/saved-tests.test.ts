/** Saved tests: what runs, in which order, and how it ends. */

import { expect, test, vi } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import { fakeSuccess } from '../../runtime/call/logged-call.fixture.ts';
import { FakeTestsFolder, fakeMemory, testFile } from './saved-tests.fixture.ts';

const two = {
  'tests/a.json': testFile(
    { name: 'one', tool: 'a:f', arguments: { n: 1 } },
    { name: 'two', tool: 'a:g', expect: { equals: 2 } },
  ),
  'tests/b.json': testFile({ name: 'three', tool: 'b:f', expect: { error: 'ValueError' } }),
};

test('all tests run in order, and those of a file share an interpreter that ends with it', async () => {
  const fake = new FakeTestsFolder(two);
  fake.judge = (expected) => (expected.includes('error') ? ['it succeeded'] : []);
  const ended: string[] = [];
  const results = await fake.tests.run(
    {},
    { onTest: ({ test: { name }, state }) => ended.push(`${name} ${state}`) },
  );
  expect(ended).toEqual(['one passed', 'two passed', 'three failed']);
  expect(results.map(({ reasons }) => reasons)).toEqual([[], [], ['it succeeded']]);
  expect(fake.calls.map(({ sessionId }) => sessionId)).toEqual([
    fake.opened[0],
    fake.opened[0],
    fake.opened[1],
  ]);
  expect(fake.closed).toEqual(fake.opened);
  expect(fake.calls[0]).toMatchObject({ tool: 'a:f', caller: 'test', validate: true });
  expect(fake.tests.view).toMatchObject({ passed: 2, failed: 1, running: null });
});

test('arguments and expectation keep the spelling of their numbers', async () => {
  const spelt =
    '[{"tool": "a:f", "arguments": {"n": 3.0, "m": 12345678901234567890}, "expect": {"equals": 1e2}}]';
  const fake = new FakeTestsFolder({ 'tests/a.json': spelt });
  fake.answer = () => ({
    ...fakeSuccess('3'),
    metadata: '{"n": 2.0}',
    updates: [{ n: 0, json: '1.0' }],
  });
  await fake.tests.run({});
  expect(fake.calls[0]?.arguments).toBe('{"n": 3.0, "m": 12345678901234567890}');
  const [expected, outcome] = fake.judged[0] ?? [];
  expect(expected).toBe('{"equals": 1e2}');
  expect(outcome).toContain('"metadata":{"n": 2.0},"updates":[1.0]');
});

test('a selected test runs after those before it in its file, and no later one', async () => {
  const fake = new FakeTestsFolder({
    'tests/a.json': testFile(...['one', 'two', 'three'].map((name) => ({ name, tool: 'a:f' }))),
  });
  const results = await fake.tests.run({ tests: ['two'] });
  expect(results.map(({ test: { name } }) => name)).toEqual(['two']);
  expect(fake.states).toEqual(['one: passed', 'two: passed', 'three: not-run']);
});

test('a stop ends the run: the running test is stopped, and the others have not run', async () => {
  const fake = new FakeTestsFolder(two);
  fake.answer = (_, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        resolve(failure('cancelled', ''));
      });
      fake.tests.stop();
    });
  await fake.tests.run({});
  expect(fake.states).toEqual(['one: stopped', 'two: not-run', 'three: not-run']);
  expect([fake.closed.length, fake.tests.view.running]).toEqual([1, null]);
});

test('a stop ends the runs that wait, too, and a later run starts', async () => {
  const fake = new FakeTestsFolder(two);
  await fake.tests.run({});
  fake.calls.length = 0;
  fake.answer = (_, signal) => {
    if (fake.calls.length > 1) return fakeSuccess('2');
    fake.tests.stop();
    return signal.aborted ? failure('cancelled', '') : fakeSuccess('2');
  };
  const [, waiting] = await Promise.all([fake.tests.run({}), fake.tests.run({ tests: ['three'] })]);
  expect(fake.calls.map(({ tool }) => tool)).toEqual(['a:f']);
  // An earlier result is not taken for one of this run.
  expect(waiting.map(({ test: { name }, state }) => `${name} ${state}`)).toEqual(['three not-run']);
  await fake.tests.run({ tests: ['three'] });
  expect(fake.states[2]).toBe('three: passed');
});

test('a comparison that cannot be made fails the test alone', async () => {
  const fake = new FakeTestsFolder(two);
  fake.judge = (expected) =>
    expected.includes('equals') ? Promise.reject(new Error('it took too long')) : [];
  await fake.tests.run({});
  expect(fake.states).toEqual(['one: passed', 'two: failed', 'three: passed']);
  expect(fake.tests.view.tests[1]?.reasons).toEqual([
    'the result could not be compared: it took too long',
  ]);
  const inconclusive = fake.tests.view.tests.map(({ result }) => result?.isInconclusive);
  expect(inconclusive).toEqual([undefined, true, undefined]);
});

test('a test whose call was refused has failed, but says nothing about its tool', async () => {
  const fake = new FakeTestsFolder(two);
  fake.answer = ({ tool }) =>
    tool === 'b:f'
      ? failure('LookupError: there is no tool b:f', '')
      : failure('ToolError: no', '', { interpreter: 'python-1', traceback: '' });
  fake.judge = () => ['it failed'];
  await fake.tests.run({});
  expect(fake.states).toEqual(['one: failed', 'two: failed', 'three: failed']);
  const inconclusive = fake.tests.view.tests.map(({ result }) => result?.isInconclusive);
  expect(inconclusive).toEqual([undefined, undefined, true]);
});

test('a tool whose approval is not given needs approval; one that is given holds for the whole run', async () => {
  const fake = new FakeTestsFolder(two);
  const allowed: boolean[] = [];
  fake.answer = (call) => {
    allowed.push(fake.isAllowed(call.sessionId, 'a:g'));
    if (call.tool === 'b:f') return failure('approval_required', '');
    const answer = { approval: 'once', reason: '' } as const;
    fake.emit({ type: 'call-queued', call, at: 0 });
    fake.emit({ type: 'call-answered', callId: call.id, tool: 'a:g', answer });
    return fakeSuccess('2');
  };
  await fake.tests.run({});
  expect(fake.states).toEqual(['one: passed', 'two: passed', 'three: needs-approval']);
  expect(allowed).toEqual([false, true, true]);
});

test('what the user allows to another call meanwhile is not allowed to tests', async () => {
  const fake = new FakeTestsFolder(two);
  const allowed: boolean[] = [];
  fake.answer = (call) => {
    allowed.push(fake.isAllowed(call.sessionId, 'a:g'));
    const answer = { approval: 'once', reason: '' } as const;
    fake.emit({ type: 'call-queued', call: { ...call, id: 'x', sessionId: 'other' }, at: 0 });
    fake.emit({ type: 'call-answered', callId: 'x', tool: 'a:g', answer });
    return fakeSuccess('2');
  };
  await fake.tests.run({});
  expect(allowed).toEqual([false, false, false]);
});

test('a change runs again only what has run before and may end differently', async () => {
  const fake = new FakeTestsFolder(two);
  await fake.tests.refresh();
  await fake.tests.changed({ loaded: ['a.py', 'b.py'], gone: [] });
  expect(fake.calls).toEqual([]);
  await fake.tests.run({});
  fake.calls.length = 0;
  await fake.tests.changed({ loaded: ['b.py'], gone: [] });
  expect(fake.calls.map(({ tool }) => tool)).toEqual(['b:f']);
  fake.calls.length = 0;
  fake.write({ 'tests/b.json': testFile({ name: 'other', tool: 'b:f' }) });
  await fake.tests.changed({ loaded: [], gone: [] });
  expect(fake.calls.map(({ tool }) => tool)).toEqual(['b:f']);
  expect(fake.states).toEqual(['one: passed', 'two: passed', 'other: passed']);
});

test('an automatic run leaves out tests that need an approval', async () => {
  const fake = new FakeTestsFolder(two);
  await fake.tests.run({});
  fake.calls.length = 0;
  fake.approval = true;
  await fake.tests.changed({ loaded: ['b.py'], gone: [] });
  expect([fake.calls, fake.states[2]]).toEqual([[], 'three: needs-approval']);
  // A run that the user requests includes it.
  await fake.tests.run({ tests: ['three'] });
  expect(fake.states[2]).toBe('three: passed');
});

test('a run that waits when another folder is opened does not run there', async () => {
  const fake = new FakeTestsFolder(two);
  await fake.tests.refresh();
  const waiting = fake.tests.run({});
  fake.tests.clear();
  expect([await waiting, fake.calls]).toEqual([[], []]);
  // The same request runs if it comes later.
  expect(await fake.tests.run({})).toHaveLength(3);
});

test('another folder ends the run and forgets the results', async () => {
  const fake = new FakeTestsFolder(two);
  await fake.tests.run({});
  const seen = vi.fn();
  fake.tests.observe(seen);
  fake.tests.clear();
  expect(seen).toHaveBeenCalledWith({
    tests: [],
    problems: [],
    passed: 0,
    failed: 0,
    running: null,
  });
});

test('results survive a reload; they are stale once the tool’s file has changed, and gone with the test', async () => {
  const memory = fakeMemory();
  const before = new FakeTestsFolder(two, memory);
  before.judge = (expected) => (expected.includes('error') ? ['it succeeded'] : []);
  await before.tests.run({});

  const after = new FakeTestsFolder(two, memory);
  await after.tests.refresh();
  expect(after.states).toEqual(['one: passed', 'two: passed', 'three: failed']);
  expect(after.tests.view).toMatchObject({ passed: 2, failed: 1 });
  expect(after.tests.view.tests[2]).toMatchObject({ reasons: ['it succeeded'], isStale: false });

  const changed = new FakeTestsFolder(two, memory);
  changed.hash = 'second';
  await changed.tests.refresh();
  expect(changed.tests.view.tests.map(({ isStale }) => isStale)).toEqual([true, true, true]);
  expect(changed.tests.view).toMatchObject({ passed: 0, failed: 0 });
  await changed.tests.run({ tests: ['three'] });
  expect(changed.tests.view.tests[2]).toMatchObject({ state: 'passed', isStale: false });

  const other = { ...two, 'tests/b.json': testFile({ name: 'three', tool: 'b:f' }) };
  const edited = new FakeTestsFolder(other, memory);
  await edited.tests.refresh();
  expect(edited.states).toEqual(['one: passed', 'two: passed', 'three: not-run']);
});
