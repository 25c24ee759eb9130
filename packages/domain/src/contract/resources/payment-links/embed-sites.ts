import { z } from 'zod';
import { SETTING_LIMITS } from '../../limits.ts';
import { boundedText } from '../../fields/text.ts';

const NOT_A_SITE =
  'Must be the origin of a site, such as https://shop.example: lower case, without path, wildcard or IP address. http only for localhost.';

/** A host as Content-Security-Policy writes it: labels of letters, digits and hyphens, the last one not a number. */
const HTTPS_HOST = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)*[a-z](?:[a-z\d-]*[a-z\d])?$/u;
const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1'];

/**
 * Whether a text is an origin whose pages may frame payment pages, exactly as browsers write it. Nothing that passes can end or extend a
 * source list of a Content-Security-Policy: it holds letters, digits, hyphens, dots and one port. Pure.
 */
export function isEmbedSite(text: string): boolean {
  if (text.length > SETTING_LIMITS.embedSite.maxLength) return false;
  const url = URL.parse(text);
  if (url === null || url.origin !== text) return false;
  if (url.protocol === 'http:') return LOCAL_HOSTS.includes(url.hostname);
  return url.protocol === 'https:' && HTTPS_HOST.test(url.hostname);
}

/** The sites of a project, each once. */
export const embedSitesSchema = z
  .array(boundedText(SETTING_LIMITS.embedSite.maxLength).refine(isEmbedSite, { error: NOT_A_SITE }))
  .max(SETTING_LIMITS.embedSites.maxItems)
  .refine((sites) => new Set(sites).size === sites.length, { error: 'Name each site once.' });
