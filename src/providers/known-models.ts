/** What can be derived from the names of models, for providers that do not report it. */

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
