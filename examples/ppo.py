"""Proximal policy optimisation by self-play on the vector environment, with PyTorch.

    python examples/ppo.py --minutes 3 --against rookie --curve curve.png --save agent.pt

One network plays all six countries, each by what it knows. The game is one of two teams that
win what the other loses, so a single number tells how well it stands: the lead that the Axis may
expect. Every so often the agent plays against random play, each side in half of the games; what
it has learned in the end it may show `--against` other bots.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical
from torch.nn.utils.rnn import pad_sequence

from quartermaster import TEAMS, Action, Look, play_match
from quartermaster.lab.env import VectorEnv, observation_of
from quartermaster.lab.ratings import Interval, wilson

STEPS, EPOCHS, MINIBATCH = 64, 3, 1024
GAMMA, LAMBDA, CLIP, ENTROPY, RATE = 0.997, 0.95, 0.2, 0.01, 1e-3
POINT = 0.1  # what a victory point is worth to the value


class Agent(nn.Module):
    """Of thousands of numbers some hundred are not zero, and of thousands of actions some ten
    are legal: only those are computed, as sums of embeddings."""

    def __init__(self, rules: str = "second", width: int = 128) -> None:
        super().__init__()
        known = observation_of(rules)
        self.rules = rules
        scale = torch.ones(known.size)
        scale[known.fields["round"].start :] = 0.1
        scale[known.fields["score"].start :] = 0.02
        self.register_buffer("scale", scale)
        self.numbers = nn.EmbeddingBag(known.size, width, mode="sum")
        nn.init.normal_(self.numbers.weight, std=0.05)
        self.body = nn.Sequential(
            nn.LayerNorm(width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.actions = nn.Embedding(known.rules.numbering.size, width)
        nn.init.normal_(self.actions.weight, std=0.01)
        self.value = nn.Linear(width, 1)

    def forward(
        self, observation: np.ndarray, legal: torch.Tensor
    ) -> tuple[Categorical, torch.Tensor]:
        """How likely each legal action is, and what its team may expect. `legal` has the numbers
        of the legal actions in rows, filled up with -1."""
        rows, places = observation.nonzero()
        begins = torch.from_numpy(np.searchsorted(rows, np.arange(len(observation))))
        at = torch.from_numpy(places)
        values = torch.from_numpy(observation[rows, places].astype(np.float32)) * self.scale[at]
        hidden = self.body(self.numbers(at, begins, per_sample_weights=values))
        logits = (self.actions(legal.clamp(min=0)) @ hidden[:, :, None]).squeeze(2)
        return Categorical(logits=logits.masked_fill(legal < 0, -1e9)), self.value(hidden)[:, 0]

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        """The agent as a bot: the likeliest action by what its country knows."""
        numbering = look.seen.rules.numbering
        legal = torch.tensor([[numbering.number(action.code) for action in actions]])
        known = observation_of(look.seen.rules).write([look.seen], bytes([look.viewers]))
        with torch.no_grad():
            return actions[int(self(known, legal)[0].probs.argmax())]


@cache
def saved_agent(file: str) -> Agent:
    torch.set_num_threads(1)
    agent = Agent()
    agent.load_state_dict(torch.load(file, weights_only=True))
    return agent


class Trained:
    """What `--save agent.pt` has kept, for the commands:

    quartermaster arena --bots examples/ppo.py:Trained,rookie --games 20
    """

    def __init__(self) -> None:
        self.agent = saved_agent("agent.pt")

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        return self.agent.decide(look, actions)


def legal_actions(mask: np.ndarray) -> torch.Tensor:
    rows = [torch.from_numpy(np.flatnonzero(row)) for row in mask]
    return pad_sequence(rows, batch_first=True, padding_value=-1)


def take(legal: torch.Tensor, choice: torch.Tensor) -> np.ndarray:
    """The numbers of the actions chosen."""
    return legal.gather(1, choice[:, None])[:, 0].numpy()


@dataclass
class Rollout:
    """What was seen and done in some steps of all games."""

    observations: list[np.ndarray] = field(default_factory=list)
    legals: list[torch.Tensor] = field(default_factory=list)
    choices: list[torch.Tensor] = field(default_factory=list)
    log_probs: list[torch.Tensor] = field(default_factory=list)
    sides: list[torch.Tensor] = field(default_factory=list)  # 1 for the Axis, -1 for the Allies
    values: list[torch.Tensor] = field(default_factory=list)  # for the Axis
    rewards: list[torch.Tensor] = field(default_factory=list)
    going: list[torch.Tensor] = field(default_factory=list)  # 0 where the game ended


def side_of(country: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(1.0 - 2.0 * (country & 1)).float()


def collect(agent: Agent, env: VectorEnv, now: tuple) -> tuple[Rollout, tuple]:
    """Play some steps in all games."""
    seen = Rollout()
    for _ in range(STEPS):
        observation, mask, country, _, _ = now
        legal, side = legal_actions(mask), side_of(country)
        with torch.no_grad():
            policy, value = agent(observation, legal)
        choice = policy.sample()
        seen.observations.append(observation.copy())
        seen.legals.append(legal)
        seen.choices.append(choice)
        seen.log_probs.append(policy.log_prob(choice))
        seen.sides.append(side)
        seen.values.append(value * side)
        now = env.step(take(legal, choice))
        seen.rewards.append(torch.from_numpy(now.reward[:, 0] * POINT))
        seen.going.append(torch.from_numpy(1.0 - now.done).float())
    with torch.no_grad():
        last = agent(now.observation, legal_actions(now.mask))[1] * side_of(now.country)
    seen.values.append(last)
    return seen, now


def learn(agent: Agent, optimiser: torch.optim.Optimizer, seen: Rollout) -> None:
    """Generalised advantages for the Axis, turned round for the Allies; then some epochs."""
    advantage = torch.zeros_like(seen.values[-1])
    advantages: list[torch.Tensor] = []
    for t in reversed(range(STEPS)):
        ahead = seen.values[t + 1] * seen.going[t]
        surprise = seen.rewards[t] + GAMMA * ahead - seen.values[t]
        advantage = surprise + GAMMA * LAMBDA * seen.going[t] * advantage
        advantages.insert(0, advantage)
    gains = torch.stack(advantages)
    sides = torch.stack(seen.sides)
    targets = ((gains + torch.stack(seen.values[:-1])) * sides).flatten()
    gains = (gains * sides).flatten()
    gains = (gains - gains.mean()) / (gains.std() + 1e-6)
    observations = np.concatenate(seen.observations)
    rows = [row for legal in seen.legals for row in legal]
    legals = pad_sequence(rows, batch_first=True, padding_value=-1)
    choices, before = torch.cat(seen.choices), torch.cat(seen.log_probs)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(choices)).split(MINIBATCH):
            policy, value = agent(observations[batch.numpy()], legals[batch])
            ratio = (policy.log_prob(choices[batch]) - before[batch]).exp()
            gain = gains[batch]
            surrogate = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            error = (value - targets[batch]).pow(2).mean()
            loss = 0.5 * error - surrogate - ENTROPY * policy.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 1.0)
            optimiser.step()


def against_random(agent: Agent, rules: str, games: int, seed: int) -> float:
    """The share of games won against random play, each side in half of them."""
    rng = np.random.default_rng(seed)
    env = VectorEnv(rules, games, seed=seed)
    now = env.reset()
    own = np.arange(games) % 2  # the team that the agent plays
    won, is_open = np.zeros(games), np.ones(games, dtype=bool)
    while is_open.any():
        legal = legal_actions(now.mask)
        with torch.no_grad():
            chosen = take(legal, agent(now.observation, legal)[0].sample())
        count = (legal >= 0).sum(dim=1).numpy()
        by_chance = take(legal, torch.from_numpy((rng.random(games) * count).astype(np.int64)))
        now = env.step(np.where(now.country % 2 == own, chosen, by_chance))
        won[is_open & now.done & (env.winner == own)] = 1
        is_open &= ~now.done
    return float(won.mean())


def against_bot(agent: Agent, name: str, games: int, seed: int = 1) -> Interval:
    """The share of games won against a bot, with its 95% interval; each seed is played from both
    sides. The agent does what it thinks likeliest."""
    won = 0
    for number in range(games):
        side = number % 2
        bots = [agent, name] if side == 0 else [name, agent]
        match = play_match(bots, agent.rules, seed=seed + number // 2)
        won += match.winner == TEAMS[side]
    return wilson(won, games)


def train(
    rules: str = "second", minutes: float = 3.0, games: int = 16, seed: int = 1, tests: int = 200
) -> tuple[Agent, list[tuple[float, int, float]]]:
    """An agent trained for so many minutes of processor time, and its curve: minutes, decisions,
    share of games won against random play."""
    torch.set_num_threads(1)  # the sums are small: more threads would wait for each other
    torch.manual_seed(seed)
    agent = Agent(rules)
    optimiser = torch.optim.Adam(agent.parameters(), lr=RATE)
    env = VectorEnv(rules, games, seed=seed, rewards="points")
    now = env.reset()
    spent, tested, decisions = 0.0, -1e9, 0
    curve: list[tuple[float, int, float]] = []
    while True:
        if spent - tested >= minutes / 10 or spent >= minutes:
            tested = spent
            curve.append((spent, decisions, against_random(agent, rules, tests, seed=10**6)))
            print("{:5.1f} min {:9,} decisions, won {:.1%} against random".format(*curve[-1]))
        if spent >= minutes:
            return agent, curve
        began = time.process_time()
        seen, now = collect(agent, env, now)
        learn(agent, optimiser, seen)
        spent += (time.process_time() - began) / 60
        decisions += STEPS * games


def draw(curve: list[tuple[float, int, float]], file: str) -> None:
    import matplotlib.pyplot as plt

    minutes, _, won = zip(*curve, strict=True)
    figure, axes = plt.subplots(figsize=(6, 3.2), layout="constrained")
    axes.plot(minutes, [100 * share for share in won], marker="o")
    axes.axhline(50, color="grey", linestyle=":")
    axes.set(xlabel="minutes of processor time", ylabel="% won against random", ylim=(0, 102))
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="second")
    parser.add_argument("--minutes", type=float, default=3.0, help="of processor time")
    parser.add_argument("--games", type=int, default=16, help="played at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", type=int, default=200, help="games against random play")
    parser.add_argument("--curve", help="a picture of how it went")
    parser.add_argument("--save", help="where the agent's weights go")
    parser.add_argument("--against", help="bots to play at the end, as many games, with commas")
    given = parser.parse_args()
    trained, history = train(given.rules, given.minutes, given.games, given.seed, given.tests)
    if given.curve:
        draw(history, given.curve)
    if given.save:
        torch.save(trained.state_dict(), given.save)
    for opponent in given.against.split(",") if given.against else ():
        rate = against_bot(trained, opponent, given.tests)
        share, low, high = (f"{100 * value:.1f}" for value in rate)
        print(f"won {share}% [{low}, {high}] of {given.tests} games against {opponent}")
