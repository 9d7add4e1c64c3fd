/** Lets a test delay Python's start: while `holdPython` is in the page's session storage, no interpreter starts. */

const key = 'holdPython';

export async function untilLet(): Promise<void> {
  while (sessionStorage.getItem(key) !== null) await new Promise((wake) => setTimeout(wake, 10));
}
