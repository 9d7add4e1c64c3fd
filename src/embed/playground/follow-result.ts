/** Scrolls to the result of a run that the reader has started. */

/** Milliseconds in which the page around the playground gives its frame the height of a new result. */
const startMs = 1_000;

/**
 * Keeps a result in view while it and the frame grow. Once the reader has scrolled away from it, it stays where it is.
 * @returns dispose
 */
export function followResult(result: HTMLElement): () => void {
  const stop = new AbortController();
  const window = result.ownerDocument.defaultView;
  let isInView = true;
  const begun = performance.now();
  const show = (): void => {
    if (isInView || performance.now() - begun < startMs)
      result.scrollIntoView({ block: 'nearest' });
  };
  // Counts what the reader sees of the page around the frame, too.
  const seen = new IntersectionObserver((entries) => {
    isInView = entries.at(-1)?.isIntersecting === true;
  });
  const grown = new ResizeObserver(show);
  seen.observe(result);
  grown.observe(result);
  window?.addEventListener('resize', show, { signal: stop.signal });
  return () => {
    stop.abort();
    seen.disconnect();
    grown.disconnect();
  };
}
