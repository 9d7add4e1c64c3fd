/** Formats token counts and costs. */

import type { Usage } from '../../../runtime/spec/model.ts';

/** `812`, `1.2k`, `34k`, `1.2M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  if (tokens < 9_950) return `${(tokens / 1_000).toFixed(1)}k`;
  if (tokens < 999_500) return `${(tokens / 1_000).toFixed(0)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** US dollars: `$1.20`, `$0.034`, `$0.0008`. */
export function formatMoney(dollars: number): string {
  if (dollars === 0) return '$0';
  if (dollars < 0.0001) return 'under $0.0001';
  return `$${dollars.toFixed(dollars < 0.01 ? 4 : dollars < 1 ? 3 : 2)}`;
}

/** A short text with the known values; empty if there are none. */
export function usageWords({ input, cached, output, reasoning }: Usage): string {
  const words: string[] = [];
  if (input !== null) {
    const fromCache = cached !== null && cached > 0 ? ` (${formatTokens(cached)} cached)` : '';
    words.push(`${formatTokens(input)} in${fromCache}`);
  }
  if (output !== null) {
    const thought =
      reasoning !== null && reasoning > 0 ? ` (${formatTokens(reasoning)} reasoning)` : '';
    words.push(`${formatTokens(output)} out${thought}`);
  }
  return words.length === 0 ? '' : `${words.join(', ')} tokens`;
}
