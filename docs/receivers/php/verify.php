<?php

declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/** The request was not sent by Paywatch, or not recently. Never process its body. */
final class Refused extends Exception
{
}

/** Returns the event in a raw body. Throws Refused if the signature or its time is invalid. */
function verify_webhook(string $rawBody, string $header, string $secret, int $now): array
{
    if (!str_starts_with($secret, 'whsec_')) {
        throw new InvalidArgumentException('the secret must begin with whsec_');
    }
    $times = [];
    $signatures = [];
    foreach (array_map('trim', explode(',', $header)) as $part) {
        if (preg_match('/\At=([0-9]{1,12})\z/', $part, $match)) {
            $times[] = $match[1];
        } elseif (preg_match('/\Av1=([0-9a-f]{64})\z/', $part, $match)) {
            $signatures[] = $match[1];
        }
    }
    if (count($times) !== 1 || $signatures === []) {
        throw new Refused('X-Signature is not t=<unix time>,v1=<hex>');
    }
    $expected = hash_hmac('sha256', "{$times[0]}.{$rawBody}", $secret);
    $matches = false;
    foreach ($signatures as $signature) {
        // hash_equals compares in constant time.
        $matches = hash_equals($expected, $signature) || $matches;
    }
    if (!$matches) {
        throw new Refused('no signature matches');
    }
    if (abs($now - (int) $times[0]) > TOLERANCE_SECONDS) {
        throw new Refused('signed more than 5 minutes from now');
    }
    return json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
}
