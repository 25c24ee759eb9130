/** Vitest called from a plain shell runs on the system's Node without a word. */
export default function requireNode26(): void {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 26)
    throw new Error(
      `these tests need Node 26, this is ${process.version}: put node_modules/.bin first on PATH`,
    );
}
