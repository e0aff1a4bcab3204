"""What Thusfar decides, without any platform, database or SDK.

Start with `core.answering.answer_message`: every question comes through it. `docs/architecture.md` has the whole tree.
"""
