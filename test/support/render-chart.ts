import { repositoryFolder } from '@paywatch/dev/stack';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { isTrue, parseTemplates, renderTemplate, type Functions } from './go-template.ts';

const folder = join(repositoryFolder, 'infra/helm/paywatch');

/** One Kubernetes object. */
export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  [field: string]: unknown;
};

type Values = Record<string, unknown>;

/** Merges values into the chart's defaults like Helm: objects field by field. */
export function chartValues(values: Values = {}): Values {
  return merge(parse(readFileSync(join(folder, 'values.yaml'), 'utf8')), values);
}

/** Validates values against the chart's schema. */
export function valuesSchema(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, 'values.schema.json'), 'utf8'));
}

/** Renders the chart with these values. */
export function renderChart(values: Values): Manifest[] {
  const names = readdirSync(join(folder, 'templates'));
  const texts = names.map((name) => [name, readFileSync(join(folder, 'templates', name), 'utf8')] as const);
  const templates = parseTemplates(Object.fromEntries(texts));
  const dot = {
    Values: chartValues(values),
    Release: { Name: 'shop', Service: 'Helm' },
    Chart: { AppVersion: parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')).appVersion },
  };
  const functions: Functions = {
    ...FUNCTIONS,
    include: (name, value) => {
      const body = templates.get(String(name));
      if (!body) throw new Error(`unknown template: ${String(name)}`);
      return renderTemplate(body, value, functions);
    },
  };
  return names
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => manifestsOf(renderTemplate(templates.get(name) ?? [], dot, functions), name));
}

/** The functions of Go, sprig and Helm that the chart uses. */
const FUNCTIONS: Functions = {
  not: (value) => !isTrue(value),
  eq: (one, other) => one === other,
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  required: (message, value) => {
    if (!isTrue(value)) throw new Error(String(message));
    return value;
  },
  printf: (format, ...values) => String(format).replaceAll('%s', () => String(values.shift())),
  quote: (value) => JSON.stringify(String(value)),
  nindent: (count, text) => `\n${String(text)}`.replaceAll('\n', `\n${' '.repeat(Number(count))}`),
  '.Files.Get': (path) => readFileSync(join(folder, String(path)), 'utf8'),
  toYaml: (value) => stringify(value, { sortMapEntries: true }).trimEnd(),
};

function manifestsOf(text: string, name: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(`${name}: ${document.errors.join('\n')}\n${text}`);
    return document.toJS() ?? [];
  });
}

function merge(base: unknown, change: unknown): Values {
  const merged: Values = { ...toValues(base) };
  for (const [key, value] of Object.entries(toValues(change)))
    merged[key] = isValues(value) && isValues(merged[key]) ? merge(merged[key], value) : value;
  return merged;
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toValues(value: unknown): Values {
  return isValues(value) ? value : {};
}
