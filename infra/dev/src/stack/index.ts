export { type ApiClient, ApiProblem, createApiClient } from './api-client.ts';
export { type EventStream, openEventStream } from './event-stream.ts';
export { assembleImage } from '../image/image-tree.ts';
export { type Merchant, openMerchant } from './open-merchant.ts';
export { repositoryFolder, serviceProgram, spawnService } from './processes.ts';
export { type Receiver, startReceiver } from './receiver.ts';
export { type StackService, startStackService } from './stack-service.ts';
export { type Stack, startStack } from './stack.ts';
export { type DemoMerchant, runDemo } from './demo.ts';
