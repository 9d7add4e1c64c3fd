/**
 * Shows the page of a playground inside Cloche's own page, whose policy forbids frames with an address. The frame is
 * therefore empty, and gets the style and the script of playground.html from here.
 */

import {
  embedLimits,
  helloMark,
  readFromPlayground,
  setupMark,
  type PlaygroundSetup,
} from '../../../../runtime/protocol/embed.ts';
import { ToolError } from '../../../../runtime/spec/error.ts';

/**
 * @param frame shows `about:blank#element`
 * @param onHeight called with the height of the content, in pixels
 * @throws {ToolError} if the playground cannot be loaded
 */
export async function openPreview(
  signal: AbortSignal,
  frame: HTMLIFrameElement,
  setup: PlaygroundSetup,
  onHeight: (height: number) => void,
): Promise<void> {
  window.addEventListener('message', onMessage, { signal });
  const text = await playgroundPage(signal);
  const { contentWindow: inner, contentDocument: document } = frame;
  if (inner === null || document === null) return;
  const main = document.createElement('main');
  main.id = 'playground';
  document.body.append(main);
  // This page's policy forbids style elements, even in a document that is never shown.
  const styles = /<style[^>]*>([^]*?)<\/style>/g;
  for (const [, css = ''] of text.matchAll(styles)) {
    const sheet = new (inner as Window & typeof globalThis).CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
  }
  const page = new DOMParser().parseFromString(text.replace(styles, ''), 'text/html');
  // The import map has the hashes of further styles. A script that a DOMParser has made never runs.
  const hashes = page.querySelector('script[type="importmap"]');
  if (hashes !== null) document.head.append(document.adoptNode(hashes));
  for (const { src, integrity } of page.querySelectorAll<HTMLScriptElement>(
    'script[type="module"]',
  )) {
    const script = document.createElement('script');
    script.type = 'module';
    script.src = src;
    script.integrity = integrity;
    document.head.append(script);
  }

  function onMessage({ source, data }: MessageEvent<unknown>): void {
    if (source !== frame.contentWindow || data !== helloMark) return;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data: message }: MessageEvent<unknown>) => {
      const read = readFromPlayground(message);
      if (read?.type === 'height') onHeight(Math.min(read.height, embedLimits.height));
    };
    signal.addEventListener('abort', () => port1.close());
    frame.contentWindow?.postMessage({ type: setupMark, setup }, location.origin, [port2]);
  }
}

async function playgroundPage(signal: AbortSignal): Promise<string> {
  const address = new URL('playground.html', document.baseURI);
  const response = await fetch(address, { signal, redirect: 'error' }).catch(() => null);
  if (response?.ok !== true)
    throw new ToolError(
      'not-found',
      'The page of playgrounds could not be loaded',
      'Check your connection, and open this dialog again.',
    );
  return response.text();
}
