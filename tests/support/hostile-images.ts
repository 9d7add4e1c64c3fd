/** Images for session files: a harmless one, and some that would block the page. */

interface NamedImage {
  readonly mediaType: string;
  readonly data: string;
  /** Why it is not drawn; null if it is. */
  readonly refused: string | null;
}

const svg = (inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">${inside}</svg>`;

function bomb(levels: number): string {
  const level = (n: number): string =>
    `<g id="l${String(n + 1)}">${`<use href="#l${String(n)}"/>`.repeat(10)}</g>`;
  const parts = Array.from({ length: levels }, (_, n) => level(n)).join('');
  return svg(
    `<defs><rect id="l0" width="9" height="9"/>${parts}</defs><use href="#l${String(levels)}"/>`,
  );
}

const drawing = (text: string, refused: string | null): NamedImage => ({
  mediaType: 'image/svg+xml',
  data: Buffer.from(text).toString('base64'),
  refused,
});

/** The start of a PNG of 30,000 by 30,000 pixels. */
function largePng(): string {
  const bytes = Buffer.alloc(57);
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  bytes.writeUInt32BE(30_000, 16);
  bytes.writeUInt32BE(30_000, 20);
  return bytes.toString('base64');
}

export const storedImages: readonly NamedImage[] = [
  drawing(svg('<rect width="90" height="60" fill="#08f"/>'), null),
  drawing(bomb(8), '16,000 shapes'),
  drawing(svg(`${'<g>'.repeat(5_000)}${'</g>'.repeat(5_000)}`), 'nested more than 100 deep'),
  drawing(svg('<style>rect { animation: a 1s infinite }</style><rect/>'), 'not supported'),
  { mediaType: 'image/png', data: largePng(), refused: 'the limit is 50,000,000' },
  { ...drawing(bomb(8), 'its data is not PNG'), mediaType: 'image/png' },
];
