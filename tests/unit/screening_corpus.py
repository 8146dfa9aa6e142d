"""Texts with planted secrets, all of them made up and marked FAKE where their shape allows, and texts without any."""

from __future__ import annotations

import base64
import random
import string
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_LETTERS = string.ascii_letters + string.digits


@dataclass(frozen=True)
class Planted:
    """A text, and what must not be left in it."""

    text: str
    secret: str


def planted(count: int, seed: int = 7) -> Iterator[Planted]:
    """So many texts; the same for the same seed."""
    luck = random.Random(seed)
    for at in range(count):
        make, sentences = _SHAPES[at % len(_SHAPES)]
        secret = make(luck)
        yield Planted(luck.choice(sentences).replace("{}", secret), secret)


def _some(luck: random.Random, length: int, letters: str = _LETTERS) -> str:
    made = "".join(luck.choice(letters) for _ in range(length - 2))
    return f"{made}7x"


def _card(luck: random.Random) -> str:
    prefix, length, groups = luck.choice([("4", 16, 4), ("52", 16, 4), ("37", 15, 15), ("6011", 16, 16)])
    digits = prefix + "".join(luck.choice("0123456789") for _ in range(length - len(prefix) - 1))
    total = 0
    for at, char in enumerate(reversed(digits)):
        number = int(char) * (1 if at % 2 else 2)
        total += number - 9 if number > 9 else number
    whole = digits + str(-total % 10)
    separator = luck.choice([" ", "-", ""])
    return separator.join(whole[at : at + groups] for at in range(0, length, groups))


def _iban(luck: random.Random) -> str:
    country, length = luck.choice([("DE", 22), ("NL", 18), ("FR", 27), ("GB", 22)])
    bank = "FAKE" if country in ("NL", "GB") else ""
    rest = bank + "".join(luck.choice("0123456789") for _ in range(length - 4 - len(bank)))
    number = int("".join(str(int(char, 36)) for char in f"{rest}{country}00"))
    whole = f"{country}{98 - number % 97:02d}{rest}"
    grouped = " ".join(whole[at : at + 4] for at in range(0, length, 4))
    return luck.choice([whole, grouped])


def _token(luck: random.Random) -> str:
    parts = [
        base64.urlsafe_b64encode(f'{{"{name}":"FAKE{_some(luck, 12)}"}}'.encode()).decode().rstrip("=")
        for name in ("alg", "sub")
    ]
    return f"{parts[0]}.{parts[1]}.{_some(luck, 22)}"


def _private_key(luck: random.Random) -> str:
    kind = luck.choice(["RSA ", "EC ", "OPENSSH ", ""])
    body = "\n".join("FAKE" + _some(luck, 60) for _ in range(3))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


def _words(luck: random.Random) -> str:
    return (
        luck.choice(["Tiger", "Kiwi", "Purple", "Lemon", "Winter", "Rocket"])
        + luck.choice(["!", "#", "$", "_", "-"])
        + str(luck.randrange(100, 9999))
    )


def _phrase(luck: random.Random) -> str:
    words = [
        "apple",
        "river",
        "stone",
        "cloud",
        "maple",
        "tiger",
        "candle",
        "window",
        "garden",
        "silver",
        "rocket",
        "planet",
        "butter",
        "ladder",
    ]
    return " ".join(luck.choice(words) for _ in range(12))


