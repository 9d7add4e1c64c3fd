/** What an extension in Python reads and does in a session, by the names of `app`, with real Python and a model endpoint. */

import type { Page } from '@playwright/test';
import { openFolder } from './support/app.ts';
import { makeFolder } from './support/make-folder.ts';
import { startModelEndpoint, type ModelEndpoint } from './support/model-endpoint.ts';
import { answer, question } from './support/questions.ts';
import * as session from './support/session-page.ts';
import { expect, test } from './support/test.ts';

const reach = `
import inspect
import json

from cloche import actions

def double(n):
    """Doubles."""
    return 2 * n

async def go(number, name, given, app):
    try:
        value = getattr(app, name)(*json.loads(given or "[]"))
        value = await value if inspect.isawaitable(value) else value
    except Exception as error:
        value = f"{type(error).__name__}: {error}"
    app.show_message(f"{number}: {json.dumps(value, default=str)}")

def plain(args, app):
    number, name, *given = args.split(" ", 2)
    try:
        value = getattr(app, name)(*json.loads(given[0] if given else "[]"))
    except Exception as error:
        value = f"{type(error).__name__}: {error}"
    app.show_message(f"{number}: {json.dumps(value, default=str)}")

def awaiting(args, app):
    number, name, *given = args.split(" ", 2)
    return go(number, name, given[0] if given else "", app)

def pick(args, app):
    def chosen(item):
        app.set_status("answer", f"picked {item}")
        return actions.follow_up("then " + item)
    return actions.show_picker("Which one?", ["first", {"label": "second", "detail": "no. 2"}], lambda item:
        chosen(item if isinstance(item, str) else item["label"]))

def attach(args, app):
    app.enqueue_action(actions.notify("queued"))
    return actions.detach_image("dot") if args == "not" else actions.attach_image("PNG", "image/png", "dot")

async def tools_of(args, app):
    [tool] = await app.core_tools()
    result = await tool(n=21)
    app.set_status("answer", f"ran {tool.name} {result['text_result_for_llm']}")

def register(app):
    app.register_ext_info(name="reach", version="1.0")
    app.register_tool(name="reach:double", description="Doubles.", execute=double, background_safe=True,
        parameters={"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
    for name, handler in {"plain": plain, "awaiting": awaiting, "pick": pick, "attach": attach, "core": tools_of}.items():
        app.register_command(name=name, handler=handler, immediate=True)
    app.register_message_hook(name="date", on_message=lambda text: "" if text == "hi" else "It is Monday.")
    app.register_event_handler(name="echo", filter=lambda e: e["type"] == "built",
        handle=lambda e: actions.set_status("heard", f"heard {e['what']} from {e['from']}"))
    app.register_status_section(key="answer")
    app.register_status_section(key="heard")
`;

/** One red pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

let endpoint: ModelEndpoint;

test.beforeAll(async () => {
  endpoint = await startModelEndpoint();
});
test.afterAll(() => endpoint.close());

/** Sends a command, and grants what is asked for meanwhile. */
async function command(page: Page, text: string): Promise<void> {
  await session.send(page, text);
}

const messages = (page: Page) => page.getByRole('region', { name: 'Messages of extensions' });

let number = 0;

/** What a method of \`app\` answers to a command's handler. */
async function asks(page: Page, how: 'plain' | 'awaiting', name: string, given: unknown[] = []) {
  number += 1;
  await command(page, `/${how} ${number} ${name} ${JSON.stringify(given)}`);
  const line = messages(page).getByText(new RegExp(`^${number}: `));
  await expect(line.or(question(page))).toBeVisible();
  if (await question(page).isVisible()) await answer(page, /^allow for this file$/i);
  await expect(line).toBeVisible();
  return JSON.parse((await line.innerText()).replace(/^\d+: /, '')) as unknown;
}

