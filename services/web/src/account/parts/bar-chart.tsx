import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { isolated } from '../../ui/isolated.ts';
import { useAccount } from '../app/account-context.ts';
import { utcDayText } from '../app/day-text.ts';

/** One day of a chart: a height from 0 to 1000 for each series, and the value as text. */
export type Bar = { readonly date: string; readonly heights: readonly number[]; readonly label: string };

const HEIGHT = 1000;
const WIDTH = 24;
const GAP = 8;
/** Where days are named, as shares of the axis. */
const DAY_LABELS = [0, 0.25, 0.5, 0.75, 1];

type BarChartProps = {
  title: string;
  bars: readonly Bar[];
  /** The value at the top of the axis. */
  scale: string;
  colours: readonly string[];
  /** Explains the colors of several series. */
  legend?: ComponentChildren;
  testId: string;
};

/**
 * Thirty days as an SVG bar chart, without a library that would convert amounts to floats. For screen readers the chart
 * is one image; the table below it holds the values.
 */
export function BarChart({ title, bars, scale, colours, legend, testId }: BarChartProps) {
  const { texts, language } = useAccount();
  const [pointed, setPointed] = useState<Bar | null>(null);
  const top = bars.find(({ heights }) => heights.includes(HEIGHT));
  const titleId = useId();
  return (
    <figure class="chart" data-testid={testId}>
      <figcaption class="chart__title" id={titleId}>
        {title}
      </figcaption>
      {legend}
      <p class="chart__top" data-testid={`${testId}-top`}>
        {pointed !== null
          ? `${utcDayText(pointed.date, language)}: ${isolated(pointed.label)}`
          : top === undefined
            ? texts.overview.nothing
            : texts.overview.bestDay(isolated(top.label), utcDayText(top.date, language))}
      </p>
      <div dir="ltr">
        <p class="chart__scale" aria-hidden="true">
          {top === undefined ? '' : scale}
        </p>
        <svg
          class="chart__bars"
          role="img"
          aria-labelledby={titleId}
          viewBox={`0 0 ${bars.length * (WIDTH + GAP)} ${HEIGHT / 4}`}
          preserveAspectRatio="none"
          onPointerMove={({ currentTarget, clientX }) => {
            const { left, width } = currentTarget.getBoundingClientRect();
            setPointed(bars[Math.floor(((clientX - left) / width) * bars.length)] ?? null);
          }}
          onPointerLeave={() => setPointed(null)}
        >
          {bars.map((bar, index) => (
            <DayBars
              key={bar.date}
              bar={bar}
              x={index * (WIDTH + GAP)}
              colours={colours}
              isPointed={bar === pointed}
            />
          ))}
        </svg>
        <p class="chart__days" aria-hidden="true">
          {DAY_LABELS.map((share) => bars[Math.round(share * (bars.length - 1))]).map((bar) =>
            bar === undefined ? null : <span key={bar.date}>{utcDayText(bar.date, language)}</span>,
          )}
        </p>
      </div>
      <details class="chart__table">
        <summary data-testid={`${testId}-summary`}>{texts.overview.asTable}</summary>
        {/* Focusable, so that it can be scrolled with the keyboard. */}
        <div class="chart__scroll" role="group" aria-labelledby={titleId} tabIndex={0}>
          <table class="plain-table" aria-labelledby={titleId}>
            <thead>
              <tr>
                <th scope="col">{texts.overview.day}</th>
                <th scope="col">{title}</th>
              </tr>
            </thead>
            <tbody>
              {bars.map(({ date, label }) => (
                <tr key={date}>
                  <th scope="row">{date}</th>
                  <td>
                    <bdi>{label}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

/** The bars of one day, overlapping, the widest behind. A day without values shows a thin base line. */
function DayBars(props: { bar: Bar; x: number; colours: readonly string[]; isPointed: boolean }) {
  const { bar, x, colours, isPointed } = props;
  return (
    <g>
      {isPointed ? <rect class="bar--pointed" x={x} y={0} width={WIDTH} height={HEIGHT / 4} /> : null}
      {bar.heights.map((height, series) => (
        <rect
          key={series}
          class={colours[series]}
          x={x + (series * WIDTH) / 4}
          y={(HEIGHT - Math.max(height, series === 0 ? 8 : 0)) / 4}
          width={WIDTH - (series * WIDTH) / 2}
          height={Math.max(height, series === 0 ? 8 : 0) / 4}
        />
      ))}
    </g>
  );
}
