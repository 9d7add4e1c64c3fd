/** Starts a worker from a script's text, so that it needs no file and has the policy of its page. */
export function startScript(source: string, name: string): Worker {
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(address, { name });
  const revoke = (): void => URL.revokeObjectURL(address);
  // The browser has read the script by then.
  for (const type of ['message', 'error']) worker.addEventListener(type, revoke, { once: true });
  return worker;
}
