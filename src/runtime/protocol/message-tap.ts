/** Types by which debug mode sees messages: the page logs the messages of its ports, and workers report theirs. */

/** A connection between two threads, or between the model worker and providers. */
export type MessageChannelName =
  | 'broker'
  | 'tool worker'
  | 'service worker'
  | 'arguments'
  | 'diff'
  | 'files'
  | 'network'
  | 'offline'
  | 'imports'
  | 'yaml'
  | 'models'
  | 'mcp'
  | 'provider';

/** What debug mode shows of a message. */
export interface Description {
  /** The message's type, operation or method. */
  readonly kind: string;
  /** Bytes of its buffers and files, plus one for each character of its texts and numbers, up to a limit of values. */
  readonly bytes: number;
  readonly preview: string;
}

export interface LoggedMessage extends Description {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Whether the end that is nearer to the page sent the message. */
  readonly sent: boolean;
}

/** A batch of messages that a worker reports to the page. */
export interface MessageReport {
  readonly messages: readonly LoggedMessage[];
  /** Number of messages that were left out, because there were too many. */
  readonly skipped: number;
}

export interface MessageTap {
  /** Logs the messages of a port, worker or service worker container from now on. @returns the same port */
  watch<Port extends EventTarget>(channel: MessageChannelName, port: Port): Port;
  /** Returns a port over which a worker sends its {@link MessageReport}s about a channel; null if they are not logged. */
  reports(channel: MessageChannelName): MessagePort | null;
}

/** The tap of a page that is not in debug mode. */
export const noTap: MessageTap = { watch: (_channel, port) => port, reports: () => null };
