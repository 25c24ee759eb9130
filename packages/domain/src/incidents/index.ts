export {
  INCIDENT_COMPONENTS,
  findTroubles,
  type IncidentComponent,
  type ServiceFacts,
  type Trouble,
} from './find-troubles.ts';