_TALK = (
    "By the way, the key is {} and please keep it to yourself.",
    "Ann keeps {} in a file on her desktop.",
    "I put {} into the config yesterday and it worked.",
    "use this one: {}",
    "Here you go ({}), it is valid until March.",
    "Ben's new one is {}.",
    "curl failed until I sent {} in the header, then it was fine",
    "Mein Schlüssel ist {}, bitte nicht weitergeben.",
)
_SAID = (
    "My password is {}",
    "the wifi password at the cabin is {} by the way",
    "Ann's Netflix password: {}.",
    "pw: {}",
    'The passphrase for the backup is "{}".',
    "I changed the router password to {} on Sunday.",
    "{} is my new password",
    "log in as ann with {}",
    "You can sign in with ben@example.org / {}",
    "Mein WLAN-Passwort lautet {}.",
    "das Kennwort ist {}",
    "Le mot de passe du wifi est {}",
    "La contraseña de la oficina es {}.",
    "A senha do wifi é {}",
    "La password del portatile è {}",
    "Пароль от сети: {}",
    "密码是{}",
    "パスワードは{}です",
    "كلمة المرور هي {}",
    "Remember that the admin password for the NAS is still {}, we never changed it.",
    "We set {} as the password for the shared laptop.",
)
_ASSIGNED = (
    "api_key={}",
    'export SERVICE_API_KEY="{}"',
    "I set API_TOKEN: {} in the environment.",
    "the .env has CLIENT_SECRET={} in it",
    '{"access_token": "{}", "expires_in": 3600}',
    "secret_key = '{}'",
    "Our API key for the weather service is {}",
    "the access token for staging is {}, ask me before you use it",
    "AUTH_TOKEN={} ./deploy.sh",
    "The webhook secret is `{}`.",
)
_URLS = (
    "The database is at postgresql://ann:{}@db.example.org:5432/app",
    "set BROKER_URL=redis://:{}@127.0.0.1:6379/0",
    "we use mongodb+srv://svc:{}@cluster.example.net/test for now",
    "Server=db;User Id=sa;Password={};Encrypt=true",
    "curl -u ann:{} https://example.org/api",
    "mysql --password={} -h db.example.org",
)
_NUMBERS = (
    "My PIN is {}.",
    "the door code for the office is {}",
    "PIN code: {}",
    "Ann's alarm code is {}, the panel is left of the door.",
    "the safe combination is {}",
)
Make = Callable[[random.Random], str]
_SHAPES: tuple[tuple[Make, tuple[str, ...]], ...] = (
    (lambda luck: "sk-ant-api03-FAKE" + _some(luck, 40), _TALK),
    (_words, _SAID),
    (lambda luck: "FAKE" + _some(luck, 28), _ASSIGNED),
    (lambda luck: "sk-proj-FAKE" + _some(luck, 32), _TALK),
    (
        _card,
        (
            "My card is {}, valid until 12/29.",
            "I paid with {} and forgot to write it down.",
            "Visa {} is the one that works",
            "Meine Kartennummer ist {}.",
        ),
    ),
    (lambda luck: "ghp_FAKE" + _some(luck, 32), _TALK),
    (_words, _SAID),
    (lambda luck: "AKIAFAKE" + _some(luck, 12, string.ascii_uppercase + string.digits).upper(), _TALK),
    (
        _iban,
        (
            "Please transfer the rent to {}.",
            "my account: {}",
            "Meine IBAN lautet {}, danke!",
            "IBAN {} belongs to the landlord",
        ),
    ),
    (_token, (*_TALK, "Authorization: Bearer {}")),
    (lambda luck: "xoxb-1234567890-FAKE" + _some(luck, 24), _TALK),
    (lambda luck: "FAKE" + _some(luck, 20), _URLS),
    (_private_key, ("This is the deploy key:\n{}\nkeep it", "{}")),
    (
        lambda luck: "FAKE" + _some(luck, 36),
        (
            "Authorization: Bearer {}",
            "call it with the header `Authorization: Bearer {}`",
            "the bearer token is {}",
        ),
    ),
    (lambda luck: "glpat-FAKE" + _some(luck, 20), _TALK),
    (_words, _SAID),
    (lambda luck: str(luck.randrange(1000, 999999)), _NUMBERS),
    (lambda luck: "AIzaFAKE" + _some(luck, 31), _TALK),
    (lambda luck: "sk_live_FAKE" + _some(luck, 24), _TALK),
    (_phrase, ("The seed phrase of my wallet is {}", "recovery phrase: {}")),
    (lambda luck: "SG.FAKE" + _some(luck, 18) + "." + _some(luck, 40), _TALK),
    (lambda luck: "hf_FAKE" + _some(luck, 30), _TALK),
    (lambda luck: "npm_FAKE" + _some(luck, 32), _TALK),
    (lambda luck: "github_pat_FAKE" + _some(luck, 50), _TALK),
)


def normal() -> list[str]:
    """Texts that people say, with numbers, ids, hashes, keys of doors and of databases, and talk about passwords."""
    luck = random.Random(11)
    digest = lambda length: "".join(luck.choice("0123456789abcdef") for _ in range(length))  # noqa: E731
    made = [
        f"The build broke at commit {digest(40)}.",
        f"git show {digest(7)} tells who changed it",
        f"The order number is {luck.randrange(10**15, 10**16)}.",
        f"Her parcel has the tracking number 1Z999AA1{luck.randrange(10**9, 10**10)}.",
        f"The request id was {uuid.UUID(int=luck.getrandbits(128))}.",
        f"Memory {uuid.UUID(int=luck.getrandbits(128))} was merged yesterday.",
        f"sha256:{digest(64)} is the digest of the image.",
        f"The checksum of the file is {digest(32)}.",
        f"Invoice 2024-{luck.randrange(1000, 9999)} over 1,299.00 euros was paid.",
        f"The ISBN is 978-3-16-{luck.randrange(100000, 999999)}-0.",
        f"Ann's phone number is +49 30 {luck.randrange(1000000, 9999999)}.",
        "Reach Ben at ben.miller@example.org, he answers quickly.",
        f"The meter reads {luck.randrange(100000, 999999)} kWh.",
        f"Bestellnummer {luck.randrange(10**11, 10**12)} ist unterwegs.",
        f'The etag is W/"{digest(20)}".',
        f"docker pull example/app@sha256:{digest(64)}",
        f"Ticket PROJ-{luck.randrange(1000, 9999)} is about the login page.",
        f"The MAC address is {':'.join(digest(2) for _ in range(6))}.",
        f"The IPv6 address is 2001:db8::{digest(4)}:{digest(4)}.",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFakeFakeFakeFakeFakeFakeFakeFakeFakeFake ann@laptop is the public key.",
    ]
    return made + [line for line in _NORMAL.strip().splitlines() if line.strip()]


