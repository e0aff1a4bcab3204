"""What the browser page and Slack's home tab show of a member's clubs and books."""
