/** The modules that render Markdown, for parts of the page that load them on first use. */

export { MarkdownRuns } from './markdown.ts';
export { safeTree } from './safe-html.ts';
