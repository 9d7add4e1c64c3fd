/**
 * Guards a control that allows something: a press that was meant for something else must not allow anything. The control
 * does not react within half a second after it has appeared or moved, or after the page has come to the front. A key that
 * is held down never presses it.
 */

const guardMs = 500;

export class AllowGuard {
  readonly #applies: () => boolean;
  #isSettled: boolean = $state(false);
  #isStill: boolean = $state(false);

  /** @param applies whether the control allows something now, and so needs the guard; true is assumed if it throws */
  constructor(applies: () => boolean = () => true) {
    this.#applies = applies;
  }

  /** Whether the control reacts. Show it: `aria-disabled={!guard.isReady}`. */
  get isReady(): boolean {
    // @mutant a press that was meant for something else allows nothing => !this.#guards() || (this.#isSettled &&
    //   this.#isStill) -> true [component tests/component/question-dialog.test.ts each of several has its place, its
    //   heading in focus, and a guard of its own]
    return !this.#guards() || (this.#isSettled && this.#isStill);
  }

  /** Whether the control reacts to its keyboard shortcut, which works even while the control moves. */
  get isReadyForShortcut(): boolean {
    return !this.#guards() || this.#isSettled;
  }

  #guards(): boolean {
    try {
      return this.#applies();
    } catch {
      // The tool can be removed from the folder just before the button that reads it, as in
      // RunItem, CallPage and CallTrial.
      return true;
    }
  }

  /**
   * Attachment of the control, or of an element around several. Controls with `data-unguarded`
   * always react.
   */
  readonly watch = (element: HTMLElement): (() => void) => {
    const over = new AbortController();
    const { signal } = over;
    const settle = restarting(
      () => (this.#isSettled = false),
      () => (this.#isSettled = true),
    );
    const still = restarting(
      () => (this.#isStill = false),
      () => (this.#isStill = true),
    );
    settle.restart();
    still.restart();
    // @mutant a control that allows must stay still before it reacts => still.restart -> () => undefined [component
    //   tests/component/allow-guard.test.ts row 38: a control that allows does not react within half a second after
    //   it has moved]
    const stopWatching = watchPlace(element, still.restart);
    // Another window may have been closed under the pointer.
    window.addEventListener('focus', settle.restart, { signal });
    document.addEventListener('visibilitychange', settle.restart, { signal });
    const capture = { capture: true, signal };
    const refuse = (event: Event): void => {
      if (this.isReady || isUnguarded(event)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    element.addEventListener('click', refuse, capture);
    // A refused press must not focus the control either, or the next Enter would press it.
    element.addEventListener('mousedown', refuse, capture);
    const refuseHeld = (event: KeyboardEvent): void => {
      // @mutant a held key presses nothing that allows => event.repeat -> false [component
      //   tests/component/allow-guard.test.ts row 38: a held key presses nothing that allows]
      if (event.repeat && /^(Enter| )$/.test(event.key) && this.#guards()) event.preventDefault();
    };
    element.addEventListener('keydown', refuseHeld, capture);
    return () => {
      over.abort();
      stopWatching();
      settle.cancel();
      still.cancel();
    };
  };
}

function isUnguarded({ target }: Event): boolean {
  return target instanceof Element && target.closest('[data-unguarded]') !== null;
}

/** Calls `begin`, and `end` when the page has been shown for the guard's time since the last restart. */
function restarting(begin: () => void, end: () => void) {
  let cancel = (): void => undefined;
  return {
    restart: (): void => {
      cancel();
      begin();
      cancel = afterShown(guardMs, end);
    },
    cancel: (): void => {
      cancel();
    },
  };
}

interface ShownDeps {
  /** Requests the next frame; a hidden page has none. */
  readonly frame: (then: () => void) => number;
  readonly cancelFrame: (frame: number) => void;
}

/** Runs a callback once something has been visible for a while. @returns cancel */
export function afterShown(
  ms: number,
  then: () => void,
  { frame, cancelFrame }: ShownDeps = {
    frame: (paint) => requestAnimationFrame(paint),
    cancelFrame: (frameId) => {
      cancelAnimationFrame(frameId);
    },
  },
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frameId = frame(() => {
    // @mutant the delay of a guard begins when it is visible => timer = setTimeout(then, ms -> then(
    //   [src/app/ui/parts/allow-guard.svelte.test.ts]
    timer = setTimeout(then, ms);
  });
  return () => {
    cancelFrame(frameId);
    clearTimeout(timer);
  };
}

/** One step for each percent of the element that leaves the place where it was. */
const steps = Array.from({ length: 101 }, (_, percent) => percent / 100);

/**
 * Notices when an element comes into view or moves, whatever the reason: layout, scrolling, or a resized page.
 * @returns stops watching
 */
function watchPlace(element: Element, onMove: () => void): () => void {
  const { documentElement: page } = element.ownerDocument;
  const root = element.ownerDocument;
  let still: IntersectionObserver | null = null;

  /** Watches the rectangle that the element covers now, which a moving element leaves. */
  const follow = (): void => {
    still?.disconnect();
    const place = element.getBoundingClientRect();
    const margins = [
      place.top,
      page.clientWidth - place.right,
      page.clientHeight - place.bottom,
      place.left,
    ];
    const rootMargin = margins.map((px) => `${-Math.floor(px)}px`).join(' ');
    const check = (): void => {
      if (isSamePlace(element.getBoundingClientRect(), place)) return;
      onMove();
      follow();
    };
    still = new IntersectionObserver(check, { root, rootMargin, threshold: steps });
    still.observe(element);
  };

  let isShown = true;
  const shown = new IntersectionObserver(
    (entries) => {
      const now = entries.at(-1)?.isIntersecting ?? false;
      if (now && !isShown) onMove();
      isShown = now;
      if (now) follow();
      else still?.disconnect();
    },
    { root },
  );
  shown.observe(element);
  const over = new AbortController();
  // The watched rectangle is relative to the edges of the page.
  element.ownerDocument.defaultView?.addEventListener('resize', follow, { signal: over.signal });
  return () => {
    over.abort();
    shown.disconnect();
    still?.disconnect();
  };
}

function isSamePlace(a: DOMRect, b: DOMRect): boolean {
  return (['top', 'left', 'right', 'bottom'] as const).every(
    (edge) => Math.abs(a[edge] - b[edge]) < 1,
  );
}
