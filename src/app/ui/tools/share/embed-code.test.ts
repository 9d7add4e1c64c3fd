import { expect, test } from 'vitest';
import { badgeCode, embedCode, formsFor, frameAddress, type Embedded } from './embed-code.ts';

const source = 'def greet(name: str) -> str:\n    return f"Hello, {name}"\n';
const greet: Embedded = {
  app: 'https://cloche.example/',
  files: [{ path: 'greet.py', text: source }],
  tool: 'greet:greet',
  arguments: '{\n  "name": "O\'Hara & <co>"\n}',
  view: 'form',
  autorun: true,
  readonly: false,
};

test('HTML has one script for each file, and escaped attributes', () => {
  expect(embedCode('html', greet))
    .toBe(`<script async src="https://cloche.example/cloche-playground.js"></script>

<cloche-playground tool="greet:greet" arguments='{ "name": "O&#39;Hara &amp; &lt;co>" }' view="form" autorun>
  <script type="text/x-python" data-name="greet.py">
def greet(name: str) -> str:
    return f"Hello, {name}"
  </script>
</cloche-playground>
`);
});

test('source that would end its script is put into an attribute', () => {
  const text = 'x = "</script><img onerror=alert(1)>"\n';
  const code = embedCode('html', { ...greet, files: [{ path: 'a.py', text }] });
  expect(code).toContain(
    String.raw`files='{"a.py":"x = \"&lt;/script>&lt;img onerror=alert(1)>\"\n"}'`,
  );
  expect(code.match(/<script/g)).toHaveLength(1);
});

test('a block of Markdown holds one file, and its line the options', () => {
  const text = `"""\n\`\`\`\n"""\n${source}`;
  const code = embedCode('markdown', { ...greet, files: [{ path: 'greet.py', text }] });
  expect(code).toContain('\n````python\n# cloche: name=greet.py tool=greet:greet arguments=');
  expect(code).toContain(
    String.raw`arguments='{ "name": "O\u0027Hara & <co>" }' view=form autorun`,
  );
  expect(formsFor({ files: [...greet.files, ...greet.files] })).toEqual(['html', 'frame']);
});

test('the address of a frame is read back as it was written', () => {
  const [, hash = ''] = frameAddress(greet).split('#');
  expect(Object.fromEntries(new URLSearchParams(hash))).toEqual({
    source,
    name: 'greet.py',
    tool: 'greet:greet',
    arguments: '{ "name": "O\'Hara & <co>" }',
    view: 'form',
    autorun: '',
  });
  const two = frameAddress({ ...greet, files: [...greet.files, { path: 'b.py', text: '' }] });
  const files = new URLSearchParams(two.split('#')[1]).get('files');
  expect(JSON.parse(files ?? '')).toEqual({ 'greet.py': source, 'b.py': '' });
});

test('a badge links a picture of this Cloche', () => {
  expect(badgeCode('https://c.example/', 'https://c.example/#/open?tool=a', 'a[b]')).toBe(
    String.raw`[![Run a\[b\] in Cloche](https://c.example/badge.svg)](https://c.example/#/open?tool=a)` +
      '\n',
  );
});
