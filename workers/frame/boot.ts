/**
 * The sandbox frame's only script: on one message from the page, starts the broker and passes it the page's ports. Two
 * Content-Security-Policies contain this script's hash, so it has no imports and no settings.
 */

declare const parent: unknown;

function boot(event: MessageEvent<{ broker: Blob; toolWorker: Blob }>): void {
  if (event.source !== parent) return;
  removeEventListener('message', boot);
  const address = URL.createObjectURL(event.data.broker);
  const broker = new Worker(address);
  // The broker's first message shows that its script has loaded, so the address is no longer needed.
  broker.onmessage = () => {
    URL.revokeObjectURL(address);
  };
  broker.postMessage(event.data.toolWorker, [...event.ports]);
}

addEventListener('message', boot);
