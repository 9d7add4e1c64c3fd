/** What is to be done with the next picture of the page, and soon all the same where there is none. */

type Pictures = Pick<
  Window,
  'requestAnimationFrame' | 'cancelAnimationFrame' | 'setTimeout' | 'clearTimeout'
>;

/** About as long as nobody waits for a picture. */
const lateMs = 100;

/** A page that is not seen draws none: it may be hidden between the asking and the drawing, and its turns go on. */
export function nextPicture(page: Pictures, then: () => void): void {
  const once = (): void => {
    page.cancelAnimationFrame(frame);
    page.clearTimeout(timer);
    then();
  };
  const frame = page.requestAnimationFrame(once);
  const timer = page.setTimeout(once, lateMs);
}
