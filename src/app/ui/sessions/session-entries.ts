/** The status line's texts for the session in view: an extension that is part of Cloche. */

import { countText } from '../../../runtime/spec/count-text.ts';
import { phaseWords } from './turn-words.ts';
import type { Models } from './models/models.svelte.ts';
import type { Calls } from '../../../agent/session/session-state.ts';
import type { ExtensionApp } from '../../../agent/extensions/app.ts';
import type { BuiltIn } from '../../../agent/extensions/built-ins.ts';
import type { OpenSession } from './open-session.svelte.ts';
import { formatMoney, formatTokens } from '../parts/usage-words.ts';

interface EntriesSource {
  /**
   * The session in view; null if there is none, since its state could then be taken for that of
   * something else.
   */
  readonly inView: OpenSession | null;
  readonly models: Pick<Models, 'info' | 'label'>;
  /** Whether one of these calls is waiting for the user. */
  waitsIn(calls: Pick<Calls, 'has'>): boolean;
}

export function statusLine(sessions: EntriesSource): BuiltIn {
  return {
    name: 'Status line',
    without: 'The status line does not show the state, model, tokens and cost of the session.',
    register: (app) => {
      registerSections(app, sessions);
    },
  };
}

function registerSections(app: ExtensionApp, sessions: EntriesSource): void {
  const add = (
    key: string,
    side: 'left' | 'right',
    order: number,
    title: string,
    text: () => string,
  ): void => {
    app.registerStatusSection({ key, side, order, live: { title, text } });
  };
  const shown = () => sessions.inView;
  const model = () => shown()?.state.head.model ?? null;
  const label = () => {
    const ref = model();
    return ref === null ? '' : sessions.models.label(ref);
  };
  add('app', 'left', 100, 'Session state', () => {
    const open = shown();
    if (open === null) return '';
    const about = {
      model: label(),
      tool: (id: string) => open.calls.get(id)?.asked.tool ?? '',
      asking: sessions.waitsIn(open.calls),
      elsewhere: !open.writes,
    };
    // The text has no countdown, since the turn's status has one.
    return open.live.phase === 'waiting'
      ? 'Waiting to retry'
      : phaseWords(open.live, about) || 'Session idle';
  });
  add('model', 'left', 110, 'Model', label);
  add('queue', 'left', 120, 'Queued messages', () => {
    const waiting = shown()?.live.queue.length ?? 0;
    return waiting === 0 ? '' : countText(waiting, 'queued message');
  });
  add('bg', 'left', 130, 'Background', () => {
    const open = shown();
    if (open === null) return '';
    if (open.running !== null) return 'Background running';
    if (open.unheard === null) return '';
    return open.unheard.ok ? 'Background finished' : 'Background failed';
  });
  add('tokens', 'right', 0, 'Tokens used in this session', () => {
    const usage = shown()?.state.usage;
    if (usage === undefined || (usage.input === null && usage.output === null)) return '';
    return `${formatTokens(usage.input ?? 0)} in, ${formatTokens(usage.output ?? 0)} out`;
  });
  add('cost', 'right', 10, 'Cost of this session', () => {
    const cost = shown()?.state.cost ?? null;
    return cost === null ? '' : formatMoney(cost);
  });
  add('prompt-budget', 'right', 20, 'Model context used', () => {
    const used = shown()?.state.context ?? null;
    const room = sessions.models.info(model())?.context ?? null;
    if (used === null) return '';
    return room === null
      ? `Context ${formatTokens(used)}`
      : `Context ${formatTokens(used)} of ${formatTokens(room)}, ${((used / room) * 100).toFixed(0)} %`;
  });
}
