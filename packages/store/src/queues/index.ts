export { type QueueBoard, openQueueBoard } from './queue-board.ts';
export { type BlockQueue, addedInTime, closeWorker, createQueue, createWorker } from './queues.ts';
