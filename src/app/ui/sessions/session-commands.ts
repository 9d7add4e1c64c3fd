/** Commands for the session in view. */

import { tick } from 'svelte';
import type { Command } from '../shell/commands.svelte.ts';
import { isUnsent } from '../../../agent/turn/live-state.ts';
import type { OpenSession } from './open-session.svelte.ts';
import type { SessionList } from './list/session-list.svelte.ts';
import { focusMessageField } from './message-field.ts';

interface Forking {
  readonly list: Pick<SessionList, 'attempt'>;
  /** @throws {ToolError} */
  fork(id: string, n: number): Promise<void>;
  compare(id: string): void;
}

/** The commands as they are now. */
export function sessionCommands(shown: OpenSession, sessions: Forking): readonly Command[] {
  const { control, live, busy, begun, writes, entries } = shown;
  const last = entries.findLast(({ kind }) => kind === 'message' || kind === 'step');
  const on = !live.stepMode;
  return [
    {
      ...command('Stop turn', busy && writes, () => {
        control.stop();
        focusMessageField();
      }),
      shortcut: { key: 'Escape', whileWriting: true, stops: true },
    },
    command(
      'Interrupt running calls to send the queued messages',
      writes && live.phase === 'calling' && live.queue.some(isUnsent),
      () => {
        control.interrupt();
        focusMessageField();
      },
    ),
    command(`Turn step mode ${on ? 'on' : 'off'}`, writes, () => {
      control.setStepMode(on);
      focusMessageField();
    }),
    command('System prompt', writes, () => (shown.editing = 'prompt')),
    command(
      shown.view === 'trace' ? 'Show the transcript' : 'Show the trace',
      begun,
      () => (shown.view = shown.view === 'trace' ? 'transcript' : 'trace'),
    ),
    command('Compare with another session', begun, () => sessions.compare(shown.id)),
    command('Rename session', begun && writes, () => {
      // Nothing else can get the focus while the palette is open.
      void tick().then(() => (shown.editing = 'title'));
    }),
    command(
      'Fork session',
      last !== undefined && !busy,
      () => void sessions.list.attempt(() => sessions.fork(shown.id, last?.n ?? 0)),
    ),
  ];
}

function command(words: string, available: boolean, choose: () => void): Command {
  return { words, available, choose };
}
