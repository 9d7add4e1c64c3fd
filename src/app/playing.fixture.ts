/** A page whose sessions play recordings: real sessions with fake tools, clock and browser. */

import { recording as isRecording } from 'virtual:cloche/page-validators';
import { recordingOf } from '../agent/session/recording/recorded-session.ts';
import type { SessionState } from '../agent/session/session-state.ts';
import { openPage } from '../agent/session/sessions.fixture.ts';
import type { AskModel, ModelRef, ModelRequest } from '../runtime/spec/model.ts';
import type { RecordedStep, RecordedTurn, Recording } from '../runtime/spec/recording.ts';
import { FakeAgent } from '../agent/turn/agent.fixture.ts';
import { LiveSessions } from '../agent/turn/live-sessions.ts';
import type { LiveSession } from '../agent/turn/live-session.ts';

/** The signature of `replayOf` in src/agent/providers, which the agent must not import. */
type ReplayOf = (
  answer: RecordedStep,
  effects: {
    newId(): string;
    wait(signal: AbortSignal, ms: number): Promise<void>;
  },
) => AskModel;

export class PlayingPage {
  readonly agent = new FakeAgent();
  readonly liveSessions: LiveSessions;
  /** The model that a new session starts with. */
  readonly defaultModel = {
    current: null as ModelRef | null,
    changed: (): void => undefined,
    observe: (listener: () => void) => {
      this.defaultModel.changed = listener;
      return () => undefined;
    },
  };
  toolsChanged: () => void = () => undefined;
  /** Runs before each piece of a played answer. */
  onPiece: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();

  /** @param replayOf answers instead of a model */
  constructor(replayOf: ReplayOf) {
    const deps = this.agent.pageDeps();
    const { sessions } = openPage(this.agent.browser);
    const given = new WeakMap<ModelRequest, RecordedStep>();
    this.liveSessions = new LiveSessions({
      ...deps,
      sessions,
      recorded: { give: (request, played) => void given.set(request, played) },
      providers: {
        ...deps.providers,
        ask: (model) => (signal, request) => {
          const played = given.get(request);
          if (played === undefined) return deps.providers.ask(model)(signal, request);
          return replayOf(played, {
            newId: () => deps.clock.newId(),
            wait: (during) => this.onPiece(during),
          })(signal, request);
        },
      },
      defaultModel: this.defaultModel,
      registry: Object.assign(deps.registry, {
        observe: (listener: () => void) => {
          this.toolsChanged = listener;
          return () => undefined;
        },
      }),
      isRecording,
    });
  }

  /** Plays a recording until it stops by itself. */
  async play(recording: Recording): Promise<LiveSession> {
    const talk = this.liveSessions.play(recording);
    await this.over(talk);
    return talk;
  }

  async playOn(talk: LiveSession): Promise<void> {
    this.liveSessions.playOn(talk.id);
    await this.over(talk);
  }

  async over({ id }: LiveSession): Promise<void> {
    const until = Date.now() + 20_000;
    while (this.liveSessions.isPlaying(id)) {
      if (Date.now() > until) throw new Error('It plays still.');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

export function recordingWith(...turns: readonly RecordedTurn[]): Recording {
  const tools = ['m:f', 'm:g'];
  return { format: 'cloche-recording', version: 1, title: 'A talk', scripted: true, tools, turns };
}

export function turn(message: string, ...steps: readonly RecordedStep[]): RecordedTurn {
  return { message: [{ type: 'text', text: message }], steps };
}

export function said(text: string): RecordedStep {
  return { parts: [{ type: 'text', text }] };
}

export function called(...args: readonly string[]): RecordedStep {
  return {
    parts: args.map((text) => ({
      type: 'call',
      tool: 'm:f',
      arguments: text,
      result: { resultType: 'success', text },
    })),
  };
}

/** Returns messages, texts and calls turn by turn, without the results of calls. */
export function transcript(from: SessionState | Recording): readonly (readonly string[])[] {
  const { turns } = 'turns' in from ? from : recordingOf(from);
  return turns.map(({ message, steps }) => [
    message.map((part) => (part.type === 'text' ? part.text : '')).join('+'),
    ...steps.map(({ parts }) =>
      parts
        .map((part) => (part.type === 'call' ? `${part.tool} ${part.arguments}` : part.text))
        .join('+'),
    ),
  ]);
}
