/** Resolves behind the page's next paint, or soon where nothing is painted. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    // A hidden page has no frames.
    setTimeout(resolve, 100);
    requestAnimationFrame(() => {
      setTimeout(resolve);
    });
  });
}
