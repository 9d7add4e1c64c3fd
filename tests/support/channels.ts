/** Uses a page's channels. These functions run in the page, in Chromium or Firefox, and cannot use anything from this file. */

interface Listening {
  stopListening?: () => string[];
}

/** Names of the channels that the app itself uses at the base path `/`, and one that it does not. */
export const channelNames = [
  'cloche',
  'cloche:/:policies',
  'cloche:/:providers',
  'cloche:/:sessions',
];

/** Begins. */
export function listenHere(names: readonly string[]): void {
  const heard = new Set<string>();
  const channels = names.map((name) => new BroadcastChannel(name));
  for (const channel of channels)
    channel.onmessage = ({ data }) => heard.add(`${channel.name}: ${String(data)}`);
  const timer = setInterval(() => {
    for (const channel of channels) channel.postMessage('from the app');
  }, 50);
  (globalThis as Listening).stopListening = () => {
    clearInterval(timer);
    for (const channel of channels) channel.close();
    return [...heard].sort();
  };
}

/** Ends. @returns what was heard, such as `cloche: from the sandbox` */
export function heardHere(): string[] {
  const { stopListening } = globalThis as Listening;
  if (!stopListening) throw new Error('Nobody listens.');
  return stopListening();
}
