"""A discord.py client with commands, buttons and a form, for the loopback Discord's own tests of interactions."""

import asyncio

import discord
from discord import app_commands

from tests.platform_servers.discord.trial_bot import TrialBot

Doing = discord.Interaction[TrialBot]


class _Form(discord.ui.Modal, title="Where are you?"):
    page: discord.ui.TextInput["_Form"] = discord.ui.TextInput(label="Page", custom_id="page")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"page {self.page.value}", ephemeral=True)


class _Buttons(discord.ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Undo", custom_id="undo")
    async def undo(self, interaction: discord.Interaction, _: "discord.ui.Button[_Buttons]") -> None:
        await interaction.response.edit_message(content="undone", view=None)

    @discord.ui.button(label="Sources", custom_id="sources")
    async def sources(self, interaction: discord.Interaction, _: "discord.ui.Button[_Buttons]") -> None:
        await interaction.response.send_message("p. 12", ephemeral=True)

    @discord.ui.button(label="Form", custom_id="form")
    async def form(self, interaction: discord.Interaction, _: "discord.ui.Button[_Buttons]") -> None:
        await interaction.response.send_modal(_Form())

    @discord.ui.button(label="Quiet", custom_id="quiet")
    async def quiet(self, interaction: discord.Interaction, _: "discord.ui.Button[_Buttons]") -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(content="quietly")

    @discord.ui.button(label="No", custom_id="disabled", disabled=True)
    async def disabled(self, interaction: discord.Interaction, _: "discord.ui.Button[_Buttons]") -> None:
        """Never pressed."""


class CommandBot(TrialBot):
    """`carry_on` is awaited between the deferral and what follows; `failed` keeps what went wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.carry_on = asyncio.Event()
        self.carry_on.set()
        self.failed: list[BaseException] = []
        self.tree.add_command(app_commands.Command(name="setpage", description="Set it", callback=_setpage))
        self.tree.add_command(app_commands.Command(name="ask", description="Ask", callback=_ask))
        group = app_commands.Group(
            name="book", description="Books", default_permissions=discord.Permissions(manage_threads=True)
        )
        group.add_command(app_commands.Command(name="use", description="Use one", callback=_book_use))
        group.add_command(app_commands.Command(name="add", description="Add one", callback=_book_add))
        self.tree.add_command(group)
        self.tree.error(self._keep)
        self.add_view(_Buttons())

    async def _keep(self, _: Doing, error: app_commands.AppCommandError) -> None:
        self.failed.append(error.__cause__ or error)
        await self._tell()


async def _setpage(interaction: Doing, page: app_commands.Range[int, 1, 999]) -> None:
    await interaction.response.send_message(f"page {page}", view=_Buttons())


async def _ask(interaction: Doing, question: str, quietly: bool = True) -> None:
    await interaction.response.defer(ephemeral=quietly, thinking=True)
    bot = interaction.client
    assert isinstance(bot, CommandBot)
    await bot.carry_on.wait()
    await interaction.edit_original_response(content=f"an answer to {question}")
    await interaction.followup.send("and more", ephemeral=quietly)


async def _titles(_: Doing, typed: str) -> list[app_commands.Choice[str]]:
    titles = ["Emma", "Persuasion"]
    return [app_commands.Choice(name=one, value=one.lower()) for one in titles if typed.lower() in one.lower()]


@app_commands.autocomplete(title=_titles)
async def _book_use(interaction: Doing, title: str) -> None:
    await interaction.response.defer(ephemeral=True)
    await interaction.followup.send(f"using {title}")


async def _book_add(interaction: Doing, file: discord.Attachment) -> None:
    data = await file.read()
    await interaction.response.send_message(f"{file.filename}: {len(data)} bytes", ephemeral=True)
