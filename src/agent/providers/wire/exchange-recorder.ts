/** Records the HTTP requests for one answer and what they received, without secrets and limited in length. */

import type { ModelExchange } from '../../../runtime/spec/model.ts';
import type { MessageReporter } from '../../../runtime/protocol/message-reporter.ts';
import type { LoggedMessage } from '../../../runtime/protocol/message-tap.ts';
import { parseJson } from '../../../runtime/spec/guards.ts';
import { secretsOf, removeSecrets, type SecretAccess } from './access.ts';

/** Limits for the requests of one answer, and for the characters of each text. */
const maxExchanges = 10;
const maxBodyChars = 2_000_000;
/** Characters after the limit of a body that are kept until it is masked: more than the longest secret. */
const overlapChars = 10_000;
const maxReceivedChars = 1_000_000;
/** Limit of characters that debug mode reports of a text. */
const previewChars = 4_000;

/** Replaces a recorded answer in which a secret is spread over several frames, so that masking its text would miss it. */
const spreadNote = 'Not recorded: this answer repeats your key in several pieces.';

type Sent = Pick<ModelExchange, 'method' | 'url' | 'headers' | 'body'>;

/** A request; call its functions as the response arrives. */
export interface RecordedExchange {
  responded(status: number): void;
  /** Adds text of the response. Needs no `this`. */
  readonly received: (text: string) => void;
  /** Counts a frame that was not part of the answer. Needs no `this`. */
  readonly skipped: () => void;
}

/** What was sent and received, not yet masked: masking a long request would delay the reading of its answer. */
interface Recording extends Sent {
  readonly at: number;
  /** Whether a text was longer than what is recorded of it. */
  cut: boolean;
  status: number | null;
  text: string;
  skipped: number;
  firstAt: number | null;
  lastAt: number;
}

export class ExchangeRecorder {
  readonly #access: SecretAccess;
  readonly #now: () => number;
  readonly #recordings: Recording[] = [];
  #knownSecrets: readonly string[] | null = null;
  readonly #reporter: MessageReporter | null;

  /**
   * @param access what no recorded text may contain
   * @param reporter gets requests and answers in debug mode
   */
  constructor(
    access: SecretAccess,
    now: () => number = () => Date.now(),
    reporter: MessageReporter | null = null,
  ) {
    this.#reporter = reporter;
    this.#access = access;
    this.#now = now;
  }

  begin(sent: Sent): RecordedExchange {
    const at = this.#now();
    const { method, url, body } = sent;
    this.#report({ sent: true }, method, body === null ? url : `${url} ${body}`);
    const recording: Recording = {
      at,
      ...sent,
      body: body === null ? null : beginningOf(body),
      cut: (body ?? '').length > maxBodyChars,
      status: null,
      text: '',
      skipped: 0,
      firstAt: null,
      lastAt: at,
    };
    if (this.#recordings.length < maxExchanges) this.#recordings.push(recording);
    const received = (text: string): void => {
      this.#report({ sent: false }, 'answer', text);
      recording.lastAt = this.#now();
      recording.firstAt ??= recording.lastAt;
      const room = maxReceivedChars - recording.text.length;
      recording.text += text.slice(0, room);
      recording.cut ||= text.length > room;
    };
    return {
      responded: (status) => {
        this.#report({ sent: false }, 'status', String(status));
        recording.status = status;
        recording.lastAt = this.#now();
      },
      received,
      skipped: () => void (recording.skipped += 1),
    };
  }

  /** The characters of the recorded texts. */
  get chars(): number {
    return this.#recordings.reduce(
      (sum, { body, text }) => sum + (body?.length ?? 0) + text.length,
      0,
    );
  }

  /** The requests so far, and what has arrived for them, without secrets. */
  get exchanges(): readonly ModelExchange[] {
    return this.#recordings.map(({ text, firstAt, lastAt, cut, ...sent }) => ({
      ...sent,
      url: this.#maskText(sent.url),
      headers: sent.headers.map(([name, value]) => [name, this.#maskText(value)]),
      body: sent.body === null ? null : this.#maskText(sent.body).slice(0, maxBodyChars),
      ...this.#withoutSpreadSecret(this.#maskText(text), { cut }),
      firstMs: firstAt === null ? null : Math.max(0, firstAt - sent.at),
      ms: Math.max(0, lastAt - sent.at),
    }));
  }

  /** Found only when they are needed, since finding them takes part of the time of a request. */
  get #secrets(): readonly string[] {
    return (this.#knownSecrets ??= secretsOf(this.#access));
  }

  #withoutSpreadSecret(
    received: string,
    { cut }: Pick<ModelExchange, 'cut'>,
  ): Pick<ModelExchange, 'received' | 'cut'> {
    // @mutant a key in several frames of an answer is not recorded => this.#isSpread(received) -> false
    //   [src/agent/providers/wire/echoed-keys.test.ts]
    return this.#isSpread(received) ? { received: spreadNote, cut: true } : { received, cut };
  }

  /**
   * Whether a secret is spread over several frames of a stream. Members with the same path are joined across frames.
   */
  #isSpread(text: string): boolean {
    if (this.#secrets.length === 0) return false;
    const texts = new Map<string, string>();
    for (const line of text.split('\n')) {
      const json = line.replace(/^data:/, '').trim();
      // Empty lines are skipped: many answers have more empty lines than frames, and parsing them is slow.
      if (json === '') continue;
      const waiting = [{ path: '', value: parseJson(json) }];
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const { path, value } = next;
        if (typeof value === 'string') texts.set(path, (texts.get(path) ?? '') + value);
        else if (typeof value === 'object' && value !== null)
          for (const [key, member] of Object.entries(value))
            waiting.push({ path: `${path}/${key}`, value: member });
      }
    }
    return [...texts.values()].some((joined) => this.#maskText(joined) !== joined);
  }

  #report(direction: Pick<LoggedMessage, 'sent'>, kind: string, text: string): void {
    this.#reporter?.add(direction, () => ({
      kind,
      bytes: text.length,
      preview: this.#maskText(text.slice(0, previewChars)),
    }));
  }

  #maskText(text: string): string {
    return removeSecrets(text, this.#secrets);
  }
}

/** Returns a copy of the beginning of a long body: a slice of a string would keep the whole string in memory. */
function beginningOf(body: string): string {
  const kept = maxBodyChars + overlapChars;
  if (body.length <= kept) return body;
  return new TextDecoder().decode(new TextEncoder().encode(body.slice(0, kept)));
}
