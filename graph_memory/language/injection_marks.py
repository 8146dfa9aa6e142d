# ruff: noqa: E501 - the lines are alternatives, and read better whole
"""What shows by itself that a text speaks to a model: what stands in prompts and answers, and orders in fixed words."""

from __future__ import annotations

import re

from graph_memory.language import patterns
from graph_memory.language.injection_phrases import LANGUAGES

# What stands in prompts and answers and hardly ever in what somebody states.
SHAPES = patterns.compile(
    r"\b(?:DUPLICATE|SUPERSEDES?D?|COEXIST)\b|\bMERGE\b(?=[^a-z]*$|\s*(?:all|with|into|every|everything|the)\b)"
    r"|[\"'{,]\s*(?:verdicts?|action|operation|confidence|should_consolidate|approved|classification|decision|threat|target_id|"
    r"memory_id|memory_ids|consolidates_memory_ids|related_memory_ids|candidate|role|tool_calls?|function_call|link_from)"
    r"[\"']?\s*[:=]\s*[\"'{\[\d.tfn]"
    r"|\b(?:verdicts?|action|should_consolidate|approved)\"?\s*[:=]\s*[\"{\[\d.tf]"
    r"|</?\s*(?:system|assistant|user|human|data|instructions?|verdicts?|memory|memories|context|prompt|tool|function\w*|admin|"
    r"developer|im_start|im_end|s|inst|sys|new|known|candidate|statement)\b[^>\n]{0,60}>"
    r"|</?\s*data-[0-9a-f]+|</data\b|<\|[\w ]{1,24}\|?>|<<\s*/?\s*SYS\s*>>|\[\s*/?\s*(?:INST|SYSTEM|ASSISTANT|USER|ADMIN)\b[^\]\n]{0,24}\]?"
    r"|^\s*(?:#{2,}|-{3,}|={3,}|\*{2,})\s*(?:system|new|end|begin|start of|end of|assistant|admin|developer|override)\b"
    r"[^\n]{0,40}(?:instructions?|prompt|message|data|input|context|override|rules|system)",
    re.MULTILINE,
)
ROLES = patterns.compile(
    r"(?:^|[.!?\n\"'(\])}]\s*|[-*#>]\s*)(?:system|developer|assistant|judge|classifier|admin(?:istrator)?|root|memory manager|moderator|human|"
    r"sistema|système|systeme|система|administrador|administrateur|администратор|asistente|assistent|系统|系統|システム|시스템|النظام|sistem)"
    r"(?:\s*(?:prompt|message|note|override|instruction|update|notice|command|mensaje|nachricht|消息|提示|メッセージ|"
    r"сообщение))?\s*(?:\([^)\n]{0,30}\))?\s*[:：]\s*\S",
    re.IGNORECASE,
)
# Orders in English that are not of the common form.
ENGLISH = patterns.compile(
    r"\b(?:system|developer|hidden|initial|original)\s+(?:prompt|message|override|instructions?)\b[^.\n]{0,24}(?:[:=]|\bis now\b|\bsays\b)"
    r"|\b(?:print|reveal|repeat|output|show|leak|dump|ignore|disregard|bypass|override)\b[^.\n]{0,24}\b(?:system|hidden|initial|developer)\s+(?:prompt|message|instructions?)\b"
    r"|\byou (?:are|must|should|will|shall|have to|need to)(?: now| always| only)? (?:(?:an? (?:ai|assistant|judge|language model|unrestricted|jailbroken)|"
    r"classify|supersede|obey|comply|act as|ignore (?:all|any|the|every)|(?:merge|retire|delete|replace) (?:all|any|every|each|these|those|known|other))\b|"
    r"(?:answer|respond|reply|return|output|mark|treat)\b[^.\n]{0,24}\b(?:with|as|json|all|each|every|only|id|ids)\b)"
    r"|\byou are now (?:in |an? |the |dan\b|\w+gpt\b|free)|\bact as (?:an? |the )?(?:ai|admin|system|judge|root|developer|dan)\b"
    r"|\bpretend (?:that )?(?:you|to be|all|every)\b[^.\n]{0,40}\b(?:ai|admin|rules|memor|restrictions|system|judge)"
    r"|\b(?:mark|classify|treat|flag|label|consider|regard|declare|report)\b[^.\n]{0,60}\b(?:as|to be)\b[^.\n]{0,24}\b(?:duplicates?|outdated|superseded|"
    r"obsolete|merged|invalid|retired|deleted|expired)\b"
    r"|\b(?:answer|respond|reply|output|return|say)\b(?: only| just| exactly| always)?(?: with)?\s*[:\"“'`]?\s*(?:the )?(?:word |label |json |action |verdict )?[\"“'`]?"
    r"(?:duplicate|supersede|merge|coexist|approved|json|yes for)\b"
    r"|\b(?:new|updated|revised|real|actual|secret|important) (?:system )?(?:instructions?|directives?|prompt|rules)(?: for (?:you|the (?:ai|assistant|judge|model|system)))?\s*[:：]"
    r"|\b(?:attention|note to|message (?:to|for)|instructions? (?:to|for)|dear|hey|attn)\W{0,3}(?:the |any |every )?(?:ai|llm|assistant|language model|judge|classifier|memory (?:system|manager|service)|model)\b"
    r"(?=\s*(?:[,:!.;–-]|models?\b|systems?\b|assistants?\b|reading\b|$))"
    r"|\b(?:this|the (?:new|following|present)) (?:statement|memory|fact|entry|message|one) (?:supersedes|replaces|overrides|retires|invalidates|cancels|takes precedence over)\b"
    r"|\bset (?:the )?confidence (?:to|at|of)\b|\bwith (?:a )?confidence (?:of )?(?:1(?:\.0+)?|100 ?%|0?\.9\d*)\b"
    r"|\b(?:jailbreak|developer|god|debug|sudo|maintenance) mode (?:is )?(?:now )?(?:enabled|activated|on)\b|\bsudo (?:delete|rm|merge|supersede)\b"
    r"|\bdo anything now\b|\bend of (?:data|input|context|document|user (?:input|message))\b"
    r"|\b(?:decode|execute|run|follow|obey) (?:the|this|these|my|what)\b[^.\n]{0,40}\b(?:base64|encoded|instructions?|orders?|commands?|payload)\b"
    r"|\b(?:call|invoke|use|run|execute) (?:the )?(?:tool|function)\b[^.\n]{0,24}\b(?:delete|forget|erase|merge|supersede|retract)",
    re.IGNORECASE,
)
ELSEWHERE = patterns.compile(
    r"\b(?:du bist (?:jetzt|nun|ab sofort) (?:ein|der|die)|du (?:musst|sollst) (?:antworten|ausgeben|löschen|ersetzen|markieren)|antworte (?:nur |immer )?mit|markiere (?:alle|jede)|behandle (?:alle|diese)|"
    r"tu es (?:maintenant|désormais) (?:un|une|le|la)|réponds? (?:uniquement |toujours )?(?:par|avec)|répondez (?:par|avec)|marque[zr]? (?:tous|toutes|chaque)|"
    r"(?:ahora )?eres ahora|ahora eres|responde (?:solo |siempre )?(?:con|únicamente)|marca (?:tod[ao]s|cada)|"
    r"(?:adesso|ora) sei|rispondi (?:solo |sempre )?con|contrassegna (?:tutt[ei]|ogni)|segna (?:tutt[ei]|ogni)|"
    r"agora (?:você é|és)|você agora é|responda (?:apenas |sempre )?com|marque (?:tod[ao]s|cada)|"
    r"теперь ты|ты теперь|отвечай(?:те)? (?:только|всегда)|ответь(?:те)?[ :]|пометь(?:те)? (?:все|кажд)|считай(?:те)? (?:все|кажд)|"
    r"أنت الآن|أجب (?:فقط )?ب|اعتبر (?:جميع|كل)|ضع علامة على)"
    r"|你现在是|你現在是|请?(?:只|仅)?(?:回答|输出|回复)[\"“「]?(?:DUPLICATE|SUPERSEDE|MERGE|重复|替代|取代)|将(?:所有|全部|其他)[^。]{0,16}(?:标记|视)为|把(?:所有|全部|其他)[^。]{0,16}(?:标记|视|删|当)"
    r"|あなたは今(?:から|や)|と(?:だけ)?(?:答え|回答|出力)(?:て|し|せよ|しなさい)|(?:すべて|全て|他)の?[^。]{0,16}(?:とみなし|とマークし|として扱)",
    re.IGNORECASE,
)
# Characters between the parts of an order at most; fewer where a character is a word.
GAP, SHORT_GAP = 40, 16
ENGLISH_ORDERS = patterns.compile(
    # A command opens its clause: "Ann told Ben to ignore the old rules of chess" is told of somebody.
    r"(?:^|[.!?:;,\n\"'“”(\[{>*-]\s*|\b(?:please|now|and|then|but|you must|you should|so|always|just|immediately|kindly|also|to|says?|said|reads)\s+)"
    r"(?:please\s+|now\s+|kindly\s+|you\s+)?"
    rf"(?:(?:{LANGUAGES['en'].ignore})\b[^.!?\n]{{0,{GAP}}}?\b(?:{LANGUAGES['en'].before})\b[^.!?\n]{{0,30}}?\b"
    rf"(?:{LANGUAGES['en'].rules}|{LANGUAGES['en'].memories}|(?:was|is|were|has been) (?:said|told|written|above|before))\b"
    rf"|(?:{LANGUAGES['en'].remove})\b[^.!?\n]{{0,{GAP}}}?\b(?:{LANGUAGES['en'].everything})\b[^.!?\n]{{0,30}}?\b(?:{LANGUAGES['en'].memories})\b"
    rf"|(?:{LANGUAGES['en'].ignore})\s+(?:everything|all|anything)\b(?:[^.!?\n]{{0,20}}\b(?:above|before|previous|said|told|know|known)\b|\s*[.!,;:]))",
    re.IGNORECASE | re.MULTILINE,
)
TOLD_OF = patterns.compile(
    r"\b(?:told|asked|asks|advised|decided|wants?|wanted|tends?|used|likes?|learn(?:ed|t)?|tried|going|agreed|chose|how|"
    r"allowed|able|needs?|had|has|have|planned|plans|voted|when|whether|if|help|helps|helped|not|way|order|easy|hard|trying|tries|try|afraid) (?:\w+ ){0,3}(?:not )?to\s*$",
    re.IGNORECASE,
)
