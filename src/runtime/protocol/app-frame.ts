/** The address of the page around an app of a tool. The service worker sends the origins in it as a header. */

export const appFramePage = 'mcp-app.html';
/** An origin that can stand in a policy or a header: no character of it means something there. */
const plainOrigin = /^(?:https?|wss?):\/\/[\w.:[\]-]+$/;

export function isPlainOrigin(origin: string): boolean {
  return plainOrigin.test(origin);
}

/** @param origins that the app may reach */
export function appFrameAddress(origins: readonly string[]): string {
  return `${appFramePage}?${new URLSearchParams({ reach: origins.join(' ') }).toString()}`;
}

/** The origins in the query of an {@link appFrameAddress}. */
export function readReachedOrigins(query: string): readonly string[] {
  const origins = new URLSearchParams(query).get('reach') ?? '';
  // @mutant origins of an app cannot change its header => (isPlainOrigin) -> (Boolean)
  return origins.split(' ').filter(isPlainOrigin);
}
