/** Notices when an element comes into view or moves, whatever the reason: layout, scrolling, another size of the page. */

/** One step for each percent of the element that leaves the place where it was. */
const steps = Array.from({ length: 101 }, (_, percent) => percent / 100);

/** @returns stops watching */
export function watchPlace(element: Element, onMove: () => void): () => void {
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
