/** Style of a playground before its frame is there. A constructed sheet, which no policy forbids. */

// The box has the size of what the frame shows at first (src/embed/playground/playground.css), so that nothing moves.
const css = `
:host { display: flow-root; position: relative; margin-block: 1em; color-scheme: inherit; }
:host([hidden]), [hidden] { display: none; }
.box {
  overflow: clip;
  border: 1px solid var(--cloche-line, color-mix(in srgb, currentColor 20%, transparent));
  border-radius: var(--cloche-radius, 8px);
}
.bar { box-sizing: border-box; height: 44px; border-bottom: inherit; }
pre {
  box-sizing: border-box; max-height: 512px; margin: 0; padding: 12px 16px; overflow: auto; tab-size: 4; white-space: pre;
  font: var(--cloche-font-size, 14px)/1.5 var(--cloche-code-font, ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace);
}
pre + pre { border-top: 1px solid; }
p { margin: 0.5rem 0 0; font-size: 0.875em; }
iframe {
  display: block; width: 100%; border: 0; border-radius: var(--cloche-radius, 8px);
  max-height: var(--cloche-max-height, none); background: transparent; color-scheme: normal;
}
.print { display: none; }
@media print {
  .print { display: block; }
  .print pre { max-height: none; border: 1px solid; white-space: pre-wrap; overflow-wrap: anywhere; }
  slot, .box, p, iframe { display: none; }
}
iframe:not(.shown) { position: absolute; inset: 0; height: 100%; opacity: 0; pointer-events: none; }
`;

let sharedSheet: CSSStyleSheet | null = null;

export function createSheet(): CSSStyleSheet {
  if (sharedSheet === null) {
    sharedSheet = new CSSStyleSheet();
    sharedSheet.replaceSync(css);
  }
  return sharedSheet;
}
