"""Clip and record where a trainer owns the loop, in one line.

    from scaleclip.torch.trainers.huggingface import ClipCallback  # Trainer, and so TRL
    from scaleclip.torch.trainers.lightning import ClipCallback
    from scaleclip.torch.trainers.accelerate import recorded

Each module imports its library, and no other. Each switches the trainer's own clip off, because a
norm that is recorded after a clip never exceeds the limit.
"""
