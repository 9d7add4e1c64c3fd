/** The answers of recordings, as a stream provider: each request gets the answer that was given for it. */

import type { PlayedAnswer } from '../../agent/conversations.ts';
import type { BuiltIn } from '../../extensions/built-ins.ts';
import { notThere } from '../../providers/provider-faults.ts';
import { replayOf, type ReplayDeps } from '../../providers/replay.ts';
import { toolNames } from '../../registry/provider-names.ts';
import type { ModelRequest } from '../../spec/model.ts';
import { replayProvider } from '../../spec/recording.ts';

export class RecordedAnswers {
  readonly #deps: Omit<ReplayDeps, 'wireOf'>;
  readonly #answers = new WeakMap<ModelRequest, PlayedAnswer>();

  constructor(deps: Omit<ReplayDeps, 'wireOf'>) {
    this.#deps = deps;
  }

  /** Sets how a request is answered, whatever it says. */
  give(request: ModelRequest, played: PlayedAnswer): void {
    this.#answers.set(request, played);
  }

  get builtIn(): BuiltIn {
    const [deps, answers] = [this.#deps, this.#answers];
    return {
      ...{ name: 'Recordings', without: null },
      register: (app) => {
        app.registerStreamProvider(
          replayProvider,
          (model) =>
            async function* (signal, request) {
              const played = answers.get(request);
              if (played === undefined) throw notThere({ provider: replayProvider, model });
              const names = await toolNames(played.tools);
              const wireOf = (tool: string): string | undefined => names.toWire(tool);
              yield* replayOf(played.answer, { ...deps, wireOf })(signal, request);
            },
        );
      },
    };
  }
}
