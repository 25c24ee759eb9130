import type { OperatedAccountDetails } from '@paywatch/domain/contract';
import { useState } from 'preact/hooks';
import { useSubmit } from '../../api/use-submit.ts';
import { useSignedInAccount } from '../../app/account-context.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Fact, Facts } from '../../parts/facts.tsx';
import { Form, SubmitButton, TextInput } from '../../parts/form/form.tsx';
import { Panel } from '../../parts/panel.tsx';
import type { AccountProps } from './account-props.ts';
import { isRefused } from './is-refused.ts';
import type { OperatorTexts } from './operator-texts.ts';
import { subscriptionText, utcDay } from './subscription-text.ts';

type Project = OperatedAccountDetails['projects'][number];
type Props = AccountProps & { project: Project };

/** A project of an account, with its subscription, whose end can be set. */
export function ProjectPanel(props: Props) {
  const { project, words } = props;
  const { language } = useSignedInAccount();
  const { account: labels, subscription } = words;
  return (
    <Panel title={project.name ?? labels.unnamed} testId="operated-project">
      {project.first ? <p class="quiet">{labels.first}</p> : null}
      <Facts>
        <Fact label={subscription.heading} testId="subscription">
          {subscriptionText(project.subscription, subscription, language)}
        </Fact>
        <Fact label={labels.wallets}>
          <Wallets project={project} words={words} />
        </Fact>
        <Fact label={labels.webhook}>
          {project.webhook === null ? words.none : <code dir="ltr">{project.webhook.url}</code>}
        </Fact>
      </Facts>
      <SubscriptionForm {...props} />
    </Panel>
  );
}

function Wallets({ project: { wallets }, words }: { project: Project; words: OperatorTexts }) {
  if (wallets.length === 0) return <>{words.none}</>;
  return (
    <>
      {wallets.map(({ currency, free_addresses: free, verified, limited }) => (
        <div key={currency}>
          {words.account.wallet(currency, free)}{' '}
          {verified ? null : <Badge tone="calm">{words.account.unverified}</Badge>}
          {limited ? <Badge tone="waiting">{words.account.limited}</Badge> : null}
        </div>
      ))}
    </>
  );
}

function SubscriptionForm({ operator, words, account, project, onChanged }: Props) {
  const { language } = useSignedInAccount();
  const [day, setDay] = useState('');
  const submit = useSubmit<OperatedAccountDetails>();
  const isRefusedDay = isRefused(submit.problem);
  const { project_id } = project;
  const set = async () => {
    const until = `${day}T23:59:59.999Z`;
    const changed = await submit.send(() =>
      operator.setSubscription(account.account_id, { project_id, until }),
    );
    if (changed !== null) onChanged(changed);
  };
  return (
    <Form
      testId="subscription-form"
      problem={isRefusedDay ? null : submit.problem}
      hasInputError={isRefusedDay}
      onSubmit={() => void set()}
    >
      <TextInput
        id={`until-${project_id}`}
        label={words.subscription.until}
        hint={words.subscription.untilHint}
        type="date"
        value={day}
        error={isRefusedDay ? words.subscription.future : undefined}
        onValue={(value) => {
          setDay(value);
          submit.reset();
        }}
      />
      {submit.value === null ? null : (
        <Notice tone="calm" icon="check" testId="subscription-set">
          {words.subscription.done(utcDay(day, language))}
        </Notice>
      )}
      <SubmitButton isBusy={submit.isBusy} testId="subscription-submit">
        {words.subscription.set}
      </SubmitButton>
      <p class="quiet">{words.account.audited}</p>
    </Form>
  );
}
