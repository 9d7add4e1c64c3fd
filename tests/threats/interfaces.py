"""Looks for interfaces of the browser that tools must not have: devices, storage, decoders, the graphics processor."""

from __future__ import annotations

import asyncio

import js
from pyodide.ffi import create_once_callable, create_proxy


async def devices():
    """Asks for everything that a page may ask the user for."""
    navigator = js.navigator
    attempts = {
        "notification": lambda: js.Notification.new("Allow?"),
        "usb": lambda: navigator.usb.getDevices(),
        "hid": lambda: navigator.hid.getDevices(),
        "serial": lambda: navigator.serial.getPorts(),
        "bluetooth": lambda: navigator.bluetooth.getDevices(),
        "clipboard": lambda: navigator.clipboard.readText(),
        "geolocation": lambda: navigator.geolocation.getCurrentPosition(create_proxy(lambda _: None)),
        "media": lambda: navigator.mediaDevices.enumerateDevices(),
        "credentials": lambda: navigator.credentials.get(),
        "wakeLock": lambda: navigator.wakeLock.request("screen"),
        "push": lambda: js.registration.pushManager.getSubscription(),
        "clients": lambda: js.clients.matchAll(),
        "opener": lambda: js.opener.location,
        "showOpenFilePicker": lambda: js.showOpenFilePicker(),
        "SharedWorker": lambda: js.SharedWorker.new("data:,"),
        "fetchLater": lambda: js.fetchLater("http://localhost:9/"),
        "openDatabase": lambda: js.openDatabase("x"),
        "LanguageModel": lambda: js.LanguageModel.create(),
        "model context": lambda: js.document.modelContext,
    }
    got = []
    for name, attempt in attempts.items():
        try:
            value = attempt()
            if hasattr(value, "then"):
                value = await asyncio.wait_for(value, 1)
            # Without the permission it shows nothing to anybody.
            if name != "notification" or js.Notification.permission == "granted":
                got.append(f"{name}: {value}")
        except BaseException:
            pass
    return got


WANTED = """AudioDecoder Bluetooth Cache CacheStorage FontFace GPU HID IDBFactory ImageDecoder Lock LockManager MediaSource
Notification OffscreenCanvas OffscreenCanvasRenderingContext2D Permissions RTCDataChannel Serial StorageManager USB VideoDecoder
WebGL2RenderingContext WebGLRenderingContext WebGPU WGSLLanguageFeatures caches createImageBitmap fonts indexedDB""".split()


def names_of(value):
    """All names of an object and of those that it inherits from."""
    names = set()
    while value:
        names |= {str(name) for name in js.Object.getOwnPropertyNames(value)}
        value = js.Object.getPrototypeOf(value)
    return names


def interfaces():
    """Looks for what reaches the graphics processor, devices, decoders or storage, also by way of an event and a blob."""
    names = names_of(js.self) | names_of(js.Object.getPrototypeOf(js.self).constructor)
    found = sorted(names & set(WANTED)) + [name for name in WANTED if getattr(js, name, None) is not None]
    found += [name for name in names if name.startswith(("webkit", "moz", "GPU", "WebGL", "RTC", "IDB", "FileSystem"))]
    canvas = None
    try:
        canvas = js.OffscreenCanvas.new(1, 1).getContext("webgl")
    except AttributeError:
        pass
    inherited = names_of(js.navigator) - names_of(js.Object.prototype)
    # The control: what is kept is found.
    kept = [name for name in ("Blob", "URL", "crypto", "fetch") if name in names]
    return {"found": found, "canvas": str(canvas), "navigator": sorted(inherited), "kept": kept}


async def file_system():
    """Asks for a file system of its own, of the old kind."""
    answered = asyncio.get_running_loop().create_future()
    tell = create_once_callable(lambda found: answered.done() or answered.set_result(str(found)))
    fail = create_once_callable(lambda error: answered.done() or answered.set_result("refused"))
    try:
        js.webkitRequestFileSystem(0, 1, tell, fail)
    except BaseException:
        return "refused"
    return await answered


def spec(handler, timeout=4):
    return {
        "name": f"interfaces:{handler.__name__}",
        "description": handler.__doc__,
        "parameters": {"type": "object", "properties": {}},
        "handler": handler,
        "timeout_s": timeout,
    }


TOOL_SPECS = [spec(devices, 60), spec(interfaces), spec(file_system, 20)]
