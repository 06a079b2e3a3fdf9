import sonnet as snt
import tensorflow as tf


def gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = snt.scale_gradient(x, 0.5)
    return tape.gradient(y, x)


for dtype in (tf.float32, tf.float64, tf.float16, tf.bfloat16):
    x = tf.constant(1.0, dtype)
    for name, run in (("eager", gradient), ("tf.function", tf.function(gradient))):
        try:
            actual = float(run(x))
        except (TypeError, ValueError) as error:
            actual = type(error).__name__
        print(f"{dtype.name}, {name}: actual {actual}, expected 0.5")
