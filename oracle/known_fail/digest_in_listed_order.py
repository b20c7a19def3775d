"""
Files are taken in whatever order they are listed.

turns-red: tree_digest_is_order_free
replaces: oraclekeep.policy.digests.digest_of
"""


def digest_of(files):
    total = hashlib.sha256()
    for path, data in files:
        total.update(os.fsencode(path) + b"\0" + data + b"\0")
    return total.hexdigest()
