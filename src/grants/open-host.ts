/** Creates the host of each call of the open folder, which handles its requests and its questions to the user. */

import type { CallClock, CallHost, OpenHost } from '../call/call-host.ts';
import { refused, type ApproveAsk, type Ask, type AskAnswer } from '../protocol/ask.ts';
import type { ToolCall } from '../spec/call.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { CallRequests, type NetworkDeps } from './call-requests.ts';
import { askingOf, type Answered } from './questions.ts';

/** After this many denials, the user is not asked again during the call. */
const mostDenials = 3;
/** Milliseconds to wait for the user if the call was made by a program. */
const answerMs = 60_000;

/** @param parts returns those of the folder that is open when the call starts */
export function hostOpener(deps: () => NetworkDeps): OpenHost {
  return (tool, call, clock) => new Host(deps(), tool, call, clock);
}

class Host implements CallHost {
  readonly #deps: NetworkDeps;
  readonly #tool: RegisteredTool;
  readonly #call: ToolCall;
  readonly #clock: CallClock;
  #ended = false;
  /** Both are created on first use, because most calls need none. */
  #life: AbortController | null = null;
  #requests: CallRequests | null = null;
  #denials = 0;

  constructor(deps: NetworkDeps, tool: RegisteredTool, call: ToolCall, clock: CallClock) {
    this.#deps = deps;
    this.#tool = tool;
    this.#call = call;
    this.#clock = clock;
  }

  get network(): readonly string[] {
    return this.#deps.policy.allowed;
  }

  async answer(n: number, ask: Ask): Promise<AskAnswer> {
    if (this.#ended) return refused('ConnectionError', 'The call has ended.');
    if (ask.ask === 'approve') return this.#approve(ask);
    const { name } = this.#tool;
    this.#requests ??= new CallRequests(this.#deps, this.#tool, this.#call, this.#clock);
    switch (ask.ask) {
      case 'fetch':
        return this.#requests.fetch(n, ask);
      case 'read':
        return this.#requests.read(ask.request);
      case 'close':
        return this.#requests.close(ask.request);
      default:
        return refused('ValueError', `${name} sent an unknown request.`);
    }
  }

  end(): void {
    this.#ended = true;
    this.#life?.abort();
    this.#requests?.end();
  }

  async #approve({ question, details }: ApproveAsk): Promise<AskAnswer> {
    if (this.#denials >= mostDenials)
      return approval(false, `It was denied ${mostDenials} times in this call.`);
    const { questions, taskOf } = this.#deps;
    const asking = { ...askingOf(this.#tool, this.#call), task: taskOf(this.#call) };
    this.#life ??= new AbortController();
    this.#clock.pause();
    const answered = await questions.ask(
      this.#life.signal,
      { kind: 'approve', question, details, ...asking },
      asking.caller === 'person' ? null : answerMs,
    );
    this.#clock.resume();
    const approved = answered.reply === 'once';
    if (!approved) this.#denials += 1;
    return approval(approved, whyNot(answered));
  }
}

function approval(approved: boolean, reason: string): AskAnswer {
  return { answer: 'approval', approved, reason };
}

/** Returns why it was not approved, as text for the tool: the user's reason if there is one. */
export function whyNot(answered: Answered): string {
  if (answered.reply !== null) return answered.reason;
  switch (answered.why) {
    case 'too-many':
      return 'Too many questions are waiting.';
    case 'timeout':
      return 'The user did not answer in time.';
    case 'nobody':
      return 'The user cannot be asked in a frame of another site. Open Cloche in its own window.';
    case 'given-up':
      return '';
  }
}
