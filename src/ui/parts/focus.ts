/** Moves the focus when the element that has it is removed, so that it is never lost. */

import { tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';

type Place = () => HTMLElement | null | undefined;

/** Of an element that takes itself away. @param to asked once it is gone; the first that is there has the focus */
export function passFocus(...to: readonly Place[]): Attachment<HTMLElement> {
  return (element) => {
    let had = element.contains(document.activeElement);
    const focused = (): void => {
      had = true;
    };
    const left = (): void => {
      // What is taken out of the page loses it too.
      queueMicrotask(() => {
        if (element.isConnected && !element.contains(document.activeElement)) had = false;
      });
    };
    element.addEventListener('focusin', focused);
    element.addEventListener('focusout', left);
    return () => {
      element.removeEventListener('focusin', focused);
      element.removeEventListener('focusout', left);
      if (had) void focusFirst(...to);
    };
  };
}

/** Of what appears in place of something that had the focus. */
export function takeFocus(element: HTMLElement): void {
  void focusFirst(() => element);
}

/** Gives it to the first place that is there, where nothing else has it. */
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
