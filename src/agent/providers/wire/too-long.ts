/** Recognises error messages of many servers that say that a request is too long for the model. */

/** Words for the part that is too long. */
const subject = String.raw`\b(?:prompts?|inputs?|messages?|conversation|context|requests?|sequences?|history|texts?|tokens?|prompt_tokens|input_tokens)\b`;
/** Words that compare the part with its limit. */
const exceeds = String.raw`(?:exceed(?:s|ed|ing)?\b|surpass(?:es|ed)?\b|overflow(?:s|ed)?\b|\b(?:longer|larger|greater|bigger|more) than\b|\btoo (?:long|large|big|many)\b|\b(?:must|should|can|may|cannot|has to) (?:only )?(?:be|have|not be|not have)? ?(?:less|fewer|shorter|smaller|under|at most|no more|no longer|up to|<=?|\[)|\bonly supports? up to\b|\b(?:does|do)(?: not|n't) fit\b)`;
/** Words for the unit of the limit. */
const measure = String.raw`(?:\b(?:tokens?|lengths?|characters|context (?:window|size|limit)|window|kv cache|cache size|size limit)\b|max_(?:seq|model|input|position)\w*|\bn_ctx\b|\bnum_ctx\b)`;

const patterns = [
  /context_length_exceeded|context_?window_?exceeded|exceed_context_size|request_too_large|tokens_limit_reached|prompt_too_long|max_prompt_tokens_exceeded/i,
  // The description of a tool can also be a string that is too long.
  /string_above_max_length (messages|input)\b/i,
  /invalid '(messages|input)\b[^']{0,100}': string too long/i,
  /maximum (context|prompt|input|sequence) (length|size)|context (window|length)|exceeds the available context size|context the overflows/i,
  /\b(prompt|input|conversation|request( body)?|messages?|history)( (you )?(is|are|was|were|submitted|sent)){0,3} too (long|large|big)/i,
  /\bcontext (size|limit) (has been |was |is )?(exceeded|reached|full)|\bout of context\b/i,
  /\bmax_prompt_tokens exceeded|\bn_keep\b.{0,20}\bn_ctx\b|\btoo many total text bytes/i,
  /\b(prompt|input)\W{0,3}_?tokens?\W{0,3}\d+\W{0,2} (is above|\+ .{0,40} > \d)/i,
  /\brequest has \d+ tokens\b.{0,40}\bonly (allows|supports|accepts)\b/i,
  /\bmax(imum)? sequence length\b.{0,30}\bexceeded|(入力|プロンプト|コンテキスト).{0,10}(長すぎ|超え)/i,
  /exceeded model token limit|too many (input |prompt )?tokens|\binput tokens exceeded/i,
  /\bmax(imum)?( allowed)? (input|prompt) (tokens|characters|length|size)/i,
  /\b(reduce|shorten|truncate|trim)\b.{0,30}\b(length|size|number)\b.{0,30}\b(messages?|prompt|input|conversation)\b/i,
  /\b(reduce|shorten|truncate|trim) (the|your) (messages?|prompt|input|conversation|context)\b/i,
  /\btoken count (is|of) \d+,? but\b|\bexpected maxlength: \d+, actual/i,
  /(输入|提示词?|上下文|prompt|tokens?).{0,20}(超长|过长|超过|超出)/i,
  new RegExp(`${subject}.{0,100}?${exceeds}.{0,120}?${measure}`, 'is'),
  new RegExp(
    String.raw`\b(?:input|prompt)s?\b\W{0,3}(?:length|tokens|token count).{0,60}?${exceeds}`,
    'is',
  ),
];

/** Limits per time, of an account, and of parallel requests. */
const ofTime =
  /\bper (second|sec|minute|min|hour|day|week|month)\b|\b(hourly|daily|weekly|monthly)\b|\b(tpm|rpm|tpd|rpd)\b|rate.?limit|\bquota|too many (concurrent )?requests|\bconcurren|\b(balance|credits?|billing|subscription)\b|频率|每分钟|余额|配额/i;
/** Limits of the answer. */
const ofAnswer =
  /\bmax_?(?:completion_|output_|new_)?tokens?\b.{0,40}(?:is too|must|should|can|exceed|>|at least|at most)|\b(?:output|completion|generated|response|thinking|reasoning) tokens?\b|\bbudget_tokens\b|\bmax_?output_?tokens\b/is;
/** Words about the request in errors that also name the answer's limit. */
const ofRequest =
  /\b(prompts?|inputs?|messages?|conversation|prompt_tokens|context (length|window|limit|size))\b/i;
/** Limits of other parts: images and files, and the names, ids and descriptions of tools. */
const ofPart =
  /\b(images?|files?|audio|video|documents?|pdfs?|attachments?)\b.{0,80}(\b(size|bytes|dimensions?|resolution|pixels?|pages|seconds)\b|\d ?[km]i?b\b|number of (images|files))|\bnumber of (images|files|tools|functions|messages|items|stop sequences)\b|(\.|\b)(name|id|call_id|tool_call_id)\b'?:? .{0,20}(string )?too long|\.(name|id|call_id|tool_call_id)$|\b(tools?|functions?|parameters?|schema|description|title|url|headers?|user|username|stop|metadata|name|identifier|key)\b.{0,60}\b(too (long|large|many)|maximum length|longer than|at most|exceeds?)|\btime ?(out|limit)|\bpolic(y|ies)\b/is;

/** @param texts the message and the codes of an error */
export function saysTooLong(...texts: readonly string[]): boolean {
  return texts.some((text) => {
    if (!patterns.some((pattern) => pattern.test(text))) return false;
    if (ofTime.test(text) || (ofAnswer.test(text) && !ofRequest.test(text))) return false;
    return !ofPart.test(text);
  });
}
