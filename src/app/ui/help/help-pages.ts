/** The documentation for users, as the page shows it: divided into sections, with links between them, and searchable. */

import { Marked, type Token } from 'marked';
import { helpOrder, slugOf } from './help-link.ts';

const markdown = new Marked();

const texts = import.meta.glob<string>(
  '../../../../docs/{tour,tool-files,foreign-files,import,values,tests,sessions,models,recordings,plans,evals,extensions,mcp-servers,api,mcp,embed,runtime,command-line,security,stability,deploy,speed,glossary}.md',
  { query: '?raw', import: 'default', eager: true },
);

export interface HelpSection {
  /** Id of the section's page. */
  readonly page: string;
  /** Id made from the heading; empty for the text before the first one. */
  readonly id: string;
  readonly title: string;
  /** 1 for the page itself. */
  readonly level: number;
  /** Markdown below the heading, without the sections that follow. */
  readonly text: string;
}

export interface HelpPage {
  /** The file's name. */
  readonly id: string;
  readonly title: string;
  readonly sections: readonly HelpSection[];
}

export const helpPages: readonly HelpPage[] = helpOrder.map((id) => {
  const text = texts[`../../../../docs/${id}.md`];
  if (text === undefined) throw new Error(`There is no docs/${id}.md.`);
  const sections = sectionsOf(id, text);
  return { id, title: sections[0]?.title ?? id, sections };
});

/** The sections of a Markdown text, which are divided by its headings. */
export function sectionsOf(page: string, text: string): readonly HelpSection[] {
  const sections: { id: string; title: string; level: number; text: string }[] = [];
  for (const token of markdown.lexer(text)) {
    const last = sections.at(-1);
    if (token.type === 'heading' && Number(token.depth) <= 3) {
      const title = String(token.text).replaceAll(/[`*]/g, '');
      const id = token.depth === 1 ? '' : slugOf(title);
      sections.push({ id, title, level: Number(token.depth), text: '' });
    } else if (last !== undefined) last.text += token.raw;
  }
  return sections.map((section) => ({ page, ...section, text: section.text.trim() }));
}

/** A section's text, parsed. */
export function tokensOf({ text }: HelpSection): readonly Token[] {
  return markdown.lexer(text);
}

export interface HelpHit {
  readonly section: HelpSection;
  /** Title of the section's page. */
  readonly page: string;
  /** The text around the first word that was found. */
  readonly excerpt: string;
}

const maxHits = 30;
const excerptChars = 160;

/** The sections that have all words of the query; those with a word in their heading first. */
export function searchHelp(query: string): readonly HelpHit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const hits = helpPages.flatMap(({ title: page, sections }) =>
    sections.flatMap((section) => {
      const title = section.title.toLowerCase();
      const all = `${title}\n${section.text.toLowerCase()}`;
      if (!words.every((word) => all.includes(word))) return [];
      const rank = words.filter((word) => title.includes(word)).length;
      return [{ rank, hit: { section, page, excerpt: excerptOf(section.text, words) } }];
    }),
  );
  return hits
    .sort((a, b) => b.rank - a.rank)
    .slice(0, maxHits)
    .map(({ hit }) => hit);
}

function excerptOf(text: string, words: readonly string[]): string {
  const plain = text
    .replaceAll(/\]\([^)]*\)/g, '')
    .replaceAll(/[`*[\]|]|^-{3,}$|-{3,}/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const lower = plain.toLowerCase();
  const at = Math.min(...words.map((word) => (lower.indexOf(word) + plain.length) % plain.length));
  const from = Number.isFinite(at) ? Math.max(0, at - excerptChars / 3) : 0;
  const cut = plain.slice(from, from + excerptChars);
  return `${from > 0 ? '…' : ''}${cut}${from + excerptChars < plain.length ? '…' : ''}`;
}
