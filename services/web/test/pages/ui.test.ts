import { describe, expect, it } from 'vitest';
import { decodeQR } from 'qr/decode.js';
import { durationText } from '../../src/pay/view/countdown.tsx';
import { groupsOfFour } from '../../src/ui/address-text.tsx';
import { qrPath } from '../../src/ui/qr-code.tsx';

describe('an address', () => {
  it('is split into groups that join to the exact address', () => {
    const address = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';
    expect(groupsOfFour(address).join('')).toBe(address);
    expect(groupsOfFour(address)[0]).toBe('bc1q');
  });
});

describe('a countdown', () => {
  it.each([
    [0, '00:00'],
    [1, '00:01'],
    [59_001, '01:00'],
    [872_000, '14:32'],
    [3_600_000, '1:00:00'],
    [86_399_000, '23:59:59'],
  ])('of %i ms shows %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});

describe('a QR code', () => {
  it('decodes to its payment URI', () => {
    const uri = 'bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.001234';
    const { size, path } = qrPath(uri);
    expect(decodeQR(raster(size, path, 4))).toBe(uri);
  });

  it('has the quiet zone of four modules that scanners need', () => {
    const { size, path } = qrPath('bitcoin:bc1q');
    const corners = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, x, y, width]) => [
      Number(x),
      Number(y),
      Number(x) + Number(width),
    ]);
    expect(Math.min(...corners.map(([x = 0]) => x))).toBe(4);
    expect(Math.min(...corners.map(([, y = 0]) => y))).toBe(4);
    expect(Math.max(...corners.map(([, , end = 0]) => end))).toBe(size - 4);
  });
});

/** Rasterizes the path to RGBA bytes with `scale` pixels per module. */
function raster(size: number, path: string, scale: number) {
  const side = size * scale;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++) {
      const start = (row * side + Number(x) * scale) * 4;
      for (let at = start; at < start + Number(width) * scale * 4; at += 4) data.fill(0, at, at + 3);
    }
  }
  return { width: side, height: side, data };
}
