/** Recognises local hosts, as the URL parser writes them. */

export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}

/**
 * Hosts for which Chromium can ask the user for permission to reach the local network. It must recognise them without a
 * DNS lookup.
 */
export function canAskForLocalAccess(host: string): boolean {
  return (
    /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host) ||
    /^\[f[cde]/.test(host) ||
    host.endsWith('.local')
  );
}

/** Returns whether the host is on this computer or in its local network. */
export function isLocal(host: string): boolean {
  return (
    isLoopback(host) ||
    canAskForLocalAccess(host) ||
    !/[.:]/.test(host) ||
    /\.(internal|lan|home|home\.arpa)$/.test(host)
  );
}
