import type { ComponentChildren } from 'preact';
import { qrPath } from '../../../../ui/qr-code.tsx';
import { DownloadButton } from '../../../parts/download-button.tsx';

/** A button that downloads the QR code of a URL as an SVG, sharp at every size of a scene. */
export function QrDownload({ url, children }: { url: string; children: ComponentChildren }) {
  const load = async () => ({ ok: true, value: new Blob([qrSvg(url)], { type: 'image/svg+xml' }) }) as const;
  return (
    <DownloadButton name="donation-page.svg" load={load} testId="download-qr">
      {children}
    </DownloadButton>
  );
}

/** Pure. */
function qrSvg(url: string): string {
  const { size, path } = qrPath(url);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="1024" height="1024"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}" shape-rendering="crispEdges"/></svg>`;
}
