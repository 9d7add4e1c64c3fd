/** Reads the model lists of providers. Every value is validated. */

import { findPublishedContext } from './published-models.ts';
import { asFields, type Fields } from '../../runtime/spec/guards.ts';
import type { ListedModel, ModelInfo } from '../../runtime/spec/model.ts';

export interface ModelPage {
  readonly models: readonly ListedModel[];
  /** Query string of the next page, or null if this is the last. */
  readonly next: string | null;
}

const maxNameChars = 200;

/** Returns undefined if the value is not a model list. */
export function readPage(value: unknown): ModelPage | undefined {
  const { data, models } = asFields(value);
  const all = [data, value, models].find((list) => Array.isArray(list));
  if (all === undefined) return undefined;
  // llama.cpp lists each model twice, and gives its capabilities only in the list with Ollama's shape.
  const ollamaList = Array.isArray(data) && Array.isArray(models) ? models.map(asFields) : [];
  return {
    models: all.map(asFields).flatMap((model) => {
      const { capabilities } = ollamaList.find(({ name }) => name === model.id) ?? {};
      return readModel(capabilities === undefined ? model : { capabilities, ...model });
    }),
    next: nextPage(asFields(value)),
  };
}

/** The query string of the next page, as Google and Anthropic name it. */
function nextPage({ nextPageToken: token, has_more, last_id: last }: Fields): string | null {
  if (typeof token === 'string' && token !== '') return `pageToken=${encodeURIComponent(token)}`;
  const hasMore = has_more === true && typeof last === 'string' && last !== '';
  return hasMore ? `after_id=${encodeURIComponent(last)}` : null;
}

/** Returns an entry for a model of which only the name is known. */
export function modelNamed(id: string): ListedModel {
  return {
    id,
    label: id,
    context: findPublishedContext(id),
    images: acceptsImagesByName(id),
    price: null,
  };
}

function readModel(model: Fields): ListedModel[] {
  // Google's names start with `models/`; entries of Ollama's own list have no id.
  const id = text(model.id) ?? text(model.name)?.replace(/^models\//, '');
  if (id === undefined || !isForChat(id, model)) return [];
  const known = modelNamed(id);
  const label = text(model.display_name) ?? text(model.displayName) ?? text(model.name);
  return [
    {
      ...known,
      label: model.id === undefined && label?.startsWith('models/') === true ? id : (label ?? id),
      context: contextOf(model) ?? known.context,
      images: acceptsImages(model) ?? known.images,
      price: priceOf(asFields(model.pricing)),
      ...(lacksTools(model) ? { tools: false } : {}),
    },
  ];
}

function isForChat(id: string, model: Fields): boolean {
  const { supportedGenerationMethods: methods, type, architecture } = model;
  if (Array.isArray(methods)) return methods.includes('generateContent') && isForConversation(id);
  if (type === 'embeddings' || type === 'embedding') return false;
  const { capabilities: can } = model;
  if (Array.isArray(can) && can.includes('embedding') && !can.includes('completion')) return false;
  const outputs = asFields(architecture).output_modalities;
  return Array.isArray(outputs) ? outputs.includes('text') : isForConversation(id);
}

/**
 * Returns the context size. The fields are those of LM Studio, OpenRouter, vLLM, Google, Anthropic
 * and llama.cpp, in this order.
 */
function contextOf(model: Fields): number | null {
  const sizes = [
    model.loaded_context_length,
    model.max_context_length,
    model.context_length,
    model.max_model_len,
    model.inputTokenLimit,
    model.max_input_tokens,
    asFields(model.meta).n_ctx,
    asFields(model.meta).n_ctx_train,
  ];
  return (
    sizes.find((value): value is number => Number.isSafeInteger(value) && Number(value) > 0) ?? null
  );
}

/** The fields of: OpenRouter and newer llama.cpp; LM Studio; Ollama and older llama.cpp; Mistral; Anthropic. */
function acceptsImages({ architecture, type, capabilities }: Fields): boolean | undefined {
  const { input_modalities } = asFields(architecture);
  if (Array.isArray(input_modalities)) return input_modalities.includes('image');
  if (type === 'vlm') return true;
  if (Array.isArray(capabilities)) {
    if (capabilities.some((one) => one === 'vision' || one === 'multimodal')) return true;
    return type === 'llm' || capabilities.includes('completion') ? false : undefined;
  }
  if (type === 'llm') return false;
  const { vision, image_input } = asFields(capabilities);
  const reads = vision ?? asFields(image_input).supported;
  return typeof reads === 'boolean' ? reads : undefined;
}

/**
 * The fields of OpenRouter, LM Studio and Ollama. Entries with a digest are Ollama's; llama.cpp, which has none, does
 * not report tool support.
 */
function lacksTools({ supported_parameters, capabilities, type, digest }: Fields): boolean {
  if (Array.isArray(supported_parameters)) return !supported_parameters.includes('tools');
  if (!Array.isArray(capabilities)) return false;
  if (type === 'llm' || type === 'vlm') return !capabilities.includes('tool_use');
  return (
    text(digest) !== undefined &&
    capabilities.includes('completion') &&
    !capabilities.includes('tools')
  );
}

/** OpenRouter's prices, which are per token. */
function priceOf({ prompt, completion, input_cache_read }: Fields): ModelInfo['price'] {
  const [input, output, cached] = [prompt, completion, input_cache_read].map(perMillion);
  if (input === undefined || output === undefined || (input === 0 && output === 0)) return null;
  return { input, cached: cached ?? input, output };
}

function perMillion(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const price = value === '' ? NaN : Number(value);
  // OpenRouter reports -1 for a variable price.
  return price >= 0 ? Number((price * 1e6).toPrecision(12)) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= maxNameChars
    ? value
    : undefined;
}

/** Returns whether the model accepts images, judged by its name; null if that cannot be judged. */
function acceptsImagesByName(id: string): boolean | null {
  if (/^(gpt-3\.5|gpt-4$|gpt-4-0|o1-mini|o1-preview|o3-mini)|gpt-oss/.test(id)) return false;
  return /^(gpt-|o\d|chatgpt)|claude|gemini|vision|[-_.:/]vl\b|\dvl\b|llava|pixtral|gemma-?3|llama-?4|minicpm-v|moondream|omni/i.test(
    id,
  )
    ? true
    : null;
}

/** Returns whether a model is for conversation, and not for embeddings or speech, for example. Judged by the name. */
function isForConversation(id: string): boolean {
  return !/embed|whisper|\btts\b|-tts|dall-e|moderation|realtime|transcribe|rerank|sora|imagen|\bveo\b|-image|davinci|babbage|\baqa\b/i.test(
    id,
  );
}
