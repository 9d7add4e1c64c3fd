/** Waits until a condition on something that can be observed holds. */

/** Resolves when the condition holds, which is tested now and after each change. */
export function until(
  source: { observe(listener: () => void): () => void },
  holds: () => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!holds()) return;
      end();
      resolve();
    };
    const end = source.observe(check);
    check();
  });
}
