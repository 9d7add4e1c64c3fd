/** Which hosts are near: hosts as the URL parser writes them. */

export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}

/** Where Chromium asks the person whether a page may ask: it has to know before it looks the name up. */
export function canBeAllowed(host: string): boolean {
  return (
    /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host) ||
    /^\[f[cde]/.test(host) ||
    host.endsWith('.local')
  );
}

/** On this computer, or in the network around it. */
export function isLocal(host: string): boolean {
  return (
    isLoopback(host) ||
    canBeAllowed(host) ||
    !/[.:]/.test(host) ||
    /\.(internal|lan|home|home\.arpa)$/.test(host)
  );
}
