import type { DonationLinkInfo } from '@paywatch/domain/contract';
import type { Language } from '../ui/language.ts';

/** How chats and social networks show a link to a page. */
export type LinkPreviewProps = {
  readonly title: string;
  readonly description: string;
  /** The absolute URL of the page; null if it is unknown. */
  readonly url: string | null;
  /** The path of the picture. */
  readonly image: string;
  /** Shown large; the picture of an owner may be small, and is shown beside the text. */
  readonly isWide: boolean;
  readonly language: Language;
};

/** The description where the owner has written no text. */
const PREVIEW_TEXTS: Readonly<Record<Language, string>> = {
  en: 'Donate with Bitcoin or Litecoin. The money goes straight to the recipient.',
  de: 'Mit Bitcoin oder Litecoin spenden. Das Geld geht direkt an die empfangende Person.',
};

const LOCALES: Readonly<Record<Language, string>> = { en: 'en_US', de: 'de_DE' };

/** How others show a link to a donation page: with the words and the picture of its owner, or with the image of all pages. Pure. */
export function previewOf(
  { text, picture_url: picture }: DonationLinkInfo,
  { linkImage, ...page }: Pick<LinkPreviewProps, 'title' | 'url' | 'language'> & { linkImage: string },
): LinkPreviewProps {
  const description = text ?? PREVIEW_TEXTS[page.language];
  return { ...page, description, image: picture ?? linkImage, isWide: picture === undefined };
}

/** The Open Graph tags (ogp.me) of a page. Crawlers accept only absolute URLs. */
export function LinkPreview({ title, description, url, language, image, isWide }: LinkPreviewProps) {
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:locale" content={LOCALES[language]} />
      {url === null ? null : <meta property="og:url" content={url} />}
      {url === null ? null : <meta property="og:image" content={new URL(image, url).href} />}
      <meta name="twitter:card" content={isWide ? 'summary_large_image' : 'summary'} />
    </>
  );
}
