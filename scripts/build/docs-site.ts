/** Makes web pages of the documentation for users, with Eleventy. */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import Eleventy, { type Markdown, type PageData, type UserConfig } from '@11ty/eleventy';
import highlight from '@11ty/eleventy-plugin-syntaxhighlight';
import { helpOrder, slugOf } from '../../src/app/ui/help/help-link.ts';

export interface SiteFile {
  /** Below the folder of the site. */
  readonly name: string;
  readonly content: string;
}

/** The pages load nothing from elsewhere. A playground needs no more than these lines: see docs/embed.md. */
const policy = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "frame-src 'self'",
].join('; ');

/** The site's files: a page for each document, `index.html`, and their style. @param root the project's folder */
export async function docsSite(root: string): Promise<readonly SiteFile[]> {
  const docs = join(root, 'docs');
  const contents = await Promise.all(
    helpOrder.map(async (id) => ({
      id,
      title: titleOf(await readFile(join(docs, `${id}.md`), 'utf8')),
    })),
  );
  const input = relative(process.cwd(), docs) || '.';
  const site = new Eleventy(input, `${input}/_site`, {
    quietMode: true,
    // No configuration file: this function is all of it.
    configPath: undefined,
    config: (config) => {
      configure(config, contents);
    },
  });
  const made = await site.toJSON();
  const pages = made.map(({ url, content }) => ({ name: url.slice(1), content }));
  const missing = helpOrder.filter((id) => !pages.some(({ name }) => name === `${id}.html`));
  if (missing.length > 0)
    throw new Error(`No page was made of docs/${missing.join('.md, docs/')}.md.`);
  const first = pages.find(({ name }) => name === `${helpOrder[0] ?? ''}.html`);
  const tokens = await readFile(join(root, 'src/app/ui/styles/tokens.css'), 'utf8');
  const style = await readFile(join(docs, 'site/site.css'), 'utf8');
  return [
    ...pages,
    { name: 'index.html', content: first?.content ?? '' },
    { name: 'site.css', content: `${tokens}\n${style}` },
  ];
}

interface Listed {
  readonly id: string;
  readonly title: string;
}

function configure(config: UserConfig, contents: readonly Listed[]): void {
  config.setIncludesDirectory('site');
  config.setTemplateFormats(['md']);
  config.setUseGitIgnore(false);
  config.ignores.add('**/{decisions,licences,images,site}/**');
  config.addPlugin(highlight);
  config.amendLibrary('md', amendMarkdown);
  config.addGlobalData('layout', 'layout.njk');
  config.addGlobalData('policy', policy);
  config.addGlobalData('contents', contents);
  config.addGlobalData('permalink', '{{ page.fileSlug }}.html');
  config.addGlobalData('eleventyComputed', {
    docTitle: ({ page }: PageData) => contents.find(({ id }) => id === page.fileSlug)?.title,
    neighbours: ({ page }: PageData) => {
      const at = contents.findIndex(({ id }) => id === page.fileSlug);
      return { before: contents[at - 1], after: contents[at + 1] };
    },
  });
  config.addPreprocessor('listed', 'md', ({ page }: PageData, text: string) =>
    contents.some(({ id }) => id === page.fileSlug) ? text : false,
  );
  config.addFilter('hasPlaygrounds', (html: string) => html.includes('class="cloche"'));
  config.addFilter('headings', headingsOf);
  config.addTransform('links', (html: string) => withLinks(html));
}

/** Gives headings ids, and marks blocks of `python cloche`, which the script of the playground makes executable. */
function amendMarkdown({ renderer }: Markdown): void {
  const { fence } = renderer.rules;
  renderer.rules.heading_open = (tokens, at) => {
    const tag = tokens[at]?.tag ?? '';
    return `<${tag} id="${slugOf((tokens[at + 1]?.content ?? '').replaceAll(/[`*]/g, ''))}">`;
  };
  renderer.rules.fence = (tokens, at, ...rest) => {
    const html = fence?.(tokens, at, ...rest) ?? '';
    const isLive = tokens[at]?.info.trim() === 'python cloche';
    return isLive ? `<div class="cloche">${html}</div>\n` : html;
  };
}

function titleOf(markdown: string): string {
  return (/^# (.+)$/m.exec(markdown)?.[1] ?? '').replaceAll(/[`*]/g, '');
}

function headingsOf(html: string): readonly Listed[] {
  return [...html.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/gs)].map(([, id = '', title = '']) => ({
    id,
    title: title.replaceAll(/<[^>]*>/g, ''),
  }));
}

/** Leads links to other documents to their pages. A link to a file that the site does not have becomes text. */
function withLinks(html: string): string {
  const linked = html.replaceAll(
    /<a href="([^"]*)"([^>]*)>(.*?)<\/a>/gs,
    (link, href: string, rest: string, text: string) => {
      if (/^(https?:|#|\.)/.test(href) && !/\.md\b/.test(href) && !href.startsWith('../'))
        return link;
      if (href === '../index.html') return link;
      const [, id = '', hash = ''] = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
      return helpOrder.includes(id) ? `<a href="./${id}.html${hash}"${rest}>${text}</a>` : text;
    },
  );
  // A wide table scrolls by itself.
  return linked
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}
