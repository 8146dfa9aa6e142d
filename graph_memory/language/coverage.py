"""Whether the rules can read a text at all: they know English words only, and words between spaces.

The letters tell, the commonest small words of some languages, and where there are none of these a dictionary: no library
guesses well on five words.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from graph_memory.language import patterns
from graph_memory.language.dictionary import is_word
from graph_memory.language.english import ADVERBS, HABITUAL, NOT_A_VERB, PARTICIPLES, UNCHANGING, words_of

_WORD = patterns.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_ENGLISH = (
    words_of(
        """
        the a an is are am be been being was were has have had having do does did in on at to of for and or but nor with
        by as from into about around over under than then so if that this these those there here it its he she they them
        his her their we us our you your i me my who whom whose which what when where while because since until up out
        off down very really not no never any some every each all both more most much many few other another also only
        just still already now will would can could may might shall should must i'm i've i'll i'd it's he's she's that's
        there's isn't aren't wasn't weren't doesn't don't didn't hasn't haven't won't can't couldn't wouldn't shouldn't
        user users user's dont cant im
        """
    )
    | ADVERBS
    | NOT_A_VERB
    | UNCHANGING
    | HABITUAL
    | PARTICIPLES
)
# The commonest small words and verbs of other languages; what is a word of English too is left out.
_FOREIGN = (
    words_of(
        """
        ich du er sie wir ihr mich mir dich dir uns euch mein meine meinen meinem meiner dein deine sein seine seinen ihre
        der das dem ein eine einen einem einer eines und oder aber nicht kein keine keinen keinem mehr ist sind bist seid
        wird wurde wurden werden habe haben hatte hatten kann muss soll vom zu zum zur nach bei beim ins aus auf für über
        unter gegen ohne durch um seit jetzt nun schon noch auch sehr nur immer wieder heißt heisst wohnt wohne wohnen
        arbeitet arbeite mag gern gerne dass wenn weil wie trinkt trinke isst esse unser unsere liegt
        je tu il elle nous vous ils elles mon ma ta tes ses notre votre leur leurs est sont suis êtes était avait été être
        avoir dans sous avec sans chez qui que quoi dont où ce cet cette ces maintenant déjà encore aussi très toujours
        jamais j'ai j'habite j'aime c'est n'est n'aime d'une d'un l'ai un une aux et ou mais ne pas les du habite travaille
        aime el los las una unos unas del pero yo tú él ella ellos ellas nosotros mi mis tus sus nuestro nuestra es eres está
        están estoy fue han hay para por como donde cuando muy ya ahora todavía también siempre nunca más menos vive vivo
        trabaja trabajo gusta mucho en y
        gli uno della dello dei degli delle nel nella nei sul sulla dal dalla ma non io lui lei noi voi loro mio mia miei
        mie suo sua suoi sono sei siamo siete ho hai abbiamo hanno di che chi quando adesso ora già ancora anche molto mai
        più abita abito lavora lavoro piace è nell'
        os uma uns umas das não eu ele ela nós eles elas meu minha meus minhas seu são estou foi tem tenho têm em com sem
        pelo pela quem onde agora já ainda também muito sempre mais mora moro gosta gosto dos nas ao
        het een niet geen ik jij hij zij ze wij jullie mijn zijn haar ons onze hun heb hebt heeft hebben naar voor uit
        aan op te tot om nu nog ook zeer heel altijd nooit meer dit deze wat wie waar woont woon wonen werkt werk houdt
        og eller ikke jeg hun har fra nå och inte jag är ett bor jobbar arbeider minä hän olen ja
        się jest są był była mój moja moje jego jej już jeszcze teraz bardzo mieszka mieszkam nie na
        ve veya ama değil biz siz benim bir bu şu için ile gibi daha çok artık şimdi var yok olan yaşıyorum yaşıyor
        çalışıyorum çalışıyor severim
        """
    )
    - _ENGLISH
)
# So many words without a single English one show another language.
_TELLING = 2


@lru_cache(maxsize=4096)
def is_readable(text: str) -> bool:
    """Whether a text is English as far as can be told. What holds names alone, or a single word, counts as English."""
    if is_foreign(text):
        return False
    plain = _plain_words(text)
    return len(plain) < _TELLING or any(word in _ENGLISH or is_word(word) for word in plain)


@lru_cache(maxsize=4096)
def is_foreign(text: str) -> bool:
    """Whether its letters or its small words show another language: what no dictionary has may be slang or a misspelling."""
    words = _WORD.findall(text)
    if sum(not _is_latin(word) for word in words) * 4 > len(words):
        return True
    plain = _plain_words(text)
    foreign = sum(word in _FOREIGN for word in plain)
    return foreign > 0 and foreign >= sum(word in _ENGLISH for word in plain)


def _plain_words(text: str) -> list[str]:
    """Its words in small letters, without names: a name begins with a capital, and so does any first word."""
    words = _WORD.findall(text.replace("’", "'"))
    return [word.lower() for place, word in enumerate(words) if place == 0 or not word[0].isupper()]


def _is_latin(word: str) -> bool:
    return unicodedata.name(word[0], "").startswith("LATIN")
