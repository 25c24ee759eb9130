export { type Store, openStore } from './store.ts';
