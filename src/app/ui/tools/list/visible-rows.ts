/** Computes which rows of a long list are in view. */

/** Rows that are rendered beyond each edge, so that scrolling shows no gap. */
const margin = 12;

/**
 * Indices of the rows to render: those in view, some around them, and the row `always`. That is the row which the Tab key
 * reaches; without its element, the list would lose the focus.
 */
export function visibleRows(
  view: { readonly top: number; readonly height: number; readonly rowHeight: number },
  count: number,
  always: number,
): readonly number[] {
  const first = Math.max(0, Math.floor(view.top / view.rowHeight) - margin);
  const last = Math.min(count - 1, Math.ceil((view.top + view.height) / view.rowHeight) + margin);
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  if (always >= count || always < 0 || (always >= first && always <= last)) return rows;
  return always < first ? [always, ...rows] : [...rows, always];
}

/** The scroll position that brings a row into view with the least movement. */
export function scrollTopFor(
  row: number,
  view: { readonly top: number; readonly height: number; readonly rowHeight: number },
): number {
  const top = row * view.rowHeight;
  if (top < view.top) return top;
  return Math.max(view.top, top + view.rowHeight - view.height);
}
