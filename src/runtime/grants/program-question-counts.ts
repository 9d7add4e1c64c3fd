/** Counts the questions of each program, since a program could otherwise ask the user as often as it can call a tool. */

/** Limits for one program: how many questions the user refuses in a row, and how many are asked in total. */
export const programQuestionLimits = { refused: 5, asked: 50 } as const;

export const askedEnough = `The user has refused ${programQuestionLimits.refused} questions of this program in a row, or was asked ${programQuestionLimits.asked}, and is asked nothing more for it.`;

interface Counts {
  asked: number;
  /** Refusals since the last permission. */
  refused: number;
}

/** A program is named by the id of its own call, the parent of the calls that it makes; undefined for other calls. */
export class ProgramQuestionCounts {
  readonly #programs = new Map<string, Counts>();

  /** Whether the user is asked nothing more for a program. */
  areFull(program: string | undefined): boolean {
    const counts = program === undefined ? undefined : this.#programs.get(program);
    if (counts === undefined) return false;
    const { asked, refused } = programQuestionLimits;
    return counts.asked >= asked || counts.refused >= refused;
  }

  addQuestion(program: string | undefined): void {
    if (program !== undefined) this.#countsOf(program).asked += 1;
  }

  /** @returns whether the user has refused enough */
  addAnswer(program: string | undefined, isRefused: boolean): boolean {
    if (program === undefined) return false;
    const counts = this.#countsOf(program);
    counts.refused = isRefused ? counts.refused + 1 : 0;
    return counts.refused >= programQuestionLimits.refused;
  }

  /** Forgets a program that has ended. */
  end(program: string): void {
    this.#programs.delete(program);
  }

  #countsOf(program: string): Counts {
    const counts = this.#programs.get(program) ?? { asked: 0, refused: 0 };
    this.#programs.set(program, counts);
    return counts;
  }
}
