"""What people may do at a table: each command checks, and gives the events it brings.

Nothing changes here; who calls adds the events to the table once they are on disk.
"""

from quartermaster.server.table.commands.motions import propose, resume, time_out_votes, vote
from quartermaster.server.table.commands.playing import (
    answer,
    go_on,
    hold,
    is_repeated,
    move,
    order,
    prepare,
    undo,
)
from quartermaster.server.table.commands.seats import hand_over, leave_seat, take_seat
from quartermaster.server.table.commands.setting_up import (
    contribute,
    create,
    note_rematch,
    rematch,
    say_ready,
    set_seat,
    set_up,
    start,
)
from quartermaster.server.table.commands.wishes import GameWish, SeatWish, Who, out_of_range

__all__ = [
    "GameWish",
    "SeatWish",
    "Who",
    "answer",
    "contribute",
    "create",
    "go_on",
    "hand_over",
    "hold",
    "is_repeated",
    "leave_seat",
    "move",
    "note_rematch",
    "order",
    "out_of_range",
    "prepare",
    "propose",
    "rematch",
    "resume",
    "say_ready",
    "set_seat",
    "set_up",
    "start",
    "take_seat",
    "time_out_votes",
    "undo",
    "vote",
]
