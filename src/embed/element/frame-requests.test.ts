import { expect, test } from 'vitest';
import { FrameRequests } from './frame-requests.ts';

const result = { callId: 'c', tool: 'a:f', resultType: 'success', text: '1' } as const;
const whole = { ...result, error: '', durationMs: 1 };

function requests() {
  const sent: unknown[] = [];
  return { sent, frame: new FrameRequests((request) => sent.push(request)) };
}

test('requests wait until the frame is ready, and each gets its own answer', async () => {
  const { sent, frame } = requests();
  const asked = [frame.ask({ type: 'files', files: [] }), frame.ask({ type: 'run' })];
  expect(sent).toEqual([]);
  frame.ready();
  asked.push(frame.ask({ type: 'arguments', arguments: '{}' }));
  expect(sent).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  frame.answer(2, whole, null);
  frame.answer(3, null, 'too many');
  frame.answer(1, null, null);
  frame.answer(99, whole, null);
  expect(await Promise.allSettled(asked)).toMatchObject([
    { value: null },
    { value: whole },
    { reason: { message: 'too many' } },
  ]);
});

test('a run that has not been sent is cancelled, and earlier requests are still sent', async () => {
  const { sent, frame } = requests();
  void frame.ask({ type: 'files', files: [] });
  const run = frame.ask({ type: 'run' });
  frame.cancelUnsent();
  await expect(run).rejects.toThrow('The run was cancelled.');
  frame.ready();
  expect(sent).toMatchObject([{ type: 'files' }]);
});

test('when the frame is gone, all requests are rejected; new ones wait for the next frame', async () => {
  const { sent, frame } = requests();
  frame.ready();
  const run = frame.ask({ type: 'run' });
  frame.close('It was removed.');
  await expect(run).rejects.toThrow('It was removed.');
  void frame.ask({ type: 'run' });
  expect(sent).toHaveLength(1);
  frame.ready();
  expect(sent).toHaveLength(2);
});

test('when another frame takes over, it makes the runs that were not sent, and has files and arguments from its start', async () => {
  const { sent, frame } = requests();
  const run = frame.ask({ type: 'run' });
  const files = frame.ask({ type: 'files', files: [] });
  frame.restart();
  const args = frame.ask({ type: 'arguments', arguments: '{}' });
  const late = frame.ask({ type: 'run' });
  frame.restart();
  expect(sent).toEqual([]);
  frame.ready();
  expect(sent).toEqual([
    { type: 'run', id: 1 },
    { type: 'run', id: 4 },
  ]);
  frame.answer(1, whole, null);
  frame.answer(4, whole, null);
  expect(await Promise.all([run, files, args, late])).toEqual([whole, null, null, whole]);
});

test.each([
  ['at once', true],
  ['when its frame was ready', false],
])('a run that was sent %s is not made again by another frame', async (_, isReady) => {
  const { sent, frame } = requests();
  if (isReady) frame.ready();
  const asked = Promise.allSettled([
    frame.ask({ type: 'run' }),
    frame.ask({ type: 'files', files: [] }),
  ]);
  frame.ready();
  expect(sent).toHaveLength(2);
  frame.restart();
  frame.restart();
  frame.ready();
  expect(sent).toHaveLength(2);
  const message = expect.stringMatching(/stopped.*may already have had effects/) as string;
  expect(await asked).toMatchObject([{ reason: { message } }, { value: null }]);
});

test('what waits for another frame is rejected if there is none', async () => {
  const { frame } = requests();
  frame.ready();
  const asked = [frame.ask({ type: 'files', files: [] }), frame.ask({ type: 'run' })];
  frame.restart();
  frame.close('It was removed.');
  const ends = await Promise.allSettled(asked);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
