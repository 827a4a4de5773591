"""Random requests about time to live. The attributes that they name are in no item, so that nothing ever expires."""

import random

from tables import TABLES

ATTRIBUTES = ("never", "nowhere")


class TimeToLive:
    """Draws from a generator of its own: the other requests are the same without these."""

    def __init__(self, seed):
        self.random = random.Random(f"time to live {seed}")

    def next(self):
        """(operation, request)"""
        request = {"TableName": self.random.choice(TABLES).name}
        if self.random.random() < 0.1:
            request["TableName"] = self.random.choice(["no_such_table", "a!"])
        if self.random.random() < 0.3:
            return "DescribeTimeToLive", request
        specification = {"Enabled": self.random.random() < 0.5, "AttributeName": self.random.choice(ATTRIBUTES)}
        if self.random.random() < 0.15:
            specification = self.random.choice([
                {}, {"Enabled": True}, {"AttributeName": "never"}, {**specification, "AttributeName": ""},
                {**specification, "AttributeName": "n" * 256}])
        if self.random.random() < 0.97:
            request["TimeToLiveSpecification"] = specification
        return "UpdateTimeToLive", request
