"""What a teacher of *Scale, Clip, Constrain* needs: assignments, a grader, private sets, an inventory."""
