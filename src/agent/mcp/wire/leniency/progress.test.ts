import { expect, test } from 'vitest';
import { asFields } from '../../../../runtime/spec/guards.ts';
import { answerTo, connected, done, sloppyServer, stream } from './sloppy-server.fixture.ts';

/** Returns the progress of a call as it is read, and the breaches that were noted. */
async function progressOf(params: object) {
  const server = sloppyServer({
    'tools/call': (id, sent) => {
      const { progressToken } = asFields(sent.params?._meta);
      const notice = { method: 'notifications/progress', params: { progressToken, ...params } };
      return stream(
        `data: ${JSON.stringify({ jsonrpc: '2.0', ...notice })}\n\n`,
        `data: ${answerTo(id, done)}\n\n`,
      );
    },
  });
  await connected(server);
  const { progress } = await server.worker.call(1, 'work', '{}', { idle: 60_000, total: 60_000 });
  const read: unknown = progress === null ? null : JSON.parse(progress.json);
  return { read, problems: await server.problems() };
}

const about = 'notifications/progress:';

test.each<[object, object | null, readonly string[]]>([
  [
    { progress: 1, total: 4, message: 'Reading' },
    { progress: 1, total: 4, message: 'Reading' },
    [],
  ],
  [
    { progress: '1', total: ' 4.5 ' },
    { progress: 1, total: 4.5 },
    [
      `${about} progress is not a number: read as 1.`,
      `${about} total is not a number: read as 4.5.`,
    ],
  ],
  [{ progress: 2, total: null }, { progress: 2 }, [`${about} total is null: ignored.`]],
  [{ progress: 2, total: 'many' }, { progress: 2 }, [`${about} total is not a number: ignored.`]],
  [
    { progress: 2, message: { step: 'b' } },
    { progress: 2, message: '{"step":"b"}' },
    [`${about} message is not a string: read as text.`],
  ],
  [{ progress: 2, message: null }, { progress: 2 }, [`${about} message is null: ignored.`]],
  [
    { message: 'Reading' },
    { progress: 0, message: 'Reading' },
    [`${about} progress is not a number: read as 0.`],
  ],
  [{ progress: 'half' }, null, []],
])('progress is read: %j', async (params, read, problems) => {
  expect(await progressOf(params)).toEqual({ read, problems });
});
