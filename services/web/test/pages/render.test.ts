import type { PageContent, PublicInvoiceView, RenderPage } from '@paywatch/domain/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { paymentLink } from '../support/apis/buyer-api.ts';
import { donationLink } from '../support/apis/donor-api.ts';
import { loadRenderer } from '../support/renderer.ts';
import { serviceStatus } from '../support/service-status.ts';
import { allInvoiceStates, invoice, NOW_MS } from '../support/invoices.ts';

let renderPage: RenderPage;
beforeAll(async () => {
  ({ renderPage } = await loadRenderer());
});

const render = (content: PageContent, language = 'en') =>
  renderPage(content, { wantedLanguage: language, acceptLanguage: null, nowMs: NOW_MS });
const ancestors = (content: PageContent) =>
  /frame-ancestors ([^;]*)/.exec(render(content).headers['Content-Security-Policy'] ?? '')?.[1];
const renderPay = (view: PublicInvoiceView, language = 'en') =>
  render({ page: 'pay', invoice: view }, language).html;
const asking = new Set([
  'new',
  'new-ltc',
  'new-priced',
  'new-branded',
  'new-any-amount',
  'new-delayed',
  'new-test-network',
  'pending-short',
]);

describe('the server-rendered payment page', () => {
  it.each(Object.entries(allInvoiceStates()))(
    'in state %s shows the payment request only while the invoice is payable',
    (name, view) => {
      const html = renderPay(view).replace(/data-data="[^"]*"/, '');
      const hasQr = html.includes('data-testid="qr"');
      const hasAddress = html.includes('data-testid="address"');
      const hasWalletLink = /href="(bitcoin|litecoin):/.test(html);
      expect([hasQr, hasAddress, hasWalletLink]).toEqual(Array(3).fill(asking.has(name)));
      expect(html).toMatch(/role="status" data-testid="status"/);
    },
  );

  it('contains amount, unit, state and address of a new invoice', () => {
    const html = renderPay(invoice());
    const text = html.replace(/<[^>]+>/g, '');
    expect(text).toContain('0.00123400 BTC');
    expect(text).toContain('123,400\u00a0sat');
    expect(text).toContain('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
    expect(text).toContain('Waiting for payment');
    expect(text).toContain('55:00');
  });

  it('refreshes itself without JavaScript only while the invoice may change', () => {
    const renewing = Object.entries(allInvoiceStates()).filter(([, view]) =>
      renderPay(view).includes('http-equiv="refresh"'),
    );
    expect(
      renewing.map(([, { status }]) => status).every((status) => status === 'new' || status === 'pending'),
    ).toBe(true);
    expect(renderPay(invoice())).toContain('<noscript><meta http-equiv="refresh" content="20"');
  });

  it('is rendered in German for ?lang=de', () => {
    const html = renderPay(invoice(), 'de');
    expect(html).toContain('<html lang="de"');
    expect(html).toContain('Warten auf Zahlung');
    expect(html).toContain('123\u202f400\u00a0sat');
  });

  it('escapes texts of merchants and donors', () => {
    const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>`;
    const html = renderPay(
      invoice({ project_name: evil, donor_name: evil, donor_message: evil, type: 'donation' }),
    );
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<img');
  });

  it('shows the branding of the project, and what the order is for', () => {
    const view = invoice({
      branding: {
        logo_url: '/v1/public/uploads/upl_1',
        accent_color: '#6441a5',
        terms_url: 'https://shop.example/terms',
        support_url: 'mailto:help@shop.example',
      },
      description: 'Tickets <b>now</b>',
      price: { amount: '1020.00', currency: 'EUR' },
      lines: [
        { name: 'Balcony', quantity: 2, amount: '1000.00' },
        { name: 'Postage', quantity: 1, amount: '20.00' },
      ],
    });
    const html = renderPay(view).replace(/data-data="[^"]*"/, '');
    expect(html).toContain('src="/v1/public/uploads/upl_1" alt="Example Shop"');
    expect(html).toContain('href="/assets/accent-6441a5.css"');
    expect(html).toContain('href="https://shop.example/terms"');
    expect(html).toContain('href="mailto:help@shop.example"');
    expect(html).toContain('Tickets &lt;b>now&lt;/b>');
    const text = html.replace(/<[^>]+>/g, '');
    expect(text).toContain('2 × Balcony1,000.00\u00a0EUR');
    expect(text).toContain('Total1,020.00\u00a0EUR');
    expect(renderPay(invoice())).not.toMatch(/order-head|class="order"|accent-/);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'http://shop.example'])(
    'leaves out a link to %s',
    (url) => {
      const branding = { logo_url: null, accent_color: null, terms_url: url, support_url: url };
      const html = renderPay(invoice({ branding })).replace(/data-data="[^"]*"/, '');
      expect(html).not.toContain('Terms');
    },
  );

  it('leads the payer of an expired order to the shop for a new invoice, out of a frame', () => {
    const url = 'https://shop.example/orders/1/pay';
    const expired = { ...everyStateNamed('expired'), renew_url: url };
    expect(renderPay(expired)).toMatch(/href="https:\/\/shop.example\/orders\/1\/pay" target="_top"/);
    expect(renderPay({ ...everyStateNamed('confirmed'), renew_url: url })).not.toContain('start-again');
    expect(renderPay(everyStateNamed('expired'))).not.toContain('start-again');
  });

  it('has a return link only for https URLs', () => {
    expect(renderPay(everyStateNamed('confirmed'))).toContain('href="https://shop.example/thanks"');
    for (const url of ['javascript:alert(1)', 'http://shop.example', 'data:text/html,x']) {
      expect(renderPay({ ...everyStateNamed('confirmed'), return_url: url })).not.toContain(
        'data-testid="return-link"',
      );
    }
  });
});

describe('every page', () => {
  const contents: PageContent[] = [
    { page: 'pay', invoice: invoice() },
    { page: 'pay', invoice: null },
    { page: 'donate', link: donationLink(), draft: null, problem: null },
    { page: 'donate', link: null, draft: null, problem: null },
    { page: 'link', link: paymentLink(), draft: null, problem: null },
    { page: 'status', status: serviceStatus() },
    { page: 'overlay' },
    { page: 'overlay', source: 'goal' },
    { page: 'overlay', source: 'latest' },
    {
      page: 'problem',
      problem: { code: 'invoice_not_found', requestId: 'req_1', retryAfterSeconds: null, errors: [] },
    },
  ];

  it.each(contents)('has no inline script, style or event handler: $page', (content) => {
    const { html, headers } = render(content);
    expect(html).not.toMatch(/<script(?![^>]* src="\/assets\/)/);
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\/(?!mempool\.space|litecoinspace\.org|shop\.example)/);
    expect(headers['Content-Security-Policy']).toContain("script-src 'self';");
    expect(headers['Content-Security-Policy']).not.toContain('unsafe');
  });

  it.each([null, '', 'alerts', '__proto__', '"><script>'])(
    'of an overlay shows alerts for source %j',
    (source) => {
      expect(render({ page: 'overlay', source }).html).toBe(render({ page: 'overlay' }).html);
      expect(render({ page: 'overlay', source: 'goal' }).html).not.toBe(render({ page: 'overlay' }).html);
    },
  );

  it('may be framed by the sites of its project only, and by none without any', () => {
    for (const content of contents)
      expect(ancestors(content)).toBe(content.page === 'overlay' ? "'self'" : "'none'");
    const sites = ['https://shop.example', 'http://localhost:8080'];
    const pay = { page: 'pay', invoice: invoice() } as const;
    const link = { page: 'link', link: paymentLink(), draft: null, problem: null } as const;
    for (const content of [pay, link]) {
      expect(ancestors({ ...content, sites })).toBe('https://shop.example http://localhost:8080');
      expect(render({ ...content, sites }).headers['Vary']).toContain('Sec-Fetch-Dest');
    }
    for (const stored of [
      '*',
      "'self'",
      'https://a.example; script-src *',
      'https://a.example\r\nX: y',
      'https:',
    ])
      expect(ancestors({ ...pay, sites: [stored] })).toBe("'none'");
  });

  it('for an unknown invoice shows the request id and loads no script', () => {
    const { html } = render(contents.at(-1) ?? { page: 'overlay' });
    expect(html).toContain('Payment not found');
    expect(html).toContain('req_1');
    expect(html).not.toContain('<script');
  });
});

function everyStateNamed(name: string): PublicInvoiceView {
  return allInvoiceStates()[name] ?? invoice();
}
