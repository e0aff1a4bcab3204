"""The forms and words by which a line of a thread shows whether it asks, and whom; names of what is looked for.

They are those of clubs that write English, with the commonest question words of a few other languages.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from core.domain.folding import CAPITAL, SMALL

_OPENERS = (
    r"(?:(?:ok(?:ay)?|so+|and|but|also|wait|hm+|hmm+|oh+|ah|btw|well|now|then|right|yes|yeah|no|seriously(?: though)?"
    r"|plus|anyway|again|um|uh|erm|hey|hi|sorry|quick question|question|one more(?: thing)?|another one"
    r"|back to [^:,]{1,20}|just|actually|maybe|or|i forgot|y|e|et|und|aber|also|ach|pero|mais|zurück zum buch"
    r"|sag mal|ma|ale|ve)[\s,.:;!-]+)*"
)
_WH_EN = r"(?:who|whose|whom|what|which|when|where|why|how)(?:['’]?(?:s|re|d|ll|m))?"
_WH_FOREIGN = (
    r"(?:wer|wen|wem|wessen|was|wann|wo|woher|wohin|warum|wieso|weshalb|wie|welche[rsnm]?|wozu|womit|worum"
    r"|qui[eé]n(?:es)?|qu[eé]|cu[aá]l(?:es)?|cu[aá]ndo|d[oó]nde|c[oó]mo|por\s+qu[eé]|cu[aá]nt[oa]s?"
    r"|qui|quoi|que|quel(?:le)?s?|quand|o[uù]|pourquoi|comment|combien|est-ce|qu['’]est-ce"
    r"|chi|che|cosa|quale|quando|dove|perch[eé]|come|quanto|quem|porque|onde|qual"
    r"|wie|wat|waar|waarom|wanneer|hoe|welke|vem|vad|var|varf[oö]r|n[aä]r|hur|kim|neden|nerede|nas[iı]l|kto|dlaczego|gdzie)"
)
_AUX = (
    r"(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must"
    r"|isn['’]?t|aren['’]?t|wasn['’]?t|weren['’]?t|don['’]?t(?=\s+(?:they|the|we|you|i)\b)|doesn['’]?t|didn['’]?t|hasn['’]?t|haven['’]?t|hadn['’]?t"
    r"|can['’]?t|couldn['’]?t|won['’]?t|wouldn['’]?t|shouldn['’]?t)"
)
_AUX_FOREIGN = (
    r"(?:ist|sind|war|waren|hat|haben|hatte|wird|werden|kann|k[oö]nnte|muss|soll|darf|gibt|kommt|stirbt|wei[sß]{1,2}"
    r"|est|sont|a-t|es|est[aá]|hay|era|fue|ha|c['’]est)"
)
_THIRD = r"(?:he|she|they|it|him|her|them|his|their|hers|theirs|er|sie|ihn|ihm|ihr|[eé]l|ella|le|il|elle|lui)"
_STORY = (
    r"(?:books?|novel|story|chapters?|ch\.?\s?\d+|pages?|pp?\.?\s?\d+|scenes?|characters?|author|plot|ending|paragraph"
    r"|passage|quotes?|quotation|prologue|epilogue|narrator|mention(?:ed|s)?|buch|kapitel|seite|libro|livre|page|cap[ií]tulo)"
)
_ORDERS = (
    r"(?:remind\s+(?:me|us)|tell\s+(?:me|us)|list|give\s+(?:me|us)|explain|summari[sz]e|summary|recap|find|show\s+(?:me|us)?"
    r"|read\s+(?:me|us)|quote|translate|shorten|shorter|longer|describe|define|compare|map\s+out|catch\s+(?:me|us)\s+up"
    r"|tl;?dr|cite|source|more|another|expand|elaborate|look\s+up|look\s+for|settle|spell|count|sum\s+up|set\s+it"
    r"|fass|nenn|erkl[aä]r|zeig|lies|zitier|explica|resume|dime|cu[eé]nta(?:me|nos)|rappelle|explique|r[eé]sume)"
)
_GROUP = (
    r"(?:guys|everyone|everybody|anyone|anybody|any\s+of\s+you|all\s+of\s+(?:you|us)|you\s+(?:all|two|guys|lot|both|three)"
    r"|y['’]?all|folks|people|somebody|someone|who\s+else|who['’]?s\s+(?:in|up|got|bringing|hosting|coming|going|free|with)"
    r"|hands\s+up|show\s+of\s+hands|we\s+(?:all|still)|us|we|our|team|the\s+group|both|ihr|euch|jemand|wir|alguien|chicos)"
)
_YOU = r"(?:you|your|yours|yourself|u|ur|ya|you['’](?:re|ve|d|ll)|du|dein|dich|dir|t[uú]|te|ti|usted|toi|votre|vous)"
_I = r"(?:i|me|my|mine|i['’](?:m|ve|d|ll)|im|ive|ich|mich|mein|mir|yo|mi|je|moi)"
_DAYS = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tomorrow|tonight|today|yesterday|weekend|next\s+(?:week|time|month|book)"
    r"|this\s+week|last\s+week|january|february|march|april|june|july|august|september|october|november|december"
    r"|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen\s+(?:um|abend)|heute|ma[nñ]ana|domingo|s[aá]bado"
    r"|\d{1,2}\s?(?:am|pm|uhr)|\d{1,2}[:.]\d{2}|half\s+past|noon|midnight|o['’]?clock|\d+\s?(?:min|mins|minutes|h|hours)"
)
_LOGISTICS = (
    r"(?:meet(?:ing|up)?|call|zoom|link|calendar|invite|schedule|host(?:ing|s)?|bring(?:ing)?|snacks?|wine|beer|drinks?"
    r"|drinking|cake|pizza|dinner|lunch|coffee|vote[ds]?|voting|poll|copy|copies|library|paperback|hardback|edition"
    r"|kindle|audiobook|audio|ebook|movie|film|watch(?:ing)?|trailer|discord|slack|server|channel|thread|pinned|pins|dm"
    r"|dms|ride|parking|running\s+late|wrap|venue|place\s+at|birthday"
    r"|deadline|match|game|raining|weather|kids|holiday|vacation|gym|dentist|weather|bandwidth|screen|camera|mic"
    r"|mute[d]?|reschedule|postpone|move\s+(?:it|to|the|us)|next\s+pick|sign(?:ed)?\s+up|rsvp|spreadsheet|doc|notes\s+doc"
    r"|reading\s+ahead|caught\s+up|catch\s+up|on\s+page|how\s+far|where\s+(?:are|is)\s+(?:you|everyone))"
)
_LAUGH = (
    r"(?:l+o+l+|lm+f?a+o+|rofl|ha(?:ha)+h?|he(?:he)+|ja(?:ja)+|xd|omg|omfg|wtf|ugh+|wow+|whoa+|yikes|oof|uf+|ew+|aw+|ah+h"
    r"|nah+|mhm+|hmm+|meh|yay|woo+|boo+|no{3,}|so{4,}|ye{3,}s|wha{2,}t|why{3,}|damn|dang|jesus|god|gosh|phew|sus|bruh"
    r"|bro|dude|lmk|ngl|tbh|imo|imho|smh|fr|rip|same|mood|iconic|legend|king|queen|icon|slay|bless|ouch|brr+)"
)
_THANKS = (
    r"(?:thanks?(?:\s+you)?|thx|ty(?:sm)?|tysm|cheers|danke(?:sch[oö]n)?|gracias|merci|grazie|obrigad[oa]|appreciated?"
    r"|much\s+obliged|ta|nice\s+one|good\s+bot|lifesaver|legend|perfect|great|brilliant|lovely|bless|kudos)"
)
_AGREES = (
    r"(?:yes+|yeah+|yep|yup|ya|no+|nope|nah|ok(?:ay)?|k|kk|sure|right|true|fair(?:\s+enough)?|agreed|exactly|same|indeed"
    r"|correct|got\s+it|gotcha|makes\s+sense|i\s+see|oh|ah|aha|cool|nice|good|great|fine|deal|done|works|both|obviously"
    r"|definitely|absolutely|totally|maybe|probably|never|always|not\s+me|me+|meee+|both|neither|voted|ja|nein|doch|stimmt"
    r"|genau|klar|si|s[ií]|claro|oui|non|evet|hay[iı]r|\+1|\^+)"
)
_OPINION = (
    r"(?:i\s+(?:think|feel|love|hate|like|guess|bet|hope|knew|know|thought|mean|swear|would|d|still|really|just|can['’]?t"
    r"|don['’]?t|did|was|had|got|read|have)|imagine|honestly|personally|my\s+(?:theory|guess|bet|favou?rite|money)|in\s+my"
    r"|worst|best|favou?rite|amazing|beautiful(?:ly)?|horrible|creepy|gorgeous|brutal|incredible|hilarious|love\s+(?:it|that)"
    r"|such\s+a|what\s+an?\b|poor|peak|absolute|literally|basically|so\s+(?:good|sad|funny|dark|bad|mean|rude)|of\s+course)"
)
_TO_BOT = r"(?:thusfar|bot|the\s+bot|robot)"
_CORRECTS = (
    r"(?:(?:no|nope|nah|wrong|actually|hang\s+on|hm+|wait|but|that['’]?s|thats|it['’]?s|its|not|isn['’]?t|wasn['’]?t|didn['’]?t"
    r"|doesn['’]?t|aren['’]?t|weren['’]?t|are\s+you\s+sure|sure\?|you\s+(?:skipped|missed|forgot|said|got|mean|left)"
    r"|i\s+(?:meant|mean|asked|said)|nein|falsch|stimmt\s+nicht|pero\s+no)\b)"
)

NAME: Final = re.compile(rf"(?<=[{SMALL},;:] )[{CAPITAL}][{SMALL}]{{2,}}")

_PATTERNS: Final[Mapping[str, str]] = {
    "ends with a mark": r"\?[\s)\"'”*_!.…\W]*$",
    "marks at its end": r"[?!]{2,}\W*$",
    "an exclamation at its end": r"!\W*$",
    "begins with a question word": rf"^\W*{_OPENERS}{_WH_EN}\b(?!\s+(?:a|an|the\s+(?:hell|heck|f\w+))\b)",
    "what a": rf"^\W*{_OPENERS}(?:what\s+an?|how\s+(?:cute|sweet|nice|sad|rude|dare|lovely|funny|fun|fitting))\b"
    r"|[\"“”’'.!…]\s+what\s+an?\s+\w+\W*$",
    "a question word within": rf"\b{_WH_EN}\b(?!\s+an?\b)",
    "begins with a foreign question word": rf"^\W*{_OPENERS}{_WH_FOREIGN}\b",
    "begins with an auxiliary": rf"^\W*{_OPENERS}{_AUX}\b",
    "begins with a foreign auxiliary": rf"^\W*{_OPENERS}{_AUX_FOREIGN}\b",
    "asks of a third": (
        rf"^\W*{_OPENERS}(?:{_WH_EN}\s+)?(?:\w+\s+)?{_AUX}\s+(?:not\s+)?(?:{_THIRD}"
        rf"|the|that|this|those|these|mr|mrs|miss|dr|there)\b"
    ),
    "asks of you": rf"^\W*{_OPENERS}(?:{_WH_EN}\s+)?(?:\w+\s+)?{_AUX}\s+(?:not\s+)?{_YOU}\b",
    "asks of us": (
        rf"^\W*{_OPENERS}(?:{_WH_EN}\s+)?(?:\w+\s+)?{_AUX}\s+(?:we|i|anyone|anybody"
        rf"|everyone|everybody|people|ya['’]?ll)\b"
    ),
    "asks the bot to": rf"^\W*{_OPENERS}(?:can|could|would|will)\s+(?:you|u|we\s+get|i\s+(?:get|have))\b",
    "a tag": (
        r"(?:,|\b)\s*(?:right|no|huh|eh|yeah|innit|isn['’]?t\s+(?:it|he|she)|(?:does"
        r"|did|was|is|has|have|do|would|could|wo|are)n?['’]?t?\s+(?:he|she|they|it"
        r"|you|we|i)|oder|nicht\s+wahr|verdad|non)\W*$"
    ),
    "or what": r"\bor\s+(?:what|not|is\s+it|was\s+it|just|did|does|is|was)\b",
    "an order first": rf"^\W*{_OPENERS}(?:(?:please|pls|can\s+you|could\s+you)\s+)?{_ORDERS}\b",
    "please": r"\b(?:please|pls|plz|bitte|por\s+favor|s['’]il\s+(?:te|vous))\b",
    "begins by going on": (
        r"^\W*(?:and|but|also|or|then|plus|und|aber|y|et|e|pero|mais|what\s+about"
        r"|how\s+about|ok\s+(?:but|so|and)|so)\b"
    ),
    "what about": rf"^\W*{_OPENERS}(?:what|how)\s+about\b",
    "again": r"\b(?:again|noch\s*mal|remember|i\s+forgot|forgot|can['’]?t\s+remember|missed)\b",
    "story words": rf"\b{_STORY}\b",
    "a third person": rf"\b{_THIRD}\b",
    "you": rf"\b{_YOU}\b",
    "you in a reaction": rf"^\W*{_YOU}\b",
    "i": rf"\b{_I}\b",
    "begins with i": rf"^\W*(?:ok\s+|so\s+|and\s+|but\s+)?{_I}\b",
    "the room": rf"\b{_GROUP}\b",
    "days and hours": rf"\b(?:{_DAYS})\b",
    "logistics": rf"\b{_LOGISTICS}\b",
    "laughter": rf"(?:^|\s){_LAUGH}(?=\W|$)",
    "begins with laughter": rf"^\W*{_LAUGH}(?=\W|$)",
    "thanks": rf"^\W*(?:ok\s+|ah\s+|oh\s+)?{_THANKS}(?=\W|$)",
    "agrees": rf"^\W*{_AGREES}(?=\W|$)",
    "an opinion": rf"\b{_OPINION}\b",
    "a link": r"https?://|www\.",
    "another bot's command": r"^\s*(?:[!./$%>?;&~+-]{1,2}[a-z]\w*\b|pls\s+\w+$|/\w+)",
    "a channel": r"(?:^|\s)#[a-z]\w+",
    "a quotation pasted": r"^\s*(?:>|&gt;)",
    "quoted words": r"[\"“”«»][^\"“”«»]{3,}[\"“”«»]",
    "an emoji": r":[a-z_+0-9-]+:|[\U0001F000-\U0001FAFF\u2600-\u27BF]",
    "called by name": (
        r"^\W*(?:(?:hey|hi|ok|so|yo|oh|dear|and|but)\W+)*(?:thusfar|bot)\b\s*[,:!?.-]"
        r"|,\s*(?:thusfar|bot)\W*$|[.!?]\s+(?:thusfar|bot)\W*$|^\W*(?:dunno|idk|ask"
        r"|hey|hi|yo)?\W*(?:thusfar|bot)\W*$"
    ),
    "the bot": rf"\b{_TO_BOT}\b",
    "it of the bot": r"^\W*(?:it|that|this)\b.*\b(?:dodged|knows|said|says|answered|leak\w*|spoil\w*|told)\b",
    "corrects": rf"^\W*{_OPENERS}{_CORRECTS}",
    "dots": r"\.\.+|…",
    "unfinished": r"(?:because|since|of|for|with|to|than|the|and|or|like)\s*(?:\.\.+|…)?\s*\?+\s*$",
    "by the way": r"\b(?:btw|by\s+the\s+way|actually|though|tho|exactly|ever|even|really|still|irl)\b",
    "the bot's page": r"\b(?:which|what)\s+(?:page|chapter)\b|^\W*(?:page|cite|source|where)\W*$",
    "a page named": r"\b(?:pp?\.?|pages?|ch\.?|chapters?|seite|kapitel)\s*\d+",
    "loud": r"(?-i:\b[A-Z]{4,}\b)",
    "all loud": r"(?-i:^[^a-z]*[A-Z][^a-z]{2,}$)",
    "a colon": r":\s*$|^\W*(?:question|q|quick one|wish|request)\b.*:",
    "so first": r"^\W*so+\b",
    "no verb of asking": r"^\W*\w+(?:\s+\w+){0,2}\W*$",
    "wonders": (
        r"\b(?:i\s+wonder|wondering|curious|one\s+wonders|no\s+idea\s+(?:who|what"
        r"|why|how)|not\s+sure\s+(?:who|what|why|how|if))\b"
    ),
    "would": r"\b(?:would|could|should|might|imagine|if)\b",
    "who does that": (
        r"^\W*(?:ok\s+|so\s+|and\s+|but\s+)?who\s+(?:even\s+)?(?:does|would|among"
        r"|needs|keeps|writes|asks|says|wants|puts|has|hasn['’]?t|else|knew|cares"
        r"|locks|says)\b"
    ),
    "this": r"\b(?:this|that)\b",
    "an order later": rf"[.:;,–—-]\s+(?:(?:please|pls)\s+)?{_ORDERS}\b",
    "drawn out": r"([a-z])\1{3,}",
    "a turned mark": r"¿",
    "in the book": (
        r"\b(?:in|of|from)\s+(?:the|this|that|his|her|their)\s+(?:book|story|novel"
        r"|chapter|scene|part|text|passage|end|beginning|first|last)\b|\bso\s+far\b"
        r"|\bat\s+all\b"
    ),
    "no, then a third": (
        rf"^\W*(?:no|nope|nah|wait|but|actually)\W+(?:it['’]?s|thats|that['’]?s|{_THIRD}"
        rf"|the|not)\b"
    ),
    "no first": r"^\W*(?:no|not|nope)\b",
    "a question begins later": (rf"[,.:;!–—-]\s+(?:(?:and|but|so|or)\s+)?(?:{_WH_EN}|{_AUX}|{_WH_FOREIGN})\b.{{5,}}$"),
    "who does it": rf"^\W*{_OPENERS}(?:who|what|whose\s+\w+|which\s+\w+)\s+\w{{3,}}(?:s|ed)\b",
    "is that so": rf"^\W*{_OPENERS}(?:is|was|are|were)n?['’]?t?\s+(?:that|this|it|those|these)\s+(?:\w+\s+)?"
    r"(?:true|right|real|correct|possible|why|how|where|when|who|because|so|the\s+same)\b",
    "by whom": r"\b(?:(?:by|to|from|with|for|of)\s+(?:whom|what|which)|whom)\b",
    "a question word, then a comma": rf"^\W*{_WH_EN}\s*[,!.]",
    "who is doing": rf"^\W*{_OPENERS}(?:who|what|when|where)(?:['’]?s|\s+(?:is|are))\s+(?:\w+\s+)?\w+ing\b",
    "else": r"\b(?:anyone|anybody|who|someone|everyone)\s+else\b|\b(?:just|only)\s+me\b|\bis\s+it\s+me\b",
    "past of a third": rf"\b(?:was|were|did|didn['’]?t|wasn['’]?t|had)\s+(?:{_THIRD}|the|that|[a-z]+)\b",
    "mean": (
        r"\b(?:mean(?:s|ing|t)?|called|name[ds]?|word|term|spelt|spelled|pronounce[ds]?"
        r"|stand\s+for|what\s+kind|what\s+sort|how\s+(?:old|many|much|long|far|big"
        r"|did|does|come))\b"
    ),
}


@cache
def forms() -> Mapping[str, re.Pattern[str]]:
    """Return each form by its name; it is there where its pattern is found.

    They are compiled when a first line is weighed: a command that hears nobody does not wait for it.
    """
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _PATTERNS.items()}
