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
    const { asked, refused } = this.#of(program);
    return asked >= programQuestionLimits.asked || refused >= programQuestionLimits.refused;
  }

  addQuestion(program: string | undefined): void {
    this.#of(program).asked += 1;
  }

  /** @returns whether the user has refused enough */
  addAnswer(program: string | undefined, isRefused: boolean): boolean {
    const counts = this.#of(program);
    counts.refused = isRefused ? counts.refused + 1 : 0;
    return counts.refused >= programQuestionLimits.refused;
  }

  /** Forgets a program that has ended. */
  end(program: string): void {
    this.#programs.delete(program);
  }

  #of(program: string | undefined): Counts {
    const known = this.#programs.get(program ?? '');
    if (known !== undefined) return known;
    const counts = { asked: 0, refused: 0 };
    if (program !== undefined) this.#programs.set(program, counts);
    return counts;
  }
}
