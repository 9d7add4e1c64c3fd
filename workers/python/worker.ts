/** The tool worker: runs Pyodide, the loader and the tool files of one folder. Hostile as soon as tool code has run. */

import type { PyCallable, PyProxy } from 'pyodide/ffi';
import type { PyodideAPI } from 'pyodide';
import type {
  CallMessage,
  CompileMessage,
  DecideMessage,
  FileForPython,
  FilesMessage,
  HeaderType,
  InstallMessage,
  ResolveMessage,
  SourcesMessage,
  StartMessage,
  ToToolWorker,
  UpdateMessage,
  WorkspaceMessage,
} from '../../src/runtime/protocol/python.ts';
import type { Ask } from '../../src/runtime/protocol/ask.ts';
import { textFromPage, type TextForPython } from '../../src/runtime/protocol/long-texts.ts';
import { resolveAsk, askPage, endAsks, emit, send, sendSnapshot } from './outgoing.ts';
import { bridgeFetch } from './bridge-fetch.ts';
import { ArgumentCheck } from './check-arguments.ts';
import { makeSnapshot, startPython } from './start-python.ts';
import { compilePackages, writeCompiled } from './compiled-packages.ts';
import { installWheels, resolvePackages } from './packages.ts';
import { LateLibrary } from './late-library.ts';
import { connectOutputDevices } from './output-devices.ts';
import { OrphanWatch } from './stop-when-orphaned.ts';
import { ComposedNames } from './composed-names.ts';
import { CopyFs, folderOf, type EmscriptenFs } from './copy-fs.ts';
import { WorkspaceCopy } from './workspace-copy.ts';

/** The functions of `cloche.main` that are called here. */
interface Loader extends PyProxy {
  connect(
    emit: (header: string, payload: string) => void,
    ask: (call: number, text: string) => Promise<string | Uint8Array>,
    now: undefined,
    rawFolder: string,
  ): void;
  current_call(): number;
  open_folder(root: string, functionsAreTools?: number): void;
  forget_files(files: string, cameOrWent: number): string;
  inspect_file: PyCallable;
  propose_specs: PyCallable;
  set_settings: PyCallable;
  decide(tool: string, file: string, key: string, args: string): number;
  judge(expect: string, outcome: string): string;
  call: PyCallable;
  cancel(id: number): void;
}

/** Private parts of the pinned Pyodide. */
interface PrivateApi {
  readonly _api: {
    on_fatal?: (thrown: unknown) => void;
    /** Runs a function in a later task. */
    scheduleCallback: (then: () => void, ms: number) => void;
  };
}

const module = Promise.withResolvers<WebAssembly.Module>();
/** Size of the part of the standard library that arrives first. Keeping the part would take memory. */
const librarySize = Promise.withResolvers<number>();
const started = Promise.withResolvers<null>();
const late = new LateLibrary(() => send('wanted', 0));
let pyodide: PyodideAPI & PrivateApi;
let orphanWatch: OrphanWatch | undefined;
let loader: Loader;
let names: ComposedNames;
let isStarted = false;
// The function is stored, since reading an attribute of a proxy takes as long as a whole call.
let inspectFile: PyCallable;
let callTool: PyCallable;
let workspaceCopy: WorkspaceCopy | undefined;
const argumentCheck = new ArgumentCheck();
let lastInTurn: Promise<void> = Promise.resolve();

/** Requests of which a failure is the answer. */
const failing: ReadonlySet<string> = new Set(['start', 'make-snapshot', 'compile-packages']);

self.onmessage = ({ data }: MessageEvent<ToToolWorker>) => {
  orphanWatch?.rest();
  handle(data).catch((thrown: unknown) => {
    // The loader reports all errors of tools, so an error here means that the interpreter itself is broken.
    send(failing.has(data.op) ? 'failed' : 'crashed', 0, describe(thrown));
  });
};

// Browsers cannot always deliver the compiled module. Without this answer, `start` would wait forever.
self.addEventListener('messageerror', () => {
  send(isStarted ? 'crashed' : 'failed', 0, 'a message could not be read');
});

