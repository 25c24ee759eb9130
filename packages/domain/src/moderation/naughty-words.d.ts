declare module 'naughty-words' {
  type Language =
    | ('cs' | 'da' | 'de' | 'es' | 'fi' | 'fr' | 'hu' | 'it' | 'ja' | 'ko')
    | ('nl' | 'no' | 'pl' | 'pt' | 'ru' | 'sv' | 'th' | 'tr' | 'zh');
  /** Offensive words and phrases by language. */
  const words: Readonly<Record<Language, readonly string[]>>;
  export default words;
}
