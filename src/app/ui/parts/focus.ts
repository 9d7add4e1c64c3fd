/** Moves the focus when the focused element is removed, so that it is never lost. */

import { tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';

type Place = () => HTMLElement | null | undefined;

/**
 * Passes the focus on when the element that has this attachment is removed.
 * @param to called after the removal; the first existing element is focused
 */
export function passFocus(...to: readonly Place[]): Attachment<HTMLElement> {
  return (element) => {
    let had = element.contains(document.activeElement);
    const onFocus = (): void => {
      had = true;
    };
    const onFocusOut = (): void => {
      // An element that is removed loses the focus, too.
      queueMicrotask(() => {
        if (element.isConnected && !element.contains(document.activeElement)) had = false;
      });
    };
    element.addEventListener('focusin', onFocus);
    element.addEventListener('focusout', onFocusOut);
    return () => {
      element.removeEventListener('focusin', onFocus);
      element.removeEventListener('focusout', onFocusOut);
      if (had) void focusFirst(...to);
    };
  };
}

/** Focuses an element that replaces the focused one. */
export function takeFocus(element: HTMLElement): void {
  void focusFirst(() => element);
}

/** Focuses the first existing element, unless another element has the focus. */
export async function focusFirst(...to: readonly Place[]): Promise<void> {
  await tick();
  const now = document.activeElement;
  if (now !== null && now !== document.body) return;
  for (const place of to) {
    const element = place();
    if (!element?.isConnected) continue;
    element.focus({ preventScroll: true });
    return;
  }
}
