/**
 * Lists the globals of the tool worker that Python and tools need. All others are removed, including those of future
 * browsers: they reach devices, the graphics processor, storage or decoders, which a tool could use to exhaust or
 * identify the machine.
 */

/** Globals of the language. */
const language = `
AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date
DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array
Int32Array Int8Array InternalError Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError
Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError Temporal TypeError URIError Uint16Array
Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly constructor decodeURI decodeURIComponent
encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape`;

/** The worker itself, its timers and messages. */
const worker = `
DedicatedWorkerGlobalScope WorkerGlobalScope WorkerLocation WorkerNavigator cancelAnimationFrame clearInterval clearTimeout
close console crossOriginIsolated importScripts isSecureContext location name navigator origin performance postMessage
queueMicrotask reportError requestAnimationFrame scheduler self setInterval setTimeout structuredClone
addEventListener dispatchEvent removeEventListener when __pyodideScriptURL`;

/** Bytes, texts, streams, events; and the network, which the worker's policy closes. */
const web = `
AbortController AbortSignal Blob BroadcastChannel ByteLengthQueuingStrategy CloseEvent CompressionStream
CountQueuingStrategy Crypto CryptoKey CustomEvent DOMException DOMMatrix DOMMatrixReadOnly DOMPoint DOMPointReadOnly DOMQuad
DOMRect DOMRectReadOnly DOMStringList DecompressionStream ErrorEvent Event EventSource EventTarget File FileList FileReader
FileReaderSync FormData Headers ImageData MessageChannel MessageEvent MessagePort Observable Performance PerformanceEntry
PerformanceMark PerformanceMeasure PerformanceObserver PerformanceObserverEntryList PerformanceResourceTiming
PerformanceServerTiming ProgressEvent PromiseRejectionEvent QuotaExceededError ReadableByteStreamController ReadableStream
ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader Request
Response Scheduler SecurityPolicyViolationEvent Subscriber SubtleCrypto TaskController TaskPriorityChangeEvent TaskSignal
TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream TransformStreamDefaultController TrustedHTML
TrustedScript TrustedScriptURL TrustedTypePolicy TrustedTypePolicyFactory URL URLPattern URLSearchParams WebSocket
WebSocketError WebSocketStream WebTransport WebTransportBidirectionalStream WebTransportDatagramDuplexStream
WebTransportError WritableStream WritableStreamDefaultController WritableStreamDefaultWriter XMLHttpRequest
XMLHttpRequestEventTarget XMLHttpRequestUpload atob btoa crypto fetch trustedTypes`;

/** Properties of `navigator` that the worker keeps. */
const navigatorNames = `
appCodeName appName appVersion constructor hardwareConcurrency language languages onLine platform product userAgent`;

function namesIn(...lists: readonly string[]): ReadonlySet<PropertyKey> {
  return new Set(lists.flatMap((list) => list.trim().split(/\s+/)));
}

/** Removes all other globals from the worker, and from the prototypes that it inherits them from. */
export function removeOtherInterfaces(scope: object, navigator: object): void {
  removeOthers(scope, namesIn(language, worker, web));
  removeOthers(Reflect.getPrototypeOf(navigator), namesIn(navigatorNames));
}

function removeOthers(from: object | null, kept: ReadonlySet<PropertyKey>): void {
  for (let one = from; one !== null && one !== Object.prototype; one = Reflect.getPrototypeOf(one))
    for (const name of Reflect.ownKeys(one))
      if (typeof name === 'string' && !name.startsWith('on') && !kept.has(name))
        Reflect.deleteProperty(one, name);
}
