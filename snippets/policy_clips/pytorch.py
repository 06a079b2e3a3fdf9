import torch


def ppo(log_new, log_old, advantage, epsilon=0.2):
    r = (log_new - log_old).clamp(max=20).exp()  # finite in float32
    kept = r.clamp(1 - epsilon, 1 + epsilon)
    return -torch.minimum(r * advantage, kept * advantage).mean()


def cispo(log_new, log_old, advantage, epsilon=0.2):
    r = (log_new - log_old).exp()
    weight = r.clamp(max=1 + epsilon).detach()
    return -(weight * advantage * log_new).mean()
