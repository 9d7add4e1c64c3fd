/** Guards of sessions, and of what is stored of sessions and calls. */

/** @type {readonly import('./types.ts').Mutant[]} */
export const sessionMutants = [
  {
    name: 'the number of entries in a file',
    file: 'src/agent/session/file/session-file.ts',
    find: 'if (items.push(item) > maxEvents)',
    replace: 'if (items.push(item) < 0)',
    tests: { unit: ['src/agent/session/file/session-file.test.ts'] },
  },
  {
    name: 'the number of values in an entry of a file',
    file: 'src/agent/session/file/session-file.ts',
    find: 'if (values > maxEventValues)',
    replace: 'if (values < 0)',
    tests: { unit: ['src/agent/session/file/session-file.test.ts'] },
  },
  {
    name: 'the number of values in a recording',
    file: 'src/agent/session/recording/recording.ts',
    find: 'if (reader.values > maxValues)',
    replace: 'if (false)',
    tests: { unit: ['src/agent/session/recording/recording.test.ts'] },
  },
  {
    name: 'approvals do not come with a file',
    file: 'src/agent/session/file/session-file.ts',
    find: "event.approval === 'session' || event.approval === 'always'",
    replace: 'false',
    tests: {
      unit: ['src/agent/session/file/session-file.test.ts', 'src/agent/session/sessions.test.ts'],
    },
  },
  {
    name: 'names of tools in a file are ours',
    file: 'src/agent/session/file/session-file.ts',
    find: 'if ((await wireName(id)) === wire)',
    replace: 'if (true)',
    tests: {
      unit: ['src/agent/session/file/session-file.test.ts', 'src/agent/session/sessions.test.ts'],
    },
  },
  {
    name: 'recordings call only tools that their preview names',
    file: 'src/agent/turn/answer-parts.ts',
    find: 'if (model.provider !== replayProvider)',
    replace: 'if (true)',
    tests: { unit: ['src/app/playing.test.ts'] },
  },
  {
    name: 'what providers alone can read stays here',
    file: 'src/agent/session/file/session-file.ts',
    find: 'event.parts.map(withoutOpaque)',
    replace: 'event.parts',
    tests: { unit: ['src/agent/session/file/session-file.test.ts'] },
  },
  {
    name: 'ids of folders stay here',
    file: 'src/agent/session/file/session-file.ts',
    find: 'JSON.stringify(withoutFolderId(exported))',
    replace: 'JSON.stringify(exported)',
    tests: { unit: ['src/agent/session/file/session-file.test.ts'] },
  },
  {
    name: 'ids of providers stay here',
    file: 'src/agent/session/file/session-file.ts',
    find: 'withProviders(event, (id) => names.nameOf(id))',
    replace: 'event',
    tests: { unit: ['src/agent/session/file/session-file.test.ts'] },
  },
  {
    name: "the folder of a file is none of this browser's",
    file: 'src/agent/session/file/session-file.ts',
    find: "folder: fitFolder(event.folder), folderId: ''",
    replace: 'folder: fitFolder(event.folder)',
    tests: {
      unit: ['src/agent/session/file/session-file.test.ts', 'src/agent/session/sessions.test.ts'],
    },
  },
  {
    name: 'the entries of a file are checked',
    file: 'src/agent/session/log/event-format.ts',
    find: 'if (!sessionEvent(value)) return {',
    replace: 'if (false) return {',
    tests: { unit: ['src/agent/session/log/event-format.test.ts'] },
  },
  {
    name: 'one page writes a session',
    file: 'src/runtime/async/take-lock.ts',
    find: 'steal ? { steal } : { ifAvailable: true }',
    replace: "steal ? { steal } : { mode: 'shared' }",
    tests: { unit: ['src/agent/storage/session-pages.test.ts'] },
  },
  {
    name: 'two pages do not write one entry',
    file: 'src/agent/storage/session-store.ts',
    find: 'writes.push(store.add(text, [session, n]))',
    replace: 'writes.push(store.put(text, [session, n]))',
    tests: {
      unit: ['src/agent/storage/session-store.test.ts', 'src/agent/storage/sessions.test.ts'],
    },
  },
  {
    name: 'a write that failed is tried once more',
    file: 'src/agent/session/log/event-writer.ts',
    find: `isWritten = await this.#deps.append(events);
      }
      if`,
    replace: `throw new Error('once');
      }
      if`,
    tests: { unit: ['src/agent/session/log/event-writer.test.ts'] },
  },
  {
    name: 'a store that failed is tried again later',
    file: 'src/agent/session/log/event-writer.ts',
    find: 'return from !== null && this.#deps.now() >= retryAt;',
    replace: 'return false;',
    tests: { unit: ['src/agent/session/log/event-writer.test.ts'] },
  },
  {
    name: 'what was allowed holds for the folder alone',
    file: 'src/agent/turn/selection.ts',
    find: 'isAllowed: (tool) => this.#isSurelyFolder && this.#isAllowed(tool)',
    replace: 'isAllowed: (tool) => this.#isAllowed(tool)',
    tests: { unit: ['src/agent/turn/conversation-more.test.ts'] },
  },
  {
    name: 'selected tools are those of the folder',
    file: 'src/agent/turn/selection.ts',
    find: 'isSelected: (tool) => this.hasFolder && names.has(tool)',
    replace: 'isSelected: (tool) => names.has(tool)',
    tests: { unit: ['src/agent/turn/conversation-faults.test.ts'] },
  },
  {
    name: 'the log is bounded',
    file: 'src/runtime/call/call-log.ts',
    find: 'if (this.#entries.size <= logCalls && this.#size <= logBytes) return;',
    replace: 'return;',
    tests: { unit: ['src/runtime/call/call-log.test.ts'] },
  },
  {
    name: 'calls in a row are written before the page goes',
    file: 'src/app/compose.ts',
    find: `    void log.flush();
`,
    replace: '',
    tests: {
      browser: {
        project: 'app',
        file: 'tests/lost-page.test.ts',
        title: 'calls that ended just before their page was reloaded are in the log',
      },
    },
  },
];
