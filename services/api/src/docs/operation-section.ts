import { nameOf, type ApiDocument, type OperationPart } from './api-document.ts';
import { html, prose, type Html } from './html.ts';
import { samplesOf } from './samples.ts';
import { fieldList, parameterList } from './schema-fields.ts';

/** An operation with its place. */
export type PlacedOperation = {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationPart;
};

/** One operation: what it takes and returns on the left, how that looks on the right. */
export function operationSection(document: ApiDocument, placed: PlacedOperation): Html {
  const { method, path, operation } = placed;
  const { operationId, summary, description } = operation;
  return html`<section class="operation" id="${operationId}">
    <div class="said">
      <h3><a href="#${operationId}">${summary}</a></h3>
      <p class="place">
        <span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code>
      </p>
      ${description === `${summary}.` ? undefined : html`<p>${prose(description)}</p>`}
      <p class="credentials">${credentialsOf(operation)}</p>
      ${inputsOf(document, operation)} ${answersOf(document, operation)}
    </div>
    <div class="shown">
      ${requestShown(document, placed)} ${answersShown(operation)} ${callbackShown(operation)}
    </div>
  </section> `;
}

/** A path that may break after each slash, for phones. */
function breakable(path: string): Html {
  return html`${path.split('/').map((part, i) => (i === 0 ? html`${part}` : html`/<wbr />${part}`))}`;
}

function credentialsOf({ security }: OperationPart): Html {
  const schemes = security.flatMap((requirement) => Object.keys(requirement));
  if (schemes.length === 0) return html`No credentials.`;
  return schemes.includes('ApiKey') ? html`An API key, or a session.` : html`A session.`;
}

const PLACES = { path: 'Path', query: 'Query', header: 'Headers' } as const;

function inputsOf(document: ApiDocument, { parameters = [], requestBody }: OperationPart): Html {
  const groups = (['path', 'query', 'header'] as const).flatMap((place) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    return here.length === 0
      ? []
      : [
          html`<h4>${PLACES[place]}</h4>
            ${parameterList(document, here)}`,
        ];
  });
  const schema = requestBody?.content['application/json']?.schema;
  const title = requestBody?.required === false ? 'Body, may be left out' : 'Body';
  const body =
    schema === undefined
      ? []
      : [
          html`<h4>${title}</h4>
            ${fieldList(document, schema, 'request')}`,
        ];
  return html`${[...groups, ...body]}`;
}

function answersOf(document: ApiDocument, { responses }: OperationPart): Html {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const rows = successes.map(([status, { description, content }], i) => {
    const schema = content?.['application/json']?.schema;
    const isSame =
      i > 0 &&
      JSON.stringify(schema) === JSON.stringify(successes[0]?.[1].content?.['application/json']?.schema);
    const fields =
      schema === undefined || isSame
        ? undefined
        : html`<details>
            <summary>Fields</summary>
            ${fieldList(document, schema, 'answer')}
          </details>`;
    return html`<li><span class="status good">${status}</span> ${prose(description)}${fields}</li>`;
  });
  return html`<h4>Answers</h4>
    <ul class="answers">
      ${rows}${errorsOf(document, responses)}
    </ul>`;
}

function errorsOf(document: ApiDocument, responses: OperationPart['responses']): Html[] {
  const errors = Object.entries(responses).filter(([status]) => !status.startsWith('2'));
  return errors.map(([status, { $ref = '' }]) => {
    const examples =
      document.components.responses[nameOf($ref)]?.content?.['application/problem+json']?.examples;
    const codes = Object.keys(examples ?? {}).map(
      (code) => html`<a href="#${code}"><code>${code}</code></a> `,
    );
    return html`<li><span class="status">${status}</span> ${codes}</li>`;
  });
}

function requestShown(document: ApiDocument, placed: PlacedOperation): Html {
  const samples = Object.entries(samplesOf(placed, document.servers[0]?.url ?? ''));
  return html`${samples.map(
    ([language, text]) => html`<div data-language="${language}">${codeBlock('Request', text)}</div>`,
  )}`;
}

/** The newest kind of success is the usual one: 201 before a repeat's 200. */
function answersShown({ responses }: OperationPart): Html {
  const shown = Object.entries(responses).flatMap(([status, { content }]) => {
    const json = content?.['application/json'];
    const stream = content?.['text/event-stream'];
    if (!status.startsWith('2') || (json ?? stream)?.example === undefined) return [];
    const text = json === undefined ? String(stream?.example) : JSON.stringify(json.example, null, 2);
    return [codeBlock(`Answer ${status}`, text)];
  });
  return html`${shown.slice(-1)}`;
}

function callbackShown({ callbacks = {} }: OperationPart): Html {
  const posts = Object.values(callbacks).flatMap((callback) =>
    Object.values(callback).map(({ post }) => post),
  );
  const blocks = posts.map((post) =>
    codeBlock(
      'What the endpoint receives',
      JSON.stringify(post.requestBody?.content['application/json']?.example, null, 2),
    ),
  );
  return html`${blocks}`;
}

/** Can be scrolled by keyboard. */
function codeBlock(title: string, text: string): Html {
  return html`<figure>
    <figcaption>${title}</figcaption>
    <pre tabindex="0"><code>${text}</code></pre>
  </figure>`;
}
