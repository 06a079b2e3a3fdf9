import os

os.environ["KERAS_BACKEND"] = "jax"
import keras

grad = keras.ops.array([0.5], "float32")  # its norm, 0.5, is below every limit
changed = []
for limit in range(1, 200):
    weight = keras.Variable([0.0], dtype="float32")
    keras.optimizers.SGD(1.0, global_clipnorm=float(limit)).apply([grad], [weight])
    step = float(keras.ops.convert_to_numpy(weight)[0])
    if step != -0.5:
        changed.append(limit)
print("limits of 1 ... 199 at which a gradient of norm 0.5 is changed")
print(f"  actual:   {len(changed)}: {changed}")
print("  expected: 0: []")
