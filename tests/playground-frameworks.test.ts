/** `<cloche-playground>` as React, Vue and Svelte render it, and as plain script makes it. */

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, type Plugin } from 'vite';
import { startEmbeddingSite, type EmbeddingSite } from './support/embedding-site.ts';
import { expect, test } from './support/test.ts';

const source = `
def echo(text: str) -> str:
    return "echo " + text


TOOL_SPECS = [
    {
        "name": "example:echo",
        "description": "Repeats.",
        "parameters": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        },
        "handler": echo,
    },
]
`;
const shared = `
export const source = ${JSON.stringify(source)};
export const args = (name) => JSON.stringify({ text: name });
export const note = (name) => (event) => { document.querySelector('#' + name).dataset.result = event.detail.text; };
`;
const entries: Record<string, string> = {
  react: `
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { source, args, note } from './docs-shared.js';
function Docs() {
  const [text, setText] = useState(source);
  globalThis.changeReact = () => setText(source.replace('echo " +', 'again " +'));
  return createElement('cloche-playground',
    { tool: 'echo', arguments: args('react'), autorun: true, 'oncloche-result': note('react') }, text);
}
createRoot(document.querySelector('#react')).render(createElement(Docs));`,
  vue: `
import { createApp, h } from 'vue';
import { source, args, note } from './docs-shared.js';
createApp({
  render: () => h('cloche-playground',
    { tool: 'echo', arguments: args('vue'), autorun: true, 'onCloche-result': note('vue') }, source),
}).mount('#vue');`,
  svelte: `
import { mount } from 'svelte';
import Docs from './Docs.svelte';
mount(Docs, { target: document.querySelector('#svelte') });`,
  plain: `
import { source, args, note } from './docs-shared.js';
const tag = document.createElement('cloche-playground');
tag.textContent = source;
tag.setAttribute('tool', 'echo');
tag.addEventListener('cloche-result', note('plain'));
document.querySelector('#plain').append(tag);
customElements.whenDefined('cloche-playground').then(async () => {
  await tag.setArguments({ text: 'plain' });
  await tag.run();
});`,
};
const files: Record<string, string> = {
  'docs-shared.js': shared,
  'all.js': Object.keys(entries)
    .map((name) => `import './${name}.js';`)
    .join('\n'),
  'Docs.svelte': `<script>import { source, args, note } from './docs-shared.js';</script>
<cloche-playground tool="echo" arguments={args('svelte')} autorun oncloche-result={note('svelte')}>{source}</cloche-playground>`,
  ...Object.fromEntries(Object.entries(entries).map(([name, text]) => [`${name}.js`, text])),
};

/** Serves the modules above to the build, as if they were in a folder of the project. */
function inMemory(root: string): Plugin {
  return {
    name: 'in-memory',
    enforce: 'pre',
    resolveId: (id) => {
      const name = id.split('/').at(-1) ?? '';
      return name in files && /^\.\/|docs-in-memory/.test(id) ? `${root}/${name}` : undefined;
    },
    load: (id) => (id.startsWith(root) ? files[id.slice(root.length + 1)] : undefined),
  };
}

let site: EmbeddingSite;
test.beforeAll(async ({}, { project }) => {
  site = await startEmbeddingSite(project.use.baseURL ?? '');
});
test.afterAll(() => site.close());

test(
  'React, Vue, Svelte and plain script',
  { tag: '@full' },
  async ({ page, trouble, baseURL }) => {
    const app = baseURL ?? '';
    trouble.allowOrigin(site.origin);
    const root = new URL('docs-in-memory', import.meta.url).pathname;
    const built = await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      plugins: [inMemory(root), svelte({ configFile: false })],
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        write: false,
        rolldownOptions: {
          input: `${root}/all.js`,
          output: { format: 'iife', codeSplitting: false },
        },
      },
    });
    if (Array.isArray(built) || !('output' in built)) throw new Error('Expected one bundle.');
    site.put('/docs.css', 'div { min-height: 20rem }');
    site.put('/docs.js', built.output[0].code);
    const policy = `default-src 'none'; script-src 'self' ${new URL(app).origin}; frame-src ${new URL(app).origin}; style-src 'self'; img-src data:`;
    const targets = Object.keys(entries).map((name) => `<div id="${name}"></div>`);
    await page.goto(
      site.put(
        '/frameworks.html',
        `${targets.join('')}<script src="${app}cloche-playground.js"></script><script src="/docs.js"></script>`,
        policy,
      ),
    );
    for (const name of Object.keys(entries)) {
      await page.locator(`#${name} cloche-playground`).scrollIntoViewIfNeeded();
      await expect(page.locator(`#${name}`)).toHaveAttribute('data-result', `echo ${name}`, {
        timeout: 60_000,
      });
    }
    // A changed child is a changed source.
    await page.evaluate(() => {
      (Reflect.get(globalThis, 'changeReact') as () => void)();
    });
    const frame = page.locator('#react cloche-playground').frameLocator('iframe');
    await expect(frame.getByText('"again " + text')).toBeVisible();
  },
);
