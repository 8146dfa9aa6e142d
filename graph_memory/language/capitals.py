"""Whether a text is in a language that writes every noun with a capital letter, where those tell nothing of names."""

from __future__ import annotations

from functools import lru_cache

from graph_memory.language import sentences
from graph_memory.language.english import ADVERBS, NOT_A_VERB, UNCHANGING, words_of

# The commonest small words of German, without those that are words of English as well.
_GERMAN = (
    words_of(
        """
        ich du er sie es wir ihr mich mir dich dir uns euch ihm ihn ihnen mein meine meinen meinem meiner dein deine
        deinen sein seine seinen seinem seiner ihre ihren ihrem ihrer unser unsere unseren unserem der das dem den des
        ein eine einen einem einer eines und oder aber nicht kein keine keinen keinem ist sind bist seid wird wurde
        wurden werden habe haben hatte hatten kann muss soll vom zu zum zur nach bei beim ins im am aus auf für über unter
        gegen ohne durch um seit jetzt nun schon noch auch sehr nur immer wieder heißt heisst dass weil wenn als wie mit
        von vor mag gern gerne wohnt wohne arbeitet arbeite geht gibt hat trinkt trinke isst nie mehr dort hier heute
        """
    )
    - ADVERBS
    - NOT_A_VERB
    - UNCHANGING
)
_ENGLISH = (
    ADVERBS
    | NOT_A_VERB
    | UNCHANGING
    | words_of("am is are was were be been have has had does did not you who")
)
# "Der Spiegel" and "Das Boot" are titles in an English text; two small words are a sentence.
_FEWEST = 2


@lru_cache(maxsize=2048)
def is_on_all_nouns(text: str) -> bool:
    """Whether it is German, by its small words: at least two, and more than are English."""
    words = [word.lower() for word in sentences.words(text)]
    german = sum(word in _GERMAN and word not in _ENGLISH for word in words)
    return german >= _FEWEST and german > sum(word in _ENGLISH for word in words)
