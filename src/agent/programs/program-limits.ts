/** All limits of programs. */

export const programLimits = {
  /** Minimum of selected tools for which the model may write programs: for fewer, a program costs more than it saves. */
  leastTools: 3,
  /** Time that a program may run, without the time in which the user is asked; milliseconds. */
  timeMs: 600_000,
  /** Time limit of the program that finds out whether an interpreter can be used again; milliseconds. */
  trialMs: 5_000,
  /** Calls of a program. */
  calls: 1_000,
  /** Refused calls beyond that limit, after which the program is ended. */
  refusals: 100,
  /** The part of a program's output and result that the model gets; characters, and estimated tokens. */
  answerChars: 20_000,
  answerTokens: 5_000,
  codeChars: 200_000,
  /** The result of one call, as the program gets it; characters. */
  resultChars: 8_000_000,
  /** Limit of the arguments of all calls of a program that the session's log has in full; characters. */
  loggedArgumentsChars: 500_000,
  /** Limit of the result and of the output of one call in the session's log, and of arguments beyond that; characters. */
  loggedChars: 2_000,
  /** The list of tools in the definition that the model gets; characters, about 500 tokens. */
  listedChars: 2_000,
  /** Limits of the package problems that a program gets for its errors, and of the characters of each. */
  packageProblems: 20,
  problemChars: 500,
  /** Programs that run at the same time, and interpreters that are kept for their variables. */
  atOnce: 2,
  /** Programs that may wait until one of these ends. */
  waiting: 100,
  /** Time after which the interpreter of a session's programs is ended; milliseconds. */
  idleMs: 600_000,
} as const;
