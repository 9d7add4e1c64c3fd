/** Scrolls to the result of a run that the reader has started. */

/** Milliseconds that the page around the playground may take to give the frame the height of a new result. */
const startMs = 1_000;

/**
 * Keeps a result in view while it and the frame grow, until the reader scrolls away from it.
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
  // An observer without a root also takes the page around the frame into account.
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
