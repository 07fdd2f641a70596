"""Setup and the steps of a turn (rules 2, 3 and 7)."""

from typing import Final

from quartermaster.rules.actions import (
    CODES_ON_CARDS,
    DEPLOY,
    DISCARD,
    MARSHAL,
    MOVE,
    PASS,
    PLAY,
    REMOVE_AIR,
    USE,
    card_of,
    on_space,
    space_of,
    verb_of,
)
from quartermaster.rules.board import spaces_in
from quartermaster.rules.card import Op
from quartermaster.rules.effects.air import Deploy
from quartermaster.rules.flow import (
    can_play,
    can_use,
    discard_from_hand,
    discard_off_deck,
    distinct,
    let_react,
    move_air,
    play,
    remove_air,
    reposition_mask,
    score,
    use,
)
from quartermaster.rules.frames import Frame
from quartermaster.rules.masks import bit_of
from quartermaster.rules.names import (
    ABOUT_TO_BE_REMOVED,
    BY_SUPPLY,
    DEPLOY_AIR_FORCE,
    DEPLOYED,
    HAND,
    NOBODY,
    REMOVED,
    START_VICTORY,
    TABLE,
    VICTORY,
)
from quartermaster.rules.rule_set import ANY_TURN
from quartermaster.rules.state import NO_SPACES, State
from quartermaster.rules.supply import supplied_mask
from quartermaster.rules.victory import (
    declare,
    is_decided,
    is_home_occupied,
    leading_team,
    star_points,
)

HAND_SIZE: Final = 7


class KeepHand(Op):
    """Setup: each country keeps 7 of the cards drawn."""

    kind = "setup"

    def run(self, s: State, f: Frame) -> bool:
        hand = s.zones[HAND + f.country]
        if len(hand) > HAND_SIZE:
            s.options = distinct(hand, DISCARD)
            return True
        f.country += 1
        if f.country == 6:
            f.country = 0
            f.next()
        return False

    def choose(self, s: State, f: Frame, code: int) -> None:
        s.discard_from_hand(f.country, card_of(code))

    def is_asked(self, s: State, f: Frame) -> bool:
        return True


class BeginTurn(Op):
    def run(self, s: State, f: Frame) -> bool:
        f.country = s.country
        s.step = 0
        s.at_start = s.pieces
        s.note("turn", s.country, n=s.round)
        f.next()
        return False


class BeginStep(Op):
    """The beginning of a step, before anything else in it."""

    def __init__(self, step: int) -> None:
        self.step = step

    def run(self, s: State, f: Frame) -> bool:
        f.next()
        s.step = self.step
        if self.step == START_VICTORY and is_home_occupied(s, s.country):
            f.pc += 1  # the step is skipped wholly
            s.note("skip-victory", s.country)
        else:
            let_react(s, self.step, NOBODY)
        return False


class PlayStep(Op):
    """Play a card from hand, discard one for nothing, or use a card in place of it."""

    kind = "play"

    def run(self, s: State, f: Frame) -> bool:
        country = s.country
        hand = s.zones[HAND + country]
        cards = s.rules.cards
        options: list[int] = []
        previous = -1
        for index in hand:
            if index != previous:
                previous = index
                if can_play(s, cards[index]):
                    options.append(CODES_ON_CARDS[PLAY][index])
                options.append(CODES_ON_CARDS[DISCARD][index])
        for index in s.zones[TABLE + country]:
            card = cards[index]
            if (
                card.is_in_place
                and s.is_armed(index)
                and index not in s.fresh
                and can_use(s, card, None)
            ):
                options.append(CODES_ON_CARDS[USE][index])
        if not hand:
            options.append(PASS)
        s.options = options
        return True

    def choose(self, s: State, f: Frame, code: int) -> None:
        f.next()
        country = s.country
        verb = verb_of(code)
        if verb == PLAY:
            s.take_from_hand(country, card_of(code))
            play(s, country, card_of(code), is_play_step=True)
        elif verb == DISCARD:
            s.discard_from_hand(country, card_of(code))
        elif verb == USE:
            use(s, s.rules.cards[card_of(code)], None)
        else:
            s.note("no-card", country)
            if s.rules.is_empty_hand_costly:
                discard_off_deck(s, country, 1)

    def is_asked(self, s: State, f: Frame) -> bool:
        """The question is put if there is a card in hand, which may be unplayable, or a card on the
        table that may be used in place of one, whose cost cannot perhaps be paid: if nothing were
        asked, others could tell."""
        if s.zones[HAND + s.country]:
            return True
        for index in s.zones[TABLE + s.country]:
            if s.rules.cards[index].is_in_place:
                return True
        return False