/** Carries out a message of the broker. An error means that the start has failed, or that the interpreter itself is broken. */
async function handle(message: ToToolWorker): Promise<void> {
  switch (message.op) {
    case 'start':
      return start(message);
    case 'module':
      module.resolve(message.module);
      return;
    case 'libraries':
      if (message.libraries !== null) librarySize.resolve(message.libraries.stdlibRest.size);
      await started.promise;
      return late.add(pyodide, message.libraries);
    case 'sources':
      return addSources(message);
    case 'make-snapshot':
      sendSnapshot(
        await makeSnapshot(module.promise, message.files, message.libraries, message.forPackages),
      );
      return;
    case 'compile-packages':
      return compile(message);
    case 'install':
      return install(message);
    case 'resolve':
      return resolve(message);
    case 'files':
      if (message.files.length > 0 && late.isNeededBy(message.files)) await late.whole();
      putFiles(message);
      return;
    case 'update':
      update(message);
      return;
    case 'workspace':
      workspace(message);
      return;
    case 'inspect':
      return sendInTurn('report', message.id, inspectFile, message.file);
    case 'propose':
      return sendInTurn('proposal', message.id, loader.propose_specs, message.file, message.names);
    case 'settings':
      // Setting values imports a module that Python may still have to wait for.
      return sendInTurn('dropped', message.id, loader.set_settings, message.values);
    case 'decide':
      decide(message);
      return;
    case 'judge':
      send('verdict', message.id, loader.judge(message.expect, message.outcome));
      return;
    case 'call':
      return call(message);
    case 'cancel':
      loader.cancel(message.id);
      return;
    case 'answer':
      resolveAsk(message.id, message.n, message.answer);
  }
}

/** Sends the answer of a function of the loader. These run one at a time, even when the import of a file awaits something. */
function sendInTurn(
  t: HeaderType,
  id: number,
  callable: PyCallable,
  ...args: string[]
): Promise<void> {
  lastInTurn = lastInTurn.then(async () => {
    send(t, id, (await enter(callable, ...args)) as string);
  });
  return lastInTurn;
}

function describe(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return text.slice(0, 2_000);
}

/** Starts Python, and connects it with this worker. */
async function start(message: StartMessage): Promise<void> {
  const start = { ...message, module: module.promise };
  pyodide = (await startPython(start, (step) => send('step', 0, step))) as PyodideAPI & PrivateApi;
  // A crash is reported at once, not only by the next call.
  pyodide._api.on_fatal = (thrown) => {
    send('crashed', 0, describe(thrown));
  };
  names = new ComposedNames((pyodide.FS as unknown as EmscriptenFs).root);
  connectOutputDevices(pyodide);
  loader = pyodide.pyimport('cloche.main') as Loader;
  inspectFile = loader.inspect_file;
  callTool = loader.call;
  loader.connect(emitForPython, askForPython, undefined, '/tmp');
  // The prelude has hidden the worker's own property, but not that of its class.
  const load = WorkerGlobalScope.prototype.importScripts.bind(self);
  orphanWatch = new OrphanWatch(message.alive, load);
  orphanWatch.watch(pyodide);
  late.expect(pyodide);
  const currentCall = (): number => loader.current_call();
  self.fetch = bridgeFetch({ currentCall, ask: askPage });
  const stackSwitching = 'Suspending' in WebAssembly;
  started.resolve(null);
  if (!stackSwitching) await late.whole();
  isStarted = true;
  send('ready', 0, JSON.stringify({ version: pyodide.version, stackSwitching }));
}

/** Completes the standard library. Without it, tracebacks and `inspect` find no sources of its byte code. */
async function addSources({ stdlibSources }: SourcesMessage): Promise<void> {
  await started.promise;
  await late.addSources(pyodide, stdlibSources, await librarySize.promise);
}

async function compile({ wheels }: CompileMessage): Promise<void> {
  await late.whole();
  await installWheels(pyodide, wheels);
  sendSnapshot(compilePackages(pyodide));
}

/** Installs packages, with the byte code that an earlier start has made. */
async function install({ id, wheels, compiled }: InstallMessage): Promise<void> {
  late.hasPackages = true;
  if (compiled !== null) writeCompiled(pyodide, await compiled.arrayBuffer());
  if (wheels.length > 0) await late.whole();
  await installWheels(pyodide, wheels);
  send('done', id);
}

async function resolve({ id, resolver, request }: ResolveMessage): Promise<void> {
  await late.whole();
  send('resolved', id, await resolvePackages(pyodide, resolver, request));
}

function putFiles({ id, name, files, folders, last, functionsAreTools }: FilesMessage): void {
  const root = `/tools/${name}`;
  names.exactly(() => writeFiles(root, files, folders));
  if (last) {
    pyodide.FS.mkdirTree(root);
    loader.open_folder(root, functionsAreTools ? 1 : 0);
  }
  send('done', id);
}

