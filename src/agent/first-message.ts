/** What a session becomes with its first message: its title, and the tools that it is locked to. */

import { fitTitle } from '../session/session-title.ts';
import type { UserPart } from '../spec/model.ts';
import type { SelectedTool } from '../spec/session.ts';
import type { RegisteredTool } from '../spec/tool.ts';

const titleChars = 60;

/** The first line of a message, cut at a word; empty where it has no text. */
export function titleOf(parts: readonly UserPart[]): string {
  const text = parts.find((part) => part.type === 'text')?.text ?? '';
  const [line = ''] = text.trim().split('\n');
  const fit = fitTitle(line);
  if (fit.length <= titleChars) return fit;
  const cut = fit.slice(0, titleChars);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), titleChars / 2)).trimEnd()}…`;
}

/** What is kept of a tool, so that it can be told later what has changed. */
export function selectedTool(tool: RegisteredTool): SelectedTool {
  const { name, description, parameters, deferred } = tool;
  return { name, description, parameters, deferred };
}
