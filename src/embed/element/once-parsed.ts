/** Notices when the parser has read all children of an element. */

/**
 * Calls `then` once, with the children there. While the page is parsed, that is before the first paint that shows them,
 * if a node follows the element by then: what `then` adds moves nothing.
 */
export function onceParsed(element: Element, signal: AbortSignal, then: () => void): void {
  const check = (): void => {
    if (signal.aborted) return;
    if (document.readyState !== 'loading' || element.nextSibling !== null) then();
    else requestAnimationFrame(check);
  };
  queueMicrotask(check);
}
