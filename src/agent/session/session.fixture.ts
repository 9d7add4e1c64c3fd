/** Sessions, events and facts for tests. */

import { failure } from '../../runtime/call/results.ts';
import type { AskedCall, Usage } from '../../runtime/spec/model.ts';
import type { SessionEvent, SessionFact } from '../../runtime/spec/session.ts';

export const model = { provider: 'mine', model: 'large' };
export const usage: Usage = { input: 100, cached: 20, output: 10, reasoning: null };
const unknown: Usage = { input: null, cached: null, output: null, reasoning: null };
export const opaque = { made: model, data: { signature: 'x', list: [1, null] } };

export function askedCall(id: string): AskedCall {
  return {
    type: 'call',
    id,
    askedId: `theirs-${id}`,
    wire: 'weather__today',
    tool: 'weather:today',
    arguments: '{"city":"Oslo"}',
  };
}

export const created: SessionFact = { type: 'created', folder: 'tools', folderId: 'folder-1' };

export function message(text: string, turnId = 'turn-1', id = `message-${turnId}`): SessionFact {
  return { type: 'message', id, turnId, parts: [{ type: 'text', text }], steering: false };
}

/** Turns facts into events, one per millisecond. */
export function stamped(facts: readonly SessionFact[], from = 0): SessionEvent[] {
  return facts.map((fact, index) => ({ n: from + index, at: 1_000 + from + index, ...fact }));
}

/** The facts of a session with one complete turn, which has one call. */
export const wholeTurn: readonly SessionFact[] = [
  created,
  { type: 'model', model },
  {
    type: 'selected',
    tools: [
      { name: 'weather:today', description: 'd', parameters: { type: 'object' }, deferred: false },
    ],
    names: [['weather:today', 'weather__today']],
  },
  message('How is the weather in Oslo?'),
  { type: 'titled', title: 'How is the weather in Oslo?', by: 'message' },
  { type: 'turn-began', turnId: 'turn-1' },
  { type: 'step-began', turnId: 'turn-1', stepId: 'step-1', model },
  {
    type: 'step-ended',
    stepId: 'step-1',
    parts: [{ type: 'reasoning', text: 'Hm', opaque }, askedCall('call-1')],
    finish: 'calls',
    usage,
    cost: 0.5,
    ms: 7,
  },
  { type: 'call-began', callId: 'call-1', stepId: 'step-1' },
  { type: 'call-ended', callId: 'call-1', result: failure('ValueError: no', 'no') },
  { type: 'step-began', turnId: 'turn-1', stepId: 'step-2', model },
  {
    type: 'step-ended',
    stepId: 'step-2',
    parts: [{ type: 'text', text: 'Nobody knows.' }],
    finish: 'stop',
    usage: { ...usage, input: 200 },
    cost: null,
    ms: 5,
  },
  { type: 'turn-ended', turnId: 'turn-1', end: 'done' },
];

/** The largest `kind` that {@link factOf} accepts. */
export const lastKind = 21;

/** Returns a fact of any kind, chosen by three numbers. There are few ids, so that facts refer to each other. */
export function factOf([kind, id, way]: readonly [
  kind: number,
  id: number,
  way: number,
]): SessionFact {
  const turnId = `turn-${id % 2}`;
  const stepId = `step-${id}`;
  const callId = `call-${id}`;
  const pick = <T>(choices: readonly [T, ...T[]]): T => choices[way % choices.length] ?? choices[0];
  const facts: readonly [SessionFact, ...SessionFact[]] = [
    { ...created, ...(way % 2 === 0 ? { forkOf: { session: 'other', n: id } } : { replays: 'r' }) },
    { type: 'titled', title: `title ${id}`, by: pick(['user', 'message']) },
    { type: 'selected', tools: [], names: [[`tool:t${id}`, `tool__t${id}`]] },
    { type: 'model', model: { provider: 'mine', model: pick(['large', 'small']) } },
    { type: 'prompt', text: pick(['', 'Be brief.']) },
    message(`text ${id}`, turnId),
    { type: 'turn-began', turnId },
    { type: 'step-began', turnId, stepId, model },
    {
      type: 'step-ended',
      stepId,
      parts: [{ type: 'text', text: 'a' }, askedCall(callId), askedCall(`call-${way}`)],
      finish: pick(['calls', 'cut']),
      usage: pick([usage, unknown]),
      cost: pick([0.25, null]),
      ms: way,
      ...(way === 3 ? { fault: { fault: 'network', message: 'gone' } as const } : {}),
    },
    { type: 'call-began', callId, stepId },
    {
      type: 'call-answered',
      callId,
      approval: pick(['once', 'session', 'always', 'deny', 'never']),
      reason: 'so',
      ...(way === 1 ? { arguments: '{}' } : {}),
      ...(way === 2 ? { tool: `tool:${id}` } : {}),
    },
    { type: 'call-ended', callId, result: failure('cancelled', `way ${way}`) },
    {
      type: 'nested-began',
      callId: `nested-${way}`,
      parent: callId,
      tool: `tool:${id}`,
      arguments: '{}',
    },
    {
      type: 'nested-ended',
      callId: `nested-${way}`,
      parent: callId,
      result: failure('cancelled', `way ${way}`),
    },
    { type: 'turn-ended', turnId, end: pick(['done', 'stopped', 'failed', 'lost']) },
    { type: 'compacted', before: id, summary: 's', usage },
    {
      type: 'python-anew',
      why: pick(['reload', 'fork', 'reclaimed', 'folder', 'other-folder', 'import']),
    },
    { type: 'handed-over', tools: [`tool:${id}`, `tool:${way}`] },
    { type: 'asks-again', tool: `tool:${id}` },
    { type: 'background-began', id: `background-${id}`, prompt: 'Look it up.' },
    {
      type: 'background-step',
      id: `background-${id}`,
      usage: pick([usage, unknown]),
      cost: pick([0.25, null]),
    },
    {
      type: 'background-ended',
      id: `background-${id}`,
      text: 'Found.',
      ok: way === 1,
      ...(way === 2 ? { usage, cost: 0.25 } : {}),
    },
  ];
  if (facts.length !== lastKind + 1) throw new Error('There are kinds that no test would see.');
  return facts[kind] ?? facts[0];
}
