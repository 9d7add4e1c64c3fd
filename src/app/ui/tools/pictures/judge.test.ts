import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import { threadMs } from '../../../../../tests/support/thread-time.ts';

const svg = (inside: string, attributes = 'width="100" height="100"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`;

const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

async function outcome(text: string, mediaType = 'image/svg+xml'): Promise<string> {
  const verdict = await judge(bytesOf(text), mediaType);
  return verdict.draw === 'unasked' ? 'unasked' : `${verdict.draw}: ${verdict.reason}`;
}

const doubled = (levels: number, reference: (id: string) => string): string =>
  Array.from(
    { length: levels },
    (_, n) => `<g id="l${String(n + 1)}">${reference(`l${String(n)}`).repeat(10)}</g>`,
  ).join('');
const bomb = (levels: number): string =>
  svg(
    `<defs><rect id="l0" width="1" height="1"/>${doubled(levels, (id) => `<use href="#${id}"/>`)}</defs><use href="#l${String(levels)}"/>`,
  );

test('ordinary charts are drawn unasked', async () => {
  const chart = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<!-- A chart -->
${svg(
  `<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Bag/></rdf:RDF></metadata>
  <style type="text/css">*{stroke-linejoin: round} .axis text, g > path.a { fill: #123; font: 10px sans-serif }</style>
  <defs><path id="m" d="M0 3C.8 3 3 .8 3 0z" style="stroke: #000"/><clipPath id="c"><rect width="9" height="9"/></clipPath>
  <linearGradient id="f"><stop offset="0" stop-color="rgb(1,2,3)"/></linearGradient></defs>
  <g clip-path="url(#c)">${'<use xlink:href="#m" x="1" y="2" style="fill: url(\'#f\'); opacity: .5"/>'.repeat(100)}</g>
  <path d="M0 0L5 5A1 1 0 015 6" stroke-dasharray="5.55 2.4"/><text x="5">A &amp; B &#233;</text>`,
  'viewBox="0 0 100 100"',
)}`;
  expect(await outcome(chart)).toBe('unasked');
});

test('copies are counted, and the judgement of a bomb ends early', async () => {
  expect(await outcome(bomb(2))).toBe('unasked');
  expect(await outcome(bomb(3))).toBe('on request: it expands to more than 2,000 shapes');
  const begun = threadMs();
  expect(await outcome(bomb(30))).toMatch(/^never: .*16,000 shapes/);
  expect(threadMs() - begun).toBeLessThan(5_000);
});

const markers = `<marker id="m">${'<rect width="1" height="1"/>'.repeat(100)}</marker>`;
const line = `M${Array.from({ length: 500 }, (_, n) => `${String(n % 9)} ${String(n % 7)}`).join('L')}`;
const patterns = Array.from(
  { length: 6 },
  (_, n) =>
    `<pattern id="p${String(n)}" width="1" height="1">${`<rect width="1" height="1" fill="url(#p${String(n - 1)})"/>`.repeat(10)}</pattern>`,
).join('');
const masks = Array.from(
  { length: 6 },
  (_, n) =>
    `<mask id="k${String(n)}">${`<rect width="1" height="1" mask="url(#k${String(n - 1)})"/>`.repeat(10)}</mask>`,
).join('');

test.for([
  [
    'markers',
    svg(`${markers}<path d="${line}" marker-mid="url(#m)"/>`),
    /^never: .*(?:shapes|outlines)/,
  ],
  [
    'inherited markers',
    svg(`${markers}<g marker="url(#m)"><g><path d="${line}"/></g></g>`),
    /^never: .*(?:shapes|outlines)/,
  ],
  [
    'markers of a style sheet',
    svg(`<style>path{marker-mid:URL( "#m" )}</style>${markers}<path d="${line}"/>`),
    /^never: .*(?:shapes|outlines)/,
  ],
  [
    'patterns in patterns',
    svg(`${patterns}<rect width="9" height="9" fill="url(#p5)"/>`),
    /^never: it (?:expands|paints|takes)/,
  ],
  [
    'masks in masks',
    svg(`${masks}<rect width="9" height="9" mask="url(#k5)"/>`),
    /^never: it (?:expands|paints|takes)/,
  ],
  [
    'patterns that are inherited by patterns',
    svg(`<g fill="url(#p5)">${patterns}<rect width="9" height="9"/></g>`),
    /^never: it (?:expands|paints|takes)/,
  ],
  [
    'characters',
    svg(`<text>${'a'.repeat(50_000)}</text>`),
    /^never: it has more than 40,000 characters of text/,
  ],
  [
    'points',
    svg(`<path d="M0 0${'h0'.repeat(200_000)}"/>`),
    /^never: it has more than 160,000 points/,
  ],
  [
    'dashes',
    svg('<path stroke-dasharray=".001" d="M0 0H1000"/>'),
    /^never: it has more than 160,000 dashes/,
  ],
  [
    'layers',
    svg(
      `<linearGradient id="f"><stop/></linearGradient>${'<rect width="100%" height="1e9" fill="url(#f)"/>'.repeat(1_500)}`,
    ),
    /^never: .*4,000 (?:times|painted layers)/,
  ],
  [
    'opacity',
    svg('<g opacity=".5"><rect width="99" height="99"/><rect/></g>'.repeat(1_600)),
    /^never: .*(?:4,000 (?:times|painted layers)|16,000 shapes)/,
  ],
  [
    'outlines',
    svg(`<path d="M0 0${'V100V0'.repeat(20_000)}"/>`),
    /^never: it has outlines more than 32,000 times/,
  ],
  [
    'selectors',
    svg(`<style>${'*{fill:red}'.repeat(900)}</style>${'<g/>'.repeat(2_000)}`),
    /^never: it applies selectors/,
  ],
  [
    'nesting',
    svg('<g>'.repeat(50_000) + '</g>'.repeat(50_000)),
    /^never: its elements are nested more than 100 deep/,
  ],
  [
    'nesting by copies',
    svg(
      `<g id="c0"><rect/></g>${Array.from({ length: 99 }, (_, n) => `<g id="c${String(n + 1)}"><use href="#c${String(n)}"/></g>`).join('')}`,
    ),
    /^never: its elements are nested/,
  ],
  ['elements', svg('<g/>'.repeat(30_000)), /^never: its file has more than 20,000 elements/],
  [
    'bytes',
    svg(`<desc>${'a'.repeat(2_000_000)}</desc>`),
    /^never: it is 2.0 MB; the limit is 2.0 MB/,
  ],
  ['filters', svg('<filter id="f"><feTurbulence/></filter>'), /^never: it uses <filter>/],
  [
    'filter functions',
    svg('<rect style="filter: blur(9px)"/>'),
    /^never: it uses a style that is not supported \(filter/,
  ],
  [
    'a filter as an attribute',
    svg('<rect filter="blur(9px)"/>'),
    /^never: it uses filters or blending/,
  ],
  ['animations', svg('<rect><animate attributeName="x"/></rect>'), /^never: it uses <animate>/],
  ['keyframes', svg('<style>@keyframes a{from{x:1}}</style>'), /^never: its style sheet has rules/],
  [
    'HTML',
    svg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>'),
    /^never: it contains HTML/,
  ],
  [
    'HTML with a prefix',
    svg('<h:style xmlns:h="http://www.w3.org/1999/xhtml">*{}</h:style>'),
    /^never: it contains HTML/,
  ],
  [
    'an SVG in an SVG',
    svg(`<image href="data:image/svg+xml;base64,${btoa(bomb(9))}"/>`),
    /^never: it contains an image that is not/,
  ],
  [
    'an SVG in an SVG that is called a PNG',
    svg(`<image href="data:image/png;base64,${btoa(bomb(9))}"/>`),
    /^never: its data is not PNG/,
  ],
  [
    'entities',
    `<!DOCTYPE svg [<!ENTITY a "aaa">]>${svg('<text>&a;</text>')}`,
    /^never: its document type declares entities/,
  ],
  ['entities that are not declared', svg('<text>&a;</text>'), /^never: it is not well-formed/],
  [
    'an escape in a style',
    svg('<rect style="fill:u\\72l(#p5)"/>'),
    /^never: its styles contain escapes/,
  ],
  [
    'an escape in an attribute',
    svg('<rect fill="u\\72l(#p5)"/>'),
    /^never: its styles contain escapes/,
  ],
  [
    'variables',
    svg('<rect style="--a:url(#p5);fill:var(--a)"/>'),
    /^never: it uses a style that is not supported/,
  ],
  [
    'another file',
    svg('<use href="https://other.example/#a"/>'),
    /^never: it refers to other files/,
  ],
  ['UTF-16', `\xff\xfe${Array.from(svg('')).join('\0')}\0`, /^never: it is not UTF-8/],
  [
    'another declared encoding',
    `<?xml version="1.0" encoding="utf-7"?>${svg('')}`,
    /^never: it is not well-formed/,
  ],
  [
    'a style sheet elsewhere',
    `<?xml-stylesheet href="a.css"?>${svg('')}`,
    /^never: it links to a style sheet/,
  ],
] as const)('an SVG is stopped by its %s', async ([, text, reason]) => {
  expect(await outcome(text)).toMatch(reason);
});

test('a namespace prefix, a second root element or a reference to itself changes nothing', async () => {
  const prefixed = bomb(5)
    .replaceAll(/<(\/?)(?=[a-z])/g, '<$1s:')
    .replace('xmlns=', 'xmlns:s=');
  expect(await outcome(prefixed)).toMatch(/16,000 shapes/);
  expect(await outcome(svg('') + bomb(5))).toMatch(/not well-formed/);
  expect(await outcome(svg('<g id="a"><use href="#a"/><rect/></g>'))).toBe('unasked');
});

test('text that patterns could take long to read is judged in a moment', async () => {
  const long = 'a'.repeat(900_000);
  const begun = threadMs();
  const texts = [
    `<style>${long}</style>`,
    `<style>${'/*'.repeat(400_000)}</style>`,
    `<style>a${' '.repeat(900_000)}!{}</style>`,
    `<rect fill="url(${' '.repeat(900_000)}x"/>`,
    `<rect fill="${long}("/>`,
    `<rect transform="${long}"/>`,
    `<rect width="${'1'.repeat(900_000)}x"/>`,
    `<rect stroke-width="${'1'.repeat(900_000)}x"/>`,
    `<path d="M${' '.repeat(900_000)}x"/>`,
  ];
  for (const text of texts) await outcome(svg(text));
  expect(threadMs() - begun).toBeLessThan(5_000);
});
