/** Runs programs: Python that a model or a user writes to call tools, in interpreters of their own. */

import { type OpenHost, refusal as askRefusal } from '../../runtime/protocol/ask.ts';
import { failure } from '../../runtime/call/results.ts';
import type { ProgramApprovals } from '../../runtime/grants/program-approvals.ts';
import type { InterpreterSlot } from '../../runtime/sandbox/interpreter-slot.ts';
import { type RegisteredTool, runPython } from '../../runtime/spec/tool.ts';
import type { RunWatch, ToolCall } from '../../runtime/spec/call.ts';
import { errorText } from '../../runtime/spec/error.ts';
import type { InterpreterView } from '../../runtime/spec/interpreter.ts';
import { plainTool } from '../../runtime/spec/plain-tool.ts';
import { charsPerToken } from '../../runtime/spec/model.ts';
import type { Problem } from '../../runtime/spec/folder.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import { NestedCalls, type ProgramOwner } from './nested-calls.ts';
import { ProgramInterpreters, type ProgramInterpretersDeps } from './program-interpreters.ts';
import { programLimits } from './program-limits.ts';
import { toolFunctions } from './tool-functions.ts';

export interface ProgramsDeps extends ProgramInterpretersDeps {
  readonly openHost: OpenHost;
  readonly approvals: Pick<ProgramApprovals, 'begin'>;
  /** The errors of the open folder's packages, for example that the user has not allowed a download. */
  readonly packageProblems: () => readonly Pick<Problem, 'message' | 'hint'>[];
  readonly newId: () => string;
}

export interface Program {
  /** The call of `run_python`, the parent of the calls that the program makes. */
  readonly call: ToolCall;
  readonly code: string;
  /** Whether it starts with the variables of the program before it. */
  readonly keep: boolean;
}

export class Programs {
  readonly #deps: ProgramsDeps;
  readonly #interpreters: ProgramInterpreters;
  /** Interpreters whose last program failed. */
  readonly #failed = new WeakSet<InterpreterSlot>();

  constructor(deps: ProgramsDeps) {
    this.#deps = deps;
    this.#interpreters = new ProgramInterpreters(deps);
  }

  /**
   * Runs a program to its end; the calls that it made have ended then. Never rejects.
   * @param watch receives what it prints
   */
  async run(
    signal: AbortSignal,
    program: Program,
    owner: ProgramOwner,
    watch: Pick<RunWatch, 'onStream'>,
  ): Promise<ToolResult> {
    const { codeChars } = programLimits;
    const { length } = program.code;
    if (length > codeChars)
      return refusal(`it has ${length} characters, more than the limit of ${codeChars}`);
    try {
      return await this.#interpreters.use(
        signal,
        owner,
        (slot) => this.#isUsable(signal, slot, program),
        (slot) => this.#run(signal, slot, program, owner, watch),
      );
    } catch (thrown) {
      if (signal.aborted) return failure('cancelled', 'The program was cancelled.');
      return refusal(errorText(thrown));
    }
  }

  /** The interpreters of programs, for the user. */
  list(): readonly InterpreterView[] {
    return this.#interpreters.list();
  }

  /** Ends the interpreters that no program uses, as when another folder is opened. */
  endIdle(): void {
    this.#interpreters.endIdle();
  }

  /**
   * Returns whether the interpreter of an earlier program can be used again. Runs a trial program, which deletes the objects
   * of the earlier one and makes one call, which is refused. If the earlier program or its objects have broken the
   * interpreter, or what makes calls in it, the trial fails, and no later program does.
   *
   * A program that keeps the variables needs a trial only after a failure, as the interpreter that it may lose has them.
   */
  async #isUsable(
    signal: AbortSignal,
    slot: InterpreterSlot,
    { call, keep }: Program,
  ): Promise<boolean> {
    if (keep && !this.#failed.has(slot)) return true;
    const nestedCall = { ...call, id: this.#deps.newId(), validate: false };
    let asked = 0;
    const { error } = await resultIn(signal, slot, {
      tool: trialProgram,
      call: { ...nestedCall, arguments: JSON.stringify({ ...trial, keep }) },
      onStream: () => undefined,
      openHost: () => ({
        network: [],
        answer: () => {
          asked += 1;
          return Promise.resolve(refusedTrial);
        },
        end: () => undefined,
      }),
    });
    // @mutant an interpreter that makes no calls any more is replaced => asked === 1 && error === trialError -> true
    //   [src/agent/programs/programs.test.ts]
    return asked === 1 && error === trialError && slot.canStart;
  }

  async #run(
    signal: AbortSignal,
    slot: InterpreterSlot,
    { call, code, keep }: Program,
    owner: ProgramOwner,
    { onStream }: Pick<RunWatch, 'onStream'>,
  ): Promise<ToolResult> {
    const { openHost, approvals, packageProblems, newId } = this.#deps;
    const breach = new AbortController();
    /** Set when the program begins. */
    let nested: NestedCalls | null = null;
    const hostOf: OpenHost = (tool, program, clock) => {
      const host = openHost(tool, program, clock);
      const calls = new NestedCalls({
        program,
        owner,
        clock,
        newId,
        stop: () => breach.abort(),
      });
      nested = calls;
      const over = approvals.begin(program.id, clock);
      return {
        network: host.network,
        answer: (n, ask) => (ask.ask === 'call' ? calls.answer(ask) : host.answer(n, ask)),
        end: () => {
          calls.end();
          over();
          host.end();
        },
      };
    };
    const tools = toolFunctions(owner.tools);
    const missing = packageProblems().slice(0, programLimits.packageProblems).map(sentences);
    const argumentsText = JSON.stringify({ code, keep, tools, missing });
    const result = await resultIn(AbortSignal.any([signal, breach.signal]), slot, {
      tool: loaderTool,
      call: { ...call, arguments: argumentsText, validate: false },
      onStream,
      openHost: hostOf,
    });
    if (result.error === undefined) this.#failed.delete(slot);
    else this.#failed.add(slot);
    // TypeScript does not follow the assignment in the callback.
    await (nested as NestedCalls | null)?.settled();
    return forModel(result, breach.signal.aborted);
  }
}

