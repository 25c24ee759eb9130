/** Refuses the system's Node, which runs vitest in a plain shell. */
export default function requireNode26(): void {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 26)
    throw new Error(
      `these tests need Node 26, this is ${process.version}: put node_modules/.bin first on PATH`,
    );
}
