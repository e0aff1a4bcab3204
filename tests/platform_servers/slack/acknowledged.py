"""What Slack does with the acknowledgement of a command, a button, a form or a select, and with a missing one."""

from tests.platform_servers.slack import web_host
from tests.platform_servers.slack.calls import RefusedError
from tests.platform_servers.slack.delivery import Attempt
from tests.platform_servers.slack.interactions import Interaction, InteractionKind
from tests.platform_servers.slack.platform import Platform
from tests.platform_servers.slack.world import Json

_MOST_OPTIONS = 100


def time_out(platform: Platform, interaction: Interaction) -> None:
    """Nobody acknowledged in time: the person sees an error, and the app hears nothing of it."""
    interaction.is_timed_out = True
    platform.changed()


def take(platform: Platform, interaction: Interaction, attempt: Attempt) -> None:
    """Carry out what an acknowledgement says; what Slack would refuse fails the test."""
    answer = attempt.answer or {}
    try:
        match interaction.kind:
            case InteractionKind.COMMAND:
                _command(platform, interaction, answer)
            case InteractionKind.SUGGESTION:
                _suggestion(interaction, answer)
            case InteractionKind.SUBMISSION:
                _submission(platform, interaction, answer)
            case InteractionKind.BUTTON | InteractionKind.SHORTCUT:
                if answer:
                    platform.complaints.append(f"Slack ignores what stands in the acknowledgement: {answer}")
    except RefusedError as refused:
        platform.complaints.append(f"the acknowledgement is refused: {refused.body} for {answer}")
    platform.changed()


def _command(platform: Platform, interaction: Interaction, answer: Json) -> None:
    if answer:
        web_host.show(platform, interaction, answer)


def _suggestion(interaction: Interaction, answer: Json) -> None:
    interaction.options = answer.get("options")
    interaction.option_groups = answer.get("option_groups")
    flat = [
        *(interaction.options or []),
        *(one for group in interaction.option_groups or [] for one in group["options"]),
    ]
    if interaction.options is None and interaction.option_groups is None:
        raise RefusedError("no_options")
    if len(flat) > _MOST_OPTIONS:
        raise RefusedError("too_many_options")
    for option in flat:
        if option["text"]["type"] != "plain_text" or not 0 < len(option["text"]["text"]) <= 75:
            raise RefusedError("invalid_option_text")
        if not 0 < len(option["value"]) <= 150:
            raise RefusedError("invalid_option_value")


def _submission(platform: Platform, interaction: Interaction, answer: Json) -> None:
    view = interaction.view
    assert view is not None
    interaction.response_action = answer.get("response_action")
    match interaction.response_action:
        case None:
            view.is_closed = True
        case "errors":
            interaction.errors = dict(answer["errors"])
            known = {one["block_id"] for one in view.content["blocks"] if one["type"] == "input"}
            if not interaction.errors or interaction.errors.keys() - known:
                raise RefusedError("errors_for_no_input")
        case unknown:
            raise RefusedError(f"no such response_action: {unknown}")
