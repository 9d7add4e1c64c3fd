/** How long an answer may take. */

/** Milliseconds. Browsers end a service worker whose request lasts five minutes. */
export const longestAnswerMs = 4 * 60_000;
