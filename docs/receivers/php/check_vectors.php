<?php

/* Checks every vector: `php check_vectors.php ../vectors.json` exits with 0 if all results are as expected. */

declare(strict_types=1);

require __DIR__ . '/verify.php';

$vectors = json_decode((string) file_get_contents($argv[1]), true, 512, JSON_THROW_ON_ERROR);
foreach ($vectors as $vector) {
    try {
        verify_webhook($vector['body'], $vector['headers']['X-Signature'] ?? '', $vector['secret'], $vector['now']);
        $isAccepted = true;
    } catch (Refused) {
        $isAccepted = false;
    }
    if ($isAccepted !== $vector['accept']) {
        fwrite(STDERR, $vector['title'] . "\n");
        exit(1);
    }
}
echo count($vectors), " vectors\n";
