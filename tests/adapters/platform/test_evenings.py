"""A club's lively evening, written without looking at the rules: the bot helps and doesn't interrupt."""

from adapters.platform.services import PlatformServices
from bot.wiring import Application
from tests.adapters.platform.evenings import evening_of
from tests.adapters.platform.stages import Stage

LIVELY = """\
A*@ evening! who is Lacey again?
B hi Ada
B sorry I'm late, dishes
C the one with the cold lol
A ohh right, the sneezing one
O did everybody get to the end of chapter 3?
B yep, finished it on the bus
C I have five pages left, don't wait for me
B*what was it about the clock being slow?
O I knew the clock would matter
C my money is on Hallam, sorry
A nooo not Hallam
B haha you always suspect the nice ones
C*where was Hallam on saturday night though
A told you, the concert
O*and Rudd?
B the liver thing was so over the top
C has anyone got a spare copy for my sister?
A @B you had two, right?
B yes, I'll bring one on Thursday
O*how much did the bridge read when they found him
C that sum gave me chills
A "It was a very good bridge." what a line
B*@ who is Betty Stamp
C I like her already
A*is she related to the landlord?
O*what page is the letter from the beet farmer on?
B*@ thanks!
C next week chapters 4 to 6?
O works for me
A*what did Miss Dove teach
"""


async def test_a_lively_evening_is_helped_and_kept_quiet(
    stage: Stage, house: Application, services: PlatformServices
) -> None:
    evening = await evening_of(stage, house, services, LIVELY)
    assert (len(evening.lines), sum(one.for_bot for one in evening.lines)) == (31, 10)
    assert evening.posts <= 12
    assert evening.reactions <= 15
    assert evening.pings <= 6
    missed = [one.text for one in evening.lines if one.for_bot and not one.posts]
    assert len(missed) <= 3, missed  # the thanks among them get a heart
    drawn = [one.text for one in evening.lines if one.posts and not one.for_bot]
    assert len(drawn) <= 1, drawn
