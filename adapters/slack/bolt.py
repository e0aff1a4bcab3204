"""Bolt as Thusfar uses it: it knows who the bot is, and asks Slack nothing by itself."""

from typing import Final

from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize
from slack_bolt.context.async_context import AsyncBoltContext
from typing_extensions import override

from adapters.slack.calls import quiet_log, web_client
from adapters.slack.workspace import Identity, Workspace

_LOG: Final = "slack_bolt"


class KnownBot(AsyncAuthorize):
    """Answers who the bot is as `auth.test` told at the start; Bolt itself would ask at every first event."""

    def __init__(self, me: Identity) -> None:
        self._result = AuthorizeResult(
            enterprise_id=None, team_id=me.team_id, bot_user_id=me.bot_user_id, bot_id=me.bot_id
        )

    @override
    async def __call__(
        self,
        *,
        context: AsyncBoltContext,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None,
        actor_enterprise_id: str | None = None,
        actor_team_id: str | None = None,
        actor_user_id: str | None = None,
    ) -> AuthorizeResult | None:
        """Answer."""
        return self._result


def bolt_app(workspace: Workspace, *, signing_secret: str | None) -> AsyncApp:
    """Return an app without listeners; over HTTP every request is verified by the secret."""
    calls, options = workspace.calls, workspace.options
    return AsyncApp(
        name="thusfar",
        client=web_client(None, session=calls.session, api_base=options.api_base),
        authorize=KnownBot(workspace.me),  # type: ignore[arg-type]  # Bolt takes both kinds, and tells of one
        signing_secret=signing_secret or "",
        request_verification_enabled=signing_secret is not None,
        attaching_conversation_kwargs_enabled=False,
        logger=quiet_log(_LOG),
    )
