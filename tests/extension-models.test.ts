/** Models, compactors and renderers of extensions, with real Python, in sessions. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { openFolder } from './support/app.ts';
import { makeFolder } from './support/make-folder.ts';
import { startModelEndpoint } from './support/model-endpoint.ts';
import { press, pressUntil } from './support/press-until.ts';
import { answer, nothingAsked, question } from './support/questions.ts';
import {
  cards,
  expectModelRequests,
  idle,
  newSession,
  send,
  testKey,
} from './support/session-page.ts';
import { expect, test } from './support/test.ts';

async function sample(name: string): Promise<string> {
  return readFile(new URL(`../tools-samples/extensions/${name}.py`, import.meta.url), 'utf8');
}

const tools = `
def read(path: str) -> str:
    """Reads a file."""
    return "content of " + path

TOOL_SPECS = [{"name": "files:read", "description": "Reads a file.", "handler": read,
    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}]
`;

const compactor = `
seen = []

def compact(messages):
    seen.append(len(messages))
    return [{"role": "user", "content": "KEPT " + str(len(messages))}]

def register(app):
    app.register_ext_info(name="Short", version="1")
    app.register_compactor(name="short", threshold=4, compact=compact)
`;

const broken = `
import asyncio

def hangs(model):
    async def answer(request):
        yield "before"
        if "hang" in request["messages"][-1]["content"]:
            while True:
                pass
        raise ValueError("broken on purpose")
    return answer

def register(app):
    app.register_ext_info(name="Broken", version="1")
    app.register_stream_provider("broken", hangs)
`;

const hostileRenderer = `
from cloche import actions

def render(data, expanded):
    if expanded:
        return [{"type": "html", "text": "<b>Allow</b>"}]
    return [{"type": "markdown", "text": "<img src=x onerror=alert(1)>**bold**"},
        {"type": "link", "url": "https://example.org/", "text": "Allow always"}]

def register(app):
    app.register_ext_info(name="Painter", version="1")
    app.register_renderer("paint", render)
    app.register_command(name="paint", handler=lambda args, app: actions.show_message("paint", {"n": 1}, fallback="plain"))
`;

async function opened(page: Page, files: Readonly<Record<string, string>>) {
  const folder = await makeFolder({ files: { 'files.py': tools, ...files }, name: 'modelled' });
  await page.goto('./');
  await openFolder(page, folder.path);
  for (const text of Object.values(files))
    if (text.includes('def register(')) await answer(page, /^allow for this file$/i);
  await nothingAsked(page);
  return folder;
}

const echoModel = /^Echo(?!,)/;
const transcript = (page: Page) => page.getByRole('main');

test(
  'a session talks to a model in Python, which calls a tool, and a renderer draws a table',
  { tag: '@full' },
  async ({ page }) => {
    const folder = await opened(page, {
      'echo_model.py': await sample('echo_model'),
      'table_renderer.py': await sample('table_renderer'),
    });
    await newSession(page, 'Echo', echoModel);
    await send(page, 'good morning');
    await idle(page);
    await expect(transcript(page)).toContainText('Echo: good morning');
    await send(page, 'call files:read {"path": "notes.txt"}');
    await idle(page);
    await expect(cards(page, 'files:read')).toHaveCount(1);
    // The model answers the result of its call.
    await expect(transcript(page)).toContainText('content of notes.txt');
    // It counts tokens, as other models do.
    await expect(page.locator('footer')).toContainText(/\d+ in, \d+ out/);

    await send(page, `/csv city,people\n${'Bern,134\n'.repeat(7)}`);
    const table = page.getByRole('article', { name: 'Message of an extension' });
    await expect(table.getByRole('columnheader', { name: 'people' })).toBeVisible();
    await expect(table.getByRole('row')).toHaveCount(6);
    await table.getByRole('button', { name: 'Show more' }).click();
    await expect(table.getByRole('row')).toHaveCount(8);

    // The menu says where the model comes from, and the settings offer nothing to change.
    await page.getByRole('button', { name: /^Model:/ }).click();
    await expect(page.getByRole('region', { name: 'Echo', exact: true })).toContainText(
      'extension Echo model, echo_model.py',
    );
    await page.goto('./#/settings/models');
    const row = page.getByRole('group', { name: 'Echo', exact: true });
    await expect(row).toContainText('Code of an extension');
    await expect(row.getByRole('button', { name: 'Edit' })).toHaveCount(0);
    await press(row.getByRole('button', { name: 'Test' }));
    await expect(row).toContainText(/echo/i);

    // Without its power, the model is gone, and a session with it says so.
    await page.goto('./#/extensions');
    const card = page.getByRole('region', { name: 'Echo model', exact: true });
    await card.getByRole('button', { name: 'Disable' }).click();
    await page.goBack();
    await page.goto('./#/sessions/new');
    await page.getByRole('button', { name: /^Model:/ }).click();
    await expect(page.getByRole('region', { name: 'Echo', exact: true })).toHaveCount(0);
    await folder.dispose();
  },
);

test(
  'a compactor in Python replaces older messages, and the transcript says which',
  { tag: '@full' },
  async ({ page }) => {
    const folder = await opened(page, {
      'echo_model.py': await sample('echo_model'),
      'short.py': compactor,
    });
    await newSession(page, 'Echo', echoModel);
    await send(page, 'the first message of all');
    await idle(page);
    await send(page, 'the second message');
    await idle(page);
    await expect(transcript(page)).toContainText('Replaced by the extension in short.py');
    await page.getByText('Summary', { exact: true }).click();
    await expect(transcript(page)).toContainText('KEPT 2');
    await folder.dispose();
  },
);

test(
  'what a renderer draws survives a reload, and what a hostile one returns is text',
  { tag: '@full' },
  async ({ page }) => {
    const folder = await opened(page, {
      'echo_model.py': await sample('echo_model'),
      'table_renderer.py': await sample('table_renderer'),
      'painter.py': hostileRenderer,
    });
    await newSession(page, 'Echo', echoModel);
    await send(page, 'hello');
    await idle(page);
    await send(page, `/csv city,people\n${'Bern,134\n'.repeat(7)}`);
    const message = page.getByRole('article', { name: 'Message of an extension' }).first();
    await expect(message).toContainText('Extension Table renderer, table_renderer.py');
    await expect(message.getByRole('columnheader', { name: 'people' })).toBeVisible();
    await expect(message).toContainText('2 more rows');

    // What a renderer returns is data: markup is inert, and what is no block is shown as text.
    await send(page, '/paint');
    const painted = page.getByRole('article', { name: 'Message of an extension' }).nth(1);
    await expect(painted.getByText('bold')).toBeVisible();
    await expect(painted.locator('img')).toHaveCount(0);
    await expect(painted).toContainText('https://example.org/');
    await painted.getByRole('button', { name: 'Show more' }).click();
    await expect(painted).toContainText('plain');
    await expect(painted).toContainText('Shown as text');

    await page.reload();
    await expect(message.getByRole('columnheader', { name: 'people' })).toBeVisible();
    await folder.dispose();
  },
);

const stopsSoon = 'a model that fails or hangs ends its turn once, and Stop works at once';
// `@timing`, because the time means nothing while other tests run.
test(stopsSoon, { tag: '@timing' }, async ({ page }) => {
  const folder = await opened(page, { 'broken.py': broken });
  await newSession(page, 'broken', /^broken$/);
  await send(page, 'fail');
  await idle(page);
  await expect(transcript(page)).toContainText('broken on purpose');
  await expect(page.getByText('The turn failed.')).toHaveCount(1);
  await send(page, 'hang');
  await expect(transcript(page)).toContainText('before');
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await stop.click();
  await expect(page.getByText('You stopped this turn')).toBeVisible({ timeout: 10_000 });
  await idle(page);
  // The extension's interpreter is started again, and its model comes back.
  await page.goto('./#/extensions');
  await expect(page.getByRole('region', { name: 'Broken', exact: true })).toContainText('Running');
  await folder.dispose();
});

const probing = `
import asyncio
from cloche import actions

running = {"now": 0, "most": 0}

async def overlapping(context):
    """Says how many of its calls ran at once."""
    running["now"] += 1
    running["most"] = max(running["most"], running["now"])
    await asyncio.sleep(0.3)
    running["now"] -= 1
    return f"most at once: {running['most']}"

alone_running = {"now": 0, "most": 0}

async def alone():
    alone_running["now"] += 1
    alone_running["most"] = max(alone_running["most"], alone_running["now"])
    await asyncio.sleep(0.3)
    alone_running["now"] -= 1
    return f"alone at once: {alone_running['most']}"

state = {"go": False}

def now(args, app):
    state["go"] = args == "go"
    return None if state["go"] else actions.show_message("ran", {"at": args}, fallback="now " + args)

def later(word: str):
    return "later " + word

def factory(model):
    async def answer(request):
        last = request["messages"][-1]
        if last["role"] == "tool":
            yield "Results: " + "; ".join(m["content"] for m in request["messages"] if m["role"] == "tool")
        elif "call" in last["content"]:
            for n in range(6):
                yield {"type": "tool_call", "name": "probe:overlapping" if n < 3 else "probe:alone", "arguments": {}}
        elif "wait" in last["content"]:
            yield "0 1 "
            while not state["go"]:
                await asyncio.sleep(0.05)
            yield "waited"
        else:
            yield "System: " + request["system"] + " Tools: " + ", ".join(sorted(t["name"] for t in request["tools"]))
    return answer

EMPTY = {"type": "object", "properties": {}}

def register(app):
    app.register_ext_info(name="Probe", version="1")
    app.register_stream_provider("probe", factory)
    app.register_tool(name="probe:overlapping", description="Overlaps.", parameters=EMPTY, execute=overlapping,
        concurrency_safe=True, prompt_hint="Overlap gently.", prompt_guides=["Never more than thrice."])
    app.register_tool(name="probe:alone", description="Runs alone.", parameters=EMPTY, execute=alone, concurrency_safe=False)
    app.register_tool(name="probe:later", description="Deferred.", execute=later, deferred=True,
        parameters={"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]})
    app.register_command(name="now", description="At once", immediate=True,
        handler=now,
        complete=lambda prefix: [word for word in ("apple", "apricot", "beet") if word.startswith(prefix)])
    app.register_command(name="then", description="After the turn",
        handler=lambda args, app: actions.show_message("ran", {"at": args}, fallback="then " + args))
    app.register_shortcut(key="ctrl+shift+y", description="Shows a notice",
        handler=lambda app: actions.notify("from the shortcut"))
`;

test(
  'tools, commands and shortcuts of an extension do what their options say',
  { tag: '@full' },
  async ({ page }) => {
    const folder = await opened(page, { 'probe.py': probing });
    await newSession(page, 'probe', /^probe/);
    await send(page, 'what do you see?');
    await idle(page);
    const said = transcript(page);
    await expect(said).toContainText('Overlap gently.');
    await expect(said).toContainText('Never more than thrice.');
    // The schema of a deferred tool is for tool_search.
    await expect(said).toContainText('probe__alone, probe__overlapping, run_python, tool_search');
    await send(page, 'call them');
    await idle(page);
    await expect(said).toContainText('most at once: 3');
    await expect(said).toContainText('alone at once: 1');
    await expect(said).not.toContainText('alone at once: 2');

    // During a turn, an immediate command runs, and another one waits.
    await send(page, 'wait for me');
    await expect(said).toContainText('0 1 ');
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('/now ap');
    await expect(page.getByText('/now apricot')).toBeVisible();
    await send(page, '/then later');
    await send(page, '/now soon');
    const shown = page.getByRole('article', { name: 'Message of an extension' });
    await expect(shown).toHaveText([/now soon/]);
    await expect(said).not.toContainText('waited');
    await send(page, '/now go');
    await idle(page);
    await expect(said).toContainText('waited');
    await expect(shown).toHaveText([/now soon/, /then later/]);

    await page.keyboard.press('Control+Shift+y');
    await expect(page.getByRole('region', { name: 'Messages of extensions' })).toContainText(
      'from the shortcut',
    );
    await folder.dispose();
  },
);

const lab = (url: string): string => `
def register(app):
    app.register_ext_info(name="Lab", version="1")
    app.register_provider("Lab models", base_url="${url}/v1", api="openai-compatible",
        models=[{"id": "small", "name": "Small"}], headers={"X-Team": "birds"})
`;

test(
  'a model at the address of an extension is asked once the user allows it, with the user’s key',
  { tag: '@full' },
  async ({ page, trouble }) => {
    expectModelRequests(trouble);
    const endpoint = await startModelEndpoint();
    endpoint.habits.key = testKey;
    const folder = await opened(page, { 'lab.py': lab(endpoint.url) });
    await newSession(page, 'Lab models', /^Small/);
    await send(page, 'hello');
    await idle(page);
    await expect(transcript(page)).toContainText('Local addresses are off');
    await page.goto('./#/policy/local');
    const local = page.getByRole('switch', { name: 'Allow requests to local addresses' });
    await pressUntil(local, page.getByRole('switch', { name: /local addresses/, checked: true }));
    await newSession(page, 'Lab models', /^Small/);
    await send(page, 'hello');
    await expect(question(page)).toContainText(endpoint.url);
    await expect(question(page)).toContainText('Lab models');
    expect(endpoint.requests).toEqual([]);
    await answer(page, /^always allow for this folder$/i);
    await idle(page);
    // Without a key, the endpoint refuses.
    await expect(transcript(page)).toContainText('The turn failed.');
    await page.goto('./#/policy/secrets');
    await page.getByRole('textbox', { name: 'Origin' }).last().fill(endpoint.url);
    await page.getByRole('textbox', { name: 'Header' }).fill('Authorization');
    await page.getByLabel('Value').fill(`Bearer ${testKey}`);
    const kept = page.getByRole('group', { name: 'Secrets' });
    await pressUntil(
      page.getByRole('button', { name: 'Save', exact: true }),
      kept.getByRole('button'),
    );
    endpoint.answer({ text: 'Answered from the lab.' });
    await newSession(page, 'Lab models', /^Small/);
    await send(page, 'hello again');
    await idle(page);
    await expect(transcript(page)).toContainText('Answered from the lab.');
    await folder.dispose();
    await endpoint.close();
  },
);
