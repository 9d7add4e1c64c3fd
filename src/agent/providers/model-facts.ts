/**
 * Prices and context sizes that the user enters for models, for providers that do not report them. One model per line.
 */

import { ToolError } from '../../runtime/spec/error.ts';
import type { ModelInfo, ProviderKind } from '../../runtime/spec/model.ts';

export interface ModelFacts {
  /** The model's id at the provider. */
  readonly model: string;
  readonly price: ModelInfo['price'];
  /** Size of the context in tokens. */
  readonly context: number | null;
}

const maxLines = 200;

/**
 * Parses lines such as `gpt-5 1.25 10` or `llama3 8k`: a model id; US dollars per million tokens of input, output and,
 * optionally, cached input; and the context size with `k` or `M`.
 *
 * @throws {ToolError} `bad-input` with the invalid line
 */
export function readModelFacts(text: string): readonly ModelFacts[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .slice(0, maxLines)
    .map(readLine);
}

/**
 * Adds whether the model reads PDF documents: the APIs of companies do; for other endpoints, this
 * is unknown.
 * @param kind of the model's provider
 */
export function withDocuments(info: ModelInfo, kind: ProviderKind): ModelInfo {
  const reads = ['anthropic', 'google', 'openai-chat', 'openai-responses'].includes(kind);
  return reads && info.images !== false ? { ...info, documents: true } : info;
}

export function modelFactsText(facts: readonly ModelFacts[]): string {
  return facts
    .map(({ model, price, context }) =>
      [
        model,
        ...(price === null ? [] : [price.input, price.output]),
        ...(price === null || price.cached === price.input ? [] : [price.cached]),
        ...(context === null
          ? []
          : [context % 1_000_000 === 0 ? `${context / 1_000_000}M` : `${context / 1_000}k`]),
      ].join(' '),
    )
    .join('\n');
}

/** Returns the provider's information about a model, overridden by the user's. */
export function withFacts(info: ModelInfo, facts: readonly ModelFacts[]): ModelInfo {
  const entered = facts.find(({ model }) => model === info.ref.model);
  if (entered === undefined) return info;
  return { ...info, price: entered.price ?? info.price, context: entered.context ?? info.context };
}

function readLine(line: string): ModelFacts {
  const [model = '', ...words] = line.split(/[\s,;]+/);
  const contexts = words.filter((word) => /^\d+(\.\d+)?[kM]$/.test(word));
  const numbers = words.filter((word) => !contexts.includes(word));
  const dollars = numbers.map((word) =>
    /^\$?\d+(\.\d+)?$/.test(word) ? Number(word.replace('$', '')) : NaN,
  );
  const isPrice = dollars.length === 0 || dollars.length === 2 || dollars.length === 3;
  if (
    model.length > 200 ||
    contexts.length > 1 ||
    !isPrice ||
    dollars.some(Number.isNaN) ||
    words.length === 0
  )
    throw new ToolError(
      'bad-input',
      `“${line.slice(0, 100)}” contains neither a price nor a context size.`,
      'Enter the model, US dollars per million input and output tokens, and the context size, for example: gpt-5 1.25 10 400k',
    );
  const [input, output, cached = input] = dollars;
  const [context] = contexts;
  return {
    model,
    price:
      input === undefined || output === undefined || cached === undefined
        ? null
        : { input, output, cached },
    context:
      context === undefined
        ? null
        : Math.round(Number.parseFloat(context) * (context.endsWith('k') ? 1_000 : 1_000_000)),
  };
}
