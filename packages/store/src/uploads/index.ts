export {
  createUpload,
  deleteUpload,
  listUploads,
  loadUploadedFile,
  type NewUpload,
  type Upload,
} from './uploads.ts';
