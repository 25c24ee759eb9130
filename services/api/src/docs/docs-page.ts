import { ERROR_CODES } from '@paywatch/domain/contract';
import type { ApiDocument } from './api-document.ts';
import { html, prose, type Html } from './html.ts';
import { SAMPLE_LANGUAGES } from './samples.ts';
import { operationSection, type PlacedOperation } from './operation-section.ts';

/**
 * The reference of the API, from its OpenAPI document: every operation by section, and every error code under its own
 * anchor, which problems link to (`type: /docs#code`). Can be read without its script. Pure.
 */
export function docsPage(document: ApiDocument): string {
  const sections = sectionsOf(document);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${document.info.title}</title>
        <link rel="stylesheet" href="/docs/style.css" />
        <script type="module" src="/docs/script.js"></script>
      </head>
      <body>
        <a class="skip" href="#reference">Skip to the reference</a>
        <header>
          <a class="back" href="/account">← Account</a>
          <strong>${document.info.title}</strong> <span>${document.info.version}</span>
          <input
            id="search"
            type="search"
            placeholder="Search (press /)"
            aria-label="Search operations and fields"
            hidden
          />
          <span id="found" role="status"></span>
          ${languageChoice()}
          <a href="/v1/openapi.json">openapi.json</a>
        </header>
        <details class="contents">
          <summary>Contents</summary>
          ${contents(sections)}
        </details>
        <nav aria-label="Contents">${contents(sections)}</nav>
        <main id="reference">
          <section class="introduction">
            <h1>${document.info.title}</h1>
            ${introduction(document)}
          </section>
          ${sections.map((section) => sectionOf(document, section))} ${errorTable()}
        </main>
      </body>
    </html> `.html;
}

/** The style sheet shows the samples of the checked language, so the choice needs no script. */
function languageChoice(): Html {
  const choices = Object.entries(SAMPLE_LANGUAGES).map(
    ([language, name]) =>
      html`<label>
        <input type="radio" name="language" value="${language}" ${language === 'curl' ? 'checked' : ''} />
        ${name}
      </label> `,
  );
  return html`<fieldset class="languages">
    <legend>Language of the samples</legend>
    ${choices}
  </fieldset>`;
}

type Section = {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
};

function sectionsOf({ tags, paths }: ApiDocument): Section[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
}

function contents(sections: readonly Section[]): Html {
  const groups = sections.map(
    ({ name, operations }) =>
      html`<li>
        <a href="#${anchorOf(name)}">${name}</a>
        <ul>
          ${operations.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}
        </ul>
      </li> `,
  );
  return html`<ul>
    ${groups}
    <li><a href="#errors">Error codes</a></li>
  </ul>`;
}

/** The description of the document, up to the table of codes, which has its own place here. */
function introduction({ info }: ApiDocument): Html {
  const [text = ''] = info.description.split('\n| ');
  return html`${text
    .trim()
    .split(/\n\n/)
    .map((paragraph) => html`<p>${prose(paragraph)}</p> `)}`;
}

function sectionOf(document: ApiDocument, { name, description, operations }: Section): Html {
  return html`<section>
    <h2 id="${anchorOf(name)}">${name}</h2>
    <p>${prose(description)}</p>
    ${operations.map((operation) => operationSection(document, operation))}
  </section> `;
}

function anchorOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

function errorTable(): Html {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { status, description }]) =>
      html`<tr id="${code}">
        <td>${status}</td>
        <td><code>${code}</code></td>
        <td>${prose(description)}</td>
      </tr> `,
  );
  return html`<section class="errors">
    <h2 id="errors">Error codes</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Code</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section>`;
}
