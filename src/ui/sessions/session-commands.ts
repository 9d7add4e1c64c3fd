/** The command palette's commands for the session in view. */

import { tick } from 'svelte';
import type { OpenSession } from './open-session.svelte.ts';
import type { SessionList } from './list/session-list.svelte.ts';
import { focusMessageField } from './message-field.ts';

export interface SessionCommand {
  readonly words: string;
  readonly choose: () => void;
}

interface Forking {
  readonly list: Pick<SessionList, 'attempt'>;
  /** @throws {ToolError} */
  fork(id: string, n: number): Promise<void>;
}

/** Commands that are available now. */
export function sessionCommands(shown: OpenSession, sessions: Forking): readonly SessionCommand[] {
  const { conversation, live, busy, begun, writes, entries } = shown;
  const last = entries.findLast(({ kind }) => kind === 'message' || kind === 'step');
  const on = !live.stepMode;
  return [
    command('Stop turn', busy && writes, () => {
      conversation.stop();
      focusMessageField();
    }),
    command(`Turn step mode ${on ? 'on' : 'off'}`, writes, () => {
      conversation.setStepMode(on);
      focusMessageField();
    }),
    command('System prompt', writes, () => {
      shown.editing = 'prompt';
    }),
    command('Rename session', begun && writes, () => {
      // Nothing else can get the focus while the palette is open.
      void tick().then(() => (shown.editing = 'title'));
    }),
    command('Fork session', last !== undefined && !busy, () => {
      void sessions.list.attempt(() => sessions.fork(shown.id, last?.n ?? 0));
    }),
  ].flat();
}

function command(words: string, sensible: boolean, choose: () => void): readonly SessionCommand[] {
  return sensible ? [{ words, choose }] : [];
}
