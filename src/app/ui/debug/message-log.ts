/** Logs the messages between the page, its workers and the sandbox, in debug mode. */

import { secretParts } from '../../../runtime/grants/secret-parts.ts';
import { SecretMask } from '../../../runtime/spec/secret-mask.ts';
import { Observable } from '../../../runtime/hooks/observe.ts';
import { MessageDescriber } from '../../../runtime/protocol/message-description.ts';
import { watchPort } from '../../../runtime/protocol/message-reporter.ts';
import type {
  LoggedMessage,
  MessageChannelName,
  MessageReport,
  MessageTap,
} from '../../../runtime/protocol/message-tap.ts';
import {
  asFields,
  isAmount,
  isCount,
  isRecord,
  isStrings,
  stringsIn,
} from '../../../runtime/spec/guards.ts';

export interface LogEntry extends LoggedMessage {
  readonly id: number;
  readonly channel: MessageChannelName;
  /** Sender and receiver. */
  readonly ends: string;
  /** The whole entry as text. */
  readonly line: string;
}

/** The two ends of each channel, the one nearer to the page first. */
const channelEnds: Readonly<Record<MessageChannelName, readonly [string, string]>> = {
  broker: ['page', 'broker'],
  'tool worker': ['broker', 'tool worker'],
  'service worker': ['page', 'service worker'],
  arguments: ['page', 'arguments worker'],
  diff: ['page', 'diff worker'],
  files: ['page', 'files worker'],
  network: ['page', 'network worker'],
  offline: ['page', 'offline worker'],
  imports: ['page', 'import worker'],
  yaml: ['page', 'YAML worker'],
  models: ['page', 'models worker'],
  mcp: ['page', 'MCP worker'],
  provider: ['models worker', 'provider'],
};

/** Number of latest entries that are kept, so that a flood of messages cannot fill the page's memory. */
const maxEntries = 2_000;
const shownChars = 500;
/** Limit of the texts of a reported message, which are masked on the page's thread. */
const maxReportedChars = 10_000;
/** The last time that a date can have. */
const maxTime = 8.64e15;
/** Limit of console lines per second. */
const consoleLines = 50;
/** Limit of keys. Above it, masking would take too long, and no content is logged. */
const maxSecrets = 200;
const notShown = '[not shown: too many keys]';
/** Channels whose questions carry keys. */
const keyChannels: ReadonlySet<MessageChannelName> = new Set(['models', 'network', 'mcp']);

export interface MessageLogDeps {
  /** Writes a line to the console. */
  readonly print: (line: string) => void;
  readonly report: (thrown: unknown) => void;
}

export class MessageLog extends Observable<null> implements MessageTap {
  readonly channels = Object.keys(channelEnds);
  readonly #deps: MessageLogDeps;
  readonly #secrets = new Set<string>();
  #mask = new SecretMask([]);
  #folderSecrets: () => readonly string[] = () => [];
  #entries: LogEntry[] = [];
  #lastId = 0;
  #isPaused = false;
  #skipped = 0;
  #printed = { second: 0, lines: 0 };

  constructor(deps: MessageLogDeps) {
    super(deps.report);
    this.#deps = deps;
  }

  /** The latest messages, sorted by time. */
  get entries(): readonly LogEntry[] {
    return this.#entries.toSorted((a, b) => a.at - b.at);
  }

  /** Number of messages that were not logged, because the log was paused or a worker had too many to report. */
  get skipped(): number {
    return this.#skipped;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.emit(null);
  }

  /** Masks the keys of the open folder, which its tools may print. */
  hide(secrets: () => readonly string[]): void {
    this.#folderSecrets = secrets;
  }

  clear(): void {
    this.#entries = [];
    this.#skipped = 0;
    this.emit(null);
  }

