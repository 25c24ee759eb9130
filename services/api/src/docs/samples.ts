import type { PlacedOperation } from './operation-section.ts';

/** The languages of the samples, by the name that the page's script and style use. */
export const SAMPLE_LANGUAGES = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  php: 'PHP',
} as const;
type SampleLanguage = keyof typeof SAMPLE_LANGUAGES;

/** The request of an operation in every language, with the keys in environment variables. Pure. */
export function samplesOf(
  placed: PlacedOperation,
  baseUrl: string,
): Readonly<Record<SampleLanguage, string>> {
  const request = requestOf(placed, baseUrl);
  if (request.isStream) return streamSamples(request);
  return { curl: curl(request), typescript: typescript(request), python: python(request), php: php(request) };
}

type SampleRequest = {
  readonly method: string;
  readonly url: string;
  /** Name and value of the header with the credential; the variable stands in place of its name. */
  readonly credential: { readonly header: string; readonly prefix: string; readonly variable: string } | null;
  readonly body: unknown;
  readonly isStream: boolean;
};

function requestOf({ method, path, operation }: PlacedOperation, baseUrl: string): SampleRequest {
  const schemes = operation.security.flatMap((requirement) => Object.keys(requirement));
  const key = { header: 'X-Api-Key', prefix: '', variable: 'PAYWATCH_API_KEY' };
  const session = { header: 'Authorization', prefix: 'Bearer ', variable: 'SESSION' };
  return {
    method: method.toUpperCase(),
    url: `${baseUrl}${path}`,
    credential: schemes.length === 0 ? null : schemes.includes('ApiKey') ? key : session,
    body: operation.requestBody?.content['application/json']?.example,
    isStream: operation.responses['200']?.content?.['text/event-stream'] !== undefined,
  };
}

function curl({ method, url, credential, body }: SampleRequest): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${url}`,
    ...(credential === null
      ? []
      : [`-H "${credential.header}: ${credential.prefix}$${credential.variable}"`]),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${shellQuoted(JSON.stringify(body, null, 2))}`]),
  ];
  return lines.join(' \\\n  ');
}

function typescript({ method, url, credential, body }: SampleRequest): string {
  const headers = [
    ...(credential === null
      ? []
      : [`'${credential.header}': \`${credential.prefix}\${env.${credential.variable}}\``]),
    ...(body === undefined ? [] : [`'Content-Type': 'application/json'`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
  ];
  const argument = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  const imported = credential === null ? '' : `import { env } from 'node:process';\n\n`;
  return `${imported}const response = await fetch('${url}'${argument});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`;
}

function python({ method, url, credential, body }: SampleRequest): string {
  const parts = [
    `    "${url}",`,
    ...(credential === null
      ? []
      : [`    headers={"${credential.header}": ${pythonCredential(credential)}},`]),
    ...(body === undefined ? [] : [`    json=${indented(pythonLiteral(body), '    ')},`]),
  ];
  const imports = credential === null ? 'import requests' : 'import os\nimport requests';
  return `${imports}

response = requests.${method.toLowerCase()}(
${parts.join('\n')}
    timeout=30,
)
response.raise_for_status()
print(response.json())`;
}

function pythonCredential({ prefix, variable }: NonNullable<SampleRequest['credential']>): string {
  const value = `os.environ["${variable}"]`;
  return prefix === '' ? value : `"${prefix}" + ${value}`;
}

function php({ method, url, credential, body }: SampleRequest): string {
  const headers = [
    ...(credential === null
      ? []
      : [`'${credential.header}: ${credential.prefix}' . getenv('${credential.variable}')`]),
    ...(body === undefined ? [] : [`'Content-Type: application/json'`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  CURLOPT_CUSTOMREQUEST => '${method}',`]),
    ...(headers.length === 0 ? [] : [`  CURLOPT_HTTPHEADER => [${headers.join(', ')}],`]),
    ...(body === undefined ? [] : [`  CURLOPT_POSTFIELDS => json_encode(${indented(phpLiteral(body))}),`]),
    '  CURLOPT_RETURNTRANSFER => true,',
  ];
  return `<?php
$request = curl_init('${url}');
curl_setopt_array($request, [
${options.join('\n')}
]);
$body = curl_exec($request);
$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
if ($status >= 400 || $body === false) throw new Exception("HTTP $status: $body");
print_r(json_decode($body, true));`;
}

function streamSamples({ url }: SampleRequest): Record<SampleLanguage, string> {
  const event = url.includes('/overlay/') ? 'donation' : 'status';
  return {
    curl: `curl ${url} --no-buffer`,
    typescript: `const stream = new EventSource('${url}');
stream.addEventListener('${event}', ({ data }) => console.log(JSON.parse(data)));`,
    python: `import requests

with requests.get("${url}", stream=True, timeout=60) as response:
    for line in response.iter_lines(decode_unicode=True):
        if line.startswith("data: "):
            print(line[6:])`,
    php: `<?php
$stream = fopen('${url}', 'r');
while (($line = fgets($stream)) !== false) {
  if (str_starts_with($line, 'data: ')) echo substr($line, 6);
}`,
  };
}

/** A JSON value as Python writes it. */
function pythonLiteral(value: unknown): string {
  return JSON.stringify(value, null, 4).replaceAll(/(?<=: )(true|false|null)(?=,?$)/gm, (word) =>
    word === 'null' ? 'None' : `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
  );
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A JSON value as PHP writes it. */
function phpLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(phpLiteral).join(', ')}]`;
  if (typeof value === 'string') return `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, field]) => `  '${name}' => ${indented(phpLiteral(field))},`,
  );
  return `[\n${fields.join('\n')}\n]`;
}

function indented(text: string, by = '  '): string {
  return text.replaceAll('\n', `\n${by}`);
}
