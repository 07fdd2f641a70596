"""Effects of the Air Marshal expansion: air forces deployed, defending, attacking."""

from quartermaster.rules.actions import DEPLOY, REMOVE_AIR, on_space, space_of, verb_of
from quartermaster.rules.board import spaces_in
from quartermaster.rules.card import Op
from quartermaster.rules.effects.pieces import Part
from quartermaster.rules.flow import deploy, let_react, remove_air
from quartermaster.rules.frames import Frame
from quartermaster.rules.names import (
    ABOUT_TO_BE_REMOVED,
    AIR_DEFENDED,
    AIR_FORCE,
    RULE,
)
from quartermaster.rules.state import State
from quartermaster.rules.supply import supplied_mask
from quartermaster.rules.where import ANYWHERE, Where


class Deploy(Part):
    """Put an available air force where an own supplied army or navy stands."""

    kind = "deploy"

    def __init__(self, where: Where = ANYWHERE) -> None:
        self.where = where

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        country = f.country
        spaces = supplied_mask(s, country) & ~s.air[country] & self.where.mask(s, f)
        if s.reserve(country, AIR_FORCE) > 0:
            for space in spaces_in(spaces):
                out.append(on_space(DEPLOY, country, space))
        elif spaces and s.rules.is_removal_free:
            for space in spaces_in(s.air[country]):
                out.append(on_space(REMOVE_AIR, country, space))

    def take(self, s: State, f: Frame, code: int) -> bool:
        if verb_of(code) == REMOVE_AIR:
            remove_air(s, f.country, space_of(code))
            return False
        deploy(s, f.country, space_of(code))
        return True


class GiveUpAirForce(Part):
    """The owner removes an own air force, so that something else happens."""

    kind = "give-up"

    def __init__(self, where: Where = ANYWHERE) -> None:
        self.where = where

    def options(self, s: State, f: Frame, out: list[int]) -> None:
        for space in spaces_in(s.air[f.country] & self.where.mask(s, f)):
            out.append(on_space(REMOVE_AIR, f.country, space))

    def run(self, s: State, f: Frame) -> bool:
        s.options = []
        self.options(s, f, s.options)
        if not s.options:  # taken off meanwhile: not paid, no effect
            f.pc = s.rules.programs[f.program].tail
            return False
        return True

    def take(self, s: State, f: Frame, code: int) -> bool:
        remove_air(s, f.country, space_of(code))
        return True


class AirDefense(Op):
    """The air force in the battled space is lost in place of the army or navy."""

    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        f.next()
        remove_air(s, f.country, occasion.space)
        s.stack[occasion.depth].is_saved = True
        let_react(s, AIR_DEFENDED, f.country, occasion.space, occasion.whose, depth=occasion.depth)
        return False


class AirAttack(Op):
    """The targeted piece is removed after all: *about to be removed* opens again, without
    air defense."""

    def run(self, s: State, f: Frame) -> bool:
        occasion = f.occasion()
        f.next()
        removal = s.stack[occasion.depth]
        removal.is_saved = False
        removal.pc = 0
        removal.memory = (1,)  # air defense was used
        s.stack[occasion.depth + 1].next()  # the window in which the defense was used is over
        return False


class StopAirWar(Op):
    """Air defense and air attack cannot be used this turn."""

    def run(self, s: State, f: Frame) -> bool:
        f.next()
        for card in s.rules.cards:
            trigger = card.trigger
            if card.type == RULE and trigger is not None:
                kinds = trigger.listens_to()
                if ABOUT_TO_BE_REMOVED in kinds or AIR_DEFENDED in kinds:
                    s.stop(card.index)
        return False
