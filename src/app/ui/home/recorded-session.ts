/** The short session that the start page plays, with the result that the example tool has returned. */

import { textResult } from '../../../runtime/call/results.ts';
import type { ToolResult } from '../../../runtime/spec/result.ts';

export const recordedArguments = '{"monthly": 200, "years": 20, "rate": 4}';

export const recordedQuestion =
  'I save 200 a month at 4 % for 20 years. How much is that in the end?';

export const recordedAnswer =
  'You will have about 73,600. You pay in 48,000 of it, and 25,599 is interest. In the last years, the interest alone is higher than what you pay in.';

const text = '73,599 after 20 years, of which 25,599 is interest.';

export const recordedResult: ToolResult = {
  ...textResult(text),
  content: [
    { type: 'image', mediaType: 'image/svg+xml', data: chart() },
    { type: 'text', text },
  ],
  durationMs: 3,
};

/** The picture as the tool draws it, in base64. */
function chart(): string {
  const years = 20;
  const monthly = 200;
  const balances: number[] = [];
  let balance = 0;
  for (let month = 1; month <= years * 12; month += 1) {
    balance = (balance + monthly) * (1 + 4 / 1200);
    if (month % 12 === 0) balances.push(balance);
  }
  const width = 480 / years;
  const bars = balances.flatMap((value, year) =>
    (
      [
        [value, '#5aa9b5'],
        [monthly * 12 * (year + 1), '#0f6674'],
      ] as const
    ).map(([amount, color]) => {
      const height = (amount / balance) * 200;
      const place = `x="${(year * width).toFixed(0)}" y="${(200 - height).toFixed(0)}"`;
      const size = `width="${(width - 3).toFixed(0)}" height="${height.toFixed(0)}"`;
      return `<rect ${place} ${size} fill="${color}"/>`;
    }),
  );
  return btoa(
    `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="200">${bars.join('')}</svg>`,
  );
}
