export { type QueueBoard, openQueueBoard } from './queue-board.ts';
export { type BlockQueue, awaitJobAdded, closeWorker, createQueue, createWorker } from './queues.ts';
