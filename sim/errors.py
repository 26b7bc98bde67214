"""The one error that is meant for people."""


class InputError(ValueError):
    """Something that a person gave is wrong; the message is one line that says what, and what would be right."""
