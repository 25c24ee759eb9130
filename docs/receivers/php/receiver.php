<?php

/*
 * Takes Paywatch's webhooks. Serve it as any page of PHP 8.0 or newer, or to try it:
 *
 *     PAYWATCH_SECRET=whsec_… HANDLED=./handled php -S 127.0.0.1:3000 receiver.php
 */

declare(strict_types=1);

require __DIR__ . '/verify.php';

const MOST_BYTES = 1024 * 1024;

[$status, $text] = receive();
http_response_code($status);
echo $text;

function receive(): array
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        return [405, 'POST only'];
    }
    // The bytes as they came: JSON that was parsed and written again does not match the signature.
    $rawBody = (string) file_get_contents('php://input', false, null, 0, MOST_BYTES + 1);
    if (strlen($rawBody) > MOST_BYTES) {
        return [413, 'too long'];
    }
    try {
        $event = verify_webhook($rawBody, $_SERVER['HTTP_X_SIGNATURE'] ?? '', (string) getenv('PAYWATCH_SECRET'), time());
        return [200, handle_once($event) ? 'handled' : 'seen before'];
    } catch (Refused $refusal) {
        return [400, $refusal->getMessage()];
    } catch (Throwable $failure) {
        // Anything but a 2xx is sent again: at once, then after 5 minutes, and so on for a week.
        error_log((string) $failure);
        return [500, 'failed'];
    }
}

/**
 * Deliveries repeat. A file stands here for what a shop has in its database: a unique column of ids, filled in the
 * transaction that ships, so that neither can be without the other.
 */
function handle_once(array $event): bool
{
    $folder = getenv('HANDLED') ?: './handled';
    if (!is_dir($folder)) {
        @mkdir($folder, 0700, true);
    }
    $mark = $folder . '/' . rawurlencode($event['id']);
    $file = @fopen($mark, 'x');
    if ($file === false) {
        if (file_exists($mark)) {
            return false;
        }
        throw new RuntimeException('the folder of handled events cannot be written');
    }
    fclose($file);
    try {
        handle($event);
    } catch (Throwable $failure) {
        unlink($mark);
        throw $failure;
    }
    return true;
}

function handle(array $event): void
{
    if (($event['test'] ?? false) === true) {
        return;
    }
    if ($event['type'] === 'invoice.confirmed') {
        error_log('ship order ' . ($event['data']['invoice']['order_id'] ?? ''));
    }
}
