"""What is due at a date: reminders, saved questions, the weekly quote."""
