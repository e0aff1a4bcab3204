"""Timers: reminders, saved questions, the weekly quote."""
