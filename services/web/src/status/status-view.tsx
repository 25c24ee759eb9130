import type { ServiceState, ServiceStatus } from '@paywatch/domain/contract';
import type { Language } from '../ui/language.ts';
import { utcText } from '../ui/moment.tsx';
import { ageText } from './age-text.ts';
import { STATUS_TEXTS, type StatusTexts } from './status-texts.ts';

/** The status page. All times are UTC: the server does not know the zone of the reader. */
export function StatusView({ status, language }: { status: ServiceStatus; language: Language }) {
  const texts = STATUS_TEXTS[language];
  return (
    <article class="card status" data-testid="status" data-state={status.state}>
      <h1 class="label">{texts.title}</h1>
      <p class={`status__state is-${status.state}`}>{texts.overall[status.state]}</p>
      <p class="status__checked">{texts.checked(`${status.checked_at.slice(11, 19)} UTC`)}</p>
      {status.state === 'unavailable' ? <p class="status__checked">{texts.unavailableNote}</p> : null}
      <ul class="status__list">
        {partsOf(status, texts, language).map(({ name, state, detail }) => (
          <li key={name} class="status__part">
            <span class="status__name">{name}</span>
            <span class={`is-${state}`}>{texts.states[state]}</span>
            {detail === null ? null : <span class="status__detail">{detail}</span>}
          </li>
        ))}
      </ul>
      {status.state === 'unavailable' ? null : <Incidents status={status} texts={texts} />}
    </article>
  );
}

type Part = { name: string; state: ServiceState; detail: string | null };

function partsOf(status: ServiceStatus, texts: StatusTexts, language: Language): Part[] {
  const { api, streams, chains, webhooks, mail } = status;
  return [
    { name: texts.api, state: api.state, detail: null },
    {
      name: texts.streams,
      state: streams.state,
      detail: streams.state === 'delayed' ? texts.streamsDelayed : null,
    },
    ...chains.map((chain) => ({
      name: texts.components[chain.currency],
      state: chain.state,
      detail: chainDetail(chain, Date.parse(status.checked_at), { texts, language }),
    })),
    ...(webhooks === null ? [] : [delivery('webhooks', webhooks, texts)]),
    ...(mail === null ? [] : [delivery('mail', mail, texts)]),
  ];
}

function chainDetail(
  { state, tip_height: height, tip_at: minedAt, read_at: readAt }: ServiceStatus['chains'][number],
  nowMs: number,
  { texts, language }: { texts: StatusTexts; language: Language },
): string {
  const age = (at: string) => ageText(nowMs - Date.parse(at), texts);
  const tip = texts.tip(new Intl.NumberFormat(language).format(height), age(minedAt));
  return state === 'operational' ? tip : `${tip}. ${texts.chainDelayed(age(readAt))}`;
}

function delivery(
  component: 'webhooks' | 'mail',
  { state, lag_seconds: seconds }: NonNullable<ServiceStatus['mail']>,
  texts: StatusTexts,
): Part {
  const detail = state === 'operational' ? texts.prompt : texts.lag(ageText(seconds * 1000, texts));
  return { name: texts.components[component], state, detail };
}

function Incidents({ status: { incidents }, texts }: { status: ServiceStatus; texts: StatusTexts }) {
  return (
    <>
      <h2 class="status__heading">{texts.incidents}</h2>
      {incidents.length === 0 ? <p class="status__checked">{texts.noIncidents}</p> : null}
      <ul>
        {incidents.map((incident) => (
          <li key={`${incident.component} ${incident.started_at}`} class="status__part">
            <span class="status__name">{texts.components[incident.component]}</span>
            <span class="status__detail">{timesOf(incident, texts)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function timesOf(
  { started_at: start, ended_at: end }: ServiceStatus['incidents'][number],
  texts: StatusTexts,
): string {
  if (end === null) return texts.ongoing(utcText(start));
  return texts.ended(utcText(start), ageText(Date.parse(end) - Date.parse(start), texts));
}
