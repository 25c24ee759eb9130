/** The build extracts imported style sheets into separate files. */
declare module '*.css';

/** A style sheet that the page loads on demand; the value is its URL. */
declare module '*.css?url' {
  const url: string;
  export default url;
}

declare module '*.svg' {
  const url: string;
  export default url;
}
