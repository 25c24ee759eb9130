<?php

/*
 * Receives Paywatch webhooks with PHP 8.0 or later. Serve it like any PHP page, or try it with:
 *
 *     PAYWATCH_SECRET=whsec_… HANDLED=./handled php -S 127.0.0.1:3000 receiver.php
 */

declare(strict_types=1);

require __DIR__ . '/verify.php';

const MAX_BYTES = 1024 * 1024;

[$status, $text] = receive();
http_response_code($status);
echo $text;

function receive(): array
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        return [405, 'POST only'];
    }
    // The signature covers the raw bytes; JSON that was parsed and serialized again does not match.
    $rawBody = (string) file_get_contents('php://input', false, null, 0, MAX_BYTES + 1);
    if (strlen($rawBody) > MAX_BYTES) {
        return [413, 'too long'];
    }
    try {
        $event = verify_webhook($rawBody, $_SERVER['HTTP_X_SIGNATURE'] ?? '', (string) getenv('PAYWATCH_SECRET'), time());
        return [200, handle_once($event) ? 'handled' : 'seen before'];
    } catch (Refused $refusal) {
        return [400, $refusal->getMessage()];
    } catch (Throwable $failure) {
        // Paywatch retries after any status but 2xx: immediately, after 5 minutes, and so on for a week.
        error_log((string) $failure);
        return [500, 'failed'];
    }
}

/**
 * Deliveries repeat. This example marks processed events with files. A shop stores their ids in a unique column, in the
 * same transaction as the shipment, so that both are committed or neither is.
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
        throw new RuntimeException('cannot write to the folder of processed events');
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
