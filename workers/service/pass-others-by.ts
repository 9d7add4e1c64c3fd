/**
 * Tells the browser which requests need no service worker: those to other addresses, such as the requests to models. Each
 * would wait for the worker, which answers none of them.
 */

/** What Chromium has, and TypeScript does not know yet. */
interface RoutingEvent {
  addRoutes?(rule: {
    readonly condition: { readonly not: { readonly urlPattern: object } };
    readonly source: 'network';
  }): Promise<void>;
}

/**
 * Never rejects: a browser without such rules asks the worker.
 *
 * @param address that of the app
 */
export async function passOthersBy(event: RoutingEvent, address: string): Promise<void> {
  const { protocol, hostname, port } = new URL(address);
  try {
    // What is left out of a pattern may be anything.
    const urlPattern = new URLPattern({ protocol: protocol.slice(0, -1), hostname, port });
    await event.addRoutes?.({ condition: { not: { urlPattern } }, source: 'network' });
  } catch {
    // For example, the browser does not know this kind of condition.
  }
}
