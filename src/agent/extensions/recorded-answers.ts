/** The answers of recordings, as a stream provider: each request gets the answer that was given for it. */

import type { BuiltIn } from './built-ins.ts';
import { notThere } from '../providers/provider-faults.ts';
import { replayOf, type ReplayDeps } from '../providers/replay.ts';
import type { ModelRequest } from '../../runtime/spec/model.ts';
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

  get builtIn(): BuiltIn {
    const deps = this.#deps;
    const answers = this.#answers;
    return {
      name: 'Recordings',
      without: null,
      register: (app) => {
        app.registerStreamProvider(
          replayProvider,
          (model) =>
            async function* (signal, request) {
              const played = answers.get(request);
              if (played === undefined) throw notThere({ provider: replayProvider, model });
              yield* replayOf(played, deps)(signal, request);
            },
        );
      },
    };
  }
}
