import type { Page } from 'playwright-core';

/** What a transparent picture hides of the scene behind it. */
export type Coverage = {
  /** The share of the picture, from 0 to 1; a half-transparent pixel counts half. */
  share: number;
  /** Whether the first and the last row contain no more than the end of a shadow: nothing is cut off there. */
  isEdgeClear: boolean;
};

/** Measures a PNG in an empty page, which decodes it. */
export function measureCoverage(page: Page, png: Buffer): Promise<Coverage> {
  return page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const { width, height } = bitmap;
    const canvas = new OffscreenCanvas(width, height).getContext('2d')!;
    canvas.drawImage(bitmap, 0, 0);
    const alphasOf = (top: number, rows: number): Uint8ClampedArray => {
      const { data } = canvas.getImageData(0, top, width, rows);
      return data.filter((_, index) => index % 4 === 3);
    };
    let covered = 0;
    for (const alpha of alphasOf(0, height)) covered += alpha;
    const edge = [...alphasOf(0, 1), ...alphasOf(height - 1, 1)];
    return { share: covered / (255 * width * height), isEdgeClear: edge.every((alpha) => alpha < 32) };
  }, png.toString('base64'));
}
