"""A prompt put together part by part (conversational-memory.md, PromptBuilder)."""

from core.agent.conversation_formatter import ConversationFormatter
from core.agent.prompt_builder import PromptBuilder
from core.domain.conversation import Role
from tests.builders import a_message, a_passage

_HISTORY = [a_message("Who?"), a_message("Ada.", role=Role.ASSISTANT)]
_PASSAGES = [a_passage("The ferry left."), a_passage("The lamp burned.", chunk_id=2, page=2)]


def test_generation_has_conversation_passages_query_and_note_in_the_order_of_the_calls() -> None:
    system, user = (
        PromptBuilder("Be kind.")
        .with_conversation(ConversationFormatter(), _HISTORY)
        .with_retrieval_context(_PASSAGES)
        .with_query("And where?")
        .with_note("Limited sources found.")
        .build()
    )
    assert system == "Be kind."
    assert user == (
        "Previous conversation:\nUser: Who?\nAssistant: Ada.\n\n"
        "Retrieved context:\n[Pages 1-1]\nThe ferry left.\n\n[Pages 2-2]\nThe lamp burned.\n\n"
        "Question: And where?\n\n"
        "Note: Limited sources found."
    )


def test_out_of_scope_names_the_query_as_it_likes() -> None:
    _, user = PromptBuilder("Be kind.").with_query("2 + 2?", label="User query").with_note("Score: 10/100.").build()
    assert user == "User query: 2 + 2?\n\nNote: Score: 10/100."


def test_parts_that_are_empty_add_nothing() -> None:
    builder = PromptBuilder("Be kind.").with_conversation(ConversationFormatter(), []).with_retrieval_context([])
    assert builder.build() == ("Be kind.", "")
    assert builder.with_query("Who?").build() == ("Be kind.", "Question: Who?")


def test_a_builder_may_be_asked_again() -> None:
    builder = PromptBuilder("Be kind.").with_query("Who?")
    assert builder.build() == builder.build()
