"""Words for "answer" and what links them with a letter, in the languages of multilingual MMLU."""


def any_of(words: str) -> str:
    """Word a pattern for any of the blank-separated *words*; `_` stands for a blank."""
    return "(?:" + "|".join(word.replace("_", r"\s") for word in words.split()) + ")"


# Written with spaces, in letters that also spell other words: a link must follow ("antwort ist B").
_LATIN = {
    "de": "antwort lösung",
    "fr": "réponse",
    "es": "respuesta",
    "pt": "resposta gabarito",
    "it": "risposta",
    "nl": "antwoord",
    "sv": "svaret svar",
    "fi": "vastaus",
    "pl": "odpowied[zź]",
    "cs": "odpověď odpoveď",
    "ro": "răspuns(?:ul)?",
    "hu": "válasz",
    "tr": "cevap yanıt",
    "vi": "đáp_án câu_trả_lời trả_lời",
    "id": "jawaban(?:nya)? jawapan",
    "sw": "jibu",
    "tl": "sagot",
    "yo": "ìdáhùn idahun",
    "ru": "ответ",
    "uk": "відповідь",
    "el": "απάντηση",
}
# In scripts that a Latin letter stands out from: no link is needed ("选B", "ตอบ C"). Longer words come first.
_OTHER = {
    "ar": "الإجابة الاجابة إجابة الجواب",
    "fa": "پاسخ جواب",
    "he": "תשובה",
    "hi": "उत्तर जवाब",
    "bn": "উত্তর জবাব",
    "ta": "பதில் விடை",
    "te": "సమాధానం",
    "ja": "答え 解答",
    "zh": "答案 回答 正解 正确选项 正確選項 故选 故選 应选 應選 选择 選擇 答 选 選",
    "ko": "정답 답변 답",
    "th": "คำตอบ ตอบ",
}
_ADJECTIVES = any_of(
    "la le el richtige korrekte correcta correta corretta correcte oikea doğru правильный"
    " הנכונה الصحيحة الصحيح النهائية صحیح"
)
_IS = any_of(
    "is ist lautet est es é è är er là adalah ialah on jest je to este ni ay"
    " это является είναι היא הוא هو هي है হলো হল"
)
_UNSPACED_LINKS = any_of(
    "是 为 為 应为 應為 应该是 應該是 选项 選項 项 項 正确 は が 의 은 는 이 ที่ถูกต้อง คือ ข้อ"
)
_SIGN = r"\s?[:=→–—-]"

# What keeps a letter from being announced: "antwort ist nicht A", "answer depends on whether it is A".
_NEVER_BETWEEN = any_of(
    r"\S*n't no not never neither nor cannot nicht non pas não не whether if unless depends when because"
    r" since and but or so choices options"
)
BETWEEN = rf"(?:\s(?!{_NEVER_BETWEEN}\b)[^\s.!?:;]{{1,25}}){{0,8}}?"

_latin, _other = any_of(" ".join(_LATIN.values())), any_of(" ".join(_OTHER.values()))
_option = any_of("option opción alternativa opção letra opzione")
ANSWER_ABROAD = (
    rf"(?:(?<!\w)(?:(?:{_latin}{BETWEEN}|{_option}(?:\s{_ADJECTIVES})+)(?:{_SIGN}|\s{_IS}(?!\w))"
    r"|(?:richtig|korrekt)\sist\b|(?:cevap|yanıt)(?=\s\(?[a-j]\b))"
    rf"|{_other}(?:{_SIGN}|\s?{_UNSPACED_LINKS}|\s(?:{_ADJECTIVES}|{_IS})(?!\w))*)"
)
RIGHT_ABROAD = (
    r"(?:\s(?:ist\s(?:richtig|korrekt)|est\s(?:correcte?|la\sbonne)|es\s(?:la\s)?correcta"
    r"|é\s(?:a\s)?(?:correta|certa)|è\s(?:la\s)?corretta)(?!\w)"
    r"|\s?(?:が正解|が正しい|正确|正確|是正确答案|是正確答案|是对的|(?:가|이)\s정답))"
)
OPTION_ABROAD = any_of(
    "antwort réponse lettre opción letra opção alternativa opzione lettera buchstabe вариант буква phương_án"
    " harfi pilihan 选项 選項 選択肢 선택지 الخيار विकल्प বিকল্প ข้อ"
)
PICKED_ABROAD = any_of(
    "ich_wähle je_choisis elijo escolho scelgo ik_kies jag_väljer wybieram vybírám выбираю chọn saya_memilih"
)
