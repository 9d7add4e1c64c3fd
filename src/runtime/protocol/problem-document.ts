/** Problem documents (RFC 9457), with which the page and the service worker answer errors. */

export interface HttpProblem {
  readonly status: number;
  /** A short, stable, kebab-case name of the kind of problem. */
  readonly code: string;
  /** One sentence that says what happened. */
  readonly detail: string;
  /** The next step for the caller. */
  readonly hint: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The document as a response. It is JSON and browsers must not sniff it, since `detail` and `hint` may quote the caller. */
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
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
