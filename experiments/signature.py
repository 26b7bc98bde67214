"""A hash of a fixed set of games by fixed agents: it changes when, and only when, the games played change."""

import hashlib
import json

from ..agents.match import play_match
from ..agents.registry import parse_agents, plays
from ..sim.games import GAMES, ruleset
from ..sim.rng import key_of

AGENTS = "random,greedy,mc(playouts=20),uecda_default,mc(playouts=20,policy=random),ismcts(playouts=20)"
MATCHES = 3


def signature() -> str:
    """Return the hash (16 hex digits) over all rulesets and numbers of players."""
    digest = hashlib.sha256()
    for game in GAMES:
        specs = [spec for spec in parse_agents(AGENTS) if plays(spec.agent_class, game.name)]
        for name, preset in game.presets.items():
            for players in preset.by_players:
                rules = ruleset(name, players).rules
                for match in range(MATCHES):
                    seated = [specs[(match + seat) % len(specs)] for seat in range(players)]
                    agents, labels = [spec.build() for spec in seated], [spec.label for spec in seated]
                    for played in play_match(game, rules, agents, labels, preset.match_games[0], key_of(match)):
                        record = game.record(rules, played.state, played.moves)
                        digest.update(json.dumps([name, players, match, record], sort_keys=True).encode())
    return digest.hexdigest()[:16]
