/** A sub-agent that works in a separate session. */

import { findFinishedOutput } from '../turn/built-in-tools.ts';
import { finish } from '../../runtime/spec/tool.ts';
import type { LiveSession } from '../turn/live-session.ts';
import { calledToolName, type SessionState } from '../session/session-state.ts';
import type { RunUsage } from './run-record.ts';
import type { SubAgent, WorkEnd } from './sub-agent.ts';

/** Longest part of one call in the evidence; characters. */
const evidenceChars = 2_000;
const maxCalls = 50;

/** @param release called when the sub-agent is not used any more */
export function sessionAgent(session: LiveSession, release: () => void): SubAgent {
  const toParts = (texts: readonly string[]) =>
    texts.map((text) => ({ type: 'text', text }) as const);
  return {
    session: session.id,
    get model() {
      return session.state.head.model?.model;
    },
    get usage() {
      return usageOf(session.state);
    },
    get repeats() {
      return repeatsIn(session.state);
    },
    get hasBegun() {
      return session.state.head.messages > 0;
    },
    timesReceived: (message) =>
      session.state.entries.filter(
        (entry) =>
          entry.kind === 'message' &&
          entry.parts.some((part) => part.type === 'text' && part.text === message),
      ).length,
    async work(signal, message, notes = []) {
      signal.throwIfAborted();
      if (message === null) {
        const ended = endOf(session.state);
        if (ended.end === 'finished') return ended;
      }
      const stop = (): void => session.stop();
      signal.addEventListener('abort', stop, { once: true });
      // If its session cannot be stored, what it does next would be unknown after a reload.
      const unobserve = session.observe(() => {
        if (session.problem !== null) stop();
      });
      try {
        const texts = message === null ? notes : [message, ...notes];
        if (texts.length === 0) session.resume();
        else session.send(toParts(texts));
        await session.settled();
      } finally {
        unobserve();
        signal.removeEventListener('abort', stop);
      }
      signal.throwIfAborted();
      if (session.problem !== null) return { end: 'interrupted', reason: session.problem };
      if (session.live.queue.length > 0) {
        for (const { id } of session.live.queue) session.unsend(id);
        return { end: 'interrupted', reason: 'The sub-agent could not begin its turn.' };
      }
      return endOf(session.state);
    },
    setPaused(paused) {
      session.setStepMode(paused);
    },
    steer(message) {
      session.send(toParts([message]));
    },
    observe: (listener) => session.observe(listener),
    close: release,
  };
}

/** How the last turn ended. */
function endOf(state: SessionState): WorkEnd {
  const last = state.entries.findLast((entry) => entry.kind === 'message' || entry.kind === 'step');
  const turnId = last !== undefined && 'turnId' in last ? last.turnId : '';
  const output = findFinishedOutput(state, turnId);
  if (output !== null) return { end: 'finished', output };
  const note = state.entries.at(-1);
  if (note?.kind !== 'turn-ended') return { end: 'idle' };
  if (note.end === 'failed')
    return { end: 'interrupted', reason: note.fault?.message ?? 'The turn failed.' };
  return { end: 'interrupted', reason: 'The user stopped the sub-agent.' };
}

/** Number of times that the last call was made in a row, with the same result. */
function repeatsIn({ calls }: SessionState): number {
  const ended = [...calls.values()].filter(({ result }) => result !== null);
  const last = ended.at(-1);
  if (last === undefined) return 0;
  const other = ended.findLastIndex(
    ({ asked, arguments: args, result }) =>
      calledToolName(asked) !== calledToolName(last.asked) ||
      args !== last.arguments ||
      result?.textResultForLlm !== last.result?.textResultForLlm,
  );
  return ended.length - 1 - other;
}

/** What a session has used. Programs count, and so do the calls that they made. */
export function usageOf({ calls, usage, cost }: SessionState): RunUsage {
  let callCount = 0;
  // A cancelled call, such as one that was not made before the page closed, is requested again and
  // does not count.
  for (const { asked, result, nested = [] } of calls.values()) {
    if (calledToolName(asked) !== finish && result?.error !== 'cancelled') callCount += 1;
    // @mutant calls of programs use up the budget of a task => nested.length -> 0 [src/agent/runner/session-agent.test.ts]
    callCount += nested.length;
  }
  return { calls: callCount, tokens: (usage.input ?? 0) + (usage.output ?? 0), cost };
}

/** The calls of a session and their results, as text for a judge. Calls of a program follow the program. */
export function evidenceOf({ calls }: SessionState): string {
  const callsMade = [...calls.values()]
    .filter(({ asked }) => calledToolName(asked) !== finish)
    .flatMap((call) => [
      { name: call.asked.wire, arguments: call.arguments, result: call.result },
      ...(call.nested ?? []).map((one) => ({ ...one, name: one.tool })),
    ])
    .slice(-maxCalls);
  if (callsMade.length === 0) return 'None.';
  return callsMade
    .map(({ name, arguments: args, result }) => {
      const outcome = result === null ? 'no result' : result.textResultForLlm;
      const call = `${name}(${args.slice(0, evidenceChars)})`;
      return `${oneLine(call)}\n→ ${oneLine(outcome.slice(0, evidenceChars))}`;
    })
    .join('\n\n');
}

/** Writes a text on one line, so that no result can look like another call. */
function oneLine(text: string): string {
  return text.replace(/\r\n|[\n\r\u2028\u2029]/g, '\\n');
}
