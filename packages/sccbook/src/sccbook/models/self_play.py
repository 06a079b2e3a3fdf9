"""A MuZero that plays: search by mctx, self-play of a game, replay, and the updates of ``muzero``.

Everything is a pure function of a state that holds it all, parameters, optimizer, replay and key, so
a training run is compiled whole, and many seeds run side by side under ``vmap``.
"""

from typing import Any, Literal, NamedTuple

import jax
import jax.numpy as jnp
import mctx
import optax
from jax import Array
from jax.typing import ArrayLike

from sccbook.models import catch, muzero
from sccbook.models.muzero import Batch
from sccbook.models.muzero_networks import Params


class Settings(NamedTuple):
    """What a run is, apart from its seed, its learning rate and s. All of it is static.

    Attributes:
      rules: of the game.
      blind: whether only the first position of a game is observed. All later moves are searched from the
        state that the dynamics made of it and of the moves since, and examples all begin at the start.
      placement: of the scale, one of ``scaleclip.ledger.PLACEMENTS``.
      steps: K, how far the model is unrolled in training.
      normalise: whether states are min-max normalised.
      root_weight: on the gradient of step 0's loss.
      optimizer: Adam, or SGD with momentum.
      epsilon: Adam's; with 0, an update of 0/0 is 0.
      decay: the factor of the weight decay, and ``decay_in`` where it acts: see ``update_weights``.
      games: played side by side in each iteration, and ``updates`` made after them.
      batch: examples of an update.
      kept: iterations whose games are in the replay.
      bootstrap: n of the n-step targets, and ``discount`` its factor.
      simulations: of the search, for each move.
      state, hidden: widths of the networks.
      reward_in: what predicts rewards, a head or the dynamics: see ``muzero_networks.init``.
      recorder: what sees the gradients before the optimizer, such as one of ``scaleclip.probe``; its
        state is the first of the optimizer's. By default nothing is recorded.
    """

    rules: catch.Rules = catch.CATCH
    blind: bool = False
    placement: str = "off"
    steps: int = 5
    normalise: bool = True
    root_weight: float = 1.0
    optimizer: Literal["adam", "sgd"] = "adam"
    epsilon: float = 1e-8
    decay: float = 0.0
    decay_in: Literal["l2", "decoupled"] = "l2"
    games: int = 32
    updates: int = 8
    batch: int = 64
    kept: int = 16
    bootstrap: int = 5
    discount: float = 0.997
    simulations: int = 8
    state: int = 16
    hidden: int = 32
    reward_in: Literal["head", "dynamics"] = "head"
    recorder: optax.GradientTransformation = optax.identity()


class Replay(NamedTuple):
    """Games that were played: leaves ``[kept, games, moves]``, policies with a last axis A.

    Attributes:
      game: the positions before each move.
      action, reward: of the moves.
      value: n-step targets of the positions.
      policy: what the search made of the prior.
    """

    game: catch.Game
    action: Array
    reward: Array
    value: Array
    policy: Array


class Training(NamedTuple):
    """A training run between two iterations."""

    params: Params
    optimizer: Any
    replay: Replay
    key: Array
    iteration: Array


def transformation(settings: Settings, rate: ArrayLike) -> optax.GradientTransformation:
    """Make the optimizer of a run, with the recorder before it."""
    descent = optax.scale_by_learning_rate(rate)
    if settings.optimizer == "sgd":
        return optax.chain(settings.recorder, optax.trace(0.9), descent)
    zero_by_zero = optax.stateless(lambda updates, _: jax.tree.map(jnp.nan_to_num, updates))
    adam = optax.chain(optax.scale_by_adam(eps=settings.epsilon), zero_by_zero)
    return optax.chain(settings.recorder, adam, descent)


def start(settings: Settings, key: Array) -> Training:
    """Draw the networks; the replay is empty until the first iteration has filled it."""
    key, own = jax.random.split(key)
    rules, moves = settings.rules, (settings.kept, settings.games, settings.rules.moves)
    params = muzero.init(
        own, observation=rules.observation, actions=catch.ACTIONS, state=settings.state,
        hidden=settings.hidden, reward_in=settings.reward_in,
    )  # fmt: skip
    nothing = Replay(
        catch.Game(*(jnp.zeros(moves, jnp.int32) for _ in catch.Game._fields)),
        jnp.zeros(moves, jnp.int32),
        jnp.zeros(moves),
        jnp.zeros(moves),
        jnp.zeros((*moves, catch.ACTIONS)),
    )
    optimizer = transformation(settings, 0.0).init(params)
    return Training(params, optimizer, nothing, key, jnp.zeros((), jnp.int32))


