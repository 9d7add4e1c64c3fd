/** The models of one session: asks its provider, or answers from the recording that the session plays. */

import type { ModelProviders } from '../providers/model-providers.ts';
import { nextMessages } from '../session/recording/playback-position.ts';
import type { SessionState } from '../session/session-state.ts';
import type {
  ModelInfo,
  ModelPart,
  ModelRef,
  ModelRequest,
  UserPart,
} from '../../runtime/spec/model.ts';
import { replayProvider } from '../../runtime/spec/recording.ts';
import type { Exchanges } from './exchanges.ts';
import { findRecordedAnswer, type PlayedRecordings } from './playback.ts';
import type { RecordedAnswers } from './recorded-answers.ts';

export interface SessionModelsDeps {
  readonly providers: Pick<ModelProviders, 'ask' | 'info'>;
  readonly recorded: Pick<RecordedAnswers, 'give'>;
  readonly recordings: PlayedRecordings;
  readonly exchanges: Exchanges;
}

export class SessionModels {
  readonly #log: { readonly state: SessionState };
  readonly #deps: SessionModelsDeps;

  constructor(log: { readonly state: SessionState }, deps: SessionModelsDeps) {
    this.#log = log;
    this.#deps = deps;
  }

  info(model: ModelRef): ModelInfo | undefined {
    return this.#deps.providers.info(model);
  }

  /**
   * Asks a model.
   *
   * @param stepId the step of the answer; null for requests outside the session's messages, such as summaries
   * @throws {ModelError}
   */
  ask(
    signal: AbortSignal,
    model: ModelRef,
    request: ModelRequest,
    stepId: string | null,
  ): AsyncIterable<ModelPart> {
    const { providers, recorded, recordings, exchanges } = this.#deps;
    const { state } = this.#log;
    // The provider of recordings gives the answer that it gets here.
    if (model.provider === replayProvider && state.replays !== null)
      recorded.give(request, findRecordedAnswer(recordings.of(this.#log), state, stepId));
    return providers.ask(model)(
      signal,
      request,
      stepId === null ? undefined : (load) => exchanges.keep(stepId, load),
    );
  }

  /** The messages that the recording sends at this point of the turn; empty if none plays. */
  recordedMessages(): readonly (readonly UserPart[])[] {
    const recording = this.#deps.recordings.of(this.#log);
    return recording === null ? [] : nextMessages(recording, this.#log.state);
  }
}