/**
 * Updates files. Drops modules before the change, and again after it if files were added or removed: the importers of
 * removed files are known only before, those of new files only after.
 */
function update({ id, name, written, removed, folders, cameOrWent }: UpdateMessage): void {
  const root = `/tools/${name}`;
  const changed = JSON.stringify([...removed, ...written.map(({ path }) => path)]);
  const before = JSON.parse(loader.forget_files(changed, 0)) as string[];
  names.exactly(() => {
    for (const path of removed) removeFile(root, path, new Set(folders));
    writeFiles(root, written, folders);
  });
  loader.open_folder(root);
  const after = cameOrWent ? (JSON.parse(loader.forget_files(changed, 1)) as string[]) : [];
  send('dropped', id, JSON.stringify([...new Set([...before, ...after])]));
}

/** Removes a file, and its parent folders that are not in `folders`. */
function removeFile(root: string, path: string, folders: ReadonlySet<string>): void {
  try {
    pyodide.FS.unlink(`${root}/${path}`);
    for (let above = folderOf(path); above !== '' && !folders.has(above); above = folderOf(above))
      pyodide.FS.rmdir(`${root}/${above}`);
  } catch {
    // A tool has already removed it, or has written files beside it.
  }
}

/** Writes files, whose folders are made. */
function writeFiles(
  root: string,
  files: readonly FileForPython[],
  folders: readonly string[],
): void {
  const made = new Set<string>();
  for (const folder of folders) pyodide.FS.mkdirTree(`${root}/${folder}`);
  for (const { path, modifiedAt, bytes } of files) {
    const file = `${root}/${path}`;
    const folder = file.slice(0, file.lastIndexOf('/'));
    if (!made.has(folder)) pyodide.FS.mkdirTree(folder);
    made.add(folder);
    pyodide.FS.writeFile(file, bytes, { canOwn: true });
    pyodide.FS.utime(file, modifiedAt, modifiedAt);
  }
}

function workspace({ id, ...request }: WorkspaceMessage): void {
  // Pyodide's types do not declare the nodes of the in-memory file system.
  workspaceCopy ??= new WorkspaceCopy(new CopyFs(pyodide.FS as unknown as EmscriptenFs));
  const copy = workspaceCopy;
  send('workspace', id, JSON.stringify(names.exactly(() => copy.exchange(request))));
}

/** Calls the callable synchronously, so that its answer cannot arrive later. */
function decide({ id, tool, file, key, arguments: args }: DecideMessage): void {
  send('decision', id, String(loader.decide(tool, file, key, args)));
}

async function call({
  id,
  tool,
  file,
  arguments: args,
  context,
  schema,
  validate,
  checkOnly,
}: CallMessage): Promise<void> {
  if (schema !== undefined) argumentCheck.setSchema(tool, schema);
  const errors = validate ? argumentCheck.check(tool, textFromPage(args)) : [];
  const schemaErrors = errors.length > 0 ? JSON.stringify(errors, ['path', 'message']) : '';
  const callArguments = [id, tool, file, args, context, schemaErrors];
  const payload = await enter(callTool, ...callArguments, ...(checkOnly === true ? [1] : []));
  if (payload === '') return;
  endAsks(id);
  send('result', id, payload as string);
}

/** Sends what a call streams, and the result of a call that became asynchronous. */
function emitForPython(header: string, payload: string): void {
  if (header.startsWith('{"t":"result"')) endAsks((JSON.parse(header) as { id: number }).id);
  emit(header, payload);
}

/** @returns the answer as JSON text, or a piece of a body as its bytes */
async function askForPython(call: number, text: string): Promise<string | Uint8Array> {
  const answer = await askPage(call, JSON.parse(text) as Ask);
  return answer.answer === 'bytes' ? answer.bytes : JSON.stringify(answer);
}

/**
 * Calls Python so that synchronous Python code can wait (asyncio.run, time.sleep), in browsers with stack switching.
 * Must be called where no Python is on the stack.
 */
function enter(callable: PyCallable, ...args: (TextForPython | number)[]): unknown {
  if (!('Suspending' in WebAssembly)) return callable(...args);
  // Pyodide would start a separate task, which takes as long as the rest of a call. The task is
  // needed only if Python is on the stack.
  const { _api: api } = pyodide;
  const { scheduleCallback } = api;
  api.scheduleCallback = (then) => then();
  try {
    return callable.callPromising(...args);
  } finally {
    api.scheduleCallback = scheduleCallback;
  }
}
