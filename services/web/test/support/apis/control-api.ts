import {
  controlViewSchema,
  controlOverlayBodySchema,
  decideHeldDonationBodySchema,
  type ControlView,
  type HeldDonation,
} from '@paywatch/domain/contract';
import type { ServerResponse } from 'node:http';
import { startContractServer, type Answer, type PageReader } from '../contract-server.ts';
import { problem } from '../problem.ts';

/** A held donation of 0.0005 BTC from Mallory. */
export function heldDonation(change: Partial<HeldDonation> = {}): HeldDonation {
  return {
    id: '1',
    reason: 'link',
    donor_name: 'Mallory',
    donor_message: 'Buy followers at spam.example',
    amount: '50000',
    currency: 'BTC',
    confirmed_at: '2026-11-20T12:00:00.000Z',
    ...change,
  };
}

const EMPTY: ControlView = {
  paused: false,
  volume: 100,
  project_name: 'Chess with Grace',
  held: [],
  held_count: 0,
  recent: [],
};

/** Starts a server with one control page, over a view in memory. */
export async function startControlServer() {
  const open = new Set<ServerResponse>();
  const state = { view: EMPTY, version: 1, calls: [] as unknown[], answer: null as Answer | null };
  const text = () => `id: ${state.version}\nevent: control\ndata: ${JSON.stringify(state.view)}\n\n`;
  const change = (view: Partial<ControlView>): void => {
    state.view = controlViewSchema.parse({ ...state.view, ...view });
    state.version += 1;
    for (const response of open) response.write(text());
  };
  const answer = (body: unknown, response: unknown, apply: () => void): Answer => {
    state.calls.push(body);
    if (state.answer !== null) return state.answer;
    apply();
    return { status: 200, body: response };
  };
  const server = await startContractServer({
    handlers: {
      controlOverlay: ({ body }) => {
        const { action, volume = state.view.volume } = controlOverlayBodySchema.parse(body);
        const paused = { pause: true, resume: false }[action as string] ?? state.view.paused;
        return answer(body, { paused, volume }, () => change({ paused, volume }));
      },
      decideHeldDonation: ({ body }) => {
        const { held_id: id, decision } = decideHeldDonationBodySchema.parse(body);
        const held = state.view.held.filter((donation) => donation.id !== id);
        return answer(body, { held_id: id, decision }, () => change({ held, held_count: held.length }));
      },
    },
    streams: {
      streamControl: (_call, response) => {
        if (state.answer !== null) {
          response.writeHead(state.answer.status).end();
          return;
        }
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(`retry: 100\n\n${text()}`);
        open.add(response);
        response.on('close', () => open.delete(response));
      },
    },
    pages: controlPage,
  });
  const drop = (): void => {
    for (const response of open) response.destroy();
  };
  return { ...server, state, change, drop, gone: problem('not_found') };
}

const controlPage: PageReader = (path) => (path.startsWith('/control/') ? { page: 'control' } : null);
