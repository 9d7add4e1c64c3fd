/** What the person has pressed in a transcript: by folding something, it may make its row higher or lower. */

/** For which a row that changes is held to have been folded; milliseconds. */
const foldMs = 400;

export interface Press {
  /** Its row is higher or lower than it was when pressed. */
  hasFolded(): boolean;
  /** Pixels by which what was pressed is further down than it was then. */
  movedBy(): number;
}

/** Null for a press on nothing that folds. */
export function pressIn(target: EventTarget | null): Press | null {
  const head = target instanceof Element ? target.closest('summary, button') : null;
  const row = head?.closest('[data-row]') ?? null;
  if (head === null || row === null) return null;
  const until = performance.now() + foldMs;
  const { top, height } = row.getBoundingClientRect();
  const headTop = head.getBoundingClientRect().top;
  return {
    hasFolded: () =>
      performance.now() < until && row.isConnected && row.getBoundingClientRect().height !== height,
    // What shows more often takes its own button away.
    movedBy: () =>
      head.isConnected
        ? head.getBoundingClientRect().top - headTop
        : row.isConnected
          ? row.getBoundingClientRect().top - top
          : 0,
  };
}
