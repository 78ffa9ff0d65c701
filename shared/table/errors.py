"""Why a table refuses what is not a move."""


class TableRefusal(Exception):
    """Base: nothing has changed. `code` is stable, the sentence is for players."""

    code = "refused"
    sentence = "This is not possible."

    def __init__(self, detail: str | None = None) -> None:
        self.detail = detail or self.sentence
        super().__init__(self.detail)


class GameNotOpen(TableRefusal):
    code = "game_not_open"
    sentence = "The game has started or is over."


class GameNotRunning(TableRefusal):
    code = "game_not_running"
    sentence = "The game is not running."


class GameIsFull(TableRefusal):
    code = "game_full"
    sentence = "All five seats are taken."


class AlreadyJoined(TableRefusal):
    code = "already_joined"
    sentence = "This account has joined the game already."


class NotJoined(TableRefusal):
    code = "not_joined"
    sentence = "This account has no seat in the game."


class NotTheCreator(TableRefusal):
    code = "not_the_creator"
    sentence = "Only who created the game may do this."


class TooFewPlayers(TableRefusal):
    code = "too_few_players"
    sentence = "The game needs more players."
