import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { describeAccount } from './account.ts';
import { describeMailLinks } from './mail-links.ts';
import { createMerchant, type Merchant } from './merchant.ts';
import { describeDocs } from './docs.ts';
import { describeEmbed } from './embed.ts';
import { describeMembers } from './members.ts';
import { describeModeration } from './moderation.ts';
import { describeOperator } from './operator.ts';
import { describePasskeys } from './passkeys.ts';
import { describeSpeed } from './page-speed.ts';
import { describeDonations, describePayments, describeWeights } from './payments.ts';
import { describeExampleShop } from './example-shop.ts';
import { describePointOfSale } from './point-of-sale.ts';
import { openScene, type Scene } from './scene.ts';

// All tests share one stack and run one after another, because a block mined by one confirms payments of the others.
let scene: Scene;
let merchant: Merchant;
const sceneOf = () => scene;
const merchantOf = () => merchant;

beforeAll(async () => {
  scene = await openScene();
  merchant = await createMerchant(scene);
});
afterAll(() => scene.stop());
afterEach(() => {
  const faults = scene.faults.splice(0);
  if (faults.length > 0) throw new Error(faults.join('\n'));
});

describe('the payment page', () => {
  describePayments(sceneOf, merchantOf);
});
describe('every page', () => {
  describeWeights(sceneOf, merchantOf);
});
describe('the donation page', () => {
  describeDonations(sceneOf, merchantOf);
});
describe('the payment button', () => {
  describeEmbed(sceneOf);
});
describe('the point of sale', () => {
  describePointOfSale(sceneOf);
});
describe('the example shop', () => {
  describeExampleShop(sceneOf);
});
describe('moderation', () => {
  describeModeration(sceneOf, merchantOf);
});
describe('the API reference', () => {
  describeDocs(sceneOf);
});
describe('on a slow phone', () => {
  describeSpeed(sceneOf, merchantOf);
});
describe('links in mails', () => {
  describeMailLinks(sceneOf);
});
describe('members of a project', () => {
  describeMembers(sceneOf);
});
describe('the operator', () => {
  describeOperator(sceneOf);
});
describe('passkeys', () => {
  describePasskeys(sceneOf);
});
describe('the account area', () => {
  describeAccount(sceneOf);
});
