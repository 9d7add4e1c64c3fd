/**
 * Synchronises a workspace with an interpreter's copy of it: the user's changes go in, the tools' changes come out.
 *
 * A request first updates the copy, then returns what tools have changed since the last request. Each change is returned
 * once. If `more` is set, the answer reached its size limit, and an empty request returns the rest.
 */

import type { pythonWorkspace } from '../spec/schemas/sandbox.ts';
import type { Accepted } from '../spec/schemas/schema.ts';

export interface FileForCopy {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly bytes: Uint8Array;
}

/** Changes for the copy; answered by a {@link WorkspaceReport}. */
export interface WorkspaceRequest {
  /** Id of the copy. If it differs from the last request's, the old copy is deleted and an empty one created. */
  readonly copy: string;
  /** Absolute path of the copy. */
  readonly root: string;
  readonly written: readonly FileForCopy[];
  readonly removed: readonly string[];
  /** Folders to create; those in `foldersGone` are removed if they are empty. */
  readonly folders: readonly string[];
  readonly foldersGone: readonly string[];
  /**
   * Contents of the report: changed files with `contents`, only their `paths`, or `nothing`, which
   * leaves the changes for later.
   */
  readonly tell: 'contents' | 'paths' | 'nothing';
  /** Largest file that is returned; bytes. */
  readonly fileBytes: number;
}

/** The changes of tools in the copy, as the hostile tool worker sends them: nothing in them can be trusted. */
export type EncodedReport = Accepted<typeof pythonWorkspace>;
export type LeftInCopy = EncodedReport['left'][number];

/** The changes of tools in the copy, with the bytes of files, which are empty if only paths were requested. */
export interface WorkspaceReport extends Omit<EncodedReport, 'files'> {
  readonly files: readonly FileForCopy[];
}

/** Approximate limit of file contents in one answer; bytes. */
export const answerBytes = 8 * 1024 * 1024;
/** Limit of files and folders that are read in a copy. */
export const maxInCopy = 20_000;
/** Limit of a path's length in a copy; characters. */
export const longestPathInCopy = 1_000;
