/** The part of the UI state that results, JSON and pictures need. A playground has it without the rest of the app. */

import { createContext } from 'svelte';
import type { FileSettings } from '../../../runtime/registry/registry.ts';
import type { RegisteredTool } from '../../../runtime/spec/tool.ts';
import type { ShownPictures } from '../tools/pictures/shown-pictures.ts';
import type { ReturnCheck } from '../tools/result/return-check.ts';
import type { Preferences } from './preferences.svelte.ts';

/** The places of the app to which results link. */
type ResultPlace =
  | { readonly at: 'tool'; readonly name: string; readonly line: number }
  | { readonly at: 'policy'; readonly section: string }
  | { readonly at: 'workspace' };

export interface ResultUi {
  readonly preferences: Pick<Preferences, 'jsonView'>;
  /** Addresses of places in the app. */
  readonly route: {
    to(place: ResultPlace): string;
    toFile(path: string, line: number | null): string;
  };
  readonly tools: {
    tool(name: string): RegisteredTool | undefined;
    /** The settings that the folder's files read. Absent where there is no page to set them. */
    readonly settings?: readonly FileSettings[];
  };
  readonly late: {
    readonly pictures: ShownPictures;
    readonly returnCheck: ReturnCheck;
    /** Whether the folder has no workspace. Absent where none can be chosen. */
    lacksWorkspace?(): Promise<boolean>;
  };
  /** Whether a call need not wait for Python’s start. */
  readonly isPythonReady: boolean;
  /** Whether further tools may appear. */
  readonly isLoadingTools: boolean;
  /** Whether the folder has the file. */
  hasFile(path: string): boolean;
}

export const [getResultUi, setResultUi] = createContext<ResultUi>();