interface LoaderCall extends Pick<RunWatch, 'onStream'> {
  readonly tool: RegisteredTool;
  readonly call: ToolCall;
  readonly openHost: OpenHost;
}

/** Calls a function of the loader in an interpreter of programs. */
function resultIn(
  signal: AbortSignal,
  slot: InterpreterSlot,
  { onStream, ...called }: LoaderCall,
): Promise<ToolResult> {
  const watch = { onStart: () => undefined, onStream };
  return new Promise((settle) => {
    // One program at a time uses the slot, so it does not matter whether the call may overlap.
    void slot.run({ kind: 'call', signal, watch, settle, ...called }, { overlaps: true });
  });
}

/** Returns a problem as a text for the error of a program. */
function sentences({ message, hint }: Pick<Problem, 'message' | 'hint'>): string {
  return `${message.replace(/\.$/, '')}. ${hint}`
    .slice(0, programLimits.problemChars)
    .toWellFormed();
}

/** The result with the only text of the program that the model sees: what it printed, and its value or error. */
function forModel(result: ToolResult, wentOn: boolean): ToolResult {
  const { content, stdout, stderr, outputDropped, textResultForLlm } = result;
  const [only] = content;
  const isNothing = content.length === 1 && only?.type === 'json' && only.text === 'null';
  const max = programLimits.calls.toLocaleString('en');
  const texts = [
    stdout.trimEnd(),
    stderr.trimEnd(),
    outputDropped > 0
      ? `[${outputDropped.toLocaleString('en')} more characters were printed.]`
      : '',
    isNothing ? '' : textResultForLlm,
    wentOn ? `The program was ended because it went on after ${max} calls.` : '',
  ].filter((text) => text !== '');
  const text =
    texts.length === 0
      ? 'The program ended. It printed and returned nothing. A program with `reuse_variables` starts with the variables of this one.'
      : '';
  return { ...result, textResultForLlm: cut(text + texts.join('\n')) };
}

function cut(text: string): string {
  const max = charsWithin(text);
  if (text.length <= max) return text;
  const length = text.length.toLocaleString('en');
  const mark = `\n[Cut here: ${length} characters, and you see at most ${max.toLocaleString('en')}. Print or return less.]`;
  // Do not split a surrogate pair.
  return text.slice(0, max - mark.length).replace(/[\ud800-\udbff]$/, '') + mark;
}

/** Number of the text's characters that the model may see. A character beyond ASCII counts as a token. */
function charsWithin(text: string): number {
  const { answerChars, answerTokens } = programLimits;
  const max = Math.min(text.length, answerChars);
  let tokens = 0;
  for (let at = 0; at < max; at += 1) {
    tokens += text.charCodeAt(at) < 128 ? 1 / charsPerToken : 1;
    if (tokens > answerTokens) return at;
  }
  return answerChars;
}

function refusal(why: string): ToolResult {
  return failure(`Error: ${why}`, `The program was not run: ${why}`);
}

/** The loader's function that runs programs (workers/python/py/cloche/program.py). */
const loaderTool = plainTool(runPython, {
  // An asynchronous function can be asked to stop before its interpreter is ended.
  handler: { kind: 'async', name: runPython, file: '', line: null },
  timeout_s: programLimits.timeMs / 1000,
});

/** The trial program. Its names stay beside variables that are kept, so no program should have one of them. */
const trialProgram = { ...loaderTool, timeout_s: programLimits.trialMs / 1000 };
const trial = {
  code: 'await cloche_trial.call()',
  tools: [
    { name: 'cloche:trial', module: 'cloche_trial', function: 'call', parameters: [], doc: '' },
  ],
};
const refusedTrial = askRefusal('PermissionError', 'This is only a trial.');
const trialError = 'PermissionError: This is only a trial.';
