/** Connects compactors, providers, stream providers and renderers in Python to the surface of extensions. */

import type { CompactionResult } from '../turn/compactors.ts';
import { asFields, isAmount, type Fields } from '../../runtime/spec/guards.ts';
import type { Json, JsonText } from '../../runtime/spec/json.ts';
import type { ListedModel } from '../../runtime/spec/model.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { ExtensionApp } from './app.ts';
import { readBlocks } from './blocks.ts';
import { messagesFromPython, messagesToPython, textOfMessages } from './messages.ts';
import { requestToPython, type PythonStreams } from './python-stream.ts';

/** Deadlines of a compactor and of a renderer; milliseconds. */
const compactMs = 60_000;
const renderMs = 5_000;
/** A stream may run for long, because each of its parts has a deadline. */
const streamMs = 24 * 3_600_000;
/** Limit of models of one provider. */
const maxModels = 200;
/** Limit of a summary of what a compactor returned; characters. */
const maxSummary = 20_000;

export interface CallOptions {
  readonly deadlineMs?: number;
  readonly callId?: string;
}

/** Calls a function of the extension by its number, with values as JSON text. @throws {ToolError} */
export type CallFunction = (
  signal: AbortSignal,
  what: string,
  id: number,
  values: readonly JsonText[],
  session: string,
  options?: CallOptions,
) => Promise<Json>;

/** @returns whether the entry is one of these kinds @throws {ToolError} if it is invalid */
export function registerModels(
  name: string,
  entry: Fields,
  to: ExtensionApp,
  call: CallFunction,
  streams: PythonStreams,
): boolean {
  const { kind, run } = entry;
  if (kind === 'provider') {
    to.registerProvider({
      name,
      api: requireText(entry, 'api', 2_000),
      baseUrl: requireText(entry, 'base_url', 2_000),
      models: listIn(entry.models).map(toModel),
      headers: listIn(entry.headers).map(toHeader),
    });
    return true;
  }
  if (kind !== 'compactor' && kind !== 'stream_provider' && kind !== 'renderer') return false;
  if (typeof run !== 'number') throw invalidRegistration();
  if (kind === 'compactor') {
    const { threshold } = entry;
    if (!isAmount(threshold)) throw invalidRegistration();
    to.registerCompactor({
      name,
      threshold,
      compact: async (signal, { session, messages }): Promise<CompactionResult> => {
        const values = [messagesToPython(messages)];
        const options = { deadlineMs: compactMs };
        const what = `The compactor ${name}`;
        const returned = await call(signal, what, run, values, session, options);
        const kept = messagesFromPython(returned);
        const usage = { input: null, cached: null, output: null, reasoning: null };
        const summary = textOfMessages(kept).slice(0, maxSummary).toWellFormed();
        return { summary, messages: kept, usage };
      },
    });
  } else if (kind === 'stream_provider') {
    const what = `The stream provider ${name}`;
    to.registerStreamProvider(
      name,
      (model) => (signal, request) =>
        streams.answer(signal, what, request, (running, callId) => {
          const asked = requestToPython(model, request, messagesToPython(request.messages));
          const options = { deadlineMs: streamMs, callId };
          return call(running, what, run, [JSON.stringify(model), asked], '', options);
        }),
    );
  } else
    to.registerRenderer(name, async (signal, data, expanded) => {
      const values = [data, JSON.stringify(expanded)];
      const options = { deadlineMs: renderMs };
      return readBlocks(await call(signal, `The renderer ${name}`, run, values, '', options));
    });
  return true;
}

function toModel(value: unknown): ListedModel {
  const { id, name, context, images, tools, price } = asFields(value);
  if (typeof id !== 'string' || id === '' || id.length > 200) throw invalidRegistration();
  const { input, output, cached = input } = asFields(price);
  const isPriced = [input, output, cached].every(isAmount);
  return {
    id,
    label: typeof name === 'string' && name !== '' ? name.slice(0, 200) : id,
    context: isAmount(context) && context > 0 ? context : null,
    images: images === true,
    ...(tools === false && { tools }),
    price: isPriced
      ? { input: Number(input), output: Number(output), cached: Number(cached) }
      : null,
  };
}

function toHeader(value: unknown): readonly [string, string] {
  const [name, content]: readonly unknown[] = Array.isArray(value) ? (value as unknown[]) : [];
  if (typeof name !== 'string' || typeof content !== 'string') throw invalidRegistration();
  return [name, content];
}

function listIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length > maxModels) throw invalidRegistration();
  return value;
}

/** Returns a text of a registration. @throws {ToolError} */
export function requireText(entry: Fields, key: string, max = 100_000): string {
  const value = entry[key];
  if (typeof value !== 'string' || value.length > max) throw invalidRegistration();
  return value;
}

export function invalidRegistration(): ToolError {
  return new ToolError('protocol', 'What it registered is not in the expected form.');
}
