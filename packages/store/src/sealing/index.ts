export { type ResealProgress, type SecretSurvey, resealSecrets, surveySecrets } from './sealed-secrets.ts';
