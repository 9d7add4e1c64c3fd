/** Facts about models that can be derived from their names, for providers that do not report them. */

/** Returns the context size in tokens, as published by the provider, or null if it is not known for certain. */
export function knownContext(id: string): number | null {
  return contexts.find(([pattern]) => pattern.test(id))?.[1] ?? null;
}

const dated = '(-\\d{4}-\\d{2}-\\d{2}|-latest)?$';
const contexts: readonly (readonly [RegExp, number])[] = [
  [new RegExp(`^gpt-5(-mini|-nano)?${dated}`), 400_000],
  [new RegExp(`^gpt-4\\.1(-mini|-nano)?${dated}`), 1_047_576],
  [new RegExp(`^(gpt-4o(-mini)?|gpt-4-turbo|chatgpt-4o)${dated}`), 128_000],
  [new RegExp(`^(o1|o3|o3-mini|o3-pro|o4-mini)${dated}`), 200_000],
  [/^claude-3-|^claude-(opus|sonnet|haiku)-4(-[015])?(-\d{8})?$/, 200_000],
];

/** Returns whether the model accepts images, judged by its name; null if the name does not tell. */
export function seemsToSee(id: string): boolean | null {
  if (/^(gpt-3\.5|gpt-4$|gpt-4-0|o1-mini|o1-preview|o3-mini)|gpt-oss/.test(id)) return false;
  return /^(gpt-|o\d|chatgpt)|claude|gemini|vision|[-_.:/]vl\b|\dvl\b|llava|pixtral|gemma-?3|llama-?4|minicpm-v|moondream|omni/i.test(
    id,
  )
    ? true
    : null;
}

/** Returns false for models that are not for conversation, such as embedding or speech models. */
export function talks(id: string): boolean {
  return !/embed|whisper|\btts\b|-tts|dall-e|moderation|realtime|transcribe|rerank|sora|imagen|\bveo\b|-image|davinci|babbage|\baqa\b/i.test(
    id,
  );
}
