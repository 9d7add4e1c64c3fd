/**
 * The user's trials with the calls of a session, which do not change it: other arguments, and
 * another result.
 */

import { argumentsFault, longestChanged } from '../policy/question-words.ts';
import { indentJson } from '../json/json-text.ts';
import { Draft } from '../tools/forms/draft.svelte.ts';
import type { JsonText } from '../../../runtime/spec/json.ts';
import type { Run } from '../tools/runs/runs.svelte.ts';

/** A call that is run again beside the session. */
export class CallTrial {
  readonly draft: Draft;
  /** The latest run; null before the first. */
  run: Run | null = $state.raw(null);

  constructor(args: JsonText) {
    this.draft = draftFrom(args);
  }
}

export class CallTrials {
  /** Arguments of a call that step mode holds, by its id. */
  #held: { readonly callId: string; readonly draft: Draft } | null = $state.raw(null);
  #trials: ReadonlyMap<string, CallTrial> = $state.raw(new Map());

  /** The arguments that the user is writing for a call that step mode holds. */
  heldDraft(callId: string): Draft | null {
    return this.#held?.callId === callId ? this.#held.draft : null;
  }

  /** Starts to edit the arguments of a call that step mode holds. */
  editHeld(callId: string, args: JsonText): void {
    this.#held = { callId, draft: draftFrom(args) };
  }

  /** Returns to the model's arguments. */
  dropHeld(): void {
    this.#held = null;
  }

  trial(callId: string): CallTrial | null {
    return this.#trials.get(callId) ?? null;
  }

  /** Opens the trial of a call, with its own arguments at first. */
  open(callId: string, args: JsonText): void {
    if (!this.#trials.has(callId))
      this.#trials = new Map(this.#trials).set(callId, new CallTrial(args));
  }

  close(callId: string): void {
    const next = new Map(this.#trials);
    next.delete(callId);
    this.#trials = next;
  }
}

/** Returns whether the user has changed the arguments. */
export function isEdited(draft: Draft): boolean {
  return draft.text !== draft.template;
}

/** Returns whether a call can run with the text. */
export function isValidArguments(text: JsonText): boolean {
  return text.length <= longestChanged && argumentsFault(text) === '';
}

function draftFrom(args: JsonText): Draft {
  return new Draft(indentJson(args), () => []);
}
