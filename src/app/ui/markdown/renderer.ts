/** What renders Markdown, for parts of the page that load it on first use. */

export { MarkdownRuns } from './markdown.ts';
export { safeTree } from './safe-html.ts';
