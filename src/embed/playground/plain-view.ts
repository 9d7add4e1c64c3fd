/** A playground before Python is wanted: its source as text, and the buttons. */

import type { PlaygroundFile, PlaygroundSetup } from '../../runtime/protocol/embed.ts';
import { quickPieces, textPieces } from '../../app/ui/parts/pieces.ts';
import { spellOut, visibleText, type VisibleText } from '../../app/ui/parts/visible-text.ts';
import { wordsOf } from './apply-look.ts';

export interface PlainActions {
  readonly run: () => void;
  readonly edit: () => void;
  readonly play: () => void;
}

/** Replaces the content of `target`. The focus stays on the same button. */
export function plainView(
  target: HTMLElement,
  setup: PlaygroundSetup,
  actions: PlainActions,
): void {
  const { files, tool, view, readonly, recording } = setup;
  const words = wordsOf(setup.look);
  const document = target.ownerDocument;
  const focused = target.contains(document.activeElement)
    ? document.activeElement?.className
    : null;
  const element = (tag: string, className: string, text: VisibleText): HTMLElement => {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  };
  const source = (text: string): HTMLElement => {
    const made = document.createElement('pre');
    made.className = 'plain-source';
    for (const piece of quickPieces(textPieces(text)))
      made.append(element('span', 'piece', spellOut(piece)));
    return made;
  };
  const button = (className: string, text: string, press: () => void): HTMLElement => {
    const made = element('button', className, visibleText(text));
    made.setAttribute('type', 'button');
    made.addEventListener('click', press);
    return made;
  };
  const name = tool === '' ? files.map(({ path }) => path).join(', ') : tool;
  const bar = element('div', 'bar', visibleText(''));
  bar.append(element('span', 'name', visibleText(name)));
  if (recording !== '') bar.append(button('primary', 'Show the recording', actions.play));
  else {
    if (view === 'full' && !readonly) bar.append(button('quiet', words.edit, actions.edit));
    bar.append(button('primary', words.run, actions.run));
  }
  const shown: HTMLElement[] = [bar];
  if (view === 'full')
    for (const { path, text } of files) {
      const shownFile = source(text);
      shownFile.tabIndex = 0;
      shownFile.setAttribute('role', 'region');
      shownFile.setAttribute('aria-label', visibleText(`${words.source}: ${path}`));
      shown.push(shownFile);
    }
  else if (view !== 'result') {
    const known = setup.arguments || signatureIn(files, tool);
    const hint = `Press “${words.run}” to load the form.`;
    shown.push(known === '' ? element('p', 'note soft', visibleText(hint)) : source(known));
  }
  target.replaceChildren(...shown);
  if (typeof focused === 'string') target.querySelector<HTMLElement>(`button.${focused}`)?.focus();
}

/** Maximum length of a file that is searched for the function, and of the signature; characters. */
const maxSearched = 100_000;
const maxSignature = 1_000;

/** Returns the name and parameters of the tool's function, as written in the source; empty if it is not found. */
export function signatureIn(files: readonly PlaygroundFile[], tool: string): string {
  const wanted = tool.slice(tool.lastIndexOf(':') + 1);
  const name = /^\w+$/.test(wanted) ? wanted : '[A-Za-z]\\w*';
  const inner = '[^()]*';
  const definition = new RegExp(
    `^(?:async +)?def +(${name}) *(\\(${inner}(?:\\(${inner}\\)${inner})*\\))`,
    'm',
  );
  for (const { path, text } of files) {
    const found = path.endsWith('.py') ? definition.exec(text.slice(0, maxSearched)) : null;
    const [, called, parameters] = found ?? [];
    if (called !== undefined && parameters !== undefined)
      return `${called}${parameters.replace(/\s+/g, ' ')}`.slice(0, maxSignature);
  }
  return '';
}
