/**
 * Judges whether a page of another origin shows this one in a frame. Such a page can cover, move or hide what the user
 * presses here: docs/decisions/framing.md says what is refused then.
 */

/** The part of `window` that is judged. Reading the origin of a page of another origin throws. */
export interface FramedWindow {
  readonly origin: string;
  readonly parent: FramedWindow;
  readonly top: FramedWindow | null;
}

/** All ancestors are judged. True in case of doubt. The answer cannot change while the page is open. */
export function isFramedByOther(self: FramedWindow): boolean {
  try {
    // @mutant all ancestors of a frame are judged => self; page -> self; page === self && page
    for (let page = self; page !== self.top; page = page.parent) {
      const { origin } = page.parent;
      if (page.parent === page || origin !== self.origin || origin === 'null') return true;
    }
    return false;
  } catch {
    // @mutant a frame that cannot be judged counts as framed by another origin => true -> false
    return true;
  }
}
