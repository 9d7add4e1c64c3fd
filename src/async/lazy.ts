/** A value that is made when it is first wanted. */

/** @returns the value, made once; a failure is forgotten, so that the next request tries again */
export function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    if (made !== null) return made;
    const making = make();
    making.catch(() => {
      if (made === making) made = null;
    });
    return (made = making);
  };
}
