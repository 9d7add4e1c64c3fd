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

/** Waits until a folder is dropped. */
function dropped() {
  return new Promise((resolve) => {
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      const from = performance.now();
      const handle = event.dataTransfer.items[0].getAsFileSystemHandle();
      resolve(handle.then((folder) => ({ folder, from })));
    });
  });
}

/** Reads and imports the files of a dropped folder. */
async function open() {
  const { folder, from } = await dropped();
  const handles = [];
  for await (const handle of folder.values()) handles.push(handle);
  const files = await Promise.all(
    handles.map(async (handle) => [handle.name, await (await handle.getFile()).text()]),
  );
  const tools = await ask({ op: 'load', root: '/tools', files });
  return { tools, ms: performance.now() - from };
}

/** Imports a file of a dropped folder again whenever it is written. */
async function watch() {
  const { folder } = await dropped();
  const observer = new FileSystemObserver(async (records) => {
    for (const { changedHandle, relativePathComponents } of records) {
      if (changedHandle?.kind !== 'file') continue;
      const text = await (await changedHandle.getFile()).text();
      const name = relativePathComponents.at(-1);
      if (text !== '') plain.listed(await ask({ op: 'again', root: '/tools', name, text }));
    }
  });
  await observer.observe(folder, { recursive: true });
}

/** @type {Worker[]} */
const others = [];
const ready = ask({ op: 'start' });
Object.assign(globalThis, {
  plain: { ask, another, open, ready, restart, watch, listed: () => undefined },
});
