"""Words written with a capital that name nothing in a story: a reply may use them whether the book does or not."""

from typing import Final

from core.guard.tokens import word_set

COMMON_NAMES: Final = word_set("""
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december christmas easter michaelmas god lord bible gothic victorian georgian regency
    romantic edwardian elizabethan renaissance medieval modernist english british scottish scots irish welsh french
    german italian spanish american european russian greek latin roman turkish indian african asian christian catholic
    protestant jewish muslim hebrew norse danish swedish norwegian dutch swiss belgian austrian hungarian polish
    portuguese celtic saxon norman arab arabic egyptian persian chinese japanese australian canadian mexican
    englishman englishmen frenchman frenchmen irishman irishmen scotsman scotsmen dutchman norseman norsemen viking
    vikings scots danes dane swedes norwegians germans italians spaniards spaniard russians greeks romans turks indians
    americans europeans africans arabs saxons normans christians catholics protestants jew jews muslims england britain
    scotland ireland wales france germany italy spain america europe russia
    thusfar discord slack mr mrs miss ms dr sir madam lady chapter page part volume book detective inspector i ok okay
    """)
