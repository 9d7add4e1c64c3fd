/** @returns a function that runs `work` soon, once for all requests until then, and not again within `ms` milliseconds */
export function spaced(work: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ranAt = -ms;
  return () => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        ranAt = performance.now();
        work();
      },
      Math.max(0, ranAt + ms - performance.now()),
    );
  };
}
