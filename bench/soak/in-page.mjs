/** What one session of the soak does. It runs in the page, so it imports nothing. */

/**
 * @typedef {object} SoakReport
 * @property {number} calls
 * @property {Record<string, number>} endings how often a call ended which way
 * @property {number} losses how often the Python state was lost, as a result said, because a handler that can end by itself was cancelled
 * @property {string[]} wrong descriptions of the faults
 * @property {number} longestMs the duration of the longest call that was not stopped, including its wait for its turn
 */

/**
 * Calls tools at random until the time is over.
 * @param {{sessions: number, ms: number, seed: number, killsFirst: boolean}} options `killsFirst`: each session first loses its interpreter
 * @returns {Promise<SoakReport>}
 */
export async function soakInPage({ sessions, ms, seed, killsFirst }) {
  const { calls, sessions: open } = globalThis.cloche;
  const until = performance.now() + ms;
  /** @type {SoakReport} */
  const report = { calls: 0, endings: {}, wrong: [], longestMs: 0, losses: 0 };
  /** Endings of calls, by id: each must have one. @type {Map<string, number>} */
  const ended = new Map();
  const stopWatching = calls.observe((event) => {
    if (event.type !== 'call-ended' || !event.call.tool.startsWith('soak:')) return;
    ended.set(event.call.id, (ended.get(event.call.id) ?? 0) + 1);
  });
  await Promise.all(Array.from({ length: sessions }, (_, n) => session(`soak-${n}`, seed + n)));
  // If a call ends a second time, it does so soon.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  stopWatching();
  for (const [id, times] of ended) if (times !== 1) report.wrong.push(`${id} ended ${times} times`);
  if (ended.size !== report.calls)
    report.wrong.push(`${ended.size} of ${report.calls} calls have ended`);
  return report;

  /** @param {string} id @param {number} from */
  async function session(id, from) {
    open.open(id);
    const random = numbers(from);
    /** The count in the session's interpreter, which starts from zero if its state is lost. */
    let counted = 0;
    /** Whether the interpreter has ended since the last count, so that its state must be lost. */
    let killed = false;
    /**
     * Whether a handler was cancelled since the last count. On a busy machine, it may take longer than its grace period: its
     * interpreter is then ended.
     */
    let cancelled = false;
    let isFirst = true;
    while (performance.now() < until) {
      // The last branch below ends the interpreter.
      const chance = isFirst && killsFirst ? 1 : random();
      isFirst = false;
      if (chance < 0.35) {
        const a = Math.floor(random() * 1e6);
        const b = Math.floor(random() * 1e6);
        await expectText(id, 'add', { a, b }, String(a + b));
      } else if (chance < 0.6) {
        const { text, stateLost } = await ask(id, 'step', {});
        const lost = (killed || cancelled) && stateLost && text === '1';
        if (lost && !killed) report.losses += 1;
        if (text !== String(counted + 1) && !lost)
          report.wrong.push(`${id}: counted to ${text} after ${counted}, lost: ${stateLost}`);
        counted = Number(text);
        killed = cancelled = false;
      } else if (chance < 0.7) {
        await Promise.all(
          [1, 2, 3].map((value) =>
            expectText(id, 'wait', { seconds: random() / 5, value }, String(value)),
          ),
        );
      } else if (chance < 0.76) {
        await expectText(id, 'stream', { count: 5_000 }, '4999');
      } else if (chance < 0.82) {
        await expectText(id, 'work', { rounds: 100_000 }, '4999950000');
      } else if (chance < 0.9) {
        cancelled = true;
        await expectText(id, 'wait', { seconds: 60, value: 0 }, 'cancelled', random() * 300);
      } else if (chance < 0.95) {
        killed = true;
        await expectText(id, 'spin', {}, 'cancelled', 50 + random() * 500);
      } else if (chance < 0.975) {
        killed = true;
        await expectText(id, 'late', {}, 'timeout');
      } else {
        killed = true;
        await expectText(id, 'crash', {}, 'crashed');
      }
      await new Promise((resolve) => setTimeout(resolve, random() * 200));
    }
    // The next soak starts from zero.
    open.close(id);
  }

  /**
   * Calls a tool, and compares the text of its result, or the code of its error.
   * @param {string} id
   * @param {string} tool
   * @param {object} args
   * @param {string} text
   * @param {number} [stopMs] after how many milliseconds the call is stopped; never if undefined
   */
  async function expectText(id, tool, args, text, stopMs) {
    const { text: said } = await ask(id, tool, args, stopMs);
    if (said !== text) report.wrong.push(`${id}: ${tool} gave ${said} instead of ${text}`);
  }

  /**
   * Calls a tool, and notes how the call ended.
   * @param {string} sessionId
   * @param {string} tool
   * @param {object} args
   * @param {number} [stopMs] as in `expectText`
   */
  async function ask(sessionId, tool, args, stopMs) {
    const stop = new AbortController();
    if (stopMs !== undefined) setTimeout(() => stop.abort(), stopMs);
    report.calls += 1;
    const from = performance.now();
    const result = await calls.call(stop.signal, {
      id: crypto.randomUUID(),
      tool: `soak:${tool}`,
      arguments: JSON.stringify(args),
      caller: 'page',
      sessionId,
      sessionKey: '',
      turnId: '',
      agentId: '',
      validate: true,
    });
    if (stopMs === undefined)
      report.longestMs = Math.max(report.longestMs, performance.now() - from);
    const ending = result.error ?? 'success';
    report.endings[ending] = (report.endings[ending] ?? 0) + 1;
    return { text: result.error ?? result.textResultForLlm, stateLost: result.stateLost };
  }

  /** The same numbers for the same seed. @param {number} from @returns {() => number} */
  function numbers(from) {
    let state = from >>> 0;
    return () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
  }
}
