"""Who somebody is: tokens, sessions, passwords."""
