/** Sections of the status line for the open session: one per key, in order, on the left or the right. */

import { counted } from '../parts/format.ts';
import { phaseWords } from './turn-words.ts';
import type { Asked } from './session-calls.svelte.ts';
import type { Models } from './models/models.svelte.ts';
import type { OpenSession } from './open-session.svelte.ts';
import { money, tokenCount } from './transcript/usage-words.ts';

interface StatusSource {
  readonly shown: OpenSession | null;
  readonly models: Pick<Models, 'info' | 'label'>;
  readonly asked: Pick<Asked, 'has'>;
}

export interface StatusSection {
  /** Unique; a later section replaces an earlier one with the same key. */
  readonly key: string;
  readonly side: 'left' | 'right';
  /** Lowest first. */
  readonly order: number;
  /** Tooltip, and label for screen readers. */
  readonly title: string;
  /** Called at each change of the session; an empty text shows nothing. May be untrusted text. */
  readonly text: () => string;
}

export class StatusSections {
  #sections: readonly StatusSection[] = $state.raw([]);

  /** @returns dispose, which restores the section that was replaced */
  register(section: StatusSection): () => void {
    this.#sections = [...this.#sections, section];
    return () => {
      this.#sections = this.#sections.filter((other) => other !== section);
    };
  }

  of(side: StatusSection['side']): readonly StatusSection[] {
    return [...new Map(this.#sections.map((section) => [section.key, section])).values()]
      .filter((section) => section.side === side)
      .sort((a, b) => a.order - b.order);
  }
}

/** Registers the built-in sections. */
export function builtInSections(sessions: StatusSource): StatusSections {
  const sections = new StatusSections();
  const add = (
    key: string,
    side: StatusSection['side'],
    order: number,
    title: string,
    text: () => string,
  ): void => {
    sections.register({ key, side, order, title, text });
  };
  const shown = () => sessions.shown;
  const model = () => shown()?.state.head.model ?? null;
  const label = () => {
    const ref = model();
    return ref === null ? '' : sessions.models.label(ref);
  };
  add('app', 'left', 0, 'Session state', () => {
    const open = shown();
    if (open === null) return '';
    const about = {
      model: label(),
      tool: (id: string) => open.calls.get(id)?.asked.tool ?? '',
      asking: [...open.calls.keys()].some((id) => sessions.asked.has(id)),
      elsewhere: !open.writes,
    };
    // Without a countdown, since the turn's status has one.
    return open.live.phase === 'waiting'
      ? 'Waiting to retry'
      : phaseWords(open.live, about) || 'Session idle';
  });
  add('model', 'left', 10, 'Model', label);
  add('queue', 'left', 20, 'Queued messages', () => {
    const waiting = shown()?.live.queue.length ?? 0;
    return waiting === 0 ? '' : counted(waiting, 'queued message');
  });
  add('bg', 'left', 30, 'Background', () => {
    const open = shown();
    if (open === null) return '';
    if (open.running !== null) return 'Background running';
    if (open.unheard === null) return '';
    return open.unheard.ok ? 'Background finished' : 'Background failed';
  });
  add('tokens', 'right', 0, 'Tokens used in this session', () => {
    const usage = shown()?.state.usage;
    if (usage === undefined || (usage.input === null && usage.output === null)) return '';
    return `${tokenCount(usage.input ?? 0)} in, ${tokenCount(usage.output ?? 0)} out`;
  });
  add('cost', 'right', 10, 'Cost of this session', () => {
    const cost = shown()?.state.cost ?? null;
    return cost === null ? '' : money(cost);
  });
  add('prompt-budget', 'right', 20, 'Model context used', () => {
    const used = shown()?.state.context ?? null;
    const room = sessions.models.info(model())?.context ?? null;
    if (used === null) return '';
    return room === null
      ? `Context ${tokenCount(used)}`
      : `Context ${tokenCount(used)} of ${tokenCount(room)}, ${((used / room) * 100).toFixed(0)} %`;
  });
  return sections;
}
