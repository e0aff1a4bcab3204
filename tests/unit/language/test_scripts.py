"""A book in a language that is written without spaces is told by the letters of its story."""

import pytest

from core.language.scripts import language_without_spaces

_JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"
_CHINESE = "老人站在海邊看著燈塔，沒有說一句話。"
_KOREAN = "그는 오래된 등대 앞에서 걸음을 멈추고 바다를 바라보았다."
_ENGLISH = "He stood before the old lighthouse and looked out over the sea. "


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (_JAPANESE, "Japanese"),
        ("ﾜｶﾞﾊｲﾊﾈｺﾃﾞｱﾙ 吾輩猫", "Japanese"),
        (_CHINESE, "Chinese"),
        ("ชายชราหยุดยืนอยู่หน้าประภาคารเก่า", "Thai"),
        ("ຜູ້ຊາຍຢືນຢູ່ໜ້າເຮືອນ", "Lao"),
        ("མི་རྒན་པོ་ཁང་པའི་མདུན་དུ་ལངས།", "Tibetan"),
        ("ꦮꦺꦴꦁꦠꦸꦮꦲꦶꦏꦸꦔꦢꦺꦒ꧀", "Javanese"),
        ("បុរសចំណាស់ឈរនៅមុខផ្ទះ", "Khmer"),
        ("လူကြီးသည် အိမ်ရှေ့တွင် ရပ်နေသည်", "Burmese"),
        (_KOREAN, None),
        (f"{_KOREAN} 金民秀", None),
        ("הָאִישׁ עָמַד לִפְנֵי הַבַּיִת", None),
        ("وَقَفَ الرَّجُلُ أَمَامَ البَيْتِ", None),
        ("Ὀδυσσεύς, Ёлка", None),
        (_ENGLISH * 20 + _CHINESE, None),
        (_ENGLISH * 2 + _JAPANESE * 3, "Japanese"),
        (
            "Margaret Fell と Ivo Hurst は Harbour House で Tobias Quill と会った。2024 年 12 月、Windows 95 互換機。",
            "Japanese",
        ),
        ("1, 2, 3!", None),
        ("", None),
    ],
)
def test_a_language_without_spaces_is_told(text: str, language: str | None) -> None:
    assert language_without_spaces([text, ""]) == language
