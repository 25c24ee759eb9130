import { ERROR_CODES } from '@paywatch/domain';

/** The page: the viewer's place, and below it every error code, which problems link to (`type: /docs#code`). Pure. */
export function docsPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Paywatch API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<style>${STYLE}</style>
</head>
<body>
<main>
<div id="reference"><noscript>The reference needs JavaScript; the document is <a href="/v1/openapi.json">openapi.json</a>.</noscript></div>
<section class="errors">
<h2 id="errors">Error codes</h2>
<table>
<thead><tr><th>Status</th><th>Code</th><th>When</th></tr></thead>
<tbody>
${errorRows()}
</tbody>
</table>
</section>
</main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
}

/** Starts the viewer; a file of its own, because the policy of the page allows no inline script. */
export const STARTER_SCRIPT = `SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: false,
});
`;

const STYLE = `body { margin: 0; font-family: system-ui, sans-serif }
.errors { max-width: 1460px; margin: 0 auto; padding: 0 20px 40px; overflow-x: auto }
.errors table { border-collapse: collapse; width: 100% }
.errors th, .errors td { text-align: left; padding: 8px 12px; border-bottom: 1px solid #ddd; vertical-align: top }
.errors tr:target { background: #fff3cd }`;

function errorRows(): string {
  return Object.entries(ERROR_CODES)
    .map(
      ([code, { status, description }]) =>
        `<tr id="${code}"><td>${status}</td><td><code>${code}</code></td><td>${escapeHtml(description)}</td></tr>`,
    )
    .join('\n');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
