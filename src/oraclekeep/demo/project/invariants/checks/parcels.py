"""
Checks of our own; they import nothing of the kit.
"""


def check_says_the_same(fn, sample):
    assert fn(sample) == sample, f"{sample} came back as {fn(sample)}"


def check_costs_what_was_billed(fn, sample):
    assert fn(sample)["cents"] == sample["cents"], f"{sample['id']} was billed {sample['cents']}"