class AirStep(Op):
    """Deploy an air force, marshal one, or neither."""

    kind = "air"

    def __init__(self) -> None:
        self.deploy = Deploy()

    def run(self, s: State, f: Frame) -> bool:
        options = [PASS]
        hand = s.zones[HAND + s.country]
        if self._deploy_card(s) >= 0:
            self.deploy.options(s, f, options)
        if hand:
            for space in spaces_in(s.air[s.country] & supplied_mask(s, s.country)):
                options.append(on_space(MARSHAL, s.country, space))
        s.options = options
        return True

    def is_asked(self, s: State, f: Frame) -> bool:
        """Whether there is a card left that could be one to deploy an air force with, and a
        place for it."""
        if not s.zones[HAND + s.country]:
            return False
        places: list[int] = []
        self.deploy.options(s, f, places)
        return len(places) > 0

    def _deploy_card(self, s: State) -> int:
        for card in s.zones[HAND + s.country]:
            if s.rules.types[card] == DEPLOY_AIR_FORCE:
                return card
        return -1

    def choose(self, s: State, f: Frame, code: int) -> None:
        verb = verb_of(code)
        if verb == REMOVE_AIR:  # to have one to deploy
            remove_air(s, s.country, space_of(code))
        elif verb == DEPLOY:
            f.pc += 2
            card = self._deploy_card(s)
            s.take_from_hand(s.country, card)
            s.put_face_up(s.country, card)
            s.note("play", s.country, card)
            self.deploy.take(s, f, code)
        elif verb == MARSHAL:
            f.next()
            f.marshaled = space_of(code)
            discard_from_hand(s, s.country, 1)
        else:
            f.pc += 2


class Marshal(Op):
    """Where the marshaled air force goes: the same space is allowed."""

    kind = "marshal"

    def run(self, s: State, f: Frame) -> bool:
        country = s.country
        if s.air[country] >> f.marshaled & 1 == 0:  # taken off meanwhile
            f.next()
            return False
        spaces = supplied_mask(s, country) & ~s.air[country] | bit_of(f.marshaled)
        options = []
        for space in spaces_in(spaces):
            options.append(on_space(MOVE, country, space))
        s.options = options
        return True

    def choose(self, s: State, f: Frame, code: int) -> None:
        to = space_of(code)
        move_air(s, s.country, f.marshaled, to, "marshal")
        f.next()
        let_react(s, DEPLOYED, s.country, to, s.country)


