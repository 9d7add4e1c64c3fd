/** Work that is done once, however often it is asked for before it is due. */

/** @param when puts off what it is given */
export function soon(when: (then: () => void) => void, work: () => void): () => void {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    when(() => {
      due = false;
      work();
    });
  };
}

export function inMs(ms: number): (then: () => void) => void {
  return (then) => {
    setTimeout(then, ms);
  };
}
