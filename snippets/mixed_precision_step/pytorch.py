import torch


def mixed_precision_step(loss, model, batches, optimizer, scaler, max_norm):
    optimizer.zero_grad()
    for batch in batches:  # accumulate, scaled
        scaler.scale(loss(model, batch) / len(batches)).backward()
    scaler.unscale_(optimizer)  # once, just before the step
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)  # skipped if a gradient isn't finite
    scaler.update()
