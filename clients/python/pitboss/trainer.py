"""The steps of the optimiser, and what they make of a network."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as functional
from torch import Tensor, nn
from torch.nn.utils.clip_grad import clip_grad_norm_

from pitboss.batches import Batch
from pitboss.files import BadInput
from pitboss.model import Network
from pitboss.run_files import Settings

NO_MOVE = -1e30  # the logit of what is no move


@dataclass
class Task:
    """A batch as tensors on the device that learns."""

    planes: Tensor
    parts: Tensor
    is_move: Tensor
    policy: Tensor
    value: Tensor

    @staticmethod
    def of(batch: Batch, root_value_share: float, device: torch.device) -> Task:
        share = root_value_share
        value = (1 - share) * batch.outcome + share * batch.root_value if share else batch.outcome

        def on_device(array: Any) -> Tensor:
            return torch.from_numpy(array).to(device, non_blocking=True)

        planes = on_device(batch.planes)
        return Task(
            planes=planes.float().contiguous(memory_format=torch.channels_last),
            parts=on_device(batch.parts),
            is_move=on_device(batch.is_move),
            policy=on_device(batch.target),
            value=on_device(value),
        )


def move_logits(policy: Tensor, task: Task) -> Tensor:
    """The sums of the moves' parts [row, move]."""
    rows, moves, parts = task.parts.shape
    with_no_part = functional.pad(policy, (0, 1))
    logits = with_no_part.gather(1, task.parts.reshape(rows, moves * parts))
    return logits.view(rows, moves, parts).sum(2).masked_fill(~task.is_move, NO_MOVE)


def losses(outputs: tuple[Tensor, Tensor], task: Task) -> tuple[Tensor, Tensor]:
    """Cross-entropies of policy and value."""
    policy, value = outputs
    log_policy = functional.log_softmax(move_logits(policy, task), 1)
    log_value = functional.log_softmax(value, 1)
    policy_loss = -(task.policy * log_policy).sum(1).mean()
    return policy_loss, -(task.value * log_value).sum(1).mean()


def legal_loss(policy: Tensor, task: Task) -> Tensor:
    """-ln of the share that the legal moves have in the whole policy, on the average: what a search
    with prior_mask=all takes for their priors. Raises BadInput if moves have several parts."""
    if task.parts.shape[2] > 1:
        raise BadInput("legal_weight is for games whose moves have one part of the policy each")
    return (policy.logsumexp(1) - move_logits(policy, task).logsumexp(1)).mean()


@dataclass
class Measures:
    """What a network makes of rows, on the average."""

    policy_loss: float
    value_loss: float
    policy_entropy: float  # of the targets
    network_entropy: float
    policy_accuracy: float  # share of rows whose most visited move is the network's likeliest


class Trainer:
    """A network that learns, the average of its weights, and the optimiser's state."""

    def __init__(self, network: Network, settings: Settings, device: torch.device) -> None:
        self._settings = settings
        self._device = device
        self._network: Network = network.to(
            device, memory_format=torch.channels_last  # type: ignore[call-overload]
        )
        self._average = copy.deepcopy(self._network)
        self.steps = 0
        # Only what multiplies activations decays: neither biases nor batch normalisations.
        weights = [p for p in self._network.parameters() if p.dim() > 1]
        others = [p for p in self._network.parameters() if p.dim() == 1]
        groups = [
            {"params": weights, "weight_decay": settings.weight_decay},
            {"params": others, "weight_decay": 0.0},
        ]
        self._optimizer = torch.optim.AdamW(groups, settings.learning_rate, betas=(0.9, 0.99))

    def step(self, task: Task, learning_rate: float) -> Tensor:
        """Learns from a batch; the losses of policy and value before."""
        self._network.train()
        for group in self._optimizer.param_groups:
            group["lr"] = learning_rate
        outputs = self._network(task.planes)
        policy_loss, value_loss = losses(outputs, task)
        loss = policy_loss + self._settings.value_weight * value_loss
        if self._settings.legal_weight:
            loss = loss + self._settings.legal_weight * legal_loss(outputs[0], task)
        self._optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        clip_grad_norm_(self._network.parameters(), self._settings.gradient_clip)
        self._optimizer.step()
        self._add_to_average()
        self.steps += 1
        return torch.stack((policy_loss.detach(), value_loss.detach()))

    @torch.no_grad()
    def _add_to_average(self) -> None:
        # The average of few steps forgets faster, or it would be of the random weights at first.
        kept = min(self._settings.average, (1 + self.steps) / (10 + self.steps))
        for average, now in zip(self._average.parameters(), self._network.parameters()):
            average.lerp_(now, 1 - kept)

    @torch.no_grad()
    def averaged(self, tasks: Iterable[Task]) -> Network:
        """The network of the averaged weights, whose batch normalisations have the statistics that
        these batches have in it."""
        network = copy.deepcopy(self._average)
        for module in network.modules():
            if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d)):
                module.reset_running_stats()
                module.momentum = None  # type: ignore[assignment]  # the mean over all
        network.train()
        for task in tasks:
            network(task.planes)
        network.eval()
        return network

    def state(self) -> dict[str, Any]:
        return {
            "steps": self.steps,
            "network": self._network.state_dict(),
            "average": self._average.state_dict(),
            "optimizer": self._optimizer.state_dict()["state"],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Takes up what `state` gave. Throws what PyTorch does if it is of another network."""
        self._network.load_state_dict(state["network"])
        self._average.load_state_dict(state["average"])
        groups = self._optimizer.state_dict()["param_groups"]
        self._optimizer.load_state_dict({"state": state["optimizer"], "param_groups": groups})
        self.steps = int(state["steps"])


@torch.no_grad()
def measure(network: Network, tasks: Iterable[Task]) -> Measures:
    sums = torch.zeros(5, dtype=torch.float64)
    count = 0
    for task in tasks:
        policy, value = network(task.planes)
        rows = len(policy)
        logits = move_logits(policy, task)
        probabilities = functional.softmax(logits, 1)
        found = task.policy.gather(1, logits.argmax(1, keepdim=True)).squeeze(1)
        means = (
            *losses((policy, value), task),
            _entropy(task.policy),
            _entropy(probabilities),
            (found == task.policy.max(1).values).float().mean(),
        )
        sums += rows * torch.stack(means).cpu()
        count += rows
    return Measures(*(sums / count).tolist())


def _entropy(probabilities: Tensor) -> Tensor:
    return -torch.xlogy(probabilities, probabilities).sum(1).mean()
