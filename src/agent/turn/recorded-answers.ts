/** The answers of recordings: each request gets the answer that was set for it. */

import { modelNotFound } from '../providers/provider-faults.ts';
import { replayOf, type ReplayDeps } from '../providers/replay-answer.ts';
import type { AskModel, ModelRequest } from '../../runtime/spec/model.ts';
import { replayProvider, type RecordedStep } from '../../runtime/spec/recording.ts';

export class RecordedAnswers {
  readonly #deps: ReplayDeps;
  readonly #answers = new WeakMap<ModelRequest, RecordedStep>();

  constructor(deps: ReplayDeps) {
    this.#deps = deps;
  }

  /** Sets how a request is answered, whatever it says. */
  give(request: ModelRequest, played: RecordedStep): void {
    this.#answers.set(request, played);
  }

  /** Returns what answers the requests to a model. It throws a ModelError if no answer is set for a request. */
  answering(model: string): AskModel {
    const deps = this.#deps;
    const answers = this.#answers;
    return async function* (signal, request) {
      const played = answers.get(request);
      if (played === undefined) throw modelNotFound({ provider: replayProvider, model });
      yield* replayOf(played, deps)(signal, request);
    };
  }
}
