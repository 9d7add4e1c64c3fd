/** Turns marked code blocks of a page, as Markdown generators write them, into playgrounds. */

/** Matches the comment in the first line that marks a block, with its options. */
const marker = /^\s*#\s*cloche\b:?[ \t]*([^\n]*)\n?/;
/** The options, which become attributes of the playground. */
const known = ['tool', 'arguments', 'view', 'packages', 'theme', 'autorun', 'readonly', 'name'];
/** Elements that generators put around a block, with its buttons and its title. */
const blocks = 'pre, .highlight, div[class*="language-python"], div[class*="highlight-python"]';

/** The block that each playground has replaced. */
const replaced = new WeakMap<Element, HTMLElement>();

/** Turns each marked block below `root` into a playground. @returns how many */
export function upgradeCodeBlocks(root: ParentNode = document): number {
  let count = 0;
  for (const pre of root.querySelectorAll('pre')) if (tryUpgrade(pre)) count += 1;
  return count;
}

/**
 * Upgrades the page, and what is added to it later, as sites do that replace their pages by script. A page that React is
 * about to take over, as Docusaurus marks it, is upgraded afterwards: React would throw away what it has not rendered.
 */
export function keepUpgrading(): void {
  const root = document.documentElement;
  let frame = 0;
  const upgrade = (): void => {
    if (root.dataset.hasHydrated === 'false') return;
    removeOrphans();
    upgradeCodeBlocks();
  };
  const upgradeSoon = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(upgrade);
  };
  upgrade();
  const observer = new MutationObserver(upgradeSoon);
  observer.observe(document.body, { childList: true, subtree: true });
  observer.observe(root, { attributeFilter: ['data-has-hydrated'] });
}

/**
 * Removes playgrounds whose block a framework has taken out of the page. If it puts the block back, that is upgraded again.
 * A part of the page that is taken out with both stays as it is.
 */
function removeOrphans(): void {
  for (const playground of document.querySelectorAll('cloche-playground')) {
    const block = replaced.get(playground);
    if (block === undefined || block.isConnected) continue;
    playground.remove();
    block.hidden = false;
    block.style.removeProperty('display');
    block.removeAttribute('data-cloche-upgraded');
  }
}

function tryUpgrade(pre: HTMLPreElement): boolean {
  if (pre.closest('cloche-playground, [data-cloche-upgraded]') !== null) return false;
  const code = codeIn(pre);
  const [, options] = marker.exec(code) ?? [];
  const marked = pre.closest('.cloche') ?? pre.querySelector(':scope > code.cloche');
  if (options === undefined && marked === null) return false;
  const block = outermostBlock(pre);
  const playground = document.createElement('cloche-playground');
  for (const [name, value] of optionsIn(options ?? '')) give(playground, name, value);
  for (const part of [marked, block, pre, pre.querySelector(':scope > code')])
    if (part instanceof HTMLElement)
      for (const name of known) {
        const value = part.dataset[name];
        if (value !== undefined) give(playground, name, value);
      }
  const script = document.createElement('script');
  script.type = 'text/x-python';
  script.textContent = code.replace(marker, '');
  const name = playground.getAttribute('data-name');
  if (name !== null) script.dataset.name = name;
  playground.append(script);
  // The block stays where a framework that made it expects it.
  block.setAttribute('data-cloche-upgraded', '');
  block.hidden = true;
  // Themes such as Furo give blocks a display that counts more than the attribute.
  block.style.setProperty('display', 'none', 'important');
  block.after(playground);
  replaced.set(playground, block);
  return true;
}

/** The text of a block without the line numbers that some generators put into it. */
function codeIn(pre: HTMLPreElement): string {
  const lines = pre.querySelectorAll('.token-line');
  if (lines.length > 0)
    return [...lines].map((line) => line.textContent.replace(/\n$/, '')).join('\n');
  const copy = pre.cloneNode(true) as HTMLElement;
  for (const number of copy.querySelectorAll('.linenos, .lineno, .linenodiv, button'))
    number.remove();
  return copy.textContent;
}

function outermostBlock(pre: HTMLPreElement): HTMLElement {
  let block: HTMLElement = pre;
  for (let at = pre.parentElement; at !== null && at !== document.body; at = at.parentElement)
    if (at.matches(blocks) && at.querySelectorAll('pre').length === 1) block = at;
  return block;
}

/** Options such as `autorun`, and pairs such as `view=form` or `arguments='{"a": 1}'`. */
function optionsIn(text: string): [string, string][] {
  const pairs = text.matchAll(/([a-z]+)(?:=("(?:[^"\\]|\\.)*"|'[^']*'|\S+))?/g);
  return [...pairs].map(([, name = '', value = '']) => [
    name,
    value.replace(/^(["'])(.*)\1$/s, '$2'),
  ]);
}

function give(playground: Element, name: string, value: string): void {
  if (name === 'name') playground.setAttribute('data-name', value);
  else if (known.includes(name) && value !== 'false') playground.setAttribute(name, value);
}
