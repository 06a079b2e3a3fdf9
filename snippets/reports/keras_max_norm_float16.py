import os

os.environ["KERAS_BACKEND"] = "jax"
import jax
import keras
import numpy as np

cap = keras.constraints.MaxNorm(5.0)
column = keras.ops.array([300.0, 400.0], "float16")
print("float16 [300, 400], max_value 5")
print(f"  actual:   {np.asarray(cap(column))}")
print("  expected: [3. 4.]")
print("derivative at a zero column, max_value 5")
print(f"  actual:   {np.asarray(jax.jacrev(cap)(keras.ops.zeros(2))).tolist()}")
print("  expected: [[1.0, 0.0], [0.0, 1.0]]")
