/** The floor: what a competent developer writes in ten minutes. One same-origin worker, plain loadPyodide, no extras. */

/** @type {(answer: any) => void} */
let answered = () => undefined;
let worker = begin();

function begin() {
  const begun = new Worker('worker.mjs', { type: 'module' });
  begun.onmessage = ({ data }) => answered(data);
  return begun;
}

/** @param {unknown} message */
function ask(message) {
  return new Promise((resolve) => {
    answered = resolve;
    worker.postMessage(message);
  });
}

/** Stops what is running, in the only possible way. */
function restart() {
  worker.terminate();
  worker = begin();
  return ask({ op: 'start' });
}

/** One more worker beside the first. */
function another() {
  return new Promise((resolve) => {
    const more = new Worker('worker.mjs', { type: 'module' });
    more.onmessage = resolve;
    more.postMessage({ op: 'start' });
    others.push(more);
  });
}

/** @type {Worker[]} */
const others = [];
const ready = ask({ op: 'start' });
Object.assign(globalThis, { plain: { ask, another, ready, restart } });
