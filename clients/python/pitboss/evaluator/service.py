"""The six calls of the Open Inference Protocol."""

from __future__ import annotations

import asyncio
import math
from typing import Any, NoReturn

import grpc
import numpy as np

from pitboss.evaluator.batches import Batches, QueueFull
from pitboss.evaluator.devices import Floats, Planes, planes_shape
from pitboss.evaluator.models import Model, Models
from pitboss.evaluator.protocol import MESSAGES

VERSION = "1"  # a name has one network at a time

Code: Any = grpc.StatusCode


class Refused(Exception):
    """Why a request is not answered."""

    def __init__(self, code: Any, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def refuse(code: Any, sentence: str) -> NoReturn:
    raise Refused(code, sentence)


class Service:
    """Every method runs in the server's one event loop."""

    def __init__(self, models: Models, batches: Batches) -> None:
        self._models = models
        self._batches = batches
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._unready: str | None = "its networks are being loaded"

    def open(self) -> None:
        self._unready = None

    async def drain(self) -> None:
        """Refuses what comes from now on, and returns when all requests have their answers."""
        self._unready = "the server is shutting down"
        await self._idle.wait()

    async def ServerLive(self, request: Any, context: Any) -> Any:
        return MESSAGES["ServerLiveResponse"](live=True)

    async def ServerReady(self, request: Any, context: Any) -> Any:
        return MESSAGES["ServerReadyResponse"](ready=self._unready is None)

    async def ServerMetadata(self, request: Any, context: Any) -> Any:
        return MESSAGES["ServerMetadataResponse"](name="pitboss-evaluator", version="1")

    async def ModelReady(self, request: Any, context: Any) -> Any:
        try:
            self._find(request.name, request.version)
            ready = True
        except Refused as refused:
            if refused.code != Code.UNAVAILABLE:
                await context.abort(refused.code, str(refused))
            ready = False
        return MESSAGES["ModelReadyResponse"](ready=ready)

    async def ModelMetadata(self, request: Any, context: Any) -> Any:
        try:
            return metadata_of(request.name, self._find(request.name, request.version))
        except Refused as refused:
            await context.abort(refused.code, str(refused))

    async def ModelInfer(self, request: Any, context: Any) -> Any:
        self._under_way += 1
        self._idle.clear()
        try:
            return await self._infer(request)
        except Refused as refused:
            await context.abort(refused.code, str(refused))
        finally:
            self._under_way -= 1
            if self._under_way == 0:
                self._idle.set()

    def _find(self, name: str, version: str) -> Model:
        if self._unready is not None:
            refuse(Code.UNAVAILABLE, self._unready)
        model = self._models.find(name)
        if model is None:
            refusal = self._models.refusal(name)
            if refusal is not None:
                refuse(Code.UNAVAILABLE, f"the network {name} cannot be used: {refusal}")
            known = ", ".join(self._models.names()) or "none"
            refuse(Code.NOT_FOUND, f"there is no network {name!r}; known: {known}")
        if version not in ("", VERSION):
            refuse(Code.NOT_FOUND, f"the network {name} has no version {version!r}, only {VERSION}")
        return model

    async def _infer(self, request: Any) -> Any:
        model = self._find(request.model_name, request.model_version)
        planes = planes_of(request, model)
        names = outputs_of(request)
        try:
            outputs = await asyncio.wrap_future(self._batches.submit(model, planes))
        except QueueFull as full:
            refuse(Code.RESOURCE_EXHAUSTED, str(full))
        except Exception as error:  # what PyTorch threw
            refuse(Code.INTERNAL, f"the evaluation failed: {error}")
        response = MESSAGES["ModelInferResponse"](
            model_name=request.model_name, model_version=VERSION, id=request.id
        )
        response.parameters["batch"].int64_param = outputs.batch
        response.parameters["sha256"].string_param = model.sha256
        for name in names:
            numbers: Floats = getattr(outputs, name)
            response.outputs.add(name=name, datatype="FP32", shape=numbers.shape)
            response.raw_output_contents.append(numbers.astype("<f4", copy=False).tobytes())
        return response


def metadata_of(name: str, model: Model) -> Any:
    response = MESSAGES["ModelMetadataResponse"](name=name, versions=[VERSION], platform="pytorch")
    shape = model.shape
    response.inputs.add(name="planes", datatype="FP32", shape=[-1, *planes_shape(shape)])
    response.outputs.add(name="policy", datatype="FP32", shape=[-1, shape.policy])
    response.outputs.add(name="values", datatype="FP32", shape=[-1, shape.values])
    for key, value in {
        "sha256": model.sha256,
        "game": model.metadata.get("game", ""),
        "parameters": model.metadata.get("parameters", ""),
        "format_version": model.metadata["version"],
        "max_batch_size": str(model.most_positions),
        "precision": model.precision,
        "packed_input": "bits",
    }.items():
        response.properties[key] = value
    return response


def planes_of(request: Any, model: Model) -> Planes:
    """The request's positions, [N, planes, rows, columns], in whichever form they come."""
    if len(request.inputs) != 1 or request.inputs[0].name not in FORMS:
        refuse(Code.INVALID_ARGUMENT, f"a request must have one input, {' or '.join(FORMS)}")
    tensor = request.inputs[0]
    datatype, read = FORMS[tensor.name]
    if tensor.datatype != datatype:
        refuse(Code.INVALID_ARGUMENT, f"{tensor.name} must be {datatype}, not {tensor.datatype!r}")
    if len(request.raw_input_contents) > 1 or (
        request.raw_input_contents and tensor.HasField("contents")
    ):
        refuse(
            Code.INVALID_ARGUMENT,
            "raw_input_contents must have one entry, and contents must be empty",
        )
    return read(request, tensor, model)


def floats_of(request: Any, tensor: Any, model: Model) -> Planes:
    """Planes as numbers, raw or typed."""
    shape = shape_of(tensor, planes_shape(model.shape), model)
    if not request.raw_input_contents:
        numbers = np.array(tensor.contents.fp32_contents, np.float32)
    elif len(raw := request.raw_input_contents[0]) % 4 != 0:
        refuse(Code.INVALID_ARGUMENT, f"{len(raw)} bytes are not a whole number of FP32 numbers")
    else:
        numbers = np.frombuffer(raw, "<f4").astype(np.float32)  # PyTorch may write to a copy
    check_count(tensor, shape, len(numbers))
    if not np.isfinite(numbers).all():
        refuse(Code.INVALID_ARGUMENT, "planes has a number that is not finite")
    return numbers.reshape(shape)


def bits_of(request: Any, tensor: Any, model: Model) -> Planes:
    """Planes that are 0 or 1, a bit each, a position in whole bytes."""
    planes = planes_shape(model.shape)
    shape = shape_of(tensor, ((math.prod(planes) + 7) // 8,), model)
    raw = request.raw_input_contents[0] if request.raw_input_contents else b""
    check_count(tensor, shape, len(raw))
    packed = np.frombuffer(raw, np.uint8).reshape(shape)
    unpacked = np.unpackbits(packed, axis=1, count=math.prod(planes), bitorder="little")
    return unpacked.reshape(-1, *planes)


# What a request's one input may be: its datatype, and who reads it.
FORMS = {"planes": ("FP32", floats_of), "bits": ("UINT8", bits_of)}


def shape_of(tensor: Any, wanted: tuple[int, ...], model: Model) -> tuple[int, ...]:
    shape = tuple(tensor.shape)
    if shape[1:] != wanted or not shape or not 1 <= shape[0] <= model.most_positions:
        refuse(
            Code.INVALID_ARGUMENT,
            f"{tensor.name} must have the shape [N, {', '.join(map(str, wanted))}] with N from 1 to"
            f" {model.most_positions}, not {list(shape)}",
        )
    return shape


def check_count(tensor: Any, shape: tuple[int, ...], found: int) -> None:
    if found != math.prod(shape):
        refuse(
            Code.INVALID_ARGUMENT,
            f"{tensor.name} of the shape {list(shape)} are {math.prod(shape)} numbers, not {found}",
        )


def outputs_of(request: Any) -> list[str]:
    """Names of the outputs that the request wants, in its order."""
    names = [output.name for output in request.outputs] or ["policy", "values"]
    if len(set(names)) != len(names) or not {"policy", "values"}.issuperset(names):
        refuse(
            Code.INVALID_ARGUMENT,
            f"outputs must be policy or values, each at most once, not {', '.join(names)}",
        )
    return names
