# ruff: noqa: E501 - the lines are alternatives, and read better whole
"""What keys look like, and the words that announce a secret: data, read by `secrets.py`.

A table and no library: those that are kept well scan lines of source files, want quotes around a value, and know neither
cards nor what people say ("the wifi password is ...").
"""

from __future__ import annotations

from graph_memory.language.english import words_of

# Keys that tell by themselves what they are: the kind, and the expression for the whole of one.
KEYS: tuple[tuple[str, str], ...] = (
    ("private_key", r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|\Z)"),
    ("private_key", r"\bAGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    ("token", r"\beyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*){0,3}"),
    ("api_key", r"\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]{1,20}[-_]){0,4}(?=[\w-]*\d)[A-Za-z0-9_-]{16,}"),
    ("api_key", r"\b(?:ghp|gho|ghu|ghs|ghr|hf|npm|pypi|glpat|gldt|glrt|glcbt|glptt|whsec|shpat|shpss|shpca|shppa|dckr_pat|"
                r"figd|sbp|lin_api|ntn|pul|PMAK|NRAK|dp\.pt|hvs|hvb|tskey|rubygems|pscale_tkn|pscale_pw|glsa|glc|dop_v1|doo_v1|"
                r"dor_v1|nfp|rnd|re|xai|gsk|r8|fw|pplx|ATATT3x|ATCTT3x|sntrys|phc|phx|sq0atp|sq0csp|EAAA|gm)"
                r"[-_.](?=[\w.=-]*\d)[\w.=-]{16,}"),
    ("api_key", r"\bgithub_pat_\w{20,}"),
    ("api_key", r"\bxox[a-z](?:\.xox[a-z])?-[\w-]{10,}|\bxapp-\d-[\w-]{10,}"),
    ("api_key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b"),
    ("api_key", r"\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}"),
    ("api_key", r"\bSG\.[\w-]{16,}\.[\w-]{16,}"),
    ("api_key", r"\bSK[0-9a-f]{32}\b|\bkey-[0-9a-f]{32}\b|\b[0-9a-f]{32}-us\d{1,2}\b|\bdapi[0-9a-f]{32}\b"),
    ("token", r"\b\d{8,10}:AA[\w-]{30,}"),
    ("token", r"\b[MNO][A-Za-z\d_-]{22,27}\.[\w-]{6}\.[\w-]{27,}"),
    ("webhook", r"https://hooks\.slack\.com/(?:services|workflows)/[\w/]{20,}|https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/\d+/[\w-]{20,}"),
    ("api_key", r"(?<=[?&;]sig=)[\w%+/=-]{20,}"),
)  # fmt: skip

# Words for what is given as a password, in the languages that people talk in.
OF_PEOPLE = (
    r"pass[ -]?words?|pass[ -]?phrases?|passwd|pass[ -]?code|pwd|pw|log-?in code|master key|"
    r"passw[oö]rt|kennwort|zugangscode|mots? de passe|mdp|contrase[ñn]as?|senhas?|palavras?[- ]passe|"
    r"parola d'ordine|parola|wachtwoord|has[łl]o|[şs]ifre(?:si|miz|m)?|l[öo]senord|adgangskode|salasana|jelszó|heslo|"
    r"парол[ьяюе]м?|密码|密碼|口令|パスワード|暗証番号|비밀번호|كلمة (?:المرور|السر)|رمز عبور|סיסמה|पासवर्ड"
)
# Words for what a machine is given. "Public", "primary" and the like are told apart by what stands before them.
OF_MACHINES = (
    r"(?:api|access|secret|client|private|auth(?:entication|orization)?|bearer|refresh|session|signing|encryption|"
    r"service|deploy|license|licence|personal access|webhook|consumer|account|shared|master|app)"
    r"[ _-]?(?:key|token|secret)s?|secret[ _-]access[ _-]key|credentials?|api[ _-]?schl[üu]ssel|cl[ée](?: d')? ?api|"
    r"clave (?:de )?api|chave (?:de )?api|chiave api|токен|ключ api|api密钥|密钥|apiキー"
)
# Words for short numbers that open something.
OF_LOCKS = (
    r"social security number|ssn|pin(?:[ -]?(?:code|number|nummer))?|cv[vc]2?|security code|(?:door|gate|alarm|entry|safe|locker|key ?pad|unlock|"
    r"lock ?box|lock|garage|access|sim|verification|2fa|mfa|one[- ]time|backup|puk)[ -](?:code|pin|combination)|puk|"
    r"t[üu]rcode|code pin|geheimzahl|digicode|пин-?код|otp"
)
OF_WALLETS = r"(?:seed|recovery|mnemonic|backup|wallet)[ -](?:phrase|words)|mnemonic"

