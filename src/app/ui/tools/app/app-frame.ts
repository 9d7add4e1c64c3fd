/**
 * The two frames of an app. The outer one shows mcp-app.html, a page of Cloche's own with a wider policy, which passes
 * messages to the app. The inner one, with an opaque origin, inherits that policy and runs the app. A frame with an opaque origin could
 * not be loaded offline, and a document from a string would inherit this page's policy, under which no app runs.
 */

import { appFramePage } from '../../../../runtime/protocol/app-frame.ts';
import { visibleText } from '../../parts/visible-text.ts';

export interface AppFrameEvents {
  /** Called for each message from the frame, before it is read. @returns whether to go on */
  count(): boolean;
  receive(data: unknown): void;
  /** @param why a whole sentence for the user */
  end(why: string): void;
}

/** A frame that has taken the focus from a text field so often is ended. */
const maxThefts = 5;
/** Time after a Tab in which the frame may take the focus; milliseconds. */
const tabMs = 1_000;

export interface AppFrame {
  send(message: unknown): void;
  /** Sets `prefers-color-scheme` in the app to the theme that the user has chosen. */
  setTheme(theme: 'dark' | 'light'): void;
  /** Ends everything in the frame. */
  dispose(): void;
}

/**
 * Starts an app in a frame that has loaded {@link appFramePage}.
 * @throws {Error} if the frame has loaded something else
 */
export function startApp(
  outer: HTMLIFrameElement,
  content: string,
  title: string,
  events: AppFrameEvents,
): AppFrame {
  const { contentDocument, contentWindow } = outer;
  if (contentDocument === null || contentWindow === null || !isAppPage(contentDocument))
    throw new Error(
      `${appFramePage} could not be loaded, or is not the one that belongs to this page.`,
    );
  const inner = contentDocument.createElement('iframe');
  // @mutant an app's opaque origin => allow-forms' -> allow-forms allow-same-origin' [app tests/threats/apps.test.ts
  //   an app is shown, answers its tool’s calls, and reaches nothing else]
  inner.setAttribute('sandbox', 'allow-scripts allow-forms');
  inner.setAttribute('referrerpolicy', 'no-referrer');
  inner.title = visibleText(title);
  Object.assign(contentDocument.body.style, { margin: '0', height: '100vh' });
  Object.assign(inner.style, { display: 'block', width: '100%', height: '100%', border: '0' });
  inner.srcdoc = content;
  const over = new AbortController();
  const { signal } = over;
  const receive = (event: MessageEvent): void => {
    // The page itself sent the message, which is for the app.
    if (event.source === window) return;
    // Messages from frames inside the app are counted too, and never passed on.
    // @mutant an app's messages are counted => removed [app tests/threats/apps.test.ts
    //   an app is shown, answers its tool’s calls, and reaches nothing else]
    if (!events.count()) return;
    // @mutant only the app is heard => never [app tests/threats/apps.test.ts
    //   an app is shown, answers its tool’s calls, and reaches nothing else]
    if (event.source !== inner.contentWindow) return;
    events.receive(event.data);
  };
  contentWindow.addEventListener('message', receive, { signal });
  // The page itself is not addressed by any app: what arrives is only counted.
  const countOthers = ({ source }: MessageEvent): void => {
    if (source !== null && source !== window && isInside(source, inner)) events.count();
  };
  window.addEventListener('message', countOthers, { signal });
  let loads = 0;
  inner.addEventListener('load', () => {
    loads += 1;
    // @mutant an app that leaves its page is ended => never [app tests/threats/apps.test.ts
    //   an app is shown, answers its tool’s calls, and reaches nothing else]
    if (loads > 1) events.end('Cloche ended it because it left its page.');
  });
  contentDocument.body.append(inner);
  guardFocus(outer, signal, () =>
    events.end('Cloche ended it because it took the focus again and again.'),
  );
  return {
    // The script of the outer frame passes it on.
    send: (message) => contentWindow.postMessage(message, location.origin),
    setTheme: (theme) => {
      contentDocument.documentElement.style.colorScheme = theme;
    },
    dispose: () => {
      over.abort();
      inner.remove();
    },
  };
}

/** Whether the frame has its own policy: a server might answer with another page. */
function isAppPage({ head }: Document): boolean {
  const policy = head.querySelector('meta[http-equiv="Content-Security-Policy"]');
  const content = policy?.getAttribute('content') ?? '';
  return content.startsWith("default-src 'none';") && content.includes("frame-src 'none'");
}

function isInside(source: MessageEventSource, { contentWindow }: HTMLIFrameElement): boolean {
  if (!('parent' in source)) return false;
  for (let page: Window = source; page !== page.parent; page = page.parent)
    if (page === contentWindow) return true;
  return false;
}

/** Gives the focus back to a text field from which an app has taken it: what the user types is not for the app. */
function guardFocus(outer: HTMLIFrameElement, signal: AbortSignal, end: () => void): void {
  // Without a pointer that hovers, a tap into the frame looks like a theft.
  if (matchMedia('(hover: none)').matches) return;
  let last: Element | null = document.activeElement;
  let tabbedAt = -Infinity;
  let isOver = outer.matches(':hover');
  let thefts = 0;
  const listen = { capture: true, signal };
  document.addEventListener(
    'keydown',
    ({ key, timeStamp }) => {
      if (key === 'Tab') tabbedAt = timeStamp;
    },
    listen,
  );
  outer.addEventListener('pointerenter', () => (isOver = true), { signal });
  outer.addEventListener('pointerleave', () => (isOver = false), { signal });
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (target instanceof Element && target !== outer) last = target;
    },
    listen,
  );
  window.addEventListener(
    'blur',
    ({ timeStamp }) => {
      if (document.activeElement !== outer || isOver || timeStamp - tabbedAt < tabMs) return;
      if (!(last instanceof HTMLElement) || !last.isConnected || !isTextField(last)) return;
      // @mutant an app takes no focus from a text field => removed [app tests/threats/apps.test.ts
      //   an app is shown, answers its tool’s calls, and reaches nothing else]
      last.focus();
      thefts += 1;
      if (thefts > maxThefts) end();
    },
    { signal },
  );
}

function isTextField(element: HTMLElement): boolean {
  return element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);
}
