/** The modules that render Markdown, for parts of the page that load them on first use. */

export { MarkdownReader } from './markdown.ts';
export { safeTree } from './safe-html.ts';
