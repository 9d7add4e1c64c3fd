import { expect, test } from 'vitest';
import { MarkdownText, type Block } from './markdown-text.ts';

function read(text: string): readonly Block[] {
  return new MarkdownText().read(text);
}

function html(text: string): string {
  return read(text)
    .map((block) => (block.kind === 'html' ? block.html : ''))
    .join('');
}

test('blocks are paragraphs, lists and code, each by itself', () => {
  expect(read('One *word*.\n\n- a\n- b\n\n```py\nx = 1\n```')).toEqual([
    { kind: 'html', html: '<p>One <em>word</em>.</p>\n' },
    { kind: 'html', html: '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n' },
    { kind: 'code', language: 'py', text: 'x = 1' },
  ]);
});

test('only two tildes strike out: one is a tilde', () => {
  expect(html('H~2~O, ~5 to ~10, ~~gone~~')).toBe('<p>H~2~O, ~5 to ~10, <del>gone</del></p>\n');
});

test('a text that grows letter by letter reads as the whole does, and keeps what is complete', () => {
  const whole =
    '# Title\n\nA paragraph with `code`,\nthat goes on.\r\n\r\n1. one\n2. two\n\n   more\n\n```json\n{"a": 1}\n\n\n{}\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n> quoted\n\nend 🙂 of it';
  const reader = new MarkdownText();
  let first: Block | undefined;
  let last: readonly Block[] = [];
  for (let end = 1; end <= whole.length; end += 1) {
    last = reader.read(whole.slice(0, end));
    if (end > 12) {
      first ??= last[0];
      expect(last[0]).toBe(first);
    }
  }
  expect(last).toEqual(read(whole));
  expect(last.map(({ kind }) => kind)).toEqual([
    ...['html', 'html', 'html', 'code', 'html', 'html', 'html'],
  ]);
});

test('another text begins anew', () => {
  const reader = new MarkdownText();
  reader.read('One.\n\nTwo.');
  expect(reader.read('Three.')).toEqual([{ kind: 'html', html: '<p>Three.</p>\n' }]);
});

test('HTML is shown as text', () => {
  expect(html('<script>alert(1)</script>\n\na <b onclick=x>b</b>')).toBe(
    '&lt;script&gt;alert(1)&lt;/script&gt;<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n',
  );
});

test('a link says where it leads, and leads to the web alone', () => {
  expect(html('[here](https://evil.example/x) [there](#/settings) [js](javascript:alert(1))')).toBe(
    '<p><a href="https://evil.example/x" target="_blank" rel="noopener noreferrer">here</a> ' +
      '<span class="host">(evil.example)</span> there (#/settings) js (javascript:alert(1))</p>\n',
  );
  expect(html('https://docs.example/a')).toBe(
    '<p><a href="https://docs.example/a" target="_blank" rel="noopener noreferrer">https://docs.example/a</a></p>\n',
  );
});

test('a picture is never fetched', () => {
  expect(html('![a cat](https://spy.example/cat.png "t")')).not.toContain('<img');
  expect(html('![a cat](https://spy.example/cat.png)')).toContain('Image: a cat</a>');
});

test('what would act on the page or hide is spelt out', () => {
  expect(html('a\u001b[31m \u202etxt.exe')).toBe('<p>a⟨ESC⟩[31m ⟨U+202E⟩txt.exe</p>\n');
});

test('what is nested absurdly deep, or is one absurdly long block, is plain, and what is before it is not', () => {
  const kinds = (text: string) => read(`Before.\n\n${text}`).map(({ kind }) => kind);
  expect(kinds(`${'> '.repeat(20_000)}x`)).toEqual(['plain']);
  expect(kinds('_a_b'.repeat(2_000))).toEqual(['plain']);
  expect(kinds(`Between.\n\n${'x'.repeat(60_000)}`)).toEqual(['html', 'html', 'plain']);
});

test('a long text of many blocks, and long code, are read to their ends', () => {
  const text = Array.from({ length: 2_000 }, (_, n) => `Paragraph *${String(n)}* of many.`);
  expect(read(text.join('\n\n'))).toHaveLength(2_000);
  const code = 'x = 1\n'.repeat(10_000);
  expect(read(`Before.\n\n\`\`\`py\n${code}\`\`\`\n\nBehind.`).map(({ kind }) => kind)).toEqual([
    ...['html', 'code', 'html'],
  ]);
});

test('what comes behind thousands of blocks is plain', () => {
  const blocks = new MarkdownText().read('#\n'.repeat(150_000));
  expect(blocks.length).toBeLessThan(20_000);
  expect(blocks.at(-1)?.kind).toBe('plain');
});
