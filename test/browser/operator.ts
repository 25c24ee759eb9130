import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, OPERATOR_CODE, type Scene } from './scene.ts';

const at = (page: Page, testId: string) => page.locator(`[data-testid="${testId}"]`);
const OPERATOR = 'operator.story@example.com';
const MERCHANT = 'operated.story@example.com';
const PASSWORD = 'long enough for now';
const REASON = 'Called back from the number on file';

async function register({ open, stack }: Scene, email: string, code?: string): Promise<Page> {
  const page = await open({ viewport: DESKTOP });
  await page.goto(`${stack.url}/account/register#operator`);
  await at(page, 'email').fill(email);
  await at(page, 'password').fill(PASSWORD);
  if (code !== undefined) await at(page, 'operator_code').fill(code);
  await at(page, 'login-submit').click();
  return page;
}

/** The operator's area on the real API. */
export function describeOperator(sceneOf: () => Scene): void {
  it('registers with the code, once, and acts on an account, whose owner reads of it', async () => {
    const scene = sceneOf();
    const { url } = scene.stack;
    const merchant = await register(scene, MERCHANT);
    await at(merchant, 'start').waitFor();
    expect(await at(merchant, 'nav-operator').count()).toBe(0);
    const operator = await register(scene, OPERATOR, OPERATOR_CODE);
    await at(operator, 'nav-operator').click();
    await at(operator, 'chains').locator('tbody tr').nth(1).waitFor();
    const late = await register(scene, 'late.story@example.com', OPERATOR_CODE);
    await at(late, 'operator_code-error').waitFor();

    await at(operator, 'operator-accounts').click();
    await at(operator, 'q').fill(MERCHANT);
    await at(operator, 'account-find').click();
    await at(operator, 'account-link').getByText(MERCHANT).click();
    await operator.locator('input[data-testid^="until-"]').fill('2100-01-31');
    await at(operator, 'subscription-submit').click();
    await at(operator, 'subscription-set').waitFor();
    await at(operator, 'reason').fill(REASON);
    await at(operator, 'unlock-submit').click();
    await at(operator, 'unlocked').waitFor();

    await merchant.goto(`${url}/account/settings`);
    await at(merchant, 'subscription').getByText('2100').waitFor();
    await merchant.goto(`${url}/account/audit`);
    await merchant.getByText(REASON).waitFor();
    expect(await merchant.content()).not.toContain(OPERATOR);
    await merchant.goto(`${url}/account/operator`);
    await at(merchant, 'unknown').waitFor();
    for (const page of [merchant, operator, late]) await page.context().close();
  });
}