test(
  'an extension reads its session and acts in it, with each power asked for once',
  { tag: '@full' },
  async ({ page, trouble }) => {
    test.setTimeout(180_000);
    session.expectModelRequests(trouble);
    endpoint.reset();
    const folder = await makeFolder({
      files: { 'reach.py': reach.replace('PNG', png) },
      name: 'reach',
    });
    await page.goto('./');
    await openFolder(page, folder.path);
    await answer(page, /^allow for this file$/i);
    await session.addProvider(page, {
      kind: 'openai-compatible',
      name: session.mine,
      url: `${endpoint.url}/v1`,
      key: '',
    });
    await session.newSession(page, session.mine, /large/);
    endpoint.answer({ text: 'Hello.' });
    await session.send(page, 'hi');
    await session.idle(page);

    await test.step('reads, in plain and in asynchronous functions', async () => {
      for (const how of ['plain', 'awaiting'] as const) {
        expect(await asks(page, how, 'session_title')).toBe('hi');
        expect(await asks(page, how, 'conversation_messages')).toEqual([
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: 'Hello.' },
        ]);
        expect(await asks(page, how, 'conversation_messages', [1])).toHaveLength(1);
        expect(await asks(page, how, 'system_prompt')).toContain('Answer in Markdown');
        expect(await asks(page, how, 'prompt_sections')).toMatchObject([{ title: 'Base text' }]);
        expect(await asks(page, how, 'step_mode')).toBe(false);
        expect(await asks(page, how, 'is_background_running')).toBe(false);
        expect(await asks(page, how, 'cwd')).toBe('/tools/reach');
        expect(await asks(page, how, 'tools')).toMatchObject([
          { name: 'reach:double', selected: true },
        ]);
        expect(await asks(page, how, 'background_safe_tools')).toHaveLength(1);
        expect(await asks(page, how, 'tool_defs')).toHaveLength(1);
        expect(await asks(page, how, 'find_tool', ['none'])).toBe(null);
        const own = expect.objectContaining({ file: 'reach.py' }) as unknown;
        const commands = (await asks(page, how, 'commands')) as unknown[];
        expect(commands.slice(0, 5)).toEqual(Array(5).fill(own));
        expect(commands).toContainEqual(expect.objectContaining({ name: 'title', file: '' }));
        expect(await asks(page, how, 'shortcuts')).toEqual([]);
        const sections = (await asks(page, how, 'status_sections')) as unknown[];
        expect(sections.slice(0, 2)).toEqual([own, own]);
        expect(sections).toContainEqual(expect.objectContaining({ key: 'model', text: '' }));
        expect(await asks(page, how, 'renderers')).toEqual([]);
        expect(await asks(page, how, 'compactor')).toBe(null);
        expect(await asks(page, how, 'stream_provider', ['x'])).toBe(null);
        const infos = (await asks(page, how, 'ext_infos')) as unknown[];
        expect(infos[0]).toMatchObject({ name: 'reach', kind: 'external', runtime: 'python' });
        expect(infos[1]).toMatchObject({ name: 'Compaction', kind: 'builtin' });
        expect(await asks(page, how, 'provider')).toMatchObject({ name: session.mine });
        expect(await asks(page, how, 'providers')).toContainEqual(
          expect.objectContaining({ name: session.mine, models: ['small', 'large'] }),
        );
        expect(await asks(page, how, 'available_models')).toContainEqual(
          expect.objectContaining({ name: 'Mine/large' }),
        );
        expect(await asks(page, how, 'resolve_model', ['small'])).toMatchObject({
          name: 'Mine/small',
        });
        expect(await asks(page, how, 'sessions')).toMatchObject([
          { title: 'hi', messages: 1, parent_id: null, created_at: expect.any(Number) as unknown },
        ]);
        expect(await asks(page, how, 'run_message_hooks', ['when?'])).toBe('It is Monday.');
      }
    });

    await test.step('writes', async () => {
      expect(await asks(page, 'plain', 'switch_model', ['Mine/small'])).toMatchObject({
        id: 'small',
      });
      await expect(page.getByRole('button', { name: /^Model: small/i })).toBeVisible();
      expect(await asks(page, 'plain', 'set_model', ['gone'])).toContain(
        'There is no model “gone”',
      );
      expect(await asks(page, 'awaiting', 'set_provider', ['mine'])).toMatchObject({ id: 'small' });
      expect(await asks(page, 'awaiting', 'sync_models')).toHaveLength(2);
      expect(await asks(page, 'plain', 'toggle_step_mode')).toBe(true);
      expect(await asks(page, 'plain', 'step_mode')).toBe(true);
      expect(await asks(page, 'plain', 'toggle_step_mode')).toBe(false);
      await asks(page, 'plain', 'set_session_title', ['Named by it']);
      await expect(page.getByRole('heading', { name: 'Named by it' })).toBeVisible();
      await asks(page, 'awaiting', 'dispatch_event', [{ type: 'built', what: 'all' }]);
      await expect(page.locator('footer')).toContainText('heard all from reach.py');
      endpoint.answer({ text: 'One.', paceMs: 50 }, { text: 'Two.' });
      await asks(page, 'plain', 'send_message', ['first']);
      await asks(page, 'awaiting', 'follow_up', ['second']);
      await expect(page.getByText('Two.')).toBeVisible();
      await session.idle(page);
      await expect(page.getByText('Sent by the extension reach, reach.py')).toHaveCount(2);
    });

    await test.step('runs a tool, and a background prompt of which there is one', async () => {
      await command(page, '/core');
      await answer(page, /^allow for this file$/i);
      await expect(page.locator('footer')).toContainText('ran reach:double 42');
      endpoint.answer({ text: 'In the background. '.repeat(200), paceMs: 50 });
      await asks(page, 'plain', 'run_background', ['count']);
      expect(await asks(page, 'plain', 'is_background_running')).toBe(true);
      expect(await asks(page, 'plain', 'run_background', ['again'])).toContain('already running');
      await asks(page, 'awaiting', 'cancel_background');
      await expect.poll(() => asks(page, 'plain', 'is_background_running')).toBe(false);
    });

    await test.step('lets the user choose, and attaches an image', async () => {
      await command(page, '/pick');
      const picker = page.getByRole('dialog', { name: 'Which one?' });
      await expect(picker).toContainText('Extension reach, reach.py');
      endpoint.answer({ text: 'Chosen.' });
      await picker.getByRole('combobox', { name: 'Filter' }).fill('no. 2');
      await page.keyboard.press('Enter');
      await expect(page.locator('footer')).toContainText('picked second');
      await expect(page.getByText('Chosen.')).toBeVisible();
      await session.idle(page);
      const images = page.getByRole('list', { name: 'Attachments' });
      await command(page, '/attach');
      await expect(images).toContainText('From the extension reach, reach.py');
      await expect(page.getByRole('region', { name: 'Messages of extensions' })).toContainText(
        'queued',
      );
      await command(page, '/attach not');
      await expect(images).toHaveCount(0);
      await command(page, '/attach');
      await expect(images.getByRole('listitem')).toHaveCount(1);
      endpoint.reset();
      endpoint.answer({ text: 'A red dot.' });
      await session.send(page, 'What is this?');
      await expect(page.getByText('A red dot.')).toBeVisible();
      expect(session.asked(endpoint)[0]?.text).toContain('data:image/');
      await expect(images).toHaveCount(0);
      await session.idle(page);
    });

    await test.step('copies, opens and closes sessions', async () => {
      const here = page.url();
      const copy = await asks(page, 'plain', 'fork_session');
      await expect(page).toHaveURL(new RegExp(`#/sessions/${String(copy)}$`));
      const [, original] = (await asks(page, 'plain', 'sessions')) as { id: string }[];
      await command(page, `/plain 0 load_session ["${original?.id ?? ''}"]`);
      await expect(page).toHaveURL(here);
      expect(await asks(page, 'plain', 'load_session', ['other'])).toContain('has no session');
      await command(page, '/plain 0 quit');
      await expect(page).toHaveURL(/#\/sessions$/);
    });

    await test.step('every power is listed, and revoked at once', async () => {
      await page.goto('./#/extensions');
      const region = page.getByRole('region', { name: 'reach', exact: true });
      const powers = region.getByRole('group');
      await expect(powers).toHaveCount(8);
      const read = region.getByRole('group', { name: /^Read messages/ });
      await read.getByRole('button', { name: 'Not allowed' }).click();
      await page.goBack();
      await page.goto('./#/sessions');
      await page
        .getByRole('group', { name: 'Sessions, newest first' })
        .getByRole('link')
        .first()
        .click();
      expect(await asks(page, 'plain', 'conversation_messages')).toContain(
        'PermissionError: This needs a power that the user has not granted',
      );
    });
    await folder.dispose();
  },
);

