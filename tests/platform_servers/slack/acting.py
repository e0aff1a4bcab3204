"""What people use of the app on the loopback Slack: commands, buttons, shortcuts, forms, selects and its Home tab."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from tests.platform_servers.slack import acknowledged, payloads
from tests.platform_servers.slack.delivery import COMMAND, INTERACTIVE, Delivery
from tests.platform_servers.slack.elements import element_of, filled_in
from tests.platform_servers.slack.interactions import Interaction, InteractionKind, View
from tests.platform_servers.slack.methods_views import shown
from tests.platform_servers.slack.platform import Platform
from tests.platform_servers.slack.world import Channel, ChannelKind, Json, Message, Person

Filled = Mapping[str, str | Sequence[str] | None]


class Acting:
    """Uses what the app offers, as Slack's own app would let people use it."""

    platform: Platform

    def slash(
        self, command: str, text: str = "", *, user: Person, channel: Channel, expired: bool = False
    ) -> Interaction:
        """Give a command: `slash("/thusfar", "setpage 120", user=ada, channel=club.channel)`; never in a thread.

        The app need not be in the channel. `expired`: its trigger and response_url are over when the app gets it.
        """
        assert "commands" in self.platform.scopes, "without the scope `commands` there are none"
        assert command.startswith("/")
        payload: Json = {
            "token": "deprecated-verification-token",
            "team_id": self.platform.team_id,
            "team_domain": self.platform.team_name.lower(),
            "channel_id": channel.id,
            "channel_name": "directmessage" if channel.kind is ChannelKind.DM else channel.name,
            "user_id": user.id,
            "user_name": user.name.lower(),
            "command": command,
            "text": text,
            "api_app_id": self.platform.app_id,
            "is_enterprise_install": "false",
        }
        return self._use(InteractionKind.COMMAND, payload, user, channel, expired=expired)

    def press(self, action_id: str, *, message: Message, user: Person, expired: bool = False) -> Interaction:
        """Press a button of a message; the action_id may be its beginning, where only one begins so."""
        element, block_id = element_of(message.blocks, action_id)
        assert not message.is_deleted, "the message is gone"
        assert not message.is_ephemeral or message.private_to is user, (
            "an ephemeral message is seen by its reader alone"
        )
        assert message.is_shown, "Slack never showed this message"
        state = {"values": filled_in(message.blocks, {})}
        payload = self._of_message(message) | {"actions": [_action(element, block_id)], "state": state}
        return self._use(InteractionKind.BUTTON, payload, user, message.channel, source=message, expired=expired)

    def press_in(self, view: View, action_id: str, *, user: Person, values: Filled | None = None) -> Interaction:
        """Press a button in a modal or in the Home tab."""
        element, block_id = element_of(view.content["blocks"], action_id)
        payload = self._of_view(view, values or {}) | {"actions": [_action(element, block_id)]}
        return self._use(InteractionKind.BUTTON, payload, user, view.channel, view=view)

    def shortcut(self, callback_id: str, *, message: Message, user: Person) -> Interaction:
        """Use a message shortcut; it works in threads, where commands do not."""
        payload = {
            "callback_id": callback_id,
            "message_ts": message.ts,
            "channel": {"id": message.channel.id, "name": message.channel.name or "directmessage"},
            "message": payloads.message(message, self.platform.team_id),
        }
        return self._use(InteractionKind.SHORTCUT, payload, user, message.channel, source=message)

    def submit(self, view: View, values: Filled, *, user: Person | None = None) -> Interaction:
        """Send a form; `values` by action_id, the value of an option for selects. Required inputs must be filled."""
        assert not view.is_closed, "the form is closed"
        assert view.content["type"] == "modal", "only a modal is sent"
        missing = [
            one["element"]["action_id"]
            for one in view.content["blocks"]
            if one["type"] == "input"
            and not one.get("optional")
            and not values.get(one["element"].get("action_id", ""))
        ]
        assert not missing, f"Slack asks for {missing} first"
        payload = self._of_view(view, values) | {"response_urls": []}
        return self._use(InteractionKind.SUBMISSION, payload, user or view.owner, view.channel, view=view)

    def suggest(self, place: View | Message, action_id: str, typed: str, *, user: Person) -> Interaction:
        """Type into an external select; its options are in `Interaction.options` once the app has answered."""
        blocks = place.blocks if isinstance(place, Message) else place.content["blocks"]
        element, block_id = element_of(blocks, action_id)
        assert "external_select" in element["type"], f"{action_id} is no external select"
        assert len(typed) >= element.get("min_query_length", 3), "Slack does not ask for so few letters"
        where = self._of_message(place) if isinstance(place, Message) else self._of_view(place, {})
        payload = where | {"action_id": element["action_id"], "block_id": block_id, "value": typed}
        payload.pop("response_url", None)
        return self._use(InteractionKind.SUGGESTION, payload, user, None)

    def open_home(self, user: Person, *, tab: str = "home") -> Delivery | None:
        """Open the app's Home (or messages) tab; it is told again each time."""
        channel = self.platform.dm_with(user)
        event: Json = {"type": "app_home_opened", "user": user.id, "channel": channel.id, "tab": tab}
        home = self.platform.homes.get(user.id)
        return self.platform.tell("app_home_opened", event | ({"view": shown(self.platform, home)} if home else {}))

    def _of_message(self, message: Message) -> Json:
        container = {
            "type": "message",
            "message_ts": message.ts,
            "channel_id": message.channel.id,
            "is_ephemeral": message.is_ephemeral,
        }
        value: Json = {
            "container": container | ({"thread_ts": message.thread_ts} if message.thread_ts else {}),
            "channel": {"id": message.channel.id, "name": message.channel.name or "directmessage"},
        }
        # Of an ephemeral message Slack tells where it was, and not what it said.
        return value if message.is_ephemeral else value | {"message": payloads.message(message, self.platform.team_id)}

    def _of_view(self, view: View, values: Filled) -> Json:
        content = shown(self.platform, view, filled_in(view.content["blocks"], values))
        return {"view": content, "container": {"type": "view", "view_id": view.id}}

    def _use(
        self,
        kind: InteractionKind,
        payload: Json,
        user: Person,
        channel: Channel | None,
        *,
        source: Message | None = None,
        view: View | None = None,
        expired: bool = False,
    ) -> Interaction:
        platform = self.platform
        trigger = f"{platform.ids.new('1')}.{platform.team_id}.{secrets.token_hex(8)}"
        area = "commands" if kind is InteractionKind.COMMAND else "actions"
        url = f"{platform.url}/{area}/{platform.team_id}/{secrets.token_hex(6)}/{secrets.token_hex(12)}"
        has_url = channel is not None and kind not in (InteractionKind.SUBMISSION, InteractionKind.SUGGESTION)
        has_url = has_url and (view is None or kind is InteractionKind.COMMAND)
        if kind is not InteractionKind.SUGGESTION:
            payload["trigger_id"] = trigger
        if has_url:
            payload["response_url"] = url
        if kind is not InteractionKind.COMMAND:
            payload = self._wrapped(kind, user) | payload
        delivery = Delivery(kind=COMMAND if kind is InteractionKind.COMMAND else INTERACTIVE, payload=payload)
        interaction = Interaction(
            kind=kind,
            user=user,
            channel=channel,
            source=source,
            delivery=delivery,
            trigger_id=trigger,
            response_url=url if has_url else "",
            payload=payload,
            view=view,
            expired=expired,
        )
        platform.interactions.append(interaction)
        delivery.on_ack = lambda attempt: acknowledged.take(platform, interaction, attempt)
        delivery.on_failure = lambda: acknowledged.time_out(platform, interaction)
        platform.deliveries.hand_over(delivery)
        return interaction

    def _wrapped(self, kind: InteractionKind, user: Person) -> Json:
        return {
            "type": kind.value,
            "team": {"id": self.platform.team_id, "domain": self.platform.team_name.lower()},
            "user": {
                "id": user.id,
                "username": user.name.lower(),
                "name": user.name.lower(),
                "team_id": self.platform.team_id,
            },
            "api_app_id": self.platform.app_id,
            "token": "deprecated-verification-token",
            "enterprise": None,
            "is_enterprise_install": False,
        }


def _action(element: Json, block_id: str) -> Json:
    value: dict[str, Any] = {name: element[name] for name in ("type", "action_id", "text", "value") if name in element}
    return value | {"block_id": block_id, "action_ts": "1700000000.000001"}
