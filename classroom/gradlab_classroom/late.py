"""Points off for a day that has begun after the due date, up to half; nbgrader asks for them."""

from __future__ import annotations

import math

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float

DAY = 24 * 60 * 60


class TenthADay(LateSubmissionPlugin):
    """Take a tenth of the points for each day that has begun, and half of them at most."""

    a_day = Float(0.1, help="the part of the points that a day costs").tag(config=True)
    most = Float(0.5, help="the part that all days together cost at most").tag(config=True)

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float:
        """Return the points that come off.

        Args:
          student_id: whose they are.
          score: before anything comes off.
          total_seconds_late: seconds after the due date, which the formgrader sets.
        """
        days = math.ceil(total_seconds_late / DAY)
        return round(score * min(self.most, self.a_day * days), 2)
