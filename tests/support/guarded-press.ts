/** Presses the switch for local addresses while something happens to it. Code that runs in the page imports nothing. */

export type Happens = 'appears' | 'moves' | 'comes to the front' | 'stays';

export interface Presses {
  /** Whether a press has allowed something at once. */
  readonly atOnce: boolean;
  /** Whether something is allowed after the guard's time, with a second press if necessary. */
  readonly later: boolean;
}

/** Runs in the page: makes something happen to the switch, presses it in the next frame, and again after the guard's time. */
export async function pressLocalHere(what: string): Promise<Presses> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const find = () => document.querySelector<HTMLInputElement>('[role=switch]');
  const above = document.createElement('div');
  above.style.height = '40px';
  if (what === 'appears') location.hash = '#/policy/local';
  while (find() === null) await frame();
  const control = find()!;
  if (what === 'moves') control.closest('section')?.before(above);
  if (what === 'comes to the front') window.dispatchEvent(new Event('focus'));
  await frame();
  // On a busy machine, the browser reports a move some frames later, but sooner than a user could press.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const was = control.checked;
  control.click();
  const atOnce = control.checked !== was;
  const deadline = performance.now() + 10_000;
  while (control.ariaDisabled === 'true' && performance.now() < deadline) await frame();
  if (!atOnce) control.click();
  const later = control.checked !== was;
  // Leave the policy as it was.
  if (later) control.click();
  above.remove();
  return { atOnce, later };
}
