/** Resolves after the next paint, or soon if the page is hidden. */
export function waitForPaint(): Promise<void> {
  return new Promise((resolve) => {
    // A hidden page has no frames.
    setTimeout(resolve, 100);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
