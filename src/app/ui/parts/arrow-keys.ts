/** Moves the focus through the items of a list with the arrow keys. */

import type { Attachment } from 'svelte/attachments';

/** @param items selector of the items, in their order; a search field may be the first */
export function arrowKeys(items: string): Attachment<HTMLElement> {
  return (element) => {
    const move = (event: KeyboardEvent): void => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by === undefined || event.defaultPrevented || event.target instanceof HTMLSelectElement)
        return;
      const all = [...element.querySelectorAll<HTMLElement>(items)];
      const at = all.indexOf(document.activeElement as HTMLElement);
      const next = all[at + by];
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: 'nearest' });
    };
    element.addEventListener('keydown', move);
    return () => element.removeEventListener('keydown', move);
  };
}
