"""What waiting cannot mend, in one sentence each."""

from typing import Final

WRONG_TOKEN: Final = "Slack does not accept SLACK_BOT_TOKEN: copy the bot token (xoxb-) anew from the app's page."  # noqa: S105
WRONG_APP_TOKEN: Final = (
    "Slack does not accept SLACK_APP_TOKEN: make an app-level token (xapp-) with connections:write on the app's page."  # noqa: S105
)
NO_SOCKET_MODE: Final = "Socket Mode is off: switch it on, on the app's page, under Socket Mode."
NOT_A_BOT: Final = "SLACK_BOT_TOKEN is no bot's token: the one that is meant begins with xoxb-."

BOT_TOKEN_REFUSED: Final = frozenset(
    {"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "org_login_required"}
)
"""What Slack answers to any call with a token that is of no use (see `auth.test`)."""

APP_TOKEN_REFUSED: Final = {
    "invalid_auth": WRONG_APP_TOKEN,
    "not_authed": WRONG_APP_TOKEN,
    "token_revoked": WRONG_APP_TOKEN,
    "account_inactive": WRONG_APP_TOKEN,
    "not_allowed_token_type": WRONG_APP_TOKEN,
    "missing_scope": WRONG_APP_TOKEN,
    "no_permission": WRONG_APP_TOKEN,
    "socket_mode_not_enabled": NO_SOCKET_MODE,
}
"""What Slack answers to `apps.connections.open`."""
