/** The live sessions of a page with a fake agent, for tests. */

import { recording as isRecording } from 'virtual:cloche/page-validators';
import { openPage } from '../session/sessions.fixture.ts';
import type { Sessions } from '../session/sessions.ts';
import { type FakeAgent, model } from './agent.fixture.ts';
import { LiveSessions, type LiveSessionsDeps } from './live-sessions.ts';

interface AgentPage {
  readonly sessions: LiveSessions;
  readonly stored: Sessions;
  readonly pageDeps: ReturnType<FakeAgent['pageDeps']>;
}

export function agentPage(agent: FakeAgent, more: Partial<LiveSessionsDeps> = {}): AgentPage {
  const { sessions: stored } = openPage(agent.browser);
  const pageDeps = agent.pageDeps();
  const sessions = new LiveSessions({
    ...pageDeps,
    sessions: stored,
    defaultModel: { current: model, observe: () => () => undefined },
    isRecording,
    ...more,
  });
  return { sessions, stored, pageDeps };
}
