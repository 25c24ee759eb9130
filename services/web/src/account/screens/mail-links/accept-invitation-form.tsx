import type { DoneView, ProjectSummaryView } from '@paywatch/domain/contract';
import { useEffect } from 'preact/hooks';
import { isolated } from '../../../ui/isolated.ts';
import { Notice } from '../../../ui/notice.tsx';
import { useLoad } from '../../api/use-load.ts';
import { useSubmit } from '../../api/use-submit.ts';
import { useAccount } from '../../app/account-context.ts';
import { deleteKeptInvitation, keepInvitation } from '../../app/kept-invitation.ts';
import { Form, ProblemNotice, SubmitButton } from '../../parts/form/form.tsx';
import { Result } from '../../parts/form/result.tsx';
import { WhenLoaded } from '../../parts/panel.tsx';
import { ROLE_TEXTS } from '../members/role-texts.ts';
import { INVITATION_TEXTS } from './invitation-texts.ts';

/** Accepts an invitation with a link. Without a session it is kept until the reader has logged in, in this tab or another. */
export function AcceptInvitationForm({ token }: { token: string }) {
  const { isLoggedIn } = useAccount();
  useEffect(() => keepInvitation(token, isLoggedIn, Date.now()), [token, isLoggedIn]);
  return isLoggedIn ? <LoggedIn token={token} /> : <LoginFirst />;
}

function LoggedIn({ token }: { token: string }) {
  const { api } = useAccount();
  const me = useLoad(() => api.getMe(), [api]);
  return (
    <WhenLoaded loaded={me}>{({ account }) => <Accept email={account.email} token={token} />}</WhenLoaded>
  );
}

function LoginFirst() {
  const words = INVITATION_TEXTS[useAccount().language];
  return (
    <>
      <p>{words.lead}</p>
      <p data-testid="login-first">{words.who}</p>
      <div class="buttons">
        <a class="button button--main" href="/account/login" data-testid="invitation-login">
          {words.logIn}
        </a>
        <a class="button" href="/account/register" data-testid="invitation-register">
          {words.register}
        </a>
      </div>
    </>
  );
}

/** What became of an invitation that cannot be accepted any more; it is forgotten. */
const ENDS: ReadonlyMap<string, 'dead' | 'already'> = new Map([
  ['link_expired', 'dead'],
  ['already_member', 'already'],
]);

function Accept({ email, token }: { email: string; token: string }) {
  const { api, language } = useAccount();
  const words = INVITATION_TEXTS[language];
  const submit = useSubmit<ProjectSummaryView>();
  const accept = async () => {
    const joined = await submit.send(() => api.acceptInvitation(token));
    if (joined !== null) deleteKeptInvitation();
  };
  const { problem, value: joined } = submit;
  const end = ENDS.get(problem?.code ?? '');
  if (joined !== null) return <Joined project={joined} />;
  if (end !== undefined) return <Ended why={end} />;
  const isOther = problem?.code === 'invitation_for_other_email';
  return (
    <>
      <p>{words.lead}</p>
      <Form testId="accept-form" problem={isOther ? null : problem} onSubmit={() => void accept()}>
        {isOther ? (
          <Notice tone="act" testId="other-email">
            {words.otherEmail(isolated(email))}
          </Notice>
        ) : (
          <p data-testid="accept-as">
            {words.youAre(isolated(email))} {words.ask}
          </p>
        )}
        {isOther ? null : (
          <SubmitButton isBusy={submit.isBusy} testId="accept-submit">
            {words.accept}
          </SubmitButton>
        )}
      </Form>
      <OtherWays token={token} isMain={isOther} />
    </>
  );
}

/** Another account, or another time. */
function OtherWays({ token, isMain }: { token: string; isMain: boolean }) {
  const { api, language, navigate, endSession } = useAccount();
  const words = INVITATION_TEXTS[language];
  const logout = useSubmit<DoneView>();
  const useOther = async () => {
    if ((await logout.send(() => api.logout())) === null) return;
    keepInvitation(token, false, Date.now());
    endSession('loggedOut');
  };
  const decline = () => {
    deleteKeptInvitation();
    navigate('/account');
  };
  return (
    <>
      <ProblemNotice problem={logout.problem} />
      <div class="buttons">
        <button
          type="button"
          class={isMain ? 'button button--main' : 'button'}
          data-testid="other-account"
          onClick={() => void useOther()}
        >
          {words.other}
        </button>
        <button type="button" class="button" data-testid="decline" onClick={decline}>
          {words.decline}
        </button>
      </div>
    </>
  );
}

function Joined({ project: { project_id: id, name, role } }: { project: ProjectSummaryView }) {
  const { language, navigate, chooseProject } = useAccount();
  const words = INVITATION_TEXTS[language];
  const open = () => {
    chooseProject(id);
    navigate('/account');
  };
  return (
    <Result>
      <Notice tone="calm" icon="check" testId="joined">
        {words.done(isolated(name ?? words.unnamed), ROLE_TEXTS[language][role].name)}
      </Notice>
      <button type="button" class="button button--main" data-testid="open-joined" onClick={open}>
        {words.open}
      </button>
    </Result>
  );
}

function Ended({ why }: { why: 'dead' | 'already' }) {
  const words = INVITATION_TEXTS[useAccount().language];
  useEffect(deleteKeptInvitation, []);
  return (
    <Result>
      <Notice tone="act" testId={`invitation-${why}`}>
        {words[why]}
      </Notice>
      <a class="button" href="/account" data-testid="to-overview">
        {words.toOverview}
      </a>
    </Result>
  );
}
