"""
Line endings are thought to say nothing.

turns-red: tree_digest_is_order_free
replaces: oraclekeep.policy.digests.digest_of
"""


def digest_of(files):
    total = hashlib.sha256()
    for path, data in sorted(files):
        total.update(os.fsencode(path) + b"\0" + b"".join(data.splitlines()) + b"\0")
    return total.hexdigest()
