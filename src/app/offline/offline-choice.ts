/** The user's choice that no files are stored for offline use, kept in local storage. */

/** Reads the choice. With some browser settings, even reading `localStorage` throws: nothing is declined then. */
export function hasDeclinedOffline(window: Window, basePath: string): boolean {
  try {
    return window.localStorage.getItem(choiceKey(basePath)) === 'declined';
  } catch {
    return false;
  }
}

/** The choice, which is remembered until the page is closed if it cannot be stored. */
export function offlineChoice(window: Window, basePath: string): { declined: boolean } {
  let declined = hasDeclinedOffline(window, basePath);
  return {
    get declined() {
      return declined;
    },
    set declined(value) {
      declined = value;
      try {
        if (value) window.localStorage.setItem(choiceKey(basePath), 'declined');
        else window.localStorage.removeItem(choiceKey(basePath));
      } catch {
        // A choice that cannot be stored lasts until the page is closed.
      }
    },
  };
}

function choiceKey(basePath: string): string {
  return `cloche-offline:${basePath}`;
}
