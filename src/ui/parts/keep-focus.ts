/** Keeps the focus on a page whose controls come and go while something runs. */

import type { Attachment } from 'svelte/attachments';
import { focusFirst } from './focus.ts';

/** For an element around such controls: if the focused one is removed, one near to it gets the focus. */
export const keepFocus: Attachment<HTMLElement> = (root) => {
  let focused: Node | null = null;
  const follow = ({ target }: FocusEvent): void => {
    focused = target as Node;
  };
  const observer = new MutationObserver((changes) => {
    const change = changes.find(({ removedNodes }) =>
      [...removedNodes].some((node) => node.contains(focused)),
    );
    if (change !== undefined && focused?.isConnected === false) void focusFirst(() => near(change));
  });
  root.addEventListener('focusin', follow);
  observer.observe(root, { childList: true, subtree: true });
  return () => {
    root.removeEventListener('focusin', follow);
    observer.disconnect();
  };

  /** The first control in the smallest element that has one around the place of the removed control. */
  function near({ target }: MutationRecord): HTMLElement | null {
    for (let around = target as HTMLElement | null; around; around = around.parentElement) {
      const control = around.querySelector<HTMLElement>(
        'button, a[href], summary, input, textarea',
      );
      if (control !== null || around === root) return control;
    }
    return null;
  }
};
