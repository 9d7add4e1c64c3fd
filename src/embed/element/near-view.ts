/** Notices when an element comes near the visible part of the page. */

/** Pixels above and below the visible part. */
const margin = 600;

let observer: IntersectionObserver | null = null;
const waiting = new WeakMap<Element, () => void>();

/** Calls `then` once, as soon as the element is near the view; at once if the browser cannot tell. */
export function onceNear(element: Element, signal: AbortSignal, then: () => void): void {
  if (signal.aborted) return;
  if (typeof IntersectionObserver === 'undefined') {
    then();
    return;
  }
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        observer?.unobserve(target);
        waiting.get(target)?.();
      }
    },
    { rootMargin: `${margin}px 0px` },
  );
  waiting.set(element, then);
  observer.observe(element);
  signal.addEventListener('abort', () => observer?.unobserve(element));
}
