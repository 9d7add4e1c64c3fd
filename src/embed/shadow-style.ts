/** Style of a playground before its frame is there. A constructed sheet, which no policy forbids. */

const css = `
:host { display: block; margin-block: 1em; color-scheme: inherit; }
:host([hidden]) { display: none; }
pre {
  margin: 0; padding: 3.25rem 1rem 0.75rem; overflow-x: auto; tab-size: 4;
  border: 1px solid var(--cloche-line, color-mix(in srgb, currentColor 22%, transparent));
  border-radius: var(--cloche-radius, 8px);
  font: var(--cloche-font-size, 13px)/1.5 var(--cloche-code-font, ui-monospace, Menlo, Consolas, monospace);
}
:host([view=form]) pre, :host([view=json]) pre, :host([view=result]) pre { max-height: 12rem; box-sizing: border-box; }
pre[hidden], p[hidden] { display: none; }
p { margin: 0.5rem 0 0; font-size: 0.875em; }
iframe {
  display: block; width: 100%; height: 0; max-height: var(--cloche-max-height, none);
  border: 0; border-radius: var(--cloche-radius, 8px); background: transparent; color-scheme: normal;
}
pre[hidden] ~ iframe { min-height: 3rem; }
`;

let made: CSSStyleSheet | null = null;

export function sheet(): CSSStyleSheet {
  if (made === null) {
    made = new CSSStyleSheet();
    made.replaceSync(css);
  }
  return made;
}
