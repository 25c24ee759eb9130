export { type InspectedUpload, inspectUpload, type UploadProblem } from './inspect-upload.ts';
