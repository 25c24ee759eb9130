export { chromiumOptions } from './chromium.ts';
export { medianExtraMs } from './extra-time.ts';
export { killTree, processTree } from './process-tree.ts';
export { type SeededRandom, createSeededRandom } from './seeded-random.ts';
export { removeFolder, temporaryFolder } from './temporary-folder.ts';
export { sampleGif, sampleMp3, sampleOgg, samplePicture, sampleWav } from './sample-files.ts';
export { HANG_TIMEOUT_MS, waitUntil } from './wait-until.ts';