class SupplyStep(Op):
    """Remove the unsupplied pieces of the country on turn, again and again until none is
    left but those saved. In the frame's memory: pieces still to be asked about, those to be
    removed, those saved, and those whose removal is yet to be told. `progress` is the space of
    the piece that reactions are about, plus 1."""

    kind = "reposition"

    def piece_lost(self, f: Frame, country: int, space: int) -> None:
        # A piece that comes to the same space meanwhile is asked about in its own right.
        if country == f.country and f.memory:
            others = ~bit_of(space)
            asked, doomed, saved, told = f.memory
            f.memory = (asked & others, doomed & others, saved & others, told)
            if f.progress == 1 + space:
                f.is_saved = True  # nothing is left to be saved
                f.progress = 0

    def run(self, s: State, f: Frame) -> bool:
        country = s.country
        if not f.memory:
            lost = s.pieces[country] & ~supplied_mask(s, country)
            if not lost:
                f.next()
                return False
            f.memory = (lost, 0, 0, 0)
        asked, doomed, saved, told = f.memory
        if f.progress:
            bit = bit_of(f.progress - 1)
            if f.is_saved or s.protected[country] & bit:
                saved |= bit
            elif supplied_mask(s, country) & bit == 0:
                doomed |= bit
        f.is_saved = False
        f.progress = 0
        while asked:
            low = asked & -asked
            asked ^= low
            space = low.bit_length() - 1
            if s.protected[country] & low:
                saved |= low
            elif supplied_mask(s, country) & low:
                continue  # put in supply meanwhile
            elif s.has_listeners(ABOUT_TO_BE_REMOVED, ANY_TURN):
                f.memory = (asked, doomed, saved, told)
                f.is_saved = False
                f.progress = 1 + space
                let_react(s, ABOUT_TO_BE_REMOVED, NOBODY, space, country, -1, BY_SUPPLY)
                return False
            else:
                doomed |= low
        doomed &= s.pieces[country] & ~supplied_mask(s, country)
        if doomed:
            for space in spaces_in(doomed):
                s.take_off(country, space)
                s.note("remove", country, space=space, n=BY_SUPPLY)
            told |= doomed
            doomed = 0
        f.memory = (0, 0, saved, told)
        homeless = s.air[country] & ~s.pieces[country]
        if homeless:
            space = spaces_in(homeless)[0]
            options = [PASS]
            for to in spaces_in(reposition_mask(s, country, space)):
                options.append(on_space(MOVE, country, to))
            s.options = options
            return True
        if told:
            low = told & -told
            f.memory = (0, 0, saved, told ^ low)
            let_react(s, REMOVED, NOBODY, low.bit_length() - 1, country, -1, BY_SUPPLY)
            return False
        # Removing pieces may have cut off others.
        lost = s.pieces[country] & ~supplied_mask(s, country) & ~saved
        if lost:
            f.memory = (lost, 0, saved, 0)
            return False
        f.memory = ()
        f.next()
        return False

    def choose(self, s: State, f: Frame, code: int) -> None:
        space = spaces_in(s.air[s.country] & ~s.pieces[s.country])[0]
        if code == PASS:
            remove_air(s, s.country, space)
        else:
            move_air(s, s.country, space, space_of(code), "reposition")


class CollectPoints(Op):
    """The victory step: the country on turn scores for its stars, then its statuses may."""

    def run(self, s: State, f: Frame) -> bool:
        f.next()
        score(s, s.country, star_points(s, s.country, s.pieces[s.country]))
        let_react(s, VICTORY, NOBODY)
        return False


class DiscardStep(Op):
    """Discard any number of cards from hand."""

    kind = "discard-step"

    def run(self, s: State, f: Frame) -> bool:
        hand = s.zones[HAND + s.country]
        if not hand:
            f.next()
            return False
        options = distinct(hand, DISCARD)
        options.append(PASS)
        s.options = options
        return True

    def choose(self, s: State, f: Frame, code: int) -> None:
        if code == PASS:
            f.next()
        else:
            s.discard_from_hand(s.country, card_of(code))


class DrawStep(Op):
    def run(self, s: State, f: Frame) -> bool:
        f.next()
        s.draw(s.country, HAND_SIZE - len(s.zones[HAND + s.country]))
        return False


class EndTurn(Op):
    """What lasted this turn ends; after the last country the round does."""

    def run(self, s: State, f: Frame) -> bool:
        f.pc = 0
        f.word = 0
        f.progress = 0
        f.memory = ()
        s.used = ()
        for card in s.stopped:
            s.arm(card)
        s.stopped = ()
        s.protected = NO_SPACES
        if s.sustained is not NO_SPACES:
            s.sustained = NO_SPACES
            s.board_changed()
        if not s.rules.is_status_delayed:
            s.fresh = ()
        s.country = (s.country + 1) % 6
        if s.country == 0:
            self._end_round(s)
        return False

    def _end_round(self, s: State) -> None:
        for card in s.fresh:  # delayed statuses hold from now on
            s.arm(card)
        s.fresh = ()
        if is_decided(s):
            s.country = 5
            declare(s, leading_team(s))
        else:
            s.round += 1
            s.note("round", NOBODY, n=s.round)
