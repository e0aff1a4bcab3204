"""What a message takes up of what was said before, as two and three members talk."""

from core.answering.follow_ups import Said, in_context

_ADA, _BO, _CY = "Ada", "Bo", "Cy"


def _about(*said: tuple[str, str]) -> str:
    *before, last = [Said(author=author, text=text) for author, text in said]
    return in_context(last, before)


def test_the_same_members_thread_of_talk_comes_before_one_that_was_woven_in() -> None:
    found = _about((_ADA, "Who is Hallam?"), (_BO, "Where was the concert?"), (_ADA, "What is he like?"))
    assert found == "What is he like? Who is Hallam?"


def test_a_name_is_carried_over_several_links() -> None:
    found = _about(
        (_ADA, "Who is Hallam?"), (_ADA, "What does he do?"), (_ADA, "And why?"), (_ADA, "Did he regret it?")
    )
    assert found == "Did he regret it? Who is Hallam?"


def test_a_follow_up_to_a_follow_up_of_another_member_is_about_what_that_one_was() -> None:
    found = _about((_ADA, "Who is Hallam?"), (_BO, "What is he like?"), (_BO, "Is he married?"))
    assert found == "Is he married? Who is Hallam?"


def test_three_members_each_go_on_with_their_own() -> None:
    talk = [(_ADA, "Who is Hallam?"), (_BO, "Where was the concert?"), (_CY, "Why did Leonard see the dentist?")]
    assert _about(*talk, (_BO, "Who sang there?")).endswith("Where was the concert?")
    assert _about(*talk, (_CY, "And then?")).endswith("Why did Leonard see the dentist?")
    assert _about(*talk, (_ADA, "How old is he?")).endswith("Who is Hallam?")
