/** The build extracts imported style sheets into separate files. */
declare module '*.css';
