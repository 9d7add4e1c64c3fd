/**
 * Keeps the form of a playground when Python replaces the schema that was read from the source. If the schemas are equal, the
 * object stays the same. Otherwise, all fields are new, and the focus moves to the field of the same value.
 */

import { tick } from 'svelte';
import type { JsonObject } from '../../runtime/spec/json.ts';

/** @param section the element around the form */
export function keepSchema(
  current: () => JsonObject,
  section: () => HTMLElement,
): { readonly parameters: JsonObject } {
  let last: { readonly parameters: JsonObject; readonly text: string } | null = null;
  const parameters = $derived.by(() => {
    const next = current();
    const text = JSON.stringify(next);
    if (last?.text !== text) last = { parameters: next, text };
    return last.parameters;
  });

  $effect.pre(() => keepFocus(parameters, section));

  return {
    get parameters() {
      return parameters;
    },
  };
}

/** @param _parameters the schema, whose changes run the effect */
function keepFocus(_parameters: JsonObject, section: () => HTMLElement): (() => void) | undefined {
  const focused = document.activeElement;
  const path = focused instanceof HTMLElement ? focused.dataset.path : undefined;
  if (path === undefined) return undefined;
  let isOver = false;
  void tick().then(() => {
    if (isOver || focused?.isConnected === true) return;
    const fields = section().querySelectorAll<HTMLElement>('[data-path]');
    [...fields].find((field) => field.dataset.path === path)?.focus();
  });
  return () => {
    isOver = true;
  };
}
