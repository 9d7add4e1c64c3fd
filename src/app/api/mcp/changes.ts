/** Streams that say that the list of tools has changed. */

import type { JsonText } from '../../../runtime/spec/json.ts';
import type { ApiDeps } from '../api-deps.ts';
import { longestAnswerMs } from '../call-response.ts';
import { Change } from '../calls.ts';
import { heartbeat, serverEvent, waitForChange } from '../event-parts.ts';
import { answerHeaders, createPacedBody, type Part } from '../http-form.ts';
import { listingTag } from '../listing.ts';

export interface ChangeStream {
  /** Ends the stream before its time. */
  readonly ended: AbortSignal;
  /** Messages at the beginning, for each change, and at the end. */
  readonly first: readonly JsonText[];
  readonly changed: JsonText;
  readonly last: readonly JsonText[];
  readonly headers?: Record<string, string>;
  readonly onEnd?: () => void;
}

export function changeResponse(
  stream: ChangeStream,
  deps: Pick<ApiDeps, 'after' | 'listing' | 'observeListing'>,
): Response {
  const stop = new AbortController();
  const cancelDeadline = deps.after(longestAnswerMs, () => stop.abort());
  const end = (): void => {
    cancelDeadline();
    stop.abort();
    stream.onEnd?.();
  };
  const signal = AbortSignal.any([stop.signal, stream.ended]);
  return new Response(createPacedBody(changes(signal, stream, deps, end), end), {
    headers: { ...answerHeaders('events'), ...stream.headers },
  });
}

async function* changes(
  stop: AbortSignal,
  { first, changed, last }: ChangeStream,
  deps: Pick<ApiDeps, 'after' | 'listing' | 'observeListing'>,
  end: () => void,
): AsyncGenerator<Part> {
  let sent = listingTag(deps.listing());
  const change = new Change();
  const stopObserving = deps.observeListing(() => change.signal());
  stop.addEventListener('abort', stopObserving);
  yield [heartbeat];
  for (const text of first) yield message(text);
  while (!stop.aborted) {
    const listing = deps.listing();
    const tag = listingTag(listing);
    // A scan ends with another change.
    if (listing.state !== 'scanning' && tag !== sent) {
      sent = tag;
      yield message(changed);
    } else if (!(await waitForChange(stop, change.next, deps))) yield [heartbeat];
  }
  stopObserving();
  for (const text of last) yield message(text);
  end();
}

function message(text: JsonText): Part {
  return serverEvent('message', '', [text]);
}
