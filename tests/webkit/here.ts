/** What the driver of WebKit runs in the page. These functions cannot use anything from this file. */

/** How far a function has come. */
export type Ran = { readonly told: readonly string[] } & (
  | { readonly state: 'runs' }
  | { readonly state: 'threw'; readonly text: string }
  | { readonly state: 'ended'; readonly text: string | null }
  | { readonly state: 'element'; readonly element: object }
);

/** Milliseconds for which the session waits for a function before it takes another command. */
const waitMs = 30;

/**
 * The body of a script that starts a function, or asks how far it has come.
 * @param source of the function; empty: it has been started
 */
export function runHere(source: string): string {
  const start = `
    const revived = (_key, value) => value?.nothing === undefined ? value : value.nothing === 'null' ? null : undefined;
    const args = JSON.parse(text, revived);
    lane.runs[id] = (async () => (${source})(...elements, ...args))().then(
      (value) => value instanceof Element ? { state: 'element', element: value } : { state: 'ended', text: JSON.stringify(value) ?? null },
      (thrown) => ({ state: 'threw', text: String(thrown) }),
    );`;
  return `
    const [id, , text, ...elements] = [...arguments].slice(0, -1);
    const done = arguments[arguments.length - 1];
    const lane = (window.webkitLane ??= { runs: {}, told: [] });
    if (!lane.watches) {
      lane.watches = true;
      addEventListener('error', ({ message }) => lane.told.push(message));
      addEventListener('unhandledrejection', ({ reason }) => lane.told.push(String(reason)));
      addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => lane.told.push(effectiveDirective + ' refused ' + blockedURI));
    }
    ${source === '' ? '' : start}
    if (lane.runs[id] === undefined) done({ state: 'threw', text: 'The page was left.', told: [] });
    else Promise.race([lane.runs[id], new Promise((wake) => setTimeout(wake, ${waitMs}, { state: 'runs' }))]).then((ran) => {
      if (ran.state !== 'runs') delete lane.runs[id];
      done({ ...ran, told: lane.told.splice(0) });
    });`;
}

/**
 * Finds elements by a selector of CSS, with Puppeteer's `::-p-aria([name="…"][role="…"])` and `::-p-text(…)`.
 * @returns the first of them, or all
 */
export function findHere(selector: string): Element | null;
export function findHere(selector: string, all: true): Element[];
export function findHere(selector: string, all = false): Element | Element[] | null {
  const implied: Readonly<Record<string, string>> = {
    button: 'button, summary, input[type=button], input[type=submit]',
    link: 'a[href]',
    textbox:
      'textarea, input:not([type]), input[type=text], input[type=search], input[type=url], input[type=password], [contenteditable=true]',
    group: 'fieldset, details',
  };
  const text = (element: Element | null): string => {
    if (element === null) return '';
    let words = element instanceof HTMLElement ? element.innerText : element.textContent;
    for (const hidden of element.querySelectorAll<HTMLElement>('[aria-hidden=true]'))
      if (hidden.innerText) words = words.replace(hidden.innerText, ' ');
    return words.replace(/\s+/g, ' ').trim();
  };
  const nameOf = (element: Element): string => {
    const by = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const labels = 'labels' in element ? [...(element.labels as NodeListOf<Element>)] : [];
    const names = [
      by.map((id) => text(document.getElementById(id))).join(' '),
      element.getAttribute('aria-label') ?? '',
      labels.map(text).join(' '),
      text(element),
      element.getAttribute('title') ?? '',
    ];
    return names.find((name) => name !== '') ?? '';
  };
  let found: Element[] = [document.documentElement];
  for (const part of selector.split(/(::-p-\w+\((?:"[^"]*"|[^)"])*\))/)) {
    const [, kind, words = ''] = /^::-p-(\w+)\((.*)\)$/.exec(part) ?? [];
    if (kind === 'text') found = found.filter((one) => one.textContent.includes(words));
    else if (kind === 'aria') {
      const [, name] = /name="([^"]*)"/.exec(words) ?? [];
      const [, role = ''] = /role="([^"]*)"/.exec(words) ?? [];
      const candidates = [`[role="${role}"]`, ...(implied[role]?.split(', ') ?? [])].map((one) =>
        one.startsWith('[role') ? one : `${one}:not([role])`,
      );
      found = found
        .flatMap((one) => [...one.querySelectorAll(candidates.join(', '))])
        .filter((one) => nameOf(one) === name && one.checkVisibility());
    } else if (part.trim() !== '')
      found = found.flatMap((one) => [...one.querySelectorAll(part.trim())]);
  }
  return all ? found : (found[0] ?? null);
}

/** The number of the frames in a document and in its open shadow roots, or the element of one of them. */
export function framesHere(): number;
export function framesHere(at: number): Element | null;
export function framesHere(at?: number): Element | number | null {
  const found: Element[] = [];
  const look = (root: ParentNode): void => {
    for (const each of root.querySelectorAll('*'))
      if (each.shadowRoot) look(each.shadowRoot);
      else if (each.tagName === 'IFRAME') found.push(each);
  };
  look(document);
  return at === undefined ? found.length : (found[at] ?? null);
}
