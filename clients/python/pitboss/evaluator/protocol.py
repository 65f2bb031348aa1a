"""The messages and calls of inference.proto, made when the program starts: whichever protoc is
there and whichever protobuf reads what it writes, no generated code has to fit both."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from pitboss.files import BadInput, read_bytes

PROTO = Path(__file__).with_name("inference.proto")
SERVICE = "inference.GRPCInferenceService"
LARGEST_MESSAGE = 64 << 20
CHANNEL_OPTIONS = [
    ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ("grpc.max_send_message_length", LARGEST_MESSAGE),
]


def _compiled() -> bytes:
    """The file's descriptors, by protoc."""
    read_bytes(PROTO)  # which tells what is amiss
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "descriptors"
        arguments = [f"-I{PROTO.parent}", f"--descriptor_set_out={out}", str(PROTO)]
        program = shutil.which("protoc")
        try:
            from grpc_tools import protoc

            status = protoc.main(["protoc", *arguments])
        except ModuleNotFoundError:
            if program is None:
                raise BadInput(
                    "needs protoc: install grpcio-tools (PyPI) or protobuf-compiler (Debian)"
                ) from None
            status = subprocess.run([program, *arguments], check=False).returncode
        if status != 0:
            raise BadInput(f"protoc cannot read {PROTO}")
        return out.read_bytes()


def _messages(file: Any, pool: Any) -> dict[str, Any]:
    """Classes of the file's messages by name."""
    found = {}
    for message in file.message_type:
        descriptor = pool.FindMessageTypeByName(f"{file.package}.{message.name}")
        if hasattr(message_factory, "GetMessageClass"):  # protobuf 4.22 and later
            found[message.name] = message_factory.GetMessageClass(descriptor)
        else:
            found[message.name] = message_factory.MessageFactory(pool).GetPrototype(descriptor)
    return found


_file = descriptor_pb2.FileDescriptorSet.FromString(_compiled()).file[0]
_pool = descriptor_pool.DescriptorPool()
_pool.Add(_file) if hasattr(_pool, "Add") else _pool.AddSerializedFile(_file.SerializeToString())
MESSAGES = _messages(_file, _pool)
CALLS = [method.name for method in _file.service[0].method]


def handlers(service: Any) -> Any:
    """Answers each call by the service's method of its name."""
    return grpc.method_handlers_generic_handler(
        SERVICE,
        {
            call: grpc.unary_unary_rpc_method_handler(
                getattr(service, call),
                request_deserializer=MESSAGES[f"{call}Request"].FromString,
                response_serializer=MESSAGES[f"{call}Response"].SerializeToString,
            )
            for call in CALLS
        },
    )


def stub(channel: Any) -> dict[str, Callable[..., Any]]:
    """A client's six calls by name."""
    return {
        call: channel.unary_unary(
            f"/{SERVICE}/{call}",
            request_serializer=MESSAGES[f"{call}Request"].SerializeToString,
            response_deserializer=MESSAGES[f"{call}Response"].FromString,
        )
        for call in CALLS
    }
