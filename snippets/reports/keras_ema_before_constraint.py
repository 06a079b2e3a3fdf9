import os

os.environ["KERAS_BACKEND"] = "jax"
import keras

weight = keras.Variable([0.6, 0.8], dtype="float32")  # norm 1
weight.constraint = keras.constraints.MaxNorm(1.0)
sgd = keras.optimizers.SGD(0.1, use_ema=True, ema_momentum=0.9)
for _ in range(100):
    sgd.apply([keras.ops.array([-30.0, -40.0])], [weight])
print("norm of the weight, MaxNorm(1)")
print(f"  actual:   {float(keras.ops.norm(weight.value)):.4f}")
print("  expected: 1.0000")
sgd.finalize_variable_values([weight])
print("norm of its moving average, which replaces it after training")
print(f"  actual:   {float(keras.ops.norm(weight.value)):.4f}")
print("  expected: at most 1.0000")
