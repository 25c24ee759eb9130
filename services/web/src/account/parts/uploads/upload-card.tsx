import type { UploadView } from '@paywatch/domain/contract';
import { useEffect, useState } from 'preact/hooks';
import { useSignedInAccount } from '../../app/account-context.ts';
import { ConfirmButton } from '../form/confirm-button.tsx';
import { fileSize, uploadPath } from './upload-file.ts';
import type { UploadTexts } from './upload-texts.ts';

type UploadCardProps = { upload: UploadView; words: UploadTexts; onRemove: () => void };

/** One uploaded file. */
export function UploadCard({ upload, words, onRemove }: UploadCardProps) {
  const { language } = useSignedInAccount();
  const { kind, name, bytes, width, height, duration_ms: duration } = upload;
  const size = fileSize(bytes);
  const seconds = ((duration ?? 0) / 1000).toLocaleString(language, { maximumFractionDigits: 1 });
  return (
    <li class="upload" data-testid="upload">
      <div class="upload__sample">
        {kind === 'image' ? (
          <img src={uploadPath(upload)} alt="" loading="lazy" />
        ) : (
          <PlayButton upload={upload} words={words} />
        )}
      </div>
      <div class="upload__text">
        <bdi class="upload__name">{name}</bdi>
        <span class="quiet">
          {kind === 'image'
            ? words.imageFacts(width ?? 0, height ?? 0, size)
            : words.soundFacts(seconds, size)}
        </span>
      </div>
      <ConfirmButton
        question={words.removeAsk(name)}
        detail={words.removeDetail}
        testId="delete-upload"
        onConfirm={onRemove}
      >
        {words.remove}
      </ConfirmButton>
    </li>
  );
}

function PlayButton({ upload, words }: Omit<UploadCardProps, 'onRemove'>) {
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null);
  useEffect(() => () => audio?.pause(), [audio]);
  const play = () => {
    const started = new Audio(uploadPath(upload));
    const onEnd = () => setAudio(null);
    started.addEventListener('ended', onEnd);
    started.play().catch(onEnd);
    setAudio(started);
  };
  const label = audio === null ? words.play : words.stop;
  return (
    <button
      type="button"
      class="button button--small"
      aria-label={words.playName(upload.name, label)}
      data-testid="play-upload"
      data-playing={audio !== null}
      onClick={() => (audio === null ? play() : setAudio(null))}
    >
      {label}
    </button>
  );
}
