import { expectFormat } from '../bytes.ts';

/** A rectangle in pixels. */
export type Area = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** An image as its structure describes it. `frames` counts everything that is drawn over the whole canvas at worst. */
export type ImageFacts = {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Where the image ends. Whatever follows belongs to something else. */
  readonly end: number;
};

/** The canvas that begins in the upper left corner. */
export function canvasOf(width: number, height: number): Area {
  expectFormat(width > 0 && height > 0);
  return { x: 0, y: 0, width, height };
}

/** Throws RangeError for a frame that reaches beyond its canvas: browsers would make the canvas as large as the frame. */
export function expectInside(frame: Area, canvas: Area): void {
  expectFormat(frame.width > 0 && frame.height > 0);
  expectFormat(frame.x + frame.width <= canvas.width && frame.y + frame.height <= canvas.height);
}
