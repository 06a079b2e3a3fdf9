import os

os.environ["KERAS_BACKEND"] = "jax"
import keras

for name in ("clipnorm", "global_clipnorm", "clipvalue"):
    for limit in (0.0, -5.0):
        weight = keras.Variable([0.0, 0.0], dtype="float32")
        sgd = keras.optimizers.SGD(1.0, **{name: limit})
        sgd.apply([keras.ops.array([3.0, 4.0])], [weight])
        print(f"gradient [3, 4], {name}={limit}")
        print(f"  step backwards: {0 - keras.ops.convert_to_numpy(weight)}")
        print(f"  expected:       {'a ValueError' if limit else 'a ValueError, or [0. 0.]'}")
