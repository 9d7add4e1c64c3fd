/** Google's streamGenerateContent: streams answers and rejects invalid requests as Google does. */

import { createHash } from 'node:crypto';
import { newId } from './openai-chat.ts';
import { fields, list, word, type Fields } from './read-body.ts';
import { googleSchemaFault } from './schemas.ts';
import {
  pieces,
  usualUsage,
  type ReceivedRequest,
  type Refusal,
  type ScriptedAnswer,
  type WireEvent,
  type WireFormat,
} from './script.ts';

export const google: WireFormat = {
  refusal,
  events,
  errorEvent: (error) => ({ data: errorBody(503, error) }),
  errorBody,
  lineEnd: '\r\n',
  epilogue: '',
};

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** What Google documents for calls whose signature is not to be had. */
const skipped = 'skip_thought_signature_validator';

function errorBody(code: number, { message, type }: { message: string; type?: string }): unknown {
  return { error: { code, message, status: type ?? statuses[code] ?? 'UNKNOWN' } };
}

const legalName = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

function refusal({ body }: ReceivedRequest): Refusal | undefined {
  const { tools, contents } = fields(body);
  for (const declared of list(tools).flatMap((tool) => list(tool.functionDeclarations))) {
    if (!legalName.test(word(declared.name)))
      return badRequest(
        'GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name. Must start with a letter or an underscore.',
      );
    const fault = googleSchemaFault(fields(declared.parametersJsonSchema), word(declared.name));
    if (fault !== undefined) return badRequest(fault);
  }
  return contentsRefusal(list(contents));
}

function contentsRefusal(contents: readonly Fields[]): Refusal | undefined {
  if (contents.length === 0)
    return badRequest('* GenerateContentRequest.contents: contents is not specified');
  const turn = contents.findLastIndex(({ role, parts }) => role === 'user' && !answers(parts));
  let open: Fields[] = [];
  for (const [index, { parts }] of [...contents, { parts: [] }].entries()) {
    const answered = list(parts).flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : [fields(functionResponse)],
    );
    if (answered.length !== open.length)
      return badRequest(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    for (const [at, call] of open.entries()) {
      const response = answered[at] ?? {};
      if (response.name !== call.name || response.id !== call.id)
        return badRequest(`Function response ${at} does not match its function call.`);
      if (Object.keys(fields(response.response)).length === 0)
        return badRequest('function_response.response: required field is not set.');
    }
    const called = list(parts).filter(({ functionCall }) => functionCall !== undefined);
    open = called.map(({ functionCall }) => fields(functionCall));
    if (open.some(({ name }) => !legalName.test(word(name))))
      return badRequest(
        `GenerateContentRequest.contents[${index}].parts[0].function_call.name: Invalid function name.`,
      );
    const [first] = called;
    if (index <= turn || first === undefined) continue;
    const given = first.thoughtSignature;
    if (given === undefined)
      return badRequest(
        'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.',
      );
    if (given !== skipped && given !== signature(fields(first.functionCall)))
      return badRequest('Corrupted thought signature.');
  }
  return undefined;
}

function answers(parts: unknown): boolean {
  return list(parts).some(({ functionResponse }) => functionResponse !== undefined);
}

function badRequest(message: string): Refusal {
  return { status: 400, error: { message } };
}

function signature({ id, name }: Fields): string {
  return createHash('sha256')
    .update(`${word(id)}:${word(name)}`)
    .digest('base64');
}

function events(answer: ScriptedAnswer, { path }: ReceivedRequest): WireEvent[] {
  const { reasoning = '', text = '', calls = [], usage = usualUsage } = answer;
  const modelVersion = /models\/([^:]+):/.exec(path)?.[1];
  const chunk = (parts: unknown, more: object = {}, usageMetadata: object = {}): WireEvent => ({
    data: {
      candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
      usageMetadata: { promptTokenCount: usage.input, ...usageMetadata },
      modelVersion,
      responseId: 'response-1',
    },
  });
  const called = calls.map((call, index) => {
    const functionCall = { id: newId('fc'), name: call.name };
    return chunk([
      {
        functionCall: { ...functionCall, args: new ExactJson(call.arguments) },
        // Only the first of several carries one.
        ...(index === 0 ? { thoughtSignature: signature(functionCall) } : {}),
      },
    ]);
  });
  return [
    ...pieces(reasoning).map((piece) => chunk([{ text: piece, thought: true }])),
    ...pieces(text).map((piece) => chunk([{ text: piece }])),
    ...called,
    chunk(
      [{ text: '' }],
      { finishReason: finishReason(answer) },
      {
        cachedContentTokenCount: usage.cached,
        candidatesTokenCount: usage.output - usage.reasoning,
        thoughtsTokenCount: usage.reasoning,
        totalTokenCount: usage.input + usage.output,
      },
    ),
  ];
}

function finishReason({ finish }: ScriptedAnswer): string {
  if (finish === undefined) return 'STOP';
  return finish === 'length' ? 'MAX_TOKENS' : 'SAFETY';
}

/** A value that goes over the wire as exactly this text. */
class ExactJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** What {@link exactly} looks for. */
  toJSON(): string {
    return `exact:${this.text}`;
  }
}

/** As `JSON.stringify`, but for {@link ExactJson}. */
export function exactly(value: unknown): string {
  return JSON.stringify(value).replace(/"exact:((?:[^"\\]|\\.)*)"/g, (_all, text: string) =>
    String(JSON.parse(`"${text}"`)),
  );
}
