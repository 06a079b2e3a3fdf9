import keras


def accumulate_by_tokens(model, loss, x, y, mask, rows, rate, max_norm):
    steps = len(x) // rows  # micro-batches
    optimizer = keras.optimizers.SGD(
        rate, global_clipnorm=max_norm, gradient_accumulation_steps=steps
    )
    model.compile(optimizer, loss(reduction="sum"))
    weight = mask * steps / mask.sum()  # Keras takes the mean of the steps
    model.fit(x, y, rows, shuffle=False, sample_weight=weight, verbose=0)


# accumulate_by_tokens(model, keras.losses.SparseCategoricalCrossentropy, ...)
