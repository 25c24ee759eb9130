import type { Figure, Measure } from '@paywatch/dev/commands';
import { createSeededRandom } from '@paywatch/dev/testing';
import { simulateOutage, type OutageCosts } from './simulate-outage.ts';

const EVENTS_PER_HOUR = 6000;
const HANG_MS = 10_000;
/** From a restart to a week in which nobody looks. */
const HOURS = [1 / 12, 1, 6, 24, 72, 168];

/** What an endpoint that hangs for so long leaves behind, by the product's own plan of attempts: no server is started. */
export const run: Measure = async ({ terminal, seed }) => {
  const { fraction } = createSeededRandom(seed);
  const outages = await terminal.step('Simulating', async () =>
    HOURS.map((hours) => ({
      hours,
      costs: simulateOutage({ hours, eventsPerHour: EVENTS_PER_HOUR, hangMs: HANG_MS, random: fraction }),
    })),
  );
  return outages.flatMap(({ hours, costs }) => figuresOf(nameOf(hours), costs));
};

function nameOf(hours: number): string {
  return hours < 1 ? `${Math.round(hours * 60)}m` : `${hours}h`;
}

function figuresOf(outage: string, costs: OutageCosts): Figure[] {
  return [
    { name: `${outage}_attempts_per_event`, value: costs.attemptsPerEvent },
    { name: `${outage}_held_seconds_per_event`, value: costs.heldSecondsPerEvent },
    { name: `${outage}_given_up_share`, value: costs.givenUpShare },
    { name: `${outage}_median_hours`, value: costs.medianHours },
    { name: `${outage}_last_hours`, value: costs.lastHours },
    { name: `${outage}_peak_ratio`, value: costs.peakRatio },
  ];
}
