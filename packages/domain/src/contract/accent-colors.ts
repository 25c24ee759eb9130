/** The colors of a page that has an accent color of its own, without the validator: the account area loads this. */

/** The surfaces of tokens.css, on which the accent is drawn. */
export const SURFACES = { light: '#ffffff', dark: '#181b21' } as const;

/** An accent and the color of texts on it. */
export type AccentColors = { readonly accent: string; readonly onAccent: string };

/** WCAG 2.2, 1.4.11: what a button needs to stand out from its surface. */
const MIN_ON_SURFACE = 3;
/** WCAG 2.2, 1.4.3 demands 4.5; buttons under the pointer are mixed with the color of their text. */
const MIN_TEXT = 6;
/** The share by which a color moves towards black or white until the contrast is enough. */
const STEP = 0.02;

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
type Rgb = readonly [number, number, number];

/**
 * The accent for each color scheme: the chosen color, made darker on the light surface and lighter on the dark one until the text on it
 * and its own edge can be seen. Takes `#rrggbb`. Pure.
 */
export function accentColors(chosen: string): { light: AccentColors; dark: AccentColors } {
  return {
    light: readable(parseHex(chosen), BLACK, SURFACES.light),
    dark: readable(parseHex(chosen), WHITE, SURFACES.dark),
  };
}

/** The style sheet that gives a page this accent. Pure. */
export function accentStyleSheet(chosen: string): string {
  const { light, dark } = accentColors(chosen);
  return `${rule(light)}@media (prefers-color-scheme:dark){${rule(dark)}}`;
}

function rule({ accent, onAccent }: AccentColors): string {
  return `:root{--accent:${accent};--on-accent:${onAccent}}`;
}

function readable(color: Rgb, towards: Rgb, surface: string): AccentColors {
  for (let share = 0; share < 1; share += STEP) {
    const accent = mix(color, towards, share);
    const text = contrast(accent, WHITE) >= contrast(accent, BLACK) ? WHITE : BLACK;
    if (contrast(accent, text) >= MIN_TEXT && contrast(accent, parseHex(surface)) >= MIN_ON_SURFACE)
      return { accent: toHex(accent), onAccent: toHex(text) };
  }
  return { accent: toHex(towards), onAccent: toHex(towards === BLACK ? WHITE : BLACK) };
}

/** The contrast ratio of two colors as WCAG defines it, 1 to 21. Takes `#rrggbb`. Pure. */
export function contrastRatio(a: string, b: string): number {
  return contrast(parseHex(a), parseHex(b));
}

function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** Relative luminance (WCAG 2.2, definitions). */
function luminance([r, g, b]: Rgb): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function mix(color: Rgb, towards: Rgb, share: number): Rgb {
  const at = (index: 0 | 1 | 2) => Math.round(color[index] + (towards[index] - color[index]) * share);
  return [at(0), at(1), at(2)];
}

function parseHex(hex: string): Rgb {
  const at = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16);
  return [at(1), at(3), at(5)];
}

function toHex(color: Rgb): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
