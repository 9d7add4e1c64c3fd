import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Commands, type SlashCommand } from '../../shell/commands.svelte.ts';
import { until } from '../../../../runtime/hooks/until.ts';
import { SlashCommands } from './slash.svelte.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function made(...all: readonly Partial<SlashCommand>[]) {
  const ran: string[] = [];
  const commands = new Commands();
  commands.register(() =>
    all.map((one) => ({
      words: '',
      detail: 'd',
      available: true,
      choose: () => undefined,
      slash: {
        name: 'hello',
        immediate: false,
        complete: null,
        run: (args: string, session: string) => {
          ran.push(`${args} in ${session}`);
          return Promise.resolve();
        },
        ...one,
      },
    })),
  );
  return { slash: new SlashCommands(commands), ran };
}

const now = (): Promise<void> => Promise.resolve();

test('suggests the commands that begin with what is written', () => {
  const { slash } = made({ name: 'hello' }, { name: 'help' }, { name: 'other' });
  expect(slash.suggestions('/hel').map(({ text }) => text)).toEqual(['/hello ', '/help ']);
  expect(slash.suggestions('/')).toHaveLength(3);
  expect(slash.suggestions('hel')).toEqual([]);
});

test('runs a command with its arguments; other text is a message', async () => {
  const { slash, ran } = made({});
  expect(slash.run('/hello a b', 's', now)).toBe(true);
  expect(slash.run('/unknown', 's', now)).toBe(false);
  expect(slash.run('hello', 's', now)).toBe(false);
  await Promise.resolve();
  expect(ran).toEqual(['a b in s']);
});

test('does not read the list of commands for text that is not a command', () => {
  let reads = 0;
  const slash = new SlashCommands({
    get slash() {
      reads += 1;
      return [];
    },
  });
  for (const text of ['', 'hello', '/etc/hosts', '/']) {
    expect(slash.isCommand(text)).toBe(false);
    expect(slash.unknownWords(text)).toBe('');
    expect(slash.run(text, 's', now)).toBe(false);
    slash.follow(text)();
  }
  expect(reads).toBe(0);
  slash.isCommand('/hello');
  expect(reads).toBe(1);
});

test.each([
  ['/titel Trip', 'There is no command /titel. Did you mean /title? Nothing was sent.'],
  ['/TITLE Trip', 'There is no command /TITLE. Did you mean /title? Nothing was sent.'],
  ['  /back now', 'There is no command /back. Did you mean /background? Nothing was sent.'],
  [
    '/xyzzyplugh',
    'There is no command /xyzzyplugh. Write / to see all commands. Nothing was sent.',
  ],
  ['/tmp is full', 'There is no command /tmp. Write / to see all commands. Nothing was sent.'],
  ['/title Trip', ''],
  ['/etc/hosts is wrong', ''],
  ['What is /titel?', ''],
  ['/', ''],
  ['/ title', ''],
  ['//title', ''],
  ['/?', ''],
  ['', ''],
])('says which commands are meant: %j', (text, words) => {
  const { slash } = made({ name: 'title' }, { name: 'background' }, { name: 'model' });
  expect(slash.unknownWords(text)).toBe(words);
});

test('a command waits for the end of a turn, unless it is immediate', async () => {
  const { slash, ran } = made({}, { name: 'now', immediate: true });
  let listener = (): void => undefined;
  const live = { phase: 'asking' };
  const session = {
    observe: (heard: () => void) => {
      listener = heard;
      return () => undefined;
    },
  };
  const idle = (): Promise<void> => until(session, () => live.phase === 'idle');
  slash.run('/hello later', 's', idle);
  slash.run('/now', 's', idle);
  await vi.advanceTimersByTimeAsync(10);
  expect(ran).toEqual([' in s']);
  live.phase = 'idle';
  listener();
  await vi.advanceTimersByTimeAsync(10);
  expect(ran).toEqual([' in s', 'later in s']);
});

test('asks a command for completions after a pause, and forgets those for an earlier text', async () => {
  const complete = vi.fn((_: AbortSignal, prefix: string) => Promise.resolve([`${prefix}!`]));
  const { slash } = made({ complete });
  const end = slash.follow('/hello a');
  end();
  slash.follow('/hello ab');
  await vi.advanceTimersByTimeAsync(150);
  expect(complete).toHaveBeenCalledTimes(1);
  expect(slash.suggestions('/hello ab')).toEqual([{ text: '/hello ab!', detail: '' }]);
});
