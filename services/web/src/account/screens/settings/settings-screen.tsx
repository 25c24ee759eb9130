import { LIMITS } from '@paywatch/domain/limits';
import type { DoneView, ProjectView } from '@paywatch/domain/contract';
import { plainText } from '@paywatch/domain/visible-text';
import { useState } from 'preact/hooks';
import { Moment } from '../../../ui/moment.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Fact, Facts } from '../../parts/facts.tsx';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { PasswordStrength } from '../../parts/form/password-strength.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { May } from '../../parts/may.tsx';
import { Panel, Screen } from '../../parts/panel.tsx';
import { fieldError } from '../../api/problem-message.ts';
import { SubscriptionPanel } from './subscription-panel.tsx';
import { useSubmit } from '../../api/use-submit.ts';

/** Loaded with this screen only. */
const PriceMarginsPanel = lazy(async () => (await import('./price-margins-panel.tsx')).PriceMarginsPanel);
const FiatCurrencyPanel = lazy(async () => (await import('./fiat-currency-panel.tsx')).FiatCurrencyPanel);
const BrandingPanel = lazy(async () => (await import('./branding/branding-panel.tsx')).BrandingPanel);
const ProjectsPanel = lazy(async () => (await import('../projects/projects-panel.tsx')).ProjectsPanel);
const MailPanels = lazy(async () => (await import('./mail-panels.tsx')).MailPanels);

const SecondFactorsPanel = lazy(
  async () => (await import('./second-factors/second-factors-panel.tsx')).SecondFactorsPanel,
);

const SessionsPanel = lazy(async () => (await import('./sessions/sessions-panel.tsx')).SessionsPanel);

const LeavingPanel = lazy(async () => (await import('./leaving/leaving-panel.tsx')).LeavingPanel);

/** The account settings: project name, subscription, password, sessions. */
export function SettingsScreen() {
  const { texts, me, language } = useSignedInAccount();
  return (
    <Screen title={texts.settings.heading} testId="settings">
      <Panel>
        <Facts>
          <Fact label={texts.settings.email} testId="account-email">
            {me.account.email}
          </Fact>
          <Fact label={texts.settings.since}>
            <Moment at={me.account.created_at} language={language} />
          </Fact>
        </Facts>
        <May call="updateProject">
          <ProjectForm />
        </May>
      </Panel>
      <ProjectsPanel />
      <May call="getSubscription">
        <SubscriptionPanel />
      </May>
      <May call="updateBranding">
        <BrandingPanel />
      </May>
      <May call="updateProject">
        <FiatCurrencyPanel />
        <PriceMarginsPanel />
      </May>
      <MailPanels />
      <Panel title={texts.settings.password}>
        <PasswordForm />
      </Panel>
      <SecondFactorsPanel />
      <SessionsPanel />
      <May call="listAuditLog">
        <Panel title={texts.settings.audit}>
          <p class="quiet">{texts.settings.auditDetail}</p>
          <a class="button" href="/account/audit" data-testid="audit-link">
            {texts.settings.auditLink}
          </a>
        </Panel>
      </May>
      <LeavingPanel />
    </Screen>
  );
}

/** Whether a typed name consists of invisible characters only. */
function isInvisible(name: string): boolean {
  return name.trim() !== '' && plainText(name) === '';
}

function ProjectForm() {
  const { api, texts, me, refresh } = useSignedInAccount();
  const [name, setName] = useState(me.project.name ?? '');
  const submit = useSubmit<ProjectView>();
  const save = async () => {
    if ((await submit.send(() => api.updateProject({ name }))) !== null) await refresh();
  };
  return (
    <Form testId="project-form" problem={submit.problem} onSubmit={() => void save()}>
      <TextInput
        id="project_name"
        label={texts.settings.project}
        hint={texts.settings.projectHint}
        value={name}
        error={isInvisible(name) ? texts.settings.invisible : fieldError(submit.problem, 'name', texts)}
        onValue={(value) => {
          setName(value);
          submit.reset();
        }}
      />
      {submit.value === null ? null : (
        <Notice tone="calm" icon="check" testId="project-saved">
          {texts.common.saved}
        </Notice>
      )}
      <SubmitButton isBusy={submit.isBusy} testId="project-save">
        {texts.common.save}
      </SubmitButton>
    </Form>
  );
}

function PasswordForm() {
  const { api, texts, me, endSession } = useSignedInAccount();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const submit = useSubmit<DoneView>();
  const change = async () => {
    const body = { current_password: current, new_password: next };
    if ((await submit.send(() => api.changePassword(body))) !== null) endSession('passwordChanged');
  };
  const isWrong = submit.problem?.code === 'invalid_credentials';
  return (
    <Form
      testId="password-form"
      problem={isWrong ? null : submit.problem}
      hasInputError={isWrong}
      onSubmit={() => void change()}
    >
      {/* Password managers read from it which account the password belongs to. */}
      <input type="email" name="email" value={me.account.email} autocomplete="username" readOnly hidden />
      <TextInput
        id="current_password"
        label={texts.settings.current}
        type="password"
        autocomplete="current-password"
        value={current}
        error={isWrong ? texts.settings.wrongPassword : fieldError(submit.problem, 'current_password', texts)}
        onValue={setCurrent}
      />
      <TextInput
        id="new_password"
        label={texts.settings.new}
        hint={`${texts.login.passwordHint(LIMITS.password.minLength)} ${texts.settings.changeHint}`}
        type="password"
        autocomplete="new-password"
        value={next}
        error={fieldError(submit.problem, 'new_password', texts)}
        onValue={setNext}
      />
      <PasswordStrength password={next} />
      <SubmitButton isBusy={submit.isBusy} testId="password-change">
        {texts.settings.change}
      </SubmitButton>
    </Form>
  );
}
