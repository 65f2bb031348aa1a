#include "clients/networks/triton.hpp"

#include <doctest/doctest.h>

#include <string>

namespace pitboss::clients {

TEST_CASE("triton_config: backend, sizes of one position, batches, hash") {
  engine::NetworkFile file;
  file.shape = engine::NetworkShape::paper(5, 6, 7, 42, 2);
  CHECK(triton_config(file, "connect4.small-2", "5ba0") ==
        "name: \"connect4.small-2\"\n"
        "backend: \"onnxruntime\"\n"
        "max_batch_size: 256\n"
        "input { name: \"planes\" data_type: TYPE_FP32 dims: [ 5, 6, 7 ] }\n"
        "output { name: \"policy\" data_type: TYPE_FP32 dims: [ 42 ] }\n"
        "output { name: \"values\" data_type: TYPE_FP32 dims: [ 2 ] }\n"
        "dynamic_batching { }\n"
        "parameters { key: \"sha256\" value { string_value: \"5ba0\" } }\n");
  for (const char* name : {"", ".hidden", "a b", "a\"b", "a/b"}) {
    CAPTURE(name);
    CHECK_THROWS_AS((void)triton_config(file, name, "5ba0"), engine::BadNetwork);
  }
}

}  // namespace pitboss::clients
