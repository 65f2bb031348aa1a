"""MLServer with a network: mlserver_server.py NAME MODEL.onnx PORT. gRPC is on PORT, HTTP behind it."""

import asyncio
import sys

import onnxruntime
from mlserver import MLModel, MLServer, ModelSettings, Settings
from mlserver.codecs import NumpyCodec
from mlserver.types import InferenceResponse, MetadataTensor

name, path, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


class Network(MLModel):
    async def load(self):
        return True

    async def predict(self, request):
        (planes,) = (NumpyCodec.decode_input(tensor) for tensor in request.inputs)
        names = ["policy", "values"]
        outputs = session.run(names, {"planes": planes.astype("float32")})
        return InferenceResponse(
            id=request.id,
            model_name=self.name,
            outputs=[NumpyCodec.encode_output(n, output) for n, output in zip(names, outputs)],
        )


def tensors(of_session):
    return [
        MetadataTensor(name=t.name, datatype="FP32", shape=[-1, *t.shape[1:]]) for t in of_session
    ]


async def main():
    settings = Settings(
        host="127.0.0.1",
        http_port=port + 1,
        grpc_port=port,
        metrics_port=port + 2,
        parallel_workers=0,
        use_structured_logging=True,
    )
    model = ModelSettings(
        name=name,
        implementation=Network,
        inputs=tensors(session.get_inputs()),
        outputs=tensors(session.get_outputs()),
    )
    await MLServer(settings).start([model])


asyncio.run(main())
