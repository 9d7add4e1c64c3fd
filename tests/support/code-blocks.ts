/** A tool in code blocks as Markdown generators write them. */

export const text = (marker: string): string =>
  `${marker}def f():\n    return "from a block"\n\nTOOL_SPECS = [{"name": "example:f", "description": "Returns.", "parameters": {"type": "object"}, "handler": f}]\n`;
const spans = (code: string): string =>
  code
    .split('\n')
    .map((line) => `<span class="n">${line.replaceAll('"', '&quot;')}</span>`)
    .join('\n');
export const blocks = {
  // MkDocs with pymdownx: ```{.python .cloche}; Sphinx: a code-block with :class: cloche, with line numbers;
  // Docusaurus: lines of spans; markdown-it, marked and GitHub: only the language, so the first line tells.
  mkdocs: `<div class="language-python highlight cloche"><pre id="__code_0"><span></span><button class="md-clipboard">copy</button><code>${spans(text(''))}</code></pre></div>`,
  sphinx: `<div class="cloche highlight-python notranslate"><div class="highlight"><pre><span></span><span class="linenos">1</span>${spans(text('')).replaceAll('\n', '\n<span class="linenos">2</span>')}</pre></div></div>`,
  docusaurus: `<div class="language-python codeBlockContainer"><div><pre tabindex="0" class="prism-code language-python"><code>${text('# cloche: view=form\n').replace(/.*\n/g, (line) => `<span class="token-line"><span class="token plain">${line.trimEnd()}</span><br></span>`)}</code></pre></div></div>`,
  plain: `<pre><code class="language-python">${text('# cloche autorun view=result\n')}</code></pre>`,
  other: `<pre><code class="language-python">${text('')}</code></pre>`,
};
