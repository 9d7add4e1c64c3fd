/** What the fields of one argument form share: their state, the props of their controls, and how they take the focus. */

import { createContext } from 'svelte';
import { Budget, nextFrame } from '../../../../runtime/async/pace.ts';
import type { ArgumentErrors } from './argument-errors.svelte.ts';
import type { ArgumentForm } from './argument-form.svelte.ts';
import { type ArgumentPath, toPointer } from './argument-place.ts';
import type { Shape } from './form-schema.ts';
import type { JsonValue } from './json-value.ts';

export interface FormContext {
  readonly form: ArgumentForm;
  readonly errors: ArgumentErrors;
  readonly slices: Slices;
}

/** Props of each control. */
export interface ControlProps {
  /** Id of the element that the label refers to. */
  readonly id: string;
  readonly path: ArgumentPath;
  readonly value: JsonValue | undefined;
  readonly shape: Shape;
  readonly required: boolean;
  /** Id of the error; undefined if there is none. */
  readonly described: string | undefined;
}

/** Number of fields up to which a group is short, so that showing them all takes little time. */
export const shortGroup = 40;
/** Maximum number of fields in nested groups that are open at first. */
const maxNested = 1_200;

/** Lets the groups of a form add fields in turn, one slice per frame, because nested groups multiply the fields. */
export class Slices {
  readonly #nested = new Budget(maxNested);
  readonly #waiting = new Set<() => void>();
  #isRunning = false;
  #isFrameTaken = false;

  /**
   * Returns whether a group is open at first. Long, deeply nested groups are closed, so that a form with many lists starts
   * short.
   * @param depth 0 for the group of all arguments, which is always open
   */
  startsOpen(depth: number, fields: number): boolean {
    if (depth === 0) return true;
    if (depth >= 6 || (depth >= 2 && fields > shortGroup)) return false;
    return this.#nested.take(fields);
  }

  /** Returns whether a new group may show its first slice in this frame. Only the first group that asks may. */
  takeFrame(): boolean {
    if (this.#isFrameTaken) return false;
    this.#isFrameTaken = true;
    nextFrame(window, () => (this.#isFrameTaken = false));
    return true;
  }

  /** @param grow called in a later frame, in which no other group grows @returns cancel */
  request(grow: () => void): () => void {
    this.#waiting.add(grow);
    this.#run();
    return () => this.#waiting.delete(grow);
  }

  #run(): void {
    if (this.#isRunning || this.#waiting.size === 0) return;
    this.#isRunning = true;
    nextFrame(window, () => {
      this.#isRunning = false;
      const [grow] = this.#waiting;
      if (grow !== undefined) this.#waiting.delete(grow);
      grow?.();
      this.#run();
    });
  }
}

export const [getForm, setForm] = createContext<FormContext>();

/**
 * Focuses the field of a value, or of the closest value that contains it, after the next render. If this is a group whose
 * fields come in a later frame, waits for them, unless the user moves the focus meanwhile.
 * @param waited what had the focus when the wait began; undefined before
 */
export function focusField(path: ArgumentPath, waited?: Element | null): void {
  requestAnimationFrame(() => {
    const focused = document.activeElement;
    if (waited !== undefined && waited !== focused) return;
    for (let length = path.length; length > 0; length -= 1) {
      const place = CSS.escape(toPointer(path.slice(0, length)));
      const field = document.querySelector<HTMLElement>(`[data-path="${place}"]`);
      if (field === null) continue;
      if (field.ariaBusy === 'true') {
        focusField(path, focused);
        return;
      }
      const target = field.matches('input, select, textarea, button')
        ? field
        : (field.querySelector<HTMLElement>('input, select, textarea') ??
          field.querySelector('button'));
      target?.focus();
      target?.scrollIntoView({ block: 'nearest' });
      return;
    }
  });
}
