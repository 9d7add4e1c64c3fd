"""Attacks on everything that the app's origin and the network hold; each returns its outcome."""

from __future__ import annotations

import asyncio

import js
from pyodide.ffi import create_proxy, to_js

WAIT = 1.0


def options(**values):
    return to_js(values, dict_converter=js.Object.fromEntries)


async def outcome(attempt):
    """Runs one attempt; its return value, or the exception's first line."""
    try:
        value = attempt()
        if hasattr(value, "then") or asyncio.iscoroutine(value):
            value = await asyncio.wait_for(value, WAIT)
        return f"got {value!s}"[:200]
    except TimeoutError:
        return "nothing happened"
    except BaseException as error:
        return f"{type(error).__name__}: {error!s}".splitlines()[0][:200]


async def all_of(attempts):
    return {name: await outcome(attempt) for name, attempt in attempts.items()}


async def storage(without: list[str] = ()):
    """Rows 1 and 2: databases, caches, files, locks, cookies."""

    async def opened_database():
        done = asyncio.get_running_loop().create_future()
        request = js.indexedDB.open("cloche:/")
        request.onsuccess = create_proxy(lambda _: done.done() or done.set_result("opened"))
        request.onerror = create_proxy(lambda _: done.done() or done.set_exception(OSError("refused")))
        return await done

    attempts = {
        "indexedDB.open": opened_database,
        "indexedDB.databases": lambda: js.indexedDB.databases(),
        "caches.open": lambda: js.caches.open("x"),
        "caches.keys": lambda: js.caches.keys(),
        "storage.getDirectory": lambda: js.navigator.storage.getDirectory(),
        "storage.estimate": lambda: js.navigator.storage.estimate(),
        "storage.persist": lambda: js.navigator.storage.persist(),
        "locks.query": lambda: js.navigator.locks.query(),
        "locks.request": lambda: js.navigator.locks.request(
            "cloche-api-host:/", options(ifAvailable=True), create_proxy(lambda _: "asked for")
        ),
        "storageBuckets": lambda: js.navigator.storageBuckets.open("x"),
        "cookieStore": lambda: js.cookieStore.getAll(),
        "localStorage": lambda: js.localStorage.getItem("x"),
        "sessionStorage": lambda: js.sessionStorage.getItem("x"),
        "serviceWorker": lambda: js.navigator.serviceWorker.getRegistrations(),
        "document": lambda: js.document.cookie,
        "parent": lambda: js.parent.location,
        "window": lambda: js.window.name,
    }
    return await all_of({name: attempt for name, attempt in attempts.items() if name not in without})


async def network(target: str, app: str):
    """Rows 3 to 7 and 9, from Python."""
    prototype = js.Object.getPrototypeOf(js.Object.getPrototypeOf(js.self))

    def original(address, **settings):
        return js.Reflect.apply(prototype.fetch, js.self, to_js([address, options(**settings)]))

    def blob_worker(script, **settings):
        parts = js.Blob.new(to_js([script]), options(type="text/javascript"))
        return js.Worker.new(js.URL.createObjectURL(parts), options(**settings))

    attempts = {
        "original fetch": lambda: original(f"{target}/original"),
        "app page": lambda: js.fetch(f"{app}?from-tool"),
        "app api": lambda: js.fetch(f"{app}api/tools?from-tool"),
        "original app page": lambda: original(f"{app}?from-tool"),
        "original app page no-cors": lambda: original(f"{app}?from-tool", mode="no-cors", credentials="include"),
        "original app api": lambda: original(f"{app}api/tools?from-tool"),
        "original app api with credentials": lambda: original(f"{app}api/tools?from-tool", credentials="include"),
        "relative": lambda: original("api/tools?from-tool"),
        "absolute path": lambda: original("/api/tools?from-tool"),
        "EventSource": lambda: js.EventSource.new(f"{target}/event-source"),
        "WebSocket": lambda: js.WebSocket.new(f"{target.replace('http', 'ws')}/websocket"),
        "WebSocketStream": lambda: js.WebSocketStream.new(f"{target.replace('http', 'ws')}/websocket-stream").opened,
        "WebTransport": lambda: js.WebTransport.new(f"{target.replace('http', 'https')}/webtransport").ready,
        "sendBeacon": lambda: js.navigator.sendBeacon(f"{target}/beacon", "x"),
        "importScripts": lambda: js.importScripts(f"{target}/import-scripts"),
        "importScripts of the prototype": lambda: js.Reflect.apply(
            prototype.importScripts, js.self, to_js([f"{target}/import-scripts-prototype"])
        ),
        "FontFace": lambda: js.FontFace.new("x", f"url({target}/font)").load(),
        "Worker": lambda: blob_worker(f'importScripts("{target}/worker")'),
        "module Worker": lambda: blob_worker(f'import "{target}/module-worker"', type="module"),
        "SharedWorker": lambda: js.SharedWorker.new(f"{target}/shared-worker"),
        "RTCPeerConnection": lambda: js.RTCPeerConnection.new(),
    }
    answers = await all_of(attempts)
    await asyncio.sleep(WAIT)
    return answers


