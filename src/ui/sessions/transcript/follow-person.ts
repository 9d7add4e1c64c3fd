/** Tells a transcript's following what the person does: wheel, fingers, keys, the scroll bar. */

import type { Attachment } from 'svelte/attachments';
import type { Follow, Way } from './follow.svelte.ts';

const ways: Readonly<Record<string, Way>> = {
  ArrowUp: 'up',
  PageUp: 'up',
  Home: 'up',
  ArrowDown: 'down',
  PageDown: 'down',
  End: 'down',
};

/** Of what scrolls. */
export function followPerson(follow: Follow): Attachment<HTMLElement> {
  return (element) => {
    const over = new AbortController();
    const { signal } = over;
    const passive = { passive: true, signal };
    let finger = 0;
    element.addEventListener(
      'wheel',
      ({ deltaY }) => {
        if (deltaY !== 0) follow.means(deltaY < 0 ? 'up' : 'down');
      },
      passive,
    );
    element.addEventListener(
      'touchstart',
      ({ touches }) => {
        finger = touches[0]?.clientY ?? 0;
      },
      passive,
    );
    element.addEventListener(
      'touchmove',
      ({ touches }) => {
        const now = touches[0]?.clientY ?? finger;
        // A finger that goes down draws the page with it.
        follow.means(now > finger ? 'up' : now < finger ? 'down' : 'either');
        finger = now;
      },
      passive,
    );
    element.addEventListener('keydown', ({ key, shiftKey }) => {
      if (key === ' ') follow.means(shiftKey ? 'up' : 'down');
      else follow.means(ways[key] ?? 'either');
    });
    element.addEventListener('pointerdown', () => {
      follow.hold(true);
    });
    const released = (): void => {
      follow.hold(false);
    };
    window.addEventListener('pointerup', released, { signal });
    window.addEventListener('pointercancel', released, { signal });
    return () => {
      over.abort();
    };
  };
}
