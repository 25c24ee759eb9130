import { createSeededRandom, type SeededRandom } from '@paywatch/dev/testing';
import { OVERLAY_IMAGES, OVERLAY_SOUNDS, OVERLAY_TEMPLATES } from '@paywatch/domain/overlay';
import { byOperator } from '@paywatch/store/accounts';
import {
  changeModeration,
  changeOverlaySettings,
  controlAlerts,
  type ControlAction,
} from '@paywatch/store/donations';
import { inTransaction } from '@paywatch/store/postgres';
import { isCalm } from '../shared/process-faults.ts';
import { nameOf, type Truth } from './truth.ts';
import type { Project, StreamsStage } from './streams-stage.ts';

const HOLD_MODES = ['all', 'links_and_words', 'none', 'none'] as const;
const LONGEST_RULE_MS = 8000;
const LONGEST_SETTINGS_MS = 1500;
const LONGEST_ORDERS_MS = 1500;
const TIERS = 5;

export type ChangeCounts = { settings: number; orders: number; rules: number };

/**
 * Changes the settings, the orders of moderators and the moderation rule of each project's overlay until the signal aborts. Changes of one
 * kind follow each other within a project, so the last one is known.
 */
export async function changeOverlays(
  { store, projects }: Pick<StreamsStage, 'store' | 'projects'>,
  { truth, seed, signal }: { truth: Truth; seed: number; signal: AbortSignal },
): Promise<ChangeCounts> {
  const counts = { settings: 0, orders: 0, rules: 0 };
  const repeat = async (longestMs: number, random: SeededRandom, change: () => Promise<void>) => {
    while (await isCalm(random.integer(longestMs), signal)) await change();
  };
  const changeOne = async (project: Project, index: number): Promise<void> => {
    const random = createSeededRandom(seed + 3000 + index);
    const world = { store, project, truth, random };
    await Promise.all([
      repeat(LONGEST_SETTINGS_MS, random, () => changeSettings(world, (counts.settings += 1))),
      repeat(LONGEST_ORDERS_MS, random, () => changeOrders(world).then(() => void (counts.orders += 1))),
      repeat(LONGEST_RULE_MS, random, () => changeRule(world).then(() => void (counts.rules += 1))),
    ]);
  };
  await Promise.all(projects.map(changeOne));
  return counts;
}

type World = Pick<StreamsStage, 'store'> & { project: Project; truth: Truth; random: SeededRandom };

/** The number of the change is one of the settings, so that each client shows which it has. */
async function changeSettings({ store, project, truth, random }: World, number: number): Promise<void> {
  const tiers = Array.from({ length: random.integer(TIERS + 1) }, (_, index) => ({
    min_amount_btc: String((index + 1) * 1000),
    min_amount_ltc: String((index + 1) * 1000),
    template: random.pick(OVERLAY_TEMPLATES),
    image: random.pick(OVERLAY_IMAGES),
    image_upload: null,
    sound: random.pick(OVERLAY_SOUNDS),
    sound_upload: null,
    duration_seconds: 1 + random.integer(20),
  }));
  const change = { min_amount_btc: String(number), tiers };
  await changeOverlaySettings(store, byOperator, project.projectId, change);
  truth.noteOverlay(project, { settings: number });
}

async function changeOrders({ store, project, truth, random }: World): Promise<void> {
  const action = random.pick<ControlAction>([
    { action: 'pause' },
    { action: 'resume' },
    { action: 'skip' },
    { action: 'clear' },
    { action: 'volume', volume: random.integer(101) },
  ]);
  const state = await inTransaction(store, (tx) => controlAlerts(tx, project.controlToken, action));
  if (state === null) throw new Error(`the control page of project ${nameOf(project)} is gone`);
  if (action.action === 'volume') truth.noteOverlay(project, { volume: action.volume });
  if (action.action === 'pause') truth.noteOverlay(project, { paused: true });
  if (action.action === 'resume') truth.noteOverlay(project, { paused: false });
}

async function changeRule({ store, project, truth, random }: World): Promise<void> {
  const hold = random.pick(HOLD_MODES);
  await truth.whileChangingRule(project, hold, () =>
    changeModeration(store, byOperator, project.projectId, { hold }),
  );
}
