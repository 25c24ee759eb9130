import { expect, it } from 'vitest';
import { DESKTOP, type Scene } from './scene.ts';

/** The reference of the API. */
export function describeDocs(sceneOf: () => Scene): void {
  it('finds operations, copies samples in the chosen language, marks the current one, and leads back', async () => {
    const { stack, open } = sceneOf();
    const page = await open({ viewport: DESKTOP, permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${stack.url}/docs`);
    await page.getByRole('radio', { name: 'Python' }).check();
    const shown = page.locator('#createInvoice [data-language]:visible');
    expect(
      await shown.evaluateAll((samples) => samples.map((sample) => sample.getAttribute('data-language'))),
    ).toEqual(['python']);
    await shown.getByRole('button', { name: 'Copy' }).click();
    await shown.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('requests.post(');

    await page.keyboard.press('/');
    await page.keyboard.type('ttl_seconds order_id');
    await page.locator('#revokeApiKey').waitFor({ state: 'hidden' });
    expect(await page.locator('#createInvoice').isVisible()).toBe(true);
    expect(await page.locator('nav a[href="#revokeApiKey"]').isVisible()).toBe(false);
    await page.keyboard.press('Escape');
    await page.locator('nav a[href="#revokeApiKey"]').click();
    await page.locator('nav a[href="#revokeApiKey"][aria-current=location]').waitFor();
    expect(await page.locator('nav [aria-current]').count()).toBe(1);

    await page.reload();
    expect(await page.getByRole('radio', { name: 'Python' }).isChecked()).toBe(true);
    await page.getByRole('link', { name: '← Account' }).click();
    await page.locator('[data-testid=login]').waitFor();
    await page.context().close();
  });
}