def encode(settings: Settings, params: Params, game: catch.Game) -> Array:
    """Represent positions, leaves ``[B]``, by states ``[B, D]``."""

    def of_one(one: catch.Game) -> Array:
        seen = catch.observe(settings.rules, one)
        return muzero.representation(params, seen, normalise=settings.normalise)

    return jax.vmap(of_one)(game)


def imagine(settings: Settings, params: Params, states: Array, action: Array) -> Array:
    """Make a move in the model: from states ``[B, D]`` and actions ``[B]`` to states."""
    normalise = settings.normalise
    after: Array = jax.vmap(lambda h, a: muzero.dynamics(params, h, a, normalise=normalise))(
        states, action
    )
    return after


def search(
    settings: Settings, params: Params, key: Array, states: Array, gumbel_scale: float = 1.0
) -> tuple[Array, Array, Array]:
    """Search from each of many states, float ``[B, D]``.

    Returns:
      The chosen actions, int ``[B]``; the search's policies, float ``[B, A]``; and its values of the
      positions, float ``[B]``.

    Source: Gumbel MuZero, Danihelka et al. 2022, by mctx.
    """
    predicted = jax.vmap(lambda state: muzero.prediction(params, state))(states)

    def expand(params: Params, _: Array, action: Array, state: Array) -> tuple[Any, Array]:
        after = imagine(settings, params, state, action)
        seen = jax.vmap(lambda h: muzero.prediction(params, h))(after)
        discount = jnp.full_like(seen.value, settings.discount)
        of_move = mctx.RecurrentFnOutput(
            reward=seen.reward, discount=discount, prior_logits=seen.policy_logits, value=seen.value
        )
        return of_move, after

    root = mctx.RootFnOutput(
        prior_logits=predicted.policy_logits, value=predicted.value, embedding=states
    )
    found = mctx.gumbel_muzero_policy(
        params, key, root, expand,
        num_simulations=settings.simulations, max_num_considered_actions=catch.ACTIONS,
        gumbel_scale=gumbel_scale,
    )  # fmt: skip
    return found.action, found.action_weights, found.search_tree.summary().value


def play(
    settings: Settings, params: Params, key: Array, games: catch.Game, gumbel_scale: float = 1.0
) -> Replay:
    """Play whole games from their starts, leaves ``[B]``; what is returned has ``[B, moves]``."""

    def move(
        at: tuple[catch.Game, Array], key: Array
    ) -> tuple[tuple[catch.Game, Array], tuple[Any, ...]]:
        game, states = at
        if not settings.blind:
            states = encode(settings, params, game)
        action, policy, value = search(settings, params, key, states, gumbel_scale)
        after, reward = jax.vmap(lambda one, a: catch.step(settings.rules, one, a))(game, action)
        if settings.blind:
            states = imagine(settings, params, states, action)
        return (after, states), (game, action, reward, value, policy)

    moves = settings.rules.moves
    start = games, encode(settings, params, games)
    _, seen = jax.lax.scan(move, start, jax.random.split(key, moves))
    game, action, reward, value, policy = jax.tree.map(lambda leaf: jnp.swapaxes(leaf, 0, 1), seen)
    return Replay(game, action, reward, targets(settings, reward, value), policy)


def targets(settings: Settings, reward: Array, value: Array) -> Array:
    """Compute n-step targets, float ``[B, moves]``: n rewards, and then the search's value.

    ``z_t = sum_{i<n} gamma^i r_{t+i} + gamma^n v_{t+n}``; after the end of a game, both are 0.
    """
    n, moves = settings.bootstrap, settings.rules.moves
    padded = jnp.pad(reward, ((0, 0), (0, n)))
    total = sum(settings.discount**i * padded[:, i : i + moves] for i in range(n))
    later = jnp.pad(value, ((0, 0), (0, n)))[:, n:]
    return total + settings.discount**n * later


