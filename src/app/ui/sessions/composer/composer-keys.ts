/** Handles the keys of the message field. */

import type { Composer } from './composer.svelte.ts';
import type { Suggestion } from './slash.svelte.ts';

export interface ComposerKeys {
  readonly field: HTMLTextAreaElement;
  readonly composer: Pick<Composer, 'text' | 'write' | 'recall'>;
  /** Whether Enter adds a line, as on a phone. */
  readonly entersLines: boolean;
  readonly suggestions: readonly Suggestion[];
  /** Texts of earlier messages, newest first. */
  readonly earlier: () => readonly string[];
  readonly send: () => void;
}

export function onComposerKey(event: KeyboardEvent, keys: ComposerKeys): void {
  if (event.isComposing) return;
  const { field, composer, suggestions } = keys;
  const held = event.ctrlKey || event.metaKey;
  if (event.key === 'Enter' && (held || (!event.shiftKey && !keys.entersLines))) {
    event.preventDefault();
    keys.send();
    return;
  }
  const [first] = suggestions;
  if (event.key === 'Tab' && !event.shiftKey && first && first.text !== composer.text) {
    event.preventDefault();
    composer.write(first.text);
    return;
  }
  const { selectionStart, selectionEnd, value } = field;
  const atStart = event.key === 'ArrowUp' && selectionEnd === 0;
  const atEnd = event.key === 'ArrowDown' && selectionStart === value.length;
  if (!atStart && !atEnd) return;
  if (composer.recall(keys.earlier(), atStart ? 1 : -1)) event.preventDefault();
}
