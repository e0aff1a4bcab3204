"""An evening of small talk, written without looking at the rules: the bot says almost nothing."""

from adapters.platform.services import PlatformServices
from bot.wiring import Application
from tests.adapters.platform.evenings import evening_of
from tests.adapters.platform.stages import Stage

IDLE = """\
A hello you lot
B hiya
C how was everyone's weekend?
O exhausting, the twins both had colds
A poor you
B mine was quiet, I repotted the basil
C are we still on for Thursday?
O I think so, unless Olga says otherwise
A Thursday is fine, but can we start at eight?
B eight works
C who is driving?
O me, I can take two
A could you pick me up at the station?
B sure, which train?
C the 19:12
O 👍
A does anybody want the last of the plum cake
B always
C I brought my copy back from the library, it smelled of smoke
O ew
A mine has somebody's shopping list in it
B what's on it?
C leeks, candles, a mop
O that's a novel in itself
A lol
B did you see the weather for the weekend?
C rain again, obviously
O I'm only reading on the tram now
A same, ten pages a day
B I like how dry she is
C right? the thing about the sherry
O my grandmother talked exactly like that
A https://example.com/old-weighbridges
B oh that's a lovely picture
C is that near your place?
O two villages over
A we should go there in spring!
B yes please
C has anybody paid for the room yet?
O I did, you all owe me three pounds
"""


async def test_idle_talk_of_forty_lines_draws_two_posts_at_most(
    stage: Stage, house: Application, services: PlatformServices
) -> None:
    evening = await evening_of(stage, house, services, IDLE)
    assert len(evening.lines) == 40
    drawn = [one.text for one in evening.lines if one.posts]
    assert len(drawn) <= 2, drawn
    assert evening.reactions == evening.pings == 0
