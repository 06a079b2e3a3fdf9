import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

for option in ("clipnorm", "global_clipnorm"):
    layer = keras.layers.Embedding(3, 2, embeddings_initializer="zeros")
    model = keras.Sequential([keras.Input((4,)), layer])
    model.compile(
        keras.optimizers.SGD(1.0, **{option: 1.0}),
        lambda weights, rows: keras.ops.sum(rows * weights),
    )
    tokens = np.zeros((1, 4), "int32")  # one row, four times: its gradient is [1.2, 1.6]
    model.fit(tokens, np.full((1, 4, 2), (0.3, 0.4), "float32"), verbose=0)
    step = np.linalg.norm(layer.get_weights()[0])
    print(f"{option} 1: a step of {step:.1f}, expected 1.0")
