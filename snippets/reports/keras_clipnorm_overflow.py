import os

os.environ["KERAS_BACKEND"] = "jax"
import keras
import numpy as np

CASES = [  # gradient, its dtype, clipnorm, what clipping by the norm gives
    ([300.0, 400.0], "float16", 5.0, "[3. 4.]"),
    ([3e30, 4e30], "float32", 1.0, "[0.6 0.8]"),
]
for entries, dtype, clipnorm, expected in CASES:
    weight = keras.Variable(np.zeros(2), dtype=dtype)
    sgd = keras.optimizers.SGD(1.0, clipnorm=clipnorm)
    sgd.apply([keras.ops.array(entries, dtype)], [weight])  # one step from zero
    print(f"{dtype} {entries}, clipnorm {clipnorm}")
    print(f"  step backwards: {0 - keras.ops.convert_to_numpy(weight)}")
    print(f"  expected:       {expected}")
