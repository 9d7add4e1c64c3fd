/** What providers say of their models, read with distrust. */

import type { ModelInfo } from '../spec/model.ts';
import { knownContext, seemsToSee, talks } from './known-models.ts';

export type ListedModel = Omit<ModelInfo, 'ref'> & { readonly id: string };

/** One page of a list, and how the next one is asked for. */
export interface ModelPage {
  readonly models: readonly ListedModel[];
  /** Query of the next page; null: this is the last. */
  readonly next: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

const longestName = 200;

/** Undefined where it is no list. */
export function readPage(value: unknown): ModelPage | undefined {
  const { data, models, nextPageToken, has_more, last_id } = fields(value);
  const all = Array.isArray(data) ? data : Array.isArray(value) ? value : models;
  if (!Array.isArray(all)) return undefined;
  const token = typeof nextPageToken === 'string' && nextPageToken !== '';
  const more = has_more === true && typeof last_id === 'string' && last_id !== '';
  return {
    models: all.flatMap((one) => readModel(fields(one))),
    next: token
      ? `pageToken=${encodeURIComponent(nextPageToken)}`
      : more
        ? `after_id=${encodeURIComponent(last_id)}`
        : null,
  };
}

/** A model of which nothing but the name is known. */
export function modelNamed(id: string): ListedModel {
  return { id, label: id, context: knownContext(id), images: seemsToSee(id), price: null };
}

function readModel(model: Fields): ListedModel[] {
  // Google's names have a folder in front; Ollama's own list has no ids.
  const id = text(model.id) ?? text(model.name)?.replace(/^models\//, '');
  if (id === undefined || !isTalking(id, model)) return [];
  const known = modelNamed(id);
  const label = text(model.display_name) ?? text(model.displayName) ?? text(model.name);
  return [
    {
      ...known,
      label: model.id === undefined && label?.startsWith('models/') === true ? id : (label ?? id),
      context: contextOf(model) ?? known.context,
      images: seesImages(model) ?? known.images,
      price: priceOf(fields(model.pricing)),
      ...(callsNoTools(model) ? { tools: false } : {}),
    },
  ];
}

function isTalking(id: string, model: Fields): boolean {
  const { supportedGenerationMethods: methods, type, architecture } = model;
  if (Array.isArray(methods)) return methods.includes('generateContent') && talks(id);
  if (type === 'embeddings' || type === 'embedding') return false;
  const outputs = fields(architecture).output_modalities;
  return Array.isArray(outputs) ? outputs.includes('text') : talks(id);
}

/** OpenRouter, vLLM, LM Studio, Google, Anthropic, llama.cpp. */
function contextOf(model: Fields): number | null {
  const said = [
    ...[model.loaded_context_length, model.max_context_length, model.context_length],
    ...[model.max_model_len, model.inputTokenLimit, model.max_input_tokens],
    ...[fields(model.meta).n_ctx, fields(model.meta).n_ctx_train],
  ];
  return (
    said.find((value): value is number => Number.isSafeInteger(value) && Number(value) > 0) ?? null
  );
}

function seesImages(model: Fields): boolean | undefined {
  const { input_modalities } = fields(model.architecture);
  if (Array.isArray(input_modalities)) return input_modalities.includes('image');
  if (model.type === 'vlm') return true;
  const { capabilities } = model;
  if (Array.isArray(capabilities))
    return capabilities.some((one) => one === 'vision' || one === 'multimodal') || undefined;
  const { supported } = fields(fields(capabilities).image_input);
  return typeof supported === 'boolean' ? supported : undefined;
}

function callsNoTools({ supported_parameters, capabilities, type }: Fields): boolean {
  if (Array.isArray(supported_parameters)) return !supported_parameters.includes('tools');
  return (type === 'llm' || type === 'vlm') && Array.isArray(capabilities)
    ? !capabilities.includes('tool_use')
    : false;
}

/** OpenRouter's, which are for one token. */
function priceOf({ prompt, completion, input_cache_read }: Fields): ModelInfo['price'] {
  const [input, output, cached] = [prompt, completion, input_cache_read].map(perMillion);
  if (input === undefined || output === undefined || (input === 0 && output === 0)) return null;
  return { input, cached: cached ?? input, output };
}

function perMillion(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const price = value === '' ? NaN : Number(value);
  // OpenRouter says -1 where it depends.
  return price >= 0 ? Number((price * 1e6).toPrecision(12)) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= longestName
    ? value
    : undefined;
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
