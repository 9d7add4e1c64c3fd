/** Guards of the page: its policy, and how it shows untrusted content. */

/** @type {readonly import('./types.ts').Mutant[]} */
export const pageMutants = [
  {
    name: "the page's policy: frames",
    file: 'index.html',
    find: "frame-src 'none'",
    replace: 'frame-src *',
    tests: { unit: ['scripts/build/page-policy.test.ts'] },
  },
  {
    name: "the page's policy: requests",
    file: 'index.html',
    find: "connect-src 'self'",
    replace: 'connect-src *',
    tests: { unit: ['scripts/build/page-policy.test.ts'] },
  },
  {
    name: "the page's policy: forms",
    file: 'index.html',
    find: "; form-action 'none'",
    replace: '',
    tests: { unit: ['scripts/build/page-policy.test.ts'] },
  },
  {
    name: 'names that turn the direction of text are spelt out',
    file: `src/ui/parts/visible-text.ts`,
    find: "'[\\\\u2028-\\\\u202e\\\\u2060-\\\\u206f\\\\ufeff\\\\ufff9-\\\\ufffb]',",
    replace: '',
    tests: { unit: ['src/ui/parts/visible-text.test.ts'] },
  },
  {
    name: 'escapes of terminals are spelt out',
    file: `src/ui/parts/visible-text.ts`,
    find: "'[\\\\0-\\\\x08\\\\x0b\\\\x0c\\\\x0e-\\\\x1f\\\\x7f-\\\\x9f]|\\\\r(?!\\\\n)',",
    replace: '',
    tests: { unit: ['src/ui/parts/visible-text.test.ts'] },
  },
  {
    name: 'HTML in Markdown is text',
    file: `src/ui/sessions/transcript/markdown.ts`,
    find: 'html: ({ text }) => escaped(text)',
    replace: 'html: ({ text }) => text',
    tests: { unit: ['src/ui/sessions/transcript/markdown.test.ts'] },
  },
  {
    name: 'links in Markdown lead into the web',
    file: `src/ui/sessions/transcript/markdown.ts`,
    find: 'if (!/^(https?|mailto):/i.test(href) || !URL.canParse(href)) return null;',
    replace: 'if (!URL.canParse(href)) return null;',
    tests: { unit: ['src/ui/sessions/transcript/markdown.test.ts'] },
  },
  {
    name: 'links in sanitised HTML lead into the web',
    file: `src/ui/sessions/transcript/safe-html.ts`,
    find: "if (!address.test(link.getAttribute('href') ?? '')) link.removeAttribute('href');",
    replace: 'link.getAttributeNames();',
    tests: {
      browser: {
        project: 'app',
        file: 'tests/threats/html.test.ts',
        title: 'nothing runs, loads, leads away or lies above the page (the browser)',
      },
    },
  },
  {
    name: 'HTML is sanitised by the library',
    file: `src/ui/sessions/transcript/safe-html.ts`,
    find: 'const tree: unknown = purifier.sanitize(html);',
    replace: 'const tree: unknown = document.createRange().createContextualFragment(html);',
    tests: {
      browser: {
        project: 'app',
        file: 'tests/threats/html.test.ts',
        title: 'nothing runs, loads, leads away or lies above the page (the library)',
      },
    },
  },
];
