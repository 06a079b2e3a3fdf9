import torch


def accumulate_by_tokens(loss_sum, model, batches, tokens, optimizer, max_norm):
    optimizer.zero_grad()
    for batch in batches:
        (loss_sum(model, batch) / sum(tokens)).backward()  # by all tokens
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # once
    optimizer.step()
    return norm