_NORMAL = """
Ann forgot her password again.
The password is changed every month by Ben.
The password must have at least 12 characters.
Ann keeps her passwords in a password manager.
The password is too short, said the form.
Ben's password was leaked in 2023, so he changed it.
The password is stored as a hash.
Is the password still the same?
The wifi password is written on the fridge.
The password is wrong.
Her password is very long.
Ann asked for the password to the shared folder.
Das Passwort ist abgelaufen.
Ann hat das Passwort vergessen.
Le mot de passe est incorrect.
La contraseña es muy larga.
The password is hers alone to know.
The password is required.
password reset emails arrive within 5 minutes
Ann wrote a blog post about password hygiene in 2024.
The API key is missing in the request.
Ann rotates her API keys every 90 days.
The API key expires on 2026-03-01.
Each token costs 0.002 cents.
The context window has 200000 tokens.
The access token expires after 3600 seconds.
The secret to her bread is 24 hours of rest.
Ann's secret ingredient is cinnamon.
The key to the flat is under the mat.
The key is in the second drawer.
The primary key is user_id.
The primary key of the table is (tenant, id).
foreign key: order_id_2024
The keyboard has 104 keys.
key = lambda item: item.name
The cache key is user:42:profile.
The idempotency key is 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11.
The session was 45 minutes long.
Ann's pin collection has 120 pieces.
The pins on the map mark her trips.
PIN codes usually have 4 digits.
The code has 4000 lines.
Error code: 404
The zip code is 10115.
The area code is 030.
Ann's discount code gave her 20 % off.
The QR code opens the menu.
The dress code is casual.
Ann codes in Python 3.11 and Rust 1.80.
The version is 2026.01.3-beta.
Ann moved to 12 Elm Street in 2024 and pays 900 euros.
She was born on 1987-04-12 in Graz.
Ann runs 10 km in 52:30.
The meeting is at 15:30 in room 4.12.
The flight LH1234 leaves at 06:45.
Ann's train is ICE 1515 to Berlin.
The model number is WH-1000XM5.
Her laptop is a ThinkPad X1 Carbon Gen 11.
The part number is 9781-AB-22.
Ann's frequent flyer status is gold.
The population was 3,644,826 in 2020.
Pi is about 3.14159265358979.
The distance is 384400 km.
The repository is at https://example.org/ann/notes.
See https://example.com/page?id=12345&lang=en for details.
https://example.org/docs/2024/05/release-notes-v2-final.html
The endpoint is /api/v2/users/42/sessions.
Ann set max_tokens=4096 for the summary.
temperature: 0.7, top_p: 0.95
The default port is 7687.
The user name is ann_miller_87.
token_count = 51234
The author is Ben Okri.
authors: 3, reviewers: 2
The login page was redesigned in May.
Ann logs in every morning at 8.
Ann signs in with her work account.
The authentication works with OAuth2.
They use OAuth2-based single sign-on.
Ann prefers passkeys to passwords.
She got a certificate number of the course: C-2024-1187.
Ann's employee number is 004213.
The patient id is P-22918.
He weighs 82.5 kg and is 1.84 m tall.
The recipe needs 250 g flour, 3 eggs and 125 ml milk.
The warranty ends on 31 December 2027.
Ann's favourite chess opening is the Caro-Kann (B12).
The bus line 100 stops here.
Her bib number is 4711.
The serial number is SN-88213-KL.
The hash function is SHA-256.
Ann merged pull request #1284.
The bug is in line 348 of parser.py.
base64 makes texts a third longer.
The word "credentials" occurs 14 times in the report.
We talked about secrets management with Vault.
Ann's team stores secrets in a vault, not in code.
The seed grows in 12 days.
Recovery takes six weeks.
The security code review is on Friday.
Ann bought 4 tickets for 16.50 each.
The alarm goes off at 6:15.
"""
