import type { DonationLinkInfo } from '@paywatch/domain/contract';
import type { Language } from '../ui/language.ts';

/** How chats and social networks show a link to a page. */
export type LinkPreviewProps = {
  readonly title: string;
  readonly description: string;
  /** The absolute URL of the page; null if it is unknown. */
  readonly url: string | null;
  /** The path of a picture of the owner; undefined if there is none. */
  readonly picture: string | undefined;
  readonly language: Language;
};

/** The description where the owner has written no text. */
const PREVIEW_TEXTS: Readonly<Record<Language, string>> = {
  en: 'Donate with Bitcoin or Litecoin. The money goes straight to the recipient.',
  de: 'Mit Bitcoin oder Litecoin spenden. Das Geld geht direkt an die empfangende Person.',
};

const LOCALES: Readonly<Record<Language, string>> = { en: 'en_US', de: 'de_DE' };

/** How others show a link to a donation page: with the words and the picture of its owner. Pure. */
export function previewOf(
  { text, picture_url: picture }: DonationLinkInfo,
  page: Pick<LinkPreviewProps, 'title' | 'url' | 'language'>,
): LinkPreviewProps {
  return { ...page, description: text ?? PREVIEW_TEXTS[page.language], picture };
}

/** The Open Graph tags (ogp.me) of a page. Crawlers accept only absolute URLs. */
export function LinkPreview({ title, description, url, language, picture }: LinkPreviewProps) {
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:locale" content={LOCALES[language]} />
      {url === null ? null : <meta property="og:url" content={url} />}
      {url === null || picture === undefined ? null : (
        <meta property="og:image" content={new URL(picture, url).href} />
      )}
      <meta name="twitter:card" content="summary" />
    </>
  );
}