# How a value is said to be one.
IS = (
    r"(?:['’]s\s+|\s*[:=：＝]{1,2}>?\s*|\s*->\s*|\s+(?:is|was|are|equals|to|ist|war|lautet|est|es|é|è|foi|jest|to|является|такой|"
    r"هي|هو|=)(?:\s+(?:still|now|currently|just|jetzt|now:))?\s*:?\s+|\s*(?:是|为|為|は|은|는)\s*)"
)
# What may stand between the word and "is": for what it is a password.
OF = (
    r"(?:\s+(?:for|of|to|on|at|in|from|für|fürs|vom|von|zum|zur|im|am|pour|du|de|des|del|da|do|per|para|dla|do|к|от|для)\s+"
    r"[^.:;=!?\n\"'`]{1,48}?)?"
)
# One of these stands in every text that announces a secret; in lower case.
TRIGGERS = (
    "pass", "pwd", "pw", "mdp", "key", "token", "secret", "credential", "log", "sign", "bearer", "basic", "://", " -u ",
    "--", "pin", "code", "ssn", "social security", "session", "cookie", "cvv", "cvc", "puk", "otp", "combination", "phrase", "words", "mnemonic", "auth", "kennwort", "mot",
    "contrase", "senha", "palavra", "parola", "wachtwoord", "hasło", "haslo", "sifre", "şifre", "lösen", "losen", "salasana",
    "jelszó", "heslo", "парол", "пин", "токен", "ключ", "密码", "密碼", "口令", "密钥", "パスワード", "暗証番号", "キー", "비밀번호",
    "كلمة", "رمز", "סיסמה", "पासवर्ड", "schlüssel", "schlussel", "clé", "cle", "clave", "chave", "chiave", "anmelden",
    "connexion", "geheimzahl", "digicode",
)  # fmt: skip
# What is said of a password without giving it.
NO_VALUE = words_of(
    """
    a about accepted again allowed already also always an and another asked available back bad because been being best
    better blank both broken but case-sensitive changed changing clear common compromised correct created crucial dead
    default different difficult disabled due easy either empty enabled encrypted enough entered ever everything
    exactly expired expiring false fine forgotten found gone good guessable hard hashed here hidden his her hers how
    identical if important in incorrect insecure invalid it it's just kept known leaked like locked long lost made
    managed mandatory masked me mine missing my necessary needed never new no nobody none not nothing now null
    obsolete obvious off okay old on one only optional or our ours outdated owned part pending plain possible private
    protected public random ready required reset revoked right rotated safe salted saved secret secure set shared
    short simple so somewhere stale still stolen stored strong such temporary terrible that the their theirs there
    these they this to tomorrow too true typed unavailable under unique unknown unset updated used useless valid very
    visible weak what when where which why with working worse wrong written yes yet your yours ist nicht falsch
    abgelaufen sehr zu das der die sicher unsicher neu alt vergessen gespeichert es no muy incorrecta segura caducada
    la el una est pas incorrect oublié trop très perdu un une le la não é muito errada segura è non sbagliata scaduta
    molto неверный забыт не очень
    """
)
