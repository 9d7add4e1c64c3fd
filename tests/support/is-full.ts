/** Whether the tests that repeat others run too: `npm test -- --all`, and for some commits a suite's own. */
export const isFull = (process.env.CLOCHE_FULL ?? '') !== '';
