/** Keeps the focus on a page whose controls come and go while something runs. */

import type { Attachment } from 'svelte/attachments';
import { focusFirst } from './focus.ts';

/**
 * Attachment for an element around such controls: if the focused one is removed, the surrounding
 * part of the page gets the focus. Another control must not get it, since a second press of the
 * same key would use that control.
 */
export const keepFocus: Attachment<HTMLElement> = (root) => {
  let focused: Node | null = null;
  const follow = ({ target }: FocusEvent): void => {
    focused = target as Node;
  };
  const onFocusOut = ({ target }: FocusEvent): void => {
    // An element that is removed loses the focus, too.
    queueMicrotask(() => {
      if (focused === target && focused?.isConnected === true) focused = null;
    });
  };
  const observer = new MutationObserver((changes) => {
    const change = changes.find(({ removedNodes }) =>
      [...removedNodes].some((node) => node.contains(focused)),
    );
    if (change === undefined || focused?.isConnected !== false) return;
    focused = null;
    void focusFirst(() => partAround(change.target as Element));
  });
  root.addEventListener('focusin', follow);
  root.addEventListener('focusout', onFocusOut);
  observer.observe(root, { childList: true, subtree: true });
  return () => {
    root.removeEventListener('focusin', follow);
    root.removeEventListener('focusout', onFocusOut);
    observer.disconnect();
  };

  function partAround(place: Element): HTMLElement {
    const around = place.closest<HTMLElement>('section, form, [role=group], li[aria-label]');
    const part = around !== null && root.contains(around) ? around : root;
    if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
    return part;
  }
};
