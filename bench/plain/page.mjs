/** The floor: what a competent person writes in ten minutes. One same-origin worker, plain loadPyodide, no frills. */

const worker = new Worker('worker.mjs', { type: 'module' });
/** @type {(answer: any) => void} */
let answered = () => undefined;
worker.onmessage = ({ data }) => answered(data);

/** @param {unknown} message */
function ask(message) {
  return new Promise((resolve) => {
    answered = resolve;
    worker.postMessage(message);
  });
}

const ready = ask({ op: 'start' });
Object.assign(globalThis, { plain: { ask, ready } });