async def libraries(target: str):
    """Row 4: requests of Python's libraries and `js.fetch`, each through the page."""

    def xhr():
        request = js.XMLHttpRequest.new()
        request.open("GET", f"{target}/xhr", False)
        request.send()
        return request.status

    def urllib_request():
        from urllib.request import urlopen

        return urlopen(f"{target}/urllib", timeout=1).read()

    def http_client():
        from http.client import HTTPConnection

        connection = HTTPConnection(target.removeprefix("http://"), timeout=1)
        connection.request("GET", "/http-client")
        return connection.getresponse().read()

    def raw_socket():
        import socket

        host, port = target.removeprefix("http://").split(":")
        connection = socket.create_connection((host, int(port)), timeout=1)
        connection.sendall(f"GET /socket HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        return connection.recv(10)

    async def pyfetch():
        from pyodide.http import pyfetch as fetch

        return (await fetch(f"{target}/pyfetch")).status

    def open_url():
        from pyodide.http import open_url as opened

        return opened(f"{target}/open-url").read()

    return await all_of({
        "fetch": lambda: js.fetch(f"{target}/fetch"),
        "fetch no-cors": lambda: js.fetch(f"{target}/no-cors", options(mode="no-cors")),
        "fetch keepalive": lambda: js.fetch(f"{target}/keepalive", options(keepalive=True, method="POST", body="x")),
        "xhr": xhr,
        "pyfetch": pyfetch,
        "open_url": open_url,
        "urllib": urllib_request,
        "http.client": http_client,
        "socket": raw_socket,
    })


NESTED = """
const target = TARGET, app = APP;
const got = {};
async function attempt(name, work) {
  try { got[name] = 'got ' + await Promise.race([work(), new Promise((_, no) => setTimeout(no, 1000, new Error('nothing')))]); }
  catch (error) { got[name] = String(error).slice(0, 150); }
}
(async () => {
  await attempt('fetch', async () => (await fetch(target + '/nested-fetch')).status);
  await attempt('no-cors', async () => (await fetch(target + '/nested-no-cors', {mode: 'no-cors'})).type);
  await attempt('app', async () => (await fetch(app + 'api/tools?from-tool')).status);
  await attempt('import', () => import(target + '/nested-import.js'));
  await attempt('import data', () => import('data:text/javascript,export default fetch("' + target + '/nested-data-import")').then(() => 'imported'));
  await attempt('importScripts', async () => importScripts(target + '/nested-import-scripts.js'));
  await attempt('importScripts data', async () => importScripts('data:text/javascript,fetch("' + target + '/nested-data-scripts")'));
  await attempt('xhr', async () => { const x = new XMLHttpRequest(); x.open('GET', target + '/nested-xhr', false); x.send(); return x.status });
  await attempt('xhr later', () => new Promise((yes, no) => { const x = new XMLHttpRequest(); x.onload = yes; x.onerror = () => no(new Error('refused')); x.open('GET', target + '/nested-xhr-later'); x.send() }));
  await attempt('websocket', () => new Promise((yes, no) => { const w = new WebSocket(target.replace('http', 'ws') + '/nested-ws'); w.onopen = yes; w.onerror = () => no(new Error('refused')) }));
  await attempt('eventsource', () => new Promise((yes, no) => { const w = new EventSource(target + '/nested-es'); w.onopen = yes; w.onerror = () => no(new Error('refused')) }));
  await attempt('font', () => new FontFace('x', 'url(' + target + '/nested-font)').load());
  await attempt('indexedDB', () => new Promise((yes, no) => { const r = indexedDB.open('cloche:/'); r.onsuccess = () => yes('opened'); r.onerror = () => no(r.error) }));
  await attempt('caches', () => caches.keys());
  await attempt('opfs', () => navigator.storage.getDirectory());
  await attempt('eval', async () => eval('1 + 1'));
  await attempt('Function', async () => new Function('return 1')());
  await attempt('string timer', () => new Promise((yes) => { self.ran = yes; setTimeout('self.ran("ran")', 0) }));
  await attempt('wasm', async () => (await WebAssembly.compileStreaming(fetch(target + '/nested-wasm'))));
  await attempt('worker', () => new Promise((yes, no) => { const s = 'importScripts("' + target + '/nested-worker.js")'; const w = new Worker(URL.createObjectURL(new Blob([s]))); w.onmessage = yes; w.onerror = () => no(new Error('refused')) }));
  new BroadcastChannel('cloche').postMessage('from the sandbox');
  postMessage(JSON.stringify(got));
})();
"""


async def nested(target: str, app: str, kind: str):
    """Row 8: the same in workers that the tool creates with JavaScript of its choice."""
    import json

    script = NESTED.replace("TARGET", json.dumps(target), 1).replace("APP", json.dumps(app), 1)
    if kind == "data":
        address = "data:text/javascript," + js.encodeURIComponent(script)
    else:
        address = js.URL.createObjectURL(js.Blob.new(to_js([script]), options(type="text/javascript")))
    done = asyncio.get_running_loop().create_future()

    def finish(text):
        if not done.done():
            done.set_result(text)

    try:
        worker = js.Worker.new(address)
    except BaseException as error:
        return {"worker": str(error).splitlines()[0]}
    worker.onmessage = create_proxy(lambda event: finish(event.data))
    worker.onerror = create_proxy(lambda event: finish('{"worker": "refused"}'))
    try:
        return json.loads(await asyncio.wait_for(done, 30))
    except TimeoutError:
        return {"worker": "silent"}


def makers_of_threads():
    """Rows 4, 8 and 22: everything within reach that creates a worker or loads a font, on any object."""
    found = []
    reached = js.self
    while reached:
        for name in js.Object.getOwnPropertyNames(reached):
            if name in ("Worker", "SharedWorker", "Worklet", "AudioWorkletNode", "ShadowRealm", "FontFace"):
                found.append(str(name))
        reached = js.Object.getPrototypeOf(reached)
    for name in ("Worker", "SharedWorker", "FontFace"):
        if getattr(js, name, None) or js.Reflect.has(js.globalThis, name):
            found.append(name)
    return found


async def evaluate():
    """Row 23: code from strings."""
    from pyodide.code import run_js

    def timer():
        js.setTimeout("self.__ran = true", 0)
        return asyncio.sleep(0.1)

    answers = await all_of({
        "js.eval": lambda: js.eval("1 + 1"),
        "run_js": lambda: run_js("1 + 1"),
        "Function": lambda: js.Function.new("return 1")(),
        "AsyncFunction": lambda: js.Reflect.construct(
            js.Object.getPrototypeOf(js.Reflect.get(js.Promise.prototype, "then")).constructor, to_js(["return 1"])
        )(),
        "string timer": timer,
    })
    answers["string timer"] = "ran" if getattr(js.self, "__ran", None) else "did not run"
    return answers


async def broadcast(names: list[str]):
    """Row 10: channels to the app and to other sandboxes."""
    heard = set()
    channels = [js.BroadcastChannel.new(name) for name in names]
    for channel in channels:
        channel.onmessage = create_proxy(lambda event: heard.add(f"{event.target.name}: {event.data}"))
    for _ in range(20):
        for channel in channels:
            channel.postMessage("from the sandbox")
        await asyncio.sleep(0.05)
    for channel in channels:
        channel.close()
    return sorted(heard)


def spec(handler, **properties):
    return {
        "name": f"escapes:{handler.__name__}",
        "description": handler.__doc__,
        "parameters": {"type": "object", "properties": properties},
        "handler": handler,
        "timeout_s": 120,
    }


TEXT = {"type": "string"}
TOOL_SPECS = [
    spec(storage, without={"type": "array", "items": TEXT}),
    spec(network, target=TEXT, app=TEXT),
    spec(libraries, target=TEXT),
    spec(makers_of_threads),
    spec(nested, target=TEXT, app=TEXT, kind=TEXT),
    spec(evaluate),
    spec(broadcast, names={"type": "array", "items": TEXT}),
]
