import type { DonationLinkInfo } from '@paywatch/domain/contract';
import type { Language } from '../../ui/language.ts';
import { Goal } from './goal.tsx';

/**
 * The profile of the owner of the link. Rendered outside the view that the script owns, so that it needs no script. Its texts
 * are untrusted.
 */
export function Profile({ link, language }: { link: DonationLinkInfo; language: Language }) {
  const { picture_url: picture, text, links = [], goal } = link;
  if (picture === undefined && text === undefined && links.length === 0 && goal === undefined) return null;
  return (
    <header class="profile" data-testid="profile">
      {picture === undefined ? null : (
        <img class="profile__picture" src={picture} alt="" width={96} height={96} data-testid="picture" />
      )}
      {text === undefined ? null : (
        <p class="profile__text" dir="auto">
          {text}
        </p>
      )}
      {links.length === 0 ? null : (
        <ul class="profile__links">
          {links.map(({ title, url }) => (
            <li key={url}>
              <ProfileLink title={title} url={url} />
            </li>
          ))}
        </ul>
      )}
      {goal === undefined ? null : <Goal goal={goal} language={language} />}
    </header>
  );
}

/** The host is shown because the title may promise another one. It is in ASCII, so that letters of other scripts imitate none. */
function ProfileLink({ title, url }: { title: string; url: string }) {
  const { protocol, host } = new URL(url);
  if (protocol !== 'https:') return null;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      <bdi>{title}</bdi>{' '}
      <span class="profile__host" dir="ltr">
        {host}
      </span>
    </a>
  );
}
