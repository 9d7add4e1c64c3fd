/** The tags around reasoning that servers leave in the text of answers, and functions that find these tags in a text. */

import type { ModelRequest } from '../../../runtime/spec/model.ts';

/** Tags around reasoning, in lower case. */
export interface ThinkingTags {
  readonly openings: readonly string[];
  readonly closings: readonly string[];
  readonly anyOpening: RegExp;
  readonly anyClosing: RegExp;
}

const assistant = '<|start|>assistant';
const analysis = '<|channel|>analysis<|message|>';
const final = '<|channel|>final<|message|>';
const messageEnd = '<|end|>';

export const thinkTags = tagsOf(['<think>'], ['</think>']);

/** The tags that servers are known to leave in texts. */
const allTags: readonly ThinkingTags[] = [
  thinkTags,
  tagsOf(['<thinking>'], ['</thinking>']),
  tagsOf(['<thought>'], ['</thought>']),
  // Seed-OSS
  tagsOf(['<seed:think>'], ['</seed:think>']),
  // Magistral and Ministral
  tagsOf(['[think]'], ['[/think]']),
  // Kimi-VL
  tagsOf(['◁think▷'], ['◁/think▷']),
  // Command A
  tagsOf(['<|start_thinking|>'], ['<|end_thinking|>']),
  // Sky-T1
  tagsOf(['<|begin_of_thought|>'], ['<|end_of_thought|>']),
  // Gemma 4
  tagsOf(['<|channel>thought'], ['<channel|>']),
  // gpt-oss
  tagsOf([analysis, assistant + analysis], [messageEnd, assistant + final, final]),
];
const openings = allTags.flatMap((tags) => tags.openings);
export const closings = allTags.flatMap((tags) => tags.closings);
/** Closing tags that end reasoning without an opening tag. */
export const loneClosings = closings.filter((tag) => tag !== messageEnd);
export const anyOpening = patternOf(openings, 'i');
export const anyLoneClosing = patternOf(loneClosings, 'gi');
export const maxTagChars = Math.max(...[...openings, ...closings].map((tag) => tag.length));
/**
 * Matches messages about these tags: one of them, or words such as “thinking tags” and “reasoning block”. Answers to such
 * messages may quote the tags.
 */
const aboutTags =
  /<\/?(?:seed:)?(?:think|thinking|thought)\b|◁\/?think▷|<\|(?:start|end)_thinking\|>|<\|(?:begin|end)_of_thought\|>|\[\/?THINK\]|<\|?channel\|?>|\b(?:think(?:ing)?|thought|reasoning)[-\s]?(?:tag|token|block|marker|delimiter|element)s?\b/i;

/** Returns whether the messages are about these tags. */
export function mentionsThinking({ messages }: Pick<ModelRequest, 'messages'>): boolean {
  return messages.some((message) => {
    const parts =
      message.role === 'user'
        ? message.parts
        : message.role === 'tool'
          ? message.answers.flatMap((answer) => answer.parts)
          : [];
    return parts.some((part) => part.type === 'text' && aboutTags.test(part.text));
  });
}

/** Finds the opening tag with which a text begins. @param text in lower case */
export function findOpening(
  text: string,
): { readonly opening: string; readonly tags: ThinkingTags } | undefined {
  for (const tags of allTags) {
    const opening = tags.openings.find((tag) => text.startsWith(tag));
    if (opening !== undefined) return { opening, tags };
  }
  return undefined;
}

/** Returns whether a text is the beginning of a tag, so that the rest may still arrive. @param text in lower case */
export function mayBecomeTag(text: string): boolean {
  return (
    openings.some((tag) => tag.startsWith(text)) || closings.some((tag) => tag.startsWith(text))
  );
}

/** Returns how many characters at the end of a text may be the beginning of one of these tags. */
export function partialTagLength(text: string, tags: readonly string[]): number {
  const end = text.slice(-maxTagChars).toLowerCase();
  // Every tag begins with one of these characters.
  for (const { index } of end.matchAll(/[<[◁]/g)) {
    const rest = end.slice(index);
    if (tags.some((tag) => tag.startsWith(rest))) return rest.length;
  }
  return 0;
}

function tagsOf(openings: readonly string[], closings: readonly string[]): ThinkingTags {
  return {
    openings,
    closings,
    anyOpening: patternOf(openings, 'gi'),
    anyClosing: patternOf(closings, 'i'),
  };
}

/** A pattern that matches any of these texts. */
function patternOf(texts: readonly string[], flags: string): RegExp {
  const escaped = texts.map((text) => text.replace(/[[\]|/]/g, '\\$&'));
  return new RegExp(escaped.join('|'), flags);
}
