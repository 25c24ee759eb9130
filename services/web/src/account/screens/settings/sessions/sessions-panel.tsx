import type { DoneView, OpenSessionView, SessionList } from '@paywatch/domain/contract';
import { Moment } from '../../../../ui/moment.tsx';
import { useLoad, type Loaded } from '../../../api/use-load.ts';
import { useSubmit } from '../../../api/use-submit.ts';
import { useSignedInAccount } from '../../../app/account-context.ts';
import { forgetSavedFilters } from '../../../app/stored-filters.ts';
import { Badge } from '../../../parts/badge.tsx';
import { ConfirmButton } from '../../../parts/form/confirm-button.tsx';
import { ProblemNotice } from '../../../parts/form/form.tsx';
import { Panel, WhenLoaded } from '../../../parts/panel.tsx';
import { SESSIONS_TEXTS } from './sessions-texts.ts';

/** Where the account is logged in. */
export function SessionsPanel() {
  const { api, language } = useSignedInAccount();
  const { heading, lead } = SESSIONS_TEXTS[language];
  const loaded = useLoad(() => api.listSessions(), [api]);
  return (
    <Panel title={heading} testId="sessions">
      <p class="quiet">{lead}</p>
      <WhenLoaded loaded={loaded}>{(list) => <Sessions list={list} reload={loaded.reload} />}</WhenLoaded>
      <LogoutAll />
    </Panel>
  );
}

type SessionsProps = { list: SessionList; reload: Loaded<SessionList>['reload'] };

function Sessions({ list: { data }, reload }: SessionsProps) {
  const { api, language } = useSignedInAccount();
  const texts = SESSIONS_TEXTS[language];
  const submit = useSubmit<unknown>();
  const end = async (session: OpenSessionView) => {
    // Reload after a failure, too: the session may have ended meanwhile.
    await submit.send(() => api.endOneSession(session.session_id));
    await reload();
  };
  const endOthers = async () => {
    if ((await submit.send(() => api.logoutOthers())) !== null) await reload();
  };
  return (
    <>
      <ProblemNotice problem={submit.problem?.code === 'session_not_found' ? null : submit.problem} />
      {data.map((session) => (
        <SessionLine key={session.session_id} session={session} onEnd={() => void end(session)} />
      ))}
      {data.length > 1 ? (
        <div class="buttons">
          <ConfirmButton
            question={texts.endOthersAsk}
            detail={texts.endOthersDetail}
            testId="end-others"
            onConfirm={() => void endOthers()}
          >
            {texts.endOthers}
          </ConfirmButton>
        </div>
      ) : null}
    </>
  );
}

function SessionLine({ session, onEnd }: { session: OpenSessionView; onEnd: () => void }) {
  const { language } = useSignedInAccount();
  const texts = SESSIONS_TEXTS[language];
  const device = session.device ?? texts.unknownDevice;
  return (
    <div class="lines__line" data-testid="session">
      <span>
        <strong>{device}</strong>{' '}
        <span class="quiet">
          {session.ip === null ? null : `${session.ip}, `}
          {texts.lastUsed} <Moment at={session.last_used_at} language={language} />
        </span>
      </span>
      {session.current ? (
        <Badge tone="done" testId="current-session">
          {texts.current}
        </Badge>
      ) : (
        <ConfirmButton
          question={texts.endAsk(device)}
          detail={texts.endDetail}
          testId="end-session"
          onConfirm={onEnd}
        >
          {texts.end}
        </ConfirmButton>
      )}
    </div>
  );
}

function LogoutAll() {
  const { api, language, endSession } = useSignedInAccount();
  const texts = SESSIONS_TEXTS[language];
  const submit = useSubmit<DoneView>();
  const leave = async () => {
    if ((await submit.send(() => api.logoutAll())) === null) return;
    forgetSavedFilters();
    endSession('loggedOutEverywhere');
  };
  return (
    <>
      <ProblemNotice problem={submit.problem} />
      <div class="buttons">
        <ConfirmButton
          question={texts.logoutAllAsk}
          detail={texts.logoutAllDetail}
          testId="logout-all"
          onConfirm={() => void leave()}
        >
          {texts.logoutAll}
        </ConfirmButton>
      </div>
    </>
  );
}
