import torch


def clipped_step(loss, model, batch, optimizer, max_norm):
    optimizer.zero_grad()
    loss(model, batch).backward()  # compute
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # clip
    optimizer.step()  # apply
    return norm  # for the log: the norm before the clip
