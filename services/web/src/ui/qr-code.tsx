import { useMemo } from 'preact/hooks';
import { encodeQR } from 'qr';

const QUIET_MODULES = 4;

/** A QR code as SVG, dark on white in every theme, with the required quiet zone (ISO/IEC 18004, 6.3.8). */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => qrPath(text), [text]);
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} data-testid="qr">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}

/** The dark modules as one SVG path. One element instead of hundreds, and no visible seams between modules. */
export function qrPath(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_MODULES });
  const path = rows.map((row, y) => rowPath(row, y)).join('');
  return { size: rows.length, path };
}

function rowPath(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x++) {
    if (row[x] !== true) continue;
    const start = x;
    while (row[x] === true) x++;
    path += `M${start} ${y}h${x - start}v1H${start}z`;
  }
  return path;
}
