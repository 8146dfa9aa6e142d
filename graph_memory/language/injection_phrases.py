# ruff: noqa: E501 - the lines are alternatives, and read better whole
"""How an order to an assistant, a judge or a memory sounds, language by language: data, read by `injection.py`.

Each language has verbs that set aside, what they would set aside, and words of whatever was said before; verbs that
remove, and what stands for everything known. An order needs a verb and its object near each other, in either order.
Verbs stand in the forms in which one commands, so that what somebody tells of another is none.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """The words of one language, as alternatives of an expression. `spaces` tells whether the edges of its words can be seen."""

    ignore: str
    rules: str
    before: str
    remove: str
    memories: str
    everything: str
    spaces: bool = True


LANGUAGES: dict[str, Language] = {
    "en": Language(
        ignore=r"ignore|disregard|forget|override|bypass|discard|pay no attention to|do not follow|don't follow|stop following|"
        r"drop|set aside|cancel",
        rules=r"instructions?|rules?|prompts?|guidelines?|directives?|orders|safeguards?|constraints|policies|policy|"
        r"system message|context|programming|training",
        before=r"previous|prior|above|earlier|preceding|all|other|any|your|everything|every|existing|former|these|those",
        remove=r"supersede|retire|delete|erase|overwrite|invalidate|merge|replace|remove|wipe|purge|clear|drop|archive|retract",
        memories=r"memor(?:y|ies)|statements?|facts?|entries|entry|records?|notes?|database|knowledge|candidates?",
        everything=r"all|every|any|other|these|those|known|previous|existing|entire|whole|stored|older|prior",
    ),
    "de": Language(
        ignore=r"ignorieren?|ignorier(?:e|t)?|missachten?|vergiss|vergesst|vergessen sie|übergehen?|verwirf|verwerfen sie|befolge nicht",
        rules=r"anweisung(?:en)?|regeln?|vorgaben?|instruktion(?:en)?|systemprompt|prompts?|richtlinien?|befehle?|anordnung(?:en)?",
        before=r"vorherigen?|bisherigen?|vorigen?|obigen?|früheren?|alle[rnsm]?|deine|ihre|sämtlichen?|vorangegangenen?",
        remove=r"lösche|löschen sie|lösch|ersetze|ersetzen sie|überschreibe|überschreiben sie|entferne|entfernen sie|verschmilz|archiviere|verwirf",
        memories=r"erinnerung(?:en)?|aussagen?|fakten|einträge|eintrag|angaben|wissen|datenbank|gedächtnis|datensätze|notizen",
        everything=r"alle[srnm]?|jede[srnm]?|sämtliche[srn]?|bekannten?|anderen?|übrigen?|bisherigen?|gespeicherten?|ganze[srn]?",
    ),
    "fr": Language(
        ignore=r"ignore[zr]?|oublie[zr]?|néglige[zr]?|ne tiens pas compte|ne tenez pas compte|fais abstraction|faites abstraction|écarte[zr]?",
        rules=r"instructions?|règles?|consignes?|directives?|ordres|invite système|prompts?|message système",
        before=r"précédente?s?|antérieure?s?|ci-dessus|toutes?|tous|tes|vos|les autres",
        remove=r"supprime[zr]?|efface[zr]?|remplace[zr]?|écrase[zr]?|fusionne[zr]?|retire[zr]?|archive[zr]?",
        memories=r"souvenirs?|déclarations?|faits|mémoires?|entrées|enregistrements|informations|base de données|notes",
        everything=r"toutes?|tous|chaque|autres|connue?s|existante?s|précédente?s|anciens|anciennes|stockée?s",
    ),
    "es": Language(
        ignore=r"ignora(?:d)?|ignore[n]?|ignorar|olvid(?:a|e|en|ad|ar)|desestim(?:a|e)|haz caso omiso|haga caso omiso|descarta|no sigas",
        rules=r"instrucci(?:ón|ones)|reglas?|normas?|directrices|órdenes|indicaciones|prompts?|mensaje del? sistema",
        before=r"anterior(?:es)?|previ[ao]s?|tod[ao]s?|tus|sus|arriba|precedentes?",
        remove=r"borra(?:d|r)?|elimina(?:d|r)?|reemplaza|sustituye|sobrescribe|fusiona|suprime|archiva|retira|borre|elimine",
        memories=r"recuerdos?|memorias?|hechos|declaraciones|afirmaciones|entradas|registros|datos|base de datos|notas",
        everything=r"tod[ao]s?|cada|otr[ao]s|conocid[ao]s|existentes|anteriores|guardad[ao]s|demás",
    ),
    "it": Language(
        ignore=r"ignora(?:te|re)?|ignori|dimentica(?:te|re)?|trascura(?:te)?|non seguire|non tenere conto|scarta(?:te)?",
        rules=r"istruzion[ei]|regol[ea]|direttiv[ea]|indicazioni|ordini|prompt|messaggio di sistema|linee guida",
        before=r"precedent[ei]|tutt[eiao]|tue|vostre|sopra|anteriori|altr[ei]",
        remove=r"cancella(?:te|re)?|elimina(?:te|re)?|sostituisci|sovrascrivi|unisci|rimuovi|archivia|ritira",
        memories=r"ricord[oi]|memori[ae]|fatti|dichiarazioni|affermazioni|voci|registrazioni|dati|database|note",
        everything=r"tutt[eiao]|ogni|altr[ei]|conosciut[ei]|esistenti|precedenti|salvat[ei]|not[ei]",
    ),
    "pt": Language(
        ignore=r"ignor(?:e|a|em|ar)|esque[çc](?:a|am)|esquece|desconsider(?:e|a|em)|despreze|descarte|não siga",
        rules=r"instruç(?:ão|ões)|regras?|diretrizes|ordens|orientações|prompts?|mensagem do sistema",
        before=r"anterior(?:es)?|prévi[ao]s?|tod[ao]s?|tuas|suas|acima|precedentes?",
        remove=r"apag(?:ue|a|uem|ar)|exclu(?:a|i|am|ir)|elimin(?:e|a|em)|substitu(?:a|i|am)|sobrescrev(?:a|e)|mescl(?:e|a)|remov(?:a|e)|arquiv(?:e|a)",
        memories=r"memórias?|lembranças?|fatos|factos|declarações|afirmações|entradas|registros|registos|dados|banco de dados|notas",
        everything=r"tod[ao]s?|cada|outr[ao]s|conhecid[ao]s|existentes|anteriores|guardad[ao]s|demais|salv[ao]s",
    ),
    "nl": Language(
        ignore=r"negeer|vergeet|sla over|veronachtzaam",
        rules=r"instructies?|regels?|opdrachten|richtlijnen|prompts?|aanwijzingen|systeembericht",
        before=r"vorige|eerdere|voorgaande|bovenstaande|alle|je|uw",
        remove=r"verwijder|wis|vervang|overschrijf|voeg samen|archiveer",
        memories=r"herinnering(?:en)?|feiten|uitspraken|gegevens|notities|geheugen|database",
        everything=r"alle|elke|andere|bekende|bestaande|vorige|opgeslagen",
    ),
    "pl": Language(
        ignore=r"zignoruj(?:cie)?|ignoruj(?:cie)?|zapomnij(?:cie)?|pomiń|odrzuć",
        rules=r"instrukcj[eai]|polece(?:nia|ń)|zasad[y]?|reguł[y]?|wytyczn[ey]ch?|prompt\w*",
        before=r"poprzedni\w*|wcześniejsz\w*|powyższ\w*|wszystki\w*|swoje|twoje",
        remove=r"usuń(?:cie)?|skasuj|zastąp|nadpisz|połącz|wymaż|zarchiwizuj",
        memories=r"wspomnie\w*|fakt\w*|stwierdze\w*|wpis\w*|dan[ey]ch?|pamię\w*|notat\w*",
        everything=r"wszystki\w*|każd\w*|inn\w*|znan\w*|istniejąc\w*|poprzedni\w*|cał\w*",
    ),
    "tr": Language(
        ignore=r"yok say\w*|görmezden gel\w*|unut(?:un)?|dikkate alma\w*|boş ver\w*",
        rules=r"talimat\w*|kural\w*|yönerge\w*|komut\w*|istem\w*",
        before=r"önceki|tüm|bütün|yukarıdaki|her",
        remove=r"sil(?:in)?|değiştir(?:in)?|üzerine yaz\w*|birleştir(?:in)?|kaldır(?:ın)?",
        memories=r"anı\w*|hafıza\w*|bilgi\w*|kayıt\w*|kayd\w*|gerçek\w*|not\w*|bellek\w*",
        everything=r"tüm|bütün|her|diğer|bilinen|mevcut|önceki",
    ),
    "sv": Language(
        ignore=r"ignorera|glöm|bortse från|strunta i|ignorer|glem|se bort fra",
        rules=r"instruktion\w*|regler\w*|anvisning\w*|riktlinj\w*|instruks\w*|prompt\w*",
        before=r"tidigare|föregående|ovanstående|alla|dina|alle|tidligere|forrige",
        remove=r"radera|ta bort|ersätt|skriv över|slå ihop|slett|fjern|erstat",
        memories=r"minne\w*|fakta|påståenden|uppgifter|anteckningar|poster|minder",
        everything=r"alla|varje|andra|kända|befintliga|tidigare|alle",
    ),
    "ru": Language(
        ignore=r"игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|не обращай(?:те)? внимания|отбрось(?:те)?|не следуй(?:те)?",
        rules=r"инструкци\w*|правил\w*|указани\w*|команд\w*|распоряжени\w*|промпт\w*|директив\w*",
        before=r"предыдущ\w*|прежни\w*|все[хм]?|вс[её]|свои|твои|ранее|выше\w*|прошл\w*",
        remove=r"удали(?:те)?|сотри(?:те)?|замени(?:те)?|перезапиши(?:те)?|объедини(?:те)?|очисти(?:те)?|убери(?:те)?|отзови(?:те)?",
        memories=r"воспоминани\w*|памят\w*|факт\w*|утверждени\w*|запис\w*|данны\w*|сведени\w*|заметк\w*|баз\w*",
        everything=r"все[хм]?|вс[её]|вся|всю|кажд\w*|друг\w*|известн\w*|существующ\w*|прежни\w*|предыдущ\w*|остальн\w*",
    ),
    "uk": Language(
        ignore=r"ігноруй(?:те)?|проігноруй(?:те)?|забудь(?:те)?|не зважай(?:те)?",
        rules=r"інструкці\w*|правил\w*|вказівк\w*|команд\w*",
        before=r"попередн\w*|усі|всі\w*|усіх|раніш\w*|вищ\w*",
        remove=r"видали(?:ти|те)?|зітри|заміни(?:ти|те)?|об'єднай",
        memories=r"спогад\w*|пам'ят\w*|факт\w*|твердженн\w*|запис\w*|дан\w*",
        everything=r"усі\w*|всі\w*|кожн\w*|інш\w*|відом\w*|попередн\w*",
    ),
    "zh": Language(
        ignore=r"忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要遵守|不用管|抛弃|忽視|忽视",
        rules=r"指令|指示|规则|規則|提示词?|命令|系统消息|系統訊息|要求|约束",
        before=r"之前|以前|以上|上述|先前|所有|全部|任何|前面",
        remove=r"删除|刪除|清除|替换|取代|覆盖|覆蓋|合并|合併|作废|归档|抹去",
        memories=r"记忆|記憶|事实|事實|陈述|陳述|记录|記錄|条目|資料|数据|数据库|笔记",
        everything=r"所有|全部|每一?[条個个]|其他|其它|已知|现有|一切|先前|之前",
        spaces=False,
    ),
    "ja": Language(
        ignore=r"無視|忘れ(?:て|ろ|なさい)|従わない|無効に",
        rules=r"指示|命令|ルール|規則|プロンプト|指令|制約|システムメッセージ",
        before=r"以前|これまで|上記|前の|すべて|全て|全部|あらゆる|先ほど",
        remove=r"削除|消去|消して|置き換え|上書き|統合|マージ|破棄|抹消",
        memories=r"記憶|メモリ|事実|記録|発言|データ|エントリ|情報|メモ",
        everything=r"すべて|全て|全部|あらゆる|他の|既知|既存|以前|これまで",
        spaces=False,
    ),
    "ko": Language(
        ignore=r"무시하(?:고|세요|십시오|라)|무시해|잊어|따르지 마",
        rules=r"지시\w*|지침\w*|규칙\w*|명령\w*|프롬프트\w*",
        before=r"이전\w*|앞선|위의|모든|전부",
        remove=r"삭제하\w*|삭제해|지워\w*|대체하\w*|병합하\w*|덮어\w*",
        memories=r"기억\w*|사실\w*|기록\w*|진술\w*|데이터\w*|메모\w*|항목\w*",
        everything=r"모든|전부|다른|기존|알려진|이전",
        spaces=False,
    ),
    "ar": Language(
        ignore=r"تجاهلوا|تجاهلي|تجاهل|انس|انسَ|انسى|تغاض|لا تتبع",
        rules=r"التعليمات|تعليمات|التعليمات|القواعد|قواعد|الأوامر|أوامر|التوجيهات|الإرشادات|المطالبة",
        before=r"السابقة|السابق|أعلاه|جميع|كل|كافة|السالفة",
        remove=r"احذف(?:وا|ي)?|امح|امسح(?:وا|ي)?|استبدل|ادمج|أزل|اشطب|الغ",
        memories=r"الذكريات|ذكريات|الذاكرة|الحقائق|حقائق|السجلات|البيانات|المعلومات|العبارات|الملاحظات",
        everything=r"جميع|كل|كافة|الأخرى|المعروفة|السابقة|المخزنة|الموجودة",
    ),
    "fa": Language(
        ignore=r"نادیده بگیر(?:ید)?|فراموش کن(?:ید)?|بی‌?توجه باش",
        rules=r"دستور\w*|دستورالعمل\w*|قوانین|قواعد|فرمان\w*",
        before=r"قبلی|پیشین|بالا|همه|تمام",
        remove=r"حذف کن(?:ید)?|پاک کن(?:ید)?|جایگزین کن(?:ید)?|ادغام کن(?:ید)?",
        memories=r"خاطرات|حافظه|حقایق|اطلاعات|داده\w*|یادداشت\w*",
        everything=r"همه|تمام|هر|دیگر|موجود|قبلی",
    ),
    "hi": Language(
        ignore=r"नज़रअंदाज़ कर(?:ें|ो)|अनदेखा कर(?:ें|ो)|भूल जा(?:ओ|एं|इए)|उपेक्षा कर(?:ें|ो)",
        rules=r"निर्देशों?|नियमों?|आदेशों?|प्रॉम्प्ट",
        before=r"पिछले|पहले के|सभी|ऊपर(?: के| दिए)?|सारे",
        remove=r"हटा(?:ओ|एं|इए| दें| दो)|मिटा(?:ओ|एं| दें| दो)|बदल (?:दें|दो)|डिलीट कर(?:ें|ो)",
        memories=r"यादों?|यादें|तथ्यों?|जानकारी|रिकॉर्ड|डेटा|कथनों?|स्मृति\w*",
        everything=r"सभी|सारे|सारी|हर|अन्य|मौजूदा|पिछले",
        spaces=False,
    ),
    "id": Language(
        ignore=r"abaikan|lupakan|jangan ikuti|hiraukan",
        rules=r"instruksi|aturan|perintah|arahan|prompt|petunjuk",
        before=r"sebelumnya|semua|di atas|seluruh|terdahulu",
        remove=r"hapus(?:kan)?|ganti(?:kan)?|timpa|gabungkan",
        memories=r"memori|ingatan|fakta|catatan|data|pernyataan|entri",
        everything=r"semua|setiap|seluruh|lain|yang ada|sebelumnya",
    ),
    "vi": Language(
        ignore=r"bỏ qua|phớt lờ|quên (?:đi|hết)|lờ đi",
        rules=r"hướng dẫn|chỉ dẫn|quy tắc|mệnh lệnh|lệnh|lời nhắc|chỉ thị",
        before=r"trước(?: đó)?|tất cả|mọi|phía trên|ở trên",
        remove=r"xóa|xoá|thay thế|ghi đè|gộp",
        memories=r"ký ức|trí nhớ|sự thật|ghi chú|dữ liệu|thông tin|bản ghi",
        everything=r"tất cả|mọi|toàn bộ|khác|đã biết|hiện có",
    ),
}
