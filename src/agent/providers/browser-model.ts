/** The model that is built into some browsers (Chromium's Prompt API). It cannot call tools. */

import {
  attachedText,
  type AskModel,
  type ModelInfo,
  type ModelMessage,
  type ModelRequest,
} from '../../runtime/spec/model.ts';
import { errorText } from '../../runtime/spec/error.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';

interface Prompt {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

interface BuiltInSession {
  promptStreaming(input: string, options: { signal: AbortSignal }): ReadableStream<string>;
  destroy(): void;
}

/** The used part of the Prompt API. */
export interface BuiltInModel {
  availability(): Promise<string>;
  create(options: { initialPrompts: Prompt[]; signal: AbortSignal }): Promise<BuiltInSession>;
}

const builtInRef = { provider: 'browser', model: 'built-in' } as const;

export const builtInInfo: ModelInfo = {
  ref: builtInRef,
  label: 'Built-in browser model',
  context: null,
  images: false,
  tools: false,
  price: null,
};

/**
 * Returns null if this browser has no built-in model.
 *
 * @param scope the page's globals
 */
export function builtInModel(scope: object): BuiltInModel | null {
  const { LanguageModel: found } = scope as { LanguageModel?: Partial<BuiltInModel> };
  return typeof found?.availability === 'function' && typeof found.create === 'function'
    ? (found as BuiltInModel)
    : null;
}

/**
 * Returns a function that asks the built-in model.
 *
 * @param createMs limit in milliseconds for getting the model ready, including its download
 */
export function askBuiltIn(builtIn: BuiltInModel, createMs: number): AskModel {
  return async function* (signal, request) {
    signal.throwIfAborted();
    const { before, last } = promptsOf(request);
    let session: BuiltInSession | null = null;
    try {
      const state = await builtIn.availability();
      if (state === 'unavailable')
        throw new ModelError(
          'model',
          'The browser’s built-in model is not available: this computer does not meet the requirements, or it is turned off.',
          'It needs about 22 GB of free disk space and a capable graphics card or 16 GB of memory. Otherwise, choose another model.',
        );
      session = await createSession(signal, builtIn, before, state, createMs);
      const reader = session.promptStreaming(last, { signal }).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        signal.throwIfAborted();
        if (done) break;
        yield { type: 'text', id: '0', delta: value };
      }
      yield { type: 'part-ended', id: '0' };
      const usage = { input: null, cached: null, output: null, reasoning: null };
      yield { type: 'ended', finish: 'stop', usage };
    } catch (thrown) {
      if (signal.aborted) throw signal.reason;
      throw thrown instanceof ModelError ? thrown : builtInFault(thrown);
    } finally {
      session?.destroy();
    }
  };
}

async function createSession(
  signal: AbortSignal,
  builtIn: BuiltInModel,
  initialPrompts: Prompt[],
  state: string,
  createMs: number,
): Promise<BuiltInSession> {
  const late = AbortSignal.timeout(createMs);
  try {
    return await builtIn.create({ initialPrompts, signal: AbortSignal.any([signal, late]) });
  } catch (thrown) {
    if (!late.aborted) throw thrown;
    throw new ModelError(
      'model',
      state === 'available'
        ? 'The browser’s built-in model did not start.'
        : 'The browser is still downloading its model (several gigabytes).',
      'Try again later, or choose another model.',
    );
  }
}

/** Converts the conversation to plain texts: calls become text, and images are left out. */
function promptsOf({ system, messages }: ModelRequest): { before: Prompt[]; last: string } {
  const prompts = messages.map(promptOf).filter(({ content }) => content !== '');
  const last = prompts.at(-1)?.role === 'user' ? (prompts.pop()?.content ?? '') : 'Go on.';
  return {
    before: [...(system === '' ? [] : [{ role: 'system', content: system } as const]), ...prompts],
    last,
  };
}

function promptOf(message: ModelMessage): Prompt {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: textIn(message.parts) };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.parts
          .map((part) => {
            if (part.type === 'reasoning') return '';
            return part.type === 'text' ? part.text : `[called ${part.wire}: ${part.arguments}]`;
          })
          .filter((text) => text !== '')
          .join('\n'),
      };
    case 'tool':
      return {
        role: 'user',
        content: message.answers
          .map(({ wire, parts }) => `[${wire} answered: ${textIn(parts)}]`)
          .join('\n'),
      };
  }
}

function textIn(parts: Extract<ModelMessage, { role: 'user' }>['parts']): string {
  return parts.flatMap((part) => (part.type === 'text' ? [attachedText(part)] : [])).join('\n');
}

function builtInFault(thrown: unknown): ModelError {
  const name = thrown instanceof Error ? thrown.name : '';
  const message = errorText(thrown);
  if (name === 'QuotaExceededError')
    return new ModelError(
      'context',
      `The conversation is too long for the browser’s built-in model: ${message}`,
      'Choose “Summarise earlier messages” in the session’s menu, start a new session, or choose another model.',
    );
  if (name === 'NotAllowedError')
    return new ModelError(
      'request',
      `The browser did not allow its model to start: ${message}`,
      'Press the button again. The model starts only after a click, and not in every embedded page.',
    );
  return new ModelError(
    'provider',
    `The browser’s built-in model failed: ${message}`,
    'Try again, or choose another model.',
  );
}
