"""When the bot speaks (spec section 7): one rule for every platform; adapters only tell it what was heard."""

from dataclasses import dataclass

from core.domain.reading import Listen


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What an adapter knows of a human's message: how it addresses whom, and where it stands.

    `replies_to_other`: it is a reply to another human's message.
    """

    mentions_bot: bool = False
    replies_to_bot: bool = False
    begins_with_other_mention: bool = False
    replies_to_other: bool = False
    in_thread: bool = False
    thread_opened_by_bot: bool = False
    is_direct: bool = False


def opens_thread(heard: Heard) -> bool:
    """Whether the message asks for a thread of its own: a mention outside any thread."""
    return heard.mentions_bot and not heard.in_thread and not heard.is_direct


def is_addressed(heard: Heard) -> bool:
    """Whether something is said to the bot itself: in a direct message, by a mention, or in reply to it."""
    return heard.is_direct or heard.mentions_bot or heard.replies_to_bot


def wants_answer(heard: Heard, listen: Listen) -> bool:
    """Whether the bot answers: always in direct messages, to mentions and to replies to itself.

    In threads that it opened it answers every message that does not address somebody else (begin by mentioning them,
    or reply to them), unless the thread was told to `listen mentions`; with `listen all` it does so in any thread.
    """
    if is_addressed(heard):
        return True
    addresses_other = heard.begins_with_other_mention or heard.replies_to_other
    if not heard.in_thread or addresses_other or listen is Listen.MENTIONS:
        return False
    return heard.thread_opened_by_bot or listen is Listen.ALL