  watch<Port extends EventTarget>(channel: MessageChannelName, port: Port): Port {
    const describer = new MessageDescriber();
    watchPort(port, ({ sent, message, ports }) => {
      // The service worker hands over a port for each channel, whose messages belong to the log, too.
      for (const one of ports) this.watch(channel, one);
      // Only sent messages are searched for keys: a message from the other side could fill the list with texts that are
      // no keys.
      if (sent && keyChannels.has(channel)) this.#learnSecrets(message);
      if (this.#isPaused) this.#skip(1);
      else this.#add(channel, { at: Date.now(), sent, ...describer.describe(message) });
    });
    // The page answers a service worker through the registration, not through the container.
    const ready: unknown = Reflect.get(port, 'ready');
    if (ready instanceof Promise)
      void ready.then((registration) => {
        const { active } = asFields(registration);
        if (active instanceof EventTarget) this.watch(channel, active);
      });
    return port;
  }

  /** See {@link MessageTap}. What a worker reports while the log is paused counts as skipped. */
  reports(channel: MessageChannelName): MessagePort {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      const { messages, skipped } = readReport(data);
      this.#skip(skipped + (this.#isPaused ? messages.length : 0));
      if (!this.#isPaused) for (const message of messages) this.#add(channel, message);
    };
    return port2;
  }

  #skip(count: number): void {
    if (count === 0) return;
    this.#skipped += count;
    this.emit(null);
  }

  #add(channel: MessageChannelName, message: LoggedMessage): void {
    // A key stays masked when its folder has been closed.
    this.#addSecrets(this.#folderSecrets());
    const preview = this.#maskText(message.preview).slice(0, shownChars);
    const [near, far] = channelEnds[channel];
    const ends = message.sent ? `${near} → ${far}` : `${far} → ${near}`;
    const kind = this.#maskText(message.kind);
    const described = { ...message, kind, preview, channel, ends, id: (this.#lastId += 1) };
    const entry = { ...described, line: lineOf(described) };
    this.#entries.push(entry);
    if (this.#entries.length > maxEntries) this.#entries.shift();
    this.#print(entry);
    this.emit(null);
  }

  #print(entry: LogEntry): void {
    const second = Math.floor(Date.now() / 1000);
    if (this.#printed.second !== second) this.#printed = { second, lines: 0 };
    this.#printed.lines += 1;
    if (this.#printed.lines < consoleLines) this.#deps.print(entry.line);
    else if (this.#printed.lines === consoleLines)
      this.#deps.print('Further messages of this second are only in the panel.');
  }

  /** Masks the keys and secrets of a request to the models worker or the network worker in all later messages. */
  #learnSecrets(message: unknown): void {
    const { argumentList } = asFields(message);
    if (!Array.isArray(argumentList)) return;
    const parts: string[] = [];
    for (const { value } of argumentList.map(asFields)) {
      if (!isRecord(value)) continue;
      const { key, headers } = asFields(value.access);
      const values = Array.isArray(headers)
        ? headers.map((header: unknown) => stringsIn(header)[1])
        : [];
      for (const secret of [key, ...values, ...stringsIn(value.secrets)])
        if (typeof secret === 'string') parts.push(...secretParts(secret));
    }
    this.#addSecrets(parts);
  }

  #maskText(text: string): string {
    return this.#secrets.size > maxSecrets ? notShown : this.#mask.text(text);
  }

  #addSecrets(parts: readonly string[]): void {
    const before = this.#secrets.size;
    for (const part of parts) {
      if (this.#secrets.size > maxSecrets) return;
      this.#secrets.add(part);
    }
    if (this.#secrets.size === before || this.#secrets.size > maxSecrets) return;
    // `SecretMask` expects the longest secret first.
    // @mutant the log of messages masks the keys that it has seen => ...this.#secrets -> ...[]
    this.#mask = new SecretMask([...this.#secrets].toSorted((a, b) => b.length - a.length));
  }
}

/** Reads the report of a worker; what is not one counts as a message that was not logged. */
function readReport(data: unknown): MessageReport {
  const { messages, skipped } = asFields(data);
  if (!Array.isArray(messages) || !isCount(skipped)) return { messages: [], skipped: 1 };
  const read = messages.slice(0, maxEntries).filter(isLogged);
  return { messages: read, skipped: skipped + messages.length - read.length };
}

function isLogged(value: unknown): value is LoggedMessage {
  const { at, sent, kind, bytes, preview } = asFields(value);
  return (
    isAmount(at) &&
    at <= maxTime &&
    typeof sent === 'boolean' &&
    isAmount(bytes) &&
    isStrings([kind, preview]) &&
    String(kind).length + String(preview).length <= maxReportedChars
  );
}

function lineOf(entry: Omit<LogEntry, 'line'>): string {
  const { at, ends, kind, bytes, preview } = entry;
  return `${new Date(at).toISOString()}  ${ends}  ${kind}  ${String(bytes)} bytes  ${preview}`;
}
