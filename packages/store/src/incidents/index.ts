export { startIncidentRecorder } from './incident-recorder.ts';
export { listIncidents, recordIncidents, type Incident } from './incidents.ts';
export { readServiceFacts } from './service-facts.ts';