def sample(settings: Settings, replay: Replay, key: Array, filled: ArrayLike, size: int) -> Batch:
    """Draw examples for an update: a position, K actions after it, and the targets of K + 1 states.

    After the end of a game actions are random, rewards and values are 0, and there is no target for
    the policy: its loss is 0.
    """
    moves, steps = settings.rules.moves, settings.steps
    drawn = jax.random.uniform(key, (size, 3 + steps))  # one call: it's what takes long to compile

    def below(numbers: Array, limit: ArrayLike) -> Array:
        return jnp.floor(numbers * limit).astype(jnp.int32)

    at = below(drawn[:, 0], filled), below(drawn[:, 1], settings.games)
    t = jnp.zeros(size, jnp.int32) if settings.blind else below(drawn[:, 2], moves)
    ahead = t[:, None] + jnp.arange(steps + 1)  # positions [B, K + 1]
    played, inside = ahead < moves, jnp.minimum(ahead, moves - 1)

    def of(leaf: Array) -> Array:
        rows: Array = jax.vmap(lambda row, where: row[where])(leaf[at], inside)
        return rows

    position = jax.tree.map(lambda leaf: leaf[at][jnp.arange(size), t], replay.game)
    observation = jax.vmap(lambda one: catch.observe(settings.rules, one))(position)
    any_action = below(drawn[:, 3:], catch.ACTIONS)
    action = jnp.where(played, of(replay.action), 0)[:, :-1]
    reward = jnp.where(played, of(replay.reward), 0.0)
    return Batch(
        observation,
        jnp.where(played[:, :-1], action, any_action),
        jnp.where(played, of(replay.value), 0.0),
        jnp.concatenate([jnp.zeros((size, 1)), reward[:, :-1]], axis=1),
        jnp.where(played[..., None], of(replay.policy), 0.0),
    )


def collect(settings: Settings, training: Training) -> tuple[Training, Array]:
    """Play games with the networks as they are, into the replay.

    Returns:
      The run after it; and the mean return of the games, float ``[]``.
    """
    key, of_starts, of_play = jax.random.split(training.key, 3)
    games = jax.vmap(lambda key: catch.start(settings.rules, key))(
        jax.random.split(of_starts, settings.games)
    )
    played = play(settings, training.params, of_play, games)
    slot = training.iteration % settings.kept
    replay = jax.tree.map(lambda all, new: all.at[slot].set(new), training.replay, played)
    after = training._replace(replay=replay, key=key, iteration=training.iteration + 1)
    return after, jnp.mean(jnp.sum(played.reward, axis=1))


def learn(
    settings: Settings, training: Training, rate: ArrayLike, scale: ArrayLike
) -> tuple[Training, Array]:
    """Make the updates of an iteration, from the replay.

    Returns:
      The run after them; and the mean loss over them, float ``[]``.
    """
    key, of_updates = jax.random.split(training.key)
    filled = jnp.minimum(training.iteration, settings.kept)
    optimizer = transformation(settings, rate)

    def update(carry: tuple[Params, Any], key: Array) -> tuple[tuple[Params, Any], Array]:
        batch = sample(settings, training.replay, key, filled, settings.batch)
        params, state, losses = muzero.update_weights(
            optimizer, *carry, batch, scale=scale, placement=settings.placement,
            root_weight=settings.root_weight, normalise=settings.normalise,
            weight_decay=settings.decay, decay=settings.decay_in,
        )  # fmt: skip
        return (params, state), jnp.sum(losses.each)

    keys = jax.random.split(of_updates, settings.updates)
    (params, state), losses = jax.lax.scan(update, (training.params, training.optimizer), keys)
    after = training._replace(params=params, optimizer=state, key=key)
    return after, jnp.mean(losses)


def evaluate(settings: Settings, params: Params) -> Array:
    """Play every start once, without the noise of exploration: the mean return, float ``[]``."""
    games = catch.every_start(settings.rules)
    played = play(settings, params, jax.random.key(0), games, gumbel_scale=0.0)
    return jnp.mean(jnp.sum(played.reward, axis=1))
