import os

os.environ["KERAS_BACKEND"] = "jax"
import keras

cap = keras.constraints.MaxNorm(1.0)
print("norm of a column below the cap, 0.1 at the start")
for applications in (1_000, 10_000, 100_000):
    column = keras.ops.array([0.06, 0.08], "float32")
    column = keras.ops.fori_loop(0, applications, lambda _, w: cap(w), column)
    print(f"after {applications} applications")
    print(f"  actual:   {float(keras.ops.norm(column)):.4f}")
    print("  expected: 0.1000")
