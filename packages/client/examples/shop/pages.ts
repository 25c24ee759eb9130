import { totalCents, type CartLine } from './cart.ts';
import { html, page, type Html } from './html.ts';
import type { Order, Refund } from './orders.ts';
import { formatEuros, PRODUCTS } from './products.ts';

export function productsPage(): string {
  const rows = PRODUCTS.map(
    ({ sku, name, priceCents }) =>
      html`<tr>
        <td>${name}</td>
        <td>${formatEuros(priceCents)} EUR</td>
        <td>
          <form method="post" action="/cart">
            <input type="hidden" name="sku" value="${sku}" />
            <button aria-label="Add ${name} to the cart">Add to cart</button>
          </form>
        </td>
      </tr>`,
  );
  return page(
    'Products',
    html`<table>
      ${rows}
    </table>`,
  );
}

export function cartPage(cart: readonly CartLine[]): string {
  if (cart.length === 0) return page('Cart', html`<p>Your cart is empty.</p>`);
  const rows = cart.map(
    ({ product: { sku, name, priceCents }, count }) =>
      html`<tr>
        <td>${name}</td>
        <td>${formatEuros(priceCents * count)} EUR</td>
        <td>
          <form method="post" action="/cart">
            <input type="hidden" name="sku" value="${sku}" />
            <input
              type="number"
              name="count"
              value="${count}"
              min="0"
              max="99"
              aria-label="Number of ${name}"
            />
            <button aria-label="Update ${name}">Update</button>
          </form>
        </td>
      </tr>`,
  );
  return page(
    'Cart',
    html`<table>
        ${rows}
      </table>
      <p>Total: <strong>${formatEuros(totalCents(cart))} EUR</strong></p>
      <form method="post" action="/checkout"><button>Order</button></form>`,
  );
}

/** What the customer reads for each status. */
const STATUS: Readonly<Record<Order['status'], string>> = {
  created: 'Choose how to pay.',
  new: 'Waiting for your payment.',
  pending: 'Payment seen. Waiting for confirmations.',
  confirmed: 'Paid. We are packing your order.',
  underpaid: 'The time is up, and a part of the amount is missing. We will send back what arrived.',
  expired: 'The time is up, and no payment arrived. Nothing was charged.',
  late_payment: 'Your payment arrived after the time was up. We will contact you.',
};

/** The page that a customer keeps: it follows the order, and shows what was sent back. `isBusy`: the last click got no invoice. */
export function orderPage(order: Order, refunds: readonly Refund[], isBusy: boolean): string {
  const isOpen = order.status === 'new' || order.status === 'pending';
  const body = html`<p role="status" data-status="${order.status}">
      <strong>${STATUS[order.status]}</strong>
    </p>
    ${order.status === 'confirmed' && order.hasLatePayment === 1 ? html`<p>You paid more later. We will contact you.</p>` : ''}
    <p>${order.summary}: ${formatEuros(order.totalCents)} EUR</p>
    ${isOpen && order.payUrl !== null ? html`<p><a href="${order.payUrl}">Open the payment page</a></p>` : ''}
    ${order.status === 'created' ? payForm(order, isBusy) : ''}
    ${refunds.map(
      ({ amount, txid }) => html`<p>Sent back: ${amount} ${order.currency ?? ''} in <code>${txid}</code></p>`,
    )}`;
  return page('Your order', body, { refresh: isOpen });
}

function payForm({ id }: Order, isBusy: boolean): Html {
  return html`<form method="post" action="/orders/${id}/pay">
      <button name="currency" value="BTC">Pay with Bitcoin</button>
      <button name="currency" value="LTC">Pay with Litecoin</button>
    </form>
    ${isBusy ? html`<p role="alert">Payments are not available right now. Try again in a minute.</p>` : ''}`;
}

/** The merchant's list of orders. */
export function adminPage(orders: readonly Order[]): string {
  const rows = orders.map(
    (order) =>
      html`<tr>
        <td><a href="/admin/orders/${order.id}">${order.summary}</a></td>
        <td>${formatEuros(order.totalCents)} EUR</td>
        <td>${order.status}${order.hasLatePayment ? ', late payment' : ''}</td>
      </tr>`,
  );
  return page(
    'Orders',
    html`<table>
      ${rows}
    </table>`,
  );
}

/** One order for the merchant, with a form that records a refund. `message` says what came of the last one. */
export function adminOrderPage(order: Order, refunds: readonly Refund[], message = ''): string {
  return page(
    'Order',
    html`${message === '' ? '' : html`<p role="status">${message}</p>`}
      <p>${order.summary}: ${formatEuros(order.totalCents)} EUR, ${order.status}</p>
      <p>
        Expected ${amountText(order, order.expectedAmount)}, received
        ${amountText(order, order.receivedAmount)}
      </p>
      ${refunds.map(({ amount, txid, note }) => html`<p>Refund: ${amount}, <code>${txid}</code> ${note}</p>`)}
      <h2>Record a refund</h2>
      <p>
        Send the money from your own wallet first. Ask the customer for an address: payments do not tell it.
      </p>
      <form method="post" action="/admin/orders/${order.id}/refunds">
        <p>
          <label
            >Amount<br /><input name="amount" inputmode="decimal" required pattern="[0-9]+([.][0-9]{1,8})?"
          /></label>
        </p>
        <p>
          <label>Transaction id<br /><input name="txid" required pattern="[0-9a-f]{64}" /></label>
        </p>
        <p>
          <label>Note<br /><input name="note" maxlength="200" /></label>
        </p>
        <button>Record refund</button>
      </form>`,
  );
}

/** Minimal units, exactly as Paywatch counts them. */
function amountText({ currency }: Order, amount: string | null): Html {
  if (amount === null || currency === null) return html`nothing`;
  return html`${amount} ${currency === 'BTC' ? 'satoshi' : 'litoshi'}`;
}
