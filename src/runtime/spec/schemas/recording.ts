/** A recording, a JSON file with a session's messages and model answers; tools run live when it is played. */

import { boolean, list, literal, object, oneOf, string } from './schema.ts';

const base64 = string({ pattern: '^[A-Za-z0-9+/]*={0,2}$' });

const userPart = oneOf(
  object({ type: literal('text'), text: string() }, { name: string({ maxLength: 200 }) }),
  object({
    type: literal('image'),
    mediaType: string({ pattern: '^image/(png|jpeg|gif|webp)$' }),
    data: base64,
  }),
  object({
    type: literal('file'),
    mediaType: literal('application/pdf'),
    name: string({ maxLength: 200 }),
    data: base64,
  }),
);

export const recordedCall = object(
  {
    type: literal('call'),
    tool: string({ minLength: 1, maxLength: 1_000 }),
    /** JSON text. */
    arguments: string(),
  },
  {
    /** The recorded result; absent if the call was not run. */
    result: object({ resultType: literal('success', 'failure'), text: string() }),
  },
);

const recordedPart = oneOf(
  object({ type: literal('text', 'reasoning'), text: string() }),
  recordedCall,
);

/** An answer of the model. */
export const recordedStep = object({ parts: list(recordedPart, { maxItems: 1_000 }) });

/** A message, and the model's answers to it. */
export const recordedTurn = object({
  message: list(userPart, { minItems: 1, maxItems: 100 }),
  steps: list(recordedStep, { maxItems: 10_000 }),
});

export const recording = object({
  format: literal('cloche-recording'),
  version: literal(1),
  title: string({ minLength: 1, maxLength: 500 }),
  /** Whether the recording was written by hand, without a model. */
  scripted: boolean,
  /** Ids of the tools that were selected. */
  tools: list(string({ minLength: 1, maxLength: 1_000 }), { maxItems: 20_000 }),
  turns: list(recordedTurn, { minItems: 1, maxItems: 10_000 }),
});
