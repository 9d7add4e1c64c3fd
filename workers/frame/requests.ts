/** The page's requests to Python other than calls: the message to the tool worker, and the parser of its answer, for each. */

import type { Broker, ChangesForPython } from '../../src/protocol/frame.ts';
import type { FileForPython } from '../../src/protocol/python.ts';
import {
  toInspection,
  toPaths,
  toReasons,
  toResolution,
  toWorkspaceReport,
  workspaceChars,
} from './answers.ts';
import { Inspections } from './inspections.ts';
import { smallAnswerChars, type ToolWorkerLink } from './tool-worker-link.ts';

export type Requests = Pick<
  Broker,
  | 'install'
  | 'resolve'
  | 'putFiles'
  | 'updateFiles'
  | 'workspace'
  | 'inspect'
  | 'inspected'
  | 'decide'
  | 'judge'
>;

/** A list of all files of a folder; characters. */
const droppedChars = 5_000 * 1_003 * 2;
/** An answer of the resolver; characters. */
const resolvedChars = 8_000_000;

const emptyAnswer = {
  answer: 'done',
  maxChars: smallAnswerChars,
  parse: () => ({ value: null }),
} as const;

export function requestsTo(link: ToolWorkerLink): Requests {
  const inspections = new Inspections((id, file) =>
    link.ask({
      message: { op: 'inspect', id, file },
      answer: 'report',
      maxChars: link.limits.reportChars * 2,
      parse: (payload) => {
        const value = toInspection(payload, file);
        return value && { value };
      },
    }),
  );
  return {
    install: (id, { wheels }) =>
      link.ask({ message: { op: 'install', id, wheels }, ...emptyAnswer }),
    resolve: (id, resolver, request) =>
      link.ask({
        message: { op: 'resolve', id, resolver, request },
        answer: 'resolved',
        maxChars: resolvedChars,
        parse: toResolution,
      }),
    putFiles: (id, name, files, folders, last) =>
      link.ask({
        message: { op: 'files', id, name, files, folders, last },
        transfer: buffersOf(files),
        ...emptyAnswer,
      }),
    updateFiles: (id, name, changes: ChangesForPython) =>
      link.ask({
        message: { op: 'update', id, name, ...changes },
        transfer: buffersOf(changes.written),
        answer: 'dropped',
        maxChars: droppedChars,
        parse: toPaths,
      }),
    workspace: (id, request) =>
      link.ask({
        message: { op: 'workspace', id, ...request },
        transfer: buffersOf(request.written),
        answer: 'workspace',
        maxChars: workspaceChars(request),
        parse: toWorkspaceReport,
      }),
    inspect: (id, files) => inspections.begin(id, files),
    inspected: (id) => inspections.next(id),
    decide: (id, tool, file, key, args) =>
      link.ask({
        message: { op: 'decide', id, tool, file, key, arguments: args },
        answer: 'decision',
        maxChars: smallAnswerChars,
        parse: (payload) => ({ value: payload === '1' }),
      }),
    judge: (id, expect, outcome) =>
      link.ask({
        message: { op: 'judge', id, expect, outcome },
        answer: 'verdict',
        maxChars: smallAnswerChars,
        parse: toReasons,
      }),
  };
}

function buffersOf(files: readonly FileForPython[]): ArrayBuffer[] {
  return files.map(({ bytes }) => bytes.buffer as ArrayBuffer);
}