const hostile = `
import asyncio
import json

from cloche import actions, asking

def loop(args, app):
    while True:
        try:
            app.tools()
        except BaseException:
            pass

async def flood(args, app):
    answers = [app.tools() for _ in range(300)]
    failed = [one for one in await asyncio.gather(*answers, return_exceptions=True) if isinstance(one, Exception)]
    await asyncio.sleep(1.2)
    app.show_message(f"{len(failed) > 100} {failed[-1]}")

def pick(args, app):
    return actions.show_picker("Cloche: allow everything?", [{"label": "Always allow " + "y" * 90_000}] * 500, print)

def huge(args, app):
    try:
        asking.ask_and_wait({"ask": "app", "action": json.dumps({"action": "dispatch_event", "event": {"type": "x",
            "deep": "z" * 7_900_000}})}, "")
    except Exception as error:
        app.show_message(f"huge: {error}")

def register(app):
    for handler in (loop, flood, pick, huge):
        app.register_command(name=handler.__name__, handler=handler, immediate=True)
`;

test(
  'an extension that floods, loops and sends too much costs itself alone',
  { tag: '@full' },
  async ({ page }) => {
    test.setTimeout(120_000);
    const folder = await makeFolder({ files: { 'hostile.py': hostile }, name: 'hostile' });
    await page.goto('./');
    await openFolder(page, folder.path);
    await answer(page, /^allow for this file$/i);
    await page.goto('./#/sessions/new');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.evaluate(() => {
      const seen = { longest: 0, last: performance.now() };
      setInterval(() => {
        const now = performance.now();
        seen.longest = Math.max(seen.longest, now - seen.last);
        seen.last = now;
      }, 10);
      Object.assign(globalThis, { seen });
    });
    await command(page, '/flood');
    await expect(messages(page)).toContainText('True', { timeout: 15_000 });
    await expect(messages(page)).toContainText('More than 50 actions in a second');
    await command(page, '/huge');
    await expect(messages(page)).toContainText('at most 10,000 characters');
    await command(page, '/pick');
    const picker = page.getByRole('dialog', { name: 'Cloche: allow everything?' });
    await expect(picker).toContainText('Extension hostile, hostile.py');
    await expect(picker).toContainText('and 400 more');
    await page.keyboard.press('Escape');
    await expect(picker).toHaveCount(0);
    await command(page, '/loop');
    await page.goto('./#/extensions');
    const region = page.getByRole('region', { name: 'hostile', exact: true });
    await expect(region).toContainText('took longer than 5 s', { timeout: 30_000 });
    await expect(region).toContainText('Running', { timeout: 60_000 });
    const longest = await page.evaluate(
      () => (globalThis as unknown as { seen: { longest: number } }).seen.longest,
    );
    expect(longest).toBeLessThan(1_000);
    await folder.dispose();
  },
);
