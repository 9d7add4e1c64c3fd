/** Notifies the user while they look at another tab: by a notification of the system, and in the tab's title. */

import { visibleText, type VisibleText } from '../parts/visible-text.ts';

/** `off`: the user has not been asked yet. */
export type SystemNotices = 'unavailable' | 'off' | 'on' | 'denied';

export interface Notifier {
  readonly system: SystemNotices;
  /** Whether the user can see the page. */
  readonly isInView: boolean;
  askSystem(): Promise<void>;
  /** Shows a notice about a run, which replaces its earlier one. A click on it opens the run's page. */
  show(run: string, words: string, body: string): void;
  /** Puts words before the tab's title until the user looks at the page. */
  markTitle(words: string): void;
}

export function pageNotifier(window: Window & typeof globalThis): Notifier {
  const { document } = window;
  let marked: { readonly before: VisibleText; readonly now: VisibleText } | null = null;
  const unmark = (): void => {
    // The page may have got another title meanwhile.
    if (marked !== null && document.title === marked.now) document.title = marked.before;
    marked = null;
  };
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') unmark();
  });
  return {
    get system() {
      if (!('Notification' in window)) return 'unavailable';
      const { permission } = window.Notification;
      return permission === 'default' ? 'off' : permission === 'granted' ? 'on' : 'denied';
    },
    get isInView() {
      return document.visibilityState === 'visible';
    },
    askSystem: async () => {
      if ('Notification' in window) await window.Notification.requestPermission();
    },
    show: (run, words, body) => {
      try {
        const notification = new window.Notification(visibleText(words), {
          body: visibleText(body),
          tag: run,
        });
        notification.onclick = () => {
          window.focus();
          window.location.hash = `#/plans/${run}`;
          notification.close();
        };
      } catch {
        // Some browsers show no notifications for pages. The title is enough then.
      }
    },
    markTitle: (words) => {
      unmark();
      const before = visibleText(document.title);
      marked = { before, now: visibleText(`${words} · ${before}`) };
      document.title = marked.now;
    },
  };
}
