"""What all parts of the Slack adapter share: the bot's identity, its workspace and its services."""

from dataclasses import dataclass, field

from adapters.platform.commands import OrganiserNotices
from adapters.platform.services import PlatformServices
from adapters.slack.calls import SlackCalls
from adapters.slack.listening import is_direct
from adapters.slack.options import SlackOptions
from adapters.slack.people import People
from adapters.slack.posting import Posting
from adapters.slack.status import StatusLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """The bot in its workspace, from `auth.test`; `scopes` are the scopes of its token.

    `url` is the workspace's address.
    """

    team_id: str
    team: str
    bot_user_id: str
    bot_id: str
    name: str
    url: str = ""
    scopes: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """One workspace, as served by this process."""

    me: Identity
    services: PlatformServices
    options: SlackOptions
    calls: SlackCalls
    people: People
    posting: Posting
    status: StatusLine
    notices: OrganiserNotices

    def is_allowed(self, channel_id: str) -> bool:
        """Whether the operator lets the bot speak in a channel; DMs are always allowed."""
        allowed = self.options.allowed_channels
        return not allowed or channel_id in allowed or is_direct(channel_id)

    def link_to(self, channel_id: str, ts: str) -> str:
        """Return the link to a message, as chat.getPermalink would."""
        return f"{self.me.url.rstrip('/')}/archives/{channel_id}/p{ts.replace('.', '')}"


def workspace_of(me: Identity, *, services: PlatformServices, options: SlackOptions, calls: SlackCalls) -> Workspace:
    """Return the workspace with its shared parts."""
    return Workspace(
        me=me,
        services=services.heard_by(lambda: me.bot_user_id),
        options=options,
        calls=calls,
        people=People(calls, team_id=me.team_id, organisers=options.organisers),
        posting=Posting(calls, own_id=me.bot_user_id, pause=options.pause),
        status=StatusLine(calls),
        notices=OrganiserNotices(),
    )
