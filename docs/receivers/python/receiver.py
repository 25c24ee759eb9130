"""Receives Paywatch webhooks with the standard library of Python 3.9 or later.

Run it behind a proxy that terminates TLS, with the endpoint's secret in PAYWATCH_SECRET:

    PAYWATCH_SECRET=whsec_... PORT=3000 HANDLED=./handled python3 receiver.py
"""

import hashlib
import hmac
import json
import os
import re
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
MAX_BYTES = 1024 * 1024


class Refused(Exception):
    """The request was not sent by Paywatch, or not recently. Never process its body."""


def verify(raw_body: bytes, header: str, secret: str, now: float) -> dict:
    """Returns the event in a raw body. Raises Refused if the signature or its time is invalid."""
    if not secret.startswith("whsec_"):
        raise ValueError("the secret must begin with whsec_")
    parts = [part.strip() for part in header.split(",")]
    times = [part[2:] for part in parts if re.fullmatch(r"t=[0-9]{1,12}", part)]
    signatures = [part[3:] for part in parts if re.fullmatch(r"v1=[0-9a-f]{64}", part)]
    if len(times) != 1 or not signatures:
        raise Refused("X-Signature is not t=<unix time>,v1=<hex>")
    signed = times[0].encode() + b"." + raw_body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    # compare_digest compares in constant time.
    if not any([hmac.compare_digest(expected, given) for given in signatures]):
        raise Refused("no signature matches")
    if abs(now - int(times[0])) > TOLERANCE_SECONDS:
        raise Refused("signed more than 5 minutes from now")
    return json.loads(raw_body)


def handle_once(event: dict, folder: str) -> bool:
    """Deliveries repeat. This example marks processed events with files. A shop stores their ids in a unique column, in
    the same transaction as the shipment, so that both are committed or neither is."""
    mark = os.path.join(folder, urllib.parse.quote(event["id"], safe=""))
    try:
        open(mark, "x").close()
    except FileExistsError:
        return False
    try:
        handle(event)
    except Exception:
        os.remove(mark)
        raise
    return True


def handle(event: dict) -> None:
    if event.get("test"):
        return
    if event["type"] == "invoice.confirmed":
        print("ship order", event["data"]["invoice"]["order_id"], flush=True)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BYTES:
            self.close_connection = True
            return self.answer(413, "too long")
        raw_body = self.rfile.read(int(length))
        try:
            event = verify(raw_body, self.headers.get("X-Signature", ""), SECRET, time.time())
        except Refused as refusal:
            return self.answer(400, str(refusal))
        try:
            self.answer(200, "handled" if handle_once(event, HANDLED) else "seen before")
        except Exception:
            # Paywatch retries after any status but 2xx: immediately, after 5 minutes, and so on for a week.
            self.answer(500, "failed")
            raise

    def answer(self, status: int, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    SECRET = os.environ["PAYWATCH_SECRET"]
    HANDLED = os.environ.get("HANDLED", "./handled")
    os.makedirs(HANDLED, exist_ok=True)
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
