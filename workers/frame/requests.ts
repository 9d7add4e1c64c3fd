/** What the page asks of Python besides calls: each as a question to the tool worker, with the form that its answer must have. */

import type { Broker, ChangesForPython } from '../../src/protocol/frame.ts';
import type { FileForPython } from '../../src/protocol/python.ts';
import { toInspection, toPaths, toResolution } from './answers.ts';
import { droppedRoom, resolvedRoom, smallAnswer } from './rooms.ts';
import type { ToolWorkerLink } from './tool-worker-link.ts';
import { toWorkspaceReport, workspaceRoom } from './workspace-answer.ts';

export type Requests = Pick<
  Broker,
  'install' | 'resolve' | 'putFiles' | 'updateFiles' | 'workspace' | 'inspect' | 'decide'
>;

const nothing = { answer: 'done', room: smallAnswer, parse: () => ({ value: null }) } as const;

export function requestsTo(link: ToolWorkerLink): Requests {
  return {
    install: (id, { wheels }) => link.ask({ message: { op: 'install', id, wheels }, ...nothing }),
    resolve: (id, resolver, request) =>
      link.ask({
        message: { op: 'resolve', id, resolver, request },
        answer: 'resolved',
        room: resolvedRoom,
        parse: toResolution,
      }),
    putFiles: (id, name, files, folders, last) =>
      link.ask({
        message: { op: 'files', id, name, files, folders, last },
        transfer: buffersOf(files),
        ...nothing,
      }),
    updateFiles: (id, name, changes: ChangesForPython) =>
      link.ask({
        message: { op: 'update', id, name, ...changes },
        transfer: buffersOf(changes.written),
        answer: 'dropped',
        room: droppedRoom,
        parse: toPaths,
      }),
    workspace: (id, request) =>
      link.ask({
        message: { op: 'workspace', id, ...request },
        transfer: buffersOf(request.written),
        answer: 'workspace',
        room: workspaceRoom(request),
        parse: toWorkspaceReport,
      }),
    inspect: (id, file) =>
      link.ask({
        message: { op: 'inspect', id, file },
        answer: 'report',
        room: link.limits.reportChars * 2,
        parse: (payload) => {
          const value = toInspection(payload, file);
          return value && { value };
        },
      }),
    decide: (id, tool, file, key, args) =>
      link.ask({
        message: { op: 'decide', id, tool, file, key, arguments: args },
        answer: 'decision',
        room: smallAnswer,
        parse: (payload) => ({ value: payload === '1' }),
      }),
  };
}

function buffersOf(files: readonly FileForPython[]): ArrayBuffer[] {
  return files.map(({ bytes }) => bytes.buffer as ArrayBuffer);
}
