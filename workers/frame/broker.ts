/**
 * The broker: passes messages between the page and the hostile tool worker, and checks them, so that no flood reaches the
 * page. What a call streams, and long texts of its outcome, wait here: the page gets more of them only when it has processed
 * what it has, and says so (`credit` for a stream, `taken` for a text).
 */

import { expose, transfer } from 'comlink';
import type { Broker, FromBroker, ToBroker } from '../../src/runtime/protocol/frame.ts';
import type { FileForPython } from '../../src/runtime/protocol/python.ts';
import {
  toInspection,
  toPaths,
  toProposal,
  toReasons,
  toResolution,
  toWorkspaceReport,
  workspaceChars,
} from './incoming.ts';
import { Inspections } from './inspections.ts';
import { LiveStreams, Outcomes } from './to-page.ts';
import { smallAnswerChars, ToolWorkerLink } from './tool-worker-link.ts';

/**
 * Limit of the list of files whose modules were dropped, since they or what they import has changed: all of a folder,
 * each with a path of 1,000 characters, quotes and a comma, doubled for escapes; characters.
 */
const droppedChars = 5_000 * 1_003 * 2;
const droppedFiles = { answer: 'dropped', maxChars: droppedChars, parse: toPaths } as const;
/** Limit of an answer of the resolver; characters. */
const resolvedChars = 8_000_000;

const emptyAnswer = {
  answer: 'done',
  maxChars: smallAnswerChars,
  parse: () => null,
} as const;

function createBroker(toolWorker: Blob, messages: MessagePort): Broker {
  const send = (message: FromBroker): void => messages.postMessage(message);
  const live = new LiveStreams((id, stream) => send({ type: 'stream', id, stream }));
  const outcomes = new Outcomes(send);
  const link = new ToolWorkerLink(toolWorker, {
    onStep: (step) => send({ type: 'step', step }),
    onLibraryWanted: () => send({ type: 'wanted' }),
    onStream: (id, stream) => live.push(id, stream),
    onAsk: (id, n, ask) => send({ type: 'ask', id, n, ask }),
    onEnd: (id) => live.end(id),
    onLost: (loss) => send({ type: 'lost', loss }),
  });
  messages.onmessage = ({ data }: MessageEvent<ToBroker>) => {
    switch (data.type) {
      case 'call': {
        const { type: _, id, ...call } = data;
        if (call.live) live.begin(id);
        void link.call(id, call).then((outcome) => outcomes.send(id, outcome));
        return;
      }
      case 'cancel':
        link.cancel(data.id);
        return;
      case 'credit':
        live.credit(data.id);
        return;
      case 'taken':
        outcomes.next(data.id);
        return;
      case 'answer':
        link.answer(data.id, data.n, data.answer);
    }
  };
  const inspections = new Inspections((id, file) =>
    link.ask({
      message: { op: 'inspect', id, file },
      answer: 'report',
      maxChars: link.limits.reportChars * 2,
      parse: (payload) => toInspection(payload, file),
    }),
  );
  return {
    compile: (wasm) => void link.compile(wasm),
    start: (start) => link.start(start),
    addLibraries: (libraries) => link.addLibraries(libraries),
    addSources: (stdlibSources) => link.addSources(stdlibSources),
    makeSnapshot: (files, libraries, forPackages) =>
      link.askForBytes({ op: 'make-snapshot', files, libraries, forPackages }),
    compilePackages: (request) => link.askForBytes({ op: 'compile-packages', ...request }),
    install: (id, request) =>
      link.ask({ message: { op: 'install', id, ...request }, ...emptyAnswer }),
    resolve: (id, resolver, request) =>
      link.ask({
        message: { op: 'resolve', id, resolver, request },
        answer: 'resolved',
        maxChars: resolvedChars,
        parse: toResolution,
      }),
    putFiles: (id, name, files, folders, options) =>
      link.ask({
        message: { op: 'files', id, name, files, folders, ...options },
        transfer: buffersOf(files),
        ...emptyAnswer,
      }),
    updateFiles: (id, name, changes) =>
      link.ask({
        message: { op: 'update', id, name, ...changes },
        transfer: buffersOf(changes.written),
        ...droppedFiles,
      }),
    inspect: (id, files) => inspections.begin(id, files),
    inspected: (id) => inspections.next(id),
    propose: (id, file, names) =>
      link.ask({
        message: { op: 'propose', id, file, names },
        answer: 'proposal',
        maxChars: link.limits.reportChars * 2,
        parse: (payload) => toProposal(payload, file),
      }),
    setSettings: (id, values) =>
      link.ask({ message: { op: 'settings', id, values }, ...droppedFiles }),
    decide: (id, tool, file, key, args) =>
      link.ask({
        message: { op: 'decide', id, tool, file, key, arguments: args },
        answer: 'decision',
        maxChars: smallAnswerChars,
        parse: (payload) => payload === '1',
      }),
    judge: (id, expect, outcome) =>
      link.ask({
        message: { op: 'judge', id, expect, outcome },
        answer: 'verdict',
        maxChars: smallAnswerChars,
        parse: toReasons,
      }),
    workspace: async (id, request) => {
      const answer = await link.ask({
        message: { op: 'workspace', id, ...request },
        transfer: buffersOf(request.written),
        answer: 'workspace',
        maxChars: workspaceChars(request),
        parse: toWorkspaceReport,
      });
      return transfer(answer, answer.ok ? buffersOf(answer.value.files) : []);
    },
    streamed: (id) => link.streamed(id),
    report: (port) => link.report(port),
    ping: () => true,
  };
}

onmessage = ({ data: toolWorker, ports }: MessageEvent<Blob>) => {
  const [control, messages] = ports;
  if (!control || !messages) return;
  expose(createBroker(toolWorker, messages), control);
  onmessage = null;
  postMessage('up');
};

function buffersOf(files: readonly Pick<FileForPython, 'bytes'>[]): ArrayBuffer[] {
  return files.map(({ bytes }) => bytes.buffer as ArrayBuffer);
}
