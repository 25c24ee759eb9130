import type { Page } from 'playwright-core';

/** What a transparent picture hides of the scene behind it. */
export type Coverage = {
  /** The share of the picture, from 0 to 1; a half-transparent pixel counts half. */
  share: number;
  /** Whether the first and the last row are transparent: nothing is cut off there. */
  isEdgeClear: boolean;
};

/** Measures a PNG in an empty page, which decodes it. */
export function measureCoverage(page: Page, png: Buffer): Promise<Coverage> {
  return page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const { width, height } = bitmap;
    const canvas = new OffscreenCanvas(width, height).getContext('2d')!;
    canvas.drawImage(bitmap, 0, 0);
    const opacity = (top: number, rows: number): number => {
      const { data } = canvas.getImageData(0, top, width, rows);
      let sum = 0;
      for (let at = 3; at < data.length; at += 4) sum += data[at]!;
      return sum;
    };
    return {
      share: opacity(0, height) / (255 * width * height),
      isEdgeClear: opacity(0, 1) + opacity(height - 1, 1) === 0,
    };
  }, png.toString('base64'));
}
