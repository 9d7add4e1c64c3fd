/**
 * Keeps the schema of a form the same object if Python finds the same schema as was read from the source before. If the schema
 * is another one, the focus stays in the field of the same value.
 */

import { tick } from 'svelte';
import type { JsonObject } from '../../runtime/spec/json.ts';

/** @param section the element around the form */
export function keptSchema(
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

  // Another schema makes other fields, so the focus returns to the field of the same value.
  $effect.pre(() => keepFocus(parameters, section));

  return {
    get parameters() {
      return parameters;
    },
  };
}

function keepFocus(_next: JsonObject, section: () => HTMLElement): (() => void) | undefined {
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
