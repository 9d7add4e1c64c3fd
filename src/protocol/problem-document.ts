/** Problem documents (RFC 9457), as the page and the service worker both answer them. */

export interface HttpProblem {
  readonly status: number;
  /** A short, stable, kebab-case name of the kind of problem. */
  readonly code: string;
  /** What happened, in one sentence. */
  readonly detail: string;
  /** What to do next. */
  readonly hint: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The document as a response; `detail` and `hint` may quote the caller: it is JSON and never sniffed. */
export function problemResponse(problem: HttpProblem): Response {
  return new Response(problemText(problem), {
    status: problem.status,
    statusText: titleOf(problem),
    headers: {
      'Content-Type': 'application/problem+json',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      ...problem.headers,
    },
  });
}

/** The document as JSON on one line. */
export function problemText(problem: HttpProblem): string {
  const { status, code, detail, hint } = problem;
  const title = titleOf(problem);
  return JSON.stringify({ type: 'about:blank', title, status, code, detail, hint });
}

function titleOf({ status }: HttpProblem): string {
  return titles[status] ?? 'Error';
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
