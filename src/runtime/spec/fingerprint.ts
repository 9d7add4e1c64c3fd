/** A short, non-cryptographic hash of content, the same in every browser. */

export interface Fingerprint {
  /** Adds a text. The boundaries between texts matter. */
  add(text: string): void;
  /** Returns 16 hexadecimal digits. */
  value(): string;
}

/** Two 32-bit multiplicative hashes, fast enough for megabytes without a pause. */
export function createFingerprint(): Fingerprint {
  let a = 0x811c9dc5;
  let b = 0x9e3779b1;
  const mix = (unit: number): void => {
    a = Math.imul(a ^ unit, 0x85ebca6b);
    b = Math.imul(b ^ unit, 0xc2b2ae35);
    a ^= a >>> 15;
    b ^= b >>> 13;
  };
  return {
    add(text) {
      mix(text.length);
      for (let i = 0; i < text.length; i += 1) mix(text.charCodeAt(i));
    },
    value: () => hex(a ^ (b >>> 16)) + hex(b ^ (a >>> 16)),
  };
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
