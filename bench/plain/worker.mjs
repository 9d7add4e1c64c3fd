/** The plain page's worker: Pyodide, unchanged tool files, one call at a time. */

import { loadPyodide } from './pyodide.mjs';

/** @type {any} */
let pyodide;
/** @type {any} */
let call;

const python = `
import importlib, json, sys
handlers = {}

def load(root, names):
    sys.path.append(root)
    listed = []
    for name in names:
        module = importlib.import_module(name)
        for spec in module.TOOL_SPECS:
            handlers[spec["name"]] = spec["handler"]
            listed.append({key: value for key, value in spec.items() if key != "handler"})
    return json.dumps(listed)

def again(name):
    module = importlib.reload(sys.modules[name])
    for spec in module.TOOL_SPECS:
        handlers[spec["name"]] = spec["handler"]
    return json.dumps([{key: value for key, value in spec.items() if key != "handler"} for spec in module.TOOL_SPECS])

def call(tool, arguments):
    return json.dumps(handlers[tool](**json.loads(arguments)), ensure_ascii=False)
`;

onmessage = async ({ data }) => {
  postMessage(await answer(data));
};

/** @param {any} message */
async function answer(message) {
  switch (message.op) {
    case 'start':
      pyodide = await loadPyodide();
      pyodide.runPython(python);
      call = pyodide.globals.get('call');
      return 'ready';
    case 'load': {
      pyodide.FS.mkdirTree(message.root);
      for (const [name, text] of message.files)
        pyodide.FS.writeFile(`${message.root}/${name}`, text);
      const names = message.files.map(([name]) => name.replace(/\.py$/, ''));
      return pyodide.globals.get('load')(message.root, pyodide.toPy(names));
    }
    case 'again':
      pyodide.FS.writeFile(`${message.root}/${message.name}`, message.text);
      return pyodide.globals.get('again')(message.name.replace(/\.py$/, ''));
    case 'call':
      return call(message.tool, message.arguments);
  }
}
