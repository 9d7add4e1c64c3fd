/** Numbers of requests to an interpreter. */

/** Not to be guessed: what a tool leaves behind must not pass for the answer to a later call. */
export function newId(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 2 ** 20) * 2 ** 32 + low + 1;
}
